"""What ``landing`` holds is read in batches that fit into memory, also where responses hold images."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.warehouse.answers import landing
from tests.support.mirroring import FIRST, TODAY

if TYPE_CHECKING:
    from tests.integration.conftest import Mirrored

MIB = 2**20


def test_a_batch_has_few_activities_whose_responses_are_large(mirrored: Mirrored) -> None:
    warehouse = mirrored(30)
    warehouse.days(FIRST, TODAY)
    ids = [
        name for (name,) in warehouse.query("select id::text from warehouse.activities order by id")
    ]
    large = set(ids[5:12])
    with warehouse.session() as session:
        session.execute("set local session_replication_role = replica")
        session.execute(
            "update landing.activity_details set body = body || convert_to(repeat(' ', %s), 'UTF8')"
            " where activity_id = any(%s::uuid[])",
            (3 * MIB, list(large)),
        )
    with warehouse.engine() as engine:
        batches = list(landing.batches(engine, ids))
    assert [name for batch in batches for name in batch] == ids
    assert [len(large.intersection(batch)) for batch in batches] == [3, 3, 1]
