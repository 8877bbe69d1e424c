"""A private PostgreSQL on this machine, for demo, dev and the tests."""

from pipeline.local.binaries import LocalPostgresError
from pipeline.local.postgres import LocalPostgres

__all__ = ["LocalPostgres", "LocalPostgresError"]
