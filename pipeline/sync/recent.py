"""A light run: the newest days, and a few pages of older ones.

Implements docs/nights.md "Another rhythm, and every five minutes".

It asks one question for each window of days, and takes only news from it: rows that are new or changed are
stored, and their details fetched. Days with news are then walked, which proves them again. All else is
left to the nights, so a run without news writes nothing.
"""

import asyncio
from collections.abc import Mapping
from datetime import date

from pipeline.sync.context import Run
from pipeline.sync.days import DayRange, shown_around
from pipeline.sync.limits import SMALL_PAGE
from pipeline.sync.listing import Question
from pipeline.sync.options import Tools
from pipeline.sync.storing import store
from pipeline.sync.walk import list_todo
from pipeline.warehouse.state import coverage, runs, todo

#: What of `sync.todo` a look at the list brings. The rest has time until the night.
_NEWS = ("new", "changed", "listed again")


async def read_recent(run: Run, newest: DayRange, requests: int) -> set[date]:
    """Read ``newest``, and with at most ``requests`` requests older days that hold what is not final.

    Return the days that must be walked. Raises a ``ServiceError`` or ``WarehouseError``.
    """
    listed = await asyncio.to_thread(coverage.rows_by_day, run.engine)
    last = await asyncio.to_thread(runs.first_day_of_last_recent, run.engine)
    order = await asyncio.to_thread(in_turn, run, newest.first, last)
    # The smallest page that a service grants, until an answer shows that it grants more.
    page, window, changed = SMALL_PAGE, newest, set[date]()
    for _ in range(requests + 1):
        question = await _read(run, window, listed, changed)
        if window is not newest:
            requests -= question.pages
        page = max(page, question.received // max(1, question.pages))
        rows = min(run.reader.limit * 7 // 8, page * requests)
        if requests <= 0 or (found := next_window(order, listed, rows)) is None:
            break
        window = found
    await asyncio.to_thread(runs.set_first_day, run.engine, run.run_id, window.first)
    return changed


async def _read(
    run: Run,
    window: DayRange,
    listed: Mapping[date, int],
    changed: set[date],
) -> Question:
    """Ask once for the days of a window, and fetch what is news. Adds the days with news to ``changed``."""
    expected = sum(listed.get(day, 0) for day in window)
    question = await run.reader.ask(window, run.reader.limit, expected)
    if question.failed:
        run.progress.log(f"{window} could not be read: {question.failed}")
    await asyncio.to_thread(store, run, question, frozenset(window))
    reopened = run.loader.take_reopened()
    found = await asyncio.to_thread(list_todo, run, window.first, window.last)
    news = [each for each in found if each.reason in _NEWS]
    await run.worker.work(news)
    days = {each.day for each in news if each.day is not None}
    run.looked_at |= days
    changed |= reopened | {day for day in days if day not in run.covered}
    return question


def in_turn(run: Tools, before: date, last: date | None) -> list[date]:
    """Return the days before ``before`` with what is not final: those that were read longest ago first.

    Runs take them in turn, the newer ones first, and go on at ``last``, where the last run ended.
    """
    now = run.client.clock.now()
    days = todo.open_days(run.engine, before, now, now - run.options.recheck)
    return sorted(days, key=lambda day: (day >= (last or before), -day.toordinal()))


def next_window(order: list[date], listed: Mapping[date, int], rows: int) -> DayRange | None:
    """Take the next days from ``order`` whose question brings at most about so many ``rows``.

    ``listed``: how many rows each day has. A day that has more is left out. None: no day is left.
    """
    window: DayRange | None = None
    while order:
        day = order[0]
        wider = DayRange(day, window.last if window and day < window.first else day)
        if window and (day > window.first or _expected(wider, listed) > rows):
            break
        order.pop(0)
        if _expected(wider, listed) <= rows:
            window = wider
    return window


def _expected(days: DayRange, listed: Mapping[date, int]) -> int:
    """Return about how many rows a question has. Its dates reach beyond the days."""
    return sum(listed.get(day, 0) for day in shown_around(days))
