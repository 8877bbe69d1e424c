"""Members in another JSON type than the interface says: read if that is plain, else null (clause 1)."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from pipeline.service.models import (
    AcceptedRequirement,
    ActivityDetails,
    Entity,
    ListItem,
    TimelineEntry,
    details_reader,
    row_reader,
)
from pipeline.sync.fields import Unstorable
from pipeline.sync.list_rows import read_row
from tests.unit.test_mapping import CREATED, NAME, NOW, OTHER, details, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    Path = tuple[str | int, ...]

_BODY: dict[str, Any] = {
    "type": "AT_001", "type_name": "Request", "in_out_bound": "OUT", "description": "Proof",
    "status": "ACCEPTED", "notification_message": "Shared", "time_zone": "America/Lima",
    "valid_until": CREATED, "attended_at": CREATED, "completed_at": None, "expires_at": CREATED,
    "created_at": CREATED, "updated_at": CREATED, "expires_in": {"time_unit": "DAYS", "amount": 3},
    "entity": {
        "id": OTHER, "name": "Ann", "cifcode": OTHER, "type": "INDIVIDUAL", "avatar": "https://a.test",
        "score": 700, "scoring_level": "GOOD", "created_at": CREATED, "unregistered": False,
        "social_media": [{"media": "X", "url": "https://x.test"}],
    },
    "requirements": [{"code": "RQ_001", "items": [{"code": "IDT_001"}]}],
    "declined_requirements": [{"code": "RQ_002", "items": []}],
    "accepted_requirements": [{
        "code": "RQ_001", "type": "RTP_001", "category": "RQC_001", "data": {"value": {"a": 1}},
        "items": [{"code": "IDT_001", "type": "RTP_001", "data": {"value": 1}}],
    }],
    "timeline": [
        {"status": "SENT", "date_time": "2026-03-02T03:00:00Z", "message": "m", "http_request_id": "r"}
    ],
}  # fmt: skip

#: Free-form: any JSON belongs there.
_FREE = "value"
_SCALARS: st.SearchStrategy[Any] = (
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=6)
    | st.sampled_from(
        ["", " ", "true", "False", "85", "8,5", "1e5", "2026-03-02T03:00:00Z", "N/A", NAME]
    )
)
_ANY = st.recursive(
    _SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "code", "a", "value"]), inner, max_size=3)
    ),
    max_leaves=5,
)


def _places(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield where a body has members, at any depth, but those within free-form values."""
    members = value.items() if isinstance(value, dict) else enumerate(value)
    for name, held in members:
        if isinstance(value, dict):
            yield (*path, name)
        if name != _FREE and isinstance(held, dict | list):
            yield from _places(held, (*path, name))


_PLACES = [place for place in _places(_BODY) if place not in (("status",), ("created_at",))]


def _with(place: Path, form: Any) -> dict[str, Any]:
    body = copy.deepcopy(_BODY)
    holder: Any = body
    for step in place[:-1]:
        holder = holder[step]
    holder[place[-1]] = form
    return body


@pytest.mark.parametrize("place", _PLACES, ids=lambda place: ".".join(map(str, place)))
@given(form=_ANY)
def test_no_form_of_a_member_keeps_an_activity_out(place: Path, form: Any) -> None:
    body = _with(place, form)
    mapped, usual = details(**body), details(**_BODY)
    top = str(place[0])
    changed = {top, f"{top}_id", f"{top}_time_unit", f"{top}_amount"}
    assert {name: cell for name, cell in mapped.said.items() if name not in changed} == {
        name: cell for name, cell in usual.said.items() if name not in changed
    }
    assert mapped.body == json.dumps({"id": NAME, **body}).encode()
    forms = [value for kind, value in mapped.codes if kind.endswith("form")]
    for told in forms:
        path, _, name = told.partition(": ")
        assert path.startswith(top)
        assert name in ("object", "list", "text", "boolean", "number", "null")
    row, usual_row = listed(**body), listed(**_BODY)
    assert {name: cell for name, cell in row.said.items() if name not in changed} == {
        name: cell for name, cell in usual_row.said.items() if name not in changed
    }


