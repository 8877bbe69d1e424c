"""A migrated warehouse, and mirrors of sandboxes into it."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.mirroring import Warehouse, sandbox

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@pytest.fixture
def mirrored(migrated_url: str) -> Iterator[Callable[..., Warehouse]]:
    """Serve a sandbox (as `sandbox` does) and give the warehouse that mirrors it, empty as yet."""
    with ExitStack() as served:

        def make(activities: int = 300, zone: str = "UTC", **settings: Any) -> Warehouse:
            running = served.enter_context(sandbox(activities, **settings))
            return Warehouse(migrated_url, running, zone)

        yield make
