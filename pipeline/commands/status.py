"""``pipeline status``: whether the nights happen and all is well, for people and for monitors."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from pipeline.commands.console import AsJson, Exit, print_json, print_table
from pipeline.commands.home import home, nearly_full
from pipeline.commands.open_warehouse import open_warehouse
from pipeline.settings import SettingsInvalid, load_alerting
from pipeline.times import here

#: All facts; what can't be read stays None.
_FACTS = (
    *("last_good_night", "daemon_alive", "sends_queued_authorizations"),
    *("complete_through", "quarantined", "authorizations_queued"),
)


def status(
    as_json: AsJson = False,
    alert: Annotated[
        bool, typer.Option("--alert", help="Post problems to ACTIVITIES_ALERT_URLS.")
    ] = False,
) -> None:
    """Say whether the nights happen and nothing stands still. Call it from a timer or a monitor.

    What can't be read is itself a problem. Exit codes: 0: all is well. 1: somebody must act. 3: only
    activities or days are named that are not complete.
    """
    facts: dict[str, Any] = dict.fromkeys(_FACTS)
    named: list[str] = []
    problems = [
        *_guarded("Dagster can't load the code location", _of_code()),
        *_guarded("Dagster's history can't be read", _of_dagster(facts)),
        *_guarded("the warehouse can't be read", _of_warehouse(facts, named)),
    ]
    if None not in (facts["daemon_alive"], facts["quarantined"]):  # both can be read
        problems += _guarded("Dagster's history can't be read", _of_both())
    told = [*problems, *named]
    facts["ok"] = not told
    if as_json:
        print_json(facts | {"problems": told})
    else:
        rows = [(name.replace("_", " "), value) for name, value in facts.items()]
        rows += [("problem", line) for line in told]
        print_table("status", ("", ""), rows)
    if alert and told:
        from pipeline.assets.posting import Alert, post

        for url in _addresses():
            post(url, Alert("the nights need attention", tuple(told)))
    raise typer.Exit(Exit.FAILED if problems else Exit.INCOMPLETE if told else Exit.COMPLETE)


def _guarded(what: str, lines: Iterator[str]) -> Iterator[str]:
    from pipeline.commands.failures import guarded

    return guarded(lines, lambda line: f"{what}: {line}")


def _of_code() -> Iterator[str]:
    """Load the code location as Dagster does: where that fails, no schedule and no sensor runs."""
    import_module("pipeline.definitions")
    yield from ()


def _of_dagster(facts: dict[str, Any]) -> Iterator[str]:
    if full := nearly_full(home()):
        yield f"the disk of Dagster's history is nearly full: {full}"
    from pipeline.assets import watch
    from pipeline.assets.rhythm import crons
    from pipeline.commands.job import open_instance

    now = datetime.now(UTC)
    with open_instance() as instance:
        night = watch.last_good(instance)
        silent = list(watch.silent_daemon(instance, now))
        nights = [*watch.failed_night(instance), *watch.missed_night(instance, now)]
        facts["last_good_night"] = night and here(night).replace(microsecond=0)
        facts["daemon_alive"] = not silent
        facts["sends_queued_authorizations"] = any(  # the sensor is off by default
            state.name == "authorizations_queued" and state.status.value == "RUNNING"
            for state in instance.all_instigator_state()
        )
        yield from [*silent, *nights]
        if not (night or nights):
            yield "no night yet: the schedule `nightly` starts them; `pipeline sync` does one now"
        yield from watch.switches(instance, *crons(), *(["alerts"] if _addresses() else []))
        yield from watch.standing_still(instance, now)


def _of_warehouse(facts: dict[str, Any], named: list[str]) -> Iterator[str]:
    """Yield problems, and add to ``named`` what every run names and no person has ended."""
    from pipeline.sync.accounting import name_problems
    from pipeline.warehouse.database.server import data_folder
    from pipeline.warehouse.requests.authorizations import count_by_state, name_unclear
    from pipeline.warehouse.state import coverage, runs
    from pipeline.warehouse.state.quarantine import are_many, commonest, count_open

    with open_warehouse() as engine:
        facts["complete_through"] = coverage.complete_through(engine)
        facts["quarantined"] = number = count_open(engine)
        facts["authorizations_queued"] = count_by_state(engine)["queued"]
        named += name_unclear(engine, datetime.now(UTC))
        folder, many, reasons = data_folder(engine), are_many(engine), commonest(engine)
        days = [day for day in coverage.between(engine).values() if not day.complete]
        running = any(row["status"] == "running" for row in runs.recent(engine))
    if number:
        named += [f"{reasons}; `pipeline quarantine list` shows them"]
    if not running:  # days are not complete while a run works on them
        named += [f"{line}: `pipeline sync` reads it again" for line in name_problems(days[::-1])]
    if many:
        yield f"so many activities are in quarantine that one cause is likely: {reasons}"
    if folder and (full := nearly_full(Path(folder))):
        yield f"the disk of the warehouse is nearly full: {full}"


def _of_both() -> Iterator[str]:
    from pipeline.assets.history import another_warehouse
    from pipeline.commands.job import open_instance

    with open_warehouse() as engine, open_instance() as instance:
        yield from another_warehouse(instance, engine)


def _addresses() -> tuple[str, ...]:
    """Return where problems are posted: nowhere with wrong settings, which are a problem themselves."""
    with suppress(SettingsInvalid):
        return load_alerting().alert_urls
    return ()
