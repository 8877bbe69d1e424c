"""The page of `pipeline person`: all that is held of one person, as tables."""

from collections.abc import Mapping

from pipeline.report.tables import table, whole_page
from pipeline.warehouse.database.engine import Rows
from pipeline.warehouse.database.sql import statement

#: What is for programs: the consents in another form, and the bodies of responses.
_PROGRAMS = {"consent_records", "body"}


def render_person(entity: str | None, held: Mapping[str, Rows]) -> str:
    """Return the page as HTML text. ``held``: rows by section (`pipeline.warehouse.privacy.person`)."""
    said = f"Counterpart {entity or 'not known'}."
    body = "".join(_section(name, rows) for name, rows in held.items() if name not in _PROGRAMS)
    return whole_page("What is held of one person", said, body)


def _section(name: str, rows: Rows) -> str:
    heading = statement(f"person/{name}").partition("\n")[0].removeprefix("-- ")
    rows = [{name: row[name] for name in row if name not in _PROGRAMS} for row in rows]
    shown = table(heading, rows) if rows else "<p>Nothing.</p>\n"
    return f"<section>\n<h2>{heading}</h2>\n{shown}</section>\n"
