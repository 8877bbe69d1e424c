"""One request: what is asked of whom, and whether the service can take it (docs/service.md 2.2, 2.3)."""

import hashlib
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from decimal import Context, Decimal
from typing import Any

import msgspec

from pipeline.authorizations.phones import (
    holds_number,
    mask,
    national,
    normalize,
    read_country,
    read_number,
)
from pipeline.authorizations.references import LONGEST, MESSAGE, PLACE, compose
from pipeline.service.models import (
    AuthorizationRequest,
    Phone,
    Record,
    Requirement,
    RequirementItem,
    ValidityThreshold,
)
from pipeline.warehouse.authorizations import Row

#: The form of each kind of code, with an example.
_FORMS = {
    "requirement": (re.compile(r"RQ_[0-9]{1,6}", re.ASCII), "RQ_002"),
    "item": (re.compile(r"[A-Z]{2,6}_[0-9]{1,6}", re.ASCII), "IDT_001"),
}
_DIGITS = re.compile(r"[0-9][0-9 ().\-/]{3,}[0-9]", re.ASCII)
_LONGEST_REFERENCE = 200
_LONGEST_SHOWN = 40
_MOST_UNITS = 10**9

#: Codes that have a label, each with its kind: ``("requirement", "RQ_002")``, ``("time_unit", "HOURS")``.
Labels = Collection[tuple[str, str]]


class _Item(RequirementItem, forbid_unknown_fields=True):
    """An item as a file or a table holds it. A misspelt key would leave out what is asked for."""


class _Requirement(msgspec.Struct, forbid_unknown_fields=True):
    """A requirement as a file or a table holds it."""

    code: str | None = None
    items: list[_Item] | None = None


class Authorization(Record):
    """A valid request; its fields are the business columns of ``warehouse.authorization_requests``.

    ``phone_number`` is in E.164. ``validity_amount`` counts ``validity_time_unit``; both are None for
    the service's own period.
    """

    reference: str | None
    description: str
    phone_country_code: str
    phone_number: str
    validity_time_unit: str | None
    validity_amount: Decimal | None
    requirements: list[Requirement]

    @property
    def key(self) -> str | bytes:
        """What makes it the same request as another one: the reference, else the digest."""
        return self.reference or self.digest()

    def body(self, message: str) -> AuthorizationRequest:
        """Return the body of the create operation (docs/service.md 2.2)."""
        validity, unit, amount = None, self.validity_time_unit, self.validity_amount
        if unit == "DAYS" and amount is not None:
            unit, amount = "HOURS", 24 * amount  # the interface names no other unit
        if unit is not None and amount is not None:
            whole = amount == int(amount)
            validity = ValidityThreshold(unit, int(amount) if whole else float(amount))
        return AuthorizationRequest(
            description=message,
            phone=Phone(self.phone_country_code, national(self.phone_number)),
            validity_threshold=validity,
            requirements=self.requirements or None,
        )

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


COLUMNS = Authorization.__struct_fields__
"""The business columns: of the table, and of a CSV file."""


def check_row(row: Row, labels: Labels, pattern: str | None) -> "Line":
    """Check a stored row: other systems write to the table too."""
    return Line({name: getattr(row, name) for name in COLUMNS}).check(labels, pattern)


