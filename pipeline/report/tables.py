"""The parts that our pages share: the page itself, and tables."""

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from html import escape
from importlib.resources import files
from string import Template

from pipeline.times import shown
from pipeline.warehouse.database.engine import Rows

_PAGE, _STYLE = (
    files("pipeline.report").joinpath(name).read_text(encoding="utf-8")
    for name in ("page.html", "page.css")
)


def whole_page(title: str, said: str, body: str) -> str:
    """Return a page as HTML text: its title, what is said of it, and ``body``, which is HTML."""
    said += f" Made {shown(datetime.now(UTC))}."
    parts = {"title": escape(title), "said": escape(said), "style": _STYLE, "body": body}
    return Template(_PAGE).substitute(parts)


def table(title: str, rows: Rows) -> str:
    """Return rows, at least one, as an HTML table that scrolls."""
    cells = [tuple(row.values()) for row in rows]
    kinds = [_kind(column) for column in zip(*cells, strict=True)]

    def line(tag: str, texts: Iterable[str]) -> str:
        return "".join(
            f"<{tag}{kind}>{text}</{tag.split()[0]}>"
            for text, kind in zip(texts, kinds, strict=True)
        )

    head = line("th scope=col", (escape(name.replace("_", " ")) for name in rows[0]))
    body = "\n".join(f"<tr>{line('td', map(_cell, row))}</tr>" for row in cells)
    return (
        f'<div class=scroll tabindex=0 role=region aria-label="{title}: the numbers">\n'
        f"<table><caption>{title}: the numbers</caption>\n"
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>\n"
    )


def _kind(cells: Sequence[object]) -> str:
    """Return the CSS class of a column: numbers are aligned right, days are not wrapped."""
    if all(isinstance(value, date) for value in cells):
        return " class=day"
    texts = [str(value) for value in cells if value is not None]
    return " class=number" if texts and all(text[:1].isdigit() for text in texts) else ""


def _cell(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, datetime):
        return shown(value)
    if isinstance(value, dict | list):
        return escape(json.dumps(value, ensure_ascii=False))
    if isinstance(value, timedelta):
        hours = value / timedelta(hours=1)
        return f"{hours:.1f} h" if hours < 48 else f"{hours / 24:.1f} d"
    return f"{value:,}" if isinstance(value, int) else escape(str(value))
