"""What a run is asked to do, how it tells of its progress, and what came of it."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Protocol

from pipeline.sync.days import DayRange
from pipeline.sync.forecast import Forecast
from pipeline.warehouse.merge import LoadCounts


class SyncError(Exception):
    """A run can't go on, for a reason of its own; ``str()`` is one clear line."""


class TooManyGone(SyncError):
    """More activities would be marked as gone than the brake lets through; none was marked."""


@dataclass(frozen=True)
class Options:
    """How to run. Times as in the settings; ``gone_share`` is a fraction of the activities looked at.

    ``batch_size``: most activities whose details were received and are not committed yet.
    ``expired_values``: one of ``pipeline.warehouse.erasures.POLICIES``.
    """

    full: bool = False
    accept_gone: bool = False
    page_size: int = 500
    workers: int = 16
    recheck: timedelta = timedelta(days=7)
    gone_share: float = 0.05
    gone_least: int = 20
    expired_values: str = "hide"
    batch_size: int = 500
    batch_bytes: int = 8 * 2**20
    window_days: int = 8
    walks: int = 3


class Progress(Protocol):
    """Whom a run tells how far it is. Calls come from the run's own event loop."""

    def planned(self, windows: int, activities: int) -> None:
        """Hear that ``windows`` of days are to be walked, ``activities`` fetched one by one."""

    def foretold(self, forecast: Forecast) -> None:
        """Hear what the run will cost; once, for days asked for, before anything is fetched."""

    def walked(self, days: DayRange, listed: int, to_fetch: int, note: str) -> None:
        """Hear that a window is walked: ``to_fetch`` of its ``listed`` activities need details."""

    def fetched(self, done: int, known: int) -> None:
        """Hear that ``done`` of the ``known`` activities that need details have been fetched."""

    def said(self, message: str) -> None:
        """Hear something worth a line in the log."""


@dataclass
class Summary:
    """What a run did. ``problems``: one line for each day or matter that is not in order."""

    run_id: str
    kind: str
    days: DayRange | None = None
    listed: int = 0
    loaded: LoadCounts = field(default_factory=LoadCounts)
    unchanged: int = 0
    quarantined: int = 0
    list_requests: int = 0
    details_requests: int = 0
    retries: int = 0
    logins: int = 0
    bytes_received: int = 0
    seconds: float = 0.0
    problems: list[str] = field(default_factory=list)

    @property
    def status(self) -> str:
        """``complete``, or ``incomplete``: something is quarantined or unverified, and named."""
        return "incomplete" if self.problems else "complete"

    def counts(self) -> dict[str, int]:
        """Return the counts in the terms of ``sync.runs``."""
        return {
            "listed": self.listed,
            "new": self.loaded.new,
            "changed": self.loaded.changed,
            "unchanged": self.unchanged + self.loaded.unchanged,
            "gone": self.loaded.gone,
            "quarantined": self.quarantined,
            "requests": self.list_requests + self.details_requests,
            "retries": self.retries,
            "logins": self.logins,
            "bytes_received": self.bytes_received,
        }
