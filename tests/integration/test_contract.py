"""What others build on: commands, options, settings, tables, views and columns (data/contract.txt).

The file begins with the last release and its schema (``RENEW=release``), and records the rest as it is now
(``RENEW=1``). Nothing was released before 1.0.0, so until then all of it may change. From then on, what
goes or changes breaks somebody's script or query: it needs a new major version (docs/changelog.md).
"""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg

from pipeline import __version__
from pipeline.cli import COMMANDS, load
from pipeline.settings import describe
from pipeline.warehouse.database.sql import migrations
from tests.support.commands import CHECKOUT
from tests.support.reading import rows

if TYPE_CHECKING:
    from collections.abc import Iterator

RECORDED = Path(__file__).parent / "data" / "contract.txt"
COLUMNS = """
select format('column %s.%s %s', attrelid::regclass, quote_ident(attname), format_type(atttypid, atttypmod))
from pg_attribute
join pg_class on pg_class.oid = attrelid
where
    relnamespace::regnamespace::text in ('warehouse', 'analytics', 'landing', 'sync')
    and relkind in ('r', 'v', 'm', 'p')
    and attnum > 0
    and not attisdropped
"""


def command_lines(name: str, command: Any) -> Iterator[str]:
    """Yield a line for a command, its arguments and options, and for its subcommands."""
    yield f"command {name}"
    for parameter in command.params:
        for spelling in parameter.opts:
            kind = "option" if spelling.startswith("-") else "argument"
            yield f"{kind} {name} {spelling}"
    for sub, found in getattr(command, "commands", {}).items():
        yield from command_lines(f"{name} {sub}", found)


def present(url: str) -> set[str]:
    """Return the contract as it is now, a line for each part."""
    lines = {line for name in COMMANDS for line in command_lines(name, load(name))}
    for name, default in describe():
        lines.add(f"setting {name} {'required' if default is None else default or 'none'}")
    with psycopg.connect(url) as session:
        lines |= {line for (line,) in session.execute(COLUMNS)}
    return lines


def removal_is_allowed(recorded: str, now: str) -> bool:
    """Return whether the version ``now`` may lack what ``recorded`` has."""
    old_major, new_major = (int(each.split(".")[0]) for each in (recorded, now))
    return old_major == 0 or new_major > old_major


def test_from_1_0_0_on_removal_needs_a_new_major_version() -> None:
    for recorded, now in (("0.1.0", "0.1.0"), ("0.9.0", "1.0.0"), ("1.4.2", "2.0.0")):
        assert removal_is_allowed(recorded, now)
    for recorded, now in (("1.0.0", "1.0.0"), ("1.0.0", "1.9.0"), ("10.0.0", "10.1.0")):
        assert not removal_is_allowed(recorded, now)


def test_nothing_that_others_build_on_breaks(migrated_url: str) -> None:
    released, *recorded = RECORDED.read_text(encoding="utf-8").splitlines()
    now = present(migrated_url)
    gone, new = sorted(set(recorded) - now), sorted(now - set(recorded))
    if not removal_is_allowed(released.split()[0], __version__):
        assert gone == [], "this breaks what others built: take it back, or raise the major version"
    if renew := os.environ.get("RENEW"):
        released = f"{__version__} {migrations()[-1]}" if renew == "release" else released
        RECORDED.write_text("\n".join([released, *sorted(now)]) + "\n", encoding="utf-8")
    else:
        assert (gone, new) == ([], []), "record this by RENEW=1, and name it in docs/changelog.md"


def test_a_schema_has_a_version_of_its_own() -> None:
    version, schema = RECORDED.read_text(encoding="utf-8").splitlines()[0].split()
    if schema != migrations()[-1]:
        assert version != __version__, "raise the version with the schema (docs/development.md)"


def test_the_version_is_the_same_everywhere() -> None:
    assert tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"][
        "dynamic"
    ] == ["version"]
    for name, times in {"Containerfile": 1, "compose.yaml": 1, "helm-values.yaml": 1}.items():
        text = (CHECKOUT / "pipeline" / "deploy" / name).read_text(encoding="utf-8")
        tags = re.findall(r'activity-warehouse(?::|, tag: ")([\d.]+)', text)
        assert tags == [__version__] * times, name
    page = (CHECKOUT / "docs" / "operations.md").read_text(encoding="utf-8")
    assert re.findall(r"-t activity-warehouse:([\d.]+)", page) == [__version__]


def test_the_warehouse_records_who_migrated_it(migrated_url: str) -> None:
    query = "select distinct package_version from sync.schema_migrations"
    assert rows(migrated_url, query) == [(__version__,)]


def test_the_changelog_begins_with_this_version() -> None:
    page = (CHECKOUT / "docs" / "changelog.md").read_text(encoding="utf-8")
    assert page.split("\n## ")[1].startswith(f"{__version__}\n")
