"""From the service's models to the warehouse's rows.

Implements docs/warehouse.md 4 and docs/warehouse.md 5; the resources are those of docs/service.md 2.
Only `load_mapper` reads the warehouse, the rest is pure. A response that cannot be stored raises
`Unstorable` with a reason that holds no value; the caller puts the response into quarantine.
"""

from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import sqlalchemy as sa
from msgspec.structs import asdict

from pipeline.service.errors import UnexpectedShape
from pipeline.service.forms import READ
from pipeline.service.instants import EPOCH, instant_from_carrier, instant_from_iso
from pipeline.service.models import (
    NO_VALUE,
    AcceptedData,
    ActivityDetails,
    ExpiresIn,
    ListItem,
    decode_details,
    details_reader,
    row_reader,
)
from pipeline.service.unknown import unknown_fields
from pipeline.sync.codes import FIELD, LIST_FIELD, Carried, details_codes, list_codes
from pipeline.sync.counterparts import observe_entity
from pipeline.sync.days import day_of
from pipeline.sync.fields import Unstorable, digest, implausible, mend, read_instant
from pipeline.sync.limits import CLOCK_DOUBT
from pipeline.sync.list_rows import ListRow, read_row
from pipeline.sync.meaning import meaning_of_details, meaning_of_row
from pipeline.warehouse.answers.decisions import Decisions, shown_in
from pipeline.warehouse.answers.landing import Version
from pipeline.warehouse.state import service_facts
from pipeline.warehouse.state.ledger import LedgerRow
from pipeline.warehouse.state.rows import (
    CHILDREN,
    LISTED_COLUMNS,
    Cell,
    DetailsObservation,
    EntityObservation,
    Failure,
    ListObservation,
    Outcome,
    Row,
)

MAPPING_VERSION = 6
"""Raise it with every change of what is stored for the same response, or of what it means."""

SAME_ROWS_SINCE = 6
"""The first version since which the same response makes the same rows."""

#: What PostgreSQL can't hold, and what stands for it: such names are no news.
_CLEANED = frozenset("\0\ufffd")

_NEVER = EPOCH + timedelta(days=1)
_EVENTS = ("attended_at", "completed_at", "expires_at")
_MOMENTS = (*_EVENTS, "valid_until", "created_at", "updated_at")


@dataclass(frozen=True)
class Mapper:
    """Maps responses. ``zone`` is the zone of days; statuses and codes are those of the warehouse."""

    zone: ZoneInfo
    final_statuses: Set[str]
    known_codes: Set[tuple[str, str]]

    def listed(self, row: ListRow, day: date) -> ListObservation:
        """Map a row of the list that can be read. ``day`` is used if it has no ``created_at``."""
        item, deviations = row_reader.read_forms(mend(row.body) or row.body)
        entity = row.entity
        codes = self._unknown(list_codes(item), LIST_FIELD, unknown_fields(row.body, ListItem))
        codes += deviations
        codes += [(READ, "id: several rows")] if row.several else []
        return ListObservation(
            activity_id=row.subject,
            day=day_of(row.created_at, self.zone) if row.created_at else day,
            body=row.body,
            digest=digest(row.body),
            meaning=row.meaning,
            received_at=row.received_at,
            said=asdict(item) | {"created_at": row.created_at, "entity_id": entity and entity.id},
            spelling=row.spelling,
            entity=entity,
            codes=codes,
        )

    def details(
        self,
        body: bytes,
        asked: str,
        asked_at: datetime,
        received_at: datetime,
        service_time: datetime,
    ) -> DetailsObservation:
        """Map the details received for the activity ``asked``. Raises `Unstorable` or `UnexpectedShape`.

        ``service_time`` is what the service's clock said at ``received_at``.
        """
        activity, deviations = details_reader.read_forms(mend(body) or body)
        # Fields are those of the body as sent: mending would hide what the service really sends.
        codes = self._unknown(details_codes(activity), FIELD, unknown_fields(body)) + deviations
        entity = observe_entity(activity.entity, received_at)
        said = _said(activity, entity)
        created_at = said["created_at"]
        reason = implausible(created_at, service_time)
        if reason is not None:
            raise Unstorable(reason)
        final = activity.status in self.final_statuses
        children = _children(activity)
        own = meaning_of_details(said, children)
        return DetailsObservation(
            activity_id=asked,
            day=day_of(created_at, self.zone) if created_at else None,
            body=body,
            digest=digest(body),
            meaning=digest(own + (entity.digest if entity else b"")),
            own=own,
            as_listed=meaning_of_row(asked, map(said.get, LISTED_COLUMNS)),
            mapping_version=MAPPING_VERSION,
            asked_at=asked_at,
            received_at=received_at,
            service_time=service_time,
            final=final,
            deadline_at=_deadline(said, service_time, final=final),
            said=said,
            entity=entity,
            children=children,
            codes=codes,
        )

    def map_row(self, body: bytes, received_at: datetime, day: date) -> ListObservation:
        """Map the bytes of a row. Raises `Unstorable`."""
        row = read_row(body, received_at, now=None)
        if row.malformed is not None:
            raise Unstorable(row.malformed)
        return self.listed(row, day)

    def map_stored(
        self, row: LedgerRow, details: Version | None, listed: Version | None
    ) -> Outcome:
        """Map what ``landing`` holds of an activity (`landing.ResponseMapping`)."""
        written_by = row.mapping_version or MAPPING_VERSION
        outcome = Outcome(row.activity_id, stored=True)
        outcome.rewrite = row.altered or written_by < SAME_ROWS_SINCE
        # What somebody altered in landing itself is left out.
        if listed is not None and (listed.redacted or digest(listed.body) == listed.digest):
            with _as_failure(outcome, "list", listed, row.day):
                day = row.day or day_of(listed.first_seen_at, self.zone)
                # Its counterpart is as old as the body, also where rows have repeated the rest since.
                observed = self.map_row(listed.body, listed.first_seen_at, day)
                received_at = row.listed_at or observed.received_at
                outcome.listed = replace(observed, received_at=received_at)
                if row.listed is not None and written_by == MAPPING_VERSION:
                    outcome.listed = replace(outcome.listed, meaning=row.listed)
        if details is not None and (details.redacted or digest(details.body) == details.digest):
            with _as_failure(outcome, "details", details, row.day):
                at = details.last_seen_at
                service_time = row.service_time or at
                told = self.details(details.body, outcome.subject, at, at, service_time)
                outcome.details = replace(told, digest=details.digest)
                if details.redacted and row.details and written_by == MAPPING_VERSION:
                    outcome.details = replace(outcome.details, meaning=row.details)
        return outcome

    def decisions(self, body: bytes, at: datetime) -> Decisions | None:
        """Return the decisions that details received ``at`` show; None if they do not map."""
        try:
            activity = decode_details(mend(body) or body)
            return shown_in(_children(activity), activity.in_out_bound, at)
        except (UnexpectedShape, Unstorable):
            return None

    def _unknown(
        self, codes: list[Carried], kind_of_field: str, fields: list[str]
    ) -> list[tuple[str, str]]:
        """Return the codes and fields that are not known, each cut to 200 characters.

        A known code in another case is unknown in details, for SQL tells cases apart. In a row of the list
        it is known: details follow.
        """
        seen = {*codes, *((kind_of_field, path) for path in fields)}
        return sorted(
            (kind, value[:200])
            for kind, value in seen - self.known_codes
            if value is not None
            and not _CLEANED.intersection(value)
            and (kind_of_field == FIELD or (kind, value.upper()) not in self.known_codes)
        )


