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
from typing import NamedTuple

from pipeline.service.models import Requirement

#: Validities that differ by more than these seconds and a tenth are different: a service may round
#: them to whole days.
_VALIDITY_SLACK = 86_400
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")
_NO_LETTERS = re.compile(r"[\W_]+")
#: What a service can do to each part of a request, the least first.
_CHANGES = ("kept", "altered", "expanded", "cut", "absent")


@dataclass(frozen=True, repr=False)
class Text:
    """What is asked for, in words and in codes: of a request, or of the details of an activity.

    ``requirements``: codes, each with its items. ``validity``: seconds, None when not known.
    """

    description: str
    requirements: frozenset[tuple[str, frozenset[str]]]
    validity: float | None = None


class Likeness(NamedTuple):
    """What became of each part of a request, each one of `_CHANGES`."""

    text: str = "kept"
    requirements: str = "kept"
    validity: str = "kept"

    @classmethod
    def worst(cls, seen: Iterable["Likeness"]) -> "Likeness":
        """Return the most that became of each part."""
        return cls(*(max(part, key=_CHANGES.index) for part in zip(*seen, strict=True)))


def text_of(
    description: str | None, requirements: Iterable[Requirement], validity: float | None = None
) -> Text:
    """Return the text of a request or of an activity. ``validity``: seconds, None when not known."""
    codes = {
        (each.code or "").strip(): frozenset((item.code or "").strip() for item in each.items or ())
        for each in requirements
    }
    words = unicodedata.normalize("NFC", description or "").split()
    return Text(" ".join(words), frozenset(codes.items()), validity)


@functools.lru_cache(maxsize=65_536)
def likeness(asked: Text, stored: Text) -> Likeness | None:
    """Return what became of ``asked`` if ``stored`` is its activity; None: it is another one's."""
    text, requirements = _text(asked.description, stored.description), _requirements(asked, stored)
    if text is None or requirements is None:
        return None
    if asked.validity is None or stored.validity is None:
        return Likeness(text, requirements)
    far = abs(asked.validity - stored.validity) > _VALIDITY_SLACK + asked.validity / 10
    return Likeness(text, requirements, "altered" if far else "kept")


def _text(asked: str, stored: str) -> str | None:
    if asked == stored:
        return "kept"
    letters, found = _letters(asked), _letters(stored)
    if letters and letters in found:
        return "altered"  # other case, spaces or marks; or something was put around it
    return "cut" if found and letters.startswith(found) else None


def _letters(text: str) -> str:
    """Return letters and digits only, whatever the text was escaped with."""
    plain = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), html.unescape(html.unescape(text)))
    # A cut may go through an escape, which leaves its beginning at the end.
    plain = re.sub(r"(&\w*|\\u?\w{0,3}|…|\.\.\.)$", "", plain)
    return _NO_LETTERS.sub("", unicodedata.normalize("NFKC", plain)).casefold()


def _requirements(asked: Text, stored: Text) -> str | None:
    if asked.requirements == stored.requirements:
        return "kept"
    wanted, found = dict(asked.requirements), dict(stored.requirements)
    if all(code in found and items <= found[code] for code, items in wanted.items()):
        return "expanded"
    return "absent" if not found or found.keys() == wanted.keys() else None
