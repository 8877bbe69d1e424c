"""Single fields of responses: ids, instants, digests, and text that PostgreSQL can hold.

Implements docs/warehouse.md 5. Pure. A field that cannot be stored raises `Unstorable`.
"""

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime

from pipeline.ids import plain_uuid
from pipeline.service.instants import EPOCH
from pipeline.service.reading import mend_text
from pipeline.sync.limits import EARLIEST_CREATION, FARTHEST_AHEAD, SECONDS_END

#: How the escapes begin that PostgreSQL's text can't hold.
_SUSPECTS = (b"\\u0000", b"\\ud", b"\\uD")


class Unstorable(Exception):
    """A response that can't be stored as specified; ``str()`` is the reason, without values."""


def digest(body: bytes) -> bytes:
    """Return the BLAKE2b-128 of a response's bytes."""
    return hashlib.blake2b(body, digest_size=16).digest()


def mend(body: bytes) -> bytes | None:
    """Return a body without what PostgreSQL can't hold; None if it holds nothing of the kind."""
    # Few bodies have any escape, and one byte is found much faster than several.
    if b"\\" in body and any(suspect in body for suspect in _SUSPECTS):
        return mend_text(body)
    return None


def read_instant(
    name: str, convert: Callable[..., datetime | None], *value: object
) -> datetime | None:
    """Return what ``convert`` makes of a value. Raises `Unstorable`, which names the field."""
    try:
        return convert(*value)
    except ValueError as error:
        raise Unstorable(f"{name}: {error}") from None


def read_uuid(name: str, value: str) -> str:
    """Return a UUID in the form PostgreSQL prints it. Raises `Unstorable`, which names the field."""
    read = plain_uuid(value)
    if read is None:
        raise Unstorable(f"{name} is not a UUID")
    return read


def implausible(created_at: datetime | None, now: datetime | None) -> str | None:
    """Return why a creation can't be true; None if it can.

    ``now``: the service's time when it came; None: nobody knows that any more.
    """
    if created_at is None:
        return None
    if EPOCH < created_at < SECONDS_END:
        return "created_at lies in 1970: it looks like seconds instead of milliseconds"
    if created_at < EARLIEST_CREATION:
        return "created_at lies before 2000"
    # The service's clock may be far behind.
    if now and (early := created_at - FARTHEST_AHEAD) > now and early > datetime.now(UTC):
        return "created_at lies in the future"
    return None
