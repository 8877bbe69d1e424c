"""All that is held of one person: the queries of ``sql/person`` (docs/privacy.md "The whole person")."""

from collections.abc import Sequence

import sqlalchemy as sa
from psycopg.rows import dict_row
from psycopg.sql import SQL

from pipeline.warehouse.engine import Rows, open_session
from pipeline.warehouse.erase_person import Person
from pipeline.warehouse.sql import statement

SECTIONS = (
    *("left", "profile", "history", "consents", "values", "activities", "authorizations"),
    *("responses", "quarantine", "erasures", "consent_records"),
)
"""The files of ``sql/person``, in the order in which they are shown. Their first lines are titles."""


def read_person(
    engine: sa.Engine, person: Person, sections: Sequence[str] = SECTIONS
) -> dict[str, Rows]:
    """Return the rows of each section, all of one snapshot. Raises a ``WarehouseError``."""
    with open_session(engine) as session:
        session.execute("set transaction isolation level repeatable read, read only")
        cursor = session.cursor(row_factory=dict_row)
        requests = SQL(statement("erase/person_requests"))
        queries = {name: SQL(statement(f"person/{name}")) for name in sections}
        return {
            name: cursor.execute(query.format(requests=requests), person.asked()).fetchall()
            for name, query in queries.items()
        }
