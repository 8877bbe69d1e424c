"""Colours with a light and a dark form. Charts use stand-ins, which become CSS variables in the page."""

import re
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Colour:
    """One colour: its light and dark form, and the stand-in for drawing."""

    name: str
    light: str
    dark: str
    stand_in: str


#: Distinguishable for colour-blind people. A colour is never the only sign of a meaning.
COLOURS = {
    each.name: each
    for each in (
        Colour("ink", "#1b1f24", "#e6e8eb", "#010101"),
        Colour("quiet", "#57606a", "#a3abb5", "#020202"),
        Colour("line", "#d0d7de", "#3a424c", "#030303"),
        Colour("good", "#0b63a5", "#5aaef0", "#040404"),
        Colour("partly", "#8ec3ea", "#24547c", "#050505"),
        Colour("done", "#0a7a5a", "#3ecf9f", "#060606"),
        Colour("bad", "#c4500a", "#ff9b57", "#070707"),
        Colour("open", "#d9a400", "#f2cf63", "#080808"),
        Colour("none", "#9aa3ad", "#6d7681", "#090909"),
        Colour("paper", "#ffffff", "#16191d", "#0a0a0a"),
    )
}

_PROLOGUE = re.compile(r"^.*?(?=<svg )", re.DOTALL)
_METADATA = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)


def stand_in(name: str) -> str:
    """Return the stand-in to draw with."""
    return COLOURS[name].stand_in


def style_sheet() -> str:
    """Return the CSS variables of both forms. The reader's system chooses one."""

    def forms(kind: str) -> str:
        return " ".join(f"--{each.name}: {getattr(each, kind)};" for each in COLOURS.values())

    return (
        f":root {{ color-scheme: light dark; {forms('light')} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root {{ {forms('dark')} }} }}"
    )


def to_svg(figure: "Figure", key: str) -> str:
    """Return a figure as an SVG element: with theme, with text as text, and as wide as the page allows.

    ``key`` makes its ids different from those of other figures on the page.
    """
    import matplotlib as mpl

    text = StringIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": key}):
        figure.savefig(text, format="svg", transparent=True, metadata={"Date": None})
    svg = _METADATA.sub("", _PROLOGUE.sub("", text.getvalue()))
    for each in COLOURS.values():
        svg = svg.replace(each.stand_in, f"var(--{each.name})")
    # matplotlib does not salt these ids.
    svg = re.sub(r'( id="|href="#|url\(#)', rf"\g<1>{key}-", svg)
    head, rest = svg.split(">", 1)
    head = re.sub(r' (?:width|height)="[^"]*"', "", head)
    return f"{head}>{rest}"
