"""``pipeline doctor``: checks settings, service, warehouse, alerts and Dagster. A table with remedies."""

from typing import Annotated

import typer
from rich.text import Text

from pipeline.commands.console import AsJson, Exit, print_json, print_table

_RESULTS = {True: Text("pass", "green"), None: Text("warn", "yellow"), False: Text("FAIL", "red")}


def doctor(
    test_alert: Annotated[
        bool, typer.Option("--test-alert", help="Post a message to the addresses of alerts.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check settings, credentials, reachability, versions, page size and clocks.

    Exit code 0: all is well, but for warnings. 1: something failed. 2: a setting is missing or wrong.
    """
    from pipeline.commands.findings import examine

    found = list(examine(test_alert=test_alert))
    rows = [(what, _RESULTS[passed], text) for what, text, passed in found]
    if as_json:
        print_json(
            [
                {"what": what, "result": result.plain.lower(), "found": text}
                for what, result, text in rows
            ]
        )
    else:
        print_table("doctor", ("", "", ""), rows)
    failed = {what for what, _, passed in found if passed is False}
    if failed:
        raise typer.Exit(Exit.USAGE if failed & {"settings", "alerts"} else Exit.FAILED)
