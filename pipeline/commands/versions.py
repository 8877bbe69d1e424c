"""Which versions of the package and of the warehouse's schema are here."""

from importlib.metadata import version

from pipeline.warehouse.sql import shipped


def versions() -> str:
    """Return the versions of the package and of the schema that it brings, as one line."""
    newest = max(file.stem for file in (shipped("sql") / "migrations").glob("[0-9]*.sql"))
    return f"activity-warehouse {version('activity-warehouse')}, schema {newest}"
