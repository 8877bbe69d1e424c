"""``python -m tests.benchmarks.versions BEFORE NOW``: what two checkouts cost on a well-behaved service.

Each given folder is a checkout with another version of ``pipeline/``. All versions mirror the same
sandbox: a first load, then an ordinary night. For the night, 50 activities are new and 50 have changed
since everything was seen. Counted are the requests that the sandbox got, and the CPU of whole processes,
from start to exit, without PostgreSQL's. Prints a table, and writes it to ``results/versions.md``.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections import Counter
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from typing import TYPE_CHECKING

import psycopg

from pipeline.local import LocalPostgres
from pipeline.sandbox import Running, SandboxSettings, SandboxState
from tests.benchmarks.arena import children_cpu
from tests.support.deeds import DEEDS
from tests.support.postgres import discard, fresh_database, session_folder

if TYPE_CHECKING:
    from collections.abc import Iterator


_RESULTS = Path(__file__).with_name("results") / "versions.md"
_MINUTE_MS = 60_000
#: So long that the walk of the oldest days, which clause 8 of the guarantees asks for, is left out.
_NO_AUDIT = {"ACTIVITIES_AUDIT_DAYS": "3660"}

#: Row of the table, and the bound on its ratio if there is one.
ROWS = {
    "first load: requests": 1.1,
    "first load: list requests": None,
    "first load: CPU, s": 1.1,
    "night: requests, without audit and sample": 1.25,
    "night: list requests of them": None,
    "night: more list requests with the audit": None,
    "night: details requests of the sample": None,
    "night: CPU, s": None,
    "night: CPU without audit, s": 1.1,
}


@dataclass
class Version:
    """A checkout, and its figures by row of the table, one of each round."""

    checkout: Path
    figures: dict[str, list[float]] = field(default_factory=lambda: {name: [] for name in ROWS})

    def note(self, name: str, figure: float) -> None:
        """Add a figure to a row."""
        self.figures[f"{name}"].append(figure)


@dataclass(frozen=True)
class Place:
    """A database and a folder with Dagster's files, for one version."""

    server: LocalPostgres
    database: str
    folder: Path

    @contextmanager
    def copied(self) -> Iterator[Place]:
        """Make a copy of both, and remove it after."""
        with fresh_database(self.server, self.database) as name:
            folder = self.folder.with_name(name)
            shutil.copytree(self.folder, folder)
            yield Place(self.server, name, folder)
            shutil.rmtree(folder)

    def run(self, version: Version, service: Running, *arguments: str, **more: str) -> Cost:
        """Run ``pipeline`` of the version to its end. Raises RuntimeError when it does not end 0."""
        settings = service.state.settings.environment(service.base_url, service.state.clock.now())
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        home = {"HOME": str(self.folder), "DAGSTER_HOME": str(self.folder)}
        paths = {
            "PYTHONPATH": str(version.checkout),
            "WAREHOUSE_URL": self.server.url(self.database),
        }
        service.state.reset_counters()
        before = children_cpu()
        done = subprocess.run(
            [sys.executable, "-m", "pipeline", *arguments],
            cwd=self.folder,
            env=kept | home | settings | paths | more,
            capture_output=True,
            text=True,
        )
        cpu = children_cpu() - before
        if done.returncode:
            raise RuntimeError(f"{version.checkout}: {done.stdout[-2000:]}{done.stderr[-4000:]}")
        return Cost(cpu, Counter(service.state.counters().by_operation), self._sampled())

    def _sampled(self) -> int:
        with psycopg.connect(self.server.url(self.database)) as session:
            row = session.execute(
                "select coalesce(sum(sampled), 0) from sync.verifications"
            ).fetchone()
        return int(row[0]) if row else 0


@dataclass(frozen=True)
class Cost:
    """CPU seconds of a process, its requests by operation, and the size of all samples until then."""

    cpu: float
    requests: Counter[str]
    sampled: int


