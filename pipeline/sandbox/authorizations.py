"""The body of the create operation (specification §2.2, §2.3), decoded and validated."""

from __future__ import annotations

import re
from typing import Annotated, Final

import msgspec

from .catalogue import UNIT_MS
from .history import Requirement
from .refusals import Refused

COUNTRY_PATTERN: Final = "^[A-Za-z]{2}$"
PHONE_PATTERN: Final = "^[0-9]{4,15}$"
REQUIREMENT_PATTERN: Final = "^RQ_[0-9]{1,6}$"
ITEM_PATTERN: Final = "^[A-Z]{3}_[0-9]{1,6}$"
# Ten years in minutes: a longer validity is a mistake.
LARGEST_AMOUNT: Final = 5_256_000
LONGEST_DESCRIPTION: Final = 4000
MOST_REQUIREMENTS: Final = 100

_Amount = Annotated[float, msgspec.Meta(gt=0, le=LARGEST_AMOUNT)]


class _Phone(msgspec.Struct):
    phone_country_code: str
    phone_number: str


class _Validity(msgspec.Struct):
    time_unit: str
    amount: _Amount


class _Item(msgspec.Struct):
    code: str


class _Requirement(msgspec.Struct):
    code: str
    items: Annotated[list[_Item], msgspec.Meta(max_length=MOST_REQUIREMENTS)] = []


class _Body(msgspec.Struct):
    description: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_DESCRIPTION)]
    phone: _Phone | msgspec.UnsetType = msgspec.UNSET
    validity_threshold: _Validity | msgspec.UnsetType = msgspec.UNSET
    requirements: Annotated[list[_Requirement], msgspec.Meta(max_length=MOST_REQUIREMENTS)] = []


class Authorization(msgspec.Struct, frozen=True):
    """What a caller asks for: `phone` is (country in capitals, number), `validity_ms` in ms."""

    description: str
    phone: tuple[str, str] | None
    validity_ms: int | None
    requirements: tuple[Requirement, ...]


_decoder = msgspec.json.Decoder(_Body)


def decoded(body: bytes, content_type: str, *, require_phone: bool) -> Authorization:
    """Return the validated body; Refused with 400 says what is wrong with it."""
    if content_type.partition(";")[0].strip().lower() != "application/json":
        raise Refused(400, "the body must be application/json")
    try:
        asked = _decoder.decode(body)
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Refused(400, f"the body is wrong: {error}") from None
    phone = None
    if isinstance(asked.phone, _Phone):
        _match(COUNTRY_PATTERN, asked.phone.phone_country_code, "phone.phone_country_code")
        _match(PHONE_PATTERN, asked.phone.phone_number, "phone.phone_number")
        phone = asked.phone.phone_country_code.upper(), asked.phone.phone_number
    elif require_phone:
        raise Refused(400, "`phone` is needed to find the receiver")
    return Authorization(asked.description, phone, _validity_ms(asked), _requirements(asked))


def _validity_ms(asked: _Body) -> int | None:
    if not isinstance(asked.validity_threshold, _Validity):
        return None
    unit = UNIT_MS.get(asked.validity_threshold.time_unit)
    if unit is None:
        allowed = ", ".join(UNIT_MS)
        raise Refused(400, f"validity_threshold.time_unit must be one of {allowed}")
    return max(1, round(asked.validity_threshold.amount * unit))


def _requirements(asked: _Body) -> tuple[Requirement, ...]:
    for requirement in asked.requirements:
        _match(REQUIREMENT_PATTERN, requirement.code, "requirements[].code")
        for item in requirement.items:
            _match(ITEM_PATTERN, item.code, "requirements[].items[].code")
    return tuple(
        Requirement(requirement.code, tuple(item.code for item in requirement.items))
        for requirement in asked.requirements
    )


def _match(pattern: str, text: str, name: str) -> None:
    # `fullmatch`, because `$` alone would let a trailing line break through.
    if not re.fullmatch(pattern, text):
        raise Refused(400, f"`{name}` must match {pattern}")
