"""What a service may do wrong, or decently, for a while, drawn at random: for histories."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pipeline.sandbox import FaultRule
from tests.support.habits import answers as made
from tests.support.habits import lists as listed
from tests.support.habits.answers import DAY_MS, HOUR_MS, MINUTE_MS, Change, Row

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from pipeline.sandbox import SandboxState


@dataclass(frozen=True)
class Misbehaviour:
    """What the service does otherwise for a while.

    ``hides``: activities that no way of asking the list shows. ``bends``: whether it tells untrue
    things of counterparts. ``blackout``: whether it is so much that a run may end 1 for it, and that
    nothing may look deleted. ``restless``: whether addresses change with each answer.
    ``bearable``: whether every day can be read all the same, though activities may be in quarantine.
    ``last``: whether it comes after all others: of what these leave, it cuts off the rest. ``moves``:
    whether rows tell another creation. ``refuses``: whether it refuses requests before others see them.
    """

    name: str
    changes: tuple[Change, ...] = ()
    rules: tuple[FaultRule, ...] = ()
    hides: Callable[[str], bool] = lambda _: False
    bends: bool = False
    blackout: bool = False
    restless: bool = False
    bearable: bool = False
    last: bool = False
    moves: bool = False
    refuses: bool = False
    skew_ms: int = 0


def drawn(state: SandboxState, random: Random) -> Misbehaviour:
    """Draw a misbehaviour; some of them last for a number of requests only."""
    wrong = random.choice(WRONGS)(state, random)
    if random.random() > 0.15:
        return wrong
    first = random.randrange(1, 30)
    last = first + random.randrange(1, 60)
    changes = tuple(made.some_answers(each, first, last) for each in wrong.changes)
    return replace(wrong, name=f"{wrong.name}, answers {first} to {last}", changes=changes)


def _at(row: Row) -> int:
    return made.instant_ms(row.get("created_at"))


# Rows that are missing.


def _hidden(_: SandboxState, random: Random) -> Misbehaviour:
    some = made.some(random)
    return Misbehaviour("rows hidden", (listed.rows_lost(lambda row: some(row["id"])),), hides=some)


def _flicker(_: SandboxState, random: Random) -> Misbehaviour:
    share = random.choice((0.1, 0.5))
    change = listed.rows_lost(lambda _: random.random() < share)
    # A row that by chance came in no answer of the run could not be seen.
    return Misbehaviour("rows come and go", (change,), hides=made.every)


def _day_hidden(state: SandboxState, random: Random) -> Misbehaviour:
    days, this = random.choice((2, 3)), random.randrange(2)

    def lost(at: int) -> bool:
        return at // DAY_MS % days == this

    change = listed.rows_lost(lambda row: lost(_at(row)))
    return Misbehaviour(
        "days hidden", (change,), hides=lambda name: lost(made.created_at(state, name))
    )


def _late_rows(state: SandboxState, random: Random) -> Misbehaviour:
    minutes = random.choice((1, 10, 90))
    young = made.younger_than(state, minutes * MINUTE_MS)
    change = listed.rows_lost(lambda row: young(row["id"]))
    return Misbehaviour(f"rows after {minutes} minutes", (change,), hides=young)


def _vanished(_: SandboxState, random: Random) -> Misbehaviour:
    some = made.share_of_ids(0.2, random.randrange(100))
    status = random.choice((403, 404))
    changes = listed.rows_lost(lambda row: some(row["id"])), made.details_refused(some, status)
    return Misbehaviour(f"some vanished: {status}", changes, hides=some)


def _blackout(_: SandboxState, random: Random) -> Misbehaviour:
    status = random.choice((403, 404))
    changes = listed.rows_lost(lambda _: True), made.details_refused(made.every, status)
    return Misbehaviour(f"empty list and {status}", changes, hides=made.every, blackout=True)


# Pages.


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
    change = listed.one_short_page(number)
    return Misbehaviour(f"list answer {number} short", (change,), bearable=True)


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


def _envelope(_: SandboxState, __: Random) -> Misbehaviour:
    """Put members that the interface does not name around the rows of the list."""
    change = made.bodies("list", lambda _, page: {"total": 7, "links": {"self": "?"}} | page)
    return Misbehaviour("envelope", (change,), bearable=True)


def _twice(_: SandboxState, random: Random) -> Misbehaviour:
    some = made.some(random)
    change = listed.rows(lambda found: [x for row in found for x in [row] * (1 + some(row["id"]))])
    return Misbehaviour("rows that come twice", (change,), bearable=True)


# What rows say.


def _wrong_entity(state: SandboxState, random: Random) -> Misbehaviour:
    some = made.some(random)
    other = state.truth_of(random.choice(state.ids())).row_fields()["entity"]
    change = listed.row_changed(lambda row: row | {"entity": other} if some(row["id"]) else row)
    return Misbehaviour("rows with another counterpart", (change,), bends=True)


def _rows_without(_: SandboxState, random: Random) -> Misbehaviour:
    some, lost = made.some(random), random.choice(("entity", "status", "created_at", "time_zone"))

    def changed(row: Row) -> Row:
        return {name: row[name] for name in row if name != lost or not some(row["id"])}

    return Misbehaviour(f"rows without {lost}", (listed.row_changed(changed),))


def _created(change_at: Callable[[int], int], some: made.Chosen) -> tuple[Change, ...]:
    def changed(row: Row) -> Row:
        return row | {"created_at": change_at(_at(row))} if _at(row) and some(row["id"]) else row

    return (listed.row_changed(changed),)


def _wrong_created(_: SandboxState, random: Random) -> Misbehaviour:
    some, by = made.some(random), random.choice((-1, 1, 24)) * HOUR_MS
    changes = _created(lambda at: at + by, some)
    return Misbehaviour("rows created at another time", changes, moves=True)


def _rounded(_: SandboxState, __: Random) -> Misbehaviour:
    changes = _created(lambda at: at // 1000 * 1000, made.every)
    return Misbehaviour("rows rounded to seconds", changes, bearable=True)


def _seconds(_: SandboxState, random: Random) -> Misbehaviour:
    some = made.share_of_ids(0.2, random.randrange(100))
    changes = _created(lambda at: at // 1000, some)
    return Misbehaviour("rows created in seconds", changes, moves=True)


def _wrong_row_status(_: SandboxState, random: Random) -> Misbehaviour:
    some = made.some(random)
    change = listed.row_changed(
        lambda row: row | {"status": "DECLINED"} if some(row["id"]) else row
    )
    return Misbehaviour("rows with another status", (change,))


def _old_status(state: SandboxState, random: Random) -> Misbehaviour:
    hours = random.choice((1, 12))

    def behind(row: Row) -> Row:
        if _at(row) > state.clock.now() - hours * HOUR_MS:
            return row
        with made.ago(state, hours * HOUR_MS):
            return row | {"status": state.truth_of(row["id"]).row_fields()["status"]}

    change = listed.row_changed(behind)
    return Misbehaviour(f"statuses of {hours} hours ago in the list", (change,), bearable=True)


# Details.


def _wrong_status(_: SandboxState, random: Random) -> Misbehaviour:
    change = made.details(made.some(random), lambda body: body | {"status": "SENT"})
    return Misbehaviour("details with another status", (change,))


def _mixed_up(state: SandboxState, random: Random) -> Misbehaviour:
    change = made.mixed_up(made.some(random), random.choice(state.ids()))
    return Misbehaviour("details of another activity", (change,))


def _errors(_: SandboxState, random: Random) -> Misbehaviour:
    some = made.some(random)
    change = made.details(some, lambda body: {"id": body["id"], "error": "try again later"})
    return Misbehaviour("details that are errors", (change,))


def _fields(_: SandboxState, random: Random) -> Misbehaviour:
    lost = random.sample((*made.REQUIRED, "timeline", "requirements"), random.randrange(1, 4))
    some = made.some(random)
    change = made.details(
        some, lambda body: {each: body[each] for each in body if each not in lost}
    )
    return Misbehaviour(f"details without {', '.join(lost)}", (change,))


def _sick(state: SandboxState, random: Random) -> Misbehaviour:
    some = made.share_of_ids(0.2, random.randrange(100))
    how = random.choice((500, 502, 429, 403, 404, "cut", "reset"))
    changes: tuple[Change, ...] = ()
    rules: tuple[FaultRule, ...] = ()
    if isinstance(how, int):
        changes = (made.details_refused(some, how),)
    elif how == "cut":
        changes = (made.instead(made.details_of(some), made.half),)
    else:
        sick = filter(some, state.ids())
        rules = tuple(FaultRule(kind="reset", operation="details", id=name) for name in sick)
    return Misbehaviour(f"sick ids: {how}", changes, rules, bearable=True)


def _not_yet(state: SandboxState, random: Random) -> Misbehaviour:
    minutes, status = random.choice((1, 5, 14)), random.choice((403, 404, 500))
    change = made.details_refused(made.younger_than(state, minutes * MINUTE_MS), status)
    return Misbehaviour(f"details after {minutes} minutes, {status}", (change,), bearable=True)


# Of both.


def _cached(_: SandboxState, random: Random) -> Misbehaviour:
    what = random.choice(("list", "details"))
    # A row that no answer of the run shows could not be seen: all its addresses may have been kept.
    hides = made.every if what == "list" else lambda _: False
    return Misbehaviour(f"{what} cached", (made.cached(what),), hides=hides, bends=True)


def _lag(state: SandboxState, random: Random) -> Misbehaviour:
    hours = random.choice((1, 30, 80))
    what = random.choice((("list",), ("details",), ("list", "details")))
    changes = tuple(made.lagging(state, each, hours * HOUR_MS) for each in what)
    young = made.younger_than(state, hours * HOUR_MS)
    return Misbehaviour(
        f"{' and '.join(what)} {hours} hours behind",
        changes,
        hides=young if "list" in what else lambda _: False,
        bends=True,
    )


def _no_profile(state: SandboxState, random: Random) -> Misbehaviour:
    """Tell nothing of a counterpart that has deleted its profile."""
    gone = state.truth_of(random.choice(state.ids())).row_fields()["entity"]

    def changed(body: Row) -> Row:
        return body | {"entity": None} if gone and body.get("entity") == gone else body

    changes = listed.row_changed(changed), made.details(made.every, changed)
    return Misbehaviour("a counterpart without its profile", changes, bends=True, bearable=True)


def restless(_: SandboxState, random: Random) -> Misbehaviour:
    """Answer the same in another form each time."""
    change = made.restless(random.randrange(100))
    return Misbehaviour("restless", (change,), restless=True, bearable=True)


def _skew(_: SandboxState, random: Random) -> Misbehaviour:
    days = random.choice((-400, -2, 2, 400))
    return Misbehaviour(f"Date {days} days off", skew_ms=days * DAY_MS)


def _minutes(_: SandboxState, random: Random) -> Misbehaviour:
    minutes = random.choice((-4, 4))
    return Misbehaviour(f"Date {minutes} minutes off", skew_ms=minutes * MINUTE_MS, bearable=True)


#: What can be drawn; the last line is what a decent service may do, too.
WRONGS: tuple[Callable[[Any, Random], Misbehaviour], ...] = (
    _hidden, _flicker, _day_hidden, _capped, _unstable, _edges, _short, _cached, _too_much,
    _wrong_entity, _rows_without, _wrong_created, _wrong_row_status, _wrong_status, _mixed_up,
    _envelope, _errors, _fields, _sick, _lag, _vanished, _blackout, restless, _skew,
    _not_yet, _late_rows, _rounded, _twice, _old_status, _no_profile, _seconds, _minutes,
)  # fmt: skip
