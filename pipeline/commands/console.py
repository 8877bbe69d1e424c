"""Printing and exit codes, for all commands."""

from enum import IntEnum
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

# No markup: we also print texts of the service, and brackets in them are not styles.
out = Console(markup=False, highlight=False, soft_wrap=True)
err = Console(markup=False, stderr=True, highlight=False, soft_wrap=True)


class Exit(IntEnum):
    """Exit codes."""

    COMPLETE = 0
    FAILED = 1
    USAGE = 2
    INCOMPLETE = 3
    INTERRUPTED = 130
    TERMINATED = 143


class UsageWrong(Exception):
    """A wrong option, setting or file of the caller. ``str()`` is one line."""


def table(title: str, *columns: str, right: tuple[str, ...] = ()) -> Table:
    """Return an empty table. The columns named in ``right`` are aligned right."""
    made = Table(title=title, title_justify="left", header_style="bold")
    for column in columns:
        made.add_column(column, justify="right" if column in right else "left")
    return made


def tell(word: str, text: object, style: str = "red") -> None:
    """Print one line on stderr: a coloured word, then the text."""
    err.print(Text.assemble((f"{word}:", style), " ", " ".join(str(text).split())))


def write_output(output: Path, text: str) -> None:
    """Write the file of ``--output``. Raises `UsageWrong` when that is not possible."""
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageWrong(f"--output {output}: can't be written: {error.strerror}") from None
