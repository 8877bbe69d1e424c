"""For programs: JSON as docs/nights.md describes it, logs as JSON; colours only on a terminal."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from pipeline.sandbox import FaultRule
from tests.support.commands import CHECKOUT

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.acceptance.conftest import MakeProject, Serve
    from tests.support.commands import Done, Project

DAYS = ("--from", "2026-01-01", "--to", "2026-01-04")
PEOPLE = "description,phone_country_code,phone_number\nShare,PE,999888777\nShare,PE,1\n"
_ROW = re.compile(r"^\| `pipeline ([\w -]+) --json` \| (\w+)[^|]* \| ([^|]*) \|$", re.MULTILINE)
_FIELD = re.compile(r"`(\w+)` (list|\w+)(\??)(?: of (parts|text|objects|2 numbers))?")


def _is_time(value: object) -> bool:
    return datetime.fromisoformat(str(value)).tzinfo is not None


KINDS: dict[str, Callable[[Any], bool]] = {
    "text": lambda value: isinstance(value, str),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "flag": lambda value: isinstance(value, bool),
    "time": _is_time,
    "day": lambda value: date.fromisoformat(value).isoformat() == value,
    "text list": lambda value: all(isinstance(each, str) for each in value),
    "objects list": lambda value: all(isinstance(each, dict) for each in value),
    "counts": lambda value: all(isinstance(each, int) for each in value.values()),
    "2 numbers list": lambda value: len(value) == 2,
}


def documented() -> dict[str, tuple[str, list[tuple[str, str, bool]]]]:
    """Return by command: whether it prints an object or a list; name, kind and nullability of fields."""
    page = (CHECKOUT / "docs" / "nights.md").read_text(encoding="utf-8")
    return {
        command: (
            shape,
            [
                (name, f"{of} list" if of else kind, bool(mark))
                for name, kind, mark, of in _FIELD.findall(fields)
            ],
        )
        for command, shape, fields in _ROW.findall(page)
    }


def check(command: str, done: Done) -> list[dict[str, Any]]:
    """Assert that a command printed what the documentation says; return the objects."""
    schema = documented()
    shape, fields = schema[command]
    assert done.out.count("\n") == 1, done
    printed = json.loads(done.out)
    objects: list[dict[str, Any]] = [printed] if shape == "object" else printed
    assert isinstance(objects[0], dict)
    for each in objects:
        assert each.keys() == {name for name, _, _ in fields}, command
        for name, kind, optional in fields:
            if kind == "parts list":
                part = {field for field, _, _ in schema["runs"][1]}
                assert all(row.keys() == part for row in each[name])
            else:
                value = each[name]
                assert KINDS[kind](value) if value is not None else optional, (command, name)
    return objects


def test_json_is_as_documented(serve: Serve, project: MakeProject) -> None:
    service = serve(40, from_date=date(2026, 1, 1), to_date=date(2026, 1, 4))
    made = project(service)
    name = service.state.ids()[7]
    service.state.set_faults(FaultRule(kind="status", operation="details", id=name))
    synced = made.run("sync", "--json", *DAYS)
    assert synced.code == 3, synced
    (run,) = check("sync", synced)
    assert run["status"] == "incomplete"
    assert run["parts"][0]["new"] == 39
    check("sync --plan", made.run("sync", "--plan", "--json", *DAYS))
    (part,) = check("runs", made.run("runs", "--json"))
    assert part == run["parts"][0]
    (entry,) = check("quarantine list", made.run("quarantine", "list", "--json"))
    assert entry["activity_id"] == name
    results = {each["result"] for each in check("doctor", made.run("doctor", "--json"))}
    assert results == {"pass"}
    (status,) = check("status", made.run("status", "--json"))
    assert status["quarantined"] == 1
    (made.folder / "people.csv").write_text(PEOPLE, encoding="utf-8")
    assert made.run("authorize", "people.csv", "--queue-only", "--skip-invalid").code == 0
    (request,) = check("authorize list", made.run("authorize", "list", "--json"))
    assert request["phone_number"] == "+51*******77"
    asked = check("authorize results", made.run("authorize", "results", "people.csv", "--json"))
    assert [each["result"] for each in asked] == ["queued", "invalid"]
    check("authorize results", made.run("authorize", "results", "--json"))
    shown = made.run("person", "--json", "--phone", "+51999888777")
    (held,) = check("person", shown)
    assert [each["reference"] for each in held["authorizations"]] == [None]
    assert len(documented()) == 9

    service.state.set_faults(FaultRule(kind="status", status=403, operation="login"))
    failed = made.run("sync", "--json", *DAYS, ACTIVITIES_LOG_FORMAT="json")
    assert failed.code == 1, failed
    assert check("sync", failed)[0]["status"] == "failed"
    told = [json.loads(line) for line in failed.lines]
    assert all(each.keys() == {"time", "level", "message"} for each in told)
    assert [each["level"] for each in told if "403" in each["message"]] == ["error"]
    assert all(_is_time(each["time"]) for each in told)
    wrong = made.run("runs", "show", "none", ACTIVITIES_LOG_FORMAT="json")
    assert json.loads(wrong.err)["level"] == "error"


def on_terminal(made: Project, *arguments: str, **changes: str | None) -> str:
    """Return what a command writes to a terminal, as it is."""
    ours, theirs = pty.openpty()
    command = subprocess.Popen(
        [sys.executable, "-m", "pipeline", *arguments],
        cwd=made.folder,
        env=made.environment(TERM="xterm-256color", **changes),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    written = b""
    while piece := _read(ours):
        written += piece
    command.wait()
    os.close(ours)
    return written.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # EIO: nobody writes there any more
        return b""


def test_no_control_character_of_an_answer_reaches_the_terminal(
    serve: Serve, project: MakeProject
) -> None:
    service = serve(10, from_date=date(2026, 1, 1), to_date=date(2026, 1, 4))
    made = project(service)
    service.state.create(activity_id="odd\x1b]0;title\x07\x9b31m:smile:", created_at=1767312000000)
    assert made.run("sync", *DAYS).code == 3
    shown = on_terminal(made, "quarantine", "list")
    assert "odd\ufffd]0;title\ufffd\ufffd31m:smile:" in shown
    assert not set(shown) & {"\x07", "\x9b"}
    assert "\x1b]" not in shown
    for variables in ({}, {"NO_COLOR": "1"}):
        codes = set(re.findall(r"\x1b\[([\d;]*)m", on_terminal(made, "doctor", **variables)))
        assert ("32" in codes) == (not variables)  # green
    listed = json.loads(on_terminal(made, "quarantine", "list", "--json"))
    assert listed[0]["activity_id"] == "odd\x1b]0;title\x07\x9b31m:smile:"
