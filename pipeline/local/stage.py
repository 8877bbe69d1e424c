"""Starts what `pipeline demo` and `pipeline dev` need: a private PostgreSQL and the sandbox.

Both commands use the folder ``.local``, so that the UI shows what the demo loaded. The sandbox's
clock is the real one. Its data are drawn once, for half a year around the first start.
"""

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from pipeline.local.postgres import LocalPostgres
from pipeline.sandbox import Running, SandboxSettings, SandboxState

FOLDER = ".local"
DATABASE = "activities"

#: Days of data behind and ahead of the first start, and about how many activities a day.
BEHIND, AHEAD, A_DAY = 90, 90, 22


class Story(msgspec.Struct):
    """The first day of the data, and how often they were shown."""

    first_day: dt.date
    shows: int = 0


@dataclass(frozen=True)
class Stage:
    """What is running: the sandbox, the database's URLs, and the story of its data."""

    sandbox: Running
    warehouse_url: str
    analyst_url: str
    story: Story

    def environment(self) -> dict[str, str]:
        """Return the settings that point the pipeline at what is running."""
        state = self.sandbox.state
        return {
            **state.settings.environment(self.sandbox.base_url, state.clock.now()),
            "WAREHOUSE_URL": self.warehouse_url,
        }


@contextmanager
def stage(home: Path) -> Iterator[Stage]:
    """Start both in ``home``/.local and stop them afterwards. Raises ``LocalPostgresError``.

    The first show is of the service as it was a day ago, so that the second one has changes.
    """
    folder = home / FOLDER
    folder.mkdir(exist_ok=True)
    with LocalPostgres(folder / "postgres") as server:
        story, fresh = _story(folder)
        if fresh:
            server.drop_database(DATABASE)
        server.ensure_database(DATABASE)
        settings = SandboxSettings(
            activities=(BEHIND + AHEAD) * A_DAY,
            from_date=story.first_day,
            to_date=story.first_day + dt.timedelta(days=BEHIND + AHEAD - 1),
        )
        state = SandboxState(settings)
        if story.shows == 0:
            state.set_clock(advance_ms=-24 * 3_600_000)
        with Running(state) as running:
            yield Stage(running, server.url(DATABASE), server.url(DATABASE, "analyst"), story)
        story.shows += 1
        _write(folder, story)


def _story(folder: Path) -> tuple[Story, bool]:
    """Return the story so far, or a new one: the first, or because the old one's data ran out."""
    today = dt.datetime.now(dt.UTC).date()
    file = folder / "story.json"
    if file.is_file():
        story = msgspec.json.decode(file.read_bytes(), type=Story)
        if today < story.first_day + dt.timedelta(days=BEHIND + AHEAD):
            return story, False
    story = Story(today - dt.timedelta(days=BEHIND - 1))
    _write(folder, story)
    return story, True


def _write(folder: Path, story: Story) -> None:
    new = folder / "story.json.new"
    new.write_bytes(msgspec.json.encode(story))
    new.replace(folder / "story.json")
