"""The HTTP front of a sandbox: the service, spoiled where a rule says so."""

from __future__ import annotations

import asyncio
import email.utils
import socket
import struct
from typing import TYPE_CHECKING, Final

import msgspec
from aiohttp import web

from .faults import spoiled
from .openapi import document
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
    """The connection was broken on purpose; `how` is what the counters call it."""

    def __init__(self, how: str) -> None:
        super().__init__(how)
        self.how = how


class Front:
    """Takes every request: counts it, then parks, answers or spoils it."""

    def __init__(self, state: SandboxState) -> None:
        self._state = state
        self._closing = asyncio.Event()
        self._date: tuple[int, str] = (-1, "")
        self._late: set[asyncio.Task[Answer]] = set()

    def app(self) -> web.Application:
        """Return the application to be served."""
        app = web.Application(client_max_size=_LARGEST_BODY)
        app.router.add_get("/sandbox/openapi.json", self._openapi)
        # A line break may be part of an id, and `.` would not match it.
        app.router.add_route("*", r"/{tail:[\s\S]*}", self._service)
        app.on_response_prepare.append(self._set_date)
        app.on_shutdown.append(self._close)
        return app

    async def _openapi(self, request: web.Request) -> web.Response:
        body = msgspec.json.encode(document(str(request.url.origin())))
        return web.Response(body=body, content_type="application/json")

    async def _close(self, _app: web.Application) -> None:
        """Let go of requests that hang or are parked."""
        self._closing.set()
        self._state.release_all()

    async def _set_date(self, _request: web.BaseRequest, response: web.StreamResponse) -> None:
        """Put the sandbox's time into the `Date` header."""
        state = self._state
        second = (state.clock.now() + state.behaviour.date_skew_ms) // 1000
        if second != self._date[0]:
            self._date = (second, email.utils.formatdate(second, usegmt=True))
        response.headers["Date"] = self._date[1]

    async def _service(self, request: web.Request) -> web.StreamResponse:
        """Answer one request of the service."""
        state, target = self._state, request.raw_path
        asked = routed(request.method, target, request.headers)
        operation, activity_id = asked.operation or "other", asked.activity_id
        key = f"{request.method} {target}"
        with state.lock:
            state.counts.begin(operation, activity_id)
            # Every parking and rule counts the request; the first that meets it is used.
            parkings = [each for each in state.parkings if each.meets(operation, activity_id)]
            met = [each.rule for each in state.faults() if each.meets(operation, activity_id, key)]
        parking = parkings[0] if parkings else None
        outcome = "gone"
        try:
            response = await self._response(request, asked, parking, met)
            outcome = str(response.status)
        except Broken as broken:
            outcome = broken.how
            response = web.Response()
        except ConnectionResetError:
            response = web.Response()  # nobody gets it: the caller left during the answer
        except Exception:
            outcome = "500"
            raise  # a defect of the sandbox, which aiohttp logs
        finally:
            with state.lock:
                state.counts.end(operation, outcome)
        return response

    async def _response(
        self, request: web.Request, asked: Asked, parking: Parking | None, met: list[FaultRule]
    ) -> web.StreamResponse:
        for each in met:
            if each.kind == "latency":
                await asyncio.sleep(each.latency_ms / 1000)
        rule = next((each for each in met if each.kind != "latency"), None)
        if asked.operation == "create":
            asked.body = await request.read()
        if parking is not None and parking.phase == "late":
            return _sent(await self._answered_late(asked, parking))
        await _hold(request, parking, "before")
        answer = None
        if rule is None or rule.needs_an_answer:
            answer = self._answer(asked, rule)
            await _hold(request, parking, "after")
        if rule is not None:
            if rule.kind in ("hang", "reset"):
                if rule.kind == "hang":
                    await self._closing.wait()
                _reset(request)
                raise Broken(rule.kind)
            with self._state.lock:
                now = self._state.clock.now()
                answer = spoiled(rule, answer, self._state.behaviour, now)
            if rule.kind == "reset_body":
                return await _half_sent(request, answer, None)
        assert answer is not None  # noqa: S101  # a rule that prevents the answer gives another
        if parking is not None and parking.phase == "body":
            return await _half_sent(request, answer, parking)
        return _sent(answer)

    def _answer(self, asked: Asked, rule: FaultRule | None) -> Answer:
        state = self._state
        with state.lock:
            if rule is not None and rule.kind == "change":
                changed: Answer = rule.change(asked, lambda other: answered(state, other))
                return changed
            asked.token_expired = rule is not None and rule.kind == "expired_token"
            return answered(state, asked)

    async def _answered_late(self, asked: Asked, parking: Parking) -> Answer:
        """Do what is asked when it is released, whether the caller still waits or not."""

        async def on_release() -> Answer:
            await parking.hold()
            return self._answer(asked, None)

        task = asyncio.create_task(on_release())
        self._late.add(task)
        task.add_done_callback(self._late.discard)
        return await asyncio.shield(task)


def _sent(answer: Answer) -> web.Response:
    return web.Response(
        status=answer.status,
        body=answer.body,
        content_type=answer.content_type,
        headers=answer.headers or None,
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


async def _half_sent(
    request: web.Request, answer: Answer, parking: Parking | None
) -> web.StreamResponse:
    """Send half of the answer. Then send the rest or reset, as the parking says; else reset.

    A body of less than two bytes gets more bytes, so that something is always missing.
    """
    response = web.StreamResponse(status=answer.status, headers=answer.headers)
    if answer.content_type:
        response.content_type = answer.content_type
    body = answer.body if len(answer.body) > 1 else answer.body + b"  "
    response.content_length = len(body)
    await response.prepare(request)
    middle = len(body) // 2
    await response.write(body[:middle])
    if parking is not None and await parking.hold() == "answer":
        await response.write(body[middle:])
        await response.write_eof()
        return response
    await asyncio.sleep(_BEFORE_RESET_SECONDS)
    _reset(request)
    raise Broken("reset_body")
