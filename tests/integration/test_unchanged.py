"""A night in which nothing changed: it asks for lists only, and writes next to nothing.

Clause 9 of docs/guarantees.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.mirroring import FIRST, TODAY

if TYPE_CHECKING:
    from tests.integration.conftest import Mirrored


_SIZE = "select pg_database_size(current_database())"


@pytest.mark.slow
def test_ten_thousand_unchanged(mirrored: Mirrored) -> None:
    warehouse = mirrored(10_000)
    loaded = warehouse.days(FIRST, TODAY)
    assert (loaded.status, loaded.loaded.new) == ("complete", 10_000)
    open_days = warehouse.value(
        "select count(*) from (select day from sync.activity_ledger where not final group by day"
        " having count(*) > 8) as days"
    )
    assert open_days > 30
    warehouse.nightly(TODAY)
    before, size = warehouse.versions(), warehouse.value(_SIZE)
    landed = warehouse.value("select count(*) from landing.activity_details")
    recent, older = warehouse.nightly(TODAY)
    assert (recent.status, older.status) == ("complete", "complete")
    assert (recent.details_requests, older.details_requests) == (0, 0)
    assert warehouse.versions() == before
    assert warehouse.value("select count(*) from landing.activity_details") == landed
    assert warehouse.value(_SIZE) - size < 100_000
