"""``pipeline erase``: what is no longer shared, what ended long ago, or the data of a person who asks."""

from datetime import UTC, datetime
from functools import partial
from typing import Annotated

import typer

from pipeline.commands.console import UsageWrong, err, out, print_rows
from pipeline.commands.open_warehouse import open_warehouse
from pipeline.settings import Settings

_NOT_CLEAR = (
    "say what to erase: --entity ID or --phone NUMBER (also with --messages), --expired, or --due"
)
_MESSAGES = """\
--messages: what the person wrote to us in received activities (IN), and what we wrote in sent ones (OUT), \
which is the evidence of what was asked"""


def erase(
    entity: Annotated[str | None, typer.Option(help="All data of this counterpart.")] = None,
    phone: Annotated[str | None, typer.Option(help="All data of who has this number.")] = None,
    messages: Annotated[bool, typer.Option("--messages", help="And what both wrote.")] = False,
    expired: Annotated[bool, typer.Option("--expired", help="Values no longer shared.")] = False,
    due: Annotated[
        bool, typer.Option("--due", help="What is older than ACTIVITIES_KEEP_PERSONAL_MONTHS.")
    ] = False,
    yes: Annotated[
        bool,
        typer.Option("--yes", help="Erase; without it the command only shows what it would erase."),
    ] = False,
) -> None:
    """Erase personal data for good: shared values; of a person also the profile, scores and requests.

    Codes, statuses, times and digests stay, and no later run brings back what was erased.
    """
    whose = entity is not None or phone is not None
    if (entity is not None) + (phone is not None) + expired + due != 1 or (messages and not whose):
        raise UsageWrong(_NOT_CLEAR)
    from pipeline.commands.job import progress_bar
    from pipeline.commands.person import find
    from pipeline.warehouse.privacy import erase as erasures
    from pipeline.warehouse.privacy.person import read_person

    now, months = datetime.now(UTC), None if expired else Settings().keep_personal_months
    reason: erasures.Due = "expired" if expired else "ended"
    if due and months is None:
        raise UsageWrong("--due needs ACTIVITIES_KEEP_PERSONAL_MONTHS, which is not set")
    with open_warehouse() as engine:
        if whose:
            person = find(engine, entity, phone, messages=messages)
            found = read_person(engine, person, ["left"])["left"]
            work = partial(erasures.erase_person, engine, person)
            err.print(_MESSAGES if messages else "messages stay; --messages erases them, too")
        else:
            found = erasures.count_due(engine, reason, now, months)
            work = partial(erasures.erase_due, engine, reason, now, months=months)
        title = "held, and what erases it" if whose else "to erase" if yes else "would be erased"
        columns = tuple(found[0]) if found else ()
        print_rows(title, columns, found, "nothing is held of this person")
        if not yes:
            err.print("nothing was erased; add --yes to erase it for good")
            return
        with progress_bar() as progress:
            erased = work(progress.log)
    out.print(
        f"erased {erased['values']:,} values and {erased['messages']:,} messages of"
        f" {erased['activities']:,} activities, from {erased['responses']:,} responses in landing and"
        f" {erased['payloads']:,} payloads in quarantine, and {erased['requests']:,} authorization requests"
    )
    err.print(
        "PostgreSQL's files hold the old rows until the next vacuum; backups and the server's logs must be"
        " cleaned by the administrator"
    )
