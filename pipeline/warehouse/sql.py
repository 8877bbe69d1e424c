"""The files of the ``sql`` folder: one statement each, read once."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path


@cache
def sql_root() -> Path:
    """Return the ``sql`` folder: inside an installed package, else beside it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "_sql"
    return installed if installed.is_dir() else package.parent / "sql"


@cache
def statement(name: str) -> str:
    """Return the text of ``sql/<name>.sql``, for example ``statement("load/coverage")``."""
    return (sql_root() / f"{name}.sql").read_text(encoding="utf-8")


def sql_files(folder: str) -> dict[str, str]:
    """Return the texts of ``sql/<folder>/*.sql`` by file name without ``.sql``, sorted."""
    names = sorted(path.stem for path in (sql_root() / folder).glob("*.sql"))
    return {name: statement(f"{folder}/{name}") for name in names}


def id_array(ids: Iterable[str]) -> str:
    """Return UUIDs or digests, which need no quotes, as the text of a PostgreSQL array.

    A list as a parameter would be converted id by id, which is slow for many.
    """
    return f"{{{','.join(ids)}}}"
