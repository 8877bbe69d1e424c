"""What may happen at a service by itself: each deed picks whom and how, and returns that.

ValueError or IndexError: it can't be done in this state.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING

from tests.support.habits.answers import instant_ms

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from pipeline.sandbox import SandboxState
    from pipeline.sandbox.history import Move

_HOUR = timedelta(hours=1) // timedelta(milliseconds=1)


def _pick(state: SandboxState, random: Random, *statuses: str) -> str:
    return random.choice(state.ids(*statuses))


def _entity(state: SandboxState, random: Random) -> str:
    entity: str = random.choice(state.people())["id"]
    return entity


def _create(state: SandboxState, random: Random) -> str:
    return state.create(drawn=random.random() < 0.5)


def _create_late(state: SandboxState, random: Random) -> str:
    """Make one in an older day."""
    back = random.randrange(1, 24 * 8) * _HOUR
    return state.create(created_at=max(state.settings.range_ms(0)[0], state.clock.now() - back))


def _settle(state: SandboxState, random: Random) -> str:
    moves: tuple[Move, ...] = ("accept", "decline", "cancel", "complete", "expire")
    name = _pick(state, random, "SENT", "ACTION_REQUIRED", "ACCEPTED")
    for move in random.sample(moves, len(moves)):
        with suppress(ValueError):
            return f"{state.move(name, move)} {move}"
    raise ValueError("no move is possible")


def _edit(state: SandboxState, random: Random) -> str:
    return state.edit(_pick(state, random), description=f"edited {random.random()}")


def _reopen(state: SandboxState, random: Random) -> str:
    # Details of what has expired may be forbidden, and would stay so.
    return state.enter_status(_pick(state, random, "DECLINED", "CANCELED"), "SENT")


def _swap(state: SandboxState, random: Random) -> str:
    return state.change_counterpart(_pick(state, random), _entity(state, random))


def _delete(state: SandboxState, random: Random) -> str:
    return state.delete(_pick(state, random))


def _restore(state: SandboxState, random: Random) -> str:
    # `truth` would state all activities for this.
    with state.lock:
        deleted = [each.id for each in state.world.activities.values() if each.deleted]
    return state.restore(random.choice(deleted))


def _clean_up(state: SandboxState, random: Random) -> str:
    """Remove what is older than some days, as a service does that keeps its list short."""
    before = state.clock.now() - random.randrange(2, 8) * 24 * _HOUR
    created = {each.id: instant_ms(each.row_fields()["created_at"]) for each in state.truth()}
    old = [name for name, at in created.items() if at < before]
    for name in old:
        state.delete(name)
    return f"{len(old)} activities"


def _rename(state: SandboxState, random: Random) -> str:
    return state.change_entity(_entity(state, random), name=f"name {random.randrange(3)}")


def _jump(state: SandboxState, random: Random) -> str:
    hours = random.choice((1, 24, 48, 100))
    state.set_clock(advance_ms=hours * _HOUR)
    return f"{hours} hours"


DEEDS: dict[str, Callable[[SandboxState, Random], str]] = {
    "create": _create,
    "create_late": _create_late,
    "settle": _settle,
    "edit": _edit,
    "reopen": _reopen,
    "swap": _swap,
    "delete": _delete,
    "restore": _restore,
    "clean_up": _clean_up,
    "rename": _rename,
    "jump": _jump,
}
