"""Refusals of a column that name the argument or the statistic that would have been right."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rocksteady._rocksteady import index_name
from rocksteady.base.containers import is_matrix, shape_of
from rocksteady.base.warning import takes
from rocksteady.errors import RocksteadyError, UnknownIndexError

_COLUMNS = "for scores of several classes, a column for each, use y_proba of evaluate, or ScoreTables"
_SCORES = "for scores and probabilities use y_score or y_proba of evaluate, or ScoreTable"
_PREDICTED = "for predicted classes use y_pred of evaluate, or ConfusionMatrix"
_ONE = "for scores of the positive class of two use y_score of evaluate, or ScoreTable"
#: What is said of a missing value, where the call has the option.
GAP = "nan_policy='omit' leaves such rows out"
_LABELS = "for several labels a row, a column for each, use LabelScoreTables"


def of_scores(error: RocksteadyError, y_true: Any, y_score: Any) -> RocksteadyError:
    """The refusal of two classes and a score, with a hint."""
    return _with(error, _of_scores(error, y_true, y_score))


def of_classes(error: RocksteadyError, y_true: Any, y_pred: Any) -> RocksteadyError:
    """The refusal of actual and predicted classes, with a hint."""
    return _with(error, _of_classes(error, y_true, y_pred))


def of_columns(error: RocksteadyError, y_true: Any, y_score: Any) -> RocksteadyError:
    """The refusal of scores of several classes, a column for each, with a hint."""
    if is_matrix(y_true):
        return _with(error, _several(y_true))
    if error.argument in ("y_score", "y_proba") and "one for each class" in str(error):
        return _with(error, "pass labels= if a class does not occur in y_true")
    is_column = error.argument in ("y_score", "y_proba") and len(shape_of(y_score)) == 1
    return _with(error, _ONE if is_column else None)


def of_gap(error: RocksteadyError) -> RocksteadyError:
    """The refusal of a missing value, with a hint."""
    return _with(error, _of_gap(error))


def near(name: str, names: Iterable[str]) -> str:
    """The rest of a sentence: up to three names that begin like it or differ in few letters; empty if there are none.

    >>> near("KAPA", ["Kappa", "AUC"]), near("con", ["confusion_matrix"]), near("foo", ["for"])
    ("; did you mean 'Kappa'?", "; did you mean 'confusion_matrix'?", '')
    """
    import difflib  # noqa: PLC0415 (few programs need it)

    wanted, known = name.lower(), {other.lower(): other for other in names}
    longer = [other for other in known if len(wanted) > 2 and other.startswith(wanted)]
    alike = difflib.get_close_matches(wanted, known, n=3, cutoff=0.75)
    found = [repr(known[other]) for other in dict.fromkeys([*alike, *longer])][:3]
    return f"; did you mean {' or '.join(found)}?" if found else ""


def of_attribute(owner: Any, name: str) -> str | None:
    """How to ask for an index that was taken for an attribute; None where the name is that of no index."""
    if not hasattr(type(owner), "__getitem__"):
        return None
    try:
        index_name(name)
    except UnknownIndexError:
        return None
    try:
        owner[name]
    except RocksteadyError as error:
        return str(error)
    return f"it is an index: [{name!r}]"


def _of_scores(error: RocksteadyError, y_true: Any, y_score: Any) -> str | None:
    if _is_missing(error):
        return _of_gap(error)
    if is_matrix(y_true):
        return _several(y_true)
    if error.argument == "y_true":
        if "the two labels" in str(error):
            return f"{_COLUMNS}; {_PREDICTED}"
        return "y_true and y_score may have changed places" if "whole number" in str(error) else None
    if error.argument == "y_score" and is_matrix(y_score):
        if shape_of(y_score)[1] != 2:
            return _several(y_score, _COLUMNS)
        return "for a classifier's probabilities of two classes use y_proba of evaluate, or take the column of the positive class"
    return _PREDICTED if error.argument == "y_score" and _is_text(y_score) else None


def _of_classes(error: RocksteadyError, y_true: Any, y_pred: Any) -> str | None:
    if _is_missing(error):
        return _of_gap(error)
    if error.argument == "y_pred" and shape_of(y_pred)[1:] == (1,):
        return None
    if error.argument == "y_pred" and (is_matrix(y_pred) or "whole number" in str(error)):
        return _several(y_true) if is_matrix(y_true) else _SCORES
    if error.argument == "y_true":
        if is_matrix(y_true):
            return _several(y_true)
        return "y_true and y_pred may have changed places" if "whole number" in str(error) else None
    return None


def _several(matrix: Any, hint: str = _LABELS) -> str | None:
    """The hint about several columns; None of one, which is a column once it is taken out."""
    return hint if shape_of(matrix)[1] > 1 else None


def _of_gap(error: RocksteadyError) -> str | None:
    return GAP if _is_missing(error) and takes("nan_policy", "omit") else None


def _is_missing(error: RocksteadyError) -> bool:
    is_left_out = error.argument in ("y_true", "y_pred", "y_score", "y_proba")  # a row without a weight is not
    return is_left_out and error.row is not None and error.value in ("missing", "NaN")


def _with(error: RocksteadyError, hint: str | None) -> RocksteadyError:
    """The refusal with a hint at its end."""
    if hint is None:
        return error
    return type(error)(
        f"{error} ({hint})",
        argument=error.argument,
        row=error.row,
        value=error.value,
        expected=error.expected,
        position=error.position,
    )


def _is_text(values: Any) -> bool:
    first = next(iter(values), None) if isinstance(values, (list, tuple)) else None
    kind = getattr(getattr(values, "dtype", None), "kind", "")
    return isinstance(first, str) or kind in ("U", "T", "O") or str(getattr(values, "dtype", "")) in ("String", "str")
