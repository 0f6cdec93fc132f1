"""Realistic patterns of scores, each a function of the number of rows.

Each pattern returns `(y, score)`: int64 labels 0 and 1, and float64 scores. The same seed always gives the same rows.

| pattern | distribution | why |
|---|---|---|
| `two_normals` | two normal distributions through a sigmoid, AUC 0.85, 30 % positives | a usual model |
| `uniform` | uniform, independent of the label | no structure that a kernel could use |
| `two_digits` | `two_normals` rounded to 101 values | reports, trees, calibrated bins: heavy ties |
| `rare_positives` | `two_normals` with 1 % positives | fraud, medicine |
| `over_confident` | logits of `two_normals` times 12 | boosted trees, networks: most scores are close to 0 or 1 |
| `half_atoms` | every other row of `two_normals` rounded to two digits | rules beside a model |
| `presorted` | `two_normals` in increasing order of the score | output of a ranking query |
| `all_tied` | one value | a constant model; the AUC is exactly 0.5 |
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Labels = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float64]
Pattern = Callable[[int], tuple[Labels, Scores]]


def two_normals(rows: int, positives: float = 0.3) -> tuple[Labels, Scores]:
    """Scores of two overlapping classes, as from a usual model."""
    random = np.random.default_rng(1)
    y = (random.random(rows) < positives).astype(np.int64)
    return y, 1 / (1 + np.exp(-random.normal(1.5 * y - 1, 1)))


def uniform(rows: int) -> tuple[Labels, Scores]:
    """Scores that are independent of the labels."""
    random = np.random.default_rng(2)
    return (random.random(rows) < 0.3).astype(np.int64), random.random(rows)


def two_digits(rows: int) -> tuple[Labels, Scores]:
    """At most 101 distinct scores."""
    y, score = two_normals(rows)
    return y, np.round(score, 2)


def rare_positives(rows: int) -> tuple[Labels, Scores]:
    """One row in a hundred is positive."""
    return two_normals(rows, positives=0.01)


def over_confident(rows: int) -> tuple[Labels, Scores]:
    """Most scores are close to 0 or 1."""
    y, score = two_normals(rows)
    return y, 1 / (1 + np.exp(-12 * np.log(score / (1 - score))))


def half_atoms(rows: int) -> tuple[Labels, Scores]:
    """Half of the rows share few scores, the others have their own."""
    y, score = two_normals(rows)
    score[::2] = np.round(score[::2], 2)
    return y, score


def presorted(rows: int) -> tuple[Labels, Scores]:
    """Scores in increasing order."""
    y, score = two_normals(rows)
    order = np.argsort(score, kind="stable")
    return y[order], score[order]


def all_tied(rows: int) -> tuple[Labels, Scores]:
    """The same score for all rows."""
    y, score = two_normals(rows)
    return y, np.full_like(score, 0.5)


def classes(rows: int, count: int, right: float = 0.8) -> tuple[Labels, Labels]:
    """Actual and predicted labels 0 … count-1; four in five predictions are correct."""
    random = np.random.default_rng(3)
    y = random.integers(0, count, rows)
    return y, np.where(random.random(rows) < right, y, random.integers(0, count, rows))


SCORES: dict[str, Pattern] = {
    pattern.__name__: pattern
    for pattern in (
        two_normals,
        uniform,
        two_digits,
        rare_positives,
        over_confident,
        half_atoms,
        presorted,
        all_tied,
    )
}
