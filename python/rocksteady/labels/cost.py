"""What errors cost: the prediction of least risk, the threshold that costs give, and matrices of costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import labels_of, numbers
from rocksteady.errors import InputError
from rocksteady.labels.confusion import ConfusionMatrix

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

# As many as `ConfusionMatrix.to_array` gives: 800 MB.
_MOST_CLASSES = 10_000


def bayes_decision(
    y_proba: ArrayLike,
    costs: ArrayLike,
    *,
    reject_cost: float | None = None,
    labels: ArrayLike | None = None,
) -> NDArray[Any]:
    """The prediction of least risk for each row: ``argmin_j sum_i P(i) C[i, j]``.

    It is right for probabilities that are calibrated; for others compare `ScoreTable.best` with ``"cost"``, which looks
    for the cheapest threshold in the data.

    Parameters
    ----------
    y_proba : array-like of shape (n, K) or (n,)
        Probabilities in [0, 1], a column for each class; a single column is the probability of the second of two classes. Rows
        are not made to add up to 1.
    costs : array-like of shape (K, K)
        What each outcome costs: rows actual, columns predicted, classes in the order of the columns; a gain is negative.
    reject_cost : float, optional
        What it costs to reject a row. Rows whose least risk is greater are rejected.
    labels : array-like of K labels, optional
        What the decisions are called. Default: 0 to K - 1.

    Returns
    -------
    array of shape (n,)
        int64 places of classes, -1 for a rejected row; with `labels` an array of them, of objects with None for a rejected
        row if there is a `reject_cost`. Of several classes with the least risk the first.

    Raises
    ------
    rocksteady.InputError
        If a number is no probability, with its row, or the costs are not finite or of another number of classes.

    References
    ----------
    Elkan 2001, The foundations of cost-sensitive learning, IJCAI, pp. 973-978; rejection: Chow 1970,
    doi:10.1109/TIT.1970.1054406.

    Examples
    --------
    >>> import rocksteady as rs
    >>> y_proba = [[0.9, 0.1, 0.0], [0.6, 0.1, 0.3], [0.4, 0.4, 0.2]]
    >>> costs = [[0, 1, 1], [1, 0, 1], [5, 5, 0]]
    >>> rs.bayes_decision(y_proba, costs).tolist()
    [0, 2, 2]
    >>> rs.bayes_decision(y_proba, costs, reject_cost=0.75, labels=["good", "fair", "bad"]).tolist()
    ['good', 'bad', None]
    """
    decided = _rocksteady.bayes_decision(y_proba, costs, reject_cost)
    if labels is None:
        return decided
    names = np.asarray(labels_of(labels, "labels"))
    classes = len(np.asarray(costs))
    if names.shape != (classes,):
        raise InputError(f"labels has shape {names.shape}; expected ({classes},), as the costs", argument="labels")
    # The last name, at place -1, is that of a rejected row.
    with_none: NDArray[Any] = names if reject_cost is None else np.array([*names.tolist(), None], dtype=object)
    return with_none[decided]


def bayes_risk(y_proba: ArrayLike, costs: ArrayLike) -> NDArray[np.float64]:
    """What each prediction costs in expectation, for each row: ``sum_i P(i) C[i, j]``, float64 of shape (n, K).

    Parameters
    ----------
    y_proba, costs
        As for `bayes_decision`.

    Raises
    ------
    rocksteady.InputError
        As for `bayes_decision`.

    References
    ----------
    Elkan 2001, The foundations of cost-sensitive learning, IJCAI, pp. 973-978.

    Examples
    --------
    >>> import rocksteady as rs
    >>> rs.bayes_risk([0.25, 0.0], [[0, 1], [10, 0]])
    array([[2.5 , 0.75],
           [0.  , 1.  ]])
    """
    return _rocksteady.bayes_risk(y_proba, costs)


def optimal_threshold(
    costs: ArrayLike | None = None,
    *,
    fp: float | None = None,
    fn: float | None = None,
    tp: float = 0.0,
    tn: float = 0.0,
) -> float:
    """The probability from which on predicting the positive class costs least.

    ``(fp - tn) / ((fp - tn) + (fn - tp))``. It is right for probabilities that are calibrated.

    Parameters
    ----------
    costs : array-like of shape (2, 2), optional
        What each outcome costs: rows actual, columns predicted, classes negative, positive: ``[[tn, fp], [fn, tp]]``.
    fp, fn, tp, tn : float
        The same one by one, instead of `costs`.

    Returns
    -------
    float
        Between 0 and 1. At this very probability both predictions cost the same.

    Raises
    ------
    rocksteady.InputError
        If an error does not cost more than being right about the same row, so that no threshold is best.

    References
    ----------
    Elkan 2001, The foundations of cost-sensitive learning, IJCAI, pp. 973-978.

    Examples
    --------
    >>> import rocksteady as rs
    >>> rs.optimal_threshold(fp=1, fn=4)
    0.2
    >>> rs.optimal_threshold([[0, 1], [4, 0]])
    0.2
    """
    if costs is None:
        if fp is None or fn is None:
            raise InputError("fp or fn is missing; expected both, or a matrix of costs", argument="fp")
        costs = [[tn, fp], [fn, tp]]
    elif (fp, fn, tp, tn) != (None, None, 0.0, 0.0):
        raise InputError("costs is given beside unit costs; expected one of them", argument="costs")
    return _rocksteady.optimal_threshold(costs)


def cost_weight_matrix(weights: ArrayLike) -> NDArray[np.float64]:
    """The matrix of costs by which every error costs the weight of the row's own class, and being right nothing.

    Parameters
    ----------
    weights : array-like of shape (K,), or (S, K) for a series of S matrices
        The weight of each class, finite.

    Returns
    -------
    float64 array of shape (K, K), or (S, K, K)
        Rows actual, columns predicted.

    Raises
    ------
    rocksteady.InputError
        For weights that are not finite, or of another shape.

    Examples
    --------
    >>> import rocksteady as rs
    >>> rs.cost_weight_matrix([1, 5, 2])
    array([[0., 1., 1.],
           [5., 0., 5.],
           [2., 2., 0.]])
    """
    given = numbers(weights, "weights").astype(np.float64)
    if given.ndim not in (1, 2) or not np.isfinite(given).all():
        raise InputError(
            f"weights has shape {given.shape}; expected finite numbers, (K,) or (S, K)", argument="weights"
        )
    if given.shape[-1] > _MOST_CLASSES:
        raise InputError(
            f"weights are of {given.shape[-1]} classes; expected at most {_MOST_CLASSES} for a dense matrix",
            argument="weights",
        )
    return given[..., :, None] * (1.0 - np.eye(given.shape[-1]))


def minority_label(y_true: ArrayLike, *, tie: object = None) -> object:
    """The label with the fewest rows: the class that is called positive where errors on rare cases are dear.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Class labels.
    tie : label, optional
        The answer where several labels have the fewest rows, one of them.

    Raises
    ------
    rocksteady.InputError
        If several labels have the fewest rows, and `tie` is none of them.

    Examples
    --------
    >>> import rocksteady as rs
    >>> rs.minority_label(["ill", "well", "well"])
    'ill'
    """
    matrix = ConfusionMatrix(y_true, y_true)
    counts = matrix.counts().tp
    labels: list[object] = matrix.labels[counts == counts.min()].tolist()
    if len(labels) == 1:
        return labels[0]
    found = [label for label in labels if np.isscalar(tie) and label == tie]
    if not found:
        names = ", ".join(map(repr, labels[:5]))
        more = ", …" if len(labels) > 5 else ""
        raise InputError(
            f"y_true has as many rows of each of {names}{more}; expected `tie`, one of them", argument="tie"
        )
    return found[0]
