"""``pipeline verify``: how much of the warehouse is stale."""

import uuid
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.commands.console import AsJson, Exit, print_json, print_table, tell
from pipeline.settings import load_settings

if TYPE_CHECKING:
    from pipeline.sync.options import Summary
    from pipeline.sync.verify import Sample


def verify(
    sample: Annotated[int, typer.Option(min=1, help="How many activities to fetch again.")] = 100,
    as_json: AsJson = False,
) -> None:
    """Measure how much of the warehouse is stale: fetch a random sample again, and repair it.

    Each night measures a small sample by itself. Exit code 0: nothing in the sample was stale, and all
    answers could be stored. 3: otherwise.
    """
    import asyncio

    from pipeline.commands.job import progress_bar
    from pipeline.service.client import ServiceClient
    from pipeline.sync.run import Mirror
    from pipeline.warehouse.engine import warehouse_engine
    from pipeline.warehouse.migrate import migrate

    settings = load_settings()
    migrate(settings.warehouse_url)

    async def measure() -> "tuple[Summary, Sample]":
        with warehouse_engine(settings.warehouse_url) as engine, progress_bar() as progress:
            async with ServiceClient(settings.service_config()) as client:
                mirror = Mirror(client, engine, settings.timezone, settings.options(), progress)
                return await mirror.verify(str(uuid.uuid4()), sample)

    summary, found = asyncio.run(measure())
    if as_json:
        names = ("sampled", "stale", "refused", "failed", "interval", "bound")
        print_json({name: getattr(found, name) for name in names} | {"problems": summary.problems})
    else:
        _show(found)
    for problem in summary.problems:
        tell("incomplete", problem, "yellow")
    raise typer.Exit(Exit.INCOMPLETE if summary.problems else Exit.COMPLETE)


def _show(found: "Sample") -> None:
    low, high = found.interval
    rows = (
        ("fetched again", found.sampled),
        ("stale, and repaired", found.stale),
        ("refused by the service", found.refused),
        ("without an answer that could be stored", found.failed),
        ("stale share, 95 % interval", f"{low:.2%} to {high:.2%}"),
        ("by all samples so far, 95 % bound", f"at most {found.bound:.2%}"),
    )
    print_table("verify", ("", ""), rows)
