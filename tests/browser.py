"""A real browser for tests: it opens pages in headless Chromium, and records what they should not do.

The driver is playwright (Apache-2.0). Of the two drivers on PyPI only playwright sees console and requests without a
proxy, and emulates dark mode and print. It brings no browser: install Debian's (``apt-get install chromium``), or set
$ROCKSTEADY_BROWSER. Without a browser the tests are skipped, unless $ROCKSTEADY_NEEDS_BROWSER is set.
"""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def executable() -> str:
    """The browser; where there is none the test is skipped, or fails where a browser is needed."""
    named = os.environ.get("ROCKSTEADY_BROWSER")
    for name in (named,) if named else _NAMES:
        if found := shutil.which(name):
            return found
    return missing(
        f"there is no browser: {named or 'neither ' + ' nor '.join(_NAMES)} (on Debian: apt-get install chromium)"
    )


def missing(reason: str) -> Any:
    """Skips the test, or fails it where a browser is needed."""
    if os.environ.get("ROCKSTEADY_NEEDS_BROWSER"):
        pytest.fail(f"{reason}, and ROCKSTEADY_NEEDS_BROWSER is set")
    pytest.skip(reason)


# Module scope, not session scope: while the driver runs, its event loop blocks others in this thread.
@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, headless."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright is not installed")
    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=executable())
        yield opened
        opened.close()


def watched(browser: Any, url: str, *, within: str | None = None, **options: Any) -> tuple[Any, list[str]]:
    """A page, and a list that fills with what it should not do.

    That is: errors and warnings on the console, exceptions that nobody caught, and requests for anything but the page.
    These are refused, too, so that no test depends on what is there.

    Parameters
    ----------
    within
        How an address begins that the page may ask for, too.
    options
        Of playwright's ``new_context``: ``color_scheme="dark"``, ``viewport={"width": 400, "height": 800}``, ….
    """
    context = browser.new_context(offline=within is None, service_workers="block", **options)
    problems: list[str] = []

    def answer(route: Any) -> None:
        asked = route.request.url
        if asked.partition("#")[0] == url or (within is not None and asked.startswith((within, "data:"))):
            route.continue_()
        else:
            problems.append(f"{url} asks for {asked}")
            route.abort()

    context.route("**/*", answer)
    page = context.new_page()
    page.on("console", lambda said: problems.append(f"{said.type}: {said.text}") if said.type in _BAD else None)
    page.on("pageerror", lambda error: problems.append(f"exception: {error}"))
    page.on("websocket", lambda socket: problems.append(f"asks for {socket.url}"))
    page.goto(url)
    return page, problems


_BAD = ("error", "warning", "assert")


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., Any]]:
    """``open_page(path, color_scheme="dark", …)`` gives playwright's page; when the test ends, it must have done nothing bad.

    A file by its path, any other page by its address.
    """
    opened: list[tuple[Any, list[str]]] = []

    def open_page(place: Path | str, **options: Any) -> Any:
        url = place if isinstance(place, str) else place.resolve().as_uri()
        opened.append(watched(browser, url, **options))
        return opened[-1][0]

    yield open_page
    for page, _ in opened:
        page.context.close()
    assert [problem for _, problems in opened for problem in problems] == []


@pytest.fixture
def report(open_page: Callable[..., Any], tmp_path: Path) -> Callable[..., Any]:
    """``report(evaluation, title=…, color_scheme="dark", …)`` writes the report of an evaluation and opens it."""

    def report(evaluation: Any, *, title: str | None = None, **options: Any) -> Any:
        path = tmp_path / "report.html"
        evaluation.to_html(path, title=title)
        return open_page(path, **options)

    return report
