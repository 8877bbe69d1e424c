"""Session tokens and the `Authorization` headers that carry credentials (docs/service.md 5)."""

from __future__ import annotations

import base64
import hmac
import math
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from .settings import Credentials


class Tokens:
    """Issues JWTs (HS256) and knows which of them are valid."""

    def __init__(self, credentials: Credentials, seed: int) -> None:
        self._key = f"{seed}:{credentials.password}".encode()
        self._subject = credentials.username
        self._issued = 0
        self._expiries: dict[str, int] = {}

    def issue(self, now: int, lifetime_ms: int) -> tuple[str, int]:
        """Return a new token and when it expires (epoch ms)."""
        self._issued += 1
        expires_at = now + lifetime_ms
        claims = {"sub": self._subject, "jti": self._issued, "exp": math.ceil(expires_at / 1000)}
        head = _b64(b'{"alg":"HS256","typ":"JWT"}')
        signed = f"{head}.{_b64(msgspec.json.encode(claims))}"
        token = f"{signed}.{_b64(hmac.digest(self._key, signed.encode(), 'sha256'))}"
        self._expiries[token] = expires_at
        return token, expires_at

    def revoke_all(self) -> None:
        """End every token given until now."""
        self._expiries.clear()

    def problem(self, header: str, now: int) -> str | None:
        """Return what is wrong with a Bearer `Authorization` header at `now` (epoch ms), or None."""
        expires_at = self._expiries.get(header.removeprefix("Bearer "))
        if expires_at is None:
            return "the token is invalid"
        return "the token has expired" if expires_at <= now else None


def _b64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def basic_header(credentials: Credentials) -> str:
    """Return the Basic `Authorization` header of a business; its texts are UTF-8 (RFC 7617)."""
    pair = f"{credentials.username}:{credentials.password}".encode()
    return f"Basic {base64.b64encode(pair).decode()}"
