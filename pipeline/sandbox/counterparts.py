"""Counterparts of activities: individuals and businesses (docs/service.md 2.5)."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any
from uuid import UUID

import msgspec

from . import names
from .bodies import Entity, Link
from .catalogue import BUSINESS, INDIVIDUAL, level_of
from .clock import DAY_MS

if TYPE_CHECKING:
    from collections.abc import Iterator


class Counterpart(msgspec.Struct, kw_only=True, eq=False):
    """One counterpart. `changes` are what happens to it and when: (epoch ms, changed fields)."""

    entity: Entity
    misspells: bool
    given_name: str
    family_name: str
    phone: tuple[str, str]
    seed: int
    changes: tuple[tuple[int, dict[str, Any]], ...]

    def stated(self, now: int) -> Entity:
        """Return the entity object at `now` (epoch ms)."""
        fields: dict[str, Any] = {}
        for at, changed in self.changes:
            if at > now:
                break
            if isinstance(changed.get("score"), int):
                fields["scoring_level"] = level_of(changed["score"], misspelled=self.misspells)
            fields.update(changed)
        return msgspec.structs.replace(self.entity, **fields)

    def change(self, now: int, fields: dict[str, Any]) -> None:
        """Change fields of the entity at `now`."""
        self.changes = tuple(sorted([*self.changes, (now, fields)], key=lambda change: change[0]))


def random_uuid(rng: Random) -> str:
    """Return a version 4 UUID drawn from `rng`."""
    return str(UUID(int=rng.getrandbits(128), version=4))


def drawn_people(count: int, seed: int, start_ms: int, end_ms: int) -> Iterator[Counterpart]:
    """Draw `count` counterparts whose changes lie between two instants (epoch ms)."""
    rng = Random(f"people:{seed}")
    for number in range(count):
        yield _drawn(rng, number, start_ms, end_ms)


def individual_by_phone(phone: tuple[str, str], number: int, now: int) -> Counterpart:
    """Return the individual of a new phone number: always the same one for the same number."""
    rng = Random("phone:{}:{}".format(*phone))
    individual = _drawn(rng, number, now, now + DAY_MS, kind=INDIVIDUAL)
    individual.phone = phone
    individual.changes = ()
    individual.entity.created_at = now - rng.randrange(1, 900) * DAY_MS
    return individual


def _drawn(
    rng: Random, number: int, start_ms: int, end_ms: int, kind: str | None = None
) -> Counterpart:
    kind = kind or (BUSINESS if rng.random() < 0.15 else INDIVIDUAL)
    entity_id = random_uuid(rng)
    if kind == BUSINESS:
        given, family = "", rng.choice(names.BUSINESS_WORDS)
        name = f"{family} {rng.choice(names.BUSINESS_KINDS)}"
    else:
        (script,) = rng.choices(names.PEOPLE, names.PEOPLE_WEIGHTS)
        given, family = rng.choice(script[0]), rng.choice(script[1])
        name = f"{given} {family}"
    country = rng.choice(names.COUNTRY_CODES)
    # The order of the draws decides the data of every seed.
    entity = Entity(
        id=entity_id,
        name=name,
        cifcode=random_uuid(rng),
        type=kind,
        avatar=None if rng.random() < 0.08 else f"https://avatars.example.test/{entity_id}.png",
        score=min(850, max(300, round(rng.gauss(640, 110)))),
        scoring_level="",
        social_media=_social_media(rng, number),
        created_at=start_ms - rng.randrange(1, 1500) * DAY_MS - rng.randrange(DAY_MS),
        unregistered=False,
    )
    misspells = number % 4 == 0
    entity.scoring_level = level_of(entity.score, misspelled=misspells)
    return Counterpart(
        entity=entity,
        misspells=misspells,
        given_name=given,
        family_name=family,
        phone=(country, f"9{rng.randrange(10**8):08d}"),
        seed=rng.getrandbits(48),
        changes=tuple(_drawn_changes(rng, start_ms, max(end_ms, start_ms + 1))),
    )


def _social_media(rng: Random, number: int) -> list[Link]:
    return [
        Link(media, f"https://social.example.test/{media.lower()}/member{number}")
        for media in names.MEDIA[: rng.choice((0, 0, 1, 1, 2))]
    ]


def _drawn_changes(rng: Random, start: int, end: int) -> list[tuple[int, dict[str, Any]]]:
    """Draw what happens to a counterpart: some get a new score, fewer delete their profile."""
    changes: list[tuple[int, dict[str, Any]]] = []
    chance = rng.random()
    if chance < 0.15:
        changes.append((rng.randrange(start, end), {"score": rng.randrange(300, 851)}))
    if 0.12 < chance < 0.15:
        at = max(changes[0][0], rng.randrange(start, end))
        changes.append((at, {"unregistered": True}))
    return changes
