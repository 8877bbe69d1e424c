"""Forms that a service may give to its rows and details (`Behaviour.form` of the sandbox)."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

Document = dict[str, Any]
Instant = Literal["number", "object", "string"]

_EVENTFUL = ("notification_message", "attended_at", "completed_at", "expires_at")
EXTRA_FIELD = "x_channel"


@dataclass(frozen=True)
class Form:
    """A form of rows and details; called with one of them, decoded, it returns it in this form.

    ``rows``, ``details``: how `created_at` and `updated_at` are written. ``unset``: what has not happened
    is null, absent, zero (empty for texts), or `mixed` as the sandbox has it. ``offsets``: the times of the
    timeline have the offset of the activity's zone. ``extra``: every object but the values that members
    share has a field that nobody specified. ``no_entity``: this share of the activities has none.
    ``no_arrays``: what expired has no accepted and declined requirements; ``empties``: an empty array of
    accepted ones, and the declined ones.
    """

    rows: Instant = "number"
    details: Instant = "number"
    unset: Literal["null", "absent", "zero", "mixed"] = "mixed"
    offsets: bool = False
    extra: bool = False
    no_entity: float = 0.0
    no_arrays: bool = False
    empties: bool = False

    def __call__(self, said: Document) -> Document:
        """Return a row or details in this form."""
        if zlib.crc32(said["id"].encode()) / 2**32 < self.no_entity:
            said["entity"] = None
        if "timeline" in said:
            self._change_details(said)
        instants = self.details if "timeline" in said else self.rows
        for name in ("created_at", "updated_at"):
            if instants != "number" and name in said:
                value = said[name]
                said[name] = {"value": value} if instants == "object" else str(value)
        changed: Document = _with_extra_field(said) if self.extra else said
        return changed

    def _change_details(self, said: Document) -> None:
        for name in _EVENTFUL if self.unset != "mixed" else ():
            if said.get(name) is None:
                said[name] = None
                if self.unset == "zero":
                    said[name] = "" if name == "notification_message" else 0
                elif self.unset == "absent":
                    del said[name]
        if self.no_arrays and said["status"] == "EXPIRED":
            del said["accepted_requirements"], said["declined_requirements"]
        if self.empties and said["status"] == "EXPIRED":
            said["accepted_requirements"] = []
        for entry in said["timeline"] if self.offsets else ():
            moment = datetime.fromisoformat(entry["date_time"])
            local = moment.astimezone(ZoneInfo(said["time_zone"]))
            entry["date_time"] = local.isoformat(timespec="milliseconds")


def _with_extra_field(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_with_extra_field(element) for element in value]
    if not isinstance(value, dict):
        return value
    changed = {
        key: element if key == "value" else _with_extra_field(element)
        for key, element in value.items()
    }
    return {**changed, EXTRA_FIELD: "MOBILE"}
