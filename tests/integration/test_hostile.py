"""Responses in every form through the whole pipeline: stored as the contract says, or quarantined.

Never a crash, never a lost neighbour. The documents are derived from the models
(`tests.support.hostile`), so that a new field is covered by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pipeline.sandbox.state import Truth
from pipeline.service.models import ActivityDetails, ListItem
from tests.support.hostile import (
    ABSENT,
    OF_KIND,
    SECRET,
    changed,
    encoded,
    is_instant,
    places,
    whole,
)
from tests.support.mirroring import Warehouse, compare

if TYPE_CHECKING:
    from tests.integration.conftest import Mirrored
    from tests.support.hostile import Place


#: Fields of a row that details have, too.
_LISTED = ("type", "in_out_bound", "entity", "status", "time_zone", "created_at")


def is_storable(place: Place, kind: str) -> bool:
    """Whether a whole document with that kind of JSON there is stored, by the contract (rules 4, 5)."""
    if place.path == ("id",):
        return False
    if place.path == ("status",):
        return kind in (*place.allowed, "number", ABSENT)
    # The sample is no instant unless it is a number.
    return place.path != ("created_at",) or kind in ("number", "null", ABSENT)


def as_read(document: dict[str, Any], place: Place, kind: str) -> dict[str, Any]:
    """Return the document as it is read with that kind of JSON at a place (docs/service.md 2.7)."""
    path = place.path
    if path == ("entity", "id") or (path, kind) == (("entity",), "object"):
        return changed(document, ("entity",), None)
    if kind == ABSENT:
        return changed(document, path, ABSENT)
    if place.is_element and kind != "object":
        return changed(document, path, ABSENT)
    # The sample is before 1970-01-02.
    past = place.name in ("attended_at", "completed_at", "expires_at")
    untold = past or place.name == "cifcode" or (is_instant(place.name) and kind != "number")
    value = OF_KIND[kind] if kind in place.allowed and not untold else None
    if kind == "number" and "string" in place.allowed and "number" not in place.allowed:
        value = None if place.name == "cifcode" else str(OF_KIND[kind])
    if kind == "object" and "array" in place.allowed:
        value = [OF_KIND[kind]]
    return changed(document, path, value)


class Offered:
    """Puts documents in the place of a sandbox's, and states what the warehouse must hold of them."""

    def __init__(self, warehouse: Warehouse) -> None:
        self.warehouse = warehouse
        self.state = warehouse.service.state
        self.truths = {truth.id: truth for truth in self.state.truth()}

    def put(
        self,
        name: str,
        row: dict[str, Any],
        details: dict[str, Any],
        read: dict[str, Any] | None = None,
        listed: dict[str, Any] | None = None,
    ) -> None:
        """Serve both documents; ``read``: what is read of the details, ``listed``: of the row."""
        as_row, as_details = encoded(row), encoded(details)
        self.state.replace_payload(name, row=as_row, details=as_details)
        known = row if listed is None else listed
        # What details leave out is the list's.
        stated = encoded(
            read and read | {each: known.get(each) for each in _LISTED if read.get(each) is None}
        )
        self.truths[name] = Truth(name, False, msgspec.Raw(as_row), msgspec.Raw(stated))

    def row(self, name: str) -> dict[str, Any]:
        """Return a row for the activity that says nothing details could contradict but its creation."""
        unsaid = dict.fromkeys(("entity", "status", "in_out_bound"))
        return {**self.truths[name].row_fields(), **unsaid}

    def details(self, name: str) -> dict[str, Any]:
        """Return details for the activity in which no field is missing."""
        created_at = self.truths[name].row_fields()["created_at"]
        return {**whole(ActivityDetails), "id": name, "created_at": created_at}

    def differences(self) -> list[str]:
        """Compare every field of every table with what was offered."""
        return compare(self.warehouse.url, self.truths.values())


def kinds_at(place: Place) -> list[str]:
    """Return the kinds of JSON to try at a place; of an array's element all but its absence."""
    return [*OF_KIND] if place.is_element else [*OF_KIND, ABSENT]


