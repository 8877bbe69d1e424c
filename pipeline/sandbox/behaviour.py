"""Switches for everything that nobody knows of the service, settable at any time."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from .clock import zone_named

Order = Literal["newest", "oldest", "id", "reshuffled"]


class Behaviour(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How this sandbox decides what is unknown of the real service.

    A rule with a `change` (see `faults.FaultRule`) can do everything else to answers.

    The list (docs/service.md 4.3):

    - `order`: newest first, oldest first, by id, or `reshuffled` (another order on every request).
    - `max_limit` and `over_limit`: a larger `limit` is clamped to it or refused with 400;
      None sets no maximum.
    - `to_day`: `to` means its `whole` day, or only its `midnight` (start of day).
    - `day_zone`: days are cut in the `caller`'s `x-pvt-timezone`, in `utc`, or in a named zone.
    - `trailing_empty_page`: `has_next` is true on the last page, which an empty one follows.

    Activities (docs/service.md 2.6):

    - `updated_at`: moves with `every` change, or with a change of `status` only.
    - `expired_details`: after `expires_at` the details come `without_data` or are `forbidden` (403).
    - `completed_expires`: COMPLETED becomes EXPIRED at `expires_at`; otherwise only its data goes.
    - `form`: a function that gives each row and each details, decoded, another form. None: instants
      are numbers, times end with Z, and what has not happened is null or absent, by the activity.

    Errors and access (docs/service.md 7):

    - `unknown_id_status`: 404 or 403.
    - `token_seconds`: lifetime of a token; `one_token`: a new login ends the earlier tokens.
    - `date_skew_ms` is added to the `Date` header, `token_skew_ms` to the `expires_at` of tokens.
    """

    order: Order = "newest"
    max_limit: Annotated[int, msgspec.Meta(ge=1)] | None = 100
    over_limit: Literal["clamp", "refuse"] = "clamp"
    to_day: Literal["whole", "midnight"] = "whole"
    day_zone: str = "utc"
    trailing_empty_page: bool = False

    updated_at: Literal["every", "status"] = "every"
    expired_details: Literal["without_data", "forbidden"] = "without_data"
    completed_expires: bool = True
    # Callable[[dict[str, Any]], dict[str, Any]], which msgspec can't check.
    form: Any = None

    unknown_id_status: Literal[403, 404] = 404
    token_seconds: Annotated[float, msgspec.Meta(gt=0)] = 3600.0
    one_token: bool = False
    date_skew_ms: int = 0
    token_skew_ms: int = 0

    def __post_init__(self) -> None:
        if self.day_zone not in ("utc", "caller"):
            zone_named(self.day_zone)

    def changed(self, **changes: object) -> Behaviour:
        """Return this behaviour with some switches set otherwise.

        Every value is checked, which the constructor doesn't do: msgspec.ValidationError.
        """
        return msgspec.convert(msgspec.structs.asdict(self) | changes, Behaviour)
