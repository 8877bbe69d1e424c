"""``pipeline person``: all that is held of one person, as a page or as JSON."""

import uuid
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.commands.console import AsJson, Page, UsageWrong, print_json, write
from pipeline.commands.open_warehouse import open_warehouse

if TYPE_CHECKING:
    import sqlalchemy as sa

    from pipeline.warehouse.privacy.person import Person


def person(
    entity: Annotated[str | None, typer.Argument(help="ID of the counterpart.")] = None,
    phone: Annotated[str | None, typer.Option(help="The person's number.")] = None,
    as_json: AsJson = False,
    output: Page = Path("person.html"),
) -> None:
    """Write all that is held of one person into a file that only you can read, or print it as JSON."""
    if (entity is None) == (phone is None):
        raise UsageWrong("say whose data: the ID of a counterpart, or --phone NUMBER")
    from pipeline.warehouse.privacy.person import read_person

    with open_warehouse() as engine:
        who = find(engine, entity, phone)
        held = read_person(engine, who)
    if not any(held.values()):
        raise UsageWrong(
            f"nothing is held of {f'the counterpart {entity}' if entity else 'this number'}"
        )
    if as_json:
        print_json({"entity": who.entity, **held})
    else:
        from pipeline.report.person import render_person

        write(output, render_person(who.entity, held), personal=True)


def find(
    engine: "sa.Engine", entity: str | None, phone: str | None, *, messages: bool = False
) -> "Person":
    """Return the person with this ID, or with this number. Raises `UsageWrong`.

    A number leads to the counterpart whose activity was linked to a request to it, if there is one.
    """
    from pipeline.authorizations.intake import find_unread
    from pipeline.authorizations.phones import read_number
    from pipeline.authorizations.subscribers import subscriber
    from pipeline.warehouse.privacy.person import Person, find_entities

    if entity is not None:
        try:
            return Person(str(uuid.UUID(entity)), messages=messages)
        except ValueError:
            raise UsageWrong("a counterpart's ID is a UUID, as in warehouse.entities.id") from None
    try:
        number = subscriber(read_number(phone, None))
    except ValueError:
        raise UsageWrong("--phone takes a number with its calling code: +51999888777") from None
    requests = tuple(find_unread(engine, number))
    person = Person(None, (number,), requests, messages)
    found = find_entities(engine, person)
    if len(found) > 1:
        raise UsageWrong(f"this number led to several counterparts: name one, {', '.join(found)}")
    return replace(person, entity=found[0] if found else None)
