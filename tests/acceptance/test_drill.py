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

#: In every database made from now on, the table gets this trigger as soon as it is created.
_LOSE_EVENTS = """
create function public.lose() returns trigger language plpgsql as $body$
begin return case when new.position > 0 then new end; end
$body$;
create function public.arm() returns event_trigger language plpgsql as $body$
begin
    if exists (select from pg_event_trigger_ddl_commands()
               where object_identity = 'warehouse.timeline_events'
                   and command_tag = 'CREATE TABLE') then
        execute 'create trigger lose before insert on warehouse.timeline_events
                 for each row execute function public.lose()';
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


def test_faults_do_no_harm_on_a_private_server(place: Project) -> None:
    assert len(FAULTS) >= 46
    names = ["ctrl-c", "sigterm", "postgres-killed"]
    done = place.run("drill", *names)
    assert done.code == 0, done
    assert table_of(done) == dict.fromkeys(names, (0, 0, 0))
    assert f"{len(names)} faults: no row missing, none doubled, no request wasted" in done.out
    assert done.lines == []
    # Dagster's history of the project stays as it is.
    assert not (place.folder / "history").exists()


def test_what_is_lost_is_counted_and_named(
    place: Project, crash_postgres: Callable[..., LocalPostgres]
) -> None:
    """`tests/integration/test_faults.py` tests every kind of loss without the command."""
    server = crash_postgres(fsync="off")
    with psycopg.connect(server.url("template1"), autocommit=True) as session:
        session.execute(_LOSE_EVENTS.encode())
    done = place.run("drill", "nul", "--database-url", server.url())
    assert done.code == 1, done
    ((missing, _, _),) = table_of(done).values()
    assert missing > 0
    assert any(line.startswith("nul: missing: timeline_events['") for line in done.lines), done
    assert done.lines[-1] == "failed: 1 of 1 faults did harm"
    with psycopg.connect(server.url()) as session:
        left = session.execute("select datname from pg_database where datname like 'drill%'")
        assert left.fetchall() == []


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


def test_the_list_and_the_page_name_the_faults(place: Project) -> None:
    names = [fault.name for fault in FAULTS]
    assert len(set(names)) == len(names)
    done = place.run("drill", "--list")
    assert done.code == 0, done
    assert [name for name in names if f"│ {name} " not in done.out] == []
    page = (CHECKOUT / "docs" / "development.md").read_text(encoding="utf-8")
    section = page.partition("## Try to break it")[2].partition("\n## ")[0]
    shown = re.findall(r"^([a-z0-9-]+)  .* +0 +0 +0$", section, re.MULTILINE)
    assert len(shown) >= 8
    assert set(shown) <= set(names)
    assert f"{len(names)} faults: no row missing" in section
