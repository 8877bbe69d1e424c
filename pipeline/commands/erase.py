"""``pipeline erase``: values that are no longer shared, or the data of a person who asks for it."""

import uuid
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.commands.console import UsageWrong, err, out, print_table
from pipeline.commands.open_warehouse import open_warehouse

if TYPE_CHECKING:
    from pipeline.warehouse.erase import Erasure


def erase(
    entity: Annotated[
        str | None,
        typer.Option(
            "--entity", help="All data of this counterpart, by its ID.", show_default=False
        ),
    ] = None,
    expired: Annotated[
        bool, typer.Option("--expired", help="All values that are no longer shared.")
    ] = False,
    yes: Annotated[
        bool,
        typer.Option("--yes", help="Erase; without it the command only shows what it would erase."),
    ] = False,
) -> None:
    """Erase personal data for good: shared values, and with --entity the person's profile.

    Codes, statuses, times and digests stay, and no later run brings back what was erased. Messages
    (description, notification_message, timeline) are the business's own and stay.
    """
    if expired == (entity is not None):
        raise UsageWrong("say what to erase: --entity ID, or --expired")
    from pipeline.commands.job import progress_bar
    from pipeline.warehouse import erase as erasures

    now = datetime.now(UTC)
    key = _entity_id(entity) if entity is not None else None
    with open_warehouse() as engine:
        found = erasures.count_person(engine, key) if key else erasures.count_expired(engine, now)
        _show("to erase" if yes else "would be erased", found, profile=key is not None)
        if not yes:
            err.print("nothing was erased; add --yes to erase it for good")
            return
        with progress_bar() as progress:
            erased = (
                erasures.erase_person(engine, key, progress.log)
                if key
                else erasures.erase_expired(engine, now, progress.log)
            )
    out.print(
        f"erased {erased.values:,} values of {erased.activities:,} activities, from"
        f" {erased.responses:,} responses in landing and {erased.payloads:,} payloads in quarantine"
    )
    err.print(
        "PostgreSQL's files hold the old rows until the next vacuum; backups and the server's logs must be"
        " cleaned by the administrator"
    )


def _entity_id(text: str) -> str:
    try:
        return str(uuid.UUID(text))
    except ValueError:
        raise UsageWrong("--entity takes a UUID, as in warehouse.entities.id") from None


def _show(title: str, found: "Erasure", *, profile: bool) -> None:
    rows = [
        ("profile: name and avatar, social links", found.profile),
        ("activities", found.activities),
        ("shared values", found.values),
        ("responses in landing to read", found.responses),
        ("payloads in quarantine to read", found.payloads),
    ]
    print_table(title, ("what", "number"), rows if profile else rows[1:])
