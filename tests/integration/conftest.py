"""A migrated warehouse, and mirrors of sandboxes into it."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.asking import Asking, people_service
from tests.support.mirroring import Warehouse, restart_run_numbers, sandbox
from tests.support.postgres import PostgresServer, fresh_database
from tests.tools.dictionary import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    #: Gives the warehouse that mirrors a sandbox with these settings.
    Mirrored = Callable[..., Warehouse]


@pytest.fixture
def mirrored(migrated_url: str) -> Iterator[Mirrored]:
    """Serve a sandbox (as `sandbox` does) and give the warehouse that mirrors it, empty as yet.

    Runs draw their page sizes by their ids, so these don't depend on the tests before.
    """
    restart_run_numbers()
    with ExitStack() as served:

        def make(activities: int = 300, zone: str = "UTC", **settings: Any) -> Warehouse:
            running = served.enter_context(sandbox(activities, **settings))
            return Warehouse(migrated_url, running, zone)

        yield make


@pytest.fixture(scope="session")
def shown_url(postgres: PostgresServer, migrated_template: str) -> Iterator[str]:
    """Yield the URL of a warehouse that mirrors the same 2,000 made-up activities each time; to read."""
    with fresh_database(postgres, migrated_template) as name, shown(postgres.url(name)):
        yield postgres.url(name)


@pytest.fixture
def asking(migrated_url: str) -> Iterator[Asking]:
    """Serve a few activities, and send and settle requests in this process."""
    with people_service() as running:
        yield Asking(migrated_url, running)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests counted."""
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in getattr(report, "user_properties", []):
            if report.when == "call":
                terminalreporter.write_line(f"{name}: {value}")
