"""The rows that models were judged on, from which the influence of each row on any index follows."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NoReturn

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import shown, wrong_value
from rocksteady.base.named_columns import parameters_by_class, weights_by_class
from rocksteady.errors import InputError, UnknownIndexError
from rocksteady.inference.covariance import Compared
from rocksteady.inference.interval import of_each
from rocksteady.inference.paired_areas import AREAS, compared_areas
from rocksteady.inference.paired_labels import codes_of
from rocksteady.registry.registry import index

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from rocksteady.base.arguments import WeightKind
    from rocksteady.inference.interval import Interval, Method, Side
    from rocksteady.registry.registry import Index

    Influence = _rocksteady.InfluenceState

# Of several classes: the mean over the rows of a loss of the probability of the own class, and of a sum over classes.
_OF_OWN_CLASS: Final = ("log_loss", "mean_probability_rate")
_OF_ALL_CLASSES: Final = ("brier",)


@dataclass(frozen=True, slots=True, eq=False)
class JudgedRows:
    """The columns of rows that models were judged on. They are not copied, and not kept in pickles and bytes.

    Without them, what has clusters or strata refuses intervals, rather than take rows as independent.

    Attributes
    ----------
    truth : column of labels, or matrix of 0 and 1 of several labels
    classes : list of label
        The classes, ascending, or the labels.
    positive : int or None
        The place of the positive one of two classes.
    ranking : dict
        `nan_policy` and `infinite` of scores.
    scores : dict of str to column
        Of the positive class, by model.
    columns : dict of str to matrix
        Scores of each class or label, by model.
    costs : dict of str to float or column
        What each outcome costs, where one is a column; else empty.
    predicted : dict of str to codes, or to matrix of 0 and 1
        The place of the predicted class among `classes`, by model; of several labels, which are predicted.
    """

    truth: Any
    classes: list[Any]
    positive: int | None = None
    sample_weight: Any = None
    weight_kind: WeightKind = "counts"
    cluster: _rocksteady.GroupedState | None = None
    strata: _rocksteady.GroupedState | None = None
    ranking: dict[str, Any] = field(default_factory=lambda: {"nan_policy": "raise", "infinite": "raise"})
    costs: dict[str, Any] = field(default_factory=dict)
    scores: dict[str, Any] = field(default_factory=dict)
    columns: dict[str, NDArray[Any]] = field(default_factory=dict)
    predicted: dict[str, Any] = field(default_factory=dict)

    def __reduce__(self) -> tuple[Any, ...]:
        return without_rows, (self.has_design,)

    @property
    def labels(self) -> list[Any]:
        """The classes, in the order of matrices of costs."""
        return self.classes

    @property
    def has_design(self) -> bool:
        """Whether rows belong to clusters or strata."""
        return self.truth is None or self.cluster is not None or self.strata is not None

    def is_of_all_classes(self, name: str) -> bool:
        """Whether an index of several classes is a sum over them."""
        return index(name).name in _OF_ALL_CLASSES

    def _check(self) -> None:
        if self.truth is None:
            raise InputError(
                "the rows belong to clusters or strata, and a sum, a pickle and bytes do not keep them; evaluate(..., "
                "inference=True) of all rows has intervals and differences",
                argument="name",
            )

    def compared(
        self,
        name: str,
        models: Sequence[str],
        *,
        average: str | ArrayLike | None = None,
        zero_division: float = 0.0,
        parameters: Mapping[str, Any] | None = None,
        level: float = 0.95,
    ) -> Compared:
        """An index of several models, and how its values vary together."""
        self._check()
        row = index(name)
        if row.name in AREAS and self.strata is None and all(model in self.scores for model in models):
            return compared_areas(
                row.name,
                self.truth,
                {model: self.scores[model] for model in models},
                pos_label=self.classes[self.positive or 0],
                sample_weight=self.sample_weight,
                weight_kind=self.weight_kind,
                cluster=self.cluster,
                **self.ranking,
                level=level,
            )
        found = [
            self.influence(name, model, average=average, zero_division=zero_division, parameters=parameters)
            for model in models
        ]
        design = (self.sample_weight, self.weight_kind, self.cluster, self.strata, None)
        return Compared._of_influences(found, models, row.name, design, level)

    def interval(
        self,
        name: str,
        model: str,
        *,
        average: str | ArrayLike | None = None,
        level: float = 0.95,
        method: Method | None = None,
        side: Side = "two-sided",
        zero_division: float = 0.0,
        strata: None = None,
        **parameters: Any,
    ) -> Interval:
        """An index of one model with its interval."""
        if strata is not None:
            raise wrong_value(strata, "strata", "none: these rows have clusters or strata of their own")
        found = self.compared(name, [model], average=average, zero_division=zero_division, parameters=parameters)
        return found.interval(model, level=level, method=method, side=side)

    def every_interval(self, name: str, model: str, axis: dict[str, NDArray[Any]], **options: Any) -> Interval:
        """An index of each class or label, with its interval."""
        alone = np.eye(len(self.classes))
        return of_each([self.interval(name, model, average=one, **options) for one in alone], axis)

    def influence(
        self,
        name: str,
        model: str,
        *,
        average: str | ArrayLike | None = None,
        zero_division: float = 0.0,
        parameters: Mapping[str, Any] | None = None,
    ) -> Influence:
        """The influence of each row on an index of a model."""
        self._check()
        row, given = index(name), parameters_by_class(dict(parameters or {}), self)
        if self.costs and "costs" in row.forms:
            return self._of_costs(row.name, model)
        if average is not None and not isinstance(average, str):
            average = weights_by_class(average, self.classes, "average")
        if "scores" in row.forms and model in self.scores:
            return self._of_scores(row, self.truth, self.scores[model], self.classes[self.positive or 0])
        if {"scores", "score_tables"} & set(row.forms) and model in self.columns:
            return self._of_columns_of_scores(row, self.columns[model], average)
        if not {"counts", "matrix"} & set(row.forms) or model not in self.predicted:
            raise UnknownIndexError(f"{row.name} of {shown(model)} needs scores, which were not given", argument="name")
        predicted = self.predicted[model]
        if not isinstance(predicted, _rocksteady.CodesState):
            return self._of_labels(row, predicted, average, zero_division, given)
        actual = codes_of(self.truth, self.classes, "y_true")
        weighing = (len(self.classes), self.sample_weight, self.weight_kind)
        how: Any = (*weighing, row.name, self.positive, average, zero_division, given)
        return _rocksteady.InfluenceState.of_codes(actual, predicted, *how)

    def _of_costs(self, name: str, model: str) -> Influence:
        """Of costs that differ by row: a mean over the rows, times their number, or over that of the best constant prediction."""
        actual = codes_of(self.truth, self.classes, "y_true").each() == self.positive
        predicted = self.predicted[model].each() == self.positive
        tp, fp, fn, tn = (np.asarray(cost, np.float64) for cost in self.costs.values())
        always, never = np.where(actual, tp, fp), np.where(actual, fn, tn)
        mean, *constant = (
            _rocksteady.InfluenceState.of_mean(np.ascontiguousarray(each), self.sample_weight)
            for each in (np.where(predicted, always, never), always, never)
        )
        if name == "mean_cost":
            return mean
        if name == "cost":
            rows = len(actual) if self.sample_weight is None else math.fsum(np.asarray(self.sample_weight, np.float64))
            return _rocksteady.InfluenceState.combined(rows * mean.value, [(mean, rows)])
        base = min(constant, key=lambda each: each.value)
        if base.value <= 0:
            raise InputError("savings is undefined, as the best constant prediction costs nothing", argument="name")
        share = mean.value / base.value
        return _rocksteady.InfluenceState.combined(1 - share, [(mean, -1 / base.value), (base, share / base.value)])

    def _of_scores(self, row: Index, truth: Any, scores: Any, pos_label: Any, weights: Any = None) -> Influence:
        weights = self.sample_weight if weights is None else weights
        options = (pos_label, self.ranking["nan_policy"], self.ranking["infinite"], self.weight_kind)
        return _rocksteady.InfluenceState.of_scores((truth, scores, weights), options, row.name)

    def _of_columns_of_scores(self, row: Index, columns: NDArray[Any], average: Any) -> Influence:
        is_of_labels = np.ndim(self.truth) == 2
        if is_of_labels:
            truths = np.asarray(self.truth)
        else:
            actual = codes_of(self.truth, self.classes, "y_true").each()
            truths = (actual[:, None] == np.arange(len(self.classes))).astype(np.uint8)
        if average is None and not is_of_labels and "score_tables" in row.forms:
            if self.is_of_all_classes(row.name):
                each = [self._of_scores(row, *pair, 1) for pair in zip(truths.T, columns.T, strict=True)]
                parts = [(found, 1.0) for found in each]
                return _rocksteady.InfluenceState.combined(math.fsum(found.value for found in each), parts)
            if row.name not in _OF_OWN_CLASS:
                self._has_no_formula(row)
            own = np.take_along_axis(columns, np.asarray(actual, np.intp)[:, None], 1)[:, 0]
            return self._of_scores(row, np.ones(len(own), np.uint8), own, 1)

        def one(truth: Any, scores: Any, weights: Any = None) -> Influence:
            return self._of_scores(row, truth, scores, 1, weights)

        return self._averaged(one, truths, columns, average, undefined=None)

    def _of_labels(
        self, row: Index, predicted: Any, average: Any, zero_division: float, given: dict[str, Any]
    ) -> Influence:
        def one(truth: Any, guess: Any, weights: Any = None) -> Influence:
            actual, predicted = (
                codes_of(np.ascontiguousarray(column, np.uint8), [0, 1], "y_true") for column in (truth, guess)
            )
            weights = self.sample_weight if weights is None else weights
            weighing = (2, weights, self.weight_kind)
            return _rocksteady.InfluenceState.of_codes(actual, predicted, *weighing, row.name, 1, None, 0.0, given)

        return self._averaged(one, np.asarray(self.truth), np.asarray(predicted), average, undefined=zero_division)

    def _averaged(
        self,
        one: Callable[..., Influence],
        truths: NDArray[Any],
        columns: NDArray[Any],
        average: Any,
        *,
        undefined: float | None,
    ) -> Influence:
        """A mean over classes or labels; where the index is undefined it counts as `undefined`, or there is no mean."""
        combined = _rocksteady.InfluenceState.combined
        count = truths.shape[1]
        if isinstance(average, str) and average == "micro":
            weights = None if self.sample_weight is None else np.repeat(np.asarray(self.sample_weight, float), count)
            return one(truths.ravel(), columns.ravel(), weights).folded(count)
        sizes = []
        if average is None or (isinstance(average, str) and average == "macro"):
            weights = np.ones(count)
        elif isinstance(average, str):
            sizes = [
                _rocksteady.InfluenceState.of_mean(np.ascontiguousarray(truth, np.float64), self.sample_weight)
                for truth in truths.T
            ]
            weights = np.array([size.value for size in sizes])
        else:
            weights = np.asarray(average, np.float64)
        total = weights.sum() or math.nan
        places = np.arange(count) if math.isnan(total) else np.flatnonzero(weights)
        shares = (weights[places] / total).tolist()
        each = [one(truths[:, place], columns[:, place]) for place in places]
        values = [found.value for found in each]
        if undefined is not None:
            if all(math.isnan(value) for value in values):
                return each[0]
            values = [undefined if math.isnan(value) else value for value in values]
        value = math.fsum(share * value for share, value in zip(shares, values, strict=True))
        known = [
            (found, 0.0 if undefined is not None and found.why and math.isnan(found.value) else share)
            for found, share in zip(each, shares, strict=True)
        ]
        if sizes:
            # A label without rows has no value, and one row of it would change that.
            known += [(sizes[place], (own - value) / total) for place, own in zip(places, values, strict=True)]
        return combined(value, known)

    def _has_no_formula(self, row: Index) -> NoReturn:
        raise UnknownIndexError(
            f"{row.name} of several classes has no interval by a formula; a mean over classes has one, such as that of "
            "roc_auc with average='macro'",
            argument="name",
        )


def without_rows(has_design: bool) -> JudgedRows | None:
    """What is left of the rows in a sum, a pickle or bytes."""
    return JudgedRows(None, []) if has_design else None