@contextmanager
def _as_failure(
    outcome: Outcome, source: str, version: Version, day: date | None
) -> Iterator[None]:
    """Note in ``outcome`` that a stored response no longer maps."""
    try:
        yield
    except (UnexpectedShape, Unstorable) as error:
        reason = error.cause if isinstance(error, UnexpectedShape) else str(error)
        outcome.failures.append(
            Failure(
                source=source,
                subject=outcome.subject,
                activity_id=outcome.subject,
                day=day,
                reason=f"no longer maps: {reason}",
                payload=version.body,
                at=version.last_seen_at,
            )
        )


def load_mapper(engine: sa.Engine, zone: ZoneInfo) -> Mapper:
    """Return a mapper with the final statuses and known codes of the warehouse.

    Raises a ``WarehouseError``.
    """
    return Mapper(zone, service_facts.final_statuses(engine), service_facts.known_codes(engine))


def _said(activity: ActivityDetails, entity: EntityObservation | None) -> dict[str, Any]:
    """Return the fields of an activity, and what else has a column, by their names."""
    duration = activity.expires_in or ExpiresIn()
    said = asdict(activity)
    said["entity_id"] = entity and entity.id
    said["expires_in_time_unit"] = duration.time_unit
    said["expires_in_amount"] = duration.amount
    for name in _MOMENTS:
        if said[name] is not None:  # most of them have not come
            said[name] = read_instant(name, instant_from_carrier, said[name])
    for name in _EVENTS:
        # For what has not happened yet the service may send 0, -1 or the year 1, in any zone.
        said[name] = said[name] if said[name] and said[name] > _NEVER else None
    return said


def _deadline(said: Mapping[str, Any], service_time: datetime, *, final: bool) -> datetime | None:
    """Return the next moment at which time alone changes the activity (docs/service.md 3).

    ``valid_until`` cancels an activity that nobody answered, so it means nothing if the status is
    final. An EXPIRED activity has passed both moments.
    """
    valid_until = None if final else said["valid_until"]
    expires_at = None if said["status"] == "EXPIRED" else said["expires_at"]
    ahead = [
        instant
        for instant in (valid_until, expires_at)
        if instant is not None and instant > service_time - CLOCK_DOUBT
    ]
    return min(ahead, default=None)


def _children(activity: ActivityDetails) -> dict[str, list[Row]]:
    """Return the rows of the child tables. Raises `Unstorable`."""
    rows: dict[str, list[Row]] = {table: [] for table in CHILDREN}
    for disposition, requirements in (
        ("requested", activity.requirements or ()),
        ("declined", activity.declined_requirements or ()),
    ):
        for place, requirement in enumerate(requirements):
            rows["requirements"].append((disposition, place, requirement.code, None, None, None))
            rows["requirement_items"] += [
                (disposition, place, position, item.code)
                for position, item in enumerate(requirement.items or ())
            ]
    for place, accepted in enumerate(activity.accepted_requirements or ()):
        code, value = accepted.code, _json(accepted.data)
        rows["requirements"].append(
            ("accepted", place, code, accepted.type, accepted.category, value)
        )
        rows["accepted_items"] += [
            (place, position, code, item.code, item.type, _json(item.data))
            for position, item in enumerate(accepted.items or ())
        ]
    for position, entry in enumerate(activity.timeline or ()):
        at = read_instant(
            "timeline.date_time", instant_from_iso, entry.date_time, activity.time_zone
        )
        rows["timeline_events"].append(
            (position, entry.status, at, entry.message, entry.http_request_id)
        )
    return rows


def _json(data: AcceptedData | None) -> Cell:
    return None if data is None or data.value == NO_VALUE else bytes(data.value).decode()
