"""Samples find exactly what is stale, repair it, and bound the share of what is stale.

Clauses 1, 4 and 5 of docs/guarantees.md.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from pipeline.sandbox import FaultRule
from pipeline.sync.intervals import upper_bound
from pipeline.warehouse.database.sql import statement
from tests.support.comparison import stored_rows
from tests.support.mirroring import FIRST, LAST, TODAY, Told, Warehouse
from tests.support.obstacles import failing

if TYPE_CHECKING:
    from tests.integration.conftest import Mirrored


def stored_result(warehouse: Warehouse, run_id: str) -> tuple[Any, ...]:
    (row,) = warehouse.query(
        "select sampled, compared, stale, refused, failed"
        " from sync.verifications where run_id = %s",
        run_id,
    )
    return row


def test_finds_exactly_the_stale_ones_and_repairs_them(mirrored: Mirrored) -> None:
    warehouse = mirrored(120)
    state = warehouse.service.state
    warehouse.days(FIRST, TODAY)
    stale = set(state.ids()[3::17])
    for name in stale:
        state.edit(name, description="edited behind the list's back")
    assert warehouse.days(FIRST, TODAY).details_requests == 0
    told = Told()
    state.reset_counters()
    summary, sample = warehouse.verify(1000, "verify-1", told)
    assert (sample.sampled, sample.compared, summary.status) == (120, 120, "incomplete")
    assert sample.stale == len(stale)
    assert stale >= {line.removeprefix("was stale: ") for line in told.lines if "was stale" in line}
    assert state.counters().by_operation["details"] == 120
    assert stored_result(warehouse, "verify-1") == (120, 120, len(stale), 0, 0)
    assert warehouse.query(
        "select kind, status, changed, unchanged, requests, finished_at is not null from sync.runs"
        " where run_id = 'verify-1'"
    ) == [("verify", "incomplete", len(stale), 120 - len(stale), 120, True)]
    assert told.done == 120
    assert warehouse.differences() == []
    # It has refreshed the views.
    assert warehouse.value("select count(*) from analytics.activities") == 120

    versions = warehouse.versions()
    summary, sample = warehouse.verify(1000, "verify-2")
    assert (sample.compared, sample.stale, summary.status) == (120, 0, "complete")
    assert warehouse.versions() == versions


def test_refusals_count_apart_and_unreadable_answers_are_quarantined(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)
    state = warehouse.service.state
    warehouse.days(FIRST, TODAY)
    names = state.ids()
    state.delete(names[1])
    state.set_faults(
        FaultRule(kind="status", status=403, operation="details", id=names[2]),
        FaultRule(kind="status", status=500, operation="details", id=names[3]),
    )
    state.replace_payload(names[4], details=b'{"id": 7}')
    _, sample = warehouse.verify(60, "verify-1")
    assert (sample.sampled, sample.compared) == (60, 56)
    assert (sample.stale, sample.refused, sample.failed) == (0, 2, 2)
    assert set(warehouse.quarantined()) == {names[3], names[4]}
    assert warehouse.gone() == set()
    assert stored_result(warehouse, "verify-1")[:5] == (60, 56, 0, 2, 2)
    assert warehouse.value("select quarantined from sync.runs where run_id = 'verify-1'") == 2

    state.set_faults()
    state.replace_payload(names[4])
    assert warehouse.days(FIRST, TODAY, full=True).status == "complete"
    assert warehouse.gone() == {names[1]}
    # The warehouse shows what is refused for the one that is gone.
    _, again = warehouse.verify(60, "verify-2")
    assert (again.sampled, again.compared, again.stale) == (60, 60, 0)


def test_what_a_sample_is_refused_is_gone_after_the_next_night(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)
    state = warehouse.service.state
    warehouse.days(FIRST, TODAY)
    deleted = state.ids("DECLINED", "COMPLETED")[:3]
    for name in deleted:
        state.delete(name)
    _, sample = warehouse.verify(60, "verify-1")
    assert sample.refused == 3
    # Nothing else brings a night to their days.
    night = warehouse.nightly(TODAY, start=FIRST, audit_days=3660, night_sample=0)
    assert [each.status for each in night] == ["complete", "complete"]
    assert warehouse.gone() == set(deleted)
    assert warehouse.gaps() == []


def test_details_that_landing_lost_stay_in_the_tables(mirrored: Mirrored) -> None:
    warehouse = mirrored(30)
    state = warehouse.service.state
    warehouse.days(FIRST, TODAY)
    changed = [state.enter_status(name, "ODD") for name in state.ids()[:5]]
    assert warehouse.days(FIRST, TODAY).loaded.changed == len(changed)
    before, complete = shown(warehouse), warehouse.complete_days()
    # Of those that changed, the version before is left; of the others, none is.
    warehouse.execute(
        "delete from landing.activity_details where (activity_id, first_seen_at) in"
        " (select activity_id, max(first_seen_at) from landing.activity_details group by 1)"
    )
    refused = FaultRule(kind="status", status=403, operation="details")
    state.set_faults(refused)
    warehouse.verify(30)
    assert shown(warehouse) == before
    state.set_faults()
    warehouse.days(FIRST, TODAY)
    assert (warehouse.differences(), warehouse.complete_days()) == ([], complete)


TAMPERINGS = {
    "altered": "update warehouse.activities set status = 'ALTERED', description = null",
    "children removed": "delete from warehouse.requirements",
}


@pytest.mark.parametrize("how", TAMPERINGS)
def test_rows_altered_by_hand_are_restored_before_a_sample(mirrored: Mirrored, how: str) -> None:
    warehouse = mirrored(30)
    warehouse.days(FIRST, TODAY)
    before = shown(warehouse)
    warehouse.execute(TAMPERINGS[how])
    tampered = {name for name, row in shown(warehouse).items() if row != before[name]}
    assert tampered
    summary, sample = warehouse.verify(30, "verify-1")
    assert (summary.healed, sample.stale) == (len(tampered), 0)
    assert shown(warehouse) == before


def shown(warehouse: Warehouse) -> dict[str, str]:
    """Return what the tables show of each activity."""
    with warehouse.session() as session:
        tables = stored_rows(session)
    names = [name for (name,) in warehouse.query("select id::text from warehouse.activities")]
    own = {table: rows for table, rows in tables.items() if not table.startswith("entit")}
    return {
        name: str(
            sorted(
                (table, key, row)
                for table, rows in own.items()
                for key, row in rows.items()
                if name in str(key)
            )
        )
        for name in names
    }


def test_what_could_not_be_stored_is_not_called_right(mirrored: Mirrored) -> None:
    warehouse = mirrored(40)
    state = warehouse.service.state
    warehouse.days(FIRST, TODAY)
    refused, newer = state.ids()[:2]
    for name in (refused, newer):
        state.edit(name, description="edited behind the list's back")
    failing(
        warehouse.url, "landing.activity_details", "22003", 10**6, f"new.activity_id = '{refused}'"
    )
    warehouse.execute(
        "update sync.activity_ledger set checked_at = checked_at + interval '2 days'"
        f" where activity_id = '{newer}'"
    )
    _, sample = warehouse.verify(40, "verify-1")
    assert (sample.sampled, sample.stale + sample.failed, sample.compared >= 38) == (40, 2, True)
    assert refused in warehouse.quarantined()
    assert warehouse.value("select quarantined_activities from analytics.freshness") == 1
    assert sample.bound == upper_bound(2, 40)
    # From now on it is named in quarantine, and no longer drawn.
    _, sample = warehouse.verify(40, "verify-2")
    assert sample.sampled == 39


def test_a_night_measures_a_little_and_everybody_sees_it(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)
    state = warehouse.service.state
    warehouse.days(FIRST, LAST)
    for name in state.ids():
        state.edit(name, description="edited behind the list's back")
    before = warehouse.service.state.counters().by_operation["details"]
    recent, older = warehouse.nightly(TODAY, night_sample=200)
    drawn = 5
    assert warehouse.service.state.counters().by_operation["details"] - before >= drawn
    found = warehouse.query("select run_id, sampled, compared from sync.verifications")
    assert found == [(older.run_id, drawn, drawn)]
    bound, activities = warehouse.query(
        "select stale_upper_bound, measured_activities from analytics.freshness"
    )[0]
    stale = warehouse.value("select stale from sync.verifications")
    assert (bound, activities) == (upper_bound(stale, drawn), drawn)
    assert stale > 0
    # It is repaired, so the run has no problem; who watches is told.
    assert (recent.status, older.status) == ("complete", "complete")
    assert f"the night's sample: {stale} of {drawn} compared were stale; repaired" in (
        warehouse.told.lines
    )
    assert older.loaded.changed >= stale
    warehouse.nightly(TODAY, night_sample=200)
    assert warehouse.value("select measured_activities from analytics.freshness") == 2 * drawn


def test_what_a_nights_sample_quarantines_is_named(mirrored: Mirrored) -> None:
    """Also on the newest days, which another part of the night has walked and called complete."""
    warehouse = mirrored(60)
    warehouse.days(FIRST, TODAY)
    warehouse.service.state.set_faults(
        FaultRule(kind="status", status=200, operation="details", body='{"id": 7}')
    )
    older = warehouse.open_work(FIRST, night_sample=5)
    held = warehouse.query(
        "select day::text, count(*) from sync.quarantine group by day order by day"
    )
    assert sum(number for _, number in held) == 5
    assert older.problems == [f"{day}: {number} in quarantine" for day, number in held]


def test_each_stratum_has_its_share_and_each_activity_its_chance(migrated_url: str) -> None:
    strata = """
    insert into sync.activity_ledger
        (activity_id, day, details, final, unlisted_at, gone_at, listed_at)
    select gen_random_uuid(), current_date - 40 * (number % 8), '\\x00', number % 4 = 0,
        case when number % 40 = 0 then now() end, case when number % 80 = 0 then now() end, now()
    from generate_series(1, 800) as number
    """
    query = statement("load/sample_stored").encode()
    with psycopg.connect(migrated_url) as session:
        session.execute(strata.replace("\\\\", "\\").encode())
        session.execute("select setseed(0.5)")
        kind: dict[str, str] = dict(
            session.execute(
                "select activity_id::text, (final, unlisted_at is null, gone_at is null)::text"
                " from sync.activity_ledger"
            ).fetchall()
        )
        stored, times = Counter(kind.values()), Counter[str]()
        for _ in range(300):
            drawn = [name for name, *_ in session.execute(query, {"sample": 100})]
            assert len(drawn) == len(set(drawn)) == 100
            for each, found in Counter(kind[name] for name in drawn).items():
                assert abs(found - stored[each] / 8) < 1
            times.update(drawn)
    # 37.5 times each on the average; 6 standard deviations are 34.
    assert len(times) == 800
    assert max(times.values()) < 72


def test_each_activity_of_a_large_ledger_has_its_chance(migrated_url: str) -> None:
    """Also where pages of the ledger hold few rows, as those of yesterday's here."""
    query = statement("load/sample_stored").encode()
    with psycopg.connect(migrated_url, autocommit=True) as session:
        session.execute(
            "insert into sync.activity_ledger (activity_id, day, details, discrepancy)"
            " select gen_random_uuid(), current_date - few, decode('00', 'hex'), repeat('x', 900 * few)"
            " from generate_series(0, 1) as few, generate_series(1, 10000)"
        )
        session.execute("vacuum analyze sync.activity_ledger")
        drawn = [row for _ in range(200) for row in session.execute(query, {"sample": 50})]
    one, other = Counter(day for _, day, _ in drawn).values()
    # Of 10,000 in all; 6 standard deviations of each half are 300. Each comes 0.5 times on the average.
    assert (one + other, abs(one - other) < 600) == (10000, True)
    assert max(Counter(name for name, *_ in drawn).values()) < 10
