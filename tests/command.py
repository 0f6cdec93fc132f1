"""What the tests of the command line share: runs in this process and as a program, and files to score."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import polars as pl

PROGRAM = [sys.executable, "-m", "rocksteady"]
WRITERS = {
    "csv": "write_csv", "parquet": "write_parquet", "arrow": "write_ipc", "arrows": "write_ipc_stream",
    "ndjson": "write_ndjson",
}  # fmt: skip


def write(frame: pl.DataFrame, path: Path) -> str:
    getattr(frame, WRITERS[path.suffix[1:]])(path)
    return str(path)


def text(path: Path, content: str) -> str:
    path.write_text(content, encoding="utf-8")
    return str(path)


@pytest.fixture
def score(capsys):
    """Score in this process; gives the report, without its digest and how it was made (`test_verify.py` has these)."""
    from rocksteady.cli.command import run

    def call(*arguments: object) -> dict[str, Any]:
        code = run(["score", *map(str, arguments), "--json", "-"])
        out, err = capsys.readouterr()
        assert (code, err) == (0, "")
        report = json.loads(out)
        assert report.pop("digest").startswith("sha256/")
        assert "label" in report.pop("recipe")
        return report

    return call


@pytest.fixture
def refusal(capsys):
    """Expect a refusal: exit code 2, nothing on standard output, one line; gives the line."""
    from rocksteady.cli.command import run

    def call(*arguments: object) -> str:
        code = run(["score", *map(str, arguments)])
        out, err = capsys.readouterr()
        assert (code, out) == (2, "")
        assert err.startswith("rocksteady: ")
        assert err.count("\n") == 1
        return err.removeprefix("rocksteady: ").rstrip("\n")

    return call
