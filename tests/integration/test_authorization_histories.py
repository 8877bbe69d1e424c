"""Random histories of faults, crashes and writers: each request has one activity of ours, or is named.

``AUTHORIZATION_HISTORIES`` sets how many histories are played (docs/development.md).

Clause 8 of docs/guarantees.md.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from math import ceil
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from pipeline.sandbox import FaultRule
from pipeline.service.errors import ServiceError
from pipeline.warehouse.database.errors import WarehouseError
from pipeline.warehouse.requests.authorization_sender import LOCK
from tests.support.asking import FAST, Asking, people_service, without_reference
from tests.support.commands import eventually
from tests.support.forms import Form
from tests.support.habits.answers import WEB_PAGE
from tests.support.postgres import PostgresServer, fresh_database
from tests.support.storing import (
    as_one,
    cut_at_200,
    drop_requirements,
    escape,
    expand_requirements,
    fold_spaces,
    listed_late,
    mask_reference,
    share_counterpart,
    shout,
    shown_as,
    stored_as,
    two_machines,
    whole_seconds,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLES = int(os.environ.get("AUTHORIZATION_HISTORIES", "65"))
#: The same histories each time, unless they are searched for on purpose.
FIRST_SEED = SystemRandom().randrange(2**32) if "AUTHORIZATION_HISTORIES" in os.environ else 0

LONG = "Please share your data with us, so that we can decide about your loan. " * 3
MESSAGES = ("Please share", "Please  share ", "Another message", LONG)
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
    WEB_PAGE | {"after_effect": True},
    {"kind": "status", "status": 413},
    {"kind": "status", "status": 504, "after_effect": True},
)

#: What a service makes of what it is sent, for the whole of a history.
FORMS = (
    *(None, escape, shout, drop_requirements, expand_requirements, fold_spaces),
    *(cut_at_200, mask_reference),
)
#: Those that may lose references.
LOSING = (cut_at_200, mask_reference)
#: What it shows of time and counterparts.
SHOWN = ((), (two_machines,), (whole_seconds,), (share_counterpart, two_machines))
LAGS = (0, 30, 3600)


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
                *("crash", "late", "wait", "settle", "stranger", "backup", "restore"),
            )
        ),
        st.integers(0, 2**20),
    ),
    min_size=3,
    max_size=12,
)
_services = st.fixed_dictionaries(
    {
        "order": st.sampled_from(["newest", "oldest", "id", "reshuffled"]),
        "max_limit": st.sampled_from([3, 100]),
        "day_zone": st.sampled_from(["utc", "caller", "America/Santiago"]),
        "form": st.sampled_from([None, Form(details="object")]),
        "date_skew_ms": st.sampled_from([0, 20_000, -40_000]),
    }
)


@pytest.fixture(scope="module")
def url(postgres: PostgresServer, migrated_template: str) -> Iterator[str]:
    """One database for all histories."""
    with fresh_database(postgres, migrated_template) as name:
        yield postgres.url(name)


@dataclass
class LastingAsking(Asking):
    """One that reads in the same session each time: to open one costs more than what is read."""

    kept: Any = None

    @contextmanager
    def session(self) -> Iterator[psycopg.Connection[Any]]:
        """Begin a transaction in the session of all."""
        with self.kept.transaction():
            yield self.kept


class World:
    """The requests of a warehouse, their service, and what can happen to them.

    ``form``, ``lag``: how the service alters what it stores, and for how many seconds it does not list it.
    """

    def __init__(self, asking: Asking, form: Any, lag: int, shown: Any = ()) -> None:
        self.asking = asking
        self.meant: Counter[tuple[str, str]] = Counter()
        self.backup: list[dict[str, Any]] = []
        self.forgotten: set[str] = set()
        self.form, self.lag = form, lag
        self.state = asking.service.state
        manners: list[FaultRule] = [stored_as(form)] if form else []
        manners += [listed_late(asking.service, lag)] if lag else []
        self.manners = as_one([*manners, *(shown_as(*shown) if shown else [])])
        self.state.set_faults(*self.manners)

    def do(self, step: Step) -> None:
        """Let a step happen."""
        getattr(self, f"_{step.what}")(Random(step.choice))

    def _queue(self, random: Random) -> None:
        for _ in range(random.randrange(1, 4)):
            message, number = random.choice(MESSAGES), random.choice(PEOPLE)
            self.asking.queue(message, number)
            self.meant[number, without_reference(message)] += 1

    def _fault(self, random: Random) -> None:
        self.fail(random.choice(FAULTS), random.randrange(1, 4))

    def fail(self, fault: dict[str, Any], number: int) -> None:
        """Let a fault meet the creation of this ``number`` from now on."""
        rule = FaultRule(operation="create", numbers=(number,), **fault)
        self.state.set_faults(*(each.rule for each in self.state.rules), rule)

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
        self.state.set_faults(*self.manners)
        parking = self.state.park("create")
        self._send(Random(0))
        self.asking.pass_time(minutes=5)
        came, before = parking.stage == "parked", self._creations_answered()
        parking.release()
        if came:
            eventually(lambda: self._creations_answered() > before, "it took effect", 10)

    def _creations_answered(self) -> int:
        return self.state.counters().by_status["create"].total()

    def _backup(self, _random: Random) -> None:
        self.backup = self.asking.rows()

    def _restore(self, _random: Random) -> None:
        """Put the backup back, write what was lost again, and let a person confirm that."""
        kept = {row["id"] for row in self.backup}
        lost = [row for row in self.asking.rows() if row["id"] not in kept]
        self.asking.restore(self.backup)
        for row in lost:
            number = row["phone_number"].removeprefix("+51")
            self.asking.queue(row["description"], number)
        created = self.asking.service.state.counters().by_operation.get("create", 0)
        self._send(Random(0))
        assert self.asking.service.state.counters().by_operation.get("create", 0) == created
        self.state.set_faults(*self.manners)
        self.asking.pass_time(minutes=20, seconds=self.lag)  # a person waits for a late list
        for _ in range(40):  # a person tries again while the list changes as it is read
            if self.asking.look()[1].failed is None:
                break
        with self.asking.session() as session:
            # Whoever knows that references are lost sends nothing that may have been sent.
            session.execute(
                "update warehouse.authorization_requests set state = 'failed',"
                " state_reason = 'decided by a person' where %s and state in ('queued', 'unknown', 'sent')",
                (self.form in LOSING,),
            )
        self.asking.confirm()
        linked = {row["activity_id"] for row in self.asking.rows()}
        if self.form in LOSING:
            self.forgotten |= {each["id"] for each in self.asking.created()} - linked

    def check(self) -> None:
        """Nobody was asked more often than meant, and no link is wrong."""
        assert [each for each in self.asking.mistakes() if "is linked to" in each] == []
        made = Counter(
            (self.asking.receiver_of(each), without_reference(each["description"]))
            for each in self.asking.created()
            if each["id"] not in self.asking.others
        )
        assert made <= self.meant, made - self.meant

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
            assert row["state"] != "failed" or "decided by a person" in row["state_reason"]
            if self.form not in LOSING:
                assert row["state"] != "sent", "the service kept its reference"
        self.check()
        if self.form not in LOSING:
            linked = {row["activity_id"] for row in self.asking.rows()}
            ours = {each["id"] for each in self.asking.created()}
            assert ours - self.asking.others - self.forgotten <= linked


@pytest.mark.timeout(120 + 10 * EXAMPLES)
@pytest.mark.parametrize("number", range(len(FAULTS)))
def test_any_history_ends_well(url: str, number: int) -> None:
    """Each fault meets the first creation of its share of the histories; all others are drawn."""

    @seed(FIRST_SEED + number)
    @settings(
        max_examples=ceil(EXAMPLES / len(FAULTS)),
        print_blob=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(
        steps=_steps,
        switches=_services,
        form=st.sampled_from(FORMS),
        lag=st.sampled_from(LAGS),
        shown=st.sampled_from(SHOWN),
        pattern=st.sampled_from(["(Ref. {reference})", "[{reference}] {message}"]),
    )
    def play(
        steps: list[Step], switches: Any, form: Any, lag: int, shown: Any, pattern: str
    ) -> None:
        with kept.transaction():
            kept.execute("set local session_replication_role = replica")  # no guard of requests
            kept.execute("truncate warehouse.authorization_requests")
            kept.execute("delete from sync.service_facts where fact = 'restore_unconfirmed'")
        with people_service(behaviour=switches) as running:
            rules = replace(FAST, reference=pattern)
            world = World(
                LastingAsking(url, running, rules, read_timeout=0.2, kept=kept), form, lag, shown
            )
            world.do(Step("queue", number))
            world.fail(FAULTS[number], 1)
            for step in steps:
                world.do(step)
                world.check()
            world.conclude()

    with psycopg.connect(url) as kept:
        play()
