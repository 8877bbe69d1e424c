"""Two warehouses are equal, or each activity, counterpart and request that differs is named."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

import psycopg

from pipeline.warehouse.comparison import Compared, compare
from pipeline.warehouse.engine import parse_url, warehouse_engine
from tests.support.mirroring import FIRST, LAST, Warehouse
from tests.support.postgres import PostgresServer, fresh_database

if TYPE_CHECKING:
    from tests.integration.conftest import Mirrored


REQUEST = (
    "insert into warehouse.authorization_requests (description, phone_country_code, phone_number,"
    " requested_at) values ('Share', 'PE', '+51999888777', '2026-03-01')"
)


def compared(first: str, second: str) -> Compared:
    with warehouse_engine(first) as one, warehouse_engine(second) as other:
        return compare((one, other))


def named(found: Compared) -> set[tuple[str, str, date | None, str]]:
    assert len(set(found.differences)) == len(found.differences)
    return {(each.table, each.id, each.day, each.found_in) for each in found.differences}


def test_a_copy_is_equal_until_one_of_the_two_goes_on(
    mirrored: Mirrored, postgres: PostgresServer, migrated_url: str
) -> None:
    original = mirrored(60)
    original.days()
    original.execute(REQUEST)
    with fresh_database(postgres, str(parse_url(migrated_url).database)) as name:
        copy = postgres.url(name)
        assert compared(original.url, copy) == Compared(60, [])

        changed, gone = original.service.state.ids()[10:12]
        original.service.state.enter_status(changed, "DECLINED")
        original.service.state.delete(gone)
        original.service.state.create(
            activity_id=(new := "0" * 8 + changed[8:]), created_at=1767312000000
        )
        original.days()
        ((day,),) = original.query(
            "select day from sync.activity_ledger where activity_id = %s", gone
        )
        original.execute("delete from warehouse.authorization_requests")
        found = named(compared(original.url, copy))
        assert ("warehouse.activities", new, date(2026, 1, 2), "first") in found
        assert ("warehouse.activities", gone, day, "both") in found
        assert {place for place, id, _, _ in found if id == changed} == {"warehouse.activities"}
        requests = [each for each in found if each[0] == "warehouse.authorization_requests"]
        assert [found_in for *_, found_in in requests] == ["second"]
        named_ids = {id for place, id, *_ in found if place.startswith("warehouse.act")}
        assert named_ids == {changed, gone, new}
        turned = {"first": "second", "second": "first", "both": "both"}
        assert named(compared(copy, original.url)) == {
            (place, id, day, turned[found_in]) for place, id, day, found_in in found
        }
        # The copy catches up: what both state means the same again.
        Warehouse(copy, original.service).days(FIRST, LAST + timedelta(days=1))
        left = {place for place, id, *_ in named(compared(original.url, copy)) if id == changed}
        assert left == set()


#: What a hand does to the copy, and the table that must be named.
HANDS = {
    "update warehouse.activities set description = 'by hand' where id = (select min(id::text)::uuid"
    " from warehouse.activities)": "warehouse.activities",
    "update warehouse.entity_scores set observed_at = 'epoch'": "warehouse.entities",
    "delete from warehouse.entity_social_media": "warehouse.entities",
    "update warehouse.requirements set code = 'RQ_999' where position = 1": "warehouse.activities",
    "truncate landing.activity_details": "warehouse.activities",
    "insert into landing.activity_list_rows"
    " select id, now(), '', '{}' from warehouse.activities limit 1": "warehouse.activities",
    "delete from sync.days where day = (select min(day) from sync.days)": "sync.days",
    "insert into sync.erased_entities values (gen_random_uuid(), now())": "sync.erasures",
    REQUEST: "warehouse.authorization_requests",
    "update sync.activity_ledger set settled = null": "warehouse.activities",
}  # fmt: skip


def test_whatever_a_hand_did_to_a_copy_is_named(
    mirrored: Mirrored, postgres: PostgresServer, migrated_url: str
) -> None:
    warehouse = mirrored(60)
    warehouse.days()
    for change, table in HANDS.items():
        with fresh_database(postgres, str(parse_url(migrated_url).database)) as name:
            copy = postgres.url(name)
            with psycopg.connect(copy) as session:
                session.execute(change.encode())
            assert table in {each.table for each in compared(warehouse.url, copy).differences}
    # Nobody knows what it was, so it equals nothing, not even its copy, until a run has restored it.
    warehouse.execute(
        "update warehouse.activities set description = 'by hand' where id = (select min(id::text)::uuid"
        " from warehouse.activities)"
    )
    with fresh_database(postgres, str(parse_url(migrated_url).database)) as name:
        copy = postgres.url(name)
        (found,) = compared(warehouse.url, copy).differences
        assert (found.table, found.found_in) == ("warehouse.activities", "both")
        for url in (warehouse.url, copy):
            Warehouse(url, warehouse.service).days(FIRST, LAST + timedelta(days=1))
        assert {each.table for each in compared(warehouse.url, copy).differences} <= {"sync.days"}
