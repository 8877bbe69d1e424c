"""The code tables of the service, as far as they are public, with the shapes of their data."""

from __future__ import annotations

from typing import Final

import msgspec

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

HOUR_MS: Final = 3_600_000
UNIT_MS: Final = {"MINUTES": 60_000, "HOURS": HOUR_MS, "DAYS": 24 * HOUR_MS}


class RequirementKind(msgspec.Struct, frozen=True):
    """A row of the requirement table: its type (RTP), category (RQC) and grouped items."""

    code: str
    type: str
    category: str
    items: tuple[str, ...] = ()


REQUIREMENTS: Final = {
    kind.code: kind
    for kind in (
        RequirementKind("RQ_001", "RTP_001", "RQC_001"),
        RequirementKind(
            "RQ_002", "RTP_002", "RQC_001", ("IDT_001", "IDT_002", "IDT_003", "IDT_004")
        ),
        RequirementKind("RQ_003", "RTP_003", "RQC_001"),
        RequirementKind(
            "RQ_004",
            "RTP_002",
            "RQC_001",
            ("PIF_001", "PIF_002", "PIF_003", "PIF_004", "PIF_005", "PIF_006", "PIF_007"),
        ),
        RequirementKind("RQ_005", "RTP_002", "RQC_002"),
        RequirementKind("RQ_006", "RTP_005", "RQC_003", ("IDC_001", "IDC_002", "IDC_003")),
        RequirementKind("RQ_007", "RTP_004", "RQC_002"),
    )
}
# Its table grew between two copies, so a code unknown to everyone appears now and then.
UNKNOWN_REQUIREMENT: Final = RequirementKind("RQ_008", "RTP_002", "RQC_002")
ITEM_TYPES: Final = {
    **dict.fromkeys(("IDT_001", "IDT_002", "IDT_003", "IDT_004"), "RTP_002"),
    **dict.fromkeys(REQUIREMENTS["RQ_004"].items, "RTP_002"),
    "IDC_001": "RTP_003",
    "IDC_002": "RTP_003",
    "IDC_003": "RTP_002",
}


def kind_of(code: str) -> RequirementKind:
    """Return the row of a requirement code; unknown codes get plain structured values."""
    return REQUIREMENTS.get(code) or RequirementKind(code, "RTP_002", "RQC_002")


def level_of(score: int, *, misspelled: bool = False) -> str:
    """Return the scoring level of a score; the highest one is also seen misspelled."""
    if score < 500:
        return "POOR"
    if score < 650:
        return "FAIR"
    if score < 750:
        return "GOOD"
    return "EXCELENT" if misspelled else "EXCELLENT"
