"""What a run over many days will cost, told as soon as its first window is walked.

The list tells no total, so that this window stands for those that were never walked; days that the
warehouse knows to be complete are expected to hold nothing new.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import ceil

from pipeline.sync.days import DayRange
from pipeline.warehouse.coverage import DayCoverage


@dataclass(frozen=True)
class Forecast:
    """About how many requests a run will send, and for how long at ``pace`` requests a second."""

    lists: int
    details: int
    pace: float

    def __str__(self) -> str:
        minutes = (self.lists + self.details) / self.pace / 60
        duration = f"{ceil(minutes)} minutes" if minutes > 1 else "a minute at most"
        return (
            f"forecast: about {self.lists:,} list and {self.details:,} details requests,"
            f" {duration} at {self.pace:,.0f} a second"
        )


def forecast(
    cuts: Sequence[DayRange],
    first: DayRange,
    pages: int,
    listed: int,
    to_fetch: int,
    stored: Mapping[date, DayCoverage],
    pace: float,
) -> Forecast:
    """Foretell a run over ``cuts`` by the window ``first`` of them.

    That one took ``pages``, lists ``listed`` and has ``to_fetch`` to fetch. ``stored``: what was known
    of the days before the run. ``pace``: requests a second.
    """
    days = [day for cut in cuts for day in cut if day not in first]
    unknown = sum(not (day in stored and stored[day].complete) for day in days)
    details = to_fetch + round(listed / len(first) * unknown)
    return Forecast(pages * len(cuts), details, max(pace, 0.1))
