"""Printing and exit codes, for all commands."""

import os
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from enum import IntEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

#: The option of every command with output for programs.
AsJson = Annotated[
    bool, typer.Option("--json", help="Print JSON (docs/operations.md, For programs).")
]

_BEYOND_ASCII = range(0x7F, 0xA0)
_CONTROLS = dict.fromkeys([*range(0x09), *range(0x0B, 0x20), *_BEYOND_ASCII], "\ufffd")


class _Printer(Console):
    """Prints what it is given as it is, but for control characters: they could command the terminal."""

    def __init__(self, *, stderr: bool = False) -> None:
        # No markup, no emoji: we also print texts of the service, and brackets in them are not styles.
        super().__init__(markup=False, emoji=False, highlight=False, soft_wrap=True, stderr=stderr)

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
    """Messages on stderr, as lines for people, or as JSON lines (docs/operations.md "For programs")."""

    @property
    def json_lines(self) -> bool:
        """Whether ``ACTIVITIES_LOG_FORMAT`` asks for JSON."""
        return os.environ.get("ACTIVITIES_LOG_FORMAT") == "json"

    def print(self, *objects: Any, level: str = "info", **options: Any) -> None:
        """Print one message."""
        if not self.json_lines:
            return super().print(*objects, **options)
        message = " ".join(str(each) for each in objects)
        line = {"time": datetime.now(UTC), "level": level, "message": message}
        self.file.write(_json(line))
        return self.file.flush()


out = _Printer()
err = _Messages(stderr=True)


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
    """Print one line on stderr: a coloured word, then the text. Red is an error, yellow a warning."""
    line = Text.assemble((f"{word}:", style), " ", " ".join(str(text).split()))
    err.print(line, level="error" if style == "red" else "warning")


def print_json(value: object) -> None:
    """Print a value as one line of JSON: dataclasses as objects, times in ISO 8601 with their offset."""
    sys.stdout.write(_json(value))


def _json(value: object) -> str:
    import msgspec

    # JSON escapes the other control characters by itself.
    escapes = {code: f"\\u{code:04x}" for code in _BEYOND_ASCII}
    return msgspec.json.encode(value).decode().translate(escapes) + "\n"


def write_output(output: Path, text: str) -> None:
    """Write the file of ``--output``. Raises `UsageWrong` when that is not possible."""
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageWrong(f"--output {output}: can't be written: {error.strerror}") from None
