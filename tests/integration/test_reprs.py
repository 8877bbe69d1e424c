"""No object of ours shows a secret or a shared value: every one there is in the middle of a run."""

from __future__ import annotations

import gc
import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from pipeline.service.client import ServiceClient
from pipeline.service.config import ServiceConfig
from pipeline.service.session import Session
from pipeline.settings import Settings, load_settings
from pipeline.sync.context import Run
from pipeline.sync.fetching import Fetcher
from pipeline.sync.list_rows import ListRow
from pipeline.sync.loading import Loader
from pipeline.sync.mapping import Mapper
from pipeline.sync.run import Mirror
from pipeline.warehouse.rows import (
    DetailsObservation,
    EntityObservation,
    Failure,
    ListObservation,
    Outcome,
)
from tests.support.commands import service_settings
from tests.support.planted import MARK, SECRETS, leak, plant

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.mirroring import Warehouse

    Mirrored = Callable[..., Warehouse]

#: Seen at least; whatever else there is of ours is looked at too.
EXPECTED = {
    Settings, ServiceConfig, ServiceClient, Session, Mirror, Run, Mapper, Fetcher, Loader, ListRow,
    Outcome, Failure, DetailsObservation, ListObservation, EntityObservation,
}  # fmt: skip


def is_ours(kind: type) -> bool:
    """Whether a class is the pipeline's, and not the made-up service's."""
    module = str(kind.__module__)
    return module.startswith("pipeline.") and not module.startswith("pipeline.sandbox")


def test_no_object_of_ours_shows_what_is_not_for_all_eyes(mirrored: Mirrored) -> None:
    warehouse = mirrored(120, credentials=SECRETS)
    state = warehouse.service.state
    plant(state)
    names = state.ids("COMPLETED", "ACCEPTED")
    for name in state.ids():
        spoiled = (state.truth_of(name).details_fields() or {}) | {"valid_until": MARK}
        if name in names[::5]:
            state.replace_payload(name, details=json.dumps(spoiled).encode())
    environment = service_settings(warehouse.service.base_url, SECRETS)
    settings = load_settings(
        environment | {"WAREHOUSE_URL": f"postgresql://me:{MARK}@db.example/x"}
    )
    parking = state.park("details", 110)
    with ThreadPoolExecutor(1) as pool:
        run = pool.submit(warehouse.days, workers=1, batch_size=1000, window_days=90)
        parking.wait(60)
        ours = [thing for thing in gc.get_objects() if is_ours(type(thing))]
        shown = {f"{type(thing).__name__}: {leak(f'{thing!r} {thing}')}" for thing in ours}
        parking.release()
        assert run.result().status == "incomplete"
    assert {type(thing) for thing in ours} >= EXPECTED
    assert leak(str(vars(settings))) is not None  # it holds what it does not show
    assert [line for line in sorted(shown) if not line.endswith(": None")] == []
