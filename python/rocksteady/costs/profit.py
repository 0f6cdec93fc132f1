"""The profit of a ranking beside that of the best ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.base.arguments import numbers
from rocksteady.costs.cost_table import CostTable
from rocksteady.costs.given import columns_of
from rocksteady.errors import InputError
from rocksteady.inference.paired_labels import are_positive

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from rocksteady.costs.given import Costs


def profit_area(y_true: ArrayLike, y_score: ArrayLike, *, costs: Costs, pos_label: object = None) -> float:
    """The area under the expected profit curve (AUEPC): the mean share of the profit of the best ranking.

    The rows with the highest scores are predicted positive, 1, 2, 3 and so on. At each number the profit is that of
    these rows, compared with predicting none positive; among rows of one score it rises evenly. It is divided by the profit
    of the rows that bring most, as far as that is above 0; the trapezoid rule gives the mean of these shares.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n,)
        Class labels and scores, as for `CostTable`.
    costs : mapping, or array-like of shape (2, 2)
        As for `CostTable`: of each outcome a number, or a number for each row. A gain is negative.
    pos_label : label, optional
        The positive class. Default: the greater label; of ordered categories the later one.

    Returns
    -------
    float
        1 for the best ranking; below 0 for one that loses. NaN where no row brings a profit.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        As for `CostTable`.

    References
    ----------
    Rahman, Janssens, Bogaert 2025, Profit-driven pre-processing in B2B customer churn modeling using fairness techniques,
    Journal of Business Research.

    Examples
    --------
    >>> import rocksteady as rs
    >>> churn, scores, value = [1, 0, 1, 0], [0.9, 0.7, 0.4, 0.2], [30.0, 80.0, 250.0, 12.0]
    >>> rs.costs.profit_area(churn, scores, costs={"tp": 5, "fp": 5, "fn": value})
    0.5416981607457797
    """
    given, columns = columns_of(y_true, costs, {"y_score": y_score}, False)
    by_outcome: dict[str, Any] = dict(zip(("tp", "fp", "fn", "tn"), given, strict=True))
    table = CostTable(y_true, columns["y_score"], costs=by_outcome, pos_label=pos_label)
    if None in table.labels:
        raise InputError("y_true has one class; expected rows of both", argument="y_true")
    positive = are_positive(y_true, table.labels)
    tp, fp, fn, tn = (np.broadcast_to(numbers(cost, "costs"), table.rows) for cost in given)
    gains = np.where(positive, fn - tp, tn - fp)
    most = _profits(CostTable(y_true, gains, costs=by_outcome, pos_label=pos_label))
    end = int(np.argmax(most <= 0)) if (most <= 0).any() else len(most)
    shares = _profits(table)[:end] / most[:end]
    if end < 2:
        return float(shares[0]) if end else np.nan
    return float(np.trapezoid(shares) / (end - 1))


def _profits(table: CostTable) -> NDArray[np.float64]:
    """The profit of predicting 1, 2, … rows positive, compared with none."""
    counts = table.counts()
    return np.interp(np.arange(1, table.rows + 1), counts.tp + counts.fp, table.never - table.every("cost"))
