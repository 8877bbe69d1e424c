"""One request: what is asked of whom, and whether the service can take it (docs/service.md 2.2, 2.3)."""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from decimal import Context, Decimal
from typing import Any

import msgspec

from pipeline.authorizations.phones import (
    holds_number,
    mask_all,
    national,
    normalize,
    read_country,
    read_number,
)
from pipeline.authorizations.references import LONGEST, MESSAGE, PLACE, compose
from pipeline.authorizations.subscribers import subscriber
from pipeline.service.models import AuthorizationRequest, Phone, Requirement, ValidityThreshold
from pipeline.warehouse.requests.authorizations import Row

COLUMNS = (
    *("reference", "description", "phone_country_code", "phone_number"),
    *("validity_time_unit", "validity_amount", "requirements"),
)
"""The business columns: of the table, and of a CSV file."""

#: The form of each kind of code, with an example.
_FORMS = {
    "requirement": (re.compile(r"RQ_[0-9]{1,6}", re.ASCII), "RQ_002"),
    "item": (re.compile(r"[A-Z]{2,6}_[0-9]{1,6}", re.ASCII), "IDT_001"),
}
_LONGEST_REFERENCE = 200
_LONGEST_SHOWN = 40
_MOST_UNITS = 10**9

#: Codes that have a label, each with its kind: ``("requirement", "RQ_002")``, ``("time_unit", "HOURS")``.
Labels = Collection[tuple[str, str]]


class _Requirement(Requirement, forbid_unknown_fields=True):
    """A requirement as a file or a table holds it. A misspelt key would leave out what is asked for."""


