"""Session tokens and the checks of §5: Basic for the login, Bearer and key for all others."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import math
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from .settings import Credentials


class Claims(msgspec.Struct, frozen=True):
    """What a token says: `iat` and `exp` are epoch seconds, `exp_ms` is exact (epoch ms)."""

    iss: str
    sub: str
    jti: str
    iat: int
    exp: int
    exp_ms: int
    generation: int


def _b64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


class Tokens:
    """Issues and checks HMAC-signed JWTs (HS256).

    A token of an earlier generation is revoked; the key depends on seed and credentials only, so
    that a restarted sandbox still knows the tokens it gave.
    """

    def __init__(self, credentials: Credentials, seed: int) -> None:
        secret = f"{seed}:{credentials.api_key}:{credentials.password}"
        self._key = hashlib.sha256(secret.encode()).digest()
        self._subject = credentials.username
        self._generation = 0
        self._issued = 0
        self._known: dict[str, Claims] = {}

    def issue(self, now: int, lifetime_ms: int) -> tuple[str, int]:
        """Return a new token and when it expires (epoch ms)."""
        self._issued += 1
        expires_at = now + lifetime_ms
        claims = Claims(
            iss="activities-sandbox",
            sub=self._subject,
            jti=hashlib.blake2b(f"{self._issued}:{now}".encode(), digest_size=9).hexdigest(),
            iat=now // 1000,
            exp=math.ceil(expires_at / 1000),
            exp_ms=expires_at,
            generation=self._generation,
        )
        head = _b64(b'{"alg":"HS256","typ":"JWT"}')
        signed = f"{head}.{_b64(msgspec.json.encode(claims))}"
        return f"{signed}.{self._signature(signed)}", expires_at

    def revoke_all(self) -> None:
        """End every token given until now."""
        self._generation += 1
        self._known.clear()

    def problem(self, token: str, now: int) -> str | None:
        """Return what is wrong with a token at `now` (epoch ms); None when it is valid."""
        claims = self._known.get(token)
        if claims is None:
            claims = self._decoded(token)
            if claims is None:
                return "the token is invalid"
            if len(self._known) > 10_000:
                self._known.clear()
            self._known[token] = claims
        if claims.generation != self._generation:
            return "the token was revoked"
        if claims.exp_ms <= now:
            return "the token has expired"
        return None

    def _signature(self, signed: str) -> str:
        message = signed.encode("utf-8", "surrogateescape")
        return _b64(hmac.digest(self._key, message, "sha256"))

    def _decoded(self, token: str) -> Claims | None:
        signed, _, signature = token.rpartition(".")
        if not same(signature, self._signature(signed)):
            return None
        payload = signed.partition(".")[2]
        padded = payload + "=" * (-len(payload) % 4)
        return msgspec.json.decode(base64.urlsafe_b64decode(padded), type=Claims)


def basic_credentials(header: str) -> tuple[str, str] | None:
    """Return user name and password of a Basic `Authorization` header; None if it is none.

    They are UTF-8 (RFC 7617), and the password may hold colons.
    """
    scheme, _, encoded = header.partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        text = base64.b64decode(encoded.strip(), validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return None
    username, colon, password = text.partition(":")
    return (username, password) if colon else None


def bearer_token(header: str) -> str | None:
    """Return the token of a Bearer `Authorization` header; None if it is none."""
    scheme, _, token = header.partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


def same(given: str, expected: str) -> bool:
    """Compare two secrets in constant time."""
    return hmac.compare_digest(
        given.encode("utf-8", "surrogateescape"), expected.encode("utf-8", "surrogateescape")
    )
