"""``pipeline authorize``: files are checked as a whole and sent once, whatever is killed in between."""

from __future__ import annotations

import json
import signal
from typing import TYPE_CHECKING

from tests.support.commands import eventually
from tests.support.people import line, number_of, shows_no_number, write

if TYPE_CHECKING:
    from tests.support.asking import Asking
    from tests.support.commands import Project


def test_a_file_with_bad_lines(made: Project, asking: Asking) -> None:
    made.settings["ACTIVITIES_AUTHORIZATIONS_PER_SECOND"] = "100"
    # On a busy machine one look may miss some; the next one follows a second later.
    made.settings["ACTIVITIES_AUTHORIZATIONS_WAIT_SECONDS"] = "60"
    lines = [line(person) for person in range(120)]
    for place in range(0, 120, 10):
        lines[place]["phone_number"] = "99988"
    file = write(made.folder / "people.csv", lines)

    refused = made.run("authorize", str(file))
    assert refused.code == 2, refused
    assert len(refused.lines) == 13
    for told, place in zip(refused.lines, range(2, 120, 10), strict=False):
        problem = "error: phone_number ***88 is not a valid number in PE"
        assert told.startswith(f"line {place}: {problem}"), told
    assert "12 of 120 lines can't be sent, so nothing was" in refused.lines[-1]
    assert asking.rows() == []
    assert asking.service.state.counters().by_operation.get("create", 0) == 0
    shows_no_number(refused, 120)

    sent = made.run("authorize", str(file), "--skip-invalid", "--yes")
    assert sent.code == 0, sent
    assert "of 120: 108 queued, 0 known already, 12 skipped" in sent.out
    assert asking.states() == {"linked": 108}
    assert len(asking.created()) == asking.service.state.counters().by_operation["create"] == 108
    assert asking.mistakes() == []
    shows_no_number(sent, 120)

    again = made.run("authorize", "--skip-invalid", str(file))
    assert again.code == 0, again
    assert "of 120: 0 queued, 108 known already, 12 skipped" in again.out
    assert asking.service.state.counters().by_operation["create"] == 108


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


def test_what_a_file_must_not_have(made: Project, asking: Asking) -> None:
    missing = made.run("authorize", "missing.csv")
    assert (missing.code, len(missing.lines)) == (2, 1)
    assert "No such file" in missing.err
    (made.folder / "people.csv").write_text(f"{number_of(1)},PE,hello\n", encoding="utf-8")
    nameless = made.run("authorize", "people.csv")
    assert "the first line must name the columns (3 unknown" in nameless.err
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
    for each in (nameless, done):
        shows_no_number(each, 5)


def test_killed_in_the_middle_of_a_call(made: Project, asking: Asking) -> None:
    write(made.folder / "people.csv", [line(person) for person in range(6)])
    parking = asking.service.state.park("create", 4, phase="before")
    with made.start("authorize", "people.csv", "--yes") as command:
        parking.wait(60)
        command.send(signal.SIGKILL)
        assert command.end().code == -signal.SIGKILL
    parking.release("reset")
    eventually(lambda: len(asking.created()) == 3, "what was asked took effect")
    assert asking.states() == {"sent": 3, "sending": 1, "queued": 2}
    made.run("authorize", "people.csv", "--yes")
    assert asking.states() == {"linked": 5, "unknown": 1}
    told = json.loads(made.run("status", "--json").out)["problems"]
    assert any("1 authorization calls are unclear, the oldest for" in each for each in told), told
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


def test_errors_come_before_warnings_each_in_the_order_of_lines(
    made: Project, asking: Asking
) -> None:
    lines = [line(person) for person in range(8)]
    lines[1] |= {"requirements": "RQ_777"}
    lines[2] |= {"phone_number": "1511234567.0", "phone_country_code": "DE"}
    lines[3] |= {"phone_number": f"\u202a{number_of(3)}\u202c", "requirements": "RQ_777"}
    lines[4] |= {"phone_number": "1,51E+10", "phone_country_code": "DE", "requirements": "RQ_777"}
    lines[5] |= {"requirements": ""}
    lines[6] |= {"reference": "customer-0"}
    write(made.folder / "people.csv", lines)
    done = made.run("authorize", "people.csv")
    assert done.code == 2
    changed = "error: a spreadsheet changed this phone_number: format the column as text, and fill it again"
    told = [each.partition(";")[0] for each in done.lines]
    assert told == [
        f"line 4: {changed}",
        f"line 6: {changed}",
        "line 8: error: the same reference 'customer-0' as line 2",
        "line 3: warning: requirement code RQ_777 has no label in analytics.codes (and 1 more line)",
        "line 5: warning: phone_number: invisible marks or unusual characters are left out",
        "line 7: warning: no requirements: the request asks for nothing",
        "error: 3 of 8 lines can't be sent, so nothing was: correct them,"
        " or send the others with --skip-invalid",
    ]
    assert asking.rows() == []
    sent = made.run("authorize", "people.csv", "--skip-invalid", "--yes")
    assert "of 8: 5 queued, 0 known already, 3 skipped" in sent.out
    assert asking.states() == {"linked": 5}
    shown = json.loads(made.run("authorize", "results", "people.csv", "--json").out)
    assert [each["line"] for each in shown] == list(range(2, 10))
    results = [each["result"] for each in shown]
    assert [place for place, each in enumerate(results, 2) if each == "invalid"] == [4, 6, 8]
