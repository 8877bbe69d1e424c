"""What every test can use.

Shared test code lies in ``tests/support`` and is imported as ``tests.support.<module>``: fixtures
by naming the module here, the rest by the tests themselves.
"""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

from hypothesis import settings

if TYPE_CHECKING:
    from types import FrameType

    import pytest

pytest_plugins = ["tests.support.postgres"]


def pytest_configure() -> None:
    """Assert no timing; let a SIGTERM end the session as Ctrl-C does: fixtures stop what they started.

    Ctrl-C itself is listened to even where a shell started the session in the background: what has it
    ignored hands that on to the commands under test.
    """
    settings.register_profile("no deadline", parent=settings(), deadline=None)
    settings.load_profile("no deadline")

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest tests, which mostly wait: all others run beside them."""
    items.sort(key=lambda item: item.get_closest_marker("daemon") is None)
