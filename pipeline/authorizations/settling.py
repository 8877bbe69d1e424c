"""Finding out what calls created, by looking at the list and into details (specification 4.3, 4.4)."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from pipeline.authorizations.matching import Call, Candidate, Verdict, decide
from pipeline.authorizations.requests import requirements_of, text_of, validity
from pipeline.authorizations.rules import Rules
from pipeline.service.client import ServiceClient
from pipeline.service.errors import ServiceError
from pipeline.service.instants import instant_from_carrier, instant_from_epoch_ms
from pipeline.service.models import ActivityDetails, decode_list_item
from pipeline.sync.days import ONE_DAY, DayBoundaries, DayRange, day_of
from pipeline.sync.listing import ListRow, PageSize
from pipeline.sync.walk import Walker
from pipeline.warehouse.authorization_sender import Desk
from pipeline.warehouse.authorizations import Row

#: Specification 2.4: IN is what was received; whatever else there is was sent.
_RECEIVED = "IN"
_MOST_SHOWN = 50


@dataclass(frozen=True)
class Look:
    """What a look at the list found. ``complete``: every day was verified, every row could be read."""

    candidates: list[Candidate]
    complete: bool
    at: datetime


@dataclass
class Settled:
    """What a settling did, and how many calls it left open."""

    linked: int = 0
    requeued: int = 0
    open: int = 0


class Settler:
    """Settles the open calls of one outbox, on behalf of its only sender.

    ``boundaries``: what is known of the service's days. Every method raises a fatal ``ServiceError``.
    """

    def __init__(
        self,
        client: ServiceClient,
        desk: Desk,
        zone: ZoneInfo,
        boundaries: DayBoundaries,
        page_size: int,
        rules: Rules,
    ) -> None:
        self._client = client
        self._desk = desk
        self._zone = zone
        self._boundaries = boundaries
        self._page_size = PageSize(page_size)
        self._rules = rules

    def now(self) -> datetime:
        """Return the service's time, corrected by whatever was measured of it."""
        clock = self._client.clock
        return datetime.fromtimestamp(clock.local() + clock.skew, UTC)

    async def settle(self) -> Settled:
        """Look for the activities of all open calls; link, queue again, or leave with candidates.

        That there is no activity is believed only when a second look says so too.
        """
        rows = self._desk.open_calls(self.now() - self._rules.look_for)
        if not rows:
            return Settled()
        calls = [_call(row) for row in rows]
        look = await self._look(calls)
        verdict = self._decide(calls, look)
        linked = self._link(verdict)
        absent = verdict.absent
        if absent:
            left = [call for call in calls if call.request_id not in linked]
            look = await self._look(left)
            verdict = self._decide(left, look)
            linked |= self._link(verdict)
            absent = absent & verdict.absent
        for request_id in absent:
            self._desk.requeue(request_id, self._rules.most_attempts)
        still = [call for call in calls if call.request_id not in linked | absent]
        for call in still:
            self._leave(call, verdict.open.get(call.request_id, []), look)
        return Settled(len(linked), len(absent), len(still))

    def _decide(self, calls: Sequence[Call], look: Look) -> Verdict:
        return decide(calls, look.candidates, look.at, self._rules, complete=look.complete)

    def _link(self, verdict: Verdict) -> set[str]:
        return {
            request_id
            for request_id, activity_id in verdict.linked.items()
            if self._desk.link(request_id, activity_id)
        }

    def _leave(self, call: Call, candidates: Sequence[Candidate], look: Look) -> None:
        """Note what may be its activity, and when to look again: soon at first, then seldom."""
        told = [
            {
                "activity_id": each.activity_id,
                "created_at": each.created_at.isoformat(timespec="milliseconds"),
                "status": each.status or "",
                "likeness": each.likeness(call) or "",
            }
            for each in candidates[:_MOST_SHOWN]
        ]
        self._desk.leave(call.request_id, told, self._pause(call, look))

    def _pause(self, call: Call, look: Look) -> timedelta | None:
        """Return when to look again; None where looking tells nothing new, so that a person decides."""
        rules = self._rules
        apart = call.may_take_effect_until(rules) + 2 * rules.tolerance
        if look.at <= apart:
            return apart - look.at
        age = look.at - call.ended_at
        if age >= rules.look_for or (not call.certain and look.complete):
            return None
        return max(age / 2, timedelta(minutes=1))

    async def _look(self, calls: Sequence[Call]) -> Look:
        """List what was created since the first of these calls, and read what may be theirs."""
        at = self.now()
        since = min(
            call.sent_at - (self._rules.tolerance if call.certain else self._rules.doubt)
            for call in calls
        )
        walker = Walker(
            self._client.list_activities,
            self._zone,
            self._page_size,
            self._boundaries,
            {},
            self.now,
        )
        first = day_of(since, self._zone) - ONE_DAY
        walked = await walker.walk(DayRange(first, max(walker.today, first)))
        rows = list(walked.rows.values())
        # A row that cannot be read or dated may be anything.
        complete = not any(walked.days.values()) and not any(
            row.malformed or row.undated for row in rows
        )
        readable = [
            row
            for row in rows
            if not row.malformed and row.created_at is not None and row.created_at >= since
        ]
        linked = self._desk.linked([row.activity_id for row in readable if row.activity_id])
        wanted = [row for row in readable if row.activity_id not in linked]
        found = await asyncio.gather(*[self._candidate(row) for row in wanted])
        return Look([each for each in found if each is not None], complete, at)

    async def _candidate(self, row: ListRow) -> Candidate | None:
        """Read the details of an outbound activity; None for a received one."""
        item = decode_list_item(row.body)
        created_at = row.created_at
        if item.in_out_bound == _RECEIVED or created_at is None or row.activity_id is None:
            return None
        try:
            details = (await self._client.activity_details(item.id)).activity
        except ServiceError as error:
            if error.fatal:
                raise
            return Candidate(row.activity_id, created_at, item.status, None, None)
        return _from_details(row.activity_id, created_at, details)


def _from_details(activity_id: str, created_at: datetime, details: ActivityDetails) -> Candidate:
    valid_for = None
    try:
        valid_until = instant_from_epoch_ms(details.valid_until or None)
        precise = instant_from_carrier(details.created_at) or created_at
    except ValueError:
        precise = created_at
    else:
        valid_for = valid_until - precise if valid_until is not None else None
    text = text_of(details.description, details.requirements or [])
    return Candidate(activity_id, created_at, details.status, text, valid_for)


def _call(row: Row) -> Call:
    sent_at = row.sent_at or row.requested_at
    return Call(
        request_id=row.id,
        text=text_of(row.description, requirements_of(row.requirements)),
        receiver=f"{row.phone_country_code} {row.phone_number}",
        validity=validity(row.validity_time_unit, row.validity_amount),
        sent_at=sent_at,
        ended_at=row.answered_at or sent_at,
        certain=row.state == "sent",
    )
