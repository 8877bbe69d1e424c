"""Results of samples: how much of them was stale (``sync.verifications``)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

import sqlalchemy as sa
from psycopg.rows import class_row, scalar_row, tuple_row

from pipeline.warehouse import witness
from pipeline.warehouse.engine import execute, fetch, in_transaction
from pipeline.warehouse.rows import Row
from pipeline.warehouse.sql import id_array, statement


@dataclass(frozen=True)
class Drawn:
    """An activity of a sample. ``refusal_known``: the tables say that its details are refused.

    ``known``: what the tables hold where the details must agree with the list, as `doubts.agreed`.
    """

    activity_id: str
    day: date | None
    refusal_known: bool
    known: Row


@dataclass(frozen=True)
class Held:
    """What the tables hold of an activity, as a digest; ``checked_at``: when details last came."""

    activity_id: str
    checked_at: datetime | None
    digest: str


@dataclass(frozen=True)
class Measured:
    """All samples together: activities drawn, and those that were not shown to be right.

    ``stale_upper_bound``: that of the newest sample, a fraction; 1 before the first.
    """

    sampled: int
    doubtful: int
    stale_upper_bound: float


def so_far(engine: sa.Engine, but: str | None = None) -> Measured:
    """Return what all samples found, but for the one of the run ``but``."""
    query = statement("load/sampled_so_far")
    found: list[Measured] = fetch(engine, class_row(Measured), query, {"run_id": but})
    return found[0]


def draw(engine: sa.Engine, sample: int) -> list[Drawn]:
    """Return a fair sample of ``sample`` stored activities, or all there are."""
    found = fetch(engine, tuple_row, statement("load/sample_stored"), {"sample": sample})
    names = [name for name, *_ in found]
    whole = in_transaction(engine, lambda session: witness.intact(session, "activity", names))
    return [
        # With what was altered by hand, no answer agrees: so the list is asked, too.
        Drawn(name, day, refused, tuple(known) if whole.get(name) else (None,))
        for name, day, refused, *known in found
    ]


def sample_listed(engine: sa.Engine, sample: int) -> list[str]:
    """Return ``sample`` random ids of listed activities stored with details, or all there are."""
    return fetch(engine, scalar_row, statement("load/sample_listed"), {"sample": sample})


def held(engine: sa.Engine, ids: Sequence[str]) -> dict[str, Held]:
    """Return what the tables hold of those of ``ids`` that are known."""
    query = statement("load/held")
    found = fetch(engine, class_row(Held), query, {"ids": id_array(ids)})
    return {each.activity_id: each for each in found}


def record(engine: sa.Engine, result: Mapping[str, str | int | float]) -> None:
    """Store a result; its keys are the columns of ``sync.verifications`` except ``finished_at``."""
    execute(engine, statement("load/verification"), result)
