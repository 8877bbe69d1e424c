"""How much a stored activity resembles a request (docs/authorizations.md "Recognition").

The service may store a message and its requirements in another form than they were sent in. What
survives is learned from calls that were certainly answered (`pipeline.authorizations.matching`).
"""

import functools
import html
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from pipeline.service.models import Requirement

_SECONDS = {"MINUTES": 60, "HOURS": 3_600, "DAYS": 86_400}
#: Validities that differ by more than these seconds and a tenth are different: a service may round
#: them to whole days.
_VALIDITY_SLACK = 86_400
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")
_NO_LETTERS = re.compile(r"[\W_]+")

TEXT = ("kept", "altered", "cut")
REQUIREMENTS = ("kept", "expanded", "absent")
VALIDITY = ("kept", "altered")
"""What a service can do to each part, the least first."""


@dataclass(frozen=True, repr=False)
class Text:
    """What is asked for, in words and in codes: of a request, or of the details of an activity."""

    description: str
    requirements: frozenset[tuple[str, frozenset[str]]]
    validity: float | None = None


class Likeness(NamedTuple):
    """What became of each part of a request: places in `TEXT`, `REQUIREMENTS` and `VALIDITY`."""

    text: int
    requirements: int
    validity: int

    def within(self, other: "Likeness") -> bool:
        """Return whether every part survived at least as well as in ``other``."""
        return all(mine <= theirs for mine, theirs in zip(self, other, strict=True))


def text_of(
    description: str | None, requirements: Iterable[Requirement], validity: float | None = None
) -> Text:
    """Return the text of a request or of an activity. ``validity``: seconds, None when not known."""
    return Text(
        " ".join(unicodedata.normalize("NFC", description or "").split()),
        frozenset(
            (
                (each.code or "").strip(),
                frozenset((item.code or "").strip() for item in each.items or ()),
            )
            for each in requirements
        ),
        validity,
    )


def validity_seconds(time_unit: str | None, amount: Decimal | None) -> float | None:
    """Return how long an activity stays valid; None when the unit is not known."""
    if time_unit not in _SECONDS or amount is None:
        return None
    return _SECONDS[time_unit] * float(amount)


@functools.lru_cache(maxsize=65_536)
def likeness(asked: Text, stored: Text) -> Likeness | None:
    """Return what became of ``asked`` if ``stored`` is its activity; None: it is another one's."""
    text = _text(asked.description, stored.description)
    requirements = _requirements(asked, stored)
    if text is None or requirements is None:
        return None
    return Likeness(text, requirements, _validity(asked.validity, stored.validity))


def _text(asked: str, stored: str) -> int | None:
    if asked == stored:
        return 0
    letters, found = _letters(asked), _letters(stored)
    if letters and letters in found:
        return 1  # other case, spaces or marks; or something was put around it
    return 2 if found and letters.startswith(found) else None


def _letters(text: str) -> str:
    """Return letters and digits only, whatever the text was escaped with."""
    plain = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), html.unescape(html.unescape(text)))
    # A cut may go through an escape, which leaves its beginning at the end.
    plain = re.sub(r"(&\w*|\\u?\w{0,3}|…|\.\.\.)$", "", plain)
    return _NO_LETTERS.sub("", unicodedata.normalize("NFKC", plain)).casefold()


def _requirements(asked: Text, stored: Text) -> int | None:
    if asked.requirements == stored.requirements:
        return 0
    found = dict(stored.requirements)
    if all(code in found and items <= found[code] for code, items in asked.requirements):
        return 1
    return 2 if not found or found.keys() == {code for code, _ in asked.requirements} else None


def _validity(asked: float | None, stored: float | None) -> int:
    if asked is None or stored is None:
        return 0
    return int(abs(asked - stored) > _VALIDITY_SLACK + asked / 10)
