"""The views of ``analytics``: one file each in ``sql/views`` (docs/design.md "Views").

`apply_views` applies a view again when the text of its file changed. The file has the name of its view.
Its first lines can say:

    -- depends: a, b               views that it reads: it is created after them
    -- stored by: activity_id, n    its rows are stored under this key, and refreshed by activity
    -- latest by: code, n           equal codes are the same thing: is_latest marks the newest share

A stored view is a table. The function ``sync.fresh_<view>`` computes its rows of the given activities
(null: of all). `pipeline.warehouse.schema.refresh` brings the table up to date.

Each table of ``warehouse`` without such a file gets a view of its name: its columns that are not sensitive
(`pipeline.warehouse.schema.sensitivity`).

A changed view is replaced in place, so that what others built on it, and who may read it, stays: it must
keep its columns with their types, and a stored view also their order, with new ones at the end. Otherwise
it is created again with its grants, which PostgreSQL refuses while others depend on it. In a file, the
first ``;`` at the end of a line ends the definition. An index that changes gets another name.
"""

import re
from collections.abc import Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from graphlib import TopologicalSorter

from psycopg import errors as pg
from psycopg.sql import SQL, Composable, Composed, Identifier

from pipeline.warehouse.database.engine import Session
from pipeline.warehouse.database.errors import OthersInTheWay
from pipeline.warehouse.database.sql import headers, sql_files, statement, text_digest
from pipeline.warehouse.schema.sensitivity import carry_out, surface

_DEFINITION = re.compile(r"\A.*?^(create (?:table|view) )", re.DOTALL | re.MULTILINE)

#: Lock under which stored views are created and refreshed, one process at a time. Readers of views and
#: writers of the queue do not wait for it.
ONE_AT_A_TIME = "lock table sync.refresh_queue in share update exclusive mode"

#: Computing a whole view sorts and hashes every row.
MEMORY = "set local work_mem = '256MB'"

#: The activities of all rows.
_ALL = SQL("null")

#: How relations are dropped, by pg_class.relkind: a file can change from one kind to another. Views
#: come first, since they read tables.
_DROPS = {"v": "drop view {}", "r": "drop table {}"}

_COMMENTS = re.compile(r"^comment on .*?;$", re.DOTALL | re.MULTILINE)

#: What can be replaced in place.
_REPLACED = re.compile(r"^create (view|function) ", re.MULTILINE)


@dataclass(frozen=True)
class View:
    """One file of ``sql/views``.

    ``depends``: names of the views it reads. ``key``: of a stored view, the columns of its key.
    ``codes``: of a stored view with ``is_latest``, the columns that say what was shared.
    """

    name: str
    text: str
    depends: tuple[str, ...]
    key: tuple[str, ...]
    codes: tuple[str, ...]

    @property
    def stored(self) -> bool:
        """True when its rows are stored, as of the last refresh."""
        return bool(self.key)

    @property
    def table(self) -> Identifier:
        """Its name in SQL."""
        return Identifier("analytics", self.name)

    def fresh(self, ids: Composable = _ALL) -> Composed:
        """Return the call that computes the rows of the activities ``ids``, an array in SQL."""
        return SQL("{}({})").format(Identifier("sync", f"fresh_{self.name}"), ids)

    def fill(self) -> Composed:
        """Return the statement that fills the empty table."""
        return SQL("insert into {} select * from {}").format(self.table, self.fresh())

    def note_filled(self) -> Composed:
        """Return the statement that notes all its activities as changed, for exports of changes."""
        return SQL(statement("refresh/filled")).format(view=self.table)


def read_views() -> list[View]:
    """Return all views, each after those that it depends on."""
    views = {name: _view(name, text) for name, text in sql_files("views").items()}
    text = statement("catalog/surface_view")
    for relation, columns in surface().items():
        name = relation.removeprefix("analytics.")
        views[name] = _view(name, text.format(name=name, columns=", ".join(columns)))
    order = TopologicalSorter({view.name: view.depends for view in views.values()})
    return [views[name] for name in order.static_order()]


def stored_views() -> list[View]:
    """Return the views whose rows are stored, in the order of refreshing."""
    return [view for view in read_views() if view.stored]


def are_applied(session: Session) -> bool:
    """Return whether all views are there as their files say, and none without a file."""
    digests, kinds = _read_versions(session)
    wanted = {view.name: text_digest(view.text) for view in read_views()}
    return digests == wanted and wanted.keys() <= kinds.keys()


