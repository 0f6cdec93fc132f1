"""Pages that are made: written, or checked to be as they would be made now."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ROOT = Path(__file__).parent.parent


def write_or_check(about: str, made: Callable[[], Mapping[Path, str | None]]) -> None:
    """Run a script of pages: it writes those that changed, or with ``--check`` fails if any did.

    Parameters
    ----------
    about
        What the script makes; for its help.
    made
        Gives the text of each page; None for one that should not be there.
    """
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a page is not fresh")
    check = parser.parse_args().check
    pages = made()
    changed = [
        path for path, text in pages.items() if text != (path.read_text(encoding="utf-8") if path.exists() else None)
    ]
    names = ", ".join(sorted(path.relative_to(ROOT).as_posix() for path in changed))
    if check and changed:
        raise SystemExit(f"not fresh: {names}; run: make reference")
    if check:
        return
    for path in changed:
        text = pages[path]
        if text is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    print(f"{len(pages)} pages, changed: {names or 'none'}")
