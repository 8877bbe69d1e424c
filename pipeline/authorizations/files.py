"""Files of people to ask: CSV with a heading (docs/authorizations.md)."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pipeline.authorizations.requests import COLUMNS
from pipeline.service.models import Requirement

NEEDED = COLUMNS[1:4]
"""Description, country and number: the columns that a CSV file must have, in any order."""

_DELIMITERS = ",;\t"

Entry = tuple[int, Mapping[str, object] | str]
"""A request of a file: the line on which it begins, and its columns as written or what is wrong."""


class FileUnreadable(Exception):
    """A file can't be read at all; ``str()`` is one line that says why."""


def read_file(path: Path) -> list[Entry]:
    """Read a ``.csv`` file. Raises `FileUnreadable`."""
    if path.suffix.lower() != ".csv":
        raise FileUnreadable(f"{path.name} is not a .csv file")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise FileUnreadable(
            f'{path.name} is not UTF-8: save it in the format "CSV UTF-8" of your spreadsheet'
        ) from None
    except OSError as error:
        raise FileUnreadable(f"{path.name} can't be read: {error.strerror}") from None
    return list(_read_csv(path.name, text))


def _read_csv(name: str, text: str) -> Iterator[Entry]:
    heading = next((line for line in text.splitlines() if line.strip(_DELIMITERS + " ")), "")
    delimiter = max(_DELIMITERS, key=heading.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    columns: list[str] = []
    began = 1
    try:
        for cells in reader:
            if columns and any(cell.strip() for cell in cells):
                yield began, _csv_fields(columns, cells)
            elif any(cell.strip() for cell in cells):
                columns = _columns(name, cells)
            began = reader.line_num + 1
    except csv.Error as error:
        raise FileUnreadable(f"{name}, line {began}: not CSV ({error})") from None
    if not columns:
        _columns(name, [])


def _columns(name: str, cells: list[str]) -> list[str]:
    columns = [cell.strip().lower() for cell in cells]
    while columns and not columns[-1]:
        columns.pop()  # a spreadsheet writes empty cells after the last column
    # Digits are masked: in a file without a heading, the first line holds somebody's number.
    wrong = [
        re.sub("[0-9]", "*", cell) or "a column without a name"
        for cell in dict.fromkeys(columns)
        if cell not in COLUMNS or columns.count(cell) > 1
    ]
    missing = [column for column in NEEDED if column not in columns]
    if wrong or missing:
        named = f": {', '.join(wrong)}" if wrong and {*columns} & {*COLUMNS} else ""
        raise FileUnreadable(
            f"{name}: the first line must name the columns ({len(wrong)} unknown or repeated{named};"
            f" missing: {', '.join(missing) or 'none'}); the columns are {', '.join(COLUMNS)}"
        )
    return columns


def _csv_fields(columns: list[str], cells: list[str]) -> Mapping[str, object] | str:
    if len(cells) < len(columns) or any(cell.strip() for cell in cells[len(columns) :]):
        return f"{len(cells)} cells instead of {len(columns)}"
    fields = dict(zip(columns, cells, strict=False))
    return {**fields, "requirements": _read_requirements(fields.get("requirements", ""))}


def requirements_cell(requirements: Sequence[Requirement]) -> str:
    """Write requirements as a cell of a CSV file holds them: ``RQ_002:IDT_001+IDT_002 RQ_005``."""
    cells = []
    for each in requirements:
        items = "+".join(item.code or "" for item in each.items or ())
        cells.append(f"{each.code}:{items}" if items else each.code or "")
    return " ".join(cells)


def _read_requirements(cell: str) -> list[dict[str, object]]:
    """Read what `requirements_cell` writes; semicolons can separate requirements, too."""
    requirements: list[dict[str, object]] = []
    for word in cell.replace(";", " ").split():
        code, _, items = word.partition(":")
        codes = items.split("+") if items else []
        requirements.append({"code": code, "items": [{"code": each} for each in codes]})
    return requirements
