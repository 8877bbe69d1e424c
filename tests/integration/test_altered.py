"""What somebody changes in the tables is found by the next run, restored, and said.

Clause 6 of docs/guarantees.md.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from pipeline.sandbox import FaultRule
from pipeline.service.errors import ServiceError
from pipeline.sync.reparse import reparse
from pipeline.warehouse.privacy.erase import erase_person
from pipeline.warehouse.privacy.person import Person
from pipeline.warehouse.state.ledger import count_altered
from tests.support.comparison import KEYS
from tests.support.mirroring import FIRST, TODAY, Told, Warehouse, sandbox
from tests.support.postgres import PostgresServer, fresh_database

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.integration.conftest import Mirrored


TOMORROW = TODAY + timedelta(days=1)

#: Of these landing can't tell when each form was first observed; the rest comes back to the instant.
_OBSERVED = {"entities": "observed_at", "entity_scores": "observed_at"}


def contents(warehouse: Warehouse) -> dict[str, list[tuple[Any, ...]]]:
    """Return what the tables hold, every column but the time of an observation of a counterpart."""
    found: dict[str, list[tuple[Any, ...]]] = {}
    for table in (*KEYS, "entity_scores", "kept_decisions"):
        names = warehouse.query(
            "select attname from pg_attribute where attrelid = %s::regclass and attnum > 0",
            f"warehouse.{table}",
        )
        columns = ", ".join(name for (name,) in names if name != _OBSERVED.get(table))
        found[table] = warehouse.query(
            f"select held::text from (select {columns} from warehouse.{table}) as held order by 1"
        )
    return found


def restored(warehouse: Warehouse) -> str:
    """Return the line in which the last run said what it restored, and forget it."""
    lines = [line for line in warehouse.told.lines if line.startswith("restored")]
    warehouse.told.lines.clear()
    return lines[-1] if lines else ""


@pytest.fixture(scope="module")
def lived(postgres: PostgresServer, migrated_template: str) -> Iterator[Warehouse]:
    """Mirror a service with refused, gone and changed activities, once for this module."""
    with (
        fresh_database(postgres, migrated_template) as name,
        sandbox(60, behaviour={"expired_details": "forbidden"}) as service,
    ):
        warehouse = Warehouse(postgres.url(name), service)
        state = service.state
        warehouse.days(FIRST, TODAY)
        for activity in state.ids()[5::20]:
            state.delete(activity)
        for person in state.people()[:5]:
            state.change_entity(person["id"], name="renamed", score=301)
        warehouse.days(FIRST, TODAY, accept_gone=True)
        assert warehouse.gone()
        state.set_clock(advance_ms=90 * 24 * 3_600_000)
        state.edit(state.ids("ACCEPTED")[0], accepted_requirements=[])
        assert warehouse.days(FIRST, TODAY, full=True).status == "complete"
        # All stored details are the newest: an activity fetched again is the same.
        assert warehouse.days(FIRST, TODAY, full=True).status == "complete"
        assert restored(warehouse) == ""
        yield warehouse


def altered(warehouse: Warehouse) -> int:
    """Return how many activities and counterparts are not as a run wrote them."""
    with warehouse.engine() as engine:
        return count_altered(engine)


#: One row each, chosen by a hash; ``{seed}`` differs.
_ONE = "ctid = (select ctid from warehouse.{table} order by md5(ctid::text || '{seed}') limit 1)"
_VALUES = {
    "activities": ("status = 'TAMPERED'", "gone_at = now()", "created_at = created_at + interval '1 ms'",
                   "first_seen_at = '-infinity'", "entity_id = null", "values_erased_at = now()"),
    "entities": ("name = 'tampered'", "score = 1", "digest = ''", "unregistered = not unregistered",
                 "observed_at = 'infinity'"),
    "entity_social_media": ("url = 'tampered'",),
    "entity_scores": ("score = 1",),
    "requirements": ("code = 'TAMPERED'", "value = '[1, {\"a\": null}]'", "position = position + 900"),
    "requirement_items": ("code = null",),
    "accepted_items": ("value = '0'", "type = 'TAMPERED'"),
    "kept_decisions": ("decision = 'declined'", "item_code = null", "position = position + 900"),
    "timeline_events": ("status = null", "date_time = 'epoch'", "message = 'tampered'"),
}  # fmt: skip

_UPDATES = [
    f"update warehouse.{table} set {change} where " + _ONE.replace("{table}", table)
    for table, changes in _VALUES.items()
    for change in changes
]
_DELETES = [
    f"delete from warehouse.{table} where " + _ONE.replace("{table}", table)
    for table in _VALUES
    if table != "entities"
]
_OTHERS = [
    "insert into warehouse.timeline_events (activity_id, position) select id, 900 from"
    " warehouse.activities order by md5(id::text || '{seed}') limit 1",
    "insert into warehouse.entities (id, digest, observed_at) values (md5('{seed}')::uuid, '', now())",
    "delete from sync.activity_ledger where activity_id = (select activity_id from"
    " sync.activity_ledger where gone_at is null and withheld_at is null"
    " order by md5(activity_id::text || '{seed}') limit 1)",
    "delete from sync.days where day = (select day from sync.days"
    " order by md5(day::text || '{seed}') limit 1)",
]
_TRUNCATES = [
    f"truncate warehouse.{table} cascade" for table in (*_VALUES, "activities", "entities")
]


@example(  # nothing but landing is left of an activity
    [
        ("truncate warehouse.entities cascade", 0),
        (next(each for each in _OTHERS if each.startswith("delete from sync.activity_ledger")), 97),
    ]
)
@given(
    st.lists(
        st.tuples(st.sampled_from(_UPDATES + _DELETES + _OTHERS + _TRUNCATES), st.integers(0, 99)),
        min_size=1,
        max_size=4,
        unique=True,
    )
)
@settings(max_examples=10, phases=[Phase.explicit, Phase.generate])
def test_one_night_restores_whatever_was_altered(
    lived: Warehouse, tampering: list[tuple[str, int]]
) -> None:
    before = contents(lived)
    for statement, seed in tampering:
        lived.execute(statement.replace("{seed}", str(seed)))
    spoiled = altered(lived) > 0
    assert spoiled or contents(lived) == before
    summary = lived.open_work(TOMORROW, start=FIRST)
    assert summary.status == "complete"
    after = contents(lived)
    differing = {table: set(before[table]) ^ set(rows) for table, rows in after.items()}
    assert not any(differing.values()), differing
    assert altered(lived) == 0
    assert bool(restored(lived)) == spoiled
    assert lived.gaps() == []
    assert lived.value("select count(*) from sync.coverage") == (TOMORROW - FIRST).days


def test_a_day_is_not_complete_until_it_is_restored(mirrored: Mirrored) -> None:
    """Nothing can restore it: landing is empty, and the service returns errors."""
    warehouse = mirrored(80)
    warehouse.days(FIRST, TODAY)
    warehouse.execute("update warehouse.activities set status = 'TAMPERED' where id::text < '4'")
    warehouse.execute("delete from warehouse.timeline_events where activity_id::text > 'c'")
    warehouse.execute("truncate landing.activity_details, landing.activity_list_rows")
    spoiled = altered(warehouse)
    assert spoiled == 80  # landing can restore none of them
    assert warehouse.value("select sum(listed - stored) from sync.coverage") == spoiled
    state = warehouse.service.state
    state.set_faults(FaultRule(kind="status", operation="details"))
    with suppress(ServiceError):
        assert warehouse.days(FIRST, TODAY).status != "complete"
    assert len(warehouse.gaps()) > 5

    state.set_faults()
    summary = warehouse.open_work(TOMORROW)
    assert summary.status == "complete"
    assert warehouse.gaps() == []
    assert warehouse.differences() == []
    assert summary.details_requests == 80  # landing has lost all
    assert altered(warehouse) == 0


@pytest.mark.parametrize(("below", "loading"), [("g", "off"), ("2", "off"), ("2", "on")])
def test_activities_removed_with_every_trace_are_asked_for_again(
    mirrored: Mirrored, below: str, loading: str
) -> None:
    """Only the number of listed ones is left, where our triggers are switched off, too."""
    warehouse = mirrored(60)
    warehouse.days(FIRST, TODAY)
    tables = {
        "warehouse.activities": "id",
        "landing.activity_details": "activity_id",
        "landing.activity_list_rows": "activity_id",
        "sync.activity_ledger": "activity_id",
    }
    for table, column in tables.items():
        switch = f"set sync.loading = '{loading}'"
        warehouse.execute(f"{switch}; delete from {table} where {column}::text < '{below}'")
    assert warehouse.differences() != []
    assert warehouse.gaps() != []
    warehouse.nightly(TODAY)
    assert (warehouse.differences(), warehouse.gaps()) == ([], [])


def test_landing_restores_without_a_request_and_the_run_says_so(mirrored: Mirrored) -> None:
    warehouse = mirrored(40)
    warehouse.days(FIRST, TODAY)
    before = contents(warehouse)
    warehouse.execute("update warehouse.activities set status = 'TAMPERED' where id::text < '8'")
    spoiled = altered(warehouse)
    summary = warehouse.days(FIRST, TODAY)
    assert (summary.status, summary.details_requests, summary.healed) == ("complete", 0, spoiled)
    assert contents(warehouse) == before
    assert restored(warehouse).startswith(f"restored {spoiled} activities")
    assert warehouse.value("select max(healed) from sync.runs") == spoiled


def test_an_erasure_does_not_look_like_tampering(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)
    warehouse.days(FIRST, TODAY, expired_values="erase")
    entity = warehouse.value("select entity_id::text from warehouse.activities limit 1")
    with warehouse.engine() as engine:
        erase_person(engine, Person(entity), lambda _: None)
    assert warehouse.value("select count(*) from sync.erasures") > 0
    assert altered(warehouse) == 0
    # What was altered before it was erased is still found, and comes back without what was erased.
    warehouse.execute(
        "update warehouse.activities set status = 'TAMPERED', values_erased_at = null"
    )
    with warehouse.engine() as engine:
        erase_person(engine, Person(entity), lambda _: None)
    assert altered(warehouse) == 60
    before = warehouse.query("select activity_id, value from warehouse.requirements order by 1, 2")
    assert warehouse.days(FIRST, TODAY, expired_values="erase").healed == 60
    assert (
        warehouse.query("select activity_id, value from warehouse.requirements order by 1, 2")
        == before
    )
    assert (
        warehouse.value("select count(*) from warehouse.activities where status = 'TAMPERED'") == 0
    )
    # So does a counterpart.
    warehouse.execute("update warehouse.entities set name = 'tampered'")
    assert altered(warehouse) > 0
    warehouse.days(FIRST, TODAY, expired_values="erase")
    assert altered(warehouse) == 0
    name = "select name from warehouse.entities where id = %s::uuid"
    assert warehouse.value(name, entity) is None


def test_another_time_zone_moves_every_activity_to_its_day(mirrored: Mirrored) -> None:
    warehouse = mirrored(80)
    warehouse.days(FIRST, TODAY)
    before = contents(warehouse)
    warehouse.zone = "Pacific/Auckland"
    first, last = FIRST - timedelta(days=1), TODAY
    assert warehouse.days(TODAY, TODAY).details_requests == 0
    assert (
        warehouse.value(
            "select count(*) from sync.activity_ledger join warehouse.activities on id = activity_id"
            " where day <> (created_at at time zone 'Pacific/Auckland')::date"
        )
        == 0
    )
    assert warehouse.query("select distinct day from sync.coverage") == [(TODAY,)]
    assert any("Pacific/Auckland instead of UTC" in line for line in warehouse.told.lines)
    assert warehouse.days(first, last).status == "complete"
    assert warehouse.days(first, last).status == "complete"
    assert (warehouse.gaps(), contents(warehouse)) == ([], before)
    assert warehouse.differences(first, last) == []


def test_what_landing_lost_is_fetched_again_and_no_reparse_removes_it(mirrored: Mirrored) -> None:
    warehouse = mirrored(40)
    warehouse.days()
    stored, landed = contents(warehouse), "select count(*) from landing.activity_details"
    number = warehouse.value(landed)
    warehouse.execute("truncate landing.activity_details, landing.activity_list_rows")
    with warehouse.engine() as engine:
        summary = reparse(engine, ZoneInfo(warehouse.zone), Told(), "reparse-1")
    assert (summary.status, contents(warehouse)) == ("complete", stored)
    assert warehouse.open_work(TOMORROW).details_requests == number
    assert (warehouse.differences(), warehouse.value(landed)) == ([], number)
    assert warehouse.open_work(TOMORROW).details_requests < number
