"""Authorization requests: what is queued, who may send, how states change, and what analysts see."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
import pytest

from pipeline.warehouse.database.engine import open_engine
from pipeline.warehouse.requests.authorization_sender import SenderBusy, open_sender

if TYPE_CHECKING:
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
