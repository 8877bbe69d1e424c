"""Errors of the warehouse.

    WarehouseError
    ├── WarehouseUrlInvalid      WAREHOUSE_URL is not a PostgreSQL URL
    ├── WarehouseUnreachable     no server answers, or the connection was lost and did not come back
    ├── WarehouseRefused         the server answers but refuses us: password, role, database
    ├── WarehouseUnsuitable      PostgreSQL older than 15, not in UTF-8, behind a pooler of transactions,
    │                            with triggers turned off, or without its record of migrations
    ├── SchemaTooNew             the database was migrated by a newer version of this package
    ├── OthersInTheWay           a migration would break objects that others made
    ├── RolesMissing             the analysts' roles do not exist, and our role cannot create them
    ├── ExportRefused            no such view, or the role cannot read it
    └── WarehouseWriteFailed     a statement failed: disk full, read-only server, missing privilege

Every message is one line: what is wrong and what to do. It never has a password or data.
"""


class WarehouseError(Exception):
    """Base of all errors of the warehouse; ``str()`` is one clear line.

    ``passes``: the same work can succeed in a minute.
    """

    passes = False


class WarehouseUrlInvalid(WarehouseError):
    """``WAREHOUSE_URL`` is not a PostgreSQL URL."""


class WarehouseUnreachable(WarehouseError):
    """No server answers at that address."""


class WarehouseRefused(WarehouseError):
    """The server answers, but refuses the role, the password or the database."""


class WarehouseUnsuitable(WarehouseError):
    """PostgreSQL is too old, without Unicode or behind a pooler; or has no record of its migrations."""


class SchemaTooNew(WarehouseError):
    """The database has migrations that this version of the package does not know."""


class OthersInTheWay(WarehouseError):
    """A migration would break objects that others made; it names them and changes nothing."""


class RolesMissing(WarehouseError):
    """The analysts' roles do not exist. ``statements``: the SQL for an administrator."""

    def __init__(self, message: str, statements: list[str]) -> None:
        super().__init__(message)
        self.statements = statements


class RolesForeign(WarehouseError):
    """The server has roles with the names of ours that we did not make."""


class ExportRefused(WarehouseError):
    """The view does not exist, or the role cannot read it."""


class WarehouseWriteFailed(WarehouseError):
    """A statement failed; its transaction was rolled back."""
