"""Run examples/tour.ipynb from top to bottom and store what its cells show: python docs/tour.py (needs the extra "site").

A test runs the cells again and compares.
"""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).parent.parent
NOTEBOOK = ROOT / "examples" / "tour.ipynb"


def main() -> None:
    """Store the outputs, without what differs from run to run."""
    notebook = nbformat.read(NOTEBOOK, 4)
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(ROOT)}}).execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    notebook.metadata["language_info"] = {"name": "python"}
    nbformat.write(notebook, NOTEBOOK)


if __name__ == "__main__":
    main()
