"""Deciding what of a walked window needs details (design, "Decide")."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

import sqlalchemy as sa

from pipeline.sync.fetching import observe_list
from pipeline.sync.listing import ListRow
from pipeline.sync.mapping import Mapper
from pipeline.warehouse import ledger
from pipeline.warehouse.engine import in_transaction
from pipeline.warehouse.entities import stored_digests
from pipeline.warehouse.ledger import LedgerRow
from pipeline.warehouse.rows import Failure, Outcome

_CHUNK = 1000


@dataclass
class Decided:
    """What is to be done about the rows of a window."""

    fetch: list[ListRow] = field(default_factory=list)
    news: list[Outcome] = field(default_factory=list)
    unchanged: int = 0
    over: set[str] = field(default_factory=set)
    """Whose sharing period was over when last looked at: a 403 for these is the service's right."""
    held: int = 0
    """In quarantine, and the next attempt has not come."""


@dataclass(frozen=True)
class Decider:
    """Compares rows of the list with the ledger.

    ``held``: open quarantine entries, ``(source, subject)`` to the next attempt. ``now``: the
    service's time, by which deadlines and the re-check interval are judged.
    """

    engine: sa.Engine
    mapper: Mapper
    held: Mapping[tuple[str, str], datetime]
    started_at: datetime
    now: datetime
    recheck: timedelta
    full: bool

    def decide(self, rows: list[ListRow]) -> Decided:
        """Judge each row; reads the ledger, writes nothing. Raises a ``WarehouseError``."""
        decided = Decided()
        stale = self._stale_entities(rows)
        for start in range(0, len(rows), _CHUNK):
            chunk = rows[start : start + _CHUNK]
            ids = [row.subject for row in chunk if row.malformed is None]
            known = in_transaction(self.engine, partial(ledger.read, ids=ids))
            for row in chunk:
                if row.malformed is not None:
                    self._judge_malformed(decided, row)
                else:
                    self._judge(decided, row, known.get(row.subject), stale)
        return decided

    def _judge(
        self, decided: Decided, row: ListRow, state: LedgerRow | None, stale: set[bytes]
    ) -> None:
        same = state is not None and state.list_digest == row.digest
        mark = state.fingerprint if state is not None and same else row.fingerprint
        next_attempt = self.held.get(("details", row.subject))
        if state is not None and state.final and _passed(state.deadline_at, self.now):
            decided.over.add(row.subject)
        if self.full or self._needs_details(state, mark, next_attempt):
            waiting = next_attempt is not None and next_attempt > self.started_at
            if waiting and not self.full and state is not None and state.fingerprint == mark:
                decided.held += 1
            else:
                decided.fetch.append(row)
        elif not same or row.entity_digest in stale or ("list", row.subject) in self.held:
            decided.news.append(self._news(row, entity_news=same))
        else:
            decided.unchanged += 1

    def _needs_details(
        self, state: LedgerRow | None, mark: bytes | None, next_attempt: datetime | None
    ) -> bool:
        if state is None or state.details_fingerprint != mark or state.gone_at is not None:
            return True
        return next_attempt is not None or self.is_due(state)

    def is_due(self, state: LedgerRow) -> bool:
        """Whether time alone calls for new details: a deadline passed, or the re-check interval."""
        if _passed(state.deadline_at, self.now):
            return True
        if state.final or state.service_time is None:
            return False
        return state.service_time <= self.now - self.recheck

    def _judge_malformed(self, decided: Decided, row: ListRow) -> None:
        next_attempt = self.held.get(("list", row.subject))
        waiting = next_attempt is not None and next_attempt > self.started_at
        if waiting and not self.full and not row.moved:
            decided.held += 1
        elif row.activity_id == row.subject:
            decided.fetch.append(row)
        else:
            decided.news.append(self._news(row, entity_news=False))

    def _news(self, row: ListRow, *, entity_news: bool) -> Outcome:
        observed = observe_list(self.mapper, row)
        if isinstance(observed, Failure):
            return Outcome(row.subject, failures=[observed])
        observed.entity_news = entity_news
        return Outcome(row.subject, listed=observed)

    def _stale_entities(self, rows: list[ListRow]) -> set[bytes]:
        """Return the digests of nested entities that differ from the stored counterparts."""
        samples = {row.entity_digest: row for row in rows if row.malformed is None}
        found: dict[bytes, tuple[str, bytes]] = {}
        for own, row in samples.items():
            observed = observe_list(self.mapper, row)
            if not isinstance(observed, Failure) and observed.entity is not None:
                found[own] = (observed.entity.id, observed.entity.digest)
        stored = stored_digests(self.engine, [name for name, _ in found.values()])
        return {own for own, (name, digest) in found.items() if stored.get(name) != digest}


def _passed(deadline: datetime | None, now: datetime) -> bool:
    return deadline is not None and deadline <= now
