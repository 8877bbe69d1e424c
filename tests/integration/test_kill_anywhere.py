"""Kill -9 at every moment of a run: a plain run finishes, and repeats no more than promised.

`tests/support/faults/processes.py` kills the run, and `play` compares every field afterwards: at every
page, around every batch, and at every commit.

Clause 2 of docs/guarantees.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.faults.play import play
from tests.support.faults.processes import in_commit, kill_at
from tests.support.faults.runs import BATCH
from tests.support.faults.trial import ACTIVITIES

if TYPE_CHECKING:
    from pipeline.sandbox.faults import Operation
    from pipeline.sandbox.parking import Phase

#: A batch goes to PostgreSQL when half of it is there.
HALF = BATCH // 2

#: At pages of the list, and around each departure of a batch: before the answer, or with it on its way.
REQUESTS: tuple[tuple[Operation, int, Phase], ...] = (
    ("list", 6, "before"),
    ("login", 1, "after"),
    ("list", 3, "after"),
    ("details", HALF - 1, "before"),
    ("details", HALF + 1, "after"),
    ("details", BATCH + 1, "before"),
    ("details", ACTIVITIES, "before"),
)


@pytest.mark.parametrize(("operation", "number", "phase"), REQUESTS)
def test_at_a_request(migrated_url: str, operation: Operation, number: int, phase: Phase) -> None:
    """All but what is in flight and one batch is stored."""
    result = play(kill_at(operation, number, phase), migrated_url)
    assert result.problems == []
    stored = int(result.happened.partition(", ")[2].partition(" of ")[0])
    if operation != "list":  # details of a window are fetched beside its lists
        most = number if operation == "details" else 1
        assert max(0, most - 1 - BATCH) <= stored < most


def test_with_many_in_flight(migrated_url: str) -> None:
    assert play(kill_at("details", 58, workers=4, walks=4), migrated_url).problems == []


@pytest.mark.parametrize("passes", [True, False], ids=["passes", "rolled-back"])
@pytest.mark.parametrize("after", [0, ACTIVITIES - 1])
def test_inside_the_commit(migrated_url: str, after: int, passes: bool) -> None:
    """The commit waits for a lock of ours; it ends after the run is dead, this way or that."""
    result = play(in_commit(kills=True, passes=passes, after=after), migrated_url)
    stored = after - after % HALF + (HALF if passes else 0)
    assert (result.problems, result.happened) == ([], f"exit -9 inside COMMIT; {stored} of 60 in")


@pytest.mark.parametrize("passes", [True, False], ids=["passes", "rolled-back"])
def test_inside_the_commit_of_rows_of_the_list(migrated_url: str, passes: bool) -> None:
    """Rows of the list are stored before any details are asked for."""
    killed = in_commit(kills=True, passes=passes, after=0, column="listed")
    result = play(killed, migrated_url)
    assert (result.problems, result.happened) == ([], "exit -9 inside COMMIT; 0 of 60 in")
