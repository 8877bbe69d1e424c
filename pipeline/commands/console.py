"""Printing and exit codes, for all commands."""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import UTC, datetime
from decimal import Decimal
from enum import IntEnum
from importlib.util import find_spec
from pathlib import Path
from textwrap import wrap
from typing import IO, Annotated, Any

import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from pipeline.environment import SettingsInvalid, environment

#: The option of every command with output for programs.
AsJson = Annotated[bool, typer.Option("--json", help="Print one line of JSON, for programs.")]
#: The option of every command that writes a file or to stdout.
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="File to write.", show_default="standard output"),
]

#: The option of every command that writes a page.
Page = Annotated[Path, typer.Option("--output", "-o", help="File to write.")]
#: The option of every command that serves a page.
Port = Annotated[int, typer.Option(min=1, max=65535, help="Port of the page.")]

#: Characters of the last column below which a table is hard to read.
_READABLE = 40

_BEYOND_ASCII = range(0x7F, 0xA0)
_CONTROLS = dict.fromkeys([*range(0x09), *range(0x0B, 0x20), *_BEYOND_ASCII], "\ufffd")


class _Printer(Console):
    """Prints what it is given as it is, but for control characters: they could command the terminal."""

    def __init__(self, *, stderr: bool = False) -> None:
        # No markup, no emoji: we also print texts of the service, and brackets in them are not styles.
        super().__init__(markup=False, emoji=False, highlight=False, soft_wrap=True, stderr=stderr)
        if not self.is_terminal:
            self.width = 10_000  # a file or a program takes tables whole

    def render_str(self, text: str, **options: Any) -> Text:
        """Replace control characters before a text is measured: a cell would be too narrow otherwise."""
        return super().render_str(text.translate(_CONTROLS), **options)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Replace control characters in what is no plain string, too."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else text.translate(_CONTROLS), style, control)


class _Messages(_Printer):
    """Messages on stderr, as lines for people, or as JSON lines (docs/nights.md "For programs")."""

    @property
    def json_lines(self) -> bool:
        """Whether ``ACTIVITIES_LOG_FORMAT`` asks for JSON."""
        with suppress(SettingsInvalid):  # it is told in plain text
            return environment().get("ACTIVITIES_LOG_FORMAT") == "json"
        return False

    @property
    def is_terminal(self) -> bool:
        """Whether progress can be shown: JSON lines are for programs, wherever they go."""
        return super().is_terminal and not self.json_lines

    def print(self, *objects: Any, level: str = "info", **options: Any) -> None:
        """Print one message."""
        if not self.json_lines:
            return super().print(*objects, **options)
        message = " ".join(str(each) for each in objects)
        line = {"time": datetime.now(UTC), "level": level, "message": message}
        self.file.write(encode_json(line))
        return self.file.flush()


out = _Printer()
err = _Messages(stderr=True)


class Exit(IntEnum):
    """Exit codes of a command that ends by itself; a signal ends it with 128 and its number."""

    COMPLETE = 0
    FAILED = 1
    USAGE = 2
    #: Of a run: a part of it named problems (`sync.accounting`). `commands.job` tells them.
    INCOMPLETE = 3


class UsageWrong(Exception):
    """A wrong option, setting or file of the caller. ``str()`` is one line."""


def confirm(question: str) -> None:
    """Ask the person at the terminal. Raises `UsageWrong` for a no, and where nobody can be asked."""
    if not sys.stdin.isatty():
        raise UsageWrong(f"nobody can be asked here, so nothing was done: {question} Add --yes")
    if not typer.confirm(question, err=True):
        raise UsageWrong("nothing was done")


def need_extra(extra: str, module: str, what: str) -> None:
    """Raise `UsageWrong` when ``what`` can't work, because this extra of the package is not installed."""
    if find_spec(module) is None:
        install = f"pip install 'activity-warehouse[{extra}]'"
        raise UsageWrong(f"{what} needs {module}: install the package's extra `{extra}`, {install}")


def print_table(
    title: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    none: str | None = None,
    below: Sequence[str] = (),
) -> None:
    """Print rows: whole numbers with commas; times with their zone; None is a dash.

    On a terminal as a table if it fits, else each row as wrapped lines; the columns ``below`` then stand on
    lines of their own. Elsewhere one line a row. ``none``: the line to print if there are no rows.
    """
    given = [list(row) for row in rows]
    if none and not given:
        return out.print(none)
    cells = [[_cell(value) for value in row] for row in given]
    if not out.is_terminal:
        return _print_lines(title, columns, cells)
    apart = [number for number, name in enumerate(columns) if name in below]
    kept = [number for number in range(len(columns)) if number not in apart]
    names = [columns[each] for each in kept]
    made = Table(*names, title=title, title_justify="left", show_header=any(names))
    for row in cells:
        made.add_row(*(row[each] for each in kept))
    for column, number in zip(made.columns, kept, strict=True):
        kinds = {type(row[number]) for row in given} - {type(None)}
        column.justify = "right" if kinds and kinds <= {int, float, Decimal} else "left"
        column.no_wrap = number != kept[-1]  # the last one is a text, if any is
        column.overflow = "fold"  # nothing is cut
    whole = out.measure(made, options=out.options.update_width(10_000)).maximum
    last = max(len(str(cell)) for cell in (columns[kept[-1]], *(row[kept[-1]] for row in cells)))
    if whole - last + min(last, _READABLE) > out.width:
        return _print_wrapped(title, columns, cells, apart)
    out.print(made)
    for row in cells:
        for number in apart:
            if row[number] != "-":
                _print_text(f"{row[0]}: {row[number]}", "")
    return None


