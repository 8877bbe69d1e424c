"""Rows that no parser can take, and ids that are addresses: named, never asked for, no neighbour harmed.

Every kind of JSON at every place: `tests/unit/test_forms.py`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.support.mirroring import compare

if TYPE_CHECKING:
    from tests.integration.conftest import Mirrored


def test_a_row_that_is_too_deep_leaves_its_days_unproven_and_names_why(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)
    deep = warehouse.service.state.ids()[0]
    row = b'{"x":' + b"[" * 10**5 + b"]" * 10**5 + b"}"
    warehouse.service.state.replace_payload(deep, row=row)
    summary = warehouse.days()
    assert all("nested too deeply to be read" in problem for problem in summary.problems)
    assert (summary.listed, summary.loaded.new, len(summary.problems)) == (59, 59, 3)


_PATHS = ["../../auth", "a/../b?limit=1#x", "%2e%2e%2fauth", "..", "//evil.example/x", "a\r\nX: 1"]


def test_ids_that_are_no_uuid_are_never_asked_for(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)
    state = warehouse.service.state
    truths = {truth.id: truth for truth in state.truth()}
    for name, path in zip(state.ids()[: len(_PATHS)], _PATHS, strict=True):
        row = truths.pop(name).row_fields() | {"id": path}
        state.replace_payload(name, row=json.dumps(row).encode())
    summary = warehouse.days()
    assert (summary.listed, summary.quarantined, warehouse.gaps()) == (60, len(_PATHS), [])
    assert compare(warehouse.url, truths.values()) == []
    counted = state.counters()
    assert counted.by_operation.keys() == {"login", "list", "details"}
    assert counted.details.keys() == truths.keys()
    shown = warehouse.query("select reason, activity_id from sync.quarantine")
    assert {name for _, name in shown} >= {path for path in _PATHS if "\r" not in path}
