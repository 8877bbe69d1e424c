"""Restores rows that somebody changed, removed or added outside of a run (docs/design.md "Altered rows").

Triggers mark such activities in the ledger. They are written again from ``landing``, as is what an older
mapping wrote. What landing can't restore has to be asked for: ``sync.todo`` names it then.
"""

from pipeline.sync import mapping
from pipeline.sync.mapping import Mapper
from pipeline.sync.options import Summary, Tools
from pipeline.sync.reparse import rebuild_entities
from pipeline.warehouse.load import entities
from pipeline.warehouse.load.load import load_again
from pipeline.warehouse.state import ledger, service_facts


def restore(tools: Tools, mapper: Mapper, summary: Summary) -> None:
    """Write again what was altered in the summary's days, in all without, and what an older mapping wrote.

    Counts the altered ones in ``summary``. Raises a ``WarehouseError``.
    """
    engine, log, days = tools.engine, tools.progress.log, summary.days
    span = (days.first, days.last) if days is not None else None
    found = ledger.altered_activities(engine, span, mapping.MAPPING_VERSION)
    counterparts = entities.altered_entities(engine)
    if counterparts or service_facts.value_of(engine, service_facts.LOST):
        rebuild_entities(engine, log)
        entities.give_up_entities(engine)
        service_facts.forget(engine, service_facts.LOST)
    load_again(engine, summary.run_id, mapper, [name for name, _ in found])
    summary.healed = sum(by_hand for _, by_hand in found)
    if summary.healed or counterparts:
        log(
            f"restored {summary.healed} activities and {len(counterparts)} counterparts whose rows were"
            " changed outside a run; what landing lacks is fetched from the service again"
        )
