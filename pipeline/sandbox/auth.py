"""Session tokens and the `Authorization` headers that carry credentials (docs/service.md 5)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import math
from typing import TYPE_CHECKING

import msgspec
from aiohttp import BasicAuth

if TYPE_CHECKING:
    from .settings import Credentials


class Tokens:
    """Issues JWTs (HS256) and knows which of them are valid."""

    def __init__(self, credentials: Credentials, seed: int) -> None:
        secret = f"{seed}:{credentials.api_key}:{credentials.password}"
        self._key = hashlib.sha256(secret.encode()).digest()
        self._subject = credentials.username
        self._issued = 0
        self._expiries: dict[str, int] = {}

    def issue(self, now: int, lifetime_ms: int) -> tuple[str, int]:
        """Return a new token and when it expires (epoch ms)."""
        self._issued += 1
        expires_at = now + lifetime_ms
        claims = {
            "iss": "activities-sandbox",
            "sub": self._subject,
            "jti": self._issued,
            "iat": now // 1000,
            "exp": math.ceil(expires_at / 1000),
        }
        head = _b64(b'{"alg":"HS256","typ":"JWT"}')
        signed = f"{head}.{_b64(msgspec.json.encode(claims))}"
        token = f"{signed}.{_b64(hmac.digest(self._key, signed.encode(), 'sha256'))}"
        self._expiries[token] = expires_at
        return token, expires_at

    def revoke_all(self) -> None:
        """End every token given until now."""
        self._expiries.clear()

    def problem(self, token: str, now: int) -> str | None:
        """Return what is wrong with a token at `now` (epoch ms); None when it is valid."""
        expires_at = self._expiries.get(token)
        if expires_at is None:
            return "the token is invalid"
        return "the token has expired" if expires_at <= now else None


def _b64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def basic_credentials(header: str) -> tuple[str, str] | None:
    """Return user name and password of a Basic `Authorization` header; None if it is none.

    They are UTF-8 (RFC 7617), and the password may hold colons.
    """
    try:
        given = BasicAuth.decode(header, encoding="utf-8")
    except ValueError:
        return None
    return given.login, given.password


def bearer_token(header: str) -> str | None:
    """Return the token of a Bearer `Authorization` header; None if it is none."""
    scheme, _, token = header.partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None
