"""A stand-in for the whole Business Activities Service, with made-up data, for trying and testing.

It imports nothing of the pipeline, so that the two can't share an error.
"""

from .answers import Answer, Asked
from .behaviour import Behaviour
from .faults import FaultRule
from .server import Running
from .settings import Credentials, SandboxSettings
from .state import SandboxState, Truth

__all__ = [
    "Answer",
    "Asked",
    "Behaviour",
    "Credentials",
    "FaultRule",
    "Running",
    "SandboxSettings",
    "SandboxState",
    "Truth",
]
