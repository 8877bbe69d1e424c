"""Imports run one way: commands, assets -> sync, authorizations -> service, warehouse.

Nothing below assets imports Dagster. Production imports nothing of sandbox and local.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "pipeline"
FILES = sorted(PACKAGE.rglob("*.py"))

#: The parts that each part may import, besides itself.
ALLOWED = {
    "service": set[str](),
    "warehouse": set[str](),
    "report": {"warehouse"},
    "sync": {"service", "warehouse"},
    "authorizations": {"service", "sync", "warehouse"},
    "assets": {
        *("service", "sync", "authorizations", "warehouse"),
        *("configured", "settings", "environment"),
    },
    "sandbox": set[str](),
    "local": {"sandbox"},
}

#: The folders of ``warehouse``, each above those that it may import.
WAREHOUSE = ("database", "schema", "state", "answers", "privacy", "load", "requests", "output")

#: What stands in for production's surroundings, and the commands that start it when they are called.
STAND_INS = ("pipeline.sandbox", "pipeline.local")
STARTERS = {"commands/private_stage.py"}


#: Every layer may import these.
LOWEST = ("pipeline", "pipeline.clock", "pipeline.ids", "pipeline.telemetry", "pipeline.times")


def imports(file: Path) -> set[str]:
    """Return the absolute names that a module imports, also in its functions."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module)
    return names


def loaded(modules: str, wanted: set[str]) -> set[str]:
    """Return which of the ``wanted`` modules a new interpreter has loaded after importing ``modules``."""
    code = f"import sys, {modules}; print(*{wanted} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize("folder", WAREHOUSE)
def test_the_folders_of_the_warehouse_import_one_way(folder: str) -> None:
    above = WAREHOUSE[WAREHOUSE.index(folder) + 1 :]
    for file in (PACKAGE / "warehouse" / folder).glob("*.py"):
        upward = [
            name for name in imports(file) for part in above
            if f"{name}.".startswith(f"pipeline.warehouse.{part}.")
        ]  # fmt: skip
        assert upward == [], file


@pytest.mark.parametrize("layer", sorted(ALLOWED))
def test_layers(layer: str) -> None:
    files = sorted((PACKAGE / layer).rglob("*.py"))
    assert len(files) > 3
    for file in files:
        for name in imports(file):
            top, _, rest = name.partition(".")
            assert top != "dagster" or layer == "assets", f"{file.name} imports Dagster"
            if top == "pipeline" and name not in LOWEST:
                assert rest.split(".")[0] in ALLOWED[layer] | {layer}, f"{file.name}: {name}"


def test_production_imports_no_stand_in() -> None:
    for file in FILES:
        path = file.relative_to(PACKAGE)
        if path.parts[0] not in {"sandbox", "local"} and path.as_posix() not in STARTERS:
            found = {name for name in imports(file) if name.startswith(STAND_INS)}
            assert not found, f"{path}: {found}"


def test_what_starts_stand_ins_loads_them_when_it_is_called() -> None:
    modules = ", ".join(f"pipeline.{name[:-3].replace('/', '.')}" for name in sorted(STARTERS))
    assert not loaded(modules, set(STAND_INS))


@pytest.mark.parametrize("module", ["pipeline.cli", "pipeline.report"])
def test_what_is_heavy_waits_until_it_is_needed(module: str) -> None:
    assert not loaded(module, {"dagster", "matplotlib", "pyarrow"})


def test_no_circle_of_files() -> None:
    """Not even one that only types close."""
    modules = {".".join(file.relative_to(PACKAGE).with_suffix("").parts): file for file in FILES}
    graph: dict[str, set[str]] = {}
    for name, file in modules.items():
        asked = set[str]()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                above = name.split(".")[: -node.level] if node.level else []
                base = ".".join([*above, *filter(None, [node.module])]).removeprefix("pipeline.")
                asked |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
        graph[name] = asked & (modules.keys() - {name})
    assert sum(map(len, graph.values())) > 500
    TopologicalSorter(graph).prepare()  # raises for a circle
