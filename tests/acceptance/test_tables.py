"""What commands print fits: at 80 and 40 columns of a terminal, and as one line a row elsewhere."""

from __future__ import annotations

import re
import uuid
from typing import TYPE_CHECKING

import psycopg
import pytest

if TYPE_CHECKING:
    from tests.support.commands import Project

REASON = (
    "details of activity {}: created_at lies in 1970: it looks like seconds instead of milliseconds"
)
RUNS = [f"{number:08d}{str(uuid.uuid4())[8:]}" for number in range(10)]
TWINS = [f"aaaaaaaa-{number}{str(uuid.uuid4())[10:]}" for number in range(2)]
ACTIVITIES = [str(uuid.uuid4()) for _ in range(3)]


@pytest.fixture
def full(made: Project, migrated_url: str) -> Project:
    """Make a project whose warehouse has runs, entries in quarantine and requests."""
    with psycopg.connect(migrated_url) as session:
        for name in (*RUNS, *TWINS):
            session.execute(
                "insert into sync.runs (run_id, kind, window_from, window_to, status, error, started_at)"
                " values (%s, 'days', '2026-11-10', '2026-11-13', 'incomplete', %s, now())",
                (name, "2026-11-10: 10 in quarantine; 2026-11-13: 50 in quarantine"),
            )
        for number, name in enumerate(ACTIVITIES):
            session.execute(
                "insert into sync.quarantine (activity_id, source, subject, reason, first_seen_at,"
                " last_seen_at, next_attempt_at) values (%s, 'details', %s, %s, now(), now(), now())",
                (name, name, REASON.format(name)),
            )
            session.execute(
                "insert into warehouse.authorization_requests (id, phone_country_code, phone_number,"
                " state_reason, reference, description) values (%s, 'PER', %s, %s, %s, 'text')",
                (name, f"+5199988877{number}", REASON.format(name), f"ref-{number}"),
            )
    return made


def test_it_fits(full: Project) -> None:
    for width, command in ((80, "runs"), (40, "quarantine list"), (40, "doctor"), (40, "status")):
        done = full.run(*command.split(), FORCE_COLOR="1", COLUMNS=str(width))
        lines = done.out.splitlines()
        assert lines, done
        assert max(map(len, lines)) <= width, done
        if command == "quarantine list":
            # Nothing is cut, and the reason begins a line.
            text = " ".join(done.out.split())
            assert all(REASON.format(name) in text for name in ACTIVITIES), done
            assert re.search(r"(?m)^(\d+:|  reason:) details", done.out), done


def test_elsewhere_each_row_is_a_line(full: Project) -> None:
    for command, rows in (("runs", 12), ("authorize list", 3)):
        done = full.run(*command.split())
        assert not re.search("[\u2500-\u257f]", done.out), done
        assert len(done.out.splitlines()) == rows + 2, done  # a title, and the names of the columns


def test_ids_are_shortened_while_they_are_unique(full: Project) -> None:
    shown = full.run("runs").out
    assert all(f"{name[:8]} " in shown for name in RUNS)
    for name in TWINS:
        short = name[:10]
        assert f"{short} " in shown
        assert full.run("runs", "show", short).code == 0
    for prefix, said in (("aaaaaaaa", "2 runs begin with"), ("", "name a run"), ("f", "no run")):
        done = full.run("runs", "show", prefix)
        assert (done.code, len(done.lines)) == (2, 1), done
        assert said in done.err
