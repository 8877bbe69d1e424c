"""Draws activities and their whole lives from the seed: the same seed, the same world."""

from __future__ import annotations

import datetime as dt
from random import Random
from typing import TYPE_CHECKING, Final

from . import names
from .catalogue import (
    ACCEPTED,
    ACTION_REQUIRED,
    AUTHORIZATION,
    CANCELED,
    COMPLETED,
    DECLINED,
    EXPIRED,
    HOUR_MS,
    IN,
    OUT,
    REQUEST,
    REQUIREMENTS,
    SENT,
    SHARE,
    SWAP,
    UNKNOWN_REQUIREMENT,
)
from .history import Activity, Event, Life, Requirement
from .people import DAY_MS, Entity, random_uuid
from .settings import day_start_ms

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from zoneinfo import ZoneInfo

_TYPES: Final = (REQUEST, SHARE, SWAP, AUTHORIZATION)
_TYPE_WEIGHTS: Final = (4, 2, 1, 5)
_VALIDITY_HOURS: Final = (1, 12, 24, 48, 72, 120, 168, 360)
_EXPIRES_IN: Final = (
    ("HOURS", 24),
    ("HOURS", 72),
    ("DAYS", 7),
    ("DAYS", 15),
    ("DAYS", 30),
    ("DAYS", 30),
    ("DAYS", 90),
    ("DAYS", 365),
)
_REQUIREMENTS: Final = tuple(REQUIREMENTS.values())


def drawn_activities(
    count: int, seed: int, start_ms: int, end_ms: int, zone: ZoneInfo, people: Sequence[Entity]
) -> Iterator[Activity]:
    """Draw `count` activities created in [start, end) (epoch ms), in order of creation."""
    rng = Random(f"activities:{seed}")
    for number, created_at in enumerate(_instants(rng, count, start_ms, end_ms, zone)):
        # A few counterparts have most of the activities.
        entity = people[int(len(people) * rng.random() ** 2)]
        yield drawn_activity(rng, number, created_at, entity)


def _instants(rng: Random, count: int, start_ms: int, end_ms: int, zone: ZoneInfo) -> list[int]:
    """Draw creation instants: every day the same chance, most of them in the working hours."""
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
    entity: Entity,
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
        entity=entity,
        zone=rng.choice(names.TIME_ZONES),
        created_at=created_at,
        valid_until=created_at + rng.choice(_VALIDITY_HOURS) * HOUR_MS,
        seed=rng.getrandbits(48),
    )


def life_of(activity: Activity) -> Life:
    """Return the activity's life: the stored one, else the one drawn from its seed."""
    if activity.life is not None:
        return activity.life
    rng = Random(activity.seed)
    description = rng.choice(names.DESCRIPTIONS).replace("{n}", str(activity.seed % 100_000))
    life = Life(
        description=description,
        requirements=_drawn_requirements(rng),
        expires_in=rng.choice(_EXPIRES_IN),
        events=(),
    )
    return with_future(activity, life, rng)


def with_future(activity: Activity, life: Life, rng: Random | None = None) -> Life:
    """Return the life with all its events, drawn from the activity's seed."""
    rng = rng or Random(activity.seed)
    if activity.type == SHARE:
        events = _shared_events(activity, life, rng)
    else:
        events = [start(activity), *_answer_events(activity, life, rng)]
    if rng.random() < 0.06:
        at = activity.created_at + rng.randrange(1, 20 * DAY_MS)
        text = {"description": f"{life.description} (rev. {rng.randrange(2, 9)})"}
        events.append(Event(at=at, changes=text, drawn_edit=True))
        events.sort(key=lambda event: event.at)
    return Life(
        description=life.description,
        requirements=life.requirements,
        expires_in=life.expires_in,
        events=tuple(events),
    )


def start(activity: Activity) -> Event:
    """Return the first event: pending, as seen from the activity's side."""
    status = SENT if activity.bound == OUT else ACTION_REQUIRED
    return Event(at=activity.created_at, status=status, message="Activity created")


def unanswered(activity: Activity) -> tuple[Event, Event]:
    """Return the events of an activity that nobody will answer: canceled at `valid_until`."""
    message = "No answer within the validity"
    return start(activity), Event(at=activity.valid_until, status=CANCELED, message=message)


def _drawn_requirements(rng: Random) -> tuple[Requirement, ...]:
    kinds = rng.sample(_REQUIREMENTS, rng.choice((1, 1, 2, 2, 3, 4)))
    if rng.random() < 0.02:
        kinds.append(UNKNOWN_REQUIREMENT)
    drawn = []
    for kind in kinds:
        items = kind.items
        if items and rng.random() < 0.5:
            items = items[: rng.randrange(1, len(items) + 1)]
        drawn.append(Requirement(kind.code, items))
    return tuple(drawn)


def _shared_events(activity: Activity, life: Life, rng: Random) -> list[Event]:
    """Draw a share: there for the counterpart at once, completed by some, over at its expiry."""
    expires_at = activity.created_at + life.sharing_ms()
    events = [
        Event(
            at=activity.created_at,
            status=ACCEPTED,
            message="Activity created",
            accepted=life.requirements,
            expires_at=expires_at,
        )
    ]
    return _completed_and_expired(events, activity.created_at, expires_at, rng)


def _answer_events(activity: Activity, life: Life, rng: Random) -> list[Event]:
    chance = rng.random()
    patience = activity.valid_until - activity.created_at
    answered_at = activity.created_at + 1 + int(rng.random() ** 3 * (patience - 2))
    if chance < 0.22 or patience < 3:
        return [unanswered(activity)[1]]
    if chance < 0.36:
        message = rng.choice(names.DECLINE_MESSAGES)
        return [Event(at=answered_at, status=DECLINED, message=message)]
    accepted = life.requirements if chance < 0.8 else _part_of(life.requirements, rng)
    expires_at = answered_at + life.sharing_ms()
    events = [
        Event(
            at=answered_at,
            status=ACCEPTED,
            message=rng.choice(names.ACCEPT_MESSAGES),
            accepted=accepted,
            expires_at=expires_at,
        )
    ]
    return _completed_and_expired(events, answered_at, expires_at, rng)


def _completed_and_expired(
    events: list[Event], accepted_at: int, expires_at: int, rng: Random
) -> list[Event]:
    if rng.random() < 0.55:
        at = (
            accepted_at + 1 + int(rng.random() ** 2 * min(expires_at - accepted_at - 2, 9 * DAY_MS))
        )
        events.append(Event(at=at, status=COMPLETED, message="Finalised by both sides"))
    events.append(Event(at=expires_at, status=EXPIRED, message="The sharing period is over"))
    return events


def _part_of(requirements: tuple[Requirement, ...], rng: Random) -> tuple[Requirement, ...]:
    """Return some of the requirements or of their items; all, where there is but one thing."""
    if len(requirements) > 1:
        return tuple(rng.sample(requirements, rng.randrange(1, len(requirements))))
    only = requirements[0] if requirements else Requirement("")
    if len(only.items) > 1:
        return (Requirement(only.code, only.items[: rng.randrange(1, len(only.items))]),)
    return requirements
