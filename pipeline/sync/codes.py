"""Which codes a response carries: what `sync.unknown_values` is fed from.

Enumerations are open (specification 2, "Not shown"), so a code is never refused, only noticed.
"""

from pipeline.service.models import ActivityDetails, ListItem

Carried = tuple[str, str | None]
"""``(kind, value)``, also where there is no value; kinds as in ``analytics.codes``."""

FIELD, LIST_FIELD = "field", "list field"
"""Kinds of what the specification does not name: in details, in a row of the list. They are apart,
since a list row that begins to carry a field of the details is news as well."""


def details_codes(activity: ActivityDetails) -> list[Carried]:
    """Return every code of the details that belongs to an open list."""
    pairs = list_codes(activity)
    if activity.expires_in is not None:
        pairs.append(("time_unit", activity.expires_in.time_unit))
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
    return pairs


def list_codes(activity: ListItem | ActivityDetails) -> list[Carried]:
    """Return those codes that a row of the list carries, and the details as well."""
    entity = activity.entity
    pairs: list[Carried] = [
        ("activity_type", activity.type),
        ("status", activity.status),
        ("in_out_bound", activity.in_out_bound),
    ]
    if entity is not None:
        pairs += [("entity_type", entity.type), ("scoring_level", entity.scoring_level)]
    return pairs
