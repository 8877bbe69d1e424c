"""What the warehouse's server must be like (docs/design.md "Connections"); each command checks it first."""

from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import sqlalchemy as sa
from psycopg import errors as pg
from psycopg.rows import scalar_row, tuple_row

from pipeline.warehouse.database.engine import (
    Session,
    execute,
    fetch,
    open_session,
    patiently,
    warehouse_engine,
)
from pipeline.warehouse.database.errors import WarehouseUnsuitable

OLDEST_SERVER = 15
"""PostgreSQL's oldest major version that the SQL in ``sql/`` is written for."""

#: The hours of two years, and how many seconds east of UTC a zone is in each.
_OFFSETS = """
    select hour, extract(epoch from (hour at time zone %(zone)s) - (hour at time zone 'UTC'))::float8
    from generate_series(date_trunc('year', now()) - interval '1 year', now(), interval '1 hour') as hour
"""


def await_server(engine: sa.Engine) -> int:
    """Do as `check_server` does, and wait for a server that does not answer, wakes or starts."""
    return patiently(lambda: check_server(engine))


def check_server(engine: sa.Engine) -> int:
    """Return the server's major version. Reads only, so a refused database stays as it is.

    Tries once. Raises ``WarehouseUnsuitable``, with the reason, or another ``WarehouseError``.
    """
    with open_session(engine, autocommit=True) as session:
        number = session.info.server_version // 10000
        encoding = session.info.parameter_status("server_encoding")
        if number < OLDEST_SERVER:
            raise WarehouseUnsuitable(
                f"the warehouse runs PostgreSQL {number}; {OLDEST_SERVER} or newer is needed"
            )
        if encoding != "UTF8":
            raise WarehouseUnsuitable(
                f"the warehouse's database has the encoding {encoding}, which can't hold all letters:"
                " create one with `create database ... encoding 'UTF8' template template0`"
            )
        if session.execute("show session_replication_role").fetchone() == ("replica",):
            raise WarehouseUnsuitable(
                "the warehouse's database or role sets session_replication_role to replica, which turns"
                " triggers off: let a superuser run `alter database ... reset session_replication_role`,"
                " or `alter role ...` if the role has it"
            )
        with open_session(engine, autocommit=True) as other:
            # A server's session belongs to one client. A pooler in transaction mode gives the same one
            # to both, or another one each time.
            ours = {_server_process(session), _server_process(session)}
            if len(ours) > 1 or _server_process(other) in ours:
                raise WarehouseUnsuitable(
                    "WAREHOUSE_URL leads to a pooler in transaction mode, where locks and settings of a"
                    " session are lost: use its session mode, or connect to PostgreSQL itself"
                )
    return number


def _server_process(session: Session) -> int:
    ((number,),) = session.execute("select pg_backend_pid()").fetchall()
    return int(number)


def data_folder(engine: sa.Engine) -> str | None:
    """Return the server's folder of data, if it is on this machine and the role may know it."""
    query = (
        "select setting from pg_settings where name = 'data_directory'"
        " and coalesce(inet_server_addr() << '127.0.0.0/8', true)"
    )
    folder = next(iter(fetch(engine, scalar_row, query)), None)
    return folder if folder and Path(folder).is_dir() else None


def check_zone(engine: sa.Engine, zone: ZoneInfo) -> None:
    """Raise ``WarehouseUnsuitable`` if the server lacks the zone, or another ``WarehouseError``."""
    try:
        fetch(engine, scalar_row, "select now() at time zone %(zone)s", {"zone": zone.key})
    except pg.InvalidParameterValue:
        raise WarehouseUnsuitable(
            f"PostgreSQL does not know the time zone {zone.key} of ACTIVITIES_TIMEZONE: bring the server's"
            " time zone data up to date, or set another name of the zone"
        ) from None


def same_rules(engine: sa.Engine, zone: ZoneInfo) -> bool:
    """Return whether PostgreSQL and Python cut the days of this year and the last alike.

    Runs cut days by Python's rules; SQL shows local days and hours by PostgreSQL's. Raises a
    ``WarehouseError``.
    """
    offsets = fetch(engine, tuple_row, _OFFSETS, {"zone": zone.key})
    return all(
        hour.astimezone(zone).utcoffset() == timedelta(seconds=seconds) for hour, seconds in offsets
    )


def database_zone(engine: sa.Engine) -> tuple[str, str]:
    """Return the zone in which sessions of others see instants, and the database's name, quoted."""
    query = (
        "select reset_val, quote_ident(current_database()) from pg_settings where name = 'TimeZone'"
    )
    ((zone, database),) = fetch(engine, tuple_row, query)
    return zone, database


def zone_statement(database: str, zone: ZoneInfo) -> str:
    """Return the statement that lets all new sessions of the database see instants in ``zone``."""
    return f"alter database {database} set timezone to '{zone.key}'"


def set_database_zone(url: str, zone: ZoneInfo) -> str:
    """Let new sessions of the database see instants in ``zone``; return the statement.

    Raises a ``WarehouseError``.
    """
    with warehouse_engine(url) as engine:
        check_zone(engine, zone)
        text = zone_statement(database_zone(engine)[1], zone)
        execute(engine, text)
    return text
