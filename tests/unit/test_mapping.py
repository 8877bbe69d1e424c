"""From responses to rows: what they mean, deadlines, unknown codes, and what can't be stored.

Clause 1 of docs/guarantees.md.
"""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.service.reading import mend_text
from pipeline.sync.fields import Unstorable
from pipeline.sync.list_rows import read_row
from pipeline.sync.mapping import Mapper

if TYPE_CHECKING:
    from pipeline.warehouse.state.rows import DetailsObservation, ListObservation

NAME = "0d1ba927-ef90-4000-abb1-772dc45bf1af"
OTHER = "1d1ba927-ef90-4000-abb1-772dc45bf1af"
NOW = datetime(2026, 3, 5, 12, tzinfo=UTC)
DAY = date(2026, 3, 1)
CREATED = 1772420400000  # 2026-03-02T03:00Z, still the day before in Lima
MAPPER = Mapper(
    ZoneInfo("America/Lima"),
    frozenset({"COMPLETED", "DECLINED", "EXPIRED"}),
    frozenset({("status", "SENT"), ("activity_type", "AT_001")}),
)


def _millis(instant: datetime) -> int:
    return round(instant.timestamp() * 1000)


def listed(**fields: Any) -> ListObservation:
    """Map a row of the list with these fields."""
    body = json.dumps({"id": NAME, **fields}).encode()
    return MAPPER.listed(read_row(body, NOW, NOW), DAY)


def details(**fields: Any) -> DetailsObservation:
    """Map details with these fields, had at NOW by the service's clock."""
    body = json.dumps({"id": NAME, **fields}).encode()
    return MAPPER.details(body, NAME, NOW, NOW, NOW)


def test_the_day_is_that_of_the_creation_in_our_zone() -> None:
    dated = listed(created_at=CREATED)
    assert (dated.day, dated.dated) == (date(2026, 3, 1), True)
    guess = listed()
    assert (guess.day, guess.dated) == (DAY, False)
    assert details(created_at={"value": CREATED}).day == date(2026, 3, 1)
    assert details().day is None


_json = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)


def _meaning_listed(**fields: Any) -> bytes:
    return listed(**fields).meaning


def _meaning_details(**fields: Any) -> bytes:
    return details(**fields).meaning


_ROW: dict[str, Any] = {
    "type": "AT_001",
    "in_out_bound": "OUT",
    "status": "SENT",
    "time_zone": "America/Lima",
    "created_at": CREATED,
    "entity": {"id": NAME, "name": "Ann"},
}


@pytest.mark.parametrize(
    "change",
    [
        {"status": "sent", "in_out_bound": "out"},
        {"created_at": {"ms": CREATED}},
        {"id": NAME.upper(), "entity": {"name": "Bob", "id": NAME.upper(), "score": 1}},
        {"revision": 7, "type_name": None},
    ],
    ids=str,
)
def test_a_row_that_says_the_same_means_the_same(change: dict[str, Any]) -> None:
    reordered = dict(reversed(list({**_ROW, **change}.items())))
    assert _meaning_listed(**reordered) == _meaning_listed(**_ROW)


@pytest.mark.parametrize(
    "change",
    [
        {"status": "ACCEPTED"},
        {"status": None},
        {"type": "AT_002"},
        {"in_out_bound": "IN"},
        {"created_at": CREATED + 1},
        {"time_zone": "UTC"},
        {"entity": {"id": OTHER, "name": "Ann"}},
        {"entity": None},
        {"id": OTHER},
    ],
    ids=str,
)
def test_a_row_that_says_anything_else_means_something_else(change: dict[str, Any]) -> None:
    assert _meaning_listed(**{**_ROW, **change}) != _meaning_listed(**_ROW)


_DETAILS: dict[str, Any] = {
    **_ROW,
    "description": "Proof",
    "entity": {"id": NAME, "name": "Ann", "avatar": "https://a.test/b.png?sig=1", "score": 700},
    "timeline": [{"status": "SENT", "date_time": "2026-03-02T03:00:00Z[UTC]"}],
    "accepted_requirements": [{"code": "RQ_001", "data": {"value": {"a": 1, "b": [2, 3]}}}],
}


