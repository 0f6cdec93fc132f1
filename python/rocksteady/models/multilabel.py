"""Several labels a row: what was counted of each label, and the means over them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import cut, listed, one_of, shown, string, wrong_type, wrong_value
from rocksteady.base.containers import opened_matrix
from rocksteady.base.named_columns import ONE, check_models, labels_by_name
from rocksteady.base.table import Table, number_of, repr_html
from rocksteady.classes.label_score_tables import LabelScoreTables
from rocksteady.columns.pairing import paired
from rocksteady.columns.tags import indicators
from rocksteady.errors import InputError, UnknownIndexError
from rocksteady.inference.clusters import grouping_of
from rocksteady.labels.confusion import ConfusionMatrix
from rocksteady.labels.counts import Counts
from rocksteady.models.columns import OF_OTHERS, OF_PROBABILITIES, ROUNDING, checked_labels, threshold_of
from rocksteady.models.judged_rows import JudgedRows
from rocksteady.models.listing import headings_of, with_bounds
from rocksteady.models.model import Model
from rocksteady.registry.registry import Index, index

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from rocksteady.base.arguments import WeightKind
    from rocksteady.inference.interval import Interval
    from rocksteady.scores.points import Best, CountsAt
    from rocksteady.scores.thresholds import Side

Average = Literal["macro", "micro", "weighted"]
_AVERAGES: tuple[Average, ...] = ("macro", "micro", "weighted")
_CELLS = ("tp", "fp", "fn", "tn")
# The classes of `matches`.
HAS = (False, True)
# Where the four cells of a label stand in `indicators`, actual and predicted, beyond its first class.
_PLACES = (np.array([[0, 0], [1, 1]]), np.array([[0, 1], [0, 1]]))
# So many labels of rows are counted at once.
_AT_ONCE = 1 << 20


@dataclass(frozen=True, slots=True)
class MultilabelModel(Model):
    """What was counted of one model whose rows have several labels. An index is the mean over the labels.

    Parameters
    ----------
    name : str
        What the model is called.
    labels : tuple of label
        The labels, in the order of the columns.
    indicators : ConfusionMatrix
        Of all labels: label *j* of a row is the class 2 *j* if the row does not have it, else 2 *j* + 1. `counts` reads it.
    matches : ConfusionMatrix
        Of the rows: True, and whether all their labels are predicted right.
    label_scores : LabelScoreTables or None
        How the rows rank in the column of each label.
    threshold : float or None
        Scores at or above it count as predicted; None where the labels were predicted.

    Examples
    --------
    >>> import rocksteady as rs
    >>> y_true, y_score = [[1, 0], [1, 1], [0, 1], [0, 0]], [[0.9, 0.4], [0.6, 0.3], [0.2, 0.8], [0.3, 0.1]]
    >>> model = rs.evaluate(y_true, y_score, labels=["red", "round"]).models["model"]
    >>> model["recall"], model.every("recall"), model.exact_match
    (0.75, array([1. , 0.5]), 0.75)
    >>> model.best("f1")["round"].threshold
    0.3
    """

    name: str
    labels: tuple[Any, ...]
    indicators: ConfusionMatrix
    matches: ConfusionMatrix
    label_scores: LabelScoreTables | None = None
    threshold: float | None = None
    _judged: JudgedRows | None = field(default=None, compare=False)
    _counts: Counts = field(init=False, compare=False)

    _forms = ("counts", "scores")
    _held = ("indicators", "matches", "label_scores")
    _places = "labels"

    def __post_init__(self) -> None:
        string(self.name, "name")
        object.__setattr__(
            self, "labels", tuple(checked_labels(listed(self.labels, "labels", "a list of labels"), "labels"))
        )
        count = len(self.labels)
        for argument, classes in (("indicators", range(2 * count)), ("matches", HAS)):
            matrix = getattr(self, argument)
            if not isinstance(matrix, ConfusionMatrix) or list(matrix.labels) != list(classes):
                raise wrong_type(matrix, argument, f"a ConfusionMatrix of the classes {shown(list(classes))}")
        if not isinstance(self.label_scores, LabelScoreTables | None):
            raise wrong_type(self.label_scores, "label_scores", "a LabelScoreTables or None")
        if self.label_scores is not None and len(self.label_scores.labels) != count:
            raise wrong_value(self.label_scores, "label_scores", f"scores of each of {count} labels")
        if self.threshold is not None:
            cut(self.threshold, "threshold")
        object.__setattr__(self, "_counts", _counts_of(self.indicators.counts()))

    @property
    def _lacks(self) -> dict[str, str]:
        alone = "evaluate the columns of a label by themselves, as in evaluate(y_true[:, 0], y_score[:, 0]"
        counts = f"is of one label a row; models[{shown(self.name)}].counts() has the four counts of each label"
        found = {
            "profit": f"is of one label; models[{shown(self.name)}].label_scores.score_table(label).profit() has that of one",
            "compare": "is of one label a row; summary() has the models side by side",
            "risk_coverage": f"is of the most probable class; models[{shown(self.name)}].label_scores.score_table(label) has one",
        }
        found["at_prevalence"] = counts
        if self._judged is None:
            found |= dict.fromkeys(
                ("interval", "compared", "influence", "difference"),
                "needs to know which rows of two labels are the same, which a mean over labels does not keep; expected an "
                "evaluation made with evaluate(..., inference=True). every_interval(name) has one of each label",
            )
        found |= dict.fromkeys(("groups", "group_summary"), f"is of one label a row; {alone}, by=keys)")
        found |= dict.fromkeys(("confusion", "confusion_matrix", "class_prediction_errors"), counts)
        if self.label_scores is None:
            needs = f"needs scores, which {shown(self.name)} does not have: evaluate takes them as y_score"
            found |= dict.fromkeys(("at", "best", "why_no_best", "curves"), needs)
        return found

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.matches.rows

    @property
    def total(self) -> float:
        """The number of rows, or their weight."""
        return self.matches.total

    @property
    def weighted(self) -> bool:
        """Whether rows have weights."""
        return self.matches.weighted

    @property
    def exact_match(self) -> float:
        """The share of the rows, or of their weight, whose labels are all predicted right."""
        return self.matches["accuracy"]

    @property
    def _rankings(self) -> LabelScoreTables | None:
        return self.label_scores

    def counts(self) -> Counts:
        """The four counts of each label, of shape (L,)."""
        return self._counts

    def _source(self, row: Index) -> Any:
        if self.label_scores is not None and "scores" in row.forms:
            return self.label_scores
        return self._counts if "counts" in row.forms else None

    def _asked(self, name: str) -> Any:
        """The statistic that has an index."""
        source = self._source(row := index(name))
        if source is None:
            wants = "scores, which were not given" if "scores" in row.forms else "one label a row"
            raise UnknownIndexError(f"{name} of {shown(self.name)} needs {wants}", argument="name")
        return source

    @property
    def axis(self) -> dict[str, NDArray[Any]]:
        """The `labels`, as a column by its name."""
        return {"label": np.asarray(self.labels)}

    def _along(self, name: str, parameters: dict[str, Any]) -> NDArray[np.float64]:
        source = self._asked(name)
        if isinstance(source, LabelScoreTables):
            return source.every(name, **parameters)
        return np.asarray(source.value(name, **parameters))

    def value(self, name: str, *, average: Average = "macro", **parameters: Any) -> float:
        """One index averaged over the labels; labels for which an index of counts is undefined count as 0."""
        one_of(average, "average", _AVERAGES)
        counts = self._asked(name)
        if isinstance(counts, LabelScoreTables):
            return counts.value(name, average=average, **parameters)
        if average == "micro":
            pooled = Counts(counts.tp.sum(), counts.fp.sum(), counts.fn.sum(), counts.tn.sum())
            return float(pooled.value(name, **parameters))
        values = np.asarray(counts.value(name, **parameters))
        if np.isnan(values).all():
            return math.nan
        weights = counts.tp + counts.fn if average == "weighted" else np.ones(len(values))
        total = float(weights.sum())
        return math.fsum((np.nan_to_num(values, nan=0.0) * weights).tolist()) / total if total else math.nan

    def why(self, name: str, **parameters: Any) -> str | None:
        """Why `value` is undefined; None if it is defined."""
        source = self._asked(name)
        if isinstance(source, LabelScoreTables):
            return source.why(name, **parameters)
        is_undefined = math.isnan(self.value(name, **parameters))
        return "It is undefined for every label." if is_undefined else None

    def interval(self, name: str, *, average: Average = "macro", **options: Any) -> Interval:
        """One index averaged over the labels, with its interval of confidence; of ``evaluate(..., inference=True)``.

        Parameters
        ----------
        name : str
            A name or alias from `rocksteady.indices`.
        average : {"macro", "micro", "weighted"}
            As for `value`.
        **options
            `level`, `method`, `side`, and the index's own parameters.

        >>> import rocksteady as rs
        >>> y_true, y_pred = [[1, 0], [1, 1], [0, 1], [1, 0]], [[1, 0], [1, 0], [0, 1], [0, 0]]
        >>> found = rs.evaluate(y_true, y_pred=y_pred, inference=True).interval("accuracy")
        >>> found.estimate, round(found.low, 3), round(found.high, 3)
        (0.75, 0.206, 0.972)
        """
        one_of(average, "average", _AVERAGES)
        self._asked(name)
        if self._judged is None:
            self._refuse("interval")
        return self._judged.interval(name, self.name, average=average, **options)

    def every_interval(self, name: str, **options: Any) -> Interval:
        """One index of each label, with its intervals of confidence: arrays of shape (L,).

        Parameters
        ----------
        name : str
            A name or alias from `rocksteady.indices`.
        **options
            As for `ConfusionMatrix.interval`: `level`, `method`, `side`, and the index's own parameters.

        >>> import rocksteady as rs
        >>> y_true, y_pred = [[1, 0], [1, 1], [0, 1], [1, 0]], [[1, 0], [1, 0], [0, 1], [0, 0]]
        >>> rs.evaluate(y_true, y_pred=y_pred).models["model"].every_interval("recall").low.round(3)
        array([0.208, 0.095])
        """
        source = self._asked(name)
        if self._judged is not None and self._judged.has_design:
            return self._judged.every_interval(name, self.name, self.axis, **options)
        if isinstance(source, LabelScoreTables):
            return source.every_interval(name, **options)
        found: Interval = source.interval(name, **options)
        return replace(found, keys=self.axis)

    def _of_each(self, what: str, *given: Any, **options: Any) -> dict[Any, Any]:
        """What a method of the score table of each label gives."""
        if self.label_scores is None:
            self._refuse(what)
        tables = map(self.label_scores._table, self.label_scores.labels)
        return {
            label: getattr(table, what)(*given, **options) for label, table in zip(self.labels, tables, strict=True)
        }

    def at(self, threshold: ArrayLike, *, side: Side = ">=") -> dict[Any, CountsAt]:
        """The four counts of each label at a threshold, from the labels; see `ScoreTable.at`."""
        return self._of_each("at", threshold, side=side)

    def best(self, name: str, **options: Any) -> dict[Any, Best | list[Best]]:
        """The threshold at which an index of each label is best, from the labels; see `ScoreTable.best`."""
        return self._of_each("best", name, **options)

    def why_no_best(self, name: str, **options: Any) -> dict[Any, str | None]:
        """For each label why `best` finds no threshold, None if it finds one; see `ScoreTable.why_no_best`."""
        return self._of_each("why_no_best", name, **options)

    def _dict(self, names: Sequence[str]) -> dict[str, Any]:
        had = [name for name in names if self.has(name)]
        return {
            "threshold": self.threshold,
            "exact_match": self.exact_match,
            "counts": {cell: getattr(self._counts, cell).tolist() for cell in _CELLS},
            "indices": {name: {how: self.value(name, average=how) for how in _AVERAGES} for name in had},
            "every": {name: self.every(name).tolist() for name in had},
        }

    @classmethod
    def _table(
        cls, models: Sequence[Model], names: Sequence[str], notes: Sequence[str], level: float | None = None
    ) -> Table:
        """Of one model the macro, micro and weighted mean, of several the macro mean of each."""
        if level is not None and models[0]._judged is None:
            models[0]._refuse("interval")
        if level is None and len(models) == 1:
            only = models[0]
            rows: list[list[Any]] = [[name, *(only.value(name, average=how) for how in _AVERAGES)] for name in names]
            note = f"all {len(only.labels)} labels are right in {only.exact_match:.4g} of the rows"
            return Table(["index", *_AVERAGES], rows, note="\n".join([note, *notes]))
        found = [model._values(names) for model in models]
        rows = [[name, *with_bounds(models, name, [each.get(name) for each in found], level)] for name in names]
        return Table(["index", *headings_of(models, level)], rows, note="macro means over the labels")

    def __repr__(self) -> str:
        labels, rows = number_of(len(self.labels), "label"), number_of(self.rows, "row")
        return f"<rocksteady.results.MultilabelModel {shown(self.name)}, {labels}, {rows}>"

    _repr_html_ = repr_html


def _counts_of(classes: Counts) -> Counts:
    """The four counts of each label, from those of the classes of `indicators`."""

    def columns(tp: NDArray[Any], fp: NDArray[Any], fn: NDArray[Any], _tn: NDArray[Any]) -> tuple[NDArray[Any], ...]:
        return tp[1::2], fp[1::2], fn[1::2], tp[::2]

    return Counts._weighed(columns(*classes._arrays), None if classes._squares is None else columns(*classes._squares))


def _counted(
    truth: NDArray[Any], guess: NDArray[Any], sample_weight: Any, weight_kind: WeightKind
) -> tuple[ConfusionMatrix, ConfusionMatrix]:
    """What `MultilabelModel` has as `indicators` and `matches`."""
    count = truth.shape[1]
    classes, first = range(2 * count), 2 * np.arange(count, dtype=np.int32)
    state = _rocksteady.IndicatorState.count(truth, guess, None, sample_weight) if len(truth) else None
    if state is not None and sample_weight is None and weight_kind == "counts":
        actual, predicted = ((first[:, None, None] + which).ravel() for which in _PLACES)
        indicators = ConfusionMatrix.from_cells(actual, predicted, state.by_label().to_array().ravel(), labels=classes)
        right = state.rows_right()[1]
        cells = [int(state.rows - right), int(right)]
        return indicators, ConfusionMatrix.from_cells([1, 1], [0, 1], cells, labels=HAS, pos_label=True)
    weights = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    step = max(_AT_ONCE // max(count, 1), 1)
    parts = []
    for start in range(0, max(len(truth), 1), step):  # each row makes one of each label
        rows = slice(start, start + step)
        codes = ((matrix[rows].astype(np.int32) + first).ravel() for matrix in (truth, guess))
        weighing: Any = {"sample_weight": None if weights is None else np.repeat(weights[rows], count)}
        parts.append(ConfusionMatrix(*codes, labels=classes, weight_kind=weight_kind, **weighing))
    right = (truth == guess).all(axis=1)
    matches = ConfusionMatrix(
        np.ones_like(right), right, labels=HAS, pos_label=True, sample_weight=weights, weight_kind=weight_kind
    )
    return sum(parts[1:], parts[0]), matches


def models_of_labels(
    y_true: Any,
    y_score: Any,
    y_pred: Any,
    *,
    labels: Any,
    sample_weight: Any,
    weight_kind: WeightKind,
    threshold: float | Mapping[str, float] | None,
    align: bool,
    grouping: dict[str, Any] | None = None,
) -> list[MultilabelModel]:
    """The models of matrices of labels; see `rocksteady.evaluate`."""
    given = {"y_score": _by_model(y_score), "y_pred": _by_model(y_pred)}
    several = len({name for columns in given.values() for name in columns}) > 1
    check_models(threshold, {name for columns in given.values() for name in columns}, "threshold")
    keys = {
        (argument, name): f"{argument}[{name!r}]" if several else argument
        for argument, columns in given.items()
        for name in columns
    }
    columns = {said: given[argument][name] for (argument, name), said in keys.items()}
    columns = paired(y_true, {**columns, "sample_weight": sample_weight, **(grouping or {})}, align=align)
    sample_weight = columns["sample_weight"]
    tagged = {said: columns[said] for (argument, _), said in keys.items() if argument == "y_pred"}
    tagged, labels = indicators({"y_true": y_true, **tagged}, labels)
    y_true, columns = tagged.pop("y_true"), {**columns, **tagged}
    y_true, ordered, names = labels_by_name(y_true, {said: columns[said] for said in keys.values()}, labels)
    truth = opened_matrix(y_true, "y_true")
    called = _names_of_labels(names, truth.shape[1])
    found = dict(zip(keys, ordered, strict=True))
    scores, predicted = (
        {name: column for (argument, name), column in found.items() if argument == wanted} for wanted in given
    )
    judged = None
    if grouping is not None:
        cluster, strata = (grouping_of(columns[argument], truth, argument) for argument in ("cluster", "strata"))
        judged = JudgedRows(
            truth, called, sample_weight=sample_weight, weight_kind=weight_kind, cluster=cluster, strata=strata
        )
    models = []
    for name in dict.fromkeys([*scores, *predicted]):
        tables = at = None
        guess = predicted.get(name)
        if name in scores:
            matrix = _of_positives(opened_matrix(scores[name], "y_score"), truth.shape)
            tables = LabelScoreTables(
                truth, matrix, labels=called, sample_weight=sample_weight, weight_kind=weight_kind
            )
            if guess is None:
                at = threshold_of(threshold, name)
                if at is None:
                    are_probabilities = bool(matrix.size) and matrix.min() >= -ROUNDING and matrix.max() <= 1 + ROUNDING
                    at = OF_PROBABILITIES if are_probabilities else OF_OTHERS
                # A float64 on the right is compared as it is; Python's float would be rounded to float32 first.
                guess = matrix >= np.float64(at)
        guess = opened_matrix(guess, "y_pred")
        counted = _counted(truth, guess, sample_weight, weight_kind)
        if judged is not None:
            judged.predicted[name] = guess
            if tables is not None:
                judged.columns[name] = matrix
        models.append(MultilabelModel(name, tuple(called), *counted, tables, at, judged))
    if not models:
        raise InputError("y_score and y_pred are None; expected at least one of them", argument="y_score")
    return models


def _names_of_labels(names: list[Any] | None, count: int) -> list[Any]:
    if names is not None and len(names) != count:
        raise InputError(
            f"labels has {len(names)} names; expected {count}, one for each column of y_true", argument="labels"
        )
    return list(range(count)) if names is None else names


def _of_positives(matrix: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """Scores, a column for each label; of the two columns for each label that scikit-learn's forests give, the second."""
    rows, labels = shape
    return matrix[:, :, 1].T if matrix.shape == (labels, rows, 2) else matrix


def _by_model(given: Any) -> dict[str, Any]:
    if given is None:
        return {}
    return dict(given) if isinstance(given, dict) else {ONE: given}
