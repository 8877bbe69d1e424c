"""``pipeline authorize``: files are checked as a whole and sent once, whatever is killed in between."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.commands import eventually
from tests.support.people import line, number_of, shows_no_number, write

if TYPE_CHECKING:
    from tests.support.asking import Asking
    from tests.support.commands import Project

#: Ways for a line to be bad: the column, what stands in it, and what is said of it.
BAD = (
    ("description", " ", "description is missing"),
    ("phone_country_code", "XX", "phone_country_code is not a two-letter country"),
    ("phone_number", "", "phone_number is missing"),
    ("phone_number", "99988", "phone_number ***88 is not a valid number in PE"),
    ("phone_number", "CALL-ME", "phone_number holds characters that are not digits"),
    ("validity_amount", "0", "validity_amount must be a number above 0 and below"),
    ("validity_amount", "", "validity_amount is missing: give both or neither"),
    ("validity_time_unit", "FORTNIGHTS", "validity_time_unit 'FORTNIGHTS' is not known"),
    ("requirements", "RQ2", "requirement code 'RQ2' is not of the form RQ_002"),
    ("requirements", "RQ_002:IDT1", "item code 'IDT1' is not of the form IDT_001"),
)


def test_three_hundred_lines_with_thirty_bad_ones(made: Project, asking: Asking) -> None:
    made.settings["ACTIVITIES_AUTHORIZATIONS_PER_SECOND"] = "100"
    # On a busy machine one look may miss some; the next one follows a second later.
    made.settings["ACTIVITIES_AUTHORIZATIONS_WAIT_SECONDS"] = "60"
    lines = [line(person) for person in range(300)]
    bad = {9 * place + 7: BAD[place % len(BAD)] for place in range(30)}
    for place, (column, cell, _) in bad.items():
        lines[place][column] = cell
    file = write(made.folder / "people.csv", lines)

    refused = made.run("authorize", str(file))
    assert refused.code == 2, refused
    assert len(refused.lines) == 31
    for told, (place, (_, _, problem)) in zip(refused.lines, sorted(bad.items()), strict=False):
        assert told.startswith(f"line {place + 2}: error: {problem}"), told
    assert "30 of 300 lines can't be sent, so nothing was" in refused.lines[-1]
    assert asking.rows() == []
    assert asking.service.state.counters().by_operation.get("create", 0) == 0
    shows_no_number(refused, 300)

    sent = made.run("authorize", str(file), "--skip-invalid", "--yes")
    assert sent.code == 0, sent
    assert "of 300: 270 queued, 0 known already, 30 skipped" in sent.out
    assert asking.states() == {"linked": 270}
    assert len(asking.created()) == asking.service.state.counters().by_operation["create"] == 270
    assert asking.mistakes() == []
    shows_no_number(sent, 300)

    again = made.run("authorize", "--skip-invalid", str(file))
    assert again.code == 0, again
    assert "of 300: 0 queued, 270 known already, 30 skipped" in again.out
    assert asking.service.state.counters().by_operation["create"] == 270


def test_a_dry_run_shows_and_sends_nothing(made: Project, asking: Asking) -> None:
    file = write(made.folder / "people.csv", [line(1), line(2, requirements="RQ_777")])
    done = made.run("authorize", str(file), "--dry-run")
    assert done.code == 0, done
    for told in ("customer-1", "PE *******01", "48 HOURS", "RQ_002:IDT_001+IDT_002 RQ_005",
                 "Please share your data with us", "2 requests would be sent"):  # fmt: skip
        assert told in done.out
    assert done.lines == [
        "line 3: warning: requirement code RQ_777 has no label in analytics.codes"
    ]
    assert asking.rows() == []
    assert asking.service.state.counters().requests == 0
    shows_no_number(done, 3)


def test_a_reference_means_one_request(made: Project, asking: Asking) -> None:
    write(made.folder / "people.csv", [line(1)])
    assert made.run("authorize", "people.csv", "--queue-only").code == 0
    twice = [line(1, description="other"), line(2), line(2), line(3, reference=""),
             line(3, reference=""), line(4, reference=number_of(4))]  # fmt: skip
    write(made.folder / "people.csv", twice)
    done = made.run("authorize", "people.csv", "--yes")
    assert done.code == 2
    assert [told.split(";")[0] for told in done.lines[:-1]] == [
        "line 2: error: reference 'customer-1' was used before, for another request",
        "line 4: error: the same reference 'customer-2' as line 3",
        "line 6: error: the same request as line 5",
        "line 7: error: reference holds the phone number: choose another",
    ]
    assert asking.states() == {"queued": 1}
    shows_no_number(done, 5)


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("people.json", b"[]", "is not a .csv file"),
        ("missing.csv", None, "No such file"),
        ("people.csv", b"", "the first line must name the columns"),
        ("people.csv", "description;phone_number\n".encode("utf-16"), "is not UTF-8"),
        ("people.csv", b"999888777,PE,hello\n", "the first line must name the columns (3 unknown"),
        ("people.csv", b"description,phone_number\n", "missing: phone_country_code"),
        ("people.csv", b"description,phone_country_code,phone_number,Name\n", "repeated: name;"),
    ],
)
def test_files_that_cannot_be_read(
    made: Project, name: str, content: bytes | None, why: str
) -> None:
    if content is not None:
        (made.folder / name).write_bytes(content)
    done = made.run("authorize", name)
    assert done.code == 2, done
    assert len(done.lines) == 1
    assert why in done.err
    assert "999888777" not in done.err
    assert "Traceback" not in done.err


def test_people_are_asked_before_people_are_asked(made: Project, asking: Asking) -> None:
    write(made.folder / "people.csv", [line(1), line(2)])
    for answer, states in ((b"n\n", {}), (b"y\n", {"linked": 2})):
        ours, theirs = pty.openpty()
        with subprocess.Popen(
            [sys.executable, "-m", "pipeline", "authorize", "people.csv"],
            cwd=made.folder, env=made.environment(), stdin=theirs,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        ) as command:  # fmt: skip
            os.write(ours, answer)
            _, err = command.communicate(timeout=60)
        os.close(ours)
        os.close(theirs)
        assert b"Send 2 requests to people now?" in err
        assert asking.states() == states


@pytest.mark.parametrize("phase", ["before", "after", "late"])
def test_killed_in_the_middle_of_a_call(made: Project, asking: Asking, phase: Any) -> None:
    write(made.folder / "people.csv", [line(person) for person in range(6)])
    parking = asking.service.state.park(
        "create", 4, phase="after" if phase == "after" else "before"
    )
    with made.start("authorize", "people.csv", "--yes") as command:
        parking.wait(60)
        command.send(signal.SIGKILL)
        assert command.end().code == -signal.SIGKILL
    parking.release("reset" if phase == "before" else "answer")
    effects = 3 if phase == "before" else 4
    eventually(lambda: len(asking.created()) == effects, "what was asked took effect")
    assert asking.states() == {"sent": 3, "sending": 1, "queued": 2}
    made.run("authorize", "people.csv", "--yes")
    if phase == "before":
        assert asking.states() == {"linked": 5, "unknown": 1}
        told = json.loads(made.run("status", "--json").out)["problems"]
        assert [
            each for each in told if "1 authorization calls are unclear, the oldest for" in each
        ], told
        shown = made.run("authorize", "resolve", "customer-3")
        assert "of 5 other calls answered since" in shown.err
        assert "the list shows 5: what it lacks was hardly created" in shown.err
        assert made.run("authorize", "resolve", "customer-3", "--requeue").code == 0
        assert made.run("authorize", "people.csv", "--yes").code == 0
    assert asking.states() == {"linked": 6}
    assert len(asking.created()) == 6
    assert asking.mistakes() == []


def test_interrupted_in_a_call_it_ends_it_first(made: Project, asking: Asking) -> None:
    write(made.folder / "people.csv", [line(person) for person in range(3)])
    parking = asking.service.state.park("create", 2, phase="before")
    with made.start("authorize", "people.csv", "--yes") as command:
        parking.wait(60)
        command.send(signal.SIGINT)
        parking.release()
        done = command.end(30)
    assert done.code == 130, done
    assert len(done.lines) == 1
    assert asking.states() == {"sent": 2, "queued": 1}
    assert made.run("authorize", "send", "--yes").code == 0
    assert asking.states() == {"linked": 3}


def test_a_service_out_of_reach(made: Project, asking: Asking) -> None:
    write(made.folder / "people.csv", [line(1)])
    done = made.run("authorize", "people.csv", "--yes", ACTIVITIES_BASE_URL="http://127.0.0.1:9")
    assert done.code == 1, done
    assert len(done.lines) == 1
    assert "no connection to 127.0.0.1:9" in done.err
    assert asking.states() == {"queued": 1}
