"""`pipeline sandbox`: the service on this machine, for trying the pipeline without the real one."""

import datetime as dt
import os
import shlex
import signal
from typing import Annotated

import typer
from rich.console import Console

from .server import LOOPBACK, Running
from .settings import SandboxSettings
from .state import SandboxState

_DAY = ["%Y-%m-%d"]


def sandbox(
    host: Annotated[str, typer.Option(help="Address to serve on.")] = LOOPBACK,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to serve on; 0 takes a free one.")
    ] = 8765,
    activities: Annotated[int, typer.Option(min=0, help="How many activities to make up.")] = 2000,
    days: Annotated[int, typer.Option(min=1, help="Spread them over so many days up to now.")] = 90,
    from_day: Annotated[
        dt.datetime | None,
        typer.Option("--from", formats=_DAY, help="First day of the data, not --days."),
    ] = None,
    to_day: Annotated[
        dt.datetime | None,
        typer.Option("--to", formats=_DAY, help="Last day of the data, whole."),
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed makes the same data.")] = 1,
    timezone: Annotated[str, typer.Option(help="Time zone of the days (IANA name).")] = "UTC",
) -> None:
    """Serve a stand-in for the Business Activities Service, with made-up data, until Ctrl-C."""
    try:
        settings = SandboxSettings(
            activities=activities,
            days=days,
            from_date=from_day.date() if from_day else None,
            to_date=to_day.date() if to_day else None,
            seed=seed,
            timezone=timezone,
        )
        state = SandboxState(settings)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    if host not in (LOOPBACK, "::1", "localhost"):
        warning = f"Anybody who reaches {host} can read and change this sandbox."
        Console(stderr=True).print(f"[yellow]{warning}[/yellow]")
    _serve_until_signal(state, host, port)


def _serve_until_signal(state: SandboxState, host: str, port: int) -> None:
    """Announce the sandbox and serve it until Ctrl-C or SIGTERM."""
    ending = {signal.SIGINT, signal.SIGTERM}
    # Blocked before the server's thread starts, so that only `sigwait` gets them.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ending)
    try:
        with Running(state, host, port) as running:
            count, url = state.settings.activities, running.base_url
            typer.echo(f"# {count} made-up activities, served at {url}")
            for name, value in state.settings.environment(url, state.clock.now()).items():
                typer.echo(f"{name}={shlex.quote(value)}")
            Console(stderr=True).print("[dim]Ctrl-C ends it.[/dim]")
            signal.sigwait(ending)
    except OSError as error:
        # asyncio's own text repeats the address; a failed look-up has no errno of the system.
        number = error.errno or 0
        reason = os.strerror(number) if number > 0 else error.strerror or str(error)
        typer.echo(f"can't serve on {host} port {port}: {reason}", err=True)
        raise typer.Exit(2) from None
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
