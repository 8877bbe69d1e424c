"""What servers and poolers say when they refuse a connection becomes one line that says what to do."""

from __future__ import annotations

import errno
import re

import aiohttp
import psycopg
import pytest
from aiohttp.client_reqrep import ConnectionKey

from pipeline.service.errors import failure_of
from pipeline.warehouse.database.contact import parse_url
from pipeline.warehouse.database.refusals import explain, may_pass_next_time
from pipeline.warehouse.database.sql import shipped

URL = parse_url("postgresql://role:hidden@host:5432/database")
AT = 'connection failed: connection to server at "127.0.0.1", port 5432 failed: '


@pytest.mark.parametrize(
    ("said", "says", "passes"),
    [
        ("FATAL:  sorry, too many clients already", "no connection left", True),
        (
            'FATAL:  remaining connection slots are reserved for roles with the "SUPERUSER" attribute',
            "no connection left",
            True,
        ),
        ('FATAL:  too many connections for role "loader"', "no connection left", True),
        ("FATAL:  no more connections allowed (max_client_conn)", "no connection left", True),
        ("FATAL:  the database system is starting up", "is starting or stopping", True),
        ('FATAL:  database "x" is not currently accepting connections', "does not accept", False),
        ('FATAL:  password authentication failed for user "loader"', "refuses the role", False),
        (
            'FATAL:  no pg_hba.conf entry for host "10.0.0.1", no encryption',
            "sslmode=require",
            False,
        ),
        ("server does not support SSL, but SSL was required", "sslmode or sslrootcert", False),
        ('FATAL:  database "x" does not exist', "does not exist: create it", False),
        ("could not create socket: Too many open files", "may open no more files", True),
        ("Connection refused", "can't be reached", True),
    ],
)
def test_what_a_refused_connection_means(said: str, says: str, passes: bool) -> None:
    error = psycopg.OperationalError(AT + said)
    line = str(explain(error, URL))
    assert says in line
    assert line.startswith("the warehouse at host:5432/database ")
    assert "hidden" not in line
    assert "\n" not in line
    assert may_pass_next_time(error) is passes


def test_no_advice_says_to_drop_what_may_be_somebodys() -> None:
    texts = (shipped("sql") / "refusals.yaml").read_text("utf-8").lower()
    root = shipped("sql").parent
    files = [*root.glob("pipeline/**/*.py"), *root.glob("docs/*.md")]
    texts += "".join(
        re.sub(r'"""[\s\S]*?"""', "", each.read_text("utf-8").lower()) for each in files
    )
    assert re.findall("drop (?:it|them|the)[^\n]*", texts) == []


def test_too_few_open_files_are_named_for_the_service_too() -> None:
    key = ConnectionKey("api.test", 443, True, True, None, None, None)
    limit = OSError(errno.EMFILE, "Too many open files")
    error = failure_of(aiohttp.ClientConnectorError(key, limit), "login", "api.test")
    assert "too many open files" in str(error)
    assert "ulimit -n" in str(error)
    assert error.retryable
