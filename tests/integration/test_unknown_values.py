"""Codes and fields nobody has labelled: noticed once, with an example, and never in the way."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pipeline.warehouse.schema.invariants import INVARIANTS, violations
from tests.support.forms import Form
from tests.support.mirroring import FIRST, TODAY, Warehouse

if TYPE_CHECKING:
    from tests.integration.conftest import Mirrored


#: The sandbox draws this unit, which the specification does not show.
UNLABELLED = ("time_unit", "DAYS")


def seen(warehouse: Warehouse) -> dict[tuple[str, str], tuple[str, object]]:
    found = warehouse.query(
        "select kind, value, sample_activity_id::text, first_seen_at from sync.unknown_values"
    )
    return {
        (kind, value): (sample, at)
        for kind, value, sample, at in found
        if (kind, value) != UNLABELLED
    }


def test_the_first_sight_in_list_or_details_is_recorded_once(mirrored: Mirrored) -> None:
    warehouse = mirrored(60)
    state = warehouse.service.state
    by_list, by_details = state.ids()[5], state.ids()[6]
    row = state.truth_of(by_list).row_fields() | {"type": "AT_909", "mood": 1, "description": "x"}
    row["entity"]["nickname"] = "x"
    state.replace_payload(by_list, row=json.dumps(row).encode())
    details = state.truth_of(by_details).details_fields()
    assert details is not None
    details |= {"in_out_bound": "SIDEWAYS", "mood": 1}
    details["timeline"][0]["status"] = "PONDERED"
    own = state.truth_of(by_details).row_fields() | {"in_out_bound": "SIDEWAYS"}
    state.replace_payload(
        by_details, row=json.dumps(own).encode(), details=json.dumps(details).encode()
    )

    assert warehouse.days(FIRST, TODAY).status == "complete"
    first = seen(warehouse)
    assert {value: sample for value, (sample, _) in first.items()} == {
        ("activity_type", "AT_909"): by_list,
        ("list field", "mood"): by_list,
        ("list field", "description"): by_list,
        ("list field", "entity.nickname"): by_list,
        ("in_out_bound", "SIDEWAYS"): by_details,
        ("status", "PONDERED"): by_details,
        ("field", "mood"): by_details,
    }
    stored = warehouse.query(
        "select in_out_bound from warehouse.activities where id = %s", by_details
    )
    assert stored == [("SIDEWAYS",)]
    assert warehouse.value("select count(*) from warehouse.activities") == 60

    assert warehouse.days(FIRST, TODAY, full=True).status == "complete"
    other = state.ids()[7]
    row = state.truth_of(other).row_fields() | {"type": "AT_909", "mood": 2}
    state.replace_payload(other, row=json.dumps(row).encode())
    assert warehouse.days(FIRST, TODAY).status == "complete"
    assert seen(warehouse) == first


def test_a_first_load_warns_of_lost_members_only(mirrored: Mirrored) -> None:
    warehouse = mirrored(60, behaviour={"form": Form(extra=True)})
    (check,) = (each for each in INVARIANTS if each.name == "no_unknown_values")
    assert warehouse.days(FIRST, TODAY).status == "complete"
    assert seen(warehouse)
    with warehouse.engine() as engine:
        assert violations(engine, check) == (0, [])
        with warehouse.session() as session:
            session.execute(
                "insert into sync.unknown_values values ('lost form', 'a', null, now())"
            )
        assert violations(engine, check) == (1, ["lost form a"])
        with warehouse.session() as session:
            session.execute("update sync.runs set started_at = now() - interval '2 days'")
        assert violations(engine, check)[0] == len(seen(warehouse))
