"""A database that was restored, or copied, is noticed by the first run in it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from pipeline.warehouse.engine import parse_url
from tests.support.mirroring import FIRST, LAST, TODAY, Warehouse
from tests.support.postgres import PostgresServer, fresh_database

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

@contextmanager
def copied(postgres: PostgresServer, url: str) -> Iterator[str]:
    """Copy a database as it is now, and yield the URL of the copy."""
    with fresh_database(postgres, str(parse_url(url).database)) as name:
        yield postgres.url(name)


def test_all_days_are_walked_again(
    mirrored: Callable[..., Warehouse], postgres: PostgresServer
) -> None:
    warehouse = mirrored(40)
    warehouse.days()
    assert warehouse.days().details_requests == 0
    with copied(postgres, warehouse.url) as url:
        service = warehouse.service
        old = service.state.ids()[0]
        service.state.enter_status(old, "DECLINED")
        after = Warehouse(url, service)
        after.nightly(TODAY, start=FIRST)
        (told,) = [line for line in after.told.lines if "was restored" in line]
        assert "0 authorization requests" in told
        assert after.differences() == []
        assert after.value("select count(*) from sync.coverage where verified_at is null") == 0
        after.told.lines.clear()
        after.days(FIRST, LAST)
        assert not [line for line in after.told.lines if "was restored" in line]
