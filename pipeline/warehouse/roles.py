"""The roles of analysts: made once a server, granted in each database what ``sql/roles`` lists."""

import hashlib
from contextlib import suppress
from typing import Any

import psycopg
import sqlalchemy as sa
from psycopg import errors as pg
from psycopg.sql import SQL, Identifier

from pipeline.warehouse.engine import driver, explain, open_engine
from pipeline.warehouse.errors import RolesMissing
from pipeline.warehouse.sql import sql_root

ANALYST, ANALYST_PERSONAL = "analyst", "analyst_personal"
ROLES = (ANALYST, ANALYST_PERSONAL)
"""What each may read: ``sql/roles/grants.sql``."""

_MADE = {
    ANALYST: "create role analyst nologin",
    ANALYST_PERSONAL: "create role analyst_personal nologin in role analyst",
}
#: What gives a role more than it is meant to have, whatever is granted here.
_BEYOND = """
select role.rolname
from pg_roles as role
where role.rolname = any(%s)
    and (
        role.rolsuper
        or pg_has_role(role.oid, (select nspowner from pg_namespace where nspname = 'warehouse'), 'member')
        or pg_has_role(role.oid, 'pg_read_all_data', 'member')
        or pg_has_role(role.oid, 'pg_read_server_files', 'member')
        or pg_has_role(role.oid, 'pg_execute_server_program', 'member')
    )
order by 1
"""


def set_up(url: str) -> None:
    """Make the roles where there are none, and grant them what they may read in this database.

    From then on every migration keeps the grants up to date. Raises ``RolesMissing`` with the
    statements for an administrator where this role may not make them, or another ``WarehouseError``.
    """
    engine = open_engine(url)
    try:
        with engine.connect() as connection:
            session = driver(connection)
            session.autocommit = True
            _make(session)
            with session.transaction():
                _grant(session)
    except (sa.exc.DBAPIError, psycopg.Error) as error:
        raise explain(error, engine.url) from None
    finally:
        engine.dispose()


def keep_granted(session: psycopg.Connection[Any]) -> None:
    """Grant anew where views, grants or roles are others than when the roles were last set up."""
    row = session.execute("select digest from sync.grant_versions").fetchone()
    if row is not None and not missing(session) and row[0] != _digest(session):
        with session.transaction():
            _grant(session)


def missing(session: psycopg.Connection[Any]) -> list[str]:
    """Return which of `ROLES` the server does not have."""
    found = session.execute("select rolname from pg_roles where rolname = any(%s)", (list(ROLES),))
    known = {name for (name,) in found}
    return [role for role in ROLES if role not in known]


def is_set_up(session: psycopg.Connection[Any]) -> bool:
    """Return whether this database grants something to the roles, and the server has them."""
    row = session.execute("select count(*) from sync.grant_versions").fetchone()
    return row is not None and row[0] > 0 and not missing(session)


def beyond_grants(session: psycopg.Connection[Any]) -> list[str]:
    """Return those of `ROLES` that may read everything, by what an administrator gave them."""
    return [name for (name,) in session.execute(_BEYOND, (list(ROLES),))]


def allow_login(url: str) -> None:
    """Let the roles log in by themselves; for a private server, where nobody else can connect."""
    engine = open_engine(url)
    try:
        with engine.begin() as connection:
            for role in ROLES:
                driver(connection).execute(SQL("alter role {} login").format(Identifier(role)))
    finally:
        engine.dispose()


def statements_for_administrator(session: psycopg.Connection[Any]) -> list[str]:
    """Return the SQL that makes the missing roles and lets this one take them on (`pipeline export`)."""
    row = session.execute("select current_user").fetchone()
    owner = SQL("grant analyst, analyst_personal to {}").format(Identifier(row[0] if row else ""))
    return [_MADE[role] for role in missing(session)] + [owner.as_string(session)]


def _make(session: psycopg.Connection[Any]) -> None:
    """Make what is missing; another process may do so at once, in another database of the server."""
    if not missing(session):
        return
    statements = statements_for_administrator(session)
    try:
        for statement in statements:
            with suppress(pg.DuplicateObject, pg.UniqueViolation):
                session.execute(statement.encode())
    except pg.InsufficientPrivilege:
        raise RolesMissing(
            f"the warehouse's role may not make the roles {' and '.join(ROLES)}: let an administrator"
            " run the statements printed, then run `pipeline migrate --roles` again",
            statements,
        ) from None


def _grant(session: psycopg.Connection[Any]) -> None:
    session.execute(_grants().encode())
    session.execute(
        "insert into sync.grant_versions (digest) values (%s)"
        " on conflict (applied) do update set digest = excluded.digest, applied_at = now()",
        (_digest(session),),
    )


def _grants() -> str:
    return (sql_root() / "roles" / "grants.sql").read_text(encoding="utf-8")


def _digest(session: psycopg.Connection[Any]) -> str:
    """Return what the grants depend on: their text, the relations they name, and the roles as they are."""
    found = session.execute(
        "select relname, oid::text from pg_class"
        " where relnamespace = 'analytics'::regnamespace and relkind in ('r', 'v')"
        " union all select rolname, oid::text from pg_roles where rolname = any(%s) order by 1, 2",
        (list(ROLES),),
    )
    text = "\0".join([_grants(), *(part for row in found for part in row)])
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
