"""UUIDs as services spell them (docs/service.md 2.4)."""

import re

#: By its groups: also in braces, as a URN, without hyphens, among blanks.
_SPELLED = re.compile(
    r"\s*(?:urn:uuid:|\{)?([0-9a-fA-F]{8})"
    + 3 * "-?([0-9a-fA-F]{4})"
    + r"-?([0-9a-fA-F]{12})\}?\s*"
)


def plain_uuid(text: str) -> str | None:
    """Return a UUID, however it is spelled, as PostgreSQL prints it; None if it is none."""
    found = _SPELLED.fullmatch(text)
    return "-".join(found.groups()).lower() if found else None
