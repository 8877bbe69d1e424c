"""What a test or a person can do to the world from outside: one struct for each deed."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from .history import Move  # noqa: TC001  # read by msgspec at run time


class Settle(msgspec.Struct, frozen=True, kw_only=True, tag_field="op", tag="settle"):
    """Let an activity make a move now; `codes` are the requirement codes accepted (None: all)."""

    id: str
    move: Move
    codes: tuple[str, ...] | None = None
    message: str = ""


class EnterStatus(msgspec.Struct, frozen=True, kw_only=True, tag_field="op", tag="enter_status"):
    """Put an activity in any status, also one nobody knows; nothing more will happen to it."""

    id: str
    status: str


class Edit(msgspec.Struct, frozen=True, kw_only=True, tag_field="op", tag="edit"):
    """Edit fields of the details that don't stand in the list row."""

    id: str
    changes: dict[str, Any]


class ChangeEntity(msgspec.Struct, frozen=True, kw_only=True, tag_field="op", tag="change_entity"):
    """Rename, rescore or unregister an entity: fields of the entity object with new values."""

    id: str
    changes: dict[str, Any]


class Delete(msgspec.Struct, frozen=True, kw_only=True, tag_field="op", tag="delete"):
    """Remove an activity from list and details."""

    id: str


class Restore(msgspec.Struct, frozen=True, kw_only=True, tag_field="op", tag="restore"):
    """Let a deleted activity come back."""

    id: str


class Create(msgspec.Struct, frozen=True, kw_only=True, tag_field="op", tag="create"):
    """Make an activity, by default now, with everything not given drawn.

    `id` may be any text. `created_at` is in epoch ms. Without `drawn` nobody will answer it: it
    is canceled at its `valid_until`.
    """

    id: str | None = None
    created_at: Annotated[int, msgspec.Meta(ge=0)] | None = None
    entity_id: str | None = None
    type: str | None = None
    in_out_bound: str | None = None
    drawn: bool = True


class ReplacePayload(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="op", tag="replace_payload"
):
    """Serve these raw bytes (base64 in JSON) as the activity's list row or details.

    What is None is served as it should be. The truth doesn't change.
    """

    id: str
    row: bytes | None = None
    details: bytes | None = None


Mutation = Settle | EnterStatus | Edit | ChangeEntity | Delete | Restore | Create | ReplacePayload
