"""Shared by the scripts of the four papers: the option --output, and writing tables and pictures."""

from __future__ import annotations

import argparse
import io
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image  # matplotlib needs it, too

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from matplotlib.figure import Figure

    import rocksteady as rs


def command(script: str, about: str | None) -> argparse.ArgumentParser:
    """Make a command line with `--output`; the default is a folder in output/ with the name of the script."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--output",
        type=Path,
        default=Path("output", Path(script).stem),
        metavar="FOLDER",
        help="folder for tables and pictures (default: %(default)s)",
    )
    return parser


def write(
    folder: Path,
    title: str,
    tables: Mapping[str, tuple[str, rs.results.Table]],
    pictures: Iterable[tuple[str, Figure]],
    *,
    digits: int = 6,
) -> Path:
    """Write tables as NAME.csv, pictures as NAME.png, and results.md, a page with all of them; return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = [f"# {title}\n"]
    for name, (heading, table) in tables.items():
        (folder / f"{name}.csv").write_text(table.to_csv(), encoding="utf-8")
        parts.append(f"## {heading}\n\n{table.to_markdown(digits)}")
    for name, figure in pictures:
        _save(figure, folder / f"{name}.png")
        parts.append(f"![{name}]({name}.png)\n")
    page = folder / "results.md"
    page.write_text("\n".join(parts), encoding="utf-8")
    return page


def _save(figure: Figure, path: Path) -> None:
    """Save a PNG with 64 colours: it looks the same, and the file is a third of the size."""
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", dpi=100)
    Image.open(drawn).convert("RGB").quantize(64).save(path, optimize=True)
