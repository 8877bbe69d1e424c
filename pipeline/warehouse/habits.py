"""Habits of the service: discrepancies that it always has (docs/design.md "Belief").

A discrepancy that many activities have, and that asking again takes back for none, is *suspected* to be a
habit; it is *confirmed* when a later night gets the same. A suspected difference from the list is no reason
to ask again; a confirmed one is not noted any more.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime

import sqlalchemy as sa
from psycopg.rows import tuple_row

from pipeline.warehouse.engine import execute, fetch, in_transaction
from pipeline.warehouse.sql import statement

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


def read(engine: sa.Engine) -> Habits:
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
    return in_transaction(
        engine,
        lambda session: [name for (name,) in session.execute(statement("load/habits")).fetchall()],
    )
