"""What is promised, and for each mechanism the fault that takes it out (docs/guarantees.md).

``faults.yaml`` has the faults; ``python -m tests.planted`` plants each in a copy of the tree and says which
test notices it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).resolve().parents[2]

_ROW = re.compile(r"^\| (\d+) ?([^|]*) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
#: The file of a row that has no mechanism of its own.
_NONE = "all of the above"


@dataclass(frozen=True)
class Row:
    """One row of the page's table; ``files``: empty if it has no mechanism of its own."""

    clause: str
    mechanism: str
    files: tuple[str, ...]
    tests: tuple[str, ...]


@dataclass(frozen=True)
class Fault:
    """Texts of one ``file`` and what to put in their place; it takes the ``row``'s mechanism out.

    ``case``: the one of the parameters of the row's test that notices it; empty: any.
    """

    row: str
    file: str
    changes: Mapping[str, str]
    case: str = ""

    def plant(self, root: Path) -> str:
        """Change the file in a copy of the tree; return its former text.

        Raises ``ValueError`` where a text does not occur exactly once.
        """
        path = root / self.file
        text = former = path.read_text(encoding="utf-8")
        for old, new in self.changes.items():
            if text.count(old) != 1:
                raise ValueError(f"{self.file} has {text.count(old)} times, not once: {old}")
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
        return former


def read_rows() -> list[Row]:
    """Return the rows of docs/guarantees.md, in their order."""
    page = (ROOT / "docs" / "guarantees.md").read_text(encoding="utf-8")
    return [
        Row(
            clause,
            mechanism,
            () if file == _NONE else tuple(re.findall(r"`([^`]+)`", file)),
            tuple(re.findall(r"`(test_\w+)`", tests)),
        )
        for clause, _, mechanism, file, tests in _ROW.findall(page)
    ]


def read_faults() -> list[Fault]:
    """Return the faults of ``faults.yaml``; a row may have several."""
    text = Path(__file__).with_name("faults.yaml").read_text(encoding="utf-8")
    return [
        Fault(
            each["row"],
            each["file"],
            {each["old"]: each.get("new") or "", **each.get("also", {})},
            each.get("case", ""),
        )
        # PyYAML's parser in C: each worker reads the whole file while it collects.
        for each in yaml.load(text, yaml.CSafeLoader)
    ]
