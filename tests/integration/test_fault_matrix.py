"""Every fault of the service, at every operation, for a backfill and for a nightly run.

Each ends as this file says: complete and equal to the truth, or with a clear cause and everything
that was fetched kept. Then the fault is lifted, and a plain run completes without fetching anything
twice. Requests are tried as often as in production, but never wait (`RetryPolicy.immediate`).
"""

from __future__ import annotations

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, Literal

import psycopg
import pytest

from pipeline.drill.comparison import compare
from pipeline.drill.job import Job, run
from pipeline.sandbox import FaultRule
from pipeline.service.errors import ServiceError
from tests.support.mirroring import sandbox
from tests.support.postgres import fresh_database

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pipeline.sandbox import Running
    from pipeline.sandbox.faults import Operation
    from pipeline.sandbox.parking import Outcome, Phase
    from pipeline.sync.options import Summary
    from tests.support.postgres import PostgresServer

Kind = Literal["backfill", "nightly"]

FIRST, TODAY = date(2026, 3, 25), date(2026, 4, 1)
ACTIVITIES, WORKERS = 80, 4
OPERATIONS: tuple[Operation, ...] = ("login", "list", "details")
KINDS: tuple[Kind, ...] = ("backfill", "nightly")

#: What befalls a request, by name.
STRIKES: dict[str, dict[str, Any]] = {
    "500": {"kind": "status", "status": 500},
    "502": {"kind": "status", "status": 502},
    "503": {"kind": "status", "status": 503},
    "504": {"kind": "status", "status": 504},
    "429 in seconds": {"kind": "status", "status": 429, "retry_after": 60},
    "429 as a date": {
        "kind": "status",
        "status": 429,
        "retry_after": 60,
        "retry_after_form": "date",
    },
    "hang": {"kind": "hang"},
    "reset before the answer": {"kind": "reset"},
    "reset in the body": {"kind": "reset_body"},
    "cut JSON": {"kind": "cut_json"},
    "HTML with 200": {"kind": "html"},
    "empty body": {"kind": "empty"},
}

#: Faults that spoil an answer but leave its status 200.
QUIET = {"cut_json", "html", "empty"}

#: What is said of them.
CAUSES = {
    "500": "500, the service failed",
    "502": "502, the service failed",
    "503": "503, the service failed",
    "504": "504, the service failed",
    "429 in seconds": "429, too many requests, asks to wait 60 s",
    "429 as a date": "429, too many requests, asks to wait 60 s",
    "hang": "no answer in time",
    "reset before the answer": "the connection broke before the answer",
    "reset in the body": "the connection broke before the answer",
    "cut JSON": "the body is not JSON",
    "HTML with 200": "the body is not JSON",
    "empty body": "the body is not JSON",
}


_KEPT = "select activity_id::text from sync.activity_ledger where checked_at > now() - interval '1 hour'"
_QUARANTINED_BY_ENDED_RUNS = (
    "select coalesce(sum(quarantined), 0) from sync.runs where status = 'incomplete'"
)
_GAPS = (
    "select count(*) from sync.coverage"
    " where unverified is not null or listed <> stored + quarantined"
)


