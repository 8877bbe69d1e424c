"""What a run over many days will cost, forecast when its first window is walked.

The list has no total, so this window stands for all days that were never walked. Days that the
warehouse knows to be complete are expected to hold nothing new.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from math import ceil

from pipeline.sync.days import DayRange
from pipeline.warehouse.coverage import DayCoverage


def forecast(
    windows: Sequence[DayRange],
    pages: int,
    listed: int,
    to_fetch: int,
    known: Mapping[date, DayCoverage],
    pace: float,
) -> str:
    """Return a line about the requests and minutes that a run over ``windows`` will need.

    The first window took ``pages``, lists ``listed`` activities and needs details of ``to_fetch``.
    ``known``: coverage of the days before the run. ``pace``: requests a second.
    """
    rest = [day for window in windows[1:] for day in window]
    unknown = sum(not (day in known and known[day].complete) for day in rest)
    details = to_fetch + round(listed / len(windows[0]) * unknown)
    lists = pages * len(windows)
    # A run that has just begun may have sent next to nothing yet.
    minutes = (lists + details) / max(pace, 0.1) / 60
    duration = f"{ceil(minutes)} minutes" if minutes > 1 else "a minute at most"
    return (
        f"forecast: about {lists:,} list and {details:,} details requests,"
        f" {duration} at {pace:,.0f} a second"
    )
