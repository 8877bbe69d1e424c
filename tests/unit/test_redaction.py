"""Redaction: exactly the personal values become null, and all else says what it said."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.warehouse.answers.redaction import (
    Unreadable,
    kept_payload,
    read_entity_id,
    readable_or_nothing,
    says_it_is_over,
    without,
)

VALUES, PROFILE = frozenset({"value"}), frozenset({"personal"})
MESSAGES = frozenset({"message"})
WHO = "0b8e5e3c-0000-4000-8000-000000000001"
NOW = datetime(2026, 4, 1, tzinfo=UTC)

anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
#: Objects that share names with what is redacted, in places where they mean something else.
tricky = st.sampled_from(["data", "value", "code", "accepted_requirements", "entity", "name"])
others = st.dictionaries(tricky | st.text(), anything, max_size=3)
data = st.fixed_dictionaries({}, optional={"value": anything, "more": anything})
items = st.fixed_dictionaries({"code": st.text()}, optional={"type": st.text(), "data": data})
accepted = st.fixed_dictionaries(
    {"code": st.text()},
    optional={"type": st.text(), "category": st.text(), "data": data, "items": st.lists(items)},
)
entities = st.fixed_dictionaries(
    {"id": st.just(WHO), "name": anything},
    optional={"avatar": anything, "score": st.integers(), "social_media": anything, "x": anything},
)
bodies = st.builds(
    lambda rest, fields: rest | fields,
    others,
    st.fixed_dictionaries(
        {"id": st.text(), "accepted_requirements": st.lists(accepted), "entity": entities},
        optional={"requirements": st.lists(others), "type": st.none() | st.text()},
    ),
)
spelled = st.builds(
    lambda body, ascii_only, indent: json.dumps(body, ensure_ascii=ascii_only, indent=indent),
    bodies,
    st.booleans(),
    st.none() | st.just(1),
).map(lambda text: text.encode("utf-8", "surrogatepass"))


def by_hand(body: dict[str, Any]) -> dict[str, Any]:
    for requirement in body["accepted_requirements"]:
        for carrier in (requirement, *requirement.get("items", ())):
            if "data" in carrier:
                carrier["data"] = dict.fromkeys(carrier["data"])
    return body


@given(spelled)
def test_values_become_null_and_all_else_stays(body: bytes) -> None:
    assert json.loads(without(VALUES, body)) == by_hand(json.loads(body))
    assert without(VALUES, without(VALUES, body)) == without(VALUES, body)


@given(spelled)
def test_profiles_become_null_and_all_else_stays(body: bytes) -> None:
    expected = json.loads(body)
    expected["entity"] = {
        name: value if name == "id" else None for name, value in expected["entity"].items()
    }
    assert read_entity_id(body) == WHO
    assert json.loads(without(PROFILE, body)) == expected


def test_messages_become_null_and_fields_that_nobody_knows() -> None:
    body: dict[str, Any] = {
        "id": "x",
        "status": "SENT",
        "description": "secret",
        "notification_message": {"text": "secret"},
        "note": ["secret"],
        "entity": {"id": WHO},
        "requirements": [{"code": "RQ_001"}],
        "timeline": [{"status": "SENT", "date_time": "d", "message": "secret", "by": "secret"}],
    }
    kept = {
        "id": "x",
        "status": "SENT",
        "entity": {"id": WHO},
        "requirements": [{"code": "RQ_001"}],
    }
    found = json.loads(without(MESSAGES, json.dumps(body).encode()))
    assert {name: value for name, value in found.items() if value is not None} == kept | {
        "timeline": [{"status": "SENT", "date_time": "d", "message": None, "by": None}]
    }
    odd = b'{"id":"x","timeline":[["secret"],"secret",{"message":["secret"]}]}'
    assert b"secret" not in without(MESSAGES, odd)
    assert b"secret" not in without(MESSAGES, b'{"timeline":"secret"}')


def test_numbers_keep_their_digits() -> None:
    body = (
        b'\xef\xbb\xbf{ "n":1.10 ,"big":123456789012345678901234567890,"s":"\\u0000\\u0041",'
        b'"accepted_requirements" : [ {"code":"RQ_1", "d\\u0061ta":{"value" : {"a":[1,"}"]} }}]\n}'
    )
    assert without(VALUES, body) == (
        b'{"n":1.10,"big":123456789012345678901234567890,"s":"\\u0000A",'
        b'"accepted_requirements":[{"code":"RQ_1","data":{"value":null}}]}'
    )
    assert without(PROFILE, body) == body


@pytest.mark.parametrize(
    "text", ["[" * 3000 + '"secret"' + "]" * 3000, '"secret\\ud800"', '1,"s":"secret"']
)
def test_what_cannot_be_written_again_goes_whole(text: str) -> None:
    body = f'{{"id":"x","s":{text},"accepted_requirements":["secret"]}}'.encode()
    assert kept_payload(body, (), VALUES) is None
    assert readable_or_nothing(VALUES, body) == b"{}"


@pytest.mark.parametrize(
    "accepted",
    [
        '"secret"',
        '{"data":{"value":"secret"}}',
        '[["secret"]]',
        '[{"value":"secret"}]',
        '[{"data":"secret"}]',
        '[{"data":["secret",{"a":"secret"}]}]',
        '[{"code":{"text":"secret"}}]',
        '[{"odd":{"code":"secret"}}]',
        '[{"items":"secret"}]',
        '[{"items":{"code":"secret"}}]',
    ],
)
def test_a_value_in_an_unexpected_place_counts_as_shared(accepted: str) -> None:
    body = f'{{"id":"x","accepted_requirements":{accepted}}}'.encode()
    assert b"secret" not in without(VALUES, body)


@given(spelled, st.data())
def test_what_is_cut_is_not_kept(body: bytes, draw: st.DataObject) -> None:
    cut = body[: draw.draw(st.integers(0, len(body.rstrip()) - 1))]
    with pytest.raises(Unreadable):
        without(VALUES, cut)
    assert kept_payload(cut, (), VALUES) is None
    if WHO.encode() in cut:
        assert kept_payload(cut, {WHO}, frozenset()) is None


def test_a_payload_of_others_stays() -> None:
    body = json.dumps({"entity": {"id": WHO, "name": "Ann"}, "description": "x"}).encode()
    assert kept_payload(body, (), frozenset()) == body
    assert kept_payload(body, {WHO.replace("1", "2")}, frozenset()) == body
    assert b"Ann" not in (kept_payload(body, {WHO}, frozenset()) or b"")
    # Mentioned somewhere, but not as the counterpart: nobody can tell what else is theirs.
    odd = json.dumps({"entity": [{"id": WHO, "name": "Ann"}]}).encode()
    assert kept_payload(odd, {WHO}, frozenset()) is None


@pytest.mark.parametrize(
    ("body", "over"),
    [
        (b'{"expires_at": 1775001599999, "x', True),
        (b'{"expires_at":"1775001599999"', True),
        (b'{"expires_at": 1775001600001}', False),
        (b'{"expires_at": 0}', False),
        (b'{"expires_at": null, "status": "ACCEPTED"}', False),
        (b'{"status" : "EXPIRED"', True),
        (b'{"entity":{"unregistered":true', True),
        (b"<html>", False),
    ],
)
def test_a_malformed_response_may_say_that_it_is_over(body: bytes, *, over: bool) -> None:
    assert says_it_is_over(body, NOW) is over
