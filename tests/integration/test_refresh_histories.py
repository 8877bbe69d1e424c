"""Whatever happens to activities, and whenever a refresh comes between: it counts what there is."""

from __future__ import annotations

import os
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING
from uuid import UUID

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.made_up import Activity, add, add_entity, at
from tests.support.postgres import fresh_database
from tests.support.refreshing import differences, refresh_all

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from tests.support.postgres import PostgresServer

EXAMPLES = int(os.environ.get("PROPERTY_EXAMPLES", "150")) // 5

_STATUSES = ("SENT", "ACTION_REQUIRED", "ACCEPTED", "COMPLETED", "DECLINED", "EXPIRED", "ODD", None)
_EMPTY = """
truncate warehouse.entities, warehouse.activities, sync.activity_ledger, sync.service_facts cascade
"""


@dataclass
class World:
    """Activities and counterparts, and what may happen to them; ``choice`` picks whom and how."""

    session: psycopg.Connection

    def some(self, random: Random, table: str, column: str = "id") -> UUID | None:
        """Return one that there is; None: there is none."""
        found = self.session.execute(f"select {column} from {table} order by 1".encode()).fetchall()
        return random.choice(found)[0] if found else None

    def load(self, random: Random) -> None:
        """Store one for the first time."""
        self._store(random, Activity())

    def reload(self, random: Random) -> None:
        """Store one again in its present state; its day may have changed."""
        name = self.some(random, "warehouse.activities")
        if name is not None:
            with self.session.transaction():
                ledger = "delete from sync.activity_ledger where activity_id = %s"
                self.session.execute(ledger, (name,))
                self.session.execute("delete from warehouse.activities where id = %s", (name,))
                self._store(random, Activity(id=name))

    def update(self, random: Random) -> None:
        """Write over the row of one."""
        self.session.execute(
            "update warehouse.activities set status = %s, attended_at = %s, entity_id = %s"
            " where id = %s",
            (
                random.choice(_STATUSES),
                random.choice((None, at(random.randrange(1, 9)))),
                self.some(random, "warehouse.entities"),
                self.some(random, "warehouse.activities"),
            ),
        )

    def lose(self, random: Random) -> None:
        """Find one offered no more, or again."""
        self.session.execute(
            "update warehouse.activities set gone_at = %s where id = %s",
            (random.choice((None, at(9))), self.some(random, "warehouse.activities")),
        )

    def erase(self, random: Random) -> None:
        """Erase the shared values of one."""
        name = self.some(random, "warehouse.activities")
        erase = "update warehouse.requirements set value = null where activity_id = %s"
        mark = "update warehouse.activities set values_erased_at = now() where id = %s"
        self.session.execute(erase, (name,))
        self.session.execute(mark, (name,))

    def move(self, random: Random) -> None:
        """Let the ledger tell another day, or none."""
        self.session.execute(
            "update sync.activity_ledger set day = %s where activity_id = %s",
            (self._day(random), self.some(random, "sync.activity_ledger", "activity_id")),
        )

    def forget(self, random: Random) -> None:
        """Remove one from the ledger, or from the warehouse."""
        table, column = random.choice(
            (("sync.activity_ledger", "activity_id"), ("warehouse.activities", "id"))
        )
        name = self.some(random, table, column)
        self.session.execute(f"delete from {table} where {column} = %s".encode(), (name,))

    def remember(self, random: Random) -> None:
        """Tell the ledger of one that it may not know."""
        self.session.execute(
            "insert into sync.activity_ledger (activity_id, day) values (%s, %s)"
            " on conflict do nothing",
            (self.some(random, "warehouse.activities") or UUID(int=0), self._day(random)),
        )

    def meet(self, random: Random) -> None:
        """Add a counterpart, or remove one without activities."""
        if random.random() < 0.6:
            add_entity(self.session)
        self.session.execute(
            "delete from warehouse.entities as entity where id = %s and not exists ("
            "select from warehouse.activities as activity where activity.entity_id = entity.id)",
            (self.some(random, "warehouse.entities"),),
        )

    def redefine(self, random: Random) -> None:
        """Let a status mean another stage, or cut days elsewhere."""
        if random.random() < 0.5:
            stage = (
                "update analytics.codes set stage = %s where kind = 'status' and code = 'EXPIRED'"
            )
            self.session.execute(stage, (random.choice(("accepted", "canceled")),))
        else:
            self.session.execute(
                "insert into sync.service_facts (fact, value, learned_at)"
                " values ('configured_zone', %s, now())"
                " on conflict (fact) do update set value = excluded.value",
                (random.choice(("UTC", "Asia/Tokyo", "America/Lima")),),
            )

    def _store(self, random: Random, made: Activity) -> None:
        made.status = random.choice(_STATUSES)
        made.created_at = random.choice(
            (None, at(random.randrange(1, 9), random.choice((0, 5, 20))))
        )
        made.type = random.choice(("AT_001", "AT_002", None))
        made.in_out_bound = random.choice(("IN", "OUT", None))
        made.entity_id = self.some(random, "warehouse.entities")
        made.attended_at = random.choice((None, at(random.randrange(1, 12))))
        made.completed_at = random.choice((None, at(random.randrange(1, 12))))
        made.day = self._day(random)
        made.requested = [(f"RQ_00{number}", ()) for number in range(random.randrange(3))]
        made.accepted = made.requested[: random.randrange(3)]
        made.timeline = [
            (random.choice(_STATUSES), at(random.randrange(1, 12)))
            for _ in range(random.randrange(4))
        ]
        with self.session.transaction():
            add(self.session, made)

    def _day(self, random: Random) -> date | None:
        return random.choice((None, *(at(day).date() for day in (1, 2, 3, 4, 5, 31, 40, 60))))


DEEDS = (
    World.load, World.load, World.reload, World.update, World.lose, World.erase,
    World.move, World.forget, World.remember, World.meet,
    World.redefine,
)  # fmt: skip


@pytest.fixture(scope="module")
def url(postgres: PostgresServer, migrated_template: str) -> Iterator[str]:
    with fresh_database(postgres, migrated_template) as name:
        yield postgres.url(name)


@settings(max_examples=EXAMPLES, print_blob=True, suppress_health_check=list(HealthCheck))
@given(
    steps=st.lists(st.sampled_from(DEEDS) | st.just(None), min_size=1, max_size=14),
    seed=st.integers(0, 2**16),
)
def test_a_refresh_after_any_history_counts_what_there_is(
    url: str, steps: list[object], seed: int
) -> None:
    random = Random(seed)
    with psycopg.connect(url, autocommit=True) as session:
        session.execute(_EMPTY)
        world = World(session)
        for _ in range(6):
            world.meet(random)
            world.load(random)
        for deed in (None, *steps, None):
            if callable(deed):
                deed(world, random)
            else:
                refresh_all(url)
                assert differences(session) == []
