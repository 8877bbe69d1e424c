"""What the steps of one run work with."""

from dataclasses import dataclass, field
from datetime import date, datetime

from pipeline.sync.listing import ListReader
from pipeline.sync.loading import Loader
from pipeline.sync.mapping import Mapper
from pipeline.sync.options import Tools
from pipeline.sync.proof import Evidence
from pipeline.sync.stamps import Stamp
from pipeline.sync.work import Worker
from pipeline.warehouse.state.discrepancies import Habits


@dataclass(eq=False, repr=False)
class Run(Tools):
    """The tools of one run. ``began``: a stamp from before the first run of this process.

    These change while the run goes on: ``evidence`` is what the list has shown; ``walked`` are the days
    whose list was read, ``proven`` those of them that are proven; ``looked_at`` all that the run has looked
    at; ``reopened`` those that were listed otherwise after they were proven, and are not walked since.
    ``quarantined``: what is in quarantine, by source and subject, and whether its next attempt is later.
    ``expired``: activities of which the list says that their sharing period is over. ``doubts``: activities
    that were asked for again because of a doubt, with its discrepancies; ``habits`` are the service's.
    ``gone_unmarked``: what this process does not mark as gone.
    ``covered``: days that were walked before this run.
    """

    run_id: str
    mapper: Mapper
    loader: Loader
    worker: Worker
    reader: ListReader
    stamp: Stamp
    began: datetime
    quarantined: dict[tuple[str, str], bool]
    evidence: Evidence = field(default_factory=Evidence)
    gone_unmarked: set[str] = field(default_factory=set)
    covered: set[date] = field(default_factory=set)
    walked: set[date] = field(default_factory=set)
    proven: set[date] = field(default_factory=set)
    looked_at: set[date] = field(default_factory=set)
    reopened: set[date] = field(default_factory=set)
    expired: set[str] = field(default_factory=set)
    doubts: dict[str, list[str]] = field(default_factory=dict)
    habits: Habits = field(default_factory=Habits)

    def forget(self, names: set[str]) -> None:
        """Forget what is proven and fetched, but for what is judged at the end."""
        worker, doubtful = self.worker, self.loader.loaded.doubtful
        done = names.difference(worker.refused, worker.failed, worker.again, doubtful)
        worker.asked.difference_update(done)
        self.expired -= done

    def note_reopened(self) -> None:
        """Take back the proof of days that loads have changed the list of."""
        reopened = self.loader.take_reopened()
        self.proven -= reopened
        if reopened:  # their rows are looked at again
            self.evidence.known.clear()
        self.reopened |= reopened
