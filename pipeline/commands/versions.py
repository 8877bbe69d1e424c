"""Which versions of the package and of the warehouse's schema are here."""

from importlib.metadata import version

from pipeline.warehouse.sql import migrations


def versions() -> str:
    """Return the versions of the package and of the schema that it brings, as one line."""
    return f"activity-warehouse {version('activity-warehouse')}, schema {migrations()[-1]}"
