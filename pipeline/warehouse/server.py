"""What the warehouse's server must be like (docs/design.md "Connections"); each command checks it first.

PostgreSQL and Python have time zone rules of their own. Runs cut days by Python's; SQL shows local days and
hours by PostgreSQL's.
"""

import zoneinfo
from datetime import UTC, date, datetime, timedelta
from importlib.metadata import version
from pathlib import Path

import sqlalchemy as sa
from psycopg import errors as pg
from psycopg.rows import scalar_row, tuple_row

from pipeline.warehouse.engine import Session, fetch, open_session
from pipeline.warehouse.errors import WarehouseUnsuitable

OLDEST_SERVER = 15
"""PostgreSQL's oldest major version that the SQL in ``sql/`` is written for."""

#: No day before is believed, so a wrong creation costs no comparison of centuries.
_FIRST = date(2000, 1, 1)

#: The hours of a time, and how many seconds east of UTC a zone is in each.
_OFFSETS = """
    select hour, extract(epoch from (hour at time zone %(zone)s) - (hour at time zone 'UTC'))::float8
    from generate_series(%(first)s::timestamptz, now(), interval '1 hour') as hour
"""


def check_server(engine: sa.Engine) -> int:
    """Return the server's major version. Reads only, so a refused database stays as it is.

    Raises ``WarehouseUnsuitable``, with the reason, or another ``WarehouseError``.
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
    with open_session(engine, autocommit=True) as session:
        query = (
            "select setting from pg_settings where name = 'data_directory' and"
            " coalesce(inet_server_addr() << '127.0.0.0/8', true)"
        )
        row = session.execute(query).fetchone()
    folder = str(row[0]) if row and row[0] else None
    return folder if folder and Path(folder).is_dir() else None


def check_zone(engine: sa.Engine, zone: zoneinfo.ZoneInfo, start: date | None = None) -> str | None:
    """Return in one line how PostgreSQL's rules for ``zone`` differ from Python's, or None.

    Compares the offsets of the days held, of those since ``start`` and of today. Raises
    `WarehouseUnsuitable` if the server lacks the zone, or another ``WarehouseError``.
    """
    query = (
        "select current_setting('server_version'), to_regclass('sync.activity_ledger') is not null"
    )
    ((server, exists),) = fetch(engine, tuple_row, query)
    query = "select min(day) from sync.activity_ledger"
    held = fetch(engine, scalar_row, query) if exists else []
    days = filter(None, [datetime.now(UTC).date(), start, *held])
    first = max(min(days) - timedelta(days=1), _FIRST)
    try:
        offsets = fetch(engine, tuple_row, _OFFSETS, {"zone": zone.key, "first": first})
    except pg.InvalidParameterValue:
        raise WarehouseUnsuitable(
            f"PostgreSQL {server} does not know the time zone {zone.key} of ACTIVITIES_TIMEZONE: bring the"
            " server's time zone data up to date, or set another name of the zone"
        ) from None
    for hour, seconds in offsets:
        if hour.astimezone(zone).utcoffset() != timedelta(seconds=seconds):
            return (
                f"PostgreSQL {server} and Python (tzdata {_tzdata(zone.key)}) have different rules for"
                f" {zone.key}, first on {hour:%Y-%m-%d}: SQL may show local days and hours other than the"
                " runs'; bring the older one up to date"
            )
    return None


def _tzdata(key: str) -> str:
    """Return the version of the rules that Python reads: the system's, if it has them, or the package's."""
    for folder in map(Path, zoneinfo.TZPATH):
        if (folder / key).is_file():
            rules = folder / "tzdata.zi"
            # Its first line is "# version 2026a".
            known = rules.is_file() and rules.read_text("utf-8", "replace").partition("\n")[0]
            return known.split()[-1] if known else f"of {folder}"
    return version("tzdata")
