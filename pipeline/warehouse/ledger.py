"""The ledger: what is known of each activity, and how an observation changes it.

Implements docs/design.md "Ledger". A row of ``sync.activity_ledger`` is in one of these states:

=========  ==================================================  =======================================
state      columns                                             the next run asks for details
=========  ==================================================  =======================================
listed     ``details_fingerprint`` differs from                yes
           ``fingerprint``
stored     ``details_fingerprint`` equals ``fingerprint``      when ``deadline_at`` or the re-check
                                                               interval passes
withheld   as stored, and ``withheld_at`` is set: the sharing  no
           period is over, and details are answered 403
unlisted   ``unlisted_at`` is set: a verified walk no longer   yes, once; a 403 or 404 then means gone
           lists it
gone       ``gone_at`` is set                                  when a list offers it again
=========  ==================================================  =======================================

=====================  ==========================  =============================================
transition             method                      from any state to
=====================  ==========================  =============================================
a list row             `LedgerRow.with_list`       listed if its fingerprint is new, else as before
details                `LedgerRow.with_details`    stored; listed if a later list row is known, or
                                                   if the list may contradict them
403, period is over    `LedgerRow.with_withheld`   withheld
403 or 404, unlisted   `LedgerRow.with_gone`       gone
mapped again           `LedgerRow.with_stored`     as before; listed if the row was lost
a walk without it      ``sql/load/unlisted.sql``   unlisted
=====================  ==========================  =============================================
"""

from datetime import date, datetime
from typing import cast

import msgspec
import sqlalchemy as sa
from msgspec.structs import replace
from psycopg.rows import scalar_row

from pipeline.warehouse.engine import Session, fetch
from pipeline.warehouse.rows import DetailsObservation, ListObservation
from pipeline.warehouse.sql import id_array, statement


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
    withheld_at: datetime | None = None
    unlisted_at: datetime | None = None
    gone_at: datetime | None = None

    def accepts_list(self, listed: ListObservation) -> bool:
        """Return whether ``listed`` is not older than the stored list row."""
        return self.listed_at is None or listed.received_at >= self.listed_at

    def accepts_answer(self, at: datetime) -> bool:
        """Return whether details or a refusal received ``at`` are not older than the last answer."""
        return self.checked_at is None or at >= self.checked_at

    def holds(self, details: DetailsObservation) -> bool:
        """Return whether exactly this response is stored already, by the same mapping."""
        return (
            self.details_digest == details.digest
            and self.mapping_version == details.mapping_version
        )

    def mirrors(self, listed: ListObservation | None, details: DetailsObservation | None) -> bool:
        """Return whether the newest stored responses are those from which the rows were made."""
        if details is not None:
            return self.holds(details)
        listed_digest = listed.digest if listed is not None else None
        return self.details_digest is None and self.list_digest == listed_digest

    def with_list(self, listed: ListObservation) -> "LedgerRow":
        """Return the row after a list row; the day of an undated one is a guess."""
        known = listed.digest == self.list_digest
        return replace(
            self,
            day=listed.day if listed.dated else self.day or listed.day,
            list_digest=listed.digest,
            fingerprint=self.fingerprint if known else listed.fingerprint,
            listed_at=listed.received_at,
        )

    def with_details(self, details: DetailsObservation, *, proven: bool) -> "LedgerRow":
        """Return the row after a details response; ``proven``: nothing says that the list contradicts."""
        # Details older than the list row may lack the change that moved the row.
        answers = self.listed_at is None or details.received_at >= self.listed_at
        fingerprint = self.fingerprint if answers else self.details_fingerprint
        return replace(
            self,
            # A row of the list may have told another creation.
            day=details.day or self.day,
            details_fingerprint=fingerprint if proven else None,
            details_digest=details.digest,
            mapping_version=details.mapping_version,
            checked_at=details.received_at,
            service_time=details.service_time,
            final=details.final,
            deadline_at=details.deadline_at,
            withheld_at=None,
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
            withheld_at=at,
            gone_at=None,
        )

    def with_gone(self, at: datetime) -> "LedgerRow":
        """Return the row after the evidence that the service no longer offers the activity."""
        return replace(self, checked_at=at, gone_at=at)

    def with_stored(
        self, listed: ListObservation | None, details: DetailsObservation | None
    ) -> "LedgerRow":
        """Return the row after the newest stored responses were mapped again, without a request.

        ``details`` is None if none are stored. What refusals said stays: no response repeats it.
        """
        row = self if details is None else replace(self, day=details.day or self.day)
        row = row.with_list(listed) if listed is not None else row
        withheld = self.withheld_at is not None
        if details is None:
            # Details that only the ledger knows are lost. Without them the next run asks again.
            lost = self.details_digest is not None
            return replace(
                row,
                details_fingerprint=None if lost else self.details_fingerprint,
                details_digest=None,
                mapping_version=None,
                final=withheld,
                deadline_at=None,
            )
        if details.digest != self.details_digest:
            # The row was lost, or landing was restored. What the service's clock said when these
            # details came is unknown, so the next run asks again.
            return replace(
                row.with_details(details, proven=False),
                service_time=None,
                gone_at=self.gone_at,
            )
        return replace(
            row,
            mapping_version=details.mapping_version,
            final=details.final or withheld,
            deadline_at=None if withheld else details.deadline_at,
        )


COLUMNS = LedgerRow.__struct_fields__
"""Columns of ``sync.activity_ledger``: the row's fields in their order."""

_SELECT = (
    f"select activity_id::text, {', '.join(COLUMNS[1:])} from sync.activity_ledger"
    " where activity_id = any(%s::uuid[])"
)


def read(session: Session, ids: list[str]) -> dict[str, LedgerRow]:
    """Return the rows of those of ``ids`` that are known."""
    found = session.execute(_SELECT, (id_array(ids),))
    return {row[0]: LedgerRow(*row) for row in found}


def lock(session: Session, ids: list[str]) -> dict[str, LedgerRow]:
    """Return the rows of those of ``ids`` that are known, locked until the transaction ends."""
    # All runs lock in the order of the ids: two batches with common activities cannot deadlock here.
    found = session.execute(f"{_SELECT} order by activity_id for update", (id_array(ids),))
    return {row[0]: LedgerRow(*row) for row in found}


def stamp_base(engine: sa.Engine) -> datetime:
    """Return a time later than every stored one that decides what is newer, and not before now."""
    (base,) = fetch(engine, scalar_row, statement("load/stamp_base"))
    return cast("datetime", base)
