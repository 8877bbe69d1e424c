"""Faults of company: a service that changes while it is read, and runs beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.drill.drill import Fault
from pipeline.drill.scene import ACTIVITIES, LAST
from pipeline.sandbox.mutations import Delete, EnterStatus
from pipeline.sync.days import ONE_DAY

if TYPE_CHECKING:
    from pipeline.drill.scene import Scene

_INSERTED = 6


def _inserted(stage: Scene) -> str:
    """Insert rows before list requests, so that pages shift while they are walked."""
    stage.state.change_behaviour(shift_every=2, shift_kind="insert", shift_times=_INSERTED)
    stage.needed += _INSERTED
    return f"{_INSERTED} inserted; {stage.run(walks=1)}; {stage.kept()}"


def _changed(stage: Scene) -> str:
    """Change statuses after the list was walked, of activities fetched and not fetched yet."""
    changed = stage.state.ids()[::6]
    ended = stage.while_held(
        "details",
        ACTIVITIES // 2,
        lambda: [stage.state.mutate(EnterStatus(id=name, status="DECLINED")) for name in changed],
        workers=1,
    )
    stage.needed += len(changed)
    return f"{len(changed)} changed; {ended}"


def _deleted(stage: Scene) -> str:
    """Delete activities after the list was walked: details of some are refused."""
    deleted = stage.state.ids()[::15]
    ended = stage.while_held(
        "details",
        ACTIVITIES // 2,
        lambda: [stage.state.mutate(Delete(id=name)) for name in deleted],
        workers=1,
    )
    return f"{len(deleted)} deleted; {ended}"


def _three_runs(stage: Scene) -> str:
    """Start a backfill, a nightly run and a full manual one at once."""
    stage.needed = 3 * ACTIVITIES
    with (
        stage.start() as backfill,
        stage.start(first=LAST - 2 * ONE_DAY, nightly=True) as night,
        stage.start(full=True) as manual,
    ):
        ended = [child.told() for child in (backfill, night, manual)]
    return f"{', '.join(ended)}; {stage.kept()}"


def _killed_beside(stage: Scene) -> str:
    """Kill one of two runs over the same days; the other must not notice."""
    stage.needed = 2 * ACTIVITIES
    parking = stage.state.park("details", ACTIVITIES // 2)
    with stage.start() as killed:
        parking.wait(60)
        with stage.start() as other:
            ended = other.told()
        killed.kill()
    parking.release()
    return f"the other one {ended}; {stage.kept()}"


FAULTS = (
    Fault("inserted-while-walked", "rows appear while pages are walked", _inserted),
    Fault("changed-while-fetched", "statuses change between list and details", _changed),
    Fault("deleted-while-fetched", "activities vanish between list and details", _deleted),
    Fault("three-runs-at-once", "backfill, nightly and full run over the same days", _three_runs),
    Fault("killed-beside-another", "kill -9 of one of two runs at once", _killed_beside),
)