def test_every_kind_of_json_at_every_place_of_the_details(mirrored: Mirrored) -> None:
    cases = [(place, kind) for place in places(ActivityDetails) for kind in kinds_at(place)]
    assert len(cases) > 350
    warehouse = mirrored(len(cases) + 20)
    offered = Offered(warehouse)
    held = {}
    for name, (place, kind) in zip(list(offered.truths), cases, strict=False):
        document = offered.details(name)
        value = ABSENT if kind == ABSENT else OF_KIND[kind]
        # The list tells another creation.
        stored = is_storable(place, kind) and (place.path, kind) != (("created_at",), "number")
        if not stored:
            held[name] = (place, kind)
        read = as_read(document, place, kind) if stored else None
        offered.put(name, offered.row(name), changed(document, place.path, value), read)
    summary = warehouse.days()
    reasons = warehouse.quarantined()
    tried = dict(zip(offered.truths, cases, strict=False))
    assert {name: tried.get(name) for name in reasons} == held
    assert (summary.listed, summary.quarantined) == (len(offered.truths), len(held))
    assert (offered.differences(), warehouse.gaps()) == ([], [])
    assert [reason for reason in reasons.values() if SECRET in reason or "\n" in reason] == []


def test_every_kind_of_json_at_every_place_of_a_list_row(mirrored: Mirrored) -> None:
    cases = [
        (place, kind)
        for place in places(ListItem)
        for kind in kinds_at(place)
        if place.path != ("id",)
    ]
    warehouse = mirrored(len(cases) + 20)
    offered = Offered(warehouse)
    held = {}
    for name, (place, kind) in zip(list(offered.truths), cases, strict=False):
        row = {**whole(ListItem), "id": name, "created_at": offered.row(name)["created_at"]}
        value = ABSENT if kind == ABSENT else OF_KIND[kind]
        # A creation in 1970 is no row of the days asked for; the details tell the day.
        possible = place.path != ("created_at",) or kind in (ABSENT, "null")
        if not (is_storable(place, kind) and possible):
            held[name] = (place, kind)
        details = offered.details(name) | {"status": None, "in_out_bound": None}
        details["entity"] = None if row["entity"] is None else {**row["entity"]}
        listed = {} if name in held else as_read(row, place, kind)
        offered.put(name, changed(row, place.path, value), details, details, listed)
    summary = warehouse.days()
    reasons = warehouse.quarantined()
    tried = dict(zip(offered.truths, cases, strict=False))
    assert {name: tried.get(name) for name in reasons} == held
    assert (summary.listed, summary.quarantined) == (len(offered.truths), len(held))
    # Of a counterpart counts what was observed last: the list may have been asked again after its details.
    other = {name for name, (place, _) in tried.items() if place.path[0] == "entity"}
    stored = "select entity_id::text from warehouse.activities where id = any(%s::uuid[])"
    either = [name for (name,) in warehouse.query(stored, sorted(other)) if name]
    differing = [line for line in offered.differences() if not any(map(line.count, either))]
    assert (differing, warehouse.gaps()) == ([], [])
    assert [reason for reason in reasons.values() if SECRET in reason or "\n" in reason] == []


def test_a_row_that_is_too_deep_leaves_its_days_unproven_and_names_why(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)
    deep = next(iter(Offered(warehouse).truths))
    row = b'{"x":' + b"[" * 10**5 + b"]" * 10**5 + b"}"
    warehouse.service.state.replace_payload(deep, row=row)
    summary = warehouse.days()
    assert all("nested too deeply to be read" in problem for problem in summary.problems)
    assert (summary.listed, summary.loaded.new, len(summary.problems)) == (59, 59, 3)


_PATHS = ["../../auth", "a/../b?limit=1#x", "%2e%2e%2fauth", "..", "//evil.example/x", "a\r\nX: 1"]


def test_ids_that_are_no_uuid_are_never_asked_for(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)
    offered = Offered(warehouse)
    names = list(offered.truths)[: len(_PATHS)]
    for name, path in zip(names, _PATHS, strict=True):
        warehouse.service.state.replace_payload(name, row=encoded(offered.row(name) | {"id": path}))
        del offered.truths[name]
    summary = warehouse.days()
    assert (summary.listed, summary.quarantined, warehouse.gaps()) == (60, len(_PATHS), [])
    assert offered.differences() == []
    asked = warehouse.service.state.counters().by_operation
    assert sum(asked.values()) > 54
    assert {operation for operation, count in asked.items() if count} == {
        "login",
        "list",
        "details",
    }
    assert warehouse.service.state.counters().details.keys() == offered.truths.keys()
    shown = warehouse.query("select reason, activity_id from sync.quarantine")
    assert {name for _, name in shown} >= {path for path in _PATHS if "\r" not in path}
