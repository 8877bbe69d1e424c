"""What makes two responses the same: the digest of the fields that docs/service.md names.

Implements docs/design.md "Meaning". Instants count to the millisecond; codes, directions and ids without
case; addresses without what stands behind ``?`` or ``#``; numbers by their value; members of objects in any
order. Fields that nobody names are no news by themselves.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from operator import call
from typing import Any, TypeAlias

import msgspec

from pipeline.sync.fields import digest
from pipeline.warehouse.load.entities import without_query
from pipeline.warehouse.state.rows import (
    CHILDREN,
    DETAILS_COLUMNS,
    ENTITY_CODES,
    ENTITY_COLUMNS,
    LISTED_COLUMNS,
    Cell,
    Row,
)

Forms: TypeAlias = list[Callable[[Any], Any]]

#: Columns that hold codes.
_CODES = frozenset(
    {"type", "in_out_bound", "status", "code", "category", "requirement_code"}
    | {"expires_in_time_unit"}
    | ENTITY_CODES
)

#: Larger numbers have one form, too: that of a decimal.
_LARGEST = 2**63
#: Rounds nothing.
_EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)
_decode = msgspec.json.Decoder(float_hook=Decimal).decode
_encode = msgspec.json.Encoder(decimal_format="number").encode


def meaning_of_row(activity_id: str, said: Iterable[Cell]) -> bytes:
    """Return the digest of a row of the list, given its values by `LISTED_COLUMNS`.

    Its counterpart counts by id.
    """
    return digest(_encode((activity_id, _plain_row(_LISTED_FORMS, said))))


def meaning_of_details(said: Mapping[str, Any], children: Mapping[str, list[Row]]) -> bytes:
    """Return the digest of details, given the values and rows that are stored of them.

    Their counterpart counts by id: what it says of itself has a meaning of its own.
    """
    own = _plain_row(_DETAILS_FORMS, map(said.get, DETAILS_COLUMNS))
    theirs = [
        [_plain_row(forms, row) for row in children[table]] for table, forms in _CHILD_FORMS.items()
    ]
    return digest(_encode((own, theirs)))


def meaning_of_entity(values: Row, links: list[Row] | None) -> bytes:
    """Return the digest of a counterpart."""
    own = _plain_row(_ENTITY_FORMS, values)
    theirs: Any = links and [[_plain(cell) for cell in link] for link in links]
    return digest(_encode((own, theirs)))


def _plain_row(forms: Forms, cells: Iterable[Cell]) -> list[Any]:
    """Return cells in a form whose JSON is the same for rows that mean the same."""
    return list(map(call, forms, cells))


def _folded(code: str | None) -> str | None:
    return code and code.casefold()


def _upper(code: str | None) -> str | None:
    return code and code.upper()


def _plain(cell: Cell) -> Any:
    if isinstance(cell, str):
        return without_query(cell)
    if isinstance(cell, datetime):
        return int(cell.timestamp() * 1000)
    return _number(cell) if isinstance(cell, int | float | Decimal) else cell


def _plain_json(text: str | None) -> Any:
    """Return JSON in a form that compares; as text if it is too deep for that."""
    try:
        return text and _ordered(_decode(text))
    except (ValueError, RecursionError):
        return text


def _ordered(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _ordered(value[name]) for name in sorted(value)}
    if isinstance(value, list):
        return [*map(_ordered, value)]
    if isinstance(value, str):
        return without_query(value)
    return value if value is None or isinstance(value, bool) else _number(value)


def _number(value: Any) -> Any:
    """Return a number in the one form that it has; it is not text, since 1 does not mean "1"."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int) and -_LARGEST < value < _LARGEST:
        return value
    exact = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    if not exact.is_finite():
        return exact
    if -_LARGEST < exact < _LARGEST and exact == (whole := int(exact)):
        return whole
    return exact.normalize(_EXACT)


def _forms(columns: Sequence[str], code: Callable[[Any], Any] = _folded) -> Forms:
    """Return for each column what makes one form of a cell's. ``code``: what makes one of a code's."""
    special = {"value": _plain_json, **dict.fromkeys(_CODES, code)}
    return [special.get(column, _plain) for column in columns]


_LISTED_FORMS, _DETAILS_FORMS = _forms(LISTED_COLUMNS), _forms(DETAILS_COLUMNS)
#: In upper case: their digests from before they had one case stay true.
_ENTITY_FORMS = _forms(ENTITY_COLUMNS, _upper)
_CHILD_FORMS = {table: _forms(columns) for table, columns in CHILDREN.items()}
