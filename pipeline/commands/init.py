"""``pipeline init``: a folder of one's own, with settings to fill in and Dagster's files."""

import os
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from pipeline.commands.console import out, write
from pipeline.commands.home import FILES
from pipeline.warehouse.database.sql import shipped


def init() -> None:
    """Write .env, dagster.yaml and workspace.yaml into this folder. Files that exist stay as they are.

    A folder with a dagster.yaml keeps Dagster's history. Only you can read .env, which will hold secrets.
    """
    _write(Path(".env"), "\n".join(_settings()), personal=True)
    for name in FILES:
        _write(Path(name), shipped(name).read_text(encoding="utf-8"))
    out.print("fill in .env, then `pipeline doctor` checks it")


def _settings() -> Iterator[str]:
    """Yield the lines of .env: what is required is to be filled in, the others show their default."""
    from pipeline.settings import describe

    meanings = tomllib.loads((files("pipeline") / "settings.toml").read_text(encoding="utf-8"))
    for name, default in describe():
        yield f"# {meanings[name]}"
        yield f"{name}=" if default is None else f"#{name}={default}"
    yield ""


def _write(file: Path, text: str, *, personal: bool = False) -> None:
    if os.path.lexists(file):
        out.print(f"{file} stays as it is")
    else:
        write(file, text, personal=personal)
