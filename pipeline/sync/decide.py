"""Decides which activities of a walked window need details (docs/design.md "Decide").

A row of the list is compared with the ledger, first match first:

==========================================================  =======================================
the row                                                     decision
==========================================================  =======================================
malformed, in quarantine, its next attempt has not come     wait
malformed, with an id                                       fetch
malformed, without an id                                    load the row: it goes to quarantine
details failed before, same meaning, next attempt to come   wait
unknown, changed in meaning, gone, due or in quarantine     fetch
other bytes, a changed entity, or the row in quarantine     load the row
the same as stored                                          unchanged
==========================================================  =======================================

``--full`` fetches every row that can be fetched.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

import sqlalchemy as sa

from pipeline.sync.fetching import Work, list_outcome
from pipeline.sync.listing import ListRow
from pipeline.sync.mapping import Mapper
from pipeline.warehouse import ledger
from pipeline.warehouse.engine import in_transaction
from pipeline.warehouse.entities import stored_digests
from pipeline.warehouse.ledger import LedgerRow
from pipeline.warehouse.rows import Outcome

_CHUNK = 1000


@dataclass
class Decisions:
    """What to do about the rows of a window. ``load``: rows that are news without new details.

    Rows that wait for their next attempt are in none of the three.
    """

    fetch: list[Work] = field(default_factory=list)
    load: list[Outcome] = field(default_factory=list)
    unchanged: int = 0


@dataclass(frozen=True)
class Decider:
    """Compares rows of the list with the ledger.

    ``held``: open quarantine entries, ``(source, subject)`` and the time of the next attempt.
    ``clock``: returns the service's time, which decides deadlines and the re-check interval.
    """

    engine: sa.Engine
    mapper: Mapper
    held: Mapping[tuple[str, str], datetime]
    started_at: datetime
    clock: Callable[[], datetime]
    recheck: timedelta
    full: bool

    def decide(self, rows: list[ListRow]) -> Decisions:
        """Judge each row; reads the ledger, writes nothing. Raises a ``WarehouseError``."""
        decisions = Decisions()
        # The service's clock: its deadlines are not those of this machine's clock.
        now = self.clock()
        stale = self._stale_entities(rows)
        for start in range(0, len(rows), _CHUNK):
            chunk = rows[start : start + _CHUNK]
            ids = [row.subject for row in chunk if row.malformed is None]
            known = in_transaction(self.engine, partial(ledger.read, ids=ids))
            for row in chunk:
                if row.malformed is not None:
                    self._judge_malformed(decisions, row)
                else:
                    self._judge(decisions, row, known.get(row.subject), stale, now)
        return decisions

    def _judge(
        self,
        decisions: Decisions,
        row: ListRow,
        state: LedgerRow | None,
        stale: set[bytes],
        now: datetime,
    ) -> None:
        # The same bytes have the same fingerprint: most rows are never parsed for it.
        same = state is not None and state.list_digest == row.digest
        mark = state.fingerprint if state is not None and same else row.fingerprint
        if self.full or self._needs_details(row, state, mark, now):
            waits = not self.full and self._waits("details", row.subject)
            # A row that changed since the failure does not wait: its details may be readable now.
            if not (waits and state is not None and state.fingerprint == mark):
                # A 403 for an activity whose sharing period is over is the service's right.
                over = state is not None and state.final and _passed(state.deadline_at, now)
                decisions.fetch.append(Work(row.subject, row.day, row, over=over))
        elif not same or row.entity_digest in stale or ("list", row.subject) in self.held:
            outcome = list_outcome(self.mapper, row)
            if outcome.listed is not None:
                outcome.listed.entity_news = same
            decisions.load.append(outcome)
        else:
            decisions.unchanged += 1

    def _needs_details(
        self, row: ListRow, state: LedgerRow | None, mark: bytes | None, now: datetime
    ) -> bool:
        if state is None or state.details_fingerprint != mark or state.gone_at is not None:
            return True
        if ("details", row.subject) in self.held or _passed(state.deadline_at, now):
            return True
        # Statuses that are not final change without a trace in the list.
        return not state.final and _passed(state.service_time, now - self.recheck)

    def _waits(self, source: str, subject: str) -> bool:
        """Whether the next attempt of a quarantined response has not come yet."""
        next_attempt = self.held.get((source, subject))
        # Compared with the start, not with now: one answer for all windows of a run.
        return next_attempt is not None and next_attempt > self.started_at

    def _judge_malformed(self, decisions: Decisions, row: ListRow) -> None:
        if self._waits("list", row.subject) and not self.full and not row.moved:
            return
        # With an id, the details can still be read: only the row is malformed.
        if row.activity_id == row.subject:
            decisions.fetch.append(Work(row.subject, row.day, row))
        else:
            decisions.load.append(list_outcome(self.mapper, row))

    def _stale_entities(self, rows: list[ListRow]) -> set[bytes]:
        """Return the digests of nested entities that differ from the stored entities."""
        # Many rows carry the same entity: one row of each form is enough.
        samples = {row.entity_digest: row for row in rows if row.malformed is None}
        found: dict[bytes, tuple[str, bytes]] = {}
        for own, row in samples.items():
            listed = list_outcome(self.mapper, row).listed
            if listed is not None and listed.entity is not None:
                found[own] = (listed.entity.id, listed.entity.digest)
        stored = stored_digests(self.engine, [name for name, _ in found.values()])
        return {own for own, (name, digest) in found.items() if stored.get(name) != digest}


def _passed(moment: datetime | None, now: datetime) -> bool:
    return moment is not None and moment <= now