def _print_lines(title: str, columns: Sequence[str], cells: Sequence[Sequence[str | Text]]) -> None:
    """Print one line a row, for programs and files."""
    lines = [[" ".join(str(cell).split()) for cell in row] for row in [columns, *cells]]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    out.print(title)
    for line in lines if any(columns) else lines[1:]:
        padded = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        out.print("  ".join(padded).rstrip())


def _print_wrapped(
    title: str, columns: Sequence[str], cells: Sequence[Sequence[str | Text]], apart: Sequence[int]
) -> None:
    """Print each row as its first cell, then the others by name, wrapped."""
    out.print(title, style="italic")
    for row in cells:
        told = [
            f"{columns[number]} {cell}".strip()
            for number, cell in enumerate(row)
            if number and number not in apart and str(cell) != "-"
        ]
        _print_text(f"{row[0]}: {', '.join(told) or '-'}", "  ")
        for number in apart:
            if str(row[number]) not in ("-", ""):
                _print_text(f"  {columns[number]}: {row[number]}", "  ")


def _print_text(text: str, indent: str) -> None:
    lines = wrap(text, out.width, subsequent_indent=indent, break_on_hyphens=False)
    out.print("\n".join(lines))


def print_rows(
    title: str,
    names: Sequence[str],
    records: Iterable[Mapping[str, object]],
    none: str,
    below: Sequence[str] = (),
) -> None:
    """Print records as a table, a column for each of these fields, or the line ``none``."""
    rows = [[record[name] for name in names] for record in records]
    print_table(title, [name.replace("_", " ") for name in names], rows, none, below)


def _cell(value: object) -> str | Text:
    if isinstance(value, datetime):
        from pipeline.times import shown

        return shown(value)
    if type(value) is int:
        return f"{value:,}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "-" if value is None else value if isinstance(value, Text) else str(value)


def tell(word: str, text: object, style: str = "red") -> None:
    """Print one line on stderr: a coloured word, then the text. Red is an error, yellow a warning."""
    line = Text.assemble((f"{word}:", style), " ", " ".join(str(text).split()))
    err.print(line, level="error" if style == "red" else "warning")


def print_json(value: object) -> None:
    """Print a value as one line of JSON: dataclasses as objects, times in ISO 8601 with their offset."""
    write(None, encode_json(value))


def encode_json(value: object) -> str:
    """Return a value as `print_json` prints it."""
    import msgspec

    # JSON escapes the other control characters by itself.
    escapes = {code: f"\\u{code:04x}" for code in _BEYOND_ASCII}
    return msgspec.json.encode(value).decode().translate(escapes) + "\n"


def write(output: Path | None, text: str, *, personal: bool = False) -> None:
    """Write a whole text to the file of ``--output``, as `open_output` does, and say so. None: stdout."""
    with open_output(output, personal=personal) as file:
        file.write(text.encode())
    if output is not None:
        out.print(f"{output} written{'; only you can read it' if personal else ''}")


@contextmanager
def open_output(output: Path | None, *, personal: bool = False) -> Iterator[IO[bytes]]:
    """Open the file of ``--output`` to write, None: stdout. Raises `UsageWrong` when it can't be written.

    A file gets its name only when it is complete. One that is ``personal`` can be read only by its owner.
    """
    if output is None:
        try:
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            # The reader closed the pipe. Without this Python would print an error when it ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return
    try:
        if output.exists() and not output.is_file():  # a device or a pipe
            opened: AbstractContextManager[IO[bytes]] = output.open("wb")
        else:
            opened = _replacing(output.resolve(), 0o600 if personal else 0o666)
        with opened as file:
            yield file
    except OSError as error:
        raise UsageWrong(f"{output} can't be written: {error.strerror}") from None


@contextmanager
def _replacing(file: Path, mode: int) -> Iterator[IO[bytes]]:
    part = file.with_name(f"{file.name}.{os.getpid()}.part")
    part.unlink(missing_ok=True)
    part.touch(mode, exist_ok=False)  # others may not have opened it before
    try:
        with part.open("wb") as opened:
            yield opened
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
