"""The views of ``analytics``: one file each in ``sql/views`` (docs/design.md "Views").

`apply_views` creates a view again when the text of its file changed. The file has the name of its view.
Its first lines can say:

    -- depends: a, b          views that it reads: it is created after them, and again whenever they are
    -- refreshed by: column   its rows are stored; they are refreshed by values of this column
    -- refreshed whole        its rows are stored; they are refreshed all at once

A stored view is a table. The function ``sync.fresh_<view>`` computes its rows, of the given values of
the column (null: of all). `pipeline.warehouse.refresh` brings the table up to date.
"""

import hashlib
import re
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Any

import psycopg
from psycopg.sql import SQL, Composed, Identifier

from pipeline.warehouse.sql import sql_files

_DEPENDS = re.compile(r"^-- depends: ([\w, ]+)$", re.MULTILINE)
_REFRESHED = re.compile(r"^-- refreshed (?:by: (\w+)|whole)$", re.MULTILINE)

#: Lock under which stored views are created and refreshed, one process at a time. Readers of views and
#: writers of the queue do not wait for it.
ONE_AT_A_TIME = "lock table sync.refresh_queue in share update exclusive mode"

#: Computing a whole view sorts and hashes every row.
MEMORY = "set local work_mem = '256MB'"

#: How a view is dropped, by pg_class.relkind: a file can change from one kind to another.
_DROPS = {
    "r": "drop table if exists analytics.{} cascade",
    "v": "drop view if exists analytics.{} cascade",
    "m": "drop materialized view if exists analytics.{} cascade",
}


@dataclass(frozen=True)
class View:
    """One file of ``sql/views``.

    ``depends``: names of the views it reads. ``stored``: its rows are stored, as of the last refresh.
    ``key``: the column by which they are refreshed; None: all at once.
    """

    name: str
    text: str
    depends: tuple[str, ...]
    stored: bool
    key: str | None

    @property
    def digest(self) -> str:
        """Digest of the text."""
        return hashlib.blake2b(self.text.encode(), digest_size=16).hexdigest()

    @property
    def table(self) -> Identifier:
        """Its name in SQL."""
        return Identifier("analytics", self.name)

    def fresh(self, stale: Composed | None = None) -> Composed:
        """Return the call that computes the rows of the ``stale`` values; None: all rows."""
        argument = SQL("") if self.key is None else stale or SQL("null")
        return SQL("{}({})").format(Identifier("sync", f"fresh_{self.name}"), argument)


def read_views() -> list[View]:
    """Return all views, each after those that it depends on."""
    views = {name: _view(name, text) for name, text in sql_files("views").items()}
    order = TopologicalSorter({view.name: view.depends for view in views.values()})
    return [views[name] for name in order.static_order()]


def stored_views() -> list[View]:
    """Return the views whose rows are stored, in the order of refreshing."""
    return [view for view in read_views() if view.stored]


def apply_views(session: psycopg.Connection[Any]) -> tuple[str, ...]:
    """Drop views without a file, create changed views again and fill stored ones; return the created.

    Everything happens in one transaction, so that a reader always finds every view.
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
        # A view is made again, too, when one that it reads is: dropping that one drops it as well.
        stale: dict[str, View] = {}
        for view in views:
            current = view.name in kinds and applied.get(view.name) == view.digest
            if not current or not stale.keys().isdisjoint(view.depends):
                stale[view.name] = view
        removed = applied.keys() - {view.name for view in views}
        # Dependents come last in the order of creation, so they are dropped first.
        for name in (*reversed(stale), *sorted(removed)):
            if name in kinds:
                session.execute(SQL(_DROPS[kinds[name]]).format(Identifier(name)))
        session.execute("delete from sync.view_versions where name = any(%s)", (list(removed),))
        for view in stale.values():
            session.execute(view.text.encode())
            # Filled in the same transaction: a reader never finds a stored view empty.
            if view.stored:
                session.execute(MEMORY)
                rows = SQL("insert into {} select * from {}").format(view.table, view.fresh())
                session.execute(rows)
            session.execute(
                "insert into sync.view_versions (name, digest, refreshed_at)"
                " values (%s, %s, case when %s then now() end)"
                " on conflict (name) do update set digest = excluded.digest,"
                " applied_at = excluded.applied_at, refreshed_at = excluded.refreshed_at",
                (view.name, view.digest, view.stored),
            )
    return tuple(stale)


def _view(name: str, text: str) -> View:
    depends, refreshed = _DEPENDS.search(text), _REFRESHED.search(text)
    return View(
        name,
        text,
        depends=tuple(depends[1].split(", ")) if depends else (),
        stored=refreshed is not None,
        key=refreshed[1] if refreshed else None,
    )
