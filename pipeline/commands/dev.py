"""``pipeline dev``: the Dagster UI over a private PostgreSQL and a made-up service."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from types import FrameType
from typing import Annotated

import typer

from pipeline.commands.console import UsageWrong, out

#: Seconds that `dagster dev` gets to end its own processes.
_PATIENCE = 30.0


def dev(
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port of the UI.")] = 3000,
) -> None:
    """Open the Dagster UI on a private PostgreSQL and a made-up service, until Ctrl-C."""
    from pipeline.commands.job import home
    from pipeline.local import LocalPostgresError
    from pipeline.local.stage import stage
    from pipeline.warehouse import roles
    from pipeline.warehouse.migrate import migrate

    place = home()
    try:
        with stage(place) as running:
            migrate(running.warehouse_url)
            roles.set_up(running.warehouse_url)
            roles.allow_login(running.warehouse_url)
            out.print(f"Dagster UI:  http://127.0.0.1:{port}   (a few seconds from now)")
            out.print(f"the service: {running.sandbox.base_url}/sandbox/", markup=False)
            out.print(f'query:       psql "{running.analyst_url}"', markup=False)
            out.print(f'as owner:    psql "{running.warehouse_url}"', markup=False)
            out.print("Ctrl-C ends all of it; the warehouse and Dagster's history stay")
            environment = {**os.environ, **running.environment()}
            code = _serve(["-h", "127.0.0.1", "-p", str(port)], environment, str(place))
    except LocalPostgresError as error:
        raise UsageWrong(str(error)) from None
    raise typer.Exit(code)


def _serve(options: list[str], environment: dict[str, str], place: str) -> int:
    """Run ``dagster dev`` until it ends or we are told to; leave no process of it behind."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    # Both by hand: a shell starts programs in the background with SIGINT ignored.
    before = {each: signal.signal(each, stop) for each in (signal.SIGINT, signal.SIGTERM)}
    command = [sys.executable, "-m", "dagster", "dev", *options]
    # A session of its own: Ctrl-C reaches us alone, and we end the whole group in order.
    process = subprocess.Popen(
        command,
        env=environment,
        cwd=place,
        start_new_session=True,
        preexec_fn=_heed_interrupts,
    )
    try:
        return process.wait()
    except KeyboardInterrupt:
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_PATIENCE)
        return 0
    finally:
        _end_group(process.pid)
        process.wait()
        for each, handler in before.items():
            signal.signal(each, handler)


def _heed_interrupts() -> None:
    """Undo what a shell does to programs in the background, or Dagster would ignore SIGINT."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _end_group(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return
