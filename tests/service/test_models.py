"""Decoding: whatever comes is read, or refused without a value of it."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pipeline.service import models
from pipeline.service.errors import MalformedResponse, UnexpectedShape
from pipeline.service.models import (
    NO_VALUE,
    AcceptedData,
    decode_details,
    decode_list_item,
    read_page,
)
from pipeline.service.reading import mend_text
from pipeline.service.unknown import MOST_NAMES, unknown_fields

if TYPE_CHECKING:
    from collections.abc import Callable


def dump(value: Any) -> bytes:
    return json.dumps(value).encode()


def refusal(read: Callable[[bytes], object], body: bytes) -> UnexpectedShape | None:
    try:
        read(body)
    except UnexpectedShape as error:
        return error
    return None


#: Comes back in no reason.
SECRET = "Xochitl-4711-secret"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just(SECRET),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.just(SECRET), inner),
    max_leaves=10,
)


@settings(max_examples=200)
@given(JSON)
def test_anything_at_all_is_read_or_refused(value: Any) -> None:
    body = dump(value)
    for read in (decode_details, decode_list_item):
        error = refusal(read, body)
        assert SECRET not in f"{error}{error!r}"
    unknown_fields(body)


@given(st.binary())
@example(b'{"id":"","":0}')  # the bytes may happen to be an object
@example(b'{"activities":[]}')
@example(b"\xff\x00")
def test_no_bytes_fail_otherwise(body: bytes) -> None:
    for read in (decode_details, decode_list_item):
        refusal(read, body)
    with contextlib.suppress(MalformedResponse, UnexpectedShape):
        read_page(body, "x")
    unknown_fields(body)


def test_a_value_stays_as_it_came() -> None:
    body = b'{"id":"a","accepted_requirements":[{"data":{"value":{"b" :1.0e1,\n"a":[]}}},{"data":{}},{}]}'
    accepted = decode_details(body).accepted_requirements
    assert accepted is not None
    first, second, third = accepted
    assert first.data is not None
    assert bytes(first.data.value) == b'{"b" :1.0e1,\n"a":[]}'
    assert second.data is not None
    assert second.data.value == NO_VALUE
    assert third.data is None
    null = decode_details(b'{"id":"a","accepted_requirements":[{"data":{"value": null}}]}')
    assert null.accepted_requirements is not None
    assert null.accepted_requirements[0].data == AcceptedData(NO_VALUE)


def test_a_byte_order_mark_is_passed_over() -> None:
    assert decode_details(b'\xef\xbb\xbf{"id":"a"}').id == "a"
    assert mend_text(b'{"id":"a\\n"}') is None


@pytest.mark.parametrize("depth", [300, 1_000, 100_000])
def test_deep_nesting_is_refused_by_name(depth: int) -> None:
    deep = b'{"id":"deep","x":' + b"[" * depth + b'"]"' + b"]" * depth + b"}"
    for read in (decode_details, decode_list_item):
        error = refusal(read, deep)
        assert error is None or "nested too deeply" in str(error)
    unknown_fields(deep)
    if depth == 100_000:
        with pytest.raises(UnexpectedShape, match="nested too deeply"):
            read_page(b'{"data":[' + deep + b"]}", "x")


@pytest.mark.parametrize("number", ["1e999", "-1e999", "1" + "0" * 5000])
def test_numbers_out_of_range_are_a_wrong_shape(number: str) -> None:
    with pytest.raises(UnexpectedShape):
        decode_details(f'{{"id":"a","created_at":{number}}}'.encode())
    assert decode_details(f'{{"id":"a","valid_until":{number}}}'.encode()).valid_until is None
    value = f'{{"id":"a","accepted_requirements":[{{"data":{{"value":{number}}}}}]}}'.encode()
    accepted = decode_details(value).accepted_requirements
    assert accepted is not None
    assert accepted[0].data is not None
    assert bytes(accepted[0].data.value) == number.encode()


def test_unknown_fields_of_several_kinds() -> None:
    body = {
        "id": "a",
        "z": {"deep": 1},
        "entity": {"nickname": "x", "social_media": [{"since": 1}, {"since": 2, "media": "X"}]},
        "accepted_requirements": [
            {"items": [{"note": 1}, {"note": 2}], "data": {"value": {"any": 1}, "other": 2}}
        ],
        "timeline": {"not": "a list"},
        "expires_in": [{"not": "an object"}],
        "created_at": {"any": 1},
    }
    assert sorted(unknown_fields(dump(body))) == [
        "accepted_requirements[].data.other",
        "accepted_requirements[].items[].note",
        "entity.nickname",
        "entity.social_media[].since",
        "expires_in[].not",
        "timeline.not",
        "z",
    ]


def test_unknown_fields_are_bounded() -> None:
    many = {f"{number}{'x' * 500}": 1 for number in range(1000)}
    names = unknown_fields(dump({"id": "a", **many}))
    assert len(names) == MOST_NAMES
    assert max(map(len, names)) <= 200


STRUCTS = [
    value
    for value in vars(models).values()
    if isinstance(value, type) and issubclass(value, models.Record)
]


@pytest.mark.parametrize("struct", STRUCTS)
def test_no_repr_shows_a_shared_value(struct: type[models.Record]) -> None:
    shown = {"id", "code", "status", "type", "expires_at"}
    values: dict[str, Any] = {
        name: f"secret-{name}" if name not in shown else name for name in struct.__struct_fields__
    }
    record = struct(**values)
    assert "secret" not in f"{record}{record!r}{record.__rich_repr__()}"
