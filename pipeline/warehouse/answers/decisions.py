"""Which decisions are kept: answers showed them once, and later ones no longer do. Pure.

Implements docs/design.md "Kept". A decision says that a requirement, or an item of it, was accepted or
declined. Positions move between answers, so it is found again by its code, and by which of that code it is.

=====================================================  ==============================================
an answer                                              then
=====================================================  ==============================================
no longer shows a decision                             it is kept
shows a kept one again                                 it is shown, and kept no longer
decides otherwise, as no shown or kept decision does   what it overrules is forgotten: the same subject
                                                       decided otherwise; with a requirement, its items
=====================================================  ==============================================

For example, 150 accepted items, then 10: the other 140 are kept. One of these that an answer declines is
kept no longer. An erasure for one of the reasons `erasures.WHOLE` deletes what is kept of an activity.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields, replace
from datetime import datetime
from typing import TypeAlias

from pipeline.warehouse.state.rows import Cell, Row

Subject: TypeAlias = tuple[Cell, Cell, Cell, Cell]
"""Code of a requirement, and which of that code it is, from 0; the same of an item of it, or None twice."""

_BY = {"IN": "us", "OUT": "them"}
_OTHER = {"accepted": "declined", "declined": "accepted"}


@dataclass(frozen=True, slots=True)
class Decision:
    """One row of ``warehouse.kept_decisions``; the fields are its columns, but for activity and position.

    ``asked``: whether it was requested. ``shown_until``: when the first answer without it came; None: it is
    shown.
    """

    requirement_code: Cell
    requirement_occurrence: Cell
    item_code: Cell
    item_occurrence: Cell
    decision: str
    decided_by: str | None
    type: Cell
    category: Cell
    asked: bool
    shown_from: datetime
    shown_until: datetime | None = None


COLUMNS = tuple(each.name for each in fields(Decision))

Decisions: TypeAlias = dict[tuple[Subject, str], Decision]
"""By subject and decision: one answer may accept some items of a requirement and decline the others."""


def shown_in(children: Mapping[str, list[Row]], bound: str | None, at: datetime) -> Decisions:
    """Return the decisions that the rows of one answer show, received ``at``.

    ``children``: by table of `pipeline.warehouse.state.rows.CHILDREN`. ``bound``: ``in_out_bound``.
    """
    subjects: dict[tuple[Cell, ...], Subject] = {}
    seen: Counter[tuple[Cell, ...]] = Counter()
    given: list[tuple[Cell, Subject, Cell, Cell]] = []
    for array, place, code, kind, category, _ in children["requirements"]:
        subjects[array, place] = subject = (code, seen[array, code], None, None)
        seen[array, code] += 1
        given.append((array, subject, kind, category))
    items = [(*row, None) for row in children["requirement_items"]]
    items += [("accepted", *row[:2], *row[3:5]) for row in children["accepted_items"]]
    for array, place, _, code, kind in items:
        owner, which = subjects[array, place], seen[array, place, code]
        seen[array, place, code] += 1
        given.append((array, (*owner[:2], code, which), kind, None))
    requested = {subject for array, subject, *_ in given if array == "requested"}
    return {
        (subject, str(array)): Decision(
            *subject,
            decision=str(array),
            decided_by=_BY.get(bound or ""),
            type=kind,
            category=category,
            asked=subject in requested,
            shown_from=at,
        )
        for array, subject, kind, category in given
        if array != "requested"
    }


def keep(kept: Decisions, answers: Sequence[tuple[datetime, Decisions]]) -> Decisions:
    """Return what is kept after answers, the oldest first; ``kept``: what is kept already.

    What the answers themselves tell is made again. Some may be missing: old ones are pruned.
    """
    known_times = {at for at, _ in answers}
    kept = {
        key: each
        for key, each in kept.items()
        if not {each.shown_from, each.shown_until} <= known_times
    }
    shown: Decisions = {}
    for at, now in answers:
        known = kept | shown
        news = now.keys() - known.keys()
        lost = {key: replace(shown[key], shown_until=at) for key in shown.keys() - now.keys()}
        # What was kept after this answer, it did not overrule: the one before it may be lost by now.
        later = {
            key: each for key, each in kept.items() if each.shown_until and each.shown_until >= at
        }
        kept = _not_overruled(kept | lost, news) | later
        kept = {key: each for key, each in kept.items() if key not in now}
        shown = {
            key: replace(each, shown_from=known[key].shown_from) if key in known else each
            for key, each in now.items()
        }
    return kept


def rows_of(kept: Decisions) -> list[Row]:
    """Return the rows of one activity, position first, in the order of codes."""
    ordered = sorted(
        kept.values(), key=lambda each: [(x is not None, x or "") for x in _place(each)]
    )
    return [(position, *astuple(each)) for position, each in enumerate(ordered)]


def from_rows(rows: Iterable[Row]) -> Decisions:
    """Return the decisions of rows, position first."""
    found = [Decision(*row[1:]) for row in rows]  # type: ignore[arg-type]
    return {
        (
            (x.requirement_code, x.requirement_occurrence, x.item_code, x.item_occurrence),
            x.decision,
        ): x
        for x in found
    }


def _place(each: Decision) -> tuple[Cell, ...]:
    which = str(each.requirement_occurrence).zfill(9)
    item = None if each.item_occurrence is None else str(each.item_occurrence).zfill(9)
    return each.requirement_code, which, item and "", each.item_code, item, each.decision


def _not_overruled(kept: Decisions, news: Iterable[tuple[Subject, str]]) -> Decisions:
    overruled = {(subject, _OTHER[decision]) for subject, decision in news}
    if not overruled:
        return kept
    left = {
        (subject, decision): each
        for (subject, decision), each in kept.items()
        if not {(subject, decision), (_requirement_of(subject), decision)} & overruled
    }
    # A requirement that was decided otherwise item by item goes with the last of them.
    emptied = _with_items(kept) - _with_items(left)
    return {key: each for key, each in left.items() if key not in emptied}


def _with_items(kept: Decisions) -> set[tuple[Subject, str]]:
    return {
        (_requirement_of(subject), decision) for subject, decision in kept if subject[3] is not None
    }


def _requirement_of(subject: Subject) -> Subject:
    return (*subject[:2], None, None)
