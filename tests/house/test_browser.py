"""The browser that tests use sees what a page does."""

from __future__ import annotations

import browser as rig
import pytest

PAGE = "<!doctype html><meta charset=utf-8><title>t</title><body>{}</body>"


@pytest.fixture
def problems(browser, tmp_path):
    def problems(body: str) -> list[str]:
        path = tmp_path / "page with a space.html"
        path.write_text(PAGE.format(body), encoding="utf-8")
        page, found = rig.watched(browser, path.as_uri())
        page.wait_for_function("window.done !== false")
        page.wait_for_timeout(50)  # the last requests are reported late
        page.context.close()
        return found

    return problems


@pytest.mark.parametrize(
    "body",
    [
        "<script>console.error('seen')</script>",
        "<script>console.warn('seen')</script>",
        "<script>throw new Error('seen')</script>",
        "<script>Promise.reject(new Error('seen'))</script>",
        "<img src='http://example.org/seen.png'>",
        "<link rel=stylesheet href='//example.org/seen.css'>",
        "<link rel=stylesheet href='seen.css'>",
        "<style>body { background: url(https://example.org/seen) }</style>",
        "<script>fetch('https://example.org/seen').catch(() => null)</script>",
        "<script>window.done = false; new WebSocket('ws://127.0.0.1:9/seen').onerror = () => window.done = true</script>",
        "<iframe src='http://example.org/seen'></iframe>",
    ],
)
def test_what_a_page_should_not_do_is_seen(problems, body):
    found = problems(body)
    assert any("seen" in problem for problem in found), found


def test_a_page_by_itself_is_fine(problems):
    pixel = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="
    assert problems(f"<p id=here>Hi <a href='#here'>there</a><img src='{pixel}'><script>console.log(1)</script>") == []


def test_a_page_can_be_dark_printed_and_driven(open_page, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(PAGE.format("<input id=slider type=range min=0 max=10 value=5>"), encoding="utf-8")
    page = open_page(path, color_scheme="dark")
    assert page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    page.emulate_media(media="print")
    assert page.evaluate("matchMedia('print').matches")
    page.focus("#slider")
    page.keyboard.press("ArrowRight")
    assert page.input_value("#slider") == "6"
    assert page.screenshot()[:4] == b"\x89PNG"


def test_where_a_browser_is_needed_none_is_no_excuse(monkeypatch):
    monkeypatch.setenv("ROCKSTEADY_BROWSER", "no-such-browser")
    monkeypatch.delenv("ROCKSTEADY_NEEDS_BROWSER", raising=False)
    with pytest.raises(pytest.skip.Exception, match="no-such-browser"):
        rig.executable()
    monkeypatch.setenv("ROCKSTEADY_NEEDS_BROWSER", "1")
    with pytest.raises(pytest.fail.Exception, match="no-such-browser"):
        rig.executable()
