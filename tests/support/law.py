"""The law that judges a run.

After a run, for every day that it covers and that ``sync.coverage`` calls complete, the tables equal
what the service honestly states, except activities that the quarantine names; a run that names nothing
(exit 0) leaves no covered day incomplete.

Outside the law is only what nobody could see: the service told the same story in every answer to this
run, in whichever way it was asked, and the run did not have to ask more.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import msgspec

from pipeline.sandbox import Truth
from tests.support.comparison import Tables, differences, stored_rows
from tests.support.habits.answers import instant_ms
from tests.support.mirroring import created_on
from tests.support.told import fields_of, meant

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tests.support.comparison import Difference
    from tests.support.habits.answers import Row
    from tests.support.habits.drawn import Misbehaviour
    from tests.support.mirroring import Warehouse
    from tests.support.told import Told

#: In these no activity changes any more by itself.
FINAL = ("DECLINED", "CANCELED", "EXPIRED")

#: The list need not have what is final or completed.
_OVER = (*FINAL, "COMPLETED")

#: What both a row of the list and the details have, and of that what they must agree in.
_LISTED = {"type", "in_out_bound", "entity", "status", "time_zone", "created_at"}
_SHARED = {"status", "in_out_bound", "created_at", "entity"}


#: Fields that the service may leave out until their event has happened.
_EVENTFUL = {"notification_message", "attended_at", "completed_at", "expires_at"}
#: What details must have whatever has happened. Without most of it they are none.
_ALWAYS = {"type", "type_name", "in_out_bound", "description", "status"}
_ALWAYS |= {"notification_message", "time_zone", "created_at", "updated_at"}

_UNREAD = "select subject from sync.quarantine where resolved_at is null and source = 'list'"
_KNOWN = """
select activity_id::text from sync.activity_ledger
union
select id::text from warehouse.activities
"""


#: So old an activity may be whose details can't be read yet: the next run reads it.
_NOT_YET_MS = 15 * 60_000


class Broken(AssertionError):
    """The law is broken."""


@dataclass
class Judge:
    """Judges one run that ended.

    ``told`` and ``wrongs``: what the service told, and did wrong, during the run. ``asked``: the days
    it was asked for. ``full``: whether it had to read all details. ``skewed``, ``restless``: whether the
    service's time was wrong, or addresses were signed, at some time of the history.
    """

    warehouse: Warehouse
    told: Told
    wrongs: Sequence[Misbehaviour]
    asked: Sequence[date]
    full: bool
    skewed: bool
    restless: bool
    truths: dict[str, Truth] = field(default_factory=dict)
    stored: Tables = field(default_factory=dict)
    known: set[str] = field(default_factory=set)

    def judge(self, runs: list[str], problems: list[str]) -> None:
        """Raise `Broken` where the law is broken. ``runs``: ids. ``problems``: what they named."""
        rows = self.warehouse.query(
            "select day, run_id = any(%s), incomplete is null, quarantined > accepted from sync.coverage",
            runs,
        )
        covered = {*self.asked, *(day for day, walked, _, _ in rows if walked)}
        complete = {day for day, _, whole, _ in rows if whole}
        doubtful = {day for day, _, _, waiting in rows if waiting}
        if not problems and (unsaid := sorted(covered - (complete - doubtful))):
            raise Broken(f"the run ended 0, but coverage does not call {unsaid[0]} complete")
        bearable = all(wrong.bearable for wrong in self.wrongs)
        gone_unmarked = any("no longer offered" in problem for problem in problems)
        unknown = self._unknown_days(gone_unmarked=gone_unmarked)
        if bearable and (unread := sorted({*self.asked} - complete - unknown)):
            raise Broken(f"the run could have read {unread[0]}, but says {problems}")
        wrong = self._wrong(covered & complete)
        if wrong:
            found = [f"{name}: {'; '.join(lines[:3])}" for name, lines in wrong.items()]
            said = "named only other things" if problems else "ended 0"
            raise Broken(f"the run {said}, but {len(wrong)} differ: {found[0]}")

    def _wrong(self, claimed: set[date]) -> dict[str, list[str]]:
        """Return what differs in these days and is not named, by activity or counterpart."""
        self.truths = {each.id: each for each in self._state.truth(include_deleted=True)}
        offered = [each for each in self.truths.values() if not each.deleted]
        named = self.warehouse.quarantined()
        with self.warehouse.session() as session:
            self.stored = stored_rows(session)
        self.known = {name for (name,) in self.warehouse.query(_KNOWN)}
        held = _by_subject(differences(self.stored, offered))
        return {
            name: lines
            for name, lines in held.items()
            if (
                self._day(self.truths[name]) in claimed
                and name not in named
                and not self._is_in_doubt(name, lines)
                and not self._nobody_could_see(self.truths[name], claimed)
                if name in self.truths
                else self._counterpart_is_wrong(name, lines, claimed)
            )
        }

    def _is_in_doubt(self, name: str, lines: list[str]) -> bool:
        """Whether the ledger names a discrepancy that explains what differs."""
        query = "select discrepancy from sync.activity_ledger where activity_id = %s"
        ((discrepancy,),) = self.warehouse.query(query, name) or [(None,)]
        items = discrepancy.split("; ") if discrepancy else []
        if any(not each.startswith(("lost ", "rewrote ")) for each in items):
            return True  # all of the answer is older than the list, or than an earlier one
        named = {each.partition(" ")[2] for each in items}
        bodies, rows = self.told.details.get(name, []), self.told.rows_now.get(name, [{}])
        had = self.told.fields.get(name, frozenset())

        def is_explained(line: str) -> bool:
            fields = _fields_of(line)
            unlisted = fields & _LISTED and not any(rows[-1].get(each) for each in fields)
            known = had & fields_of(bodies[-1], fields)
            return bool(fields & named or unlisted or not known)

        return bool(items and bodies) and all(map(is_explained, lines))

    def _unknown_days(self, *, gone_unmarked: bool) -> set[date]:
        """Return the days with a deleted activity of which no answer said whether it is there.

        ``gone_unmarked``: whatever answers said, the run has not marked what looks deleted.
        """
        stored = "select id::text from warehouse.activities where gone_at is null"
        kept = {name for (name,) in self.warehouse.query(stored)}
        answers = self.told.details_now
        return {
            self._day(each)
            for each in self._state.truth(include_deleted=True)
            if each.deleted and each.id in kept
            if gone_unmarked
            or not any(isinstance(x, dict) or x in (403, 404) for x in answers.get(each.id, ()))
        }

    @property
    def _state(self) -> Any:
        return self.warehouse.service.state

    def _day(self, truth: Truth) -> date:
        return created_on(truth, self.warehouse.zone)

    def _counterpart_is_wrong(self, name: str, lines: list[str], claimed: set[date]) -> bool:
        """Whether these lines count: a counterpart shows in the readable rows of its activities only."""
        if any(wrong.bends for wrong in self.wrongs) or lines[0].startswith("surplus"):
            return False
        if self.restless and all(".avatar" in line for line in lines):
            return False
        unread = {subject for (subject,) in self.warehouse.query(_UNREAD)}
        named = self.warehouse.quarantined().keys()
        return any(
            name == _counterpart(each)
            and self._is_told_of(name, each, lines)
            and self._day(each) in claimed
            and each.id in self.told.rows_now.keys() - unread - named
            and not self._is_only_elsewhere(each.id, claimed)
            # The counterpart of what can't be read yet comes with its details.
            and not (self._is_young_and_not_stored(each) and not self._has_details(each.id))
            for each in self.truths.values()
            if not each.deleted
        )

    def _is_told_of(self, counterpart: str, truth: Truth, lines: list[str]) -> bool:
        """Whether an answer of this activity carried the counterpart with all that differs.

        What changes while no row carries it, and no details are due, nobody could see.
        """
        own = truth.row_fields()["entity"]
        columns = {line.partition(": ")[0].rpartition(".")[2] for line in lines} & own.keys()
        answers = (*self.told.rows_now.get(truth.id, ()), *self.told.details.get(truth.id, ()))
        told = [each.get("entity") or {} for each in answers if isinstance(each, dict)]
        return any(
            each.get("id") == counterpart
            and all(each.get(column) == own[column] for column in columns)
            for each in told
        )

    def _is_young_and_not_stored(self, truth: Truth) -> bool:
        created_ms = instant_ms(truth.row_fields()["created_at"])
        young = created_ms > self._state.clock.now() - _NOT_YET_MS
        return young and (truth.id,) not in self.stored["activities"]

    def _has_details(self, name: str) -> bool:
        answers = self.told.details_now.get(name, [])
        return any(isinstance(each, dict) and each.keys() >= _ALWAYS for each in answers)

    def _nobody_could_see(self, truth: Truth, claimed: set[date]) -> bool:
        """Whether every answer to this run told the same story, and it did not have to ask more."""
        name = truth.id
        rows, answers = self.told.rows_now.get(name, []), self.told.details_now.get(name, [])
        if self._is_young_and_not_stored(truth):
            return not self._has_details(name)
        if truth.deleted:  # still told as if it were there; a list may lack what is finished
            bodies = [each for each in answers if isinstance(each, dict)]
            finished = bool(bodies) and str(bodies[-1].get("status")) in FINAL
            return len(bodies) == len(answers) and (bool(rows) or finished)
        over = rows and (truth.details_fields() is None or rows[-1].get("status") == "EXPIRED")
        said = [each for each in answers if not (isinstance(each, dict) and _says_nothing(each))]
        withheld = all(each in (403, 404) for each in said)
        if over and withheld and bool(said) == bool(answers):
            as_listed = not self._differs_from_row(name, rows[-1])
            if as_listed or answers:
                return as_listed
        capped = any(wrong.last for wrong in self.wrongs)
        hidden = any(wrong.hides(name) for wrong in self.wrongs)
        # Where rows lie about their creation, what hides goes by that, and a cut is at a wrong place.
        if any(wrong.moves for wrong in self.wrongs):
            hidden |= capped or any(
                wrong.hides(each) for wrong in self.wrongs for each in self.truths
            )
        # Never stored; or it looks exactly as if it were deleted, perhaps while the run walked.
        if hidden and not rows and name not in self.known:
            return not self._something_known_is_hidden(self._day(truth))
        if hidden or capped:
            # What an earlier run found gone, an ordinary run does not ask for again: it comes round.
            refused = name in self.told.refused and all(each in (403, 404) for each in answers)
            if refused and (answers or not rows):
                return not (answers and self._is_blackout())
        if hidden and not rows:
            return False
        if self._is_only_elsewhere(name, claimed):
            return True
        if (self.full or self._is_due(name)) and not answers:
            return False
        return any(
            self._is_one_story(truth, rows, body) for body in self.told.details.get(name, [])
        )

    def _is_only_elsewhere(self, name: str, claimed: set[date]) -> bool:
        """Whether it was listed under days only of which the run does not speak, and is news."""
        rows = self.told.rows_now.get(name, [])
        if not rows or name in self.known or name in self.told.details_now:
            return False
        listed = (Truth(name, False, _raw(row), msgspec.Raw(b"null")) for row in rows)
        return claimed.isdisjoint(map(self._day, listed))

    def _is_blackout(self) -> bool:
        """Whether the service withheld everything from this run."""
        told = self.told.details_now.values()
        answered = any(isinstance(each, dict) for answers in told for each in answers)
        return not answered and any(wrong.blackout for wrong in self.wrongs)

    def _is_due(self, name: str) -> bool:
        """Whether the re-check interval calls for its details."""
        bodies = self.told.details.get(name)
        if not bodies or bodies[-1].get("status") in _OVER or self.skewed:
            return False
        age_ms = self._state.clock.now() - self.told.read_at[name]
        return bool(age_ms >= self.warehouse.options.recheck / timedelta(milliseconds=1))

    def _is_one_story(self, truth: Truth, rows: list[Row], body: Row) -> bool:
        """Whether these rows and details agree, are whole and not older, and are what is stored."""
        if not rows:
            return False
        whole = truth.details_fields() or body  # refused by now
        lacking = whole.keys() - body.keys()
        if whole.get("status") != body.get("status"):
            lacking -= _EVENTFUL
        had = self.told.fields.get(truth.id, frozenset())
        # What a later run is told again is believed.
        again = meant(self.told.details_before.get(truth.id)) == meant(body)
        updated_at = instant_ms(body.get("updated_at"))
        # Newer details may have lost some fields.
        newer = updated_at > self.told.newest_before.get(truth.id, updated_at)
        lost = had & fields_of(body, lacking)
        # What the row has not either is gone.
        gone = {each for each in (*_SHARED, "type", "time_zone") if rows[-1].get(each) is None}
        if (lost - gone and not newer) or _says_nothing(body):
            return again and not self._differs_from_details(truth, rows[-1], body)
        if again:
            return not self._differs_from_details(truth, rows[-1], body)
        if updated_at < self.told.newest.get(truth.id, 0):
            return False
        # An earlier row may say what it was before, or what a cache still says. A creation never changes:
        # a row with another one may have come for other days, where it only shows that it exists.
        row = rows[-1]
        earlier = [each.get("status") for each in body.get("timeline") or ()][:-1]
        if body.get("status") and row.get("status") in earlier:
            row = row | {"status": body["status"]}  # the list is behind
        if any(_disagree(row, body, name) for name in _SHARED - {"created_at"}):
            return False
        if all(_disagree(each, body, "created_at") for each in rows):
            return False
        row = row if _disagree(row, body, "created_at") else row | _created(body)
        return not self._differs_from_details(truth, row, body)

    def _differs_from_details(self, truth: Truth, row: Row, body: Row) -> bool:
        """Whether the tables hold something else than details say, and a row of what they leave out."""
        told = body | {each: row.get(each) for each in _LISTED if body.get(each) is None}
        return self._differs(Truth(truth.id, False, _raw(told), _raw(told)))

    def _differs(self, told: Truth) -> bool:
        """Whether the tables hold something else of this activity."""
        return told.id in _by_subject(differences(self.stored, [told]), told.id)

    def _differs_from_row(self, name: str, row: Row) -> bool:
        """Whether the tables hold something else than this row says; what it lacks may be as it was."""
        told = Truth(name, False, _raw(row), msgspec.Raw(b"null"))
        lines = _by_subject(differences(self.stored, [told]), name).get(name, [])
        lacking = {each for each in (*_SHARED, "type", "time_zone") if row.get(each) is None}
        if name in self.told.details:  # then only status and counterpart are taken from a row
            lacking |= {"created_at", "in_out_bound"}
        ends = tuple(f"{each}_id" if each == "entity" else each for each in lacking)
        return any(not line.partition(": ")[0].endswith(ends) for line in lines)

    def _something_known_is_hidden(self, day: date) -> bool:
        """Whether something stored of this day, and not over, is hidden too: then the day is doubtful."""
        stored = self.warehouse.query(
            "select id::text from warehouse.activities where gone_at is null and status <> all(%s)",
            list(_OVER),
        )
        return any(
            name in self.truths
            and self._day(self.truths[name]) == day
            and name not in self.told.rows_now
            for (name,) in stored
        )


def _by_subject(found: Iterable[Difference], only: str | None = None) -> dict[str, list[str]]:
    """Group differences by the activity or counterpart that they are of."""
    grouped: dict[str, list[str]] = defaultdict(list)
    for each in found:
        name = each.where.split("'")[1]
        if only in (None, name):
            grouped[name].append(f"{each.kind} {each}")
    return grouped


def _fields_of(line: str) -> set[str]:
    """Return the fields of details that a line of differences may be about."""
    where = line.partition(" ")[2].partition(": ")[0]
    table, column = where.partition("[")[0], where.rpartition(".")[2]
    if table == "timeline_events":
        return {"timeline"}
    if table == "activities":
        return {
            column,
            column.removesuffix("_id"),
            "expires_in" if "expires_in" in column else column,
        }
    return {"requirements", "accepted_requirements", "declined_requirements"}


def _says_nothing(body: Row) -> bool:
    """Whether details lack most of the required fields."""
    return 2 * len(_ALWAYS - body.keys()) > len(_ALWAYS)


def _counterpart(truth: Truth) -> str | None:
    entity = truth.row_fields().get("entity")
    return entity["id"] if entity else None


def _disagree(row: Row, body: Row, name: str) -> bool:
    listed, known = _shared(row, name), _shared(body, name)
    if listed is None or known is None:
        return False
    # The list may round to seconds.
    return abs(listed - known) >= 1000 if name == "created_at" else bool(listed != known)


def _created(body: Row) -> Row:
    return {name: body[name] for name in ("created_at",) if body.get(name)}


def _shared(source: Row, name: str) -> Any:
    value = source.get(name)
    if name == "entity":
        return value["id"] if value else None
    return (instant_ms(value) or None) if name == "created_at" else value


def _raw(value: Row) -> msgspec.Raw:
    return msgspec.Raw(json.dumps(value).encode())