def apply_views(session: Session) -> None:
    """Replace or create changed views, fill stored ones, drop views without a file.

    In the caller's transaction: a reader always finds every view. Raises ``OthersInTheWay``, or psycopg's
    ``DependentObjectsStillExist`` when a view that others use can't be replaced in place.
    """
    views = read_views()
    session.execute(ONE_AT_A_TIME)
    digests, kinds = _read_versions(session)
    if taken := {view.name for view in views} & kinds.keys() - digests.keys():
        raise OthersInTheWay(
            f"analytics.{min(taken)} is not ours, but has the name of a new view: rename it, then run"
            " `pipeline migrate` again; nothing was changed"
        )
    grants = dict(session.execute(statement("catalog/grants")).fetchall())
    removed = digests.keys() - {view.name for view in views}
    applied: set[str] = set()
    for view in views:
        # Rows of a stored view follow from the views that it reads.
        refill = view.stored and not applied.isdisjoint(view.depends)
        digest = text_digest(view.text)
        if view.name in kinds and digests.get(view.name) == digest and not refill:
            continue
        if view.name in kinds and not _replace(session, view, kinds[view.name]):
            # What of ours reads it goes first, and is created again in its turn.
            _drop(session, removed | _readers(views, view), kinds)
            _drop(session, {view.name}, kinds)
        if view.name not in kinds:
            session.execute(view.text.encode())
            for grant in grants.get(view.name, ()):
                # A column with a grant of its own may be gone.
                with suppress(pg.UndefinedColumn), session.transaction():
                    session.execute(grant.encode())
        if view.stored:
            # In the same transaction: a reader never finds a stored view empty.
            session.execute(MEMORY)
            session.execute(SQL("delete from {}").format(view.table))
            session.execute(view.fill())
            session.execute(view.note_filled())
        session.execute(statement("catalog/view_applied"), (view.name, digest, view.stored))
        applied.add(view.name)
    _drop(session, removed, kinds)
    session.execute("delete from sync.view_versions where name = any(%s)", (list(removed),))
    if applied:
        session.execute(statement("catalog/fact_keys").encode())
        _comment(session, views)


def _read_versions(session: Session) -> tuple[dict[str, str], dict[str, str]]:
    """Return the digests of applied views, and the kinds of relations in ``analytics``, by name."""
    digests = session.execute("select name, digest from sync.view_versions").fetchall()
    return dict(digests), dict(session.execute(statement("catalog/kinds")).fetchall())


def _comment(session: Session, views: Sequence[View]) -> None:
    """Comment on all views as their files do; other comments are derived (sql/catalog/column_comments)."""
    carry_out(session, "catalog/uncomment")
    for view in views:
        session.execute("\n".join(_COMMENTS.findall(view.text)).encode())


def _replace(session: Session, view: View, kind: str) -> bool:
    """Replace a view in place; return False if its kind, or a column that it had, is another now."""
    if kind != ("r" if view.stored else "v"):
        return False
    definition, rest = _DEFINITION.sub(r"\1", view.text).split(";\n", 1)
    session.execute(definition.replace(" analytics.", " pg_temp.", 1).encode())
    old, new = (
        session.execute(statement("catalog/view_columns"), (f"{schema}.{view.name}",)).fetchall()
        for schema in ("analytics", "pg_temp")
    )
    session.execute(SQL(_DROPS[kind]).format(Identifier("pg_temp", view.name)))
    columns = old + [column for column in new if column not in old]
    if len(columns) > len(new) or (view.stored and columns != new):
        return False
    if view.stored:
        # The arguments of its function may change: the function with the old ones would stay.
        definition = f"drop function if exists sync.fresh_{view.name}"
        for column in columns[len(old) :]:
            definition += f"; alter table analytics.{view.name} add column {' '.join(column)}"
    elif columns != new:
        # PostgreSQL keeps the places of columns, wherever the file has new ones.
        names = ", ".join(name for name, _ in columns)
        head, query = definition.split(" as\n", 1)
        definition = f"{head} as\nselect {names} from ({query}) as shown"
    text = _REPLACED.sub(r"create or replace \1 ", f"{definition};\n{rest}")
    text = text.replace("\ncreate index ", "\ncreate index if not exists ")
    session.execute(text.encode())
    return True


def _drop(session: Session, names: Set[str], kinds: dict[str, str]) -> None:
    """Drop views, and take them out of ``kinds``."""
    going = {name: kinds.pop(name) for name in sorted(names & kinds.keys())}
    for kind, drop in _DROPS.items():
        dropped = [name for name in going if going[name] == kind]
        for name in dropped if kind == "r" else ():
            session.execute(f"drop function if exists sync.fresh_{name}".encode())
            keys = session.execute(statement("catalog/fact_keys_to"), (f"analytics.{name}",))
            for (drop_key,) in keys.fetchall():
                session.execute(drop_key.encode())
        if dropped:
            views = SQL(", ").join(Identifier("analytics", name) for name in dropped)
            session.execute(SQL(drop).format(views))


def _readers(views: Sequence[View], changed: View) -> set[str]:
    """Return our views that read a view, or read one that does."""
    found = {changed.name}
    for view in views:
        # A stored view holds rows: nothing of it depends on what they were computed from.
        if not view.stored and not found.isdisjoint(view.depends):
            found.add(view.name)
    return found - {changed.name}


def _view(name: str, text: str) -> View:
    said = headers(text)
    depends, key, codes = (
        tuple(said[header].split(", ")) if header in said else ()
        for header in ("depends", "stored by", "latest by")
    )
    return View(name, text, depends, key, codes)
