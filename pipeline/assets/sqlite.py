"""Dagster's own SQLite storages of runs and schedules, opened with far less work.

Dagster's own reads all revisions of its schema whenever it opens a file, to learn that it is there.
"""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Self, TypeVar

from dagster._core.storage.runs import SqliteRunStorage
from dagster._core.storage.schedules import SqliteScheduleStorage
from dagster._core.storage.sqlite import SQLITE_BUSY_TIMEOUT_SECONDS, create_db_conn_string
from dagster._serdes import ConfigurableClassData
from typing_extensions import override

T = TypeVar("T", bound=SqliteRunStorage | SqliteScheduleStorage)


def is_made(file: str) -> bool:
    """Whether a file of a storage is there, with a revision of Dagster's schema."""
    if not Path(file).exists():
        return False
    with closing(sqlite3.connect(file, timeout=SQLITE_BUSY_TIMEOUT_SECONDS)) as session:
        try:
            return session.execute("select true from alembic_version").fetchone() is not None
        except sqlite3.OperationalError:
            return False


def _opened(
    storage: type[T], name: str, base_dir: str, inst_data: ConfigurableClassData | None
) -> T:
    """Open the file ``name`` in ``base_dir``; Dagster makes it where there is none."""
    if not is_made(f"{base_dir}/{name}.db"):
        storage.from_local(base_dir, inst_data)
    return storage(create_db_conn_string(base_dir, name), inst_data)


class Runs(SqliteRunStorage):
    """The runs; ``runs.db`` in ``base_dir``."""

    @classmethod
    @override
    def from_config_value(
        cls, inst_data: ConfigurableClassData | None, config_value: Mapping[str, Any]
    ) -> Self:
        """Open it as dagster.yaml says."""
        return _opened(cls, "runs", config_value["base_dir"], inst_data)


class Schedules(SqliteScheduleStorage):
    """The schedules' and the sensors' ticks; ``schedules.db`` in ``base_dir``."""

    @classmethod
    @override
    def from_config_value(
        cls, inst_data: ConfigurableClassData | None, config_value: Mapping[str, Any]
    ) -> Self:
        """Open it as dagster.yaml says."""
        return _opened(cls, "schedules", config_value["base_dir"], inst_data)
