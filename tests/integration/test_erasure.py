"""Erasing: nothing of it is left in a dump, and no run brings it back.

Clause 7 of docs/guarantees.md.
"""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import psycopg
import pytest

from pipeline.sync.reparse import reparse
from pipeline.warehouse.answers import erasures
from pipeline.warehouse.database.sql import statement
from pipeline.warehouse.privacy.erase import (
    count_due,
    erase_due,
    erase_person,
    erase_values,
)
from pipeline.warehouse.privacy.person import Person
from tests.support.commands import eventually
from tests.support.comparison import instant
from tests.support.mirroring import FIRST, NOON, TODAY, Told, Warehouse, run_id
from tests.support.planting import Plants, dump, found_in

if TYPE_CHECKING:
    import sqlalchemy as sa

    from tests.integration.conftest import Mirrored


DAY = timedelta(days=1)


class Planted:
    """A service with values planted: expired ones, of the unregistered, and still shared ones."""

    def __init__(self, warehouse: Warehouse) -> None:
        self.warehouse = warehouse
        state = warehouse.service.state
        self.plants = Plants(warehouse.service)
        ids = state.ids("ACCEPTED", "COMPLETED")
        self.expired, self.shared, left = ids[:6], ids[6:12], ids[12:]
        people = {name: self.counterpart(name) for name in ids}
        taken = {people[name] for name in ids[:12]}
        self.unregistered = [name for name in left if people[name] not in taken][:2]
        assert len(self.unregistered) == 2
        self.refused = left[-1]
        for name in self.expired:
            self.plants.plant(name, NOON - DAY)
        for name in (*self.shared, *self.unregistered):
            self.plants.plant(name, NOON + DAY)
        # What can't be stored is kept in quarantine.
        self.plants.plant(self.refused, NOON - DAY, created_at=[])
        self.gone_people = [people[name] for name in self.unregistered]

    def counterpart(self, name: str) -> str:
        """Return the id of an activity's counterpart."""
        entity = self.warehouse.service.state.truth_of(name).row_fields()["entity"]
        return str(entity["id"])

    def unregister(self) -> None:
        """Let the counterparts of ``unregistered`` delete their profiles."""
        for person in self.gone_people:
            self.warehouse.service.state.change_entity(person, unregistered=True)

    def found(self) -> set[str]:
        """Return what of all that was planted a dump holds."""
        every = self.plants.of(self.plants.values)
        return found_in(dump(self.warehouse.url), every)


@pytest.fixture
def planted(mirrored: Mirrored) -> Planted:
    return Planted(mirrored(200))


def verified_stale(warehouse: Warehouse) -> int:
    """Verify all there is; return how much was stale."""
    _, sample = warehouse.verify(1000)
    return sample.stale


def everything_again(warehouse: Warehouse) -> None:
    """Do all that reads responses or landing: an ordinary run, a full one, reparse, verify."""
    warehouse.days(FIRST, TODAY)
    warehouse.days(FIRST, TODAY, full=True)
    with warehouse.engine() as engine:
        reparse(engine, ZoneInfo("UTC"), Told(), run_id())

    assert verified_stale(warehouse) == 0


