"""`pipeline report`: one page, whole by itself, that says what the views say and nothing personal."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote

import pytest

from pipeline.report import render
from pipeline.warehouse.output.report import read_figures
from tests.support.commands import make_project
from tests.support.mirroring import FIRST, LAST, TODAY, Warehouse, sandbox
from tests.support.refreshing import refresh_all

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.postgres import PostgresServer

SECTIONS = (
    "Outcomes",
    "Answers",
    "Week by week",
    "Month by month",
    "Requirements",
    "Time to the answer",
    "To answer",
    "Ending soon",
    "Silent counterparts",
    "Freshness",
    "Consents",
    "Authorizations",
    "Quarantine",
)


@pytest.fixture(scope="module")
def told(postgres: PostgresServer, migrated_template: str) -> Iterator[Warehouse]:
    """Mirror a quarter with trouble in it: quarantine, a day not complete, a day never asked for."""
    from tests.support.postgres import fresh_database

    with fresh_database(postgres, migrated_template) as name, sandbox(1500) as service:
        warehouse = Warehouse(postgres.url(name), service)
        state = service.state
        for number, broken in enumerate(state.ids()[::230]):
            changes: dict[str, Any] = {"created_at": []} if number % 3 else {"status": []}
            body = (state.truth_of(broken).details_fields() or {}) | changes
            state.replace_payload(broken, details=json.dumps(body).encode())
        warehouse.days(FIRST, LAST - timedelta(days=9))
        warehouse.days(LAST - timedelta(days=7), TODAY)
        warehouse.execute(
            "update sync.days set unproven = 'the list moved' where day = '2026-03-12'"
        )
        warehouse.execute(_REQUESTS)
        refresh_all(warehouse.url)
        warehouse.execute(_ENDING)
        yield warehouse


#: The sharing of some ends soon, by the clock that the report reads.
_ENDING = """
update analytics.requirements set readable_until = now() + interval '3 days'
where readable_until is not null and requirement_code = 'RQ_001' and created_day > '2026-03-20'
"""

#: Authorization requests of the last day: some are queued, some linked to what the service has.
_REQUESTS = """
insert into warehouse.authorization_requests (
    reference, description, requirements, phone_country_code, phone_number, validity_time_unit,
    validity_amount, requested_at
)
select format('loan-%s', place), 'data', '[{"id": "RQ_002"}]', 'PE', '999888777', 'HOURS', 48,
    '2026-04-01 12:00+00'
from generate_series(1, 5) as place;
"""


def page(warehouse: Warehouse, days: int = 90) -> str:
    with warehouse.engine() as engine:
        figures = read_figures(engine, days)
    assert figures is not None
    return render(figures)


class Reader(HTMLParser):
    """Reads a page: its headings, its tables' cells, and what stands open at the end."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.headings: list[str] = []
        self.rows: list[list[str]] = []
        self.figures: list[dict[str, str | None]] = []
        self.ids: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take in an opening tag."""
        given = dict(attrs)
        self.ids += [value for name, value in attrs if name == "id" and value]
        if tag == "svg":
            self.figures.append(given)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Take in a closing tag."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Take in text."""
        if self.open and self.open[-1] == "h2":
            self.headings.append(data)
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data


def test_the_page_says_what_the_views_say(told: Warehouse) -> None:
    read = Reader(page(told))
    assert read.open == []
    assert tuple(read.headings) == SECTIONS
    assert len(read.figures) == len(SECTIONS)
    assert len(read.ids) == len(set(read.ids))
    for figure in read.figures:
        assert figure["role"] == "img"
        assert set(str(figure["aria-labelledby"]).split()) <= set(read.ids)
    counts = told.query(
        "select activity_type_label, case in_out_bound when 'IN' then 'received' else 'sent' end,"
        " sum(created_activities), sum(pending_activities), sum(accepted_activities),"
        " sum(declined_activities), sum(canceled_activities), sum(shares),"
        " round(sum(accepted_activities) / nullif(sum(answered_activities), 0), 3)"
        " from analytics.activities_by_created_day where created_day > '2026-01-01' group by 1, 2"
    )
    shown = [[*row[:8], row[9]] for row in read.rows if len(row) > 9]
    for row in counts:
        assert ["none" if cell is None else str(cell) for cell in row] in shown
    (rate,) = told.query(
        "select avg((outcome = 'accepted')::int) from analytics.activities where answered_by = 'them'"
        " and outcome in ('accepted', 'declined') and created_day > '2026-01-01'"
    )[0]
    assert f"<dt>accepted, of what they answered</dt><dd>{rate:.0%}</dd>" in page(told)
    cells = {row[0]: row[1] for row in reversed(read.rows) if row}  # the first of a name counts
    codes = {code for (code,) in told.query("select requirement_code from analytics.requirements")}
    assert codes <= {row[0] for row in read.rows if row}
    assert ["2026-03-12", "not complete"] in [row[:2] for row in read.rows]
    assert ["2026-03-23", "never asked for"] in [row[:2] for row in read.rows]
    (readable,) = told.query(
        "select count(*) from analytics.consents where not is_item and readable_now"
        " and created_day > '2026-01-01'"
    )[0]
    assert cells["readable now"] == f"{readable:,}" != "0"
    assert ["queued", "5"] in [row[:2] for row in read.rows]
    reasons = {reason for (reason,) in told.query("select reason from sync.quarantine")}
    causes = {reason.partition(": ")[2] for reason in reasons}
    assert len(reasons) > len(causes) >= 2
    assert causes <= {row[1] for row in read.rows if len(row) > 1}


