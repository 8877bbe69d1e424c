"""The real ``pipeline ui``, driven by its GraphQL API as the UI does."""

from __future__ import annotations

import os
import random
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import httpx

from tests.support.commands import Command, eventually, processes_in

if TYPE_CHECKING:
    from tests.support.commands import Project

_LOADED = "{ repositoriesOrError { ... on RepositoryConnection { nodes { name } } } }"
_LAUNCH = """mutation($p: LaunchBackfillParams!) { launchPartitionBackfill(backfillParams: $p) {
    __typename ... on LaunchBackfillSuccess { backfillId } ... on PythonError { message } } }"""
_TERMINATE = """mutation($id: String!) { terminateRun(runId: $id) {
    __typename ... on TerminateRunFailure { message } } }"""
_SHOWN = """{ assetNodeOrError(assetKey: { path: ["warehouse", "activities"] }) { ... on AssetNode {
    assetPartitionStatuses { ... on TimePartitionStatuses { ranges { startKey endKey status } } } } } }"""
_RUNS = "{ runsOrError { ... on Runs { results { runId status jobName tags { key value } } } } }"

#: The command itself: with `python -m`, a folder's own package `pipeline` would take its place.
PROGRAM = str(Path(sys.executable).with_name("pipeline"))

#: Seconds between two looks: each costs Dagster's webserver as much CPU as a page of the UI.
_PAUSE = 0.5


#: Python runs this in each process: the daemon looks after backfills more often, the code may be broken.
_STARTED = """
import os, sys
if any(each.endswith("dagster-daemon") for each in sys.orig_argv):
    import dagster._daemon.controller
    dagster._daemon.controller.DEFAULT_DAEMON_INTERVAL_SECONDS = float(os.environ["BACKFILLS_EACH"])
if "grpc" in sys.orig_argv and os.environ.get("CODE") == "broken":
    sys.exit("the code is broken")
"""


def backfills_each_second(folder: Path) -> dict[str, str]:
    """Return settings with which Dagster's daemon looks after backfills each second, not each 30.

    It does so each ``BACKFILLS_EACH`` seconds. With ``CODE`` ``broken`` it can't load the code.
    """
    place = folder / "each-second"
    place.mkdir()
    (place / "sitecustomize.py").write_text(_STARTED, encoding="utf-8")
    return {"PYTHONPATH": str(place), "BACKFILLS_EACH": "1"}


def free_port() -> int:
    """Return a port that nobody listens on now, and that no system hands out by itself."""
    while True:
        port = random.SystemRandom().randrange(20_000, 30_000)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


class DagsterDev:
    """``pipeline ui`` or ``dev`` in a project's folder; a context manager that ends it as Ctrl-C does."""

    def __init__(self, project: Project, command: str = "ui") -> None:
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self._folder = project.folder
        self._client = httpx.Client(verify=False, trust_env=False, timeout=60)  # noqa: S501 - no TLS here
        self.command = Command(
            [PROGRAM, command, "--port", str(port)],
            project.folder,
            project.environment(),
        )

    def __enter__(self) -> Self:
        try:
            eventually(self._nodes, "the UI has loaded the code", 240, pause=_PAUSE)
        except BaseException:
            self.kill()  # its processes are not all in the command's group
            self.command.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.command.send(signal.SIGINT)
        try:
            self.command.end(90)
        finally:
            self.command.__exit__()
            self._client.close()

    def ask(self, query: str, **variables: Any) -> dict[str, Any]:
        """Ask the GraphQL API; errors fail the test."""
        assert self.command.process.poll() is None, self.command.said
        wish = {"query": query, "variables": variables}
        answer = self._client.post(f"{self.url}/graphql", json=wish).json()
        assert answer.keys() == {"data"}, answer
        data: dict[str, Any] = answer["data"]
        return data

    def launch(self, days: list[str]) -> str:
        """Launch a backfill of days; returns its id."""
        wish = {"assetSelection": [{"path": ["warehouse", "activities"]}], "partitionNames": days}
        launched = self.ask(_LAUNCH, p=wish)["launchPartitionBackfill"]
        assert launched["__typename"] == "LaunchBackfillSuccess", launched
        return str(launched["backfillId"])

    def terminate(self, run_id: str) -> None:
        """Ask for a run's end, as the UI's Terminate does."""
        answer = self.ask(_TERMINATE, id=run_id)["terminateRun"]
        assert answer["__typename"] == "TerminateRunSuccess", answer

    def runs(self) -> list[dict[str, Any]]:
        """Return the runs in the history, newest first; tags as a dict."""
        found: list[dict[str, Any]] = self.ask(_RUNS)["runsOrError"]["results"]
        for run in found:
            run["tags"] = {tag["key"]: tag["value"] for tag in run["tags"]}
        return found

    def shown(self) -> list[tuple[tuple[str, str], str]]:
        """Return the days that are shown as green or red, in ranges, with their status."""
        found = self.ask(_SHOWN)["assetNodeOrError"]["assetPartitionStatuses"]["ranges"]
        return [((each["startKey"], each["endKey"]), each["status"]) for each in found]

    def idle(self) -> bool:
        """Whether no run is under way."""
        ended = {"SUCCESS", "FAILURE", "CANCELED"}
        return all(run["status"] in ended for run in self.runs())

    def kill(self) -> None:
        """Kill it with all its processes, as a power cut would."""
        while left := processes_in(self._folder):
            for process in left:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            self.command.process.wait()

    def _nodes(self) -> list[Any] | None:
        try:
            nodes: list[Any] | None = self.ask(_LOADED)["repositoriesOrError"].get("nodes")
        except httpx.TransportError:
            return None
        return nodes or None
