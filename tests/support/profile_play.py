"""Plays a decent service (`tests.support.profiles`) on a clock of its own, and judges each run.

The law: what is stored equals what the service states, every run ends 0 (but for one during maintenance),
every day is complete, nothing is in quarantine at the end, and a run asks little more than it must.
"""

from __future__ import annotations

from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from math import ceil
from random import Random
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import msgspec

from pipeline.ids import plain_uuid
from pipeline.sandbox import Truth
from pipeline.service.errors import ServiceError
from pipeline.sync.options import Options
from pipeline.warehouse.state import todo
from tests.support.comparison import differences, stored_rows
from tests.support.deeds import DEEDS
from tests.support.habits.answers import DAY_MS, HOUR_MS, MINUTE_MS, clock_moves, rule
from tests.support.histories import clear
from tests.support.law import FINAL
from tests.support.mirroring import LastingWarehouse, restart_run_numbers, sandbox
from tests.support.profiles import (
    FIRST,
    Profile,
    another_page_always,
    changed_bodies,
    morning,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pipeline.sync.options import Summary

#: What happens at a service before each night.
_HAPPENS = ("create", "create", "settle", "settle", "settle", "rename", "delete")

NIGHTS = 3


@dataclass(frozen=True)
class Asked:
    """The requests of a run, those that it had to make, and the most that it may make."""

    run: str
    requests: int
    lists: int
    least: int
    most: int


@dataclass
class Played:
    """How a service was played: its runs, and each way in which the law was broken."""

    profile: Profile
    runs: list[Asked] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)

    def table(self) -> str:
        """Return the requests of each run as a line, and what is wrong."""
        lines = [
            f"{self.profile.name[:60]:60} {each.run:11} {each.requests:6} ({each.lists:4} lists)"
            f" least {each.least:5} most {each.most:5}"
            for each in self.runs
        ]
        return "\n".join([*lines, *(f"    BROKEN {each}" for each in self.broken)])