@dataclass
class Played:
    """A service, the warehouse that mirrors it, and what a run over both came to."""

    service: Running
    url: str
    kind: Kind
    summaries: list[Summary] = field(default_factory=list)
    error: ServiceError | None = None

    def job(self, **changes: Any) -> Job:
        """Return a run of this kind, with some of it otherwise."""
        given: dict[str, Any] = {
            "base_url": self.service.base_url,
            "credentials": self.service.credentials,
            "warehouse_url": self.url,
            "first": FIRST if self.kind == "backfill" else TODAY - timedelta(days=2),
            "last": TODAY,
            "nightly": self.kind == "nightly",
            "page_size": 20,
            "batch_size": 20,
            "workers": WORKERS,
        }
        return Job(**given | changes)

    def run(self, **changes: Any) -> str:
        """Run to the end; return ``complete``, ``incomplete``, or the name of the error."""
        self.summaries, self.error = [], None
        try:
            self.summaries = asyncio.run(run(self.job(**changes)))
        except ServiceError as error:
            self.error = error
            return type(error).__name__
        problems = [problem for summary in self.summaries for problem in summary.problems]
        return "incomplete" if problems else "complete"

    def while_held(
        self,
        operation: Operation,
        number: int,
        deed: Callable[[], None],
        *,
        phase: Phase = "before",
        outcome: Outcome = "answer",
        **job: Any,
    ) -> str:
        """Do something while the service holds a request of the run; return how the run ended."""
        parking = self.service.state.park(operation, number, phase=phase)
        with ThreadPoolExecutor(1) as thread:
            ended = thread.submit(self.run, **job)
            parking.wait(60)
            deed()
            parking.release(outcome)
            return ended.result()

    def value(self, statement: str) -> Any:
        """Return the one value of a query."""
        with psycopg.connect(self.url) as session:
            row = session.execute(statement.encode()).fetchone()
        return row[0] if row else None

    def kept_ids(self) -> set[str]:
        """Return the activities whose details the runs of this test have brought in."""
        with psycopg.connect(self.url) as session:
            return {name for (name,) in session.execute(_KEPT)}

    def answered_well(self) -> int:
        """Count the details that the service has given, unspoiled."""
        counted = self.service.state.counters().by_status.get("details", {})
        spoiled = sum(
            reading.fired
            for reading in self.service.state.faults()
            if reading.rule.operation == "details" and reading.rule.kind in QUIET
        )
        return counted.get("200", 0) - spoiled

    def in_quarantine(self) -> int:
        """Count the open entries of the quarantine."""
        return int(self.value("select count(*) from sync.quarantine where resolved_at is null"))

    def struck(self) -> bool:
        """Whether the rule in force befell any request."""
        return any(reading.fired for reading in self.service.state.faults())


class Names:
    """The system's look-up of names, which can be broken for ``localhost``."""

    def __init__(self) -> None:
        self.broken = False
        self.refused = 0
        self._look_up = socket.getaddrinfo

    def __call__(self, host: Any, port: Any, *rest: Any, **named: Any) -> Any:
        """Look a name up, or fail as an unknown one does."""
        if host not in ("localhost", b"localhost"):
            return self._look_up(host, port, *rest, **named)
        if self.broken:
            self.refused += 1
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return self._look_up("127.0.0.1", port, *rest, **named)


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Names:
    made = Names()
    monkeypatch.setattr(socket, "getaddrinfo", made)
    return made


@contextmanager
def served(hours_ago: int = 0) -> Iterator[Running]:
    with sandbox(
        ACTIVITIES, from_date=FIRST, to_date=TODAY - timedelta(days=1), people=20
    ) as service:
        service.state.set_clock(advance_ms=-hours_ago * 3_600_000)
        yield service


@pytest.fixture(scope="module")
def yesterday(postgres: PostgresServer, migrated_template: str) -> Iterator[str]:
    """Mirror the service as it was a day and a half ago; yield the database's name, to copy."""
    with fresh_database(postgres, migrated_template) as name:
        with served(hours_ago=36) as service:
            assert (
                Played(service, postgres.url(name), "backfill").run(last=TODAY - timedelta(days=2))
                == "complete"
            )
        with psycopg.connect(postgres.url(name)) as session:
            # Long ago by this machine's clock too, so that what a test brings in stands out.
            session.execute(
                "update sync.activity_ledger set listed_at = listed_at - interval '36 hours',"
                " checked_at = checked_at - interval '36 hours'"
            )
        yield name


@pytest.fixture
def played(
    postgres: PostgresServer,
    migrated_template: str,
    yesterday: str,
    kind: Kind,
) -> Iterator[Played]:
    template = migrated_template if kind == "backfill" else yesterday
    with served() as service, fresh_database(postgres, template) as name:
        yield Played(service, postgres.url(name), kind)


