"""A sandbox as a process for tests: `python -m pipeline.sandbox --settings FILE|- [--port N]`.

Prints one JSON line, `{"base_url": ..., "pid": ...}`, when it takes connections, and runs until
SIGTERM or Ctrl-C. The settings are JSON as SandboxSettings has it. For people there is
`pipeline sandbox`.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import msgspec

from .process import Announcement
from .serving import serve_until_signal
from .settings import SandboxSettings
from .state import SandboxState


def main() -> int:
    """Read the settings, announce, serve; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.sandbox", description=__doc__)
    parser.add_argument("--settings", help="a JSON file, or - for standard input")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    chosen = parser.parse_args()
    raw = b"{}"
    if chosen.settings == "-":
        raw = sys.stdin.buffer.read()
    elif chosen.settings:
        raw = Path(chosen.settings).read_bytes()
    try:
        state = SandboxState(msgspec.json.decode(raw, type=SandboxSettings))
    except (ValueError, msgspec.MsgspecError) as error:
        parser.error(str(error))
    return serve_until_signal(state, "127.0.0.1", chosen.port, _announce)


def _announce(base_url: str) -> None:
    line = msgspec.json.encode(Announcement(base_url, os.getpid()))
    sys.stdout.buffer.write(line + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(main())
