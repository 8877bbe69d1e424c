"""What a company builds on the warehouse: views, a materialized view, a table, grants to a tool."""

from __future__ import annotations

import uuid
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import psycopg

if TYPE_CHECKING:
    from collections.abc import Iterator

_READABLE = """
select relname from pg_class
where relnamespace = 'analytics'::regnamespace and relkind in ('r', 'v') order by relname
"""


@dataclass
class Company:
    """A schema ``company`` on top of ``analytics``, and the role of a BI tool that reads both."""

    url: str
    role: str

    def build(self) -> None:
        """Put a view on each view of ours, and what else companies make."""
        with psycopg.connect(self.url) as session:
            session.execute(f"create schema company; create role {self.role}".encode())
            session.execute(f"grant usage on schema company, analytics to {self.role}".encode())
            for (name,) in session.execute(_READABLE).fetchall():
                session.execute(
                    f"create view company.{name} as select * from analytics.{name};"
                    f"grant select on analytics.{name}, company.{name} to {self.role}".encode()
                )
            session.execute(
                "create materialized view company.ends as"
                " select status, count(*) from analytics.activities group by status;"
                "create table analytics.plan as select 5 as goal;"
                f"grant select on company.ends, analytics.plan to {self.role};"
                f"grant select (id, status) on warehouse.activities to {self.role}".encode()
            )

    def sees(self) -> dict[str, list[Any]]:
        """Return the columns that the tool reads, by relation: in ``company`` and ``analytics``."""
        query = (
            "select oid::regclass::text, array(select attname::text from pg_attribute"
            "   where attrelid = pg_class.oid and attnum > 0 and not attisdropped order by attnum)"
            " from pg_class where relnamespace in ('company'::regnamespace, 'analytics'::regnamespace)"
            " and has_table_privilege(%s, oid, 'select') order by 1"
        )
        with psycopg.connect(self.url) as session:
            found: dict[str, list[str]] = dict(session.execute(query, (self.role,)).fetchall())
            session.execute(f"set role {self.role}".encode())
            for name in found:
                session.execute(f"select * from {name}".encode())
        assert {"company.ends", "analytics.plan", "company.activities"} <= found.keys()
        return {name: columns for name, columns in found.items() if name.startswith("company.")}

    def readers(self, view: str) -> set[str]:
        """Return the roles that may read a view of analytics by a grant of their own."""
        query = (
            "select grantee::regrole::text from pg_class, aclexplode(relacl)"
            " where oid = %s::regclass and privilege_type = 'SELECT'"
        )
        with psycopg.connect(self.url) as session:
            return {name for (name,) in session.execute(query, (f"analytics.{view}",))}


@contextmanager
def company_on(url: str) -> Iterator[Company]:
    """Build a company's own things on a warehouse; its role is dropped at the end."""
    company = Company(url, f"tool_{uuid.uuid4().hex}")
    company.build()
    try:
        yield company
    finally:
        with psycopg.connect(url) as session:
            session.execute(f"drop owned by {company.role}; drop role {company.role}".encode())
