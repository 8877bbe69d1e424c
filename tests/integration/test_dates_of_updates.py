"""A service whose ``from`` and ``to`` do not mean the creation, but the last update.

Clause 9 of docs/guarantees.md.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from pipeline.sandbox import FaultRule
from tests.support.costs import MOST_LIST_REQUESTS
from tests.support.deeds import DEEDS
from tests.support.habits.answers import DAY_MS, as_answer
from tests.support.mirroring import FIRST, TODAY

if TYPE_CHECKING:
    from pipeline.sandbox import Answer, Asked, SandboxState
    from tests.integration.conftest import Mirrored
    from tests.support.habits.answers import AnswerOf, Row


def dated_by_update(state: SandboxState) -> FaultRule:
    """Let ``from`` and ``to`` select by the last update."""

    def change(asked: Asked, answer_of: AnswerOf) -> Answer:
        query = {name: values[0] for name, values in parse_qs(asked.query).items()}
        if "from" not in query or answer_of(asked).status != 200:
            return answer_of(asked)

        def is_within(row: Row) -> bool:
            told = state.truth_of(row["id"]).details_fields() or row
            at = datetime.fromtimestamp((told.get("updated_at") or row["created_at"]) / 1000, UTC)
            return query["from"] <= str(at.date()) <= query.get("to", "9999-12-31")

        everything = [truth.row_fields() for truth in state.truth()]
        found = [row for row in reversed(everything) if is_within(row)]
        size = min(int(query["limit"]), state.behaviour.max_limit or 10**6)
        begin = (int(query["page"]) - 1) * size
        page = found[begin : begin + size]
        return as_answer({"has_next": len(found) > begin + size, "data": page})

    return FaultRule(kind="change", operation="list", change=change)


def test_a_first_load_nights_and_a_backfill_end_well(mirrored: Mirrored) -> None:
    warehouse = mirrored(200)
    state, random = warehouse.service.state, Random(1)
    state.set_faults(dated_by_update(state))
    warehouse.options = warehouse.options.__class__(start=FIRST, night_sample=0)
    first = warehouse.days(FIRST, TODAY)
    assert (first.problems, warehouse.differences()) == ([], [])
    assert any("do not mean the creation" in line for line in warehouse.told.lines)
    for number in range(1, 4):
        state.set_clock(advance_ms=DAY_MS)
        for deed in ("create", "settle", "settle", "delete", "edit"):
            DEEDS[deed](state, random)
        today = TODAY + timedelta(days=number)
        state.reset_counters()
        nights = warehouse.nightly(today)
        assert [problem for night in nights for problem in night.problems] == []
        most = MOST_LIST_REQUESTS["a night at a service whose dates mean updates"]
        assert state.counters().by_operation["list"] <= most
    assert warehouse.days(FIRST + timedelta(days=30), FIRST + timedelta(days=40)).problems == []
    assert not warehouse.gaps()
