"""Faults of the service: wrong answers, and changes while it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pipeline.sandbox import FaultRule
from tests.support.faults.runs import Missed
from tests.support.faults.trial import ACTIVITIES, Trial

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pipeline.sandbox import SandboxState
    from pipeline.sandbox.faults import FaultKind
    from tests.support.faults.play import Play

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
        if rule.get("status") == 200:
            trial.needed += reading.fired
        # Before the client calls ten failures in a row an outage, it asks for one more activity.
        trial.repeatable += reading.fired // 10
        return f"{reading.fired} answers spoiled; {ended}; {trial.progress()}"

    return play


def _describe(description: str) -> Play:
    """Return a play in which one activity has this description."""

    def play(trial: Trial) -> str:
        trial.state.edit(trial.state.ids()[0], description=description)
        return f"{len(description):,} characters; {trial.run()}; {trial.progress()}"

    return play


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
    "20-mb-value": _describe("20 MB " * (20 * 2**20 // 6)),
    # Statuses change between list and details.
    "changed-while-fetched": _touch(
        6, lambda state, name: state.enter_status(name, "DECLINED"), more=10
    ),
    # The next run asks for five others, since all that it asks for is refused.
    "deleted-while-fetched": _touch(15, lambda state, name: state.delete(name), more=5),
}
