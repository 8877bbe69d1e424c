"""Draws activities and their whole lives from the seed: the same seed, the same world."""

from __future__ import annotations

import datetime as dt
import functools
from random import Random
from typing import TYPE_CHECKING, Final

from . import names
from .bodies import Item, Requirement
from .catalogue import (
    ACTION_REQUIRED,
    CANCELED,
    COMPLETED,
    DECLINED,
    IN,
    OUT,
    REQUIREMENTS,
    SENT,
    SHARE,
    TYPE_NAMES,
    kind_of,
)
from .clock import DAY_MS, HOUR_MS, day_start_ms
from .counterparts import random_uuid
from .history import Activity, Event, Life, accepted_at, expiry_of, with_events

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from zoneinfo import ZoneInfo

    from .catalogue import TimeUnit
    from .counterparts import Counterpart

_TYPES: Final = tuple(TYPE_NAMES)
_TYPE_WEIGHTS: Final = (4, 2, 1, 5)
_VALIDITY_HOURS: Final = (1, 12, 24, 48, 72, 120, 168, 360)
_EXPIRES_IN: Final[tuple[tuple[TimeUnit, int], ...]] = (
    ("HOURS", 24), ("HOURS", 72), ("DAYS", 7), ("DAYS", 15), ("DAYS", 30), ("DAYS", 30),
    ("DAYS", 90), ("DAYS", 365),
)  # fmt: skip
_REQUIREMENTS: Final = tuple(REQUIREMENTS.values())


def drawn_activities(
    count: int, seed: int, start_ms: int, end_ms: int, zone: ZoneInfo, people: Sequence[Counterpart]
) -> Iterator[Activity]:
    """Draw `count` activities created in [start, end) (epoch ms), in order of creation."""
    rng = Random(f"activities:{seed}")
    for number, created_at in enumerate(_instants(rng, count, start_ms, end_ms, zone)):
        # A few counterparts have most of the activities.
        counterpart = people[int(len(people) * rng.random() ** 2)]
        yield drawn_activity(rng, number, created_at, counterpart)


def _instants(rng: Random, count: int, start_ms: int, end_ms: int, zone: ZoneInfo) -> list[int]:
    """Draw creation instants: each day has the same chance, most instants are in working hours."""
    if end_ms <= start_ms:
        return [start_ms] * count
    first = dt.datetime.fromtimestamp(start_ms / 1000, zone).date()
    days = (end_ms - start_ms) // DAY_MS + 2
    starts = [day_start_ms(first + dt.timedelta(days=n), zone) for n in range(days)]
    instants: list[int] = []
    while len(instants) < count:
        at = rng.choice(starts) + int(rng.triangular(0, DAY_MS, 13 * HOUR_MS))
        if start_ms <= at < end_ms:
            instants.append(at)
    instants.sort()
    return instants


def drawn_activity(
    rng: Random,
    number: int,
    created_at: int,
    counterpart: Counterpart,
    kind: str | None = None,
    bound: str | None = None,
) -> Activity:
    """Draw one activity's compact record; `kind` and `bound` are drawn when not given."""
    if kind is None:
        (kind,) = rng.choices(_TYPES, _TYPE_WEIGHTS)
    if bound is None:
        bound = OUT if rng.random() < 0.6 else IN
    return Activity(
        number=number,
        id=random_uuid(rng),
        type=kind,
        bound=bound,
        counterpart=counterpart,
        zone=rng.choice(names.TIME_ZONES),
        created_at=created_at,
        valid_until=created_at + rng.choice(_VALIDITY_HOURS) * HOUR_MS,
        seed=rng.getrandbits(48),
    )


def life_of(activity: Activity) -> Life:
    """Return the activity's life: the stored one, else the one drawn from its seed."""
    return activity.life or _drawn_life(activity)


