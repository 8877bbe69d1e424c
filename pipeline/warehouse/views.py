"""The views of ``analytics``: one file each in ``sql/views``, made anew when its text changes.

A file is named as its view, and names in a first line ``-- depends: a, b`` the views it reads. A
view is made after those, and anew whenever one of them is.
"""

import hashlib
import re
import time
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Any

import psycopg
import sqlalchemy as sa
from psycopg.sql import SQL, Identifier

from pipeline.warehouse.engine import in_transaction
from pipeline.warehouse.sql import sql_root

_READS = re.compile(r"(?:from|join) warehouse\.(\w+)")

_DEPENDS = re.compile(r"-- depends: ([\w, ]+)\n")

#: What a view may be in the database, by pg_class.relkind, and how it is dropped.
_DROPS = {
    "v": "drop view if exists analytics.{} cascade",
    "m": "drop materialized view if exists analytics.{} cascade",
}


@dataclass(frozen=True)
class View:
    """One file of ``sql/views``; ``digest``: of its text and of all it is made from."""

    name: str
    text: str
    digest: str

    @property
    def materialised(self) -> bool:
        """Whether its rows are stored, and as old as the last refresh."""
        return f"create materialized view analytics.{self.name} " in self.text

    @property
    def tables(self) -> list[str]:
        """The tables of ``warehouse`` that it reads."""
        return sorted(set(_READS.findall(self.text)))

    @property
    def comment(self) -> str:
        """What it tells: its comment."""
        (comment,) = re.findall(rf"view analytics\.{self.name} is\s+'((?:[^']|'')*)';", self.text)
        return str(comment).replace("''", "'")


@dataclass(frozen=True)
class Refreshed:
    """A materialised view that was brought up to date."""

    name: str
    rows: int
    seconds: float


def read_views() -> list[View]:
    """Return all views, each behind those it depends on."""
    texts = {
        path.stem: path.read_text(encoding="utf-8") for path in (sql_root() / "views").glob("*.sql")
    }
    above = {name: _depends(texts[name]) for name in sorted(texts)}
    views: dict[str, View] = {}
    for name in TopologicalSorter(above).static_order():
        made_from = "\0".join([texts[name], *(views[other].digest for other in above[name])])
        digest = hashlib.blake2b(made_from.encode(), digest_size=16).hexdigest()
        views[name] = View(name, texts[name], digest)
    return list(views.values())


def materialised_views() -> list[View]:
    """Return the materialised views, in the order of refreshing."""
    return [view for view in read_views() if view.materialised]


def apply_views(session: psycopg.Connection[Any]) -> tuple[str, ...]:
    """Drop the views whose files are gone, make those anew whose files changed; return the latter.

    All in one transaction: no reader ever misses a view. Materialised ones are filled.
    """
    views = read_views()
    with session.transaction():
        applied = dict(session.execute("select name, digest from sync.view_versions").fetchall())
        kinds = dict(
            session.execute(
                "select relname, relkind::text from pg_class"
                " where relnamespace = 'analytics'::regnamespace and relkind in ('v', 'm')"
            ).fetchall()
        )
        stale = [
            view
            for view in views
            if view.name not in kinds or applied.get(view.name) != view.digest
        ]
        removed = applied.keys() - {view.name for view in views}
        for name in (*(view.name for view in reversed(stale)), *sorted(removed)):
            if name in kinds:
                session.execute(SQL(_DROPS[kinds[name]]).format(Identifier(name)))
        session.execute("delete from sync.view_versions where name = any(%s)", (list(removed),))
        for view in stale:
            session.execute(view.text.encode())
            session.execute(
                "insert into sync.view_versions (name, digest, refreshed_at)"
                " values (%s, %s, case when %s then now() end)"
                " on conflict (name) do update set digest = excluded.digest,"
                " applied_at = excluded.applied_at, refreshed_at = excluded.refreshed_at",
                (view.name, view.digest, view.materialised),
            )
    return tuple(view.name for view in stale)


def refresh(engine: sa.Engine, view: View) -> Refreshed:
    """Bring a materialised view up to date while others read it; return what it holds then.

    Raises a ``WarehouseError``.
    """

    def work(session: psycopg.Connection[Any]) -> int:
        # These sort and hash every row there is.
        session.execute("set local work_mem = '256MB'")
        name = Identifier(view.name)
        session.execute(SQL("refresh materialized view concurrently analytics.{}").format(name))
        session.execute(
            "update sync.view_versions set refreshed_at = now() where name = %s", (view.name,)
        )
        row = session.execute(SQL("select count(*) from analytics.{}").format(name)).fetchone()
        return int(row[0]) if row else 0

    began = time.monotonic()
    rows = in_transaction(engine, work)
    return Refreshed(view.name, rows, time.monotonic() - began)


def _depends(text: str) -> list[str]:
    found = _DEPENDS.match(text)
    return [name.strip() for name in found[1].split(",")] if found else []
