"""Faults of processes, of PostgreSQL and of the service, those of answers at every operation.

After each one a plain run completes, nothing is missing or doubled, and no details are fetched more often
than promised (`tests.support.faults.play.Result`). The oracle lets them happen beside one another.

Clause 2 of docs/guarantees.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pipeline.warehouse.database import engine as engines
from tests.support.faults import postgres as postgres_faults
from tests.support.faults import processes
from tests.support.faults import service as service_faults
from tests.support.faults.play import play
from tests.support.faults.postgres import raise_in_load
from tests.support.faults.service import spoil
from tests.support.habits.answers import WEB_PAGE
from tests.support.reading import rows

if TYPE_CHECKING:
    from pipeline.sandbox.faults import Operation
    from tests.support.faults.play import Play, Result

FAULTS = processes.FAULTS | postgres_faults.FAULTS | service_faults.FAULTS

OPERATIONS: tuple[Operation, ...] = ("login", "list", "details")

#: Fields of the sandbox's fault rule, and what a run says of such an answer, by name.
STRIKES: dict[str, tuple[dict[str, Any], str]] = {
    "503": ({"kind": "status", "status": 503}, "503, the service failed"),
    "hang": ({"kind": "hang"}, "no answer in time"),
    "HTML with 200": (WEB_PAGE, "the body is not JSON"),
}
#: The seconds that a service gets that never answers.
IMPATIENT = {"answer_within": 0.1}

#: What these faults must say, beside the counts.
SAID = {
    "connections-ended": "complete",
    "connection-lost-in-commit": "complete",
    "deadlock": "the run was the victim; complete",
    "disk-full": "has no space left on its disk: make room there, then run again",
    "statement-timeout": "raise the role's statement_timeout",
    "20-mb-value": "complete; 60 of 60",
    "killed-beside-another": "the other one complete; 60 of 60",
}


def harmless(fault: Play, url: str) -> Result:
    """Play it in the empty warehouse and assert that it does no harm."""
    result = play(fault, url)
    assert result.problems == [], result.happened
    assert (result.missing, result.doubled, result.wasted) == (0, 0, 0)
    return result


def first_run(url: str) -> tuple[str, str]:
    """Return status and error of the first run: the one under the fault."""
    query = "select status, coalesce(error, '') from sync.runs order by started_at limit 1"
    ((status, error),) = rows(url, query)
    return status, error


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_does_no_harm(
    name: str, migrated_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "statement-timeout":
        # The run gives up after this many seconds; in production after 60.
        monkeypatch.setattr(engines, "PATIENCE", 1.0)
    assert SAID.get(name, "") in harmless(FAULTS[name], migrated_url).happened


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("strike", STRIKES)
def test_an_operation_fails_for_ever_from_some_request_on(
    migrated_url: str, strike: str, operation: str
) -> None:
    """A failing login stops the run; pages leave days incomplete or are an outage, as details are."""
    kind, cause = STRIKES[strike]
    begin = {"login": 1, "list": 3, "details": 8}[operation]
    rule = kind | {"operation": operation, "numbers": tuple(range(begin, 3000))}
    harmless(spoil(job=IMPATIENT if strike == "hang" else {}, **rule), migrated_url)
    status, error = first_run(migrated_url)
    assert "\n" not in error
    if operation == "login":
        assert (status, error.startswith(f"login: {cause}")) == ("failed", True), error
    elif operation == "list":
        # An outage, if not even a single row can be had when the brake asks for one.
        incomplete = f": the list of activities: {cause}" in error
        outage = cause in error and "run again once it works" in error
        assert (status, incomplete and not outage, outage) in (
            ("incomplete", True, False),
            ("failed", False, True),
        ), error
    else:
        assert (status, cause in error) == ("failed", True), error
        assert "run again once it works" in error


def test_damaged_data_stop_the_run_and_are_named(migrated_url: str) -> None:
    happened = harmless(raise_in_load("XX001"), migrated_url).happened
    assert "could not carry out a statement: DataCorrupted (SQLSTATE XX001)" in happened
    assert "made up by a test" not in happened
