"""The pictures of the pages in `PAGES`, of a script of the gallery, of two papers, and of a report.

A picture of such a page is what the examples above it on the page have drawn last. ``python docs/draw.py`` draws them
all again, ``python docs/draw.py report`` only those of the report, which need a browser (see tests/browser.py). The other
papers' scripts write their own.
"""

from __future__ import annotations

import doctest
import io
import os
import re
import runpy
import subprocess
import sys
import tempfile
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image
from playwright.sync_api import sync_playwright

import rocksteady as rs

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))
from tests.browser import executable

IMAGES = ROOT / "docs" / "images"
PAGES = (
    "plots",
    "leaderboard",
    "cost-regions",
    "fragility",
    "certified-thresholds",
    "tasks/looking-every-day",
    "tasks/why-it-changed",
    "tasks/merging-classes",
)
README_WIDTH = 1200
#: A script of examples/ with its options, and which of its pictures stand where in docs/papers/images/.
PAPERS = (
    (["threshold_grid.py"], {"roc": "threshold-grid-roc"}),
    (
        ["roc_gain_lift_ks.py"],
        {
            "figure-1-roc": "roc-gain-lift-ks-figure-1",
            "figure-2-gain-lift": "roc-gain-lift-ks-figure-2",
            "figure-3-ks": "roc-gain-lift-ks-figure-3",
        },
    ),
    (["roc_gain_lift_ks.py", "--rows", "10000000"], {"figure-2-gain-lift": "roc-gain-lift-ks-ten-million"}),
)
#: A script of examples/gallery/, and its picture in docs/images/.
GALLERY = {"unknown_labels": "unknown-labels"}
STEPS = re.compile(
    r"^```python\n(?P<code>.*?)^```|^!\[[^\]]*\]\((?:\.\./)?(?P<image>images/[^)]+)\)", re.DOTALL | re.MULTILINE
)


def main() -> None:
    """Draw the pictures of the pages and of the papers."""
    os.chdir(ROOT)  # the pages name files from there
    for name in PAGES:
        draw(ROOT / "docs" / f"{name}.md")
    for script, name in GALLERY.items():
        runpy.run_path(str(ROOT / "examples" / "gallery" / f"{script}.py"))
        save_figure(IMAGES / f"{name}.png")
    for (script, *options), pictures in PAPERS:
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, str(ROOT / "examples" / script), "--output", folder, *options]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 (ours)
            for drawn, name in pictures.items():
                save(Path(folder) / f"{drawn}.png", ROOT / "docs" / "papers" / "images" / f"{name}.png")


def draw(page: Path) -> None:
    """Run a page from top to bottom and save a picture wherever it shows one."""
    names: dict[str, object] = {}
    parser = doctest.DocTestParser()
    for step in STEPS.finditer(page.read_text(encoding="utf-8")):
        if step["code"] is not None:
            for example in parser.get_examples(step["code"]):
                exec(compile(example.source, str(page), "single"), names)  # noqa: S102 (the page is ours)
        else:
            save_figure(ROOT / "docs" / step["image"])


def save_figure(path: Path) -> None:
    """Save the figure that was drawn last, and forget it."""
    whole = io.BytesIO()
    plt.gcf().savefig(whole, dpi=80)
    plt.close("all")
    save(whole, path)


def report() -> None:
    """The head and the threshold explorer of a report on three models of made-up mails, and README's picture of it."""
    generator = np.random.default_rng(0)
    spam = generator.random(5_000) < 0.4
    separations = {"Boosted trees": 2.2, "Logistic regression": 1.5, "Baseline": 0.8}
    scores = {name: 1 / (1 + np.exp(generator.normal(0.4 - spam * shift))) for name, shift in separations.items()}
    evaluation = rs.evaluate(np.where(spam, "spam", "ham"), scores, costs={"fp": 1, "fn": 5}, pos_label="spam")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        page_path = Path(folder) / "report.html"
        evaluation.to_html(page_path, title="Spam filters, spring")
        browser = driver.chromium.launch(executable_path=executable())
        for scheme, height in (("light", 1000), ("dark", 1500)):
            page = browser.new_page(
                viewport={"width": 1280, "height": height}, color_scheme=scheme, reduced_motion="reduce"
            )
            page.goto(page_path.as_uri())
            if scheme == "dark":
                page.click("#cheapest")
                page.evaluate("location.hash = document.getElementById('threshold').closest('section').id")
            save(io.BytesIO(page.screenshot()), IMAGES / f"report-{scheme}.png")
        page = browser.new_page(
            viewport={"width": README_WIDTH, "height": 1000}, device_scale_factor=1.5, color_scheme="light"
        )
        page.goto(page_path.as_uri())
        page.wait_for_timeout(500)  # until the charts are drawn
        section = page.locator("section", has=page.locator("#threshold"))
        top = section.bounding_box()["y"] + 30
        chart = section.locator("canvas").first.bounding_box()
        clip = {"x": 0, "y": top, "width": README_WIDTH, "height": chart["y"] + chart["height"] + 16 - top}
        save(io.BytesIO(page.screenshot(full_page=True, clip=clip)), IMAGES / "readme-report.png")
        browser.close()


def save(whole: Path | io.BytesIO, path: Path) -> None:
    """A picture in few colours, which is a third of the size."""
    path.parent.mkdir(exist_ok=True)
    Image.open(whole).convert("RGB").quantize(96).save(path, optimize=True)


if __name__ == "__main__":
    if sys.argv[1:] != ["report"]:
        main()
    report()
