"""What the parts of one run share: the service, the sender's connection and the rules."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from random import Random
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from pipeline.authorizations.listing import Sent
from pipeline.authorizations.rules import Rules
from pipeline.service.client import ServiceClient
from pipeline.service.pace import Pace
from pipeline.sync.days import day_of
from pipeline.sync.listing import ListReader
from pipeline.warehouse.authorization_sender import SenderConnection
from pipeline.warehouse.authorizations import find_labels


@dataclass(repr=False)
class Context:
    """One run, once it is logged in.

    ``reader``: asks for the list. ``say``: takes lines about progress. ``pace``: lets
    one call begin at a time.

    ``reached``: requests by the state that this run brought them to. ``refused``: requests that stay
    queued until the next run, though the service answered, each with whether that is surely about the
    request. ``failures``: calls in a row that failed. ``read``: activities whose details were read.
    ``there_before``: by request without a reference, the activities that were read before its call.
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
    read: dict[str, Sent | None] = field(default_factory=dict)
    there_before: dict[str, frozenset[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.labels = find_labels(self.engine)
        self.reader = ListReader(
            list_page=self.client.list_activities,
            clock=self.client.clock,
            stamp=self.now,
            today=lambda: day_of(self.now(), self.zone),
            page_size=self.rules.page_size,
            random=Random(),  # noqa: S311
        )
        self.pace = Pace(1, self.rules.per_second, asyncio.sleep)

    def now(self) -> datetime:
        """Return the service's time."""
        return self.client.clock.now()
