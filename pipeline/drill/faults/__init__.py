"""All faults of the drill, by what they hit; `FAULTS` holds them in the order of playing."""

from __future__ import annotations

from pipeline.drill.faults import answers, changes, commits, databases, logins, payloads, processes

FAULTS = (
    *processes.FAULTS,
    *commits.FAULTS,
    *answers.FAULTS,
    *logins.FAULTS,
    *databases.FAULTS,
    *payloads.FAULTS,
    *changes.FAULTS,
)
