"""No object of ours shows a secret or a shared value: every one there is in the middle of a run.

Clause 7 of docs/guarantees.md.
"""

from __future__ import annotations

import gc
import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from pipeline.service.client import ServiceClient
from pipeline.service.config import ServiceConfig
from pipeline.service.tokens import TokenProvider
from pipeline.settings import Settings, load_settings
from pipeline.sync.context import Run
from pipeline.sync.list_rows import ListRow
from pipeline.sync.listing import Question
from pipeline.sync.loading import Loader
from pipeline.sync.mapping import Mapper
from pipeline.sync.run import SyncRunner
from pipeline.sync.walk import Walk
from pipeline.sync.work import Worker
from pipeline.warehouse.state.rows import (
    DetailsObservation,
    EntityObservation,
    Failure,
    ListObservation,
    Outcome,
)
from tests.support.commands import service_settings
from tests.support.obstacles import parked
from tests.support.planted import MARK, SECRETS, leak, plant

if TYPE_CHECKING:
    from tests.integration.conftest import Mirrored


#: Seen at least; whatever else there is of ours is looked at too.
EXPECTED = {
    Settings, ServiceConfig, ServiceClient, TokenProvider, SyncRunner, Run, Mapper, Walk, Question, ListRow,
    Worker, Loader, Outcome, Failure, DetailsObservation, ListObservation, EntityObservation,
}  # fmt: skip


def is_ours(kind: type) -> bool:
    """Whether a class is the pipeline's, and not the made-up service's."""
    module = str(kind.__module__)
    return module.startswith("pipeline.") and not module.startswith("pipeline.sandbox")


def shown() -> dict[type, set[str | None]]:
    """Return what the objects of ours that there are show, though it is not for all eyes, by class."""
    leaks: dict[type, set[str | None]] = {}
    for thing in gc.get_objects():
        if is_ours(kind := type(thing)):
            leaks.setdefault(kind, set()).add(leak(f"{thing!r} {thing}"))
    return leaks


def test_no_object_of_ours_shows_what_is_not_for_all_eyes(mirrored: Mirrored) -> None:
    warehouse = mirrored(120, credentials=SECRETS)
    state = warehouse.service.state
    plant(state)
    names = state.ids("COMPLETED", "ACCEPTED")
    for name in state.ids():
        spoiled = (state.truth_of(name).details_fields() or {}) | {"status": {"a": MARK}}
        if name in names[::5]:
            state.replace_payload(name, details=json.dumps(spoiled).encode())
    environment = service_settings(warehouse.service.base_url, SECRETS)
    settings = load_settings(
        environment | {"WAREHOUSE_URL": f"postgresql://me:{MARK}@db.example/x"}
    )
    parking = state.park("details", 110)
    with (
        ThreadPoolExecutor(1) as pool,
        parked(warehouse.url, "landing.activity_list_rows") as storing,
    ):
        run = pool.submit(warehouse.days, workers=1, batch_size=1000, window_days=90)
        storing.wait()
        while_listing = shown()
        storing.release()
        parking.wait(60)
        while_fetching = shown()
        parking.release()
        assert run.result().status == "incomplete"
    assert while_listing.keys() | while_fetching.keys() >= EXPECTED
    assert leak(str(vars(settings))) is not None  # it holds what it does not show
    for leaks in (while_listing, while_fetching):
        assert {kind: found for kind, found in leaks.items() if found != {None}} == {}
