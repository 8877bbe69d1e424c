"""All faults of the drill, in the order in which they are played."""

from __future__ import annotations

from pipeline.drill.faults import answers, company, databases, logins, payloads, processes

FAULTS = (
    *processes.FAULTS,
    *answers.FAULTS,
    *logins.FAULTS,
    *databases.FAULTS,
    *payloads.FAULTS,
    *company.FAULTS,
)
