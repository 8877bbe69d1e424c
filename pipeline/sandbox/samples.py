"""What members share: the free-form `data.value` objects of accepted requirements (§2.6)."""

from __future__ import annotations

import base64
import functools
import struct
import zlib
from random import Random
from typing import TYPE_CHECKING, Any

from . import names
from .catalogue import ITEM_TYPES, REQUIREMENTS, kind_of, level_of
from .people import DAY_MS, Entity

if TYPE_CHECKING:
    from .history import Requirement


@functools.lru_cache(maxsize=64)
def picture(variant: int, size: int) -> str:
    """Return a valid PNG of about `size` bytes (at least 75), in base64."""
    rng = Random(variant)
    pixels = b"".join(b"\0" + rng.randbytes(6) for _ in range(2))
    head = struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0)
    parts = [b"\x89PNG\r\n\x1a\n", _chunk(b"IHDR", head), _chunk(b"IDAT", zlib.compress(pixels))]
    missing = size - sum(map(len, parts)) - 24
    if missing > 0:
        # A private ancillary chunk, which viewers skip, makes up the size.
        parts.append(_chunk(b"fiLl", rng.randbytes(missing)))
    parts.append(_chunk(b"IEND", b""))
    return base64.b64encode(b"".join(parts)).decode()


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def accepted_requirement(
    requirement: Requirement, entity: Entity, at: int, image_bytes: int, *, with_data: bool
) -> dict[str, Any]:
    """Return one element of `accepted_requirements`; `data` is left out when it is gone."""
    kind = kind_of(requirement.code)
    stated: dict[str, Any] = {
        "code": kind.code,
        "type": kind.type,
        "category": kind.category,
        "data": {"value": _value(kind.code, entity, at, image_bytes) if with_data else {}},
        "items": [_item(code, entity, at, image_bytes, with_data) for code in requirement.items],
    }
    if not with_data:
        del stated["data"]
    return stated


def _item(code: str, entity: Entity, at: int, image_bytes: int, with_data: bool) -> dict[str, Any]:
    stated: dict[str, Any] = {"code": code, "type": ITEM_TYPES.get(code, "RTP_002")}
    if with_data:
        stated["data"] = {"value": _item_value(code, entity, at, image_bytes)}
    return stated


def _image(entity: Entity, image_bytes: int, shift: int = 0) -> dict[str, Any]:
    # Few variants, and one of the large ones, so that pictures of any size fit in memory.
    variant = (entity.seed + shift) % 16 if image_bytes < 200_000 else 0
    return {"content_type": "image/png", "content": picture(variant, image_bytes)}


def _value(code: str, entity: Entity, at: int, image_bytes: int) -> dict[str, Any]:
    seed = entity.seed
    if code in REQUIREMENTS and REQUIREMENTS[code].items:
        return {}
    if code == "RQ_001":
        return {
            "result": "PASSED",
            "similarity": 0.9 + seed % 997 / 10_000,
            "verified_at": at,
            "frames": [_image(entity, image_bytes)],
        }
    if code == "RQ_003":
        return {"image": _image(entity, image_bytes), "taken_at": at - 60_000}
    if code == "RQ_005":
        return {"nationalities": [{"country_code": entity.phone[0], "since_birth": seed % 9 > 0}]}
    if code == "RQ_007":
        city, country = names.CITIES[seed % len(names.CITIES)]
        return {
            "street": names.STREETS[seed % len(names.STREETS)],
            "number": str(seed % 2000),
            "apartment": None if seed % 3 else f"{seed % 40}B",
            "city": city,
            "country_code": country,
            "location": {"latitude": -12.046374 + seed % 100 / 1e4, "longitude": -77.042793},
            "proof": [_image(entity, image_bytes, 1)] if seed % 2 else [],
        }
    return {"raw": {"version": 1, "values": [entity.name, seed % 1000, None, True, 1.5e-3]}}


def _item_value(code: str, entity: Entity, at: int, image_bytes: int) -> dict[str, Any]:
    if code.startswith("PIF_"):
        return {"text": _personal(code, entity)}
    if code == "IDT_001":
        return {"member_since": entity.created_at}
    if code == "IDT_002":
        return {"score": entity.score, "range": {"from": 300, "to": 850}}
    if code == "IDT_003":
        return {"level": level_of(entity.score)}
    if code == "IDT_004":
        return {"verified_at": at - entity.seed % DAY_MS}
    if code == "IDC_001":
        return _image(entity, image_bytes, 2)
    if code == "IDC_002":
        return _image(entity, image_bytes, 3)
    if code == "IDC_003":
        return _document(entity)
    return {"value": None}


def _personal(code: str, entity: Entity) -> str | None:
    seed = entity.seed
    if code == "PIF_001":
        return entity.name
    if code == "PIF_002":
        return f"{entity.given_name} {entity.family_name}".strip()
    if code == "PIF_003":
        return entity.family_name
    if code == "PIF_004":
        return entity.given_name or None
    if code == "PIF_005":
        return f"{1945 + seed % 60}-{seed % 12 + 1:02d}-{seed % 28 + 1:02d}"
    if code == "PIF_006":
        return ("FEMALE", "MALE", "OTHER")[seed % 3]
    return ("SINGLE", "MARRIED", "DIVORCED", "WIDOWED")[seed % 4]


def _document(entity: Entity) -> dict[str, Any]:
    number = f"{entity.seed % 10**8:08d}"
    return {
        "type": "NATIONAL_ID" if entity.seed % 5 else "PASSPORT",
        "number": number,
        "issuing_country": entity.phone[0],
        "expires_on": f"{2027 + entity.seed % 8}-06-30",
        "mrz": [f"I<{entity.phone[0]}A{number}<<<<<<<<<", "<<<<<<<<<<<<<<<<<<<<"],
    }
