"""The exact confidence interval of a share."""

import math

#: Halvings of the unit interval: enough for the last bit of a double near 1.
_HALVINGS = 60


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

    By bisection: the larger the share, the smaller that probability.
    """
    ways = [
        math.lgamma(of + 1) - math.lgamma(seen + 1) - math.lgamma(of - seen + 1)
        for seen in range(most + 1)
    ]
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        share = (low + high) / 2
        if _at_most(ways, of, share) > probability:
            low = share
        else:
            high = share
    return (low + high) / 2


def _at_most(ways: list[float], of: int, share: float) -> float:
    """Return the probability of fewer than ``len(ways)`` hits; ``ways``: logs of coefficients."""
    yes, no = math.log(share), math.log1p(-share)
    return math.fsum(math.exp(way + seen * yes + (of - seen) * no) for seen, way in enumerate(ways))
