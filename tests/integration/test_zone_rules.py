"""Python and PostgreSQL have time zone rules of their own: a run and doctor name what differs."""

from __future__ import annotations

import asyncio
import zoneinfo
from datetime import date
from importlib.resources import files
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from pipeline.commands.findings import examine
from pipeline.sync.days import DayRange
from pipeline.warehouse.engine import warehouse_engine
from pipeline.warehouse.errors import WarehouseUnsuitable
from pipeline.warehouse.server import check_zone
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


def check(url: str, zone: str, start: date | None = None) -> str | None:
    with warehouse_engine(url) as engine:
        return check_zone(engine, ZoneInfo(zone), start)


@pytest.mark.parametrize(
    "zone", ["UTC", "America/Lima", "Europe/London", "Australia/Lord_Howe", "Asia/Kathmandu"]
)
def test_the_same_rules_are_no_news(migrated_url: str, zone: str) -> None:
    assert check(migrated_url, zone, date(2015, 1, 1)) is None


def test_other_rules_are_named_with_both_versions(migrated_url: str, rules: Rules) -> None:
    rules("America/Lima", "America/New_York")
    said = check(migrated_url, "America/Lima", date(2026, 1, 1))
    assert said is not None
    assert "\n" not in said
    for words in ("PostgreSQL 1", "(tzdata of ", "America/Lima", "first on 2026-03-08"):
        assert words in said


def test_only_the_days_held_count(mirrored: Mirrored, rules: Rules) -> None:
    """Istanbul kept summer time two weeks longer than Athens in 2015, and for good since 2016."""
    rules("Europe/Istanbul", "Europe/Athens")
    warehouse = mirrored(5)
    assert "first on 2015-10-25" in (
        check(warehouse.url, "Europe/Istanbul", date(2015, 6, 1)) or ""
    )
    warehouse.days()
    assert "first on 2026-0" in (check(warehouse.url, "Europe/Istanbul") or "")


def test_a_run_names_the_difference_and_goes_on(mirrored: Mirrored, rules: Rules) -> None:
    rules("America/Lima", "America/New_York")
    warehouse = mirrored(5, zone="America/Lima")
    for _ in range(2):  # the second one knows which days are held
        assert warehouse.days().status == "complete"
    assert any("different rules for America/Lima" in line for line in warehouse.told.lines)


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
