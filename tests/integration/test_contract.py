"""What others build on: commands, options, settings, tables, views and columns (data/contract.txt).

Before version 1.0.0 the file only records them (``RENEW=1``), and all of them may change. From 1.0.0 on,
what goes or changes breaks somebody's script or query: it needs a new major version (docs/changelog.md).
"""

from __future__ import annotations

import os
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg

from pipeline.cli import COMMANDS, load
from pipeline.settings import describe
from tests.support.commands import CHECKOUT

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


def version() -> str:
    """Return the package's version."""
    return metadata.version("activity-warehouse")


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
    recorded_version, *recorded = RECORDED.read_text(encoding="utf-8").splitlines()
    now = present(migrated_url)
    gone, new = sorted(set(recorded) - now), sorted(now - set(recorded))
    if not removal_is_allowed(recorded_version, version()):
        assert gone == [], "this breaks what others built: take it back, or raise the major version"
    if os.environ.get("RENEW"):
        RECORDED.write_text("\n".join([version(), *sorted(now)]) + "\n", encoding="utf-8")
    else:
        assert (gone, new) == ([], []), "record this by RENEW=1, and name it in docs/changelog.md"


def test_the_changelog_begins_with_this_version() -> None:
    page = (CHECKOUT / "docs" / "changelog.md").read_text(encoding="utf-8")
    assert page.split("\n## ")[1].startswith(f"{version()}\n")
