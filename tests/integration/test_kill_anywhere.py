"""Kill -9 at every moment of a run: a plain run finishes, and refetches no more than promised.

The run is a process of its own, killed while the sandbox holds one of its requests, or PostgreSQL
one of its commits; `Child.kill` and the waiting raise when that moment was missed.
"""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

import psycopg
import pytest
from psycopg.rows import dict_row

from pipeline.drill.child import Child
from pipeline.drill.commits import HeldCommit
from pipeline.drill.comparison import compare, stored_rows
from pipeline.drill.job import Job, run
from tests.support.mirroring import sandbox
from tests.support.postgres import fresh_database

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.drill.stated import Tables
    from pipeline.sandbox import Running
    from pipeline.sandbox.faults import Operation
    from pipeline.sandbox.parking import Phase
    from pipeline.sync.options import Summary
    from tests.support.postgres import PostgresServer

FIRST, LAST = date(2026, 3, 29), date(2026, 3, 31)
ACTIVITIES, BATCH = 60, 20
#: Requests for the list that an undisturbed first run makes.
PAGES = 12
#: A batch departs when half of it is there: these are around each departure, and both ends.
AROUND_BATCHES = (1, 2, 9, 10, 11, 12, 19, 20, 21, 22, 31, 59, 60)

#: Written by us at the moment we see something, so that no two runs agree.
OUR_TIMES = {"first_seen_at", "details_fetched_at", "observed_at"}


class Mirrored(NamedTuple):
    """A service and the empty warehouse that is to mirror it."""

    service: Running
    url: str

    def job(self, **changes: Any) -> Job:
        """Return a run that does one thing after the other: what is parked, nothing overtakes."""
        given: dict[str, Any] = {
            "base_url": self.service.base_url,
            "credentials": self.service.credentials,
            "warehouse_url": self.url,
            "first": FIRST,
            "last": LAST,
            "page_size": 10,
            "batch_size": BATCH,
            "workers": 1,
            "walks": 1,
        }
        return Job(**given | changes)

    def plain_run(self) -> Summary:
        """Run in this process."""
        (summary,) = asyncio.run(run(self.job()))
        return summary

    def stored(self) -> int:
        """Count the activities whose details are committed."""
        with psycopg.connect(self.url) as session:
            row = session.execute(
                "select count(*) from warehouse.activities where details_fetched_at is not null"
            ).fetchone()
        return int(row[0]) if row else 0

    def asked(self) -> int:
        """Count the details requests since the start."""
        return self.service.state.counters().by_operation["details"]


def served() -> Any:
    return sandbox(ACTIVITIES, from_date=FIRST, to_date=LAST, behaviour={"max_limit": 10})


@pytest.fixture
def mirrored(migrated_url: str) -> Iterator[Mirrored]:
    with served() as service:
        yield Mirrored(service, migrated_url)


@pytest.fixture(scope="module")
def undisturbed(postgres: PostgresServer, migrated_template: str) -> Iterator[Tables]:
    """Return what an undisturbed run stores, with the times that are ours left out."""
    with served() as service, fresh_database(postgres, migrated_template) as name:
        mirrored = Mirrored(service, postgres.url(name))
        assert mirrored.plain_run().status == "complete"
        counted = service.state.counters().by_operation
        assert (counted["login"], counted["list"], counted["details"]) == (1, PAGES, ACTIVITIES)
        yield contents(mirrored.url)


def contents(url: str) -> Tables:
    """Return all rows of the contract's tables, and the coverage, without our own times."""
    tables: Tables = {
        table: {
            key: {name: value for name, value in row.items() if name not in OUR_TIMES}
            for key, row in rows.items()
        }
        for table, rows in stored_rows(url).items()
    }
    with psycopg.connect(url, row_factory=dict_row) as session:
        days = session.execute(
            "select day, listed, stored, quarantined, gone, unverified from sync.coverage"
        ).fetchall()
    tables["coverage"] = {(day["day"],): day for day in days}
    return tables


@contextmanager
def killed_while_parked(
    mirrored: Mirrored, operation: Operation, number: int, phase: Phase = "before", **job: Any
) -> Iterator[None]:
    """Kill a run at a request; what follows happens while the service still holds it."""
    parking = mirrored.service.state.park(operation, number, phase=phase)
    with Child(mirrored.job(**job)) as child:
        parking.wait(60)
        assert (child.alive, parking.reading().stage) == (True, "parked")
        assert child.kill() == -9
        yield
    parking.release()


