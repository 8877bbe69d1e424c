"""Settings: environment variables, each with its name, parser and default in one place."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pipeline.warehouse.errors import WarehouseUrlInvalid

# What else is needed of the package is imported where it is used: a command's help needs none of it.
if TYPE_CHECKING:
    from pipeline.authorizations.run import AuthorizationRun
    from pipeline.service.config import ServiceConfig
    from pipeline.sync.options import Options

_UTC = ZoneInfo("UTC")

#: First day while ``ACTIVITIES_START_DATE`` is not set: Dagster's definitions load without settings.
_START_UNSET = date(2026, 1, 1)

#: Separates alert addresses. An address may hold commas itself, but a scheme begins only the next one.
_NEXT_ADDRESS = re.compile(r"\s*,\s*(?=[\w.+-]+://)")


class SettingsInvalid(Exception):
    """Settings are missing or wrong; ``str()`` names all of them, without values of secrets."""


def parse_date(text: str) -> date:
    """Parse a yyyy-MM-dd date. Raises ``ValueError`` with one line."""
    # `fromisoformat` also reads other forms of ISO 8601.
    with suppress(ValueError):
        if (day := date.fromisoformat(text)).isoformat() == text:
            return day
    raise ValueError(f"{text!r} is not a day of the calendar in the form yyyy-MM-dd")


def parse_timezone(text: str) -> ZoneInfo:
    """Parse the name of an IANA time zone. Raises ``ValueError`` with one line."""
    try:
        return ZoneInfo(text)
    except (OSError, ValueError, KeyError):
        raise ValueError(
            f"{text!r} is not a known time zone; use an IANA name such as America/Lima"
        ) from None


def parse_base_url(text: str) -> str:
    """Check the service's address: scheme and host, no trailing slash, no query, no credentials."""
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        raise ValueError("is not a URL; it looks like https://api.example.com") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("needs a scheme and a host, such as https://api.example.com")
    if parts.path.endswith("/"):
        raise ValueError("must not end with a slash; the path /business/v1 is added to it")
    if parts.query or parts.fragment or parts.username or parts.password:
        raise ValueError("must have only scheme, host and port: no query, no credentials")
    return text


def _parse_ui_url(text: str) -> str:
    return parse_base_url(text.rstrip("/"))


def _parse_warehouse_url(text: str) -> str:
    from pipeline.warehouse.engine import parse_url

    try:
        parse_url(text)
    except WarehouseUrlInvalid as error:
        raise ValueError(str(error).removeprefix("WAREHOUSE_URL ")) from None
    return text


def _parse_alert_urls(text: str) -> tuple[str, ...]:
    from apprise import Apprise  # its import takes a third of a second, and few set alerts

    urls = tuple(_NEXT_ADDRESS.split(text))
    for number, url in enumerate(urls, start=1):
        if Apprise.instantiate(url, suppress_exceptions=True) is None:
            raise ValueError(
                f"number {number} of {len(urls)} is not an address that apprise knows;"
                " they look like mailto://user:password@example.com or slack://token/channel"
            )
    return urls


