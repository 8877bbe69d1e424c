"""The exact confidence interval of a share, and an upper bound that holds at every moment."""

import math
from collections.abc import Callable

#: Halvings of the unit interval: enough for the last bit of a double near 1.
_HALVINGS = 60
#: Rates and weights of the mixture in `upper_bound`; the weights sum up to less than 1. Steep rates are
#: best for few hits, and weigh most.
_MIXTURE = [(-8.0 * 0.5**step, 1.0 / ((step + 1) * (step + 2))) for step in range(16)]


def clopper_pearson(found: int, of: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return the interval of a share when a random sample of ``of`` has ``found`` hits.

    Both ends lie between 0 and 1; for an empty sample they are 0 and 1. Exact: it covers the true
    share with a probability of at least ``confidence``. Raises ValueError unless 0 <= found <= of.

    Source: C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated in
    the case of the binomial", Biometrika 26 (1934), 404-413. With the share of the lower end,
    ``found`` or more hits have half of the remaining probability; with that of the upper end,
    ``found`` or fewer have it.
    """
    if not 0 <= found <= of:
        raise ValueError(f"{found} of {of} is no share")
    if of == 0:
        return 0.0, 1.0
    if found > of - found:
        low, high = clopper_pearson(of - found, of, confidence)
        return 1.0 - high, 1.0 - low
    tail = (1.0 - confidence) / 2
    low = 0.0 if found == 0 else _share_where(found - 1, of, 1.0 - tail)
    return low, _share_where(found, of, tail)


def _share_where(most: int, of: int, probability: float) -> float:
    """Return the share with which at most ``most`` hits in ``of`` have ``probability``.

    The larger the share, the smaller that probability.
    """
    ways = [
        math.lgamma(of + 1) - math.lgamma(seen + 1) - math.lgamma(of - seen + 1)
        for seen in range(most + 1)
    ]
    return _largest(lambda share: _at_most(ways, of, share) > probability)


def _at_most(ways: list[float], of: int, share: float) -> float:
    """Return the probability of fewer than ``len(ways)`` hits; ``ways``: logs of coefficients."""
    yes, no = math.log(share), math.log1p(-share)
    return math.fsum(math.exp(way + seen * yes + (of - seen) * no) for seen, way in enumerate(ways))


def upper_bound(found: int, of: int, confidence: float = 0.95) -> float:
    """Return an upper bound of a share that holds at every moment, however often one looks.

    ``found`` hits in ``of`` draws, summed up over all samples so far. With a probability of at least
    ``confidence`` no bound of the whole series is below the mean of the true shares, at the times of
    the draws, weighted by their number: the share may change between samples. 1 without draws.

    Source: S. R. Howard, A. Ramdas, J. McAuliffe and J. Sekhon, "Time-uniform, nonparametric,
    nonasymptotic confidence sequences", Annals of Statistics 49 (2021), 1055-1080. For each rate
    below 0, ``exp(rate * found) / (1 - share + share * exp(rate)) ** of`` is a supermartingale at the
    true share, and a mixture of several is one. By Ville's inequality it ever exceeds 1 / (1 - confidence)
    with a probability of at most 1 - confidence: a share at which it does is ruled out.
    """
    if not 0 <= found <= of:
        raise ValueError(f"{found} of {of} is no share")
    limit = -math.log(1.0 - confidence)
    # The mixture grows with the share.
    return _largest(lambda share: _log_mixture(found, of, share) < limit)


def _largest(holds: Callable[[float], bool]) -> float:
    """Return the end of the shares, from 0 on, of which something ``holds``: by bisection, rounded up."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        share = (low + high) / 2
        if holds(share):
            low = share
        else:
            high = share
    return high


def _log_mixture(found: int, of: int, share: float) -> float:
    """Return the logarithm of the mixture in `upper_bound`."""
    logs = [
        math.log(weight) + rate * found - of * math.log1p(share * math.expm1(rate))
        for rate, weight in _MIXTURE
    ]
    largest = max(logs)
    return largest + math.log(math.fsum(math.exp(each - largest) for each in logs))
