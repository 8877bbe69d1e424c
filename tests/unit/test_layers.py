"""Imports run one way: assets, cli -> authorizations -> sync -> service, warehouse.

Nothing below assets knows Dagster.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "pipeline"

#: Who may import whom, besides itself.
ALLOWED = {
    "service": set[str](),
    "warehouse": set[str](),
    "sandbox": set[str](),
    "sync": {"service", "warehouse"},
    "authorizations": {"service", "sync", "warehouse"},
    "local": {"sandbox"},
    "drill": {"sync", "service", "warehouse", "sandbox", "local"},
    "report": {"warehouse"},
}


def imports(file: Path) -> set[str]:
    """Return the absolute names that a module imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module)
    return names


@pytest.mark.parametrize("layer", sorted(ALLOWED))
def test_layers(layer: str) -> None:
    files = sorted((PACKAGE / layer).rglob("*.py"))
    assert len(files) > 3
    for file in files:
        for name in imports(file):
            top, _, rest = name.partition(".")
            assert top != "dagster", f"{file.name} imports Dagster"
            if top == "pipeline":
                assert rest.split(".")[0] in ALLOWED[layer] | {layer}, f"{file.name}: {name}"


@pytest.mark.parametrize("module", ["pipeline.cli", "pipeline.report"])
def test_what_is_heavy_waits_until_it_is_needed(module: str) -> None:
    code = f"import {module}, sys; print({{'dagster', 'matplotlib', 'pyarrow'}} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
