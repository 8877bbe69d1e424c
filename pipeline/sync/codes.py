"""Which codes a response carries: what `sync.unknown_values` is fed from.

Enumerations are open (specification 2, "Not shown"), so a code is never refused, only noticed.
"""

from collections.abc import Iterable

from pipeline.service.models import ActivityDetails, ListItem

Code = tuple[str, str]
"""``(kind, value)``; kinds as in ``analytics.codes``."""

FIELD, LIST_FIELD = "field", "list field"
"""Kinds of what the specification does not name: in details, in a row of the list. They are apart,
since a list row that begins to carry a field of the details is news as well."""


def details_codes(activity: ActivityDetails) -> Iterable[Code]:
    """Yield every code of the details that belongs to an open list."""
    pairs: list[tuple[str, str | None]] = [
        ("time_unit", activity.expires_in.time_unit if activity.expires_in else None)
    ]
    pairs += [("status", entry.status) for entry in activity.timeline or ()]
    for requirement in (*(activity.requirements or ()), *(activity.declined_requirements or ())):
        pairs.append(("requirement", requirement.code))
        pairs += [("item", item.code) for item in requirement.items or ()]
    for accepted in activity.accepted_requirements or ():
        pairs += [
            ("requirement", accepted.code),
            ("requirement_type", accepted.type),
            ("category", accepted.category),
        ]
        for item in accepted.items or ():
            pairs += [("item", item.code), ("requirement_type", item.type)]
    yield from list_codes(activity)
    yield from ((kind, value) for kind, value in pairs if value is not None)


def list_codes(activity: ListItem | ActivityDetails) -> Iterable[Code]:
    """Yield those codes that a row of the list carries, and the details as well."""
    entity = activity.entity
    pairs: list[tuple[str, str | None]] = [
        ("activity_type", activity.type),
        ("status", activity.status),
        ("in_out_bound", activity.in_out_bound),
    ]
    if entity is not None:
        pairs += [("entity_type", entity.type), ("scoring_level", entity.scoring_level)]
    return ((kind, value) for kind, value in pairs if value is not None)
