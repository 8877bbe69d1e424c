"""What an analyst would try first gives the right number, whatever the session's time zone.

Each statement is written without a condition that only documentation tells; the answer is counted from the
bodies (`tests.support.recount`).
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from psycopg.rows import tuple_row

from tests.support.first_tries import (
    HOUR,
    LIMA,
    MORE,
    Answer,
    accepted_by_counterpart,
    answered_on,
    asked,
    both,
    count,
    given,
    monday,
    rates,
)
from tests.support.forms import Form
from tests.support.last_tries import LAST
from tests.support.mirroring import FIRST, TODAY
from tests.support.next_tries import NEXT
from tests.support.recount import Recount
from tests.support.refreshing import refresh_all
from tests.tools.questions import read_questions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.integration.conftest import Mirrored

#: What the service still shows at the end of the sharing.
ENDS: dict[str, dict[str, Any]] = {
    "keeps codes without data": {"completed_expires": False, "form": Form()},
    "empties what was accepted": {"form": Form(empties=True)},
    "answers 403": {"expired_details": "forbidden", "form": Form()},
}

#: Their answers are counted from the newest body, or from answers whose day the bodies have. `test_recount`
#: compares what they read where bodies show less.
OF_NEWEST_BODIES = {
    "share of what was asked that was accepted", "share of what was asked that was given at all",
    "share of the asked consents that were accepted", "share of the decided consents that were accepted",
    "accepted in each month of the answer, by whom", "people who answered us in each month",
}  # fmt: skip

ZONES = ("UTC", "Asia/Tokyo", "America/Los_Angeles")

#: The statement that comes to mind, and its answer: the first columns are the key, the last is the value.
QUESTIONS: dict[str, tuple[str, Callable[[Recount], Answer]]] = (
    {
        "created by day": (
            "select created_day, count(*) from activities group by 1",
            lambda made: count(each.day for each in made.activities),
        ),
        "created by month": (
            "select created_month, sum(created_activities) from activities_by_month group by 1",
            lambda made: count(each.month for each in made.activities),
        ),
        "accepted in each week": (
            "select answered_week, sum(accepted_activities) from activities_by_answered_day group by 1"
            " having sum(accepted_activities) > 0",
            lambda made: count(
                monday(answered_on(each))
                for _, each in both(made)
                if each.stage == "accepted" and each.attended
            ),
        ),
        "answered on each day": (
            "select answered_day, count(*) from activities where answered_day is not null group by 1",
            lambda made: count(answered_on(each) for each in made.activities if each.attended),
        ),
        "acceptance by who answers": (
            "select answered_by, round(avg((outcome = 'accepted')::int), 3) from activities"
            " where outcome in ('accepted', 'declined') group by 1",
            lambda made: rates((who, each.stage == "accepted") for who, each in both(made)),
        ),
        "how often does this counterpart accept": (
            "select entity_id::text, round(their_acceptance_rate, 3) from counterparts"
            " where their_acceptance_rate is not null",
            lambda made: accepted_by_counterpart(made, "OUT"),
        ),
        "how often do we accept this counterpart": (
            "select entity_id::text, round(our_acceptance_rate, 3) from counterparts"
            " where our_acceptance_rate is not null",
            lambda made: accepted_by_counterpart(made, "IN"),
        ),
        "acceptance of requirements by direction": (
            "select in_out_bound, round(avg(is_accepted::int), 3) from requirements"
            " where is_asked and outcome in ('accepted', 'partly', 'declined') group by 1",
            lambda made: rates(
                (row["in_out_bound"], row["decision"] != "declined")
                for row in asked(made)
                if row["decision"] in ("accepted", "partly", "declined")
            ),
        ),
        "how many requirements were asked": (
            "select 'all', count(*) from requirements where is_asked",
            lambda made: {"all": len(asked(made))},
        ),
        "how many items were asked": (
            "select 'all', count(*) from items where is_asked",
            lambda made: {"all": len(asked(made, item=True))},
        ),
        "requirements asked of activities of each day": (
            "select created_day, count(*) from requirements where is_asked group by 1",
            lambda made: count(row["created_day"] for row in asked(made)),
        ),
        "requirements accepted": (
            "select requirement_code, count(*) from requirements where is_accepted group by 1",
            lambda made: count(row["code"] for row in given(made)),
        ),
        "items accepted": (
            "select item_code, count(*) from items where is_accepted group by 1",
            lambda made: count(row["item_code"] for row in given(made, item=True)),
        ),
        "items with their requirement": (
            "select 'all', count(*) from items join requirements using (activity_id, requirement_number)",
            lambda made: {"all": sum(row["is_item"] for row in made.consents)},
        ),
        "items by requirement and item code": (
            "select requirement_code || item_code, count(*) from items group by 1",
            lambda made: count(
                row["code"] + row["item_code"] for row in made.consents if row["is_item"]
            ),
        ),
        "shares that can still be read": (
            "select direction, count(*) from requirements where readable_until > now() group by 1",
            lambda made: count(row["direction"] for row in given(made) if row["readable_now"]),
        ),
        "consents readable now": (
            "select is_item, count(*) from consents where readable_now group by 1",
            lambda made: count(row["is_item"] for row in made.consents if row["readable_now"]),
        ),
        "newest share of the same thing": (
            "select is_item, count(*) from consents where is_latest group by 1",
            lambda made: count(row["is_item"] for row in made.consents if row["is_latest"]),
        ),
        "silent for 30 days": (
            "select 'all', count(*) from counterparts where silent_since < now() - interval '30 days'",
            lambda made: {"all": len(silent(made))},
        ),
        "waiting for us": (
            "select waiting_for, count(*) from activities where waiting_for is not null group by 1",
            lambda made: count(
                {"IN": "us", "OUT": "them"}[each.bound]
                for each in made.activities
                if each.stage == "pending"
            ),
        ),
        "answered within a day": (
            "select answered_by, count(*) from activities where hours_to_answer <= 24 group by 1",
            lambda made: count(
                {"IN": "us", "OUT": "them"}[each.bound]
                for each in made.activities
                if each.attended and (each.attended - each.created) / HOUR <= 24
            ),
        ),
        "created at each hour": (
            "select created_hour_local, count(*) from activities group by 1",
            lambda made: count(each.created.astimezone(LIMA).hour for each in made.activities),
        ),
        "completed of the accepted": (
            "select created_month, count(*) from activities where is_completed group by 1",
            lambda made: count(
                each.month
                for each in made.activities
                if each.stage == "accepted" and (each.status == "COMPLETED" or each.completed)
            ),
        ),
        "in each status now": (
            "select status, activities from daily_status"
            " where day = (select max(day) from daily_status) and activities > 0",
            lambda made: count(each.status for each in made.activities if not each.gone),
        ),
        "outcome although expired since": (
            "select outcome, count(*) from activities where status = 'EXPIRED' group by 1",
            lambda made: count(
                each.outcome for each in made.activities if each.status == "EXPIRED"
            ),
        ),
    }
    | MORE
    | NEXT
    | LAST
)


def silent(made: Recount) -> list[str]:
    """Return the counterparts that did nothing for 30 days."""
    heard: dict[str, Any] = {}
    first: dict[str, Any] = {}
    for each in made.activities:
        if each.entity:
            first[each.entity] = min(first.get(each.entity, each.created), each.created)
            moment = each.created if each.bound == "IN" else each.attended
            if moment:
                heard[each.entity] = max(heard.get(each.entity, moment), moment)
    since = first | heard
    return [name for name, moment in since.items() if moment < made.now - timedelta(days=30)]


#: We asked for what we sent, as if by requests of our own.
_ASKED_FOR = """
insert into warehouse.authorization_requests (
    description, phone_country_code, phone_number, state, requested_at, sent_at, activity_id
)
select 'made up', 'PE', '+51900000000', 'linked', created_at, created_at, id
from warehouse.activities
where type = 'AT_004' and in_out_bound = 'OUT'
"""


@pytest.fixture(scope="module")
def session(shown_url: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(shown_url) as session:
        session.execute("set transaction isolation level repeatable read, read only")
        session.execute("set search_path = analytics")
        yield session


@pytest.fixture(scope="module")
def made(session: psycopg.Connection) -> Recount:
    return Recount(session.cursor(row_factory=tuple_row), LIMA)


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_first_try_is_right(session: psycopg.Connection, made: Recount, question: str) -> None:
    statement, expected = QUESTIONS[question][0], QUESTIONS[question][1](made)
    for zone in ZONES:
        session.execute(f"set time zone '{zone}'".encode())
        rows = session.execute(statement.encode()).fetchall()
        # Both are rounded.
        assert {key: float(value) for key, value in rows} == pytest.approx(expected, abs=0.001)
        assert len(rows) == len(expected) > 0


@pytest.mark.parametrize("ends", ENDS)
def test_the_first_try_is_right_where_less_is_shown(mirrored: Mirrored, ends: str) -> None:
    """After the end of the sharing, of which a run saw what was accepted before."""
    warehouse = mirrored(300, "America/Lima", behaviour=ENDS[ends])
    state = warehouse.service.state
    for number in range(2):
        warehouse.days(FIRST - timedelta(days=1), TODAY, full=True)
        if number == 0:
            for name in state.ids("ACCEPTED")[:20]:
                state.enter_status(name, "EXPIRED")
    refresh_all(warehouse.url)
    with psycopg.connect(warehouse.url) as session:
        session.execute("set transaction isolation level repeatable read, read only")
        session.execute("set search_path = analytics")
        made = Recount(session.cursor(row_factory=tuple_row), LIMA)
        for question in QUESTIONS.keys() - OF_NEWEST_BODIES:
            statement, expected = QUESTIONS[question]
            rows = session.execute(statement.encode()).fetchall()
            found = {key: float(value) for key, value in rows}
            assert found == pytest.approx(expected(made), abs=0.0011), question


def test_an_authorization_that_expired_was_accepted(shown_url: str) -> None:
    with psycopg.connect(shown_url) as session:
        session.execute("set session_replication_role = replica")
        session.execute(_ASKED_FOR)
        made = Recount(session.cursor(row_factory=tuple_row), LIMA)
        expected = rates(
            (each.month, each.outcome == "accepted")
            for each in made.activities
            if (each.type, each.bound) == ("AT_004", "OUT")
            and each.outcome in ("accepted", "declined")
        )
        for zone in ZONES:
            session.execute(f"set time zone '{zone}'".encode())
            rows = session.execute(
                "select requested_month, round(avg((result = 'accepted')::int), 3)"
                " from analytics.authorization_outcomes where result in ('accepted', 'declined') group by 1"
            ).fetchall()
            assert {month: float(share) for month, share in rows} == pytest.approx(expected)
        assert len(expected) > 1
        session.rollback()


@pytest.mark.parametrize("question", read_questions(), ids=lambda question: question.name)
def test_no_question_depends_on_the_session(session: psycopg.Connection, question: Any) -> None:
    answers = []
    for zone in ZONES:
        session.execute(f"set time zone '{zone}'".encode())
        answers.append(session.execute(question.statement.encode()).fetchall())
    assert answers[0] == answers[1] == answers[2]
