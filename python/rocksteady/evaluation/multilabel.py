"""Several labels a row: what was counted of each label, and the means over them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NoReturn

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import flag, listed, one_of, shown, whole, wrong_type
from rocksteady.base.containers import opened_matrix
from rocksteady.base.named_columns import ONE, check_models, labels_by_name
from rocksteady.base.pairing import paired
from rocksteady.base.statistic import Along, Indexed
from rocksteady.base.table import Table, one_line, repr_html
from rocksteady.classes.label_score_tables import LabelScoreTables
from rocksteady.errors import InputError, UnknownIndexError
from rocksteady.evaluation.evaluation import Evaluation
from rocksteady.labels.counts import Counts
from rocksteady.models.columns import OF_OTHERS, OF_PROBABILITIES, ROUNDING, threshold_of
from rocksteady.registry import index
from rocksteady.selection import chosen

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from rocksteady.base.arguments import WeightKind
    from rocksteady.selection import Names, Task

Average = Literal["macro", "micro", "weighted"]
_AVERAGES: tuple[Average, ...] = ("macro", "micro", "weighted")
_FORMS = ("counts", "scores")


@dataclass(frozen=True, slots=True)
class MultilabelModel(Along, Indexed):
    """What was counted of one model whose rows have several labels.

    Attributes
    ----------
    name : str
        What the model is called.
    labels : tuple of label
        The labels, in the order of the columns.
    label_counts : Counts
        The four counts of each label, of shape (L,).
    exact_match : float
        The share of the rows, or of their weight, whose labels are all predicted right.
    rows : int
        The number of rows.
    total : float
        The number of rows, or their weight.
    class_scores : LabelScoreTables or None
        How the rows rank in the column of each label.
    threshold : float or None
        Scores at or above it count as predicted; None where the labels were predicted.
    """

    name: str
    labels: tuple[Any, ...]
    label_counts: Counts
    exact_match: float
    rows: int
    total: float
    class_scores: LabelScoreTables | None = None
    threshold: float | None = None
    scores: None = None

    def has(self, name: str) -> bool:
        """Whether what was counted gives the index: one of a ranking needs scores."""
        forms = set(index(name).forms)
        return "counts" in forms or (self.class_scores is not None and "scores" in forms)

    def is_mean(self, name: str) -> bool:
        """Whether the index is a mean over labels: each is."""
        return bool(index(name).name)

    @property
    def task(self) -> Task:
        """Which indices a summary shows."""
        return "several classes"

    @property
    def axis(self) -> dict[str, NDArray[Any]]:
        """The `labels`, as a column by its name."""
        return {"label": np.asarray(self.labels)}

    def _along(self, name: str, parameters: dict[str, Any]) -> NDArray[np.float64]:
        self._check(name)
        if self.class_scores is not None and "scores" in index(name).forms:
            return self.class_scores.every(name, **parameters)
        return np.asarray(self.label_counts.value(name, **parameters))

    def value(self, name: str, average: Average = "macro", **parameters: Any) -> float:
        """One index averaged over the labels; labels for which an index of counts is undefined count as 0."""
        one_of(average, "average", _AVERAGES)
        self._check(name)
        if self.class_scores is not None and "scores" in index(name).forms:
            return self.class_scores.average(name, average, **parameters)
        counts = self.label_counts
        if average == "micro":
            pooled = Counts(counts.tp.sum(), counts.fp.sum(), counts.fn.sum(), counts.tn.sum())
            return float(pooled.value(name, **parameters))
        values = self.every(name, **parameters)
        if np.isnan(values).all():
            return math.nan
        weights = counts.tp + counts.fn if average == "weighted" else np.ones(len(values))
        total = float(weights.sum())
        return math.fsum((np.nan_to_num(values, nan=0.0) * weights).tolist()) / total if total else math.nan

    def __getitem__(self, name: str) -> float:
        return self.value(name)

    def values(self, names: Sequence[str]) -> dict[str, float]:
        """Several indices by name, those that were counted."""
        return {name: self.value(name) for name in names if self.has(name)}

    def why(self, name: str, **parameters: Any) -> str | None:
        """Why `value` is undefined; None if it is defined."""
        self._check(name)
        if self.class_scores is not None and "scores" in index(name).forms:
            return self.class_scores.why(name, **parameters)
        is_undefined = math.isnan(self.value(name, **parameters))
        return "It is undefined for every label." if is_undefined else None

    def _check(self, name: str) -> None:
        if not self.has(name):
            wants = "scores, which were not given" if "scores" in index(name).forms else "one label a row"
            raise UnknownIndexError(f"{name} of {shown(self.name)} needs {wants}", argument="name")

    def __repr__(self) -> str:
        return f"<rocksteady.results.MultilabelModel {shown(self.name)}, {len(self.labels)} labels, {self.rows} rows>"

    _repr_html_ = repr_html


def _not_made(what: str) -> Any:
    """A method of evaluations of one label a row, which refuses."""

    def refuse(_self: object, *_given: object, **_options: object) -> NoReturn:
        raise InputError(
            f"{what} is not made for several labels a row; expected one label: evaluate its columns by themselves, as in "
            "evaluate(y_true[:, 0], y_score[:, 0])"
        )

    refuse.__name__ = refuse.__qualname__ = what
    refuse.__doc__ = "Not for several labels a row: evaluate the column of one label."
    return refuse


class MultilabelEvaluation(Evaluation):
    """One or several models of which a row may have any number of labels; made by `evaluate` from matrices of 0 and 1.

    An index is the mean over the labels (macro); `value` gives other means, `label_summary` each label.

    Examples
    --------
    >>> import rocksteady as rs
    >>> y_true, y_score = [[1, 0], [1, 1], [0, 1], [0, 0]], [[0.9, 0.4], [0.6, 0.3], [0.2, 0.8], [0.3, 0.1]]
    >>> ev = rs.evaluate(y_true, y_score, labels=["red", "round"])
    >>> ev["roc_auc"], ev.value("roc_auc", average="micro")
    (0.875, 0.90625)
    >>> ev.label_summary(["roc_auc", "f1"])
    label  roc_auc        f1
    red          1         1
    round     0.75  0.666667
    """

    __slots__ = ()

    models: dict[str, MultilabelModel]  # type: ignore[assignment]  # other models under the same names

    def __init__(self, models: Sequence[MultilabelModel], *, rows_left_out: int = 0) -> None:
        self.models = {}
        for place, model in enumerate(listed(models, "models", "a list of MultilabelModel")):
            if not isinstance(model, MultilabelModel):
                raise wrong_type(model, f"models[{place}]", "a MultilabelModel")
            self.models[model.name] = model
        self.costs = None
        self.notes = ()
        self.rows_left_out = whole(rows_left_out, "rows_left_out", "a number of rows", least=0)
        self.min_rows = 0

    def __eq__(self, other: object) -> bool:
        """Whether the same was counted of the same models."""
        if not isinstance(other, MultilabelEvaluation):
            return NotImplemented
        return (self.models, self.rows_left_out) == (other.models, other.rows_left_out)

    __hash__ = None  # type: ignore[assignment]

    @property
    def labels(self) -> tuple[Any, ...]:
        """The labels, in the order of the columns."""
        return next(iter(self.models.values())).labels

    @property
    def pos_label(self) -> object:
        """None: each label is a class of its own."""
        return None

    @property
    def is_binary(self) -> bool:
        """False: there are several labels."""
        return False

    @property
    def total(self) -> float:
        """The number of rows, or their weight."""
        return next(iter(self.models.values())).total

    @property
    def exact_match(self) -> Any:
        """The share of the rows whose labels are all predicted right: of the only model, or by name."""
        found = {name: model.exact_match for name, model in self.models.items()}
        return found if len(found) > 1 else next(iter(found.values()))

    def label_summary(self, names: Names | Sequence[str] | None = None, *, model: str | None = None) -> Table:
        """Indices of each label: labels in rows, indices in columns.

        Parameters
        ----------
        names : {"all", "summary"} or sequence of str, optional
            Which indices. Default: "summary".
        model : str, optional
            Which model, where there are several.
        """
        each = self._one(model)
        wanted = self._chosen(names)
        columns = [each.every(name).tolist() for name in wanted if each.has(name)]
        rows: list[list[Any]] = [
            [one_line(label), *values] for label, *values in zip(each.labels, *columns, strict=True)
        ]
        return Table(["label", *(name for name in wanted if each.has(name))], rows)

    def _one(self, model: str | None) -> MultilabelModel:
        names = list(self.models)
        if model is None and len(names) == 1:
            return self.models[names[0]]
        one_of(model, "model", names)
        return self.models[str(model)]

    def _chosen(self, names: Names | Sequence[str] | None) -> list[str]:
        found = chosen(names, default="summary", form=_FORMS, task="several classes")[0]
        had = [name for name in found if any(model.has(name) for model in self.models.values())]
        if names is not None and not isinstance(names, str) and len(had) < len(found):
            self.value(next(name for name in found if name not in had))
        return had

    def summary(
        self,
        names: Names | Sequence[str] | None = None,
        *,
        interval: bool = False,
        level: float = 0.95,  # noqa: ARG002 (only for one label a row)
    ) -> Table:
        """Indices in rows: of one model their macro, micro and weighted mean, of several the macro mean of each.

        Parameters
        ----------
        names : {"all", "summary"} or sequence of str, optional
            Which indices. Default: "summary".
        interval, level
            Only for a single label a row: see `interval`.

        Raises
        ------
        rocksteady.InputError
            With `interval`.
        """
        if flag(interval, "interval"):
            self.interval()
        wanted = self._chosen(names)
        models = list(self.models.values())
        if len(models) == 1:
            only = models[0]
            rows: list[list[Any]] = [[name, *(only.value(name, average) for average in _AVERAGES)] for name in wanted]
            note = f"all {len(only.labels)} labels are right in {only.exact_match:.4g} of the rows"
            return Table(["index", *_AVERAGES], rows, note=note)
        found = [model.values(wanted) for model in models]
        note = "macro means over the labels"
        return Table(
            ["index", *self.models], [[name, *(each.get(name) for each in found)] for name in wanted], note=note
        )

    def to_dict(self, names: Names | Sequence[str] | None = None) -> dict[str, Any]:
        """Labels, rows, and each model's threshold, counts and indices, as plain Python values."""
        wanted = self._chosen(names)
        return {
            "rows": self.rows,
            "rows_left_out": self.rows_left_out,
            "total": self.total,
            "labels": self.labels,
            "models": {
                name: {
                    "threshold": model.threshold,
                    "exact_match": model.exact_match,
                    "counts": {cell: getattr(model.label_counts, cell).tolist() for cell in ("tp", "fp", "fn", "tn")},
                    "indices": {
                        each: {average: model.value(each, average) for average in _AVERAGES}
                        for each in wanted
                        if model.has(each)
                    },
                    "per_label": {each: model.every(each).tolist() for each in wanted if model.has(each)},
                }
                for name, model in self.models.items()
            },
        }

    interval = _not_made("interval")
    to_markdown = _not_made("to_markdown")
    to_html = _not_made("to_html")
    plot = property(_not_made("plot"))
    at = _not_made("at")
    best = _not_made("best")
    why_no_best = _not_made("why_no_best")
    compare = _not_made("compare")
    group_summary = _not_made("group_summary")
    groups = property(_not_made("groups"))

    def __repr__(self) -> str:
        models = ", ".join(map(one_line, self.models))
        return f"<rocksteady.results.MultilabelEvaluation of {models}: {self.rows} rows, {len(self.labels)} labels>"

    def _repr_html_(self) -> str:
        import html  # noqa: PLC0415

        return f"<p>{html.escape(repr(self))}</p>{self.summary()._repr_html_()}"


