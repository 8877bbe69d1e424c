"""Nobody is asked twice, whoever writes first: the INSERT decides."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import psycopg

from pipeline.sandbox import FaultRule
from tests.support.commands import eventually
from tests.support.people import line, write

if TYPE_CHECKING:
    from tests.support.asking import Asking
    from tests.support.commands import Project


def test_who_was_asked_while_somebody_read_the_prompt(made: Project, asking: Asking) -> None:
    write(made.folder / "a.csv", [line(person, reference=f"a{person}") for person in range(6)])
    write(made.folder / "b.csv", [line(person, reference=f"b{person}") for person in range(6)])
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "pipeline", "authorize", "a.csv"],
        cwd=made.folder, env=made.environment(), stdin=theirs,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as first:  # fmt: skip
        assert first.stderr is not None
        os.set_blocking(first.stderr.fileno(), False)
        told = b""

        def asked() -> bool:
            nonlocal told
            assert first.stderr is not None
            told += first.stderr.read() or b""
            return b"Send 6 requests" in told

        eventually(asked, "the first one is asked", 60)
        assert made.run("authorize", "b.csv", "--yes").code == 0
        os.set_blocking(first.stderr.fileno(), True)
        os.write(ours, b"y\n")
        _, err = first.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)
    assert first.returncode == 2
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
