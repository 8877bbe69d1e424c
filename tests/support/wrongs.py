"""What a service may do wrong for a while, drawn at random: for histories."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pipeline.sandbox import FaultRule
from tests.support import list_misbehaviour as listed
from tests.support import misbehaviour as made
from tests.support.decent import DECENT
from tests.support.misbehaviour import DAY_MS, HOUR_MS, Misbehaviour

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from pipeline.sandbox import SandboxState


def drawn(state: SandboxState, random: Random) -> Misbehaviour:
    """Draw a misbehaviour; some of them last for a number of requests only."""
    wrong = random.choice(WRONGS)(state, random)
    if random.random() > 0.15:
        return wrong
    first = random.randrange(1, 30)
    last = first + random.randrange(1, 60)
    changes = tuple(made.some_answers(each, first, last) for each in wrong.changes)
    return replace(wrong, name=f"{wrong.name}, answers {first} to {last}", changes=changes)


def _hidden(_: SandboxState, random: Random) -> Misbehaviour:
    some = made.some(random)
    return Misbehaviour("rows hidden", (listed.rows_lost(lambda row: some(row["id"])),), hides=some)


def _flicker(_: SandboxState, random: Random) -> Misbehaviour:
    share = random.choice((0.1, 0.5))
    # A row that by chance came in no answer of the run could not be seen.
    return Misbehaviour(
        "rows come and go",
        (listed.rows_lost(lambda _: random.random() < share),),
        hides=made.every,
    )


def _day_hidden(state: SandboxState, random: Random) -> Misbehaviour:
    days, this = random.choice((2, 3)), random.randrange(2)

    def lost(at: Any) -> bool:
        return made.instant_ms(at) // DAY_MS % days == this

    return Misbehaviour(
        "days hidden",
        (listed.rows_lost(lambda row: lost(row.get("created_at"))),),
        hides=lambda name: lost(state.truth_of(name).row_fields()["created_at"]),
    )


def _capped(_: SandboxState, random: Random) -> Misbehaviour:
    most = random.choice((4, 7, 12, 20))
    return Misbehaviour(f"at most {most} rows a query", (listed.rows_capped(most),), last=True)


def _unstable(_: SandboxState, random: Random) -> Misbehaviour:
    return Misbehaviour("unstable order", (listed.rows_in_unstable_order(random),))


def _edges(_: SandboxState, random: Random) -> Misbehaviour:
    how = random.choice(("lost", "repeated"))
    return Misbehaviour(f"edges {how}", (listed.edges(how),))


def _short(_: SandboxState, random: Random) -> Misbehaviour:
    number = random.randrange(1, 6)
    return Misbehaviour(
        f"list answer {number} short", (listed.one_short_page(number),), bearable=True
    )


def _cached(_: SandboxState, random: Random) -> Misbehaviour:
    what = random.choice(("list", "details"))
    # A row that no answer of the run shows could not be seen: all its addresses may have been kept.
    hides = made.every if what == "list" else lambda _: False
    return Misbehaviour(f"{what} cached", (made.cached(what),), hides=hides, bends=True)


def _too_much(_: SandboxState, random: Random) -> Misbehaviour:
    what, most = random.choice(
        (("limit", 7), ("limit", 20), ("page", 1), ("page", 2), ("offset", 12), ("days", 5))
    )
    status = random.choice((400, 413, 504))
    return Misbehaviour(
        f"{status} for {what} over {most}",
        (listed.refuses_much(status, **{what: most}),),
        bearable=what in ("limit", "days"),
        refuses=True,
    )


def _wrong_entity(state: SandboxState, random: Random) -> Misbehaviour:
    some, other = (
        made.some(random),
        state.truth_of(random.choice(state.ids())).row_fields()["entity"],
    )
    change = listed.row_changed(lambda row: row | {"entity": other} if some(row["id"]) else row)
    return Misbehaviour("rows with another counterpart", (change,), bends=True)


def _rows_without(_: SandboxState, random: Random) -> Misbehaviour:
    some, lost = made.some(random), random.choice(("entity", "status", "created_at", "time_zone"))

    def changed(row: made.Row) -> made.Row:
        return {name: row[name] for name in row if name != lost or not some(row["id"])}

    return Misbehaviour(f"rows without {lost}", (listed.row_changed(changed),))


def _wrong_created(_: SandboxState, random: Random) -> Misbehaviour:
    some, by = made.some(random), random.choice((-1, 1, 24)) * HOUR_MS

    def changed(row: made.Row) -> made.Row:
        at = made.instant_ms(row.get("created_at"))
        return row | {"created_at": at + by} if at and some(row["id"]) else row

    return Misbehaviour("rows created at another time", (listed.row_changed(changed),), moves=True)


def _mixed_up(state: SandboxState, random: Random) -> Misbehaviour:
    change = made.mixed_up(made.some(random), random.choice(state.ids()))
    return Misbehaviour("details of another activity", (change,))


def _wrong_row_status(_: SandboxState, random: Random) -> Misbehaviour:
    some = made.some(random)
    change = listed.row_changed(
        lambda row: row | {"status": "DECLINED"} if some(row["id"]) else row
    )
    return Misbehaviour("rows with another status", (change,))


def _wrong_status(_: SandboxState, random: Random) -> Misbehaviour:
    change = made.details(made.some(random), lambda body: body | {"status": "SENT"})
    return Misbehaviour("details with another status", (change,))


def _envelope(_: SandboxState, __: Random) -> Misbehaviour:
    return Misbehaviour("envelope", (listed.envelope(),), bearable=True)


def _errors(_: SandboxState, random: Random) -> Misbehaviour:
    return Misbehaviour("details that are errors", (made.error_bodies(made.some(random)),))


def _fields(_: SandboxState, random: Random) -> Misbehaviour:
    lost = random.sample((*made.REQUIRED, "timeline", "requirements"), random.randrange(1, 4))
    change = made.fields_lost(made.some(random), *lost)
    return Misbehaviour(f"details without {', '.join(lost)}", (change,))


def _sick(state: SandboxState, random: Random) -> Misbehaviour:
    some = made.share_of_ids(0.2, random.randrange(100))
    how = random.choice((500, 502, 429, 403, 404, "cut", "reset"))
    if how == "cut":
        return Misbehaviour("sick ids: cut", (made.cut(some),), bearable=True)
    if isinstance(how, int):
        return Misbehaviour(f"sick ids: {how}", (made.details_refused(some, how),), bearable=True)
    rules = [
        FaultRule(kind="reset", operation="details", id=name) for name in state.ids() if some(name)
    ]
    return Misbehaviour("sick ids: reset", rules=tuple(rules), bearable=True)


def _lag(state: SandboxState, random: Random) -> Misbehaviour:
    hours = random.choice((1, 30, 80))
    what = random.choice((("list",), ("details",), ("list", "details")))
    created = made.creations(state)
    changes = tuple(made.lagging(state, each, hours * HOUR_MS) for each in what)

    def hides(name: str) -> bool:
        return "list" in what and created(name) > state.clock.now() - hours * HOUR_MS

    return Misbehaviour(
        f"{' and '.join(what)} {hours} hours behind", changes, hides=hides, bends=True
    )


def _vanished(_: SandboxState, random: Random) -> Misbehaviour:
    some = made.share_of_ids(0.2, random.randrange(100))
    status = random.choice((403, 404))
    changes = (
        listed.rows_lost(lambda row: some(row["id"])),
        made.details_refused(some, status),
    )
    return Misbehaviour(f"some vanished: {status}", changes, hides=some)


def _blackout(_: SandboxState, random: Random) -> Misbehaviour:
    status = random.choice((403, 404))
    changes = (listed.rows_lost(lambda _: True), made.details_refused(made.every, status))
    return Misbehaviour(f"empty list and {status}", changes, hides=made.every, blackout=True)


def restless(_: SandboxState, random: Random) -> Misbehaviour:
    """Answer the same in another form each time."""
    return Misbehaviour(
        "restless", (made.restless(random.randrange(100)),), restless=True, bearable=True
    )


def _skew(_: SandboxState, random: Random) -> Misbehaviour:
    days = random.choice((-400, -2, 2, 400))
    return Misbehaviour(f"Date {days} days off", skew_ms=days * DAY_MS)


#: What can be drawn.
WRONGS: tuple[Callable[[Any, Random], Misbehaviour], ...] = (
    _hidden, _flicker, _day_hidden, _capped, _unstable, _edges, _short, _cached, _too_much,
    _wrong_entity, _rows_without, _wrong_created, _wrong_row_status, _wrong_status, _mixed_up,
    _envelope, _errors, _fields, _sick, _lag, _vanished, _blackout, restless, _skew,
    *DECENT,
)  # fmt: skip
