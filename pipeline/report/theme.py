"""Colours with a light and a dark form. Charts use stand-ins, which become CSS variables in the page."""

import re
from io import StringIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


#: The light and the dark form of each colour. Colour-blind people can distinguish them, and a colour is
#: never the only sign of a meaning.
COLOURS = {
    "ink": ("#1b1f24", "#e6e8eb"),
    "quiet": ("#57606a", "#a3abb5"),
    "line": ("#d0d7de", "#3a424c"),
    "good": ("#0b63a5", "#5aaef0"),
    "partly": ("#8ec3ea", "#24547c"),
    "done": ("#0a7a5a", "#3ecf9f"),
    "bad": ("#c4500a", "#ff9b57"),
    "open": ("#d9a400", "#f2cf63"),
    "none": ("#9aa3ad", "#6d7681"),
    "paper": ("#ffffff", "#16191d"),
}

STAND_INS = {name: f"#{place:02x}{place:02x}{place:02x}" for place, name in enumerate(COLOURS, 1)}
"""What to draw with in the place of each colour."""

_METADATA = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)


def style_sheet() -> str:
    """Return the CSS variables of both forms. The reader's system chooses one."""
    light, dark = (
        " ".join(f"--{name}: {forms[which]};" for name, forms in COLOURS.items())
        for which in (0, 1)
    )
    return (
        f":root {{ color-scheme: light dark; {light} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}"
    )


def to_svg(figure: "Figure", key: str) -> str:
    """Return a figure as an SVG element: with theme, with text as text, and as wide as the page allows.

    ``key`` makes its ids different from those of other figures on the page.
    """
    import matplotlib as mpl

    text = StringIO()
    with mpl.rc_context({"svg.hashsalt": key}):
        figure.savefig(text, format="svg", metadata={"Date": None})
    svg = _METADATA.sub("", text.getvalue()[text.getvalue().index("<svg ") :])
    for name, drawn in STAND_INS.items():
        svg = svg.replace(drawn, f"var(--{name})")
    # matplotlib does not salt these ids.
    svg = re.sub(r'( id="|href="#|url\(#)', rf"\g<1>{key}-", svg)
    # The first two are those of the whole chart.
    return re.sub(r' (?:width|height)="[^"]*"', "", svg, count=2)
