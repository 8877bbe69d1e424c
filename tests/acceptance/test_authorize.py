"""``pipeline authorize``: files are checked as a whole and sent once, whatever is killed in between."""

from __future__ import annotations

import csv
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from tests.support.asking import Asking
from tests.support.commands import eventually

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pipeline.sandbox import Running
    from tests.support.commands import Done, Project

FAST = {
    # The calls are longer apart than they last: else time alone does not tell two of them apart.
    "ACTIVITIES_AUTHORIZATIONS_PER_SECOND": "10",
    "ACTIVITIES_AUTHORIZATIONS_PER_DAY": "5000",
    "ACTIVITIES_AUTHORIZATIONS_WAIT_SECONDS": "0",
}
HEAD = (
    "reference", "description", "phone_country_code", "phone_number",
    "validity_time_unit", "validity_amount", "requirements",
)  # fmt: skip

#: Ways for a line to be bad: the column, what stands in it, and what is said of it.
BAD = (
    ("description", " ", "description is missing"),
    ("phone_country_code", "XX", "phone_country_code is not a two-letter country"),
    ("phone_number", "", "phone_number is missing"),
    ("phone_number", "99988", "phone_number ***88 is not a valid number in PE"),
    ("phone_number", "CALL-ME", "phone_number holds characters that are not digits"),
    ("validity_amount", "0", "validity_amount must be above 0 and below"),
    ("validity_amount", "", "validity_amount is missing: give both or neither"),
    ("validity_time_unit", "FORTNIGHTS", "validity_time_unit 'FORTNIGHTS' is not known"),
    ("requirements", "RQ2", "requirement code 'RQ2' is not of the form RQ_002"),
    ("requirements", "RQ_002:IDT1", "item code 'IDT1' is not of the form IDT_001"),
)


@pytest.fixture
def service(serve: Callable[..., Running]) -> Running:
    """Serve a few activities under a running clock."""
    return serve(5, frozen=False)


@pytest.fixture
def made(service: Running, project: Callable[[Running], Project]) -> Project:
    """Make a project that sends as fast as it goes."""
    made = project(service)
    made.settings |= FAST
    return made


@pytest.fixture
def asking(service: Running, migrated_url: str) -> Asking:
    """Read the stored requests, and settle them in this process."""
    return Asking(migrated_url, service)


def number_of(person: int) -> str:
    """Return a valid number that nobody else has."""
    return f"9{10_000_000 + person}"


def write(file: Path, lines: list[dict[str, str]]) -> Path:
    """Write a CSV file."""
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, HEAD)
        writer.writeheader()
        writer.writerows(lines)
    return file


def line(person: int, **changes: str) -> dict[str, str]:
    """Return a good line, with some cells otherwise."""
    return {
        "reference": f"customer-{person}",
        "description": "Please share your data with us",
        "phone_country_code": "PE",
        "phone_number": number_of(person),
        "validity_time_unit": "HOURS",
        "validity_amount": "48",
        "requirements": "RQ_002:IDT_001+IDT_002 RQ_005",
        **changes,
    }


def shows_no_number(done: Done, people: int) -> None:
    """Assert that no person's number is in what a command wrote."""
    digits = re.sub(r"[^0-9\n]", "", done.out + done.err)
    assert not [person for person in range(people) if number_of(person) in digits]


