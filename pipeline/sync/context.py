"""What the steps of one run work with, and what they find."""

from dataclasses import dataclass, field
from datetime import date, datetime

from pipeline.sync.days import DayBoundaries
from pipeline.sync.decide import Decider
from pipeline.sync.fetching import Fetcher
from pipeline.sync.listing import PageSize
from pipeline.sync.loading import Loader
from pipeline.sync.options import Tools
from pipeline.sync.stamps import Stamp
from pipeline.warehouse.coverage import Missing
from pipeline.warehouse.rows import Outcome


@dataclass
class Findings:
    """What the windows and single activities of a run came to, summed up.

    ``examined``: activities looked at, of which the brake takes its share. ``days``: days walked, or
    with activities fetched one by one. ``verified``: those of them that a walk has verified.
    ``elsewhere``: as in `Walker`. ``listed``: how many activities the last walk of each day listed.
    ``missing``: by window, what walks no longer list. ``postponed`` and ``gone``: outcomes that the run
    stores at its end, when it knows that no outage caused them and how many are gone.
    """

    days: set[date] = field(default_factory=set)
    verified: set[date] = field(default_factory=set)
    elsewhere: dict[str, date] = field(default_factory=dict, repr=False)
    listed: dict[date, int] = field(default_factory=dict)
    examined: int = 0
    unchanged: int = 0
    missing: list[list[Missing]] = field(default_factory=list, repr=False)
    postponed: list[Outcome] = field(default_factory=list, repr=False)
    gone: list[Outcome] = field(default_factory=list, repr=False)


@dataclass(eq=False, repr=False)
class Run(Tools):
    """The tools of one run. ``started_at`` is a stamp.

    Two members change during the run: ``findings`` is the sum of what the steps found; ``claims``
    is the day on which this run counts a list row that has neither id nor creation.
    """

    run_id: str
    loader: Loader
    fetcher: Fetcher
    decider: Decider
    page_size: PageSize
    boundaries: DayBoundaries
    stamp: Stamp
    started_at: datetime
    findings: Findings = field(default_factory=Findings)
    claims: dict[str, date] = field(default_factory=dict)
