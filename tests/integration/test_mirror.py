"""The warehouse equals the service, however the service handles what is not documented.

Clause 9 of docs/guarantees.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.support.forms import Form
from tests.support.mirroring import FIRST, LAST

if TYPE_CHECKING:
    from tests.integration.conftest import Mirrored


_SERVICES: dict[str, dict[str, Any]] = {
    "to is midnight in the caller's zone": {"to_day": "midnight", "day_zone": "caller"},
    "days in the caller's zone, no limit": {"day_zone": "caller", "max_limit": None},
    "days in a zone of the service's, trailing empty page": {
        **{"day_zone": "America/Santiago", "trailing_empty_page": True, "max_limit": 50},
    },
    "instants as objects, what has not happened is 0, fields nobody specified, completed ones stay so": {
        "form": Form(rows="object", details="object", unset="zero", extra=True),
        "completed_expires": False,
    },
    "instants as texts, what has not happened is absent, no counterpart, no arrays after the expiry": {
        "form": Form(
            rows="string", details="string", unset="absent", no_entity=0.5, no_arrays=True
        ),
    },
    "times with the activity's offset, no details after the expiry": {
        **{"form": Form(offsets=True), "expired_details": "forbidden"},
    },
}


_ZONES = ("America/Lima", "Pacific/Kiritimati")
#: Both zones where the zone matters, otherwise one.
_CASES = [
    pytest.param(switches, zone, id=f"{name}, {zone}")
    for name, switches in _SERVICES.items()
    for zone in (_ZONES if {"day_zone", "to_day"} & switches.keys() else _ZONES[:1])
]


@pytest.mark.parametrize(("switches", "zone"), _CASES)
def test_however_the_service_cuts_days(
    mirrored: Mirrored, switches: dict[str, Any], zone: str
) -> None:
    warehouse = mirrored(80, zone=zone, behaviour=switches)
    first = warehouse.days()
    # The zone's days are not the sandbox's: activities of other days are not requested.
    offered = len(warehouse.offered(FIRST, LAST))
    assert 70 < offered <= 80
    assert (first.status, first.problems, first.listed) == ("complete", [], offered)
    assert not any("do not mean the creation" in line for line in warehouse.told.lines)
    assert warehouse.differences(FIRST, LAST) == []
    assert warehouse.gaps() == []
    before = warehouse.versions()

    again = warehouse.days()
    assert (again.status, again.logins, again.details_requests) == ("complete", 1, 0)
    assert warehouse.versions() == before
    assert warehouse.quarantined() == {}
