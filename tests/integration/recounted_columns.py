"""Compares each cell of the views with what `Recount` says."""

from __future__ import annotations

from datetime import timedelta
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg.rows import dict_row, tuple_row
from psycopg.types.string import TextLoader

from tests.support.recount import Recount
from tests.support.recounted_facts import FACTS
from tests.support.recounted_views import VIEWS

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

#: Columns that say the same as another one in words, or what the tables have of a counterpart.
_WORDS = {
    "entity_name", "entity_type", "entity_score", "entity_scoring_level", "name", "cifcode", "score",
    "scoring_level", "score_history", "reference", "state", "attempts", "requested_at",
    "sent_at", "activity_created_at", "accepted_codes", "emptied_at", "avatar", "social_media",
    "is_whole_month", "requested_day", "requested_month",
}  # fmt: skip

#: Columns that tell rows apart.
_KEYS = {
    "id", "day", "month", "type", "created_day", "answered_day", "created_month", "answered_by",
    "activity_type", "requirement_code", "direction", "requirement_number", "item_number",
    "change_number", "in_out_bound", "source", "code", "item_code", "is_item", "listed_in",
    "status", "weekday", "hour", "within_hours",
}  # fmt: skip


def differences(url: str, zone: ZoneInfo) -> list[str]:
    """Return each cell of a view that differs from what was counted by hand."""
    found = []
    with psycopg.connect(url, row_factory=dict_row) as session:
        # As the bodies have ids.
        session.adapters.register_loader("uuid", TextLoader)
        session.execute("set transaction isolation level repeatable read")
        # No number depends on it.
        session.execute("set local time zone 'Asia/Tokyo'")
        made = Recount(session.cursor(row_factory=tuple_row), zone)
        for name, recount in (VIEWS | FACTS).items():
            expected = recount(made)
            rows = session.execute(f"select * from analytics.{name}".encode()).fetchall()
            found += [f"{name}: {line}" for line in _compare(rows, expected)]
        for days in (1, 20, 40):
            at = made.now - timedelta(days=days)
            rows = session.execute(
                "select activity_id, listed_in, requirement_position, item_position"
                " from analytics.consents_on(%s)",
                (at,),
            ).fetchall()
            then = [
                {key: row[key] for key in rows[0]} if rows else {}
                for row in made.consents
                if row["valid_from"]
                and row["valid_from"] <= at
                and (row["valid_to"] is None or at < row["valid_to"])
            ]
            found += [f"consents_on {days} days ago: {line}" for line in _compare(rows, then)]
    return found


def _compare(rows: list[dict[str, Any]], expected: list[dict[str, Any]]) -> list[str]:
    if len(rows) != len(expected):
        return [f"{len(rows)} rows, {len(expected)} expected"]
    if not rows:
        return []
    names = sorted(expected[0])
    left = set(rows[0]) - set(names) - _WORDS
    lines = [f"not counted: {name}" for name in left if not name.endswith("label")]
    keys = [name for name in names if name.endswith(("_id", "position", "_item")) or name in _KEYS]
    key, cells = itemgetter(*keys), itemgetter(*names)
    counted = {key(row): row for row in expected}
    for ours in rows:
        theirs = counted.pop(key(ours), None)
        if theirs is None:
            lines.append(f"unexpected, or twice: {_key(ours)}")
        elif cells(ours) != cells(theirs):
            lines += [
                f"{name} is {ours[name]!r}, should be {theirs[name]!r} in {_key(theirs)}"
                for name in names
                if not _same(ours[name], theirs[name])
            ]
    return lines


def _key(row: dict[str, Any]) -> dict[str, str]:
    return {
        name: str(value) for name, value in row.items() if name.endswith("_id") or name in _KEYS
    }


def _same(shown: Any, counted: Any) -> bool:
    if shown is None or counted is None:
        return shown is counted
    if isinstance(counted, timedelta):
        return bool(abs(shown - counted) < timedelta(milliseconds=1))
    if isinstance(counted, float):
        return abs(float(shown) - counted) < 1e-4
    return bool(shown == counted)
