"""Counterparts: individuals and businesses, shared between activities (specification §2.5)."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, Final

import msgspec

from . import names
from .catalogue import BUSINESS, INDIVIDUAL, level_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .history import Activity

DAY_MS: Final = 86_400_000
# What the clock or the controls may change of an entity.
CHANGEABLE: Final = frozenset(
    {"name", "avatar", "score", "scoring_level", "social_media", "unregistered"}
)


class Entity(msgspec.Struct, kw_only=True, eq=False):
    """One counterpart. `changes` are what happens to it and when: (epoch ms, changed fields)."""

    number: int
    id: str
    cifcode: str
    type: str
    name: str
    given_name: str
    family_name: str
    avatar: str | None
    score: int
    social_media: tuple[tuple[str, str], ...]
    created_at: int
    phone: tuple[str, str]
    seed: int
    changes: tuple[tuple[int, dict[str, Any]], ...] = ()
    # Sorted by creation, as activities are made.
    activities: list[Activity] = []
    # Counts the controls' changes, so that what was encoded before them is encoded anew.
    version: int = 0

    def standing(self, now: int) -> tuple[dict[str, Any], int, int]:
        """Return the entity object as the service states it at `now` (epoch ms).

        With it the half-open range of instants for which it holds.
        """
        stated: dict[str, Any] = {
            "id": self.id,
            "name": self.name,
            "cifcode": self.cifcode,
            "type": self.type,
            "avatar": self.avatar,
            "score": self.score,
            "scoring_level": level_of(self.score, misspelled=self.number % 4 == 0),
            "social_media": [{"media": media, "url": url} for media, url in self.social_media],
            "created_at": self.created_at,
            "unregistered": False,
        }
        since, until = 0, FOREVER_MS
        for at, fields in self.changes:
            if at > now:
                until = at
                break
            since = at
            stated.update(fields)
            if "score" in fields and "scoring_level" not in fields:
                score = fields["score"]
                if isinstance(score, int):
                    stated["scoring_level"] = level_of(score, misspelled=self.number % 4 == 0)
        return stated, since, until

    def change(self, now: int, fields: dict[str, Any]) -> None:
        """Let the entity be changed at `now`; ValueError for a field that never changes."""
        unknown = fields.keys() - CHANGEABLE
        if unknown:
            raise ValueError(f"an entity's {', '.join(sorted(unknown))} can't be changed")
        before = [change for change in self.changes if change[0] <= now]
        after = [change for change in self.changes if change[0] > now]
        self.changes = (*before, (now, dict(fields)), *after)
        self.version += 1


FOREVER_MS: Final = 1 << 62


def random_uuid(rng: Random) -> str:
    """Return a version 4 UUID drawn from `rng`."""
    bits = rng.getrandbits(128)
    bits = bits & ~(0xF000 << 64) & ~(0xC000 << 48) | 0x4000 << 64 | 0x8000 << 48
    text = f"{bits:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def drawn_people(count: int, seed: int, start_ms: int, end_ms: int) -> Iterator[Entity]:
    """Draw `count` entities; what the clock changes of them lies in the data's range."""
    rng = Random(f"people:{seed}")
    for number in range(count):
        yield _drawn(rng, number, start_ms, end_ms)


def individual_by_phone(country: str, phone: str, number: int, now: int) -> Entity:
    """Return the individual of a phone number nobody had: the same one for the same phone."""
    rng = Random(f"phone:{country}:{phone}")
    entity = _drawn(rng, number, now, now + DAY_MS, kind=INDIVIDUAL)
    entity.phone = (country, phone)
    entity.changes = ()
    entity.created_at = now - rng.randrange(1, 900) * DAY_MS
    return entity


def _drawn(rng: Random, number: int, start_ms: int, end_ms: int, kind: str | None = None) -> Entity:
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
    return Entity(
        number=number,
        id=entity_id,
        cifcode=random_uuid(rng),
        type=kind,
        name=name,
        given_name=given,
        family_name=family,
        avatar=None if rng.random() < 0.08 else f"https://avatars.example.test/{entity_id}.png",
        score=min(850, max(300, round(rng.gauss(640, 110)))),
        social_media=_social_media(rng, number),
        created_at=start_ms - rng.randrange(1, 1500) * DAY_MS - rng.randrange(DAY_MS),
        phone=(country, f"9{rng.randrange(10**8):08d}"),
        seed=rng.getrandbits(48),
        changes=tuple(_drawn_changes(rng, start_ms, max(end_ms, start_ms + 1))),
        activities=[],
    )


def _social_media(rng: Random, number: int) -> tuple[tuple[str, str], ...]:
    count = rng.choice((0, 0, 1, 1, 2))
    return tuple(
        (media, f"https://social.example.test/{media.lower()}/member{number}")
        for media in names.MEDIA[:count]
    )


def _drawn_changes(rng: Random, start: int, end: int) -> list[tuple[int, dict[str, Any]]]:
    """Draw what happens to a member: some get a new score, fewer delete their profile."""
    changes: list[tuple[int, dict[str, Any]]] = []
    chance = rng.random()
    if chance < 0.15:
        changes.append((rng.randrange(start, end), {"score": rng.randrange(300, 851)}))
    if 0.12 < chance < 0.15:
        at = max(changes[0][0], rng.randrange(start, end))
        changes.append((at, {"unregistered": True}))
    return changes
