"""The way to the service: the proxy and the certificates that the environment names.

No other setting of the environment is read (docs/design.md "Transport").
"""

import ssl
from contextlib import suppress
from ipaddress import ip_address, ip_network
from urllib.parse import urlsplit
from urllib.request import getproxies

import httpx

from pipeline.service.errors import Unreachable


def proxy_of(base_url: str) -> str | None:
    """Return the proxy that the environment (``HTTPS_PROXY``, ``NO_PROXY``, ...) names for a URL.

    Raises `Unreachable` when that is not an HTTP proxy; the reason does not show its credentials.
    """
    parts, proxies = urlsplit(base_url), getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    if not proxy or is_exempt(parts.hostname or "", proxies.get("no", ""), port):
        return None
    if "://" not in proxy:
        proxy = f"http://{proxy}"
    with suppress(ValueError):  # no port, or no address
        parts = urlsplit(proxy)
        if parts.scheme in ("http", "https") and parts.hostname and parts.port != 0:
            return proxy
    raise _mistake(f"the proxy of the environment, {shown(proxy)}, is not an HTTP proxy")


def is_exempt(host: str, no_proxy: str, port: int | None = None) -> bool:
    """Return whether ``NO_PROXY`` exempts a host, as curl reads it.

    Names count with all below them, with or without a leading dot; an address can be in a network such as
    ``10.0.0.0/8``. One with a port, as ``10.0.0.7:8080``, counts for that ``port`` alone. Commas and blanks
    separate; a lone asterisk exempts all.
    """
    entries = no_proxy.replace(",", " ").split()
    return no_proxy.strip() == "*" or any(_covers(entry, host, port) for entry in entries)


def _covers(entry: str, host: str, port: int | None) -> bool:
    name, colon, number = entry.rpartition(":")
    # An address of IPv6 has colons, too, and brackets if a port follows.
    if colon and number.isdigit() and (":" not in name or name.endswith("]")):
        if int(number) != port:
            return False
        entry = name
    try:
        address = ip_address(host)
    except ValueError:
        name = entry.lower().strip(".")
        return name != "" and f".{host.lower().rstrip('.')}".endswith(f".{name}")
    with suppress(ValueError):
        return address in ip_network(entry.strip("[]"), strict=False)
    return False


def shown(proxy: str) -> str:
    """Return a proxy as people may see it, ``host:port``: its credentials are secret."""
    return proxy.rpartition("://")[2].rpartition("@")[2].partition("/")[0]


def tls_for(*urls: str) -> ssl.SSLContext:
    """Return the TLS settings: always verify, by SSL_CERT_FILE or SSL_CERT_DIR if one is set.

    Raises `Unreachable` when no certificate can be read there.
    """
    if not any(url.startswith("https:") for url in urls):
        # Plain HTTP needs no authorities, and reading them is slow.
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        return httpx.create_ssl_context(verify=True, trust_env=True)
    except OSError:  # also an ssl.SSLError: a file that holds no certificate
        cause = "no certificates can be read where SSL_CERT_FILE or SSL_CERT_DIR point"
        raise _mistake(cause) from None


def _mistake(cause: str) -> Unreachable:
    """Return an error of the environment, which no second try mends and no service causes."""
    mistake = Unreachable("connection", cause, "correct the variable, or unset it")
    mistake.retryable = mistake.service_failing = False
    return mistake
