"""The systemd units of ``pipeline/deploy``, read for tests that do what systemd would."""

from __future__ import annotations

import configparser
import shlex
import sys
from typing import TYPE_CHECKING

from tests.support.commands import CHECKOUT

if TYPE_CHECKING:
    from pathlib import Path

DEPLOY = CHECKOUT / "pipeline" / "deploy"

#: Where the units expect the checkout's environment.
INSTALLED = "/opt/activity-warehouse/.venv"


class _Unit(configparser.RawConfigParser):
    """Settings of systemd may repeat; the last one is kept, names keep their case."""

    def __init__(self) -> None:
        super().__init__(strict=False, delimiters=("=",), comment_prefixes=("#",))

    def optionxform(self, optionstr: str) -> str:
        return optionstr


def service(unit: Path) -> dict[str, str]:
    """Return the settings of a unit's section Service."""
    parser = _Unit()
    parser.read_string(here(unit))
    return dict(parser["Service"])


def here(unit: Path) -> str:
    """Return a unit's text with the programs of this environment."""
    return unit.read_text(encoding="utf-8").replace(INSTALLED, sys.prefix)


def exec_line(unit: Path, setting: str = "ExecStart") -> list[str]:
    """Return the command line that a unit starts, with the programs of this environment."""
    return shlex.split(service(unit)[setting])
