"""What all commands print with, and how they end."""

import os
from enum import IntEnum
from pathlib import Path

from dotenv import load_dotenv
from rich.console import Console
from rich.table import Table
from rich.text import Text

# No markup: what the service says is printed too, and brackets of its own are no styles.
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
    """The command was called wrongly; ``str()`` is one clear line."""


def read_dotenv() -> None:
    """Read a ``.env`` in this folder; what the environment says already counts more."""
    load_dotenv(Path.cwd() / ".env")


def table(title: str, *columns: str, right: tuple[str, ...] = ()) -> Table:
    """Return an empty table; columns named in ``right`` are aligned to the right."""
    made = Table(title=title, title_justify="left", header_style="bold")
    for column in columns:
        made.add_column(column, justify="right" if column in right else "left")
    return made


def tell(word: str, text: object, style: str = "red") -> None:
    """Print one line on stderr: a word in colour, and what is to be said."""
    err.print(Text.assemble((f"{word}:", style), " ", " ".join(str(text).split())))


def write_output(output: Path, text: str) -> None:
    """Write a file that ``--output`` names. Raises `UsageWrong` where that can't be."""
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageWrong(f"--output {output}: can't be written: {error.strerror}") from None


def set_environment(values: dict[str, str]) -> None:
    """Make settings visible to everything that this process starts."""
    os.environ.update(values)
