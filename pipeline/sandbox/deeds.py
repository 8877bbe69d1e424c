"""The mutations as plain methods, the same in process and over HTTP."""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, Any

from . import mutations as do

if TYPE_CHECKING:
    from .history import Move


class Deeds(abc.ABC):
    """Short forms of `mutate`; each returns the id it was done to."""

    @abc.abstractmethod
    def mutate(self, mutation: do.Mutation) -> str:
        """Do a deed now."""

    def settle(
        self,
        activity_id: str,
        move: Move,
        codes: tuple[str, ...] | None = None,
        message: str = "",
    ) -> str:
        """Accept, decline, cancel, complete or expire; `codes`: what is accepted (None: all)."""
        return self.mutate(do.Settle(id=activity_id, move=move, codes=codes, message=message))

    def enter_status(self, activity_id: str, status: str) -> str:
        """Put an activity in any status, also one nobody knows."""
        return self.mutate(do.EnterStatus(id=activity_id, status=status))

    def edit(self, activity_id: str, **changes: Any) -> str:
        """Edit fields of the details that don't stand in the list row."""
        return self.mutate(do.Edit(id=activity_id, changes=changes))

    def change_entity(self, entity_id: str, **changes: Any) -> str:
        """Rename (`name`), rescore (`score`), unregister (`unregistered`) an entity."""
        return self.mutate(do.ChangeEntity(id=entity_id, changes=changes))

    def delete(self, activity_id: str) -> str:
        """Remove an activity from list and details."""
        return self.mutate(do.Delete(id=activity_id))

    def restore(self, activity_id: str) -> str:
        """Let a deleted activity come back."""
        return self.mutate(do.Restore(id=activity_id))

    def create(
        self,
        *,
        activity_id: str | None = None,
        created_at: int | None = None,
        entity_id: str | None = None,
        type: str | None = None,  # the service's own word
        in_out_bound: str | None = None,
        drawn: bool = True,
    ) -> str:
        """Make an activity (`created_at` in epoch ms, None: now); what isn't given is drawn."""
        return self.mutate(
            do.Create(
                id=activity_id,
                created_at=created_at,
                entity_id=entity_id,
                type=type,
                in_out_bound=in_out_bound,
                drawn=drawn,
            )
        )

    def replace_payload(
        self, activity_id: str, *, row: bytes | None = None, details: bytes | None = None
    ) -> str:
        """Serve raw bytes as list row or details; None: serve it as it should be."""
        return self.mutate(do.ReplacePayload(id=activity_id, row=row, details=details))
