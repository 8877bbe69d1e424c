"""Tells "no access to these activities" from "the key or the token went bad".

Both are answered 403, and activities whose sharing is over may be refused by the hundred. So when
several different requests in a row are refused, with nothing granted in between, one list request
of a single row finds out: if the list is granted, the refusals are about the activities; if it is
refused too, the token is renewed once, and if that changes nothing, access is lost.
"""

import asyncio
import copy
import logging
from collections.abc import Awaitable, Callable

from pipeline.service.errors import AccessLost, ServiceError

logger = logging.getLogger(__name__)

_FIRST_SUSPICION = 5
_LAST_SUSPICION = 320


class AccessWatch:
    """Counts refusals of different requests in a row.

    ``probe()`` asks for the list: True granted, False refused, None no telling. ``renew()`` renews
    the session.
    """

    def __init__(
        self,
        probe: Callable[[], Awaitable[bool | None]],
        renew: Callable[[], Awaitable[None]],
    ) -> None:
        self.lost: AccessLost | None = None
        self._probe = probe
        self._renew = renew
        self._refused: set[str] = set()
        self._suspicion = _FIRST_SUSPICION
        self._lock = asyncio.Lock()

    def granted(self) -> None:
        """Note an answer that needed access and had it."""
        if self._refused:
            self._refused.clear()
            self._suspicion = _FIRST_SUSPICION

    async def refused(self, subject: str) -> bool:
        """Note a refusal; return whether the session was renewed, so that one more try is due.

        Raises `AccessLost` when access as such is gone.
        """
        self._refused.add(subject)
        if len(self._refused) < self._suspicion:
            return False
        async with self._lock:
            if self.lost is not None:
                raise copy.copy(self.lost)
            if len(self._refused) < self._suspicion:
                return False  # settled while we waited
            return await self._find_out()

    async def _find_out(self) -> bool:
        count = len(self._refused)
        verdict = await self._probe()
        renewed = False
        if verdict is False:
            logger.debug("%d requests refused in a row, and the list; renewing", count)
            await self._renew()
            verdict, renewed = await self._probe(), True
        if verdict is False:
            self.lost = AccessLost(
                "access to the service",
                f"{count} requests in a row were refused, also with a new session token",
                "check the API key and what the account may read",
            )
            raise self.lost
        if verdict:
            self._refused.clear()
            self._suspicion = min(self._suspicion * 2, _LAST_SUSPICION)
        return renewed and verdict is True


def is_refusal(error: ServiceError) -> bool:
    """Whether the error may mean that access as such is gone."""
    return getattr(error, "status", None) in (401, 403)
