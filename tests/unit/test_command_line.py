"""The command line is quick on its feet: help, version and completion import next to nothing."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from pipeline import __version__
from pipeline.cli import COMMANDS
from pipeline.commands.failures import describe
from pipeline.warehouse.database.sql import migrations
from tests.support.commands import make_project

if TYPE_CHECKING:
    from pathlib import Path

#: Libraries that take a tenth of a second or more to import.
HEAVY = {"sqlalchemy", "psycopg", "httpx", "aiohttp", "dagster", "matplotlib", "pyarrow", "apprise"}
_MAIN = """
import atexit, sys
atexit.register(lambda: print(*sys.modules, file=sys.stderr))
sys.argv = ["pipeline", *sys.argv[1:]]
from pipeline.cli import main
main()
"""


def python(code: str, *arguments: str, **variables: str) -> tuple[str, list[str]]:
    """Run code in a new interpreter; return its output, and the modules that it names on stderr."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={"COLUMNS": "200", **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout, done.stderr.split()


def complete(*words: str) -> tuple[str, list[str]]:
    """Ask for completions of the last word, as bash does."""
    line = " ".join(("pipeline", *words))
    variables = {"COMP_WORDS": line, "COMP_CWORD": str(len(words))}
    return python(_MAIN, _PIPELINE_COMPLETE="complete_bash", **variables)


def test_help_version_and_completion_cost_at_most_twice_an_import_of_typer_and_rich() -> None:
    _, floor = python("import sys, typer, rich; print(*sys.modules, file=sys.stderr)")
    text, modules = python(_MAIN, "--help")
    assert "Bring the warehouse up to date." in text
    assert len(modules) <= 2 * len(floor)
    text, modules = python(_MAIN, "--version")
    assert text == f"activity-warehouse {__version__}, schema {migrations()[-1]}\n"
    assert len(modules) <= 2 * len(floor)
    text, modules = complete("s")
    assert text.split() == ["sync", "status", "sandbox"]
    assert len(modules) <= 2 * len(floor)


def test_completion_of_options_imports_no_heavy_library() -> None:
    text, _ = complete("sync", "--f")
    assert text.split() == ["--from", "--full"]
    code = "import sys; from pipeline.cli import load; [load(name) for name in sys.argv[1:]]"
    # `authorize` and `sandbox` still import what they run on.
    names = sorted(COMMANDS.keys() - {"authorize", "sandbox"})
    _, modules = python(f"{code}; print(*sys.modules, file=sys.stderr)", *names)
    assert HEAVY.isdisjoint(modules), HEAVY & set(modules)


def test_a_full_disk_is_told_for_the_history() -> None:
    with sqlite3.connect(":memory:") as full:
        full.execute("pragma max_page_count = 1")
        with pytest.raises(sqlite3.OperationalError) as raised:
            full.execute("create table a (b)")
    line, code = describe(raised.value)
    assert (code, str(line)[:45]) == (1, "no space left on the disk for Dagster's histo")


def test_what_init_could_not_write_is_not_kept(tmp_path: Path) -> None:
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100));"
        "sys.argv = ['pipeline', 'init']; from pipeline.cli import main; main()"
    )
    command = [sys.executable, "-B", "-c", code]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done
    assert done.stderr.startswith("error: .env can't be written: "), done
    assert not (tmp_path / ".env").exists()


def test_json_lines_and_tables_suit_where_they_go() -> None:
    """A table is whole in a pipe, and its first column on a narrow terminal; JSON has no progress."""
    code = (
        "from pipeline.commands.console import err, out, print_table;"
        "print(err.is_terminal);"
        "print_table('t', 'abc', [('12345678', 'x y ' * 30, 'z ' * 30)])"
    )
    seen, _ = python(code, TTY_COMPATIBLE="1", ACTIVITIES_LOG_FORMAT="json", COLUMNS="40")
    assert seen.startswith("False")
    assert "12345678" in seen
    assert "…" not in seen
    piped, _ = python(code, COLUMNS="40")
    assert "x y " * 30 in piped


def test_commands_that_start_at_once_in_a_new_folder_all_find_their_history(tmp_path: Path) -> None:
    made = make_project(tmp_path / "new", {})
    code = "from pipeline.commands.job import open_instance\nwith open_instance() as each: each.get_runs()"
    with ExitStack() as opened:
        started = [opened.enter_context(made.start_python(code)) for _ in range(3)]
        told = [each.end() for each in started]
    assert [each.code for each in told] == [0] * 3, told
