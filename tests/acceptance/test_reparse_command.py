"""``pipeline reparse`` and ``sync --accept-gone``: what they find, and how they exit."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import psycopg

from pipeline.sandbox import Running, SandboxSettings, SandboxState
from tests.support.commands import make_project, service_settings

if TYPE_CHECKING:
    from pathlib import Path

SETTINGS = SandboxSettings(activities=80, days=20, seed=6)


def test_rebuilt_and_gone(tmp_path: Path, database_url: str) -> None:
    with Running(SandboxState(SETTINGS)) as sandbox, psycopg.connect(database_url) as warehouse:
        warehouse.autocommit = True
        settings = service_settings(sandbox.base_url, SETTINGS.credentials)
        first = datetime.now(UTC).date() - timedelta(days=SETTINGS.days)
        settings |= {"ACTIVITIES_START_DATE": str(first), "ACTIVITIES_LOOKBACK_DAYS": "30"}
        settings["WAREHOUSE_URL"] = database_url
        project = make_project(tmp_path, settings)
        assert project.run("sync").code == 0

        warehouse.execute("delete from warehouse.timeline_events")
        rebuilt = project.run("reparse")
        assert rebuilt.code == 0, str(rebuilt)
        not_counted = "select uncounted_changes from analytics.freshness"
        assert warehouse.execute(not_counted).fetchone() == (0,)
        events = warehouse.execute("select count(*) from warehouse.timeline_events").fetchone()
        assert events is not None
        assert events[0] >= 80

        for name in sandbox.state.ids()[5:30]:
            sandbox.state.delete(name)
        braked = project.run("sync")
        assert braked.code == 3
        assert "--accept-gone" in braked.err
        gone = "select count(*) from warehouse.activities where gone_at is not null"
        assert warehouse.execute(gone).fetchone() == (0,)
        wider = project.run("sync", ACTIVITIES_GONE_PERCENT="101")
        assert wider.code == 2
        accepted = project.run("sync", "--accept-gone")
        assert accepted.code == 0, str(accepted)
        assert warehouse.execute(gone).fetchone() == (25,)
