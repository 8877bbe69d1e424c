"""A database that was restored, or copied, is noticed by the first run in it; nobody is asked twice.

Clauses 1 and 8 of docs/guarantees.md.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from pipeline.sandbox import FaultRule
from pipeline.warehouse.database.contact import parse_url
from pipeline.warehouse.database.engine import execute, warehouse_engine
from pipeline.warehouse.state.service_facts import learn_database
from tests.support.asking import Asking
from tests.support.mirroring import FIRST, LAST, TODAY, Warehouse
from tests.support.postgres import PostgresServer, fresh_database

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.integration.conftest import Mirrored

CALLED = (
    "update warehouse.authorization_requests set state = 'sending', sent_at = '2026-04-01 12:00+00';"
    "update warehouse.authorization_requests set state = 'unknown', answered_at = sent_at"
    " where phone_number like '%3'"
)


@contextmanager
def copied(postgres: PostgresServer, url: str) -> Iterator[str]:
    """Copy a database as it is now, and yield the URL of the copy."""
    with fresh_database(postgres, str(parse_url(url).database)) as name:
        yield postgres.url(name)


def test_all_days_are_walked_again(mirrored: Mirrored, postgres: PostgresServer) -> None:
    warehouse = mirrored(40)
    warehouse.days()
    assert warehouse.days().details_requests == 0
    with copied(postgres, warehouse.url) as url:
        service = warehouse.service
        old = service.state.ids()[36]
        service.state.enter_status(old, "DECLINED")
        after = Warehouse(url, service)
        after.nightly(TODAY, start=FIRST, night_sample=0)
        (told,) = [line for line in after.told.lines if "was restored" in line]
        assert "no authorization request is sent" in told
        assert after.differences() == []
        assert after.value("select count(*) from sync.coverage where verified_at is null") == 0
        after.told.lines.clear()
        after.days(FIRST, LAST)
        assert not [line for line in after.told.lines if "was restored" in line]


def test_nothing_is_sent_again(asking: Asking, postgres: PostgresServer) -> None:
    with warehouse_engine(asking.url) as engine:
        assert learn_database(engine) is None
    for number in ("999888772", "999888773"):
        asking.queue(number=number)
    warehouse = Warehouse(asking.url, asking.service)
    warehouse.execute(CALLED)
    asking.queue(number="999888771")
    with copied(postgres, asking.url) as url:
        after = Asking(url, asking.service)
        summary = after.send()
        assert any("restored" in problem for problem in summary.problems)
        assert "confirm-restore" in (summary.stopped or "")
        after.pass_time(days=1)
        after.send()
        assert after.states().keys() <= {"queued", "unknown"}
        assert after.created() == []
        after.confirm()
        after.send()
        # Calls of rows without a reference wait for a person.
        assert after.states() == {"linked": 1, "unknown": 2}


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


def test_another_cluster_shows_although_its_other_numbers_are_the_same(migrated_url: str) -> None:
    """In two new clusters, ``createdb`` and ``pg_restore`` give the same numbers."""
    change = "update sync.service_facts set value = regexp_replace(value, '/[0-9]+$', %s)"
    with warehouse_engine(migrated_url) as engine:
        learn_database(engine)
        execute(engine, change, ("/7711439400720520261",))
        assert "restored" in str(learn_database(engine))
        # Stored by a version that did not know the cluster.
        execute(engine, change, ("",))
        assert learn_database(engine) is None