def test_what_expired_is_in_no_dump_and_no_run_brings_it_back(planted: Planted) -> None:
    warehouse, plants = planted.warehouse, planted.plants
    warehouse.days(FIRST, TODAY)
    for name in (*planted.expired, *planted.unregistered):  # one more version in landing
        expires_at = NOON - DAY if name in planted.expired else NOON + DAY
        plants.plant(name, expires_at, edition=1, description="edited")
    warehouse.days(FIRST, TODAY, full=True)
    planted.unregister()
    warehouse.days(FIRST, TODAY)
    warehouse.execute("analyze")
    assert planted.found() == plants.of(plants.values)
    codes = warehouse.query(
        "select activity_id, code, type from warehouse.accepted_items order by 1, 2"
    )
    # A deadline of another activity may pass meanwhile, which makes its next answer a new version.
    stored = (
        "select digest, activity_id from landing.activity_details"
        " where activity_id = any(%s::uuid[]) order by 1, 2"
    )
    ours = [*planted.expired, *planted.unregistered, *planted.shared]
    digests = warehouse.query(stored, ours)

    warehouse.options = warehouse.options.__class__(expired_values="erase")
    warehouse.nightly(TODAY)
    assert planted.found() == plants.of(planted.shared)
    assert (
        warehouse.query(
            "select activity_id, code, type from warehouse.accepted_items order by 1, 2"
        )
        == codes
    )
    assert warehouse.query(stored, ours) == digests
    logged = dict(
        warehouse.query(
            "select activity_id::text, (reason, values, responses)::text from sync.erasures"
        )
    )
    assert {logged[name] for name in planted.expired} == {"(expired,2,2)"}
    assert {logged[name] for name in planted.unregistered} == {"(unregistered,2,2)"}
    assert warehouse.value("select payload is not null from sync.quarantine")
    marked = {
        name
        for (name,) in warehouse.query(
            "select id::text from warehouse.activities where values_erased_at is not null"
        )
    }
    assert marked >= {*planted.expired, *planted.unregistered}
    assert not marked & set(planted.shared)

    log = warehouse.query("select * from sync.erasures order by 1")
    for name in planted.expired:  # what was erased is not measured
        plants.plant(name, NOON - DAY, edition=2, description="edited")
    assert verified_stale(warehouse) == 0
    # Answers are told by the digest of what was received: nothing looks new.
    assert warehouse.days(FIRST, TODAY).details_requests == 0
    everything_again(warehouse)
    assert planted.found() == plants.of(planted.shared)
    # New answers of the service, with new values, and under any policy.
    for name in (*planted.expired, *planted.unregistered):
        plants.plant(name, NOON + DAY, edition=3, description="edited again")
    warehouse.options = warehouse.options.__class__(expired_values="keep")
    everything_again(warehouse)
    assert planted.found() == plants.of(planted.shared)
    assert warehouse.value(
        "select count(*) from warehouse.activities where description = 'edited again'"
    ) == len(planted.expired) + len(planted.unregistered)
    assert warehouse.query("select * from sync.erasures order by 1") == log


def test_what_is_over_when_it_comes_is_not_stored(planted: Planted) -> None:
    warehouse = planted.warehouse
    planted.unregister()
    for name in planted.unregistered:
        planted.plants.plant(name, NOON + DAY)  # with the profile of now
    warehouse.days(FIRST, TODAY, expired_values="erase")
    assert planted.found() == planted.plants.of(planted.shared)
    reasons = dict(warehouse.query("select activity_id::text, reason from sync.erasures"))
    assert {reasons[name] for name in planted.expired} == {"expired"}
    assert {reasons[name] for name in planted.unregistered} == {"unregistered"}


def test_other_policies_keep_what_expired(planted: Planted) -> None:
    warehouse = planted.warehouse
    for policy in ("keep", "hide"):
        warehouse.nightly(TODAY, lookback=100, expired_values=policy)
        assert warehouse.value("select expired_values from sync.privacy") == policy
        assert planted.found() == planted.plants.of(planted.plants.values)
    assert warehouse.value("select count(*) from sync.erasures") == 0


def test_a_run_in_flight_does_not_bring_it_back(planted: Planted) -> None:
    warehouse = planted.warehouse
    name = planted.shared[0]
    warehouse.days(FIRST, TODAY)
    planted.plants.plant(name, NOON + DAY, edition=1)
    run = threading.Thread(target=warehouse.days, args=(FIRST, TODAY), kwargs={"full": True})
    with psycopg.connect(warehouse.url) as session:
        erasures.exclude(session)
        run.start()
        eventually(
            lambda: warehouse.value(
                "select count(*) > 0 from pg_locks where locktype = 'advisory' and not granted"
                " and database = (select oid from pg_database where datname = current_database())"
            ),
            "the run waits with what it fetched",
        )
        erase_values(session, {name: "expired"})
        session.commit()
        run.join()
    assert warehouse.value("select count(*) from sync.runs where status = 'incomplete'") == 2
    assert planted.found() == planted.plants.of(planted.plants.values) - planted.plants.of([name])


def due(engine: sa.Engine) -> dict[str, int]:
    """Return what erasing expired values would erase and read."""
    return {row["what"]: row["number"] for row in count_due(engine, "expired", NOON)}


def _stop(_: str) -> None:
    raise KeyboardInterrupt


def test_a_killed_erasing_is_finished_by_the_next(planted: Planted) -> None:
    warehouse = planted.warehouse
    warehouse.days(FIRST, TODAY)
    with warehouse.engine() as engine:
        before = due(engine)
        with pytest.raises(KeyboardInterrupt):
            erase_due(engine, "expired", NOON, _stop, batch=2)
        left = due(engine)
        assert 0 < left["activities"] <= before["activities"] - 2
        rest = erase_due(engine, "expired", NOON, print)
        assert rest["activities"] == left["activities"]
        assert rest["values"] == left["shared values"] > 0
        assert set(due(engine).values()) == {0}
        assert erase_due(engine, "expired", NOON, print)["activities"] == 0


