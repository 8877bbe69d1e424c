"""``pipeline doctor``: is everything in place? A table of pass or fail, with the remedy."""

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass, field
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
from pipeline.warehouse.engine import in_transaction, open_engine, server_version
from pipeline.warehouse.erasing import policy
from pipeline.warehouse.errors import WarehouseError
from pipeline.warehouse.migrate import SchemaState, refuse_newer_schema, schema_state

#: A service's clock further off than this many seconds is worth a remark.
_SKEW = 30.0

#: Names Dagster's own database in the forms of dagster.yaml that have one.
_STORAGE = "DAGSTER_STORAGE_URL"


@dataclass
class Findings:
    """Lines of the table: what was looked at, whether it is in order, and what was found."""

    lines: list[tuple[str, bool, str]] = field(default_factory=list)

    def add(self, what: str, found: str, *, passed: bool = True) -> None:
        """Add one line."""
        self.lines.append((what, passed, found))

    def look(self, what: str, check: Callable[[], str]) -> bool:
        """Add what ``check`` returns, or the error it raises; return whether it passed."""
        try:
            self.add(what, check())
        except (SettingsInvalid, ServiceError, WarehouseError) as error:
            self.add(what, str(error), passed=False)
            return False
        return True

    @property
    def passed(self) -> bool:
        """Whether all is in order."""
        return all(passed for _, passed, _ in self.lines)


def doctor(
    test_alert: Annotated[
        bool, typer.Option("--test-alert", help="Post a message to the addresses of alerts.")
    ] = False,
) -> None:
    """Check settings, credentials, reachability, versions, page size and clocks."""
    findings = Findings()
    settings: list[Settings] = []

    def read() -> str:
        settings.append(load_settings())
        return f"complete; days are cut in {settings[0].timezone}"

    if findings.look("settings", read):
        asyncio.run(_service(findings, settings[0].service_config(), settings[0].page_size))
        _warehouse(findings, settings[0])
    _alerts(findings, post_one=test_alert)
    _dagster(findings)
    shown = table("doctor", "what", "", "found")
    for what, passed, found in findings.lines:
        shown.add_row(what, Text("pass", "green") if passed else Text("FAIL", "red"), found)
    out.print(shown)
    raise typer.Exit(Exit.COMPLETE if findings.passed else Exit.FAILED)


async def _service(findings: Findings, config: ServiceConfig, page_size: int) -> None:
    async with ServiceClient(config) as client:
        try:
            await client.login()
        except ServiceError as error:
            findings.add("service, credentials", str(error), passed=False)
            return
        findings.add("service, credentials", f"a session was opened at {config.base_url}")
        skew = client.clock.skew
        known = (
            f"the service is {abs(skew):.0f} s {'ahead of' if skew > 0 else 'behind'} this machine"
        )
        findings.add("clocks", known if abs(skew) > _SKEW else "this machine and the service agree")
        try:
            findings.add("page size", await _page_size(client, page_size))
        except ServiceError as error:
            findings.add("page size", str(error), passed=False)


async def _page_size(client: ServiceClient, asked: int) -> str:
    """Ask for a page as large as configured and say what came."""
    try:
        page = await client.list_activities(ListQuery(limit=asked, page=1))
    except BadRequest:
        return f"{asked} is refused; runs find out what is granted"
    if not page.has_next:
        return f"{asked} asked for; the whole list has {len(page.rows)}, fewer than a page"
    return f"{asked} asked for, {len(page.rows)} granted"


def _warehouse(findings: Findings, settings: Settings) -> None:
    engine = open_engine(settings.warehouse_url)
    try:
        if findings.look("warehouse", lambda: f"PostgreSQL {server_version(engine)}"):
            state = schema_state(engine)
            if findings.look("schema", lambda: _schema(state)) and not state.pending:
                wanted = settings.expired_values
                findings.look("expired values", lambda: _expired_values(wanted, policy(engine)))
                _roles(findings, engine)
    finally:
        engine.dispose()


def _expired_values(wanted: str, recorded: str) -> str:
    if wanted == recorded:
        return f"{wanted}, as the warehouse has it"
    return f"{wanted}; the warehouse still has {recorded}, the next run changes that"


def _roles(findings: Findings, engine: Engine) -> None:
    """Say whether analysts have their roles, and fail where these can read more than is granted."""
    ready, beyond = in_transaction(
        engine, lambda session: (roles.is_set_up(session), roles.beyond_grants(session))
    )
    if beyond and ready:
        found = f"{' and '.join(beyond)} may read everything: revoke what an administrator granted"
        findings.add("analysts' roles", found, passed=False)
    else:
        none = "none here; `pipeline migrate --roles` makes them"
        findings.add("analysts' roles", " and ".join(roles.ROLES) if ready else none)


def _schema(state: SchemaState) -> str:
    refuse_newer_schema(state)
    if state.pending:
        return f"{len(state.pending)} migrations to apply; `pipeline migrate` or the next run does"
    return f"up to date ({state.applied[-1]})"


def _alerts(findings: Findings, *, post_one: bool) -> None:
    """Say where alerts go, by kind of address alone: the rest of an address is a secret."""
    try:
        alerting = load_alerting()
    except SettingsInvalid as error:
        findings.add("alerts", str(error), passed=False)
        return
    if not alerting.urls:
        remedy = "off; set ACTIVITIES_ALERT_URLS to be told of failed runs and checks"
        findings.add("alerts", remedy, passed=not post_one)
        return
    for number, url in enumerate(alerting.urls, start=1):
        what = f"alerts, address {number}"
        kind = url.split(":", 1)[0]
        if not post_one:
            findings.add(what, f"{kind}; `pipeline doctor --test-alert` posts a message")
            continue
        from pipeline.assets.alerts import TEST, post

        taken = post(url, TEST)
        found = f"{kind}, took a message" if taken else f"{kind}, took no message: check it"
        findings.add(what, found, passed=taken)


def _dagster(findings: Findings) -> None:
    from pipeline.commands.job import home

    try:
        place = home()
    except UsageWrong as error:
        findings.add("Dagster", str(error), passed=False)
        return
    from dagster import __version__

    findings.add("Dagster", f"{__version__}, configured in {place}")
    if _STORAGE in (place / "dagster.yaml").read_text(encoding="utf-8"):
        fault = _storage_fault(os.environ.get(_STORAGE, ""))
        found = fault or f"in the PostgreSQL of {_STORAGE}"
        findings.add("Dagster's history", found, passed=fault is None)


def _storage_fault(url: str) -> str | None:
    """Return what is wrong with the address of Dagster's own storage; the address itself is a secret."""
    form = "postgresql+psycopg2://user:password@host:5432/dagster"
    if not url:
        return f"{_STORAGE} is not set, and this dagster.yaml needs it: {form}"
    if not url.startswith("postgresql+psycopg2://"):
        return f"{_STORAGE} must be spelt {form}, or the first event of each run fails"
    return None
