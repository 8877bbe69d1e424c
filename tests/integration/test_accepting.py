"""A problem that a person has accepted is shown, and alarms nobody, until it is another problem."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.sandbox import FaultRule
from pipeline.warehouse.state import quarantine
from tests.support.mirroring import FIRST, TODAY, Warehouse

if TYPE_CHECKING:
    from tests.integration.conftest import Mirrored


def refused(name: str, status: int) -> FaultRule:
    """Refuse the details of an activity for good."""
    return FaultRule(kind="status", status=status, operation="details", id=name)


def numbers(warehouse: Warehouse) -> list[int]:
    """Return the numbers of the open entries."""
    return [number for (number,) in warehouse.query("select id from sync.quarantine order by id")]


def test_an_accepted_problem_ends_no_run(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)
    names = warehouse.service.state.ids("DECLINED", "CANCELED")[:2]
    warehouse.service.state.set_faults(*(refused(name, 403) for name in names))
    assert warehouse.days(FIRST, TODAY).status == "incomplete"
    with warehouse.engine() as engine:
        first, _ = numbers(warehouse)
        alike = quarantine.all_like(engine, first)
        assert alike == numbers(warehouse)
        assert quarantine.accept(engine, alike, "somebody", "they left") == 2
        assert quarantine.count_open(engine) == 0
    days = warehouse.days(FIRST, TODAY)
    assert (days.status, days.problems, days.quarantined) == ("complete", [], 2)
    older = warehouse.open_work(TODAY)
    assert (older.status, older.problems) == ("complete", [])
    assert warehouse.value("select sum(accepted) from sync.coverage") == 2
    with warehouse.engine() as engine:
        assert quarantine.take_back(engine, [first]) == 1
    assert warehouse.days(FIRST, TODAY).status == "incomplete"


def test_another_problem_is_nobodys_decision(mirrored: Mirrored) -> None:
    warehouse = mirrored(30)
    (name,) = warehouse.service.state.ids("DECLINED", "CANCELED")[:1]
    warehouse.service.state.set_faults(refused(name, 403))
    warehouse.days(FIRST, TODAY)
    with warehouse.engine() as engine:
        quarantine.accept(engine, numbers(warehouse), "somebody", "they left")
    warehouse.service.state.set_faults(refused(name, 404))
    assert warehouse.days(FIRST, TODAY).status == "incomplete"
