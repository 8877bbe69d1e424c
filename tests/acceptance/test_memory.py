"""Memory is bounded: it grows neither with the number of activities nor with that of large answers."""

from __future__ import annotations

import os
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from pipeline.sandbox import Credentials
from tests.benchmarks.precomputed import FIRST, Activities, precomputed
from tests.support.commands import make_project, service_settings
from tests.support.postgres import PostgresServer, fresh_database
from tests.support.reading import stored

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Peak = Callable[[Activities], int]

MIB = 2**20

#: What the peaks of two equal runs may differ by: the collector, the allocator, the threads' luck.
NOISE = 15 * MIB


@pytest.fixture
def peak(tmp_path: Path, postgres: PostgresServer, migrated_template: str) -> Peak:
    """Return what mirrors activities into a new warehouse by `pipeline sync`: its peak memory in bytes."""

    def measure(activities: Activities) -> int:
        last = (FIRST + timedelta(days=activities.days - 1)).isoformat()
        with fresh_database(postgres, migrated_template) as name, precomputed(activities) as url:
            settings = service_settings(url, Credentials())
            settings["WAREHOUSE_URL"] = postgres.url(name)
            project = make_project(tmp_path / name, settings)
            with project.start_interpreter(
                "sync", "--from", FIRST.isoformat(), "--to", last
            ) as command:
                _, status, usage = os.wait4(command.process.pid, 0)
                command.process.returncode = os.waitstatus_to_exitcode(status)
                assert command.process.returncode == 0, command.said
            assert stored(postgres.url(name)) == activities.number
        return usage.ru_maxrss * 1024

    return measure


@pytest.mark.scale
@pytest.mark.timeout(1800)
def test_fifty_thousand_in_the_memory_of_twenty(peak: Peak) -> None:
    """As many a day: what a few windows list is in memory, whatever their number."""
    few, many = peak(Activities(20_000, 40)), peak(Activities(50_000, 100))
    assert many < few + NOISE


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_answers_of_5_megabytes(peak: Peak) -> None:
    """At 16 in flight; each answer is held once as it came and, for a moment, as PostgreSQL wants it."""
    few, many = peak(Activities(40, 4, 5_000_000)), peak(Activities(100, 4, 5_000_000))
    assert many < few + 5 * NOISE
