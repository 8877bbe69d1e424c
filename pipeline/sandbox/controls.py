"""The controls over HTTP, under `/sandbox/`, outside the service's own paths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from aiohttp import web

from .behaviour import Behaviour
from .faults import FaultRule, Operation
from .mutations import Mutation
from .openapi import document
from .overview import overview_page
from .parking import Outcome, Phase  # noqa: TC001  # read by msgspec at run time

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from .state import SandboxState

    Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

T = TypeVar("T")
LONGEST_WAIT_SECONDS = 60.0


class ClockWish(msgspec.Struct, forbid_unknown_fields=True):
    """Body of PUT /sandbox/clock; see SandboxState.set_clock."""

    now: int | None = None
    advance_ms: int | None = None
    frozen: bool | None = None


class ParkingWish(msgspec.Struct, forbid_unknown_fields=True):
    """Body of POST /sandbox/parking; see Parking."""

    operation: Operation
    number: int = 1
    id: str | None = None
    phase: Phase = "before"


class ReleaseWish(msgspec.Struct, forbid_unknown_fields=True):
    """Body of POST /sandbox/parking/{parking}/release."""

    outcome: Outcome = "answer"


def add_controls(app: web.Application, state: SandboxState) -> None:
    """Add every control's route."""
    controls = Controls(state)
    root = "/sandbox"
    table: list[tuple[str, str, Handler]] = [
        ("GET", "/", controls.page),
        ("GET", "/health", controls.health),
        ("GET", "/openapi.json", controls.openapi),
        ("GET", "/behaviour", controls.get_behaviour),
        ("PUT", "/behaviour", controls.put_behaviour),
        ("PATCH", "/behaviour", controls.patch_behaviour),
        ("GET", "/faults", controls.get_faults),
        ("PUT", "/faults", controls.put_faults),
        ("POST", "/faults", controls.post_fault),
        ("DELETE", "/faults", controls.delete_faults),
        ("GET", "/clock", controls.get_clock),
        ("PUT", "/clock", controls.put_clock),
        ("GET", "/counters", controls.get_counters),
        ("DELETE", "/counters", controls.delete_counters),
        ("GET", "/counters/details", controls.get_details_asked),
        ("GET", "/journal", controls.get_journal),
        ("GET", "/truth", controls.get_truth),
        ("GET", "/truth/{id}", controls.get_truth_of),
        ("GET", "/ids", controls.get_ids),
        ("GET", "/people", controls.get_people),
        ("POST", "/mutate", controls.post_mutations),
        ("DELETE", "/tokens", controls.delete_tokens),
        ("GET", "/parking", controls.get_parkings),
        ("POST", "/parking", controls.post_parking),
        ("GET", "/parking/{parking}", controls.get_parking),
        ("POST", "/parking/{parking}/release", controls.post_release),
    ]
    for method, path, handler in table:
        app.router.add_route(method, root + path, _refusing(handler))
    app.router.add_get("/sandbox", _refusing(controls.page))


def _refusing(handler: Handler) -> Handler:
    """Answer wrong bodies with 400, unknown ids with 404, impossible deeds with 409."""

    async def refusing(request: web.Request) -> web.StreamResponse:
        try:
            return await handler(request)
        except (msgspec.ValidationError, msgspec.DecodeError) as error:
            return _json({"message": str(error)}, 400)
        except KeyError as error:
            return _json({"message": f"unknown: {error.args[0]}"}, 404)
        except ValueError as error:
            return _json({"message": str(error)}, 409)

    return refusing


def _json(value: object, status: int = 200) -> web.Response:
    return web.Response(
        status=status, body=msgspec.json.encode(value), content_type="application/json"
    )


async def _read(request: web.Request, kind: type[T]) -> T:
    return msgspec.json.decode(await request.read() or b"{}", type=kind)


