"""Where the files of the ``sql`` folder are, and how they are read."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path


@cache
def sql_root() -> Path:
    """Return the ``sql`` folder: inside an installed package, else beside it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "_sql"
    return installed if installed.is_dir() else package.parent / "sql"


def load_statement(name: str) -> str:
    """Return the text of ``sql/load/<name>.sql``: one statement of the load."""
    return _statement("load", name)


def authorization_statement(name: str) -> str:
    """Return the text of ``sql/authorizations/<name>.sql``: one statement on the requests."""
    return _statement("authorizations", name)


def erase_statement(name: str) -> str:
    """Return the text of ``sql/erase/<name>.sql``: one statement of erasing."""
    return _statement("erase", name)


def report_statement(name: str) -> str:
    """Return the text of ``sql/report/<name>.sql``: one query of the report."""
    return _statement("report", name)


def refresh_statement(name: str) -> str:
    """Return the text of ``sql/refresh/<name>.sql``: how stored views are brought up to date."""
    return _statement("refresh", name)


@cache
def _statement(folder: str, name: str) -> str:
    return (sql_root() / folder / f"{name}.sql").read_text(encoding="utf-8")


def id_array(ids: Iterable[str]) -> str:
    """Return UUIDs or digests, which need no quotes, as the text of a PostgreSQL array.

    A list as a parameter would be turned into text id by id.
    """
    return f"{{{','.join(ids)}}}"
