"""The work of a question grows with the rows that it asks about: no plan multiplies rows by rows.

Time depends on the machine, the rows that a plan reads do not. At a small number each row is read a few
times at most; a plan that searches all rows for each row reads thousands of times as many.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from pipeline.warehouse.database.sql import sql_files
from tests.scale.volume import fill
from tests.support.postgres import PostgresServer, fresh_database
from tests.support.refreshing import refresh_all
from tests.tools.questions import read_questions

if TYPE_CHECKING:
    from collections.abc import Iterator

_ACTIVITIES = 10_000

#: How many rows a plan may read for each activity: the facts have nine.
_READ = 60

#: What the bounds of docs/benchmarks.md are about.
_OTHERS = {
    "readable now": "select count(*) from consents where readable_now",
    "latest": "select is_item, is_latest, count(*) from consents group by 1, 2",
    "readable then": "select count(*) from consents_on(now() - interval '300 days')",
    "values": "select count(*) from shared_values",
    "all as we knew it": "select count(*) from activity_as_of(now())",
    "all as we knew it then": "select count(*) from activity_as_of(now() - interval '300 days')",
}

ASKED = (
    {f"query {each.name}": each.statement for each in read_questions()}
    # That history reads every response.
    | {
        f"all of {name}": f"select * from {name}"
        for name in sorted(sql_files("views").keys() - {"entity_history"})
    }
    | _OTHERS
)

#: Filters that must find their rows by an index: a hundredth of what there is, at most.
_FILTERS = {
    "consents": ("activity_id = {id}", "entity_id = {entity}"),
    "shared_values": ("activity_id = {id}", "entity_id = {entity}"),
    "activities": ("activity_id = {id}", "entity_id = {entity}", "created_day = {day}"),
    "requirements": ("activity_id = {id}", "entity_id = {entity}", "created_day = {day}"),
    "items": ("activity_id = {id}", "entity_id = {entity}", "created_day = {day}"),
    "status_changes": ("activity_id = {id}", "entered_day = {day}"),
    "counterparts": ("entity_id = {entity}",),
    "activities_by_created_day": ("created_day = {day}",),
    "activities_by_answered_day": ("answered_day = {day}",),
    "open_activities": ("activity_id = {id}",),
}


@pytest.fixture(scope="module")
def session(postgres: PostgresServer, migrated_template: str) -> Iterator[psycopg.Connection]:
    with fresh_database(postgres, migrated_template) as name:
        url = postgres.url(name)
        fill(url, _ACTIVITIES, datetime.now(UTC))
        refresh_all(url)
        with psycopg.connect(url, autocommit=True) as session:
            session.execute("vacuum analyze")
            session.execute("set search_path = analytics")
            yield session


def rows_read(session: psycopg.Connection, statement: str) -> int:
    """Return how many rows all steps of a statement's plan look at."""
    explain = f"explain (analyze, timing off, format json) {statement}"
    ((told,),) = session.execute(explain.encode()).fetchall()
    nodes, read = [told[0]["Plan"]], 0.0
    while nodes:
        node: dict[str, Any] = nodes.pop()
        removed = sum(value for key, value in node.items() if key.startswith("Rows Removed"))
        read += node["Actual Loops"] * (node["Actual Rows"] + removed)
        nodes += node.get("Plans", ())
    return round(read)


@pytest.mark.parametrize("asked", ASKED)
def test_each_row_is_read_a_few_times(session: psycopg.Connection, asked: str) -> None:
    assert rows_read(session, ASKED[asked]) < _READ * _ACTIVITIES


@pytest.mark.parametrize(
    ("view", "condition"), [(view, each) for view, all_of in _FILTERS.items() for each in all_of]
)
def test_what_is_asked_for_is_found_by_an_index(
    session: psycopg.Connection, view: str, condition: str
) -> None:
    ((name, entity, day),) = session.execute(
        "select activity_id, entity_id, created_day from activities limit 1"
    ).fetchall()
    chosen = condition.format(id=f"'{name}'", entity=f"'{entity}'", day=f"'{day}'")
    assert rows_read(session, f"select * from {view} where {chosen}") < _ACTIVITIES / 20
