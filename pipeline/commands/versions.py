"""Which versions of the package and of the warehouse's schema are here."""

from pipeline import __version__
from pipeline.warehouse.database.sql import migrations


def versions() -> str:
    """Return the versions of the package and of the schema that it brings, as one line."""
    return f"activity-warehouse {__version__}, schema {migrations()[-1]}"
