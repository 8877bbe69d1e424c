"""What makes two responses the same: the digest of the fields that docs/service.md names.

Implements docs/design.md "Meaning". Instants count to the millisecond; codes, directions and ids without
case; addresses without what stands behind ``?`` or ``#``; numbers by their value; members of objects in any
order. Fields that nobody names are no news by themselves.
"""

from collections.abc import Mapping
from datetime import datetime
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from typing import Any

import msgspec

from pipeline.sync.fields import digest
from pipeline.warehouse.entities import without_query
from pipeline.warehouse.rows import (
    CHILDREN,
    DETAILS_COLUMNS,
    LISTED_COLUMNS,
    Cell,
    Row,
)

#: Columns that hold codes.
_CODES = frozenset(
    {"type", "in_out_bound", "status", "code", "category", "requirement_code", "disposition"}
    | {"expires_in_time_unit"}
)
#: Rounds nothing.
_EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)
_decode = msgspec.json.Decoder(float_hook=Decimal).decode


def meaning_of_row(activity_id: str, said: Mapping[str, Any]) -> bytes:
    """Return the digest of a row of the list, given its values by column. Its counterpart counts by id."""
    return digest(
        repr((activity_id, _plain_row(LISTED_COLUMNS, map(said.get, LISTED_COLUMNS)))).encode()
    )


def meaning_of_details(said: Mapping[str, Any], children: Mapping[str, list[Row]]) -> bytes:
    """Return the digest of details, given the values and rows that are stored of them.

    Their counterpart counts by id: what it says of itself has a meaning of its own.
    """
    own = _plain_row(DETAILS_COLUMNS, map(said.get, DETAILS_COLUMNS))
    theirs = [
        [_plain_row(columns, row) for row in children[table]] for table, columns in CHILDREN.items()
    ]
    return digest(repr((own, theirs)).encode())


def meaning_of_entity(values: Row, links: list[Row] | None) -> bytes:
    """Return the digest of a counterpart."""
    own = [_plain("", value) for value in values]
    theirs: Any = links and [[_plain("", cell) for cell in link] for link in links]
    return digest(repr((own, theirs)).encode())


def _plain_row(columns: tuple[str, ...], cells: Any) -> list[Any]:
    return [_plain(name, cell) for name, cell in zip(columns, cells, strict=True)]


def _plain(column: str, cell: Cell) -> Any:
    """Return a value in a form whose repr is the same for values that mean the same."""
    if cell is None:
        return None
    if isinstance(cell, str):
        if column == "value":
            return _plain_json(cell)
        return cell.casefold() if column in _CODES else without_query(cell)
    if isinstance(cell, datetime):
        return int(cell.timestamp() * 1000)
    return _number(cell) if isinstance(cell, int | float | Decimal) else cell


def _plain_json(text: str) -> Any:
    """Return JSON in a form that compares; as text if it is too deep for that."""
    try:
        return _ordered(_decode(text))
    except (ValueError, RecursionError):
        return text


def _ordered(value: Any) -> Any:
    if isinstance(value, dict):
        return [(name, _ordered(value[name])) for name in sorted(value)]
    if isinstance(value, list):
        # Not equal to an object with the same members.
        return (*map(_ordered, value),)
    if isinstance(value, str):
        return without_query(value)
    return value if value is None or isinstance(value, bool) else _number(value)


def _number(value: Any) -> Any:
    if isinstance(value, bool):
        return value
    exact = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    # Not text: 1 does not mean "1".
    return exact.normalize(_EXACT) if exact.is_finite() else exact
