"""Which days a nightly run takes: the lookback, and before it the nights that were missed."""

from __future__ import annotations

from datetime import date, timedelta
from zoneinfo import ZoneInfo

import psycopg
import pytest

from pipeline.assets.nightly import nightly_days
from pipeline.service.config import Credentials
from pipeline.settings import Settings

TODAY = date(2026, 11, 21)


def settings(url: str, start: date = date(2026, 1, 1)) -> Settings:
    return Settings(
        base_url="http://127.0.0.1:1",
        credentials=Credentials("k", "u", "p"),
        timezone=ZoneInfo("UTC"),
        start_date=start,
        warehouse_url=url,
        lookback_days=3,
    )


@pytest.mark.parametrize(
    ("newest_days_ago", "days"), [(None, 3), (0, 3), (1, 3), (2, 3), (3, 3), (4, 4), (10, 10)]
)
def test_missed_nights_are_made_up(
    migrated_url: str, newest_days_ago: int | None, days: int
) -> None:
    if newest_days_ago is not None:
        with psycopg.connect(migrated_url) as connection:
            connection.execute(
                "insert into sync.coverage"
                " (day, listed, stored, quarantined, gone, verified_at, listed_digest)"
                " values (%s, 0, 0, 0, 0, now(), '')",
                (TODAY - timedelta(days=newest_days_ago),),
            )
    chosen = nightly_days(settings(migrated_url), TODAY)
    assert chosen.last == TODAY
    assert len(chosen) == days


def test_never_before_the_first_day(migrated_url: str) -> None:
    chosen = nightly_days(settings(migrated_url, start=TODAY - timedelta(days=1)), TODAY)
    assert (chosen.first, chosen.last) == (TODAY - timedelta(days=1), TODAY)


def test_an_empty_database_will_do(database_url: str) -> None:
    assert len(nightly_days(settings(database_url), TODAY)) == 3
