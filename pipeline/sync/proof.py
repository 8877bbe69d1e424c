"""What proves a day: two questions, or one where a day was proven with as many rows before.

They lack nothing which any answer of the run has shown. Implements docs/design.md "Proof". Pure.

==========================================================  =============================================
a question                                                  counts
==========================================================  =============================================
could not be read to its end                                for nothing; its rows are facts all the same
lacks a row that another answer has shown [1]_              for nothing
is as long as one that lacks rows, and none is longer [2]_  for nothing
anything else                                               as one of two, if the other differs in dates
                                                            or in the size of its pages
==========================================================  =============================================

.. [1] Of a row that was created before it was asked, surely within its dates: in any zone, or because an
       answer for dates among these has it.
.. [2] The service ends long answers there.
"""

from collections import defaultdict
from collections.abc import Collection, Set
from dataclasses import dataclass, field
from datetime import date, datetime

from pipeline.sync.days import ONE_DAY, Dates, DayRange, among, surely_within
from pipeline.sync.limits import LEAST_CUT, SHOWN_AROUND, YOUNG
from pipeline.sync.listing import Question
from pipeline.warehouse.state.coverage import ListedDay


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What a question listed, and in how many ``pages``. ``received``: rows, with repeats.

    ``until``: it need not know what was created later, whatever its dates.
    """

    days: DayRange
    dates: Dates | None
    limit: int
    asked_at: datetime
    until: datetime
    subjects: frozenset[str] = field(repr=False)
    received: int
    pages: int
    failed: str | None

    @property
    def lengths(self) -> tuple[int, int]:
        """How long it is: a service that cuts it off may count repeats, or not."""
        return len(self.subjects), self.received


@dataclass
class Evidence:
    """All that the answers of a run have shown. Rows are facts, whichever question brought them.

    ``page``: most rows of a page that was cut short; 0: none was. ``counted``: how many rows the days had
    that are dropped. ``days``: where each row counts. ``known``: meanings that the ledger has just so.
    """

    created: dict[str, datetime | None] = field(default_factory=dict, repr=False)
    by_day: defaultdict[date, set[str]] = field(
        default_factory=lambda: defaultdict(set), repr=False
    )
    answers: list[Answer] = field(default_factory=list, repr=False)
    page: int = 0
    counted: dict[date, int] = field(default_factory=dict, repr=False)
    days: dict[str, date] = field(default_factory=dict, repr=False)
    known: dict[str, bytes] = field(default_factory=dict, repr=False)
    _longest: tuple[int, ...] = (0, 0)
    _caps: set[tuple[int, int]] = field(default_factory=set)

    def add(self, question: Question, days: dict[str, date]) -> Answer:
        """Add what a question brought. ``days``: where its rows count; those of other days are not read."""
        for name, day in days.items():
            before = self.days.get(name)
            if before != day:
                if before is not None:
                    self.by_day[before].discard(name)
                self.days[name] = day
                self.by_day[day].add(name)
        for name, row in question.rows.items():
            self.created[name] = row.created_at
        self.page = max(self.page, question.cut)
        answer = Answer(
            question.days,
            question.dates,
            question.limit,
            question.asked_at,
            question.asked - YOUNG,
            frozenset(question.rows),
            question.received,
            question.pages,
            question.failed,
        )
        self._longest = tuple(map(max, self._longest, answer.lengths))
        self.answers.append(answer)
        return answer

    def count(self, day: date) -> int:
        """Return how many rows count on a day."""
        return len(self.by_day[day]) if day in self.by_day else self.counted.get(day, 0)

    def drop(self, done: Set[date], walked: Set[date]) -> set[str]:
        """Drop what was shown of ``done`` days that are not near a walked one that is not done; return it.

        The newest days stay: what is young is judged by its creation.
        """
        near = {
            day + number * ONE_DAY
            for day in (walked - done) | {max(walked)}
            for number in range(-SHOWN_AROUND, SHOWN_AROUND + 1)
        }
        dropped = set[str]()
        for day in (done - near) & self.by_day.keys():
            names = self.by_day.pop(day)
            self.counted[day] = len(names)
            dropped |= names
        for name in dropped:
            del self.days[name], self.created[name]
            self.known.pop(name, None)
        # The days of an answer may be dropped at different times.
        self.answers = [each for each in self.answers if not self.counted.keys() >= set(each.days)]
        return dropped

    def lacking(self, answer: Answer) -> set[str]:
        """Return what an answer should have listed, and did not."""
        dates = answer.dates or (answer.days.first - ONE_DAY, None)
        since, until = surely_within(dates, answer.until)
        days = DayRange(since.date() - ONE_DAY, max(since, until).date() + ONE_DAY)
        lacking = {
            name
            for day in days
            for name in self.by_day.get(day, ())
            if name not in answer.subjects
            and (at := self.created[name]) is not None
            and since <= at < until
        }
        for other in self.answers:
            if among(other.dates, answer.dates):
                lacking |= {
                    name
                    for name in other.subjects - answer.subjects
                    if (at := self.created.get(name)) is not None and at < answer.until
                }
        return lacking

    def listed(
        self, days: Collection[date], need_two: Collection[date] = ()
    ) -> tuple[list[ListedDay], set[str], datetime | None]:
        """Return which of ``days`` may be proven, all that they list, and the first question's stamp.

        ``need_two``: days that need two questions, whatever was proven before.
        """
        counting, spoken_against = self._counting(days)
        found: list[ListedDay] = []
        subjects: set[str] = set()
        used: list[datetime] = []
        for day in sorted(days):
            proofs = [each for each in counting if day in each.days]
            if not proofs:
                continue
            ways = {(each.dates, each.limit) for each in proofs}
            # Of several, those asked last: what has gone meanwhile is missing in them.
            used += sorted(each.asked_at for each in proofs)[-2:]
            if len(ways) > 1 or not (day in spoken_against or day in need_two):
                found.append(ListedDay(day, len(self.by_day[day]), by_one=len(ways) < 2))
            subjects |= self.by_day[day]
        return found, subjects, min(used, default=None)

    def _counting(self, days: Collection[date]) -> tuple[list[Answer], set[date]]:
        """Return the answers that count for some of ``days``, and the days of which others lack rows."""
        near = [
            each
            for each in self.answers
            if not each.failed and each.days.first <= max(days) and each.days.last >= min(days)
        ]
        whole: list[Answer] = []
        spoken_against: set[date] = set()
        for each in near:
            lacking = self.lacking(each)
            spoken_against |= {self.days[name] for name in lacking if name in self.days}
            if not lacking:
                whole.append(each)
            elif len(each.subjects) >= LEAST_CUT:
                self._caps.update(enumerate(each.lengths))
        return [each for each in whole if not self._is_cut(each)], spoken_against

    def _is_cut(self, answer: Answer) -> bool:
        return any(
            (kind, length) in self._caps and length >= self._longest[kind]
            for kind, length in enumerate(answer.lengths)
        )

    def reason(self, day: date) -> str:
        """Return why a day is not proven."""
        asked = [each for each in self.answers if day in each.days]
        failed = [each.failed for each in asked if each.failed]
        if failed and len(failed) == len(asked):
            return failed[-1] or ""
        cut = [len(each.subjects) for each in asked if self._is_cut(each)]
        if cut:
            return f"the service ends an answer after {cut[-1]} rows, although it has more"
        lacking = {name for each in asked for name in self.lacking(each)}
        if lacking:
            return f"{len(lacking)} activities are listed in some answers only"
        return failed[-1] or "" if failed else "the list changed while it was read"