def evaluate_labels(
    y_true: Any,
    y_score: Any,
    y_pred: Any,
    *,
    labels: Any,
    sample_weight: Any,
    weight_kind: WeightKind,
    threshold: float | Mapping[str, float] | None,
    align: bool,
) -> MultilabelEvaluation:
    """The evaluation of matrices of labels; see `rocksteady.evaluate`."""
    given = {"y_score": _by_model(y_score), "y_pred": _by_model(y_pred)}
    several = len({name for columns in given.values() for name in columns}) > 1
    check_models(threshold, {name for columns in given.values() for name in columns}, "threshold")
    keys = {
        (argument, name): f"{argument}[{name!r}]" if several else argument
        for argument, columns in given.items()
        for name in columns
    }
    columns = {said: given[argument][name] for (argument, name), said in keys.items()}
    columns = paired(y_true, {**columns, "sample_weight": sample_weight}, align=align)
    sample_weight = columns["sample_weight"]
    y_true, ordered, names = labels_by_name(y_true, {said: columns[said] for said in keys.values()}, labels)
    truth = opened_matrix(y_true, "y_true")
    called = _names_of_labels(names, truth.shape[1])
    found = dict(zip(keys, ordered, strict=True))
    scores, predicted = (
        {name: column for (argument, name), column in found.items() if argument == wanted} for wanted in given
    )
    models = []
    for name in dict.fromkeys([*scores, *predicted]):
        tables = cut = None
        guess = predicted.get(name)
        if name in scores:
            matrix = _of_positives(opened_matrix(scores[name], "y_score"), truth.shape)
            tables = LabelScoreTables(
                truth, matrix, labels=called, sample_weight=sample_weight, weight_kind=weight_kind
            )
            if guess is None:
                cut = threshold_of(threshold, name)
                if cut is None:
                    are_probabilities = bool(matrix.size) and matrix.min() >= -ROUNDING and matrix.max() <= 1 + ROUNDING
                    cut = OF_PROBABILITIES if are_probabilities else OF_OTHERS
                # A float64 on the right is compared as it is; Python's float would be rounded to float32 first.
                guess = matrix >= np.float64(cut)
        guess = opened_matrix(guess, "y_pred")
        state = _rocksteady.IndicatorState.count(truth, guess, None, sample_weight)
        squares = _rocksteady.IndicatorState.count_squares(truth, guess, sample_weight, weight_kind)
        counts = Counts._weighed(_columns_of(state), None if squares is None else _columns_of(squares))
        models.append(
            MultilabelModel(name, tuple(called), counts, state.rows_right()[0], state.rows, state.total, tables, cut)
        )
    if not models:
        raise InputError("y_score and y_pred are None; expected at least one of them", argument="y_score")
    return MultilabelEvaluation(models)


def _columns_of(state: _rocksteady.IndicatorState) -> tuple[NDArray[Any], ...]:
    """The four counts of each label."""
    cells = state.by_label().to_array()
    return cells[:, 1, 1], cells[:, 0, 1], cells[:, 1, 0], cells[:, 0, 0]


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
