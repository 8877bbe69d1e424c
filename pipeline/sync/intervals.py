"""An upper bound of a share that holds at every moment."""

import math

#: Halvings of the unit interval: enough for the last bit of a double near 1.
_HALVINGS = 60
#: Rates and weights of the mixture in `upper_bound`; the weights sum up to less than 1. Steep rates are
#: best for few hits, and weigh most.
_MIXTURE = [(-8.0 * 0.5**step, 1.0 / ((step + 1) * (step + 2))) for step in range(16)]


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
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):  # the mixture grows with the share
        share = (low + high) / 2
        if _log_mixture(found, of, share) < limit:
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
