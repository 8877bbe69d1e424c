"""Sixty nights of one service, on a clock of its own: red only where a person is needed.

Weeks have their seasons; there are maintenance, a two-day outage, a deploy that adds fields and codes, an
import of old activities, a retention job, an archive and a merge of counterparts. ``-rP`` prints them.

Clause 9 of docs/guarantees.md.
"""

from __future__ import annotations

import sys
from datetime import date, timedelta
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from pipeline.sandbox import FaultRule
from pipeline.service.errors import ServiceError
from tests.support.habits.answers import DAY_MS, HOUR_MS, bodies, instant_ms, rule
from tests.support.law import FINAL

if TYPE_CHECKING:
    from pipeline.sandbox import SandboxState
    from tests.integration.conftest import Mirrored

FIRST = date(2026, 1, 1)
NIGHTS = 60
MAINTENANCE, OUTAGE, DEPLOY, RETENTION, IMPORT, ARCHIVE, MERGE = 10, (20, 21), 30, 34, 38, 45, 52

#: Nights that need a person: nobody answers.
RED = {*OUTAGE}


class _Service:
    """What happens to the service, day by day."""

    def __init__(self, state: SandboxState) -> None:
        self.state, self.random = state, Random(60)
        self.faults: list[FaultRule] = []
        self.changes: list[Any] = []

    def pass_a_day(self, night: int) -> None:
        """Let a day pass: fewer things happen at weekends."""
        state, random = self.state, self.random
        weekend = (FIRST + timedelta(days=30 + night)).weekday() > 4
        state.set_clock(advance_ms=DAY_MS)
        for _ in range(2 if weekend else 12):
            created_at = state.clock.now() - random.randrange(DAY_MS)
            state.create(created_at=created_at)
        for name in random.sample(state.ids("SENT", "ACTION_REQUIRED", "ACCEPTED"), 3):
            for move in random.sample(("accept", "decline", "complete", "expire"), 4):
                try:
                    state.move(name, move)  # type: ignore[arg-type]
                    break
                except ValueError:
                    continue
        self.happen(night)

    def happen(self, night: int) -> None:
        """Let happen what is planned for a night."""
        state, random, now = self.state, self.random, self.state.clock.now()
        self.faults = []
        if night == MAINTENANCE:
            self.faults = [FaultRule(kind="status", status=503, retry_after=1, rate=0.2, seed=1)]
        elif night in OUTAGE:
            self.faults = [FaultRule(kind="status", status=500)]
        elif night == DEPLOY:
            self.changes.append(bodies("details", _deployed))
        elif night == RETENTION:
            self.changes.append(bodies("details", lambda _, body: _retained(body, now)))
        elif night == IMPORT:
            for number in range(40):
                state.create(created_at=now - number * 17 * HOUR_MS - 2 * DAY_MS)
        elif night == ARCHIVE:
            over = {each.id: instant_ms(each.row_fields()["created_at"]) for each in state.truth()}
            for name in state.ids(*FINAL):
                if over[name] < now - 40 * DAY_MS:
                    state.delete(name)
        elif night == MERGE:
            kept, *merged = random.sample([person["id"] for person in state.people()], 3)
            for each in state.truth():
                if (each.row_fields().get("entity") or {}).get("id") in merged:
                    state.change_counterpart(each.id, kept)
        state.set_faults(*self.faults, rule(*self.changes))


def _deployed(_: Any, body: dict[str, Any]) -> dict[str, Any]:
    """Return details as after a deploy: with a new field, and a code that nobody knew."""
    added = {"risk_band": "B"}
    return body | added | {"type_name": body["type_name"], "requirements": [
        *(body.get("requirements") or ()), {"code": "RQ_077"}
    ]} if body.get("status") == "SENT" else body | added  # fmt: skip


def _retained(body: dict[str, Any], since: int) -> dict[str, Any]:
    """Return details without the timeline, and with the text masked, if they are long final."""
    if body.get("status") in FINAL and instant_ms(body["updated_at"]) < since - 20 * DAY_MS:
        return body | {"timeline": [], "description": "***"}
    return body


@pytest.mark.slow
def test_sixty_nights_are_red_only_where_a_person_is_needed(mirrored: Mirrored) -> None:
    last = FIRST + timedelta(days=29)
    warehouse = mirrored(120, from_date=FIRST, to_date=last + timedelta(days=NIGHTS))
    state = warehouse.service.state
    state.set_clock(now=_morning(30))
    service = _Service(state)
    assert warehouse.days(FIRST, last + timedelta(days=1), start=FIRST).status == "complete"
    red = dict[int, str]()
    for night in range(NIGHTS):
        service.pass_a_day(night)
        today = last + timedelta(days=2 + night)
        state.reset_counters()
        try:
            parts = warehouse.nightly(today, start=FIRST, audit_days=30)
            problems = "; ".join(problem for part in parts for problem in part.problems)
        except ServiceError as error:
            problems = f"failed: {error}"
        doubts = warehouse.value(
            "select count(*) from sync.activity_ledger where discrepancy is not null"
        )
        requests = state.counters().requests
        sys.stdout.write(
            f"night {night:2} {today} {requests:4} requests, {doubts:3} discrepancies:"
            f" {problems or 'green'}\n"
        )
        if problems:
            red[night] = problems
    assert red.keys() == RED, red
    assert warehouse.value("select complete_through from analytics.freshness") == today
    assert warehouse.quarantined() == {}


def _morning(day: int) -> int:
    """Return ten past three of a day, in epoch milliseconds."""
    return (FIRST - date(1970, 1, 1)).days * DAY_MS + day * DAY_MS + 3 * HOUR_MS + HOUR_MS // 6
