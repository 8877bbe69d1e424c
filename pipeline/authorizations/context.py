"""What the parts of one run share: the service, the sender's connection, the rules and the clock."""

from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from pipeline.authorizations.rules import Rules
from pipeline.service.client import ServiceClient
from pipeline.sync.days import DayBoundaries
from pipeline.sync.listing import PageSize
from pipeline.warehouse.authorization_sender import SenderConnection


@dataclass(frozen=True)
class Context:
    """One run. ``boundaries`` and ``page_size``: what looks at the list learned about the service."""

    client: ServiceClient
    requests: SenderConnection
    rules: Rules
    zone: ZoneInfo
    boundaries: DayBoundaries
    page_size: PageSize

    def now(self) -> datetime:
        """Return the service's time.

        ``clock.now()`` ignores a small skew, but calls and activities are compared to the second.
        """
        clock = self.client.clock
        return datetime.fromtimestamp(clock.local() + clock.skew, UTC)
