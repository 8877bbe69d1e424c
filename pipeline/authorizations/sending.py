"""Sending queued requests, each by one call (docs/service.md 4.2).

A refusal may be about the request, or about the account: a limit is answered 400 here and 429 there. So a
refused request stays queued until the service has taken another one after it: then the refusal was its own.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from pipeline.authorizations.context import Context, Refusal
from pipeline.authorizations.phones import mask_in
from pipeline.authorizations.references import compose
from pipeline.authorizations.requests import Request
from pipeline.service.errors import ServiceError, StatusError
from pipeline.warehouse.requests.authorizations import Row, change_state

#: Statuses that say: nothing was done (docs/service.md 7). A call that ends with any other one may have
#: taken effect.
_NOTHING_DONE = frozenset(range(400, 416)) - {408} | {422, 429, 431}
#: Those that hardly concern the request alone: the next call would end in the same way.
_OF_THE_ACCOUNT = frozenset({402, 403, 409})
_MOST_BODY = 2000
#: So many failed calls in a row stop a run.
_MOST_FAILURES = 3
#: So many requests refused in a row stop a run, of those that no earlier run was refused.
_MOST_REFUSED = 2
#: Seconds. Whoever is asked to wait longer goes on in another run.
_LONGEST_WAIT = 60
_GO_ON = "`pipeline authorize send` goes on"


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


def end_refusals(context: Context) -> None:
    """Decide about requests that were refused after the last one that was taken.

    A single one that was refused in an earlier run, too, is rejected. Others stay queued.
    """
    if context.stopped or not context.refused:
        return
    if len(context.refused) == 1 and context.refused[0].again:
        _reject(context)
    else:
        _stop(context, context.refused[-1].reason)


async def _send(context: Context, row: Row, request: Request) -> None:
    session = context.session
    # Log in first: a login that fails must not leave the call in doubt.
    await context.client.login()
    # Committed before the call, so that a process that dies in the call leaves a trace of it.
    if not change_state(session, row, "sending", now=context.now()):
        return  # not queued any more
    failure: ServiceError | None = None
    try:
        message = compose(
            request.description, request.message_reference or "", context.rules.reference
        )
        await context.client.create_authorization(request.body(message))
    except ServiceError as error:
        failure = error
    state, reason = _outcome(failure, request)
    change_state(session, replace(row, state="sending"), state, reason, now=context.now())
    if state != "queued":
        context.reached[state] += 1
    if failure is None:
        context.failures = 0
        _reject(context)
    elif failure.status in _NOTHING_DONE - {401, 429}:
        again = (row.state_reason or "").startswith(f"{failure.status}, ")
        context.refused.append(Refusal(row, reason or "", again))
        new = sum(not each.again for each in context.refused)
        if new >= _MOST_REFUSED or (failure.status in _OF_THE_ACCOUNT and not again):
            _stop(context, failure.cause, failure.retry_after)
    else:
        context.failures += 1
        if failure.status == 429 and (
            context.failures >= _MOST_FAILURES or (failure.retry_after or 0) > _LONGEST_WAIT
        ):
            _stop(context, failure.cause, failure.retry_after)
        elif failure.fatal or failure.status == 401 or context.failures >= _MOST_FAILURES:
            context.stopped = str(failure)


def _outcome(failure: ServiceError | None, request: Request) -> tuple[str, str | None]:
    """Return the state that the end of a call leads to, and the reason."""
    if failure is None:
        return "sent", None
    if isinstance(failure, StatusError) and failure.status in _NOTHING_DONE:
        return "queued", _with_body(failure, request.phone_number)
    return "queued" if failure.not_sent else "unknown", failure.cause


def _reject(context: Context) -> None:
    """Reject what was refused: it was about these requests."""
    for each in context.refused:
        row = replace(each.row, state="queued")
        if change_state(context.session, row, "rejected", each.reason, now=context.now()):
            context.reached["rejected"] += 1
    context.refused.clear()


def _stop(context: Context, why: str, wait: float | None = None) -> None:
    """End sending; say why, and when to go on."""
    at = "later, tomorrow if this is a limit of each day"
    if wait:
        at = f"from {context.now() + timedelta(seconds=wait):%Y-%m-%d %H:%M %Z}"
    context.stopped = f"{why}; {_GO_ON} {at}"


def _with_body(failure: StatusError, number: str) -> str:
    """Return the cause with the answer's body: on one line, short, and with the number masked."""
    body = failure.body[: 4 * _MOST_BODY].decode("utf-8", "replace").replace("\0", "\ufffd")
    text = " ".join(mask_in(body, number).split())[:_MOST_BODY]
    return f"{failure.cause}: {text}" if text else failure.cause
