"""The benchmarks by their command, on few activities; and the page that shows what was measured."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.support.commands import CHECKOUT

if TYPE_CHECKING:
    from pathlib import Path

RESULTS = CHECKOUT / "tests" / "benchmarks" / "results"


@pytest.mark.scale
@pytest.mark.timeout(900)
def test_the_command_measures_everything(tmp_path: Path) -> None:
    """On so few activities and days that `.ci/run` can afford it."""
    command = [sys.executable, "-m", "tests.benchmarks", "--activities", "60", "--runs", "1"]
    done = subprocess.run(
        [*command, "--most-days", "30", "--output", tmp_path],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "benchmarks.md").read_text()
    assert text.strip() == done.stdout.strip()
    heads = [line for line in text.splitlines() if line.startswith("| ") and "---" not in line]
    for name in ("`pipeline sync`", "raw-socket floor", "an afternoon's pipeline"):
        assert sum(line.startswith(f"| {name} |") for line in heads) == 2
    assert "| unchanged: rows written | 0.00 | ≤ 0 | met |" in text
    for told in (
        "| a night without news |",
        "| days | first load: CPU s |",
        "| first load, 50 ms each, 64 in flight |",
        "| a night, 6 changed, on |",
    ):
        assert told in text
    assert (tmp_path / "benchmarks.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.scale
@pytest.mark.timeout(300)
def test_nights_are_measured_on_copies(tmp_path: Path) -> None:
    """They equal what the service says: else a night would find more changes, and fail."""
    command = [sys.executable, "-m", "tests.benchmarks", "--activities", "60", "--runs", "1"]
    told = subprocess.run(
        [*command, "--only", "growth", "--most-days", "200", "--output", tmp_path],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "| 600 |" in told.stdout


def test_the_page_shows_what_was_measured() -> None:
    pages = [file.read_text(encoding="utf-8") for file in RESULTS.glob("*.md")]
    measured = "\n".join(pages).splitlines()
    page = (CHECKOUT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    shown = [line for line in page.splitlines() if line.startswith("|")]
    assert len(shown) > 10
    assert [line for line in shown if line not in measured] == []
    assert "tests/benchmarks/results/benchmarks.png" in page
