"""All intended deviations from scikit-learn with their reasons: in random calls, and in scikit-learn's own tests.

An entry sees the call and what scikit-learn made of it, but not our result. It says what we make of it:

- `instead` rewrites the call. What scikit-learn makes of the rewritten call is our result.
- `refusal` names the exceptions of which we raise one.

So an entry explains a difference only if our result is the one that it names, and it matches only calls for which that
is not scikit-learn's result.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

sys.path.insert(0, str(Path(__file__).parent / "fuzz"))
import compare
import rewrite
from compare import Outcome
from draw import Call

Kinds = tuple[type[Exception], ...]
EITHER: Kinds = (ValueError, TypeError)


@dataclasses.dataclass(frozen=True)
class Deviation:
    """What we make of a call, why, and a call that shows it."""

    name: str
    reason: str
    example: tuple[str, tuple[Any, ...], dict[str, Any]]
    instead: Callable[[Call], Call | None] | None = None
    refusal: Callable[[Call, Outcome], Kinds | None] | None = None
    only: Callable[[Outcome], bool] = lambda theirs: True
    narrow: bool = False  # our value, in the dtype and with the warnings that scikit-learn has for the call itself
    quiet: bool = False  # without the warnings of numpy that the rewritten call has
    everywhere: bool = True  # whether the example shows it on every machine


def _no_numbers_among_weights(call: Call, theirs: Outcome) -> Kinds | None:
    wrong = not isinstance(theirs.value, EITHER) and rewrite.has_no_numbers(call.options.get("sample_weight"))
    return EITHER if wrong else None


def _no_numbers_among_scores(call: Call, theirs: Outcome) -> Kinds | None:
    takes = call.name not in rewrite.OF_LABELS | rewrite.OF_PROBABILITIES and len(call.arguments) > 1
    if not takes or theirs.refused:
        dates = takes and isinstance(theirs.value, ValueError) and rewrite.are_times(call.arguments[1])
        return (TypeError,) if dates else None
    wrong = rewrite.has_no_numbers(call.arguments[1]) or rewrite.has_infinite_objects(call.arguments[1])
    return EITHER if wrong else None


def _not_found(theirs: Outcome) -> bool:
    return isinstance(theirs.value, IndexError | TypeError)


def _no_two_points(theirs: Outcome) -> bool:
    return isinstance(theirs.value, ValueError) and str(theirs.value).startswith("At least 2 points are needed")


def _answered(theirs: Outcome) -> bool:
    return not theirs.refused


def _numpys_own(call: Call, theirs: Outcome) -> Kinds | None:
    kind = type(theirs.value)
    if not theirs.refused or kind in EITHER or kind.__module__.startswith("sklearn"):
        return None
    return next(((base,) for base in EITHER if isinstance(theirs.value, base)), None)


def _stumbled(call: Call, theirs: Outcome) -> Kinds | None:
    wordless = isinstance(theirs.value, NotImplementedError) and not str(theirs.value)
    return EITHER if wordless or (theirs.stumbled and isinstance(theirs.value, LookupError | AttributeError)) else None


_STORED = sparse.csr_matrix(([0, 1], ([0, 0], [0, 1])), shape=(1, 2))
_GAINS = [[1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0]]
_TIED = [[2, 0, 1, 1, 1, 1, 0, 0, 0, 0, 2, 2, 2, 1, 2, 3, 1]]
_HALF = np.array([0.3, 0.6, 0.2], dtype=np.float32)

FUZZ: list[Deviation] = [
    Deviation(
        "memoryviews",
        "numpy.isscalar takes a memoryview for a scalar, and so scikit-learn refuses it. We read it as the array that "
        "it shows.",
        ("accuracy_score", (memoryview(np.array([0, 1])), [0, 1]), {}),
        instead=rewrite.memoryviews,
    ),
    Deviation(
        "text of numpy's StringDType",
        "scikit-learn fails inside numpy with a TypeError that does not name the argument. We read it as other text.",
        ("accuracy_score", (np.array(["a", "b"], np.dtypes.StringDType()), ["a", "b"]), {}),
        instead=rewrite.variable_text,
    ),
    Deviation(
        "weights and scores that are objects",
        "Some functions of scikit-learn compute with whole numbers, fractions and decimals in an array of objects, and "
        "return them, others refuse them. We read them as doubles.",
        ("f1_score", ([0, 1], [0, 1]), {"sample_weight": np.array([1, 2], dtype=object)}),
        instead=rewrite.numbers_that_are_objects,
    ),
    Deviation(
        "labels in one column of a matrix",
        "roc_auc_score of one class against one fails with an IndexError, and losses of probabilities fail with a TypeError "
        "for a list of lists, though other calls take such labels. We take them.",
        ("roc_auc_score", ([[0], [1], [2]], np.eye(3)), {"multi_class": "ovo"}),
        instead=rewrite.columns_of_labels,
        only=_not_found,
    ),
    Deviation(
        "unsigned labels of the other byte order",
        "scikit-learn fails inside numpy with a TypeError that does not name the argument. We read them.",
        ("hinge_loss", (np.array([2**63, 2**63 + 1], dtype=">u8"), [1.0, 0.0]), {}),
        instead=rewrite.byte_order,
    ),
    Deviation(
        "margins of unsigned integers",
        "scikit-learn subtracts unsigned decision values in their own type, in which no difference is below 0. We subtract "
        "numbers.",
        ("hinge_loss", ([0, 1, 2], np.array([[5, 1, 2], [2, 0, 1], [1, 2, 0]], dtype=np.uint8)), {}),
        instead=rewrite.unsigned_margins,
    ),
    Deviation(
        "long doubles",
        "Some functions of scikit-learn refuse long doubles, and others return them. We read them as doubles, if a double "
        "holds each of them, and refuse them otherwise.",
        ("f1_score", ([0, 1], [0, 1]), {"sample_weight": np.ones(2, dtype=np.longdouble)}),
        instead=rewrite.long_doubles,
        narrow=True,
    ),
    Deviation(
        "rows of indicators in a tuple",
        "scikit-learn passes a tuple on to scipy, which takes it for a shape or for the parts of a sparse matrix. It "
        "fails, counts other cells, or reads memory past the end of three rows and crashes. We read a tuple of rows like "
        "a list of rows, and rows that are tuples like those of an array.",
        ("hamming_loss", (((0, 1), (1, 1)), ((0, 1), (1, 0))), {}),
        instead=rewrite.tuples,
    ),
    Deviation(
        "scores of several classes in a list",
        "scikit-learn reads the attribute shape, which a list does not have, and fails with an AttributeError. We "
        "read a list of rows like an array.",
        ("average_precision_score", ([0, 1, 2], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), {}),
        instead=rewrite.lists_of_scores,
    ),
    Deviation(
        "weights that are no array",
        "scikit-learn looks up the weight of a ranking by the number of its row. A Series with its own index returns "
        "another row's weight or none. Columns of polars and of Arrow cannot add up as numpy does, which zero_one_loss "
        "needs, too. We take weights by position.",
        (
            "label_ranking_average_precision_score",
            ([[0, 1]], [[0.5, 0.7]]),
            {"sample_weight": pd.Series([2.0], index=[7])},
        ),
        instead=rewrite.weights_that_are_no_array,
    ),
    Deviation(
        "zeros that a sparse matrix stores",
        "scikit-learn takes every stored entry of a sparse indicator matrix for a one, also zeros, and returns "
        "negative counts. Here a zero is a zero.",
        ("multilabel_confusion_matrix", (sparse.csr_matrix([[0, 1]]), _STORED), {}),
        instead=rewrite.stored_zeros,
    ),
    Deviation(
        "entries that are masked",
        "Some functions of numpy drop the mask and others keep it, and so do those of scikit-learn; a label may even "
        "become the masked constant. We use the values under the mask, as numpy.asarray returns them.",
        (
            "precision_score",
            ([0, 1, 1], np.ma.masked_array([0, 1, 0], mask=[False, False, True])),
            {"average": "macro"},
        ),
        instead=rewrite.masks,
    ),
    Deviation(
        "labels beyond 2**53",
        "scikit-learn turns nullable columns, and unsigned labels beside signed ones, into float64, which does not "
        "hold neighbours beyond 2**53: different labels become one. We keep integers exact.",
        ("accuracy_score", (pd.Series([2**53, 2**53 + 1], dtype="Int64"), [2**53, 2**53]), {}),
        instead=rewrite.large_labels,
    ),
    Deviation(
        "the order of ties that are to be ignored",
        "With ignore_ties, scikit-learn takes tied scores in the order of numpy's sort, which depends on the machine. "
        "We take them in the order of the columns, from the last.",
        ("dcg_score", (_GAINS, _TIED), {"ignore_ties": True}),
        instead=rewrite.ties,
        only=_answered,
        everywhere=False,
    ),
    Deviation(
        "a partial area without negatives",
        "Where no negative row has weight, scikit-learn finds no false positive rate below max_fpr and asks for two points. "
        "We return NaN with the warning that both give for the whole area.",
        ("roc_auc_score", ([0, 1, 1], [0.1, 0.4, 0.3]), {"sample_weight": [0, 1, 1], "max_fpr": 0.5}),
        instead=rewrite.whole_area,
        only=_no_two_points,
    ),
    Deviation(
        "sums of narrow weights",
        "Without normalization scikit-learn adds in the dtype of the weights: 8 bits overflow, and truth values are "
        "combined by or. Our sums are exact.",
        ("accuracy_score", ([1, 1], [1, 1]), {"normalize": False, "sample_weight": np.array([200, 100], "u1")}),
        instead=rewrite.narrow_integers,
        narrow=True,
    ),
    Deviation(
        "weights too large or too small for scikit-learn's arithmetic",
        "A product inside scikit-learn overflows or has no digit left. Our result is that of weights near 1, and there is "
        "no warning.",
        ("cohen_kappa_score", ([0, 1, 1], [0, 1, 0]), {"sample_weight": [1e200, 1e200, 2e200]}),
        instead=rewrite.scaled,
    ),
    Deviation(
        "floats of 32 and 16 bits",
        "scikit-learn computes with probabilities, scores and weights in the precision in which they came, and so do "
        "its sums. We add them up in double precision.",
        ("log_loss", ([0, 1, 1], _HALF), {}),
        instead=rewrite.narrow_floats,
        only=_answered,
        narrow=True,
    ),
    Deviation(
        "weights that are no numbers",
        "Some functions of scikit-learn refuse text and None, some read numbers and NaN from them, and some join text: the "
        "sum of '1' and '2' is 12. We refuse them, and whatever else is no number, before we divide by a sum of weights.",
        (
            "accuracy_score",
            ([1, 1], [1, 1]),
            {"normalize": False, "sample_weight": np.array(["1", "2"], dtype=object)},
        ),
        refusal=_no_numbers_among_weights,
    ),
    Deviation(
        "scores that are no numbers",
        "scikit-learn refuses an array of text, but reads numbers from the same text in an array of objects or in a "
        "column of pandas, and sorts dates. We refuse all of them, and None and infinity among objects, and say so before "
        "we look at the labels.",
        ("roc_auc_score", ([0, 1, 1], np.array([".1", ".9", ".4"], dtype=object)), {}),
        refusal=_no_numbers_among_scores,
    ),
    Deviation(
        "exceptions of numpy's own",
        "Where scikit-learn lets numpy fail over weights, the exception may be of a class of numpy's own, such as "
        "DTypePromotionError. Ours is a TypeError and a ValueError.",
        ("d2_brier_score", ([0, 1], [[0.5, 0.5], [0.2, 0.8]]), {"sample_weight": np.array(["2020"] * 2, "M8[D]")}),
        refusal=_numpys_own,
    ),
    Deviation(
        "what scikit-learn stumbles over",
        "scikit-learn does not check some arguments, and fails inside with a KeyError, an IndexError or the like, "
        "which does not name the argument. We refuse them with a ValueError or a TypeError.",
        ("confusion_matrix", (np.array(0), [0]), {}),
        refusal=_stumbled,
    ),
]

# Tests of scikit-learn in which a value is scikit-learn's, since ours refuses, by a part of the name and with the reason.
VALUES_OF_SCIKIT_LEARN: dict[str, str] = {
    "_warnings": "Labels that are not ascending: scikit-learn reads the columns in another order, and warns.",
    "test_d2_brier_score_with_labels": "As above.",
    "test_d2_log_loss_score_label_order": "As above.",
    "test_d2_log_loss_score_raises": "A single row: scikit-learn warns before it looks at the labels.",
    "test_cohen_kappa": "Labels to count that no row has in both columns.",
    "test_confusion_matrix_dtype": "Weights whose sum overflows: scikit-learn's wraps around.",
    "test_label_ranking_avp": "One label, of which there is no ranking.",
    "partial_roc_auc": "Partial areas over rows (average='samples').",
    "invariance": "Average precision of several classes over rows (average='samples').",
}

# Tests of scikit-learn that fail with our functions, each with the reason.
CONFORMANCE: dict[str, str] = {}


def expectations(call: Call, theirs: Outcome, package: Any) -> Iterator[tuple[tuple[Deviation, ...], Outcome | Kinds]]:
    """What we make of the call, by each entry that matches it, and by all of them together."""
    for deviation in FUZZ:
        named = _named(deviation, call, theirs)
        if named is not None:
            yield (deviation,), named
        elif deviation.instead is not None:
            _, expected = _rewritten(deviation, call, theirs, package)
            if compare.difference(theirs, expected):
                yield (deviation,), expected
    used: tuple[Deviation, ...] = ()
    expected = theirs
    for deviation in FUZZ:
        if deviation.instead is None:
            named = _named(deviation, call, expected)
            if used and named is not None:
                yield (*used, deviation), named
            continue
        changed, outcome = _rewritten(deviation, call, expected, package)
        if changed is not call:
            call, expected, used = changed, outcome, (*used, deviation)
            if len(used) > 1 and compare.difference(theirs, outcome):
                yield used, outcome


def _named(deviation: Deviation, call: Call, theirs: Outcome) -> Outcome | Kinds | None:
    """What an entry says of the call without a rewritten one."""
    return None if deviation.refusal is None else deviation.refusal(call, theirs)


def _rewritten(deviation: Deviation, call: Call, theirs: Outcome, package: Any) -> tuple[Call, Outcome]:
    """The call as an entry rewrites it, and what scikit-learn makes of that."""
    assert deviation.instead is not None
    changed = deviation.instead(call)
    if changed is None or not deviation.only(theirs):
        return call, theirs
    outcome = compare.outcome(package, changed)
    if deviation.quiet:
        outcome.warnings[:] = [said for said in outcome.warnings if said[0] != "RuntimeWarning"]
    if deviation.narrow and not outcome.refused and not theirs.refused:
        kept = [said for said in theirs.warnings if said[0] != "RuntimeWarning" or said in outcome.warnings]
        outcome = Outcome(rewrite.narrowed(outcome.value, theirs.value), kept)
    return changed, outcome


def agrees(expected: Outcome | Kinds, ours: Outcome) -> bool:
    """Whether our result is what an entry says."""
    if isinstance(expected, tuple):
        return isinstance(ours.value, expected)
    return compare.difference(expected, ours) is None
