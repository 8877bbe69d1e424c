"""Whether PostgreSQL knows the time zone of the days, and by the same rules as Python.

Both have time zone rules of their own. Runs cut days by Python's; SQL shows local days and hours by
PostgreSQL's.
"""

import zoneinfo
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from importlib.metadata import version
from pathlib import Path

import sqlalchemy as sa
from psycopg import errors as pg

from pipeline.warehouse.engine import Session, in_transaction
from pipeline.warehouse.errors import WarehouseUnsuitable
from pipeline.warehouse.sql import statement

#: No day before is believed, so a wrong creation costs no comparison of centuries.
_FIRST = datetime(2000, 1, 1, tzinfo=UTC)


def check_zone(engine: sa.Engine, zone: zoneinfo.ZoneInfo, start: date | None = None) -> str | None:
    """Return in one line how PostgreSQL's rules for ``zone`` differ from Python's, or None.

    Compares the offsets of the days held, of those since ``start`` and of today. Raises
    `WarehouseUnsuitable` if the server lacks the zone, or another ``WarehouseError``.
    """
    return in_transaction(engine, partial(_check, zone=zone, start=start))


def _check(session: Session, zone: zoneinfo.ZoneInfo, start: date | None) -> str | None:
    server = session.info.parameter_status("server_version")
    now = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    first = datetime.combine(start, time(), UTC) if start else now
    ((exists,),) = session.execute("select to_regclass('warehouse.activities') is not null")
    if exists:
        ((oldest,),) = session.execute("select min(created_at) from warehouse.activities")
        first = min(first, oldest or first)
    first = max(min(first, now) - timedelta(days=1), _FIRST).replace(minute=0, second=0)
    hours = (first + timedelta(hours=n) for n in range((now - first) // timedelta(hours=1) + 1))
    offsets = ",".join(str(_offset(zone, hour).total_seconds()) for hour in hours)
    parameters = {"zone": zone.key, "first": first, "last": now, "offsets": f"{{{offsets}}}"}
    try:
        differing = session.execute(statement("load/zone_differs"), parameters).fetchone()
    except pg.InvalidParameterValue:
        raise WarehouseUnsuitable(
            f"PostgreSQL {server} does not know the time zone {zone.key} of ACTIVITIES_TIMEZONE: bring the"
            " server's time zone data up to date, or set another name of the zone"
        ) from None
    if differing is None:
        return None
    (since,) = differing
    return (
        f"PostgreSQL {server} and Python (tzdata {_tzdata(zone.key)}) have different rules for {zone.key},"
        f" first on {since:%Y-%m-%d}: SQL may show local days and hours other than the runs'; bring the"
        " older one up to date"
    )


def _offset(zone: zoneinfo.ZoneInfo, at: datetime) -> timedelta:
    return at.astimezone(zone).replace(tzinfo=UTC) - at


def _tzdata(key: str) -> str:
    """Return the version of the rules that Python reads: the system's, if it has them, or the package's."""
    for folder in map(Path, zoneinfo.TZPATH):
        if (folder / key).is_file():
            rules = folder / "tzdata.zi"
            # Its first line is "# version 2026a".
            known = rules.is_file() and rules.read_text("utf-8", "replace").partition("\n")[0]
            return known.split()[-1] if known else f"of {folder}"
    return version("tzdata")
