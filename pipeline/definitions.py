"""The code location that workspace.yaml names (docs/design.md "Dagster")."""

import dagster as dg

from pipeline.assets.alerts import alerts
from pipeline.assets.authorizations import authorizations_queued, send_authorizations
from pipeline.assets.checks import invariants
from pipeline.assets.mirror import mirror_resource
from pipeline.assets.nightly import nightly, nightly_job, sync_days_job
from pipeline.assets.open_activities import open_activities
from pipeline.assets.tables import TABLE_SPECS, sync_days
from pipeline.assets.views import VIEWS, analytics_views

defs = dg.Definitions(
    assets=[sync_days, *TABLE_SPECS, open_activities, analytics_views, *VIEWS],
    asset_checks=[invariants],
    jobs=[nightly_job, sync_days_job, send_authorizations],
    schedules=[nightly],
    sensors=[alerts, authorizations_queued],
    resources={"mirror": mirror_resource()},
    executor=dg.in_process_executor,
)
