"""What Dagster's pages say is true, looked at in Chromium: jobs, assets, views."""

from __future__ import annotations

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
FIRST = TODAY - timedelta(days=9)


def test_pages_after_a_sync_and_a_backfill(
    serve: Serve,
    project: MakeProject,
    migrated_url: str,
    shots: Path,
) -> None:
    from tests.support.browser import dagster_page

    service = serve(100, from_date=FIRST, to_date=TODAY, now=datetime.now(UTC))
    made = project(service)
    assert made.run("sync").code == 0
    with DagsterDev(made) as dev, dagster_page(dev.url, shots) as page:
        jobs = page.open("/jobs")
        page.sees("nightly", "ago")  # its newest run, which the command line did
        page.shoot("jobs")
        page.open("/locations/pipeline/jobs/nightly/runs")
        page.sees("Success")
        page.shoot("job")
        page.launch_backfill("warehouse/activities", str(FIRST), str(TODAY))
        assert page.backfill_ends() == "Succeeded"
        page.open("/assets/warehouse/activities?view=overview")
        page.sees("details_fetched_at", "timestamp with time zone")
        page.shoot("activities")
        page.open("/assets/analytics/status_changes?view=overview")
        page.sees("Refreshed by each run", "no automation of Dagster's", "uuid")
        page.shoot("view")
        assert jobs.get_by_text("External asset").count() == 0
        page.materialize()
        eventually(lambda: len(dev.runs()) == 3 and dev.idle(), "the view is refreshed", pause=0.5)
        assert {run["status"] for run in dev.runs()} == {"SUCCESS"}
        page.open("/assets/analytics/status_changes?view=events")
        page.sees("Materialized")
        page.shoot("view-materialized")
        page.open("/assets/analytics/status_changes?view=overview")
        page.sees("Row count")  # though nothing had changed
        page.open("/automation")
        page.sees("ended_processes")
        page.shoot("automation")
        page.open("/locations/pipeline/asset-groups/analytics")
        page.sees("analytics")
        page.shoot("analytics")
    assert compare(migrated_url, service.state.truth()) == []
