"""Tells "no access to these activities" from "the key or the token went bad".

Both are answered 403, and activities whose sharing is over may be refused by the hundred. So when
several different requests in a row are refused, with nothing granted in between, one list request
of a single row finds out: if the list is granted, the refusals are about the activities; if it is
refused too, the token is renewed once, and if that changes nothing, access is lost. A refused list
raises the question at once.
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
        self._verdicts = 0
        self._renewed = False
        self._lock = asyncio.Lock()

    def granted(self) -> None:
        """Note an answer that needed access and had it."""
        if self._refused:
            self._refused.clear()
            self._suspicion = _FIRST_SUSPICION

    async def refused(self, subject: str) -> bool:
        """Note a refused request; return whether the session was renewed, so that one more try is due.

        Raises `AccessLost` when access as such is gone.
        """
        self._refused.add(subject)
        count = len(self._refused)
        if count < self._suspicion:
            return False
        return await self._renewed_after(f"{count} requests in a row were refused")

    async def list_refused(self) -> bool:
        """Note a refused list. Does what `refused` does, without waiting for more refusals."""
        return await self._renewed_after("the list of activities was refused")

    async def _renewed_after(self, what: str) -> bool:
        """Find out whether access is lost, once for all who ask at a time; return whether renewed."""
        known = self._verdicts
        async with self._lock:
            if self.lost is not None:
                raise copy.copy(self.lost)
            if self._verdicts == known:
                self._renewed = await self._find_out(what)
                self._verdicts += 1
            return self._renewed

    async def _find_out(self, what: str) -> bool:
        verdict = await self._probe()
        renewed = False
        if verdict is False:
            logger.debug("%s, and the probe; renewing", what)
            await self._renew()
            verdict, renewed = await self._probe(), True
        if verdict is False:
            self.lost = AccessLost(
                "access to the service",
                f"{what}, also with a new session token",
                "check the API key and what the account may read",
            )
            raise self.lost
        if verdict and self._refused:
            self._refused.clear()
            self._suspicion = min(self._suspicion * 2, _LAST_SUSPICION)
        return renewed and verdict is True


def is_refusal(error: ServiceError) -> bool:
    """Whether the error may mean that access as such is gone."""
    return getattr(error, "status", None) in (401, 403)