@dataclass(repr=False)
class Line:
    """The business columns of one request as they were written, and what checks found.

    ``number``: its place in a file. ``request``: None when it can't be sent, for these ``problems``.
    ``known``: the stored row of the same request. ``reference``: the one that its message will have.
    ``warnings`` stop nothing. It has no repr, which would be personal.
    """

    fields: Mapping[str, object]
    number: int = 0
    request: Authorization | None = None
    known: Row | None = None
    reference: str | None = None
    problems: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def fresh(self) -> Authorization | None:
        """The request, if it can be sent and is not stored yet."""
        return None if self.known else self.request

    def columns(self, source: str) -> dict[str, Any]:
        """Return the columns to insert; ``digest`` in hexadecimal, None beside a reference."""
        request = self.request
        digest = request.digest().hex() if request and not request.reference else None
        given = {"source": source, "digest": digest, "message_reference": self.reference}
        return {**msgspec.to_builtins(request), **given}

    def refuse(self, problem: str) -> None:
        """Name a problem, with which it can't be sent."""
        self.problems.append(problem)
        self.request = self.known = None

    def check(self, labels: Labels, pattern: str | None) -> "Line":
        """Read the columns, unless there are none; absent, None and blank mean "not given".

        ``pattern``: that of references. All problems of the request are named. Messages name the field
        and the reason, and show neither the phone number nor the message.
        """
        if self.problems:
            return self
        request = Authorization(
            self._read(_read_reference, "reference"),
            self._read(_read_description, "description"),
            country := self._read(read_country, "phone_country_code"),
            self._read(lambda given: read_number(given, country), "phone_number"),
            *self._validity(labels),
            self._requirements(labels),
        )
        reference, number = request.reference, request.phone_number
        if reference and number and holds_number(reference, number):
            # Lists and analysts see references, and must not see numbers.
            self.problems.append("reference holds the phone number: choose another")
        self._check_message(request.description, pattern)
        written = self._given("phone_number")
        if isinstance(written, str) and number and normalize(written) != written.strip():
            self.warnings.append("phone_number: invisible marks or unusual characters are left out")
        self.request = None if self.problems else request
        return self

    def _check_message(self, description: str, pattern: str | None) -> None:
        if pattern is None:
            if PLACE in description:
                self.problems.append(
                    f"description holds {PLACE}, but ACTIVITIES_AUTHORIZATIONS_REFERENCE is off"
                )
            return
        message = compose(description, PLACE, pattern)
        if message.find(PLACE) > LONGEST:
            self.warnings.append(
                f"the message has {len(message) - len(PLACE) + 5} characters: a service that cuts it"
                " loses the reference; ACTIVITIES_AUTHORIZATIONS_REFERENCE="
                f"'(Ref. {PLACE}) {MESSAGE}' puts it first"
            )

    def _read(self, reader: Callable[[object], Any], name: str) -> Any:
        """Return what ``reader`` makes of a field; "" where it raises ValueError."""
        try:
            return reader(self._given(name))
        except ValueError as error:
            self.problems.append(str(error))
            return ""

    def _validity(self, labels: Labels) -> tuple[str | None, Decimal | None]:
        """Return the unit and the amount."""
        unit, amount = self._given("validity_time_unit"), self._given("validity_amount")
        if unit is None or amount is None:
            if unit is not amount:
                missing = "validity_time_unit" if unit is None else "validity_amount"
                self.problems.append(f"{missing} is missing: give both or neither")
            return None, None
        name = str(unit).strip().upper()
        if ("time_unit", name) not in labels:
            known = ", ".join(sorted(code for kind, code in labels if kind == "time_unit"))
            self.problems.append(f"validity_time_unit {_quote(unit)} is not known; known: {known}")
        return name, self._read(_read_amount, "validity_amount")

    def _requirements(self, labels: Labels) -> list[Requirement]:
        """Return what is asked for."""
        read = self._read(_read_requirements, "requirements")
        if not read:
            self.warnings.append("no requirements: the request asks for nothing")
        requirements = [self._requirement(each, labels) for each in read]
        codes = [each.code for each in requirements if each.code]
        for code in sorted({code for code in codes if codes.count(code) > 1}):
            self.problems.append(f"requirement {code} is named twice")
        return requirements

    def _requirement(self, given: _Requirement, labels: Labels) -> Requirement:
        code = self._code("requirement", given.code, labels)
        items = [
            RequirementItem(self._code("item", each.code, labels)) for each in given.items or ()
        ]
        return Requirement(code, items or None)

    def _code(self, kind: str, given: str | None, labels: Labels) -> str:
        code = (given or "").strip()
        form, example = _FORMS[kind]
        if form.fullmatch(code) is None:
            self.problems.append(f"{kind} code {_quote(given)} is not of the form {example}")
        elif (kind, code) not in labels:
            self.warnings.append(f"{kind} code {code} has no label in analytics.codes")
        return code

    def _given(self, name: str) -> object:
        value = self.fields.get(name)
        return None if isinstance(value, str) and not value.strip() else value


def _read_reference(given: object) -> str | None:
    text = None if given is None else str(given).strip()
    if text is not None and (len(text) > _LONGEST_REFERENCE or not text.isprintable()):
        raise ValueError(
            f"reference is longer than {_LONGEST_REFERENCE} characters or not one line"
        )
    return text


def _read_description(given: object) -> str:
    if given is None:
        raise ValueError("description is missing")
    if not isinstance(given, str):
        raise ValueError("description is not a text")
    if "\0" in given or any("\ud800" <= letter <= "\udfff" for letter in given):
        raise ValueError("description holds a character that no text can hold")
    return given.strip()


def _read_requirements(given: object) -> list[_Requirement]:
    try:
        return msgspec.convert([] if given is None else given, list[_Requirement])
    except msgspec.ValidationError:
        raise ValueError(
            'requirements is not of the form [{"code": "RQ_002", "items": [{"code": "IDT_001"}]}]'
        ) from None


def _read_amount(given: object) -> Decimal:
    amount = Context(traps=[]).create_decimal(str(given).strip())
    if not amount.is_finite():
        raise ValueError(f"validity_amount {_quote(given)} is not a number")
    if not 0 < amount < _MOST_UNITS:
        raise ValueError(f"validity_amount must be above 0 and below {_MOST_UNITS}")
    return amount


def _quote(given: object) -> str:
    """Quote a wrong value: short, and masked, since it may be a number from the next column."""
    text = repr(given) if isinstance(given, str) else type(given).__name__
    text = _DIGITS.sub(lambda found: mask(found[0]), text)
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"
