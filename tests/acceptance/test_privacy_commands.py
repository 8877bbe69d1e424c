"""`pipeline migrate --roles` and `pipeline erase`, as people run them."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from pipeline.local import LocalPostgres
from tests.support.commands import make_project
from tests.support.mirroring import FIRST, TODAY, Warehouse, created_on
from tests.support.planting import Plants, dump, found_in
from tests.support.postgres import HASTY
from tests.support.reading import value

if TYPE_CHECKING:
    from tests.acceptance.conftest import MakeProject, Serve
    from tests.support.commands import Project

_MODEST = "modest owner"

_NOT_CLEAR = (
    "say what to erase: --entity ID or --phone NUMBER (also with --messages), --expired, or --due"
)

_PEOPLE = """\
reference,description,phone_country_code,phone_number
mark-loan,mark-request,PE,987654321
"""


def test_migrate_makes_the_roles_or_tells_an_administrator_how(
    servers_folder: Path, tmp_path: Path
) -> None:
    home = Path(tempfile.mkdtemp(prefix="roles-", dir=servers_folder))
    with LocalPostgres(home, settings=HASTY) as server:
        with psycopg.connect(server.url(), autocommit=True) as admin:
            admin.execute(f'create role "{_MODEST}" login')
            admin.execute(f'create database mirror owner "{_MODEST}"')
            url = server.url("mirror", _MODEST)
            project = make_project(tmp_path / "project", {"WAREHOUSE_URL": url})
            done = project.run("migrate", "--roles")
            assert (done.code, len(done.lines)) == (1, 1), done
            assert "ask an administrator to run the printed statements" in done.err
            statements = done.out[done.out.index("create role") :]
            admin.execute(statements.encode())
        done = project.run("migrate", "--roles")
        assert (done.code, done.err) == (0, ""), done
        assert "analyst and analyst_personal can read" in done.out
        with psycopg.connect(server.url("mirror")) as admin:
            admin.execute("set session authorization analyst")
            admin.execute("select * from analytics.freshness")
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                admin.execute("select name from warehouse.entities")


def test_erase_tells_first_and_erases_then(
    serve: Serve, project: MakeProject, migrated_url: str
) -> None:
    service = serve(40)
    plants = Plants(service)
    expired, asked = service.state.ids("ACCEPTED", "COMPLETED")[:2]
    now = datetime.now(UTC)
    plants.plant(expired, now - timedelta(days=1))
    plants.plant(asked, now + timedelta(days=1))
    Warehouse(migrated_url, service).days(FIRST, TODAY)
    person = service.state.truth_of(asked).row_fields()["entity"]["id"]
    run = project(service).run
    nobody = run("erase", "--entity", "3f2504e0-4f89-41d3-9a0c-0305e82c3301")
    assert (nobody.code, nobody.out) == (0, "nothing is held of this person\n"), nobody
    unknown = run("person", "--phone", "+51999888777")
    assert (unknown.code, "nothing is held" in unknown.err) == (2, True), unknown
    every = plants.of([expired, asked])
    for options, gone in (
        (["--expired"], {expired}),
        (["--entity", person.upper()], {expired, asked}),
    ):
        before = found_in(dump(migrated_url), every)
        told = run("erase", *options)
        assert told.code == 0, told
        assert ("would be erased" if options == ["--expired"] else "what erases it") in told.out
        assert told.lines[-1] == "nothing was erased; add --yes to erase it for good"
        assert found_in(dump(migrated_url), every) == before
        done = run("erase", *options, "--yes")
        assert done.code == 0, done
        assert "erased" in done.out.splitlines()[-1]
        assert "PostgreSQL's files hold the old rows until the next vacuum" in done.lines[-1]
        assert found_in(dump(migrated_url), every) == plants.of({expired, asked} - gone)


UNCLEAR: tuple[tuple[list[str], str], ...] = (
    ([], _NOT_CLEAR),
    (["--expired", "--entity", "x"], _NOT_CLEAR),
    (["--due", "--messages"], _NOT_CLEAR),
    (["--entity", "Ann"], "a counterpart's ID is a UUID"),
    (["--phone", "+5114567890.0"], "--phone takes a number with its calling code: +51999888777"),
    (["--phone", "14567890"], "--phone takes a number with its calling code: +51999888777"),
    (["--due"], "--due needs ACTIVITIES_KEEP_PERSONAL_MONTHS, which is not set"),
)


def test_erase_refuses_what_is_not_clear(made: Project) -> None:
    for options, said in UNCLEAR:
        done = made.run("erase", *options, "--yes")
        assert (done.code, len(done.lines)) == (2, 1), done
        assert said in done.err


def test_the_setting_decides_and_the_doctor_tells(made: Project, migrated_url: str) -> None:
    dates = ("--from", "2026-01-01", "--to", "2026-01-01")
    done = made.run("sync", *dates, ACTIVITIES_EXPIRED_VALUES="erase")
    assert done.code == 0, done
    assert value(migrated_url, "select expired_values from sync.privacy") == "erase"
    told = made.run("doctor", ACTIVITIES_EXPIRED_VALUES="keep")
    assert "keep; the warehouse still has erase, the next run changes that" in told.out


def test_a_person_is_shown_whole_and_erased_whole(
    serve: Serve, project: MakeProject, migrated_url: str
) -> None:
    service = serve(40)
    plants = Plants(service)
    name = service.state.ids("ACCEPTED", "COMPLETED")[0]
    plants.plant(name, datetime.now(UTC) + timedelta(days=9), description="mark-text")
    person = service.state.truth_of(name).row_fields()["entity"]["id"]
    service.state.change_entity(person, name="mark-name")
    made = project(service)
    run = made.run
    day = str(created_on(service.state.truth_of(name)))
    assert run("sync", "--from", day, "--to", day).code == 0  # Dagster's files
    people = made.folder / "people.csv"
    people.write_text(_PEOPLE, encoding="utf-8")
    assert run("authorize", "people.csv", "--queue-only").code == 0
    phone = ("--phone", "+51 987 654 321")
    with psycopg.connect(migrated_url) as session:
        # As if the activity had been recognised: this is whose number it is.
        session.execute(
            "update warehouse.authorization_requests set counterpart_id = %s", (person,)
        )
    marks = {"mark-name", "mark-text", "mark-request", "mark-loan", "987654321"}
    for options in ((person,), phone):
        done = run("person", *options)
        assert done.code == 0, done
        page = made.folder / "person.html"
        assert page.stat().st_mode & 0o777 == 0o600
        assert found_in(page.read_text(encoding="utf-8"), marks) == marks
        assert not found_in(str(done), marks)
        printed = run("person", *options, "--json")
        assert found_in(printed.out, marks) == marks
    page.unlink()
    told = run("erase", *phone, "--messages")
    assert "received activities (IN)" in told.err
    done = run("erase", *phone, "--messages", "--yes")
    assert done.code == 0, done
    assert "1 authorization requests" in done.out
    people.rename(made.folder / "people-again.csv")
    refused = run("authorize", "people-again.csv", "--yes")
    assert refused.code == 2, refused
    assert "this person's data were erased on request" in refused.err + refused.out
    (made.folder / "people-again.csv").unlink()
    assert run("sync", "--from", day, "--to", day, "--full").code == 0
    assert run("report").code == 0
    left = run("person", *phone)
    assert left.code == 0, left
    shown = (made.folder / "person.html").read_text(encoding="utf-8")
    assert "so that nobody is asked again" in shown
    every = marks | plants.of([name])
    assert found_in(dump(migrated_url), every) == set()
    for file in made.folder.rglob("*"):
        if file.is_file():
            assert found_in(file.read_bytes().decode("latin-1"), every) == set(), file
    assert value(migrated_url, "select count(*) from warehouse.authorization_requests") == 1
