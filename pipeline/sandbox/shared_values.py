"""What members share: the free-form `data.value` objects of accepted requirements."""

from __future__ import annotations

import base64
import functools
import struct
import zlib
from random import Random
from typing import TYPE_CHECKING, Any

from . import names
from .bodies import AcceptedItem, AcceptedRequirement, SharedData
from .catalogue import REQUIREMENTS, item_type_of, kind_of, level_of
from .clock import DAY_MS

if TYPE_CHECKING:
    from .bodies import Requirement
    from .counterparts import Counterpart


@functools.cache
def _picture(variant: int) -> str:
    """Return a valid PNG of four pixels, in base64."""
    rng = Random(variant)
    pixels = b"".join(b"\0" + rng.randbytes(6) for _ in range(2))
    head = struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0)
    chunks = (b"IHDR", head), (b"IDAT", zlib.compress(pixels)), (b"IEND", b"")
    parts = (_chunk(kind, body) for kind, body in chunks)
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"".join(parts)).decode()


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


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
        accepted.data = SharedData(_value(kind.code, member, at))
        for item in accepted.items:
            item.data = SharedData(_item_value(item.code, member, at))
    return accepted


def _image(member: Counterpart, shift: int = 0) -> dict[str, Any]:
    return {"content_type": "image/png", "content": _picture((member.seed + shift) % 16)}


def _value(code: str, member: Counterpart, at: int) -> dict[str, Any]:
    seed = member.seed
    if code in REQUIREMENTS and REQUIREMENTS[code].items:
        return {}
    if code == "RQ_001":
        return {
            "result": "PASSED",
            "similarity": 0.9 + seed % 997 / 10_000,
            "verified_at": at,
            "frames": [_image(member)],
        }
    if code == "RQ_003":
        return {"image": _image(member), "taken_at": at - 60_000}
    if code == "RQ_005":
        return {"nationalities": [{"country_code": member.phone[0], "since_birth": seed % 9 > 0}]}
    if code == "RQ_007":
        city, country = names.CITIES[seed % len(names.CITIES)]
        return {
            "street": names.STREETS[seed % len(names.STREETS)],
            "number": str(seed % 2000),
            "apartment": None if seed % 3 else f"{seed % 40}B",
            "city": city,
            "country_code": country,
            "location": {"latitude": -12.046374 + seed % 100 / 1e4, "longitude": -77.042793},
            "proof": [_image(member, 1)] if seed % 2 else [],
        }
    return {"raw": {"version": 1, "values": [member.entity.name, seed % 1000, None, True, 1.5e-3]}}


def _item_value(code: str, member: Counterpart, at: int) -> dict[str, Any]:
    if code.startswith("PIF_"):
        return {"text": _personal(member)[code]}
    if code in ("IDC_001", "IDC_002"):
        return _image(member, 2 if code == "IDC_001" else 3)
    values: dict[str, dict[str, Any]] = {
        "IDT_001": {"member_since": member.entity.created_at},
        "IDT_002": {"score": member.entity.score, "range": {"from": 300, "to": 850}},
        "IDT_003": {"level": level_of(member.entity.score)},
        "IDT_004": {"verified_at": at - member.seed % DAY_MS},
        "IDC_003": _document(member),
    }
    return values.get(code, {"value": None})


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


def _document(member: Counterpart) -> dict[str, Any]:
    number = f"{member.seed % 10**8:08d}"
    return {
        "type": "NATIONAL_ID" if member.seed % 5 else "PASSPORT",
        "number": number,
        "issuing_country": member.phone[0],
        "expires_on": f"{2027 + member.seed % 8}-06-30",
        "mrz": [f"I<{member.phone[0]}A{number}<<<<<<<<<", "<<<<<<<<<<<<<<<<<<<<"],
    }
