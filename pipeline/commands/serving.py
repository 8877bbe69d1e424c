"""Runs Dagster's daemon, with or without its UI: one daemon on a history, started again when it dies."""

import fcntl
import os
import shutil
import signal
import subprocess
import sysconfig
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from pipeline.commands.console import Exit, UsageWrong, err, out, tell
from pipeline.commands.home import home
from pipeline.warehouse.database.sql import shipped

#: The pool of everything that calls the service (`pipeline.assets.sync_days`).
_POOL = "activities_api"

#: Seconds for runs to store what they have, once they were told to end.
_PATIENCE = 60.0

#: Seconds for Dagster's own programs to end, before what they started is told to.
_LEADERS = 3.0

#: A process that ends so many seconds after its start would do so again.
_AT_ONCE = 15.0

#: Seconds between two looks at the processes.
_PAUSE = 0.5


class _Program:
    """One program of Dagster, in a process group of its own: Ctrl-C reaches only us."""

    def __init__(self, lock: IO[str], name: str, *arguments: str) -> None:
        self.name = name
        self._lock = lock
        self._arguments = arguments
        self.groups: list[int] = []
        self.start()

    def start(self) -> None:
        """Start it, also instead of one that has died. Runs of that one go on."""
        scripts = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")])
        program = shutil.which(self.name, path=scripts)
        if program is None:
            raise UsageWrong(f"{self.name} is not installed beside this program")
        # It holds the lock, too: nobody else starts a daemon while it lives.
        self.process = subprocess.Popen(
            [program, *self._arguments], start_new_session=True, pass_fds=[self._lock.fileno()]
        )
        self._lock.write(f"{self.process.pid}\n")
        self._lock.flush()
        self._began = time.monotonic()
        self.groups.append(self.process.pid)

    def look(self) -> None:
        """Start it again if it has died, and say so. Raises ``UsageWrong`` when it ends at once."""
        self.groups = [group for group in self.groups if _signal(group, 0)]
        if (code := self.process.poll()) is None:
            return
        how = f"ended (exit code {code})" if code >= 0 else f"was killed (signal {-code})"
        if code >= 0 and time.monotonic() - self._began < _AT_ONCE:
            raise UsageWrong(f"{self.name} {how} at once; its lines above say why")
        tell("warning", f"{self.name} {how}; started again", "yellow")
        self.start()


def _end(programs: Sequence[_Program]) -> None:
    """End all that they started: each run stores its batch. What is left after that is killed.

    It is killed at once when a second signal comes.
    """
    groups = [group for program in programs for group in program.groups]
    began = time.monotonic()
    try:
        # The programs before what they started: the daemon would report each of these as lost.
        for program in programs:
            program.process.terminate()
        _wait(began + _LEADERS, lambda: any(each.process.poll() is None for each in programs))
        for group in groups:
            _signal(group, signal.SIGTERM)
        _wait(began + _PATIENCE, lambda: any(_is_left(each) for each in programs))
    finally:
        for group in groups:
            _signal(group, signal.SIGKILL)


def _wait(until: float, running: Callable[[], bool]) -> None:
    """Wait while something is ``running``, at most until this moment (``time.monotonic``)."""
    while running() and time.monotonic() < until:
        time.sleep(_PAUSE / 5)


def _is_left(program: _Program) -> bool:
    """Whether the program, or something that it started, still runs."""
    program.process.poll()  # else it stays as a zombie in its group
    return any(_signal(group, 0) for group in program.groups)


def _signal(group: int, number: int) -> bool:
    """Send a signal to a process group; return whether there is one."""
    with suppress(ProcessLookupError):
        os.killpg(group, number)
        return True
    return False


def serve(port: int | None) -> Exit:
    """Run the daemon, and with a ``port`` the UI, until a signal. Raises ``UsageWrong``."""
    from pipeline.commands.job import open_instance

    place = home()
    os.environ["DAGSTER_HOME"] = str(place)
    # Ours first: a package `pipeline` beside the history must not hide it.
    found = [str(Path(__file__).resolve().parents[2]), str(place), os.environ.get("PYTHONPATH", "")]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, found))
    # A backfill waits while the code can't be loaded; else Dagster gives it up and cancels its runs.
    os.environ.setdefault("DAGSTER_BACKFILL_RETRY_DEFINITION_CHANGED_ERROR", "1")
    # Dagster would overwrite the environment from a `.env` of the folder in which it is started.
    (place / "storage").mkdir(exist_ok=True)
    os.chdir(place / "storage")
    own = place / "workspace.yaml"
    workspace = ("-w", str(own if own.is_file() else shipped(own.name)))
    # A shell starts programs in the background with SIGINT ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with _alone(place, port) as lock:
        # Two programs that make the history at once would break it.
        with open_instance() as instance:
            # Dagster's queue does not keep to a limit in the moment in which it learns of it.
            instance.event_log_storage.initialize_concurrency_limit_to_default(_POOL)
        # At `info` it writes a line a second while a run waits for another.
        programs = [_Program(lock, "dagster-daemon", "run", "--log-level", "warning", *workspace)]
        try:
            if port:
                out.print(
                    f"Dagster UI: http://127.0.0.1:{port}   (ready in a few seconds; Ctrl-C ends it)"
                )
                address = ("-h", "127.0.0.1", "-p", str(port))
                programs.append(_Program(lock, "dagster-webserver", *address, *workspace))
            while True:
                for program in programs:
                    program.look()
                time.sleep(_PAUSE)
        except KeyboardInterrupt:
            err.print("ending; runs store what they have, and go on at the next start")
            return Exit.COMPLETE
        finally:
            _end(programs)


@contextmanager
def _alone(place: Path, port: int | None) -> Iterator[IO[str]]:
    """Hold the lock of the history's one daemon: a file that says whose it is, with its programs' numbers.

    Programs that outlived their command are ended. Raises ``UsageWrong``, which names the command.
    """
    from pipeline.assets.watch import DAEMON_LOCK

    with (place / DAEMON_LOCK).open("a+") as file:
        file.seek(0)
        owner, *programs = file.read().splitlines() or [""]
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # ours alone: no program inherits it
        except BlockingIOError:
            raise UsageWrong(f"the daemon of {place} runs already: {owner}") from None
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # our programs', too
        except BlockingIOError:
            for group in programs:
                _signal(int(group), signal.SIGTERM)
            fcntl.flock(file, fcntl.LOCK_EX)
        file.truncate(0)
        ui = f", UI on http://127.0.0.1:{port}" if port else ""
        file.write(f"process {os.getpid()}{ui}\n")
        file.flush()
        yield file
