"""Reads the settings of ``.env``, which systemd may read too (docs/operations.md "One .env for all")."""

import re
from pathlib import Path

from dotenv import load_dotenv

from pipeline.commands.console import UsageWrong

#: The lines that systemd, Compose and we read alike. They differ in what follows a value, and in what
#: `export`, backslashes, `$`, and quotes or rare spaces in a value mean.
_ALIKE = re.compile(
    r"""\s*(#(.*[^\\])?)?|[ \t]*[A-Za-z_][A-Za-z0-9_]*[ \t]*=[ \t]*"""
    r"""('[^'\\\0]*'|"[^"\\$`\0]*"|(?!#)((?!\s#|[^\S \t])[^'"\\$`\0])*)[ \t]*"""
)


def read_env_file(file: Path) -> None:
    """Take over the variables of ``file`` that are not set already.

    Raises `UsageWrong`, with the number of the line, for what programs would read in different ways.
    """
    for number, line in enumerate(file.read_text("utf-8", "replace").split("\n"), start=1):
        if not _ALIKE.fullmatch(line) or "\ufffd" in line:
            raise UsageWrong(
                f"{file.name}, line {number}: systemd would read it in another way than this program;"
                " write NAME=value, or NAME='value' if the value has $, quotes or a # after a space"
            )
    load_dotenv(file, interpolate=False)
