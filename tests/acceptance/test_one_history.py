"""One history, one warehouse: whatever the settings lead to, Dagster shows what is there.

Clause 10 of docs/guarantees.md.
"""

from __future__ import annotations

import json
from datetime import date, timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import dagster as dg
import psycopg

from pipeline.assets.facts import ACTIVITIES
from pipeline.sandbox import FaultRule
from tests.support.reading import rows

if TYPE_CHECKING:
    from tests.acceptance.conftest import MakeProject, Serve
    from tests.support.commands import Done, Project
    from tests.support.postgres import PostgresServer

FIRST, LAST = date(2026, 1, 1), date(2026, 1, 9)


def green(made: Project) -> set[str]:
    with dg.DagsterInstance.local_temp(str(made.folder)) as instance:
        return instance.get_materialized_partitions(ACTIVITIES)


def sync(made: Project, last: date = FIRST) -> Done:
    return made.run("sync", "--from", str(FIRST), "--to", str(last))


def says_another(made: Project) -> bool:
    """Return whether `status` says it."""
    problems = json.loads(made.run("status", "--json").out)["problems"]
    return any("history shows another warehouse" in line for line in problems)


def doctor_warns(made: Project) -> bool:
    found = {each["what"]: each["result"] for each in json.loads(made.run("doctor", "--json").out)}
    return bool(found["history's warehouse"] == "warn")


def complete(url: str) -> set[str]:
    return {day for (day,) in rows(url, "select day::text from sync.days where listed > 0")}


def test_the_history_follows_the_warehouse(
    serve: Serve, project: MakeProject, migrated_url: str, postgres: PostgresServer
) -> None:
    service = serve(60, from_date=FIRST, to_date=LAST)
    made = project(service)
    assert sync(made, LAST).err == ""
    shown = green(made)
    assert shown == complete(migrated_url)
    assert len(shown) > 5
    assert not says_another(made)
    assert not doctor_warns(made)

    # Another address: its days are shown before the run asks for anything, even if it fails.
    name = urlsplit(migrated_url).path.strip("/")
    other = postgres.url(f"{name}_other")
    with psycopg.connect(postgres.url(), autocommit=True) as session:
        session.execute(f'create database "{name}_other"'.encode())
    made.settings["WAREHOUSE_URL"] = other
    assert made.run("migrate").code == 0
    assert says_another(made)
    assert doctor_warns(made)
    service.state.set_faults(FaultRule(operation="login", kind="status", status=401))
    failed = sync(made)
    assert failed.code == 1
    assert "Dagster's history showed another warehouse" in failed.err
    assert green(made) == set()
    service.state.set_faults()
    assert sync(made, FIRST + timedelta(2)).err == ""
    assert green(made) == complete(other)

    # Back to the first one, of which nothing is fetched: all its days are there again.
    made.settings["WAREHOUSE_URL"] = migrated_url
    assert "it shows this one now: " in sync(made).err
    assert green(made) == shown

    # A backup takes the database's place, under the same name: two days are not in it.
    with psycopg.connect(other, autocommit=True) as session:
        session.execute("delete from sync.days where day = %s", (FIRST,))
    with psycopg.connect(postgres.url(), autocommit=True) as session:
        session.execute(f'drop database "{name}" with (force)'.encode())
        session.execute(f'create database "{name}" template "{name}_other"'.encode())
    assert says_another(made)
    service.state.set_faults(FaultRule(operation="login", kind="status", status=401))
    sync(made)
    assert green(made) == complete(migrated_url) < shown

    # What nothing can notice is told by hand, as docs/upkeep.md says.
    service.state.set_faults()
    assert sync(made).code == 0
    assert not says_another(made)
    with psycopg.connect(migrated_url, autocommit=True) as session:
        session.execute("update sync.service_facts set value = 'restored' where fact = 'database'")
    assert says_another(made)
    with psycopg.connect(postgres.url(), autocommit=True) as session:
        session.execute(f'drop database "{name}_other" with (force)'.encode())
