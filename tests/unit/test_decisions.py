"""Which decisions are kept when answers no longer show them.

Clause 4 of docs/guarantees.md.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from pipeline.warehouse.answers.decisions import from_rows, keep, rows_of, shown_in

if TYPE_CHECKING:
    from pipeline.warehouse.state.rows import Row

MANY = [f"PIF_{number:03}" for number in range(150)]


def answer(accepted: dict[str, Any] | None = None, declined: dict[str, Any] | None = None) -> Any:
    """Return the children of details that accept and decline requirements, by code, with these items."""
    rows: dict[str, list[Row]] = {"requirements": [], "requirement_items": [], "accepted_items": []}
    for place, (code, items) in enumerate((accepted or {}).items()):
        rows["requirements"].append(("accepted", place, code, "RTP_1", "RQC_1", None))
        rows["accepted_items"] += [
            (place, n, code, item, "RTP_1", None) for n, item in enumerate(items)
        ]
    for place, (code, items) in enumerate((declined or {}).items()):
        rows["requirements"].append(("declined", place, code, None, None, None))
        rows["requirement_items"] += [("declined", place, n, item) for n, item in enumerate(items)]
    return rows


NOTHING = answer()
WHOLE, SOME = answer({"A": ["x", "y"]}), answer({"A": ["x"]}, {"A": ["y", "z"]})


@pytest.mark.parametrize(
    ("answers", "kept"),
    [
        ([WHOLE, WHOLE], []),
        ([NOTHING, WHOLE], []),
        ([WHOLE, NOTHING], ["accepted A", "accepted A.x", "accepted A.y"]),
        ([WHOLE, NOTHING, NOTHING], ["accepted A", "accepted A.x", "accepted A.y"]),
        ([WHOLE, NOTHING, WHOLE], []),
        ([WHOLE, NOTHING, answer({"A": ["y"]})], ["accepted A.x"]),
        # Positions move.
        ([answer({"A": ["x"], "B": []}), answer({"B": []})], ["accepted A", "accepted A.x"]),
        ([answer({"A": ["x", "x"]}), answer({"A": ["x"]})], ["accepted A.x#1"]),
        ([answer({"A": MANY}), answer({"A": MANY[:10]})], [f"accepted A.{each}" for each in MANY[10:]]),
        # The last deciding answer counts.
        ([WHOLE, answer(declined={"A": []})], []),
        ([WHOLE, NOTHING, answer(declined={"A": []})], []),
        ([answer(declined={"A": []}), NOTHING, WHOLE], []),
        ([WHOLE, NOTHING, answer(declined={"A": []}), NOTHING], ["declined A"]),
        # One answer may say both: then none overrules the other.
        ([SOME, answer(declined={"A": ["y", "z"]})], ["accepted A", "accepted A.x"]),
        ([SOME, NOTHING, answer({"A": ["x"]})], ["declined A", "declined A.y", "declined A.z"]),
        ([SOME, NOTHING, answer({"A": ["x", "y"]})], ["declined A", "declined A.z"]),
        ([SOME, NOTHING, answer({"A": ["x", "y", "z"]})], []),
    ],
)  # fmt: skip
def test_what_is_kept(answers: list[Any], kept: list[str]) -> None:
    versions = [
        (at, shown_in(children, "IN", at))
        for at, children in (
            (datetime(2026, 1, day, tzinfo=UTC), x) for day, x in enumerate(answers, 1)
        )
    ]
    found = keep({}, versions)
    named = sorted(
        " ".join([how, str(code)])
        + ("" if n is None else "." + str(item))
        + ("" if not n else "#" + str(n))
        for (code, _, item, n), how in found
    )
    assert named == sorted(kept)
    assert all(each.decided_by == "us" for each in found.values())
    # Read again, with what is kept already, it is the same.
    assert keep(from_rows(rows_of(found)), versions) == found
