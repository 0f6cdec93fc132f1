"""What was counted of one model: every index of it by name."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.base.arguments import cut, shown, string, wrong_type
from rocksteady.base.statistic import Indexed
from rocksteady.base.table import repr_html
from rocksteady.classes.score_tables import ScoreTables
from rocksteady.errors import InputError, UnknownIndexError
from rocksteady.labels.confusion import ConfusionMatrix
from rocksteady.registry import Index, index
from rocksteady.scores.score_table import ScoreTable
from rocksteady.scores.score_view import ScoreView
from rocksteady.selection import task_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from rocksteady.inference.interval import Interval
    from rocksteady.labels.confusion import Average
    from rocksteady.scores.points import Best, CountsAt
    from rocksteady.scores.thresholds import Side
    from rocksteady.selection import Task

# So many indices of the rankings of classes are read more quickly after one walk for all of them.
_MANY = 10


@dataclass(frozen=True, slots=True)
class ModelEvaluation(Indexed):
    """What was counted of one model, and every index of it by name.

    With two classes an index is that of the whole or of the positive class; with more it is that of the whole or, where
    there is no such, the mean over the classes, each against the rest (macro average).

    Attributes
    ----------
    name : str
        What the model is called.
    confusion : ConfusionMatrix
        Of the predicted classes: those given, or those of the scores at `threshold`, or the most probable ones.
    scores : ScoreTable or None
        How the positives rank among the negatives; of two classes.
    class_scores : ScoreTables or None
        How the rows of each class rank in its column; of more than two.
    threshold : float or None
        Scores at or above it count as positive; None where they did not say the classes.
    costs : array of shape (K, K) or None
        What each outcome costs, rows actual, in the order of the labels of `confusion`; then the indices of costs go by
        it.

    Examples
    --------
    >>> import rocksteady as rs
    >>> model = rs.evaluate([0, 0, 1, 1], [0.1, 0.6, 0.35, 0.8]).models["model"]
    >>> model["accuracy"], model["roc_auc"], model.confusion.to_array().tolist()
    (0.5, 0.75, [[1, 1], [1, 1]])
    """

    name: str
    confusion: ConfusionMatrix
    scores: ScoreTable | None = None
    class_scores: ScoreTables | None = None
    threshold: float | None = None
    costs: NDArray[np.float64] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        string(self.name, "name")
        if self.threshold is not None:
            cut(self.threshold, "threshold")
        if not isinstance(self.confusion, ConfusionMatrix):
            raise wrong_type(self.confusion, "confusion", "a ConfusionMatrix")
        if not isinstance(self.scores, ScoreTable | ScoreView | None):
            raise wrong_type(self.scores, "scores", "a ScoreTable or None")
        if not isinstance(self.class_scores, ScoreTables | None):
            raise wrong_type(self.class_scores, "class_scores", "a ScoreTables or None")

    @property
    def is_binary(self) -> bool:
        """Whether there are two classes, one of which is positive."""
        return self.confusion.pos_label is not None

    @property
    def rows(self) -> int:
        """The number of rows; where there are scores, of those whose weight is not 0."""
        ranked = self.scores if self.scores is not None else self.class_scores
        return self.confusion.rows if ranked is None else ranked.rows

    @property
    def cost_parameters(self) -> dict[str, Any]:
        """`costs` as parameters of the indices: by outcome for two classes, else a matrix; empty without costs."""
        if self.costs is None:
            return {}
        if not self.is_binary:
            return {"matrix": self.costs}
        positive = self.confusion.labels.index(self.confusion.pos_label)
        cost, other = self.costs.tolist(), 1 - positive
        return {
            "tp": cost[positive][positive],
            "fp": cost[other][positive],
            "fn": cost[positive][other],
            "tn": cost[other][other],
        }

    @property
    def statistics(self) -> tuple[ConfusionMatrix | ScoreTable | ScoreTables, ...]:
        """What was counted: the matrix, and the score table or tables where there are scores."""
        ranked = self.scores if self.scores is not None else self.class_scores
        return (self.confusion,) if ranked is None else (self.confusion, ranked)

    @property
    def _class_places(self) -> list[int]:
        """The place of each class of `confusion` in `class_scores`, whose classes ascend; empty if these have others."""
        ranked = [] if self.class_scores is None else list(self.class_scores.labels)
        places = {label: place for place, label in enumerate(ranked)}
        labels = list(self.confusion.labels)
        return [places[label] for label in labels] if places.keys() == set(labels) else []

    @property
    def task(self) -> Task:
        """Which indices a summary of the model has: see `rocksteady.selection`."""
        if not self.is_binary:
            return "several classes"
        counts = self.confusion.counts()
        place = self.confusion.labels.index(self.confusion.pos_label)
        return task_of(2, float(counts.tp[place] + counts.fn[place]), self.confusion.total)

    def _source(self, row: Index) -> ConfusionMatrix | ScoreTable | ScoreTables | None:
        """The statistic that has the index."""
        forms = set(row.forms)
        if self.scores is not None and "scores" in forms:
            return self.scores
        if self.class_scores is not None and {"scores", "score_tables"} & forms:
            return self.class_scores
        return self.confusion if {"counts", "matrix"} & forms else None

    def has(self, name: str) -> bool:
        """Whether what was counted gives the index: one of a ranking wants scores.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index.
        """
        return self._source(index(name)) is not None

    def is_mean(self, name: str) -> bool:
        """Whether the index is the mean over classes, as the whole has none: "f1" of three classes, for one.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index.
        """
        row = index(name)
        source, forms = self._source(row), row.forms
        if isinstance(source, ScoreTables):
            return "score_tables" not in forms
        return isinstance(source, ConfusionMatrix) and not self.is_binary and "matrix" not in forms

    def value(self, name: str, *, average: Average | ArrayLike | None = None, **parameters: Any) -> float:
        """One index.

        Parameters
        ----------
        name : str
            A name or alias from `rocksteady.indices`.
        average : {"macro", "micro", "weighted"} or array-like, optional
            The mean over the classes to take, as `ConfusionMatrix.average` and `ScoreTables.average` do. Without it, an
            index that the classes have only together is that of all, and any other the macro mean.
        **parameters
            The index's own. Those of costs are `costs` unless said.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it needs scores or probabilities that were not given.
        """
        source, parameters = self._asked(name, parameters)
        if average is not None:
            if not isinstance(source, ConfusionMatrix | ScoreTables):
                raise UnknownIndexError(
                    f"{name} of {shown(self.name)} is that of one class against the other and has no average; leave out "
                    "average=",
                    argument="average",
                )
            mean: float = source.average(name, average, **parameters)
            return mean
        if not self.is_mean(name):
            found: float = source.value(name, **parameters)
            return found
        mean = source.average(name, "macro", **parameters)
        # A class for which an index of the matrix is undefined counts as 0, as in scikit-learn; of such alone there is
        # no mean.
        undefined = mean == 0 and isinstance(source, ConfusionMatrix)
        return math.nan if undefined and np.isnan(source.every(name, **parameters)).all() else mean

    def __getitem__(self, name: str) -> float:
        return self.value(name)

    def _ipython_key_completions_(self) -> list[str]:
        from rocksteady._completion import names_of  # noqa: PLC0415 (only a shell needs it)

        return [name for name in names_of() if self.has(name)]

    def values(self, names: Sequence[str]) -> dict[str, float]:
        """Several indices by name, each as `value` gives it. One pass over the scores gives all indices of a ranking.

        Names of indices that need scores or probabilities that were not given are left out.

        Raises
        ------
        rocksteady.UnknownIndexError
            For a name that no index has.

        >>> import rocksteady as rs
        >>> model = rs.evaluate([0, 0, 1, 1], [0.1, 0.6, 0.35, 0.8]).models["model"]
        >>> model.values(["accuracy", "roc_auc", "one_vs_rest_auc"])
        {'accuracy': 0.5, 'roc_auc': 0.75}
        """
        sources = {name: self._source(index(name)) for name in _several(names)}
        ranked = [name for name, source in sources.items() if isinstance(source, ScoreTable | ScoreView | ScoreTables)]
        read: dict[str, float] = {}
        if self.scores is not None:
            read = {name: value for name, value, _ in self.scores._answers(ranked)}
        elif self.class_scores is not None and len(ranked) >= _MANY:
            self.class_scores._state.prepare()
        return {
            name: read[name] if name in read else self[name] for name, source in sources.items() if source is not None
        }

    def interval(self, name: str, **options: Any) -> Interval:
        """One index, as `value` gives it, with its interval of confidence.

        Parameters
        ----------
        name : str
            A name or alias from `rocksteady.indices`.
        **options
            As for `ConfusionMatrix.interval`: `level`, `method`, `side`, and the index's own parameters. Those of costs
            are `costs` unless said.

        Raises
        ------
        rocksteady.UnknownIndexError
            As for `value`, and if the index has no interval.

        >>> import rocksteady as rs
        >>> model = rs.evaluate([0, 0, 0, 1, 1, 1], [0.1, 0.6, 0.2, 0.35, 0.8, 0.9]).models["model"]
        >>> f1 = model.interval("f1")
        >>> round(f1.estimate, 3), round(f1.low, 3), round(f1.high, 3)
        (0.667, 0.22, 0.934)
        """
        source, options = self._asked(name, options)
        if self.is_mean(name) and isinstance(source, ScoreTables):
            raise UnknownIndexError(
                f"{name} of {shown(self.name)}, a mean over the classes, has no interval of confidence: the tables of the "
                "classes do not tell which of their rows are the same; class_scores.every_interval has one of each",
                argument="name",
            )
        if self.is_mean(name):
            nothing = math.nan if math.isnan(self.value(name)) else 0.0
            options = {"average": "macro", "zero_division": nothing, **options}
        found: Interval = source.interval(name, **options)
        return found

    def _intervals(self, names: Sequence[str], *, level: float = 0.95) -> dict[str, Interval]:
        """The intervals of those of several indices that have one; see `interval`.

        >>> import rocksteady as rs
        >>> model = rs.evaluate([0, 0, 1, 1], [0.1, 0.6, 0.35, 0.8]).models["model"]
        >>> sorted(model._intervals(["roc_auc", "f1", "ks"]))
        ['f1', 'roc_auc']
        """
        found = {}
        for name in _several(names):
            if index(name).intervals and self.has(name):
                with suppress(UnknownIndexError):  # the averages of some have none
                    found[name] = self.interval(name, level=level)
        return found

    def at(self, threshold: ArrayLike, *, side: Side = ">=") -> CountsAt:
        """The four counts at a threshold; see `ScoreTable.at`.

        Raises
        ------
        rocksteady.InputError
            If the model has no scores of two classes.
        """
        counts, classes = self._ranked("at").at(threshold, side=side), list(self.confusion.labels)
        return counts._ordered(classes) if set(classes) == set(counts.labels) else counts

    def best(self, name: str, **options: Any) -> Best | list[Best]:
        """The threshold at which an index is best; see `ScoreTable.best`. The costs are those of the evaluation.

        Raises
        ------
        rocksteady.InputError
            If the model has no scores of two classes.

        >>> import rocksteady as rs
        >>> ev = rs.evaluate([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8], costs={"fp": 1, "fn": 5})
        >>> ev.models["model"].best("cost")
        Best(threshold=0.4, value=1.0, tp=2.0, fp=1.0, fn=0.0, tn=1.0, cost_ratios=(1, inf))
        """
        found: Best | list[Best] = self._ranked("best").best(name, **self._with_costs(name, options))
        return found

    def why_no_best(self, name: str, **options: Any) -> str | None:
        """Why `best` finds no threshold, None if it finds one; see `ScoreTable.why_no_best`."""
        return self._ranked("why_no_best").why_no_best(name, **self._with_costs(name, options))

    def _ranked(self, what: str) -> ScoreTable:
        if self.scores is None:
            classes = "more than two classes" if not self.is_binary else "predicted classes alone"
            raise InputError(
                f"{what} needs scores of two classes, and {shown(self.name)} has {classes}; expected a model with y_score",
                argument="name",
            )
        return self.scores

    def _with_costs(self, name: str, parameters: dict[str, Any]) -> dict[str, Any]:
        """Parameters of an index with the costs of the evaluation, unless there are others."""
        if not self.cost_parameters or "matrix" in parameters or "costs" in parameters:
            return parameters
        try:
            row = index(name)
        except UnknownIndexError:  # an expression, or a name that is refused later
            return parameters
        has_costs = any(parameter.name == "fp" for parameter in row.parameters)
        return {**self.cost_parameters, **parameters} if has_costs else parameters

    def why(self, name: str, **parameters: Any) -> str | None:
        """Why `value` is undefined, or has a conventional value; None if it is defined.

        Raises
        ------
        rocksteady.UnknownIndexError
            As for `value`.
        """
        source, parameters = self._asked(name, parameters)
        if self.is_mean(name) and isinstance(source, ConfusionMatrix):
            return "It is undefined for every class." if math.isnan(self.value(name, **parameters)) else None
        reason: str | None = source.why(name, **parameters)
        return reason

    def _asked(self, name: str, parameters: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """The statistic that has an index, and its parameters with the costs among them."""
        row = index(name)
        source = self._source(row)
        if source is None:
            wants = "class probabilities" if "score_tables" in row.forms and not self.is_binary else "scores"
            raise UnknownIndexError(
                f"{name} of {shown(self.name)} needs {wants}, which were not given", argument="name"
            )
        is_asked = "threshold" in parameters or "weight" in parameters
        if row.parameters and self.threshold is not None and 0 < self.threshold < 1 and not is_asked:
            # What weighs by the threshold at which one acts weighs by the one that the classes are cut at.
            own = {"threshold": self.threshold} if any(each.name == "threshold" for each in row.parameters) else {}
            parameters = {**own, **parameters}
        return source, self._with_costs(name, parameters)

    def __repr__(self) -> str:
        parts = [repr(self.name), f"{len(self.confusion.labels)} classes", f"{self.rows} rows"]
        if self.threshold is not None:
            parts.append(f"threshold {self.threshold:g}")
        return f"<rocksteady.results.ModelEvaluation {', '.join(parts)}>"

    def _repr_html_(self) -> str:
        return repr_html(self) + self.confusion._repr_html_()


def _several(names: Sequence[str]) -> Sequence[str]:
    if isinstance(names, str):
        raise wrong_type(names, "names", "a list of names")
    return names
