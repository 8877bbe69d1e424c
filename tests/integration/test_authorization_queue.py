"""Authorization requests: what is queued, who may send, how states change, and what analysts see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from pipeline.warehouse.authorization_sender import SenderBusy, open_sender
from pipeline.warehouse.engine import open_engine

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.asking import Asking


def test_the_daily_cap(asking: Asking) -> None:
    for number in range(7):
        asking.queue(f"message {number}")
    summary = asking.send(per_day=5)
    assert asking.states() == {"linked": 5, "queued": 2}
    assert any(
        "2 stay queued: the daily limit of 5 calls" in problem for problem in summary.problems
    )
    asking.send(per_day=5)
    assert asking.states() == {"linked": 5, "queued": 2}
    asking.pass_time(hours=13)
    asking.send(per_day=5)
    assert asking.states() == {"linked": 7}


def test_an_invalid_row_fails_and_the_others_go_on(asking: Asking) -> None:
    bad = asking.queue(number="12345", validity_time_unit="HOURS", requirements=[{"code": "RQ"}])
    worse = asking.queue("shape", requirements={"code": "RQ_001"})
    good = asking.queue("fine", number="+51 999 888-777")
    asking.send()
    assert asking.row(good)["state"] == "linked"
    assert asking.row(worse)["state_reason"].startswith("requirements is not of the form")
    row = asking.row(bad)
    assert (row["state"], row["attempts"]) == ("failed", 0)
    for what in ("phone_number ***45", "validity_amount is missing", "requirement code 'RQ'"):
        assert what in row["state_reason"]
    assert len(asking.created()) == 1


def test_one_sender_at_a_time(asking: Asking) -> None:
    asking.queue()
    engine = open_engine(asking.url)
    with (
        open_sender(engine),
        pytest.raises(SenderBusy, match="another process is sending"),
    ):
        asking.send()
    engine.dispose()
    assert asking.states() == {"queued": 1}
    asking.send()
    assert asking.states() == {"linked": 1}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("state = 'linked', activity_id = gen_random_uuid()", "authorization_requests_sent"),
        ("state = 'sent', sent_at = now()", "does not go from queued to sent"),
        ("state = 'done'", "does not go from queued to done"),
        ("sent_at = now()", "authorization_requests_sent"),
    ],
)
def test_states_are_guarded(asking: Asking, change: str, why: str) -> None:
    asking.queue()
    with psycopg.connect(asking.url) as session, pytest.raises(psycopg.Error, match=why):
        session.execute(f"update warehouse.authorization_requests set {change}".encode())


def test_what_was_sent_stays_as_it_was_sent(asking: Asking) -> None:
    request = asking.queue()
    asking.send()
    with psycopg.connect(asking.url) as session:
        for change in ("description = 'x'", "phone_number = '1'", "state = 'queued'"):
            with pytest.raises(psycopg.errors.CheckViolation), session.transaction():
                session.execute(f"update warehouse.authorization_requests set {change}".encode())
    assert asking.row(request)["state"] == "linked"
    with pytest.raises(psycopg.errors.CheckViolation, match="begins as queued"):
        asking.queue(state="sent", sent_at="now")


def test_only_what_was_never_sent_is_deleted(asking: Asking) -> None:
    sent = asking.queue()
    asking.send()
    asking.queue()
    with psycopg.connect(asking.url) as session:
        for deed in ("delete from", "truncate"):
            with (
                pytest.raises(
                    psycopg.errors.CheckViolation, match=r"asked twice(?s:.)*`pipeline erase`"
                ),
                session.transaction(),
            ):
                session.execute(f"{deed} warehouse.authorization_requests".encode())
        session.execute("delete from warehouse.authorization_requests where state = 'queued'")
    assert asking.row(sent)["state"] == "linked"
    assert asking.states() == {"linked": 1}


@pytest.fixture
def outcomes(asking: Asking) -> Callable[[], list[tuple[Any, ...]]]:
    """Return the view's rows."""

    def read() -> list[tuple[Any, ...]]:
        with psycopg.connect(asking.url) as session:
            return session.execute(
                "select reference, state, activity_status, time_to_answer, is_final"
                " from analytics.authorization_outcomes order by reference"
            ).fetchall()

    return read


def test_outcomes_for_analysts(
    asking: Asking, outcomes: Callable[[], list[tuple[Any, ...]]]
) -> None:
    from datetime import timedelta

    from tests.support.mirroring import TODAY, Warehouse
    from tests.support.refreshing import refresh_all

    asking.queue("one", reference="a")
    asking.queue("two", reference="b", number="999888771")
    asking.send()
    assert [row[:3] for row in outcomes()] == [("a", "linked", None), ("b", "linked", None)]
    first = next(row["activity_id"] for row in asking.rows() if row["reference"] == "a")
    second = next(row["activity_id"] for row in asking.rows() if row["reference"] == "b")
    asking.pass_time(minutes=3)
    asking.service.state.move(first, "decline")
    asking.service.state.enter_status(second, "SENT")
    Warehouse(asking.url, asking.service).days(TODAY, TODAY)
    refresh_all(asking.url)
    (a, b) = outcomes()
    assert (a[2], a[4]) == ("DECLINED", True)
    assert timedelta(minutes=3) <= a[3] < timedelta(minutes=4)
    assert b == ("b", "linked", "SENT", None, False)
    with psycopg.connect(asking.url) as session:
        columns = session.execute("select * from analytics.authorization_outcomes").description
    assert not {"phone_number", "description"} & {column.name for column in columns or ()}
