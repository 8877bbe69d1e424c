"""Sending queued requests, each by one call (docs/service.md 4.2)."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from pipeline.authorizations.context import Context
from pipeline.authorizations.phones import mask_in
from pipeline.authorizations.references import compose
from pipeline.authorizations.requests import Request
from pipeline.service.errors import Forbidden, ServiceError, StatusError, Unauthorized
from pipeline.warehouse.authorizations import Row, change_state

#: Statuses that say: this request is wrong.
_REJECTED = frozenset({400, 422})
#: Statuses that say: nothing was done, and not because of this request (docs/service.md 7).
#: A call that ends with any status that is in neither set may have taken effect.
_NOTHING_DONE = frozenset({401, 403, 404, 405, 406, 410, 411, 413, 414, 415, 429, 431})
#: Only this one of them depends on the request alone.
_TOO_LARGE = 413
_MOST_BODY = 2000
#: So many failed calls in a row stop a run.
_MOST_FAILURES = 3


async def send_calls(context: Context, requests: Sequence[tuple[Row, Request]]) -> None:
    """Make the calls of a batch, one at a time, until further calls make no sense. The rest stays queued.

    Raises a ``ServiceError`` when a login fails.
    """
    for row, request in requests:
        if context.stopped:
            return
        # Only the rate is kept here; the client itself waits as ``Retry-After`` says.
        await asyncio.sleep(1 / context.rules.per_second)
        # An interrupt cancels us in the middle of a call. The call goes on until its end is
        # recorded; otherwise it would have to be settled as if the process had died.
        task = asyncio.ensure_future(_send(context, row, request))
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            await asyncio.wait([task])
            raise


async def _send(context: Context, row: Row, request: Request) -> None:
    session = context.session
    # Log in first: a login that fails must not leave the call in doubt.
    await context.client.login()
    # Committed before the call, so that a process that dies in the call leaves a trace of it.
    if not change_state(session, row, "sending", now=context.now()):
        return  # not queued any more
    failure: ServiceError | None = None
    try:
        reference, pattern = request.message_reference, context.rules.reference
        message = compose(request.description, reference, pattern)
        await context.client.create_authorization(request.body(message))
    except ServiceError as error:
        failure = error
    state, reason = _outcome(failure, request)
    change_state(session, replace(row, state="sending"), state, reason, now=context.now())
    if state != "queued":
        context.reached[state] += 1
    if failure is None or state == "rejected":  # a rejection concerns one request only
        context.failures = 0
        return
    context.failures += 1
    too_many = context.failures >= _MOST_FAILURES
    # 401 and 403 concern the account, so the next call would end in the same way.
    if failure.fatal or too_many or isinstance(failure, (Unauthorized, Forbidden)):
        context.stopped = str(failure)
    # What stays queued for another reason is sent with the next batch.
    elif state == "queued" and isinstance(failure, StatusError) and not failure.retryable:
        context.refused[row.id] = failure.status == _TOO_LARGE


def _outcome(failure: ServiceError | None, request: Request) -> tuple[str, str | None]:
    """Return the state that the end of a call leads to, and the reason."""
    if failure is None:
        return "sent", None
    if isinstance(failure, StatusError):
        if failure.status in _REJECTED:
            return "rejected", _with_body(failure, request.phone_number)
        if failure.status in _NOTHING_DONE:
            return "queued", failure.cause
    return "queued" if failure.not_sent else "unknown", failure.cause


def _with_body(failure: StatusError, number: str) -> str:
    """Return the cause with the answer's body: on one line, short, and with the number masked."""
    body = failure.body[: 4 * _MOST_BODY].decode("utf-8", "replace").replace("\0", "\ufffd")
    text = " ".join(mask_in(body, number).split())[:_MOST_BODY]
    return f"{failure.cause}: {text}" if text else failure.cause
