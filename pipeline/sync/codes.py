"""Which codes a response carries. Unknown ones are recorded in ``sync.unknown_values``.

Implements docs/warehouse.md 3: enumerations are open, so a code is never refused.
"""

from pipeline.service.models import ActivityDetails, ListItem

Carried = tuple[str, str | None]
"""``(kind, value)``; the value may be missing. Kinds are those of ``analytics.codes``."""

FIELD, LIST_FIELD, PAGE_FIELD = "field", "list field", "page field"
"""Kinds of fields that docs/service.md does not name: in details, in a row of the list, in the list's
envelope. They are kinds of their own: a list row that begins to carry a field of the details is news."""


def details_codes(activity: ActivityDetails) -> list[Carried]:
    """Return all codes of a details response."""
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
    """Return the codes that a row of the list carries; details carry them, too."""
    entity = activity.entity
    pairs: list[Carried] = [
        ("activity_type", activity.type),
        ("status", activity.status),
        ("in_out_bound", activity.in_out_bound),
    ]
    if entity is not None:
        pairs += [("entity_type", entity.type), ("scoring_level", entity.scoring_level)]
    return pairs
