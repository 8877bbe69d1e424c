"""Files of people to ask: CSV with a heading, or JSON in the service's own shape (docs/service.md 2.2)."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from pipeline.authorizations.requests import COLUMNS
from pipeline.service.models import Requirement

NEEDED = COLUMNS[1:4]
"""Description, country and number: the columns that a CSV file must have, in any order."""

_DELIMITERS = ",;\t"
#: A first line that tells a spreadsheet the delimiter.
_SEPARATOR = re.compile(rf'"?sep=([{_DELIMITERS}])"?[ {_DELIMITERS}]*(?=[\r\n]|$)', re.IGNORECASE)
#: Objects of a JSON entry, and their fields that a column names otherwise.
_NESTED = ("phone", "validity_threshold")
_RENAMED = {"time_unit": "validity_time_unit", "amount": "validity_amount"}

Entry = tuple[int, Mapping[str, object] | str]
"""A request of a file: its place, and its business columns as written, or what is wrong with it.

The place is the line of a CSV file on which it begins, or its number in a JSON array.
"""


class FileUnreadable(Exception):
    """A file can't be read at all; ``str()`` is one line that says why."""


def read_file(path: Path) -> list[Entry]:
    """Read a ``.csv`` or ``.json`` file. Raises `FileUnreadable`."""
    read = {".csv": _read_csv, ".json": _read_json}.get(path.suffix.lower())
    if read is None:
        raise FileUnreadable(f"{path.name} is not a .csv or a .json file")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise FileUnreadable(
            f'{path.name} is not UTF-8: save it in the format "CSV UTF-8" of your spreadsheet'
        ) from None
    except OSError as error:
        raise FileUnreadable(f"{path.name} can't be read: {error.strerror}") from None
    return list(read(path.name, text))


def unit_of(path: Path) -> str:
    """Return what messages call a place in the file."""
    return "line" if path.suffix.lower() == ".csv" else "entry"


def _read_csv(name: str, text: str) -> Iterator[Entry]:
    marked = _SEPARATOR.match(text)
    text = text[marked.end() :] if marked else text
    heading = next((line for line in text.splitlines() if line.strip(_DELIMITERS + " ")), "")
    delimiter = marked[1] if marked else max(_DELIMITERS, key=heading.count)
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
    known = set(columns) & set(COLUMNS)
    # Digits are masked: in a file without a heading, the first line holds somebody's number.
    wrong = [
        re.sub("[0-9]", "*", cell) or "a column without a name"
        for cell in dict.fromkeys(columns)
        if cell not in known or columns.count(cell) > 1
    ]
    missing = [column for column in NEEDED if column not in columns]
    if wrong or missing:
        named = f": {', '.join(wrong)}" if wrong and known else ""
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
    items = ("+".join(item.code or "" for item in each.items or ()) for each in requirements)
    return " ".join(
        f"{each.code}:{codes}" if codes else each.code or ""
        for each, codes in zip(requirements, items, strict=True)
    )


def _read_requirements(cell: str) -> list[dict[str, object]]:
    """Read what `requirements_cell` writes; semicolons can separate requirements, too."""
    requirements: list[dict[str, object]] = []
    for word in cell.replace(";", " ").split():
        code, _, items = word.partition(":")
        codes = items.split("+") if items else []
        requirements.append({"code": code, "items": [{"code": each} for each in codes]})
    return requirements


def _read_json(name: str, text: str) -> Iterator[Entry]:
    try:
        entries = msgspec.json.decode(text)
    except (ValueError, RecursionError) as error:
        where = re.search(r"byte \d+", str(error))
        at = f" (at {where[0]})" if where else ""
        raise FileUnreadable(f"{name} is not JSON{at}") from None
    if not isinstance(entries, list):
        raise FileUnreadable(f"{name} must hold an array of requests")
    yield from enumerate(map(_json_fields, entries), 1)


def _json_fields(entry: object) -> Mapping[str, object] | str:
    if not isinstance(entry, dict):
        return "not an object"
    nested = [entry.pop(name, None) or {} for name in _NESTED]
    if not all(isinstance(each, dict) for each in nested):
        return f"{' or '.join(_NESTED)} is not an object"
    parts = (entry, *nested)
    fields = {_RENAMED.get(name, name): value for part in parts for name, value in part.items()}
    if unknown := fields.keys() - set(COLUMNS):
        known = ("reference", "description", *_NESTED, "requirements")
        return f"{len(unknown)} unknown fields; the fields are {', '.join(known)}"
    return fields