@functools.lru_cache(maxsize=4096)
def _drawn_life(activity: Activity) -> Life:
    rng = Random(activity.seed)
    description = rng.choice(names.DESCRIPTIONS).replace("{n}", str(activity.seed % 100_000))
    life = Life(
        description=description,
        requirements=_drawn_requirements(rng),
        expires_in=rng.choice(_EXPIRES_IN),
    )
    return with_future(activity, life, rng)


def with_future(activity: Activity, life: Life, rng: Random | None = None) -> Life:
    """Return the life with all its events, drawn from the activity's seed."""
    rng = rng or Random(activity.seed)
    if activity.type == SHARE:
        # A share is there for the counterpart at once: nobody has to accept it.
        created_at, message = activity.created_at, "Activity created"
        events = _shared_events(life, created_at, life.requirements, message, rng)
    else:
        events = [_start(activity), *_answer_events(activity, life, rng)]
    return with_events(life, events)


def unanswered_life(activity: Activity) -> Life:
    """Return the activity's life if nobody answers: canceled at `valid_until`."""
    return with_events(life_of(activity), [_start(activity), _cancellation(activity)])


def _start(activity: Activity) -> Event:
    """Return the first event: pending. Its status depends on the direction."""
    status = SENT if activity.bound == OUT else ACTION_REQUIRED
    return Event(at=activity.created_at, status=status, message="Activity created")


def _cancellation(activity: Activity) -> Event:
    message = "No answer within the validity"
    return Event(at=activity.valid_until, status=CANCELED, message=message)


def _drawn_requirements(rng: Random) -> tuple[Requirement, ...]:
    kinds = rng.sample(_REQUIREMENTS, rng.choice((1, 1, 2, 2, 3, 4)))
    if rng.random() < 0.02:
        # The public table grew between two copies, so the data hold a code that nobody knows.
        kinds.append(kind_of("RQ_008"))
    drawn = []
    for kind in kinds:
        items = kind.items
        if items and rng.random() < 0.5:
            items = items[: rng.randrange(1, len(items) + 1)]
        drawn.append(Requirement(kind.code, tuple(map(Item, items))))
    return tuple(drawn)


def _answer_events(activity: Activity, life: Life, rng: Random) -> list[Event]:
    chance = rng.random()
    patience = activity.valid_until - activity.created_at
    answered_at = activity.created_at + 1 + int(rng.random() ** 3 * (patience - 2))
    if chance < 0.22 or patience < 3:
        return [_cancellation(activity)]
    if chance < 0.36:
        message = rng.choice(names.DECLINE_MESSAGES)
        return [Event(at=answered_at, status=DECLINED, message=message)]
    accepted = life.requirements if chance < 0.8 else _part_of(life.requirements, rng)
    return _shared_events(life, answered_at, accepted, rng.choice(names.ACCEPT_MESSAGES), rng)


def _shared_events(
    life: Life, at: int, accepted: tuple[Requirement, ...], message: str, rng: Random
) -> list[Event]:
    """Draw what follows from an acceptance: some are completed, all expire."""
    acceptance = accepted_at(life, at, accepted, message)
    events = [acceptance, expiry_of(acceptance)]
    if rng.random() < 0.55:
        soon = min(life.sharing_ms() - 2, 9 * DAY_MS)
        completed_at = at + 1 + int(rng.random() ** 2 * soon)
        message = "Finalised by both sides"
        events.insert(1, Event(at=completed_at, status=COMPLETED, message=message))
    return events


def _part_of(requirements: tuple[Requirement, ...], rng: Random) -> tuple[Requirement, ...]:
    """Return some of the requirements or of their items; all, where there is only one thing."""
    if len(requirements) > 1:
        return tuple(rng.sample(requirements, rng.randrange(1, len(requirements))))
    if requirements and len(requirements[0].items) > 1:
        (only,) = requirements
        return (Requirement(only.code, only.items[: rng.randrange(1, len(only.items))]),)
    return requirements
