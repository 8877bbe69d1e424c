"""The roles of analysts: created once per server, with grants per database (``sql/roles``)."""

from contextlib import suppress

from psycopg import errors as pg

from pipeline.warehouse.database.engine import Session, open_session, warehouse_engine
from pipeline.warehouse.database.errors import RolesForeign, RolesMissing
from pipeline.warehouse.database.sql import statement, text_digest
from pipeline.warehouse.schema.sensitivity import carry_out, classified

ANALYST, ANALYST_PERSONAL = "analyst", "analyst_personal"
ROLES = (ANALYST, ANALYST_PERSONAL)
"""Names of the roles. What each can read: docs/privacy.md "Privacy and roles"."""

_GRANTS, _RELATION_GRANTS = "roles/grants", "roles/relation_grants"


_MARK = "activity-warehouse: made by `pipeline migrate --roles`"
"""The comment on our roles, which tells them from another's of the same name."""


def set_up(url: str, *, adopt: bool = False) -> None:
    """Create missing roles and grant them what they can read in this database.

    From then on every migration keeps the grants up to date. ``adopt``: take over roles of these names that
    others have made. Raises ``RolesForeign`` without it, ``RolesMissing`` with the
    statements for an administrator when our role cannot create roles, or another ``WarehouseError``.
    """
    with warehouse_engine(url) as engine, open_session(engine, autocommit=True) as session:
        known = {"roles": list(ROLES), "mark": _MARK}
        foreign = [name for (name,) in session.execute(statement("roles/foreign"), known)]
        if foreign and not adopt:
            readers = ", ".join(members(session)) or "nobody"
            raise RolesForeign(
                f"the server has a role {' and '.join(foreign)} that `pipeline migrate --roles` did not"
                " make;"
                f" who has it would read the warehouse ({readers}): rename it, or add --adopt"
            )
        found = session.execute(statement("roles/create"), known) if missing(session) else ()
        statements = [text for (text,) in found]
        try:
            for text in statements:
                # Roles belong to the server: a process in another database may create them just now.
                with suppress(pg.DuplicateObject, pg.UniqueViolation):
                    session.execute(text.encode())
        except pg.InsufficientPrivilege:
            raise RolesMissing(
                f"the warehouse's role cannot create the roles {' and '.join(ROLES)}: ask an administrator"
                " to run the printed statements, then run `pipeline migrate --roles` again",
                statements,
            ) from None
        with session.transaction():
            _grant(session)


def keep_granted(session: Session) -> None:
    """Grant again if the views, the grants file or the roles changed since the last time."""
    if need_grants(session):
        _grant(session)


def need_grants(session: Session) -> bool:
    """Return whether the roles are set up here, but not as `keep_granted` would have it."""
    applied = session.execute("select digest from sync.grant_versions").fetchone()
    return bool(applied) and not missing(session) and applied != (_digest(session),)


def missing(session: Session) -> list[str]:
    """Return those of `ROLES` that the server does not have."""
    query = "select name from unnest(%s::text[]) as name where to_regrole(name) is null"
    return [name for (name,) in session.execute(query, (list(ROLES),))]


def is_set_up(session: Session) -> bool:
    """Return whether the roles exist and have grants in this database."""
    applied = session.execute("select from sync.grant_versions").fetchone()
    return applied is not None and not missing(session)


def members(session: Session) -> list[str]:
    """Return who can log in and read through the roles."""
    found = session.execute(statement("roles/members"), {"roles": list(ROLES)})
    return [name for (name,) in found]


def beyond_grants(session: Session) -> list[str]:
    """Return those of `ROLES` that can read everything, because an administrator gave them more rights."""
    found = session.execute(statement("roles/beyond_grants"), {"roles": list(ROLES)})
    return [name for (name,) in found]


def allow_login(url: str) -> None:
    """Let the roles log in without a password. Only for a private server that nobody else can reach."""
    with warehouse_engine(url) as engine, open_session(engine) as session:
        for role in ROLES:
            session.execute(f"alter role {role} login".encode())


def _grant(session: Session) -> None:
    session.execute(statement(_GRANTS).encode())
    carry_out(session, _RELATION_GRANTS)
    session.execute(statement("roles/applied"), (_digest(session),))


def _digest(session: Session) -> str:
    """Return a digest of what the grants depend on, and of who can read what now."""
    known = {"relations": list(classified()), "roles": list(ROLES)}
    found = session.execute(statement("roles/granted"), known).fetchall()
    rules = statement(_GRANTS), statement(_RELATION_GRANTS), classified()
    return text_digest(str((rules, found)))
