"""How sensitive each column is: ``sql/sensitivity.yaml``, the one place (docs/privacy.md "Columns")."""

from functools import cache

import yaml
from psycopg.types.json import Jsonb

from pipeline.warehouse.database.engine import Session
from pipeline.warehouse.database.sql import shipped, statement

SENSITIVE = frozenset({"personal", "value", "message"})
"""What role ``analyst`` must not see. The other kinds are ``key``, ``profile`` and ``none``."""

ColumnKinds = dict[str, dict[str, str]]
"""The kind of each column, in order, by ``schema.relation``."""


@cache
def listed() -> ColumnKinds:
    """Return the kinds in the file."""
    text = (shipped("sql") / "sensitivity.yaml").read_text(encoding="utf-8")
    # Every command reads it: libyaml takes an eighth of the time, where PyYAML was built with it.
    found: ColumnKinds = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506
    return found


@cache
def surface() -> ColumnKinds:
    """Return the views that offer a table of ``warehouse`` again, without what is sensitive.

    A table whose view is listed has a view of its own.
    """
    offered = {
        name.replace("warehouse.", "analytics."): columns
        for name, columns in listed().items()
        if name.startswith("warehouse.")
    }
    return {
        view: {name: kind for name, kind in columns.items() if kind not in SENSITIVE}
        for view, columns in offered.items()
        if view not in listed()
    }


def classified() -> ColumnKinds:
    """Return the kinds of the columns of all our relations, no others."""
    return listed() | surface()


def columns_of(relation: str, kind: str) -> tuple[str, ...]:
    """Return the columns of a relation that are of this kind, in order."""
    return tuple(name for name, its in listed()[relation].items() if its == kind)


def carry_out(session: Session, name: str) -> None:
    """Execute the statements of `statements_of`."""
    for text in statements_of(session, name):
        session.execute(text.encode())


def statements_of(session: Session, name: str) -> list[str]:
    """Return the statements that the query ``sql/<name>.sql`` makes of all kinds."""
    parameters = {"classified": Jsonb(classified()), "surface": list(surface())}
    return [text for (text,) in session.execute(statement(name), parameters)]
