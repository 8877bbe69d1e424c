"""What the parts of one run share: the service, the sender's connection and the rules."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from pipeline.authorizations.listing import Sent
from pipeline.authorizations.references import DEFAULT
from pipeline.service.client import ServiceClient
from pipeline.sync.days import day_of
from pipeline.sync.listing import ListReader
from pipeline.warehouse.authorizations import detect_restore, find_labels
from pipeline.warehouse.engine import Session


@dataclass(frozen=True)
class Rules:
    """Limits and periods of sending and settling (docs/authorizations.md).

    ``per_second``: most calls begun in a second. ``per_day``: most calls in a day of the configured zone.
    ``reference``: the pattern of references, None: messages have none. ``repeat_days``: nobody is asked
    again within so many days; 0: people may be.

    ``settle``: how long a call without a clear answer may still take effect after its end. A proxy or
    a queue may deliver it late. A list without its activity proves nothing before that, and to send
    again earlier could create a second activity.

    ``page_size``: rows in a page of the list. ``wait``: how long a run waits for a list that lags behind.
    """

    per_second: float = 1.0
    per_day: int = 1000
    reference: str | None = DEFAULT
    repeat_days: int = 30
    settle: timedelta = timedelta(minutes=15)
    page_size: int = 500
    wait: timedelta = timedelta(minutes=2)


@dataclass(repr=False)
class Context:
    """One run, once it is logged in.

    ``session``: the sender's, which holds its lock. ``reader``: asks for the list. ``say``: takes
    lines about progress. ``restored``: nothing is sent before a person confirms the restore.

    ``stopped``: why sending ended early. ``reached``: requests by the state that this run brought them
    to. ``refused``: requests that stay queued until the next run, though the service answered, each with
    whether that is surely about the request. ``failures``: calls in a row that failed. ``read``:
    activities whose details were read. ``there_before``: by request without a reference, the activities
    that were read before its call.
    """

    engine: sa.Engine
    client: ServiceClient
    session: Session
    rules: Rules
    zone: ZoneInfo
    say: Callable[[str], None]
    stopped: str | None = None
    reached: Counter[str] = field(default_factory=Counter)
    refused: dict[str, bool] = field(default_factory=dict)
    failures: int = 0
    read: dict[str, Sent | None] = field(default_factory=dict)
    there_before: dict[str, frozenset[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.labels = find_labels(self.engine)
        self.restored = detect_restore(self.engine)
        self.reader = ListReader(
            list_page=self.client.list_activities,
            clock=self.client.clock,
            stamp=self.now,
            today=lambda: day_of(self.now(), self.zone),
            page_size=self.rules.page_size,
            random=Random(),  # noqa: S311
        )

    def now(self) -> datetime:
        """Return the service's time."""
        return self.client.clock.now()
