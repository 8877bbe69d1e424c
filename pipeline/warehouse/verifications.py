"""Results of ``pipeline verify``: how much of a random sample was stale (``sync.verifications``)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import psycopg
import sqlalchemy as sa
from psycopg.rows import class_row, scalar_row

from pipeline.warehouse import landing, ledger
from pipeline.warehouse.engine import execute, fetch, in_transaction
from pipeline.warehouse.landing import StoredResponses
from pipeline.warehouse.sql import statement


@dataclass(frozen=True)
class Verification:
    """The newest result. Shares are fractions; the interval is the 95 % one."""

    compared: int
    stale: int
    share_low: float
    share_high: float
    finished_at: datetime

    @property
    def percent(self) -> float:
        """Stale share of the compared activities, in per cent."""
        return round(100 * self.stale / self.compared, 3) if self.compared else 0.0


def latest(engine: sa.Engine) -> Verification | None:
    """Return the newest result; None if nothing was ever verified."""
    found = fetch(
        engine,
        class_row(Verification),
        "select compared, stale, share_low, share_high, finished_at"
        " from sync.verifications order by finished_at desc limit 1",
    )
    return found[0] if found else None


def sample_listed(engine: sa.Engine, sample: int) -> list[str]:
    """Return ``sample`` random ids of listed activities stored with details, or all there are."""
    return fetch(engine, scalar_row, statement("load/sample_listed"), {"sample": sample})


def stored_now(engine: sa.Engine, ids: Sequence[str]) -> dict[str, StoredResponses]:
    """Return the newest stored responses and the ledger rows of these activities."""

    def read(session: psycopg.Connection[Any]) -> dict[str, StoredResponses]:
        names = list(ids)
        known = ledger.read(session, names)
        return {each.activity_id: each for each in landing.newest(session, names, known)}

    return in_transaction(engine, read)


def record(engine: sa.Engine, result: Mapping[str, str | int | float]) -> None:
    """Store a result; its keys are the columns of ``sync.verifications`` except ``finished_at``."""
    execute(engine, statement("load/verification"), result)
