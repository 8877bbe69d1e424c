"""Discrepancies of details: those not settled, how many there are, habits (docs/design.md "Belief").

`answers.belief` tells which there are. One that many activities have, and that asking again
takes back for none, is *suspected* to be a habit of the service; it is *confirmed* when a later night gets
the same. A suspected difference from the list is no reason to ask again; a confirmed one is not noted any
more.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import date, datetime

import sqlalchemy as sa
from psycopg.rows import args_row, scalar_row, tuple_row

from pipeline.warehouse.database.engine import execute, fetch, fetch_one
from pipeline.warehouse.database.sql import statement

#: So many answers of a run tell what is common.
_ENOUGH = 3


@dataclass(eq=False)
class Habits:
    """What is a habit, as far as a run knows. ``suspected`` and ``confirmed``: discrepancies.

    ``compared``: answers that this run has compared with the list; ``differing``: how many of them differed
    from it, by the field.
    """

    suspected: set[str] = field(default_factory=set)
    confirmed: set[str] = field(default_factory=set)
    compared: int = 0
    differing: Counter[str] = field(default_factory=Counter)

    def note(self, differing: Iterable[str]) -> None:
        """Count an answer that was compared with the list, and in what it differed."""
        self.compared += 1
        self.differing.update(differing)

    def is_common(self, name: str) -> bool:
        """Return whether list and details differ in this by habit, or in half of this run's answers."""
        item = f"disagrees in {name}"
        often = self.compared >= _ENOUGH and 2 * self.differing[name] >= self.compared
        return often or item in self.suspected or item in self.confirmed


def unsettled(engine: sa.Engine) -> list[tuple[str, date, str]]:
    """Return the activities with a discrepancy that is not settled, but for those in quarantine.

    Each with its day and the discrepancy, those that have it for the longest first.
    """
    query = (
        "select activity_id::text, day, discrepancy from sync.activity_ledger as ledger"
        " where discrepancy is not null and discrepancy_settled_at is null"
        " and not exists (select from sync.quarantine as entry"
        " where entry.subject = ledger.activity_id::text and entry.resolved_at is null)"
        " order by discrepancy_since, activity_id"
    )
    return fetch(engine, tuple_row, query)


def counts(engine: sa.Engine) -> list[tuple[str, int, int, str]]:
    """Return each discrepancy: how many activities have it, how many unsettled, and one of them."""
    return fetch(engine, tuple_row, statement("load/discrepancies"))


def many_lost(engine: sa.Engine, since: datetime | None = None) -> int:
    """Return how many activities lost or rewrote something and are not settled, if they are very many.

    That is more than 20, and more than 5 % of the answers since ``since``, a stamp; None: since the newest
    run began. Else 0.
    """
    return fetch_one(engine, args_row(int), statement("load/discrepancies_many"), {"since": since})


def habits(engine: sa.Engine) -> Habits:
    """Return the habits that earlier runs met."""
    query = "select discrepancy, confirmed_at is not null from sync.habits"
    found = fetch(engine, tuple_row, query)
    return Habits(
        suspected={name for name, confirmed in found if not confirmed},
        confirmed={name for name, confirmed in found if confirmed},
    )


def suspect(engine: sa.Engine, discrepancies: Collection[str], at: datetime) -> None:
    """Note discrepancies of many activities that no answer has taken back; ``at``: the service's time."""
    query = (
        "insert into sync.habits (discrepancy, suspected_at) select unnest(%s::text[]), %s"
        " on conflict do nothing"
    )
    if discrepancies:
        execute(engine, query, (sorted(discrepancies), at))


def conclude(engine: sa.Engine) -> list[str]:
    """Confirm what a later night got again, and settle what has only such discrepancies.

    Forgets what no activity has any more. Returns the discrepancies that were confirmed now.
    """
    return fetch(engine, scalar_row, statement("load/habits"))
