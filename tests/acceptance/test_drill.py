"""``pipeline drill``: exits with 0 when no row is lost, and with 1 when rows are really lost.

`tests/integration/test_faults.py` plays the other faults without the command.
"""

from __future__ import annotations

import fcntl
import re
from typing import TYPE_CHECKING

import psycopg
import pytest
from psycopg import sql

from pipeline.drill.faults import FAULTS
from tests.support.commands import CHECKOUT, Project, make_project, processes_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pipeline.local import LocalPostgres
    from tests.support.commands import Done
    from tests.support.postgres import PostgresServer

_ROW = re.compile(r"^│ ([a-z0-9-]+) +│ (.*?) +│ +(\d+) │ +(\d+) │ +(\d+) │$", re.MULTILINE)

#: In every database that is made from now on: as soon as the table is there, it gets the trigger.
_BEHIND_ITS_BACK = """
create function public.sabotage() returns trigger language plpgsql as $body$
begin {deed} end
$body$;
create function public.arm() returns event_trigger language plpgsql as $body$
begin
    if exists (select from pg_event_trigger_ddl_commands()
               where object_identity = '{table}' and command_tag = 'CREATE TABLE') then
        execute 'create trigger sabotage before insert on {table}
                 for each row execute function public.sabotage()';
    end if;
end
$body$;
create event trigger arm on ddl_command_end when tag in ('CREATE TABLE')
    execute function public.arm();
"""


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Project]:
    """Make a project's folder without any setting."""
    made = make_project(tmp_path / "project", {})
    yield made
    assert processes_in(made.folder) == {}


def table_of(done: Done) -> dict[str, tuple[int, int, int]]:
    """Return missing, doubled and wasted by fault."""
    return {row[1]: (int(row[3]), int(row[4]), int(row[5])) for row in _ROW.finditer(done.out)}


def sabotage(server: LocalPostgres, table: str, deed: str) -> None:
    """Make every database created from now on lose or double rows of a table, as ``deed`` says."""
    with psycopg.connect(server.url("template1"), autocommit=True) as session:
        session.execute(_BEHIND_ITS_BACK.format(table=table, deed=deed).encode())


def test_faults_do_no_harm_on_a_private_server(place: Project) -> None:
    assert len(FAULTS) >= 46
    names = ["ctrl-c", "sigterm", "postgres-killed"]
    done = place.run("drill", *names)
    assert done.code == 0, done
    assert table_of(done) == dict.fromkeys(names, (0, 0, 0))
    assert f"{len(names)} faults: no row missing, none doubled, no request wasted" in done.out
    assert done.lines == []
    # Dagster's history of the project stays as it is.
    assert not (place.folder / ".dagster").exists()


@pytest.mark.parametrize(
    ("table", "deed", "fault", "column", "named"),
    [
        (
            "warehouse.timeline_events",
            "return case when new.position > 0 then new end;",
            "wrong-content-type",
            0,
            "missing: timeline_events['",
        ),
        (
            "warehouse.entities",
            "new.name = 'somebody else'; return new;",
            "token-revoked",
            0,
            "'].name",
        ),
        (
            "warehouse.timeline_events",
            "if new.position < 100 then insert into warehouse.timeline_events"
            " select new.activity_id, new.position + 100, 'DOUBLED'; end if; return new;",
            "nul",
            1,
            "surplus: timeline_events['",
        ),
        (
            "sync.activity_ledger",
            "new.details_fingerprint = null; return new;",
            "wrong-content-type",
            2,
            "details requests more than promised",
        ),
    ],
    ids=["missing", "wrong", "doubled", "wasted"],
)
def test_what_is_lost_is_counted_and_named(
    place: Project,
    crash_postgres: Callable[..., LocalPostgres],
    table: str,
    deed: str,
    fault: str,
    column: int,
    named: str,
) -> None:
    server = crash_postgres(fsync="off")
    sabotage(server, table, deed)
    done = place.run("drill", fault, "--database-url", server.url())
    assert done.code == 1, done
    (counts,) = table_of(done).values()
    assert counts[column] > 0
    assert any(line.startswith(f"{fault}: ") and named in line for line in done.lines), done
    assert done.lines[-1] == "failed: 1 of 1 faults did harm"
    assert "somebody else" not in done.err
    with psycopg.connect(server.url()) as session:
        left = session.execute("select datname from pg_database where datname like 'drill%'")
        assert left.fetchall() == []


