"""Stamps: when a run received something, in an order that no wrong clock disturbs.

Implements docs/design.md "Order". What is newer is decided by these times alone. What is due is
decided by PostgreSQL's or the service's present time instead, since stamps may be ahead of both.
"""

import time
from collections.abc import Callable
from datetime import datetime, timedelta

import sqlalchemy as sa

from pipeline.warehouse.state.ledger import stamp_base

Stamp = Callable[[], datetime]


def stamps(engine: sa.Engine) -> Stamp:
    """Return a function that returns the present stamp: later than all that was stored before.

    Runs that are under way together agree to the speed of their queries, whatever their machines'
    clocks say. Raises a ``WarehouseError``.
    """
    base = stamp_base(engine)
    # This machine's clock may be set while the run goes on, its monotonic one not.
    began = time.monotonic()
    return lambda: base + timedelta(seconds=time.monotonic() - began)
