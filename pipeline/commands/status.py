"""``pipeline status``: whether the nights happen, for people and for monitors."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from importlib import import_module
from typing import Annotated, Any

import typer

from pipeline.commands.console import AsJson, Exit, UsageWrong, print_json, print_table
from pipeline.commands.open_warehouse import open_warehouse
from pipeline.settings import SettingsInvalid, load_alerting
from pipeline.warehouse.errors import WarehouseError


def status(
    as_json: AsJson = False,
    alert: Annotated[
        bool, typer.Option("--alert", help="Post problems to ACTIVITIES_ALERT_URLS.")
    ] = False,
) -> None:
    """Say whether the nights happen and the daemon is alive. Exit code 0: all is well. 1: not so.

    It needs neither the daemon nor the warehouse, so a timer or monitor outside can call it.
    """
    facts: dict[str, Any] = {"complete_through": None, "quarantined": None}
    problems = [*_of_dagster(facts), *_of_code(), *_of_warehouse(facts)]
    facts |= {"ok": not problems, "problems": problems}
    if as_json:
        print_json(facts)
    else:
        shown = facts | {"problems": "; ".join(problems) or "none"}
        rows = [(name.replace("_", " "), str(value)) for name, value in shown.items()]
        print_table("status", ("what", "found"), rows)
    if alert and problems:
        _post(problems)
    raise typer.Exit(Exit.FAILED if problems else Exit.COMPLETE)


def _of_dagster(facts: dict[str, Any]) -> Iterator[str]:
    from pipeline.assets import watch
    from pipeline.commands.job import open_instance

    now = datetime.now(UTC)
    with open_instance() as instance:
        night = watch.last_good_night(instance)
        silent = watch.silent_daemon(instance, now)
        missed = watch.missed_night(instance, now)
        facts["last_good_night"] = night and night.isoformat(timespec="seconds")
        facts["daemon_alive"] = silent is None
        facts["sends_queued_authorizations"] = watch.sensor_is_on(instance, "authorizations_queued")
        if night is None and missed is None:
            missed = (
                "no night yet: the schedule `nightly` starts them; `pipeline sync` does one now"
            )
        yield from (line for line in (silent, missed) if line)
        yield from watch.failed_ticks(instance)


def _of_code() -> Iterator[str]:
    """Load the code location as Dagster does: where that fails, no schedule and no sensor runs."""
    try:
        import_module("pipeline.definitions")
    except SettingsInvalid as error:
        yield f"Dagster can't load the code location: {error}"
    except Exception as error:  # whatever it is, Dagster could not load it either
        name = type(error).__name__
        yield f"Dagster can't load the code location: {name}; see `dagster definitions validate`"


def _of_warehouse(facts: dict[str, Any]) -> Iterator[str]:
    from pipeline.warehouse.authorizations import count_by_state
    from pipeline.warehouse.coverage import complete_through
    from pipeline.warehouse.quarantine import count_open

    try:
        with open_warehouse(older_too=True) as engine:  # the next night brings it up to date
            through = complete_through(engine)
            facts["complete_through"] = through and through.isoformat()
            facts["quarantined"] = count_open(engine)
            facts["authorizations_queued"] = count_by_state(engine)["queued"]
    except (SettingsInvalid, UsageWrong, WarehouseError) as error:
        yield f"warehouse: {error}"


def _post(problems: list[str]) -> None:
    from pipeline.assets.posting import Alert, post

    with suppress(SettingsInvalid):  # the settings are among the problems already
        for url in load_alerting().urls:
            post(url, Alert("the nights need attention", tuple(problems)))
