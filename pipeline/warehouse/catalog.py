"""What the database says of itself: tables, views, columns and functions with their comments.

``sql/catalog`` makes texts of it: the dictionary in Markdown, and the sources for dbt.
"""

import sqlalchemy as sa
import yaml
from psycopg.rows import scalar_row
from psycopg.types.json import Jsonb

from pipeline.warehouse.engine import fetch
from pipeline.warehouse.sensitivity import classified
from pipeline.warehouse.sql import statement

SCHEMAS = ("warehouse", "analytics", "sync", "landing")
"""The schemas of the warehouse contract, in the order in which people read them."""


def read_dictionary(engine: sa.Engine) -> list[str]:
    """Return the parts of the dictionary in Markdown. Raises a ``WarehouseError``."""
    return fetch(engine, scalar_row, _query("dictionary"), {"schemas": list(SCHEMAS)})


def sources(engine: sa.Engine) -> str:
    """Return a ``sources.yml`` for dbt 1.10 or newer of what analysts may read.

    It has descriptions, freshness, tests of keys and relations, and the kind of a sensitive column as a tag
    (`pipeline.warehouse.sensitivity`). Raises a ``WarehouseError``.
    """
    given = {"schemas": list(SCHEMAS[:2]), "classified": Jsonb(classified())}
    (found,) = fetch(engine, scalar_row, _query("dbt"), given)
    text: str = yaml.safe_dump(found, sort_keys=False, allow_unicode=True, width=100)
    return text


def _query(name: str) -> str:
    return f"with columns as ({statement('catalog/columns')}) {statement(f'catalog/{name}')}"
