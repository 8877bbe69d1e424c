"""`pipeline sandbox`: the service on this machine, for trying the pipeline without the real one."""

from __future__ import annotations

import datetime as dt
import ipaddress
import os
import shlex
import signal
from typing import Annotated

import msgspec
import typer
from rich.console import Console

from .behaviour import Behaviour, Order
from .faults import FaultRule
from .server import LOOPBACK, Running
from .settings import SandboxSettings
from .state import SandboxState

_DAY = ["%Y-%m-%d"]


def sandbox(
    host: Annotated[
        str, typer.Option(help="Address to serve on; loopback unless given.")
    ] = LOOPBACK,
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
    timezone: Annotated[
        str, typer.Option(help="Time zone of the data's days (IANA name).")
    ] = "UTC",
    day_zone: Annotated[
        str, typer.Option(help="Where days of a list request are cut: utc, caller or an IANA name.")
    ] = "utc",
    to_means: Annotated[
        str, typer.Option(help="`to` takes in its `whole` day, or ends at its `midnight`.")
    ] = "whole",
    order: Annotated[
        Order, typer.Option(help="Order of the list; `reshuffled` changes with every request.")
    ] = "newest",
    max_limit: Annotated[
        int, typer.Option(min=0, help="Largest `limit` granted; 0 grants any.")
    ] = 100,
    refuse_over_limit: Annotated[
        bool, typer.Option(help="Answer 400 to a larger `limit` instead of granting less.")
    ] = False,
    token_seconds: Annotated[
        float, typer.Option(min=0.001, help="Lifetime of a session token in seconds.")
    ] = 3600.0,
    latency_ms: Annotated[
        float, typer.Option(min=0, help="Wait so many milliseconds before each answer.")
    ] = 0.0,
    error_rate: Annotated[
        float, typer.Option(min=0, max=1, help="Share of the requests answered with 500.")
    ] = 0.0,
    image_bytes: Annotated[
        int, typer.Option(min=0, help="Size of each shared image in bytes.")
    ] = 180,
) -> None:
    """Serve a stand-in for the Business Activities Service, with made-up data, until Ctrl-C."""
    try:
        behaviour = Behaviour().changed(
            order=order,
            max_limit=max_limit or None,
            over_limit="refuse" if refuse_over_limit else "clamp",
            token_seconds=token_seconds,
            to_day=to_means,
            day_zone=day_zone,
            image_bytes=image_bytes,
        )
        settings = SandboxSettings(
            activities=activities,
            days=days,
            from_date=from_day.date() if from_day else None,
            to_date=to_day.date() if to_day else None,
            seed=seed,
            timezone=timezone,
            behaviour=behaviour,
            faults=_faults(latency_ms, error_rate, seed),
        )
        state = SandboxState(settings)
    except (ValueError, msgspec.ValidationError) as error:
        raise typer.BadParameter(str(error)) from None
    if not _is_loopback(host):
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
            for line in announcement(state.settings, state.clock.now(), running.base_url):
                typer.echo(line)
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


def announcement(settings: SandboxSettings, now_ms: int, base_url: str) -> list[str]:
    """Return the lines that tell where it is, ready to be put into a shell or `.env`."""
    credentials = settings.credentials
    start = settings.range_ms(now_ms)[0] / 1000
    first_day = dt.datetime.fromtimestamp(start, dt.UTC).date()
    values = {
        "ACTIVITIES_BASE_URL": base_url,
        "ACTIVITIES_API_KEY": credentials.api_key,
        "ACTIVITIES_USERNAME": credentials.username,
        "ACTIVITIES_PASSWORD": credentials.password,
        "ACTIVITIES_TIMEZONE": settings.timezone,
        "ACTIVITIES_START_DATE": first_day.isoformat(),
    }
    return [
        f"# {settings.activities} made-up activities; overview: {base_url}/sandbox/",
        *(f"{name}={shlex.quote(value)}" for name, value in values.items()),
    ]


def _faults(latency_ms: float, error_rate: float, seed: int) -> tuple[FaultRule, ...]:
    rules = []
    if latency_ms:
        rules.append(FaultRule(kind="latency", latency_ms=latency_ms))
    if error_rate:
        rules.append(FaultRule(kind="status", status=500, rate=error_rate, seed=seed))
    return tuple(rules)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
