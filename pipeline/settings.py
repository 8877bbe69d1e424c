"""Settings: environment variables, read once, every fault named at once."""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TypeVar
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pipeline.authorizations.rules import Rules
from pipeline.service.config import Credentials, ServiceConfig
from pipeline.sync.options import Options
from pipeline.warehouse.engine import parse_url
from pipeline.warehouse.erasures import POLICIES
from pipeline.warehouse.errors import WarehouseUrlInvalid

T = TypeVar("T")

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")

#: Where a list of alert addresses is cut: an address may itself hold commas.
_NEXT_ADDRESS = re.compile(r"\s*,\s*(?=[\w.+-]+://)")


class SettingsInvalid(Exception):
    """Settings are missing or wrong; ``str()`` names all of them, without values of secrets."""


@dataclass(frozen=True, repr=False)
class Alerting:
    """Where alerts go, and the address of the UI to link to. Its repr shows no value."""

    urls: tuple[str, ...] = ()
    ui_url: str | None = None


@dataclass(frozen=True, repr=False)
class Settings:
    """What the environment says. Its repr shows no value."""

    base_url: str
    credentials: Credentials
    timezone: ZoneInfo
    start_date: date
    warehouse_url: str
    max_concurrency: int = 16
    page_size: int = 500
    requests_per_second: float | None = None
    lookback_days: int = 3
    recheck_days: int = 7
    gone_percent: float = 5.0
    max_body_mb: int = 64
    expired_values: str = "hide"
    authorizations_per_second: float = 1.0
    authorizations_per_day: int = 1000
    authorizations_settle_minutes: int = 15

    def service_config(self) -> ServiceConfig:
        """Return what the service's client needs."""
        return ServiceConfig(
            base_url=self.base_url,
            credentials=self.credentials,
            timezone=self.timezone.key,
            max_concurrency=self.max_concurrency,
            requests_per_second=self.requests_per_second,
            max_body_bytes=self.max_body_mb * 2**20,
        )

    def options(self, *, full: bool = False, accept_gone: bool = False) -> Options:
        """Return what a run needs."""
        return Options(
            full=full,
            accept_gone=accept_gone,
            page_size=self.page_size,
            workers=self.max_concurrency,
            recheck=timedelta(days=self.recheck_days),
            gone_share=self.gone_percent / 100,
            expired_values=self.expired_values,
        )

    def rules(self) -> Rules:
        """Return how authorizations are sent."""
        return Rules(
            per_second=self.authorizations_per_second,
            per_day=self.authorizations_per_day,
            settle=timedelta(minutes=self.authorizations_settle_minutes),
            page_size=self.page_size,
        )


