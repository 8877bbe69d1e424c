"""Plays a fault, lets a plain run finish, and counts what was lost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import msgspec
import psycopg

from pipeline.sandbox import Running, SandboxState
from pipeline.service.config import Credentials
from tests.support.comparison import differences, stored_rows
from tests.support.faults.runs import CLEAR_ERRORS, Job, Missed
from tests.support.faults.trial import SERVICE, Trial

if TYPE_CHECKING:
    from collections.abc import Callable

#: Makes a fault happen, and says in a few words what happened.
Play: TypeAlias = "Callable[[Trial], str]"

_STORED_TWICE = """
select count(*) - count(distinct (activity_id, digest)) from landing.activity_details
"""
_UNACCOUNTED = """
select (select count(*) from sync.quarantine where resolved_at is null)
     + (select count(*) from sync.coverage where incomplete is not null)
"""


@dataclass
class Result:
    """What a fault did, after a plain run without it.

    ``missing``: expected rows that are not stored or hold another value. ``doubled``: stored rows
    that are not expected, and responses stored twice. ``wasted``: details requests beyond those of
    runs without a fault, beyond those that the service itself failed and one more for every ten of
    these, and, for each run that was killed or stopped, beyond what was in flight and one batch.
    ``problems``: one line for each loss, without values.
    """

    happened: str = ""
    missing: int = 0
    doubled: int = 0
    wasted: int = 0
    problems: list[str] = field(default_factory=list)


def play(fault: Play, warehouse_url: str) -> Result:
    """Play one fault in the empty warehouse at ``warehouse_url``."""
    result = Result()
    with Running(SandboxState(SERVICE)) as service:
        credentials = Credentials(**msgspec.structs.asdict(service.credentials))
        job = Job(base_url=service.base_url, credentials=credentials, warehouse_url=warehouse_url)
        trial = Trial(service.state, job)
        try:
            result.happened = fault(trial)
        except (Missed, TimeoutError, *CLEAR_ERRORS, psycopg.Error) as error:
            result.happened = f"missed: {' '.join(str(error).split())}"
            result.problems.append(result.happened)
        trial.state.set_faults()
        trial.state.behaviour = SERVICE.behaviour
        ended = trial.run()
        if ended.status != "complete":
            result.problems.append(f"the plain run after it ended {ended}")
        _count_losses(result, trial)
    return result


def _count_losses(result: Result, trial: Trial) -> None:
    with trial.session() as session:
        found = differences(stored_rows(session), filter(trial.covers, trial.state.truth()))
    # A row with two wrong columns is one lost row.
    lost = {one.where.partition("].")[0] for one in found if one.kind != "surplus"}
    surplus = [one for one in found if one.kind == "surplus"]
    twice = int(trial.value(_STORED_TWICE))
    result.missing = len(lost)
    result.doubled = len(surplus) + twice
    result.wasted = trial.wasted()
    result.problems += [f"{one.kind}: {one.where}" for one in found]
    if twice:
        result.problems.append(f"{twice} responses are stored twice")
    if result.wasted:
        result.problems.append(f"{result.wasted} details requests more than promised")
    if trial.value(_UNACCOUNTED):
        result.problems.append("the quarantine is not empty, or a day is not complete")
