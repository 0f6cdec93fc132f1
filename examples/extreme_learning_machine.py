"""Extreme learning machines, plain and cost-sensitive, as scikit-learn estimators written with numpy.

An extreme learning machine (ELM) is a network with one hidden layer. The weights of the hidden layer are random and
never trained. The output is linear in the hidden layer, so training solves one linear system (Huang, Zhu, Siew 2006).

`CostSensitiveELM` has two ways to use the costs of errors:

- ``reading="class_weight"``: the weight of a row in training is the cost of an error on its class (Zong, Huang, Chen
  2013).
- ``reading="minimum_risk"``: an ensemble of plain machines estimates the class probabilities.
  `rocksteady.costs.bayes_decision` then predicts the class of least expected cost, or rejects the row (Elkan 2001; An, Lu and
  others 2013).

Both take the costs as a matrix: rows are actual classes, columns predicted ones, as in `rocksteady.costs.cost_weight_matrix`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

import rocksteady as rs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

Reading = Literal["class_weight", "minimum_risk"]

# The second scheme of Zong, Huang and Chen multiplies the weights of larger classes by the golden ratio.
_GOLDEN = 0.618


class ExtremeLearningMachine(ClassifierMixin, BaseEstimator):
    """One hidden layer of random sigmoid nodes and a ridge regression on the classes.

    Parameters
    ----------
    hidden_nodes : int
        L, the number of hidden nodes.
    regularization : float
        C. A smaller C means a stronger ridge penalty.
    class_weight : None, "balanced", "golden" or mapping from label to number
        The weight of a row in training, by its class. None: 1. "balanced": 1 / size of the class. "golden": the same,
        but 0.618 / size for classes larger than the mean (Zong, Huang, Chen 2013). A mapping: its value, or 1 for
        other classes.
    random_state : int, numpy.random.RandomState or None
        The source of the random hidden nodes.

    Attributes
    ----------
    classes_ : array of shape (K,)
    hidden_weights_ : array of shape (features, L)
    hidden_biases_ : array of shape (L,)
    output_weights_ : array of shape (L, K)
        The solution ``(I/C + H'SH)^-1 H'SY``. H are the outputs of the hidden nodes, Y the classes as columns of 0 and
        1, and S the weights of the rows.

    References
    ----------
    Huang, Zhu, Siew 2006, Extreme learning machine: theory and applications, doi:10.1016/j.neucom.2005.12.126.
    Zong, Huang, Chen 2013, Weighted extreme learning machine for imbalance learning, doi:10.1016/j.neucom.2012.08.010.
    """

    def __init__(
        self,
        hidden_nodes: int = 100,
        regularization: float = 1.0,
        class_weight: str | Mapping[Any, float] | None = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.hidden_nodes = hidden_nodes
        self.regularization = regularization
        self.class_weight = class_weight
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> ExtremeLearningMachine:
        """Draw the hidden nodes and solve for the output weights. Rows weigh `sample_weight` × `class_weight`."""
        X, y = validate_data(self, X, y)
        check_classification_targets(y)
        self.classes_, places = np.unique(y, return_inverse=True)
        weights = _check_sample_weight(sample_weight, X) * self._class_weights(places)[places]
        random = check_random_state(self.random_state)
        # With this scale a sum over standardized features stays where the sigmoid is not flat.
        scale = 1.0 / np.sqrt(X.shape[1])
        self.hidden_weights_ = random.normal(scale=scale, size=(X.shape[1], self.hidden_nodes))
        self.hidden_biases_ = random.uniform(-1.0, 1.0, size=self.hidden_nodes)
        targets = np.eye(len(self.classes_))[places]
        self.output_weights_ = solve(self._hidden(X), targets, weights, self.regularization)
        return self

    def _class_weights(self, places: NDArray[np.intp]) -> NDArray[np.float64]:
        sizes = np.bincount(places)
        if self.class_weight is None:
            return np.ones(len(sizes))
        if self.class_weight == "balanced":
            return 1.0 / sizes
        if self.class_weight == "golden":
            return np.where(sizes > sizes.mean(), _GOLDEN, 1.0) / sizes
        if not hasattr(self.class_weight, "get"):
            raise ValueError(f"class_weight is {self.class_weight!r}; expected 'balanced', 'golden' or a mapping")
        return np.array([float(self.class_weight.get(label, 1.0)) for label in self.classes_.tolist()])

    def _hidden(self, X: NDArray[Any]) -> NDArray[np.float64]:
        # Equal to 1 / (1 + exp(-x)), which would overflow.
        return 0.5 * (1.0 + np.tanh(0.5 * (X @ self.hidden_weights_ + self.hidden_biases_)))

    def _outputs(self, X: ArrayLike) -> NDArray[np.float64]:
        check_is_fitted(self)
        return self._hidden(validate_data(self, X, reset=False)) @ self.output_weights_

    def decision_function(self, X: ArrayLike) -> NDArray[np.float64]:
        """The outputs, shape (n, K); with two classes, second minus first output, shape (n,)."""
        outputs = self._outputs(X)
        return outputs[:, 1] - outputs[:, 0] if outputs.shape[1] == 2 else outputs

    def predict_proba(self, X: ArrayLike) -> NDArray[np.float64]:
        """Estimated class probabilities, shape (n, K): the probabilities that are nearest to the outputs.

        A regression on columns of 0 and 1 estimates class probabilities, but its outputs may leave [0, 1].
        """
        return nearest_probabilities(self._outputs(X))

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """The class with the largest output, shape (n,)."""
        outputs = self._outputs(X)
        return self.classes_[outputs.argmax(axis=1)]


class CostSensitiveELM(ClassifierMixin, BaseEstimator):
    """A cost-sensitive extreme learning machine.

    Parameters
    ----------
    costs : array-like of shape (K, K), optional
        The costs: rows are actual classes, columns predicted ones, labels sorted. Default: every error costs 1.
    reading : {"minimum_risk", "class_weight"}
        How to use the costs; see the top of this module.
    members : int
        The number of machines in the ensemble; for ``"minimum_risk"`` only.
    reject_cost : float, optional
        The cost of rejecting a row. ``"minimum_risk"`` predicts None if every class has a greater risk.
    hidden_nodes, regularization, random_state
        As for `ExtremeLearningMachine`.

    Attributes
    ----------
    classes_ : array of shape (K,)
    members_ : list of ExtremeLearningMachine
    costs_ : array of shape (K, K)

    References
    ----------
    Elkan 2001, The foundations of cost-sensitive learning, IJCAI, pp. 973-978.
    Zong, Huang, Chen 2013, Weighted extreme learning machine for imbalance learning, doi:10.1016/j.neucom.2012.08.010.
    """

    def __init__(
        self,
        costs: ArrayLike | None = None,
        reading: Reading = "minimum_risk",
        members: int = 10,
        reject_cost: float | None = None,
        hidden_nodes: int = 100,
        regularization: float = 1.0,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.costs = costs
        self.reading = reading
        self.members = members
        self.reject_cost = reject_cost
        self.hidden_nodes = hidden_nodes
        self.regularization = regularization
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> CostSensitiveELM:
        """Fit one machine with weighted classes, or an ensemble of plain machines."""
        if self.reading not in ("class_weight", "minimum_risk"):
            raise ValueError(f"reading is {self.reading!r}; expected 'class_weight' or 'minimum_risk'")
        if self.reject_cost is not None and self.reading == "class_weight":
            raise ValueError(
                "reject_cost is given; expected None, as weighted classes have no probabilities to decide on rejection"
            )
        X, y = validate_data(self, X, y)
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        count = len(self.classes_)
        self.costs_ = (
            rs.costs.cost_weight_matrix(np.ones(count)) if self.costs is None else np.asarray(self.costs, float)
        )
        if self.costs_.shape != (count, count):
            raise ValueError(
                f"costs has shape {self.costs_.shape}; expected ({count}, {count}), by the number of classes"
            )
        weighted = self.reading == "class_weight"
        random = check_random_state(self.random_state)
        self.members_ = [
            ExtremeLearningMachine(
                self.hidden_nodes,
                self.regularization,
                class_weight=self._class_weight() if weighted else None,
                random_state=random.randint(np.iinfo(np.int32).max),
            ).fit(X, y, sample_weight)
            for _ in range(1 if weighted else self.members)
        ]
        return self

    def _class_weight(self) -> dict[Any, float]:
        """The mean cost of an error on each class, over the wrong predictions."""
        count = len(self.classes_)
        wrong = ~np.eye(count, dtype=bool)
        if count == 1:
            return {}
        means = self.costs_.mean(axis=1, where=wrong)
        return dict(zip(self.classes_.tolist(), means.tolist(), strict=True))

    def predict_proba(self, X: ArrayLike) -> NDArray[np.float64]:
        """The mean of the members' estimates, shape (n, K). With weighted classes they are not those of the data."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False)
        means = np.mean([member.predict_proba(X) for member in self.members_], axis=0)
        return np.clip(means, 0.0, 1.0)  # rounding may take a mean past 1

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """The class of least risk, or of the largest output, shape (n,). A rejected row is None."""
        check_is_fitted(self)
        if self.reading == "class_weight":
            X = validate_data(self, X, reset=False)
            return self.members_[0].predict(X)
        probabilities = self.predict_proba(X)
        if len(self.classes_) == 1:  # bayes_decision would take a single column for the second of two classes
            return np.full(len(probabilities), self.classes_[0])
        return rs.costs.bayes_decision(probabilities, self.costs_, reject_cost=self.reject_cost, labels=self.classes_)


def solve(
    hidden: NDArray[np.float64], targets: NDArray[np.float64], weights: NDArray[np.float64], regularization: float
) -> NDArray[np.float64]:
    """Compute ``(I/C + H'SH)^-1 H'SY`` from the smaller of two linear systems with this solution.

    Parameters
    ----------
    hidden : array of shape (n, L)
    targets : array of shape (n, K)
    weights : array of shape (n,)
        The diagonal of S.
    regularization : float
        C.

    Returns
    -------
    array of shape (L, K)
    """
    rows, nodes = hidden.shape
    # With S^(1/2) on both sides both systems stay symmetric, and rows may have weight 0.
    root = np.sqrt(weights)[:, None]
    left, right = root * hidden, root * targets
    if rows >= nodes:
        return np.linalg.solve(np.eye(nodes) / regularization + left.T @ left, left.T @ right)
    return left.T @ np.linalg.solve(np.eye(rows) / regularization + left @ left.T, right)


def nearest_probabilities(outputs: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each row the nearest point whose numbers are not negative and add up to 1, shape (n, K).

    With two classes it is ``clip((1 + difference) / 2, 0, 1)``. The largest number stays the largest.

    References
    ----------
    Duchi, Shalev-Shwartz, Singer, Chandra 2008, Efficient projections onto the l1-ball, doi:10.1145/1390156.1390191.
    """
    descending = -np.sort(-outputs, axis=1)
    places = np.arange(1, outputs.shape[1] + 1)
    shifts = (descending.cumsum(axis=1) - 1.0) / places
    kept = (descending > shifts).sum(axis=1)
    return np.clip(outputs - shifts[np.arange(len(outputs)), kept - 1, None], 0.0, 1.0)