def test_a_thousand_lines_with_thirty_bad_ones(made: Project, asking: Asking) -> None:
    made.settings["ACTIVITIES_AUTHORIZATIONS_PER_SECOND"] = "10000"
    lines = [line(person) for person in range(1000)]
    bad = {33 * place + 7: BAD[place % len(BAD)] for place in range(30)}
    for place, (column, cell, _) in bad.items():
        lines[place][column] = cell
    file = write(made.folder / "people.csv", lines)

    refused = made.run("authorize", str(file))
    assert refused.code == 2, refused
    assert len(refused.lines) == 31
    for told, (place, (_, _, problem)) in zip(refused.lines, sorted(bad.items()), strict=False):
        assert told.startswith(f"line {place + 2}: {problem}"), told
    assert "30 of 1000 lines can't be sent, so nothing was" in refused.lines[-1]
    assert asking.rows() == []
    assert asking.service.state.counters().by_operation.get("create", 0) == 0
    shows_no_number(refused, 1000)

    sent = made.run("authorize", str(file), "--skip-invalid", "--yes")
    assert sent.code == 0, sent
    assert "of 1,000: 970 queued, 0 known already, 30 skipped" in sent.out
    assert asking.states() == {"linked": 970}
    assert len(asking.created()) == asking.service.state.counters().by_operation["create"] == 970
    assert asking.mistakes() == []
    shows_no_number(sent, 1000)

    again = made.run("authorize", "--skip-invalid", str(file))
    assert again.code == 0, again
    assert "of 1,000: 0 queued, 970 known already, 30 skipped" in again.out
    assert asking.service.state.counters().by_operation["create"] == 970


def test_a_dry_run_shows_and_sends_nothing(made: Project, asking: Asking) -> None:
    file = write(made.folder / "people.csv", [line(1), line(2, requirements="RQ_777")])
    done = made.run("authorize", str(file), "--dry-run")
    assert done.code == 0, done
    for told in ("customer-1", "PE *******01", "48 HOURS", "RQ_002:IDT_001+IDT_002 RQ_005",
                 "Please share your data with us", "of 2: 2 would be queued, 0 known already"):  # fmt: skip
        assert told in done.out
    assert done.lines == ["line 3: requirement code RQ_777 has no label in analytics.codes"]
    assert asking.rows() == []
    assert asking.service.state.counters().requests == 0
    shows_no_number(done, 3)


def test_json_and_csv_without_references_are_the_same_requests(
    made: Project, asking: Asking
) -> None:
    file = write(made.folder / "people.csv", [line(1, reference=""), line(2, reference="")])
    assert made.run("authorize", str(file), "--queue-only").code == 0
    assert asking.states() == {"queued": 2}
    entries = [
        {
            "description": "Please share your data with us",
            "phone": {"phone_country_code": "pe", "phone_number": f"+51 {number_of(person)}"},
            "validity_threshold": {"time_unit": "HOURS", "amount": 48},
            "requirements": [
                {"code": "RQ_002", "items": [{"code": "IDT_001"}, {"code": "IDT_002"}]},
                {"code": "RQ_005"},
            ],
        }
        for person in (1, 2, 3)
    ]
    (made.folder / "people.json").write_text(json.dumps(entries), encoding="utf-8")
    done = made.run("authorize", "people.json", "--yes")
    assert done.code == 0, done
    assert "of 3: 1 queued, 2 known already, 0 skipped" in done.out
    assert asking.states() == {"linked": 3}
    assert asking.mistakes() == []
    assert made.run("authorize", "send", "--yes").code == 0
    assert len(asking.created()) == 3


