"""The ledger: what is known of each activity, and how an observation changes it.

Implements docs/design.md "Ledger". A row of ``sync.activity_ledger`` is in one of these states; the view
``sync.todo`` tells what the next run does about it:

=========  ==================================================  =======================================
state      columns                                             the next run
=========  ==================================================  =======================================
listed     ``settled`` differs from ``listed``                 asks for details
stored     ``settled`` equals ``listed``                       asks when ``deadline_at`` or the re-check
                                                               interval passes
not yet    as listed, and ``not_yet_at`` is set                asks for details; no problem until then
withheld   as stored, and ``withheld_at`` is set: the sharing  nothing
           period is over, and details are answered 403
unlisted   ``unlisted_at`` is set: a proven list lacks it      asks; a 403 or 404 then means gone. If it is
                                                               ``final`` and was answered: nothing
gone       ``gone_at`` is set                                  asks when a list offers it again
=========  ==================================================  =======================================

=====================  ==========================  =============================================
transition             method                      from any state to
=====================  ==========================  =============================================
a row of the list      `LedgerRow.with_list`       listed if it means something else, else as before;
                                                   no longer unlisted if it came later
details                `LedgerRow.with_details`    stored; listed if a later row is known
older details          `LedgerRow.with_older`      the same; what is stored stays
half an answer         `LedgerRow.with_refused`    listed
403, period is over    `LedgerRow.with_withheld`   withheld
asked too early        `LedgerRow.with_not_yet`    not yet
403 or 404, unlisted   `LedgerRow.with_gone`       gone
no details came        `LedgerRow.with_unanswered` listed, until it is judged what that means
a proven list          ``sql/load/proven.sql``     unlisted if it lacks the activity
altered by hand        triggers                    ``altered``: restored before anything else
landing mapped again   `LedgerRow.mapped_again`    as before; listed if ``landing`` has lost something
=====================  ==========================  =============================================
"""

from collections.abc import Collection, Iterable
from datetime import date, datetime

import msgspec
import sqlalchemy as sa
from msgspec.structs import replace
from psycopg.rows import args_row, scalar_row, tuple_row

from pipeline.warehouse.database.engine import Session, execute, fetch, fetch_one
from pipeline.warehouse.database.sql import id_array, statement
from pipeline.warehouse.state.rows import DetailsObservation, Failure, ListObservation, Outcome


