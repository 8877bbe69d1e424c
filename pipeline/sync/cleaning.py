"""What PostgreSQL can't hold inside an otherwise good text becomes U+FFFD (contract rule 5)."""

import re

#: A JSON escape that PostgreSQL can't hold (group 1): NUL, or half a surrogate pair; else any other.
_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(u0000|u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)


#: What `clean_json` would replace, unless the backslash itself is escaped.
_SUSPECT = re.compile(rb"\\u(?:0000|[dD][89a-fA-F])")


def clean_text(value: str | None) -> str | None:
    """Return a text without NUL, the one character that PostgreSQL's text can't hold."""
    return value.replace("\0", "\ufffd") if value is not None and "\0" in value else value


def may_need_cleaning(body: bytes) -> bool:
    """Whether JSON text may hold an escape that PostgreSQL can't: seldom, and told quickly."""
    return b"\\" in body and _SUSPECT.search(body) is not None


def clean_json(value: bytes) -> bytes:
    """Return JSON text without escapes that PostgreSQL can't hold: NUL and halves of surrogates."""
    return _ESCAPE.sub(lambda found: b"\\ufffd" if found[1] else found[0], value)
