"""What can go wrong with the warehouse.

    WarehouseError
    ├── WarehouseUrlInvalid      WAREHOUSE_URL is not a PostgreSQL URL
    ├── WarehouseUnreachable     no server answers, or the connection was lost and did not come back
    ├── WarehouseRefused         the server answers but lets us not in: password, role, database
    ├── WarehouseTooOld          PostgreSQL older than 15
    ├── SchemaTooNew             the database was migrated by a newer version of this package
    ├── RolesMissing             the server lacks the analysts' roles, and we may not make them
    ├── ExportRefused            no such view, or none that the role may read
    └── WarehouseWriteFailed     a statement failed: disk full, read-only server, missing privilege

Every message is one line that says what is wrong and what to do, and holds neither password nor data.
"""


class WarehouseError(Exception):
    """Base of all errors of the warehouse; ``str()`` is one clear line."""


class WarehouseUrlInvalid(WarehouseError):
    """``WAREHOUSE_URL`` can't be understood."""


class WarehouseUnreachable(WarehouseError):
    """No server answers at that address."""


class WarehouseRefused(WarehouseError):
    """The server answers, but refuses the role, the password or the database."""


class WarehouseTooOld(WarehouseError):
    """The server is older than PostgreSQL 15."""


class SchemaTooNew(WarehouseError):
    """The database holds migrations that this version of the package does not know."""


class RolesMissing(WarehouseError):
    """The server lacks the analysts' roles. ``statements``: the SQL for an administrator."""

    def __init__(self, message: str, statements: list[str]) -> None:
        super().__init__(message)
        self.statements = statements


class ExportRefused(WarehouseError):
    """What is to be exported isn't there, or the role may not read it."""


class WarehouseWriteFailed(WarehouseError):
    """The server could not carry out a statement; nothing of its transaction was kept."""
