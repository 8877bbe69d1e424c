"""Plants each fault in a copy of the tree, and says who notices it.

``python -m tests.planted [ROW...]``: a ROW is the number of a clause or a part of a mechanism's name in
docs/guarantees.md; without, all. By default the row's own tests are run. ``--all``: first the oracle with
60 seeds, then the profiles. ``--changed``: only faults of files that the last commit has changed, as many
as begin within a minute, since ``.ci/run`` has no more time. Ends with 1 if a fault was not noticed.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import venv
from pathlib import Path

from tests.planted import ROOT, Fault, Row, read_faults, read_rows

_WIDER = (
    "tests/integration/test_oracle.py::test_what_is_called_complete_is_equal",
    "tests/integration/test_profiles.py",
)
#: Until the first test fails; also what is marked as slow.
_PYTEST = ("-m", "pytest", "-x", "-m", "", "-p", "no:cacheprovider", "--tb=line")
#: Seconds within which a fault must begin, with ``--changed``.
_CHANGED_SECONDS = 60
_WHO = re.compile(r"^(?:FAILED|ERROR) (?:\S*::)?(.+?)(?: - .*)?$", re.MULTILINE)


def main() -> int:
    """Plant the chosen faults one after the other; print a line of a table for each."""
    parser = argparse.ArgumentParser(prog="python -m tests.planted")
    parser.add_argument("rows", nargs="*", metavar="ROW")
    parser.add_argument("--all", action="store_true", dest="wider")
    parser.add_argument("--changed", action="store_true")
    given = parser.parse_args()
    rows = {row.mechanism: row for row in read_rows()}
    changed = _changed() if given.changed else None
    faults = [
        each
        for each in read_faults()
        if (changed is None or each.file in changed) and _is_chosen(rows[each.row], given.rows)
    ]
    planted = unnoticed = 0
    end = time.monotonic() + _CHANGED_SECONDS
    with tempfile.TemporaryDirectory(prefix="planted-") as folder:
        python = _copy(Path(folder))
        for fault in faults:
            if given.changed and time.monotonic() > end:
                break
            planted += 1
            former = fault.plant(Path(folder))
            began = time.monotonic()
            who = _play(python, Path(folder), fault, rows[fault.row], wider=given.wider)
            (Path(folder) / fault.file).write_text(former, encoding="utf-8")
            unnoticed += who is None
            seconds = f"{time.monotonic() - began:.0f} s"
            row = f"{rows[fault.row].clause} {fault.row}"
            sys.stdout.write(f"| {row} | {who or 'NOBODY'} | {seconds} |\n")
            sys.stdout.flush()
    sys.stdout.write(f"{planted} of {len(faults)} faults planted, {unnoticed} not noticed\n")
    return 1 if unnoticed else 0


def _is_chosen(row: Row, asked: list[str]) -> bool:
    return not asked or any(
        each == row.clause if each.isdigit() else each in row.mechanism for each in asked
    )


def _changed() -> set[str]:
    """Return the files that the last commit has changed."""
    show = ["git", "show", "--name-only", "--format=", "HEAD"]
    return set(
        subprocess.run(show, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    )


def _copy(folder: Path) -> Path:
    """Copy what git knows or would add; return an interpreter that imports from the copy."""
    show = ["git", "ls-files", "-co", "--exclude-standard", "-z"]
    listed = subprocess.run(show, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    # Libraries as here. Paths of a .pth file come in their order, and no other .pth file behind it is read:
    # an editable install of this tree is none of the copy's.
    venv.create(folder / ".venv", symlinks=True)
    (packages,) = (folder / ".venv").glob("lib/python3*/site-packages")
    places = (folder, sysconfig.get_path("purelib"))
    (packages / "copy.pth").write_text("".join(f"{each}\n" for each in places), encoding="utf-8")
    python = folder / ".venv" / "bin" / "python"
    show = [str(python), "-c", "import pipeline; print(pipeline.__file__)"]
    found = subprocess.run(show, cwd="/", check=True, capture_output=True, text=True).stdout
    if not Path(found).is_relative_to(folder):
        raise RuntimeError(f"the copy would import {found.strip()}")
    return python


def _play(python: Path, folder: Path, fault: Fault, row: Row, *, wider: bool) -> str | None:
    """Run what may notice a fault until something does; return the test, or None."""
    own = [_node(folder, name) for name in row.tests]
    if fault.case:
        own = [f"{each}[{fault.case}]" for each in own]
    for tests in [*([each] for each in _WIDER if wider), own]:
        environment = {**os.environ, "ORACLE_SEEDS": "0-59"}
        done = subprocess.run(
            [str(python), *_PYTEST, *tests],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode == 1:
            found = _WHO.search(done.stdout)
            return found[1] if found else "pytest"
        if done.returncode != 0:
            raise RuntimeError(f"{fault.row}: pytest could not run\n{done.stdout}{done.stderr}")
    return None


def _node(folder: Path, test: str) -> str:
    """Return the address of a test by its name."""
    (file,) = (
        each
        for each in (folder / "tests").rglob("test_*.py")
        if f"def {test}(" in each.read_text(encoding="utf-8")
    )
    return f"{file.relative_to(folder)}::{test}"


if __name__ == "__main__":
    sys.exit(main())
