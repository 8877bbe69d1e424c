"""Which days a nightly run takes: the lookback, and before it the nights that were missed."""

from __future__ import annotations

from datetime import date, timedelta

import psycopg
import pytest

from pipeline.assets.tables import nightly_days
from pipeline.sandbox import Credentials
from pipeline.settings import load_settings
from pipeline.sync.days import DayRange
from pipeline.warehouse.engine import open_engine
from tests.support.commands import service_settings

TODAY = date(2026, 11, 21)


def chosen(url: str, start: date = date(2026, 1, 1)) -> DayRange:
    """Return the days of a nightly run today."""
    environment = service_settings(
        "http://127.0.0.1:1", Credentials(api_key="k", username="u", password="p")
    )
    days = {"ACTIVITIES_START_DATE": str(start), "ACTIVITIES_LOOKBACK_DAYS": "3"}
    settings = load_settings(environment | days | {"WAREHOUSE_URL": url})
    engine = open_engine(url)
    try:
        return nightly_days(engine, settings, TODAY)
    finally:
        engine.dispose()


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
    found = chosen(migrated_url)
    assert found.last == TODAY
    assert len(found) == days


def test_never_before_the_first_day(migrated_url: str) -> None:
    yesterday = TODAY - timedelta(days=1)
    assert chosen(migrated_url, start=yesterday) == DayRange(yesterday, TODAY)
