"""How fast authorizations are sent, and when it is certain that a call had no effect."""

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True)
class Rules:
    """Limits and periods of sending and settling (docs/authorizations.md).

    ``per_second``: most calls begun in a second. ``per_day``: most calls in a day of the configured zone.
    ``reference``: the pattern of references, None: messages have none. ``repeat_days``: nobody is asked
    again within so many days; 0: people may be.

    ``settle``: how long a call without a clear answer may still take effect after its end. A proxy or
    a queue may deliver it late. A list without its activity proves nothing before that, and to send
    again earlier could create a second activity.

    ``page_size``: rows in a page of the list. ``batch``: calls between two looks at the list. ``wait``: how
    long a run waits for a list that lags behind. ``look_for``: how long every run looks for an activity;
    later looks are ever further apart.

    ``most_attempts``: calls of one request. ``most_failures``: failed calls in a row that stop a run.
    """

    per_second: float = 1.0
    per_day: int = 1000
    reference: str | None = "(Ref. {reference})"
    repeat_days: int = 30
    settle: timedelta = timedelta(minutes=15)
    page_size: int = 500
    batch: int = 50
    wait: timedelta = timedelta(minutes=2)
    look_for: timedelta = timedelta(days=3)
    most_attempts: int = 3
    most_failures: int = 3
