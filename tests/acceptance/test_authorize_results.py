"""What became of requests, what a person decides about them, and who is asked no more."""

from __future__ import annotations

import csv
import json
import time
from typing import TYPE_CHECKING

from pipeline.sandbox import FaultRule
from tests.support.people import line, number_of, shows_no_number, write

if TYPE_CHECKING:
    from tests.support.asking import Asking
    from tests.support.commands import Project


def test_a_person_decides(made: Project, asking: Asking) -> None:
    asking.service.state.set_faults(
        FaultRule(kind="reset", operation="create", requests=1),
        FaultRule(
            kind="status", status=400, body="no 9-1000-0002", operation="create", numbers=(2, 3)
        ),
    )
    write(made.folder / "people.csv", [line(1), line(2, description="Another", reference="")])
    done = made.run("authorize", "people.csv", "--yes")
    assert done.code == 1, done
    assert "no *******02; `pipeline authorize send` goes on later" in done.err
    assert "1 were rejected by the service" in made.run("authorize", "people.csv", "--yes").err
    listed = made.run("authorize", "list", "--state", "rejected")
    assert "400, the request holds incorrect values: no *******02" in listed.out
    shows_no_number(listed, 3)
    unknown, rejected = asking.rows()
    create = asking.service.state.create
    theirs = create(type="AT_004", in_out_bound="IN")
    ours = create(type="AT_004", in_out_bound="OUT")
    nobody = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
    for given, why in (
        (nobody, f"the service shows no activity {nobody}"),
        (theirs, f"activity {theirs} is IN, not OUT"),
    ):
        wrong = made.run("authorize", "resolve", unknown["id"], "--link", given)
        assert wrong.code == 2
        assert why in wrong.err
    wrong = made.run("authorize", "resolve", rejected["id"], "--fail")
    assert "is rejected; only queued or sent or unknown requests can be resolved" in wrong.err
    shown = made.run("authorize", "resolve", "customer-1")
    assert "unknown" in shown.out
    assert "--link ACTIVITY, --requeue or --fail" in shown.err
    for decision, state in (("--link", "linked"), ("--undo", "unknown"), ("--link", "linked")):
        which = [ours] if decision == "--link" else []
        done = made.run("authorize", "resolve", "customer-1", decision, *which)
        assert done.out == f"request {unknown['id'][:8]} is {state} now\n"
    assert made.run("authorize", "resolve", rejected["id"], "--requeue").code == 0
    assert asking.row(unknown["id"])["activity_id"] == ours
    assert made.run("authorize", "send", "--yes").code == 0
    assert asking.row(rejected["id"])["state"] == "linked"


def test_decisions_for_all_of_one_cause(made: Project, asking: Asking) -> None:
    asking.service.state.set_faults(
        FaultRule(kind="status", status=422, body="no", operation="create", numbers=(1, 2, 3, 4)),
        FaultRule(kind="status", status=400, body="never", operation="create", numbers=(5,)),
    )
    write(made.folder / "people.csv", [line(person) for person in range(4)])
    assert made.run("authorize", "people.csv", "--yes").code == 1
    assert made.run("authorize", "people.csv", "--yes").code == 3
    assert asking.states() == {"rejected": 3, "linked": 1}
    wrong = made.run("authorize", "resolve", "--all", "--requeue")
    assert "there are 2 causes" in wrong.err
    assert made.run("authorize", "resolve", "customer-1", "--all", "--requeue").code == 0
    assert asking.states() == {"queued": 2, "rejected": 1, "linked": 1}
    assert made.run("authorize", "cancel", "customer-0").code == 0
    assert asking.states() == {"queued": 1, "failed": 1, "rejected": 1, "linked": 1}
    assert made.run("authorize", "cancel", "--all").code == 0
    assert asking.states() == {"failed": 2, "rejected": 1, "linked": 1}


def test_an_earlier_file_does_not_go_out_with_the_next_one(made: Project, asking: Asking) -> None:
    write(made.folder / "people.csv", [line(1)])
    assert made.run("authorize", "people.csv", "--queue-only").code == 0
    write(made.folder / "people.csv", [line(2)])
    refused = made.run("authorize", "people.csv")
    assert refused.code == 2
    assert "nobody can be asked here, so nothing was done: Send 1 requests" in refused.err
    done = made.run("authorize", "people.csv", "--yes")
    assert done.code == 0, done
    assert "1 queued before are left out" in done.err
    assert asking.states() == {"queued": 1, "linked": 1}
    write(made.folder / "people.csv", [line(3)])
    assert made.run("authorize", "people.csv", "--queued", "--yes").code == 0
    assert asking.states() == {"linked": 3}


def test_what_became_of_each_line(made: Project, asking: Asking) -> None:
    from tests.support.mirroring import TODAY, Warehouse
    from tests.support.refreshing import refresh_all

    people = [line(person) for person in range(4)]
    write(made.folder / "people.csv", people)
    assert made.run("authorize", "people.csv", "--yes").code == 0
    first, second, third, fourth = (row["activity_id"] for row in asking.rows())
    asking.service.state.move(first, "accept")
    # The service's clock may be far behind ours, by which the sharing period would be over.
    asking.service.state.edit(first, expires_at=int((time.time() + 86_400) * 1000))
    asking.service.state.move(second, "decline")
    asking.service.state.move(third, "cancel")
    asking.service.state.enter_status(fourth, "SENT")
    Warehouse(asking.url, asking.service).days(TODAY, TODAY)
    refresh_all(asking.url)
    more = [*people, line(5), line(6, phone_number="1")]
    write(made.folder / "people.csv", more)
    done = made.run("authorize", "results", "people.csv", "--output", "results.csv")
    assert done.code == 0, done
    with (made.folder / "results.csv").open(encoding="utf-8-sig", newline="") as stream:
        found = list(csv.DictReader(stream))
    assert [row["line"] for row in found] == ["2", "3", "4", "5", "6", "7"]
    assert [row["result"] for row in found[1:]] == [
        "declined", "canceled", "linked", "not queued", "invalid",
    ]  # fmt: skip
    assert found[0]["result"] == "accepted"
    assert found[0]["accepted"].startswith("RQ_002:IDT_001")
    assert found[3]["activity_id"] == fourth
    assert found[0]["phone_number"] == "'+51*******00"  # a spreadsheet would read a formula
    assert (made.folder / "results.csv").stat().st_mode & 0o777 == 0o600
    shown = made.run("authorize", "results", "people.csv", "--json")
    assert [row["result"] for row in json.loads(shown.out)][1] == "declined"
    shows_no_number(shown, 7)
    shows_no_number(made.run("authorize", "results"), 7)
    asking.queue(number="12", attempts=12)
    listed = made.run("authorize", "list", "--json")
    assert json.loads(listed.out)[-1]["attempts"] == 12
    shows_no_number(listed, 7)
    open_numbers = made.run("authorize", "results", "--json", "--show-numbers")
    assert json.loads(open_numbers.out)[0]["phone_number"] == f"+51{number_of(0)}"
