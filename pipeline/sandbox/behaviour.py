"""Switches for everything the specification leaves open, settable at start and at run time."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from .zones import zone_named

Order = Literal["newest", "oldest", "id", "shuffled", "reshuffled"]
InstantForm = Literal["number", "object", "string"]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Count = Annotated[int, msgspec.Meta(ge=0)]


class Behaviour(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How this sandbox decides what nobody knows of the real service.

    The list (specification §4.3):

    - `order`: newest first, oldest first, by id, `shuffled` (stable, by the seed) or
      `reshuffled` (anew on every request).
    - `max_limit` and `over_limit`: a larger `limit` is clamped to it or refused with 400;
      None sets no maximum.
    - `to_day`: `to` means its `whole` day, or only its `midnight` (start of day).
    - `day_zone`: days are cut in the `caller`'s `x-pvt-timezone`, in `utc`, or in a named zone.
    - `trailing_empty_page`: `has_next` is true on the last page, which an empty one follows.
    - `shift_every`: before every so many-th list request an activity is inserted at the newest
      end of the asked range, or the first of its answer deleted (`shift_kind`), `shift_times`
      times at most, counted from when the behaviour was set; 0 never.
    - `stuck`: pages from number `stuck_page` on (0: after the last) are `empty`, or `repeat` the
      page before, with `has_next` true, for `stuck_times` pages (None: for ever).
    - `duplicate_rows`: so many first rows of each page stand at its end again.
    - `hidden_statuses`: activities in these statuses are no longer listed.

    What activities say (§2.4 to §2.6, §3):

    - `silent_edits`: the edits drawn into some histories happen; they show only in the details.
    - `updated_at`: moves with `every` change, or with a change of `status` only.
    - `expired_details`: after `expires_at` the details come `without_data`, `without_arrays`
      (no accepted and declined ones) or are `forbidden` (403).
    - `completed_expires`: COMPLETED turns EXPIRED at `expires_at`; otherwise only its data goes.
    - `unset_fields`: what has not happened yet is `null`, `absent`, `zero` (empty for texts), or
      `mixed` (null or absent, by the activity).
    - `list_instants`, `details_instants`: form of `created_at` and `updated_at`; an object
      carries its number under `instant_key`.
    - `timeline_zone`: `date_time` in `utc` (with Z) or with the offset of the `activity`'s zone.
    - `extra_fields`: every object carries a field the specification doesn't know.
    - `entity_null`: share of the activities whose `entity` is null.
    - `image_bytes`: size of each image in `data.value`, before its base64 encoding.

    Errors and access (§5, §7):

    - `unknown_id_status`, `bad_credentials_status`, `bad_token_status`, `bad_key_status`.
    - `error_bodies`: `json`, `html` or `empty`.
    - `require_phone`: creating an Authorization without `phone` is refused with 400.
    - `token_seconds`: lifetime of a token; `one_token`: a new login ends the earlier tokens.
    - `date_header` on or off; `date_skew_ms` is added to it, `token_skew_ms` to the token's
      `expires_at` as answered.
    - `request_ms`: every request moves the clock on by so much, so that time passes (and tokens
      end) by requests instead of by waiting.
    """

    order: Order = "newest"
    max_limit: Annotated[int, msgspec.Meta(ge=1)] | None = 100
    over_limit: Literal["clamp", "refuse"] = "clamp"
    to_day: Literal["whole", "midnight"] = "whole"
    day_zone: str = "utc"
    trailing_empty_page: bool = False
    shift_every: Count = 0
    shift_kind: Literal["insert", "delete", "both"] = "insert"
    shift_times: Count | None = None
    stuck: Literal["no", "empty", "repeat"] = "no"
    stuck_page: Count = 0
    stuck_times: Count | None = None
    duplicate_rows: Count = 0
    hidden_statuses: tuple[str, ...] = ()

    silent_edits: bool = False
    updated_at: Literal["every", "status"] = "every"
    expired_details: Literal["without_data", "without_arrays", "forbidden"] = "without_data"
    completed_expires: bool = True
    unset_fields: Literal["null", "absent", "zero", "mixed"] = "mixed"
    list_instants: InstantForm = "number"
    details_instants: InstantForm = "number"
    instant_key: str = "value"
    timeline_zone: Literal["utc", "activity"] = "utc"
    extra_fields: bool = False
    entity_null: Share = 0.0
    image_bytes: Count = 180

    unknown_id_status: Literal[403, 404] = 404
    bad_credentials_status: Literal[401, 403] = 401
    bad_token_status: Literal[401, 403] = 401
    bad_key_status: Literal[401, 403] = 403
    error_bodies: Literal["json", "html", "empty"] = "json"
    require_phone: bool = True
    token_seconds: Annotated[float, msgspec.Meta(gt=0)] = 3600.0
    one_token: bool = False
    date_header: bool = True
    date_skew_ms: int = 0
    token_skew_ms: int = 0
    request_ms: Count = 0

    def __post_init__(self) -> None:
        if self.day_zone not in ("utc", "caller"):
            zone_named(self.day_zone)

    def changed(self, **changes: object) -> Behaviour:
        """Return this behaviour with some switches set otherwise, each of them validated."""
        values = msgspec.structs.asdict(self) | changes
        return msgspec.convert(values, Behaviour)


def checked(behaviour: Behaviour) -> Behaviour:
    """Return `behaviour` if every value of it is allowed; msgspec.ValidationError otherwise.

    A struct made in Python isn't checked by its constructor, only decoded ones are.
    """
    return behaviour.changed()
