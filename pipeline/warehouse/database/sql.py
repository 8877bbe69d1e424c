"""The files of the ``sql`` folder: one statement each, read once."""

import re
from collections.abc import Iterable
from functools import cache
from hashlib import blake2b
from pathlib import Path

_HEADER = re.compile(r"^-- ([a-z ]+): (.+)$", re.MULTILINE)


@cache
def shipped(name: str) -> Path:
    """Return a file or folder that the package brings; in a checkout it lies beside the package."""
    package = Path(__file__).resolve().parents[2]
    installed = package / "_shipped" / name
    return installed if installed.exists() else package.parent / name


@cache
def statement(name: str) -> str:
    """Return the text of ``sql/<name>.sql``, for example ``statement("load/coverage")``."""
    return (shipped("sql") / f"{name}.sql").read_text(encoding="utf-8")


def text_digest(text: str) -> str:
    """Return the digest by which a file is known to have changed."""
    return blake2b(text.encode(), digest_size=16).hexdigest()


def sql_files(folder: str) -> dict[str, str]:
    """Return the texts of ``sql/<folder>/*.sql`` by file name without ``.sql``, sorted."""
    names = sorted(path.stem for path in (shipped("sql") / folder).glob("*.sql"))
    return {name: statement(f"{folder}/{name}") for name in names}


def migrations() -> list[str]:
    """Return the names of all migrations in order; the first one stands for ``sql/schema``."""
    return ["0001_baseline", *sql_files("migrations")]


def headers(text: str) -> dict[str, str]:
    """Return what the first lines of a file say of it: ``-- name: value`` each."""
    return dict(_HEADER.findall(text))


def id_array(ids: Iterable[str]) -> str:
    """Return UUIDs or digests, which need no quotes, as the text of a PostgreSQL array.

    A list as a parameter would be converted id by id, which is slow for many.
    """
    return f"{{{','.join(ids)}}}"
