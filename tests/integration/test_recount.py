"""Every number of every view, counted again in Python from the stored responses, after random changes.

At the end an analyst's questions are asked (`tests/integration/first_tries.sql`).

Left out of the ordinary run: ``pytest -m scale tests/integration/test_recount.py``, 3,000 activities over
60 days, compared after each of 15 rounds. ``RECOUNT=600:10`` plays other numbers.
"""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pprint import pformat
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import psycopg
import pytest

from pipeline.sandbox import FaultRule
from pipeline.warehouse.answers import erasures
from pipeline.warehouse.database.sql import sql_files
from pipeline.warehouse.privacy import erase
from pipeline.warehouse.privacy.erase import erase_person
from pipeline.warehouse.privacy.person import Person
from pipeline.warehouse.schema.refresh import refresh
from tests.integration.first_tries import Past, wrong_answers
from tests.integration.killing import kill_at
from tests.integration.recounted_columns import differences
from tests.support.deeds import DEEDS
from tests.support.forms import Form
from tests.support.mirroring import Warehouse, restart_run_numbers
from tests.support.recount import Recount
from tests.support.recounted_facts import FACTS
from tests.support.recounted_views import VIEWS

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from pipeline.sandbox import SandboxState
    from tests.integration.conftest import Mirrored

_NUMBER, _ROUNDS = map(int, os.environ.get("RECOUNT", "3000:15").split(":"))

#: What the service still shows at the end of the sharing.
_ENDS: dict[str, dict[str, Any]] = {
    "keeps codes without data": {"completed_expires": False, "form": Form()},
    "empties what was accepted": {"form": Form(empties=True)},
    "answers 403": {"expired_details": "forbidden", "form": Form()},
}
_WORLDS = pytest.mark.parametrize(
    ("zone", "ends"),
    [*zip(("America/Lima", "Asia/Kathmandu", "Pacific/Apia"), _ENDS, strict=True)],
)

#: Views without a number about activities: they tell of the mirror, of codes, and names.
_OTHERS = {"changed_activities", "days", "entity_history", "freshness"}

#: From one round to the next, by the service's clock; each is some hours early.
_ROUND = timedelta(days=4)
_HOUR_MS = 3600 * 1000


#: What reopened when its details were refused already.
_IN_QUARANTINE = "select activity_id from sync.quarantine where resolved_at is null"

#: What is believed now, as it is asked for afterwards.
_EVENING = """
select now(), status, count(*) from warehouse.activities where gone_at is null group by status
"""


def _unregister(state: SandboxState, random: Random) -> str:
    return state.change_entity(
        random.choice(state.people())["id"], unregistered=random.random() < 0.7
    )


def _accept_some(state: SandboxState, random: Random) -> str:
    name = random.choice(state.ids("SENT", "ACTION_REQUIRED"))
    details = state.truth_of(name).details_fields() or {}
    codes = [each["code"] for each in details["requirements"]]
    return state.move(name, "accept", tuple(random.sample(codes, random.randint(0, len(codes)))))


def _cancel_answered(state: SandboxState, random: Random) -> str:
    return state.enter_status(random.choice(state.ids("ACCEPTED", "DECLINED")), "CANCELED")


def _delete_answered(state: SandboxState, random: Random) -> str:
    return state.delete(random.choice(state.ids("ACCEPTED", "COMPLETED")))


def _ask(state: SandboxState, random: Random) -> str:
    kind = random.choice(("AT_001", "AT_003", "AT_909"))
    return state.create(type=kind, in_out_bound=random.choice(("IN", "OUT")), drawn=False)


def _oddity(state: SandboxState, random: Random) -> str:
    return state.enter_status(random.choice(state.ids()), random.choice(("ODD", "SENT")))