@pytest.mark.parametrize(
    "change",
    [
        {
            "entity": {
                "score": 700.0,
                "avatar": "https://a.test/b.png?sig=2",
                "name": "Ann",
                "id": NAME,
            }
        },
        {"timeline": [{"date_time": "2026-03-02T03:00:00.0004Z[UTC]", "status": "sent"}]},
        {
            "accepted_requirements": [
                {"data": {"value": {"b": [2, 3.0], "a": 1e0}}, "code": "rq_001"}
            ]
        },
        {"revision": 7, "declined_requirements": [], "expires_at": 0},
    ],
    ids=str,
)
def test_details_that_say_the_same_mean_the_same(change: dict[str, Any]) -> None:
    reordered = dict(reversed(list({**_DETAILS, **change}.items())))
    assert _meaning_details(**reordered) == _meaning_details(**_DETAILS)


@pytest.mark.parametrize(
    "change",
    [
        {"description": "proof"},
        {"entity": {"id": NAME, "name": "Ann", "avatar": "https://a.test/c.png", "score": 700}},
        {"entity": {"id": NAME, "name": "Bob", "avatar": "https://a.test/b.png", "score": 700}},
        {"timeline": []},
        {"timeline": [{"status": "SENT", "date_time": "2026-03-02T03:00:00.001Z[UTC]"}]},
        {"accepted_requirements": [{"code": "RQ_001", "data": {"value": {"a": 1, "b": [3, 2]}}}]},
        {"accepted_requirements": [{"code": "RQ_001", "data": {"value": {"a": "1", "b": [2, 3]}}}]},
        {
            "accepted_requirements": [
                {"code": "RQ_001", "data": {"value": {"a": True, "b": [2, 3]}}}
            ]
        },
        {"accepted_requirements": [{"code": "RQ_001", "data": {}}]},
        {"entity": {**_DETAILS["entity"], "score": 701}},
    ],
    ids=str,
)
def test_details_that_say_anything_else_mean_something_else(change: dict[str, Any]) -> None:
    assert _meaning_details(**{**_DETAILS, **change}) != _meaning_details(**_DETAILS)


@given(value=_json, other=_json)
def test_values_mean_the_same_if_they_are_equal(value: Any, other: Any) -> None:
    said = [
        _meaning_details(accepted_requirements=[{"data": {"value": each}}])
        for each in (value, other)
    ]
    texts = [json.dumps(each, sort_keys=True) for each in (value, other)]
    assert (said[0] == said[1]) == (texts[0] == texts[1])


@pytest.mark.parametrize(
    ("value", "other", "same"),
    [
        ("1", "1.0", True),
        ("100", "1e2", True),
        ("1", '"1"', False),
        ("1", "true", False),
        ("0", "false", False),
        ("[]", "{}", False),
        ("1000000000000000000000000000000", "1000000000000000000000000000001", False),
        ("0.1000000000000000000000000000000", "0.1000000000000000000000000000001", False),
        ("1e-400", "0", False),
        ('"https://a.test/b?sig=1"', '"https://a.test/b?sig=2"', True),
        ('"a?b"', '"a?c"', False),
    ],
)
def test_numbers_and_addresses_within_values(value: str, other: str, *, same: bool) -> None:
    bodies = [
        f'{{"id": "{NAME}", "accepted_requirements": [{{"data": {{"value": {each}}}}}]}}'.encode()
        for each in (value, other)
    ]
    said = [MAPPER.details(each, NAME, NOW, NOW, NOW).meaning for each in bodies]
    assert (said[0] == said[1]) is same


def test_details_mean_for_the_list_what_their_row_says() -> None:
    assert details(**_DETAILS).as_listed == listed(**_ROW).meaning
    assert details(**{**_DETAILS, "status": "ACCEPTED"}).as_listed != listed(**_ROW).meaning


_SOON, _LATER = NOW + timedelta(hours=1), NOW + timedelta(days=9)
_PAST = NOW - timedelta(hours=1)


@pytest.mark.parametrize(
    ("status", "valid_until", "expires_at", "deadline"),
    [
        ("SENT", _SOON, None, _SOON),
        ("SENT", _PAST, None, None),
        ("ACCEPTED", _SOON, _LATER, _SOON),
        ("ACCEPTED", _PAST, _LATER, _LATER),
        ("COMPLETED", _SOON, _LATER, _LATER),
        ("DECLINED", _SOON, None, None),
        ("EXPIRED", _SOON, NOW, None),
        ("ACCEPTED", None, _PAST, None),
        # Our reading of the service's clock may be ahead: it is looked at once more.
        ("ACCEPTED", None, NOW - timedelta(seconds=30), NOW - timedelta(seconds=30)),
        ("NEVER_HEARD_OF", _LATER, _SOON, _SOON),
    ],
)
def test_the_deadline_is_what_the_clock_will_change(
    status: str,
    valid_until: datetime | None,
    expires_at: datetime | None,
    deadline: datetime | None,
) -> None:
    observed = details(
        status=status,
        valid_until=_millis(valid_until) if valid_until else None,
        expires_at=_millis(expires_at) if expires_at else 0,
    )
    assert observed.deadline_at == deadline
    assert observed.final is (status in {"COMPLETED", "DECLINED", "EXPIRED"})


