"""Where a local server listens.

The socket lies in the server's own folder or, where that can't be, in a short one made for it: the
path of a socket is limited, and a URL's host can hold neither a comma (it separates hosts) nor what
isn't UTF-8.
"""

from __future__ import annotations

import os
import socket
import struct
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from pipeline.local.binaries import LocalPostgresError, ServerUser

if TYPE_CHECKING:
    import psycopg

PORT: Final = 5432  # only names the socket's file; stated, so that PGPORT changes nothing

_NOTE = "socket-folder"  # the file in the server's folder that names the other one
_SOCKET = f".s.PGSQL.{PORT}"
_FILES = (_SOCKET, f"{_SOCKET}.lock")
_PATH_BYTES = 103  # what Linux and macOS both take


def open_private(path: Path, user: ServerUser) -> IO[bytes]:
    """Open a file for appending, made for ``user`` only, never through a link.

    Root writes in a folder of another user's here, and must not follow a link laid there.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
    file = os.fdopen(os.open(path, flags, 0o600), "ab")
    status = os.fstat(file.fileno())
    if user.uid is not None and user.gid is not None and status.st_nlink == 1:
        os.fchown(file.fileno(), user.uid, user.gid)
    return file


def socket_folder(home: Path) -> Path:
    """Return the folder of the socket of the server in ``home``."""
    try:
        return Path(os.fsdecode((home / _NOTE).read_bytes()))
    except OSError:
        return home


def make_socket_folder(home: Path, user: ServerUser) -> Path:
    """Return the folder where a server in ``home`` shall listen, which belongs to ``user``.

    Removes what an ended server left. Raises ``LocalPostgresError`` when no path is short enough.
    """
    forget_socket(home)
    if _fits(home):
        return home
    for parent in (tempfile.gettempdir(), "/tmp"):  # noqa: S108 - mkdtemp makes a private one
        if _fits(Path(parent, "pg-12345678")) and user.can_enter(Path(parent)):
            folder = Path(tempfile.mkdtemp(prefix="pg-", dir=parent))
            user.own(folder)
            with open_private(home / _NOTE, user) as note:
                note.write(os.fsencode(folder))
            return folder
    raise LocalPostgresError(
        f"the path {home} can't hold PostgreSQL's socket, nor can {tempfile.gettempdir()}: name a "
        "shorter folder"
    )


def forget_socket(home: Path) -> None:
    """Remove the socket of an ended server, with the folder made for it."""
    folder = socket_folder(home)
    # Only what a server puts there: the note could have been written by its user.
    for name in _FILES:
        with suppress(OSError):
            (folder / name).unlink()
    if folder != home:
        with suppress(OSError):
            folder.rmdir()
        (home / _NOTE).unlink(missing_ok=True)


def listener_pid(connection: psycopg.Connection) -> int | None:
    """Return who listens at the other end, by the kernel's word; ``None`` where it has none."""
    if sys.platform != "linux":
        return None
    with socket.socket(fileno=os.dup(connection.fileno())) as peer:
        answer = peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    pid: int = struct.unpack("3i", answer)[0]
    return pid or None


def _fits(folder: Path) -> bool:
    path = os.fsencode(folder / _SOCKET)
    try:
        path.decode()
    except UnicodeDecodeError:
        return False
    return len(path) <= _PATH_BYTES and b"," not in path
