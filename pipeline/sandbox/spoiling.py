"""How a fault reaches the caller: resets, cut bodies, wrong answers, silence."""

from __future__ import annotations

import asyncio
import email.utils
import socket
import struct
from typing import TYPE_CHECKING, Final

from aiohttp import web

from .refusals import HTML, JSON, Answer, Refused, refusal

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from .faults import FaultRule
    from .state import SandboxState

_PAGE: Final = (
    b"<!doctype html><html><head><title>Please wait</title></head>"
    b"<body><h1>The service is being maintained</h1></body></html>\n"
)
# Long enough for what was sent to reach the caller of the same machine before the reset does.
_BEFORE_RESET_SECONDS: Final = 0.02


class Spoiled(Exception):  # an outcome, not a defect
    """The connection was dealt with; `how` is what the counters say of it."""

    def __init__(self, how: str) -> None:
        super().__init__(how)
        self.how = how


def spoiled_answer(state: SandboxState, rule: FaultRule, answer: Answer | None) -> Answer | None:
    """Return the answer a fault gives in place of `answer`, or None if it isn't one of answers."""
    if rule.kind == "status":
        return _status_answer(state, rule)
    if rule.kind == "html":
        return Answer(rule.status or 200, _PAGE, rule.content_type or HTML)
    if rule.kind == "empty":
        return Answer(rule.status or 200, b"", rule.content_type or JSON)
    if rule.kind == "body":
        return Answer(rule.status or 200, rule.body_bytes(), rule.content_type or JSON)
    if answer is None:
        return None
    if rule.kind == "cut_json":
        half = answer.body[: len(answer.body) // 2]
        return Answer(answer.status, half, answer.content_type, answer.headers)
    if rule.kind == "wrong_content_type":
        kind = rule.content_type or "text/plain"
        return Answer(answer.status, answer.body, kind, answer.headers)
    return None


def _status_answer(state: SandboxState, rule: FaultRule) -> Answer:
    now = state.clock.now()
    status = rule.status or 500
    headers = {}
    if rule.retry_after is not None:
        if rule.retry_after_form == "date":
            # From the stated time, which may be skewed: the caller can only compare with that.
            stated = (now + state.behaviour.date_skew_ms) / 1000
            headers["Retry-After"] = email.utils.formatdate(stated + rule.retry_after, usegmt=True)
        else:
            headers["Retry-After"] = f"{rule.retry_after:g}"
    if rule.body is not None or rule.body_base64 is not None:
        return Answer(status, rule.body_bytes(), rule.content_type or JSON, headers)
    message = "an unexpected error happened during processing" if status >= 500 else "not now"
    return refusal(Refused(status, message, headers), state.behaviour, now)


def reset(request: web.BaseRequest) -> None:
    """Reset the connection (RST): what was not sent yet is lost."""
    transport = request.transport
    if transport is None:
        return
    connection = transport.get_extra_info("socket")
    if connection is not None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()


async def half_sent(
    request: web.BaseRequest,
    answer: Answer,
    ending: Callable[[], Awaitable[str]],
) -> web.StreamResponse:
    """Send status, headers and half the body, then do as `ending` says.

    It returns `rest` (send the other half), `close` or `reset`. A body of less than two bytes
    counts as two, so that there is always something missing.
    """
    response = web.StreamResponse(status=answer.status, headers=answer.headers)
    if answer.content_type:
        response.content_type = answer.content_type
    body = answer.body if len(answer.body) > 1 else answer.body + b"  "
    response.content_length = len(body)
    await response.prepare(request)
    middle = len(body) // 2
    await response.write(body[:middle])
    how = await ending()
    if how == "rest":
        await response.write(body[middle:])
        await response.write_eof()
        return response
    await asyncio.sleep(_BEFORE_RESET_SECONDS)
    if how == "reset":
        reset(request)
    elif request.transport is not None:
        request.transport.close()
    raise Spoiled("reset_body" if how == "reset" else "cut_body")
