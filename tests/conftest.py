"""What every test can use.

Shared test code lies in ``tests/support`` and is imported as ``tests.support.<module>``: fixtures
by naming the module here, the rest by the tests themselves.
"""

from __future__ import annotations

import gc
import os
import shutil
import signal
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import settings

if TYPE_CHECKING:
    from types import FrameType

    import pytest

pytest_plugins = ["tests.support.postgres"]

#: A file system in memory, and the room that it must have for the folders of the tests.
_MEMORY, _ROOM = Path("/dev/shm"), 8e9  # noqa: S108 - folders in it are made as `tempfile` makes them


def _keep_folders_in_memory() -> None:
    """Let temporary folders be in memory, where there is much: each test copies a database.

    Not where TMPDIR says otherwise, or programs can't be started from there.
    """
    if "TMPDIR" in os.environ or not _MEMORY.is_dir() or shutil.disk_usage(_MEMORY).free < _ROOM:
        return
    if not os.statvfs(_MEMORY).f_flag & os.ST_NOEXEC:
        os.environ["TMPDIR"] = tempfile.tempdir = str(_MEMORY)


_keep_folders_in_memory()
# As the commands do: what is imported stays, and to look for garbage in it takes a tenth of the CPU.
gc.set_threshold(100_000)


def pytest_configure() -> None:
    """Assert no timing; let a SIGTERM end the session as Ctrl-C does: fixtures stop what they started.

    Ctrl-C itself is listened to even where a shell started the session in the background: what has it
    ignored hands that on to the commands under test.
    """
    examples = int(os.environ.get("EXAMPLES", "40"))
    settings.register_profile("ours", parent=settings(), deadline=None, max_examples=examples)
    settings.load_profile("ours")

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """Never search what is imported by now, also not at the end of the session, as pytest does."""
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest tests, which mostly wait: all others run beside them."""
    items.sort(key=lambda item: item.get_closest_marker("daemon") is None)
