"""What the parts of one run share: the service, the sender's connection, the rules and the clock."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from pipeline.authorizations.evidence import Candidate
from pipeline.authorizations.rules import Rules
from pipeline.service.client import ServiceClient
from pipeline.sync.days import DayBoundaries
from pipeline.sync.listing import PageSize
from pipeline.warehouse.authorization_sender import SenderConnection


@dataclass(frozen=True)
class Context:
    """One run. ``boundaries`` and ``page_size``: what looks at the list learned about the service.

    ``clock``: seconds that are added to this machine's time. ``seen``: activities whose details were read.
    """

    client: ServiceClient
    requests: SenderConnection
    rules: Rules
    zone: ZoneInfo
    boundaries: DayBoundaries
    page_size: PageSize
    clock: float
    seen: dict[str, Candidate] = field(default_factory=dict)

    def now(self) -> datetime:
        """Return the service's time.

        ``clock.now()`` follows each new ``Date`` header. Within a run, and from run to run where the
        headers allow it, the same seconds are added: then calls can be compared to the millisecond.
        """
        return datetime.fromtimestamp(self.client.clock.local() + self.clock, UTC)
