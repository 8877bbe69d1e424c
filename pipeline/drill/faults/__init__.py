"""All faults of the drill, by what they hit; `FAULTS` holds them in the order of playing."""

from __future__ import annotations

from pipeline.drill.faults import postgres, processes, service

FAULTS = (*processes.FAULTS, *service.FAULTS, *postgres.FAULTS)
