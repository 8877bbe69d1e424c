"""Random histories: `draw` makes one of a seed, `played` plays its steps in a small world.

Each step has a seed of its own, so that it does nearly the same when others are left out.
"""

from __future__ import annotations

from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from random import Random
from typing import TYPE_CHECKING

from tests.support import refreshing as views
from tests.support.deeds import DEEDS
from tests.support.forms import Form
from tests.support.law import Broken
from tests.support.mirroring import LastingWarehouse, restart_run_numbers, sandbox
from tests.support.oracle import FIRST, OPTIONS, Step, World

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tests.support.mirroring import Warehouse

HANDS = ("tamper", "tamper", "stamps", "refresh", "accept")
WRONGS = ("start", "start", "start", "start", "stop")
RUNS = (
    *("night", "night", "night", "days", "days", "full", "beside", "killed", "cut_off", "verify"),
    "reparse",
)


def draw(seed: int) -> list[Step]:
    """Draw a history: mostly a first load, then deeds, wrongs and runs, and a run."""
    random = Random(seed)
    whats = ["load"] if random.random() < 0.8 else []
    for _ in range(random.randrange(2, 5)):
        kinds = random.choices(
            ((*DEEDS, "settle"), WRONGS, HANDS), (5, 4, 1), k=random.randrange(1, 5)
        )
        whats += [random.choice(kind) for kind in kinds]
        whats.append(random.choice(RUNS))
    return [Step(what, f"{seed}:{number}") for number, what in enumerate(whats)]


#: Tables that a migrated warehouse begins with rows in.
_KEPT = ["schema_migrations", "view_versions", "grant_versions", "privacy"]


def clear(warehouse: Warehouse) -> None:
    """Empty a warehouse: quicker than a new database for each history."""
    with warehouse.session() as session:
        session.execute("set local session_replication_role = replica")  # no triggers or references
        tables = session.execute(
            "select schemaname || '.' || tablename from pg_tables"
            " where schemaname in ('warehouse', 'landing', 'sync') and tablename <> all (%s)",
            (_KEPT,),
        ).fetchall()
        session.execute("".join(f"delete from {table};" for (table,) in tables).encode())
        views.everything_is_stale(session)


@contextmanager
def world(url: str, seed: int) -> Iterator[World]:
    """Serve a small made-up service of a seed, and mirror it into a warehouse."""
    random = Random(f"world:{seed}")
    days, zone = random.randrange(3, 9), random.choice(("UTC", "America/Lima"))
    switches = {
        "order": random.choice(("newest", "oldest", "id", "id")),
        "max_limit": random.choice((8, 16, 100)),
        "to_day": random.choice(("whole", "midnight")),
        "day_zone": random.choice(("utc", "caller", "America/Santiago")),
        "form": Form(no_arrays=True) if random.random() < 0.3 else None,
        "trailing_empty_page": random.random() < 0.3,
        "expired_details": random.choice(("without_data", "without_data", "forbidden")),
        "updated_at": random.choice(("every", "status")),
    }
    last = FIRST + timedelta(days=days - 1)
    now = datetime(last.year, last.month, last.day, 18, tzinfo=UTC)
    data = {"from_date": FIRST, "to_date": last, "now": now, "seed": seed}
    with (
        sandbox(random.randrange(5, 61), behaviour=switches, **data) as running,
        closing(LastingWarehouse(url, running, zone, OPTIONS)) as warehouse,
    ):
        clear(warehouse)
        yield World(warehouse, seed)


def played(url: str, seed: int, steps: Iterable[Step]) -> list[str]:
    """Play a history in an empty warehouse; return what happened, step by step.

    ``seed``: of the service. A broken law is the last line.
    """
    restart_run_numbers()
    with world(url, seed) as made_world:
        try:
            for step in steps:
                made_world.do(step)
            made_world.conclude()
        except Broken as broken:
            return [*made_world.lines, f"BROKEN {broken}"]
        except Exception as error:
            return [*made_world.lines, f"BROKEN by {type(error).__name__}: {error}"]
        return made_world.lines