@pytest.mark.parametrize(
    ("place", "form", "as_if", "kind"),
    [
        (("entity", "score"), "85", 85, "form"),
        (("entity", "score"), {"value": 85.5, "scale": "x"}, 85.5, "form"),
        (("entity", "score"), "high", None, "lost form"),
        (("entity", "score"), True, None, "lost form"),
        (("entity", "unregistered"), "TRUE", True, "form"),
        (("entity", "unregistered"), 0, False, "form"),
        (("entity", "unregistered"), "maybe", None, "lost form"),
        (("entity", "cifcode"), "none", None, "lost form"),
        (("entity", "cifcode"), f"{{{OTHER.upper()}}}", OTHER, "form"),
        (("entity", "id"), f"urn:uuid:{OTHER}", OTHER, "form"),
        (("entity", "id"), OTHER.replace("-", ""), OTHER, "form"),
        (("entity", "id"), 7, None, "lost form"),
        (("entity", "social_media"), {"media": "X"}, [{"media": "X"}], "form"),
        (("entity", "social_media"), "", None, "form"),
        (("entity",), {}, None, "form"),
        (("entity",), {"name": "Ann"}, None, "lost form"),
        (("entity",), "Ann", None, "lost form"),
        (("attended_at",), "", None, "form"),
        (("attended_at",), {}, None, "form"),
        (("attended_at",), {"value": None}, None, "form"),
        (("attended_at",), "2026-03-02T03:00:00.5Z", 1772420400500, "form"),
        (("attended_at",), "soon", None, "lost form"),
        (("attended_at",), 10**18, None, "lost form"),
        (("created_at",), "2026-03-02T03:00:00Z", CREATED, "form"),
        (("type",), 4, "4", "form"),
        (("status",), 4, "4", "form"),
        (("attended_at",), "0001-01-01T00:00:00-05:00", None, "form"),
        (("type",), {"code": "AT_001"}, None, "lost form"),
        (("expires_in", "amount"), "3", 3, "form"),
        (("expires_in",), "3 days", None, "lost form"),
        (("requirements",), {"code": "RQ_001"}, [{"code": "RQ_001"}], "form"),
        (("timeline",), [None, {"status": "SENT"}], [{"status": "SENT"}], "form"),
        (("timeline",), ["SENT"], [], "lost form"),
    ],
    ids=str,
)
def test_a_plain_meaning_is_read(place: Path, form: Any, as_if: Any, kind: str) -> None:
    mapped, usual = details(**_with(place, form)), details(**_with(place, as_if))
    assert (mapped.said, mapped.children) == (usual.said, usual.children)
    assert mapped.entity == usual.entity
    assert mapped.own == usual.own
    assert {told for told, _ in mapped.codes if told.endswith("form")} == {kind}


@pytest.mark.parametrize("name", ["id", "status", "created_at"])
def test_what_an_activity_needs_is_not_guessed(name: str) -> None:
    body = json.dumps({"id": NAME, **_BODY, name: {"a": "b"}}).encode()
    assert read_row(body, NOW, NOW).malformed
    with pytest.raises((Unstorable, Exception), match=name):
        details(**_with((name,), {"a": "b"}))


def test_the_usual_forms_are_not_told() -> None:
    body = json.dumps({"id": NAME, **_BODY}).encode()
    assert [reader.read_forms(body)[1] for reader in (details_reader, row_reader)] == [[], []]


def test_every_member_of_the_models_is_tried() -> None:
    for model, tried in (
        (ActivityDetails, _BODY),
        (ListItem, _BODY),
        (Entity, _BODY["entity"]),
        (AcceptedRequirement, _BODY["accepted_requirements"][0]),
        (TimelineEntry, _BODY["timeline"][0]),
    ):
        assert {each.encode_name for each in structs.fields(model)} <= {"id", *tried}
