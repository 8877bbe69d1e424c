"""What is held of a person is shown, what is erased is gone, and who was erased is not asked again."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from pipeline.report.person import render_person
from pipeline.warehouse.database.sql import statement
from pipeline.warehouse.privacy.erase import erase_person
from pipeline.warehouse.privacy.person import SECTIONS, Person, find_entities, read_person
from pipeline.warehouse.requests.authorization_sender import open_sender
from pipeline.warehouse.requests.authorizations import find, find_people, store_taken_in
from tests.support.habits.answers import rule
from tests.support.mirroring import FIRST, NOON, TODAY, Warehouse
from tests.support.planting import Plants, dump, found_in
from tests.support.profiles import ids_spelled

if TYPE_CHECKING:
    from tests.integration.conftest import Mirrored

NUMBER, OTHER = "+51987654321", "+51911111111"


class Marked:
    """A counterpart with marks in everything that is held of it."""

    def __init__(self, warehouse: Warehouse) -> None:
        self.warehouse = warehouse
        state, plants = warehouse.service.state, Plants(warehouse.service)
        self.activity = next(
            name
            for name in state.ids("ACCEPTED")
            if (truth(warehouse, name)["type"], truth(warehouse, name)["in_out_bound"])
            == ("AT_001", "OUT")
        )
        self.id = str(truth(warehouse, self.activity)["entity"]["id"])
        state.change_entity(self.id, name="mark-name", avatar="mark-avatar", score=611)
        texts: dict[str, Any] = {"description": "mark-text", "notification_message": "mark-note"}
        plants.plant(self.activity, NOON + timedelta(days=3650), **texts)
        warehouse.days(FIRST, TODAY)
        state.change_entity(self.id, score=722)
        warehouse.days(FIRST, TODAY)
        self.ask(state="linked", activity_id=self.activity, candidates='[{"name": "mark-known"}]')
        warehouse.execute("analyze")
        self.profile = {"mark-name", "mark-avatar", *plants.of([self.activity])}
        self.texts = {"mark-text", "mark-note"}
        self.request = {NUMBER, "mark-request", "mark-reason", "mark-known", "mark-loan"}

    def ask(self, **columns: Any) -> None:
        """Write a request to the person, past the guard of states."""
        row = {
            "reference": "mark-loan",
            "description": "mark-request",
            "phone_country_code": "PE",
            "phone_number": NUMBER,
            "state_reason": "mark-reason",
            "sent_at": NOON,
        } | columns
        with psycopg.connect(self.warehouse.url) as session:
            session.execute("set session_replication_role = replica")
            names, places = ", ".join(row), ", ".join(["%s"] * len(row))
            insert = f"insert into warehouse.authorization_requests ({names}) values ({places})"
            session.execute(insert.encode(), list(row.values()))

    def found(self) -> set[str]:
        """Return which marks a dump holds."""
        return found_in(dump(self.warehouse.url), self.profile | self.texts | self.request)

    def held(self, person: Person) -> dict[str, Any]:
        """Return all that is held."""
        with self.warehouse.engine() as engine:
            return read_person(engine, person)


def truth(warehouse: Warehouse, name: str) -> dict[str, Any]:
    """Return what the service states of an activity."""
    return warehouse.service.state.truth_of(name).row_fields()


@pytest.fixture(params=["{}", "{{{}}}"])
def marked(mirrored: Mirrored, request: pytest.FixtureRequest) -> Marked:
    """Mark a counterpart whose id the service spells in capital letters, also in braces."""
    warehouse = mirrored(60)
    state = warehouse.service.state
    state.set_faults(rule(ids_spelled(lambda name: request.param.format(name.upper()))(state)))
    return Marked(warehouse)


def test_all_that_is_held_is_shown_by_id_and_by_number(marked: Marked) -> None:
    person = Person(marked.id)
    with marked.warehouse.engine() as engine:
        assert find_entities(engine, Person(None, (NUMBER,))) == [marked.id]
        held = read_person(engine, person)
    assert list(held) == list(SECTIONS)
    text = json.dumps(held, default=str)
    shown = marked.profile | marked.texts | {NUMBER, "mark-request", "mark-reason", "mark-loan"}
    assert {mark for mark in shown if mark not in text} == set()
    page = render_person(marked.id, held)
    # A part of a response that the tables have no column for.
    (untold,) = (mark for mark in shown if mark not in page)
    assert untold.startswith("plant-")
    assert [row["score"] for row in held["history"]] == [611, 722]
    given = next(
        row
        for row in held["consents"]
        if row["item"] and row["activity_id"] == marked.activity and row["readable_now"]
    )
    assert given["purpose"] == "mark-text"
    record = next(
        each for each in held["consent_records"] if each["dct:identifier"] == marked.activity
    )
    assert record["@type"] == "dpv:ConsentRecord"
    assert record["dpv:hasDataSubject"] == marked.id
    processes = record["dpv:hasProcess"]
    assert "dpv:ConsentGiven" in {each["dpv:hasConsentStatus"] for each in processes}
    assert {each["dpv:hasPurpose"] for each in processes} == {"mark-text"}
    counted = marked.warehouse.value(
        "select count(*) from landing.activity_list_rows where encode(body, 'escape') ilike %s",
        f"%{marked.id}%",
    )
    assert sum(row["source"] == "list" for row in held["responses"]) == counted > 0
    other = marked.held(Person(str(marked.warehouse.service.state.people()[-1]["id"])))
    assert "mark-" not in json.dumps(other, default=str)


def test_erasing_leaves_messages_unless_they_are_named(marked: Marked) -> None:
    everything = marked.profile | marked.texts | marked.request
    assert marked.found() == everything
    with marked.warehouse.engine() as engine:
        assert erase_person(engine, Person(marked.id), print)["requests"] == 1
        assert marked.found() == marked.texts
        left = {row["what"] for row in marked.held(Person(marked.id))["left"]}
        assert "messages that we wrote to the person" in left
        assert "profile" not in left
        person = Person(marked.id, messages=True)
        assert erase_person(engine, person, print)["messages"] > 0
    assert marked.found() == set()
    # Nor do later answers bring it back, of old activities or of new ones.
    state = marked.warehouse.service.state
    state.edit(marked.activity, description="mark-text", notification_message="mark-note")
    state.change_entity(marked.id, name="mark-name", score=333)
    fresh = state.create(entity_id=marked.id, created_at=int(NOON.timestamp() * 1000) - 1)
    state.edit(fresh, description="mark-text")
    marked.warehouse.days(FIRST, TODAY, full=True)
    assert marked.found() == set()
    assert (
        marked.warehouse.value("select count(*) from warehouse.entity_scores where score = 333")
        == 0
    )
    assert {row["what"] for row in marked.held(Person(marked.id))["left"]} == {
        "activities: codes, statuses and times",
        "stored responses",
    }


def test_a_sender_that_read_a_request_before_it_was_erased_does_not_bring_it_back(
    marked: Marked,
) -> None:
    with marked.warehouse.engine() as engine:
        marked.ask(state="queued", reference="mark-queued", sent_at=None)
        (row,) = find(engine, "states", states=["queued"])
        erase_person(engine, Person(marked.id, (NUMBER,)), print)
        with open_sender(engine) as session:
            store_taken_in(session, row, NUMBER, NUMBER, "7K3Q2")
    assert NUMBER not in dump(marked.warehouse.url)
    assert "7K3Q2" not in dump(marked.warehouse.url)


def test_who_was_erased_by_number_is_not_asked_again(marked: Marked) -> None:
    url = marked.warehouse.url
    with marked.warehouse.engine() as engine:
        _, before = find_people(engine, {NUMBER: NUMBER, OTHER: OTHER}, 30)
        assert before == set()
        for state in ("queued", "sent", "unknown", "rejected"):
            sent_at = None if state == "queued" else NOON
            marked.ask(state=state, reference=f"mark-{state}", sent_at=sent_at)
        marked.ask(state="sending", reference="mark-sending", phone_number="+51922222222")
        erase_person(engine, Person(marked.id, (NUMBER,)), print)
        _, after = find_people(engine, {NUMBER: NUMBER, OTHER: OTHER}, 30)
        assert after == {NUMBER}
        assert marked.found() == marked.texts | {"mark-request", "mark-reason"}
        assert NUMBER not in dump(url)
        states = marked.warehouse.query(
            "select state, count(*) from warehouse.authorization_requests"
            " where phone_number = '' group by 1 order by 1"
        )
        assert states == [("failed", 3), ("linked", 1), ("rejected", 1)]
    with psycopg.connect(url) as session:
        # A digest without the key tells nothing of the number.
        plain = session.execute(
            "select count(*) from sync.erased_phones where digest = sha256(%s::bytea)",
            (NUMBER.encode(),),
        ).fetchone()
        assert plain == (0,)
        insert = (
            "insert into warehouse.authorization_requests"
            " (description, phone_country_code, phone_number) values ('again', 'pe', %s)"
        )
        for number, spelled in ((NUMBER, NUMBER), (NUMBER, "987 654-321"), (OTHER, "911111111")):
            row = session.execute(f"{insert} returning id::text".encode(), (spelled,)).fetchone()
            assert row is not None
            taken_in = {"id": row[0], "number": number, "subscriber": number, "reference": None}
            session.execute(statement("authorizations/take_in").encode(), taken_in)
        states = session.execute(
            "select phone_number, state from warehouse.authorization_requests"
            " where description = 'again' order by requested_at, id"
        ).fetchall()
        assert sorted(states) == [(OTHER, "queued"), (NUMBER, "failed"), (NUMBER, "failed")]
