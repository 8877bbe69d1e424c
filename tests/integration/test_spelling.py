"""Details are asked for by the id as the list spells it, by every run and command.

Clauses 1 and 9 of docs/guarantees.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.sandbox import FaultRule
from tests.support.habits.answers import rule
from tests.support.mirroring import FIRST, TODAY
from tests.support.profiles import ids_spelled

if TYPE_CHECKING:
    from pipeline.sandbox import SandboxState
    from tests.integration.conftest import Mirrored


def compared_as_text(state: SandboxState) -> FaultRule:
    """Have a service that knows activities by their ids in capital letters only."""
    return rule(ids_spelled(str.upper)(state))


def test_what_is_asked_again_is_asked_by_the_spelling_of_the_list(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)
    state = warehouse.service.state
    first = state.ids()[0]
    failing = FaultRule(kind="status", status=500, operation="details", id=first.upper())
    state.set_faults(failing, compared_as_text(state))
    assert warehouse.days(FIRST, TODAY).status == "incomplete"
    assert warehouse.quarantined().keys() == {first}
    assert first.upper() in warehouse.quarantined()[first]
    # The next night asks for what is in quarantine, the one after it for nothing.
    state.set_faults(compared_as_text(state))
    assert [warehouse.days(FIRST, TODAY).details_requests for _ in range(2)] == [1, 0]
    # What somebody removed from the ledger, a full run, a sample.
    warehouse.execute("delete from sync.activity_ledger where day is not null")
    assert warehouse.days(FIRST, TODAY, full=True).status == "complete"
    summary, sample = warehouse.verify(60, "verify-1")
    assert (sample.compared, summary.problems) == (60, [])
    assert warehouse.differences() == []


def test_a_service_that_begins_to_spell_otherwise_is_asked_likewise(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)
    state = warehouse.service.state
    warehouse.days(FIRST, TODAY)
    before = warehouse.versions()
    for faults in ([compared_as_text(state)], []):
        state.set_faults(*faults)
        assert warehouse.days(FIRST, TODAY).details_requests == 0
        assert warehouse.days(FIRST, TODAY, full=True).status == "complete"
    assert warehouse.versions() == before
    assert warehouse.query("select from sync.activity_ledger where spelling is not null") == []