def test_a_reference_means_one_request(made: Project, asking: Asking) -> None:
    write(made.folder / "people.csv", [line(1)])
    assert made.run("authorize", "people.csv", "--queue-only").code == 0
    twice = [line(1, description="other"), line(2), line(2), line(3, reference=""),
             line(3, reference=""), line(4, reference=number_of(4))]  # fmt: skip
    write(made.folder / "people.csv", twice)
    done = made.run("authorize", "people.csv", "--yes")
    assert done.code == 2
    assert [told.split(";")[0] for told in done.lines[:-1]] == [
        "line 2: reference 'customer-1' was used before, for another request",
        "line 4: the same reference 'customer-2' as 3",
        "line 6: the same request as 5",
        "line 7: reference holds the phone number: choose another",
    ]
    assert asking.states() == {"queued": 1}
    shows_no_number(done, 5)


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("people.txt", b"", "a .csv or a .json file"),
        ("missing.csv", None, "No such file"),
        ("people.csv", b"", "the first line must name the columns"),
        ("people.csv", "description;phone_number\n".encode("utf-16"), "is not UTF-8"),
        ("people.csv", b"999888777,PE,hello\n", "the first line must name the columns (3 unknown"),
        ("people.csv", b"description,phone_number\n", "missing: phone_country_code"),
        ("people.json", b'{"description": "x"}', "must hold an array"),
        ("people.json", b'[{"phone": 999888777x}]', "is not JSON (at byte"),
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
    parking = asking.service.state.park("create", 4, phase=phase)
    with made.start("authorize", "people.csv", "--yes") as command:
        parking.wait(60)
        command.send(signal.SIGKILL)
        assert command.end().code == -signal.SIGKILL
    if phase != "late":
        eventually(lambda: parking.stage == "gone", "the service sees it die")
    parking.release()
    effects = 3 if phase == "before" else 4
    eventually(lambda: len(asking.created()) == effects, "what was asked took effect")
    assert asking.states() == {"sent": 3, "sending": 1, "queued": 2}
    done = made.run("authorize", "people.csv", "--yes")
    # Nothing is counted as missing before the list had time to show everything.
    for minutes in (2, 18):
        asking.pass_time(minutes=minutes)
        done = made.run("authorize", "send", "--yes")
    if phase != "late":
        assert done.code == 0, done
    # A late effect may be too late for its time to show whose it is.
    for row in asking.rows():
        if row["state"] == "unknown":
            (found,) = row["candidates"]
            made.run("authorize", "resolve", row["id"], "--link", found["activity_id"])
    assert asking.states() == {"linked": 6}
    assert len(asking.created()) == 6
    assert asking.mistakes() == []


def test_killed_between_calls(made: Project, asking: Asking) -> None:
    write(made.folder / "people.csv", [line(person) for person in range(60)])
    parking = asking.service.state.park("list", 2)
    with made.start("authorize", "people.csv", "--yes") as command:
        parking.wait(60)
        command.send(signal.SIGKILL)
        command.end()
    parking.release()
    assert asking.states() == {"sent": 50, "queued": 10}
    assert made.run("authorize", "people.csv", "--yes").code == 0
    assert asking.states() == {"linked": 60}
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


def test_a_person_decides(made: Project, asking: Asking) -> None:
    from pipeline.sandbox import FaultRule

    asking.service.state.set_faults(
        FaultRule(kind="reset", operation="create", requests=1),
        FaultRule(
            kind="status", status=400, body="no 9-1000-0002", operation="create", numbers=(2,)
        ),
    )
    write(made.folder / "people.csv", [line(1), line(2, description="Another", reference="")])
    done = made.run("authorize", "people.csv", "--yes")
    assert done.code == 3, done
    assert "1 were rejected by the service" in done.err
    listed = made.run("authorize", "list", "--state", "rejected")
    assert "400, the request holds incorrect values: no *******02" in listed.out
    shows_no_number(listed, 3)
    unknown, rejected = asking.rows()
    state = asking.service.state
    theirs = state.create(type="AT_004", in_out_bound="IN")
    swap = state.create(type="AT_003", in_out_bound="OUT")
    ours = state.create(type="AT_004", in_out_bound="OUT")
    nobody = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
    for given, why in (
        ("x", "--link x is not an activity's id"),
        (nobody, f"the service shows no activity {nobody}"),
        (theirs, f"activity {theirs} is IN, not OUT"),
        (swap, f"activity {swap} is no authorization: its type is AT_003"),
    ):
        wrong = made.run("authorize", "resolve", unknown["id"], "--link", given)
        assert wrong.code == 2
        assert why in wrong.err
    wrong = made.run("authorize", "resolve", rejected["id"], "--fail")
    assert "is rejected; only queued or sent or unknown requests can be resolved" in wrong.err
    assert "no request begins with zzz" in made.run("authorize", "resolve", "zzz").err

    assert "next look" in made.run("authorize", "list").out
    shown = made.run("authorize", "resolve", "customer-1")
    assert "unknown" in shown.out
    assert "--link ACTIVITY, --requeue or --fail" in shown.err
    for undone in (True, False):
        linked = made.run("authorize", "resolve", "customer-1", "--link", ours)
        assert linked.out == f"request {unknown['id'][:8]} is linked now\n"
        if undone:
            back = made.run("authorize", "resolve", "customer-1", "--undo")
            assert back.out == f"request {unknown['id'][:8]} is unknown now\n"
    taken = made.run("authorize", "resolve", rejected["id"], "--link", ours)
    assert "is rejected; only sent or unknown" in taken.err
    assert made.run("authorize", "resolve", rejected["id"], "--requeue").code == 0
    assert asking.row(unknown["id"])["activity_id"] == ours
    assert made.run("authorize", "send", "--yes").code == 0
    assert asking.row(rejected["id"])["state"] == "linked"