def settles(played: Played, ended: str) -> None:
    """Assert that the run kept what it fetched, and that a plain one without the fault completes."""
    answered, kept = played.answered_well(), len(played.kept_ids())
    if ended in ("complete", "incomplete"):
        assert kept == answered
    else:
        assert answered - WORKERS <= kept <= answered
        assert "\n" not in str(played.error)
        # Of a nightly run the first part may have ended before the brake could know of an outage.
        assert played.in_quarantine() == played.value(_QUARANTINED_BY_ENDED_RUNS)
    if ended == "complete":
        assert compare(played.url, played.service.state.truth()) == []
    played.service.state.set_faults()
    played.service.state.reset_counters()
    already = played.kept_ids()
    assert played.run() == "complete"
    asked = set(played.service.state.details_asked())
    if played.kind == "backfill":
        assert (already & asked, len(already | asked)) == (set(), ACTIVITIES)
    elif ended != "incomplete":
        # Else rows of the list that are seen only now may be newer than the details that were had.
        assert already & asked == set()
    assert compare(played.url, played.service.state.truth()) == []
    assert (played.in_quarantine(), played.value(_GAPS)) == (0, 0)


def _rule(strike: str, operation: Operation, **whom: Any) -> FaultRule:
    return FaultRule(**STRIKES[strike] | {"operation": operation} | whom)


#: By these seeds the only login and some page of the list are struck, and nothing five times.
SEEDS: dict[Operation, int] = {"login": 0, "list": 26, "details": 1}
#: Seconds that the service gets where it never answers; else it has all the time that it needs.
IMPATIENT = {"answer_within": 0.25}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("rate", [0.1, 0.3])
def test_500_at_a_rate(played: Played, operation: Operation, rate: float) -> None:
    played.service.state.set_faults(_rule("500", operation, rate=rate, seed=SEEDS[operation]))
    assert (played.run(), played.struck()) == ("complete", True)
    settles(played, "complete")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("strike", STRIKES)
def test_the_first_two_attempts_of_everything(
    played: Played, operation: Operation, strike: str
) -> None:
    # Silence takes its time: a few requests of it are enough.
    some = {"requests": 8} if strike == "hang" else {}
    played.service.state.set_faults(_rule(strike, operation, first_attempts=2, **some))
    ended = played.run(**(IMPATIENT if strike == "hang" else {}))
    assert (ended, played.struck()) == ("complete", True)
    settles(played, ended)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("strike", STRIKES)
def test_for_ever_from_some_moment_on(played: Played, operation: Operation, strike: str) -> None:
    """At the login nothing goes; days whose pages fail are named; when details fail it's an outage."""
    begin = {"login": 1, "list": 3, "details": 8}[operation]
    numbers = tuple(range(begin, 3000))
    played.service.state.set_faults(_rule(strike, operation, numbers=numbers))
    ended = played.run(**(IMPATIENT if strike == "hang" else {}))
    assert played.struck()
    if operation == "list":
        assert ended == "incomplete"
        problems = [problem for summary in played.summaries for problem in summary.problems]
        expected = f"unverified: the list of activities: {CAUSES[strike]}"
        assert [problem for problem in problems if expected in problem] != []
    elif operation == "login":
        assert str(played.error).startswith(f"login: {CAUSES[strike]}")
        assert played.answered_well() == played.service.state.counters().by_operation["list"] == 0
    else:
        assert ended == "Outage"
        assert CAUSES[strike] in str(played.error)
        assert played.answered_well() >= 7
    settles(played, ended)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_wrong_content_type_changes_nothing(played: Played, operation: Operation) -> None:
    rule = FaultRule(kind="wrong_content_type", operation=operation)
    played.service.state.set_faults(rule)
    assert (played.run(), played.struck()) == ("complete", True)
    settles(played, "complete")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("operation", ["list", "details"])
def test_401_in_the_middle(played: Played, operation: Operation) -> None:
    """Every token is revoked while the service holds a request of this operation."""
    played.while_held(operation, 3, played.service.state.revoke_tokens)
    assert played.service.state.counters().by_status[operation]["401"] > 0
    assert played.service.state.counters().logins == 2
    settles(played, "complete")