def load_settings(environ: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings. Raises `SettingsInvalid`, which names everything missing or wrong at once."""
    reader = _Reader(environ)
    base_url = reader.required("ACTIVITIES_BASE_URL", parse_base_url, "")
    api_key = reader.required("ACTIVITIES_API_KEY", str, "")
    username = reader.required("ACTIVITIES_USERNAME", str, "")
    password = reader.required("ACTIVITIES_PASSWORD", str, "")
    start_date = reader.required("ACTIVITIES_START_DATE", parse_date, date.min)
    warehouse_url = reader.required("WAREHOUSE_URL", _warehouse_url, "")
    settings = Settings(
        base_url=base_url,
        credentials=Credentials(api_key, username, password),
        timezone=reader.optional("ACTIVITIES_TIMEZONE", parse_timezone, ZoneInfo("UTC")),
        start_date=start_date,
        warehouse_url=warehouse_url,
        max_concurrency=reader.optional("ACTIVITIES_MAX_CONCURRENCY", _whole(1, 256), 16),
        page_size=reader.optional("ACTIVITIES_PAGE_SIZE", _whole(1, 10_000), 500),
        requests_per_second=reader.optional("ACTIVITIES_REQUESTS_PER_SECOND", _rate, None),
        lookback_days=reader.optional("ACTIVITIES_LOOKBACK_DAYS", _whole(1, 366), 3),
        recheck_days=reader.optional("ACTIVITIES_RECHECK_DAYS", _whole(1, 3660), 7),
        gone_percent=reader.optional("ACTIVITIES_GONE_PERCENT", _percent, 5.0),
        max_body_mb=reader.optional("ACTIVITIES_MAX_BODY_MB", _whole(1, 200), 64),
        expired_values=reader.optional("ACTIVITIES_EXPIRED_VALUES", _policy, "hide"),
        authorizations_per_second=reader.optional(
            "ACTIVITIES_AUTHORIZATIONS_PER_SECOND", _rate, 1.0
        ),
        authorizations_per_day=reader.optional(
            "ACTIVITIES_AUTHORIZATIONS_PER_DAY", _whole(1, 1_000_000), 1000
        ),
        authorizations_settle_minutes=reader.optional(
            "ACTIVITIES_AUTHORIZATIONS_SETTLE_MINUTES", _whole(1, 1440), 15
        ),
    )
    reader.finish()
    return settings


def load_warehouse_url(environ: Mapping[str, str] = os.environ) -> str:
    """Read the one setting of commands that only look into the warehouse. Raises `SettingsInvalid`."""
    reader = _Reader(environ)
    url = reader.required("WAREHOUSE_URL", _warehouse_url, "")
    reader.finish()
    return url


def load_alerting(environ: Mapping[str, str] = os.environ) -> Alerting:
    """Read the settings of alerts, apart from the others: a wrong address must not stop a night.

    Raises `SettingsInvalid`.
    """
    reader = _Reader(environ)
    alerting = Alerting(
        urls=reader.optional("ACTIVITIES_ALERT_URLS", _alert_urls, ()),
        ui_url=reader.optional("ACTIVITIES_UI_URL", _ui_url, None),
    )
    reader.finish()
    return alerting


def parse_date(text: str) -> date:
    """Parse a yyyy-MM-dd date. Raises ``ValueError`` with one line."""
    if _DATE.fullmatch(text) is None:
        raise ValueError(f"{text!r} is not a date of the form yyyy-MM-dd")
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text!r} is no day of the calendar (yyyy-MM-dd)") from None


def parse_timezone(text: str) -> ZoneInfo:
    """Parse an IANA time zone's name. Raises ``ValueError`` with one line."""
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
        raise ValueError("must not end with a slash; the path /business/v1 is added by itself")
    if parts.query or parts.fragment or parts.username or parts.password:
        raise ValueError("must hold neither a query nor credentials, just scheme, host and port")
    return text


class _Reader:
    """Collects faults while settings are read."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._missing: list[str] = []
        self._wrong: list[str] = []

    def required(self, name: str, parse: Callable[[str], T], blank: T) -> T:
        text = self._environ.get(name, "").strip()
        if not text:
            self._missing.append(name)
            return blank
        value = self._parsed(name, text, parse)
        return blank if value is None else value

    def optional(self, name: str, parse: Callable[[str], T], default: T) -> T:
        text = self._environ.get(name, "").strip()
        value = self._parsed(name, text, parse) if text else None
        return default if value is None else value

    def finish(self) -> None:
        faults = list(self._wrong)
        if self._missing:
            faults.insert(0, f"not set: {', '.join(self._missing)}")
        if faults:
            raise SettingsInvalid(
                f"settings: {'; '.join(faults)} (environment variables, or a .env file here)"
            )

    def _parsed(self, name: str, text: str, parse: Callable[[str], T]) -> T | None:
        try:
            return parse(text)
        except ValueError as error:
            self._wrong.append(f"{name} {error}")
            return None


def _alert_urls(text: str) -> tuple[str, ...]:
    from apprise import Apprise  # takes a third of a second, and most environments set no alerts

    urls = tuple(_NEXT_ADDRESS.split(text))
    for number, url in enumerate(urls, start=1):
        if Apprise.instantiate(url, suppress_exceptions=True) is None:
            raise ValueError(
                f"number {number} of {len(urls)} is no address that apprise knows;"
                " they look like mailto://user:password@example.com or slack://token/channel"
            )
    return urls


def _ui_url(text: str) -> str:
    return parse_base_url(text.rstrip("/"))


def _warehouse_url(text: str) -> str:
    try:
        parse_url(text)
    except WarehouseUrlInvalid as error:
        raise ValueError(
            str(error).removeprefix("WAREHOUSE_URL").removeprefix(":").strip()
        ) from None
    return text


def _whole(least: int, most: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= most:
            raise ValueError(f"must be a whole number from {least} to {most}")
        return int(text)

    return parse


def _policy(text: str) -> str:
    if text not in POLICIES:
        raise ValueError(f"must be one of {', '.join(POLICIES)}")
    return text


def _percent(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 100:
        raise ValueError("must be a percentage from 0 to 100")
    return value


def _rate(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.001 <= value <= 100_000:
        raise ValueError("must be a number of requests per second, such as 20")
    return value
