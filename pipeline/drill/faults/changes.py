"""Faults of change: a service that changes while it is read, and several runs at once."""

from __future__ import annotations

from pipeline.drill.runs import LAST, PATIENCE
from pipeline.drill.trial import ACTIVITIES, Fault, Trial
from pipeline.sync.days import ONE_DAY

_INSERTED = 6
_HALF = ACTIVITIES // 2


def _insert(trial: Trial) -> str:
    """Insert rows before list requests, so that the pages shift."""
    trial.state.change_behaviour(shift_every=2, shift_kind="insert", shift_times=_INSERTED)
    # The deadline of one of them has just passed on the service's clock: each run fetches it.
    trial.needed += _INSERTED + 1
    return f"{_INSERTED} inserted; {trial.run(walks=1)}; {trial.progress()}"


def _change(trial: Trial) -> str:
    """Change statuses after the list was read: of activities fetched already, and of others."""
    changed = trial.state.ids()[::6]
    trial.needed += len(changed)

    def change() -> None:
        for name in changed:
            trial.state.enter_status(name, "DECLINED")

    return f"{len(changed)} changed; {trial.while_held('details', _HALF, change, workers=1)}"


def _delete(trial: Trial) -> str:
    """Delete activities after the list was read: the details of some are refused."""
    deleted = trial.state.ids()[::15]

    def delete() -> None:
        for name in deleted:
            trial.state.delete(name)

    return f"{len(deleted)} deleted; {trial.while_held('details', _HALF, delete, workers=1)}"


def _three_runs(trial: Trial) -> str:
    """Start a backfill, a nightly run and a full run at once."""
    trial.needed = 3 * ACTIVITIES
    with (
        trial.start() as backfill,
        trial.start(first=LAST - 2 * ONE_DAY, nightly=True) as nightly,
        trial.start(full=True) as full,
    ):
        ended = [str(child.end()) for child in (backfill, nightly, full)]
    return f"{', '.join(ended)}; {trial.progress()}"


def _kill_beside(trial: Trial) -> str:
    """Kill one of two runs over the same days; the other one is not disturbed."""
    trial.needed = 2 * ACTIVITIES
    parking = trial.state.park("details", _HALF)
    with trial.start() as killed:
        parking.wait(PATIENCE)
        ended = trial.run()
        trial.kill(killed)
    parking.release()
    return f"the other one {ended}; {trial.progress()}"


FAULTS = (
    Fault("inserted-while-walked", "rows appear while the list is read", _insert),
    Fault("changed-while-fetched", "statuses change between list and details", _change),
    Fault("deleted-while-fetched", "activities vanish between list and details", _delete),
    Fault("three-runs-at-once", "backfill, nightly and full run over the same days", _three_runs),
    Fault("killed-beside-another", "kill -9 of one of two runs at once", _kill_beside),
)
