"""Checks of the tables: what every analyst takes for granted."""

from collections.abc import Iterator

import dagster as dg

from pipeline.assets.facts import ACTIVITIES
from pipeline.assets.mirror import OpenMirror, failure
from pipeline.warehouse.errors import WarehouseError
from pipeline.warehouse.invariants import INVARIANTS, Invariant, violations


def _spec(invariant: Invariant) -> dg.AssetCheckSpec:
    asset = dg.AssetKey(["warehouse", invariant.table])
    # The computation of `activities` fills the table, so the check must run after it.
    after = [] if asset == ACTIVITIES else [ACTIVITIES]
    return dg.AssetCheckSpec(
        invariant.name, asset=asset, description=invariant.promise, additional_deps=after
    )


# One op for all: an op costs a run more than most of these queries do.
@dg.multi_asset_check(
    name="invariants", specs=[_spec(each) for each in INVARIANTS], can_subset=True
)
def invariants(
    context: dg.AssetCheckExecutionContext, mirror: dg.ResourceParam[OpenMirror]
) -> Iterator[dg.AssetCheckResult]:
    """Count the rows that break each of the chosen promises."""
    for invariant in INVARIANTS:
        if _spec(invariant).key in context.selected_asset_check_keys:
            try:
                yield _judge(invariant, *violations(mirror.engine, invariant))
            except WarehouseError as error:
                raise failure(error) from None


def _judge(invariant: Invariant, number: int, sample: list[str]) -> dg.AssetCheckResult:
    rows = "1 row breaks" if number == 1 else f"{number} rows break"
    return dg.AssetCheckResult(
        asset_key=_spec(invariant).asset_key,
        check_name=invariant.name,
        passed=number == 0,
        severity=dg.AssetCheckSeverity.WARN,
        description=f"{rows} this rule, for example {', '.join(sample)} - {invariant.remedy}"
        if number
        else invariant.promise,
        metadata={"violations": number},
    )
