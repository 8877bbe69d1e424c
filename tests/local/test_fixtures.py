"""The fixtures that the rest of the suite stands on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.support.postgres import PostgresServer


def test_the_suite_can_use_an_outside_server(folder: Path, postgres: PostgresServer) -> None:
    """The variable replaces the embedded server, for a pytest of its own."""
    check = folder / "test_outside.py"
    check.write_text(
        "import psycopg\n"
        "def test_outside(postgres, database_url):\n"
        f"    assert postgres.url() == {postgres.url()!r}\n"
        "    psycopg.connect(database_url).close()\n"
    )
    with start_pytest(check, TEST_POSTGRES_URL=postgres.url()) as session:
        said, _ = session.communicate()
    assert "1 passed" in said


def start_pytest(check: Path, **variables: str) -> subprocess.Popen[str]:
    root = Path(__file__).parents[2]
    options = ["-sq", "-p", "tests.conftest", "-p", "no:cacheprovider", "-c", "/dev/null"]
    return subprocess.Popen(
        [sys.executable, "-m", "pytest", *options, "--rootdir", str(check.parent), str(check)],
        cwd=root,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **variables},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
