"""What was decided stays on record when the service stops showing it.

Clauses 4 and 7 of docs/guarantees.md.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest

from pipeline.sync.reparse import reparse
from pipeline.warehouse.answers import erasures
from pipeline.warehouse.privacy import erase
from pipeline.warehouse.privacy.person import Person
from pipeline.warehouse.schema.refresh import refresh
from tests.support.forms import Form
from tests.support.mirroring import FIRST, TODAY, Told, Warehouse

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.integration.conftest import Mirrored

_KEPT = "select * from warehouse.kept_decisions order by activity_id, position"
_WRITTEN = "select n_tup_ins + n_tup_del from pg_stat_user_tables where relname = 'kept_decisions'"
#: What is said of what was asked, without what the service no longer shows.
_RATES = """
select requirement_code, count(*), count(*) filter (where is_accepted), round(avg(is_accepted::integer), 4)
from analytics.requirements
where is_in_acceptance_rate and activity_id in (select activity_id from answered)
group by 1 order by 1
"""
_READABLE = "select activity_id, code, item_code from analytics.consents_on(%s) order by 1, 2, 3"


def lived(mirrored: Mirrored) -> tuple[Warehouse, datetime]:
    """Mirror a service that empties what was accepted when the sharing ends, before and after that."""
    warehouse = mirrored(200, behaviour={"form": Form(empties=True)})
    warehouse.days(FIRST, TODAY)
    return warehouse, datetime(2026, 4, 1, 12, tzinfo=UTC)


def ask(warehouse: Warehouse, query: str, *given: object) -> list[tuple[Any, ...]]:
    """Ask after a refresh."""
    with warehouse.engine() as engine:
        refresh(engine)
    return warehouse.query(query, *given)


def end_all(warehouse: Warehouse) -> None:
    """Let all sharing end, and mirror that."""
    warehouse.service.state.set_clock(advance_ms=365 * 24 * 3_600_000)
    warehouse.days(FIRST, TODAY, full=True)


def test_what_was_accepted_stays_accepted(mirrored: Mirrored) -> None:
    warehouse, noon = lived(mirrored)
    with warehouse.engine() as engine:
        refresh(engine)
    warehouse.execute(
        "create table answered as select activity_id from analytics.activities where answered_at < now()"
    )
    before = ask(warehouse, _RATES), ask(warehouse, _READABLE, noon)
    assert min(map(len, before)) > 3
    assert warehouse.value(_WRITTEN) == 0
    shown = "select count(*) from warehouse.requirements where disposition = 'accepted'"
    assert warehouse.value(shown) > 20
    end_all(warehouse)
    assert warehouse.value(shown) == 0
    assert ask(warehouse, _READABLE, noon) == before[1]
    assert ask(warehouse, _RATES) == before[0]
    unknown = warehouse.query(
        "select distinct outcome, is_in_acceptance_rate from analytics.requirements"
        " where activity_id in (select activity_id from analytics.activities where outcome = 'accepted')"
        " and not is_accepted order by 1"
    )
    assert ("not_known", False) in unknown
    assert ("unanswered", False) not in unknown
    written = warehouse.query(_KEPT)
    warehouse.days(FIRST, TODAY, full=True)
    assert warehouse.query(_KEPT) == written


def test_landing_makes_the_same_again(mirrored: Mirrored) -> None:
    """By a reparse, after somebody altered them, and in a warehouse that an older version wrote."""
    warehouse, _ = lived(mirrored)
    end_all(warehouse)
    kept = warehouse.query(_KEPT)
    assert len(kept) > 20
    alterations = (
        "delete from warehouse.kept_decisions where position = 0",
        "update warehouse.kept_decisions set decision = 'declined', item_code = 'other'",
        "set sync.loading = 'on'; truncate warehouse.kept_decisions;"
        " update sync.activity_ledger set mapping_version = 1",
        "truncate warehouse.kept_decisions",
    )
    for alteration in alterations:
        warehouse.execute(alteration)
        assert warehouse.query(_KEPT) != kept
        warehouse.open_work(FIRST)
        assert warehouse.query(_KEPT) == kept
    warehouse.execute("update landing.activity_details as old set body = '{}' where exists (select"
                      " from landing.activity_details as new where new.activity_id = old.activity_id"
                      " and new.first_seen_at > old.first_seen_at)")  # fmt: skip
    with warehouse.engine() as engine:
        reparse(engine, ZoneInfo("UTC"), Told(), "reparse")
    assert warehouse.query(_KEPT) == kept
    warehouse.execute("delete from landing.activity_details as old where body = '{}'")
    warehouse.days(FIRST, TODAY, full=True)
    assert warehouse.query(_KEPT) == kept


def _by_request(warehouse: Warehouse, name: str) -> None:
    entity = warehouse.value("select entity_id::text from warehouse.activities where id = %s", name)
    with warehouse.engine() as engine:
        erase.erase_person(engine, Person(entity), lambda _: None)


def _by_retention(warehouse: Warehouse, _: str) -> None:
    with warehouse.engine() as engine:
        erase.erase_due(
            engine, "ended", datetime.now(UTC) + timedelta(days=9999), lambda _: None, 1
        )


def _by_expiry(warehouse: Warehouse, _: str) -> None:
    with warehouse.engine() as engine:
        erasures.set_policy(engine, "erase")
        erase.erase_due(engine, "expired", datetime.now(UTC), lambda _: None)
        erasures.set_policy(engine, "hide")


@pytest.mark.parametrize(
    ("erased", "stays"), [(_by_request, False), (_by_retention, False), (_by_expiry, True)]
)
def test_an_erasure_takes_them_for_good(
    mirrored: Mirrored, erased: Callable[[Warehouse, str], None], stays: bool
) -> None:
    warehouse, _ = lived(mirrored)
    end_all(warehouse)
    name = warehouse.value("select min(activity_id::text) from warehouse.kept_decisions")
    held = "select count(*) > 0 from warehouse.kept_decisions where activity_id = %s"
    erased(warehouse, name)
    assert warehouse.value(held, name) is stays
    warehouse.service.state.edit(name, description="edited")
    warehouse.days(FIRST, TODAY, full=True)
    with warehouse.engine() as engine:
        reparse(engine, ZoneInfo("UTC"), Told(), "reparse")
    assert warehouse.value(held, name) is stays
