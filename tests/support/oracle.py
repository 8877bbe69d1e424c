"""A service, its mirror and a hand at psql: what may happen to them; `law.Judge` judges each run."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from random import Random
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from pipeline.service.errors import ServiceError
from pipeline.sync.options import Options, Summary, SyncError
from pipeline.sync.reparse import reparse
from pipeline.warehouse.database.errors import WarehouseError
from pipeline.warehouse.schema.refresh import refresh
from pipeline.warehouse.state import quarantine
from tests.support import refreshing as views
from tests.support.comparison import differences, stored_rows
from tests.support.deeds import DEEDS
from tests.support.habits import answers as made
from tests.support.habits.answers import DAY_MS
from tests.support.habits.drawn import Misbehaviour, drawn, restless
from tests.support.law import Broken, Judge
from tests.support.mirroring import LastingWarehouse, run_id
from tests.support.tampering import STAMPS, TAMPERINGS
from tests.support.told import Told

if TYPE_CHECKING:
    from collections.abc import Callable

#: The first day of every service.
FIRST = date(2026, 3, 1)
OPTIONS = Options(
    workers=4, walks=2, window_days=4, page_size=32, batch_size=3, start=FIRST, audit_days=3
)

_STORED = """
select id::text, coalesce(round(extract(epoch from updated_at) * 1000), 0)::bigint
from warehouse.activities
"""


@dataclass(frozen=True)
class Step:
    """One deed, misbehaviour or run. ``seed`` picks whom and how among what there is then."""

    what: str
    seed: str


class World:
    """A service, its mirror, and what the steps do to them."""

    def __init__(self, warehouse: LastingWarehouse, seed: int) -> None:
        self.warehouse = warehouse
        self.state = warehouse.service.state
        self.told = Told(self.state)
        self.wrongs: list[Misbehaviour] = []
        self.lines: list[str] = []
        self._by_nights, self._restless_at_last = seed % 3 == 0, seed % 4 == 0
        self._restless = self._skewed = False  # whether it ever was
        self._apply()

    @property
    def today(self) -> date:
        """The day that the service's clock shows in the configured zone."""
        zone = ZoneInfo(self.warehouse.zone)
        return datetime.fromtimestamp(self.state.clock.now() / 1000, zone).date()

    def do(self, step: Step) -> None:
        """Carry out a step; what can't be done in this state is not done. `Broken` breaks the law."""
        random = Random(step.seed)
        self.lines.append(step.what)
        if step.what in DEEDS:
            with suppress(ValueError, IndexError):
                self._note(DEEDS[step.what](self.state, random))
        else:
            getattr(self, f"_{step.what}")(random)

    def _note(self, text: str) -> None:
        self.lines[-1] += f" {text}"

    def _refresh(self, _: Random) -> None:
        with self.warehouse.engine() as engine, self.warehouse.session() as session:
            refresh(engine)
            # What a hand did to rows of an activity is taken back by the next run; views need not show it.
            altered = self.warehouse.value(
                "select count(*) from sync.activity_ledger where altered"
            )
            if left := [] if altered else views.differences(session):
                raise Broken(f"a view {left[0]}")

    # What it does wrong.

    def _start(self, random: Random) -> None:
        if not self.state.ids():
            return
        self.wrongs.append(drawn(self.state, random))
        self._note(self.wrongs[-1].name)
        self._apply()

    def _stop(self, random: Random) -> None:
        if not self.wrongs:
            return
        self._note(self.wrongs.pop(random.randrange(len(self.wrongs))).name)
        self._apply()

    def _apply(self) -> None:
        ordered = sorted(self.wrongs, key=lambda wrong: (wrong.refuses, wrong.last))
        changes = [change for wrong in ordered for change in wrong.changes]
        rules = [each for wrong in self.wrongs for each in wrong.rules]
        self.state.set_faults(*rules, made.rule(*changes, self.told.change))
        skew_ms = sum(wrong.skew_ms for wrong in self.wrongs)
        if skew_ms != self.state.behaviour.date_skew_ms:
            self.state.change_behaviour(date_skew_ms=skew_ms)
        self._skewed = self._skewed or skew_ms != 0
        self._restless = self._restless or any(wrong.restless for wrong in self.wrongs)

    # What a hand at psql does.

    def _tamper(self, random: Random) -> None:
        statement = random.choice(TAMPERINGS)
        share = random.choice((0.2, 0.6, 1.0))
        self._note(statement)
        self.warehouse.execute(f"select setseed({random.random()})")
        self.warehouse.execute(statement.replace("SOME", f"random() < {share}"))
        if "landing.activity_details" in statement:
            self.told.forget_versions()

    def _stamps(self, random: Random) -> None:
        days = random.choice((-2, 2, 700))
        self._note(f"{days} days")
        for table, columns in STAMPS.items():
            shifts = ", ".join(f"{name} = {name} + interval '{days} days'" for name in columns)
            self.warehouse.execute(f"update {table} set {shifts}")

    def _accept(self, random: Random) -> None:
        del random
        with self.warehouse.engine() as engine:
            numbers = [entry["id"] for entry in quarantine.open_entries(engine)]
            self._note(f"{quarantine.accept(engine, numbers, 'somebody', 'it is known')} problems")

    # Runs.

    def _load(self, random: Random) -> None:
        del random
        self._run(lambda: [self.warehouse.days(FIRST, self.today)], self._days_until_today())

    def _days(self, random: Random, **options: bool) -> None:
        days = self._days_until_today()
        begin, end = sorted(random.choices(range(len(days)), k=2))
        asked = days[begin : end + 1]
        self._note(f"{asked[0]}..{asked[-1]}")
        self._run(lambda: [self.warehouse.days(asked[0], asked[-1], **options)], asked, **options)

    def _full(self, random: Random) -> None:
        self._days(random, full=True)

    def _night(self, random: Random) -> None:
        del random
        first = self.today - timedelta(days=1)
        recent = [day for day in self._days_until_today() if day >= first]
        # Two runs, judged one by one: the second does not know what the list showed to the first.
        with self.warehouse.one_night():
            self._run(lambda: [self.warehouse.days(first, self.today)], recent)
            self._run(lambda: [self.warehouse.open_work(first)], [])

    def _beside(self, random: Random) -> None:
        """Make two runs side by side, as a night beside a backfill."""
        days = self._days_until_today()
        begin, end = sorted(random.choices(range(len(days)), k=2))
        self._note(f"{days[begin]}..{days[end]}")

        async def both() -> tuple[Summary, Summary]:
            backfill = self.warehouse.sync(days[begin], days[end])
            return await asyncio.gather(self.warehouse.sync(FIRST, self.today), backfill)

        self._run(lambda: [*asyncio.run(both())], days)

    def _killed(self, random: Random) -> None:
        self._run_interrupted(random.randrange(1, 40), kill=True)

    def _cut_off(self, random: Random) -> None:
        self._run_interrupted(random.randrange(1, 40), kill=False)

    def _run_interrupted(self, number: int, *, kill: bool) -> None:
        self._note(f"at request {number}")
        asked = self._days_until_today()
        self._run(lambda: [asyncio.run(self._interrupted(number, kill=kill))], asked, stops=True)

    async def _interrupted(self, number: int, *, kill: bool) -> Summary:
        """Cancel a run, or end its sessions, while its so-many-th request is under way."""
        parking = self.state.park("any", number)
        task = asyncio.create_task(self.warehouse.sync(FIRST, self.today))
        while parking.stage == "waiting" and not task.done():
            await asyncio.wait([task], timeout=0.001)  # the service is in another thread
        if not task.done() and kill:
            task.cancel()
        elif not task.done():
            self.warehouse.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where datname = current_database() and pid <> pg_backend_pid()"
            )
        parking.release()
        try:
            return await task
        except asyncio.CancelledError:
            raise SyncError("killed") from None

    def _verify(self, random: Random) -> None:
        del random
        self._run(lambda: [self.warehouse.verify(5)[0]], [])

    def _reparse(self, random: Random) -> None:
        del random

        def run() -> list[Summary]:
            with self.warehouse.engine() as engine:
                return [
                    reparse(
                        engine, ZoneInfo(self.warehouse.zone), self.warehouse.told, run_id(), 50
                    )
                ]

        self._run(run, [])

    def _days_until_today(self) -> list[date]:
        return [FIRST + timedelta(days=each) for each in range((self.today - FIRST).days + 1)]

    def _run(
        self,
        run: Callable[[], list[Summary]],
        asked: list[date],
        *,
        full: bool = False,
        stops: bool = False,
    ) -> None:
        self.told.begin()
        before = self._runs()
        try:
            problems = [problem for summary in run() for problem in summary.problems]
        except (SyncError, ServiceError, WarehouseError) as error:
            problems = [f"failed: {error}"]
            # Two wrongs together may leave no details to be read.
            answers = [each for told in self.told.details_now.values() for each in told]
            may_stop = stops or (len(answers) > 0 and all(each == 500 for each in answers))
            if not may_stop and not any(wrong.blackout for wrong in self.wrongs):
                raise Broken(f"the run ended 1: {error}") from error
            asked = []  # it covers the days that it has walked
            self._forget_unstored()
            self.warehouse.reopen()
        else:
            self.told.completed()
        self._judge(self._runs() - before, problems, asked, full=full)
        self._forget_unstored()

    def _forget_unstored(self) -> None:
        self.told.forget_unstored(dict(self.warehouse.query(_STORED)))

    def _judge(
        self, runs: set[str], problems: list[str], asked: list[date], *, full: bool = False
    ) -> None:
        self._note(f"-> {problems or 'complete'}")
        judge = Judge(
            self.warehouse, self.told, self.wrongs, asked, full, self._skewed, self._restless
        )
        judge.judge(list(runs), problems)

    def _runs(self) -> set[str]:
        return {name for (name,) in self.warehouse.query("select run_id from sync.runs")}

    def conclude(self) -> None:
        """End all misbehaviour; then some nights, or a run over everything, leave no difference."""
        self.lines.append("conclude")
        self.wrongs.clear()
        self._apply()
        self.state.change_behaviour(order="newest")
        self.told.begin()
        if self._by_nights:
            self._pass_nights()
        self.state.set_clock(advance_ms=DAY_MS)
        # The pauses of the quarantine go by the warehouse's clock, for which no day has passed.
        self.warehouse.execute("update sync.quarantine set next_attempt_at = now()")
        options = {"accept_gone": True}
        # In our zone the day before the first has activities, too, perhaps in quarantine under the first.
        before = FIRST - timedelta(days=1)
        for _ in range(2):  # the first one may find activities under days that were lies
            last = self.warehouse.days(before, self.today, full=True, **options)
            if not last.problems:
                break
        self._note(f"-> {last.problems or 'complete'}")
        if last.problems:
            raise Broken(f"all is well again, but the run says {last.problems}")
        older = self.warehouse.open_work(self.today + timedelta(days=1), **options)
        if older.problems:
            raise Broken(f"all is well again, but the older days say {older.problems}")
        everything = self.state.truth(include_deleted=True)
        deleted = {each.id for each in everything if each.deleted}
        offered = self.warehouse.offered(FIRST, self.today)
        with self.warehouse.session() as session:
            found = differences(stored_rows(session), offered)
        left = [
            str(each)
            for each in found
            # In our zone, some activities of the first day belong to the day before it.
            if not (each.kind == "surplus" and each.where.split("'")[1] not in deleted)
            # Of an address that got another signature each time, the signature is not followed.
            and not (self._restless and each.where.endswith(".avatar"))
        ]
        if left:
            raise Broken("all is well again, but " + "; ".join(left[:3]))
        self._write_nothing()
        # A habit of the service is one that three of its answers show.
        signed = sum(
            bool((each.row_fields().get("entity") or {}).get("avatar")) for each in offered
        )
        if self._restless_at_last and 2 * signed > len(offered) > 4:
            self.wrongs.append(restless(self.state, Random(0)))
            self._apply()
            for _ in range(
                2
            ):  # two windows at a time: one may be judged before the other shows a habit
                self.warehouse.days(FIRST, self.today, full=True)
            self._write_nothing(full=True)

    def _pass_nights(self) -> None:
        """Let as many nights pass as everything takes to come round."""
        before = self._runs()
        for _ in range(OPTIONS.audit_days):
            self.state.set_clock(advance_ms=DAY_MS)
            summaries = self.warehouse.nightly(self.today, lookback=2, accept_gone=True)
        self.told.completed()
        problems = [problem for summary in summaries for problem in summary.problems]
        self._judge(self._runs() - before, problems, self._days_until_today())

    def _write_nothing(self, **options: bool) -> None:
        """Make a run that must find nothing to write."""
        before = self._rows()
        again = self.warehouse.days(FIRST, self.today, **options)
        if again.problems:
            raise Broken(f"a run that has nothing to do says {again.problems}")
        if self._rows() != before:
            how = "the same answers in another form" if self.wrongs else "the same answers"
            raise Broken(f"a run that got {how} wrote rows")

    def _rows(self) -> tuple[Any, ...]:
        landed = [
            self.warehouse.value(f"select count(*) from landing.{table}")
            for table in ("activity_details", "activity_list_rows")
        ]
        return self.warehouse.versions(), landed
