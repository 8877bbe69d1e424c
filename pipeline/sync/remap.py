"""One activity mapped anew from its newest responses in ``landing``; see `pipeline.sync.reparse`."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime

import msgspec

from pipeline.service.errors import UnexpectedShape
from pipeline.service.models import decode_details, decode_list_item
from pipeline.sync.days import day_of
from pipeline.sync.mapping import Mapper, Unstorable
from pipeline.warehouse.landing import StoredResponses, Version
from pipeline.warehouse.ledger import LedgerRow
from pipeline.warehouse.load import listed_row
from pipeline.warehouse.rebuild import Rebuilt
from pipeline.warehouse.rows import (
    DETAILS_COLUMNS,
    DetailsObservation,
    Failure,
    ListObservation,
    Row,
)

_STATUS = DETAILS_COLUMNS.index("status")


@dataclass(frozen=True)
class Remapper:
    """Maps what landing holds by the present mapping. Pure: it may be asked again."""

    mapper: Mapper

    def remap(self, landed: StoredResponses) -> Rebuilt:
        """Map one activity; what does not map becomes a failure."""
        before = landed.ledger or LedgerRow(landed.activity_id)
        rebuilt = Rebuilt(landed.activity_id, before)
        rebuilt.listed = self._listed(rebuilt, landed.listed)
        rebuilt.details = self._details(rebuilt, landed.details)
        row: Row | None = None
        if rebuilt.details is not None and landed.details is not None:
            row = _details_row(rebuilt.details, rebuilt.listed, landed.details, before)
            fetched_at: datetime | None = landed.details.first_seen_at
        elif rebuilt.listed is not None:
            row, fetched_at = listed_row(rebuilt.listed)[:-2], None
            rebuilt.fill = landed.details is not None
        if row is not None:
            rebuilt.row = (*row, landed.first_seen_at, fetched_at, before.gone_at)
        rebuilt.ledger = _refreshed(before, rebuilt, landed)
        return rebuilt

    def _listed(self, rebuilt: Rebuilt, version: Version | None) -> ListObservation | None:
        if version is None:
            return None
        day = rebuilt.ledger.day or day_of(version.first_seen_at, self.mapper.zone)
        try:
            item = decode_list_item(version.body)
            listed = self.mapper.listed(version.body, item, version.first_seen_at, day)
            return replace(listed, digest=version.digest)
        except (UnexpectedShape, Unstorable) as error:
            rebuilt.failures.append(_failure("list", rebuilt, version, error))
        return None

    def _details(self, rebuilt: Rebuilt, version: Version | None) -> DetailsObservation | None:
        if version is None:
            return None
        service_time = rebuilt.ledger.service_time or version.last_seen_at
        try:
            details = self.mapper.details(
                version.body,
                decode_details(version.body),
                rebuilt.activity_id,
                version.first_seen_at,
                service_time,
            )
            # That of the response as received, whatever was erased from the body since.
            return replace(details, digest=version.digest)
        except (UnexpectedShape, Unstorable) as error:
            rebuilt.failures.append(_failure("details", rebuilt, version, error))
        return None


def _details_row(
    details: DetailsObservation,
    listed: ListObservation | None,
    version: Version,
    before: LedgerRow,
) -> Row:
    values = list(details.values)
    if _withheld(details, listed, version, before):
        values[_STATUS] = "EXPIRED"
    return (details.activity_id, *values)


def _withheld(
    details: DetailsObservation,
    listed: ListObservation | None,
    version: Version,
    before: LedgerRow,
) -> bool:
    """Whether the service lists the activity as EXPIRED and refused its details since those stored.

    A load then takes the status from the list and notes when it asked, but no details came.
    """
    if listed is None or listed.status != "EXPIRED" or details.values[_STATUS] == "EXPIRED":
        return False
    if not _answered(before) or before.checked_at is None:
        return False
    if before.checked_at <= version.last_seen_at:
        return False
    # The request that found it gone moved checked_at, too; then the list row tells: it is younger.
    if before.gone_at is None:
        return True
    return before.listed_at is not None and before.listed_at > version.last_seen_at


def _answered(before: LedgerRow) -> bool:
    """Whether the details were asked for since the newest list row came, and not left open."""
    return before.fingerprint is not None and before.details_fingerprint == before.fingerprint


def _refreshed(before: LedgerRow, rebuilt: Rebuilt, landed: StoredResponses) -> LedgerRow:
    """Return the ledger row as the present mapping makes it.

    One that is missing, or does not know the stored details, is made such that the next run asks
    for them again: when they were last received is known, but not what the service's clock said.
    """
    listed, details = rebuilt.listed, rebuilt.details
    day = details.day if details is not None else None
    after = before
    if listed is not None and before.list_digest != listed.digest:
        after = after.with_list(listed, day)
    if listed is not None:
        day = listed.day if listed.dated else day or before.day or listed.day
    after = msgspec.structs.replace(after, day=day or before.day)
    if landed.details is None:  # then only a refusal can have answered
        return msgspec.structs.replace(
            after, mapping_version=None, final=_answered(before), deadline_at=None
        )
    if details is None:
        return after
    if before.details_digest != details.digest:
        return msgspec.structs.replace(
            after.with_details(details),
            day=after.day,
            details_fingerprint=None,
            checked_at=landed.details.last_seen_at,
            service_time=None,
            gone_at=before.gone_at,
        )
    after = msgspec.structs.replace(after, mapping_version=details.mapping_version)
    if _withheld(details, listed, landed.details, before):
        return msgspec.structs.replace(after, final=True, deadline_at=None)
    return msgspec.structs.replace(after, final=details.final, deadline_at=details.deadline_at)


def _failure(
    source: str, rebuilt: Rebuilt, version: Version, error: UnexpectedShape | Unstorable
) -> Failure:
    reason = error.cause if isinstance(error, UnexpectedShape) else str(error)
    return Failure(
        source=source,
        subject=rebuilt.activity_id,
        activity_id=rebuilt.activity_id,
        day=rebuilt.ledger.day,
        reason=f"no longer maps: {reason}",
        payload=version.body,
        at=datetime.now(UTC),
    )
