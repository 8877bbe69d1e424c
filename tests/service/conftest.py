"""Properties are tried without a time limit: the machine may be busy with other things."""

from hypothesis import settings

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
