"""What members share: the free-form `data.value` objects of accepted requirements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from . import names
from .bodies import AcceptedItem, AcceptedRequirement
from .catalogue import item_type_of, kind_of, level_of
from .clock import DAY_MS

if TYPE_CHECKING:
    from .bodies import Requirement
    from .counterparts import Counterpart

# A PNG of four pixels.
_PICTURE: Final = {
    "content_type": "image/png",
    "content": "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAF0lEQVR4nGP4ujFVaftEhvtZH28kngUANJQH"
    "tjOL74cAAAAASUVORK5CYII=",
}


def accepted_requirement(
    requirement: Requirement, member: Counterpart, at: int, *, with_data: bool
) -> AcceptedRequirement:
    """Return one element of `accepted_requirements`, shared at `at` (epoch ms)."""
    kind = kind_of(requirement.code)
    accepted = AcceptedRequirement(
        code=kind.code,
        type=kind.type,
        category=kind.category,
        items=[AcceptedItem(item.code, item_type_of(item.code)) for item in requirement.items],
    )
    if with_data:
        accepted.data = {"value": {} if kind.items else _value(kind.code, member, at)}
        for item in accepted.items:
            item.data = {"value": _value(item.code, member, at)}
    return accepted


def _value(code: str, member: Counterpart, at: int) -> dict[str, Any]:
    """Return what a member shares for a requirement or an item."""
    seed, country = member.seed, member.phone[0]
    if code.startswith("PIF_"):
        return {"text": _personal(member)[code]}
    match code:
        case "RQ_001":
            return {"result": "PASSED", "similarity": 0.9 + seed % 997 / 10_000, "verified_at": at}
        case "RQ_003":
            return {"image": _PICTURE, "taken_at": at - 60_000}
        case "RQ_005":
            return {"nationalities": [{"country_code": country, "since_birth": seed % 9 > 0}]}
        case "RQ_007":
            street, city = names.STREETS[seed % 5], names.CITIES[seed % 8]
            place = {"latitude": -12.046374 + seed % 100 / 1e4, "longitude": -77.042793}
            return {"street": street, "number": str(seed % 2000), "city": city, "location": place}
        case "IDC_001" | "IDC_002":
            return dict(_PICTURE)
        case "IDC_003":
            kind = "NATIONAL_ID" if seed % 5 else "PASSPORT"
            return {"type": kind, "number": f"{seed % 10**8:08d}", "issuing_country": country}
        case "IDT_001":
            return {"member_since": member.entity.created_at}
        case "IDT_002":
            return {"score": member.entity.score, "range": {"from": 300, "to": 850}}
        case "IDT_003":
            return {"level": level_of(member.entity.score)}
        case "IDT_004":
            return {"verified_at": at - seed % DAY_MS}
    return {"raw": {"version": 1, "values": [member.entity.name, seed % 1000, None, True, 1.5e-3]}}


def _personal(member: Counterpart) -> dict[str, str | None]:
    seed = member.seed
    return {
        "PIF_001": member.entity.name,
        "PIF_002": f"{member.given_name} {member.family_name}".strip(),
        "PIF_003": member.family_name,
        "PIF_004": member.given_name or None,
        "PIF_005": f"{1945 + seed % 60}-{seed % 12 + 1:02d}-{seed % 28 + 1:02d}",
        "PIF_006": ("FEMALE", "MALE", "OTHER")[seed % 3],
        "PIF_007": ("SINGLE", "MARRIED", "DIVORCED", "WIDOWED")[seed % 4],
    }
