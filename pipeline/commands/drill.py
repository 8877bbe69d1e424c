"""``pipeline drill``."""

from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import track
from rich.text import Text

from pipeline.commands.console import Exit, UsageWrong, err, out, print_table, tell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.drill.play import Result
    from pipeline.drill.trial import Fault

#: Problems of one fault that are printed; of the others only their number.
_MOST_PRINTED = 5


def drill(
    names: Annotated[
        list[str] | None, typer.Argument(help="Faults to play. Default: all.", metavar="NAME")
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the faults and exit.")] = False,
    database_url: Annotated[
        str | None,
        typer.Option(
            "--database-url",
            help="A server on which this role may create databases. Default: a private server.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Break the mirror on purpose: play faults against a made-up service and scratch databases.

    After each fault a plain run finishes, and the warehouse is compared with what the service returns.
    Exits with 0 only if nothing was lost, doubled or fetched more often than promised.
    """
    from pipeline.drill.faults import FAULTS

    if listed:
        names_and_deeds = [(fault.name, fault.what) for fault in FAULTS]
        print_table("faults", ("name", "what it does"), names_and_deeds)
        return
    faults = _choose(FAULTS, names or [], private=database_url is None)
    results = _play(faults, database_url)
    _print_results(results)
    raise typer.Exit(_judge(results))


def _choose(faults: "Sequence[Fault]", names: list[str], *, private: bool) -> "list[Fault]":
    """Return the faults to play. Only a private server may be killed: say which faults that leaves out."""
    known = {fault.name: fault for fault in faults}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise UsageWrong(f"no such fault: {', '.join(unknown)}; `pipeline drill --list` names them")
    playable = []
    for name in dict.fromkeys(names or known):
        if known[name].own_server and not private:
            tell("left out", f"{name}: it needs a private server", "yellow")
        else:
            playable.append(known[name])
    if not playable:
        raise UsageWrong("no fault is left to play: run without --database-url")
    return playable


def _play(faults: "list[Fault]", database_url: str | None) -> "list[Result]":
    from pipeline.commands.home import home
    from pipeline.drill.databases import plain, scratch_databases
    from pipeline.drill.play import play
    from pipeline.local import LocalPostgresError
    from pipeline.local.stage import FOLDER

    project = home()
    try:
        with scratch_databases(project / FOLDER / "drill", database_url) as databases:
            results = []
            for fault in track(
                faults, "faults", console=err, transient=True, disable=not err.is_terminal
            ):
                with databases.fresh() as url:
                    results.append(play(fault, plain(url), project, databases.server))
            return results
    except LocalPostgresError as error:
        raise UsageWrong(str(error)) from None


def _print_results(results: "list[Result]") -> None:
    rows = [
        (
            Text(result.name, "red" if result.problems else ""),
            result.happened,
            *(result.missing, result.doubled, result.wasted),
        )
        for result in results
    ]
    print_table("drill", ("fault", "what happened", "missing", "doubled", "wasted"), rows)


def _judge(results: "list[Result]") -> Exit:
    harmful = [result for result in results if result.problems]
    for result in harmful:
        for problem in result.problems[:_MOST_PRINTED]:
            tell(result.name, problem)
        if len(result.problems) > _MOST_PRINTED:
            tell(result.name, f"and {len(result.problems) - _MOST_PRINTED} more")
    if harmful:
        tell("failed", f"{len(harmful)} of {len(results)} faults did harm")
        return Exit.FAILED
    out.print(f"{len(results)} faults: no row missing, none doubled, no request wasted")
    return Exit.COMPLETE
