"""Running the requests in this process, with a progress bar and a table of what came of it."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from pipeline.authorizations.run import AuthorizationRun, Summary
from pipeline.commands.console import Exit, err, out, table, tell
from pipeline.service.client import ServiceClient
from pipeline.settings import Settings
from pipeline.warehouse.engine import open_engine


class _Bar:
    """A run's progress as a bar, with a line for what is worth one."""

    def __init__(self, bar: Progress) -> None:
        self._bar = bar
        self._task = bar.add_task("looking for what earlier calls created", total=None)

    def moved(self, done: int, total: int) -> None:
        """Move the bar."""
        self._bar.update(self._task, description="sending", completed=done, total=total)

    def said(self, message: str) -> None:
        """Print it above the bar."""
        self._bar.console.print(message, style="dim")


@contextmanager
def _bar() -> Iterator[_Bar]:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        yield _Bar(bar)


def run_authorizations(settings: Settings, *, sending: bool) -> Exit:
    """Send what is queued and settle what is open, or only the latter; print what came of it."""
    engine = open_engine(settings.warehouse_url)

    async def run() -> Summary:
        async with ServiceClient(settings.service_config()) as client:
            requests = AuthorizationRun(
                client, engine, settings.timezone, settings.rules(), settings.page_size
            )
            with _bar() as progress:
                return await (requests.send(progress) if sending else requests.settle(progress))

    try:
        summary = asyncio.run(run())
    finally:
        engine.dispose()
    _report(summary)
    if summary.stopped:
        tell("stopped", f"{summary.stopped}; what is left stays queued")
        return Exit.FAILED
    return Exit.INCOMPLETE if summary.problems else Exit.COMPLETE


def _report(summary: Summary) -> None:
    shown = table("authorizations", "", "now", "all", right=("now", "all"))
    for state, number in summary.states.items():
        now = summary.linked if state == "linked" else summary.ended.get(state, 0)
        shown.add_row(state, f"{now:,}" if now else "", f"{number:,}")
    out.print(shown)
    if summary.requeued:
        out.print(f"{summary.requeued:,} had no effect and were queued again")
    for problem in summary.problems:
        tell("incomplete", problem, "yellow")