class Controls:
    """Handlers of the controls; each one calls the method of the same purpose on the state."""

    def __init__(self, state: SandboxState) -> None:
        self._state = state

    async def page(self, request: web.Request) -> web.Response:
        """Show what this is, with counters."""
        text = overview_page(self._state, str(request.url.origin()))
        return web.Response(text=text, content_type="text/html")

    async def health(self, _request: web.Request) -> web.Response:
        """Tell that it runs, and how much there is."""
        with self._state.lock:
            now = self._state.clock.now()
            return _json({"ok": True, "now": now, "activities": len(self._state.world.ordered)})

    async def openapi(self, request: web.Request) -> web.Response:
        """Give the OpenAPI document."""
        return _json(document(self._state.behaviour, str(request.url.origin())))

    async def get_behaviour(self, _request: web.Request) -> web.Response:
        """Give all switches."""
        return _json(self._state.behaviour)

    async def put_behaviour(self, request: web.Request) -> web.Response:
        """Replace all switches; what is left out is at its default."""
        self._state.set_behaviour(await _read(request, Behaviour))
        return _json(self._state.behaviour)

    async def patch_behaviour(self, request: web.Request) -> web.Response:
        """Change the given switches."""
        return _json(self._state.change_behaviour(**await _read(request, dict[str, Any])))

    async def get_faults(self, _request: web.Request) -> web.Response:
        """Give the rules in force."""
        return _json(self._state.faults())

    async def put_faults(self, request: web.Request) -> web.Response:
        """Replace the rules by a list of them."""
        self._state.set_faults(*await _read(request, list[FaultRule]))
        return _json(self._state.faults())

    async def post_fault(self, request: web.Request) -> web.Response:
        """Add one rule."""
        self._state.add_fault(await _read(request, FaultRule))
        return _json(self._state.faults(), 201)

    async def delete_faults(self, _request: web.Request) -> web.Response:
        """Remove all rules."""
        self._state.set_faults()
        return _json([])

    async def get_clock(self, _request: web.Request) -> web.Response:
        """Give what the clock shows."""
        return _json(self._state.clock_reading())

    async def put_clock(self, request: web.Request) -> web.Response:
        """Move, freeze or run the clock."""
        wish = await _read(request, ClockWish)
        reading = self._state.set_clock(
            now=wish.now, advance_ms=wish.advance_ms, frozen=wish.frozen
        )
        return _json(reading)

    async def get_counters(self, _request: web.Request) -> web.Response:
        """Give the counts."""
        return _json(self._state.counters())

    async def delete_counters(self, _request: web.Request) -> web.Response:
        """Count anew."""
        self._state.reset_counters()
        return _json(self._state.counters())

    async def get_details_asked(self, _request: web.Request) -> web.Response:
        """Give how often each activity's details were asked for."""
        return _json(self._state.details_asked())

    async def get_journal(self, _request: web.Request) -> web.Response:
        """Give the last requests."""
        return _json(self._state.journal())

    async def get_truth(self, request: web.Request) -> web.StreamResponse:
        """Stream every activity as stated now, one JSON object a line."""
        response = web.StreamResponse()
        response.content_type = "application/x-ndjson"
        await response.prepare(request)
        include_deleted = request.query.get("include_deleted") == "1"
        lines: list[bytes] = []
        for truth in self._state.truth(include_deleted=include_deleted):
            lines.append(msgspec.json.encode(truth))
            if len(lines) == 100:
                await response.write(b"\n".join(lines) + b"\n")
                lines.clear()
        await response.write(b"".join(line + b"\n" for line in lines))
        return response

    async def get_truth_of(self, request: web.Request) -> web.Response:
        """Give one activity as stated now, also a deleted one."""
        return _json(self._state.truth_of(request.match_info["id"]))

    async def get_ids(self, request: web.Request) -> web.Response:
        """Give all ids, or those in the statuses asked for."""
        return _json(self._state.ids(*request.query.getall("status", [])))

    async def get_people(self, _request: web.Request) -> web.Response:
        """Give all entities with their phone numbers."""
        return _json(self._state.people())

    async def post_mutations(self, request: web.Request) -> web.Response:
        """Do one deed or a list of them in order; gives the ids they were done to."""
        wish = await _read(request, Mutation | list[Mutation])  # type: ignore[arg-type]
        deeds: list[Mutation] = wish if isinstance(wish, list) else [wish]
        return _json({"ids": [self._state.mutate(deed) for deed in deeds]})

    async def delete_tokens(self, _request: web.Request) -> web.Response:
        """Revoke every token."""
        self._state.revoke_tokens()
        return _json({})

    async def get_parkings(self, _request: web.Request) -> web.Response:
        """Give all parkings."""
        return _json([parking.reading() for parking in self._state.parkings.all()])

    async def post_parking(self, request: web.Request) -> web.Response:
        """Set up a parking."""
        wish = await _read(request, ParkingWish)
        parking = self._state.park(
            wish.operation, wish.number, activity_id=wish.id, phase=wish.phase
        )
        return _json(parking.reading(), 201)

    async def get_parking(self, request: web.Request) -> web.Response:
        """Give one parking; with `wait` seconds, as soon as its request is parked."""
        parking = self._state.parkings.get(int(request.match_info["parking"]))
        wait = float(request.query.get("wait", "0"))
        if wait > 0:
            await parking.arrived(min(wait, LONGEST_WAIT_SECONDS))
        return _json(parking.reading())

    async def post_release(self, request: web.Request) -> web.Response:
        """Release a parked request."""
        parking = self._state.parkings.get(int(request.match_info["parking"]))
        parking.release((await _read(request, ReleaseWish)).outcome)
        return _json(parking.reading())
