"""Activities that fail for good are their own trouble: all others come in, and the run ends incomplete.

Clauses 1 and 9 of docs/guarantees.md.
"""

from __future__ import annotations

from collections import Counter
from itertools import cycle
from typing import TYPE_CHECKING, Any

import pytest

from pipeline.sandbox import Answer, Asked, FaultRule
from pipeline.service.errors import Outage
from pipeline.sync.options import Options
from pipeline.warehouse.state import quarantine
from tests.support.habits.answers import CUT_JSON, AnswerOf, rule
from tests.support.mirroring import TODAY

if TYPE_CHECKING:
    from collections.abc import Collection

    from tests.integration.conftest import Mirrored


_KINDS: list[dict[str, Any]] = [
    {"kind": "status", "status": 500},
    {"kind": "status", "status": 502},
    {"kind": "status", "status": 429},
    {"kind": "status", "status": 503, "retry_after": 1},
    {"kind": "reset"},
    {"kind": "reset_body"},
    CUT_JSON,
]


def _rules(names: Collection[str]) -> list[FaultRule]:
    """Return rules by which the details of these activities fail for good, in several ways."""
    return [
        FaultRule(operation="details", id=name, **what)
        for name, what in zip(names, cycle(_KINDS), strict=False)
    ]


@pytest.mark.parametrize(
    "step", [pytest.param(5, id="one in five"), pytest.param(1, id="the first fifth")]
)
def test_all_others_are_in_and_the_sick_wait_longer_each_time(
    mirrored: Mirrored, step: int
) -> None:
    number = 40
    warehouse = mirrored(200)
    state = warehouse.service.state
    sick = set(state.ids()[::step][:number])
    state.set_faults(*_rules(sorted(sick)))
    for night in range(1, 4):
        state.reset_counters()
        summary = warehouse.days()
        assert (summary.status, summary.quarantined) == ("incomplete", number)
        assert warehouse.quarantined().keys() == sick
        assert set(warehouse.query("select attempts from sync.quarantine")) == {(night,)}
        if night > 1:
            assert state.counters().details == dict.fromkeys(sick, 1)
    assert [x for x in warehouse.differences() if not any(name in x for name in sick)] == []
    state.reset_counters()
    assert "incomplete" in {part.status for part in warehouse.nightly(TODAY)}
    assert state.counters().details == {}
    # A full run asks for all of them in one window: the sick ones last.
    warehouse.days(full=True, workers=1, window_days=100)
    assert set([*state.counters().details][-number:]) == sick
    with warehouse.engine() as engine:
        assert quarantine.make_due(engine, None) == number
    state.set_faults()
    assert warehouse.days().status == "complete"
    assert (warehouse.differences(), warehouse.quarantined()) == ([], {})


def test_an_outage_takes_no_attempt_away_and_blames_nobody_else(mirrored: Mirrored) -> None:
    warehouse = mirrored(400)
    warehouse.options = Options(walks=1)
    state = warehouse.service.state
    sick = set(state.ids()[::5])
    outage = FaultRule(kind="status", operation="details", numbers=tuple(range(200, 9000)))
    state.set_faults(*_rules(sorted(sick)), outage)
    with pytest.raises(Outage):
        warehouse.days()
    # Failures are judged at a run's end: this one has not come so far.
    assert warehouse.quarantined() == {}
    state.set_faults(*_rules(sorted(sick)))
    assert warehouse.days().status == "incomplete"
    assert warehouse.quarantined().keys() == sick


def test_tokens_that_others_have_used_up_blame_no_activity(mirrored: Mirrored) -> None:
    warehouse = mirrored(90)
    used = Counter[str]()

    def twelve_times(asked: Asked, answer_of: AnswerOf) -> Answer:
        token = asked.headers["Authorization"]
        used[token] += asked.operation != "login"
        return answer_of(asked) if used[token] <= 12 else Answer(401, b"")

    warehouse.service.state.set_faults(rule(twelve_times))
    assert (warehouse.days().status, warehouse.quarantined()) == ("complete", {})
