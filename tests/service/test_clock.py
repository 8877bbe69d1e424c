"""The service's time, learned from its ``Date`` headers."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import formatdate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.service.clock import NEGLIGIBLE_SKEW, ServiceClock

HERE = 1_800_000_000.0


def clock() -> ServiceClock:
    return ServiceClock(lambda: HERE)


def date(seconds: float) -> str:
    return formatdate(seconds, usegmt=True)


def test_without_a_date_it_is_the_local_clock() -> None:
    for header in (None, "", "yesterday"):
        told = clock()
        told.learn(header, HERE)
        assert told.now() == datetime.fromtimestamp(HERE, UTC)
        assert told.skew == 0.0


@given(st.floats(-1e8, 1e8))
def test_it_is_within_a_second_of_the_service(skew: float) -> None:
    told = clock()
    told.learn(date(HERE + skew), HERE)
    if abs(skew) > NEGLIGIBLE_SKEW + 1:
        assert told.skew == pytest.approx(skew, abs=0.51)
    elif abs(skew) < NEGLIGIBLE_SKEW - 1:
        assert (told.skew, told.difference) == (0.0, None)
    assert told.timestamp() == pytest.approx(HERE + told.skew)
    assert told.now().timestamp() == pytest.approx(told.timestamp())


def test_the_time_between_sending_and_receiving_is_split() -> None:
    told = clock()
    told.learn(date(HERE + 100), HERE - 10)
    assert told.skew == pytest.approx(105.5)


def test_the_last_date_counts() -> None:
    told = clock()
    told.learn(date(HERE + 3600), HERE)
    first = told.timestamp()
    told.learn(None, HERE)
    assert told.timestamp() == first
    told.learn(date(HERE + 7200), HERE)
    assert told.timestamp() == pytest.approx(HERE + 7200, abs=1)
    told.learn(date(HERE), HERE)
    assert told.timestamp() == HERE
