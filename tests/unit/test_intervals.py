"""Intervals of shares: known values, and that they hold as often as they promise.

Clause 5 of docs/guarantees.md.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from functools import partial
from itertools import accumulate
from operator import lt
from random import Random

import pytest

from pipeline.sync.intervals import clopper_pearson, upper_bound


@pytest.mark.parametrize("of", [1, 7, 60, 400])
def test_the_interval_leaves_half_of_the_rest_on_each_side(of: int) -> None:
    for found in range(0, of + 1, max(1, of // 7)):
        low, high = clopper_pearson(found, of)
        assert 0 <= low <= found / of <= high <= 1
        if found > 0:
            assert at_least(found, of, low) == pytest.approx(0.025, abs=1e-9)
        if found < of:
            assert 1 - at_least(found + 1, of, high) == pytest.approx(0.025, abs=1e-9)


def test_no_share() -> None:
    for interval in (clopper_pearson, upper_bound):
        with pytest.raises(ValueError, match="3 of 2 is no share"):
            interval(3, 2)


def at_least(found: int, of: int, share: float) -> float:
    terms = (
        math.comb(of, seen) * share**seen * (1 - share) ** (of - seen)
        for seen in range(found, of + 1)
    )
    return math.fsum(terms)


@pytest.mark.parametrize(("found", "of", "bound"), [(0, 0, 1.0), (1, 1, 1.0), (400, 400, 1.0)])
def test_without_evidence_everything_may_be_stale(found: int, of: int, bound: float) -> None:
    assert upper_bound(found, of) == bound


@pytest.mark.parametrize(("found", "of"), [(1, 100), (5, 1000), (50, 100), (1000, 100_000)])
def test_the_bound_is_where_the_mixture_reaches_twenty(found: int, of: int) -> None:
    share = upper_bound(found, of)
    mixture = math.fsum(
        math.exp(rate * found - of * math.log(1 - share + share * math.exp(rate)))
        / ((step + 1) * (step + 2))
        for step, rate in enumerate(-8.0 / 2**step for step in range(16))
    )
    assert mixture == pytest.approx(20)
    assert clopper_pearson(found, of)[1] < share


@pytest.mark.parametrize("shares", [(0.002,), (0.05,), (0.5,), (0.3, 0.001), (0.001, 0.3)])
def test_the_bound_holds_at_every_moment(shares: tuple[float, ...]) -> None:
    """Also when the share changes on the way; the bound is one of its mean until then."""
    random, streams, draws, broken = Random(7), 2000, 200, 0
    true = [shares[of * len(shares) // draws] for of in range(draws)]
    # At each moment: how many must be found at least, so that the bound is not below the mean.
    least = [
        bisect_left(range(of + 1), sum(true[:of]) / of, key=partial(upper_bound, of=of))
        for of in range(1, draws + 1)
    ]
    for _ in range(streams):
        found = accumulate(random.random() < share for share in true)
        broken += any(map(lt, found, least))
    assert broken <= 0.05 * streams
