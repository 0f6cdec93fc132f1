"""Count the instructions of kernels under valgrind, and compare them with the counts that are kept beside this file.

    python benches/instructions.py [--write] [--only WORDS]

A count of instructions does not depend on how busy a machine is, so a regression of 3 % is seen on any machine. The
counts are those of one compiler and of AVX2: valgrind knows no AVX-512. With another compiler the counts are printed,
and nothing is compared.

1. A child process runs each kernel once to warm up, and once between two calls of getppid().
2. callgrind writes what it counted, and starts again, whenever that function of the C library is entered.
3. So every second of its files has the instructions of one kernel, from Python's call to its result.

It needs valgrind (`apt-get install valgrind`).
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

import patterns
from ratios import TWENTY

KEPT = Path(__file__).with_name("instructions.json")
#: By how much a count may grow.
MOST = 0.03
ROWS = 200_000


def kernels() -> dict[str, Callable[[], object]]:
    """The kernels by name. All of them read `ROWS` rows."""
    import rocksteady as rs
    from rocksteady import metrics

    y, score = patterns.two_normals(ROWS)
    narrow = score.astype(np.float32)
    rare, rare_score = patterns.rare_positives(ROWS)
    weight = np.random.default_rng(4).random(ROWS)
    many, guess = patterns.classes(ROWS, 10)
    bytes_, guessed_bytes = many.astype(np.uint8), guess.astype(np.uint8)
    chances = np.random.default_rng(6).dirichlet(np.ones(10), ROWS // 10)
    lists = np.random.default_rng(7).integers(0, 4, chances.shape)
    table = rs.ScoreTable(y, score)
    return {
        "AUC, float64": lambda: metrics.roc_auc_score(y, score),
        "AUC, float32": lambda: metrics.roc_auc_score(y, narrow),
        "AUC, 1 % positives": lambda: metrics.roc_auc_score(rare, rare_score),
        "AUC, weighted": lambda: metrics.roc_auc_score(y, score, sample_weight=weight),
        "average precision": lambda: metrics.average_precision_score(y, score),
        "KS": lambda: rs.scores.ks(y, score),
        "score table, float64": lambda: rs.ScoreTable(y, score),
        "score table, float32": lambda: rs.ScoreTable(y, narrow),
        "ROC curve, every threshold": lambda: metrics.roc_curve(y, score, drop_intermediate=False),
        "20 indices at every threshold": lambda: table.every(list(TWENTY)),
        "confusion of 10 classes, int64": lambda: metrics.confusion_matrix(many, guess),
        "confusion of 10 classes, uint8": lambda: metrics.confusion_matrix(bytes_, guessed_bytes),
        "confusion of 10 classes, weighted": lambda: metrics.confusion_matrix(many, guess, sample_weight=weight),
        "log loss": lambda: metrics.log_loss(y, score),
        "calibration curve, 10 bins": lambda: metrics.calibration_curve(y, score, n_bins=10),
        "NDCG of 10 labels a row": lambda: metrics.ndcg_score(lists, chances),
    }


def run(words: list[str]) -> None:
    """In the child: each kernel between two calls of getppid()."""
    gc.disable()
    for name, kernel in kernels().items():
        if all(word in name for word in words):
            kernel()
            os.getppid()
            kernel()
            os.getppid()


def count(words: list[str]) -> dict[str, int]:
    """Instructions of each kernel."""
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        sys.exit("instructions.py needs valgrind (on Debian: apt-get install valgrind)")
    names = [name for name in kernels() if all(word in name for word in words)]
    with tempfile.TemporaryDirectory() as folder:
        command = [valgrind, "--tool=callgrind", "--dump-before=getppid", f"--callgrind-out-file={folder}/counts"]
        child = [sys.executable, __file__, "--child", *(["--only", *words] if words else [])]
        limits = {"ROCKSTEADY_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "ROCKSTEADY_INSTRUCTIONS": "avx2"}
        done = subprocess.run(
            [*command, *child],
            env=os.environ | limits | {"PYTHONHASHSEED": "0"},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            sys.exit(f"valgrind failed:\n{done.stderr}")
        # The first file ends where the first kernel begins.
        found = [_total(Path(folder, f"counts.{place}")) for place in range(1, 2 * len(names) + 1)]
    return dict(zip(names, found[1::2], strict=True))


def _total(file: Path) -> int:
    match = re.search(r"^(?:summary|totals): (\d+)", file.read_text(encoding="utf-8"), re.MULTILINE)
    if match is None:
        sys.exit(f"callgrind wrote no total into {file.name}")
    return int(match.group(1))


def compiler() -> str:
    """The version of rustc, such as "rustc 1.95.0"."""
    rustc = shutil.which("rustc")
    if rustc is None:
        return "an unknown compiler"
    done = subprocess.run([rustc, "--version"], capture_output=True, text=True, check=True)
    return " ".join(done.stdout.split()[:2])


def main() -> int:
    """Print the counts. 1 if one of them has grown."""
    parser = argparse.ArgumentParser(description="Count the instructions of kernels under valgrind.")
    parser.add_argument("--write", action="store_true", help="keep these counts")
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD", help="kernels whose name has all these words")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        run(arguments.only)
        return 0
    found = count(arguments.only)
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {"compiler": None, "instructions": {}}
    same = kept["compiler"] == compiler()
    grown = []
    for name, instructions in found.items():
        before = kept["instructions"].get(name)
        change = "" if before is None else f"{instructions / before - 1:+7.1%}"
        print(f"{name:36} {instructions / ROWS:9.2f} a row  {change}")
        if before is not None and instructions > (1 + MOST) * before:
            grown.append(name)
    if arguments.write:
        everything = {"compiler": compiler(), "instructions": kept["instructions"] | found if same else found}
        KEPT.write_text(json.dumps(everything, indent=1) + "\n", encoding="utf-8")
        return 0
    if not same:
        print(f"The kept counts are of {kept['compiler']}, these of {compiler()}: not compared.")
        return 0
    missing = sorted(set(found) - set(kept["instructions"]))
    if grown or missing:
        print(
            f"More than {MOST:.0%} more instructions: {', '.join(grown) or 'none'}. Without a kept count: "
            f"{', '.join(missing) or 'none'}. If that is as it should be: make instructions INSTRUCTIONS=--write"
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
