"""``pipeline authorize resolve`` and ``cancel``: what a person decides about requests."""

import asyncio
import uuid
from collections.abc import Collection
from typing import Annotated

import sqlalchemy as sa
import typer

from pipeline.authorizations.listing import is_authorization
from pipeline.authorizations.run import read_activity
from pipeline.commands import authorization_tables as tables
from pipeline.commands.console import UsageWrong, err, out
from pipeline.commands.open_warehouse import open_warehouse
from pipeline.service.errors import Forbidden, NotFound
from pipeline.settings import load_settings
from pipeline.warehouse import authorizations
from pipeline.warehouse.authorizations import RESOLUTIONS, Row, find

_Request = Annotated[
    str | None,
    typer.Argument(help="Its reference, or the beginning of its id.", show_default=False),
]


def resolve(
    request: _Request = None,
    link: Annotated[
        str | None, typer.Option("--link", help="It created this activity.", show_default=False)
    ] = None,
    requeue: Annotated[
        bool, typer.Option("--requeue", help="It created nothing: send it (again).")
    ] = False,
    fail: Annotated[bool, typer.Option("--fail", help="Do not send it (again).")] = False,
    undo: Annotated[bool, typer.Option("--undo", help="Take back --link or --fail.")] = False,
    all_: Annotated[
        bool, typer.Option("--all", help="All requests in the same state for the same reason.")
    ] = False,
) -> None:
    """Decide what could not be found out.

    Without an option it shows what is known of a request.
    """
    options = {"linked": link is not None, "queued": requeue, "failed": fail, "undo": undo}
    chosen = [state for state, given in options.items() if given]
    if len(chosen) > 1 or (all_ and chosen not in (["queued"], ["failed"])):
        raise UsageWrong(
            "give one of --link, --requeue, --fail and --undo; --all goes with two of them"
        )
    if request is None and not all_:
        raise UsageWrong("name a request, or give --all: `pipeline authorize list` names them")
    with open_warehouse() as engine:
        rows = _named(engine, request) if request else []
        if all_:
            rows = _same_cause(engine, chosen[0], rows)
        if not chosen:
            tables.print_requests(rows, 1)
            if rows[0].state in ("unknown", "sent"):
                err.print("decide with --link ACTIVITY, --requeue or --fail")
        elif undo:
            if rows[0].resolved_from is None:
                raise UsageWrong(
                    f"request {rows[0].id[:8]} holds no decision that can be taken back"
                )
            _decide(engine, rows, rows[0].resolved_from)
        else:
            _check_states(rows, RESOLUTIONS[chosen[0]])
            found = _checked_activity(engine, link) if link is not None else {}
            _decide(engine, rows, chosen[0], **found)


def cancel(
    request: _Request = None,
    all_: Annotated[bool, typer.Option("--all", help="Everything that is queued.")] = False,
) -> None:
    """Cancel what is queued: it is not sent. `resolve --requeue` queues it again."""
    if (request is None) != all_:
        raise UsageWrong("name a request, or give --all")
    with open_warehouse() as engine:
        rows = _named(engine, request) if request else find(engine, "states", states=["queued"])
        _check_states(rows, ["queued"])
        _decide(engine, rows, "failed")


def _named(engine: sa.Engine, name: str) -> list[Row]:
    """Return the one request of a name. Raises `UsageWrong`."""
    rows = find(engine, "name", name=name)
    if len(rows) != 1:
        found = f"{len(rows)} requests begin" if rows else "no request begins"
        raise UsageWrong(f"{found} with {name}: `pipeline authorize list` names them")
    return rows


def _same_cause(engine: sa.Engine, state: str, named: list[Row]) -> list[Row]:
    """Return the requests that a decision can be for, of one cause. Raises `UsageWrong` for several."""
    states = [row.state for row in named] or list(RESOLUTIONS[state])
    rows = find(engine, "states", states=states)
    causes = {(row.state, row.state_reason) for row in named or rows}
    if len(causes) != 1:
        raise UsageWrong(
            f"there are {len(causes)} causes: name a request that has the one you mean"
        )
    return [row for row in rows if (row.state, row.state_reason) in causes]


def _check_states(rows: list[Row], allowed: Collection[str]) -> None:
    """Raise `UsageWrong` when a request is in another state than those that a decision is for."""
    for row in rows:
        if row.state not in allowed:
            raise UsageWrong(
                f"request {row.id[:8]} is {row.state};"
                f" only {' or '.join(allowed)} requests can be resolved this way"
            )


def _decide(engine: sa.Engine, rows: list[Row], state: str, **activity: str | None) -> None:
    """Carry out a decision. Raises `UsageWrong` when a request has changed in the meantime."""
    for row in rows:
        if not authorizations.resolve_request(engine, row, state, **activity):
            raise UsageWrong(
                f"request {row.id[:8]} changed while you were deciding:"
                " run `pipeline authorize list` and try again"
            )
        out.print(f"request {row.id[:8]} is {state} now")


def _checked_activity(engine: sa.Engine, text: str) -> dict[str, str | None]:
    """Return an activity's id and counterpart as the service states them.

    Raises `UsageWrong` when it is no authorization of ours, or when another request is linked to it.
    """
    try:
        activity_id = str(uuid.UUID(text))
    except ValueError:
        raise UsageWrong(f"--link {text} is not an activity's id") from None
    for other in find(engine, "activities", activities=[activity_id]):
        raise UsageWrong(f"activity {activity_id} belongs to request {other.id[:8]} already")
    try:
        found = asyncio.run(read_activity(load_settings().service_config(), activity_id))
    except (NotFound, Forbidden):
        raise UsageWrong(f"the service shows no activity {activity_id}") from None
    if found.in_out_bound != "OUT":
        raise UsageWrong(f"activity {activity_id} is {found.in_out_bound}, not OUT: others sent it")
    if not is_authorization(found, authorizations.find_labels(engine)):
        raise UsageWrong(f"activity {activity_id} is no authorization: its type is {found.type}")
    counterpart_id = found.entity.id if found.entity else None
    return {"activity_id": activity_id, "counterpart_id": counterpart_id}
