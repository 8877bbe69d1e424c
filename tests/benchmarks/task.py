"""What a contestant is to do."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from pathlib import Path


@dataclass(frozen=True)
class Task:
    """Mirror ``number`` activities of ``days`` days from ``first`` on into a database.

    ``folder``: where contestants may keep what outlives a run. ``again``: the database holds them
    already, unchanged. ``arguments``: the command line, for the product.
    """

    url: str
    database: str
    folder: Path
    number: int
    days: int
    first: date
    concurrency: int = 16
    again: bool = False
    arguments: tuple[str, ...] = ()

    @property
    def last(self) -> date:
        """The last day."""
        return self.first + timedelta(days=self.days - 1)

    @property
    def settings(self) -> dict[str, str]:
        """The settings of the product for it."""
        return {
            "ACTIVITIES_BASE_URL": self.url,
            "ACTIVITIES_API_KEY": "key",
            "ACTIVITIES_USERNAME": "user",
            "ACTIVITIES_PASSWORD": "password",
            "ACTIVITIES_START_DATE": self.first.isoformat(),
            "ACTIVITIES_MAX_CONCURRENCY": str(self.concurrency),
            "WAREHOUSE_URL": self.database,
        }

    def write(self, file: Path) -> None:
        """Write it for the contestant's process to read."""
        told = asdict(self) | {"folder": str(self.folder), "first": self.first.isoformat()}
        file.write_text(json.dumps(told))

    @classmethod
    def read(cls, file: Path) -> Task:
        """Read what `write` wrote."""
        told = json.loads(file.read_text())
        told |= {
            "folder": Path(told["folder"]),
            "first": date.fromisoformat(told["first"]),
            "arguments": tuple(told["arguments"]),
        }
        return cls(**told)
