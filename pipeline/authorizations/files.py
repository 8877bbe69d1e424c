"""Files of people to ask: CSV with a heading, or JSON in the specification's own shape (2.2)."""

import csv
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

COLUMNS = (
    "reference",
    "description",
    "phone_country_code",
    "phone_number",
    "validity_time_unit",
    "validity_amount",
    "requirements",
)
"""The columns of a CSV file, in any order; those of `NEEDED` must be there."""

NEEDED = ("description", "phone_country_code", "phone_number")

_DELIMITERS = ",;\t"
#: ``RQ_002:IDT_001+IDT_002``; several are set apart by spaces or semicolons.
_REQUIREMENT = re.compile(r"([^:\s;]+)(?::([^:\s;]*))?")
_NESTED = {
    "phone": ("phone_country_code", "phone_number"),
    "validity_threshold": ("time_unit", "amount"),
}
_KEYS = {"reference", "description", "requirements", *_NESTED}


class FileUnreadable(Exception):
    """A file of requests can't be read at all; ``str()`` is one line with the remedy."""


@dataclass(frozen=True, repr=False)
class Line:
    """One request of a file: where it stands, its fields, or why it has none.

    ``number``: the line of a CSV file on which it begins, the place in a JSON array from 1.
    """

    number: int
    fields: Mapping[str, object]
    problem: str | None = None

    def __repr__(self) -> str:
        return f"Line({self.number})"


def read_file(path: Path) -> list[Line]:
    """Read a ``.csv`` or ``.json`` file. Raises `FileUnreadable`."""
    readers = {".csv": _read_csv, ".json": _read_json}
    read = readers.get(path.suffix.lower())
    if read is None:
        raise FileUnreadable(f"{path.name}: what is asked for comes in a .csv or a .json file")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise FileUnreadable(f"{path.name} is not UTF-8: save it as UTF-8") from None
    except OSError as error:
        raise FileUnreadable(f"{path.name} can't be read: {error.strerror}") from None
    return list(read(path.name, text))


def unit_of(path: Path) -> str:
    """Return what messages call a place in the file."""
    return "line" if path.suffix.lower() == ".csv" else "entry"


def _read_csv(name: str, text: str) -> Iterator[Line]:
    heading = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=heading.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    began = 1
    columns: list[str] = []
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            raise FileUnreadable(f"{name}, line {began}: not CSV ({error})") from None
        if not columns:
            columns = _columns(name, cells)
        elif any(cell.strip() for cell in cells):
            yield _csv_line(began, columns, cells)
        began = reader.line_num + 1
    if not columns:
        raise FileUnreadable(f"{name} is empty")


def _columns(name: str, cells: list[str]) -> list[str]:
    columns = [cell.strip().lower() for cell in cells]
    unknown = [column for column in columns if column not in COLUMNS]
    missing = [column for column in NEEDED if column not in columns]
    if unknown or missing or len(set(columns)) < len(columns):
        # Not quoted: without a heading, the first line holds somebody's number.
        faults = [f"{len(unknown)} unknown"] * bool(unknown)
        faults += [f"missing: {', '.join(missing)}"] * bool(missing)
        faults += ["one is there twice"] * (len(set(columns)) < len(columns))
        raise FileUnreadable(
            f"{name}: the first line must name the columns ({'; '.join(faults)});"
            f" there are {', '.join(COLUMNS)}"
        )
    return columns


def _csv_line(number: int, columns: list[str], cells: list[str]) -> Line:
    if len(cells) != len(columns):
        return Line(number, {}, f"{len(cells)} cells instead of {len(columns)}")
    fields: dict[str, object] = dict(zip(columns, cells, strict=True))
    wanted = str(fields.get("requirements", "")).strip()
    try:
        fields["requirements"] = _requirements(wanted)
    except ValueError as error:
        return Line(number, fields, str(error))
    return Line(number, fields)


def _requirements(cell: str) -> object:
    """Read ``RQ_002:IDT_001+IDT_002 RQ_005``, or the JSON of the specification's array."""
    if cell.startswith("["):
        try:
            return msgspec.json.decode(cell)
        except ValueError:
            raise ValueError("requirements begins with [ but is not JSON") from None
    wanted: list[dict[str, object]] = []
    for word in re.split(r"[\s;]+", cell):
        if not word:
            continue
        found = _REQUIREMENT.fullmatch(word)
        if found is None:
            raise ValueError("requirements is not of the form RQ_002:IDT_001+IDT_002 RQ_005")
        items = [{"code": item} for item in found[2].split("+")] if found[2] else []
        wanted.append({"code": found[1], "items": items})
    return wanted


def _read_json(name: str, text: str) -> Iterator[Line]:
    try:
        entries = msgspec.json.decode(text)
    except (ValueError, RecursionError) as error:
        where = re.search(r"byte \d+", str(error))
        at = f" (at {where[0]})" if where else ""
        raise FileUnreadable(f"{name} is not JSON{at}") from None
    if not isinstance(entries, list):
        raise FileUnreadable(f"{name} must hold an array of requests")
    for number, entry in enumerate(entries, 1):
        try:
            yield Line(number, _flat(entry))
        except ValueError as error:
            yield Line(number, {}, str(error))


def _flat(entry: object) -> dict[str, object]:
    """Turn the specification's nested shape into columns. Raises ValueError with one line."""
    if not isinstance(entry, dict):
        raise ValueError("not an object")
    if len(unknown := entry.keys() - _KEYS):
        raise ValueError(f"{len(unknown)} unknown fields; there are {', '.join(sorted(_KEYS))}")
    fields = {name: value for name, value in entry.items() if name not in _NESTED}
    for name, inner in _NESTED.items():
        held = entry.get(name)
        if held is None:
            continue
        if not isinstance(held, dict) or not held.keys() <= set(inner):
            raise ValueError(f"{name} is not an object of {' and '.join(inner)}")
        prefix = "validity_" if name == "validity_threshold" else ""
        fields |= {f"{prefix}{key}": value for key, value in held.items()}
    return fields
