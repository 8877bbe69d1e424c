"""Dagster's history in SQLite: the files that Dagster's own storage keeps, written with far less work.

Dagster's own opens a file anew for each event and commits each event by itself: ten milliseconds of CPU
each, and a run has two events for every table and day. What is stored, and where, is left to Dagster's
own methods; connections and transactions are ours.
"""

import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any, Self

import dagster as dg
from dagster._core.events import ASSET_EVENTS
from dagster._core.storage.event_log import SqlEventLogStorageTable, SqliteEventLogStorage
from dagster._core.storage.event_log.sqlite.sqlite_event_log import INDEX_SHARD_NAME
from dagster._core.storage.sqlite import SQLITE_BUSY_TIMEOUT_SECONDS
from dagster._serdes import ConfigurableClassData
from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.pool import NullPool
from typing_extensions import override

from pipeline.assets.sqlite import is_made

#: All that a file is made of, but for what SQLite adds by itself.
_SCHEMA = "select sql from sqlite_master where sql is not null and name not glob 'sqlite_*'"

#: Events stored in one transaction, at most. A batch is what Dagster makes of one table's days.
_BATCH = 1_000


class _OpenFile:
    """A file kept open by one connection, for one thread at a time."""

    def __init__(self, path: Path, url: str) -> None:
        self._path = path
        self._inode = path.stat().st_ino
        self._connection = create_engine(
            url, poolclass=NullPool, connect_args={"timeout": SQLITE_BUSY_TIMEOUT_SECONDS}
        ).connect()

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Begin a transaction; commit it, or take it back when an exception goes through."""
        with self._connection.begin():
            yield self._connection

    @property
    def is_there(self) -> bool:
        """Whether the path still leads to this file: another process may have deleted it."""
        try:
            return self._path.stat().st_ino == self._inode
        except FileNotFoundError:
            return False

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


class _Batch(threading.local):
    """What a thread stores together: the transactions it has open, and the newest events of assets."""

    def __init__(self) -> None:
        self.is_open = False
        self.stack = ExitStack()
        self.connections: dict[str, Connection] = {}
        self.newest: dict[object, tuple[dg.EventLogEntry, int]] = {}


class EventLog(SqliteEventLogStorage):
    """Keeps its files open, and stores a batch of events in one transaction a file.

    Open are the index and the run's file used last. Other processes may use the same files, by this
    class or by Dagster's. What is committed is as durable as there. A process that dies within a batch
    loses the batch, and nothing of the days it tells of: they are in the warehouse.
    """

    def __init__(self, base_dir: str, inst_data: ConfigurableClassData | None = None) -> None:
        self._files: dict[str, _OpenFile] = {}
        self._batch = _Batch()
        self._tables: set[str] = set()
        self._columns_are_there = False
        super().__init__(base_dir, inst_data)
        # How Dagster is told to make batches: it reads this at each event, in this process.
        os.environ.setdefault("DAGSTER_EVENT_BATCH_SIZE", str(_BATCH))

    @classmethod
    @override
    def from_config_value(
        cls, inst_data: ConfigurableClassData | None, config_value: Mapping[str, Any]
    ) -> Self:
        """Make it as dagster.yaml says."""
        return cls(config_value["base_dir"], inst_data)

    @override
    def store_event_batch(self, events: Sequence[dg.EventLogEntry]) -> None:
        """Store all or none. Raises what storing one of them raises."""
        batch = self._batch
        for shard in {INDEX_SHARD_NAME, *(event.run_id for event in events)}:
            self._make(shard)
        with self._db_lock:
            try:
                with batch.stack:
                    batch.is_open = True
                    # Begun first, so committed last, as with a single event.
                    index = self._in_batch(INDEX_SHARD_NAME)
                    for run_id, group in groupby(_apart(events), _run_of_asset_event):
                        if run_id is None:
                            for event in group:
                                self.store_event(event)
                        else:
                            self._store_asset_events(index, run_id, list(group))
                    for event, number in batch.newest.values():
                        super()._store_asset_event(index, event, number)
            finally:
                batch.is_open = False
                batch.connections.clear()
                batch.newest.clear()

    def _store_asset_events(
        self, index: Connection, run_id: str, events: Sequence[dg.EventLogEntry]
    ) -> None:
        """Store events of one run that tell of assets, as ``store_event`` stores each of them."""
        insert = SqlEventLogStorageTable.insert()
        rows = [self._event_to_row(each) for each in events]
        self._in_batch(run_id).execute(insert, rows)
        numbered = insert.returning(SqlEventLogStorageTable.c.id, sort_by_parameter_order=True)
        numbers = list(index.execute(numbered, rows).scalars())
        self._store_asset_event_tags(index, events, numbers)
        for event, number in zip(events, numbers, strict=True):
            self._store_asset_event(index, event, number)

    @override
    def _store_asset_event(self, conn: Connection, event: dg.EventLogEntry, event_id: int) -> None:
        """Store an asset's newest event; of several in a batch the last one overwrites the others."""
        if not self._batch.is_open:
            super()._store_asset_event(conn, event, event_id)
        else:
            told = event.get_dagster_event()
            self._batch.newest[told.asset_key, told.event_type] = event, event_id

    @override
    def has_table(self, table_name: str) -> bool:
        """Return whether the index has a table; asked once of each that it has."""
        if table_name not in self._tables and super().has_table(table_name):
            self._tables.add(table_name)
        return table_name in self._tables

    @override
    def _has_asset_key_index_cols_on_connection(self, conn: Connection) -> bool:
        self._columns_are_there = (
            self._columns_are_there or super()._has_asset_key_index_cols_on_connection(conn)
        )
        return self._columns_are_there

    @override
    def wipe(self) -> None:
        """Delete everything."""
        self._close()
        super().wipe()

    @override
    def dispose(self) -> None:
        """Close the files."""
        super().dispose()
        self._close()

    @override
    @contextmanager
    def _connect(self, shard: str) -> Iterator[Connection]:
        """Begin a transaction in a file, or go on in the one that this thread's batch has begun."""
        if self._batch.is_open:
            yield self._in_batch(shard)
            return
        self._make(shard)
        with self._db_lock, self._file(shard).transaction() as connection:
            yield connection

    @override
    def _initdb(self, engine: Engine, for_index_shard: bool = False) -> None:
        """Make a file, unless it is there: a run's with the tables of the index, as they are the same.

        Dagster's own way reads a hundred revisions of its schema, once to look and once to make.
        """
        index, file = self.path_for_shard(INDEX_SHARD_NAME), str(engine.url.database)
        if for_index_shard or not (is_made(file) or (file != index and _make_like(index, file))):
            super()._initdb(engine, for_index_shard)

    def _in_batch(self, shard: str) -> Connection:
        batch = self._batch
        if shard not in batch.connections:
            batch.connections[shard] = batch.stack.enter_context(self._file(shard).transaction())
        return batch.connections[shard]

    def _file(self, shard: str) -> _OpenFile:
        """Return a file, which is there; close those that nobody will ask for soon."""
        if shard not in self._files:
            for other in self._files.keys() - {INDEX_SHARD_NAME}:
                self._files.pop(other).close()
            path = Path(self.path_for_shard(shard))
            self._files[shard] = _OpenFile(path, self.conn_string_for_shard(shard))
        return self._files[shard]

    def _make(self, shard: str) -> None:
        """Have Dagster make a file where there is none, or bring it to its present form."""
        with self._db_lock:
            if shard in self._files and not self._files[shard].is_there:
                self._files.pop(shard).close()
                self._initialized_dbs.discard(shard)
        if shard not in self._initialized_dbs:
            with super()._connect(shard):
                return

    def _close(self) -> None:
        with self._db_lock:
            while self._files:
                self._files.popitem()[1].close()


