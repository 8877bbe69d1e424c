"""What the parts of one run share."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from pipeline.service.client import ServiceClient
from pipeline.sync.days import DayBoundaries, DayRange
from pipeline.sync.fetching import Fetcher
from pipeline.sync.listing import PageSize
from pipeline.sync.loading import Loader
from pipeline.sync.mapping import Mapper
from pipeline.sync.options import Options, Progress, Summary
from pipeline.warehouse.coverage import DayCoverage
from pipeline.warehouse.rows import Outcome


@dataclass
class Run:
    """Everything that the parts of one run share. Made by `pipeline.sync.run`."""

    client: ServiceClient
    engine: sa.Engine
    zone: ZoneInfo
    options: Options
    progress: Progress
    summary: Summary
    mapper: Mapper
    loader: Loader
    fetcher: Fetcher
    page_size: PageSize
    boundaries: DayBoundaries
    stored: dict[date, DayCoverage]
    held: dict[tuple[str, str], datetime]
    started_at: datetime
    cuts: Sequence[DayRange] = ()
    """For days asked for: the windows they are walked in, until the forecast is told."""
    pace: float | None = None
    """Requests a second of the latest runs; None: not known."""
    before: date | None = None
    """For due work: only days before this one."""
    gone: list[Outcome] = field(default_factory=list)
    """Found gone, with the evidence; marked when the run knows how many there are."""
    doubtful: list[Outcome] = field(default_factory=list)
    """Failures and refusals that may be the service's or the session's: held back until the run's work
    is done, so that an outage or a lost access, which ends it before, blames no activity."""
    looked_at: int = 0
    """Activities looked at: what the brake's share is of."""
    undated: dict[str, date] = field(default_factory=dict)
    """List rows with neither id nor creation: the day on which this run counts each."""
    days: set[date] = field(default_factory=set)
    """Days walked, or with activities fetched one by one."""
