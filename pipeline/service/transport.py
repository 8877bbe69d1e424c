"""The two ways to the service, both httpx transports (docs/design.md "Transport").

GETs go over `AioHttpTransport`, which costs a fraction of httpx's own. The token and creations go over
httpx's own, which can tell "not sent" from "sent, never answered". Both are called directly, without
an httpx client: no cookies, no redirections, no settings from the environment but those read here.
"""

import logging
import ssl
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx

from pipeline.service.aiohttp_transport import AioHttpTransport
from pipeline.service.config import ServiceConfig
from pipeline.service.errors import Unreachable

_KEPT_CONNECTIONS = 4


def open_transports(config: ServiceConfig) -> dict[str, httpx.AsyncBaseTransport]:
    """Return the transport of each HTTP method, over the same proxy and TLS settings.

    Raises `Unreachable` for a proxy that is not HTTP, and for unreadable certificates.
    """
    # At DEBUG httpcore logs every header of an answer; a cookie among them may be a secret.
    logging.getLogger("httpcore").setLevel(logging.INFO)
    proxy = proxy_of(config.base_url)
    tls = _tls_for(config.base_url, proxy or "")
    timeout = httpx.Timeout(config.read_timeout, connect=config.connect_timeout)
    limits = httpx.Limits(max_keepalive_connections=_KEPT_CONNECTIONS)
    return {
        "GET": AioHttpTransport(tls, timeout, config.max_concurrency, proxy),
        "POST": httpx.AsyncHTTPTransport(verify=tls, proxy=proxy, limits=limits, trust_env=False),
    }


def proxy_of(base_url: str) -> str | None:
    """Return the proxy that the environment (``HTTPS_PROXY``, ``NO_PROXY``, ...) names for a URL.

    Raises `Unreachable` when that is not an HTTP proxy; the reason does not show its credentials.
    """
    parts = urlsplit(base_url)
    if proxy_bypass(parts.netloc) or (parts.hostname and proxy_bypass(parts.hostname)):
        return None
    proxies = getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if not proxy:
        return None
    if "://" not in proxy:
        proxy = f"http://{proxy}"
    if urlsplit(proxy).scheme not in ("http", "https"):
        raise _mistake("the proxy of the environment is not an HTTP proxy")
    return proxy


def _tls_for(*urls: str) -> ssl.SSLContext:
    """Return the TLS settings: always verify, by SSL_CERT_FILE or SSL_CERT_DIR if one is set."""
    if not any(url.startswith("https:") for url in urls):
        # Plain HTTP needs no authorities, and reading them is slow.
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        return httpx.create_ssl_context(verify=True, trust_env=True)
    except OSError:  # also an ssl.SSLError: a file that holds no certificate
        raise _mistake(
            "no certificates can be read where SSL_CERT_FILE or SSL_CERT_DIR point"
        ) from None


def _mistake(cause: str) -> Unreachable:
    """Return an error of the environment, which no second try mends and no service causes."""
    mistake = Unreachable("connection", cause, "correct the variable, or unset it")
    mistake.retryable = mistake.service_failing = False
    return mistake
