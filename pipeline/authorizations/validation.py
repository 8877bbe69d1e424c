"""Is this a request that the service can take? Every fault of it at once (specification 2.2, 2.3)."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

from pipeline.authorizations.phones import masked, masked_in, read_country, read_number
from pipeline.authorizations.requests import Authorization

_REQUIREMENT = re.compile(r"RQ_[0-9]{1,6}", re.ASCII)
_ITEM = re.compile(r"[A-Z]{2,6}_[0-9]{1,6}", re.ASCII)
_DIGITS = re.compile(r"[0-9][0-9 ().\-/]{3,}[0-9]", re.ASCII)
_LONGEST_REFERENCE = 200
_LONGEST_SHOWN = 40

#: Codes that have a label, each with its kind: ``("requirement", "RQ_002")``, ``("time_unit", "HOURS")``.
Labels = Collection[tuple[str, str]]


@dataclass
class Checked:
    """What came of a check: the request, or its ``problems``; ``warnings`` stop nothing."""

    authorization: Authorization | None = None
    problems: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def checked(fields: Mapping[str, object], labels: Labels) -> Checked:
    """Check the business columns of one request; absent, None and blank mean not given.

    Messages name the field and what is wrong, without the phone number and the message.
    """
    result = Checked()
    reading = _Reading(fields, labels, result)
    reference, description = reading.reference(), reading.description()
    country, number = reading.phone()
    unit, amount = reading.validity()
    requirements = reading.requirements()
    if reference and number and masked_in(reference, number) != reference:
        # It is shown, in listings and to analysts, where the number must not be.
        result.problems.append("reference holds the phone number: choose another")
    if not result.problems:
        result.authorization = Authorization(
            reference, description, country, number, unit, amount, requirements
        )
    return result


@dataclass
class _Reading:
    """Reads one field after the other and notes what is wrong."""

    fields: Mapping[str, object]
    labels: Labels
    result: Checked

    def reference(self) -> str | None:
        given = self._given("reference")
        if given is None:
            return None
        text = str(given).strip()
        if len(text) > _LONGEST_REFERENCE or not text.isprintable():
            self._wrong(f"reference is longer than {_LONGEST_REFERENCE} characters or not one line")
        return text

    def description(self) -> str:
        given = self._given("description")
        if given is None:
            self._wrong("description is missing")
        elif not isinstance(given, str):
            self._wrong("description is not a text")
        elif "\0" in given or any("\ud800" <= letter <= "\udfff" for letter in given):
            self._wrong("description holds a character that no text can")
        else:
            return given.strip()
        return ""

    def phone(self) -> tuple[str, str]:
        country = number = ""
        try:
            country = read_country(self._given("phone_country_code"))
        except ValueError as error:
            self._wrong(str(error))
        if not country:
            if self._given("phone_number") is None:
                self._wrong("phone_number is missing")
            return "", ""
        try:
            number = read_number(self._given("phone_number"), country)
        except ValueError as error:
            self._wrong(str(error))
        return country, number

    def validity(self) -> tuple[str | None, Decimal | None]:
        unit, given = self._given("validity_time_unit"), self._given("validity_amount")
        if unit is None and given is None:
            return None, None
        if unit is None or given is None:
            missing = "validity_time_unit" if unit is None else "validity_amount"
            self._wrong(f"{missing} is missing: give both or neither")
            return None, None
        name = str(unit).strip().upper()
        if ("time_unit", name) not in self.labels:
            known = ", ".join(sorted(code for kind, code in self.labels if kind == "time_unit"))
            self._wrong(f"validity_time_unit {_shown(unit)} is not known; known: {known}")
        return name, self._amount(given)

    def _amount(self, given: object) -> Decimal | None:
        try:
            amount = Decimal(str(given).strip())
        except InvalidOperation:
            amount = None
        if amount is None or isinstance(given, bool) or not amount.is_finite():
            self._wrong(f"validity_amount {_shown(given)} is not a number")
            return None
        if not 0 < amount < 10**9:
            self._wrong("validity_amount must be above 0")
        return amount

    def requirements(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        given = self._given("requirements")
        if given is None or given == []:
            self.result.warnings.append("no requirements: nothing is asked for")
            return ()
        if not isinstance(given, list):
            self._wrong("requirements is not a list")
            return ()
        read = [self._requirement(each) for each in given]
        codes = [code for code, _ in read]
        for code in sorted({code for code in codes if code and codes.count(code) > 1}):
            self._wrong(f"requirement {code} is named twice")
        return tuple(read)

    def _requirement(self, given: object) -> tuple[str, tuple[str, ...]]:
        if not isinstance(given, dict) or not given.keys() <= {"code", "items"}:
            self._wrong('a requirement is not of the form {"code": ..., "items": [...]}')
            return "", ()
        code = self._code("requirement", _REQUIREMENT, "RQ_002", given.get("code"))
        items = given.get("items") or []
        if not isinstance(items, list) or not all(
            isinstance(item, dict) and item.keys() == {"code"} for item in items
        ):
            self._wrong(f'items of requirement {code} are not of the form [{{"code": ...}}]')
            return code, ()
        return code, tuple(self._code("item", _ITEM, "IDT_001", item["code"]) for item in items)

    def _code(self, kind: str, form: re.Pattern[str], example: str, given: object) -> str:
        code = given.strip() if isinstance(given, str) else ""
        if form.fullmatch(code) is None:
            self._wrong(f"{kind} code {_shown(given)} is not of the form {example}")
        elif (kind, code) not in self.labels:
            self.result.warnings.append(f"{kind} code {code} has no label in analytics.codes")
        return code

    def _given(self, name: str) -> object:
        value = self.fields.get(name)
        return None if isinstance(value, str) and not value.strip() else value

    def _wrong(self, problem: str) -> None:
        self.result.problems.append(problem)


def _shown(given: object) -> str:
    """Quote a wrong value: short, and masked where it may be a number from a column next to it."""
    text = repr(given) if isinstance(given, str) else type(given).__name__
    text = _DIGITS.sub(lambda found: masked(found[0]), text)
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"
