"""The code location that workspace.yaml names."""

import dagster as dg

from pipeline.assets.alerts import alerts
from pipeline.assets.authorizations import authorizations_queued, send_authorizations
from pipeline.assets.checks import invariants
from pipeline.assets.mirror import MirrorResource
from pipeline.assets.nightly import nightly, nightly_job, sync_days_job
from pipeline.assets.open_activities import open_activities
from pipeline.assets.tables import sync_days
from pipeline.assets.views import VIEWS, analytics_views

defs = dg.Definitions(
    assets=[sync_days, open_activities, analytics_views, *VIEWS],
    asset_checks=[invariants],
    jobs=[nightly_job, sync_days_job, send_authorizations],
    schedules=[nightly],
    sensors=[alerts, authorizations_queued],
    resources={
        "mirror": MirrorResource(
            base_url=dg.EnvVar("ACTIVITIES_BASE_URL"),
            api_key=dg.EnvVar("ACTIVITIES_API_KEY"),
            username=dg.EnvVar("ACTIVITIES_USERNAME"),
            password=dg.EnvVar("ACTIVITIES_PASSWORD"),
            warehouse_url=dg.EnvVar("WAREHOUSE_URL"),
            start_date=dg.EnvVar("ACTIVITIES_START_DATE"),
        ),
        # Whom to tell of progress besides the log; the command line puts its progress bar here.
        "progress": dg.ResourceDefinition.hardcoded_resource(None),
    },
    executor=dg.in_process_executor,
)
