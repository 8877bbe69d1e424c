"""``pipeline dev``: the Dagster UI over a private PostgreSQL and a made-up service."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import typer

from pipeline.commands.console import Port, out
from pipeline.commands.home import home
from pipeline.warehouse.sql import shipped

#: Seconds for `dagster dev` to end its own processes.
_PATIENCE = 30.0

#: `dagster dev` tells people to use a program that this project does not need.
_QUIET = "ignore:Function `dev_command` is superseded"


def dev(port: Port = 3000) -> None:
    """Open the Dagster UI on a private PostgreSQL and a made-up service, until Ctrl-C."""
    from pipeline.commands.private_stage import private_stage

    place = home()
    with private_stage(place) as running:
        out.print(f"Dagster UI:  http://127.0.0.1:{port}   (ready in a few seconds)")
        out.print(f"the service: {running.sandbox.base_url}/sandbox/", markup=False)
        out.print(f'query:       psql "{running.analyst_url}"', markup=False)
        out.print(f'as owner:    psql "{running.warehouse_url}"', markup=False)
        out.print(f"Ctrl-C ends everything; the warehouse and Dagster's history stay in {place}")
        code = serve_dagster(port, {**os.environ, **running.environment()}, place)
    raise typer.Exit(code)


def serve_dagster(port: int, environment: dict[str, str], place: Path) -> int:
    """Serve Dagster's UI and daemon until they end or we get a signal; leave no process of them behind.

    ``place``: the folder of dagster.yaml, where the history is. Returns the exit code.
    """
    own = place / "workspace.yaml"
    workspace = own if own.is_file() else shipped(own.name)
    served = ["-m", "dagster", "dev", "-h", "127.0.0.1"]
    # A shell starts programs in the background with SIGINT ignored, and Dagster would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # A session of its own: Ctrl-C reaches only us, and we end the whole group in order.
    process = subprocess.Popen(
        [sys.executable, "-W", _QUIET, *served, "-p", str(port), "-w", str(workspace)],
        env={**environment, "DAGSTER_HOME": str(place)},
        cwd=place,
        start_new_session=True,
    )
    try:
        return process.wait()
    except KeyboardInterrupt:
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_PATIENCE)
        return 0
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
