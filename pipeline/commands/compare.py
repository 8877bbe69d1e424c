"""``pipeline compare``."""

from typing import Annotated

import typer

from pipeline.commands.console import AsJson, Exit, out, print_json, print_table
from pipeline.commands.open_warehouse import open_warehouse

#: Differences that the table shows; JSON has all of them.
_SHOWN = 1000


def compare(
    first: Annotated[str, typer.Argument(metavar="URL", help="A warehouse.")],
    second: Annotated[
        str | None,
        typer.Argument(metavar="URL", help="The other one.", show_default="WAREHOUSE_URL"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare what two warehouses hold. Exit codes: 0: equal. 3: what differs is named."""
    from pipeline.warehouse import comparison

    with open_warehouse(first) as one, open_warehouse(second) as other:
        found = comparison.compare((one, other))
    different = found.differences
    if as_json:
        print_json(found)
    elif different:
        rows = [(each.table, each.id, each.day, each.found_in) for each in different[:_SHOWN]]
        columns = "table", "id", "day", "found in"
        print_table(f"{len(different):,} differences (the first {_SHOWN:,})", columns, rows)
    else:
        out.print(f"equal: {found.activities:,} activities")
    raise typer.Exit(Exit.INCOMPLETE if different else Exit.COMPLETE)
