"""Every command and fault at the most verbose level: no secret and no shared value comes out anywhere.

Looked through: stdout, stderr with all logs and tracebacks, and Dagster's whole instance (event log, run
config, metadata, captured output). `tests/integration/test_reprs.py` looks at the objects,
`tests/service/test_answers.py` at what the client makes of each answer of a service.

Clause 7 of docs/guarantees.md.
"""

from __future__ import annotations

import json
import shlex
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

SYNC = "sync --from 2026-01-01 --to 2026-01-02"

#: They bring services of their own, whose credentials are public. The UI and the daemon: test_deaths.py.
ELSEWHERE = {"demo", "dev", "sandbox", "ui", "daemon"}

#: What a failing service may say about us and about members.
_TALKATIVE = json.dumps({"message": f"{MARK} {SECRETS.password}"})

_FAULTS: dict[str, list[FaultRule]] = {
    "details: refused, failing, cut off, reset; a list of a wrong shape": [
        FaultRule(kind="status", status=400, operation="details", numbers=(3,), body=_TALKATIVE),
        FaultRule(kind="status", status=500, operation="details", numbers=(5, 8), body=_TALKATIVE),
        FaultRule(operation="details", rate=0.2, first_attempts=1, **CUT_JSON),
        FaultRule(kind="reset_body", operation="details", rate=0.2, first_attempts=1),
        FaultRule(
            kind="status",
            status=200,
            operation="list",
            first_attempts=1,
            body=json.dumps({"data": MARK}),
        ),
    ],
    "login: talkative refusal": [
        FaultRule(kind="status", status=401, operation="login", body=_TALKATIVE)
    ],
    "login: of a wrong shape": [
        FaultRule(kind="status", status=200, operation="login", body=json.dumps({"token": [MARK]}))
    ],
    # It is tried twelve times: each time after half a second at most.
    "an outage": [FaultRule(kind="status", status=503, retry_after=0, body=_TALKATIVE)],
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
    ran = {" ".join(line.split()[:words]) for line in codes for words in (1, 2)}
    assert ran >= registered() - ELSEWHERE
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

    def run(line: str, why: str = "", **settings: str) -> None:
        codes[f"{line} # {why}"] = loud.run(*shlex.split(line), **settings)

    full = f"{SYNC} --full"
    for line in ("doctor", "migrate", f"{SYNC} --plan", SYNC):
        run(line)
    for name, rules in _FAULTS.items():
        service.state.set_faults(*rules)
        run(full, name)
    service.state.set_faults()
    spoil(service)
    run(full, "spoiled details")
    with psycopg.connect(url) as session:
        row = session.execute("select run_id from sync.runs limit 1").fetchone()
    person = service.state.people()[0]["id"]
    for line in (
        "quarantine list", "quarantine show 1", "quarantine retry", "quarantine", "reparse", "runs",
        "status", f"runs show {row[0] if row else ''}", "migrate --roles",
        "export activities --output activities.csv", "report", "erase --expired", f"person {person}",
        f"erase --entity {person} --messages --yes", "authorize send people.csv --dry-run",
        "authorize people.csv --yes", "authorize settle", "authorize list", "authorize resolve loan-1",
        "authorize cancel loan-1",
    ):  # fmt: skip
        run(line)
    failing(url, "warehouse.activities", "XX000", 10**6)  # its message holds the whole row
    for person in service.state.people():
        service.state.change_entity(person["id"], name=f"other {MARK}")
    for name in service.state.ids():
        service.state.edit(name, description=f"other {MARK}")
    run(full, "a talkative database")
    no_longer_failing(url, "warehouse.activities")
    wrong, nobody = f"not-{MARK}", url.replace("postgres@", f"me:{MARK}@")
    run(SYNC, "a wrong password", ACTIVITIES_PASSWORD=wrong)
    run("doctor", "a wrong key", ACTIVITIES_API_KEY=wrong)
    run("migrate", "no such role", WAREHOUSE_URL=nobody)
    run(SYNC, "no service", ACTIVITIES_BASE_URL="http://127.0.0.1:9")
    run("runs", "no URL", WAREHOUSE_URL=f"mysql://me:{MARK}@db/x")
    run("sync", "a password in the URL", ACTIVITIES_BASE_URL=f"https://me:{MARK}@api.example")
    run(SYNC, "unexpected", DAGSTER_HOME=str(broken))
    run("init")  # last: it writes a .env, which each command would read
    return codes
