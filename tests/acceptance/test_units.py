"""The systemd units: well formed, hardened, and stopped and started without loss."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.support.units import DEPLOY, here, service

if TYPE_CHECKING:
    from pathlib import Path


UNITS = sorted(DEPLOY.glob("*.service"))


def analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run ``systemd-analyze``, which .ci/run brings where it is missing."""
    program = shutil.which("systemd-analyze")
    assert program, "no systemd-analyze here: `apt-get install systemd` brings it"
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=False)


@pytest.fixture
def units(tmp_path: Path) -> list[str]:
    """Return the units' files, with the programs of this environment: they have to exist."""
    for unit in UNITS:
        (tmp_path / unit.name).write_text(here(unit), encoding="utf-8")
    assert len(UNITS) == 4
    timer = DEPLOY / "pipeline-liveness.timer"
    (tmp_path / timer.name).write_text(timer.read_text(encoding="utf-8"), encoding="utf-8")
    return [str(tmp_path / unit.name) for unit in UNITS]


@pytest.mark.system
def test_systemd_finds_nothing_wrong(units: list[str]) -> None:
    verified = analyze("verify", *units)
    assert (verified.returncode, verified.stderr) == (0, "")  # unknown settings are only warned of


@pytest.mark.system
def test_units_are_hardened(units: list[str]) -> None:
    for unit in units:
        rated = analyze("security", "--offline=true", "--threshold=15", unit)  # 1.5 of 10
        assert rated.returncode == 0, rated.stdout.splitlines()[-1]


def test_units_agree_with_each_other() -> None:
    same = ("User", "EnvironmentFile", "Environment", "StateDirectory")
    settings = [service(unit) for unit in UNITS]
    for name in same:
        assert len({each[name] for each in settings}) == 1
    assert {each["LimitCORE"] for each in settings} == {"0"}
