"""Which codes a response carries. Unknown ones are recorded in ``sync.unknown_values``.

Implements docs/warehouse.md 3: enumerations are open, so a code is never refused.
"""

from collections.abc import Collection, Set

from pipeline.service.models import ActivityDetails, Entity, ListItem, Record

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


#: Fields that hold codes.
_CODES = frozenset({"type", "in_out_bound", "status", "code", "category", "time_unit"})


def in_upper_case(carried: Collection[Carried]) -> bool:
    """Whether all codes are written as docs/service.md writes its own."""
    return all(value is None or value.isupper() for _, value in carried)


def respell(record: Record, known: Set[str]) -> None:
    """Write those codes of a response in upper case that are ``known`` so, but for its counterpart's."""
    for name in record.__struct_fields__:
        value = getattr(record, name)
        if isinstance(value, str) and name in _CODES and value.upper() in known:
            setattr(record, name, value.upper())
        # A counterpart is compared as it was sent, whichever response carries it.
        elif isinstance(value, Record) and not isinstance(value, Entity):
            respell(value, known)
        elif isinstance(value, list):
            for each in value:
                respell(each, known)
