"""One Authorization to be created, as it was found valid."""

import hashlib
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

import msgspec

from pipeline.authorizations.phones import masked
from pipeline.service.models import (
    AuthorizationRequest,
    Phone,
    Requirement,
    RequirementItem,
    ValidityThreshold,
)

_UNITS = {
    "MINUTES": timedelta(minutes=1),
    "HOURS": timedelta(hours=1),
    "DAYS": timedelta(days=1),
}
_LONGEST_VALIDITY = timedelta(days=36_500)


@dataclass(frozen=True, repr=False)
class Authorization:
    """What is asked of whom. Its repr shows neither the number nor the message.

    ``requirements``: each code with the codes of its items. ``amount`` counts ``time_unit``; both
    are None where the service's own period shall hold.
    """

    reference: str | None
    description: str
    country: str
    number: str
    time_unit: str | None
    amount: Decimal | None
    requirements: tuple[tuple[str, tuple[str, ...]], ...]

    def __repr__(self) -> str:
        return f"Authorization(reference={self.reference!r}, to {self.receiver})"

    @property
    def receiver(self) -> str:
        """The country and the masked number."""
        return f"{self.country} {masked(self.number)}"

    def body(self) -> AuthorizationRequest:
        """Return the body of the create operation (specification 2.2)."""
        validity = None
        if self.time_unit is not None and self.amount is not None:
            validity = ValidityThreshold(self.time_unit, _number(self.amount))
        wanted = [
            Requirement(code, [RequirementItem(item) for item in items] or None)
            for code, items in self.requirements
        ]
        return AuthorizationRequest(
            description=self.description,
            phone=Phone(self.country, self.number),
            validity_threshold=validity,
            requirements=wanted or None,
        )

    def digest(self) -> bytes:
        """Return the digest of everything but the reference."""
        content = msgspec.json.encode(
            [
                self.description,
                self.country,
                self.number,
                self.time_unit,
                None if self.amount is None else str(self.amount.normalize()),
                self.requirements,
            ]
        )
        return hashlib.blake2b(content, digest_size=16).digest()

    def columns(self, source: str) -> dict[str, Any]:
        """Return the business columns of ``warehouse.authorization_requests``."""
        return {
            "reference": self.reference,
            "description": self.description,
            "phone_country_code": self.country,
            "phone_number": self.number,
            "validity_time_unit": self.time_unit,
            "validity_amount": None if self.amount is None else str(self.amount),
            "requirements": [
                {"code": code, "items": [{"code": item} for item in items]}
                if items
                else {"code": code}
                for code, items in self.requirements
            ],
            "source": source,
            "digest": None if self.reference else self.digest().hex(),
        }


@dataclass(frozen=True, repr=False)
class Text:
    """What of a request shows in the details of the activity it creates; compares by meaning.

    Spaces and the form of accents may change on the way; the order of requirements doesn't matter.
    """

    description: str
    requirements: frozenset[tuple[str, frozenset[str]]]

    def __repr__(self) -> str:
        return f"Text({len(self.description)} characters, {len(self.requirements)} requirements)"


def text_of(description: str | None, requirements: Iterable[Requirement]) -> Text:
    """Return what a request says and asks for, or what an activity's details say of it."""
    plain = " ".join(unicodedata.normalize("NFC", description or "").split())
    return Text(
        plain,
        frozenset(
            (each.code or "", frozenset(item.code or "" for item in each.items or ()))
            for each in requirements
        ),
    )


def validity(time_unit: str | None, amount: Decimal | None) -> timedelta | None:
    """Return how long an activity stays valid, as far as the unit is known."""
    if time_unit not in _UNITS or amount is None:
        return None
    try:
        return min(_UNITS[time_unit] * float(amount), _LONGEST_VALIDITY)
    except OverflowError:
        return _LONGEST_VALIDITY


def requirements_of(stored: Any) -> list[Requirement]:
    """Read the column ``requirements``. Raises ValueError when it is not of that shape."""
    return msgspec.convert(stored, list[Requirement])


def fields_of(row: Any) -> Mapping[str, object]:
    """Return the business columns of a stored row, as `pipeline.authorizations.validation` takes them."""
    return {
        name: getattr(row, name)
        for name in (
            "reference", "description", "phone_country_code", "phone_number",
            "validity_time_unit", "validity_amount", "requirements",
        )
    }  # fmt: skip


def _number(amount: Decimal) -> int | float:
    return int(amount) if amount == amount.to_integral_value() else float(amount)
