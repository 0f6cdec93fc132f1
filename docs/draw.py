"""The pictures of docs/plots.md, each what the examples above it on the page have drawn last, and those of two papers.

``python docs/draw.py`` draws them anew. (The other papers' scripts write theirs small enough by themselves.)
"""

from __future__ import annotations

import doctest
import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
from PIL import Image

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "plots.md"
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
            whole = io.BytesIO()
            plt.gcf().savefig(whole, dpi=80)
            plt.close("all")
            save(whole, PAGE.parent / step["image"])
    for (script, *options), pictures in PAPERS:
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, str(ROOT / "examples" / script), "--output", folder, *options]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 (ours)
            for drawn, name in pictures.items():
                save(Path(folder) / f"{drawn}.png", ROOT / "docs" / "papers" / "images" / f"{name}.png")


def save(whole: Path | io.BytesIO, path: Path) -> None:
    """A picture in few colours, which is a third of the size."""
    path.parent.mkdir(exist_ok=True)
    Image.open(whole).convert("RGB").quantize(96).save(path, optimize=True)


if __name__ == "__main__":
    main()
