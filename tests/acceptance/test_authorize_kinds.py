"""``pipeline authorize`` over lines of many kinds: errors, warnings, counts, numbers that look alike.

Clause 8 of docs/guarantees.md.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.support.people import line, number_of, write
from tests.support.storing import share_counterpart, shown_as

if TYPE_CHECKING:
    from tests.support.asking import Asking
    from tests.support.commands import Project


CHANGED = (
    "error: a spreadsheet changed this phone_number: format the column as text, and fill it again"
)


def test_errors_come_before_warnings_each_in_the_order_of_lines(
    made: Project, asking: Asking
) -> None:
    lines = [line(person) for person in range(8)]
    lines[1] |= {"requirements": "RQ_777"}
    lines[2] |= {"phone_number": "1511234567.0", "phone_country_code": "DE"}
    lines[3] |= {"phone_number": f"\u202a{number_of(3)}\u202c", "requirements": "RQ_777"}
    lines[4] |= {"phone_number": "1,51E+10", "phone_country_code": "DE", "requirements": "RQ_777"}
    lines[5] |= {"requirements": ""}
    lines[6] |= {"reference": "customer-0"}
    write(made.folder / "people.csv", lines)
    done = made.run("authorize", "people.csv")
    assert done.code == 2
    told = [each.partition(";")[0] for each in done.lines]
    assert told == [
        f"line 4: {CHANGED}",
        f"line 6: {CHANGED}",
        "line 8: error: the same reference 'customer-0' as line 2",
        "line 3: warning: requirement code RQ_777 has no label in analytics.codes (and 1 more line)",
        "line 5: warning: phone_number: invisible marks or unusual characters are left out",
        "line 7: warning: no requirements: the request asks for nothing",
        "error: 3 of 8 lines can't be sent, so nothing was: correct them,"
        " or send the others with --skip-invalid",
    ]
    assert asking.rows() == []
    sent = made.run("authorize", "people.csv", "--skip-invalid", "--yes")
    assert "of 8: 5 queued, 0 known already, 3 skipped" in sent.out
    assert asking.states() == {"linked": 5}
    shown = json.loads(made.run("authorize", "results", "people.csv", "--json").out)
    assert [each["line"] for each in shown] == list(range(2, 10))
    results = [each["result"] for each in shown]
    assert [place for place, each in enumerate(results, 2) if each == "invalid"] == [4, 6, 8]


@pytest.mark.parametrize(
    ("erased", "other", "country"),
    [
        ("+14155552671", "+14255552671", "US"),
        ("+5114567890", "+51914567890", "PE"),
        ("+4915123456789", "+49491512345678", "DE"),
    ],
)
def test_who_was_erased_is_refused_and_nobody_else(
    made: Project, asking: Asking, erased: str, other: str, country: str
) -> None:
    theirs = line(1, phone_country_code=country, phone_number=erased)
    others = line(2, phone_country_code=country, phone_number=other)
    write(made.folder / "people.csv", [theirs, others])
    assert made.run("authorize", "people.csv", "--queue-only").code == 0
    for spelled in (erased, f"00{erased[1:]}", f"\u202a{erased[:3]} {erased[3:]}\u202c"):
        shown = json.loads(made.run("person", "--phone", spelled, "--json").out)
        assert [row["reference"] for row in shown["authorizations"]] == ["customer-1"], spelled
    assert made.run("erase", "--phone", erased, "--yes").code == 0
    assert [row["reference"] for row in asking.rows()] == [None, "customer-2"]
    # Somebody new, one digit beside those of before.
    beside = f"{other[:-1]}{(int(other[-1]) + 1) % 10}"
    new = line(3, phone_country_code=country, phone_number=beside)
    write(made.folder / "people.csv", [theirs, others, new])
    again = made.run("authorize", "people.csv", "--yes")
    assert again.code == 2
    assert [each for each in again.lines if each.startswith("line")] == [
        "line 2: error: this person's data were erased on request: ask no more"
    ]
    assert asking.created() == []
    sent = made.run("authorize", "people.csv", "--yes", "--skip-invalid")
    assert sent.code == 0, sent
    assert asking.states() == {"failed": 1, "linked": 2}


@pytest.mark.parametrize("spelled", ["+5114567890.0", "5.1E+9", "14567890", "+51 1 4567890/91"])
def test_a_number_that_is_none_erases_nobody(made: Project, asking: Asking, spelled: str) -> None:
    asking.queue(number="+5114567890")
    for command in (("person",), ("erase", "--yes")):
        done = made.run(command[0], "--phone", spelled, *command[1:])
        assert done.code == 2
        assert "--phone takes a number with its calling code" in done.err
    assert [row["phone_number"] for row in asking.rows()] == ["+5114567890"]


def test_people_who_share_a_placeholder_counterpart_are_not_confused(
    made: Project, asking: Asking
) -> None:
    asking.service.state.set_faults(*shown_as(share_counterpart))
    write(made.folder / "people.csv", [line(1), line(2)])
    assert made.run("authorize", "people.csv", "--yes").code == 0
    assert len({row["counterpart_id"] for row in asking.rows()}) == 1
    for person in (1, 2):
        shown = made.run("person", "--phone", f"+51{number_of(person)}", "--json")
        held = json.loads(shown.out)["authorizations"]
        assert [row["reference"] for row in held] == [f"customer-{person}"]
    assert made.run("erase", "--phone", f"+51{number_of(1)}", "--yes").code == 0
    assert [row["reference"] for row in asking.rows()] == [None, "customer-2"]
    write(made.folder / "people.csv", [line(1, reference="b1"), line(2, reference="b2")])
    again = made.run(
        "authorize", "people.csv", "--dry-run", ACTIVITIES_AUTHORIZATIONS_REPEATS="warn"
    )
    assert again.lines[:-1] == [
        "line 2: error: this person's data were erased on request: ask no more",
        "line 3: warning: this person was asked within 30 days",
    ]
