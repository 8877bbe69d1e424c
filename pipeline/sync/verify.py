"""Verify: what the service hides, measured by a random sample and not assumed away (promise 5).

Fetches the details of random activities again, compares each with what is stored, and loads the
answers as an ordinary run does, which repairs what was stale.
"""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import sqlalchemy as sa

from pipeline.service.client import ServiceClient
from pipeline.service.errors import (
    Forbidden,
    MalformedResponse,
    NotFound,
    ServiceError,
    UnexpectedShape,
)
from pipeline.service.models import decode_details
from pipeline.sync.fetching import Tally, Work, details_failure
from pipeline.sync.intervals import clopper_pearson
from pipeline.sync.loading import Loader
from pipeline.sync.mapping import Mapper, Unstorable
from pipeline.sync.options import Options, Progress
from pipeline.warehouse import entities, runs, service_facts, verifications
from pipeline.warehouse.engine import in_transaction
from pipeline.warehouse.erasures import without_erased
from pipeline.warehouse.errors import WarehouseError
from pipeline.warehouse.landing import StoredResponses
from pipeline.warehouse.load import CHILDREN
from pipeline.warehouse.merge import LoadCounts
from pipeline.warehouse.rows import DetailsObservation, Outcome

#: Answers compared at once: few enough to be held in memory, images and all.
_CHUNK = 50
#: Lines of the log that name a stale activity.
_MOST_NAMED = 20


@dataclass
class VerifyReport:
    """What a verification found, in activities.

    ``compared``: answered with details that could be read; the share is that of ``stale`` in these.
    ``refused``: answered 403 or 404, left to the ordinary run. ``failed``: without a readable answer.
    ``share_low``, ``share_high``: the stale share's 95 % interval, between 0 and 1.
    """

    run_id: str
    sampled: int = 0
    compared: int = 0
    stale: int = 0
    refused: int = 0
    failed: int = 0
    share_low: float = 0.0
    share_high: float = 1.0
    stale_ids: list[str] = field(default_factory=list)
    loaded: LoadCounts = field(default_factory=LoadCounts)

    @property
    def share(self) -> float:
        """The stale share found; 0 where nothing was compared."""
        return self.stale / self.compared if self.compared else 0.0

    @property
    def problems(self) -> list[str]:
        """What is not in order, one line each."""
        found = []
        if self.stale:
            found.append(f"{self.stale} of {self.compared} compared were stale; repaired")
        if self.failed:
            found.append(f"{self.failed} of {self.sampled} gave no readable answer")
        return found

    @property
    def status(self) -> str:
        """``complete``, or ``incomplete``: something was stale or gave no readable answer."""
        return "incomplete" if self.problems else "complete"


async def verify_sample(
    client: ServiceClient,
    engine: sa.Engine,
    zone: ZoneInfo,
    run_id: str,
    sample: int,
    options: Options,
    progress: Progress,
) -> VerifyReport:
    """Fetch ``sample`` random listed activities again, compare, repair, and store what was found.

    Whatever differs counts as stale, also what changed since the last run: measured right after a
    run, the share is what the list hides. Unreadable answers go to quarantine. Raises
    ``ServiceError`` or ``WarehouseError`` when it can't go on; nothing is stored of the share then.
    """
    report = VerifyReport(run_id)
    counts = client.counts
    before = (counts.requests, counts.retries, counts.logins, counts.bytes_received)
    live = await asyncio.to_thread(runs.start, engine, run_id, "verify", None, None)
    status, error = "failed", "interrupted"
    try:
        mapper = await asyncio.to_thread(_mapper, engine, zone)
        await _Verification(client, engine, mapper, options, progress, report).run(sample)
        await asyncio.to_thread(verifications.record, engine, _columns(report))
        status, error = report.status, "; ".join(report.problems)
    except (ServiceError, WarehouseError) as failure:
        error = str(failure)
        raise
    finally:
        after = (counts.requests, counts.retries, counts.logins, counts.bytes_received)
        names = ("requests", "retries", "logins", "bytes_received")
        spent = {name: now - then for name, then, now in zip(names, before, after, strict=True)}
        loaded = report.loaded
        done = {
            "changed": loaded.changed,
            "unchanged": loaded.unchanged,
            "quarantined": loaded.quarantined,
        }
        ended = asyncio.to_thread(live.finish, status, error or None, done | spent)
        with suppress(WarehouseError):
            await asyncio.shield(ended)
    return report


