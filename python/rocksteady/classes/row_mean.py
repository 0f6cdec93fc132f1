"""Means of a number that each row has, as exact sums that add up."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import flag, listed, one_of, whole, wrong_value
from rocksteady.base.containers import rows_of
from rocksteady.base.named_columns import by_class, labels_by_name, refused_as
from rocksteady.base.statistic import Statistic, Weighed
from rocksteady.base.table import class_named, number, number_of, repr_html
from rocksteady.columns.complete import refuse_missing
from rocksteady.columns.pairing import paired
from rocksteady.errors import InputError
from rocksteady.inference.interval import Wanted

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from rocksteady.base.arguments import WeightKind
    from rocksteady.inference.interval import Interval, Method, Side

_OF_CLASSES = ("top_k_accuracy_score", "hinge_loss", "log_loss", "ranked_probability_score")
_ARGUMENT = {"hinge_loss": "pred_decision", "log_loss": "y_proba", "ranked_probability_score": "y_proba"}
_OF_LABELS = ("coverage_error", "label_ranking_average_precision_score", "label_ranking_loss", "ndcg_score")
_NO_ROWS = "There are no rows."
_SHOWN = 5  # columns


class RowMean(Weighed, Statistic):
    """The mean of a number that each row has, as exact sums: some hundred bytes, whatever the number of rows.

    Additive: ``a + b`` is, to the bit, the mean of the pooled rows, and the mean is that of the function of
    `rocksteady.metrics` for all rows at once. Made by the methods that have the names of those functions, and by
    `ranked_probability_score`.

    Examples
    --------
    >>> import rocksteady as rs
    >>> y_proba = [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.5, 0.4, 0.1], [0.1, 0.2, 0.7]]
    >>> parts = [
    ...     rs.RowMean.log_loss(["cat", "dog"], y_proba[:2], labels=["cat", "dog", "eel"]),
    ...     rs.RowMean.log_loss(["dog", "eel"], y_proba[2:], labels=["cat", "dog", "eel"]),
    ... ]
    >>> rs.merge(parts).value() == rs.metrics.log_loss(["cat", "dog", "dog", "eel"], y_proba)
    True
    """

    __slots__ = ()

    _State = _rocksteady.RowMeanState

    _state: _rocksteady.RowMeanState

    @classmethod
    def empty(cls, measure: str, *, columns: int | None = None, **meaning: Any) -> RowMean:  # type: ignore[override]
        """The mean of no rows, the identity of addition: ``part + empty == part``.

        The method of the measure gives the same for columns without rows, such as those of an empty partition.

        Parameters
        ----------
        measure : str
            The name of the method.
        columns : int, optional
            The number of labels; for the measures of labels.
        **meaning
            Options of the method; for the measures of classes `labels` is needed.

        >>> import rocksteady as rs
        >>> none = rs.RowMean.empty("log_loss", labels=[0, 1, 2])
        >>> none.weight, none.value(), none.why()
        (0.0, nan, 'There are no rows.')
        """
        one_of(measure, "measure", (*_OF_CLASSES, *_OF_LABELS))
        method = getattr(cls, measure)
        found: RowMean
        if measure in _OF_CLASSES:
            found = method([], [], **meaning)
        else:
            none = np.empty((0, whole(columns, "columns", "the number of labels, 2 or more", least=2)))
            found = method(none, none, **meaning)
        return found

    @classmethod
    def _of_classes(
        cls,
        measure: str,
        y_true: Any,
        y_score: Any,
        labels: Any,
        sample_weight: Any,
        weight_kind: WeightKind,
        k: int | None = None,
    ) -> RowMean:
        classes = listed(labels, "labels", "a list of labels")
        argument = _ARGUMENT.get(measure, "y_score")
        paired(y_true, {argument: y_score, "sample_weight": sample_weight})
        y_score, _ = by_class(y_score, classes, y_true, argument)
        if not hasattr(y_score, "shape") and not rows_of(y_score, argument):
            y_score = np.empty((0, len(classes) if len(classes) > 2 else 1))
        refuse_missing(y_score, argument, "a number")
        with refused_as("y_score", argument):
            rows = (y_true, y_score, sample_weight)
            return cls._of(_rocksteady.RowMeanState.of_classes(measure, rows, classes, k, weight_kind))

    @classmethod
    def top_k_accuracy_score(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        labels: ArrayLike,
        k: int = 2,
        sample_weight: ArrayLike | None = None,
        weight_kind: WeightKind = "counts",
    ) -> RowMean:
        """The share of rows whose class is among the `k` with the highest scores.

        Parameters
        ----------
        y_true : array-like of shape (n,)
            Class labels.
        y_score : array-like of shape (n, K), or (n,) of two classes
            A column of scores for each class.
        labels : array-like of K labels
            The classes, ascending, in the order of the columns.
        k : int
            How many classes count.
        sample_weight : array-like of shape (n,), optional
            Finite and not negative.
        weight_kind : {"counts", "sampling"}
            What a weight means, for `interval`: so many rows, or a row that stands for others.

        >>> import rocksteady as rs
        >>> rs.RowMean.top_k_accuracy_score([0, 2], [[0.6, 0.3, 0.1], [0.5, 0.4, 0.1]], labels=[0, 1, 2]).value()
        0.5
        """
        k = whole(k, "k", "a number of classes, 1 or more", least=1)
        return cls._of_classes("top_k_accuracy_score", y_true, y_score, labels, sample_weight, weight_kind, k)

    @classmethod
    def hinge_loss(
        cls,
        y_true: ArrayLike,
        pred_decision: ArrayLike,
        *,
        labels: ArrayLike,
        sample_weight: ArrayLike | None = None,
        weight_kind: WeightKind = "counts",
    ) -> RowMean:
        """The hinge loss: how far the decisions fall short of a margin of one.

        Parameters
        ----------
        y_true, labels, sample_weight, weight_kind
            As for `top_k_accuracy_score`.
        pred_decision : array-like of shape (n, K), or (n,) of two classes
            What the decision function gave, floats.

        >>> import rocksteady as rs
        >>> rs.RowMean.hinge_loss([0, 1], [-2.0, 0.25], labels=[0, 1]).value()
        0.375
        """
        return cls._of_classes("hinge_loss", y_true, pred_decision, labels, sample_weight, weight_kind)

    @classmethod
    def log_loss(
        cls,
        y_true: ArrayLike,
        y_proba: ArrayLike,
        *,
        labels: ArrayLike,
        sample_weight: ArrayLike | None = None,
        weight_kind: WeightKind = "counts",
    ) -> RowMean:
        """The logarithmic loss of the probabilities of classes, in nats.

        Parameters
        ----------
        y_true, labels, sample_weight, weight_kind
            As for `top_k_accuracy_score`.
        y_proba : array-like of shape (n, K), or (n,) of two classes
            Probabilities in [0, 1]; of two classes of the greater one. Parts have one type: where probabilities are cut
            depends on it.

        >>> import rocksteady as rs
        >>> round(rs.RowMean.log_loss([0, 2], [[0.5, 0.3, 0.2], [0.5, 0.25, 0.25]], labels=[0, 1, 2]).value(), 6)
        1.039721
        """
        return cls._of_classes("log_loss", y_true, y_proba, labels, sample_weight, weight_kind)

    @classmethod
    def ranked_probability_score(
        cls,
        y_true: ArrayLike,
        y_proba: ArrayLike,
        *,
        labels: ArrayLike,
        sample_weight: ArrayLike | None = None,
        weight_kind: WeightKind = "counts",
    ) -> RowMean:
        """The ranked probability score of ordered classes: near misses cost less than far ones.

        For each border between two classes that follow each other, the squared error of the probability of the classes
        below; the mean over the borders. 0 is best, 1 worst; of two classes it is ``brier_score_loss``.

        Parameters
        ----------
        y_true, sample_weight, weight_kind
            As for `top_k_accuracy_score`.
        y_proba : array-like of shape (n, K), or (n,) of two classes
            Probabilities that sum to 1 in each row; of two classes of the later one.
        labels : array-like of K labels
            The classes, ascending, which is their order, and the order of the columns.

        Raises
        ------
        rocksteady.InputError
            Also if the probabilities of a row do not sum to 1, within 0.02.

        Notes
        -----
        The skill against a forecast that is the same for all rows is 1 minus the score over that of this forecast, for
        example of the shares of the classes. Source: Epstein 1969; Murphy 1971.

        >>> import rocksteady as rs
        >>> grades, y_true = [1, 2, 3], [1, 3]
        >>> score = rs.RowMean.ranked_probability_score(y_true, [[0.5, 0.5, 0.0], [0.0, 0.5, 0.5]], labels=grades)
        >>> constant = rs.RowMean.ranked_probability_score(y_true, [[0.5, 0.0, 0.5]] * 2, labels=grades)
        >>> score.value(), 1 - score.value() / constant.value()
        (0.125, 0.5)
        """
        return cls._of_classes("ranked_probability_score", y_true, y_proba, labels, sample_weight, weight_kind)

    @classmethod
    def _of_labels(
        cls,
        measure: str,
        y_true: Any,
        y_score: Any,
        sample_weight: Any,
        weight_kind: WeightKind,
        k: int | None = None,
        ignore_ties: bool = False,
    ) -> RowMean:
        paired(y_true, {"y_score": y_score, "sample_weight": sample_weight})
        y_true, (y_score,), _ = labels_by_name(y_true, {"y_score": y_score}, None)
        rows = (y_true, y_score, sample_weight)
        return cls._of(_rocksteady.RowMeanState.of_labels(measure, rows, k, ignore_ties, weight_kind))

    @classmethod
    def coverage_error(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        weight_kind: WeightKind = "counts",
    ) -> RowMean:
        """How far down its ranked labels a row must be read to cover those that are relevant.

        Parameters
        ----------
        y_true : array-like of shape (n, L)
            1 where a label is relevant to a row, else 0. Of no rows an array of shape (0, L).
        y_score : array-like of shape (n, L)
            The score of each label.
        sample_weight : array-like of shape (n,), optional
            Finite and not negative.
        weight_kind : {"counts", "sampling"}
            What a weight means, for `interval`: so many rows, or a row that stands for others.

        >>> import rocksteady as rs
        >>> rs.RowMean.coverage_error([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1.0], [1.0, 0.2, 0.1]]).value()
        2.5
        """
        return cls._of_labels("coverage_error", y_true, y_score, sample_weight, weight_kind)

    @classmethod
    def label_ranking_average_precision_score(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        weight_kind: WeightKind = "counts",
    ) -> RowMean:
        """The mean over the relevant labels of a row: relevant ones that score at least as high, by all that do.

        Parameters
        ----------
        y_true, y_score, sample_weight, weight_kind
            As for `coverage_error`.

        >>> import rocksteady as rs
        >>> rs.RowMean.label_ranking_average_precision_score([[1, 0, 0]], [[0.75, 0.5, 1.0]]).value()
        0.5
        """
        return cls._of_labels("label_ranking_average_precision_score", y_true, y_score, sample_weight, weight_kind)

    @classmethod
    def label_ranking_loss(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        weight_kind: WeightKind = "counts",
    ) -> RowMean:
        """The share of pairs of a relevant and another label of a row that are in the wrong order.

        Parameters
        ----------
        y_true, y_score, sample_weight, weight_kind
            As for `coverage_error`.

        >>> import rocksteady as rs
        >>> rs.RowMean.label_ranking_loss([[1, 0, 0]], [[0.75, 0.5, 1.0]]).value()
        0.5
        """
        return cls._of_labels("label_ranking_loss", y_true, y_score, sample_weight, weight_kind)

    @classmethod
    def ndcg_score(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        k: int | None = None,
        sample_weight: ArrayLike | None = None,
        ignore_ties: bool = False,
        weight_kind: WeightKind = "counts",
    ) -> RowMean:
        """The normalized discounted cumulative gain of the labels of a row, with binary logarithms.

        Parameters
        ----------
        y_true : array-like of shape (n, L)
            The gain of each label, not negative. Of no rows an array of shape (0, L).
        y_score, sample_weight, weight_kind
            As for `coverage_error`.
        k : int, optional
            Only the first `k` places count.
        ignore_ties : bool
            Whether labels of one score take places one by one rather than share them.

        >>> import rocksteady as rs
        >>> round(rs.RowMean.ndcg_score([[10, 0, 0, 1, 5]], [[0.1, 0.2, 0.3, 4.0, 70.0]]).value(), 6)
        0.695694
        """
        k = None if k is None else whole(k, "k", "a number of places, 1 or more", least=1)
        ignore = flag(ignore_ties, "ignore_ties")
        return cls._of_labels("ndcg_score", y_true, y_score, sample_weight, weight_kind, k, ignore)

    @property
    def measure(self) -> str:
        """What the number of a row is, by the name of the method that made it."""
        return self._state.measure

    @property
    def total(self) -> float:
        """The weighted sum over the rows, rounded once."""
        return self._state.values[1]

    @property
    def weight(self) -> float:
        """The number, or the weight, of the rows."""
        return self._state.values[0]

    @property
    def labels(self) -> tuple[Any, ...]:
        """The classes of the columns; of measures of labels their numbers."""
        return tuple(self._state.labels().tolist())

    def value(self, name: str | None = None, **parameters: object) -> float:
        """The mean over the rows; NaN of no rows, and of such as weigh nothing. Its name, the measure, may be left out.

        Raises
        ------
        rocksteady.InputError
            For another name, and for parameters, which there are none of.
        """
        self._check(name, parameters)
        return self._state.values[2]

    def _check(self, name: str | None, parameters: dict[str, object]) -> None:
        for parameter in parameters:
            raise InputError(f'{self.measure} has no parameter "{parameter}"; it has none', argument=parameter)
        if name is not None and not (isinstance(name, str) and name == self.measure):
            raise wrong_value(name, "name", f'"{self.measure}"')

    def why(self, name: str | None = None, **parameters: object) -> str | None:
        """Why the mean is undefined; None if it is defined."""
        return _NO_ROWS if math.isnan(self.value(name, **parameters)) else None

    def interval(
        self,
        name: str | None = None,
        *,
        level: float = 0.95,
        method: Method | None = None,
        side: Side = "two-sided",
        **parameters: object,
    ) -> Interval:
        """The mean with its interval of confidence. Rows are taken to be independent.

        Parameters
        ----------
        name, **parameters
            As for `value`.
        level : float
            The confidence level.
        method : str, optional
            Where each row has 0 or 1, as of top-k accuracy, a method of shares, by default "wilson". Of a logarithmic
            loss "logarithm", the default, or "normal". Of any other mean "t", the default, or "normal".
        side : {"two-sided", "lower", "upper"}
            Which bounds are wanted.

        Returns
        -------
        rocksteady.results.Interval
            Without bounds, and with `why`, where all rows have the same number and it is not 0 or 1. Its `note` says where
            there are few rows, or few make up most of the scatter of a loss, and the interval is too narrow.

        Raises
        ------
        rocksteady.UnknownIndexError
            For a method that the mean does not have. Bytes of older releases do not have the squares of the numbers, and
            so no interval.
        rocksteady.InputError
            As for `value`; a level that is not between 0 and 1.

        >>> import rocksteady as rs
        >>> y_score = [[0.6, 0.3, 0.1], [0.5, 0.4, 0.1], [0.2, 0.7, 0.1], [0.3, 0.3, 0.4]]
        >>> rs.RowMean.top_k_accuracy_score([0, 2, 1, 2] * 5, y_score * 5, labels=[0, 1, 2]).interval()
        Interval(0.75, 0.531299 to 0.888138, 95 %, wilson)
        >>> y_true, y_score = [[1, 0, 0], [0, 0, 1], [0, 1, 1]], [[0.75, 0.5, 1.0], [1.0, 0.2, 0.1], [0.3, 0.2, 0.9]]
        >>> rs.RowMean.label_ranking_average_precision_score(y_true, y_score).interval().note
        'The mean is of fewer than 20 values: the interval may cover the true value less often than its level says.'
        """
        self._check(name, parameters)
        wanted = Wanted(level, method, side, {})
        return wanted.of_one(self._state.interval(wanted._asked))

    def __repr__(self) -> str:
        k = "" if self._state.places is None else f" of {self._state.places} places"
        shown = ", ".join(class_named(label) for label in self.labels[:_SHOWN])
        more = ", …" if len(self.labels) > _SHOWN else ""
        return (
            f"<rocksteady.RowMean: {self.measure}{k} {number(self.value())} of {number_of(self.weight, 'row')}; "
            f"columns {shown}{more}>"
        )

    _repr_html_ = repr_html
