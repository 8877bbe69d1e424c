"""Colours with a light and a dark form (``page.css``). Charts use stand-ins, which become CSS variables."""

import re
from io import StringIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_NAMES = ("ink", "quiet", "line", "good", "partly", "done", "bad", "open", "none", "paper")

STAND_INS = {name: f"#{place:02x}{place:02x}{place:02x}" for place, name in enumerate(_NAMES, 1)}
"""What to draw with in the place of each colour."""

#: What matplotlib would say of the file.
_UNSAID = dict.fromkeys(("Creator", "Date", "Format", "Type"))


def to_svg(figure: "Figure", key: str) -> str:
    """Return a figure as an SVG element: with theme, and with text as text.

    ``key`` makes its ids different from those of other figures on the page.
    """
    text = StringIO()
    figure.savefig(text, format="svg", metadata=_UNSAID)
    svg = text.getvalue()[text.getvalue().index("<svg ") :]
    for name, drawn in STAND_INS.items():
        svg = svg.replace(drawn, f"var(--{name})")
    return re.sub(r'( id="|href="#|url\(#)', rf"\g<1>{key}-", svg)
