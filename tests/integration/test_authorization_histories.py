"""Random histories of faults, crashes and writers: each request has one activity of ours, or is named.

``AUTHORIZATION_HISTORIES`` sets how many histories are played (docs/development.md).
"""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.sandbox import FaultRule
from pipeline.service.errors import ServiceError
from pipeline.warehouse.authorization_sender import LOCK
from pipeline.warehouse.errors import WarehouseError
from tests.support.asking import Asking, people_service
from tests.support.commands import eventually
from tests.support.postgres import PostgresServer, fresh_database
from tests.support.storing import (
    drop_requirements,
    escape,
    expand_requirements,
    listed_late,
    shout,
    stored_as,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLES = int(os.environ.get("AUTHORIZATION_HISTORIES", "60"))

MESSAGES = ("Please share", "Please  share ", "Another message")
PEOPLE = ("999888771", "999888772", "999888773")

#: What can happen to a call: the fault, and whether the service did what was asked before.
FAULTS: tuple[dict[str, Any], ...] = (
    {"kind": "status", "status": 500},
    {"kind": "status", "status": 500, "after_effect": True},
    {"kind": "status", "status": 503, "after_effect": True},
    {"kind": "status", "status": 400},
    {"kind": "status", "status": 403},
    {"kind": "status", "status": 429, "retry_after": 0},
    {"kind": "reset"},
    {"kind": "reset", "after_effect": True},
    {"kind": "hang"},
    {"kind": "hang", "after_effect": True},
    {"kind": "html", "after_effect": True},
    {"kind": "body", "status": 201, "body": ""},
    {"kind": "status", "status": 413},
)

#: What a service makes of what it is sent, for the whole of a history.
FORMS = (None, escape, shout, drop_requirements, expand_requirements)
LAGS = (0, 0, 30)


@dataclass(frozen=True)
class Step:
    """One thing that happens. ``choice`` picks whom and how."""

    what: str
    choice: int


_steps = st.lists(
    st.builds(
        Step,
        st.sampled_from(
            (
                *("queue", "queue", "fault", "fault", "send", "send"),
                *("crash", "late", "wait", "settle", "stranger"),
            )
        ),
        st.integers(0, 2**20),
    ),
    min_size=4,
    max_size=14,
)
_services = st.fixed_dictionaries(
    {
        "order": st.sampled_from(["newest", "oldest", "id", "reshuffled"]),
        "max_limit": st.sampled_from([3, 100]),
        "day_zone": st.sampled_from(["utc", "caller", "America/Santiago"]),
        "details_instants": st.sampled_from(["number", "object"]),
        "date_skew_ms": st.sampled_from([0, 20_000, -40_000]),
    }
)


@pytest.fixture(scope="module")
def url(postgres: PostgresServer, migrated_template: str) -> Iterator[str]:
    """One database for all histories."""
    with fresh_database(postgres, migrated_template) as name:
        yield postgres.url(name)


class World:
    """The requests of a warehouse, their service, and what can happen to them.

    ``form``, ``lag``: how the service alters what it stores, and for how many seconds it does not list it.
    """

    def __init__(self, asking: Asking, form: Any, lag: int) -> None:
        self.asking = asking
        self.state = asking.service.state
        self.manners = [stored_as(form)] if form else []
        self.manners += [listed_late(asking.service, lag)] if lag else []
        self.state.set_faults(*self.manners)

    def do(self, step: Step) -> None:
        """Let a step happen."""
        getattr(self, f"_{step.what}")(Random(step.choice))

    def _queue(self, random: Random) -> None:
        for _ in range(random.randrange(1, 4)):
            self.asking.queue(random.choice(MESSAGES), random.choice(PEOPLE))

    def _fault(self, random: Random) -> None:
        chosen = random.choice(FAULTS)
        rule = FaultRule(operation="create", numbers=(random.randrange(1, 4),), **chosen)
        self.state.set_faults(*(each.rule for each in self.state.faults()), rule)

    def _stranger(self, random: Random) -> None:
        """Let a colleague ask by hand, also whom we ask, and with our words."""
        self.state.set_faults(*self.manners)
        self.asking.ask_by_hand(random.choice((*PEOPLE, "999888779")), random.choice(MESSAGES))

    def _send(self, _random: Random) -> None:
        with suppress(ServiceError):
            self.asking.send()

    def _settle(self, _random: Random) -> None:
        self.asking.settle()

    def _wait(self, random: Random) -> None:
        self.asking.pass_time(minutes=random.choice((1, 8, 20, 90)))

    def _late(self, _random: Random) -> None:
        """Let the next call take effect only when it is long given up, but not too long."""
        parking = self.state.park("create", 1, phase="late")
        self._send(Random(0))
        self.asking.pass_time(minutes=5)
        parking.release()
        eventually(lambda: parking.stage == "released", "it is let go", 10)

    def _crash(self, random: Random) -> None:
        """Take the sender's connection away while its call is under way: nothing more is recorded."""
        phase: Any = random.choice(("before", "after"))
        parking = self.state.park("create", random.randrange(1, 3), phase=phase)
        ended: list[BaseException | None] = []

        def send() -> None:
            try:
                self.asking.send()
            except (ServiceError, WarehouseError) as error:
                ended.append(error)

        thread = threading.Thread(target=send)
        thread.start()
        while thread.is_alive() and parking.stage == "waiting":
            thread.join(0.005)
        if parking.stage == "parked":
            with psycopg.connect(self.asking.url, autocommit=True) as session:
                session.execute(
                    "select pg_terminate_backend(pid, 5000) from pg_locks"
                    " where locktype = 'advisory' and objid = %s and granted",
                    (LOCK,),
                )
        parking.release()
        thread.join()

    def conclude(self) -> None:
        """Remove all faults and let time pass; then every request has come to its end, or is named."""
        self.state.change_behaviour(order="newest")
        self.state.set_faults(*self.manners)
        for _ in range(6):
            summary = self.asking.send()
            if self.asking.states().keys() <= {"linked", "rejected", "failed"}:
                break
            self.asking.pass_time(minutes=20)
        states = self.asking.states()
        assert states.keys() <= {"linked", "rejected", "failed", "sent", "unknown"}
        assert summary.overdue == states.get("sent", 0) + states.get("unknown", 0)
        assert len(summary.problems) >= len(states.keys() & {"sent", "unknown"})
        for row in self.asking.rows():
            why = row["state_reason"] or ""
            assert row["state"] != "failed" or "had no effect" in why or "refused in" in why, row
        assert self.asking.mistakes() == []


@pytest.mark.timeout(120 + 10 * EXAMPLES)
@settings(
    max_examples=EXAMPLES,
    # The same ones each time, unless histories are searched for on purpose.
    derandomize="AUTHORIZATION_HISTORIES" not in os.environ,
    print_blob=True,
    suppress_health_check=list(HealthCheck),
)
@given(
    steps=_steps,
    switches=_services,
    form=st.sampled_from(FORMS),
    lag=st.sampled_from(LAGS),
)
def test_any_history_ends_well(
    url: str, steps: list[Step], switches: dict[str, Any], form: Any, lag: int
) -> None:
    with psycopg.connect(url) as session:
        session.execute("set local session_replication_role = replica")  # no guard of requests
        session.execute("truncate warehouse.authorization_requests")
    with people_service(behaviour=switches) as running:
        world = World(Asking(url, running, read_timeout=0.2), form, lag)
        for step in steps:
            world.do(step)
            assert world.asking.mistakes() == []
        world.conclude()
