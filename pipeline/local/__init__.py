"""What `pipeline demo`, `pipeline dev` and the tests start on this machine."""

from pipeline.local.binaries import LocalPostgresError
from pipeline.local.postgres import LocalPostgres

__all__ = ["LocalPostgres", "LocalPostgresError"]
