"""What a run is given (tools, options, a progress receiver) and what it returns (summary, errors)."""

from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Protocol
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from pipeline.service.client import ServiceClient
from pipeline.sync.days import DayRange
from pipeline.warehouse.load.merge import LoadResult


class SyncError(Exception):
    """A run can't go on, for a reason of its own; ``str()`` is one clear line."""


@dataclass(frozen=True)
class Options:
    """How to run. Times as in the settings; ``gone_share`` is a fraction of the stored activities.

    ``start``: the first day that the warehouse holds; None: only days that are asked for. Each day since
    then is walked again within ``audit_days`` nights.
    ``walks``: windows of days read at once; three times as many are in work. ``not_yet``: so old an
    activity may be whose details can't be read yet.
    ``batch_size``: upper limit of activities whose details were received but not yet committed.
    ``expired_values``: as in `erasures.set_policy`. ``keep_personal_months``: how long
    after its end an activity keeps what is personal; None: for good. ``night_sample``: most activities
    of the sample at a night's end; 0: none. ``keep_days``, ``keep_versions``: as in
    `pipeline.warehouse.prune.prune`.
    """

    full: bool = False
    accept_gone: bool = False
    start: date | None = None
    audit_days: int = 30
    page_size: int = 500
    workers: int = 16
    recheck: timedelta = timedelta(days=7)
    not_yet: timedelta = timedelta(minutes=15)
    gone_share: float = 0.05
    gone_least: int = 20
    expired_values: str = "hide"
    keep_personal_months: int | None = None
    batch_size: int = 500
    batch_bytes: int = 8 * 2**20
    window_days: int = 8
    walks: int = 2
    night_sample: int = 200
    keep_days: int = 90
    keep_versions: int | None = None


class Progress(Protocol):
    """Receives the progress of a run, and shows it. The run's own event loop makes the calls."""

    def log(self, message: str) -> None:
        """Show a message that is worth keeping. It holds nothing personal."""

    def step(self, message: str) -> None:
        """Show what the run has just done: a line of a log, the caption of a progress bar."""

    def advance(self, done: int, total: int) -> None:
        """Show that ``done`` of the ``total`` requests known so far are done."""


@dataclass(eq=False, repr=False)
class Tools:
    """What all runs of a process work with. ``zone``: the configured time zone, in which days are cut."""

    client: ServiceClient
    engine: sa.Engine
    zone: ZoneInfo
    options: Options
    progress: Progress


@dataclass
class Summary:
    """What a run did. ``problems``: one line for each day or matter that needs attention.

    ``unchanged`` counts activities that needed no details. ``healed`` counts activities whose rows were
    changed outside a run, and restored; ``pruned`` what was removed because it was kept long enough;
    ``erased`` activities out of which something personal was erased because it was due. ``seconds``:
    duration of the run. The request counts are those that the run's client sent in it.
    """

    run_id: str
    kind: str
    days: DayRange | None = None
    listed: int = 0
    loaded: LoadResult = field(default_factory=LoadResult)
    unchanged: int = 0
    quarantined: int = 0
    healed: int = 0
    pruned: int = 0
    erased: int = 0
    list_requests: int = 0
    details_requests: int = 0
    retries: int = 0
    logins: int = 0
    bytes_received: int = 0
    seconds: float = 0.0
    problems: list[str] = field(default_factory=list)

    @property
    def status(self) -> str:
        """``complete``, or ``incomplete``: ``problems`` names what is missing."""
        return "incomplete" if self.problems else "complete"

    def counts(self) -> dict[str, int]:
        """Return the counts under the column names of ``sync.runs``."""
        return {
            "listed": self.listed,
            "new": self.loaded.new,
            "changed": self.loaded.changed,
            "unchanged": self.unchanged + self.loaded.unchanged,
            "gone": self.loaded.gone,
            "quarantined": self.quarantined,
            "healed": self.healed,
            "pruned": self.pruned,
            "erased": self.erased,
            "requests": self.list_requests + self.details_requests,
            "retries": self.retries,
            "logins": self.logins,
            "bytes_received": self.bytes_received,
        }
