"""The pictures of docs/plots.md, docs/images/: each is what the examples above it on the page have drawn last.

``python docs/draw.py`` draws them anew.
"""

from __future__ import annotations

import doctest
import io
import os
import re
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
from PIL import Image

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "plots.md"
STEPS = re.compile(r"^```python\n(?P<code>.*?)^```|^!\[[^\]]*\]\((?P<image>images/[^)]+)\)", re.DOTALL | re.MULTILINE)


def main() -> None:
    """Run the page from top to bottom and save a picture wherever it shows one."""
    os.chdir(ROOT)  # the page names files from there
    names: dict[str, object] = {}
    parser = doctest.DocTestParser()
    for step in STEPS.finditer(PAGE.read_text(encoding="utf-8")):
        if step["code"] is not None:
            for example in parser.get_examples(step["code"]):
                exec(compile(example.source, str(PAGE), "single"), names)  # noqa: S102 (the page is ours)
        else:
            save(PAGE.parent / step["image"])


def save(path: Path) -> None:
    """The current figure, in few colours, which is a third of the size."""
    whole = io.BytesIO()
    plt.gcf().savefig(whole, dpi=80)
    plt.close("all")
    path.parent.mkdir(exist_ok=True)
    Image.open(whole).convert("RGB").quantize(96).save(path, optimize=True)


if __name__ == "__main__":
    main()
