"""What Dagster's pages say is true, looked at in Chromium: jobs, assets, views. The README's pictures.

``SCREENSHOTS=docs/pictures pytest -m browser tests/acceptance/test_pages.py`` writes these again: a
backfilled month, and the report.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from tests.support.commands import eventually
from tests.support.daemon import DagsterDev
from tests.support.mirroring import compare

if TYPE_CHECKING:
    from pathlib import Path

    from tests.acceptance.conftest import MakeProject, Serve

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

TODAY = datetime.now(UTC).date()
FIRST = TODAY - timedelta(days=30)

#: What pages show at last: the name of a screenshot, the path, and texts.
_VIEW = "/assets/analytics/status_changes?view"
PAGES = (
    ("jobs", "/jobs", ("recent", "ago")),  # its newest run, which the command line did
    ("job", "/locations/pipeline/jobs/recent/runs", ("Success",)),
    ("overview", "/overview/activity/timeline", ("Jobless",)),
    ("checks", "/assets/warehouse/activities?view=checks", ("quarantine_empty",)),
    (
        "activities",
        "/assets/warehouse/activities?view=overview",
        ("Row count", "details_fetched_at", "timestamp with time zone"),
    ),
    ("automation", "/automation", ("ended_processes",)),
    ("analytics", "/locations/pipeline/asset-groups/analytics", ("analytics",)),
    ("view", f"{_VIEW}=overview", ("Refreshed by each run", "no automation of Dagster's", "uuid")),
)


def test_pages_after_a_backfill_and_a_light_run_and_the_report(
    serve: Serve, project: MakeProject, migrated_url: str, shots: Path, tmp_path: Path
) -> None:
    from PIL import Image

    from tests.support.browser import dagster_page

    service = serve(31 * 12, from_date=FIRST, to_date=TODAY, now=datetime.now(UTC))
    made = project(service)
    looks = tmp_path / "looks"
    with DagsterDev(made) as dev, dagster_page(dev.url, looks) as page:
        page.launch_backfill("warehouse/activities", str(FIRST), str(TODAY))
        assert page.backfill_ends() == "Succeeded"
        shown = page.open("/assets/warehouse/activities?view=partitions")
        page.sees("Materialized (31)")
        shown.get_by_text(str(TODAY - timedelta(days=3)), exact=True).first.click()
        page.sees("partition_row_count")
        page.shoot("month")
        service.state.create()
        # From here on the warehouse begins with the month, so the report has no missing days.
        made.settings["ACTIVITIES_START_DATE"] = str(FIRST)
        assert made.run("sync", "--recent").code == 0
        (newest,) = json.loads(made.run("runs", "--json").out)[:1]
        page.open(f"/runs/{newest['run_id']}")
        page.sees("read_newest_days")
        page.shoot("recent")
        for name, path, texts in PAGES:
            page.open(path)
            page.sees(*texts)
            page.shoot(name)
        assert shown.get_by_text("External asset").count() == 0
        page.materialize()
        eventually(lambda: len(dev.runs()) == 3 and dev.idle(), "the view is refreshed", pause=0.5)
        assert {run["status"] for run in dev.runs()} == {"SUCCESS"}
        page.open(f"{_VIEW}=events")
        page.sees("Materialized")
        page.open(f"{_VIEW}=overview")
        page.sees("Row count")  # though nothing had changed
    assert compare(migrated_url, service.state.truth()) == []
    assert made.run("report", "-o", "report.html").code == 0
    with dagster_page(f"file://{made.folder}", looks) as page:
        page.open("/report.html")
        page.sees("Activities")
        page.shoot("report")
    shots.mkdir(parents=True, exist_ok=True)
    for name in ("month", "report"):
        with Image.open(looks / f"{name}.png") as picture:
            small = picture.convert("RGB").quantize(64)
            small.save(shots / f"{name}.png", optimize=True)
        assert (shots / f"{name}.png").stat().st_size < 100_000
