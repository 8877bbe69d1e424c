"""Names and words the seeded data are drawn from, in many scripts."""

from __future__ import annotations

from typing import Final

# (given names, family names) by script; the last ones use combining marks, not composed letters.
PEOPLE: Final[tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]] = (
    (
        ("María", "José", "Lucía", "Álvaro", "Ximena", "Iñaki", "Rocío", "Martín"),
        ("Quispe Huamán", "Ñahui", "García Pérez", "Núñez", "Vásquez", "de la Cruz", "Ibáñez"),
    ),
    (
        ("Emma", "Liam", "Zoë", "François", "Jürgen", "Åsa", "Łukasz", "Siobhán", "D'Arcy"),
        (
            "O\u2019Neill",
            "Müller",
            "Sjöström",
            "Wiśniewski",
            "Çelik",
            "van der Berg",
            "Smith-Jones",
        ),
    ),
    (("أحمد", "فاطمة", "يوسف", "ليلى"), ("الحسيني", "بن صالح", "القحطاني", "منصور")),
    (("אורי", "נועה", "שרה"), ("כהן", "לוי", "מזרחי")),
    (("小明", "美玲", "伟", "秀英"), ("王", "李", "张", "欧阳")),
    (("さくら", "健太", "陽菜"), ("佐藤", "鈴木", "𠮷田")),
    (("민준", "서연"), ("김", "이", "박")),
    (("Олена", "Дмитро", "Ольга"), ("Шевченко", "Коваленко", "Іваненко")),
    (("अर्जुन", "प्रिया"), ("शर्मा", "पटेल")),
    (
        ("Nguye\u0302\u0303n", "Rene\u0301e", "Zoe\u0308"),
        ("Tra\u0302\u0300n", "Pe\u0301rez", "O\u0308zil"),
    ),
)
# Most members are of the first two groups.
PEOPLE_WEIGHTS: Final = (40, 28, 5, 3, 6, 5, 3, 4, 3, 3)

BUSINESS_WORDS: Final = (
    "Andes", "Cóndor", "Kuélap", "Inti", "Pacífico", "Lumen", "Vértice", "Ámbar", "Norte", "Aurora",
    "东方", "サクラ", "النخيل", "Zürich", "Øresund",
)  # fmt: skip
BUSINESS_KINDS: Final = ("S.A.C.", "Ltda.", "GmbH", "Bank", "Seguros", "& Co.", "株式会社", "Inc.")

DESCRIPTIONS: Final = (
    "Please share your identity document to open your account.",
    "Necesitamos confirmar tu dirección para el envío Nº {n}.",
    "Rental application {n}: proof of identity and address.",
    "Verificación de identidad para tu crédito — expediente {n}",
    "We'd like to keep your details up to date ✅",
    "Onboarding \"{n}\": selfie & document\nThank you!",
    "请共享您的身份信息\uff08编号 {n}\uff09",
    "يرجى مشاركة بياناتك لإتمام الطلب {n}",
)  # fmt: skip
ACCEPT_MESSAGES: Final = (
    "Accepted, here you are.",
    "Listo, gracias 🙌",
    "Shared as requested.",
    "تمت المشاركة",
)
DECLINE_MESSAGES: Final = ("I'd rather not share this.", "No, gracias.", "Ask my office, please.")
STREETS: Final = ("Av. Arequipa", "Jr. de la Unión", "Calle Berlín", "Main Street", "青山通り")
CITIES: Final = ("Lima", "Arequipa", "Bogotá", "Santiago", "Madrid", "München", "東京", "القاهرة")
COUNTRY_CODES: Final = ("PE", "CO", "CL", "MX", "ES", "US", "DE", "BR")
TIME_ZONES: Final = (
    "America/Lima", "America/Lima", "America/Lima", "America/Bogota", "America/Santiago",
    "America/New_York", "Europe/Madrid", "Asia/Kolkata", "Asia/Tokyo", "UTC",
)  # fmt: skip
MEDIA: Final = ("X", "LINKEDIN", "INSTAGRAM", "FACEBOOK")
