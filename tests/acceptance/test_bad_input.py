"""Bad input: one clear line with the cause and the remedy, a non-zero exit, no secret, no traceback."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import psycopg
import pytest

from tests.acceptance.conftest import SECRETS, impatient
from tests.support.commands import make_project, service_settings
from tests.support.relay import OlderServer, Refusing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pipeline.local import LocalPostgres
    from pipeline.sandbox import Running
    from tests.support.commands import Done, Project

DAY = ("--from", "2026-01-01", "--to", "2026-01-01")
DATABASE_PASSWORD = "dä:t%b@se€"
TOMORROW = (datetime.now(UTC) + timedelta(days=2)).date().isoformat()


def refused(done: Done, code: int, *words: str) -> None:
    """Assert that a command ended with one clear line on stderr and nothing else."""
    assert done.code == code, done
    assert len(done.lines) == 1, done
    assert done.out == "", done
    for word in words:
        assert word in done.err, done
    assert "Traceback" not in done.err
    for secret in (SECRETS.api_key, SECRETS.password, DATABASE_PASSWORD):
        assert secret not in done.err


@pytest.fixture
def nowhere(tmp_path: Path) -> Project:
    """Return a project whose service and warehouse answer at no address."""
    settings = service_settings("http://127.0.0.1:9", SECRETS)
    url = f"postgresql://someone:{DATABASE_PASSWORD}@127.0.0.1:9/warehouse"
    return make_project(tmp_path / "project", settings | {"WAREHOUSE_URL": url})


@pytest.mark.parametrize(
    "wrong",
    [
        {
            "ACTIVITIES_API_KEY": (None, "ACTIVITIES_API_KEY"),
            "ACTIVITIES_PASSWORD": ("  ", "ACTIVITIES_PASSWORD"),
            "ACTIVITIES_START_DATE": ("01.02.2026", "yyyy-MM-dd"),
            "ACTIVITIES_BASE_URL": ("api.example.com", "needs a scheme and a host"),
            "ACTIVITIES_TIMEZONE": ("Lima", "IANA name such as America/Lima"),
            "ACTIVITIES_PAGE_SIZE": ("many", "whole number"),
            "ACTIVITIES_SCHEDULE": ("at four", "'at four' is not a cron schedule"),
            "ACTIVITIES_EXPIRED_VALUES": ("forget", "must be one of hide, erase, keep"),
            "WAREHOUSE_URL": (
                f"mysql://me:{DATABASE_PASSWORD}@db/x",
                "postgresql://user:password@",
            ),
        },
        {
            "ACTIVITIES_START_DATE": (TOMORROW, "is in the future"),
            "WAREHOUSE_URL": (None, "WAREHOUSE_URL"),
        },
        {
            "ACTIVITIES_BASE_URL": ("https://me:pä:55%w@rd€@example.com", "credentials"),
            "ACTIVITIES_START_DATE": ("1026-01-01", "is before 2000"),
        },
    ],
)
def test_all_that_is_wrong_with_settings_is_named_at_once(
    nowhere: Project, wrong: dict[str, tuple[str | None, str]]
) -> None:
    done = nowhere.run("sync", **{name: value for name, (value, _) in wrong.items()})
    refused(done, 2, *wrong, *(remedy for _, remedy in wrong.values()))
    assert "ACTIVITIES_USERNAME" not in done.err


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        (("--from", "2026-02-02", "--to", "2026-02-01"), "--from 2026-02-02 is after --to"),
        (("--from", "2026-2-1"), "--from: '2026-2-1' is not a day of the calendar"),
        (("--from", "2026-02-01", "--to", TOMORROW), f"--to {TOMORROW} is in the future"),
        (("--from", "2025-12-31"), "before ACTIVITIES_START_DATE, 2026-01-01"),
    ],
)
def test_wrong_dates(nowhere: Project, arguments: tuple[str, ...], cause: str) -> None:
    refused(nowhere.run("sync", *arguments), 2, cause)


def test_an_unreachable_warehouse(nowhere: Project) -> None:
    for command in ("sync", "migrate"):
        done = impatient(nowhere, command)
        refused(done, 1, "127.0.0.1:9/warehouse", "is the server running")


@pytest.mark.parametrize("command", ["sync", "status", "doctor", "migrate"])
def test_a_wrong_password_is_one_refused_login(
    made: Project, migrated_url: str, command: str
) -> None:
    with Refusing(migrated_url, "28P01", times=9) as wire:
        done = made.run(command, WAREHOUSE_URL=wire.url)
        assert wire.refused == 1
    assert done.code == 1
    assert "refuses the role or its password: check WAREHOUSE_URL" in done.out + done.err


def test_an_unreachable_service(migrated_url: str, nowhere: Project) -> None:
    nowhere.settings["WAREHOUSE_URL"] = migrated_url
    done = nowhere.run("sync", *DAY)
    refused(done, 1, "no connection to 127.0.0.1:9", "check the base URL and the network")
    changes = {"ACTIVITIES_BASE_URL": "https://127.0.0.1:9", "SSL_CERT_FILE": "/nobody/made.this"}
    done = nowhere.run("sync", *DAY, **changes)
    refused(done, 1, "SSL_CERT_FILE", "correct the variable, or unset it")


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        (
            "insert into sync.schema_migrations (name) values ('9999_of_the_future')",
            ("newer than this version", "9999_of_the_future", "update the package"),
        ),
        ("truncate sync.schema_migrations", ("restore sync.schema_migrations from a backup",)),
    ],
)
def test_a_schema_of_another_version(
    service: Running, made: Project, migrated_url: str, statement: str, words: tuple[str, ...]
) -> None:
    with psycopg.connect(migrated_url) as session:
        session.execute(statement.encode())
    for command in (("sync", *DAY), ("migrate",), ("runs",)):
        refused(made.run(*command), 1, *words)
    assert service.state.counters().requests == 0


def test_a_server_older_than_15(made: Project, database_url: str) -> None:
    with OlderServer(database_url, "14.9") as older:
        for command in (("sync", *DAY), ("migrate",)):
            done = made.run(*command, WAREHOUSE_URL=older.url)
            refused(done, 1, "runs PostgreSQL 14; 15 or newer is needed")
    with OlderServer(database_url, "15.9") as just_right:
        assert made.run("migrate", WAREHOUSE_URL=just_right.url).code == 0


@pytest.fixture
def guarded(crash_postgres: Callable[..., LocalPostgres]) -> LocalPostgres:
    """Return a server that asks the role ``guarded`` for a password."""
    server = crash_postgres(fsync="off")
    with psycopg.connect(server.url(), autocommit=True) as session:
        session.execute(f"create role guarded login password '{DATABASE_PASSWORD}'".encode())
        session.execute("create database guarded owner guarded")
        rules = server.home / "data" / "pg_hba.conf"
        rules.write_text("local all guarded scram-sha-256\n" + rules.read_text())
        session.execute("select pg_reload_conf()")
    return server


def test_passwords_with_signs_and_letters_of_all_kinds(
    guarded: LocalPostgres, made: Project
) -> None:
    assert all(sign in SECRETS.password for sign in ":%@ä€")  # it's the service's as well
    as_it_is = guarded.url("guarded").replace("postgres@", f"guarded:{DATABASE_PASSWORD}@")
    encoded = as_it_is.replace(DATABASE_PASSWORD, "d%C3%A4%3At%25b%40se%E2%82%AC")
    assert encoded != as_it_is
    for url in (as_it_is, encoded):
        done = made.run("sync", *DAY, WAREHOUSE_URL=url)
        assert done.code == 0, done


def test_an_instance_that_can_not_be_written(made: Project) -> None:
    shutil.rmtree(made.folder / "history")
    (made.folder / "history").write_text("a file in the place of the folder")
    done = made.run("sync", *DAY)
    refused(done, 1, "error:")
    assert (made.folder / "history").is_file()


def test_nothing_there_yet_to_look_at(nowhere: Project, database_url: str) -> None:
    for command in ("runs", "quarantine list"):
        done = nowhere.run(*command.split(), WAREHOUSE_URL=database_url)
        refused(done, 2, "not there yet", "`pipeline migrate`")
    done = nowhere.run("status", WAREHOUSE_URL=database_url)
    assert done.code == 1, done
    assert "the warehouse's schema is not there yet: run `pipeline migrate`" in done.out
