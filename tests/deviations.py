"""Every wanted deviation from scikit-learn, with its reason: of random calls, and of scikit-learn's own tests."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse


@dataclasses.dataclass(frozen=True)
class Deviation:
    """How our answer differs, why, when, and a call that shows it."""

    name: str
    how: tuple[str, ...]
    reason: str
    when: Callable[[Any, Any, Any], bool]
    example: tuple[str, tuple[Any, ...], dict[str, Any]]
    everywhere: bool = True  # whether the example shows it on every machine


def _overflowed(theirs: Any, ours: Any) -> bool:
    """Whether numpy warned inside scikit-learn of a number too large for its type, and nothing else differs in the warnings."""
    rest = [said for said in theirs.warnings if "overflow" not in said[1] and "in cast" not in said[1]]
    return len(rest) < len(theirs.warnings) and [said[0] for said in rest if said[0] != "RuntimeWarning"] == [
        said[0] for said in ours.warnings if said[0] != "RuntimeWarning"
    ]


def _negative_weights(call: Any, theirs: Any, ours: Any) -> bool:
    try:
        weights = np.asarray(call.options.get("sample_weight"), dtype=float)
    except (TypeError, ValueError):
        return False
    return bool((weights < 0).any()) and isinstance(ours.value, ValueError)


def _stores_zeros(argument: Any) -> bool:
    return sparse.issparse(argument) and hasattr(argument, "data") and argument.nnz != argument.count_nonzero()


_STORED = sparse.csr_matrix(([0, 1], ([0, 0], [0, 1])), shape=(1, 2))

_GAINS = [[1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0]]
_TIED = [[2, 0, 1, 1, 1, 1, 0, 0, 0, 0, 2, 2, 2, 1, 2, 3, 1]]

# The first that fits explains a difference: the general ones come last.
FUZZ: list[Deviation] = [
    Deviation(
        "numbers too large for scikit-learn's arithmetic",
        ("value", "warnings"),
        "Where numpy warns inside scikit-learn that a product or a conversion overflows, the answer is here what it would be "
        "without, and there is no such warning.",
        lambda call, theirs, ours: _overflowed(theirs, ours),
        ("cohen_kappa_score", ([0, 1, 1], [0, 1, 0]), {"sample_weight": [1e200, 1e200, 2e200]}),
    ),
    Deviation(
        "the order of ties that are to be ignored",
        ("value",),
        "With ignore_ties, scikit-learn takes tied scores in the order in which numpy's sort leaves them, which depends on the "
        "machine; here it is the order of the columns, from the last.",
        lambda call, theirs, ours: call.name in ("dcg_score", "ndcg_score") and bool(call.options.get("ignore_ties")),
        ("dcg_score", (_GAINS, _TIED), {"ignore_ties": True}),
        everywhere=False,
    ),
    Deviation(
        "negative weights are refused",
        ("we refuse", "exception"),
        "scikit-learn adds them up, into negative cells of the matrix and rates outside [0, 1].",
        _negative_weights,
        ("accuracy_score", ([0, 1], [0, 1]), {"sample_weight": [1, -1.5]}),
    ),
    Deviation(
        "None among the weights is refused",
        ("we refuse",),
        "Some of scikit-learn's functions take it for NaN and carry it into the answer, others refuse it.",
        lambda call, theirs, ours: (
            isinstance(call.options.get("sample_weight"), list) and None in call.options["sample_weight"]
        ),
        ("matthews_corrcoef", ([1, 0, 0], [1, 0, 1]), {"sample_weight": [None, 1, 1]}),
    ),
    Deviation(
        "indicator matrices in the other byte order",
        ("we accept",),
        "scikit-learn makes them sparse, and scipy has no sparse matrices of the other byte order; here they are read as any "
        "other array.",
        lambda call, theirs, ours: "scipy.sparse does not support dtype >" in str(theirs.value),
        ("hamming_loss", (np.array([[0, 1]], dtype=">i4"), [[0, 1]]), {}),
    ),
    Deviation(
        "zeros that a sparse matrix stores",
        ("value", "warnings", "we accept", "we refuse"),
        "scikit-learn takes every stored entry of a sparse indicator matrix for a one, zeros too, and gives negative counts; "
        "here a zero is a zero.",
        lambda call, theirs, ours: any(_stores_zeros(argument) for argument in call.arguments),
        ("multilabel_confusion_matrix", (sparse.csr_matrix([[0, 1]]), _STORED), {}),
    ),
    Deviation(
        "sums of narrow weights",
        ("value", "type"),
        "Where it does not normalize, scikit-learn counts in the dtype of the weights: 8 bits overflow, truth values are "
        "joined by or; here every sum is exact.",
        lambda call, theirs, ours: (
            (call.options.get("normalize", True) is not True or bool(call.options.get("samplewise")))
            and np.asarray(call.options.get("sample_weight")).dtype.kind in "bu"
        ),
        ("accuracy_score", ([1, 1], [1, 1]), {"normalize": False, "sample_weight": np.array([200, 100], "u1")}),
    ),
    Deviation(
        "a refusal where scikit-learn stumbles",
        ("exception",),
        "Arguments that scikit-learn does not check make some line inside it or numpy fail with whatever exception that line "
        "raises, which says nothing about the argument; here they are refused with a ValueError or a TypeError.",
        lambda call, theirs, ours: theirs.stumbled and isinstance(ours.value, ValueError | TypeError),
        ("confusion_matrix", ({"a": 1}, [0]), {}),
    ),
    Deviation(
        "an answer where scikit-learn stumbles",
        ("we accept",),
        "The same, for arguments that mean something: weights in a Series, which scikit-learn asks for by its index instead of "
        "by place, or scores in a list, which it asks for their shape.",
        lambda call, theirs, ours: theirs.stumbled and not any("bytes" in word for word in call.about),
        (
            "label_ranking_average_precision_score",
            ([[0, 1]], [[0.5, 0.7]]),
            {"sample_weight": pd.Series([2.0], index=[7])},
        ),
    ),
]

# Tests of scikit-learn's that fail with our functions in place, each with the reason.
CONFORMANCE: dict[str, str] = {
    "test_classification::test_confusion_matrix_dtype": (
        "Of three assertions one asks that two weights of 2**63 - 1 add up to -2; here integers are exact, so weights that the "
        "sums cannot hold are refused. The dtypes, which the test is about, are those of scikit-learn."
    ),
}


def explanation(call: Any, how: str, theirs: Any, ours: Any) -> Deviation | None:
    """The deviation that explains a difference; None if there is none."""
    return next((d for d in FUZZ if how in d.how and d.when(call, theirs, ours)), None)
