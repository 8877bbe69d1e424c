"""Running a Dagster job in this process, recorded in the instance, with a progress bar."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from pipeline.commands.console import Exit, UsageWrong, err, out, table, tell
from pipeline.commands.interrupts import interrupts
from pipeline.sync.days import DayRange
from pipeline.warehouse import runs
from pipeline.warehouse.engine import open_engine, server_version

if TYPE_CHECKING:
    import dagster as dg

#: Written to the log of a run, and of no interest in a terminal that shows a progress bar.
_QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}

#: What is printed goes to the terminal, not to a file for the UI: Dagster has processes for that.
_PRINTED = {
    "compute_logs": {
        "module": "dagster._core.storage.noop_compute_log_manager",
        "class": "NoOpComputeLogManager",
    }
}

#: The ops that take the sync's configuration; the others have none.
_SYNCING = ("sync_days", "open_activities")


class BarProgress:
    """A run's progress as a bar, with a line for what is worth one."""

    def __init__(self, bar: Progress) -> None:
        self._bar = bar
        self._task = bar.add_task("walking the list", total=None)
        self._shown = not bar.disable

    def log(self, message: str) -> None:
        """Print it above the bar."""
        self._bar.console.print(message, style="dim")

    def forecast(self, message: str) -> None:
        """Print it above the bar, where there is one."""
        if self._bar.console.is_terminal:
            self.log(message)

    def step(self, message: str) -> None:
        """Show it as the bar's caption."""
        self._bar.update(self._task, description=message)

    def advance(self, done: int, total: int) -> None:
        """Move the bar. Called for each activity, so a hidden bar costs nothing."""
        if self._shown:
            self._bar.update(self._task, completed=done, total=total)


@contextmanager
def progress_bar() -> Iterator[BarProgress]:
    """Show a progress bar on stderr, where that is a terminal."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("details"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        yield BarProgress(bar)


def home() -> Path:
    """Return the folder of dagster.yaml: ``DAGSTER_HOME``, this folder, or the checkout's.

    Raises `UsageWrong` when there is none.
    """
    given = os.environ.get("DAGSTER_HOME")
    places = [Path(given)] if given else [Path.cwd(), Path(__file__).resolve().parents[2]]
    for place in places:
        if (place / "dagster.yaml").is_file():
            return place
    raise UsageWrong(
        "no dagster.yaml here: run in the project's folder, or set DAGSTER_HOME to the folder with one"
    )


@contextmanager
def _instance() -> Iterator["dg.DagsterInstance"]:
    """Open the instance that ``dagster dev`` in the same folder uses."""
    import dagster as dg
    from dagster._core.instance import InstanceRef

    place = home()
    before = Path.cwd()
    os.chdir(place)  # the relative folders of dagster.yaml are meant from there
    try:
        reference = InstanceRef.from_dir(
            str(place / ".dagster"), config_dir=str(place), overrides=_PRINTED
        )
        (place / ".dagster").mkdir(exist_ok=True)
        with dg.DagsterInstance.from_ref(reference) as instance:
            yield instance
    finally:
        os.chdir(before)


def run_job(
    name: str, days: DayRange, warehouse_url: str, *, full: bool = False, accept_gone: bool = False
) -> Exit:
    """Run the job ``name`` for ``days``, print what it did, and return how to exit."""
    from pipeline.definitions import defs

    job = defs.resolve_job_def(name)
    config = {"full": full, "accept_gone": accept_gone}
    ops = {node.name: {"config": config} for node in job.nodes if node.name in _SYNCING}
    with _instance() as instance, progress_bar() as progress:
        from pipeline.assets.partitions import range_tags

        result = job.execute_in_process(
            instance=instance,
            tags=range_tags(days),
            run_config={**_QUIET, "ops": ops},
            resources=_resources(progress),
            raise_on_error=False,
        )
    if not result.success and interrupts.heard():
        raise KeyboardInterrupt
    if not result.success:
        tell("failed", _reason(result))
    return report(warehouse_url, result.run_id, success=result.success)


def _resources(progress: BarProgress) -> dict[str, Any]:
    from pipeline.definitions import defs

    return {**(defs.resources or {}), "progress": progress}


def _reason(result: Any) -> str:
    """Return the line that our failure carries, or where to look for it."""
    from pipeline.assets.reasons import reason_of

    stated, unexpected = reason_of(result.all_events)
    if stated is not None:
        return stated
    what = f"an unexpected {unexpected}; " if unexpected else ""
    return f"{what}see run {result.run_id} in the Dagster UI: `dagster dev` in this folder"


def report(warehouse_url: str, run_id: str, *, success: bool) -> Exit:
    """Print what a run did and return how to exit."""
    engine = open_engine(warehouse_url)
    try:
        rows = runs.find(engine, run_id) if success else _found(engine, run_id)
    finally:
        engine.dispose()
    rows = [row for row in rows if success or row.requests]
    if rows:
        out.print(summary_table(rows))
    for row in rows:
        if row.status == "incomplete":
            tell("incomplete", row.error, "yellow")
    if not success:
        return Exit.FAILED
    return Exit.INCOMPLETE if any(row.status == "incomplete" for row in rows) else Exit.COMPLETE


def _found(engine: Any, run_id: str) -> list[runs.RunRow]:
    from pipeline.warehouse.errors import WarehouseError

    try:
        server_version(engine)  # asked once, while the query would be tried for a minute
        return runs.find(engine, run_id)
    except WarehouseError:
        return []


def summary_table(rows: list[runs.RunRow]) -> Any:
    """Return a table of runs, one column each."""
    shown = table("run", "", *[_part(row) for row in rows], right=tuple(_part(row) for row in rows))
    shown.add_row("status", *[row.status for row in rows])
    for name in runs.COUNTS:
        shown.add_row(name.replace("_", " "), *[f"{getattr(row, name):,}" for row in rows])
    return shown


def _part(row: runs.RunRow) -> str:
    if row.window_from is None:
        return "older days" if row.kind == "open" else row.kind
    return f"{row.window_from} to {row.window_to}"
