"""All that is held of one person: the queries of ``sql/person`` (docs/privacy.md "The whole person")."""

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from psycopg.rows import dict_row, scalar_row
from psycopg.sql import SQL

from pipeline.warehouse.database.engine import Rows, fetch, open_session
from pipeline.warehouse.database.sql import statement
from pipeline.warehouse.schema.refresh import refresh

SECTIONS = (
    *("left", "profile", "history", "consents", "values", "activities", "authorizations"),
    *("responses", "quarantine", "erasures", "consent_records"),
)
"""The files of ``sql/person``, in the order in which they are shown. Their first lines are titles."""


@dataclass(frozen=True, repr=False)
class Person:
    """Whose data are shown or erased. No repr of them.

    ``numbers``: subscribers, in E.164. ``requests``: ids of requests whose subscriber is not stored yet.
    ``messages``: erase also what was written in the person's activities.
    """

    entity: str | None
    numbers: tuple[str, ...] = ()
    requests: tuple[str, ...] = ()
    messages: bool = False

    def asked(self) -> dict[str, object]:
        """Return the parameters of statements that search for the person."""
        return {**vars(self), "numbers": list(self.numbers), "requests": list(self.requests)}


def find_entities(engine: sa.Engine, person: Person) -> list[str]:
    """Return the counterparts that the requests to the person's numbers led to."""
    requests = SQL(statement("erase/person_requests"))
    query = SQL(statement("erase/person_entities")).format(requests=requests).as_string()
    return sorted(fetch(engine, scalar_row, query, person.asked()))


def read_person(
    engine: sa.Engine, person: Person, sections: Sequence[str] = SECTIONS
) -> dict[str, Rows]:
    """Return the rows of each section, all of one snapshot. Raises a ``WarehouseError``.

    Stored views are refreshed first: what is shown never depends on when a run last did that.
    """
    refresh(engine)
    with open_session(engine) as session:
        session.execute("set transaction isolation level repeatable read, read only")
        cursor = session.cursor(row_factory=dict_row)
        requests = SQL(statement("erase/person_requests"))
        queries = {name: SQL(statement(f"person/{name}")) for name in sections}
        return {
            name: cursor.execute(query.format(requests=requests), person.asked()).fetchall()
            for name, query in queries.items()
        }
