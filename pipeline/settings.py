"""Settings: environment variables, each with its name, parser and default in one place."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from difflib import get_close_matches
from typing import Any, Generic, TypeVar
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pipeline.clock import today
from pipeline.environment import FILE, OURS, environment, folder
from pipeline.environment import SettingsInvalid as SettingsInvalid
from pipeline.warehouse.database.errors import WarehouseUrlInvalid

# What else is needed of the package is imported where it is used: a command's help needs none of it.
T = TypeVar("T")
N = TypeVar("N", bound=float)

#: Separates alert addresses. An address may hold commas itself, but a scheme begins only the next one.
_NEXT_ADDRESS = re.compile(r"\s*,\s*(?=[\w.+-]+://)")

#: What Kubernetes sets for a service whose name begins as our names do.
_OF_KUBERNETES = re.compile(
    r"\w+_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_\w+)?)=|\w+_PORT=\w+://"
)


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
    """Return the service's address, without a slash at its end: no query, no credentials."""
    import httpx

    try:
        httpx.URL(text)
        parts = urlsplit(text)
        _ = parts.port
    except (ValueError, httpx.InvalidURL):
        raise ValueError("is not a URL; it looks like https://api.example.com") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:
        raise ValueError("needs a scheme and a host, such as https://api.example.com")
    if "/business/v1" in parts.path.lower():
        raise ValueError("must end before the path /business/v1, which is added to it")
    if parts.query or parts.fragment or parts.username or parts.password:
        raise ValueError("must have only scheme, host and port: no query, no credentials")
    return text.rstrip("/")


def _parse_warehouse_url(text: str) -> str:
    from pipeline.warehouse.database.contact import parse_url

    try:
        parse_url(text)
    except WarehouseUrlInvalid as error:
        raise ValueError(str(error).removeprefix("WAREHOUSE_URL ")) from None
    return text


def _parse_start(text: str) -> date:
    day = parse_date(text)
    if day.year < 2000:  # a creation before is not believed, and each day since is walked
        raise ValueError(f"{text!r} is before 2000, and no activity is that old")
    return day


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


def _parse_cron(text: str) -> str:
    import dagster as dg  # whoever sets a schedule runs Dagster

    try:
        dg.ScheduleDefinition(job_name="nightly", cron_schedule=text)
    except dg.DagsterInvalidDefinitionError:
        raise ValueError(f"{text!r} is not a cron schedule of five fields, as 30 4 * * *") from None
    return text


def _parse_reference(text: str) -> str:
    from pipeline.authorizations.references import parse_pattern

    return parse_pattern(text)