def finishes(mirrored: Mirrored, undisturbed: Tables, in_flight: int) -> None:
    """Assert that a plain run gets just what is missing, no more than promised, and all is right."""
    asked, stored = mirrored.asked(), mirrored.stored()
    assert asked - stored <= in_flight + BATCH
    summary = mirrored.plain_run()
    assert (summary.status, summary.logins) == ("complete", 1)
    assert summary.details_requests == ACTIVITIES - stored
    assert mirrored.asked() - ACTIVITIES <= in_flight + BATCH
    assert compare(mirrored.url, mirrored.service.state.truth()) == []
    assert contents(mirrored.url) == undisturbed


def test_at_the_login(mirrored: Mirrored, undisturbed: Tables) -> None:
    with killed_while_parked(mirrored, "login", 1):
        assert (mirrored.asked(), mirrored.stored()) == (0, 0)
    finishes(mirrored, undisturbed, in_flight=0)


@pytest.mark.parametrize("page", range(1, PAGES + 1))
def test_at_every_page_of_the_list(mirrored: Mirrored, undisturbed: Tables, page: int) -> None:
    with killed_while_parked(mirrored, "list", page):
        assert (mirrored.asked(), mirrored.stored()) == (0, 0)
    finishes(mirrored, undisturbed, in_flight=0)


@pytest.mark.parametrize("number", AROUND_BATCHES)
def test_at_details_around_every_departure_of_a_batch(
    mirrored: Mirrored, undisturbed: Tables, number: int
) -> None:
    with killed_while_parked(mirrored, "details", number):
        assert mirrored.asked() == number
        # What was answered is in, but for what is being filled and what was on its way.
        assert number - 1 - BATCH <= mirrored.stored() < number
    finishes(mirrored, undisturbed, in_flight=1)


@pytest.mark.parametrize("phase", ["after", "body"])
@pytest.mark.parametrize(
    ("operation", "number"), [("login", 1), ("list", 3), ("details", 11), ("details", 60)]
)
def test_with_the_answer_on_its_way(
    mirrored: Mirrored, undisturbed: Tables, operation: Operation, number: int, phase: Phase
) -> None:
    with killed_while_parked(mirrored, operation, number, phase):
        assert mirrored.asked() == (number if operation == "details" else 0)
    finishes(mirrored, undisturbed, in_flight=1)


@pytest.mark.parametrize("number", [5, 30, 58])
def test_with_many_in_flight(mirrored: Mirrored, undisturbed: Tables, number: int) -> None:
    workers = 8
    with killed_while_parked(mirrored, "details", number, workers=workers, walks=4):
        assert mirrored.asked() >= number
    finishes(mirrored, undisturbed, in_flight=workers)


@pytest.mark.parametrize("committed", [True, False], ids=["committed", "rolled-back"])
@pytest.mark.parametrize("after", [0, BATCH // 2, 2 * BATCH, ACTIVITIES - 1])
def test_inside_the_commit(
    mirrored: Mirrored, undisturbed: Tables, after: int, committed: bool
) -> None:
    """The commit waits for a lock of ours; it ends after the run is dead, this way or that."""
    held_batch = BATCH // 2
    with HeldCommit(mirrored.url, after) as commit, Child(mirrored.job()) as child:
        backend = commit.wait()
        before = mirrored.stored()
        assert child.alive
        assert child.kill() == -9
        if committed:
            commit.release()
        else:
            commit.roll_back(backend)
        commit.settled(backend)
        assert before == after - after % held_batch
        assert mirrored.stored() == before + (held_batch if committed else 0)
    finishes(mirrored, undisturbed, in_flight=1)


def test_again_and_again(mirrored: Mirrored, undisturbed: Tables) -> None:
    """Runs that are all killed still make headway, and each refetches no more than promised."""
    for killed in (1, 2, 3):
        before = mirrored.stored()
        with killed_while_parked(mirrored, "details", BATCH + 2):
            assert mirrored.stored() > before
        assert mirrored.asked() - mirrored.stored() <= killed * (1 + BATCH)
    summary = mirrored.plain_run()
    assert summary.status == "complete"
    assert mirrored.asked() - ACTIVITIES <= 3 * (1 + BATCH)
    assert contents(mirrored.url) == undisturbed