def test_a_fault_that_does_not_happen_is_no_success(
    place: Project, crash_postgres: Callable[..., LocalPostgres]
) -> None:
    server = crash_postgres(fsync="off")
    sabotage(server, "sync.quarantine", "return null;")
    done = place.run("drill", "wrong-types", "--database-url", server.url())
    assert done.code == 1, done
    expected = "it did not happen as it should: 0 in quarantine for 6 bad ones; 54 of 60 in"
    assert f"wrong-types: {expected}" in done.lines
    assert "missed" in done.out


def test_on_a_server_of_somebody_else(place: Project, postgres: PostgresServer) -> None:
    """As a role that may create databases and nothing more, and that leaves none behind."""
    role = sql.Identifier("drill_role")
    names = ["kill-in-commit-that-fails", "connections-ended", "deadlock", "read-only", "disk-full"]
    with psycopg.connect(postgres.url(), autocommit=True) as session:
        session.execute(sql.SQL("create role {} login createdb").format(role))
        before = session.execute("select datname from pg_database order by 1").fetchall()
        try:
            url = postgres.url().replace("//postgres@", "//drill_role@")
            done = place.run("drill", *names, "postgres-killed", "--database-url", url)
            after = session.execute("select datname from pg_database order by 1").fetchall()
        finally:
            session.execute(sql.SQL("drop role {}").format(role))
    assert done.code == 0, done
    assert table_of(done) == dict.fromkeys(names, (0, 0, 0))
    assert done.lines == ["left out: postgres-killed: it needs a private server"]
    assert after == before
    assert not (place.folder / ".local" / "drill" / "postgres").exists()


def test_a_role_that_may_not_create_databases(place: Project, postgres: PostgresServer) -> None:
    role = sql.Identifier("drill_nobody")
    with psycopg.connect(postgres.url(), autocommit=True) as session:
        session.execute(sql.SQL("create role {} login").format(role))
        try:
            url = postgres.url().replace("//postgres@", "//drill_nobody@")
            done = place.run("drill", "nul", "--database-url", url)
        finally:
            session.execute(sql.SQL("drop role {}").format(role))
    assert done.code == 1, done
    assert done.lines == [
        "error: the role drill_nobody must not create databases, and the drill needs scratch"
        " databases: grant it CREATEDB, or run without --database-url"
    ]


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        (("no-such-fault",), "no such fault: no-such-fault; `pipeline drill --list` names them"),
        (
            ("postgres-killed", "--database-url", "postgresql://somebody@127.0.0.1:1/x"),
            "no fault is left to play: run without --database-url",
        ),
        (("nul", "--database-url", "nonsense"), "WAREHOUSE_URL must look like"),
    ],
)
def test_wrong_usage(place: Project, arguments: tuple[str, ...], cause: str) -> None:
    done = place.run("drill", *arguments)
    assert done.code == 2, done
    assert cause in done.lines[-1]
    assert "Traceback" not in done.err


def test_two_drills_in_one_folder(place: Project) -> None:
    folder = place.folder / ".local" / "drill"
    folder.mkdir(parents=True)
    with (folder / "drill.lock").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = place.run("drill", "nul")
    assert done.code == 2, done
    assert done.lines == [f"error: another drill runs in {folder}: wait for its end"]


def test_the_list_and_the_readme_name_the_faults(place: Project) -> None:
    names = [fault.name for fault in FAULTS]
    assert len(set(names)) == len(names)
    done = place.run("drill", "--list")
    assert done.code == 0, done
    assert [name for name in names if f"│ {name} " not in done.out] == []
    readme = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    section = readme.partition("## Try to break it")[2].partition("\n## ")[0]
    shown = re.findall(r"^([a-z0-9-]+)  .* +0 +0 +0$", section, re.MULTILINE)
    assert len(shown) >= 8
    assert set(shown) <= set(names)
    assert f"{len(names)} faults: no row missing" in section
