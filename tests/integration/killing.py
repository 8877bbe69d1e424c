"""Kill -9 a process while it waits for a lock, so that it dies in the middle of a transaction."""

from __future__ import annotations

import multiprocessing
from typing import TYPE_CHECKING

import psycopg

if TYPE_CHECKING:
    from collections.abc import Callable

# Forked from a process of its own: this one has threads, which no fork may copy.
_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(["tests.support.warm"])

# pg_stat_activity would not do: within one transaction it stays as it was seen first.
_WAITS = """
select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))
"""


def kill_at(url: str, lock: str, work: Callable[..., object], *given: object) -> bool:
    """Do ``work`` in another process, and kill it once it waits for ``lock``, a statement.

    ``work``: a function of a module, ``given``: its arguments; pickle takes both. False: it ended without
    the lock.
    """
    with psycopg.connect(url) as holder:
        holder.execute(lock.encode())
        process = _PROCESSES.Process(target=work, args=given)
        process.start()
        waits = False
        while not waits and process.is_alive():
            process.join(0.01)
            waits = holder.execute(_WAITS).fetchone() is not None
        process.kill()
        process.join()
    return waits
