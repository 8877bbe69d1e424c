"""The table of states in docs/authorizations.md is what the database and a person's decisions allow."""

from __future__ import annotations

import re
from itertools import permutations
from typing import TYPE_CHECKING

import psycopg

from pipeline.warehouse.requests.authorizations import RESOLUTIONS, STATES
from tests.support.commands import CHECKOUT

if TYPE_CHECKING:
    from collections.abc import Iterator

_ROW = re.compile(r"^\|(?: `(\w+)` )?[^|]*\| [^|]*\| ([^|]+) \| (?:`(\w+)`|as it was) \|$")


def changes() -> Iterator[tuple[str, str, str]]:
    """Yield the state, the event and the next state of each line; a decision goes back to two states."""
    text = (CHECKOUT / "docs" / "authorizations.md").read_text(encoding="utf-8")
    state = ""
    for line in text.partition("## States")[2].splitlines():
        if found := _ROW.match(line):
            state = found[1] or state
            for after in [found[3]] if found[3] else ["sent", "unknown"]:
                yield state, found[2], after


def test_the_database_allows_exactly_the_changes_of_the_table(migrated_url: str) -> None:
    allowed = set()
    with psycopg.connect(migrated_url) as session:
        for before, after in permutations(STATES, 2):
            try:
                with session.transaction():
                    session.execute(
                        "alter table warehouse.authorization_requests disable trigger guard"
                    )
                    session.execute(
                        "insert into warehouse.authorization_requests (description,"
                        " phone_country_code, phone_number, state, sent_at, activity_id, resolved_from)"
                        " values ('x', 'PE', '+51999888777', %(state)s,"
                        " case when %(state)s <> 'queued' then now() end,"
                        " case when %(state)s = 'linked' then gen_random_uuid() end, %(open)s)",
                        {"state": before, "open": after if after in ("sent", "unknown") else None},
                    )
                    session.execute(
                        "alter table warehouse.authorization_requests enable trigger guard"
                    )
                    session.execute(
                        "update warehouse.authorization_requests set state = %(state)s,"
                        " sent_at = case when %(state)s <> 'queued' then now() end,"
                        " activity_id = case when %(state)s = 'linked' then gen_random_uuid() end"
                        " where state = %(before)s",
                        {"state": after, "before": before},
                    )
                    allowed.add((before, after))
                    raise psycopg.Rollback
            except psycopg.errors.CheckViolation:
                continue
    assert {(before, after) for before, _, after in changes()} == allowed


def test_a_person_decides_what_the_table_says() -> None:
    decided = {
        (before, after)
        for before, event, after in changes()
        if "a person" in event and before != after
    }
    undone = {("failed", "sent"), ("failed", "unknown"), ("linked", "sent"), ("linked", "unknown")}
    assert decided - undone == {
        (before, after) for after, states in RESOLUTIONS.items() for before in states
    }
