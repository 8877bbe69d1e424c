"""WAREHOUSE_URL: whatever its form, neither the URL read from it nor an error shows the password."""

from __future__ import annotations

import pytest

from pipeline.warehouse.engine import open_engine, parse_url
from pipeline.warehouse.errors import WarehouseUrlInvalid
from pipeline.warehouse.refusals import address, explain

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


@pytest.mark.parametrize(
    "text",
    [
        f"mysql://me:{SECRET}@db/x",
        f"postgresql://me:{SECRET}@db.example",
        f"postgresql://me:{SECRET}@db.example:port/x",
        f"me:{SECRET}@db.example/x",
    ],
)
def test_a_wrong_url_is_not_repeated(text: str) -> None:
    with pytest.raises(WarehouseUrlInvalid) as caught:
        parse_url(text)
    assert "WAREHOUSE_URL" in str(caught.value)
    assert "w€rd" not in f"{caught.value}{caught.value!r}{caught.value.__context__}"
