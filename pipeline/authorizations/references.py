"""The reference in a message: made here, and found again in what the service stores.

A reference follows from the request and a key of the warehouse: the same line of a file has the same one,
also in a warehouse that was restored from a backup.
"""

import hashlib
import html
import re
import unicodedata
from collections.abc import Collection, Iterator
from itertools import count

PLACE = "{reference}"
"""Where the reference stands, in the setting or in a description."""

MESSAGE = "{message}"
"""Where the message stands in the setting; without it the reference is appended."""

DEFAULT = f"(Ref. {PLACE})"
"""The pattern, unless the setting is another one."""

#: No vowels, which make words, and nothing that looks like something else.
_LETTERS = "2346789CDFHJKMNPQRTVWXY"
_LENGTH = 5
#: Messages whose reference begins later may lose it to a service that cuts them.
LONGEST = 160 - _LENGTH
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")


def parse_pattern(text: str) -> str:
    """Read the setting. Raises ValueError."""
    if text.count(PLACE) != 1 or text.count(MESSAGE) > 1:
        raise ValueError(f"must be a text with {PLACE} once, such as '(Ref. {PLACE})'")
    return text


def make_references(request: bytes, key: bytes) -> Iterator[str]:
    """Yield the references that a request can have, the first choice first."""
    for number in count():
        seed = request + number.to_bytes(4)
        digest = hashlib.blake2b(seed, key=key, digest_size=_LENGTH).digest()
        name = "".join(_LETTERS[byte % len(_LETTERS)] for byte in digest)
        if _is_reference(name):
            yield name


def compose(description: str, reference: str, pattern: str) -> str:
    """Return the message that is sent."""
    if PLACE in description:
        return description.replace(PLACE, reference)
    form = pattern if MESSAGE in pattern else f"{MESSAGE} {pattern.strip()}"
    return form.replace(PLACE, reference).replace(MESSAGE, description)


def find_references(text: str | None) -> set[str]:
    """Return all that may be references in a text, whatever case, spaces or escapes it has."""
    letters = squeeze(text or "")
    windows = {letters[at : at + _LENGTH] for at in range(len(letters) - _LENGTH + 1)}
    return set(filter(_is_reference, windows))


def squeeze(text: str) -> str:
    """Return letters and digits only, in capitals, whatever the text was escaped with.

    Digits of other scripts, and letters of other widths or with marks, become plain ones.
    """
    plain = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), html.unescape(html.unescape(text)))
    letters = filter(str.isalnum, unicodedata.normalize("NFKD", plain))
    return "".join(str(unicodedata.digit(each, each)) for each in letters).upper()


def _is_reference(text: Collection[str]) -> bool:
    letters = set(text)
    return letters <= set(_LETTERS) and any(map(str.isdigit, text)) and any(map(str.isalpha, text))
