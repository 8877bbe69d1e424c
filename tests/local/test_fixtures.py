"""The fixtures that the rest of the suite stands on."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.support.commands import CHECKOUT

if TYPE_CHECKING:
    from pathlib import Path

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
    variables = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "TEST_POSTGRES_URL": postgres.url()}
    options = ["-sq", "-p", "tests.conftest", "-p", "no:cacheprovider", "-c", "/dev/null"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "--rootdir", str(folder), str(check)],
        cwd=CHECKOUT,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "1 passed" in done.stdout
