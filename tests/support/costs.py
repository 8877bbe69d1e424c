"""The most list requests that runs in tests may make: one table, so that a change of cost is seen whole."""

from __future__ import annotations

MOST_LIST_REQUESTS = {
    "sixteen days whose pages have no end": 173,
    "ninety days of which 31 can be asked for": 31,
    "a night of ninety days of which five can't be asked for": 65,
    "ninety days, the empty ones without a body": 24,
    "a night that audits a quarter of the days": 18,
    "a night at a service whose dates mean updates": 29,
}
