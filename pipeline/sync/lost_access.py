"""Access that a key has lost looks like deletions (docs/design.md "Refused").

Where everything of one direction or type, or all, in the days that a run has read is refused by 403 and no
longer listed, the key may not see it any more. Where these days have fewer than five of a kind, others of
it are asked for. The third night in a row that finds the same marks it.
"""

import asyncio
import json
from collections.abc import Collection, Mapping

from pipeline.service.errors import Forbidden
from pipeline.sync.context import Run
from pipeline.sync.limits import LEAST_OF_A_KIND, NIGHTS_BEFORE_LOST
from pipeline.sync.work import Refusal
from pipeline.warehouse.state import service_facts, verifications


async def lost_access(
    run: Run, gone: Collection[str], refused: Mapping[str, Refusal]
) -> tuple[set[str], list[str]]:
    """Return what is not marked as gone yet, since access to it was lost; and what to tell of it.

    ``gone``: what looks gone. Raises a ``WarehouseError``.
    """
    forbidden = {name for name in gone if isinstance(refused[name].error, Forbidden)}
    if not forbidden:
        return set(), []
    # All parts of a night together, as in the brake.
    forbidden |= run.gone_unmarked
    kinds = await asyncio.to_thread(verifications.stored_by_kind, run.engine, run.walked)
    lost = {
        kind: names
        for kind, names in kinds.items()
        if forbidden.issuperset(names) and await _refuses_kind(run, kind, len(names))
    }
    known = await asyncio.to_thread(service_facts.value_of, run.engine, service_facts.LOST_ACCESS)
    before: dict[str, list[str]] = json.loads(known or "{}")
    night = run.began.isoformat()
    nights = {kind: [each for each in before.get(kind, []) if each != night] for kind in lost}
    told = json.dumps(
        {kind: [*found, night][-NIGHTS_BEFORE_LOST - 1 :] for kind, found in nights.items()}
    )
    await asyncio.to_thread(service_facts.learn, run.engine, service_facts.LOST_ACCESS, told)
    young = [kind for kind in sorted(lost) if len(nights[kind]) < NIGHTS_BEFORE_LOST]
    held = set[str]().union(*(lost[kind] for kind in young))
    if not held or run.options.accept_gone:
        return set(), []
    return held, [
        f"all {len(held)} activities ({', '.join(young)}) of the days that were read are refused (403)"
        " and no longer listed: the key may have lost its access to them. None of them was marked as gone."
        " The third night in a row that finds the same marks them, or run again with --accept-gone"
    ]


async def _refuses_kind(run: Run, kind: str, refused: int) -> bool:
    """Whether at least five of a kind are refused: of days with fewer, others are asked for."""
    if refused >= LEAST_OF_A_KIND:
        return True
    left = LEAST_OF_A_KIND - refused
    others = await asyncio.to_thread(
        verifications.newest_of_kind, run.engine, kind, run.walked, left
    )
    return len(others) == left and not await run.worker.answers_one(others)
