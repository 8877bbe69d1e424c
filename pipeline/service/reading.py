"""Decodes received bytes into structs, with errors that quote nothing.

An error names the path and the types, in msgspec's words. It never shows a value.
"""

import re
from contextlib import suppress
from typing import Generic, TypeVar

import msgspec

from pipeline.service.errors import MalformedResponse, UnexpectedShape
from pipeline.service.forms import Deviation, fits, plain_forms

T = TypeVar("T", bound=msgspec.Struct)

#: One JSON escape: a whole surrogate pair, NUL or half a pair (group 1), or any other escape.
_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(u0000|u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)
_BOM = b"\xef\xbb\xbf"


class Reader(Generic[T]):
    """Decodes one kind of body.

    ``name``: what errors call it. ``whole``: the parts that the struct leaves undecoded must be UTF-8 too.
    ``tolerant``: members of another type are read, if their meaning is plain, or taken for null.
    """

    def __init__(
        self, what: type[T], name: str, *, whole: bool = True, tolerant: bool = False
    ) -> None:
        self._what = what
        self._decoder = msgspec.json.Decoder(what)
        self._name = name
        self._whole = whole
        self._tolerant = tolerant

    def read(self, body: bytes | msgspec.Raw, operation: str = "") -> T:
        """Decode ``body``. Errors name ``operation``, or the kind of body without one.

        JSON allows half a surrogate pair as an escape, but no text can hold it: it is read as U+FFFD.
        Raises `UnexpectedShape`; `MalformedResponse` if it is not JSON in UTF-8.
        """
        return self.read_forms(body, operation)[0]

    def read_forms(
        self, body: bytes | msgspec.Raw, operation: str = ""
    ) -> tuple[T, list[Deviation]]:
        """Decode as `read` does; also return which members came in another form."""
        name = operation or self._name
        deviations: list[Deviation] = []
        found = self._decode(body, name)
        if isinstance(found, MalformedResponse) and (mended := mend_text(bytes(body))):
            body = mended
            found = self._decode(body, name)
        reads_forms = self._tolerant and not isinstance(found, MalformedResponse)
        if reads_forms and (isinstance(found, UnexpectedShape) or not fits(found)):
            with suppress(ValueError, RecursionError):
                # Texts of the service are held as `body` only: reporters of errors show other variables.
                body, deviations = plain_forms(body, self._what)
                found = self._decode(body, name)
        if isinstance(found, UnexpectedShape):
            raise found
        return found, deviations

    def _decode(self, body: bytes | msgspec.Raw, name: str) -> T | UnexpectedShape:
        """Return what a body holds, or our error: that of a failed decoding holds its text."""
        try:
            result = self._decoder.decode(body)
            if self._whole and type(body) is bytes and not body.isascii():
                body.decode()  # msgspec does not check what it leaves undecoded
        except (ValueError, RecursionError) as error:
            return _refusal(error, name, len(bytes(body)))
        return result


def _refusal(failure: Exception, operation: str, size: int) -> UnexpectedShape:
    if isinstance(failure, msgspec.ValidationError):
        return UnexpectedShape(operation, f"not the specified shape: {failure}")
    if isinstance(failure, RecursionError):
        return UnexpectedShape(operation, "nested too deeply to be read")
    what = "UTF-8" if isinstance(failure, UnicodeDecodeError) else "JSON"
    return MalformedResponse(operation, f"the body is not {what} ({size} bytes)")


def mend_text(body: bytes) -> bytes | None:
    """Replace NUL and half surrogate pairs, which stored text can't hold, by U+FFFD.

    Also removes a byte order mark. Returns None if the body needs no change.
    """
    mended = _ESCAPE.sub(lambda found: b"\\ufffd" if found[1] else found[0], body)
    mended = mended.removeprefix(_BOM)
    return None if mended == body else mended
