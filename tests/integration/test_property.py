"""Random histories and runs, killed ones among them: a last quiet run leaves no difference.

``PROPERTY_EXAMPLES`` sets how many histories are tried.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.sync.options import Options, SyncError
from tests.support.mirroring import Warehouse, sandbox
from tests.support.postgres import PostgresServer, fresh_database
from tests.support.refreshing import differences, refresh_all

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.sandbox import Running
    from pipeline.sandbox.history import Move

EXAMPLES = int(os.environ.get("PROPERTY_EXAMPLES", "25"))
FIRST = date(2026, 3, 1)
START = datetime(2026, 3, 10, 15, tzinfo=UTC)
_OPTIONS = Options(workers=4, walks=2, window_days=4, page_size=10, batch_size=3)


@dataclass(frozen=True)
class Step:
    """One deed or run. ``choice`` picks whom and how among what there is then."""

    what: str
    choice: int


_DEEDS = (
    "create",
    "create_late",
    "settle",
    "settle",
    "edit",
    "delete",
    "restore",
    "rename",
    "jump",
    "refresh",
)
_RUNS = ("nightly", "nightly", "backfill", "full", "killed", "killed")
_steps = st.lists(
    st.builds(Step, st.sampled_from(_DEEDS + _RUNS), st.integers(0, 2**20)),
    min_size=3,
    max_size=14,
)
_services = st.fixed_dictionaries(
    {
        "order": st.sampled_from(["newest", "oldest", "id", "shuffled", "reshuffled"]),
        "max_limit": st.sampled_from([5, 100]),
        "to_day": st.sampled_from(["whole", "midnight"]),
        "day_zone": st.sampled_from(["utc", "caller", "America/Santiago"]),
        "trailing_empty_page": st.booleans(),
        "expired_details": st.sampled_from(["without_data", "without_arrays", "forbidden"]),
        "updated_at": st.sampled_from(["every", "status"]),
        "silent_edits": st.booleans(),
    }
)


@pytest.fixture(scope="module")
def url(postgres: PostgresServer, migrated_template: str) -> Iterator[str]:
    """One database for all histories."""
    with fresh_database(postgres, migrated_template) as name:
        yield postgres.url(name)


class World:
    """A service, its mirror, and the deeds and runs that a step may ask for."""

    def __init__(self, warehouse: Warehouse) -> None:
        self.warehouse = warehouse
        self.service: Running = warehouse.service
        self.state = self.service.state

    @property
    def now(self) -> datetime:
        """Return what the service's clock shows."""
        return datetime.fromtimestamp(self.state.clock.now() / 1000, UTC)

    def do(self, step: Step) -> None:
        """Carry out a step; what can't be done in this state is not done."""
        random = Random(step.choice)
        if step.what in _RUNS:
            self._run(step.what, random)
            return
        with suppress(ValueError):
            getattr(self, f"_{step.what}")(random)

    def _pick(self, random: Random, *statuses: str) -> str:
        ids = self.state.ids(*statuses)
        if not ids:
            raise ValueError("there is none")
        return random.choice(ids)

    def _create(self, random: Random) -> None:
        self.state.create(drawn=random.random() < 0.5)

    def _create_late(self, random: Random) -> None:
        back = timedelta(hours=random.randrange(1, 24 * 8))
        self.state.create(created_at=round((self.now - back).timestamp() * 1000))

    def _settle(self, random: Random) -> None:
        moves: tuple[Move, ...] = ("accept", "decline", "cancel", "complete", "expire")
        name = self._pick(random, "SENT", "ACTION_REQUIRED", "ACCEPTED")
        for move in random.sample(moves, len(moves)):
            with suppress(ValueError):
                self.state.move(name, move)
                return

    def _edit(self, random: Random) -> None:
        self.state.edit(self._pick(random), description=f"edited {random.random()}")

    def _delete(self, random: Random) -> None:
        self.state.delete(self._pick(random))

    def _restore(self, random: Random) -> None:
        deleted = [t.id for t in self.state.truth(include_deleted=True) if t.deleted]
        if deleted:
            self.state.restore(random.choice(deleted))

    def _rename(self, random: Random) -> None:
        people = self.state.people()
        self.state.change_entity(random.choice(people)["id"], name=f"name {random.randrange(3)}")

    def _jump(self, random: Random) -> None:
        self.state.set_clock(advance_ms=random.choice((60, 3600, 86_400, 6 * 86_400)) * 1000)

    def _refresh(self, _: Random) -> None:
        refresh_all(self.warehouse.url)

    def _run(self, what: str, random: Random) -> None:
        today = self.now.date()
        days = (today - FIRST).days
        begin = random.randrange(days + 1)
        first = FIRST + timedelta(days=begin)
        last = first + timedelta(days=random.randrange(days + 1 - begin))
        # Nothing is wrong with a run that stops for the brake or says that it is not complete.
        with suppress(SyncError):
            if what == "nightly":
                self.warehouse.nightly(today, lookback=2)
            elif what == "killed":
                asyncio.run(self._killed(first, today, random.randrange(1, 40)))
            else:
                self.warehouse.days(first, last, full=what == "full")

    async def _killed(self, first: date, last: date, after: int) -> None:
        """Cancel a run while its so-many-th request is under way."""
        parking = self.state.park("any", after)
        task = asyncio.create_task(self.warehouse.sync(first, last))
        while not task.done() and parking.stage == "waiting":  # noqa: ASYNC110
            await asyncio.sleep(0)  # the service is in another thread
        task.cancel()
        with suppress(asyncio.CancelledError, SyncError):
            await task
        parking.release()

    def conclude(self) -> None:
        """Make a last quiet run over everything; then nothing may differ."""
        self.state.change_behaviour(order="newest")
        today = self.now.date()
        final = self.warehouse.days(FIRST, today, full=True, accept_gone=True)
        older = self.warehouse.open_work(today + timedelta(days=1), accept_gone=True)
        assert (final.status, final.problems) == ("complete", [])
        assert (older.status, older.problems) == ("complete", [])
        assert self.warehouse.differences(FIRST, today) == []
        assert self.warehouse.gaps() == []
        assert self.warehouse.quarantined() == {}
        before = self.warehouse.versions()
        assert self.warehouse.days(FIRST, today).status == "complete"
        assert self.warehouse.versions() == before
        refresh_all(self.warehouse.url)
        with psycopg.connect(self.warehouse.url) as session:
            assert differences(session) == []


@pytest.mark.timeout(120 + 4 * EXAMPLES)
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    print_blob=True,
    suppress_health_check=list(HealthCheck),
)
@given(steps=_steps, switches=_services, seed=st.integers(1, 50))
def test_any_history_ends_equal(
    url: str, steps: list[Step], switches: dict[str, Any], seed: int
) -> None:
    with psycopg.connect(url) as session:
        session.execute(
            "truncate warehouse.entities, warehouse.activities, landing.activity_details,"
            " landing.activity_list_rows, sync.activity_ledger, sync.quarantine, sync.runs,"
            " sync.coverage, sync.service_facts, sync.unknown_values cascade"
        )
    data = {"from_date": FIRST, "to_date": date(2026, 3, 12), "now": START, "seed": seed}
    with sandbox(15, behaviour=switches, **data) as running:
        world = World(Warehouse(url, running, "America/Lima", _OPTIONS))
        for step in steps:
            world.do(step)
        world.conclude()
