"""`pipeline explore`: people ask the warehouse on a page, as an analyst, and change nothing."""

from __future__ import annotations

import signal
import socket
from typing import TYPE_CHECKING

import httpx
import psutil
import pytest

from pipeline.warehouse import roles
from pipeline.warehouse.engine import warehouse_engine
from pipeline.warehouse.errors import QuestionRefused
from pipeline.warehouse.questions import ask, read_questions
from tests.support.commands import eventually, make_project
from tests.support.mirroring import FIRST, TODAY, Warehouse, sandbox
from tests.support.refreshing import refresh_all

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import sqlalchemy as sa

_SECRET = "not-for-the-log"


@pytest.fixture
def explored(migrated_url: str) -> str:
    """Return the URL of a filled warehouse, with a password that nobody checks."""
    with sandbox(60) as service:
        Warehouse(migrated_url, service).days(FIRST, TODAY)
    refresh_all(migrated_url)
    roles.set_up(migrated_url)
    return migrated_url.replace("postgres@", f"postgres:{_SECRET}@")


@pytest.fixture
def engine(explored: str) -> Iterator[sa.Engine]:
    with warehouse_engine(explored) as engine:
        yield engine


def test_every_example_question_is_answered(engine: sa.Engine) -> None:
    answers = {each.name: ask(engine, each.statement) for each in read_questions()}
    assert [row["type_label"] for row in answers["outcome_by_type"]]
    assert len(answers) > 30


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("select name from warehouse.entities", "permission denied"),
        ("reset role; select name from warehouse.entities", "cannot insert multiple commands"),
        ("rollback; delete from warehouse.entities", "cannot insert multiple commands"),
        ("create table public.mine ()", "read-only"),
        ("select no_such_column", 'column "no_such_column" does not exist'),
    ],
)
def test_what_an_analyst_may_not_is_refused(engine: sa.Engine, statement: str, reason: str) -> None:
    with pytest.raises(QuestionRefused, match=reason):
        ask(engine, statement)
    ask(engine, "reset role")
    with pytest.raises(QuestionRefused, match="permission denied"):
        ask(engine, "select name from warehouse.entities")


@pytest.fixture
def page_url(explored: str, tmp_path: Path) -> Iterator[str]:
    """Start the command with an analyst's own login, and return the address of its page."""
    roles.allow_login(explored)
    warehouse_url = explored.replace("postgres:", "analyst:", 1)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    project = make_project(tmp_path / "project", {"WAREHOUSE_URL": warehouse_url})
    with project.start("explore", "--port", f"{port}") as command:
        eventually(lambda: _answers(url), "the page is there", 60)
        yield url
        process = psutil.Process(command.process.pid)
        served = {each.laddr.ip for each in process.net_connections() if each.status == "LISTEN"}
        assert served == {"127.0.0.1"}
        assert _SECRET not in " ".join(process.cmdline())
        command.send(signal.SIGINT)
        done = command.end()
    assert done.code == 0, done
    assert f"explore the warehouse: {url}" in done.out
    assert _SECRET not in done.out + done.err
    assert "notebook has errors" not in done.err


def _answers(url: str) -> bool:
    try:
        return httpx.get(url, follow_redirects=True).status_code == 200
    except httpx.TransportError:
        return False


def test_the_page_is_served_to_this_machine(page_url: str) -> None:
    page = httpx.get(page_url, follow_redirects=True).text
    assert "<title>Explore the warehouse</title>" in page
    assert "warehouse_engine" not in page


@pytest.mark.browser
def test_a_question_is_asked_and_changed(page_url: str, shots: Path) -> None:
    from playwright.sync_api import expect, sync_playwright

    from tests.support.browser import CHROMIUM, FLAGS

    shots.mkdir(parents=True, exist_ok=True)
    asked: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.on("request", lambda request: asked.append(request.url))
        page.goto(page_url)
        expect(page.get_by_role("heading", name="Explore the warehouse")).to_be_visible()
        page.get_by_role("combobox").first.select_option(
            "How are activities answered, by type and direction?"
        )
        expect(page.get_by_text("acceptance_rate").last).to_be_visible()
        page.screenshot(path=shots / "explore.png")
        editor = page.locator(".cm-content").first
        editor.fill("select 6 * 7 as found")
        page.get_by_role("button", name="Ask").click()
        expect(page.get_by_role("cell", name="42")).to_be_visible()
        editor.fill("select name from warehouse.entities")
        page.get_by_role("button", name="Ask").click()
        expect(page.get_by_text("permission denied")).to_be_visible()
        page.screenshot(path=shots / "explore_refused.png")
        browser.close()
    assert {address.split("/")[2] for address in asked if address.startswith("http")} == {
        page_url.split("/")[2]
    }
