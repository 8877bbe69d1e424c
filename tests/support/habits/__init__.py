"""The catalogue of habits: what a service may do otherwise, one name each.

`answers` and `lists` change answers; the oracle draws from `drawn`; `tests.support.profiles` puts decent
ones together; a single test puts one in force by `state.set_faults(rule(...))`.
"""