def test_decisions_for_all_of_one_cause(made: Project, asking: Asking) -> None:
    from pipeline.sandbox import FaultRule

    asking.service.state.set_faults(
        FaultRule(kind="status", status=422, body="no", operation="create", numbers=(1, 2)),
        FaultRule(kind="status", status=400, body="never", operation="create", numbers=(3,)),
    )
    write(made.folder / "people.csv", [line(person) for person in range(3)])
    assert made.run("authorize", "people.csv", "--yes").code == 3
    assert asking.states() == {"rejected": 3}
    wrong = made.run("authorize", "resolve", "--all", "--requeue")
    assert "there are 2 causes" in wrong.err
    assert made.run("authorize", "resolve", "customer-1", "--all", "--requeue").code == 0
    assert asking.states() == {"queued": 2, "rejected": 1}
    assert made.run("authorize", "cancel", "customer-0").code == 0
    assert asking.states() == {"queued": 1, "failed": 1, "rejected": 1}
    assert made.run("authorize", "cancel", "--all").code == 0
    assert asking.states() == {"failed": 2, "rejected": 1}


def test_an_earlier_file_does_not_go_out_with_the_next_one(made: Project, asking: Asking) -> None:
    write(made.folder / "people.csv", [line(1)])
    assert made.run("authorize", "people.csv", "--queue-only").code == 0
    write(made.folder / "people.csv", [line(2)])
    refused = made.run("authorize", "people.csv")
    assert refused.code == 2
    assert "nobody can be asked here: send 1 requests with --yes" in refused.err
    done = made.run("authorize", "people.csv", "--yes")
    assert done.code == 0, done
    assert "1 queued before are left out" in done.err
    assert asking.states() == {"queued": 1, "linked": 1}
    write(made.folder / "people.csv", [line(3)])
    assert made.run("authorize", "people.csv", "--queued", "--yes").code == 0
    assert asking.states() == {"linked": 3}


