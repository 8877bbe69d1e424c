"""Reads the settings of ``.env``, which systemd may read too (docs/operations.md "One .env for all")."""

import re
from pathlib import Path

from dotenv import load_dotenv

from pipeline.commands.console import UsageWrong

#: systemd refuses noncharacters and drops what follows a NUL; U+FFFD stands for what is no UTF-8.
_NEVER = "\0\ufdd0-\ufdef\ufeff\ufffd" + "".join(
    f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000)
)

#: The lines that systemd, Compose and we read alike. They differ in what follows a value, and in what
#: `export`, backslashes, `$`, and quotes or rare spaces in a value mean.
_ALIKE = re.compile(
    rf"(?!.*[{_NEVER}])"
    r"""(\s*(#(.*[^\\])?)?|[ \t]*(?!export[ \t])[A-Za-z_][A-Za-z0-9_]*[ \t]*=[ \t]*"""
    r"""('[^'\\\0]*'|"[^"\\$`\0]*"|(?!#)((?!\s#|[^\S \t])[^'"\\$`\0])*)[ \t]*)""",
    re.DOTALL,
)


def read_env_file(file: Path) -> None:
    """Take over the variables of ``file`` that are not set already.

    Raises `UsageWrong`, with the number of the line, for what programs would read in different ways.
    """
    try:
        lines = file.read_text("utf-8", "replace").split("\n")
    except OSError as error:
        raise UsageWrong(f"{file} can't be read: {error.strerror}; correct or remove it") from None
    for number, line in enumerate(lines, start=1):
        if not _ALIKE.fullmatch(line):
            raise UsageWrong(
                f"{file.name}, line {number}: systemd would read it in another way than this program;"
                " write NAME=value, or NAME='value' if the value has $, quotes or a # after a space"
            )
    load_dotenv(file, interpolate=False)
