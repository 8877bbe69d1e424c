"""Which days a nightly run takes: the lookback. What is missing before it is work of the older days."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from pipeline.sandbox import Credentials
from pipeline.settings import load_settings
from pipeline.sync.days import DayRange, nightly_days
from tests.support.commands import service_settings

TODAY = date(2026, 11, 21)


@pytest.mark.parametrize(("days_ago", "days"), [(300, 3), (3, 3), (2, 3), (1, 2), (0, 1), (-1, 1)])
def test_the_lookback_never_begins_before_the_first_day(days_ago: int, days: int) -> None:
    environment = service_settings(
        "http://127.0.0.1:1", Credentials(api_key="k", username="u", password="p")
    )
    start = {"ACTIVITIES_START_DATE": str(TODAY - timedelta(days=days_ago))}
    settings = load_settings(environment | start | {"WAREHOUSE_URL": "postgresql://u@h/d"})
    found = nightly_days(settings.start_date, settings.lookback_days, TODAY)
    assert found == DayRange(TODAY - timedelta(days=days - 1), TODAY)