def _share_without_end(state: SandboxState, _: Random) -> str:
    """Let the share that ends last have no known end, so that it is not over soon."""
    ends = {
        name: fields["expires_at"] or 0
        for name in state.ids("ACCEPTED")
        if (fields := state.truth_of(name).details_fields() or {}).get("accepted_requirements")
    }
    return state.edit(max(ends, key=lambda name: ends[name]), expires_at=None)


def _ask_otherwise(state: SandboxState, random: Random) -> str:
    """Let an activity request a requirement twice, without items, or one that nobody answers."""
    name = random.choice(state.ids())
    details = state.truth_of(name).details_fields() or {}
    asked = details["requirements"]
    bare = [{"code": each["code"]} for each in asked]
    more = random.choice(
        (bare, asked + asked, [*asked, {"code": "RQ_009", "items": [{"code": "X_1"}]}])
    )
    return state.edit(name, requirements=more)


def _unreadable(state: SandboxState) -> set[str]:
    """Create activities whose details fail, and that are not too young to be missed."""
    early = state.clock.now() - _HOUR_MS
    names = {state.create(type="AT_001", drawn=False, created_at=early) for _ in range(3)}
    state.set_faults(
        *(FaultRule(kind="status", status=500, operation="details", id=name) for name in names)
    )
    return names


def _somebody_who_gave(state: SandboxState, random: Random) -> str:
    name = random.choice(state.ids("ACCEPTED"))
    entity: str = state.truth_of(name).row_fields()["entity"]["id"]
    return entity


#: Each happens in each round; then more, at random, of these and of `DEEDS`.
ALWAYS: tuple[Callable[[SandboxState, Random], str], ...] = (
    _unregister, _accept_some, _cancel_answered, _delete_answered, _oddity, _ask_otherwise, _ask,
)  # fmt: skip
CHANGES = (*(deed for name, deed in DEEDS.items() if name not in ("jump", "clean_up")), *ALWAYS)


@_WORLDS
def test_every_view_says_what_the_bodies_say(mirrored: Mirrored, zone: str, ends: str) -> None:
    _play(mirrored, zone, ends, 150, 4)


@pytest.mark.scale
@pytest.mark.timeout(1800)
@_WORLDS
def test_after_many_rounds_too(mirrored: Mirrored, zone: str, ends: str) -> None:
    _play(mirrored, zone, ends, _NUMBER, _ROUNDS)


def _night(
    url: str, service: Any, zone: str, first: date, last: date, now: datetime, number: int
) -> None:
    """Erase, mirror and refresh, as a process that may be killed anywhere."""
    warehouse = Warehouse(url, service, zone)
    restart_run_numbers(1000 * (number + 1))
    with warehouse.engine() as engine:
        erase.erase_due(engine, "ended", now, lambda _: None, 1)
        warehouse.days(first, last)
        refresh(engine)


#: Where a night is killed: while it erases, in the middle of a batch, or while it refreshes.
_LOCKS = (
    "lock table sync.erasures in share mode",
    "lock table warehouse.timeline_events in share mode",
    "lock table analytics.status_changes in share mode",
)


