"""Checks over the stored tables: what every analyst takes for granted."""

from collections.abc import Iterator

import dagster as dg

from pipeline.assets.mirror import MirrorResource
from pipeline.warehouse.errors import WarehouseError
from pipeline.warehouse.invariants import INVARIANTS, Invariant, violations


def _spec(invariant: Invariant) -> dg.AssetCheckSpec:
    return dg.AssetCheckSpec(
        invariant.name, asset=dg.AssetKey(invariant.table), description=invariant.promise
    )


# One op for all: each op costs a run more than most of these queries do.
@dg.multi_asset_check(
    name="invariants", specs=[_spec(each) for each in INVARIANTS], can_subset=True
)
def invariants(
    context: dg.AssetCheckExecutionContext, mirror: MirrorResource
) -> Iterator[dg.AssetCheckResult]:
    """Count what breaks each of the promises chosen."""
    for invariant in INVARIANTS:
        if _spec(invariant).key in context.selected_asset_check_keys:
            try:
                yield _judged(invariant, *violations(mirror.engine, invariant))
            except WarehouseError as error:
                raise dg.Failure(str(error), allow_retries=False) from None


def _judged(invariant: Invariant, number: int, sample: list[str]) -> dg.AssetCheckResult:
    return dg.AssetCheckResult(
        asset_key=invariant.table,
        check_name=invariant.name,
        passed=number == 0,
        severity=dg.AssetCheckSeverity.WARN,
        description=f"{number} not so, for example {', '.join(sample)} - {invariant.remedy}"
        if number
        else invariant.promise,
        metadata={"violations": number},
    )
