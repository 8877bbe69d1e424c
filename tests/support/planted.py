"""Unmistakable marks in everything that must come out nowhere, and what looks for them."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING

from pipeline.sandbox import Credentials

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pipeline.sandbox.state import SandboxState

#: In credentials, in the database's password, in names and in every shared value.
MARK = "Quux-4711"

SECRETS = Credentials(api_key=f"key-{MARK}", username=f"user-{MARK}", password=f"pass-{MARK}")

_BASIC = base64.b64encode(f"{SECRETS.username}:{SECRETS.password}".encode())
# Every session token begins so: it is the base64 of `{"`.
_TOKEN = rb"eyJ[\w-]{10,}"
_LEAK = re.compile(b"|".join((re.escape(MARK.encode()), re.escape(_BASIC), _TOKEN)))


def plant(state: SandboxState) -> None:
    """Mark the name and picture of each member, and all that activities say and share."""
    for person in state.people():
        state.change_entity(person["id"], name=f"name {MARK}", avatar=f"https://a.example/{MARK}")
    shared = {"value": {"text": f"value {MARK}"}}
    for name in state.ids():
        requirement = {
            "code": "RQ_004",
            "type": "RTP_002",
            "data": shared,
            "items": [{"code": "PIF_001", "type": "RTP_002", "data": shared}],
        }
        state.edit(name, description=f"text {MARK}", accepted_requirements=[requirement])


def leak(text: str | bytes) -> str | None:
    """Return the first mark, Basic blob or token in a text, with what stands around it."""
    raw = text.encode("utf-8", "replace") if isinstance(text, str) else text
    found = _LEAK.search(raw)
    if found is None:
        return None
    return raw[max(0, found.start() - 150) : found.end() + 50].decode("utf-8", "replace")


def leaks_in(folder: Path, kept: Iterable[str] = ()) -> dict[str, str]:
    """Return the files below a folder with a leak, but for those named in ``kept``."""
    found = {}
    for file in folder.rglob("*"):
        if file.is_file() and file.name not in kept:
            shown = leak(file.read_bytes())
            if shown is not None:
                found[str(file)] = shown
    return found
