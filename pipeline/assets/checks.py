"""Checks over the stored tables: what every analyst takes for granted."""

import dagster as dg

from pipeline.assets.mirror import MirrorResource
from pipeline.warehouse.invariants import INVARIANTS, Invariant, violations


def _check(invariant: Invariant) -> dg.AssetChecksDefinition:
    @dg.asset_check(
        asset=dg.AssetKey(invariant.table),
        name=invariant.name,
        description=invariant.promise,
    )
    def check(mirror: MirrorResource) -> dg.AssetCheckResult:
        number, sample = violations(mirror.engine, invariant)
        return dg.AssetCheckResult(
            passed=number == 0,
            severity=dg.AssetCheckSeverity.WARN,
            description=f"{number} not so, for example {', '.join(sample)} - {invariant.remedy}"
            if number
            else invariant.promise,
            metadata={"violations": number},
        )

    return check


CHECKS = [_check(invariant) for invariant in INVARIANTS]
