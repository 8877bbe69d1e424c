"""What ``pipeline doctor`` finds out; each text says how to fix what is wrong."""

import asyncio
import ipaddress
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import urlsplit

import sqlalchemy as sa

from pipeline.commands.failures import guarded
from pipeline.commands.home import home, nearly_full
from pipeline.commands.versions import versions
from pipeline.configured import service_config
from pipeline.environment import FILE, folder
from pipeline.service import errors
from pipeline.service.client import ListQuery, ServiceClient
from pipeline.service.models import ActivitiesPage, decode_list_item
from pipeline.settings import (
    Settings,
    SettingsInvalid,
    load_alerting,
    load_settings,
    load_warehouse_url,
)
from pipeline.warehouse.answers.erasures import read_policy
from pipeline.warehouse.database import server
from pipeline.warehouse.database.engine import open_session, warehouse_engine
from pipeline.warehouse.database.errors import WarehouseError
from pipeline.warehouse.schema import roles
from pipeline.warehouse.schema.migrate import check_writable, schema_state
from pipeline.warehouse.state.ledger import count_altered

#: Address of Dagster's own database, in the variants of dagster.yaml that have one.
_STORAGE = "DAGSTER_STORAGE_URL"

#: One line of the table: what was checked, what was found, and whether that is good; None: a warning.
Finding = tuple[str, str, bool | None]


def examine(*, test_alert: bool) -> Iterator[Finding]:
    """Check everything. ``test_alert``: also post a message to the addresses of alerts."""
    yield from _guard("settings", _settings())
    yield from _guard("alerts", _alerts(post_one=test_alert))
    yield from _guard("Dagster", _dagster())


def _guard(what: str, findings: Iterator[Finding]) -> Iterator[Finding]:
    return guarded(findings, lambda line: (what, line, False))


def _settings() -> Iterator[Finding]:
    """Check the settings, then what only complete settings can reach."""
    yield "package", versions(), True
    file = folder() / FILE
    if file.is_file() and stat.S_IMODE(file.stat().st_mode) & 0o077:
        yield ".env", f"others on this machine can read your secrets: chmod 600 {file}", None
    settings = load_settings()
    yield "settings", f"complete; days are cut in {settings.timezone}", True
    url = urlsplit(settings.base_url)
    if url.scheme == "http" and not _is_here(url.hostname):
        yield "service, address", "http: sends your password in the clear; use https:", None
    yield from asyncio.run(_service(settings))
    yield from _guard("warehouse", _warehouse(settings))


def _is_here(host: str | None) -> bool:
    """Whether a host is this machine; None and a path are a socket of it."""
    with suppress(ValueError):
        return ipaddress.ip_address(host or "127.0.0.1").is_loopback
    return host == "localhost" or str(host).startswith("/")


async def _service(settings: Settings) -> list[Finding]:
    config = service_config(settings)
    async with ServiceClient(config) as client:
        try:
            await client.login()
        except errors.ServiceError as error:
            return [("service, credentials", str(error), False)]
        through = f" through the proxy {client.proxy}" if client.proxy else ""
        clocks = client.clock.difference or "this machine and the service agree"
        return [
            ("service, credentials", f"logged in at {config.base_url}{through}", True),
            ("clocks", clocks, None if client.clock.machine_is_behind else True),
            *await _read_some(client, settings.page_size),
        ]


async def _read_some(client: ServiceClient, requested: int) -> list[Finding]:
    """Request a page as large as configured and one activity's details, as a run does."""
    try:
        try:
            page = await client.list_activities(ListQuery(limit=requested, page=1))
            size = f"{len(page.rows)} granted" if page.has_next else "the whole list is shorter"
            found = f"{requested} requested; {size}"
        except errors.BadRequest:
            page = await client.list_activities(ListQuery())
            found = f"the service refuses {requested}; runs find out which size it grants"
    except errors.ServiceError as error:
        return [("page size", str(error), False)]
    return [("page size", found, True), await _details(client, page)]


async def _details(client: ServiceClient, page: ActivitiesPage) -> Finding:
    """Request the details of the first activity of a page that can be read."""
    for row in page.rows:
        try:
            fetched = await client.activity_details(decode_list_item(row).id)
            return "details", f"read, {len(fetched.body)} bytes", True
        except (errors.UnexpectedShape, errors.UnaddressableId):
            continue
        except (errors.Forbidden, errors.NotFound) as error:
            # One activity may be refused, as when its sharing has ended.
            return "details", str(error), None
        except errors.ServiceError as error:
            return "details", str(error), False
    unread = f"none of the {len(page.rows)} activities of the first page can be read"
    return "details", unread if page.rows else "the list is empty", not page.rows


