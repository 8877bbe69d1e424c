"""The two HTTP clients: aiohttp's for GETs, httpx's for the token and for creations.

GETs are nearly all there is to do, and httpx's layers are most of what one costs, also with another
transport underneath: aiohttp by itself takes a third of that, and stays there as more is in flight.
What must not be sent twice goes through httpx, which can tell "not sent" from "sent, never answered".
"""

import logging
import ssl
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
import httpx

from pipeline.service.config import ServiceConfig
from pipeline.service.errors import Unreachable


class _NoCookies(httpx.Cookies):
    """Keeps nothing and sends nothing."""

    def extract_cookies(self, response: httpx.Response) -> None:
        """Leave the response's cookies alone."""

    def set_cookie_header(self, request: httpx.Request) -> None:
        """Add no cookies."""


class HttpClient(httpx.AsyncClient):
    """An httpx client without cookies, redirects or hidden settings from the environment."""

    def __init__(self, transport: httpx.AsyncBaseTransport) -> None:
        super().__init__(transport=transport, trust_env=False, follow_redirects=False)
        self._no_cookies = _NoCookies()

    @property
    def cookies(self) -> httpx.Cookies:
        """No cookies, whatever the service sets."""
        return self._no_cookies

    @cookies.setter
    def cookies(self, cookies: object) -> None:
        """Refuse to keep any."""


def proxy_of(base_url: str) -> str | None:
    """Return the proxy that the environment (``HTTPS_PROXY``, ``NO_PROXY``, ...) names for a URL.

    Raises ValueError when that is not an HTTP proxy; the reason does not show its credentials.
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
        raise ValueError("the proxy of the environment is not an HTTP proxy")
    return proxy


class Wires:
    """Makes the two clients of one configuration, over the same proxy and TLS settings."""

    def __init__(self, config: ServiceConfig) -> None:
        # At DEBUG httpcore writes out every header of an answer; a cookie in there may be a secret.
        logging.getLogger("httpcore").setLevel(logging.INFO)
        self._config = config
        self._proxy = proxy_of(config.base_url)
        self._tls = _tls(config.base_url, self._proxy or "")

    def fast_client(self) -> aiohttp.ClientSession:
        """Return the client for GETs; to be made where its event loop runs."""
        config = self._config
        client = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=config.max_concurrency, ssl=self._tls),
            timeout=aiohttp.ClientTimeout(
                total=config.total_timeout,
                sock_connect=config.connect_timeout,
                sock_read=config.read_timeout,
            ),
            cookie_jar=aiohttp.DummyCookieJar(),
            proxy=self._proxy,
            trust_env=False,
        )
        # aiohttp would silently repeat a GET on a connection found dead. What is not counted must
        # not happen, and our own retries cover it. aiohttp's own test client does the same.
        client._retry_connection = False
        return client

    def stock_client(self) -> HttpClient:
        """Return the client for the token and for creations."""
        most = self._config.max_concurrency + 1
        limits = httpx.Limits(max_connections=most, max_keepalive_connections=4)
        return HttpClient(
            httpx.AsyncHTTPTransport(
                verify=self._tls, proxy=self._proxy, limits=limits, trust_env=False
            )
        )


def _tls(*urls: str) -> ssl.SSLContext:
    """Verify always; honour SSL_CERT_FILE and SSL_CERT_DIR. Raises `Unreachable`."""
    if any(url.startswith("https:") for url in urls):
        try:
            return httpx.create_ssl_context(verify=True, trust_env=True)
        except OSError:  # among them ssl.SSLError: a file that holds no certificate
            unreadable = Unreachable(
                "TLS",
                "no certificates can be read where SSL_CERT_FILE or SSL_CERT_DIR point",
                "correct the variable, or unset it",
            )
        unreadable.retryable = False
        raise unreadable
    # Plain HTTP: one that trusts nobody spares the reading of all authorities.
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
