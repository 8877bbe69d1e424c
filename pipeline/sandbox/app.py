"""The aiohttp application: requests in, answers or faults out."""

from __future__ import annotations

import asyncio
import email.utils
import logging
from typing import TYPE_CHECKING, Final

from aiohttp import web

from .controls import add_controls
from .faults import NEED_AN_ANSWER, Fired
from .refusals import Answer, Refused, refusal
from .service import PREFIX, Asked, answered, routed
from .spoiling import Spoiled, half_sent, reset, spoiled_answer

if TYPE_CHECKING:
    from .parking import Parking
    from .state import SandboxState

_log = logging.getLogger(__name__)
# A line break may be part of an id, and `.` would not match it.
_ANYTHING: Final = r"{tail:[\s\S]*}"
LARGEST_BODY: Final = 1024 * 1024
# The controls take payloads of tens of megabytes.
_LARGEST_CONTROL_BODY: Final = 128 * 1024 * 1024


def make_app(state: SandboxState) -> web.Application:
    """Return the application that serves a sandbox's state, service and controls."""
    app = web.Application(client_max_size=_LARGEST_CONTROL_BODY)
    front = Front(state)
    app.router.add_route("*", PREFIX + _ANYTHING, front.handle)
    add_controls(app, state)
    app.router.add_route("*", "/" + _ANYTHING, front.handle)
    app.on_response_prepare.append(front.state_date)
    app.on_shutdown.append(front.close)
    return app


class Front:
    """Takes every request of the service: counts it, lets faults befall it, has it answered."""

    def __init__(self, state: SandboxState) -> None:
        self._state = state
        self._closing = asyncio.Event()
        self._date: tuple[int, str] = (-1, "")
        self._late: set[asyncio.Task[Answer]] = set()

    async def close(self, _app: web.Application) -> None:
        """Let go of requests that hang or are parked."""
        self._closing.set()
        self._state.parkings.release_all()

    async def state_date(self, _request: web.BaseRequest, response: web.StreamResponse) -> None:
        """State the sandbox's time in the `Date` header, or leave it out."""
        behaviour = self._state.behaviour
        if not behaviour.date_header:
            response.headers.popall("Date", None)
            return
        second = (self._state.clock.now() + behaviour.date_skew_ms) // 1000
        if second != self._date[0]:
            self._date = (second, email.utils.formatdate(second, usegmt=True))
        response.headers["Date"] = self._date[1]

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one request of the service."""
        state, target = self._state, request.raw_path
        asked = routed(request.method, target, request.headers)
        operation = asked.operation or "other"
        with state.lock:
            if state.behaviour.request_ms:
                state.clock.advance(state.behaviour.request_ms)
            number = state.counts.begin(operation, asked.activity_id)
            parking = state.parkings.met(operation, asked.activity_id)
            key = f"{request.method} {target}"
            fired = state.fault_rules.fired(operation, asked.activity_id, key)
        outcome = "gone"
        try:
            response = await self._response(request, asked, parking, fired)
            outcome = str(response.status)
        except Spoiled as spoiled:
            outcome = spoiled.how
            response = web.Response()
        except ConnectionResetError:
            response = web.Response()  # to nobody: the caller left while the answer was being sent
        except Exception:
            # A defect of the sandbox itself; the service's own word for it is 500 (§7).
            _log.exception("%s %s", request.method, target)
            answer = refusal(
                Refused(500, "a defect of the sandbox"), state.behaviour, state.clock.now()
            )
            response = _sent(answer)
            outcome = "500"
        finally:
            with state.lock:
                now = state.clock.now()
                state.counts.end(number, operation, target, outcome, now)
        return response

    async def _response(
        self, request: web.Request, asked: Asked, parking: Parking | None, fired: list[Fired]
    ) -> web.StreamResponse:
        for fault in fired:
            if fault.rule.kind == "latency":
                await asyncio.sleep(fault.rule.delay(fault.draw))
        if parking is not None and parking.phase == "late":
            return _sent(await self._answered_late(request, asked, parking))
        await self._hold(request, parking, "before")
        fault_rules = [fault.rule for fault in fired if fault.rule.kind != "latency"]
        rule = fault_rules[0] if fault_rules else None
        asked.token_expired = rule is not None and rule.kind == "expired_token"
        answer = None
        if rule is None or rule.after_effect or rule.kind in NEED_AN_ANSWER or asked.token_expired:
            answer = await self._answer(request, asked)
            await self._hold(request, parking, "after")
        if rule is not None:
            answer = spoiled_answer(self._state, rule, answer) or answer
            if rule.kind == "reset":
                reset(request)
                raise Spoiled("reset")
            if rule.kind == "hang":
                await self._closing.wait()
                reset(request)
                raise Spoiled("hang")
        assert answer is not None  # noqa: S101  # every other kind of fault is an answer
        if rule is not None and rule.kind in ("reset_body", "cut_body"):
            how = "reset" if rule.kind == "reset_body" else "close"
            return await half_sent(request, answer, lambda: _at_once(how))
        if parking is not None and parking.phase == "body":
            held = parking
            return await half_sent(request, answer, lambda: _after_parking(held))
        return _sent(answer)

    async def _hold(self, request: web.Request, parking: Parking | None, phase: str) -> None:
        if parking is not None and parking.phase == phase and await parking.hold() == "reset":
            reset(request)
            raise Spoiled("reset")

    async def _answered_late(self, request: web.Request, asked: Asked, parking: Parking) -> Answer:
        """Do what is asked when it is released, whether the caller still waits or not."""
        asked.body = await request.read()

        async def on_release() -> Answer:
            await parking.hold()
            return await self._answer(request, asked)

        task = asyncio.create_task(on_release())
        self._late.add(task)
        task.add_done_callback(self._late.discard)
        return await asyncio.shield(task)

    async def _answer(self, request: web.Request, asked: Asked) -> Answer:
        state = self._state
        if asked.operation == "create":
            asked.body = await request.read()
            if len(asked.body) > LARGEST_BODY:
                refused = Refused(400, f"the body is larger than {LARGEST_BODY} bytes")
                return refusal(refused, state.behaviour, state.clock.now())
        with state.lock:
            return answered(state, asked)


def _sent(answer: Answer) -> web.Response:
    return web.Response(
        status=answer.status,
        body=answer.body,
        content_type=answer.content_type,
        headers=answer.headers or None,
    )


async def _at_once(how: str) -> str:
    return how


async def _after_parking(parking: Parking) -> str:
    return "reset" if await parking.hold() == "reset" else "rest"
