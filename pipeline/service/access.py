"""Tells "no access to these activities" from "the key or the token went bad" (docs/design.md "Session").

The service answers both with 403 (docs/service.md 5), and it may refuse hundreds of activities whose
sharing has ended. So when several different requests in a row were refused, one list request of a
single row finds out:

=====================================  ============================================================
the list is                            then
=====================================  ============================================================
granted                                the refusals are about the activities; twice as many
                                       refusals are needed before the next question
refused                                renew the token once and ask again
refused again, with the new token      access is lost: `AccessLost` for every further request
not answered                           nothing is known; the next refusal asks again
=====================================  ============================================================

A refused list asks the question at once.
"""

import asyncio
import copy
import logging
from collections.abc import Awaitable, Callable

from pipeline.service.errors import AccessLost

logger = logging.getLogger(__name__)

_FIRST_SUSPICION = 5
_LAST_SUSPICION = 320


class AccessWatch:
    """Counts refusals of different requests in a row.

    ``probe()`` asks for the list: True granted, False refused, None unanswered. ``renew()`` renews the
    session's token. ``lost``: the error, once access is lost.
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
        self._questions = 0
        self._renewed = False
        self._lock = asyncio.Lock()

    def granted(self) -> None:
        """Note an answer that needed access and had it."""
        if self._refused:
            self._refused.clear()
            self._suspicion = _FIRST_SUSPICION

    async def refused(self, request: str, *, is_list: bool) -> bool:
        """Note a refused request; return True if the token was renewed, so that one more try is due.

        ``request``: tells different requests apart. Raises `AccessLost` when access as such is gone.
        """
        if is_list:
            finding = "the list of activities was refused"
        else:
            self._refused.add(request)
            if len(self._refused) < self._suspicion:
                return False
            finding = f"{len(self._refused)} requests in a row were refused"
        # Read before the lock: another caller may ask the question while this one waits.
        asked = self._questions
        async with self._lock:
            if self.lost is not None:
                raise copy.copy(self.lost)
            if self._questions == asked:  # else another caller asked while this one waited
                self._renewed = await self._renew_if_refused(finding)
                self._questions += 1
            return self._renewed

    async def _renew_if_refused(self, finding: str) -> bool:
        """Ask the question; return True if a new token has cured it."""
        granted = await self._probe()
        renewed = False
        if granted is False:
            logger.debug("%s, and the probe too; renewing the token", finding)
            await self._renew()
            granted, renewed = await self._probe(), True
        if granted is False:
            self.lost = AccessLost(
                "access to the service",
                f"{finding}, also with a new session token",
                "check the API key and what the account may read",
            )
            raise self.lost
        if granted and self._refused:
            self._refused.clear()
            self._suspicion = min(self._suspicion * 2, _LAST_SUSPICION)
        return renewed and granted is True
