"""The ledger: what is known of each activity, and how an observation changes it."""

from datetime import date, datetime
from typing import Any

import msgspec
import psycopg
from msgspec.structs import astuple, replace

from pipeline.warehouse.rows import DetailsObservation, ListObservation, Row
from pipeline.warehouse.sql import id_array


class LedgerRow(msgspec.Struct, frozen=True):
    """One row of ``sync.activity_ledger``; the fields are its columns."""

    activity_id: str
    day: date | None = None
    list_digest: bytes | None = None
    fingerprint: bytes | None = None
    listed_at: datetime | None = None
    details_fingerprint: bytes | None = None
    details_digest: bytes | None = None
    mapping_version: int | None = None
    checked_at: datetime | None = None
    service_time: datetime | None = None
    final: bool = False
    deadline_at: datetime | None = None
    unlisted_at: datetime | None = None
    gone_at: datetime | None = None

    def accepts_list(self, listed: ListObservation) -> bool:
        """Return whether ``listed`` is not older than the list row stored."""
        return self.listed_at is None or listed.received_at >= self.listed_at

    def accepts_details(self, details: DetailsObservation) -> bool:
        """Return whether ``details`` are not older than those stored."""
        return self.checked_at is None or details.received_at >= self.checked_at

    def accepts_ending(self, at: datetime) -> bool:
        """Return whether a refusal of ``at`` is not older than what is stored."""
        return self.checked_at is None or at >= self.checked_at

    def holds(self, details: DetailsObservation) -> bool:
        """Return whether exactly this response is stored already, by the same mapping."""
        return (
            self.details_digest == details.digest
            and self.mapping_version == details.mapping_version
        )

    def with_list(self, listed: ListObservation, details_day: date | None) -> "LedgerRow":
        """Return the row after a list row; the day of details beside it is better than a guess."""
        day = listed.day if listed.dated else details_day or self.day or listed.day
        if listed.digest == self.list_digest:
            return replace(self, day=day, listed_at=listed.received_at)
        return replace(
            self,
            day=day,
            list_digest=listed.digest,
            fingerprint=listed.fingerprint,
            listed_at=listed.received_at,
        )

    def with_details(self, details: DetailsObservation) -> "LedgerRow":
        """Return the row after a details response.

        It answers for the newest list row, unless that came later: then what moved it may be missing.
        """
        answers = self.listed_at is None or details.received_at >= self.listed_at
        return replace(
            self,
            day=self.day or details.day,
            details_fingerprint=self.fingerprint if answers else self.details_fingerprint,
            details_digest=details.digest,
            mapping_version=details.mapping_version,
            checked_at=details.received_at,
            service_time=details.service_time,
            final=details.final,
            deadline_at=details.deadline_at,
            gone_at=None,
        )

    def with_withheld(self, at: datetime) -> "LedgerRow":
        """Return the row after a 403 for an activity whose sharing period is over."""
        return replace(
            self,
            details_fingerprint=self.fingerprint,
            checked_at=at,
            final=True,
            deadline_at=None,
            gone_at=None,
        )

    def with_gone(self, at: datetime) -> "LedgerRow":
        """Return the row after the evidence that the service offers the activity no more."""
        return replace(self, checked_at=at, gone_at=at)

    def as_row(self) -> Row:
        """Return the values in the order of `COLUMNS`."""
        return astuple(self)


#: The row's fields in their order, with the columns' types.
COLUMNS = {
    "activity_id": "uuid",
    "day": "date",
    "list_digest": "bytea",
    "fingerprint": "bytea",
    "listed_at": "timestamptz",
    "details_fingerprint": "bytea",
    "details_digest": "bytea",
    "mapping_version": "int2",
    "checked_at": "timestamptz",
    "service_time": "timestamptz",
    "final": "bool",
    "deadline_at": "timestamptz",
    "unlisted_at": "timestamptz",
    "gone_at": "timestamptz",
}

_SELECT = f"select activity_id::text, {', '.join(list(COLUMNS)[1:])} from sync.activity_ledger"


def read(session: psycopg.Connection[Any], ids: list[str]) -> dict[str, LedgerRow]:
    """Return the rows of those of ``ids`` that are known."""
    found = session.execute(f"{_SELECT} where activity_id = any(%s::uuid[])", (id_array(ids),))
    return {row[0]: LedgerRow(*row) for row in found}


def lock(session: psycopg.Connection[Any], ids: list[str]) -> dict[str, LedgerRow]:
    """Return the rows of those of ``ids`` that are known, locked in one order for all runs."""
    found = session.execute(
        f"{_SELECT} where activity_id = any(%s::uuid[]) order by activity_id for update",
        (id_array(ids),),
    )
    return {row[0]: LedgerRow(*row) for row in found}
