"""The bound of a share: known values, and that it holds as often as it promises.

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

from pipeline.sync.intervals import upper_bound


def test_no_share() -> None:
    with pytest.raises(ValueError, match="3 of 2 is no share"):
        upper_bound(3, 2)


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
