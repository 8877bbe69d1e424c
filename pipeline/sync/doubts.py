"""Details in doubt are asked for again at the end of a run (docs/design.md "Belief").

`warehouse.answers.belief` tells what is in doubt. A run asks once for each such activity, and for at most
`MOST_DOUBTFUL` with the same kind of discrepancy. If there are more of them and no answer takes it back, it
may be a habit of the service (`pipeline.warehouse.state.discrepancies`): the others wait for a later night.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable

from pipeline.sync.context import Run
from pipeline.sync.limits import MOST_DOUBTFUL
from pipeline.warehouse.answers.belief import items_of
from pipeline.warehouse.state import discrepancies, ledger, verifications
from pipeline.warehouse.state.todo import Todo


async def ask_doubtful(run: Run, *, everywhere: bool) -> None:
    """Ask again for what is in doubt in the days that the run looked at, or ``everywhere``.

    Raises ``ServiceError`` or ``WarehouseError`` when the run can't go on.
    """
    found = await asyncio.to_thread(discrepancies.unsettled, run.engine)
    waiting = {
        name: items_of(discrepancy)
        for name, day, discrepancy in found
        if (everywhere or day in run.looked_at) and not _is_habit(run, items_of(discrepancy))
    }
    chosen = _choose(run, waiting)
    if chosen:
        run.doubts |= chosen
        await run.worker.ask_again([Todo(name, None, "doubtful") for name in sorted(chosen)])
    if chosen or run.habits.suspected:
        await asyncio.to_thread(_learn, run, waiting)


def _is_habit(run: Run, items: Iterable[str]) -> bool:
    """Whether these are differences from the list that the service always seems to have."""
    return all(each.startswith("disagrees") and each in run.habits.suspected for each in items)


def _choose(run: Run, waiting: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return what to ask for now: nothing twice in a run, and not too many of a kind."""
    asked = Counter(kind for items in run.doubts.values() for kind in _kinds(items))
    chosen = {}
    for name, items in waiting.items():
        if name not in run.doubts and any(asked[kind] < MOST_DOUBTFUL for kind in _kinds(items)):
            chosen[name] = items
            asked.update(_kinds(items))
    return chosen


def _kinds(items: Iterable[str]) -> set[str]:
    return {each.partition(" ")[0] for each in items}


def _learn(run: Run, waiting: dict[str, list[str]]) -> None:
    """Suspect what many have and no answer takes back; confirm what a later night got again."""
    known = ledger.read(run.engine, sorted(run.doubts))
    left, taken_back = Counter[str](), set[str]()
    for name, items in run.doubts.items():
        now = items_of(known[name].discrepancy) if name in known else []
        left.update(now)
        taken_back |= {*items} - {*now}
    for discrepancy in discrepancies.conclude(run.engine):
        run.habits.confirmed.add(discrepancy)
        run.progress.log(f"a habit of the service: {discrepancy}; it is no reason to ask any more")
    many = Counter(each for items in waiting.values() for each in items)
    known_apart = taken_back | run.habits.confirmed
    possible = {each for each in many if left[each] and each not in known_apart}
    if not possible:  # as in most runs: nothing is counted then
        return
    # A few are many where most of all that is stored has it.
    most = min(MOST_DOUBTFUL, max(2, verifications.count_stored(run.engine) // 2))
    suspected = {each for each in possible if many[each] > most}
    discrepancies.suspect(run.engine, suspected - run.habits.suspected, run.client.clock.now())
    run.habits.suspected |= suspected
