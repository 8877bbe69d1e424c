"""The most list requests that runs in tests may make: one table, so that a change of cost is seen whole."""

from __future__ import annotations

MOST_LIST_REQUESTS = {
    "a load of 2,000 rows in pages of 100": 60,
    "a load of 2,000 rows in pages of 100, four days a window": 229,
    "sixteen days whose pages have no end": 1733,
    "two windows of older days": 9,
    "ten years without a row, then one": 60,
    "a night that audits a quarter of the days": 27,
    "a night at a service whose dates mean updates": 29,
}
