"""How fast Authorizations are sent, and when it is sure that a call had no effect: all in one place."""

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True)
class Rules:
    """Limits and patience of the outbox; the defaults are safe.

    ``per_second``: calls begun a second at most. ``per_day``: calls a day of the configured zone.

    ``settle``: how long after the end of a call that got no clear answer it may still take effect. A
    proxy or a queue may deliver it late, so only past that does a list without its activity prove
    that there is none; sending again earlier might create a second one.

    ``tolerance``: how far the service's creation instants may lie from the clock in its ``Date``
    headers, by which the calls are timed. ``doubt``: the same where a mistake would create a second
    activity: one so much older still speaks against sending again. ``jitter``: how far the clocks of
    the service's own machines may lie apart.

    ``batch``: calls between two looks at the list; ``patience``: seconds before each look after a
    batch, while activities that were surely created are not listed yet. ``look_for``: how long
    runs look for an activity by themselves.

    ``most_attempts``: calls of one request. ``most_failures``: calls in a row without an answer, or
    refused, after which a run stops.
    """

    per_second: float = 1.0
    per_day: int = 1000
    settle: timedelta = timedelta(minutes=15)
    tolerance: timedelta = timedelta(minutes=1)
    doubt: timedelta = timedelta(hours=1)
    jitter: timedelta = timedelta(seconds=1)
    batch: int = 50
    patience: tuple[float, ...] = (0.0, 1.0, 3.0)
    look_for: timedelta = timedelta(days=3)
    most_attempts: int = 3
    most_failures: int = 3
