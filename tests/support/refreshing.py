"""The stored views of ``analytics``: refreshed, and compared with what they are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from psycopg.sql import SQL

from pipeline.warehouse.database.engine import open_engine
from pipeline.warehouse.schema.refresh import refresh
from pipeline.warehouse.schema.views import stored_views

if TYPE_CHECKING:
    import psycopg

_DIFFERENCES = SQL("""
select 'lacks', lacking from (select * from {fresh} except all select * from {view}) as lacking
union all
select 'has too much', surplus from (select * from {view} except all select * from {fresh}) as surplus
""")


def refresh_all(url: str) -> None:
    """Bring the stored views up to date."""
    engine = open_engine(url)
    try:
        refresh(engine)
    finally:
        engine.dispose()


def differences(session: psycopg.Connection[Any]) -> list[tuple[Any, ...]]:
    """Return what the stored views lack, and have too much, of what is counted over everything now."""
    return [
        (view.name, *row)
        for view in stored_views()
        for row in session.execute(_DIFFERENCES.format(fresh=view.fresh(), view=view.table))
    ]


def everything_is_stale(session: psycopg.Connection[Any]) -> None:
    """Let the next refresh count everything again."""
    session.execute("insert into sync.refresh_queue default values")