def _warehouse(settings: Settings) -> Iterator[Finding]:
    with warehouse_engine(settings.warehouse_url) as engine:
        yield "warehouse", f"PostgreSQL {server.check_server(engine)}", True
        with open_session(engine) as session:
            encrypted = _is_here(session.info.host) or session.pgconn.ssl_in_use
        if not encrypted:
            found = "sends data and password in the clear: add sslmode=verify-full to WAREHOUSE_URL"
            yield "warehouse, connection", found, None
        yield from _guard("time zone", _zone(engine, settings))
        state = schema_state(engine)
        check_writable(engine)
        if state.pending:
            found = f"{len(state.pending)} migrations to apply: `pipeline migrate` or the next run does it"
            yield "schema", found, True
            return
        yield "schema", f"up to date ({state.applied[-1]})", True
        yield from _contents(engine, settings)


def _zone(engine: sa.Engine, settings: Settings) -> Iterator[Finding]:
    zone = settings.timezone
    server.check_zone(engine, zone)
    if server.same_rules(engine, zone):
        yield "time zone", f"PostgreSQL and Python have the same rules for {zone}", True
    else:
        found = f"different rules for {zone}: bring the older one up to date"
        yield "time zone", f"PostgreSQL and Python have {found}", None
    theirs, database = server.database_zone(engine)
    if theirs != zone.key:
        found = (
            f"sessions see instants in {theirs}, days are cut in {zone}: where all readers agree,"
            f" `pipeline migrate --zone`, which does `{server.zone_statement(database, zone)}`"
        )
        yield "time zone, sessions", found, None


def _contents(engine: sa.Engine, settings: Settings) -> Iterator[Finding]:
    wanted, recorded = settings.expired_values, read_policy(engine)
    change = f"{wanted}; the warehouse still has {recorded}, the next run changes that"
    same = wanted == recorded
    yield "expired values", f"{wanted}, as in the warehouse" if same else change, True
    with open_session(engine) as session:
        ready, beyond = roles.is_set_up(session), roles.beyond_grants(session)
        readers = ", ".join(roles.members(session)) or "nobody yet"
    found = f"{' and '.join(roles.ROLES)}; {readers} can read through them"
    if not ready:
        found = "none; `pipeline migrate --roles` creates them"
    elif beyond:
        found = f"{' and '.join(beyond)} can read everything: revoke what an administrator granted"
    yield "analysts' roles", found, not (ready and beyond)
    number = count_altered(engine)
    found = f"{number} activities and counterparts were changed outside a run"
    remedy = f"{found}: `pipeline sync` restores them"
    yield "stored rows", remedy if number else "as the runs wrote them", not number


def _alerts(*, post_one: bool) -> Iterator[Finding]:
    """Say which kinds of addresses get alerts. The rest of an address is a secret."""
    urls = load_alerting().alert_urls
    if not urls:
        remedy = "off; set ACTIVITIES_ALERT_URLS to get a message about failed runs and checks"
        yield "alerts", remedy, not post_one
    for number, url in enumerate(urls, start=1):
        kind, taken = url.split(":", 1)[0], True
        found = f"{kind}; `pipeline doctor --test-alert` posts a message"
        if post_one:
            from pipeline.assets.posting import TEST, post

            taken = post(url, TEST)
            found = f"{kind}, took a message" if taken else f"{kind}, took no message: check it"
        yield f"alerts, address {number}", found, taken


def _dagster() -> Iterator[Finding]:
    from dagster import __version__

    place = home()
    yield "Dagster", f"{__version__}, configured in {place}", True
    full = nearly_full(place)
    yield "Dagster's disk", f"nearly full: {full}" if full else "has room", not full
    if _STORAGE in (place / "dagster.yaml").read_text(encoding="utf-8"):
        # The address has a password, so no text repeats it.
        form = "postgresql+psycopg2://user:password@host:5432/dagster"
        if not os.environ.get(_STORAGE, "").startswith("postgresql+psycopg2://"):
            found = f"this dagster.yaml needs {_STORAGE}, or runs fail; it looks like {form}"
            yield "Dagster's history", found, False
            return
        yield "Dagster's history", f"in the PostgreSQL of {_STORAGE}", True
    from pipeline.assets.history import another_warehouse
    from pipeline.commands.job import open_instance

    with open_instance() as instance:
        instance.get_run_records(limit=1)
        yield "Dagster's runs", "can be read", True
        told_above = (SettingsInvalid, WarehouseError)
        with suppress(*told_above), warehouse_engine(load_warehouse_url()) as engine:
            server.check_server(engine)
            other = next(another_warehouse(instance, engine), None)
            yield "history's warehouse", other or "that of these settings", None if other else True