class _Play:
    def __init__(self, warehouse: LastingWarehouse, profile: Profile, seed: int) -> None:
        self.warehouse, self.profile = warehouse, profile
        self.state = warehouse.service.state
        self.random = Random(f"{profile.name}:{seed}")
        self.played = Played(profile)
        self.zone = ZoneInfo(profile.zone)
        #: What the service stated of each activity when its details were last read.
        self._read: dict[str, tuple[bytes, bytes, bool]] = {}

    @property
    def today(self) -> date:
        return self._day(self.state.clock.now())

    def play(self) -> Played:
        # In our zone, the first day may have begun the day before.
        first = FIRST - timedelta(days=1)
        self._run("first load", lambda: [self.warehouse.days(first, self.today)], [])
        self._compare(first)
        for night in range(1, NIGHTS + 1):
            self._live_until(morning(self.profile.days + night))
            self._night(f"night {night}")
            self._compare(self.today - timedelta(days=2), others_too=False)
        last = FIRST + timedelta(days=min(9, self.profile.days - 1))
        self._run("backfill", lambda: [self.warehouse.days(FIRST, last)], [(FIRST, last)])
        self._live_until(morning(self.profile.days + NIGHTS + 1))
        self._night("audit", audit_days=1)
        self._compare(first)
        left = self.warehouse.query(
            "select day, incomplete from sync.coverage where incomplete is not null order by day"
        )
        self.played.broken += [f"{day}: {incomplete}" for day, incomplete in left[:5]]
        self.played.broken += [
            f"in quarantine: {each}" for each in self.warehouse.quarantined().values()
        ][:5]
        return self.played

    def _live_until(self, instant: int) -> None:
        """Let the day pass, and some things happen; the last hour is quiet."""
        begin = self.state.clock.now()
        hours = max(1, (instant - begin) // HOUR_MS - 14)
        for deed in self.random.sample(_HAPPENS, len(_HAPPENS)):
            self.state.set_clock(advance_ms=hours * HOUR_MS // len(_HAPPENS))
            with suppress(ValueError, IndexError):
                DEEDS[deed](self.state, self.random)
        self.state.set_clock(now=max(instant, self.state.clock.now()))

    def _night(self, name: str, audit_days: int = 30) -> None:
        recent = self.today - timedelta(days=2), self.today

        def night() -> Sequence[Summary]:
            return self.warehouse.nightly(self.today, audit_days=audit_days)

        try:
            self._run(name, night, [recent], audit_days)
        except ServiceError as error:
            if not self.profile.maintenance:
                self.played.broken.append(f"{name} ended 1: {error}")
            self.state.set_clock(advance_ms=HOUR_MS)
            self._run(f"{name} again", night, [recent], audit_days)

    def _run(
        self,
        name: str,
        run: Callable[[], Sequence[Summary]],
        days: list[tuple[date, date]],
        audit_days: int = 0,
    ) -> None:
        due, unsettled = self._due(), self._open_before(days[0][0]) if audit_days else 0
        self.state.reset_counters()
        problems = [each for summary in run() for each in summary.problems]
        self.played.broken += [f"{name}: {each}" for each in problems]
        counts = self.state.counters()
        asked = {plain_uuid(each) or each for each in counts.details}
        now = self.state.clock.now()
        offered = self._offered()
        stated = {
            truth.id: (bytes(truth.row), bytes(truth.details), truth.id in offered)
            for truth in self.state.truth(include_deleted=True)
        }
        wanted = {each for each in asked if stated.get(each) != self._read.get(each)} | (
            due & asked
        )
        for each in asked:
            # What could not be read yet is read later.
            if each in stated and self._created_at(each) < now - MINUTE_MS:
                self._read[each] = stated[each]
        least = 1 + len(wanted) + self._pages(days, audit_days, unsettled)
        if self.profile.unlists:  # a day that lost a row is proven by two questions
            least += len(wanted & {*self.state.ids(*FINAL)})
        lists = counts.by_operation["list"]
        # The audit reads each day twice: nights do it a thirtieth at a time.
        times, slack = {"first load": (1.1, 40), "audit": (2, 40)}.get(name, (1.3, 10))
        most = times * least + slack * self.profile.habits
        self.played.runs.append(Asked(name, counts.requests, lists, least, int(most)))
        if counts.requests > most:
            self.played.broken.append(f"{name}: {counts.requests} requests, at most {most:.0f}")

    def _pages(self, days: list[tuple[date, date]], audit_days: int, unsettled: int) -> int:
        """Return how many pages a walk of these days has, and of the days of the audit before them.

        ``unsettled``: older activities that a night must look at, by walking their days or one by one.
        """
        created = [self._day(self._created_at(name)) for name in self.state.ids()]
        # Some services say that a page follows the last one.
        extra = (
            "trailing_empty_page" in self.profile.switches
            or another_page_always in self.profile.envelopes
        )

        def pages(rows: float) -> int:
            return max(1, ceil(rows / self.profile.granted)) + int(extra)

        if not days:
            return pages(len(created))
        walked = sum(pages(sum(first <= day <= last for day in created)) for first, last in days)
        if not audit_days:
            return walked
        older = sum(day < days[0][0] for day in created)
        walked += min(unsettled, pages(older)) if audit_days > 1 else 0
        return walked + pages(older / audit_days)

    def _due(self) -> set[str]:
        now = datetime.fromtimestamp(self.state.clock.now() / 1000, UTC)
        with self.warehouse.engine() as engine:
            found = todo.todo(engine, date.min, date.max, now, now - self.warehouse.options.recheck)
        return {each.activity_id for each in found if each.reason == "due"}

    def _open_before(self, day: date) -> int:
        query = (
            "select count(*) from sync.activity_ledger"
            " where not final and gone_at is null and unlisted_at is null and day < %s"
        )
        number: int = self.warehouse.value(query, day)
        return number

    def _compare(self, first: date, *, others_too: bool = True) -> None:
        """Compare what is stored with what the service states, but for what has just changed."""
        now = self.state.clock.now()
        truths = self._served(now)
        self.state.set_clock(now=now - self.profile.hidden_ms - MINUTE_MS)
        before = self._served(now)
        self.state.set_clock(now=now)
        moving = {name for name in truths if truths[name] != before.get(name)}
        moving |= {
            (truth.row_fields().get("entity") or {}).get("id", "")
            for name, truth in truths.items()
            if name in moving
        }
        chosen = [truths[name] for name in truths if self._day(self._created_at(name)) >= first]
        with self.warehouse.session() as session:
            found = differences(stored_rows(session), chosen)
        wrong = [
            str(each)
            for each in found
            if each.where.split("'")[1] not in moving
            and not (each.kind == "surplus" and (each.where.startswith("entit") or not others_too))
            and not each.where.endswith(".avatar")  # its signature may be another one
        ]
        if wrong:
            self.played.broken.append(f"{len(wrong)} differences: {wrong[0]}")

    def _day(self, instant: int) -> date:
        return datetime.fromtimestamp(instant / 1000, self.zone).date()

    def _created_at(self, name: str) -> int:
        return self.state.world.activities[name].created_at

    def _offered(self) -> set[str]:
        """Return the ids that a list without dates would have."""
        cut = "offered for" in self.profile.name
        first = self.state.clock.now() - 40 * DAY_MS if cut else 0
        return {name for name in self.state.ids() if self._created_at(name) >= first}

    def _served(self, now: int) -> dict[str, Truth]:
        """Return what is offered, as it is served at ``now``."""
        offered = self._offered()
        stated = (truth for truth in self.state.truth() if truth.id in offered)
        return {truth.id: self._as_served(truth, now) for truth in stated}

    def _as_served(self, truth: Truth, now: int) -> Truth:
        if self.profile.bodies is None:
            return truth
        row, details = (msgspec.json.decode(bytes(each)) for each in (truth.row, truth.details))
        row = self.profile.bodies(row, now)
        details = details and self.profile.bodies(details, now)
        row, details = (msgspec.Raw(msgspec.json.encode(each)) for each in (row, details))
        return Truth(truth.id, truth.deleted, row, details)


def play(url: str, profile: Profile, seed: int = 0) -> Played:
    """Play a service in an empty warehouse: a first load, nights, a backfill, an audit of everything."""
    restart_run_numbers()
    last = FIRST + timedelta(days=profile.days - 1)
    now = datetime.fromtimestamp(morning(profile.days) / 1000, UTC)
    per_day = profile.rows / profile.days
    later = NIGHTS + 2
    data = {
        "from_date": FIRST,
        "to_date": last + timedelta(days=later),
        "now": now,
        "seed": seed + 1,
    }
    options = Options(start=FIRST - timedelta(days=1))
    activities = round(profile.rows + later * per_day)
    with (
        sandbox(activities, behaviour=profile.switches, **data) as running,
        closing(LastingWarehouse(url, running, profile.zone, options)) as warehouse,
    ):
        clear(warehouse)
        state = running.state
        changes = [made(state) for made in profile.changes]
        changes += [changed_bodies(profile.bodies)(state)] if profile.bodies else []
        changes += [made(state) for made in profile.envelopes]
        state.set_faults(*profile.rules, rule(*changes, clock_moves(state, 100)))
        return _Play(warehouse, profile, seed).play()