def _play(mirrored: Mirrored, zone: str, ends: str, activities: int, rounds: int) -> None:
    """Mirror a service while it changes, erase people, kill runs; compare all views after each round."""
    random = Random(f"{zone}:{activities}")
    start = datetime.now(UTC).replace(microsecond=0) - rounds * _ROUND - timedelta(days=1)
    first = start.date() - timedelta(days=45)
    warehouse = mirrored(
        activities, zone, from_date=first, to_date=start.date(), now=start, seed=random.randrange(999),
        behaviour=_ENDS[ends],
    )  # fmt: skip
    state = warehouse.service.state
    served = SimpleNamespace(
        base_url=warehouse.service.base_url, credentials=warehouse.service.credentials
    )
    today = datetime.now(UTC).date() + timedelta(days=1)
    killed, past = 0, Past(day=today - timedelta(days=8))
    with warehouse.engine() as engine:
        for number in range(rounds + 1):
            now = start + number * _ROUND
            if number:
                early = random.randrange(24 * _HOUR_MS)
                state.set_clock(now=int(now.timestamp()) * 1000, advance_ms=-early)
                more = random.choices(CHANGES, k=activities // 20)
                for change in (*ALWAYS, *more):
                    with suppress(ValueError, IndexError, KeyError):
                        change(state, random)
                # Last, so that no other change takes them away: the start decides what the others do.
                state.enter_status(state.ids("SENT", "ACCEPTED", "DECLINED")[0], "ODD")
                _share_without_end(state, random)
                _ask(state, random)
                if number == rounds:
                    past.unread = _unreadable(state)
                if number % 3 == 0:
                    erasures.set_policy(engine, "erase")
                    erase.erase_due(engine, "expired", start, lambda _: None)
                    erasures.set_policy(engine, "hide")
                    person = Person(_somebody_who_gave(state, random), messages=number % 2 == 1)
                    erase_person(engine, person, lambda _: None)
                    erase.erase_due(engine, "ended", now, lambda _: None, 1)
            days = first - timedelta(days=1), today
            lock = random.choice(_LOCKS)
            killed += kill_at(
                warehouse.url, lock, _night, warehouse.url, served, zone, *days, now, number
            )
            # What no list shows, now and then.
            warehouse.days(*days, full=number % 5 == 1)
            _link_requests(warehouse)
            refresh(engine)
            past.evenings += warehouse.query(_EVENING)
            found = differences(warehouse.url, ZoneInfo(zone))
            assert found == [], f"round {number}: " + "\n".join(found[:20])
    past.unread |= {name for (name,) in warehouse.query(_IN_QUARANTINE)}
    with psycopg.connect(warehouse.url) as session:
        made = Recount(session.cursor(), ZoneInfo(zone))
        wrong = wrong_answers(session.cursor(), made, past)
        assert not wrong, pformat(wrong)
    _is_telling(warehouse)
    assert killed > rounds // 2
    kept = warehouse.value("select count(*) from warehouse.kept_decisions")
    unknown = warehouse.value(
        "select count(*) from analytics.requirements where outcome = 'not_known'"
    )
    if ends == "empties what was accepted":
        assert kept > 0
        assert unknown > 0


def test_no_view_is_left_out() -> None:
    # The other views of `read_views` only offer tables again.
    assert sql_files("views").keys() == VIEWS.keys() | FACTS.keys() | _OTHERS


def _link_requests(warehouse: Warehouse) -> None:
    """Say of ten activities that we asked for them, past the guard of states."""
    warehouse.execute(
        "set session_replication_role = replica;"
        "insert into warehouse.authorization_requests (source, description, phone_country_code,"
        " phone_number, state, sent_at, activity_id)"
        " select 'file ' || ascii(id::text) % 2, 'made up', 'PE', '+51900000000', 'linked', now(), id"
        " from warehouse.activities order by id limit 10 on conflict do nothing"
    )


def _is_telling(warehouse: Warehouse) -> None:
    """Hold the data to what the test is about: without it, it would prove nothing."""
    reasons = {
        name for (name,) in warehouse.query("select distinct why_not from analytics.consents")
    }
    assert reasons >= {None, "pending", "declined", "unanswered", "gone"}
    assert reasons & {"erased", "unregistered"}
    assert reasons & {"expired", "ended"}
    decisions = {
        name for (name,) in warehouse.query("select distinct decision from analytics.consents")
    }
    assert decisions >= {"accepted", "declined", "unanswered", "share", "pending"}
    endless = "select bool_or(readable_now) from analytics.consents"
    endless += " where valid_from < now() and valid_to is null"
    assert warehouse.query(endless) == [(True,)]
    told = "select sum(sharing_ended_activities) > 0, sum(pending_activities) > 0,"
    told += " sum(gone_activities) > 0, sum(other_activities) > 0 from analytics.activities_by_created_day"
    assert warehouse.query(told) == [(True, True, True, True)]
