"""The present, by the clock of this machine: for what people and schedules call "now" and "today"."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo


def now() -> datetime:
    """Return the present instant."""
    return datetime.now(UTC)


def today(zone: ZoneInfo) -> date:
    """Return the present day in a zone."""
    return now().astimezone(zone).date()
