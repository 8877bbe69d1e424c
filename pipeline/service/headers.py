"""What every request carries (specification sections 4.1 and 5), as headers that show no value."""

import base64

from multidict import CIMultiDict

from pipeline.service.config import ServiceConfig


class SecretHeaders(CIMultiDict[str]):
    """Headers whose repr shows names only."""

    def __repr__(self) -> str:
        return f"SecretHeaders({', '.join(self.keys())})"

    @property
    def raw(self) -> list[tuple[bytes, bytes]]:
        """Names and values as they are sent."""
        return [(name.encode(), value.encode()) for name, value in self.items()]


def basic_headers(config: ServiceConfig, host: str) -> SecretHeaders:
    """Return the headers of the token operation (4.1)."""
    secret = f"{config.credentials.username}:{config.credentials.password}".encode()
    blob = base64.b64encode(secret).decode("ascii")
    return with_header(common_headers(config, host), "Authorization", f"Basic {blob}")


def common_headers(config: ServiceConfig, host: str) -> SecretHeaders:
    """Return what every request carries. Raises ValueError for what no header can."""
    credentials = config.credentials
    if ":" in credentials.username:
        raise ValueError("the username must not contain a colon")
    headers = SecretHeaders()
    for name, label, value in (
        ("Host", "host", host),
        ("Accept", "accepted type", "application/json"),
        ("Accept-Encoding", "accepted encoding", "gzip"),
        ("User-Agent", "user agent", "activity-warehouse"),
        ("x-api-key", "API key", credentials.api_key),
        ("x-pvt-timezone", "time zone", config.timezone),
    ):
        stripped = value.strip()
        if not stripped or any(byte < 32 or byte == 127 for byte in stripped.encode()):
            raise ValueError(f"the {label} is empty or holds a control character")
        headers[name] = stripped
    return headers


def with_header(headers: SecretHeaders, name: str, value: str) -> SecretHeaders:
    """Return the headers and one more."""
    extended = SecretHeaders(headers)
    extended[name] = value
    return extended
