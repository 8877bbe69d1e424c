"""Runs a part of a test as an ordinary user, also when the tests run as root."""

from __future__ import annotations

import os
import pwd
import traceback
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

ORDINARY = "nobody"


def as_ordinary_user(part: Callable[[], None], *, stranger: bool = False) -> None:
    """Call ``part`` as an ordinary user, and fail with its traceback if it raises.

    For root that is a forked child that has become ``nobody`` (or a user who owns nothing at all,
    if a ``stranger`` is asked for): a new interpreter might lie where ``nobody`` can't read it.
    Nothing that ``part`` changes in memory comes back.
    """
    if os.geteuid() != 0:
        part()
        return
    entry = pwd.getpwnam(ORDINARY)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        failed = True
        try:
            os.setgroups([])
            os.setgid(entry.pw_gid - stranger)
            os.setuid(entry.pw_uid - stranger)
            part()
            failed = False
        except BaseException:
            os.write(writer, traceback.format_exc()[-30_000:].encode())
        finally:
            os._exit(failed)  # pytest and the fixtures are the parent's
    os.close(writer)
    with os.fdopen(reader, errors="replace") as output:
        said = output.read()
    _, status = os.waitpid(child, 0)
    assert status == 0, said