def test_looking_for_what_is_due_stays_on_indexes(migrated_url: str) -> None:
    with psycopg.connect(migrated_url) as session:
        session.execute("set enable_seqscan = off")
        explain = f"explain {statement('erase/expired')}"
        plan = session.execute(explain.encode(), {"now": NOON, "limit": 200}).fetchall()
    text = "\n".join(line for (line,) in plan)
    for index in (
        "activities_to_erase",
        "activities_expired_to_erase",
        "entities_unregistered",
        "activities_entity_id",
    ):
        assert f"using {index} on" in text, text


def test_a_person_is_erased_for_good(planted: Planted) -> None:
    warehouse, plants = planted.warehouse, planted.plants
    state = warehouse.service.state
    name = planted.shared[0]
    person = planted.counterpart(name)
    links = [{"media": "X", "url": "https://example.org/plant-link"}]
    marks = {"plant-name", "plant-avatar", "plant-link"}
    state.change_entity(person, name="plant-name", avatar="plant-avatar", social_media=links)
    theirs = [each for each in state.ids() if planted.counterpart(each) == person]
    with_values = [each for each in theirs if each in plants.values]
    for each in with_values:
        plants.plant(each, NOON + DAY, edition=1)
    warehouse.days(FIRST, TODAY, full=True)
    state.change_entity(person, name="plant-other-name")
    warehouse.days(FIRST, TODAY)
    marks.add("plant-other-name")
    warehouse.execute("analyze")
    assert found_in(dump(warehouse.url), marks) == marks
    before = dump(warehouse.url)
    with warehouse.engine() as engine:
        erased = erase_person(engine, Person(person), print)
        assert erased["activities"] == len(theirs)
        assert erased["values"] > 0
    text = dump(warehouse.url)
    assert found_in(text, marks | plants.of(with_values)) == set()
    others = plants.of(set(plants.values) - set(with_values))
    assert found_in(text, others) == found_in(before, others)

    state.change_entity(person, name="plant-name-again", score=333)
    marks.add("plant-name-again")
    state.create(entity_id=person, created_at=int((NOON - DAY).timestamp() * 1000))
    for each in with_values:
        plants.plant(each, NOON + DAY, edition=2)
    everything_again(warehouse)
    text = dump(warehouse.url)
    assert found_in(text, marks | plants.of(with_values)) == set()
    assert warehouse.query(
        "select name, avatar, score from warehouse.entities where id = %s", person
    ) == [(None, None, None)]
    versions = warehouse.versions()
    warehouse.days(FIRST, TODAY)
    with warehouse.engine() as engine:
        assert reparse(engine, ZoneInfo("UTC"), Told(), "reparse-again").entities == 0
    assert warehouse.versions() == versions


#: What each test of retention marks, by activity, and the person of each activity.
Marks = dict[str, set[str]]

MONTH_AGO = datetime(2026, 3, 1, 12, tzinfo=UTC)


def mark_everything(warehouse: Warehouse) -> Marks:
    """Mark values, texts and counterparts of all activities; return the marks of each."""
    state = warehouse.service.state
    marks: Marks = {}
    named = {str(state.truth_of(name).row_fields()["entity"]["id"]) for name in state.ids()}
    for number, person in enumerate(each for each in state.people() if each["id"] in named):
        marks[person["id"]] = {f"mark-{kind}-{number:03}-" for kind in ("name", "avatar", "link")}
        name, avatar, link = sorted(marks[person["id"]], reverse=True)
        links = [{"media": "X", "url": link}]
        state.change_entity(person["id"], name=name, avatar=avatar, social_media=links)
    for number, name in enumerate(state.ids()):
        details = state.truth_of(name).details_fields() or {}
        kinds = ("value", "description", "notification", "event")
        marks[name] = {f"mark-{kind}-{number:03}-" for kind in kinds}
        value, notification, event, description = sorted(marks[name], reverse=True)
        given = details.get("accepted_requirements") or []
        for each in given:
            each["data"] = {"value": value}
        if not given:
            marks[name].remove(value)
        state.edit(
            name,
            description=description,
            notification_message=notification,
            timeline=[each | {"message": event} for each in details["timeline"]],
            accepted_requirements=given,
        )
    return marks


