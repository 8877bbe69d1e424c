"""What a decent service may do, drawn at random: the rules of docs/design.md bear it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support import list_misbehaviour as listed
from tests.support import misbehaviour as made
from tests.support.misbehaviour import HOUR_MS, MINUTE_MS, Misbehaviour

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from pipeline.sandbox import SandboxState


def _younger_than(state: SandboxState, minutes: int) -> made.Chosen:
    created = made.creations(state)
    return lambda name: created(name) > state.clock.now() - minutes * MINUTE_MS


def _not_yet(state: SandboxState, random: Random) -> Misbehaviour:
    minutes, status = random.choice((1, 5, 14)), random.choice((403, 404, 500))
    refused = made.details_refused(_younger_than(state, minutes), status)
    return Misbehaviour(f"details after {minutes} minutes, {status}", (refused,), bearable=True)


def _late_rows(state: SandboxState, random: Random) -> Misbehaviour:
    minutes = random.choice((1, 10, 90))
    young = _younger_than(state, minutes)
    change = listed.rows_lost(lambda row: young(row["id"]))
    return Misbehaviour(f"rows after {minutes} minutes", (change,), hides=young)


def _rounded(_: SandboxState, __: Random) -> Misbehaviour:
    def changed(row: made.Row) -> made.Row:
        at = made.instant_ms(row.get("created_at"))
        return row | {"created_at": at // 1000 * 1000} if at else row

    return Misbehaviour("rows rounded to seconds", (listed.row_changed(changed),), bearable=True)


def _twice(_: SandboxState, random: Random) -> Misbehaviour:
    some = made.some(random)
    change = listed.rows(lambda found: [x for row in found for x in [row] * (1 + some(row["id"]))])
    return Misbehaviour("rows that come twice", (change,), bearable=True)


def _old_status(state: SandboxState, random: Random) -> Misbehaviour:
    hours = random.choice((1, 12))

    def behind(row: made.Row) -> made.Row:
        now, frozen = state.clock.now(), state.clock.frozen
        if made.instant_ms(row["created_at"]) > now - hours * HOUR_MS:
            return row
        state.clock.set(now - hours * HOUR_MS, frozen=True)
        try:
            return row | {"status": state.truth_of(row["id"]).row_fields()["status"]}
        finally:
            state.clock.set(now, frozen=frozen)

    change = listed.row_changed(behind)
    return Misbehaviour(f"statuses of {hours} hours ago in the list", (change,), bearable=True)


def _no_profile(state: SandboxState, random: Random) -> Misbehaviour:
    """Tell nothing of a counterpart that has deleted its profile."""
    gone = state.truth_of(random.choice(state.ids())).row_fields()["entity"]

    def changed(body: made.Row) -> made.Row:
        return body | {"entity": None} if gone and body.get("entity") == gone else body

    changes = listed.row_changed(changed), made.details(made.every, changed)
    return Misbehaviour("a counterpart without its profile", changes, bends=True, bearable=True)


def _seconds(_: SandboxState, random: Random) -> Misbehaviour:
    some = made.share_of_ids(0.2, random.randrange(100))

    def changed(row: made.Row) -> made.Row:
        at = made.instant_ms(row.get("created_at"))
        return row | {"created_at": at // 1000} if some(row["id"]) else row

    return Misbehaviour("rows created in seconds", (listed.row_changed(changed),), moves=True)


def _minutes(_: SandboxState, random: Random) -> Misbehaviour:
    minutes = random.choice((-4, 4))
    return Misbehaviour(f"Date {minutes} minutes off", skew_ms=minutes * MINUTE_MS, bearable=True)


#: What can be drawn.
DECENT: tuple[Callable[[SandboxState, Random], Misbehaviour], ...] = (
    _not_yet, _late_rows, _rounded, _twice, _old_status, _no_profile, _seconds, _minutes,
)  # fmt: skip
