"""Keeps Dagster's history to one warehouse (docs/upkeep.md "The history of another warehouse").

Each observation of the service names the warehouse of its run. Where the settings lead to another one, the
history's tables are wiped, and shown as that warehouse has them, before anything else.
"""

from collections.abc import Iterator
from datetime import date

import dagster as dg
import sqlalchemy as sa

from pipeline.assets.facts import ACTIVITIES, SERVICE, WAREHOUSE, day_facts, table_facts
from pipeline.warehouse.schema.views import read_views
from pipeline.warehouse.state import coverage, service_facts


def another_warehouse(instance: dg.DagsterInstance, engine: sa.Engine) -> Iterator[str]:
    """Yield the line that says that the history shows another warehouse than this, if it does."""
    shown = _shown(instance)
    if shown is None and not instance.fetch_materializations(ACTIVITIES, limit=1).records:
        return
    if shown != service_facts.identity(engine):
        yield (
            "Dagster's history shows another warehouse (other settings, or a restored backup): the next run"
            " shows this one, and `pipeline sync` starts one"
        )


def show_this_warehouse(
    instance: dg.DagsterInstance, engine: sa.Engine, start: date
) -> Iterator[str]:
    """Make the history that of this warehouse, since ``start``; yield a line if it was another's."""
    identity = service_facts.identity(engine)
    for _ in another_warehouse(instance, engine):
        tables = table_facts(engine)
        others = {key: facts for key, facts in tables.items() if key != ACTIVITIES}
        others |= {dg.AssetKey(["analytics", view.name]): {} for view in read_views()}
        listed = coverage.listed_days(engine, start)
        known = coverage.between(engine, start).values()
        days = [day for day in known if day.complete and day.day in listed]
        events = [dg.AssetMaterialization(key, metadata=facts) for key, facts in others.items()]
        for day in days:
            name, facts = str(day.day), day_facts(day, 0, 0)
            events.append(dg.AssetMaterialization(ACTIVITIES, partition=name, metadata=facts))
        instance.wipe_assets([ACTIVITIES, *others])
        for event in events:
            instance.report_runless_asset_event(event)
        yield (
            "Dagster's history showed another warehouse (other settings, or a restored backup);"
            f" it shows this one now: {len(days)} days"
        )
    if _shown(instance) != identity:
        named = dg.AssetObservation(SERVICE, metadata={WAREHOUSE: identity})
        instance.report_runless_asset_event(named)


def _shown(instance: dg.DagsterInstance) -> str | None:
    """Return the warehouse that the newest observation names."""
    for record in instance.fetch_observations(SERVICE, limit=1).records:
        observed = record.asset_observation
        value = observed and observed.metadata.get(WAREHOUSE)
        return str(value.value) if value else None
    return None
