"""What the parts of one run share: the service, the sender's connection, the rules and the clock."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from pipeline.authorizations.matching import Candidate
from pipeline.authorizations.requests import Labels
from pipeline.authorizations.rules import Rules
from pipeline.service.client import ServiceClient
from pipeline.service.pace import Pace
from pipeline.sync.days import DayBoundaries
from pipeline.sync.listing import PageSize
from pipeline.warehouse.authorization_sender import SenderConnection


@dataclass
class Context:
    """One run. ``boundaries`` and ``page_size``: what looks at the list learned about the service.

    ``clock``: seconds that are added to this machine's time. ``say``: takes lines about progress.
    ``pace``: lets one call begin at a time. ``problems``: what was found before anything was done.

    ``reached``: requests by the state that this run brought them to. ``refused``: requests that stay queued
    until the next run, though the service answered, each with whether that is surely about the request.
    ``failures``: calls in a row that failed. ``seen``: activities whose details were read.
    """

    engine: sa.Engine
    client: ServiceClient
    requests: SenderConnection
    rules: Rules
    labels: Labels
    zone: ZoneInfo
    boundaries: DayBoundaries
    page_size: PageSize
    clock: float
    say: Callable[[str], None]
    pace: Pace
    problems: list[str]
    reached: Counter[str] = field(default_factory=Counter)
    refused: dict[str, bool] = field(default_factory=dict)
    failures: int = 0
    seen: dict[str, Candidate] = field(default_factory=dict)

    def now(self) -> datetime:
        """Return the service's time.

        ``clock.now()`` follows each new ``Date`` header. Within a run, and from run to run where the
        headers allow it, the same seconds are added: then calls can be compared to the millisecond.
        """
        return datetime.fromtimestamp(self.client.clock.local() + self.clock, UTC)