class _Verification:
    """One verification under way."""

    def __init__(
        self,
        client: ServiceClient,
        engine: sa.Engine,
        mapper: Mapper,
        options: Options,
        progress: Progress,
        report: VerifyReport,
    ) -> None:
        self._client = client
        self._engine = engine
        self._mapper = mapper
        self._options = options
        self._progress = progress
        self._report = report
        self._loader = Loader(engine, report.run_id, options, self._told)
        self._done = 0

    async def run(self, sample: int) -> None:
        """Fetch, compare and repair; fill the report."""
        report = self._report
        ids = await asyncio.to_thread(verifications.sample_listed, self._engine, sample)
        report.sampled = len(ids)
        self._progress.planned(0, len(ids))
        try:
            for start in range(0, len(ids), _CHUNK):
                await self._settle(await self._fetch(ids[start : start + _CHUNK]))
        finally:
            with suppress(WarehouseError):
                await asyncio.shield(self._loader.flush())
        report.share_low, report.share_high = clopper_pearson(report.stale, report.compared)
        for name in report.stale_ids[:_MOST_NAMED]:
            self._progress.said(f"was stale: {name}")

    async def _fetch(self, ids: list[str]) -> list[DetailsObservation]:
        """Return the details of these activities, as far as they can be had and mapped."""
        waiting = iter(ids)
        found: list[DetailsObservation] = []

        async def work_off() -> None:
            for name in waiting:
                details = await self._ask(name)
                if details is not None:
                    found.append(details)
                self._done += 1
                self._progress.fetched(self._done, self._report.sampled)

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(self._options.workers, len(ids))):
                    group.create_task(work_off())
        except BaseExceptionGroup as errors:
            raise _first_cause(errors) from None
        return found

    async def _ask(self, name: str) -> DetailsObservation | None:
        payload: bytes | None = None
        try:
            fetched = await self._client.activity_details(name)
            payload = fetched.body
            return self._mapper.details(
                fetched.body, fetched.activity, name, datetime.now(UTC), self._client.clock.now()
            )
        except (Forbidden, NotFound):
            self._report.refused += 1
            return None
        except (UnexpectedShape, MalformedResponse) as error:
            payload, reason = error.body, str(error)
        except ServiceError as error:
            if error.fatal:
                raise
            self._report.failed += 1
            return None
        except Unstorable as error:
            reason = str(error)
        self._report.failed += 1
        failure = details_failure(Work(name, None, Tally()), reason, payload)
        await self._loader.add(Outcome(name, failures=[failure]))
        return None

    async def _settle(self, fetched: list[DetailsObservation]) -> None:
        """Compare what came with what is stored, and load it."""
        fetched = await asyncio.to_thread(_as_kept, self._engine, fetched)
        stored = await asyncio.to_thread(
            verifications.stored_now, self._engine, [each.activity_id for each in fetched]
        )
        names = [each.entity.id for each in fetched if each.entity is not None]
        known = await asyncio.to_thread(entities.stored_digests, self._engine, names)
        for details in fetched:
            before = stored.get(details.activity_id)
            self._report.compared += 1
            if before is None or self._is_stale(before, details, known):
                self._report.stale += 1
                self._report.stale_ids.append(details.activity_id)
            await self._loader.add(Outcome(details.activity_id, details=details))

    def _is_stale(
        self, stored: StoredResponses, details: DetailsObservation, known: dict[str, bytes]
    ) -> bool:
        """Whether ``details`` say anything else than what is stored, as far as tables hold it."""
        row, version = stored.ledger, stored.details
        if row is None or version is None:
            return True
        if row.details_digest == details.digest or not row.accepts_details(details):
            return False
        try:
            before = self._mapper.details(
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

    def _told(self, loaded: LoadCounts) -> None:
        self._report.loaded += loaded


def _mapper(engine: sa.Engine, zone: ZoneInfo) -> Mapper:
    return Mapper(
        zone,
        frozenset(service_facts.final_statuses(engine)),
        frozenset(service_facts.known_codes(engine)),
    )


def _as_kept(engine: sa.Engine, fetched: list[DetailsObservation]) -> list[DetailsObservation]:
    """Return details without what was erased: that it is missing in the warehouse is no staleness."""
    return in_transaction(engine, lambda session: without_erased(session, fetched))


def _as_stored(details: DetailsObservation) -> list[Any]:
    """Return what the tables hold of details, in a form that compares as they do.

    JSON values are free-form texts; the tables don't keep their spaces and the order of their names.
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


def _columns(report: VerifyReport) -> dict[str, str | int | float]:
    return {
        "run_id": report.run_id,
        "sampled": report.sampled,
        "compared": report.compared,
        "stale": report.stale,
        "refused": report.refused,
        "failed": report.failed,
        "share_low": report.share_low,
        "share_high": report.share_high,
    }


def _first_cause(error: BaseException) -> BaseException:
    """Return the error that ended the work: the first of a group, whatever was cancelled by it."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
