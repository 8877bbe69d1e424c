"""Faults of processes, of PostgreSQL and of the service, those of answers at every operation.

After each one a plain run completes, nothing is missing or doubled, and no details are fetched more often
than promised (`tests.support.faults.play.Result`). The oracle lets them happen beside one another.
"""

from __future__ import annotations

import socket
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from pipeline.warehouse import engine as engines
from tests.support.faults import postgres as postgres_faults
from tests.support.faults import processes
from tests.support.faults import service as service_faults
from tests.support.faults.play import play
from tests.support.faults.postgres import raise_in_load
from tests.support.faults.runs import FIRST, LAST
from tests.support.faults.service import spoil
from tests.support.other_answers import CUT_JSON, EMPTY, WEB_PAGE, born_expired
from tests.support.postgres import PostgresServer, fresh_database

if TYPE_CHECKING:
    from pipeline.sandbox.faults import Operation
    from tests.support.faults.play import Play, Result
    from tests.support.faults.trial import Trial

FAULTS = processes.FAULTS | postgres_faults.FAULTS | service_faults.FAULTS

OPERATIONS: tuple[Operation, ...] = ("login", "list", "details")

#: Fields of the sandbox's fault rule, and what a run says of such an answer, by name.
STRIKES: dict[str, tuple[dict[str, Any], str]] = {
    "500": ({"kind": "status", "status": 500}, "500, the service failed"),
    "503": ({"kind": "status", "status": 503}, "503, the service failed"),
    "429": (
        {"kind": "status", "status": 429, "retry_after": 60},
        "429, too many requests, asks to wait 60 s",
    ),
    "hang": ({"kind": "hang"}, "no answer in time"),
    "reset before the answer": ({"kind": "reset"}, "the connection broke before the answer"),
    "reset in the body": ({"kind": "reset_body"}, "the connection broke before the answer"),
    "cut JSON": (CUT_JSON, "the body is not JSON"),
    "HTML with 200": (WEB_PAGE, "the body is not JSON"),
    "empty body": (EMPTY, "the body is not JSON"),
}
#: The sandbox counts these answers as good ones, so they need a rule for one operation each.
QUIET = ("cut JSON", "HTML with 200", "empty body")

#: The seconds that a service gets that never answers.
IMPATIENT = {"answer_within": 0.1}

