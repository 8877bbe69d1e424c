"""Plays a fault, lets a plain run finish, and counts what was lost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import psycopg

from pipeline.drill.child import CLEAR_ERRORS, Missed
from pipeline.drill.comparison import differences
from pipeline.drill.scene import Scene, scene
from pipeline.warehouse.engine import address, parse_url

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pipeline.drill.databases import Databases

#: The same body stored as two versions of one activity.
# A list row may be kept again, where it told of its counterpart anew.
_LANDED_TWICE = """
select count(*) - count(distinct (activity_id, digest)) from landing.activity_details
"""
_NOT_IN_ORDER = """
select (select count(*) from sync.quarantine where resolved_at is null)
     + (select count(*) from sync.coverage
        where unverified is not null or listed <> stored + quarantined)
"""


@dataclass(frozen=True)
class Fault:
    """A fault by name. ``play`` makes it happen and tells what happened, in a few words.

    ``own_server``: it kills the PostgreSQL server, and so needs one of ours.
    """

    name: str
    what: str
    play: Callable[[Scene], str]
    own_server: bool = False


@dataclass
class Result:
    """What came of a fault, after a plain run without it.

    ``missing``: stated rows that are not stored, or not as stated. ``doubled``: stored rows that are
    not stated, or versions stored twice. ``wasted``: details requests beyond those of undisturbed
    runs, beyond those that the service itself failed, and beyond what was in flight and one batch.
    ``problems``: one line for each loss, without values.
    """

    name: str
    happened: str = ""
    missing: int = 0
    doubled: int = 0
    wasted: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def kept(self) -> bool:
        """Whether nothing was lost, doubled or wasted, and the fault happened as it should."""
        return not self.problems


def play(fault: Fault, databases: Databases, folder: Path) -> Result:
    """Play one fault in a warehouse of its own, and compare after a plain run."""
    result = Result(fault.name)
    with scene(databases, folder) as stage:
        try:
            result.happened = _without_address(fault.play(stage), stage)
        except (Missed, TimeoutError) as missed:
            result.happened = f"missed: {missed}"
            result.problems.append(f"it did not happen as it should: {missed}")
        except (*CLEAR_ERRORS, psycopg.Error) as error:
            result.happened = f"failed: {type(error).__name__}"
            result.problems.append(f"it could not be played: {' '.join(str(error).split())}")
        stage.lift()
        ended = stage.run()
        if ended != "complete":
            result.problems.append(f"the plain run after it ended {ended}")
        _count(result, stage)
    return result


def _without_address(text: str, stage: Scene) -> str:
    """Leave out where the scratch database is: it is gone when anybody reads of it."""
    return text.replace(f" at {address(parse_url(stage.warehouse_url))}", "")


def _count(result: Result, stage: Scene) -> None:
    found = differences(stage.warehouse_url, stage.state.truth())
    lost = {(one.table, one.key) for one in found if one.kind != "surplus"}
    surplus = {(one.table, one.key) for one in found if one.kind == "surplus"}
    result.missing = len(lost)
    result.doubled = len(surplus) + int(stage.value(_LANDED_TWICE))
    result.wasted = max(0, stage.fetched() - stage.needed - stage.in_hand)
    result.problems += sorted({f"{one.kind}: {one.where}" for one in found})
    if result.doubled > len(surplus):
        result.problems.append("responses are stored twice")
    if result.wasted:
        result.problems.append(f"{result.wasted} details requests more than promised")
    if stage.value(_NOT_IN_ORDER):
        result.problems.append("quarantine or coverage is not in order")
