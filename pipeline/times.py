"""How an instant is shown to people."""

from contextlib import suppress
from datetime import UTC, datetime

from pipeline.settings import DefinitionSettings, SettingsInvalid


def here(instant: datetime) -> datetime:
    """Return an instant in ``ACTIVITIES_TIMEZONE``; in UTC where that names no zone."""
    with suppress(SettingsInvalid):
        return instant.astimezone(DefinitionSettings().timezone)
    return instant.astimezone(UTC)


def shown(instant: datetime) -> str:
    """Return an instant to the minute, with its zone."""
    return f"{here(instant):%Y-%m-%d %H:%M %Z}"
