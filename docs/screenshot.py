"""README's picture of a report: the threshold explorer of three models, in a browser.

    python docs/screenshot.py

It needs playwright and Chromium (see tests/browser.py).
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import sync_playwright

import rocksteady as rs

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))
from tests.browser import executable

PICTURE = ROOT / "docs" / "images" / "readme-report.png"
WIDTH = 1200
#: Pixels of the picture for each of the page's, so that text stays sharp.
SCALE = 1.5


def main() -> None:
    """Make three models of made-up mails, open their report, and save what its reader sees first at the threshold."""
    generator = np.random.default_rng(0)
    spam = generator.random(5_000) < 0.4
    separations = {"Boosted trees": 2.2, "Logistic regression": 1.5, "Baseline": 0.8}
    scores = {name: 1 / (1 + np.exp(generator.normal(0.4 - spam * shift))) for name, shift in separations.items()}
    evaluation = rs.evaluate(np.where(spam, "spam", "ham"), scores, costs={"fp": 1, "fn": 5}, pos_label="spam")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        report = Path(folder) / "report.html"
        evaluation.to_html(report, title="Spam filters, spring")
        browser = driver.chromium.launch(executable_path=executable())
        page = browser.new_page(
            viewport={"width": WIDTH, "height": 1000}, device_scale_factor=SCALE, color_scheme="light"
        )
        page.goto(report.as_uri())
        page.wait_for_timeout(500)  # until the charts are drawn
        section = page.locator("section", has=page.locator("#threshold"))
        top = section.bounding_box()["y"] + 30
        chart = section.locator("canvas").first.bounding_box()
        clip = {"x": 0, "y": top, "width": WIDTH, "height": chart["y"] + chart["height"] + 16 - top}
        shot = io.BytesIO(page.screenshot(full_page=True, clip=clip))
        browser.close()
    Image.open(shot).convert("RGB").quantize(96).save(PICTURE, optimize=True)
    print(f"{PICTURE.relative_to(ROOT)}: {PICTURE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
