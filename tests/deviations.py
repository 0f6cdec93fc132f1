"""All intended deviations from scikit-learn with their reasons: in random calls, and in scikit-learn's own tests."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse


@dataclasses.dataclass(frozen=True)
class Deviation:
    """How our result differs, why, when, and a call that shows it."""

    name: str
    how: tuple[str, ...]
    reason: str
    when: Callable[[Any, Any, Any], bool]
    example: tuple[str, tuple[Any, ...], dict[str, Any]]
    everywhere: bool = True  # whether the example shows it on every machine


def _overflowed(theirs: Any, ours: Any) -> bool:
    """Whether numpy warned of an overflow inside scikit-learn, and all other warnings are the same."""
    rest = [said for said in theirs.warnings if "overflow" not in said[1] and "in cast" not in said[1]]
    return len(rest) < len(theirs.warnings) and [said[0] for said in rest if said[0] != "RuntimeWarning"] == [
        said[0] for said in ours.warnings if said[0] != "RuntimeWarning"
    ]


def _stores_zeros(argument: Any) -> bool:
    return sparse.issparse(argument) and hasattr(argument, "data") and argument.nnz != argument.count_nonzero()


def _is_text_in_objects(argument: Any) -> bool:
    kind = getattr(getattr(argument, "dtype", None), "kind", "")
    return kind == "O" and any(isinstance(value, str) for value in np.asarray(argument, dtype=object).flat)


_STORED = sparse.csr_matrix(([0, 1], ([0, 0], [0, 1])), shape=(1, 2))

_GAINS = [[1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0]]
_TIED = [[2, 0, 1, 1, 1, 1, 0, 0, 0, 0, 2, 2, 2, 1, 2, 3, 1]]

# The first deviation that fits explains a difference, so the general ones come last.
FUZZ: list[Deviation] = [
    Deviation(
        "numbers too large for scikit-learn's arithmetic",
        ("value", "warnings"),
        "A product or a conversion inside scikit-learn overflows, and numpy warns. Our result is the one without "
        "overflow, and there is no warning.",
        lambda call, theirs, ours: _overflowed(theirs, ours),
        ("cohen_kappa_score", ([0, 1, 1], [0, 1, 0]), {"sample_weight": [1e200, 1e200, 2e200]}),
    ),
    Deviation(
        "the order of ties that are to be ignored",
        ("value",),
        "With ignore_ties, scikit-learn takes tied scores in the order of numpy's sort, which depends on the machine. "
        "We take them in the order of the columns, from the last.",
        lambda call, theirs, ours: call.name in ("dcg_score", "ndcg_score") and bool(call.options.get("ignore_ties")),
        ("dcg_score", (_GAINS, _TIED), {"ignore_ties": True}),
        everywhere=False,
    ),
    Deviation(
        "None among the weights is refused",
        ("we refuse",),
        "Some functions of scikit-learn take None for NaN, and their result is NaN. Others refuse it.",
        lambda call, theirs, ours: (
            isinstance(call.options.get("sample_weight"), list) and None in call.options["sample_weight"]
        ),
        ("matthews_corrcoef", ([1, 0, 0], [1, 0, 1]), {"sample_weight": [None, 1, 1]}),
    ),
    Deviation(
        "zeros that a sparse matrix stores",
        ("value", "warnings", "we accept", "we refuse"),
        "scikit-learn takes every stored entry of a sparse indicator matrix for a one, also zeros, and returns "
        "negative counts. Here a zero is a zero.",
        lambda call, theirs, ours: any(_stores_zeros(argument) for argument in call.arguments),
        ("multilabel_confusion_matrix", (sparse.csr_matrix([[0, 1]]), _STORED), {}),
    ),
    Deviation(
        "sums of narrow weights",
        ("value", "type"),
        "Without normalization scikit-learn adds in the dtype of the weights: 8 bits overflow, and truth values are "
        "combined by or. Our sums are exact.",
        lambda call, theirs, ours: (
            (call.options.get("normalize", True) is not True or bool(call.options.get("samplewise")))
            and np.asarray(call.options.get("sample_weight")).dtype.kind in "bu"
        ),
        ("accuracy_score", ([1, 1], [1, 1]), {"normalize": False, "sample_weight": np.array([200, 100], "u1")}),
    ),
    Deviation(
        "scores of several classes in a list",
        ("we accept", "exception"),
        "scikit-learn reads the attribute shape, which a list does not have, and fails with an AttributeError. We "
        "read a list of rows like an array.",
        lambda call, theirs, ours: (
            call.name == "average_precision_score" and "'list' object has no attribute 'shape'" in str(theirs.value)
        ),
        ("average_precision_score", ([0, 1, 2], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), {}),
    ),
    Deviation(
        "weights of rankings that are no array",
        ("we accept",),
        "scikit-learn looks up the weight of a row by its number. A Series with its own index returns another row's "
        "weight or none, and polars cannot add up as numpy does. We take weights by position.",
        lambda call, theirs, ours: (
            call.name == "label_ranking_average_precision_score"
            and theirs.stumbled
            and hasattr(call.options["sample_weight"], "dtype")
        ),
        (
            "label_ranking_average_precision_score",
            ([[0, 1]], [[0.5, 0.7]]),
            {"sample_weight": pd.Series([2.0], index=[7])},
        ),
    ),
    Deviation(
        "text among the scores",
        ("we refuse",),
        "scikit-learn refuses an array of text, but reads numbers from the same text in an array of objects or in a "
        "column of pandas. We refuse all of them.",
        lambda call, theirs, ours: _is_text_in_objects(call.arguments[1]),
        ("roc_auc_score", ([0, 1, 1], np.array([".1", ".9", ".4"], dtype=object)), {}),
    ),
    Deviation(
        "entries that are masked",
        ("we accept", "we refuse", "exception", "value", "warnings"),
        "Some functions of numpy drop the mask and others keep it, and so do those of scikit-learn; a label may even "
        "become the masked constant. We use the values under the mask, as numpy.asarray returns them.",
        lambda call, theirs, ours: any(isinstance(v, np.ma.MaskedArray) for v in call.arguments),
        (
            "precision_score",
            ([0, 1, 1], np.ma.masked_array([0, 1, 0], mask=[False, False, True])),
            {"average": "macro"},
        ),
    ),
    Deviation(
        "what scikit-learn stumbles over",
        ("exception", "we accept"),
        "scikit-learn does not check some arguments, and fails inside with a KeyError, an IndexError or the like, "
        "which does not name the argument. We refuse them with a ValueError or a TypeError, or accept them.",
        lambda call, theirs, ours: theirs.stumbled and isinstance(theirs.value, LookupError | AttributeError),
        ("confusion_matrix", (np.array(0), [0]), {}),
    ),
]

# Tests of scikit-learn that fail with our functions, each with the reason.
CONFORMANCE: dict[str, str] = {
    "test_classification::test_confusion_matrix_dtype": (
        "One of three assertions expects that two weights of 2**63 - 1 add up to -2. Our integers are exact, so we "
        "refuse weights whose sums do not fit. The dtypes, which the test is about, are those of scikit-learn."
    ),
}


def explanation(call: Any, how: str, theirs: Any, ours: Any) -> Deviation | None:
    """The deviation that explains a difference; None if there is none."""
    return next((d for d in FUZZ if how in d.how and d.when(call, theirs, ours)), None)
