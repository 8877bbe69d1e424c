"""From responses to rows: fingerprints, deadlines, unknown codes, and what can't be stored."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.service.models import decode_details
from pipeline.service.reading import mend_text
from pipeline.sync.fields import Unstorable, fingerprint, read_uuid
from pipeline.sync.mapping import Mapper

if TYPE_CHECKING:
    from pipeline.warehouse.rows import DetailsObservation, ListObservation

NAME = "0d1ba927-ef90-4000-abb1-772dc45bf1af"
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
    return MAPPER.listed(body, NOW, DAY)


def details(**fields: Any) -> DetailsObservation:
    """Map details with these fields, had at NOW by the service's clock."""
    body = json.dumps({"id": NAME, **fields}).encode()
    return MAPPER.details(body, decode_details(body), NAME, NOW, NOW)


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
_objects = st.dictionaries(st.text(max_size=6), _json, max_size=5)


@given(row=_objects, entity=_objects, other=_objects, data=st.data())
def test_the_fingerprint_leaves_out_order_and_all_of_the_counterpart_but_its_id(
    row: dict[str, Any], entity: dict[str, Any], other: dict[str, Any], data: st.DataObject
) -> None:
    row.pop("entity", None)
    other["id"] = entity.get("id")
    names = data.draw(st.permutations(sorted(row)))
    reordered = {name: row[name] for name in names}
    mark = fingerprint(json.dumps({**row, "entity": entity}).encode())
    assert mark == fingerprint(json.dumps({"entity": other, **reordered}).encode())
    other["id"] = f"not {entity.get('id')}"
    assert mark != fingerprint(json.dumps({"entity": other, **reordered}).encode())
    assert fingerprint(json.dumps({**row, "entity": entity, "\u2603": 1}).encode()) != mark


@pytest.mark.parametrize("row", [b"", b"{", b"[1]", b'"\xff"', b"[" * 100_000])
def test_every_row_has_a_fingerprint(row: bytes) -> None:
    assert len(fingerprint(row)) == 16


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
    for zero in (0, 0.0, "0", {"ms": 0}, None):
        values = details(**dict.fromkeys(names, zero)).said
        assert [values[name] for name in names] == [None, None, None]
    assert [details().said[name] for name in names] == [None, None, None]
    values = details(valid_until=0).said
    assert values["valid_until"] == datetime(1970, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "name",
    ["created_at", "updated_at", "valid_until", "attended_at", "completed_at", "expires_at"],
)
@pytest.mark.parametrize("form", [CREATED, str(CREATED), f"{CREATED}.0", {"ms": CREATED}])
def test_every_instant_is_read_in_every_form(name: str, form: Any) -> None:
    assert details(**{name: form}).said[name] == datetime(2026, 3, 2, 3, tzinfo=UTC)


@pytest.mark.parametrize(
    "form",
    [
        "2026-03-02T03:00:00Z[UTC]",
        "20260302T030000Z",
        "2026-03-01T24:00-03:00",
        str(CREATED),
        CREATED,
    ],
)
def test_a_timeline_is_read_in_every_form(form: Any) -> None:
    ((_, _, at, _, _),) = details(timeline=[{"date_time": form}]).children["timeline_events"]
    assert at == datetime(2026, 3, 2, 3, tzinfo=UTC)


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
    "fields",
    [
        {"created_at": "secret"},
        {"created_at": {"secret": 1, "other": 2}},
        {"valid_until": 1e300},
        {"timeline": [{"date_time": "secret"}]},
        {"entity": {"id": "secret"}},
        {"entity": {"name": "secret"}},
        {"entity": {"id": NAME, "cifcode": "secret"}},
        {"entity": {"id": NAME, "created_at": "secret"}},
    ],
    ids=lambda fields: str(fields)[:40],
)
def test_what_cannot_be_stored_is_said_without_values(fields: dict[str, Any]) -> None:
    with pytest.raises(Unstorable) as refusal:
        details(**fields)
    assert "secret" not in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_ids_are_uuids_in_one_form() -> None:
    assert read_uuid("id", NAME.upper()) == NAME
    for wrong in ("", NAME[:-1], NAME + "0", "{" + NAME + "}", NAME.replace("-", ""), NAME + "\n"):
        with pytest.raises(Unstorable):
            read_uuid("id", wrong)


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


def test_what_is_cleaned_is_cleaned_everywhere_and_told_of_nowhere() -> None:
    mapped = details(
        status="a\0b",
        timeline=[{"status": "c\0d", "message": "\0"}],
        requirements=[{"code": "e\0", "items": [{"code": "\0f"}]}],
        accepted_requirements=[{"code": "g", "data": {"value": {"h\0": "\0"}}}],
    )
    rows = mapped.children
    assert "\0" not in repr((mapped.values, rows))
    assert rows["timeline_events"][0][3] == "\ufffd"
    assert rows["requirement_items"][0][3] == "\ufffdf"
    assert json.loads(str(rows["requirements"][1][5])) == {"h\ufffd": "\ufffd"}
    assert mapped.codes == [("requirement", "g")]
