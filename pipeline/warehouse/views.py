"""The views of ``analytics``: one file each in ``sql/views``, made anew when its text changes.

A file is named as its view, and names in a line ``-- depends: a, b`` the views it reads. A view is
made after those, and anew whenever one of them is.

A view whose rows are stored is a table, with a function ``sync.fresh_<view>`` that computes them. Its
file says how it is brought up to date (`pipeline.warehouse.refresh`): ``-- refreshed by: column``, where
the function takes the values of that column that are stale (null: all), or ``-- refreshed whole``.
"""

import hashlib
import re
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Any

import psycopg
from psycopg.sql import SQL, Composed, Identifier

from pipeline.warehouse.sql import sql_root

_DEPENDS = re.compile(r"^-- depends: ([\w, ]+)$", re.MULTILINE)
_REFRESHED = re.compile(r"^-- refreshed (?:by: (\w+)|whole)$", re.MULTILINE)

#: Under this lock stored views are made and refreshed, one process at a time. Neither readers nor
#: writers of the queue wait for it.
ONE_AT_A_TIME = "lock table sync.refresh_queue in share update exclusive mode"

#: Counting everything sorts and hashes every row there is.
MEMORY = "set local work_mem = '256MB'"

#: What a view may be in the database, by pg_class.relkind, and how it is dropped.
_DROPS = {
    "r": "drop table if exists analytics.{} cascade",
    "v": "drop view if exists analytics.{} cascade",
    "m": "drop materialized view if exists analytics.{} cascade",
}


@dataclass(frozen=True)
class View:
    """One file of ``sql/views``.

    ``depends``: names of the views it reads. ``stored``: whether its rows are, and so are as old as
    the last refresh; ``key``: the column by which they are brought up to date, None: whole.
    """

    name: str
    text: str
    depends: tuple[str, ...]
    stored: bool
    key: str | None

    @property
    def digest(self) -> str:
        """Tells one text from another."""
        return hashlib.blake2b(self.text.encode(), digest_size=16).hexdigest()

    @property
    def table(self) -> Identifier:
        """Its name in SQL."""
        return Identifier("analytics", self.name)

    def fresh(self, stale: Composed | None = None) -> Composed:
        """Return the call that computes its rows where it is ``stale``; None: all."""
        argument = SQL("") if self.key is None else stale or SQL("null")
        return SQL("{}({})").format(Identifier("sync", f"fresh_{self.name}"), argument)


def read_views() -> list[View]:
    """Return all views, each behind those it depends on."""
    views = {
        path.stem: _view(path.stem, path.read_text(encoding="utf-8"))
        for path in sorted((sql_root() / "views").glob("*.sql"))
    }
    order = TopologicalSorter({view.name: view.depends for view in views.values()})
    return [views[name] for name in order.static_order()]


def stored_views() -> list[View]:
    """Return the views whose rows are stored, in the order of refreshing."""
    return [view for view in read_views() if view.stored]


def apply_views(session: psycopg.Connection[Any]) -> tuple[str, ...]:
    """Drop the views whose files are gone, make those anew whose files changed; return the latter.

    All in one transaction: no reader ever misses a view. Stored ones are filled.
    """
    views = read_views()
    with session.transaction():
        session.execute(ONE_AT_A_TIME)
        applied = dict(session.execute("select name, digest from sync.view_versions").fetchall())
        kinds = dict(
            session.execute(
                "select relname, relkind::text from pg_class"
                " where relnamespace = 'analytics'::regnamespace and relkind in ('r', 'v', 'm')"
            ).fetchall()
        )
        stale: dict[str, View] = {}
        for view in views:
            current = view.name in kinds and applied.get(view.name) == view.digest
            if not current or not stale.keys().isdisjoint(view.depends):
                stale[view.name] = view
        removed = applied.keys() - {view.name for view in views}
        for name in (*reversed(stale), *sorted(removed)):
            if name in kinds:
                session.execute(SQL(_DROPS[kinds[name]]).format(Identifier(name)))
        session.execute("delete from sync.view_versions where name = any(%s)", (list(removed),))
        for view in stale.values():
            session.execute(view.text.encode())
            if view.stored:
                _fill(session, view)
            session.execute(
                "insert into sync.view_versions (name, digest, refreshed_at)"
                " values (%s, %s, case when %s then now() end)"
                " on conflict (name) do update set digest = excluded.digest,"
                " applied_at = excluded.applied_at, refreshed_at = excluded.refreshed_at",
                (view.name, view.digest, view.stored),
            )
    return tuple(stale)


def _fill(session: psycopg.Connection[Any], view: View) -> None:
    session.execute(MEMORY)
    session.execute(SQL("insert into {} select * from {}").format(view.table, view.fresh()))


def _view(name: str, text: str) -> View:
    depends, refreshed = _DEPENDS.search(text), _REFRESHED.search(text)
    return View(
        name,
        text,
        depends=tuple(depends[1].split(", ")) if depends else (),
        stored=refreshed is not None,
        key=refreshed[1] if refreshed else None,
    )
