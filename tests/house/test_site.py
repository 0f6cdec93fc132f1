"""The built site (`make site`): links, search, dark mode, phones, and no request to another host.

Skipped where the site is not built, unless $ROCKSTEADY_NEEDS_SITE is set.
"""

from __future__ import annotations

import functools
import http.server
import os
import re
import threading
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

import rocksteady as rs

SITE = Path(__file__).parents[2] / "output" / "site"
PHONE = {"width": 390, "height": 844}
#: A page of each kind.
KINDS = (
    "index.html first-steps.html _project/tour.html tasks/from-r.html guides.html curves.html pycm.html errors.html "
    "intervals.html speed.html gallery/index.html gallery/compare_models.html indices/README.html indices/correlation.html "
    "indices/entropy.html _api/index.html _api/metrics.html _api/rocksteady/rocksteady.ScoreTable.html _project/design.html "
    "search.html genindex.html"
).split()


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    if not (SITE / "index.html").exists():
        if os.environ.get("ROCKSTEADY_NEEDS_SITE"):
            pytest.fail("the site is not built, and ROCKSTEADY_NEEDS_SITE is set")
        pytest.skip("the site is not built (make site)")


TAG = re.compile(r"<(\w+)((?:\s+[\w:-]+(?:=\"[^\"]*\")?)+)\s*/?>")
ATTRIBUTE = re.compile(r"(href|src|id|name|rel)=\"([^\"]*)\"")


class Page:
    """The links, the files that are loaded, and the anchors of a page."""

    def __init__(self, path: Path) -> None:
        self.links: set[str] = set()
        self.loaded: set[str] = set()
        self.anchors: set[str] = set()
        for tag, text in TAG.findall(path.read_text(encoding="utf-8")):
            found = {key: unescape(value) for key, value in ATTRIBUTE.findall(text)}
            self.anchors.update(found[key] for key in ("id", "name") if key in found)
            is_link = tag in ("a", "area") or found.get("rel") in ("index", "search", "next", "prev", "canonical")
            (self.links if is_link else self.loaded).update(found[key] for key in ("href", "src") if key in found)


@functools.cache
def pages() -> dict[Path, Page]:
    return {path: Page(path) for path in sorted(SITE.rglob("*.html")) if "_static" not in path.parts}


def test_every_link_within_the_site_leads_somewhere() -> None:
    assert len(pages()) > 150
    assert sum(len(page.links) for page in pages().values()) > 5_000
    assert sum(len(page.loaded) for page in pages().values()) > 1_000
    files = {str(path) for path in SITE.rglob("*") if path.is_file()}
    anchors = {str(path): page.anchors for path, page in pages().items()}
    broken = []
    for path, page in pages().items():
        for link in page.links | page.loaded:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = os.path.normpath(path.parent / unquote(parts.path)) if parts.path else str(path)
            if target not in files:
                broken.append(f"{path.relative_to(SITE)}: {link}")
            elif parts.fragment and target in anchors and unquote(parts.fragment) not in anchors[target]:
                broken.append(f"{path.relative_to(SITE)}: {link} (no such anchor)")
    assert broken == []


def test_nothing_is_loaded_from_another_host() -> None:
    """Neither by the pages nor by their style sheets."""
    loaded = {
        f"{path.relative_to(SITE)}: {name}" for path, page in pages().items() for name in page.loaded if _is_far(name)
    }
    for sheet in SITE.rglob("*.css"):
        named = re.findall(r"(?:url\(|@import )\s*[\"']?([^\"')\s;]+)", sheet.read_text(encoding="utf-8"))
        loaded |= {f"{sheet.relative_to(SITE)}: {name}" for name in named if _is_far(name)}
    assert loaded == set()


def _is_far(name: str) -> bool:
    return urlsplit(name).scheme in ("http", "https") or name.startswith("//")


def test_the_api_has_every_public_name() -> None:
    for module in (rs, *(found for name in rs.__all__ if isinstance(found := getattr(rs, name), ModuleType))):
        for name in module.__all__:
            if not name.startswith("_") and not isinstance(getattr(module, name), ModuleType):
                page = f"{module.__name__}/{module.__name__}.{name}.html"
                assert (SITE / "_api" / page).exists(), page


# In a browser


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None: ...


@pytest.fixture(scope="module")
def address(built: None) -> Iterator[str]:
    """The site, served on this machine: the search loads its index, which a browser refuses for files."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(SITE))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture
def visit(open_page: Any, address: str) -> Any:
    """``visit("index.html", color_scheme="dark")`` gives the page; when the test ends, it must have done nothing bad."""
    return lambda name, **options: open_page(address + name, within=address, **options)


def test_search_finds_matthews(visit: Any) -> None:
    page = visit("index.html")
    page.keyboard.press("Control+k")
    page.keyboard.type("matthews")
    page.keyboard.press("Enter")
    page.wait_for_selector("#search-results a[href^='indices/correlation.html']")


def test_dark_mode_can_be_chosen_and_stays(visit: Any) -> None:
    page = visit("index.html", color_scheme="light")
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.locator("button.theme-switch-button").first.click()
    page.locator("button.theme-change-button[data-mode=dark]").first.click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert _brightness(dark) < 60 < 200 < _brightness(light)
    page.goto(page.url.replace("index.html", "guides.html"))
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def _brightness(colour: str) -> float:
    channels = [float(part) for part in re.findall(r"[\d.]+", colour)[:3]]
    return sum(channels) / 3


def test_the_system_chooses_dark_mode(visit: Any) -> None:
    page = visit("guides.html", color_scheme="dark")
    assert _brightness(page.evaluate("getComputedStyle(document.body).backgroundColor")) < 60


def test_no_page_is_wider_than_a_phone(visit: Any, address: str) -> None:
    page = visit("index.html", viewport=PHONE, is_mobile=True)
    wide = []
    for name in KINDS:
        page.goto(address + name)
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > PHONE["width"]:
            wide.append(f"{name}: {width}")
    assert wide == []


def test_formulas_are_typeset(visit: Any) -> None:
    page = visit("indices/correlation.html")
    assert page.locator("math").count() > 20
    box = page.locator("section#mcc math mfrac").first.bounding_box()
    assert box["height"] > 25  # a numerator above a denominator


def test_phone_menu_opens(visit: Any) -> None:
    page = visit("guides.html", viewport=PHONE, is_mobile=True, has_touch=True)
    page.locator("button.primary-toggle").tap()
    page.get_by_role("link", name="Gallery").first.wait_for(state="visible")
