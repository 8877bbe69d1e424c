"""``python -m tests.benchmarks.decades``: Dagster's UI in Chromium with ten years of daily partitions.

All days are materialized in Dagster's history, and the warehouse holds as many activities as asked for.
Measured are an asset's page, the launch dialog, and the first answer of a backfill of all days.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import statistics
import tempfile
import time
from contextlib import ExitStack, contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import dagster as dg
from playwright.sync_api import expect

from pipeline.assets.facts import ACTIVITIES
from pipeline.local import LocalPostgres
from pipeline.warehouse.migrate import migrate
from tests.benchmarks.figures import RESULTS, table
from tests.support.browser import DagsterPage, dagster_page
from tests.support.commands import Project, make_project, service_settings
from tests.support.daemon import DagsterDev
from tests.support.mirroring import sandbox
from tests.support.postgres import discard, session_folder
from tests.support.volume import BULK_SETTINGS, fill

if TYPE_CHECKING:
    from collections.abc import Iterator

#: What is measured, and the seconds that it may take.
AIMS = {
    "asset page in a new browser": 2,
    "asset page": 2,
    "its partitions": 2,
    "launch dialog": 1,
    'backfill of all days: "Created"': 10,
    "backfill of all days: its first run": 10,
}

ASSET = "warehouse/activities"


#: The dialog offers so many of the newest days at first.
SHOWN = 90


class Watch:
    """Seconds that were measured, by what was measured."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = {}

    @contextmanager
    def measured(self, what: str) -> Iterator[None]:
        """Measure the block."""
        began = time.monotonic()
        yield
        self.seconds.setdefault(what, []).append(time.monotonic() - began)
        print(f"{what}: {self.seconds[what][-1]:.2f} s", flush=True)  # noqa: T201


def seed(made: Project, days: list[str]) -> None:
    """Show all days as materialized, each with facts as a run gives them."""
    with dg.DagsterInstance.local_temp(str(made.folder)) as instance:
        for number, day in enumerate(days):
            facts = {"dagster/partition_row_count": number, "listed": number, "new": number}
            instance.report_runless_asset_event(
                dg.AssetMaterialization(ACTIVITIES, partition=day, metadata=facts)
            )


def look(watch: Watch, page: DagsterPage) -> None:
    """Open the asset's pages and the launch dialog."""
    for what in ("asset page in a new browser", "asset page"):
        with watch.measured(what):
            shown = page.open(f"/assets/{ASSET}")
            expect(shown.get_by_text("dagster/partition_row_count").first).to_be_visible()
    page.shoot("asset")
    with watch.measured("its partitions"):
        shown = page.open(f"/assets/{ASSET}?view=partitions")
        expect(shown.get_by_text(re.compile(r"^Materialized \([1-9]")).first).to_be_visible()
    page.shoot("days")
    shown = page.open(f"/assets/{ASSET}")
    button = shown.get_by_role("button", name="Materialize").first
    expect(button).to_be_enabled()
    with watch.measured("launch dialog"):
        button.click()
        dialog = shown.get_by_role("dialog").last
        expect(dialog).to_contain_text("Partition selection")
        expect(dialog.get_by_role("button", name=re.compile("^Launch"))).to_be_visible()
    page.shoot("dialog")


def launch(watch: Watch, page: DagsterPage, dev: DagsterDev, days: list[str]) -> None:
    """Launch a backfill of all days from the dialog."""
    shown = page.open(f"/assets/{ASSET}")
    shown.get_by_role("button", name="Materialize").first.click()
    dialog = shown.get_by_role("dialog").last
    if len(days) > SHOWN:
        dialog.get_by_role("button", name="Show all partitions", exact=True).click()
    box = dialog.locator("input[type=text]").first
    box.fill(f"[{days[0]}...{days[-1]}]")
    box.press("Enter")
    button = dialog.get_by_role("button", name="Launch backfill")
    expect(button).to_be_enabled()
    page.shoot("chosen")
    began = time.monotonic()
    with watch.measured('backfill of all days: "Created"'):
        button.click()
        shown.get_by_text(re.compile(r"^Created backfill \w+")).wait_for()
    while not dev.runs():
        time.sleep(0.05)
    seconds = time.monotonic() - began
    watch.seconds.setdefault("backfill of all days: its first run", []).append(seconds)
    page.shoot("created")


def measure(
    service_and_warehouse: dict[str, str], folder: Path, days: list[str], visits: int, shots: Path
) -> dict[str, float]:
    """Measure with a partition for each of these days; return medians by what was measured."""
    watch = Watch()
    started = {"ACTIVITIES_START_DATE": days[0]}
    made = make_project(folder / f"project-{len(days)}", service_and_warehouse | started)
    with watch.measured(f"to report {len(days):,} days"):
        seed(made, days)
    with DagsterDev(made) as dev:
        for _ in range(visits):
            with dagster_page(dev.url, shots) as page:
                look(watch, page)
        with dagster_page(dev.url, shots) as page:
            launch(watch, page, dev, days)
    return {what: statistics.median(seconds) for what, seconds in watch.seconds.items()}


def compare(few: int, many: int, activities: int, visits: int, shots: Path) -> str:
    """Measure with few and with many days; return the table in Markdown."""
    now = datetime.now(UTC)
    last = now.date() - timedelta(days=1)  # over in every time zone
    days = [str(last - timedelta(days=each)) for each in reversed(range(many))]
    with ExitStack() as opened:
        folder = opened.enter_context(session_folder())
        home = Path(tempfile.mkdtemp(dir=folder))
        server = LocalPostgres(home, settings=BULK_SETTINGS).start()
        opened.callback(discard, server)
        migrate(server.url())
        if activities:
            fill(server.url(), activities, now, told=print)
        first = date.fromisoformat(days[0])
        service = opened.enter_context(sandbox(100, from_date=first, to_date=last, now=now))
        settings = service_settings(service.base_url, service.credentials)
        settings["WAREHOUSE_URL"] = server.url()
        least = measure(settings, folder, days[-few:], visits, shots)
        most = measure(settings, folder, days, visits, shots)
    rows = [
        [
            what,
            f"{least[what]:.1f}",
            f"{most[what]:.1f}",
            f"≤ {aim}",
            "met" if most[what] <= aim else "**missed**",
        ]
        for what, aim in AIMS.items()
    ]
    head = ["seconds in Chromium, with", f"{few} days", f"{many:,} days", "aim", ""]
    machine = f"{os.cpu_count()} cores, Python {platform.python_version()}"
    told = f"{activities:,} activities in the warehouse, {machine}, medians of {visits} visits."
    return f"{told}\n\n{table(head, rows)}\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.decades", description=__doc__)
    parser.add_argument("--few", type=int, default=30, help="days to compare with (30)")
    parser.add_argument("--many", type=int, default=3_650, help="days (3,650)")
    parser.add_argument("--activities", type=int, default=5_000_000, help="stored (5,000,000)")
    parser.add_argument("--visits", type=int, default=5, help="of which medians are taken (5)")
    parser.add_argument("--output", type=Path, default=RESULTS, help="folder for what comes out")
    parser.add_argument("--shots", type=Path, default=Path("screenshots"), help="for screenshots")
    chosen = parser.parse_args()
    text = compare(chosen.few, chosen.many, chosen.activities, chosen.visits, chosen.shots)
    (chosen.output / "decades.md").write_text(text, encoding="utf-8")
    print(text)  # noqa: T201
