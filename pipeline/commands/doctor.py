"""``pipeline doctor``: checks settings, service, warehouse, alerts and Dagster. A table with remedies."""

import asyncio
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated

import typer
from rich.text import Text
from sqlalchemy import Engine

from pipeline.commands.console import Exit, UsageWrong, out, table
from pipeline.service.client import ListQuery, ServiceClient
from pipeline.service.config import ServiceConfig
from pipeline.service.errors import BadRequest, ServiceError
from pipeline.settings import Settings, SettingsInvalid, load_alerting, load_settings
from pipeline.warehouse import roles
from pipeline.warehouse.engine import open_session, server_version, warehouse_engine
from pipeline.warehouse.erasures import read_policy
from pipeline.warehouse.errors import WarehouseError
from pipeline.warehouse.migrate import refuse_newer_schema, schema_state

#: Seconds. A larger difference between the service's clock and ours is reported.
_SKEW = 30.0

#: Address of Dagster's own database, in the variants of dagster.yaml that have one.
_STORAGE = "DAGSTER_STORAGE_URL"


@dataclass(frozen=True)
class Finding:
    """One line of the table."""

    what: str
    found: str
    passed: bool = True


def doctor(
    test_alert: Annotated[
        bool, typer.Option("--test-alert", help="Post a message to the addresses of alerts.")
    ] = False,
) -> None:
    """Check settings, credentials, reachability, versions, page size and clocks."""
    shown = table("doctor", "what", "", "found")
    passed = True
    for finding in _findings(post_one=test_alert):
        mark = Text("pass", "green") if finding.passed else Text("FAIL", "red")
        shown.add_row(finding.what, mark, finding.found)
        passed = passed and finding.passed
    out.print(shown)
    raise typer.Exit(Exit.COMPLETE if passed else Exit.FAILED)


def _findings(*, post_one: bool) -> Iterator[Finding]:
    try:
        settings = load_settings()
    except SettingsInvalid as error:
        yield Finding("settings", str(error), passed=False)
    else:
        yield Finding("settings", f"complete; days are cut in {settings.timezone}")
        yield from asyncio.run(_service(settings.service_config(), settings.page_size))
        with warehouse_engine(settings.warehouse_url) as engine:
            yield from _warehouse(engine, settings)
    yield from _alerts(post_one=post_one)
    yield from _dagster()


def _look(what: str, check: Callable[[], str]) -> Finding:
    """Return what ``check`` finds, or a failure with the text of its error."""
    try:
        return Finding(what, check())
    except WarehouseError as error:
        return Finding(what, str(error), passed=False)


async def _service(config: ServiceConfig, page_size: int) -> list[Finding]:
    async with ServiceClient(config) as client:
        try:
            await client.login()
        except ServiceError as error:
            return [Finding("service, credentials", str(error), passed=False)]
        skew = client.clock.skew
        where = "ahead of" if skew > 0 else "behind"
        findings = [
            Finding("service, credentials", f"logged in at {config.base_url}"),
            Finding(
                "clocks",
                f"the service is {abs(skew):.0f} s {where} this machine"
                if abs(skew) > _SKEW
                else "this machine and the service agree",
            ),
        ]
        try:
            return [*findings, Finding("page size", await _page_size(client, page_size))]
        except ServiceError as error:
            return [*findings, Finding("page size", str(error), passed=False)]


async def _page_size(client: ServiceClient, requested: int) -> str:
    """Request a page as large as configured and return what came."""
    try:
        page = await client.list_activities(ListQuery(limit=requested, page=1))
    except BadRequest:
        return f"the service refuses {requested}; runs find out which size it grants"
    if not page.has_next:
        return f"{requested} requested; the whole list has {len(page.rows)}, fewer than a page"
    return f"{requested} requested, {len(page.rows)} granted"


def _warehouse(engine: Engine, settings: Settings) -> Iterator[Finding]:
    reached = _look("warehouse", lambda: f"PostgreSQL {server_version(engine)}")
    yield reached
    if not reached.passed:
        return
    state = schema_state(engine)

    def schema() -> str:
        refuse_newer_schema(state)
        if state.pending:
            return f"{len(state.pending)} migrations to apply: `pipeline migrate` or the next run does it"
        return f"up to date ({state.applied[-1]})"

    current = _look("schema", schema)
    yield current
    if current.passed and not state.pending:
        yield _look("expired values", lambda: _expired_values(settings.expired_values, engine))
        yield _roles(engine)


def _expired_values(wanted: str, engine: Engine) -> str:
    recorded = read_policy(engine)
    if wanted == recorded:
        return f"{wanted}, as in the warehouse"
    return f"{wanted}; the warehouse still has {recorded}, the next run changes that"


def _roles(engine: Engine) -> Finding:
    with open_session(engine) as session:
        ready, beyond = roles.is_set_up(session), roles.beyond_grants(session)
    if not ready:
        return Finding("analysts' roles", "none; `pipeline migrate --roles` creates them")
    if beyond:
        found = f"{' and '.join(beyond)} can read everything: revoke what an administrator granted"
        return Finding("analysts' roles", found, passed=False)
    return Finding("analysts' roles", " and ".join(roles.ROLES))


def _alerts(*, post_one: bool) -> Iterator[Finding]:
    """Say which kinds of addresses get alerts. The rest of an address is a secret."""
    try:
        alerting = load_alerting()
    except SettingsInvalid as error:
        yield Finding("alerts", str(error), passed=False)
        return
    if not alerting.urls:
        remedy = "off; set ACTIVITIES_ALERT_URLS to get a message about failed runs and checks"
        yield Finding("alerts", remedy, passed=not post_one)
    for number, url in enumerate(alerting.urls, start=1):
        what = f"alerts, address {number}"
        kind = url.split(":", 1)[0]
        if post_one:
            from pipeline.assets.alerts import TEST, post

            taken = post(url, TEST)
            found = f"{kind}, took a message" if taken else f"{kind}, took no message: check it"
            yield Finding(what, found, passed=taken)
        else:
            yield Finding(what, f"{kind}; `pipeline doctor --test-alert` posts a message")


def _dagster() -> Iterator[Finding]:
    from pipeline.commands.job import home

    try:
        place = home()
    except UsageWrong as error:
        yield Finding("Dagster", str(error), passed=False)
        return
    from dagster import __version__

    yield Finding("Dagster", f"{__version__}, configured in {place}")
    if _STORAGE in (place / "dagster.yaml").read_text(encoding="utf-8"):
        fault = _storage_fault(os.environ.get(_STORAGE, ""))
        found = fault or f"in the PostgreSQL of {_STORAGE}"
        yield Finding("Dagster's history", found, passed=fault is None)


def _storage_fault(url: str) -> str | None:
    """Return what is wrong with the address of Dagster's storage, without the address, a secret."""
    form = "postgresql+psycopg2://user:password@host:5432/dagster"
    if not url:
        return f"{_STORAGE} is not set, but this dagster.yaml needs it: {form}"
    if not url.startswith("postgresql+psycopg2://"):
        return f"{_STORAGE} must look like {form}, or the first event of each run fails"
    return None
