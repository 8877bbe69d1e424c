"""The HTTP front of a sandbox: the service, spoiled where a rule says so."""

from __future__ import annotations

import asyncio
import email.utils
import socket
import struct
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NoReturn

from aiohttp import web

from .service import answered, routed

if TYPE_CHECKING:
    from .answers import Answer, Asked
    from .faults import FaultRule
    from .parking import Parking, Phase
    from .state import SandboxState

_LARGEST_BODY: Final = 16 * 1024 * 1024
# Long enough for what was sent to reach a caller on this machine before the reset does.
_BEFORE_RESET_SECONDS: Final = 0.02


class Broken(Exception):  # an outcome, not a defect
    """The connection was broken on purpose; the text is what the counters call it."""


class Front:
    """Takes every request: counts it, then parks, answers or spoils it."""

    def __init__(self, state: SandboxState) -> None:
        self._state = state
        self._closing = asyncio.Event()

    def app(self) -> web.Application:
        """Return the application to be served."""
        app = web.Application(client_max_size=_LARGEST_BODY)
        # A line break may be part of an id, and `.` would not match it.
        app.router.add_route("*", r"/{tail:[\s\S]*}", self._service)
        app.on_response_prepare.append(self._set_date)
        app.on_shutdown.append(self._close)
        return app

    async def _close(self, _app: web.Application) -> None:
        """Let go of requests that hang or are parked."""
        self._closing.set()
        for parking in self._state.parkings:
            parking.release()

    async def _set_date(self, _request: web.BaseRequest, response: web.StreamResponse) -> None:
        """Put the sandbox's time into the `Date` header."""
        state = self._state
        second = (state.clock.now() + state.behaviour.date_skew_ms) // 1000
        response.headers["Date"] = email.utils.formatdate(second, usegmt=True)

    async def _service(self, request: web.Request) -> web.Response:
        """Answer one request of the service."""
        state, target = self._state, request.raw_path
        asked = routed(request.method, target, request.headers)
        operation, activity_id = asked.operation or "other", asked.activity_id
        key = f"{request.method} {target}"
        with state.lock:
            state.counts.begin(operation, activity_id)
            # Every parking and rule counts the request; the first that meets it is used.
            parkings = [each for each in state.parkings if each.meets(operation, activity_id)]
            met = [each.rule for each in state.rules if each.meets(operation, activity_id, key)]
        outcome = "500"
        try:
            response = await self._response(request, asked, parkings[0] if parkings else None, met)
            outcome = str(response.status)
        except Broken as broken:
            outcome = str(broken)
            response = web.Response()
        finally:
            with state.lock:
                state.counts.end(operation, outcome)
        return response

    async def _response(
        self, request: web.Request, asked: Asked, parking: Parking | None, met: list[FaultRule]
    ) -> web.Response:
        state = self._state
        for each in met:
            if each.kind == "latency":
                await asyncio.sleep(each.latency_ms / 1000)
        rule = next((each for each in met if each.kind != "latency"), None)
        kind = None if rule is None else rule.kind
        if asked.operation == "create":
            asked.body = await request.read()
        await _hold(request, parking, "before")
        answer: Answer | None = None
        if rule is None or rule.after_effect or kind in ("change", "reset_body"):
            with state.lock:
                if rule is not None and kind == "change":
                    answer = rule.change(asked, lambda other: answered(state, other))
                else:
                    answer = answered(state, asked)
            await _hold(request, parking, "after")
        if kind == "hang":
            await self._closing.wait()
        if kind in ("hang", "reset"):
            _reset(request)
            raise Broken(kind)
        if rule is not None and kind == "status":
            answer = rule.answer(state.clock.now())
        assert answer is not None  # noqa: S101  # a rule that prevents the answer gives another
        if kind == "reset_body":
            await _send_half(request, answer)
        return web.Response(
            status=answer.status,
            body=answer.body,
            content_type=answer.content_type,
            headers=answer.headers,
        )


async def _hold(request: web.Request, parking: Parking | None, phase: Phase) -> None:
    """Park the request if its parking is of this phase."""
    if parking is not None and parking.phase == phase and await parking.hold() == "reset":
        _reset(request)
        raise Broken("reset")


def _reset(request: web.Request) -> None:
    """Reset the connection (RST): what was not sent yet is lost."""
    if request.transport is not None:
        connection = request.transport.get_extra_info("socket")
        if connection is not None:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        request.transport.abort()


async def _send_half(request: web.Request, answer: Answer) -> NoReturn:
    """Send half of the answer, then reset the connection.

    A body of less than two bytes gets more bytes, so that something is always missing.
    """
    response = web.StreamResponse(status=answer.status, headers=answer.headers)
    if answer.content_type:
        response.content_type = answer.content_type
    body = answer.body if len(answer.body) > 1 else answer.body + b"  "
    response.content_length = len(body)
    with suppress(ConnectionResetError):  # the caller may have left
        await response.prepare(request)
        await response.write(body[: len(body) // 2])
    await asyncio.sleep(_BEFORE_RESET_SECONDS)
    _reset(request)
    raise Broken("reset_body")