def measure(versions: list[Version], number: int, days: int, rounds: int) -> None:
    """Add to each version's figures what ``number`` activities over ``days`` days cost it."""
    settings = SandboxSettings(activities=number, days=days, frozen=True)
    with ExitStack() as stack:
        folder = stack.enter_context(session_folder())
        server = LocalPostgres(folder / "server", settings={"autovacuum": "off"})
        stack.callback(discard, server)
        server.start()
        service = stack.enter_context(Running(SandboxState(settings)))
        loaded: dict[Path, Place] = {}
        for round_ in range(rounds):
            for version in versions[:: -1 if round_ % 2 else 1]:
                place = stack.enter_context(_migrated(server, folder, version, service))
                _note_load(version, place.run(version, service, "sync", "--from", _first(service)))
                loaded[version.checkout] = place
        nights: list[tuple[Version, Place, Place]] = []
        for round_ in range(rounds):
            for version in versions[:: -1 if round_ % 2 else 1]:
                place = loaded[version.checkout]
                audited, bare = [stack.enter_context(place.copied()) for _ in range(2)]
                for copy in (audited, bare):
                    # Not counted: it learns where the service's days begin, and that its database is
                    # a copy, for which it walks everything.
                    copy.run(version, service, "sync")
                nights.append((version, audited, bare))
        _change(service)
        for version, audited, bare in nights:
            _note_night(version, audited, bare, service)


@contextmanager
def _migrated(
    server: LocalPostgres, folder: Path, version: Version, service: Running
) -> Iterator[Place]:
    with fresh_database(server) as name:
        place = Place(server, name, folder / name)
        place.folder.mkdir()
        for file in ("dagster.yaml", "workspace.yaml"):
            shutil.copy(version.checkout / file, place.folder / file)
        place.run(version, service, "migrate")
        yield place


def _first(service: Running) -> str:
    now = service.state.clock.now()
    return service.state.settings.environment("", now)["ACTIVITIES_START_DATE"]


def _change(service: Running) -> None:
    """Make 50 activities, and change 50 others."""
    state, random, changed = service.state, Random(1), set[str]()
    state.set_clock(advance_ms=_MINUTE_MS)
    for _ in range(50):
        state.create(drawn=False)
    while len(changed) < 50:
        changed.add(DEEDS["settle"](state, random).split()[0])
    # A pass leaves aside what is younger than its beginning.
    state.set_clock(advance_ms=_MINUTE_MS)


def _note_load(version: Version, cost: Cost) -> None:
    version.note("first load: requests", cost.requests.total())
    version.note("first load: list requests", cost.requests["list"])
    version.note("first load: CPU, s", cost.cpu)


def _note_night(version: Version, audited: Place, bare: Place, service: Running) -> None:
    before = audited._sampled()
    whole = audited.run(version, service, "sync")
    sampled = whole.sampled - before
    before = bare._sampled()
    least = bare.run(version, service, "sync", **_NO_AUDIT)
    rest = least.requests.total() - (least.sampled - before)
    version.note("night: requests, without audit and sample", rest)
    version.note("night: list requests of them", least.requests["list"])
    version.note(
        "night: more list requests with the audit", whole.requests["list"] - least.requests["list"]
    )
    version.note("night: details requests of the sample", sampled)
    version.note("night: CPU, s", whole.cpu)
    version.note("night: CPU without audit, s", least.cpu)


def table(number: int, days: int, before: Version, now: Version) -> str:
    """Return the medians of both versions side by side, with their ratios and bounds."""
    lines = [
        f"| {number:,} activities over {days} days | before | now | ratio | bound | |",
        "| --- | ---: | ---: | ---: | ---: | --- |",
    ]
    for name, bound in ROWS.items():
        old, new = (median(each.figures[name]) for each in (before, now))
        shown = [f"{each:,.1f}" if "CPU" in name else f"{each:,.0f}" for each in (old, new)]
        ratio = new / old if old else None
        verdict = ("met" if ratio <= bound else "**missed**") if bound and ratio else ""
        limits = [f"{ratio:.2f}" if ratio is not None else "", f"≤ {bound}" if bound else ""]
        lines.append(f"| {name} | {' | '.join((*shown, *limits, verdict))} |")
    return "\n".join(lines)


def main() -> None:
    """Read the command line, measure, print the tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.versions")
    parser.add_argument("before", type=Path, help="folder of the checkout to compare with")
    parser.add_argument("now", type=Path, help="folder of the checkout that is judged")
    parser.add_argument("--activities", type=int, default=10_000)
    parser.add_argument("--days", type=int, nargs="+", default=[30, 300])
    parser.add_argument("--runs", type=int, default=3, help="of which medians are taken (3)")
    parser.add_argument("--output", type=Path, default=_RESULTS)
    chosen = parser.parse_args()
    tables = []
    for days in chosen.days:
        versions = [Version(each.resolve()) for each in (chosen.before, chosen.now)]
        measure(versions, chosen.activities, days, chosen.runs)
        tables.append(table(chosen.activities, days, *versions))
        print(f"{tables[-1]}\n", flush=True)  # noqa: T201
    chosen.output.write_text("\n\n".join(tables) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