def _one_of(*words: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text not in words:
            raise ValueError(f"must be one of {', '.join(words)}")
        return text

    return parse


def _text(form: str, problem: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if re.fullmatch(form, text) is None:
            raise ValueError(problem)
        return text

    return parse


def _number(kind: Callable[[str], N], least: N, most: N, what: str) -> Callable[[str], N]:
    def parse(text: str) -> N:
        with suppress(ValueError):
            if least <= (value := kind(text)) <= most:
                return value
        raise ValueError(f"must be {what}")

    return parse


def _whole(least: int, most: int) -> Callable[[str], int]:
    return _number(int, least, most, f"a whole number from {least} to {most}")


_OWNER = r"(team:[\w.-]+|[^@\s,]+@[^@\s,]+\.[^@\s,]+)"
_owners = _text(
    rf"{_OWNER}( *, *{_OWNER})*", "needs e-mail addresses or team:NAME, separated by commas"
)
_web_address = _text(
    r"https?://[^/?#:]+([:/?#]\S*)?",
    "needs a scheme and a host, such as https://monitor.example.com/ping/1",
)
_percent = _number(float, 0.0, 100.0, "a percentage from 0 to 100")
_rate = _number(float, 0.001, 100_000.0, "a number of requests per second, such as 20")


class Setting(Generic[T]):
    """One environment variable: its parser, and its default; without one it is required.

    Its name is that of the attribute in capital letters, after ``prefix``. It is read when the attribute is
    used. Raises `SettingsInvalid` then.
    """

    def __init__(self, parse: Callable[[str], T], *default: T, prefix: str = "ACTIVITIES_") -> None:
        self.parse = parse
        self.default = default
        self._prefix = prefix

    def __set_name__(self, _: type, attribute: str) -> None:
        self.name = self._prefix + attribute.upper()

    def __get__(self, settings: "_FromEnvironment", _: type) -> T:
        value: T
        [value] = _read([self], settings.environ)
        return value


class _FromEnvironment:
    """Settings, read from ``environ``, by default `environment`. Its repr shows no value."""

    def __init__(self, environ: Mapping[str, str] | None = None) -> None:
        self.environ = environment() if environ is None else environ


class Alerting(_FromEnvironment):
    """Where alerts go, what to request after each good night, and the UI to link to."""

    alert_urls = Setting[tuple[str, ...]](_parse_alert_urls, ())
    heartbeat_url = Setting(_web_address, None)
    ui_url = Setting(parse_base_url, None)


class Settings(_FromEnvironment):
    """What the environment says of a run."""

    base_url = Setting(parse_base_url)
    api_key = Setting(_text(r"[^\0-\x1f\x7f]*", "holds a control character"))
    username = Setting(_text("[^:]*", "must not contain a colon"))
    password = Setting(str)
    start_date = Setting(_parse_start)
    warehouse_url = Setting(_parse_warehouse_url, prefix="")
    timezone = Setting(parse_timezone, ZoneInfo("UTC"))
    owners = Setting(_owners, "team:data")
    max_concurrency = Setting(_whole(1, 256), 16)
    page_size = Setting(_whole(1, 10_000), 500)
    requests_per_second = Setting(_rate, None)
    schedule = Setting(_parse_cron, "30 4 * * *")
    recent_schedule = Setting(_parse_cron, None)
    migration_wait_seconds = Setting(_whole(1, 86_400), 300)
    recent_requests = Setting(_whole(0, 1000), 4)
    lookback_days = Setting(_whole(1, 366), 3)
    recheck_days = Setting(_whole(1, 3660), 7)
    audit_days = Setting(_whole(1, 3660), 30)
    keep_run_days = Setting(_whole(3, 36_600), 90)
    keep_versions = Setting(_whole(1, 1000), None)
    keep_days = Setting(_whole(8, 36_600), 90)
    gone_percent = Setting(_percent, 5.0)
    max_body_mb = Setting(_whole(1, 200), 64)
    expired_values = Setting(_one_of("hide", "erase", "keep"), "hide")
    keep_personal_months = Setting(_whole(1, 1200), None)
    authorizations_per_second = Setting(_rate, 1.0)
    authorizations_per_day = Setting(_whole(1, 1_000_000), 1000)
    authorizations_settle_minutes = Setting(_whole(1, 1440), 15)
    authorizations_wait_seconds = Setting(_whole(0, 3600), 120)
    authorizations_reference = Setting(_parse_reference, "(Ref. {reference})")
    authorizations_repeats = Setting(_one_of("warn", "refuse"), "refuse")
    authorizations_repeat_days = Setting(_whole(1, 3660), 30)
    log_format = Setting(_one_of("text", "json"), "text")

    @property
    def days_between_requests(self) -> int:
        """Within so many days nobody is asked again; 0: people may be."""
        refuse = self.authorizations_repeats == "refuse"
        return self.authorizations_repeat_days if refuse else 0


class DefinitionSettings(Settings):
    """Settings as Dagster's definitions use them, which load without any."""

    start_date = Setting(_parse_start, date(2026, 1, 1))


def describe() -> Iterator[tuple[str, str | None]]:
    """Yield the name and the default of every setting, as text; None where it is required."""
    for setting in (*_settings_of(Settings), *_settings_of(Alerting)):
        yield setting.name, f"{setting.default[0] or ''}" if setting.default else None


def load_settings(environ: Mapping[str, str] | None = None) -> Settings:
    """Return the settings of a run, all of them checked. Raises `SettingsInvalid`."""
    settings = Settings(environ)
    environ = settings.environ
    faults = _unknown_names(environ)
    with suppress(SettingsInvalid):  # what can't be read is named below
        if settings.start_date > (day := today(settings.timezone)):
            faults.append(
                f"ACTIVITIES_START_DATE {settings.start_date} is in the future;"
                f" today is {day} in {settings.timezone}"
            )
    _read(_settings_of(Settings), environ, faults)
    return settings


def load_warehouse_url() -> str:
    """Return the one setting of commands that only read the warehouse. Raises `SettingsInvalid`."""
    settings = Settings()
    _read([], settings.environ, _unknown_names(settings.environ))
    return settings.warehouse_url


def load_alerting() -> Alerting:
    """Return the settings of alerts, apart from the others: a wrong address must not stop a night.

    Raises `SettingsInvalid`.
    """
    alerting = Alerting()
    _read(_settings_of(Alerting), alerting.environ)
    return alerting


def _settings_of(kind: type[_FromEnvironment]) -> list[Setting[Any]]:
    return [each for each in vars(kind).values() if isinstance(each, Setting)]


def _unknown_names(environ: Mapping[str, str]) -> list[str]:
    """Name the variables that look like settings and are none: a misspelt one would have no effect."""
    names = [name for name, _ in describe()]
    return [
        f"{name} is not a setting, did you mean {get_close_matches(name.upper(), names, 1, 0.0)[0]}?"
        for name in sorted(environ.keys() - set(names))
        if name.upper().startswith(OURS) and not _OF_KUBERNETES.match(f"{name}={environ[name]}")
    ]


def _read(
    settings: Sequence[Setting[Any]], environ: Mapping[str, str], faults: Sequence[str] = ()
) -> list[Any]:
    """Return the values of ``settings``.

    Raises `SettingsInvalid`, which names everything missing or wrong at once, after ``faults``.
    """
    values, missing, wrong = [], [], list(faults)
    for setting in settings:
        text = environ.get(setting.name, "").strip()
        try:
            if text or setting.default:
                values.append(setting.parse(text) if text else setting.default[0])
            else:
                missing.append(setting.name)
        except ValueError as error:
            wrong.append(f"{setting.name} {error}")
    if missing:
        wrong.insert(0, f"not set: {', '.join(missing)}")
    if wrong:
        raise SettingsInvalid(
            f"settings: {'; '.join(wrong)} (environment variables, or {folder() / FILE})"
        )
    return values
