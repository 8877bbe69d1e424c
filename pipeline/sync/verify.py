"""Verify: measures by a random sample what the service hides (docs/guarantees.md 5).

Fetches the details of random activities again, compares each with what is stored, and loads the
answers as an ordinary run does. That repairs what was stale.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import sqlalchemy as sa

from pipeline.service.client import ServiceClient
from pipeline.service.errors import UnexpectedShape
from pipeline.service.models import decode_details
from pipeline.sync.fetching import Fetcher, Work
from pipeline.sync.fields import Unstorable
from pipeline.sync.intervals import clopper_pearson
from pipeline.sync.loading import Loader
from pipeline.sync.mapping import Mapper, load_mapper
from pipeline.sync.options import Options, Progress, Summary
from pipeline.sync.recording import RunRecord
from pipeline.warehouse import entities, verifications
from pipeline.warehouse.engine import in_transaction
from pipeline.warehouse.erasures import without_erased
from pipeline.warehouse.landing import StoredResponses
from pipeline.warehouse.load import CHILDREN, load
from pipeline.warehouse.merge import LoadCounts
from pipeline.warehouse.rows import DetailsObservation, Outcome

#: Lines of the log that name a stale activity.
_MOST_NAMED = 20
#: Columns of ``sync.verifications`` that the report holds.
_COLUMNS = (
    "run_id",
    "sampled",
    "compared",
    "stale",
    "refused",
    "failed",
    "share_low",
    "share_high",
)


@dataclass
class VerifyReport(Summary):
    """What a verification found, in activities.

    ``compared``: answered with readable details; the share is that of ``stale`` in these.
    ``refused``: answered 403 or 404, which only an ordinary run can judge. ``share_low``,
    ``share_high``: 95 % interval of the stale share, between 0 and 1.
    """

    sampled: int = 0
    compared: int = 0
    refused: int = 0
    share_low: float = 0.0
    share_high: float = 1.0
    stale_ids: list[str] = field(default_factory=list)

    @property
    def stale(self) -> int:
        """How many of the compared activities differed from what was stored."""
        return len(self.stale_ids)

    @property
    def failed(self) -> int:
        """How many gave no readable answer."""
        return self.sampled - self.compared - self.refused


async def verify_sample(
    client: ServiceClient,
    engine: sa.Engine,
    zone: ZoneInfo,
    run_id: str,
    sample: int,
    options: Options,
    progress: Progress,
) -> VerifyReport:
    """Fetch ``sample`` random listed activities again, compare, repair, and store the result.

    Every difference counts as stale, also a change since the last run: measured right after a run,
    the share is what the list hides. Unreadable answers go to quarantine. Raises ``ServiceError`` or
    ``WarehouseError`` when it can't go on; no share is stored then.
    """
    report = VerifyReport(run_id, "verify")
    async with RunRecord(engine, report, client.counts):
        mapper = await asyncio.to_thread(load_mapper, engine, zone)
        loader = Loader(engine, partial(_compare_and_load, engine, mapper, report), options)
        fetcher = Fetcher(client, mapper, loader, progress, options.workers)
        try:
            ids = await asyncio.to_thread(verifications.sample_listed, engine, sample)
            async with fetcher.working():
                fetched = await fetcher.fetch([Work(name, None) for name in ids])
                # Without a body nothing can go to quarantine: an ordinary run judges such an answer.
                for outcome in fetched.postponed:
                    if outcome.failures[0].payload is not None:
                        await loader.add(outcome)
                await loader.flush()
        finally:
            report.loaded, report.quarantined = loader.loaded, loader.loaded.quarantined
        report.sampled, report.refused = len(ids), len(fetched.refused)
        report.share_low, report.share_high = clopper_pearson(report.stale, report.compared)
        if report.stale:
            report.problems.append(
                f"{report.stale} of {report.compared} compared were stale; repaired"
            )
        if report.failed:
            report.problems.append(f"{report.failed} of {report.sampled} gave no readable answer")
        for name in report.stale_ids[:_MOST_NAMED]:
            progress.log(f"was stale: {name}")
        result = {name: getattr(report, name) for name in _COLUMNS}
        await asyncio.to_thread(verifications.record, engine, result)
    return report


def _compare_and_load(
    engine: sa.Engine, mapper: Mapper, report: VerifyReport, batch: list[Outcome]
) -> LoadCounts:
    """Compare a batch with what is stored, note in ``report`` what was stale, and load the batch."""
    # Compared before it is loaded, in the same thread: the loader sends one batch at a time.
    fetched = [outcome.details for outcome in batch if outcome.details is not None]
    report.compared += len(fetched)
    report.stale_ids += _find_stale(engine, mapper, fetched)
    return load(engine, report.run_id, batch)


def _find_stale(
    engine: sa.Engine, mapper: Mapper, fetched: Sequence[DetailsObservation]
) -> list[str]:
    """Return the ids of activities whose details differ from what is stored."""
    # Erased values are missing in the warehouse on purpose.
    kept = in_transaction(engine, lambda session: without_erased(session, fetched))
    stored = verifications.stored_now(engine, [each.activity_id for each in kept])
    names = [each.entity.id for each in kept if each.entity is not None]
    known = entities.stored_digests(engine, names)
    return [
        details.activity_id
        for details in kept
        if _is_stale(mapper, stored.get(details.activity_id), details, known)
    ]


def _is_stale(
    mapper: Mapper,
    stored: StoredResponses | None,
    details: DetailsObservation,
    known: dict[str, bytes],
) -> bool:
    """Whether ``details`` differ from what the tables hold. ``known``: digests of stored entities."""
    if stored is None or stored.ledger is None or stored.details is None:
        return True
    row, version = stored.ledger, stored.details
    # An ordinary run may have stored newer details meanwhile: these prove nothing then.
    if row.details_digest == details.digest or not row.accepts_answer(details.received_at):
        return False
    try:
        before = mapper.details(
            version.body,
            decode_details(version.body),
            details.activity_id,
            version.first_seen_at,
            details.service_time,
        )
    except (UnexpectedShape, Unstorable):
        return True
    entity = details.entity
    if entity is not None and known.get(entity.id) != entity.digest:
        return True
    return _as_stored(before) != _as_stored(details)


def _as_stored(details: DetailsObservation) -> list[Any]:
    """Return what the tables hold of details, in a form that compares as they do.

    JSON values are decoded: ``jsonb`` keeps neither spaces nor the order of names.
    """
    children: list[Any] = [details.values]
    for table, columns in CHILDREN.items():
        rows = getattr(details, table)
        if "value" in columns:
            rows = [(*row[:-1], _value(row[-1])) for row in rows]
        children.append(sorted(rows, key=repr))
    return children


def _value(text: str | None) -> Any:
    return None if text is None else msgspec.json.decode(text)
