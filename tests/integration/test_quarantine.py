"""What can't be had or stored: named, retried, resolved, and never in the way of the others.

Clause 1 of docs/guarantees.md.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from pipeline.sandbox import FaultRule
from pipeline.sync.days import DayRange
from pipeline.warehouse.state import quarantine
from tests.support.mirroring import FIRST, LAST, TODAY, Warehouse

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.integration.conftest import Mirrored


#: Stands in every spoiled payload, and must stand in no reason.
SECRET = "Xochitl-4711-secret"


def _others(warehouse: Warehouse, bad: set[str]) -> list[str]:
    return [line for line in warehouse.differences() if not any(name in line for name in bad)]


def test_older_quarantined_ones_are_retried_by_the_nightly_run(mirrored: Mirrored) -> None:
    warehouse = mirrored(300)
    state = warehouse.service.state
    bad = state.ids("CANCELED")[10]
    state.set_faults(FaultRule(kind="status", status=403, operation="details", id=bad))
    warehouse.days(FIRST, TODAY)
    _, still = warehouse.nightly(TODAY)
    assert (still.status, still.quarantined) == ("incomplete", 1)
    state.set_faults()
    _, healed = warehouse.nightly(TODAY)
    assert (healed.status, warehouse.quarantined()) == ("complete", {})
    assert (warehouse.differences(), warehouse.gaps()) == ([], [])


def _spoiled(document: dict[str, Any], **changes: Any) -> bytes:
    return json.dumps({**document, **changes}).encode()


_BAD_DETAILS: dict[str, Callable[[dict[str, Any]], bytes]] = {
    "created_at holds two numbers": lambda d: _spoiled(d, created_at={"a": 1, "b": 2}),
    "another activity's id": lambda d: _spoiled(d, id="00000000-0000-4000-8000-000000000000"),
    "value beyond jsonb's numbers": lambda d: (
        json.dumps({**d, "accepted_requirements": [{"code": "X", "data": {"value": {"n": 7}}}]})
        .encode()
        .replace(b'"n": 7', b'"n": 1e200000')
    ),
    "value nested beyond reason": lambda d: (
        json.dumps({**d, "accepted_requirements": [{"code": "X", "data": {"value": 7}}]})
        .encode()
        .replace(b'"value": 7', b'"value": ' + b"[" * 60000 + b"]" * 60000)
    ),
    "no JSON": lambda _: b"<html>%s</html>" % SECRET.encode(),
    "a list": lambda d: json.dumps([d]).encode(),
    "no UTF-8": lambda d: json.dumps(d).encode().replace(b'"type": "', b'"type": "\xff'),
    "cut off": lambda d: json.dumps(d).encode()[:-9],
    "empty": lambda _: b"",
}


def test_every_bad_body_is_quarantined_and_its_neighbours_are_not(mirrored: Mirrored) -> None:
    """`tests/unit/test_forms.py` has every kind of JSON at every place."""
    warehouse = mirrored(200)
    state = warehouse.service.state
    names = dict(zip(state.ids()[::7], _BAD_DETAILS, strict=False))
    assert len(names) == len(_BAD_DETAILS)
    for name, what in names.items():
        document = state.truth_of(name).details_fields()
        assert document is not None
        state.replace_payload(name, details=_BAD_DETAILS[what](document))
    summary = warehouse.days()
    held = warehouse.quarantined()
    assert {names[name] for name in held} == set(_BAD_DETAILS)
    assert (summary.status, summary.quarantined) == ("incomplete", len(names))
    assert _others(warehouse, set(names)) == []
    assert warehouse.gaps() == []
    assert [reason for reason in held.values() if SECRET in reason or "\n" in reason] == []
    for name in names:
        state.replace_payload(name)
    assert warehouse.days().status == "complete"
    assert (warehouse.differences(), warehouse.quarantined(), warehouse.gaps()) == ([], {}, [])


_BAD_ROWS: dict[str, Callable[[dict[str, Any]], bytes]] = {
    "created_at is a word": lambda r: _spoiled(r, created_at=SECRET),
    "created_at at the end of time": lambda r: _spoiled(r, created_at=253402300799999),
    "created_at before time": lambda r: _spoiled(r, created_at=-62135596800000),
    "created_at is 0": lambda r: _spoiled(r, created_at=0),
    "status is an object": lambda r: _spoiled(r, status={"a": 5}, type=SECRET),
}


def test_bad_list_rows_are_quarantined_and_their_details_are_stored(mirrored: Mirrored) -> None:
    warehouse = mirrored(200, zone="America/Lima")
    state = warehouse.service.state
    names = dict(zip(state.ids()[20:180:11], _BAD_ROWS, strict=False))
    for name, what in names.items():
        state.replace_payload(name, row=_BAD_ROWS[what](state.truth_of(name).row_fields()))
    for _ in range(2):
        summary = warehouse.days()
        held = warehouse.quarantined()
        assert {names[name] for name in held} == set(_BAD_ROWS)
        assert (summary.status, summary.quarantined) == ("incomplete", len(names))
        assert warehouse.differences(FIRST, LAST) == []
        assert warehouse.gaps() == []
        assert [reason for reason in held.values() if SECRET in reason] == []
    for name in names:
        state.replace_payload(name)
    assert warehouse.days().status == "complete"
    assert (warehouse.differences(FIRST, LAST), warehouse.quarantined()) == ([], {})
    assert warehouse.gaps() == []


_NAMELESS = {
    "no id": b'{"type": "AT_001"}',
    "id is no UUID": b'{"id": "%s", "created_at": 1769000000000}' % SECRET.encode(),
    "id with NUL": b'{"id": "a\\u0000b", "created_at": 1769000000000}',
    "a number": b"17",
    "null": b"null",
}


def test_rows_without_an_id_are_kept_and_settled_when_they_are_gone(mirrored: Mirrored) -> None:
    warehouse = mirrored(300)
    state = warehouse.service.state
    names = state.ids()[10::40][: len(_NAMELESS)]
    for name, row in zip(names, _NAMELESS.values(), strict=True):
        state.replace_payload(name, row=row)
    for _ in range(2):
        summary = warehouse.days()
        assert (summary.status, summary.quarantined) == ("incomplete", len(_NAMELESS))
        assert set(_others(warehouse, set(names))) == set()
        assert warehouse.gaps() == []
        assert len(warehouse.complete_days()) == len(DayRange(FIRST, LAST))
    payloads = {bytes(row) for (row,) in warehouse.query("select payload from sync.quarantine")}
    assert payloads == set(_NAMELESS.values())
    for name in names:
        state.replace_payload(name)
    assert warehouse.days().status == "complete"
    assert (warehouse.differences(), warehouse.quarantined(), warehouse.gaps()) == ([], {}, [])


def test_what_postgres_cannot_hold_is_replaced_not_refused(mirrored: Mirrored) -> None:
    warehouse = mirrored(100)
    state = warehouse.service.state
    nul, surrogate, big = state.ids("COMPLETED", "ACCEPTED")[:3]
    state.edit(
        nul,
        description="a\0b",
        timeline=[{"status": "S\0", "message": "\0", "date_time": "2026-01-01T00:00:00"}],
    )
    document = state.truth_of(surrogate).details_fields()
    assert document is not None
    value = {"value": {"k\\ud83d": "\\udc00\\\\u0000", "fine": "\\ud83d\\ude00", "nul": "\\u0000"}}
    spoiled = _spoiled(
        document, description="x\udfff", accepted_requirements=[{"code": "C", "data": 1}]
    )
    raw = json.dumps(value).replace("\\\\", "\\").encode()
    state.replace_payload(surrogate, details=spoiled.replace(b'"data": 1', b'"data": ' + raw))
    state.edit(big, expires_in={"time_unit": "U", "amount": 123456789012345678})
    assert warehouse.days().status == "complete"
    assert _others(warehouse, {surrogate}) == []
    stored = warehouse.query(
        "select description, value from warehouse.activities as a"
        " join warehouse.requirements as r on r.activity_id = a.id and disposition = 'accepted'"
        " where a.id = %s",
        surrogate,
    )
    expected = {"k\ufffd": "\ufffd\\u0000", "fine": "\U0001f600", "nul": "\ufffd"}
    assert stored == [("x\ufffd", expected)]
    body = warehouse.value(
        "select body from landing.activity_details where activity_id = %s", surrogate
    )
    assert b"\\ud83d" in bytes(body)


@pytest.mark.parametrize(("number", "many"), [(20, False), (21, True)])
def test_very_many_problems_are_an_error(mirrored: Mirrored, number: int, *, many: bool) -> None:
    """More than 20, and more than 5 % of a run. Accepted ones alarm nobody."""
    warehouse = mirrored(100)
    names = warehouse.service.state.ids()[:number]
    warehouse.service.state.set_faults(
        *(
            FaultRule(kind="status", status=200, operation="details", id=name, body="[]")
            for name in names
        )
    )
    warehouse.days()
    with warehouse.engine() as engine:
        assert (quarantine.count_open(engine), quarantine.are_many(engine)) == (number, many)
        numbers = [entry["id"] for entry in quarantine.open_entries(engine)]
        quarantine.accept(engine, numbers, "a test", "they are no problem")
        assert not quarantine.are_many(engine)


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