def test_unset_instants_are_null_however_they_are_sent() -> None:
    names = ("attended_at", "completed_at", "expires_at")
    # The last two are midnights in Lima: of the year 1, and of 1970.
    for zero in (0, 0.0, "0", {"ms": 0}, None, -1, -2208988800000, -62135578800000, 18_000_000):
        values = details(**dict.fromkeys(names, zero)).said
        assert [values[name] for name in names] == [None, None, None]
    assert [details().said[name] for name in names] == [None, None, None]
    values = details(valid_until=0).said
    assert values["valid_until"] == datetime(1970, 1, 1, tzinfo=UTC)


def test_unknown_codes_and_fields_are_told_once_and_known_ones_not() -> None:
    observed = details(
        status="ODD",
        type="AT_001",
        colour="red",
        timeline=[{"status": "SENT"}, {"status": "ODD"}],
        requirements=[{"code": "RQ_999", "items": [{"code": "X\0Y"}]}],
        entity={"id": NAME, "nick": 1},
    )
    assert observed.codes == [
        ("field", "colour"),
        ("field", "entity.nick"),
        ("requirement", "RQ_999"),
        ("status", "ODD"),
    ]


@pytest.mark.parametrize(
    ("created", "reason"),
    [
        (0, "created_at lies before 2000"),
        (CREATED // 1000, "created_at lies in 1970: it looks like seconds instead of milliseconds"),
        (_millis(datetime(1999, 12, 31, 23, 59, tzinfo=UTC)), "created_at lies before 2000"),
        (_millis(datetime(2999, 1, 1, tzinfo=UTC)), "created_at lies in the future"),
    ],
)
def test_a_creation_that_cannot_be_true_is_named_and_gives_no_day(
    created: int, reason: str
) -> None:
    row = read_row(json.dumps({"id": NAME, "created_at": created}).encode(), NOW, NOW)
    assert (row.malformed, row.created_at, row.activity_id) == (reason, None, NAME)
    with pytest.raises(Unstorable, match=reason):
        details(created_at=created)


def test_a_stored_row_is_not_judged_by_the_clock_again() -> None:
    created = {"created_at": _millis(NOW + timedelta(days=36_500))}
    body = json.dumps({"id": NAME, **created}).encode()
    assert read_row(body, NOW, NOW).malformed == "created_at lies in the future"
    assert MAPPER.map_row(body, NOW, DAY).said["created_at"] == NOW + timedelta(days=36_500)


@given(value=_json, raw=st.booleans())
def test_mending_changes_nothing_that_can_be_held(value: Any, raw: bool) -> None:
    holdable = json.loads(json.dumps(value).replace("\\u0000", "."))
    text = json.dumps(holdable, ensure_ascii=not raw).encode("utf-8", "surrogatepass")
    if b"\xed" in text and raw:
        text = json.dumps("surrogates have no bytes").encode()
    assert json.loads(mend_text(text) or text) == json.loads(text)


@pytest.mark.parametrize(
    ("given_text", "held"),
    [
        (rb'"a\u0000b"', "a\ufffdb"),
        (rb'"\ud83d"', "\ufffd"),
        (rb'"\ude00\ud83d\ude00"', "\ufffd\U0001f600"),
        (rb'"\\u0000"', "\\u0000"),
        (rb'"\\\u0000"', "\\\ufffd"),
        (rb'"\"\uDFFF\n"', '"\ufffd\n'),
    ],
)
def test_mending_replaces_what_postgres_cannot_hold(given_text: bytes, held: str) -> None:
    assert json.loads(mend_text(given_text) or given_text) == held


def test_counterparts_that_merely_compare_equal_are_not_taken_for_each_other() -> None:
    forms: list[dict[str, Any]] = [{"score": 700}, {"score": 700.0}, {"score": 700, "type": ""}]
    seen = [listed(entity={"id": NAME, **form}).entity for form in (*forms, *forms)]
    scores = [each.values[5] for each in seen if each is not None]
    assert [repr(score) for score in scores] == ["700", "700.0", "700"] * 2
