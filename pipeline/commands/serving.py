"""Runs Dagster's daemon, with or without its UI: one daemon on a history, started again when it dies."""

import fcntl
import os
import shutil
import signal
import subprocess
import sysconfig
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pipeline.commands.console import Exit, UsageWrong, err, tell
from pipeline.commands.home import home
from pipeline.warehouse.sql import shipped

#: Seconds for runs to store what they have, once they were told to end.
_PATIENCE = 60.0

#: A process that ends so many seconds after its start would do so again.
_AT_ONCE = 15.0

#: Seconds between two looks at the processes.
_PAUSE = 0.5


class _Program:
    """One program of Dagster, in a process group of its own: Ctrl-C reaches only us."""

    def __init__(self, name: str, *arguments: str) -> None:
        self.name = name
        self._arguments = arguments
        self._groups: list[int] = []
        self.start()

    def start(self) -> None:
        """Start it, also instead of one that has died. Runs of that one go on."""
        scripts = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")])
        program = shutil.which(self.name, path=scripts)
        if program is None:
            raise UsageWrong(f"{self.name} is not installed beside this program")
        self._process = subprocess.Popen([program, *self._arguments], start_new_session=True)
        self._began = time.monotonic()
        self._groups.append(self._process.pid)

    def look(self) -> None:
        """Start it again if it has died, and say so. Raises ``UsageWrong`` when it dies at once."""
        self._groups = [group for group in self._groups if _signal(group, 0)]
        if (code := self._process.poll()) is None:
            return
        how = f"ended (exit code {code})" if code >= 0 else f"was killed (signal {-code})"
        if time.monotonic() - self._began < _AT_ONCE:
            raise UsageWrong(
                f"{self.name} {how} as soon as it was started; its lines above say why"
            )
        tell("warning", f"{self.name} {how}; started again", "yellow")
        self.start()

    def end(self, deadline: float) -> None:
        """End it and all that it started: each run stores its batch. What is left after that is killed."""
        for group in self._groups:
            _signal(group, signal.SIGTERM)
        while any(_signal(group, 0) for group in self._groups) and time.monotonic() < deadline:
            self._process.poll()
            time.sleep(_PAUSE / 5)
        for group in self._groups:
            _signal(group, signal.SIGKILL)
        self._process.wait()


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
    # A folder `pipeline` beside the history is somebody else's, and no module of ours.
    os.environ["PYTHONSAFEPATH"] = "1"
    own = place / "workspace.yaml"
    workspace = ("-w", str(own if own.is_file() else shipped(own.name)))
    # A shell starts programs in the background with SIGINT ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(place)
    with _alone(place, port):
        with open_instance():  # two programs that make the history at once would break it
            pass
        # At `info` it writes a line a second while a run waits for another.
        programs = [_Program("dagster-daemon", "run", "--log-level", "warning", *workspace)]
        try:
            if port:
                address = ("-h", "127.0.0.1", "-p", str(port))
                programs.append(_Program("dagster-webserver", *address, *workspace))
            while True:
                for program in programs:
                    program.look()
                time.sleep(_PAUSE)
        except KeyboardInterrupt:
            err.print("ending; runs store what they have, and go on at the next start")
            return Exit.COMPLETE
        finally:
            deadline = time.monotonic() + _PATIENCE
            for program in programs:
                program.end(deadline)


@contextmanager
def _alone(place: Path, port: int | None) -> Iterator[None]:
    """Hold the lock of the history's one daemon. Raises ``UsageWrong`` with who has it."""
    with (place / ".daemon.lock").open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.seek(0)
            raise UsageWrong(f"the daemon of {place} runs already: {file.read().strip()}") from None
        file.truncate(0)
        ui = f", UI on http://127.0.0.1:{port}" if port else ""
        file.write(f"process {os.getpid()}{ui}\n")
        file.flush()
        yield