@pytest.mark.parametrize("kind", KINDS)
def test_401_in_the_middle_at_the_login(played: Played) -> None:
    """The tokens are revoked, and the login that follows is refused: once, and that's the end."""

    def lock_out() -> None:
        state = played.service.state
        state.set_faults(FaultRule(kind="status", status=401, operation="login"))
        state.revoke_tokens()

    ended = played.while_held("details", 8, lock_out)
    assert (ended, played.struck()) == ("CredentialsRefused", True)
    assert played.service.state.counters().by_operation["login"] == 2
    settles(played, ended)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("operation", "end"), [("list", "AccessLost"), ("details", "incomplete")])
def test_401_for_ever(played: Played, operation: Operation, end: str) -> None:
    """Whatever the token, one operation answers 401: no storm of logins comes of it.

    Without the list, all that follows would be unproven; without details, the list still is known.
    """
    numbers = tuple(range(3, 3000))
    rule = FaultRule(kind="status", status=401, operation=operation, numbers=numbers)
    played.service.state.set_faults(rule)
    ended = played.run()
    assert played.struck()
    assert played.service.state.counters().by_operation["login"] <= 6
    assert ended == end
    settles(played, ended)


# What belongs to the session as a whole has no meaning for single operations: a token of two seconds
# ends wherever it ends, at the list and in the details of one run; one that is answered expired comes
# from the login alone, as does the `Date` by which a skewed clock is known.


@pytest.mark.parametrize("kind", KINDS)
def test_a_token_of_two_seconds(played: Played) -> None:
    state = played.service.state
    state.change_behaviour(token_seconds=2, request_ms=300)
    ended = played.run()
    counted = state.counters()
    assert ended == "complete"
    assert counted.by_status["list"].get("401", 0) + counted.by_status["details"]["401"] > 0
    expiries = counted.requests * 300 // 2000
    assert 3 <= counted.logins <= expiries + 2
    state.change_behaviour(token_seconds=3600, request_ms=0)
    settles(played, ended)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("times", [1, None], ids=["once", "for-ever"])
def test_a_token_answered_already_expired(played: Played, times: int | None) -> None:
    rule = FaultRule(kind="expired_token", operation="login", requests=times)
    played.service.state.set_faults(rule)
    ended = played.run()
    assert played.struck()
    logins = played.service.state.counters().by_operation["login"]
    if times:
        assert (ended, logins) == ("complete", 2)
    else:
        assert ended in ("incomplete", "AccessLost")
        assert logins <= 5
    settles(played, ended)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("hours", [1, -1])
def test_a_clock_skewed_by_an_hour(played: Played, hours: int) -> None:
    skew = hours * 3_600_000
    played.service.state.change_behaviour(date_skew_ms=skew, token_skew_ms=skew, token_seconds=900)
    assert played.run() == "complete"
    assert played.service.state.counters().logins == 1
    settles(played, "complete")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_names_that_no_longer_resolve(played: Played, operation: Operation, names: Names) -> None:
    """From this operation on, which moreover finds its connection reset."""
    base_url = played.service.base_url.replace("127.0.0.1", "localhost")
    if operation == "login":
        names.broken = True
        ended = played.run(base_url=base_url)
        assert ended == "Unreachable"
    else:
        # The list makes the first connections of its own, after the login is answered.
        held: Operation = "login" if operation == "list" else "details"

        def break_names() -> None:
            names.broken = True

        ended = played.while_held(
            held,
            1,
            break_names,
            phase="after" if operation == "list" else "before",
            outcome="answer" if operation == "list" else "reset",
            base_url=base_url,
        )
        # Connections that are there, and names that were looked up, serve the details.
        assert ended in (("incomplete", "Outage") if operation == "list" else ("complete",))
    assert (names.refused > 0) == (operation != "details")
    settles(played, ended)
