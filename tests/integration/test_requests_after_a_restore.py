"""After a restore nothing is sent until a person confirms; confirming links what was sent since."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pipeline.sandbox import FaultRule
from tests.support.storing import escape, shout, stored_as

if TYPE_CHECKING:
    from tests.support.asking import Asking


@pytest.mark.parametrize("form", [None, escape, shout])
def test_what_was_sent_since_the_backup_is_linked(asking: Asking, form: Any) -> None:
    asking.service.state.set_faults(*([stored_as(form)] if form else []))
    for number in range(4):
        asking.queue(number=f"99988877{number}")
    backup = asking.rows()
    asking.send()
    asking.restore(backup)
    assert "was restored" in (asking.send().stopped or "")
    assert len(asking.created()) == 4
    asking.confirm()
    asking.queue("Something else", "999888779")
    asking.send()
    assert asking.states() == {"linked": 5}
    assert asking.mistakes() == []


@pytest.mark.parametrize("operation", ["list", "details"])
def test_what_could_not_be_read_is_told(asking: Asking, operation: Any) -> None:
    asking.queue()
    backup = asking.rows()
    asking.send()
    asking.restore(backup)
    asking.service.state.set_faults(FaultRule(kind="status", status=400, operation=operation))
    linked, found = asking.look()
    assert linked == 0
    assert (found.failed is not None) == (operation == "list")
    assert any(each.text is None for each in found.sent) == (operation == "details")


def test_a_call_under_way_in_the_backup_may_have_had_an_effect(asking: Asking) -> None:
    asking.service.state.set_faults(
        FaultRule(kind="reset", operation="create", after_effect=True, requests=1)
    )
    request = asking.queue()
    asking.send()
    (row,) = asking.rows()
    asking.restore([row | {"state": "sending", "activity_id": None, "next_look_at": None}])
    asking.confirm()
    assert asking.row(request)["state"] == "linked"
    assert len(asking.created()) == 1
