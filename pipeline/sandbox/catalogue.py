"""The code tables of the service, as far as they are public."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from .clock import DAY_MS, HOUR_MS

REQUEST, SHARE, SWAP, AUTHORIZATION = "AT_001", "AT_002", "AT_003", "AT_004"
TYPE_NAMES: Final = {
    REQUEST: "Request details",
    SHARE: "Share details",
    SWAP: "Swap details",
    AUTHORIZATION: "Authorization request",
}
IN, OUT = "IN", "OUT"
INDIVIDUAL, BUSINESS = "INDIVIDUAL", "BUSINESS"

SENT, ACTION_REQUIRED = "SENT", "ACTION_REQUIRED"
ACCEPTED, DECLINED, CANCELED = "ACCEPTED", "DECLINED", "CANCELED"
COMPLETED, EXPIRED = "COMPLETED", "EXPIRED"
PENDING: Final = frozenset({SENT, ACTION_REQUIRED})

TimeUnit = Literal["MINUTES", "HOURS", "DAYS"]
UNIT_MS: Final[dict[TimeUnit, int]] = {"MINUTES": 60_000, "HOURS": HOUR_MS, "DAYS": DAY_MS}


class RequirementKind(NamedTuple):
    """A row of the requirement table: its type (RTP), category (RQC) and grouped items."""

    code: str
    type: str
    category: str
    items: tuple[str, ...] = ()


REQUIREMENTS: Final = {
    kind.code: kind
    for kind in (
        RequirementKind("RQ_001", "RTP_001", "RQC_001"),
        RequirementKind("RQ_002", "RTP_002", "RQC_001", tuple(f"IDT_00{n}" for n in range(1, 5))),
        RequirementKind("RQ_003", "RTP_003", "RQC_001"),
        RequirementKind("RQ_004", "RTP_002", "RQC_001", tuple(f"PIF_00{n}" for n in range(1, 8))),
        RequirementKind("RQ_005", "RTP_002", "RQC_002"),
        RequirementKind("RQ_006", "RTP_005", "RQC_003", tuple(f"IDC_00{n}" for n in range(1, 4))),
        RequirementKind("RQ_007", "RTP_004", "RQC_002"),
    )
}


def kind_of(code: str) -> RequirementKind:
    """Return the row of a requirement code; unknown codes get plain structured values."""
    return REQUIREMENTS.get(code) or RequirementKind(code, "RTP_002", "RQC_002")


def level_of(score: float, *, misspelled: bool = False) -> str:
    """Return the scoring level of a score; the highest one is also seen misspelled."""
    if score < 500:
        return "POOR"
    if score < 650:
        return "FAIR"
    if score < 750:
        return "GOOD"
    return "EXCELENT" if misspelled else "EXCELLENT"


def item_type_of(code: str) -> str:
    """Return the requirement type of an item code: images, or structured values."""
    return "RTP_003" if code in ("IDC_001", "IDC_002") else "RTP_002"
