"""From received bytes to structs, with errors that quote nothing.

A reason names the path and the types (msgspec's own words), never a value.
"""

import re
from typing import Generic, TypeVar

import msgspec

from pipeline.service.errors import MalformedResponse, UnexpectedShape

T = TypeVar("T")

#: One JSON escape: a whole surrogate pair, else NUL or half a pair (group 1), else any other escape.
_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(u0000|u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)
_BOM = b"\xef\xbb\xbf"


class Reader(Generic[T]):
    """Decodes one kind of body.

    ``name``: what errors call it. ``whole``: also what the struct leaves undecoded must be UTF-8.
    """

    def __init__(self, what: type[T], name: str, *, whole: bool = True) -> None:
        self._decoder = msgspec.json.Decoder(what)
        self._name = name
        self._whole = whole

    def read(self, body: bytes | msgspec.Raw, operation: str = "") -> T:
        """Decode ``body``; errors name ``operation``, else the kind of body.

        Half a surrogate pair, which JSON allows as an escape and no text can hold, is read as
        U+FFFD. Raises `MalformedResponse` when it is no JSON text in UTF-8, `UnexpectedShape` when
        it is JSON that does not fit.
        """
        try:
            result = self._decoder.decode(body)
            if self._whole and type(body) is bytes and not body.isascii():
                body.decode()  # msgspec does not look into what it leaves undecoded
        except (ValueError, RecursionError) as error:
            # Not kept: what a failed decoding of text leaves behind shows the text.
            refusal = _refusal(error, operation or self._name, bytes(body))
        else:
            return result
        mended = mend_text(bytes(body)) if isinstance(refusal, MalformedResponse) else None
        if mended is None:
            raise refusal
        body, mended = mended, None
        return self.read(body, operation)

    def read_anything(self, body: bytes) -> T:
        """Decode ``body`` as `read` does, but raise `UnexpectedShape` for whatever is wrong."""
        try:
            return self.read(body)
        except MalformedResponse as error:
            refusal = UnexpectedShape(error.operation, error.cause)
        refusal.body = body
        raise refusal


def _refusal(
    failure: Exception, operation: str, body: bytes
) -> MalformedResponse | UnexpectedShape:
    refusal: MalformedResponse | UnexpectedShape
    if isinstance(failure, msgspec.ValidationError):
        refusal = UnexpectedShape(operation, f"not the specified shape: {failure}")
    elif isinstance(failure, RecursionError):
        refusal = UnexpectedShape(operation, "nested too deeply to be read")
    else:
        what = "UTF-8" if isinstance(failure, UnicodeDecodeError) else "JSON"
        refusal = MalformedResponse(operation, f"the body is not {what} ({len(body)} bytes)")
    refusal.body = body
    return refusal


def mend_text(body: bytes) -> bytes | None:
    """Replace the escapes that a stored text can't hold, NUL and half a surrogate pair, by U+FFFD.

    A byte order mark goes, too. Returns None if there is nothing to replace.
    """
    mended = _ESCAPE.sub(lambda found: b"\\ufffd" if found[1] else found[0], body)
    mended = mended.removeprefix(_BOM)
    return None if mended == body else mended


#: Nesting that is surely below every interpreter's limit, and far above any real row's.
_DEEPEST = 200
_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[\[{]|[\]}]', re.DOTALL)


def set_aside_deep_rows(page: bytes) -> tuple[bytes, dict[bytes, msgspec.Raw]]:
    """Put a placeholder, a JSON string, in the place of every row too deeply nested to be read.

    Returns the page so changed, and the rows set aside by their placeholder. Decoding recurses, so
    that one such row would cost the whole page.
    """
    rows: dict[bytes, msgspec.Raw] = {}
    pieces: list[bytes] = []
    copied = began = depth = deepest = 0
    for token in _TOKEN.finditer(page):
        character = token[0]
        if character in (b"[", b"{"):
            depth += 1
            if depth == 3:  # the envelope's object, its array, the row
                began, deepest = token.start(), 3
            deepest = max(deepest, depth)
        elif character in (b"]", b"}"):
            if depth == 3 and deepest > _DEEPEST:
                placeholder = b'"row set aside %d"' % len(rows)
                rows[placeholder] = msgspec.Raw(page[began : token.end()])
                pieces += [page[copied:began], placeholder]
                copied = token.end()
            depth -= 1
    return b"".join([*pieces, page[copied:]]), rows