def ended_a_month_ago(warehouse: Warehouse) -> tuple[set[str], set[str]]:
    """Return the activities that ended, and the counterparts without any other activity, by the bodies."""
    ended, alone, others = set[str](), set[str](), set[str]()
    for name in warehouse.service.state.ids():
        said = warehouse.service.state.truth_of(name).details_fields() or {}
        last = max(
            instant(said.get(field)) or instant(said["created_at"]) or NOON
            for field in ("created_at", "attended_at", "completed_at", "valid_until", "expires_at")
        )
        over = said["status"] in ("DECLINED", "CANCELED", "EXPIRED") or said.get("expires_at")
        is_ended = bool(over) and last < MONTH_AGO
        ended |= {name} if is_ended else set()
        (alone if is_ended else others).add(said["entity"]["id"])
    return ended, alone - others


def test_what_ended_long_ago_is_in_no_dump_and_no_run_brings_it_back(mirrored: Mirrored) -> None:
    warehouse = mirrored(150)
    state = warehouse.service.state
    marks = mark_everything(warehouse)
    warehouse.days(FIRST, TODAY)
    # One more version of what ended, from before.
    every = {mark for each in marks.values() for mark in each}
    warehouse.execute("analyze")
    assert found_in(dump(warehouse.url), every) == every
    ended, alone = ended_a_month_ago(warehouse)
    assert len(ended) > 50
    assert len(alone) > 1
    erased = {mark for name in (*ended, *alone) for mark in marks[name]}

    with warehouse.engine() as engine:
        counted = {row["what"]: row["number"] for row in count_due(engine, "ended", NOON, 1)}
    assert counted.pop("activities") == len(ended)
    assert counted.pop("payloads in quarantine to read") == 0
    assert min(counted.values()) > 0
    warehouse.options = warehouse.options.__class__(keep_personal_months=1, night_sample=0)
    summaries = warehouse.nightly(TODAY)
    assert sum(each.erased for each in summaries) == len(ended)
    assert warehouse.value("select sum(erased) from sync.runs") == len(ended)
    assert found_in(dump(warehouse.url), every) == every - erased
    assert sum(each.erased for each in warehouse.nightly(TODAY)) == 0

    # Without the setting, too: the same answers, and new ones.
    warehouse.options = warehouse.options.__class__(night_sample=0)
    assert warehouse.days(FIRST, TODAY).details_requests == 0
    everything_again(warehouse)
    for name in ended:
        state.edit(name, description="mark-again", notification_message="mark-again")
    for name in alone:
        state.change_entity(name, avatar="mark-again")
    everything_again(warehouse)
    assert found_in(dump(warehouse.url), every | {"mark-again"}) == every - erased


def test_a_backup_loses_it_again_in_its_next_night(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)
    marks = mark_everything(warehouse)
    warehouse.days(FIRST, TODAY)
    ended, alone = ended_a_month_ago(warehouse)
    erased = {mark for name in (*ended, *alone) for mark in marks[name]}
    assert erased
    before = dump(warehouse.url)
    warehouse.nightly(TODAY, keep_personal_months=1)
    assert found_in(dump(warehouse.url), erased) == set()
    # Only what was received is restored: the erasures are remembered.
    parts = before.partition("COPY landing.activity_details ")[2].partition("\\.\n")[0]
    rows = parts.splitlines()[1:]
    with psycopg.connect(warehouse.url) as session:
        session.execute("truncate landing.activity_details, warehouse.requirements")
        with session.cursor().copy("copy landing.activity_details from stdin") as copy:
            copy.write("".join(f"{row}\n" for row in rows))
    with warehouse.engine() as engine:
        reparse(engine, ZoneInfo("UTC"), Told(), run_id())
    with psycopg.connect(warehouse.url) as session:
        session.execute("truncate landing.activity_details")
    assert found_in(dump(warehouse.url), erased) == set()


def test_a_new_activity_brings_the_name_again(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)
    marks = mark_everything(warehouse)
    warehouse.days(FIRST, TODAY)
    warehouse.nightly(TODAY, keep_personal_months=1)
    person = min(ended_a_month_ago(warehouse)[1])
    name = "select name from warehouse.entities where id = %s"
    assert warehouse.value(name, person) is None
    warehouse.service.state.create(entity_id=person, created_at=int(NOON.timestamp() * 1000) - 1)
    warehouse.nightly(TODAY, keep_personal_months=1)
    assert warehouse.value(name, person) in marks[person]
