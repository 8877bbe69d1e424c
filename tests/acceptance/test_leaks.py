"""Every command and fault at the most verbose level: no secret and no shared value comes out anywhere.

Looked through: stdout, stderr with all logs and tracebacks, and Dagster's whole instance (event log, run
config, metadata, captured output). `tests/integration/test_reprs.py` looks at the objects,
`tests/service/test_answers.py` at what the client makes of each answer of a service.

Clause 7 of docs/guarantees.md.
"""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING, Any

import psycopg
import typer

from pipeline.cli import app
from pipeline.sandbox import FaultRule
from tests.support.commands import make_project, service_settings
from tests.support.habits.answers import CUT_JSON
from tests.support.loud import LoudCommands
from tests.support.mirroring import sandbox
from tests.support.obstacles import failing, no_longer_failing
from tests.support.planted import MARK, SECRETS, leak, leaks_in, plant

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.sandbox import Running

DAYS = ("--from", "2026-01-01", "--to", "2026-01-02")

#: They bring services of their own, whose credentials are public. The UI and the daemon: test_deaths.py.
ELSEWHERE = {"demo", "dev", "sandbox", "ui", "daemon"}

#: What a failing service may say about us and about members.
_TALKATIVE = json.dumps({"message": f"{MARK} {SECRETS.password}"})

_FAULTS: dict[str, FaultRule] = {
    "details: refused, with a talkative body": FaultRule(
        kind="status", status=400, operation="details", numbers=(3,), body=_TALKATIVE
    ),
    "details: failing, with a talkative body": FaultRule(
        kind="status", status=500, operation="details", numbers=(2, 5), body=_TALKATIVE
    ),
    "details: cut off in the middle": FaultRule(
        operation="details", rate=0.2, first_attempts=1, **CUT_JSON
    ),
    "details: reset in the body": FaultRule(
        kind="reset_body", operation="details", rate=0.2, first_attempts=1
    ),
    "list: of a wrong shape": FaultRule(
        kind="status",
        status=200,
        operation="list",
        first_attempts=1,
        body=json.dumps({"data": MARK}),
    ),
    "login: talkative refusal": FaultRule(
        kind="status", status=401, operation="login", body=_TALKATIVE
    ),
    "login: of a wrong shape": FaultRule(
        kind="status", status=200, operation="login", body=json.dumps({"token": [MARK]})
    ),
    "an outage": FaultRule(kind="status", status=503, body=_TALKATIVE),
}


_PEOPLE = """\
reference,description,phone_country_code,phone_number,validity_time_unit,validity_amount,requirements
loan-1,Please share your data,PE,999888777,HOURS,48,RQ_002:IDT_001
"""


def registered() -> set[str]:
    """Return every command line there is, by its words."""
    command = typer.main.get_command(app)
    found = set()
    for name, each in vars(command)["commands"].items():
        found.add(name)
        found |= {f"{name} {inner}" for inner in getattr(each, "commands", {})}
    return found


def spoil(service: Running) -> None:
    """Let details be such as can't be stored, with marks where the fault is."""
    changes: list[dict[str, Any]] = [
        {"valid_until": MARK},
        {"timeline": [{"date_time": MARK}]},
        {"entity": {"id": MARK, "name": MARK}},
        {"accepted_requirements": [{"data": {"value": {MARK: "1e999999"}}}]},
    ]
    for name, change in zip(service.state.ids(), changes, strict=False):
        body = (service.state.truth_of(name).details_fields() or {}) | change
        raw = json.dumps(body).replace('"1e999999"', "1e999999")
        service.state.replace_payload(name, details=raw.encode())


def test_nothing_comes_out_of_any_command(tmp_path: Path, migrated_url: str) -> None:
    with sandbox(
        30, from_date=date(2026, 1, 1), to_date=date(2026, 1, 2), credentials=SECRETS
    ) as service:
        plant(service.state)
        settings = service_settings(service.base_url, SECRETS)
        url = migrated_url.replace("postgres@", f"postgres:{MARK}@")
        project = make_project(tmp_path / "project", settings | {"WAREHOUSE_URL": url})
        broken = make_project(tmp_path / "broken", {}).folder
        (broken / "history").write_text("a file in the place of the folder")
        (project.folder / "people.csv").write_text(_PEOPLE, encoding="utf-8")
        with LoudCommands(project) as loud:
            codes = run_everything(loud, service, url, broken)
            done = loud.finish()
    assert {name.split(" #")[0] for name in codes} >= registered() - ELSEWHERE
    assert set(codes.values()) >= {0, 1, 2, 3}, codes
    assert leak(done.out) is None
    assert leak(done.err) is None
    # It was loud indeed, and the marks were there to be told.
    for words in ("sqlalchemy", "asyncio", "Traceback", "pipeline.service.tokens"):
        assert words in done.err, words
    assert (project.folder / "history" / "runs.db").is_file()
    assert leaks_in(project.folder, ["person.html"]) == {}
    with psycopg.connect(migrated_url) as session:
        marked = "select count(*) from warehouse.entities where name like %s"
        assert session.execute(marked, (f"%{MARK}%",)).fetchone() != (0,)
        told: list[Any] = session.execute("select reason from sync.quarantine").fetchall()
        told += session.execute("select error from sync.runs").fetchall()
        told += session.execute("select activity_id, fields::text from sync.run_changes").fetchall()
    assert len(told) > 10
    assert leak(repr(told)) is None


