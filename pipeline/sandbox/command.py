"""`pipeline sandbox`: the service on this machine, for trying the pipeline without the real one."""

from __future__ import annotations

import datetime as dt
import ipaddress
import shlex
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer
from rich.console import Console

from .behaviour import Behaviour, Order
from .faults import FaultRule
from .server import LOOPBACK
from .serving import serve_until_signal
from .settings import SandboxSettings
from .state import SandboxState

if TYPE_CHECKING:
    from collections.abc import Callable

DEFAULT_PORT = 8765


def sandbox(
    host: Annotated[
        str, typer.Option(help="Address to serve on; loopback unless given.")
    ] = LOOPBACK,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to serve on; 0 takes a free one.")
    ] = DEFAULT_PORT,
    activities: Annotated[int, typer.Option(min=0, help="How many activities to make up.")] = 2000,
    days: Annotated[int, typer.Option(min=1, help="Spread them over so many days up to now.")] = 90,
    from_day: Annotated[
        str | None, typer.Option("--from", help="First day of the data (yyyy-MM-dd), not --days.")
    ] = None,
    to_day: Annotated[
        str | None, typer.Option("--to", help="Last day of the data (yyyy-MM-dd), whole.")
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
        Order, typer.Option(help="Order of the list; `reshuffled` is anew on every request.")
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
            from_date=_day(from_day, "--from"),
            to_date=_day(to_day, "--to"),
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
    raise typer.Exit(serve_until_signal(state, host, port, _announcer(state)))


def _announcer(state: SandboxState) -> Callable[[str], None]:
    def announce(base_url: str) -> None:
        for line in announcement(state.settings, state.clock.now(), base_url):
            typer.echo(line)
        Console(stderr=True).print("[dim]Ctrl-C ends it.[/dim]")

    return announce


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


def _day(text: str | None, option: str) -> dt.date | None:
    if text is None:
        return None
    try:
        return dt.datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=dt.UTC).date()
    except ValueError:
        raise typer.BadParameter(f"{option} must be a date, yyyy-MM-dd, not {text!r}") from None


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