class LedgerRow(msgspec.Struct, frozen=True):
    """One row of ``sync.activity_ledger``; the fields are its columns.

    ``listed``, ``details``: digests of what the newest responses mean. ``settled``: the row of the list
    for which details came. ``discrepancy``: what is in doubt about them (`answers.belief`), and
    ``doubted`` the digest of the answer that has it, which came first at ``discrepancy_since``, by the
    service's clock. ``spelling``: the id as the list spells it, which is what we ask for; None: as
    ``activity_id``.
    """

    activity_id: str
    day: date | None = None
    listed: bytes | None = None
    listed_at: datetime | None = None
    settled: bytes | None = None
    details: bytes | None = None
    mapping_version: int | None = None
    checked_at: datetime | None = None
    service_time: datetime | None = None
    final: bool = False
    deadline_at: datetime | None = None
    withheld_at: datetime | None = None
    unlisted_at: datetime | None = None
    gone_at: datetime | None = None
    altered: bool = False
    not_yet_at: datetime | None = None
    discrepancy: str | None = None
    doubted: bytes | None = None
    discrepancy_since: datetime | None = None
    discrepancy_settled_at: datetime | None = None
    spelling: str | None = None

    @property
    def contradicts_list(self) -> bool:
        """Whether the details say something else than the list, or are no answer."""
        return self.discrepancy is not None and (
            "disagrees" in self.discrepancy or "unmoved" in self.discrepancy or self.settled is None
        )

    def accepts_list(self, at: datetime) -> bool:
        """Return whether a row received ``at`` is not older than the stored one."""
        return self.listed_at is None or at >= self.listed_at

    def accepts_answer(self, at: datetime) -> bool:
        """Return whether details or a refusal received ``at`` are not older than the last answer."""
        return self.checked_at is None or at >= self.checked_at

    def holds(self, details: DetailsObservation) -> bool:
        """Return whether details of this meaning are stored already, by the same mapping."""
        return (
            self.details == details.meaning
            and self.mapping_version == details.mapping_version
            and not self.altered
        )

    def is_ahead(self, details: DetailsObservation) -> bool:
        """Return whether the list has a row that says something else than details do."""
        return self.unlisted_at is None and self.listed not in (None, details.as_listed)

    def with_list(self, listed: ListObservation) -> "LedgerRow":
        """Return the row after a row of the list; the day of an undated one is a guess."""
        day = listed.day if listed.dated and self.details is None else self.day or listed.day
        row = self._with_listed(listed.meaning, day, listed.received_at, listed.spelling)
        asks = listed.entity_news and listed.entity is not None and listed.entity.fills
        return replace(row, settled=None) if asks and self.withheld_at is None else row

    def with_unreadable(self, failure: Failure) -> "LedgerRow":
        """Return the row after a row of the list that has an id, but can't be read."""
        day = self.day if failure.day_guessed else failure.day
        day = day or self.day or failure.day
        return self._with_listed(failure.listed, day, failure.at, failure.spelling)

    def _with_listed(
        self, meaning: bytes | None, day: date | None, at: datetime, spelling: str | None
    ) -> "LedgerRow":
        # What was already under way when a proven list lacked it says nothing.
        unlisted_at = self.unlisted_at if self.unlisted_at and at <= self.unlisted_at else None
        # Details that came while it was unlisted were compared with no row.
        returned = self.unlisted_at if unlisted_at is None else None
        compared = returned is None or self.accepts_answer(returned)
        return replace(
            self,
            day=day,
            listed=meaning,
            listed_at=at,
            # Also if it changes back before anybody asks: only details know what happened meanwhile.
            settled=self.settled if meaning == self.listed and compared else None,
            unlisted_at=unlisted_at,
            spelling=spelling,
        )

    def with_details(self, details: DetailsObservation) -> "LedgerRow":
        """Return the row after a details response."""
        return replace(
            self,
            # The row of the list may tell another creation.
            day=details.day or self.day,
            settled=self.listed if self._is_answered_by(details) else self.settled,
            details=details.meaning,
            mapping_version=details.mapping_version,
            checked_at=details.received_at,
            service_time=details.service_time,
            final=details.final,
            deadline_at=details.deadline_at,
            withheld_at=None,
            gone_at=None,
            altered=False,
            not_yet_at=None,
        )

    def with_older(self, details: DetailsObservation) -> "LedgerRow":
        """Return the row after details that are older than the stored ones, which stay."""
        return replace(
            self,
            settled=self.listed if self._is_answered_by(details) else self.settled,
            checked_at=details.received_at,
            service_time=details.service_time,
            gone_at=None,
            not_yet_at=None,
        )

    def with_refused(self, details: DetailsObservation) -> "LedgerRow":
        """Return the row after half an answer, or another activity's: its own is still needed."""
        return replace(self, settled=None, checked_at=details.received_at, not_yet_at=None)

    def in_doubt(
        self,
        discrepancy: str | None,
        doubted: bytes | None = None,
        since: datetime | None = None,
        settled_at: datetime | None = None,
    ) -> "LedgerRow":
        """Return the row with what is in doubt about the answer ``doubted``; None: nothing."""
        return replace(
            self,
            discrepancy=discrepancy,
            doubted=doubted if discrepancy else None,
            discrepancy_since=since,
            discrepancy_settled_at=settled_at,
        )

    def _is_answered_by(self, details: DetailsObservation) -> bool:
        # Details asked for before the row came may lack the change that moved the row.
        return self.listed_at is None or self.listed_at <= details.asked_at

    def with_withheld(self, at: datetime) -> "LedgerRow":
        """Return the row after a 403 for an activity whose sharing period is over."""
        return replace(
            self.in_doubt(None),
            settled=self.listed,
            checked_at=at,
            final=True,
            deadline_at=None,
            withheld_at=at,
            gone_at=None,
            not_yet_at=None,
        )

    def with_unanswered(self) -> "LedgerRow":
        """Return the row after a refusal or failure that is not judged yet."""
        over = self.gone_at is not None or self.withheld_at is not None
        return self if over else replace(self, settled=None)

    def with_not_yet(self, at: datetime) -> "LedgerRow":
        """Return the row after an answer to a question that came too early."""
        return replace(self, not_yet_at=at)

    def with_gone(self, at: datetime) -> "LedgerRow":
        """Return the row after the evidence that the service no longer offers the activity."""
        return replace(self.in_doubt(None), checked_at=at, gone_at=at, not_yet_at=None)

    def mapped_again(self, stored: Outcome) -> "LedgerRow":
        """Return the row after what ``landing`` holds was mapped again.

        What it has lost is asked for: an empty digest is nobody's.
        """
        listed, details, row = stored.listed, stored.details, replace(self, altered=False)
        settled = self.settled is not None and self.settled == self.listed
        if stored.failures:
            return replace(
                row, mapping_version=None, settled=None if self.altered else self.settled
            )
        if listed is not None:
            day = listed.day if listed.dated else self.day or listed.day
            spelling = listed.spelling if self.listed is None else self.spelling
            row = replace(
                row,
                day=day,
                listed=listed.meaning,
                listed_at=listed.received_at,
                spelling=spelling,
            )
        elif self.altered:
            row, settled = replace(row, listed=b""), False
        if details is None and self.details is None:
            final = self.withheld_at is not None
            return replace(row, final=final, settled=row.listed if settled else None)
        older = details is not None and self.mapping_version not in (None, details.mapping_version)
        same = details is not None and (older or self.details == details.meaning)
        # Landing may have lost its newest version only.
        if details is None or not (same or self.details is None):
            return replace(row, settled=None, details=b"", mapping_version=None)
        withheld = self.withheld_at is not None
        return replace(
            row,
            day=details.day or row.day,
            settled=row.listed if settled and same else None,
            details=details.meaning,
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


def read(engine: sa.Engine, ids: list[str]) -> dict[str, LedgerRow]:
    """Return the rows of those of ``ids`` that are known."""
    found = fetch(engine, tuple_row, _SELECT, (id_array(ids),)) if ids else []
    return {row[0]: LedgerRow(*row) for row in found}


#: Of an id and a digest.
_KEY_BYTES = 32


def key(activity_id: str, listed: bytes) -> bytes:
    """Return what stands for an activity that the list shows with this meaning."""
    return bytes.fromhex(activity_id.replace("-", "")) + listed


def as_listed(engine: sa.Engine, days: Collection[date]) -> dict[date, set[bytes]]:
    """Return the `key` of each activity that the list has had on ``days``, and whose details came since."""
    given = {"days": sorted(days)}
    found = fetch(engine, tuple_row, statement("load/as_listed"), given) if days else []
    return {
        day: {joined[at : at + _KEY_BYTES] for at in range(0, len(joined), _KEY_BYTES)}
        for day, joined in found
    }


def spellings(engine: sa.Engine, ids: list[str]) -> dict[str, str]:
    """Return how the list spells those of ``ids`` that it spells in another way."""
    query = (
        "select activity_id::text, spelling from sync.activity_ledger"
        " where activity_id = any(%s::uuid[]) and spelling is not null"
    )
    return dict(fetch(engine, tuple_row, query, (id_array(ids),)))


def lock(session: Session, ids: list[str]) -> dict[str, LedgerRow]:
    """Return the rows of those of ``ids`` that are known, locked until the transaction ends."""
    # All runs lock in the order of the ids: two batches with common activities cannot deadlock here.
    found = session.execute(f"{_SELECT} order by activity_id for update", (id_array(ids),))
    return {row[0]: LedgerRow(*row) for row in found}


def unlist(engine: sa.Engine, days: Iterable[date], at: datetime) -> None:
    """Note at ``at`` that the lists of days lack what is finished, although its details were answered."""
    query = (
        "update sync.activity_ledger set unlisted_at = %s"
        " where day = any(%s) and final and gone_at is null and checked_at > unlisted_at"
    )
    execute(engine, query, (at, sorted(days)))


def next_ids(engine: sa.Engine, after: str | None, limit: int) -> list[str]:
    """Return the next activities in the order of their ids, at most ``limit``; none at the end."""
    query = (
        "select activity_id::text from sync.activity_ledger"
        " where activity_id > %s order by activity_id limit %s"
    )
    return fetch(engine, scalar_row, query, (after or f"{0:032x}", limit))


def stamp_base(engine: sa.Engine) -> datetime:
    """Return a time later than every stored one that decides what is newer, and not before now."""
    base: datetime = fetch_one(engine, scalar_row, statement("load/stamp_base"))
    return base


def altered_activities(
    engine: sa.Engine, days: tuple[date, date] | None, version: int
) -> list[tuple[str, bool]]:
    """Return the activities to load again, and whether somebody altered them.

    ``days``: first and last day of those that were altered; what an older mapping than ``version`` wrote
    may be of any day. Looks only into the ledger.
    """
    first, last = days or (date.min, date.max)
    given = {"first": first, "last": last, "version": version}
    return fetch(engine, tuple_row, statement("load/altered_activities"), given)


def count_altered(engine: sa.Engine) -> int:
    """Return how many activities and counterparts somebody altered."""
    query = (
        "select (select count(*) from sync.activity_ledger where altered)"
        " + (select count(*) from warehouse.entities where digest = '')"
    )
    return fetch_one(engine, args_row(int), query)
