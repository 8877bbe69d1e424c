"""Databases of a local server."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import psycopg
import pytest
import sqlalchemy

if TYPE_CHECKING:
    from pathlib import Path

    from tests.local.conftest import MakeServer

NAMES = ["plain", "Two words", 'a "quoted" name', "it's 100% año/x?y=z#&+,:@"]


def current_database(url: str) -> tuple[str, str]:
    """Ask libpq's way and SQLAlchemy's."""
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT current_database()").fetchone()
    assert row is not None
    engine = sqlalchemy.create_engine(url)
    with engine.connect() as session:
        answer = str(session.scalar(sqlalchemy.text("SELECT current_database()")))
    engine.dispose()
    return row[0], answer


def test_databases_of_a_server(folder: Path, make_server: MakeServer) -> None:
    with make_server(folder / "home") as server:
        for name in NAMES:
            server.ensure_database(name)
            assert current_database(server.url(name)) == (name, name)
            server.ensure_database(name)

        with psycopg.connect(server.url("plain")) as connection:
            server.drop_database("plain")  # although a session is connected
            server.drop_database("plain")
            with pytest.raises(psycopg.OperationalError):
                connection.execute("SELECT 1")

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(server.ensure_database, ["wanted"] * 4))
        assert current_database(server.url("wanted")) == ("wanted", "wanted")
