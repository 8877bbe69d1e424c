"""A run forecasts its requests before it fetches."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.support.mirroring import FIRST, LAST

if TYPE_CHECKING:
    from tests.integration.conftest import Mirrored


def forecast(lines: list[str]) -> tuple[int, int]:
    """Return the list and details requests of the one forecast in ``lines``."""
    (line,) = [line for line in lines if line.startswith("forecast")]
    form = r"about ([\d,]+) list and ([\d,]+) details requests, .* at [\d,]+ a second$"
    match = re.search(form, line)
    assert match is not None, line
    lists, details = (int(number.replace(",", "")) for number in match.groups())
    return lists, details


def test_the_forecast_of_a_first_load_is_right_within_a_third(
    mirrored: Mirrored,
) -> None:
    warehouse = mirrored(800)
    summary = warehouse.days()
    lists, details = forecast(warehouse.told.lines)
    assert summary.details_requests == 800
    assert abs(details - summary.details_requests) <= summary.details_requests / 3
    assert abs(lists - summary.list_requests) <= summary.list_requests / 3


def test_only_days_that_were_never_read_are_foretold(mirrored: Mirrored) -> None:
    warehouse = mirrored(400)
    middle = FIRST + (LAST - FIRST) // 2
    warehouse.days(FIRST, middle)
    warehouse.told.lines.clear()
    assert warehouse.days(FIRST, middle).details_requests == 0
    assert [line for line in warehouse.told.lines if line.startswith("forecast")] == []
    summary = warehouse.days()
    assert forecast(warehouse.told.lines)[1] >= summary.details_requests / 3
