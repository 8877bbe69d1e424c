"""What a warehouse holds, by plain SQL; and how much of a made-up service was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import psycopg

if TYPE_CHECKING:
    from pipeline.sandbox import Running


def rows(url: str, statement: str, *parameters: object) -> list[tuple[Any, ...]]:
    """Return the rows of a query."""
    with psycopg.connect(url) as session:
        return session.execute(statement.encode(), parameters).fetchall()


def value(url: str, statement: str, *parameters: object) -> Any:
    """Return the one value of a query."""
    ((found,),) = rows(url, statement, *parameters)
    return found


def stored(url: str) -> int:
    """Count the activities whose details are committed."""
    return int(value(url, "select count(details_fetched_at) from warehouse.activities"))


def asked(service: Running) -> int:
    """Return how many details were asked for since the counters were reset."""
    return service.state.counters().by_operation.get("details", 0)