def run_everything(loud: LoudCommands, service: Running, url: str, broken: Path) -> dict[str, int]:
    """Run every command, and `sync` under every fault; return the exit codes.

    ``broken``: a project in which Dagster's history can't be kept, which nobody expects.
    """
    codes: dict[str, int] = {}
    codes["doctor"] = loud.run("doctor")
    codes["migrate"] = loud.run("migrate")
    codes["sync"] = loud.run("sync", *DAYS)
    for name, rule in _FAULTS.items():
        service.state.set_faults(rule)
        codes[f"sync # {name}"] = loud.run("sync", *DAYS, "--full")
    service.state.set_faults()
    spoil(service)
    codes["sync # spoiled details"] = loud.run("sync", *DAYS, "--full")
    codes["quarantine list"] = loud.run("quarantine", "list")
    codes["quarantine show"] = loud.run("quarantine", "show", "1")
    codes["quarantine retry"] = loud.run("quarantine", "retry")
    codes["quarantine"] = loud.run("quarantine")
    codes["reparse"] = loud.run("reparse")
    codes["runs"] = loud.run("runs")
    codes["status"] = loud.run("status")
    with psycopg.connect(url) as session:
        row = session.execute("select run_id from sync.runs limit 1").fetchone()
    codes["runs show"] = loud.run("runs", "show", str(row[0] if row else ""))
    codes["migrate # roles"] = loud.run("migrate", "--roles")
    codes["export"] = loud.run("export", "activities", "--output", "activities.csv")
    codes["report"] = loud.run("report")
    codes["erase"] = loud.run("erase", "--expired")
    person = service.state.people()[0]["id"]
    codes["person"] = loud.run("person", person)
    codes["erase # a person"] = loud.run("erase", "--entity", person, "--messages", "--yes")
    codes["authorize send"] = loud.run("authorize", "send", "people.csv", "--dry-run")
    codes["authorize"] = loud.run("authorize", "people.csv", "--yes")
    codes["authorize settle"] = loud.run("authorize", "settle")
    codes["authorize list"] = loud.run("authorize", "list")
    codes["authorize resolve"] = loud.run("authorize", "resolve", "loan-1")
    codes["authorize cancel"] = loud.run("authorize", "cancel", "loan-1")
    failing(url, "warehouse.activities", "XX000", 10**6)  # its message holds the whole row
    for person in service.state.people():
        service.state.change_entity(person["id"], name=f"other {MARK}")
    for name in service.state.ids():
        service.state.edit(name, description=f"other {MARK}")
    codes["sync # a talkative database"] = loud.run("sync", *DAYS, "--full")
    no_longer_failing(url, "warehouse.activities")
    wrong = f"not-{MARK}"
    codes["sync # a wrong password"] = loud.run("sync", *DAYS, ACTIVITIES_PASSWORD=wrong)
    codes["doctor # a wrong key"] = loud.run("doctor", ACTIVITIES_API_KEY=wrong)
    nobody = url.replace("postgres@", f"me:{MARK}@")
    codes["migrate # no such role"] = loud.run("migrate", WAREHOUSE_URL=nobody)
    codes["sync # no service"] = loud.run("sync", *DAYS, ACTIVITIES_BASE_URL="http://127.0.0.1:9")
    codes["runs # no URL"] = loud.run("runs", WAREHOUSE_URL=f"mysql://me:{MARK}@db/x")
    in_url = f"https://me:{MARK}@api.example"
    codes["sync # a password in the URL"] = loud.run("sync", ACTIVITIES_BASE_URL=in_url)
    codes["sync # unexpected"] = loud.run("sync", *DAYS, DAGSTER_HOME=str(broken))
    codes["init"] = loud.run("init")  # last: it writes a .env, which each command would read
    return codes