def _make_like(known: str, file: str) -> bool:
    """Make a file with the tables and the revision of another; return whether it is made now.

    It is not when somebody else is just making it.
    """
    with closing(sqlite3.connect(known, timeout=SQLITE_BUSY_TIMEOUT_SECONDS)) as session:
        tables = session.execute(_SCHEMA).fetchall()
        revision = session.execute("select version_num from alembic_version").fetchall()
    with closing(sqlite3.connect(file, timeout=SQLITE_BUSY_TIMEOUT_SECONDS)) as session:
        session.isolation_level = None
        session.execute("pragma journal_mode = wal")
        session.execute("begin immediate")
        if session.execute(_SCHEMA).fetchone() is None:
            for (table,) in tables:
                session.execute(table)
            session.executemany("insert into alembic_version values (?)", revision)
        session.execute("commit")
    return is_made(file)


def _run_of_asset_event(event: dg.EventLogEntry) -> str | None:
    """Return the run of an event that tells of an asset; None for others."""
    told = event.dagster_event
    is_asset_event = told is not None and told.event_type in ASSET_EVENTS and told.asset_key
    return event.run_id if is_asset_event else None


def _apart(events: Sequence[dg.EventLogEntry]) -> Iterator[dg.EventLogEntry]:
    """Yield events, those of an asset at least a millisecond apart.

    The UI lists one event of an asset a millisecond. Dagster's own storage is too slow to make two.
    """
    newest: dict[object, int] = {}
    for event in events:
        told = event.dagster_event
        key = told and told.asset_key and (told.asset_key, told.event_type)
        if told and key:
            millisecond = int(event.timestamp * 1_000)
            if millisecond <= newest.get(key, 0):
                millisecond = newest[key] + 1
                # In its middle, so that it stays there when it is calculated with.
                event = event._replace(timestamp=(millisecond + 0.5) / 1_000)
            newest[key] = millisecond
        yield event
