"""What the settings mean for the service's client, a run of the sync and one of authorizations."""

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING

from pipeline.settings import Settings

# Imported where it is used: a command's help needs none of it.
if TYPE_CHECKING:
    from pipeline.authorizations.run import AuthorizationRun
    from pipeline.service.config import ServiceConfig
    from pipeline.sync.options import Options


def service_config(settings: Settings) -> "ServiceConfig":
    """Return what the client of the service needs."""
    from pipeline.service.config import Credentials, ServiceConfig

    return ServiceConfig(
        base_url=settings.base_url,
        credentials=Credentials(settings.api_key, settings.username, settings.password),
        timezone=settings.timezone.key,
        max_concurrency=settings.max_concurrency,
        requests_per_second=settings.requests_per_second,
        max_body_bytes=settings.max_body_mb * 2**20,
    )


def sync_options(settings: Settings, *, full: bool = False, accept_gone: bool = False) -> "Options":
    """Return what a run needs."""
    from pipeline.sync.options import Options

    return Options(
        full=full,
        accept_gone=accept_gone,
        start=settings.start_date,
        audit_days=settings.audit_days,
        page_size=settings.page_size,
        workers=settings.max_concurrency,
        recheck=timedelta(days=settings.recheck_days),
        gone_share=settings.gone_percent / 100,
        expired_values=settings.expired_values,
        keep_days=settings.keep_days,
        keep_versions=settings.keep_versions,
        keep_personal_months=settings.keep_personal_months,
    )


def authorization_run(settings: Settings, say: Callable[[str], None]) -> "AuthorizationRun":
    """Return what sends authorizations; ``say`` takes lines about its progress."""
    from pipeline.authorizations.context import Rules
    from pipeline.authorizations.run import AuthorizationRun

    rules = Rules(
        per_second=settings.authorizations_per_second,
        per_day=settings.authorizations_per_day,
        reference=settings.authorizations_reference,
        repeat_days=settings.days_between_requests,
        settle=timedelta(minutes=settings.authorizations_settle_minutes),
        wait=timedelta(seconds=settings.authorizations_wait_seconds),
        page_size=settings.page_size,
    )
    return AuthorizationRun(service_config(settings), settings.warehouse_url, rules, say)
