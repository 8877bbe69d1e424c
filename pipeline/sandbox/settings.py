"""What a sandbox is made from: credentials, the size and range of its data, its clock."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import msgspec

from .behaviour import Behaviour
from .clock import DAY_MS, day_start_ms, zone_named

if TYPE_CHECKING:
    from .faults import FaultRule


class Credentials(msgspec.Struct, frozen=True, kw_only=True):
    """The business's credentials, issued outside the interface (docs/service.md 5).

    The defaults are obviously fake. Any text works, but HTTP Basic can't send a user name with `:`.
    """

    api_key: str = "sandbox-api-key-not-a-secret"
    username: str = "sandbox-business"
    password: str = "sandbox-password-not-a-secret"  # noqa: S105  # obviously fake, by design

    def __repr__(self) -> str:
        return f"Credentials(username={self.username!r})"


class SandboxSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a sandbox is made from; the same settings give the same data.

    - `activities`: how many are drawn, spread over the range of days.
    - `from_date`, `to_date`: first and last day of the data, both whole, cut in `timezone`.
      Without `from_date` the data fill the `days` before the sandbox's clock, up to that instant
      (or before the end of `to_date`). Later activities appear as the clock moves.
    - `seed`: everything random comes from it.
    - `people`: how many counterparts; None makes about one for every six activities.
    - `now`: where the clock starts (with a time zone); None is the real time.
    - `frozen`: whether the clock stands still until it is moved.
    """

    activities: int = 2000
    days: int = 90
    from_date: dt.date | None = None
    to_date: dt.date | None = None
    seed: int = 1
    timezone: str = "UTC"
    people: int | None = None
    now: dt.datetime | None = None
    frozen: bool = False
    credentials: Credentials = Credentials()
    behaviour: Behaviour = Behaviour()
    faults: tuple[FaultRule, ...] = ()

    def __post_init__(self) -> None:
        if self.activities < 0 or self.days < 1 or (self.people is not None and self.people < 1):
            raise ValueError("activities must be 0 or more, days and people 1 or more")
        zone_named(self.timezone)
        if self.from_date and self.to_date and self.from_date > self.to_date:
            raise ValueError("from_date is after to_date")

    def environment(self, base_url: str, now_ms: int) -> dict[str, str]:
        """Return the settings that point the pipeline at a sandbox served at `base_url`."""
        first_day = dt.datetime.fromtimestamp(self.range_ms(now_ms)[0] / 1000, dt.UTC).date()
        return {
            "ACTIVITIES_BASE_URL": base_url,
            "ACTIVITIES_API_KEY": self.credentials.api_key,
            "ACTIVITIES_USERNAME": self.credentials.username,
            "ACTIVITIES_PASSWORD": self.credentials.password,
            "ACTIVITIES_TIMEZONE": self.timezone,
            "ACTIVITIES_START_DATE": first_day.isoformat(),
        }

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
        return end - self.days * DAY_MS, end