@dataclass(repr=False)
class Request:
    """A line of a file, or a stored row: its business columns as they are sent, and what checks found.

    ``phone_number`` is in E.164. ``validity_amount`` counts ``validity_time_unit``; both are None for the
    service's own period. ``message_reference``: the one that its message will have.

    ``number``: its place in a file. With ``problems`` it can't be sent; ``warnings`` stop nothing.
    ``known``: the stored row of the same request. It has no repr, which would be personal.
    """

    number: int = 0
    problems: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    known: Row | None = None
    message_reference: str | None = None
    reference: str | None = None
    description: str = ""
    phone_country_code: str = ""
    phone_number: str = ""
    validity_time_unit: str | None = None
    validity_amount: Decimal | None = None
    requirements: list[Requirement] = field(default_factory=list)

    @property
    def subscriber(self) -> str:
        """The person: the same for all forms of a number."""
        return subscriber(self.phone_number)

    @property
    def fresh(self) -> bool:
        """Whether it can be sent and is not stored yet."""
        return not (self.problems or self.known)

    @property
    def key(self) -> str:
        """What makes it the same request as another one: the reference, else the digest."""
        return self.reference or self.digest().hex()

    def body(self, message: str) -> AuthorizationRequest:
        """Return the body of the create operation (docs/service.md 2.2)."""
        validity, unit, amount = None, self.validity_time_unit, self.validity_amount
        if unit is not None and amount is not None:
            if unit == "DAYS":
                unit, amount = "HOURS", 24 * amount  # the interface names no other unit
            whole = amount == int(amount)
            validity = ValidityThreshold(unit, int(amount) if whole else float(amount))
        phone = Phone(self.phone_country_code, national(self.phone_number))
        return AuthorizationRequest(message, phone, validity, self.requirements or None)

    def digest(self) -> bytes:
        """Return the digest of everything except the reference. Warehouses store it: keep its form."""
        amount = self.validity_amount
        content = [
            self.description,
            self.phone_country_code,
            national(self.phone_number),
            self.validity_time_unit,
            None if amount is None else str(amount.normalize()),
            [(each.code, [item.code for item in each.items or ()]) for each in self.requirements],
        ]
        return hashlib.blake2b(msgspec.json.encode(content), digest_size=16).digest()

    def columns(self, source: str) -> dict[str, Any]:
        """Return the columns to insert; ``digest`` in hexadecimal, None beside a reference."""
        columns = {name: getattr(self, name) for name in COLUMNS}
        columns["requirements"] = msgspec.to_builtins(self.requirements)
        columns["digest"] = None if self.reference else self.digest().hex()
        columns |= {"subscriber": self.subscriber, "message_reference": self.message_reference}
        return {**columns, "source": source}

    def read(self, given: Mapping[str, Any], labels: Labels, pattern: str) -> "Request":
        """Check columns as they were written; absent, None and blank mean "not given".

        ``pattern``: that of references. All problems of the request are named. Messages name the field
        and the reason, and show neither the phone number nor the message.
        """
        values = ((name, given.get(name)) for name in COLUMNS)
        fields = {
            name: (value.strip() or None) if isinstance(value, str) else value
            for name, value in values
        }
        self.message_reference = given.get("message_reference")
        written = fields["phone_number"]
        self.reference = self._try(_read_reference, fields["reference"])
        self.description = self._try(_read_description, fields["description"])
        self.phone_country_code = self._try(read_country, fields["phone_country_code"])
        self.phone_number = number = self._try(read_number, written, self.phone_country_code)
        if self.reference and number and holds_number(self.reference, number):
            # Lists and analysts see references, and must not see numbers.
            self.problems.append("reference holds the phone number: choose another")
        if isinstance(written, str) and number and normalize(written) != written:
            self.warnings.append("phone_number: invisible marks or unusual characters are left out")
        self._check_message(pattern)
        self._read_validity(fields["validity_time_unit"], fields["validity_amount"], labels)
        self._read_requirements(fields["requirements"], labels)
        return self

    def _try(self, reader: Callable[..., Any], *given: object) -> Any:
        """Return what ``reader`` makes of a field; "" where it raises ValueError."""
        try:
            return reader(*given)
        except ValueError as error:
            self.problems.append(str(error))
            return ""

    def _check_message(self, pattern: str) -> None:
        message = compose(self.description, PLACE, pattern)
        if message.find(PLACE) > LONGEST:
            self.warnings.append(
                f"the message has {len(message) - len(PLACE) + 5} characters: a service that cuts it"
                " loses the reference; ACTIVITIES_AUTHORIZATIONS_REFERENCE="
                f"'(Ref. {PLACE}) {MESSAGE}' puts it first"
            )

    def _read_validity(self, unit: object, amount: object, labels: Labels) -> None:
        if unit is None or amount is None:
            if unit is not amount:
                missing = "validity_time_unit" if unit is None else "validity_amount"
                self.problems.append(f"{missing} is missing: give both or neither")
            return
        self.validity_time_unit = str(unit).upper()
        self.validity_amount = self._try(_read_amount, amount)
        if ("time_unit", self.validity_time_unit) not in labels:
            known = ", ".join(sorted(code for kind, code in labels if kind == "time_unit"))
            self.problems.append(f"validity_time_unit {_quote(unit)} is not known; known: {known}")

    def _read_requirements(self, given: object, labels: Labels) -> None:
        self.requirements = self._try(_read_requirements, given) or []
        if not self.requirements:
            self.warnings.append("no requirements: the request asks for nothing")
        for each in self.requirements:
            each.code = self._read_code("requirement", each.code, labels)
            each.items = each.items or None
            for item in each.items or ():
                item.code = self._read_code("item", item.code, labels)
        for code, times in Counter(each.code for each in self.requirements).items():
            if code and times > 1:
                self.problems.append(f"requirement {code} is named twice")

    def _read_code(self, kind: str, given: str | None, labels: Labels) -> str:
        code = (given or "").strip()
        form, example = _FORMS[kind]
        if form.fullmatch(code) is None:
            self.problems.append(f"{kind} code {_quote(given)} is not of the form {example}")
        elif (kind, code) not in labels:
            self.warnings.append(f"{kind} code {code} has no label in analytics.codes")
        return code


def _read_reference(given: object) -> str | None:
    text = None if given is None else str(given)
    if text is not None and (len(text) > _LONGEST_REFERENCE or not text.isprintable()):
        raise ValueError(
            f"reference is longer than {_LONGEST_REFERENCE} characters or not one line"
        )
    return text


def _read_description(given: object) -> str:
    if not isinstance(given, str):
        raise ValueError("description is missing")
    if "\0" in given:
        raise ValueError("description holds a character that no text can hold")
    return given


def _read_requirements(given: object) -> list[_Requirement]:
    try:
        return msgspec.convert([] if given is None else given, list[_Requirement])
    except msgspec.ValidationError:
        raise ValueError(
            'requirements is not of the form [{"code": "RQ_002", "items": [{"code": "IDT_001"}]}]'
        ) from None


def _read_amount(given: object) -> Decimal:
    amount = Context(traps=[]).create_decimal(str(given))
    if not (amount.is_finite() and 0 < amount < _MOST_UNITS):
        raise ValueError(f"validity_amount must be a number above 0 and below {_MOST_UNITS}")
    return amount


def _quote(given: object) -> str:
    """Quote a wrong value: short, and masked, since it may be a number from the next column."""
    text = mask_all(repr(given)) if isinstance(given, str) else type(given).__name__
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"
