"""Decides which activities of a walked window need details (docs/design.md "Decide").

A row of the list is compared with the ledger, first match first:

==========================================================  =======================================
the row                                                     decision
==========================================================  =======================================
malformed, in quarantine, its next attempt has not come     wait
malformed, with an id                                       fetch
malformed, without an id                                    load the row: it goes to quarantine
details failed before, same meaning, next attempt to come   wait
unknown, changed in meaning, gone, due or in quarantine,    fetch
or two answers of this run have it in another meaning
other bytes, a changed entity, or the row in quarantine     load the row
the same as stored                                          unchanged
==========================================================  =======================================

``--full`` fetches every row that can be fetched.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

from pipeline.sync.fetching import Work
from pipeline.sync.list_rows import ListRow, list_outcome
from pipeline.sync.mapping import Mapper, carried_entity
from pipeline.sync.options import Tools
from pipeline.warehouse import ledger
from pipeline.warehouse.engine import in_transaction
from pipeline.warehouse.entities import find_news
from pipeline.warehouse.ledger import LedgerRow
from pipeline.warehouse.meaning import settle
from pipeline.warehouse.rows import ListObservation, Outcome

_CHUNK = 1000

#: By so much the service's clock may differ from one run to the next. In sql/load/due_activities.sql too.
_CLOCK_NOISE = timedelta(hours=2)


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

    ``held``: open quarantine entries, ``(source, subject)`` and whether the next attempt waits.
    """

    tools: Tools
    mapper: Mapper
    held: Mapping[tuple[str, str], bool]

    def decide(self, rows: list[ListRow]) -> Decisions:
        """Judge each row; stores nothing but volatile fields. Raises a ``WarehouseError``."""
        decisions = Decisions()
        # The service's clock: its deadlines are not those of this machine's clock.
        now = self.tools.client.clock.now()
        for start in range(0, len(rows), _CHUNK):
            chunk = rows[start : start + _CHUNK]
            ids = [row.subject for row in chunk if row.malformed is None]
            known = in_transaction(self.tools.engine, partial(ledger.read, ids=ids))
            meant = self._read_meaning(chunk, known)
            stale = self._stale_entities(row for row in chunk if row.subject in known)
            for row in chunk:
                if row.malformed is not None:
                    self._judge_malformed(decisions, row)
                else:
                    listed = meant.get(row.subject)
                    self._judge(decisions, row, known.get(row.subject), listed, stale, now)
        return decisions

    def _judge(
        self,
        decisions: Decisions,
        row: ListRow,
        state: LedgerRow | None,
        meant: ListObservation | None,
        stale: set[bytes],
        now: datetime,
    ) -> None:
        # The same bytes have the same fingerprint: most rows are never parsed for it.
        same = state is not None and state.list_digest == (meant.digest if meant else row.digest)
        mark = state.fingerprint if state is not None and same else row.fingerprint
        mark = meant.fingerprint if meant is not None else mark
        if self.tools.options.full or self._needs_details(row, state, mark, now):
            waits = not self.tools.options.full and self.held.get(("details", row.subject), False)
            # A row that changed since the failure does not wait: its details may be readable now.
            if not (waits and state is not None and state.fingerprint == mark):
                # A 403 for an activity whose sharing period is over is the service's right.
                over = state is not None and state.final and _passed(state.deadline_at, now)
                decisions.fetch.append(Work(row.subject, row.day, row, over=over))
        elif not same or row.entity_digest in stale or ("list", row.subject) in self.held:
            # A row of other bytes is mapped already.
            outcome = Outcome(row.subject, meant) if meant else list_outcome(self.mapper, row)
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
        if state.service_time is None or state.withheld_at is not None:
            return False
        # A service's clock that was ahead has passed over deadlines.
        if state.service_time > now + _CLOCK_NOISE:
            return True
        # Statuses that are not final change without a trace in the list.
        return not state.final and state.service_time <= now - self.tools.options.recheck

    def _judge_malformed(self, decisions: Decisions, row: ListRow) -> None:
        if self.held.get(("list", row.subject)) and not self.tools.options.full and not row.moved:
            return
        # With an id, the details can still be read: only the row is malformed.
        if row.activity_id == row.subject:
            decisions.fetch.append(Work(row.subject, row.day, row))
        else:
            decisions.load.append(list_outcome(self.mapper, row))

    def _read_meaning(
        self, rows: list[ListRow], known: Mapping[str, LedgerRow]
    ) -> dict[str, ListObservation]:
        """Return rows of which some answer had other bytes than stored, by activity; see `settle`."""
        digests = {name: state.list_digest for name, state in known.items()}
        compared = [row for row in rows if row.malformed is None and digests.get(row.subject)]
        changed = [row for row in compared if row.before or row.digest != digests[row.subject]]
        if not changed:
            return {}
        outcomes = [list_outcome(self.mapper, row) for row in changed]
        equal = len(compared) - len(changed)
        settled, _ = in_transaction(
            self.tools.engine, partial(settle, outcomes=outcomes, known=known, equal_rows=equal)
        )
        return {each.subject: each.listed for each in settled if each.listed is not None}

    def _stale_entities(self, rows: Iterable[ListRow]) -> set[bytes]:
        """Return the digests of nested entities that say something beyond the stored entities."""
        # Many rows carry the same entity: one row of each form is enough.
        samples = {row.entity_digest: row for row in rows}
        carried = {own: carried_entity(row.body, row.received_at) for own, row in samples.items()}
        found = {own: entity for own, entity in carried.items() if entity is not None}
        news = in_transaction(self.tools.engine, partial(find_news, observed=list(found.values())))
        digests = {entity.digest for forms in news.values() for entity in forms}
        return {own for own, entity in found.items() if entity.digest in digests}


def _passed(moment: datetime | None, now: datetime) -> bool:
    return moment is not None and moment <= now
