"""The code location that workspace.yaml names (docs/design.md "Dagster")."""

from warnings import catch_warnings, simplefilter

import dagster as dg

from pipeline.assets.alerts import alerts
from pipeline.assets.authorizations import (
    authorizations_queued,
    send_authorizations,
    settle_authorizations,
)
from pipeline.assets.checks import invariants
from pipeline.assets.nightly import nightly, nightly_job, sync_days_job
from pipeline.assets.older_days import check_older_days
from pipeline.assets.processes import ended_processes
from pipeline.assets.recent import recent, recent_job
from pipeline.assets.resource import sync_resource
from pipeline.assets.sync_days import SERVICE_SPEC, TABLE_SPECS, sync_days
from pipeline.assets.views import views

with catch_warnings():
    simplefilter("ignore", dg.BetaWarning)
    ASSETS = dg.with_source_code_references(
        [SERVICE_SPEC, sync_days, *TABLE_SPECS, check_older_days, settle_authorizations, views]
    )

defs = dg.Definitions(
    assets=ASSETS,
    asset_checks=[invariants],
    jobs=[nightly_job, recent_job, sync_days_job, send_authorizations],
    schedules=[nightly, recent],
    sensors=[alerts, authorizations_queued, ended_processes],
    resources={"sync": sync_resource()},
    executor=dg.in_process_executor,
)
