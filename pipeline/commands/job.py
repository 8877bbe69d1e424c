"""Runs a Dagster job in this process with a progress bar, and records it in Dagster's history."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import yaml
from rich.progress import MofNCompleteColumn, Progress

from pipeline.commands import interrupts
from pipeline.commands.console import Exit, UsageWrong, err, tell
from pipeline.commands.home import home
from pipeline.sync.days import DayRange
from pipeline.warehouse.database.engine import Rows, warehouse_engine
from pipeline.warehouse.database.errors import WarehouseError
from pipeline.warehouse.database.server import check_server
from pipeline.warehouse.state import quarantine, runs

if TYPE_CHECKING:
    import dagster as dg

#: Keeps the run's log out of the terminal, which shows a progress bar. Dagster still stores it.
_QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}

#: Somebody waits for a run of the command line: the daemon does not start it again. The second tag
#: names the code location: the UI's page Jobs shows no run without it. Its Timeline shows none of them.
_TAGS = {"dagster/max_retries": "0", ".dagster/repository": "__repository__@pipeline"}

#: Output goes to the terminal only. Dagster would start processes that copy it into files for the UI.
_OVERRIDES: Any = {
    "compute_logs": {
        "module": "dagster.core.storage.noop_compute_log_manager",
        "class": "NoOpComputeLogManager",
    }
}


_MEND = "correct it, or move it away: `pipeline init` writes the package's own"


class BarProgress:
    """A run's progress as a bar, with messages above it."""

    def __init__(self, bar: Progress) -> None:
        self._bar = bar
        self._task = bar.add_task("walking the list", total=None)
        self._shown = not bar.disable

    def log(self, message: str) -> None:
        """Print it above the bar."""
        err.print(message, style="dim")

    def step(self, message: str) -> None:
        """Show it as the bar's caption."""
        self._bar.update(self._task, description=message)

    def advance(self, done: int, total: int) -> None:
        """Move the bar. Called for each activity, so a hidden bar costs nothing."""
        if self._shown:
            self._bar.update(self._task, completed=done, total=total)


@contextmanager
def progress_bar() -> Iterator[BarProgress]:
    """Show a progress bar on stderr, if stderr is a terminal."""
    columns = (*Progress.get_default_columns(), MofNCompleteColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        yield BarProgress(bar)


@contextmanager
def open_instance() -> Iterator["dg.DagsterInstance"]:
    """Open Dagster's instance of the folder that `home` finds. Raises `UsageWrong`."""
    import dagster as dg

    place = home()
    folder = os.open(place, os.O_RDONLY)
    try:
        # Dagster makes its tables when a folder is opened first: two processes at once would both fail.
        with suppress(OSError):  # a file system without locks
            fcntl.flock(folder, fcntl.LOCK_EX)
        # `local_temp` opens the instance of a folder, as DAGSTER_HOME would, and takes overrides.
        instance = dg.DagsterInstance.local_temp(str(place), overrides=_OVERRIDES)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise UsageWrong(f"{place}/dagster.yaml, line {line}: {error.problem}; {_MEND}") from None
    except dg.DagsterInvalidConfigError as error:
        wrong = "; ".join(" ".join(each.message.split()) for each in error.errors)
        raise UsageWrong(f"{place}/dagster.yaml: {wrong[:300]}; {_MEND}") from None
    finally:
        os.close(folder)
    with instance:
        yield instance


@dataclass(frozen=True)
class Outcome:
    """How a run ended: ``complete``, ``incomplete`` or ``failed``, and a row for each of its parts."""

    run_id: str
    status: str
    parts: Rows

    @property
    def exit(self) -> Exit:
        """How to exit."""
        return Exit({"complete": 0, "incomplete": 3}.get(self.status, 1))


def run_job(
    days: DayRange | None,
    warehouse_url: str,
    *,
    full: bool = False,
    accept_gone: bool = False,
    recent: bool = False,
) -> Outcome:
    """Bring ``days`` up to date, or do what a night or a light run does; name on stderr what is missing.

    Raises ``KeyboardInterrupt`` when a signal ended the run.
    """
    from pipeline.assets.reasons import reason_of
    from pipeline.assets.resource import sync_resource
    from pipeline.definitions import defs

    config: dict[str, Any] = {"full": full, "accept_gone": accept_gone}
    ops: dict[str, Any]
    if recent:
        name, ops = "recent", {}
    elif days:
        name, config = "sync_days_job", {**config, "first": str(days.first), "last": str(days.last)}
        ops = {"sync_days": {"config": config}}
    else:
        name, older = "nightly", {"config": {"accept_gone": accept_gone}}
        ops = {"sync_days": {"config": config}, "check_older_days": older}
    with open_instance() as instance, progress_bar() as progress:
        result = defs.resolve_job_def(name).execute_in_process(
            instance=instance,
            run_config={**_QUIET, "ops": ops},
            tags=_TAGS,
            resources={"sync": sync_resource(progress)},
            raise_on_error=False,
        )
    if not result.success and interrupts.heard():
        raise KeyboardInterrupt
    if not result.success:
        log = f"run {result.run_id} in the Dagster UI: `pipeline ui`"
        tell("failed", reason_of(result.all_events, log) or f"see {log}")
    return _outcome(warehouse_url, result.run_id, success=result.success)


def _outcome(warehouse_url: str, run_id: str, *, success: bool) -> Outcome:
    rows: Rows = []
    reasons = None
    unreachable = () if success else (WarehouseError,)
    with suppress(*unreachable), warehouse_engine(warehouse_url) as engine:
        if not success:
            check_server(engine)  # tried once; the query below would be tried for a minute
        rows = [row for row in runs.find(engine, run_id) if success or row["requests"]]
        reasons = quarantine.commonest(engine) if any(row["quarantined"] for row in rows) else None
    missing = [row["error"] for row in rows if row["status"] == "incomplete"]
    if missing and reasons:
        missing[-1] += f" - {reasons}; `pipeline quarantine list` shows them"
    for text in missing:
        tell("incomplete", text, "yellow")
    status = "failed" if not success else "incomplete" if missing else "complete"
    return Outcome(run_id, status, rows)
