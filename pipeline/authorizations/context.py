"""What the parts of one run share: the service, the sender's connection, the rules and the clock."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from pipeline.authorizations.matching import Candidate
from pipeline.authorizations.rules import Rules
from pipeline.service.client import ServiceClient
from pipeline.service.pace import Pace
from pipeline.sync.day_boundaries import stored_day_boundaries
from pipeline.sync.listing import PageSize
from pipeline.sync.walk import Walker
from pipeline.warehouse.authorization_sender import SenderConnection
from pipeline.warehouse.authorizations import find_labels

#: Seconds by which two measurements of the service's clock can differ: its headers have whole seconds.
_NOISE = 2.0


@dataclass(repr=False)
class Context:
    """One run, once it is logged in.

    ``walker``: makes what walks the list, for one look; the size of pages is learned by all.
    ``clock``: seconds that are added to this machine's time. ``say``: takes lines about progress.
    ``pace``: lets one call begin at a time.

    ``reached``: requests by the state that this run brought them to. ``refused``: requests that stay queued
    until the next run, though the service answered, each with whether that is surely about the request.
    ``failures``: calls in a row that failed. ``seen``: activities whose details were read; None for one
    that no call can have made.
    """

    engine: sa.Engine
    client: ServiceClient
    requests: SenderConnection
    rules: Rules
    zone: ZoneInfo
    say: Callable[[str], None]
    reached: Counter[str] = field(default_factory=Counter)
    refused: dict[str, bool] = field(default_factory=dict)
    failures: int = 0
    seen: dict[str, Candidate | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.labels = find_labels(self.engine)
        boundaries = stored_day_boundaries(self.engine)
        pages, sizes = self.client.list_activities, PageSize(self.rules.page_size)
        self.walker = partial(Walker, pages, self.zone, sizes, boundaries, {}, self.now, self.now)
        self.pace = Pace(1, self.rules.per_second, asyncio.sleep)
        # Add the same seconds as the last run did, if the service agrees.
        last, self.clock = self.requests.last_clock(), self.client.clock.skew
        if last is not None and abs(last - self.clock) < _NOISE:
            self.clock = last

    def now(self) -> datetime:
        """Return the service's time.

        ``clock.now()`` follows each new ``Date`` header. Within a run, and from run to run where the
        headers allow it, the same seconds are added: then calls can be compared to the millisecond.
        """
        return datetime.fromtimestamp(self.client.clock.local() + self.clock, UTC)
