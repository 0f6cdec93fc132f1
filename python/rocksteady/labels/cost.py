"""Costs of errors: the prediction of least risk, the optimal threshold, and cost matrices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import labels_of, numbers, real, shown, wrong_value
from rocksteady.base.gaps import refuse_gap
from rocksteady.base.named_columns import by_class, matrix_by_class, names_of_columns
from rocksteady.columns.pairing import paired
from rocksteady.errors import InputError
from rocksteady.labels.confusion import ConfusionMatrix

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

# The default costs of the outcomes: an error 1, a correct prediction 0.
UNIT_COSTS = {"tp": 0.0, "fp": 1.0, "fn": 1.0, "tn": 0.0}

# The same limit as `ConfusionMatrix.to_array`: 800 MB.
_MOST_CLASSES = 10_000


def is_number(value: Any) -> bool:
    """Whether a cost is one number for all rows: a number, or an array without axes."""
    return isinstance(value, (int, float, np.generic)) or getattr(value, "ndim", None) == 0


def cost_matrix(costs: Mapping[str, float]) -> NDArray[np.float64]:
    """Costs by outcome of two classes as a matrix: rows actual, columns predicted, negative before positive.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        For another outcome than "tp", "fp", "fn" and "tn", and for a cost that is no finite number.

    >>> cost_matrix({"fn": 5}).tolist()
    [[0.0, 1.0], [5.0, 0.0]]
    """
    given = dict(UNIT_COSTS)
    for outcome, cost in costs.items():
        if outcome not in given:
            raise wrong_value(outcome, "costs", "costs by 'tp', 'fp', 'fn' and 'tn'")
        if not is_number(cost) and np.ndim(cost) > 0:
            expected = "a number for all rows; CostCounts, CostTable and costs.bayes_decision take one for each row"
            raise wrong_value(cost, f"costs[{shown(outcome)}]", expected)
        given[outcome] = real(cost, f"costs[{shown(outcome)}]")
        if not np.isfinite(given[outcome]):
            raise wrong_value(cost, f"costs[{shown(outcome)}]", "a finite number")
    return np.array([[given["tn"], given["fp"]], [given["fn"], given["tp"]]])


def costs_by_outcome(costs: Mapping[str, Any] | ArrayLike) -> dict[str, Any]:
    """Costs in the order tp, fp, fn, tn: floats for all rows, and columns of a number for each row as they came.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        For another outcome than "tp", "fp", "fn" and "tn", for a number that is not finite, and for a matrix that is
        not 2 by 2.

    >>> costs_by_outcome({"fn": [5, 7]})
    {'tp': 0.0, 'fp': 1.0, 'fn': [5, 7], 'tn': 0.0}
    """
    if not isinstance(costs, Mapping):
        matrix = numbers(matrix_by_class(costs, None, "costs"), "costs")
        if matrix.shape != (2, 2):
            raise wrong_value(costs, "costs", "costs by 'tp', 'fp', 'fn' and 'tn', or a matrix of 2 by 2 numbers")
        costs = {"tn": matrix[0, 0], "fp": matrix[0, 1], "fn": matrix[1, 0], "tp": matrix[1, 1]}
    found: dict[str, Any] = dict(UNIT_COSTS)
    cost_matrix({outcome: cost for outcome, cost in costs.items() if is_number(cost) or outcome not in found})
    for outcome, cost in costs.items():
        found[outcome] = real(cost, f"costs[{shown(outcome)}]") if is_number(cost) else cost
    return found


def row_costs(costs: Any) -> dict[str, Any]:
    """Costs of two classes in the order of the outcomes, if one of them is a column, or the name of one; else nothing.

    >>> row_costs({"fn": [5, 7]}), row_costs({"fn": 5})
    ({'tp': 0.0, 'fp': 1.0, 'fn': [5, 7], 'tn': 0.0}, {})
    """
    if not isinstance(costs, Mapping) or not set(UNIT_COSTS) & set(costs):
        return {}
    return costs_by_outcome(costs) if any(not is_number(cost) for cost in costs.values()) else {}


def _by_row(costs: Any) -> list[Any] | None:
    """The four costs, if one of them is a column; else None."""
    if not isinstance(costs, Mapping) or all(is_number(cost) for cost in costs.values()):
        return None
    return list(costs_by_outcome(costs).values())


def _as_matrix(costs: Any) -> Any:
    return cost_matrix(costs) if isinstance(costs, Mapping) else costs


def _by_class(y_proba: Any, costs: Any, labels: Any) -> tuple[Any, Any, list[Any] | None]:
    """Probabilities and costs in the order of the labels: the given labels, or else the columns of the costs."""
    if isinstance(costs, Mapping):
        paired(y_proba, {"costs": costs}, first="y_proba")
    called = names_of_columns(costs) if labels is None else labels_of(labels, "labels")
    headings = names_of_columns(y_proba)
    if headings is not None and called is None:
        raise wrong_value(
            headings, "y_proba.columns", "labels=, the classes in the order of the costs, as the costs have no names"
        )
    return by_class(y_proba, called, None, "y_proba")[0], matrix_by_class(costs, called, "costs"), called


def bayes_decision(
    y_proba: ArrayLike,
    costs: Mapping[str, float | ArrayLike] | Mapping[Any, Mapping[Any, float]] | ArrayLike,
    *,
    reject_cost: float | None = None,
    labels: ArrayLike | None = None,
) -> NDArray[Any]:
    """The prediction of least risk for each row: ``argmin_j sum_i P(i) C[i, j]``.

    The probabilities must be calibrated. If they are not, use `ScoreTable.best` with ``"cost"``, which finds the
    cheapest threshold in the data.

    Parameters
    ----------
    y_proba : array-like of shape (n, K) or (n,)
        Probabilities in [0, 1], one column per class. A single column is the probability of the second of two classes.
        A frame whose columns have names needs those of the classes: `labels`, or the names of `costs`.
        Rows are not normalised to a sum of 1.
    costs : array-like of shape (K, K), or mapping
        The cost of each outcome: rows are actual classes, columns predicted ones, in the order of `labels`, which is
        that of the columns of `y_proba`. A frame of pandas, or a mapping of mappings, that names both may have them in
        any order. A gain is negative. For two classes also by outcome: ``{"fp": 1, "fn": 5}``, where a cost may be an
        array of n numbers, one for each row. Then no threshold is formed: a row is predicted positive where
        ``p (fn - tp) > (1 - p) (fp - tn)`` for its own costs.
    reject_cost : float, optional
        The cost of rejecting a row. Rows whose least risk is greater are rejected.
    labels : array-like of K labels, optional
        The labels of the classes. Columns of a frame that are called so may be in any order. Default: the names of the
        columns of `costs`, else 0 to K - 1.

    Returns
    -------
    array of shape (n,)
        Without `labels`: int64 class numbers, and -1 for a rejected row. With `labels`: an array of labels; if there is
        also a `reject_cost`, an object array with None for a rejected row. Ties go to the first class.

    Raises
    ------
    rocksteady.InputError
        If a number is not a probability (the message names its row), or the costs are not finite or have another number
        of classes.

    References
    ----------
    Elkan 2001, The foundations of cost-sensitive learning, IJCAI, pp. 973-978; rejection: Chow 1970,
    doi:10.1109/TIT.1970.1054406; costs by row: Bahnsen, Aouada, Ottersten 2014, doi:10.1109/ICMLA.2014.48.

    Examples
    --------
    >>> import rocksteady as rs
    >>> y_proba = [[0.9, 0.1, 0.0], [0.6, 0.1, 0.3], [0.4, 0.4, 0.2]]
    >>> costs = [[0, 1, 1], [1, 0, 1], [5, 5, 0]]
    >>> rs.costs.bayes_decision(y_proba, costs).tolist()
    [0, 2, 2]
    >>> rs.costs.bayes_decision(y_proba, costs, reject_cost=0.75, labels=["good", "fair", "bad"]).tolist()
    ['good', 'bad', None]
    >>> rs.costs.bayes_decision([0.01, 0.01, 0.6], {"fp": 5, "fn": [100.0, 2000.0, 3.0]})
    array([0, 1, 0])
    """
    y_proba, costs, labels = _by_class(y_proba, costs, labels)
    by_row = _by_row(costs)
    if by_row is None:
        costs = _as_matrix(costs)
        decided = _rocksteady.bayes_decision(y_proba, costs, reject_cost)
        classes = len(np.asarray(costs))
    else:
        decided = _rocksteady.row_decision(y_proba, by_row, reject_cost)
        classes = 2
    if labels is None:
        return decided
    names = np.asarray(labels)
    if names.shape != (classes,):
        raise InputError(f"labels has shape {names.shape}; expected ({classes},), as the costs", argument="labels")
    # Index -1, for a rejected row, selects the last name.
    with_none: NDArray[Any] = names if reject_cost is None else np.array([*names.tolist(), None], dtype=object)
    return with_none[decided]


def bayes_risk(
    y_proba: ArrayLike,
    costs: Mapping[str, float | ArrayLike] | Mapping[Any, Mapping[Any, float]] | ArrayLike,
    *,
    labels: ArrayLike | None = None,
) -> NDArray[np.float64]:
    """Expected cost of each prediction for each row: ``sum_i P(i) C[i, j]``, float64 of shape (n, K).

    Parameters
    ----------
    y_proba, costs, labels
        As for `bayes_decision`. The columns of the result are in the order of the labels.

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
    >>> rs.costs.bayes_risk([0.25, 0.0], [[0, 1], [10, 0]])
    array([[2.5 , 0.75],
           [0.  , 1.  ]])
    """
    y_proba, costs, _ = _by_class(y_proba, costs, labels)
    by_row = _by_row(costs)
    if by_row is not None:
        return _rocksteady.row_risk(y_proba, by_row)
    return _rocksteady.bayes_risk(y_proba, _as_matrix(costs))


def optimal_threshold(
    costs: Mapping[str, float] | ArrayLike | None = None,
    *,
    fp: float | None = None,
    fn: float | None = None,
    tp: float = 0.0,
    tn: float = 0.0,
) -> float:
    """The probability above which predicting the positive class costs least.

    ``(fp - tn) / ((fp - tn) + (fn - tp))``. The probabilities must be calibrated.

    Parameters
    ----------
    costs : mapping or array-like of shape (2, 2), optional
        The cost of each outcome: by "tp", "fp", "fn", "tn" (unless given, an error costs 1 and a correct prediction
        nothing), or as rows actual, columns predicted, negative before positive: ``[[tn, fp], [fn, tp]]``.
    fp, fn, tp, tn : float
        The four costs, instead of `costs`.

    Returns
    -------
    float
        Between 0 and 1. At this probability both predictions cost the same.

    Raises
    ------
    rocksteady.InputError
        If an error does not cost more than a correct prediction of the same row: then no threshold is optimal.

    References
    ----------
    Elkan 2001, The foundations of cost-sensitive learning, IJCAI, pp. 973-978.

    Examples
    --------
    >>> import rocksteady as rs
    >>> rs.costs.optimal_threshold(fp=1, fn=4)
    0.2
    >>> rs.costs.optimal_threshold([[0, 1], [4, 0]]), rs.costs.optimal_threshold({"fp": 1, "fn": 4})
    (0.2, 0.2)
    """
    if costs is None:
        if fp is None or fn is None:
            raise InputError("fp or fn is missing; expected both, or a matrix of costs", argument="fp")
        costs = [[tn, fp], [fn, tp]]
    elif (fp, fn, tp, tn) != (None, None, 0.0, 0.0):
        raise InputError("costs is given beside unit costs; expected one of them", argument="costs")
    return _rocksteady.optimal_threshold(_as_matrix(matrix_by_class(costs, None, "costs")))


def cost_weight_matrix(weights: ArrayLike) -> NDArray[np.float64]:
    """The cost matrix in which an error costs the weight of the actual class, and a correct prediction costs nothing.

    Parameters
    ----------
    weights : array-like of shape (K,), or (S, K) for a series of S matrices
        The weight of each class, finite.

    Returns
    -------
    float64 array of shape (K, K), or (S, K, K)
        Rows are actual classes, columns predicted ones.

    Raises
    ------
    rocksteady.InputError
        If weights are not finite or have another shape.

    Examples
    --------
    >>> import rocksteady as rs
    >>> rs.costs.cost_weight_matrix([1, 5, 2])
    array([[0., 1., 1.],
           [5., 0., 5.],
           [2., 2., 0.]])
    """
    given = numbers(weights, "weights").astype(np.float64)
    refuse_gap(given, "weights")
    if given.ndim not in (1, 2) or not np.isfinite(given).all():
        raise InputError(
            f"weights has shape {given.shape}; expected finite numbers, (K,) or (S, K)", argument="weights"
        )
    if given.shape[-1] > _MOST_CLASSES:
        raise InputError(
            f"weights has {given.shape[-1]} classes; expected at most {_MOST_CLASSES} for a dense matrix",
            argument="weights",
        )
    return given[..., :, None] * (1.0 - np.eye(given.shape[-1]))


def minority_label(y_true: ArrayLike, *, tie: object = None) -> object:
    """The label with the fewest rows: often the positive class, where errors on rare cases are expensive.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Class labels.
    tie : label, optional
        The label to return if several have the fewest rows. It must be one of them.

    Raises
    ------
    rocksteady.InputError
        If several labels have the fewest rows and `tie` is not one of them.

    Examples
    --------
    >>> import rocksteady as rs
    >>> rs.costs.minority_label(["ill", "well", "well"])
    'ill'
    """
    matrix = ConfusionMatrix(y_true, y_true)
    counts = matrix.counts().tp
    labels: list[object] = matrix._labels[counts == counts.min()].tolist()
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
