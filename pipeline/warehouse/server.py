"""What the warehouse's server must be like (docs/design.md "Connections"); each command checks it first."""

from pathlib import Path

import sqlalchemy as sa

from pipeline.warehouse.engine import Session, open_session
from pipeline.warehouse.errors import WarehouseUnsuitable

OLDEST_SERVER = 15
"""PostgreSQL's oldest major version that the SQL in ``sql/`` is written for."""


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