#: What these faults must say, beside the counts.
SAID = {
    "wrong-content-type": "complete; 60 of 60",
    "token-revoked": "complete; 2 logins",
    "token-born-expired": "1 answers spoiled; complete; 60 of 60",
    "clock-ahead": "complete; 1 login",
    "clock-behind": "complete; 1 login",
    "connections-ended": "complete",
    "connection-lost-in-commit": "complete",
    "deadlock": "the run was the victim; complete",
    "disk-full": "has no space left on its disk: make room there, then run again",
    "statement-timeout": "raise the role's statement_timeout",
    "nul": "complete; 60 of 60",
    "20-mb-value": "complete; 60 of 60",
    "three-runs-at-once": "complete, complete, complete; 60 of 60",
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
    with psycopg.connect(url) as session:
        row = session.execute(
            "select status, coalesce(error, '') from sync.runs order by started_at limit 1"
        ).fetchone()
    assert row is not None
    return str(row[0]), str(row[1])


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_does_no_harm(
    name: str, migrated_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "statement-timeout":
        # The run gives up after this many seconds; in production after 60.
        monkeypatch.setattr(engines, "PATIENCE", 1.0)
    assert SAID.get(name, "") in harmless(FAULTS[name], migrated_url).happened


def test_what_is_created_before_the_days_of_the_run_is_not_missing(migrated_url: str) -> None:
    def create(trial: Trial) -> str:
        first = datetime.combine(FIRST, time.min, UTC)
        trial.state.create(created_at=int(first.timestamp() * 1000) - 1)
        return str(trial.run())

    assert harmless(create, migrated_url).happened == "complete"


@pytest.mark.parametrize(
    ("strike", "operation"),
    [
        (strike, operation)
        for strike in STRIKES
        for operation in (OPERATIONS if strike in QUIET else ("any",))
    ],
)
def test_the_first_two_attempts_of_everything_fail(
    migrated_url: str, strike: str, operation: str
) -> None:
    rule = STRIKES[strike][0] | {"operation": operation, "first_attempts": 2}
    # Silence takes its time, so a few requests of it are enough.
    rule |= {"requests": 8} if strike == "hang" else {}
    changes = IMPATIENT if strike == "hang" else {}
    assert "complete; 60 of 60" in harmless(spoil(job=changes, **rule), migrated_url).happened


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


NIGHT = {"first": LAST - timedelta(days=2), "nightly": True}


@pytest.fixture(scope="module")
def needed(postgres: PostgresServer, migrated_template: str) -> int:
    """Count the details that a backfill of yesterday, a nightly run and a plain run need."""
    trials: list[Trial] = []

    def undisturbed(trial: Trial) -> str:
        trials.append(trial)
        trial.needed = 10_000
        backfill_yesterday(trial)
        return str(trial.run(**NIGHT))

    with fresh_database(postgres, migrated_template) as name:
        assert harmless(undisturbed, postgres.url(name)).happened == "complete"
    return trials[0].state.counters().by_status["details"]["200"]


def backfill_yesterday(trial: Trial) -> None:
    """Mirror the service as it was a day and a half ago."""
    trial.state.set_clock(advance_ms=-36 * 3_600_000)
    assert trial.run(last=LAST - timedelta(days=2)).status == "complete"
    trial.state.set_clock(advance_ms=36 * 3_600_000)


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("which", ["first attempts", "for ever"])
def test_a_nightly_run_fails(migrated_url: str, needed: int, which: str, operation: str) -> None:
    limits: dict[str, dict[str, Any]]
    limits = {"first attempts": {"first_attempts": 2}, "for ever": {"numbers": tuple(range(2, 99))}}
    rule = {"kind": "status", "status": 503, "operation": operation, **limits[which]}
    if (which, operation) == ("for ever", "login"):
        rule["numbers"] = (1, 2, 3, 4, 5)

    def night(trial: Trial) -> str:
        backfill_yesterday(trial)
        trial.needed = needed
        if (which, operation) == ("for ever", "list"):
            # List rows that are seen only later may be newer than the details that were fetched.
            trial.allow_repeats()
        return spoil(job=NIGHT, **rule)(trial)

    happened = harmless(night, migrated_url).happened
    assert ("complete" in happened.split("; ")) == (which == "first attempts")


@pytest.mark.parametrize("operation", ["list", "details"])
def test_401_for_ever_makes_few_logins(migrated_url: str, operation: str) -> None:
    """Without the list nothing can be proven; without details the list is still known."""
    rule: dict[str, Any] = {"operation": operation, "numbers": tuple(range(3, 3000))}
    logins: list[int] = []

    def refuse(trial: Trial) -> str:
        happened = spoil("status", status=401, **rule)(trial)
        logins.append(trial.state.counters().by_operation["login"])
        return happened

    harmless(refuse, migrated_url)
    assert logins[0] <= 6
    assert first_run(migrated_url)[0] == {"list": "failed", "details": "incomplete"}[operation]


def test_a_token_revoked_while_the_list_is_read(migrated_url: str) -> None:
    def revoke(trial: Trial) -> str:
        ended = trial.while_held("list", 3, trial.state.tokens.revoke_all)
        assert trial.state.counters().by_status["list"]["401"] > 0
        return f"{ended}; {trial.state.counters().logins} logins"

    assert harmless(revoke, migrated_url).happened == "complete; 2 logins"


def test_every_token_is_answered_expired(migrated_url: str) -> None:
    def refuse(trial: Trial) -> str:
        happened = spoil(**born_expired(trial.state))(trial)
        assert trial.state.counters().by_operation["login"] <= 5
        return happened

    assert "complete; 60" not in harmless(refuse, migrated_url).happened.replace("incomplete", "")


class Names:
    """The system's look-up of names, which can be broken for ``localhost``."""

    def __init__(self) -> None:
        self.broken = False
        self.refused = 0
        self._look_up = socket.getaddrinfo

    def __call__(self, host: Any, *rest: Any, **named: Any) -> Any:
        """Look a name up, or fail as for an unknown name."""
        if host not in ("localhost", b"localhost"):
            return self._look_up(host, *rest, **named)
        if self.broken:
            self.refused += 1
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return self._look_up("127.0.0.1", *rest, **named)

    def break_them(self) -> None:
        """Fail from now on."""
        self.broken = True


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Names:
    made = Names()
    monkeypatch.setattr(socket, "getaddrinfo", made)
    return made


def by_name(trial: Trial) -> dict[str, str]:
    """Return the service's address with a name in it."""
    return {"base_url": trial.job.base_url.replace("127.0.0.1", "localhost")}


def test_a_name_that_does_not_resolve_stops_the_run(migrated_url: str, names: Names) -> None:
    names.break_them()
    happened = harmless(lambda trial: str(trial.run(**by_name(trial))), migrated_url).happened
    assert happened.startswith("stopped: ")
    assert names.refused > 0


def test_connections_outlive_the_names(migrated_url: str, names: Names) -> None:
    def play_it(trial: Trial) -> str:
        return str(trial.while_held("details", 8, names.break_them, **by_name(trial)))

    assert harmless(play_it, migrated_url).happened == "complete"
    assert names.refused == 0


def test_damaged_data_stop_the_run_and_are_named(migrated_url: str) -> None:
    happened = harmless(raise_in_load("XX001"), migrated_url).happened
    assert "could not carry out a statement: DataCorrupted (SQLSTATE XX001)" in happened
    assert "made up by a test" not in happened


_SABOTAGE = """
create function public.sabotage() returns trigger language plpgsql as $body$
begin {deed} end
$body$;
create trigger sabotage before insert or update on {table}
for each row execute function public.sabotage();
"""


def play_sabotaged(url: str, fault: str, table: str, deed: str) -> Result:
    """Play a fault in a warehouse that loses or doubles rows of a table."""
    with psycopg.connect(url) as session:
        session.execute(_SABOTAGE.format(table=table, deed=deed).encode())
    return play(FAULTS[fault], url)


@pytest.mark.parametrize(
    ("fault", "table", "deed", "count", "named"),
    [
        (
            "wrong-content-type",
            "warehouse.timeline_events",
            "return case when new.position > 0 then new end;",
            "missing",
            "missing: timeline_events['",
        ),
        (
            "token-revoked",
            "warehouse.entities",
            "new.name = 'somebody else'; return new;",
            "missing",
            "'].name",
        ),
        (
            "nul",
            "warehouse.timeline_events",
            "if new.position < 100 then insert into warehouse.timeline_events"
            " select new.activity_id, new.position + 100, 'DOUBLED'; end if; return new;",
            "doubled",
            "surplus: timeline_events['",
        ),
        (
            "clock-behind",
            "sync.activity_ledger",
            "new.settled = null; return new;",
            "wasted",
            "60 details requests more than promised",
        ),
    ],
    ids=["missing", "wrong", "doubled", "wasted"],
)
def test_harm_is_counted_and_named(
    migrated_url: str, fault: str, table: str, deed: str, count: str, named: str
) -> None:
    result = play_sabotaged(migrated_url, fault, table, deed)
    assert getattr(result, count) > 0
    assert any(named in problem for problem in result.problems), result.problems
    assert not any("somebody else" in problem for problem in result.problems)


def test_a_fault_that_does_not_happen_is_a_problem(migrated_url: str) -> None:
    result = play_sabotaged(migrated_url, "wrong-types", "sync.quarantine", "return null;")
    missed = "0 in quarantine for 6 bad ones; 54 of 60 in"
    assert f"missed: {missed}" in result.problems
    assert result.happened == f"missed: {missed}"
