"""Faults of the service: wrong answers, logins that fail, bad bodies, and changes while it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pipeline.sandbox import FaultRule
from tests.support.faults.runs import Missed
from tests.support.faults.trial import ACTIVITIES, Trial
from tests.support.list_changes import moving, ticking
from tests.support.other_answers import AS_TEXT, CUT_JSON, born_expired

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pipeline.sandbox import SandboxState
    from pipeline.sandbox.faults import FaultKind
    from tests.support.faults.play import Play
    from tests.support.faults.runs import End

_HOUR_MS = 3_600_000

_DEEP = b"[" * 1000 + b"]" * 1000
_WRONG = (
    b'{"id":"%s","status":{"a":1}}',
    b'{"id":"%s","created_at":"year 10000"}',
    b'{"id":"%s","accepted_requirements":[{"data":{"value":' + _DEEP + b'},"code":7}]}',
    b'{"id":"%s","timeline":"none"}',
    b'{"id":"%s","valid_until":1e300}',
    b'["%s"]',
)
_ROW = b'{"id":"../../%s","type":"AT_001","status":"SENT","created_at":1743000000000}'

_INSERTED = 6
_HALF = ACTIVITIES // 2


def spoil(kind: FaultKind, job: Mapping[str, Any] | None = None, **rule: Any) -> Play:
    """Return a play of one run while the service spoils answers by this rule.

    ``job``: fields of the run's ``Job`` that differ from a plain run.
    """

    def play(trial: Trial) -> str:
        trial.state.set_faults(FaultRule(kind=kind, **rule))
        ended = trial.run(**(job or {}))
        (reading,) = trial.state.rules
        if not reading.fired:
            raise Missed("no request met the fault")
        # The service counts these answers as good ones. Such rules must hit details only.
        if rule.get("status") == 200 or rule.get("change") == CUT_JSON["change"]:
            trial.needed += reading.fired
        # Before the client calls ten failures in a row an outage, it asks for one more activity.
        trial.repeatable += reading.fired // 10
        return f"{reading.fired} answers spoiled; {ended}; {trial.progress()}"

    return play


def _log_in(play: Callable[[Trial], End], least: int = 2) -> Play:
    """Return a play that needs so many logins, because tokens end during the run."""

    def counted(trial: Trial) -> str:
        ended, logins = play(trial), trial.state.counters().logins
        if logins < least:
            raise Missed(f"{logins} logins: no token ended during the run")
        return f"{ended}; {logins} login{'s' * (logins > 1)}"

    return counted


def _revoke(trial: Trial) -> End:
    return trial.while_held("details", _HALF, trial.state.tokens.revoke_all)


def _behave(**behaviour: Any) -> Callable[[Trial], End]:
    """Return a run of a service that behaves so."""

    def play(trial: Trial) -> End:
        trial.state.change_behaviour(**behaviour)
        return trial.run()

    return play


def _short_lived(trial: Trial) -> End:
    trial.state.set_faults(ticking(trial.state, 100))
    return _behave(token_seconds=2)(trial)


def _skew(ahead_ms: int) -> Play:
    behave = _behave(date_skew_ms=ahead_ms, token_skew_ms=ahead_ms, token_seconds=900)
    return _log_in(behave, least=1)


def _describe(description: str) -> Play:
    """Return a play in which one activity has this description."""

    def play(trial: Trial) -> str:
        trial.state.edit(trial.state.ids()[0], description=description)
        return f"{len(description):,} characters; {trial.run()}; {trial.progress()}"

    return play


def _send(part: Literal["row", "details"], bodies: Sequence[bytes]) -> Play:
    """Return a play in which some activities have these bad rows or details.

    The bad bodies and no others must be in quarantine. Then they are good again.
    """

    def play(trial: Trial) -> str:
        names = trial.state.ids()[3:60:9][: len(bodies)]
        for name, body in zip(names, bodies, strict=True):
            trial.state.replace_payload(name, **{part: body.replace(b"%s", name.encode())})
        if part == "details":
            trial.needed += len(names)  # the good ones are fetched later
            # Half an answer is asked for again in the same run.
            trial.needed += sum(b"timeline" in body or b"valid_until" in body for body in bodies)
        ended = trial.run()
        held = trial.value("select count(*) from sync.quarantine where resolved_at is null")
        for name in names:
            trial.state.replace_payload(name)
        if (held, trial.stored()) != (len(names), ACTIVITIES - len(names)):
            raise Missed(f"{held} in quarantine for {len(names)} bad ones; {trial.progress()}")
        return f"{ended}; {held} in quarantine, {trial.progress()}"

    return play


def _insert(trial: Trial) -> str:
    """Insert rows before list requests, so that the pages shift."""
    trial.state.set_faults(moving(trial.state, 2, "insert", _INSERTED))
    # The deadline of one of them has just passed on the service's clock: each run fetches it. One that
    # some answers list and others do not is fetched as a witness, and again when its day lists it.
    trial.needed += 2 * _INSERTED + 1
    return f"{_INSERTED} inserted; {trial.run(walks=1)}; {trial.progress()}"


def _touch(every: int, touch: Callable[[SandboxState, str], object], more: int) -> Play:
    """Return a play that changes activities after the list was read: half of them were fetched.

    ``more``: how many details are fetched because of it.
    """

    def play(trial: Trial) -> str:
        names = trial.state.ids()[::every]
        trial.needed += more

        def touch_all() -> None:
            for name in names:
                touch(trial.state, name)

        return f"{len(names)} changed; {trial.while_held('details', _HALF, touch_all, workers=1)}"

    return play


FAULTS: dict[str, Play] = {
    "errors-30-percent": spoil("status", status=500, rate=0.3),
    "wrong-content-type": spoil(**AS_TEXT),
    "token-revoked": _log_in(_revoke),
    # Each request moves the service's clock on by a tenth of a second.
    "token-of-2-seconds": _log_in(_short_lived, least=3),
    "token-born-expired": lambda trial: spoil(requests=1, **born_expired(trial.state))(trial),
    "clock-ahead": _skew(_HOUR_MS),
    "clock-behind": _skew(-_HOUR_MS),
    "nul": _describe("before\0after\0"),
    "20-mb-value": _describe("20 MB " * (20 * 2**20 // 6)),
    "wrong-types": _send("details", _WRONG),
    "ids-with-paths": _send("row", [_ROW] * 3),
    "inserted-while-walked": _insert,
    # Statuses change between list and details.
    "changed-while-fetched": _touch(
        6, lambda state, name: state.enter_status(name, "DECLINED"), more=10
    ),
    # The next run asks for five others, since all that it asks for is refused.
    "deleted-while-fetched": _touch(15, lambda state, name: state.delete(name), more=5),
}
