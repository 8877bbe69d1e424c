"""Which answers prove a day: docs/design.md "Proof", clause 1 of the guarantees."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from pipeline.sync.days import Dates, DayRange
from pipeline.sync.list_rows import ListRow, read_row
from pipeline.sync.listing import Question
from pipeline.sync.proof import Evidence

_DAY = date(2026, 3, 5)
_ASKED = datetime(2026, 4, 1, tzinfo=UTC)
_ONE_DAY = timedelta(days=1)


def _row(number: int, day: date) -> ListRow:
    created = datetime.combine(day, datetime.min.time(), UTC) + timedelta(hours=number)
    body = (
        f'{{"id": "00000000-0000-0000-0000-{number:012}", "type": "REQUEST", "in_out_bound": "OUT",'
        f' "entity": null, "status": "SENT", "time_zone": "UTC",'
        f' "created_at": {int(created.timestamp() * 1000)}}}'
    )
    return read_row(body.encode(), _ASKED, _ASKED)


def _question(days: DayRange, dates: Dates, rows: list[ListRow]) -> Question:
    return Question(
        days, dates, 100, _ASKED, _ASKED, rows={row.subject: row for row in rows}, pages=1
    )


def _proven(*questions: Question) -> set[date]:
    evidence = Evidence()
    for question in questions:
        here = {
            name: _DAY
            for name, row in question.rows.items()
            if row.created_at and row.created_at.date() == _DAY
        }
        evidence.add(question, here)
    found, _, _ = evidence.listed({_DAY})
    return {each.day for each in found if not each.by_one}


def test_an_answer_for_more_dates_must_have_all_that_one_for_fewer_has() -> None:
    """Also rows of days that nobody reads, and that lie in no zone surely within its dates."""
    here, after = _row(3, _DAY), _row(20, _DAY + 2 * _ONE_DAY)
    narrow = _question(DayRange(_DAY, _DAY), (_DAY - _ONE_DAY, _DAY + 2 * _ONE_DAY), [here, after])
    wide = _question(
        DayRange(_DAY, _DAY + _ONE_DAY), (_DAY - _ONE_DAY, _DAY + 3 * _ONE_DAY), [here]
    )
    whole = _question(
        DayRange(_DAY, _DAY + _ONE_DAY), (_DAY - _ONE_DAY, _DAY + 3 * _ONE_DAY), [here, after]
    )
    assert _proven(narrow, whole) == {_DAY}
    assert _proven(narrow, wide) == set()
