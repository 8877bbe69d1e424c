"""Nobody is asked twice, whoever writes first, and nobody is taken for somebody else.

Clause 8 of docs/guarantees.md.
"""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import psycopg

from pipeline.sandbox import FaultRule
from tests.support.people import line, number_of, write
from tests.support.storing import share_counterpart, shown_as

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.support.asking import Asking
    from tests.support.commands import Project


@contextmanager
def at_prompt(made: Project, file: str) -> Iterator[Callable[[bytes], tuple[int, bytes]]]:
    """Start the command on a terminal; once it asks, give what answers: its code and stderr."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "pipeline", "authorize", file],
        cwd=made.folder, env=made.environment(), stdin=theirs,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as command:  # fmt: skip
        assert command.stderr is not None
        told = b""
        while b"now?" not in told and (piece := os.read(command.stderr.fileno(), 65536)):
            told += piece

        def answer(line: bytes) -> tuple[int, bytes]:
            os.write(ours, line)
            _, err = command.communicate(timeout=60)
            return command.returncode, told + err

        yield answer
    os.close(ours)
    os.close(theirs)


def test_who_was_asked_while_somebody_read_the_prompt(made: Project, asking: Asking) -> None:
    write(made.folder / "a.csv", [line(person, reference=f"a{person}") for person in range(6)])
    write(made.folder / "b.csv", [line(person, reference=f"b{person}") for person in range(6)])
    with at_prompt(made, "a.csv") as refuse:
        assert b"Send 6 requests to people now?" in refuse(b"n\n")[1]
    assert asking.states() == {}
    with at_prompt(made, "a.csv") as answer:
        assert made.run("authorize", "b.csv", "--yes").code == 0
        code, err = answer(b"y\n")
    assert code == 2
    assert err.count(b"this person was asked within 30 days") == 6
    assert len(asking.created()) == 6
    assert asking.states() == {"linked": 6}


def test_the_preview_shows_the_text_that_is_sent(made: Project, asking: Asking) -> None:
    write(made.folder / "people.csv", [line(1)])
    shown = made.run("authorize", "people.csv", "--dry-run")
    sent = made.run("authorize", "people.csv", "--yes")
    assert (shown.code, sent.code) == (0, 0)
    (activity,) = asking.created()
    message = f"{len(activity['description'])} +{re.escape(activity['description'])}"
    assert re.search(message, shown.out)
    assert re.search(message, sent.out)
    text = "[{reference}] Please share"
    write(made.folder / "people.csv", [line(2, description=text)])
    assert made.run("authorize", "people.csv", "--yes").code == 0
    (row,) = (row for row in asking.rows() if row["reference"] == "customer-2")
    assert asking.created()[-1]["description"] == f"[{row['message_reference']}] Please share"


def test_a_file_that_was_sent_since_the_backup(made: Project, asking: Asking) -> None:
    write(made.folder / "people.csv", [line(person) for person in range(5)])
    assert made.run("authorize", "people.csv", "--yes").code == 0
    with psycopg.connect(asking.url) as session:
        # As a backup of the day before has it.
        session.execute("set local session_replication_role = replica")
        session.execute("truncate warehouse.authorization_requests")
        session.execute("update sync.service_facts set value = 'restored' where fact = 'database'")
    refused = made.run("authorize", "people.csv", "--yes")
    assert refused.code == 2
    assert "confirm-restore" in refused.err
    assert asking.rows() == []
    listing = FaultRule(kind="status", status=400, operation="list")
    asking.service.state.set_faults(listing)
    hidden = made.run("authorize", "confirm-restore", "people.csv", "--yes")
    assert hidden.code == 3, hidden
    assert "of 5 lines, 5 were not known" in hidden.out
    assert "could not be read in full" in hidden.err
    assert "confirm-restore" in made.run("authorize", "people.csv", "--yes").err
    asking.service.state.set_faults()
    shown = made.run("authorize", "confirm-restore", "people.csv")
    assert shown.code == 2
    assert "5 requests were linked; 0 stay queued" in shown.out
    assert "confirm-restore" in made.run("authorize", "people.csv", "--yes").err
    done = made.run("authorize", "confirm-restore", "people.csv", "--yes")
    assert done.code == 0, done
    again = made.run("authorize", "people.csv", "--yes")
    assert again.code == 0, again
    assert "5 known already" in again.out
    assert len(asking.created()) == 5
    assert asking.mistakes() == []


def test_nobody_is_asked_twice_unnoticed(made: Project, asking: Asking) -> None:
    write(made.folder / "first.csv", [line(1), line(2)])
    assert made.run("authorize", "first.csv", "--yes").code == 0
    again = [line(1, reference="b1"), line(3), line(3, reference="b3")]
    write(made.folder / "people.csv", again)
    warned = made.run(
        "authorize", "people.csv", "--dry-run", ACTIVITIES_AUTHORIZATIONS_REPEATS="warn"
    )
    assert warned.code == 0, warned
    assert warned.lines == [
        "line 2: warning: this person was asked within 30 days",
        "line 4: warning: line 3 asks the same person",
    ]
    assert re.search(r"people to ask\W+2\b", warned.out)
    refused = made.run("authorize", "people.csv", "--yes")
    assert refused.code == 2
    assert len(refused.lines) == 3
    with psycopg.connect(asking.url) as session:
        session.execute(
            "update warehouse.authorization_requests set requested_at = requested_at - interval '40 days'"
        )
    done = made.run(
        "authorize", "people.csv", "--dry-run", ACTIVITIES_AUTHORIZATIONS_REPEATS="warn"
    )
    assert len(done.lines) == 1


def test_people_who_share_a_placeholder_counterpart_are_not_confused(
    made: Project, asking: Asking
) -> None:
    asking.service.state.set_faults(*shown_as(share_counterpart))
    write(made.folder / "people.csv", [line(1), line(2)])
    assert made.run("authorize", "people.csv", "--yes").code == 0
    assert len({row["counterpart_id"] for row in asking.rows()}) == 1
    for person in (1, 2):
        shown = made.run("person", "--phone", f"+51{number_of(person)}", "--json")
        held = json.loads(shown.out)["authorizations"]
        assert [row["reference"] for row in held] == [f"customer-{person}"]
    assert made.run("erase", "--phone", f"+51{number_of(1)}", "--yes").code == 0
    assert [row["reference"] for row in asking.rows()] == [None, "customer-2"]
    write(made.folder / "people.csv", [line(1, reference="b1"), line(2, reference="b2")])
    again = made.run(
        "authorize", "people.csv", "--dry-run", ACTIVITIES_AUTHORIZATIONS_REPEATS="warn"
    )
    assert again.lines[:-1] == [
        "line 2: error: this person's data were erased on request: ask no more",
        "line 3: warning: this person was asked within 30 days",
    ]
