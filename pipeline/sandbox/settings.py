"""What a sandbox is made with: credentials, the size and range of its data, its clock."""

from __future__ import annotations

import datetime as dt
from typing import Annotated

import msgspec

from .behaviour import Behaviour
from .faults import FaultRule  # noqa: TC001  # read by msgspec at run time
from .zones import zone_named

DEFAULT_API_KEY = "sandbox-api-key-not-a-secret"
DEFAULT_USERNAME = "sandbox-business"
DEFAULT_PASSWORD = "sandbox-password-not-a-secret"  # noqa: S105  # obviously fake, by design


class Credentials(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The business's credentials, issued outside the interface (specification §5.1).

    The defaults are obviously fake. Any text works, but the user name must be free of `:`,
    because HTTP Basic ends the user name at the first one.
    """

    api_key: str = DEFAULT_API_KEY
    username: str = DEFAULT_USERNAME
    password: str = DEFAULT_PASSWORD

    def __post_init__(self) -> None:
        if ":" in self.username:
            raise ValueError("a user name with ':' can't be sent by HTTP Basic")
        if not self.api_key:
            raise ValueError("the API key must not be empty")

    def __repr__(self) -> str:
        return f"Credentials(username={self.username!r})"


class SandboxSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything a sandbox is made from; the same settings give the same data.

    - `activities`: how many are drawn, spread over the range of days.
    - `from_date`, `to_date`: first and last day of the data, both whole, cut in `timezone`.
      Without `from_date` the data fill the `days` before the sandbox's clock, up to that instant
      (or before the end of `to_date`). What is drawn past the clock appears as the clock moves.
    - `seed`: everything random comes from it.
    - `people`: how many counterparts; None draws about one for every six activities.
    - `now`: where the clock starts (aware datetime, or epoch ms); None is the real time.
    - `frozen`: whether the clock stands still until it is moved.
    """

    activities: Annotated[int, msgspec.Meta(ge=0)] = 2000
    days: Annotated[int, msgspec.Meta(ge=1)] = 90
    from_date: dt.date | None = None
    to_date: dt.date | None = None
    seed: int = 1
    timezone: str = "UTC"
    people: Annotated[int, msgspec.Meta(ge=1)] | None = None
    now: dt.datetime | int | None = None
    frozen: bool = False
    credentials: Credentials = Credentials()
    behaviour: Behaviour = Behaviour()
    faults: tuple[FaultRule, ...] = ()

    def __post_init__(self) -> None:
        if self.activities < 0 or self.days < 1 or (self.people is not None and self.people < 1):
            raise ValueError("activities must be 0 or more, days and people 1 or more")
        zone_named(self.timezone)
        if isinstance(self.now, dt.datetime) and self.now.tzinfo is None:
            raise ValueError("`now` needs a time zone")
        if self.from_date and self.to_date and self.from_date > self.to_date:
            raise ValueError("from_date is after to_date")

    def start_ms(self) -> int | None:
        """Return the instant the clock starts at (epoch ms), or None for the real time."""
        if isinstance(self.now, dt.datetime):
            return round(self.now.timestamp() * 1000)
        return self.now

    def range_ms(self, now_ms: int) -> tuple[int, int]:
        """Return the half-open range of creation instants (epoch ms) the data are drawn in."""
        zone = zone_named(self.timezone)
        if self.to_date is not None:
            end = day_start_ms(self.to_date + dt.timedelta(days=1), zone)
        elif self.from_date is not None:
            today = dt.datetime.fromtimestamp(now_ms / 1000, zone).date()
            end = day_start_ms(max(today, self.from_date) + dt.timedelta(days=1), zone)
        else:
            end = now_ms
        if self.from_date is not None:
            return day_start_ms(self.from_date, zone), end
        return end - self.days * 86_400_000, end


def day_start_ms(day: dt.date, zone: dt.tzinfo) -> int:
    """Return the first instant (epoch ms) of `day` in `zone`."""
    start = dt.datetime(day.year, day.month, day.day, tzinfo=zone)
    return (start - _EPOCH) // dt.timedelta(milliseconds=1)


_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
