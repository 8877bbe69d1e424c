"""The Dagster UI in a real browser, used as people use it: by looking and clicking."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from playwright.sync_api import Locator, Page, expect, sync_playwright

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

#: Debian's; without its talk to the outside.
CHROMIUM = "/usr/bin/chromium"
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

#: Milliseconds: until what is clicked has its effect, and until a backfill is done.
_SHOWN, _DONE = 60_000, 180_000
expect.set_options(timeout=_SHOWN)


class DagsterPage:
    """One tab on the UI at ``url``; keeps screenshots in ``shots``."""

    def __init__(self, page: Page, url: str, shots: Path) -> None:
        self._page = page
        self._url = url
        self._shots = shots
        shots.mkdir(parents=True, exist_ok=True)

    def open(self, path: str) -> Page:
        """Open a page of the UI."""
        self._page.goto(f"{self._url}{path}", wait_until="domcontentloaded")
        return self._page

    def sees(self, *texts: str) -> None:
        """Wait until the page shows each of these texts."""
        for text in texts:
            expect(self._page.get_by_text(text).first).to_be_visible()

    def materialize(self) -> None:
        """Click "Materialize" on the page of an asset without partitions."""
        self._page.get_by_role("button", name="Materialize").first.click()
        self.sees("Launched run")

    def shoot(self, name: str) -> None:
        """Keep what is to be seen now, as ``name``.png."""
        self._page.screenshot(path=self._shots / f"{name}.png")

    def launch_backfill(self, asset: str, first: str, last: str) -> str:
        """Materialize an asset for the days from ``first`` to ``last``; return the backfill's id."""
        self._choose_days(asset, first, last)
        self.shoot("launch")
        return self._launch()

    def launch_failed_and_missing(self, asset: str, first: str, last: str) -> str:
        """Materialize only the days among them that failed or are missing; return the backfill's id."""
        dialog = self._choose_days(asset, first, last)
        dialog.get_by_text("Backfill only failed and missing partitions").click()
        self.shoot("failed-and-missing")
        return self._launch()

    def _choose_days(self, asset: str, first: str, last: str) -> Locator:
        page = self.open(f"/assets/{asset}")
        page.get_by_role("button", name="Materialize").first.click()
        dialog = page.get_by_role("dialog").last
        expect(dialog).to_contain_text("Partition selection")
        dialog.get_by_role("button", name="Show all partitions", exact=True).click()
        box = dialog.locator("input[type=text]").first  # it has neither label nor test id
        box.fill(f"[{first}...{last}]")
        box.press("Enter")
        expect(dialog.get_by_role("button", name="Launch backfill")).to_be_enabled()
        return dialog

    def _launch(self) -> str:
        page = self._page
        page.get_by_role("dialog").last.get_by_role("button", name=re.compile("^Launch")).click()
        toast = page.get_by_text(re.compile(r"^Created backfill \w+"))
        toast.wait_for()
        backfill = str(toast.inner_text()).split()[2]
        self.open(f"/runs/b/{backfill}")
        return backfill

    def backfill_ends(self) -> str:
        """Wait on a backfill's page until its status is final; return it."""
        page = self._page
        status = page.locator("xpath=//*[normalize-space(text())='Status']/following-sibling::*[1]")
        ended = re.compile("Succeeded|Completed|Failed|Canceled")
        expect(status).to_have_text(ended, timeout=_DONE)
        return str(status.inner_text()).strip()

    def cancel_backfill(self) -> None:
        """Cancel the backfill whose page is open, by its menu."""
        page = self._page
        page.get_by_role("button").nth(5).click()  # behind the five of the frame; it has no name
        page.get_by_text("Cancel backfill", exact=True).first.click()
        dialog = page.get_by_role("dialog").last
        expect(dialog).to_contain_text("In progress runs associated with this backfill")
        dialog.get_by_role("button", name="Cancel backfill").click()

    def open_check(self, asset: str, check: str, says: str) -> None:
        """Open a check's page and wait until its newest result ``says`` this: parts of it load later."""
        page = self.open(f"/assets/{asset}?view=checks&checkDetail={check}")
        expect(page.get_by_text(says).first).to_be_visible()

    def open_plots(self, asset: str) -> None:
        """Open the plots of an asset's numbers over its days."""
        page = self.open(f"/assets/{asset}?view=partitions")
        expect(page.get_by_text("Materialized").first).to_be_visible()


@contextmanager
def dagster_page(url: str, shots: Path) -> Iterator[DagsterPage]:
    """Open Chromium on the UI at ``url``. What a failing test saw last is kept as failure.png."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.set_default_timeout(_SHOWN)
        shown = DagsterPage(page, url, shots)
        try:
            yield shown
        except BaseException:
            shown.shoot("failure")
            raise
        finally:
            browser.close()
