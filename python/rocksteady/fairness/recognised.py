"""The index that a metric function computes, so that all groups are computed in one call."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from rocksteady.base.arguments import wrong_type, wrong_value
from rocksteady.registry import registry

_PACKAGES = ("sklearn.metrics", "rocksteady.metrics", "rocksteady.fairness", "fairlearn.metrics")

# Function, index, and the value where the index is undefined (None: ask the function).
_OF_COUNTS: dict[str, tuple[str, float | None]] = {
    "accuracy_score": ("accuracy", None),
    "balanced_accuracy_score": ("balanced_accuracy", None),
    "cohen_kappa_score": ("kappa", None),
    "f1_score": ("f1", 0.0),
    "false_negative_rate": ("fnr", 0.0),
    "false_positive_rate": ("fpr", 0.0),
    "jaccard_score": ("jaccard", 0.0),
    "matthews_corrcoef": ("mcc", 0.0),
    "precision_score": ("precision", 0.0),
    "recall_score": ("recall", 0.0),
    "selection_rate": ("selection_rate", float("nan")),
    "true_negative_rate": ("specificity", 0.0),
    "true_positive_rate": ("recall", 0.0),
    "zero_one_loss": ("error_rate", None),
}
# Functions whose positive class is 1 by default.
_ONE_SIDED = {"f1_score", "jaccard_score", "precision_score", "recall_score"}


@dataclass(frozen=True)
class Metric:
    """A metric of a frame.

    Attributes
    ----------
    name : str
        Its name in the frame.
    function : callable or None
        What computes it for the rows of a group; None for an index.
    index : str or None
        The index of counts that it is; None for any other function.
    undefined : float or None
        The value of a group where the index has none. None: the function is asked.
    pos_label : object
        The positive label; None for 1.
    selected : bool
        Whether only the predictions are read, of any number of labels.
    """

    name: str
    function: Any
    index: str | None = None
    undefined: float | None = None
    pos_label: Any = None
    selected: bool = False


def recognised(given: Any, name: str | None, argument: str) -> Metric:
    """What a metric of a frame is: the name of an index, a function that computes one, or any other function."""
    if isinstance(given, str):
        found = registry.index(given)
        if not {"counts", "matrix"} & set(found.forms):
            raise wrong_value(given, argument, "an index of counts; give a function for one of scores")
        return Metric(name or given, None, found.name, float("nan"))
    if not callable(given):
        raise wrong_type(given, argument, "a metric function, the name of an index, or a dictionary of them")
    if name is None:
        name = getattr(given, "__name__", "metric")
    function, options = given, {}
    if isinstance(given, functools.partial) and not given.args:
        function, options = given.func, dict(given.keywords)
    own = getattr(function, "__name__", "")
    module = getattr(function, "__module__", None) or ""
    known = _OF_COUNTS.get(own) if module.startswith(_PACKAGES) else None
    other = set(options) - {"pos_label"}
    takes_label = own in _ONE_SIDED or own.endswith("_rate")
    if known is None or other or (options and not takes_label):
        return Metric(name, given)
    index, undefined = known
    return Metric(name, given, index, undefined, options.get("pos_label"), own == "selection_rate")