def _parse_heartbeat_url(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("needs a scheme and a host, such as https://monitor.example.com/ping/1")
    return text


def _one_of(*words: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text not in words:
            raise ValueError(f"must be one of {', '.join(words)}")
        return text

    return parse


def _number(
    kind: Callable[[str], float], least: float, most: float, what: str
) -> Callable[[str], float]:
    def parse(text: str) -> float:
        with suppress(ValueError):
            if least <= (value := kind(text)) <= most:
                return value
        raise ValueError(f"must be {what}")

    return parse


def _whole(least: int, most: int) -> Callable[[str], float]:
    return _number(int, least, most, f"a whole number from {least} to {most}")


_percent = _number(float, 0, 100, "a percentage from 0 to 100")
_rate = _number(float, 0.001, 100_000, "a number of requests per second, such as 20")


# Each field's type names its environment variable and how to parse it. A field without a default is
# required.


@dataclass(frozen=True, repr=False)
class Alerting:
    """Where alerts go, what to request after each good night, and the UI to link to.

    Its repr shows no value.
    """

    urls: Annotated[tuple[str, ...], "ACTIVITIES_ALERT_URLS", _parse_alert_urls] = ()
    heartbeat_url: Annotated[str | None, "ACTIVITIES_HEARTBEAT_URL", _parse_heartbeat_url] = None
    ui_url: Annotated[str | None, "ACTIVITIES_UI_URL", _parse_ui_url] = None


@dataclass(frozen=True, repr=False)
class Settings:
    """What the environment says. Its repr shows no value."""

    base_url: Annotated[str, "ACTIVITIES_BASE_URL", parse_base_url]
    api_key: Annotated[str, "ACTIVITIES_API_KEY", str]
    username: Annotated[str, "ACTIVITIES_USERNAME", str]
    password: Annotated[str, "ACTIVITIES_PASSWORD", str]
    start_date: Annotated[date, "ACTIVITIES_START_DATE", parse_date]
    warehouse_url: Annotated[str, "WAREHOUSE_URL", _parse_warehouse_url]
    timezone: Annotated[ZoneInfo, "ACTIVITIES_TIMEZONE", parse_timezone] = _UTC
    max_concurrency: Annotated[int, "ACTIVITIES_MAX_CONCURRENCY", _whole(1, 256)] = 16
    page_size: Annotated[int, "ACTIVITIES_PAGE_SIZE", _whole(1, 10_000)] = 500
    requests_per_second: Annotated[float | None, "ACTIVITIES_REQUESTS_PER_SECOND", _rate] = None
    lookback_days: Annotated[int, "ACTIVITIES_LOOKBACK_DAYS", _whole(1, 366)] = 3
    recheck_days: Annotated[int, "ACTIVITIES_RECHECK_DAYS", _whole(1, 3660)] = 7
    audit_days: Annotated[int, "ACTIVITIES_AUDIT_DAYS", _whole(1, 3660)] = 30
    keep_versions: Annotated[int | None, "ACTIVITIES_KEEP_VERSIONS", _whole(1, 1000)] = None
    keep_days: Annotated[int, "ACTIVITIES_KEEP_DAYS", _whole(8, 36_600)] = 90
    gone_percent: Annotated[float, "ACTIVITIES_GONE_PERCENT", _percent] = 5.0
    max_body_mb: Annotated[int, "ACTIVITIES_MAX_BODY_MB", _whole(1, 200)] = 64
    expired_values: Annotated[
        str, "ACTIVITIES_EXPIRED_VALUES", _one_of("hide", "erase", "keep")
    ] = "hide"
    keep_personal_months: Annotated[
        int | None, "ACTIVITIES_KEEP_PERSONAL_MONTHS", _whole(1, 1200)
    ] = None
    authorizations_per_second: Annotated[float, "ACTIVITIES_AUTHORIZATIONS_PER_SECOND", _rate] = 1.0
    authorizations_per_day: Annotated[
        int, "ACTIVITIES_AUTHORIZATIONS_PER_DAY", _whole(1, 1_000_000)
    ] = 1000
    authorizations_settle_minutes: Annotated[
        int, "ACTIVITIES_AUTHORIZATIONS_SETTLE_MINUTES", _whole(1, 1440)
    ] = 15
    authorizations_wait_seconds: Annotated[
        int, "ACTIVITIES_AUTHORIZATIONS_WAIT_SECONDS", _whole(0, 3600)
    ] = 120
    authorizations_repeats: Annotated[
        str, "ACTIVITIES_AUTHORIZATIONS_REPEATS", _one_of("warn", "refuse")
    ] = "warn"
    authorizations_repeat_days: Annotated[
        int, "ACTIVITIES_AUTHORIZATIONS_REPEAT_DAYS", _whole(1, 3660)
    ] = 30
    log_format: Annotated[str, "ACTIVITIES_LOG_FORMAT", _one_of("text", "json")] = "text"

    def service_config(self) -> "ServiceConfig":
        """Return what the client of the service needs."""
        from pipeline.service.config import Credentials, ServiceConfig

        return ServiceConfig(
            base_url=self.base_url,
            credentials=Credentials(self.api_key, self.username, self.password),
            timezone=self.timezone.key,
            max_concurrency=self.max_concurrency,
            requests_per_second=self.requests_per_second,
            max_body_bytes=self.max_body_mb * 2**20,
        )

    def options(self, *, full: bool = False, accept_gone: bool = False) -> "Options":
        """Return what a run needs."""
        from pipeline.sync.options import Options

        return Options(
            full=full,
            accept_gone=accept_gone,
            start=self.start_date,
            audit_days=self.audit_days,
            page_size=self.page_size,
            workers=self.max_concurrency,
            recheck=timedelta(days=self.recheck_days),
            gone_share=self.gone_percent / 100,
            expired_values=self.expired_values,
            keep_days=self.keep_days,
            keep_versions=self.keep_versions,
            keep_personal_months=self.keep_personal_months,
        )

    def authorization_run(self, say: Callable[[str], None]) -> "AuthorizationRun":
        """Return what sends authorizations; ``say`` takes lines about its progress."""
        from pipeline.authorizations.rules import Rules
        from pipeline.authorizations.run import AuthorizationRun

        rules = Rules(
            per_second=self.authorizations_per_second,
            per_day=self.authorizations_per_day,
            settle=timedelta(minutes=self.authorizations_settle_minutes),
            wait=timedelta(seconds=self.authorizations_wait_seconds),
            page_size=self.page_size,
        )
        return AuthorizationRun(self.service_config(), self.warehouse_url, rules, say)


def describe() -> Iterator[tuple[str, str | None]]:
    """Yield the name and the default of every setting, as text; None where it is required."""
    for kind in (Settings, Alerting):
        for field, hint in get_type_hints(kind, include_extras=True).items():
            default = getattr(kind, field, ...)
            yield hint.__metadata__[0], None if default is ... else f"{default or ''}"


def load_settings(environ: Mapping[str, str] = os.environ) -> Settings:
    """Read all settings of a run. Raises `SettingsInvalid`."""
    return Settings(**_read(Settings, environ))


def load_warehouse_url(environ: Mapping[str, str] = os.environ) -> str:
    """Read the one setting of commands that only read the warehouse. Raises `SettingsInvalid`."""
    url: str = _read(Settings, environ, "warehouse_url")["warehouse_url"]
    return url


def load_timezone(environ: Mapping[str, str] = os.environ) -> ZoneInfo:
    """Read the zone in which days are cut. Raises `SettingsInvalid`."""
    zone: ZoneInfo = _read(Settings, environ, "timezone")["timezone"]
    return zone


def load_start_date(environ: Mapping[str, str] = os.environ) -> date:
    """Read the first day; a fixed one where it is not set. Raises `SettingsInvalid`."""
    start: date = _read(Settings, environ, "start_date", unset=_START_UNSET)["start_date"]
    return start


def load_keep_months(environ: Mapping[str, str] = os.environ) -> int | None:
    """Read how many months personal data are kept; None: for good. Raises `SettingsInvalid`."""
    months: int | None = _read(Settings, environ, "keep_personal_months")["keep_personal_months"]
    return months


def load_lookback_days(environ: Mapping[str, str] = os.environ) -> int:
    """Read how many days each night walks again. Raises `SettingsInvalid`."""
    days: int = _read(Settings, environ, "lookback_days")["lookback_days"]
    return days


def load_repeats(environ: Mapping[str, str] = os.environ) -> tuple[bool, int]:
    """Read whether a person who is asked twice within some days is refused, and these days.

    Raises `SettingsInvalid`.
    """
    names = ("authorizations_repeats", "authorizations_repeat_days")
    values = _read(Settings, environ, *names)
    return values[names[0]] == "refuse", values[names[1]]


def load_alerting(environ: Mapping[str, str] = os.environ) -> Alerting:
    """Read the settings of alerts, apart from the others: a wrong address must not stop a night.

    Raises `SettingsInvalid`.
    """
    return Alerting(**_read(Alerting, environ))


def _read(kind: type, environ: Mapping[str, str], *only: str, unset: Any = None) -> dict[str, Any]:
    """Return the values of ``kind`` by field, or of some fields. ``unset``: instead of required ones.

    Raises `SettingsInvalid`, which names everything missing or wrong at once.
    """
    values: dict[str, Any] = {}
    missing, wrong = [], []
    for field, hint in get_type_hints(kind, include_extras=True).items():
        if only and field not in only:
            continue
        name, parse = hint.__metadata__
        text = environ.get(name, "").strip()
        values[field] = getattr(kind, field, unset)
        if text:
            try:
                values[field] = parse(text)
            except ValueError as error:
                wrong.append(f"{name} {error}")
        elif values[field] is None and not hasattr(kind, field):
            missing.append(name)
    faults = [f"not set: {', '.join(missing)}", *wrong] if missing else wrong
    if faults:
        raise SettingsInvalid(
            f"settings: {'; '.join(faults)} (environment variables, or a .env file here)"
        )
    return values
