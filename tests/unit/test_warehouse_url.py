"""WAREHOUSE_URL: whatever its form, neither the URL read from it nor an error shows the password."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from pipeline.warehouse.database.contact import connect, parse_url
from pipeline.warehouse.database.engine import open_engine
from pipeline.warehouse.database.errors import WarehouseUrlInvalid
from pipeline.warehouse.database.refusals import address, explain

SECRET = "p:4@55%w€rd"
ENCODED = "p%3A4%4055%25w%E2%82%ACrd"


@pytest.mark.parametrize(
    "text",
    [
        f"postgresql://me:{SECRET}@db.example:5432/activities",
        f"postgresql://me:{ENCODED}@db.example:5432/activities",
        f"postgres://me:{ENCODED}@db.example:5432/activities?sslmode=require",
        f"postgresql+psycopg://me@db.example:5432/activities?password={ENCODED}",
        f"postgresql://me@/activities?host=db.example&password={ENCODED}&port=5432",
        f"postgresql://me:{SECRET}@db.example/activities?password={ENCODED}",
    ],
)
def test_the_password_is_read_and_not_shown(text: str) -> None:
    url = parse_url(text)
    assert (url.username, url.password, url.database) == ("me", SECRET, "activities")
    engine = open_engine(text)
    shown = f"{url!r} {url} {engine!r} {engine.url} {address(url)} {explain(OSError(), url)}"
    assert "db.example" in shown
    for secret in (SECRET, ENCODED, "w%E2%82%ACrd", "w€rd"):
        assert secret not in shown


def _options(text: str) -> dict[str, object]:
    """Return what the driver is given."""
    engine, given = open_engine(text), dict[str, object]()

    def note(_: object, __: object, ___: object, options: dict[str, object]) -> None:
        given.update(options)
        raise OSError

    sa.event.remove(engine, "do_connect", connect)
    sa.event.listen(engine, "do_connect", note)
    with pytest.raises(OSError):
        engine.connect()
    return given


def test_a_list_of_hosts_goes_to_the_driver() -> None:
    text = f"postgresql://me:{ENCODED}@h1:5433,[fd00::7]:5434,h3/db?target_session_attrs=read-write"
    given = _options(text)
    assert (given["host"], given["port"]) == ("h1,fd00::7,h3", "5433,5434,")
    assert (given["user"], given["password"], given["dbname"]) == ("me", SECRET, "db")
    assert given["target_session_attrs"] == "read-write"
    assert address(parse_url(text)) == "h1,fd00::7,h3:5433,5434,/db"


def test_what_the_url_sets_wins() -> None:
    options = "connect_timeout=45&application_name=nightly&keepalives_idle=7&options=-c%20jit=off"
    given = _options(f"postgresql://me@db.example/db?{options}")
    assert given["connect_timeout"] == "45"
    assert (given["application_name"], given["keepalives_idle"]) == ("nightly", "7")
    assert (given["tcp_user_timeout"], given["options"]) == (50_000, "-c jit=off")
    assert _options("postgresql://me@db.example/db")["connect_timeout"] == 10


@pytest.mark.parametrize("options", ["pgbouncer=true", "schema=public", "sslmode=require&ssl=true"])
def test_an_option_that_nobody_knows_is_named(options: str) -> None:
    with pytest.raises(WarehouseUrlInvalid, match=options.split("&")[-1].partition("=")[0]):
        parse_url(f"postgresql://me@db.example/db?{options}")


@pytest.mark.parametrize(
    "text",
    [
        f"mysql://me:{SECRET}@db/x",
        f"postgresql://me:{SECRET}@db.example",
        f"postgresql://me:{SECRET}@db.example:port/x",
        f"me:{SECRET}@db.example/x",
        f"postgresql://me:p?{SECRET}@db.example/x",
        "postgresql://me:p?w€rd=1@db.example/x",
    ],
)
def test_a_wrong_url_is_not_repeated(text: str) -> None:
    with pytest.raises(WarehouseUrlInvalid) as caught:
        parse_url(text)
    assert "WAREHOUSE_URL" in str(caught.value)
    assert "w€rd" not in f"{caught.value}{caught.value!r}{caught.value.__context__}"