def test_what_became_of_each_line(made: Project, asking: Asking) -> None:
    from tests.support.mirroring import TODAY, Warehouse

    people = [line(person) for person in range(4)]
    write(made.folder / "people.csv", people)
    assert made.run("authorize", "people.csv", "--yes").code == 0
    first, second, third, fourth = (row["activity_id"] for row in asking.rows())
    asking.service.state.move(first, "accept")
    # The service's clock may be far behind ours, by which the sharing period would be over.
    asking.service.state.edit(first, expires_at=int((time.time() + 86_400) * 1000))
    asking.service.state.move(second, "decline")
    asking.service.state.move(third, "cancel")
    asking.service.state.enter_status(fourth, "SENT")
    Warehouse(asking.url, asking.service).days(TODAY, TODAY)
    more = [*people, line(5), line(6, phone_number="1")]
    write(made.folder / "people.csv", more)
    done = made.run("authorize", "results", "people.csv", "--output", "results.csv")
    assert done.code == 0, done
    with (made.folder / "results.csv").open(encoding="utf-8-sig", newline="") as stream:
        found = list(csv.DictReader(stream))
    assert [row["line"] for row in found] == ["2", "3", "4", "5", "6", "7"]
    assert [row["result"] for row in found[1:]] == [
        "declined", "canceled", "linked", "not queued", "invalid",
    ]  # fmt: skip
    assert found[0]["result"] == "accepted"
    assert found[0]["accepted"].startswith("RQ_002:IDT_001")
    assert found[3]["activity_id"] == fourth
    assert found[0]["phone_number"] == "'+51*******00"  # a spreadsheet would read a formula
    assert (made.folder / "results.csv").stat().st_mode & 0o777 == 0o600
    shown = made.run("authorize", "results", "people.csv", "--json")
    assert [row["result"] for row in json.loads(shown.out)][1] == "declined"
    shows_no_number(shown, 7)
    shows_no_number(made.run("authorize", "results"), 7)
    shows_no_number(made.run("authorize", "list", "--json"), 7)
    open_numbers = made.run("authorize", "results", "--json", "--show-numbers")
    assert json.loads(open_numbers.out)[0]["phone_number"] == f"+51{number_of(0)}"


def test_nobody_is_asked_twice_unnoticed(made: Project, asking: Asking) -> None:
    write(made.folder / "first.csv", [line(1), line(2)])
    assert made.run("authorize", "first.csv", "--yes").code == 0
    again = [line(1, reference="b1"), line(3), line(3, reference="b3")]
    write(made.folder / "people.csv", again)
    warned = made.run("authorize", "people.csv", "--dry-run")
    assert warned.code == 0, warned
    assert warned.lines == [
        "line 2: this person was asked within 30 days",
        "line 4: another line asks the same person",
    ]
    assert re.search(r"people to ask\W+2\b", warned.out)
    assert re.search(r"asked in the last 30 days\W+1\b", warned.out)
    refused = made.run(
        "authorize", "people.csv", "--yes", ACTIVITIES_AUTHORIZATIONS_REPEATS="refuse"
    )
    assert refused.code == 2
    assert len(refused.lines) == 3
    with psycopg.connect(asking.url) as session:
        session.execute(
            "update warehouse.authorization_requests set requested_at = requested_at - interval '40 days'"
        )
    assert len(made.run("authorize", "people.csv", "--dry-run").lines) == 1


def test_people_whose_data_were_erased_are_asked_no_more(made: Project, asking: Asking) -> None:
    write(made.folder / "people.csv", [line(1)])
    assert made.run("authorize", "people.csv", "--yes").code == 0
    queued = asking.queue(number=number_of(1))
    (row,) = (row for row in asking.rows() if row["state"] == "linked")
    erased = made.run("erase", "--entity", row["counterpart_id"], "--yes")
    assert erased.code == 0, erased
    write(made.folder / "people.csv", [line(1, reference="again"), line(2)])
    done = made.run("authorize", "people.csv", "--queued", "--skip-invalid", "--yes")
    assert done.lines[0] == "line 2: this person's data were erased on request: ask no more"
    assert asking.row(queued)["state"] == "failed"
    assert asking.row(queued)["state_reason"] == "the person's data were erased on request"
    assert len(asking.created()) == 2


def test_nothing_personal_in_the_outcomes(made: Project, asking: Asking) -> None:
    write(made.folder / "people.csv", [line(1)])
    assert made.run("authorize", "people.csv", "--yes").code == 0
    with psycopg.connect(asking.url) as session:
        rows = session.execute("select row_to_json(o) from analytics.authorization_outcomes o")
        text = json.dumps(rows.fetchall())
    assert number_of(1) not in text
    assert "Please share" not in text
    assert datetime.now(UTC).strftime("%Y-%m-%d") in text
