"""Messages to people, and the request that lets a monitor know that all is well.

It imports nothing that a wrong setting can break: it must work when the code location does not load.
"""

import logging
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

import httpx

# apprise may log an address, which is a secret.
logging.getLogger("apprise").setLevel(logging.CRITICAL + 1)

#: The kinds of messages, as apprise names them.
Kind = Literal["info", "failure"]


@dataclass(frozen=True)
class Alert:
    """A message without secrets and personal values."""

    title: str
    lines: tuple[str, ...]
    kind: Kind = "failure"


#: Posted by ``pipeline doctor --test-alert``.
TEST = Alert("a test", ("Alerts of failed runs and checks arrive here.",), "info")


def post(url: str, alert: Alert) -> bool:
    """Post to one address; return whether the address took the message."""
    from apprise import Apprise, NotifyFormat, NotifyType  # most processes never post

    notifier = Apprise()
    notifier.add(url)
    return bool(
        notifier.notify(
            title=f"activity-warehouse: {alert.title}",
            body="\n".join(alert.lines),
            notify_type=NotifyType(alert.kind),
            body_format=NotifyFormat.TEXT,
        )
    )


def ping(url: str) -> bool:
    """Request a heartbeat's address; return whether it answered."""
    with suppress(httpx.HTTPError):
        return httpx.get(url, timeout=10).is_success
    return False
