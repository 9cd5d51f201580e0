"""A real browser for the tests that open pages in one, and what it says of a page."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from axe_playwright_python.base import AXE_SCRIPT  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Locator, Page, sync_playwright

CHROMIUM = shutil.which("chromium")
_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@contextmanager
def launched() -> Iterator[Browser]:
    """Run a browser."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=_ARGUMENTS)
        yield running
        running.close()


@dataclass
class Opened:
    """A page, and what it asked for and complained about."""

    page: Page
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    @property
    def rows(self) -> Locator:
        """The listed cases that are shown."""
        return self.page.locator("#cases tbody tr:visible")

    def ids(self) -> list[str]:
        """Give the ids of the cases that are shown."""
        return self.rows.locator("th").all_inner_texts()


def watched(page: Page) -> Opened:
    """Take down what a page asks for and complains about."""
    one = Opened(page)
    page.on("request", lambda request: one.requests.append(request.url))
    page.on("console", lambda message: one.complaints.append(message.text))
    page.on("pageerror", lambda error: one.complaints.append(str(error)))
    page.on("dialog", lambda dialog: one.complaints.append(dialog.message))
    return one


def violations(page: Page) -> list[str]:
    """Let axe-core judge a page; name each rule that is violated, and by what."""
    page.evaluate(AXE_SCRIPT)
    found = page.evaluate("axe.run()")
    # It has looked: the contrast of every text is among what it passed.
    assert {"color-contrast", "region", "page-has-heading-one"} <= {
        rule["id"] for rule in found["passes"]
    }
    return [
        f"{rule['id']}: {node['html']}" for rule in found["violations"] for node in rule["nodes"]
    ]
