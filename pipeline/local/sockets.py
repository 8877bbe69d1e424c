"""Where a local server listens.

The socket is in the server's own folder if its path allows that. The path of a socket is limited, and
the host of a URL can have no comma (it separates hosts) and only UTF-8. Otherwise the socket is in a
short folder made for it.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pipeline.local.binaries import ServerUser

PORT: Final = 5432  # part of the socket's file name; fixed, so that PGPORT changes nothing

_NOTE = "socket-folder"  # the file in the server's folder that names the other one
_SOCKET = f".s.PGSQL.{PORT}"
_FILES = (_SOCKET, f"{_SOCKET}.lock")
_PATH_BYTES = 103  # the limit of macOS; that of Linux is higher


def open_private(path: Path, user: ServerUser) -> IO[bytes]:
    """Open a file for appending that only ``user`` can read, never through a link.

    Root writes into a folder of another user here. It must not follow a link that this user made.
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
    """Return the folder for the socket of a server in ``home``. It belongs to ``user``.

    Removes the files of an ended server. Raises ``OSError`` when no folder can be made.
    """
    forget_socket(home)
    if _fits(home):
        return home
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))  # private, and short
    user.own(folder)
    with open_private(home / _NOTE, user) as note:
        note.write(os.fsencode(folder))
    return folder


def forget_socket(home: Path) -> None:
    """Remove the socket of an ended server, and the folder made for it."""
    folder = socket_folder(home)
    # Remove only the names that a server uses: its user could have written another path into the note.
    for name in _FILES:
        with suppress(OSError):
            (folder / name).unlink()
    if folder != home:
        with suppress(OSError):
            folder.rmdir()
        (home / _NOTE).unlink(missing_ok=True)


def _fits(folder: Path) -> bool:
    path = os.fsencode(folder / _SOCKET)
    try:
        path.decode()
    except UnicodeDecodeError:
        return False
    return len(path) <= _PATH_BYTES and b"," not in path
