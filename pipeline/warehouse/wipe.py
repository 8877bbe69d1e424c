"""Wiping: the shared values of given activities, wherever they are stored, and the log of it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import psycopg

from pipeline.warehouse.redaction import kept_payload, readable_or_nothing, without_values
from pipeline.warehouse.sql import erase_statement


@dataclass
class Erasure:
    """What was erased: in activities, values, responses in landing and payloads in quarantine."""

    activities: int = 0
    values: int = 0
    responses: int = 0
    payloads: int = 0

    def __bool__(self) -> bool:
        return self.activities > 0

    def __iadd__(self, other: "Erasure") -> "Erasure":
        self.activities += other.activities
        self.values += other.values
        self.responses += other.responses
        self.payloads += other.payloads
        return self


def wipe_values(
    session: psycopg.Connection[Any],
    reasons: Mapping[str, str],
    redact: Callable[[bytes], bytes] = without_values,
) -> Erasure:
    """Erase the shared values of these activities wherever they are, and log it.

    ``reasons``: by activity id one of ``sync.erasures.reason``. ``redact``: what of a details
    response stays.
    """
    if not reasons:
        return Erasure()
    ids = sorted(reasons)
    values: Counter[str] = Counter()
    for table in ("requirements", "accepted_items"):
        values.update(name for (name,) in session.execute(erase_statement(table), {"ids": ids}))
    responses = rewrite_landing(session, "activity_details", ids, redact)
    payloads = rewrite_payloads(
        session,
        erase_statement("payloads"),
        {"ids": ids},
        lambda payload: kept_payload(payload, (), values=True),
    )
    log(session, reasons, values, responses, payloads)
    session.execute(erase_statement("mark"), {"ids": ids})
    return Erasure(len(ids), values.total(), responses.total(), payloads.total())


def log(
    session: psycopg.Connection[Any],
    reasons: Mapping[str, str],
    values: Mapping[str, int],
    responses: Mapping[str, int],
    payloads: Mapping[str, int],
) -> None:
    """Record erasures, which keeps the values of these activities out from now on; counts by activity."""
    ids = sorted(reasons)
    session.execute(
        erase_statement("log"),
        {
            "ids": ids,
            "reasons": [reasons[name] for name in ids],
            "values": [values.get(name, 0) for name in ids],
            "responses": [responses.get(name, 0) for name in ids],
            "payloads": [payloads.get(name, 0) for name in ids],
        },
    )


def rewrite_landing(
    session: psycopg.Connection[Any],
    table: str,
    ids: Sequence[str],
    redact: Callable[[bytes], bytes],
) -> Counter[str]:
    """Redact every version of these activities' responses; return how many changed, by activity.

    Read one by one, since one may hold images.
    """
    changed: Counter[str] = Counter()
    with session.cursor(name="erased_responses") as versions:
        versions.itersize = 8
        versions.execute(
            f"select activity_id::text, first_seen_at, body from landing.{table}"
            " where activity_id = any(%s::uuid[])",
            (list(ids),),
        )
        for name, first_seen_at, body in versions:
            left = readable_or_nothing(redact, body)
            if left != body:
                session.execute(
                    f"update landing.{table} set body = %s"
                    " where activity_id = %s and first_seen_at = %s",
                    (left, name, first_seen_at),
                )
                changed[name] += 1
    return changed


def rewrite_payloads(
    session: psycopg.Connection[Any],
    statement: str,
    parameters: Mapping[str, object],
    redact: Callable[[bytes], bytes | None],
) -> Counter[str]:
    """Redact payloads of quarantine; return how many changed, by activity.

    ``statement`` finds them: their number, activity id and payload.
    """
    changed: Counter[str] = Counter()
    with session.cursor(name="erased_payloads") as entries:
        entries.itersize = 8
        entries.execute(statement, dict(parameters))
        for number, name, payload in entries:
            left = redact(payload)
            if left != payload:
                session.execute(
                    "update sync.quarantine set payload = %s where id = %s", (left, number)
                )
                changed[name] += 1
    return changed
