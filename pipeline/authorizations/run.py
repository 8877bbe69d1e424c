"""One run of the requests: settle what is open, send what is queued, find what was created."""

import asyncio
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from pipeline.authorizations.rules import Rules
from pipeline.authorizations.sending import Sender, Sleep
from pipeline.authorizations.settling import Settled, Settler
from pipeline.service.client import ServiceClient
from pipeline.service.errors import ServiceError
from pipeline.sync.day_boundaries import stored_day_boundaries
from pipeline.sync.days import day_of, start_of
from pipeline.warehouse import authorizations
from pipeline.warehouse.authorization_sender import Desk, only_sender


class Progress(Protocol):
    """Whom a run tells how far it is."""

    def moved(self, done: int, total: int) -> None:
        """Hear that ``done`` of the ``total`` requests of this run have been sent or refused."""

    def said(self, message: str) -> None:
        """Hear something worth a line in the log; nothing personal is in it."""


@dataclass
class Summary:
    """What a run did. ``ended``: requests by the state that their call led to.

    ``states``: all requests of the requests by state, afterwards. ``problems``: a line each for what
    a person may want to know. ``stopped``: why not all was sent, though it could have been.
    """

    ended: dict[str, int] = field(default_factory=dict)
    linked: int = 0
    requeued: int = 0
    states: dict[str, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    stopped: str | None = None


@dataclass
class AuthorizationRun:
    """What a run works with. ``page_size``: rows to ask for a page of the list."""

    client: ServiceClient
    engine: sa.Engine
    zone: ZoneInfo
    rules: Rules = field(default_factory=Rules)
    page_size: int = 500
    sleep: Sleep = asyncio.sleep

    async def send(self, progress: Progress) -> Summary:
        """Send what is queued, as far as the day's cap lets it, and settle what is open.

        Ends early, and says why, when calls fail one after the other. Raises ``OutboxBusy`` when
        another process sends, other ``WarehouseError`` and fatal ``ServiceError``; everything done
        until then is recorded, and the next run goes on from there.
        """
        with only_sender(self.engine) as desk:
            run = await self._opened(desk)
            await run.settle(progress)
            await run.send(progress)
            return run.finished()

    async def settle(self, progress: Progress) -> Summary:
        """Find out what earlier calls created, without sending anything. Raises as `send` does."""
        with only_sender(self.engine) as desk:
            run = await self._opened(desk)
            await run.settle(progress)
            return run.finished()

    async def _opened(self, desk: Desk) -> "_Run":
        await self.client.login()  # tells the service's time, by which calls are judged
        settler = Settler(
            self.client,
            desk,
            self.zone,
            stored_day_boundaries(self.engine),
            self.page_size,
            self.rules,
        )
        desk.recover(settler.now())
        sender = Sender(
            self.client,
            desk,
            authorizations.labels(self.engine),
            self.rules,
            settler.now,
            self.sleep,
        )
        return _Run(self, desk, settler, sender)


@dataclass
class _Run:
    """A run under way."""

    requests: AuthorizationRun
    desk: Desk
    settler: Settler
    sender: Sender
    summary: Summary = field(default_factory=Summary)

    async def settle(self, progress: Progress) -> Settled:
        """Look once at everything that is open."""
        settled = await self.settler.settle()
        self.summary.linked += settled.linked
        self.summary.requeued += settled.requeued
        if settled.linked:
            progress.said(f"{settled.linked} linked to their activities, {settled.open} open")
        if settled.requeued:
            progress.said(f"{settled.requeued} had no effect and are queued again")
        return settled

    async def send(self, progress: Progress) -> None:
        """Send batch by batch, and link each before the next."""
        rules = self.requests.rules
        total = self._queued()
        done = 0
        while allowed := max(0, rules.per_day - self.desk.sent_since(self._day_began())):
            quiet = 2 * rules.tolerance
            rows = self.desk.next(min(rules.batch, allowed), self.settler.now(), quiet)
            if not rows:
                break

            def told() -> None:
                nonlocal done
                done += 1
                progress.moved(done, max(total, done))

            began = self.settler.now()
            try:
                await self.sender.send(rows, told)
            except ServiceError as error:
                self.summary.stopped = str(error)
                if error.fatal:
                    return
            await self._link(began, progress)
            if self.summary.stopped:
                return
        self._tell_of_the_rest(allowed)

    async def _link(self, began: datetime, progress: Progress) -> None:
        """Look for what a batch created, again after a while where the list lags behind."""
        for pause in self.requests.rules.patience:
            if pause:
                await self.requests.sleep(pause)
            still_open = self.desk.open_calls(began)
            if not any(row.sent_at and row.sent_at >= began for row in still_open):
                break
            await self.settle(progress)

    def finished(self) -> Summary:
        """Return the summary, with the states as they are now."""
        states = authorizations.counts(self.requests.engine)
        self.summary.states = states
        self.summary.ended = dict(self.sender.ended)
        if states["unknown"]:
            self.summary.problems.append(
                f"{states['unknown']} may or may not have been created: later runs find out, from"
                f" {_minutes(self.requests.rules)} after the call on, or a person decides:"
                " `pipeline authorize list --state unknown` names them"
            )
        for state, what in (("rejected", "were answered 400"), ("failed", "were not sent")):
            if self.summary.ended.get(state):
                self.summary.problems.append(
                    f"{self.summary.ended[state]} {what}:"
                    f" `pipeline authorize list --state {state}` tells why"
                )
        return self.summary

    def _tell_of_the_rest(self, allowed: int) -> None:
        left = self._queued()
        if left and not allowed:
            self.summary.problems.append(
                f"{left} stay queued: the day's {self.requests.rules.per_day} calls are used up"
                " (ACTIVITIES_AUTHORIZATIONS_PER_DAY)"
            )
        elif left:
            self.summary.problems.append(
                f"{left} stay queued until calls with the same message are settled"
            )

    def _queued(self) -> int:
        return authorizations.counts(self.requests.engine)["queued"]

    def _day_began(self) -> datetime:
        zone = self.requests.zone
        return start_of(day_of(self.settler.now(), zone), zone)


def _minutes(rules: Rules) -> str:
    return f"{rules.settle.total_seconds() / 60:g} minutes"
