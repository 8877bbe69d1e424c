"""Checks of the tables: what every analyst takes for granted."""

from collections.abc import Iterator

import dagster as dg

from pipeline.assets.facts import ACTIVITIES, judge
from pipeline.assets.resource import SyncResource
from pipeline.warehouse.schema.invariants import INVARIANTS, Invariant, violations
from pipeline.warehouse.state import discrepancies, verifications
from pipeline.warehouse.state.verifications import Measured


def _spec(invariant: Invariant) -> dg.AssetCheckSpec:
    asset = dg.AssetKey(["warehouse", invariant.table])
    # The computation of `activities` fills the table, so the check must run after it.
    after = [] if asset == ACTIVITIES else [ACTIVITIES]
    return dg.AssetCheckSpec(
        invariant.name, asset=asset, description=invariant.promise, additional_deps=after
    )


_CHECKS = [*map(_spec, INVARIANTS)]
#: The bound warns above this share, once so many activities were drawn that it can be below, or so many
#: of them were stale that it can't.
_MOST_STALE, _ENOUGH_DRAWN, _ENOUGH_STALE = 0.01, 1000, 3
#: The rule that is broken in earnest where very much was lost or rewritten.
_LOST_MUCH = "details_agree"
_STALE = dg.AssetCheckSpec(
    "stale_share",
    asset=ACTIVITIES,
    description=f"At most {_MOST_STALE:.0%} of the activities are stale, by the samples of all nights.",
)


# One op for all: an op costs a run more than most of these queries do.
@dg.multi_asset_check(name="invariants", specs=[*_CHECKS, _STALE], can_subset=True)
def invariants(
    context: dg.AssetCheckExecutionContext, sync: dg.ResourceParam[SyncResource]
) -> Iterator[dg.AssetCheckResult]:
    """Count the rows that break each of the chosen promises."""
    selected = context.selected_asset_check_keys
    with sync.opened(context.op_execution_context):
        for check, invariant in zip(_CHECKS, INVARIANTS, strict=True):
            if check.key not in selected:
                continue
            number, sample = violations(sync.engine, invariant)
            rows = "1 row breaks" if number == 1 else f"{number} rows break"
            problem = f"{rows} this rule, for example {', '.join(sample)} - {invariant.remedy}"
            serious = check.name == _LOST_MUCH and bool(discrepancies.many_lost(sync.engine))
            counts = {"violations": number}
            yield judge(check, problem if number else None, counts, serious=serious)
        if _STALE.key in selected:
            yield _judge_samples(verifications.so_far(sync.engine))


def _judge_samples(measured: Measured) -> dg.AssetCheckResult:
    bound, drawn, doubtful = measured.stale_upper_bound, measured.sampled, measured.doubtful
    enough = drawn >= _ENOUGH_DRAWN or doubtful >= _ENOUGH_STALE
    remedy = "sync.verifications shows each sample; `pipeline sync --full` reads everything again"
    found = (
        f"at most {bound:.2%} of the activities are stale (95 % bound): of {drawn:,} drawn, {doubtful:,}"
        " were stale or gave no answer that could be stored. What is in doubt: details_agree"
    )
    counts = {"stale_upper_bound": bound, "sampled": drawn, "doubtful": doubtful}
    problem = f"{found} - {remedy}" if bound > _MOST_STALE and enough else None
    return judge(_STALE, problem, counts, found=found)
