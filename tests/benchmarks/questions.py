"""``python -m tests.benchmarks.questions``: how long questions and refreshes of analytics take.

Every question of ``sql/queries``, those that an analyst tries first, and what is read whole, at several
sizes of the warehouse. PostgreSQL works on each in one process, whose CPU seconds count: so what else
runs on the machine, and help by parallel workers, change nothing.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg

from pipeline.local import LocalPostgres
from pipeline.warehouse.database.engine import open_engine
from pipeline.warehouse.schema.migrate import migrate
from pipeline.warehouse.schema.refresh import refresh
from tests.benchmarks.figures import RESULTS, table
from tests.integration.test_work_of_questions import ASKED
from tests.scale.volume import BULK_SETTINGS, fill
from tests.support.postgres import discard, session_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

#: What is always shown, besides the slowest.
_ALWAYS = (
    "readable now", "readable then", "values", "all as we knew it", "all as we knew it then"
)  # fmt: skip
_SLOWEST = 8

#: A body of usual size for each activity; every fifth changed in the last 100 days, so that what we knew
#: before stands in an older response only.
_LANDED = """
truncate landing.activity_details;
update warehouse.activities set details_fetched_at = now() - n * interval '1 day'
from (select id as changed, abs(hashtext(id::text)) % 500 as n from warehouse.activities) as drawn
where id = changed and n < 100;
insert into landing.activity_details (activity_id, first_seen_at, last_seen_at, digest, body)
select id, received, now(), uuid_send(id), convert_to(jsonb_build_object(
    'id', id, 'type', type, 'in_out_bound', in_out_bound, 'status', status, 'time_zone', time_zone,
    'entity', jsonb_build_object('id', entity_id, 'name', repeat('name ', 60)),
    'created_at', millis, 'updated_at', millis, 'valid_until', millis + 864e5, 'attended_at', millis,
    'timeline', (select jsonb_agg(jsonb_build_object('status', status, 'message', md5(id::text || n)))
        from generate_series(1, 15) as n)
)::text, 'UTF8')
from (
    select *, floor(extract(epoch from created_at) * 1000) as millis from warehouse.activities
) as activity
cross join lateral (
    select details_fetched_at as received
    union
    select created_at
) as version;
"""

_CHANGE = """
update warehouse.activities set status = 'ODD'
where id in (select id from warehouse.activities order by id limit 1000)
"""


def _cpu(pid: int) -> float:
    """Return the CPU seconds of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _refreshed(url: str) -> float:
    engine = open_engine(url)
    began = time.monotonic()
    refresh(engine)
    engine.dispose()
    return time.monotonic() - began


def measure(number: int) -> Iterator[tuple[str, float]]:
    """Fill a warehouse, and yield what was done with its seconds: refreshes first."""
    with session_folder() as folder:
        home = Path(tempfile.mkdtemp(dir=folder))
        server = LocalPostgres(home, settings=BULK_SETTINGS | {"random_page_cost": "1.1"}).start()
        url = server.url()
        try:
            migrate(url)
            fill(url, number, datetime.now(UTC))
            with psycopg.connect(url, autocommit=True) as session:
                session.execute("set session_replication_role = replica")
                session.execute(_LANDED)
            yield "first refresh (wall)", _refreshed(url)
            with psycopg.connect(url, autocommit=True) as session:
                session.execute("vacuum analyze")
                session.execute(_CHANGE)
                yield "refresh after 1,000 changes (wall)", _refreshed(url)
                session.execute("set max_parallel_workers_per_gather = 0")
                session.execute("set search_path = analytics")
                for name, statement in ASKED.items():
                    before = _cpu(session.info.backend_pid)
                    session.execute(statement.encode())
                    yield name, _cpu(session.info.backend_pid) - before
        finally:
            discard(server)


def compare(numbers: list[int]) -> str:
    """Return a table of the slowest questions of the largest warehouse."""
    found = [dict(measure(number)) for number in numbers]
    slowest = sorted(ASKED, key=lambda name: -found[-1][name])[:_SLOWEST]
    refreshes = list(found[0])[:2]
    names = [*refreshes, *slowest, *(name for name in _ALWAYS if name not in slowest)]
    rows = [[name, *(f"{each[name]:.2f}" for each in found)] for name in names]
    others = max(found[-1][name] for name in ASKED.keys() - set(names))
    rows.append([f"each of the other {len(ASKED.keys() - set(names))}", *[""] * (len(found) - 1)])
    rows[-1].append(f"≤ {others:.2f}")
    return table(["seconds, activities", *(f"{number:,}" for number in numbers)], rows) + "\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.questions", description=__doc__
    )
    parser.add_argument(
        "--activities", type=int, nargs="+", default=[100_000, 1_000_000], help="sizes"
    )
    parser.add_argument("--output", type=Path, default=RESULTS, help="folder for what comes out")
    chosen = parser.parse_args()
    text = compare(chosen.activities)
    chosen.output.mkdir(parents=True, exist_ok=True)
    (chosen.output / "questions.md").write_text(text, encoding="utf-8")
    print(text)  # noqa: T201
