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
    command = [sys.executable, "-m", "tests.benchmarks", "--activities", "200", "--runs", "1"]
    done = subprocess.run(
        [*command, "--output", tmp_path], cwd=CHECKOUT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "benchmarks.md").read_text()
    assert text.strip() == done.stdout.strip()
    heads = [line for line in text.splitlines() if line.startswith("| ") and "---" not in line]
    for name in ("`pipeline sync`", "raw-socket floor", "plain script"):
        assert sum(line.startswith(f"| {name} |") for line in heads) == 6
    for days in (30, 90, 300):
        assert f"| {days} days, unchanged: rows written | 0.00 | ≤ 0 | met |" in text
    for told in ("| a night without news |", "| 1000 |", "whole process |"):
        assert told in text
    assert (tmp_path / "benchmarks.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.scale
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("ceiling", ("--seconds", "2"), "| two processes | "),
        ("year", ("--before=20", "--nights=2"), "| requests | "),
        ("decades", ("--few=3", "--many=60", "--activities=0", "--visits=1"), "| launch dialog | "),
    ],
)
def test_the_others_measure_too(
    tmp_path: Path, name: str, arguments: tuple[str, ...], told: str
) -> None:
    command = [sys.executable, "-m", f"tests.benchmarks.{name}", "--output", str(tmp_path)]
    if name == "decades":
        pytest.importorskip("playwright")
        command += ["--shots", str(tmp_path)]
    subprocess.run([*command, *arguments], cwd=CHECKOUT, capture_output=True, check=True)
    assert told in (tmp_path / f"{name}.md").read_text(encoding="utf-8")


@pytest.mark.scale
@pytest.mark.timeout(900)
def test_two_checkouts_are_measured_side_by_side(tmp_path: Path) -> None:
    chosen = ["--activities", "200", "--days", "30", "--runs", "1"]
    command = [sys.executable, "-m", "tests.benchmarks.versions", ".", ".", *chosen]
    command += ["--output", str(tmp_path / "out.md")]
    subprocess.run(command, cwd=CHECKOUT, capture_output=True, check=True)
    assert "| first load: requests | 2" in (tmp_path / "out.md").read_text()


def test_the_page_shows_what_was_measured() -> None:
    pages = [file.read_text(encoding="utf-8") for file in RESULTS.glob("*.md")]
    measured = "\n".join(pages).splitlines()
    page = (CHECKOUT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    shown = [line for line in page.splitlines() if line.startswith("|")]
    assert len(shown) > 10
    assert [line for line in shown if line not in measured] == []
    assert "tests/benchmarks/results/benchmarks.png" in page
