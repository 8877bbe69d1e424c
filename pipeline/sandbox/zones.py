"""Time zones by their IANA names, refused clearly when unknown."""

from __future__ import annotations

import functools
from zoneinfo import ZoneInfo, available_timezones


@functools.cache
def known_zones() -> frozenset[str]:
    """Return every IANA zone name this machine knows."""
    return frozenset(available_timezones())


@functools.lru_cache(maxsize=1024)
def zone_named(name: str) -> ZoneInfo:
    """Return the zone of an IANA name; ValueError when there is none of that name."""
    if name not in known_zones():
        raise ValueError(f"unknown time zone {name!r}")
    return ZoneInfo(name)
