"""Python and PostgreSQL have time zone rules of their own: doctor names a difference."""

from __future__ import annotations

import asyncio
import zoneinfo
from importlib.resources import files
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from pipeline.commands.findings import examine
from pipeline.sync.days import DayRange
from pipeline.warehouse.database.errors import WarehouseUnsuitable
from tests.support.commands import service_settings
from tests.support.mirroring import FIRST, LAST, run_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.integration.conftest import Mirrored

    Rules = Callable[[str, str], None]


@pytest.fixture
def rules(tmp_path: Path) -> Iterator[Rules]:
    """Make Python know a zone by the rules of another."""

    def make(name: str, like: str) -> None:
        file = tmp_path / "zones" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(files("tzdata").joinpath("zoneinfo", like).read_bytes())
        zoneinfo.reset_tzpath([file.parents[name.count("/")]])
        ZoneInfo.clear_cache()

    yield make
    zoneinfo.reset_tzpath()
    ZoneInfo.clear_cache()


def test_a_run_stops_at_a_zone_that_the_server_lacks(mirrored: Mirrored, rules: Rules) -> None:
    """Before anything is stored under its days."""
    warehouse = mirrored(5)
    rules("America/Nowhere", "America/Lima")

    async def run() -> None:
        async with warehouse.mirror() as mirror:
            mirror.zone = ZoneInfo("America/Nowhere")
            await mirror.sync_days(run_id(), DayRange(FIRST, LAST))

    with pytest.raises(WarehouseUnsuitable, match="does not know the time zone America/Nowhere"):
        asyncio.run(run())
    assert warehouse.value("select count(*) from warehouse.activities") == 0


@pytest.mark.parametrize("migrated", [True, False])
def test_doctor_names_both(
    mirrored: Mirrored,
    rules: Rules,
    database_url: str,
    monkeypatch: pytest.MonkeyPatch,
    migrated: bool,
) -> None:
    """Also before the first run, when there are no tables yet."""
    warehouse = mirrored(5)
    service = warehouse.service
    settings = service_settings(service.base_url, service.credentials)
    url = warehouse.url if migrated else database_url
    rules("America/Nowhere", "America/Lima")
    rules("America/Lima", "America/New_York")

    for name, value in (settings | {"WAREHOUSE_URL": url}).items():
        monkeypatch.setenv(name, value)
    for zone, passed, words in (
        ("UTC", True, "the same rules for UTC"),
        ("America/Lima", None, "different rules for America/Lima"),
        ("America/Nowhere", False, "does not know the time zone America/Nowhere"),
    ):
        monkeypatch.setenv("ACTIVITIES_TIMEZONE", zone)
        ((said, result),) = [
            (text, result)
            for what, text, result in examine(test_alert=False)
            if what == "time zone"
        ]
        assert words in said
        assert result is passed