def test_the_page_loads_nothing_and_holds_nothing_personal(told: Warehouse) -> None:
    text = page(told)
    without_names = re.sub(r'xmlns(:\w+)?="[^"]*"', "", text)
    assert "://" not in without_names
    assert not re.search(r"<(?:script|link|img|iframe|object|embed)\b|@import|url\((?!#)", text)
    personal = told.query(
        "select name from warehouse.entities where name is not null"
        " union select description from warehouse.activities where description is not null"
        " union select message from warehouse.timeline_events where length(message) > 3"
        " union select value #>> '{}' from warehouse.accepted_items where value is not null"
    )
    assert len(personal) > 200
    assert [value for (value,) in personal if value and value in text] == []


def test_the_command_writes_the_page(told: Warehouse, tmp_path: Path, migrated_url: str) -> None:
    project = make_project(tmp_path / "project", {"WAREHOUSE_URL": told.url})
    done = project.run("report", "--days", "30")
    assert (done.code, done.err) == (0, ""), done
    assert "report.html written" in done.out
    text = (project.folder / "report.html").read_text(encoding="utf-8")
    assert "created from 2026-03-03 to 2026-04-01" in " ".join(text.split())
    refused = project.run("report", "--output", "no/such/folder.html")
    assert (refused.code, len(refused.lines)) == (2, 1)
    empty = project.run("report", WAREHOUSE_URL=migrated_url)
    said = "error: the warehouse has no day yet: run `pipeline sync`"
    assert (empty.code, empty.lines) == (2, [said])
    with sandbox(40) as service:  # of one day, the views not refreshed
        warehouse = Warehouse(migrated_url, service)
        warehouse.days(LAST)
    read = Reader(page(warehouse))
    assert tuple(read.headings) == SECTIONS
    assert ["every day", "complete"] in [row[:2] for row in read.rows]
    assert len(read.figures) < len(SECTIONS) - 1  # no authorization, and nothing in quarantine


@pytest.mark.browser
def test_the_page_in_a_browser(told: Warehouse, tmp_path: Path) -> None:
    """Open it in Chromium: nothing asked of the network, nothing cut off, text that can be read."""
    from playwright.sync_api import sync_playwright

    from tests.support.browser import CHROMIUM, FLAGS

    file = tmp_path / "report.html"
    file.write_text(page(told), encoding="utf-8")
    asked: list[str] = []
    wrong: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        looks: tuple[tuple[Literal["light", "dark"], int], ...]
        looks = (("light", 1280), ("dark", 1280), ("light", 390))
        for scheme, width in looks:
            shown = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
            shown.on("request", lambda request: asked.append(request.url))
            shown.on("console", lambda message: wrong.append(message.text))
            shown.on("pageerror", lambda error: wrong.append(str(error)))
            shown.goto(f"file://{quote(str(file))}")
            shown.screenshot(path=tmp_path / f"report-{scheme}-{width}.png", full_page=True)
            wrong.extend(shown.evaluate(_WRONG, width))
            contrasts = shown.evaluate(_CONTRASTS)
            assert len(contrasts) > 50
            assert min(contrasts) >= 4.5
            shown.emulate_media(media="print")
            wrong.extend(shown.evaluate(_CUT))
        browser.close()
    assert set(asked) == {f"file://{quote(str(file))}"}
    assert wrong == []


#: Texts of charts that stand outside their chart, or over another text of it; on a wide screen the tables
#: with columns that are seen only after scrolling; and whether the page itself is too wide.
_WRONG = """width => [...document.querySelectorAll('svg')].flatMap(svg => {
    const frame = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll('text')].map(text => [text, text.getBoundingClientRect()]);
    return texts.filter(([text, box], index) =>
        box.left < frame.left - 2 || box.right > frame.right + 2
        || box.top < frame.top - 2 || box.bottom > frame.bottom + 2
        || texts.some(([, other], place) => place > index
            && box.left < other.right - 1 && other.left < box.right - 1
            && box.top < other.bottom - 2 && other.top < box.bottom - 2)
    ).map(([text]) => text.textContent);
}).concat([...document.querySelectorAll('.scroll')]
    .filter(table => width > 1000 && table.scrollWidth > table.clientWidth)
    .map(table => table.ariaLabel)
).concat([document.documentElement]
    .filter(page => page.scrollWidth > page.clientWidth).map(() => 'page')
)"""

#: Tables of which paper would show a part.
_CUT = """() => [...document.querySelectorAll('.scroll')]
    .filter(table => table.scrollHeight > table.clientHeight + 1
        || getComputedStyle(table).overflow !== 'visible')
    .map(table => table.ariaLabel)"""

#: The contrast of every text with the page's background (WCAG 2, relative luminance).
_CONTRASTS = """() => {
    const luminance = text => {
        const [r, g, b] = text.match(/[\\d.]+/g).map(Number).map(v => v / 255)
            .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const paper = luminance(getComputedStyle(document.body).backgroundColor);
    const texts = [...document.querySelectorAll('h1, h2, p, dt, dd, td, th, svg text')];
    return texts.map(each => {
        const style = getComputedStyle(each);
        const ink = luminance(each.tagName === 'text' ? style.fill : style.color);
        return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
    });
}"""
