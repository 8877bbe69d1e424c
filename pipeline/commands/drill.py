"""``pipeline drill``."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from pipeline.commands.console import Exit, UsageWrong, err, out, table, tell

if TYPE_CHECKING:
    from pipeline.drill.drill import Fault, Result

#: Losses of one fault that are named; the rest are counted.
_MOST_NAMED = 5


def drill(
    names: Annotated[
        list[str] | None, typer.Argument(help="Faults to play; all unless named.", metavar="NAME")
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the faults and end.")] = False,
    database_url: Annotated[
        str | None,
        typer.Option(
            "--database-url",
            help="A server on which this role may create databases; else a private one.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Break it on purpose: play faults against a made-up service and scratch databases.

    After each fault a plain run goes on, and the warehouse is compared with what the service states.
    Ends 0 only if nothing was lost, doubled or fetched more often than promised.
    """
    from pipeline.drill.catalogue import FAULTS

    if listed:
        shown = table("faults", "name", "what it does")
        for fault in FAULTS:
            shown.add_row(fault.name, fault.what)
        out.print(shown)
        return
    chosen = _chosen(FAULTS, names or [])
    results = _play(chosen, database_url)
    out.print(_results_table(results))
    raise typer.Exit(_verdict(results))


def _chosen(faults: "Sequence[Fault]", names: list[str]) -> "list[Fault]":
    known = {fault.name: fault for fault in faults}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise UsageWrong(f"no such fault: {', '.join(unknown)}; `pipeline drill --list` names them")
    return [known[name] for name in dict.fromkeys(names)] if names else list(faults)


def _play(faults: "list[Fault]", database_url: str | None) -> "list[Result]":
    from pipeline.commands.job import home
    from pipeline.drill.databases import DrillRunsAlready, scratch_databases
    from pipeline.drill.drill import play
    from pipeline.local import LocalPostgresError
    from pipeline.local.stage import FOLDER

    place = home()
    folder = place / FOLDER / "drill"
    if database_url is not None:
        faults = _playable_elsewhere(faults)
    results = []
    try:
        with (
            scratch_databases(folder, database_url) as databases,
            _project(place, folder / "project") as project,
            _progress() as bar,
        ):
            task = bar.add_task("", total=len(faults))
            for fault in faults:
                bar.update(task, description=fault.name)
                results.append(play(fault, databases, project))
                bar.advance(task)
    except (DrillRunsAlready, LocalPostgresError) as error:
        raise UsageWrong(str(error)) from None
    return results


def _playable_elsewhere(faults: "list[Fault]") -> "list[Fault]":
    """Leave out, and name, what would kill a server that is not the drill's own."""
    for fault in faults:
        if fault.own_server:
            tell("left out", f"{fault.name}: the server is not the drill's own", "yellow")
    playable = [fault for fault in faults if not fault.own_server]
    if not playable:
        raise UsageWrong("nothing is left to play: leave --database-url out")
    return playable


@contextmanager
def _project(place: Path, project: Path) -> Iterator[Path]:
    """Make a project's folder for the real command, so that Dagster's history here stays as it is."""
    shutil.rmtree(project, ignore_errors=True)
    project.mkdir(parents=True)
    shutil.copy(place / "dagster.yaml", project)
    try:
        yield project
    finally:
        shutil.rmtree(project, ignore_errors=True)


def _progress() -> Progress:
    columns = (
        TextColumn("{task.description:<26}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("faults"),
        TimeElapsedColumn(),
    )
    return Progress(*columns, console=err, transient=True, disable=not err.is_terminal)


def _results_table(results: "list[Result]") -> Any:
    counts = ("missing", "doubled", "wasted")
    shown = table("drill", "fault", "what happened", *counts, right=counts)
    for result in results:
        numbers = [str(getattr(result, name)) for name in counts]
        shown.add_row(result.name, result.happened, *numbers, style="" if result.kept else "red")
    return shown


def _verdict(results: "list[Result]") -> Exit:
    lost = [result for result in results if not result.kept]
    for result in lost:
        for problem in result.problems[:_MOST_NAMED]:
            tell(result.name, problem)
        if len(result.problems) > _MOST_NAMED:
            tell(result.name, f"and {len(result.problems) - _MOST_NAMED} more")
    if lost:
        tell("failed", f"{len(lost)} of {len(results)} faults did harm")
        return Exit.FAILED
    out.print(f"{len(results)} faults: no row missing, none doubled, no request wasted")
    return Exit.COMPLETE
