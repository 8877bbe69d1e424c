"""The Business Activities Service itself, whole, with made-up data, for trying and testing.

It imports nothing of the pipeline, so that the two can't share an error.
"""

from .behaviour import Behaviour
from .faults import FaultRule
from .parking import Parking
from .process import SandboxProcess
from .remote import RemoteControls, RemoteParking
from .server import Running, Sandbox, run_server
from .serving import serve_forever
from .settings import Credentials, SandboxSettings
from .state import SandboxState, Truth

__all__ = [
    "Behaviour",
    "Credentials",
    "FaultRule",
    "Parking",
    "RemoteControls",
    "RemoteParking",
    "Running",
    "Sandbox",
    "SandboxProcess",
    "SandboxSettings",
    "SandboxState",
    "Truth",
    "run_server",
    "serve_forever",
]
