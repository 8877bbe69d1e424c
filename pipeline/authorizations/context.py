"""What the parts of one run share: the service, the sender's connection and the rules."""

from collections import Counter
from collections.abc import Callable, Set
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from pipeline.authorizations.references import DEFAULT
from pipeline.service.client import ServiceClient
from pipeline.sync.listing import ListReader
from pipeline.warehouse.database.engine import Session
from pipeline.warehouse.requests.authorizations import Row, detect_restore, find_labels


@dataclass(frozen=True)
class Rules:
    """Limits and periods of sending and settling (docs/authorizations.md).

    ``per_second``: most calls begun in a second. ``per_day``: most calls in a day of the configured zone.
    ``reference``: the pattern of references. ``repeat_days``: nobody is asked again within so many days;
    0: people may be.

    ``settle``: how long after its end a call's activity may be missing before the call counts as overdue.

    ``page_size``: rows in a page of the list. ``wait``: how long a run waits for a list that lags behind.
    """

    per_second: float = 1.0
    per_day: int = 1000
    reference: str = DEFAULT
    repeat_days: int = 30
    settle: timedelta = timedelta(minutes=15)
    page_size: int = 500
    wait: timedelta = timedelta(minutes=2)


@dataclass(frozen=True, eq=False, repr=False)
class Sent:
    """A sent authorization without a request; ``text`` is None: its details can't be read.

    ``references``: all that its text may carry.
    """

    activity_id: str
    created: datetime
    status: str | None
    counterpart: str | None
    text: str | None
    references: Set[str] = frozenset()


@dataclass(frozen=True, repr=False)
class Refusal:
    """A call by which nothing was done. ``again``: an earlier run was refused the same request alike."""

    row: Row
    reason: str
    again: bool


@dataclass(repr=False)
class Context:
    """One run, once it is logged in.

    ``session``: the sender's, which holds its lock. ``reader``: asks for the list. ``say``: takes
    lines about progress. ``restored``: nothing is sent before a person confirms the restore.

    ``stopped``: why sending ended early. ``reached``: requests by the state that this run brought them
    to. ``several``: requests that were linked to more than one activity. ``refused``: requests that were
    refused since the service took one, each with why and whether an earlier run heard the same.
    ``failures``: calls in a row that failed. ``read``: activities whose details were read.
    """

    engine: sa.Engine
    client: ServiceClient
    session: Session
    rules: Rules
    zone: ZoneInfo
    say: Callable[[str], None]
    stopped: str | None = None
    reached: Counter[str] = field(default_factory=Counter)
    several: int = 0
    refused: list[Refusal] = field(default_factory=list)
    failures: int = 0
    read: dict[str, Sent | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.labels = find_labels(self.engine)
        self.restored = detect_restore(self.engine)
        self.reader = ListReader(self.client, self.zone, self.rules.page_size, self.now)

    def now(self) -> datetime:
        """Return the service's time."""
        return self.client.clock.now()
