"""Samples of the warehouse, and what came of comparing them with the service."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import psycopg
import sqlalchemy as sa

from pipeline.warehouse import landing, ledger
from pipeline.warehouse.engine import in_transaction
from pipeline.warehouse.landing import StoredResponses
from pipeline.warehouse.sql import load_statement


@dataclass(frozen=True)
class Verification:
    """What the newest sample said. Shares are fractions; the interval is the 95 % one."""

    compared: int
    stale: int
    share_low: float
    share_high: float
    finished_at: datetime

    @property
    def percent(self) -> float:
        """Share of the compared that was stale, in per cent."""
        return round(100 * self.stale / self.compared, 3) if self.compared else 0.0


def latest(engine: sa.Engine) -> Verification | None:
    """Return the newest result; None: nothing was ever verified."""

    def read(session: psycopg.Connection[Any]) -> Verification | None:
        row = session.execute(
            "select compared, stale, share_low, share_high, finished_at"
            " from sync.verifications order by finished_at desc limit 1"
        ).fetchone()
        return Verification(*row) if row is not None else None

    return in_transaction(engine, read)


def sample_listed(engine: sa.Engine, sample: int) -> list[str]:
    """Return ``sample`` random ids of listed activities stored with details, or all there are."""
    return in_transaction(
        engine,
        lambda session: [
            name for (name,) in session.execute(load_statement("sample_listed"), {"sample": sample})
        ],
    )


def stored_now(engine: sa.Engine, ids: Sequence[str]) -> dict[str, StoredResponses]:
    """Return the newest versions and ledger rows of these activities."""

    def read(session: psycopg.Connection[Any]) -> dict[str, StoredResponses]:
        names = list(ids)
        known = ledger.read(session, names)
        return {each.activity_id: each for each in landing.newest(session, names, known)}

    return in_transaction(engine, read)


def record(engine: sa.Engine, result: Mapping[str, str | int | float]) -> None:
    """Store a result; keys are the columns of ``sync.verifications`` but ``finished_at``."""
    in_transaction(
        engine,
        lambda session: session.execute(load_statement("verification"), dict(result)).rowcount,
    )
