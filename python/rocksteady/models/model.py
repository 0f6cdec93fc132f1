"""What all kinds of models answer, and the model of two or more classes."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

import numpy as np

from rocksteady.base.arguments import cut, shown, string, wrong_type
from rocksteady.base.bounds import Bounds
from rocksteady.base.statistic import Along, Indexed
from rocksteady.base.table import Table, number_of, one_line, repr_html
from rocksteady.base.ways_out import unlike
from rocksteady.classes.column_tables import called
from rocksteady.classes.score_tables import ScoreTables
from rocksteady.costs.cost_counts import CostCounts
from rocksteady.costs.cost_table import CostTable
from rocksteady.errors import InputError, UnknownIndexError
from rocksteady.labels.confusion import ConfusionMatrix
from rocksteady.models.listing import chosen_of, headings_of, with_bounds
from rocksteady.models.row_costs import OF_PREDICTED, cheapest, decided, is_of_rows, takes_costs
from rocksteady.registry.registry import Index, index
from rocksteady.registry.selection import chosen, task_of
from rocksteady.scores.score_table import ScoreTable
from rocksteady.scores.score_view import ScoreView

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from rocksteady.classes.column_tables import Rankings
    from rocksteady.classes.label_score_tables import LabelScoreTables
    from rocksteady.inference.interval import Interval
    from rocksteady.labels.confusion import Average
    from rocksteady.models.judged_rows import JudgedRows
    from rocksteady.registry.selection import Names, Task
    from rocksteady.scores.points import Best, CountsAt
    from rocksteady.scores.score_sketch import ScoreSketch
    from rocksteady.scores.thresholds import Side

# So many indices of the rankings of classes are read more quickly after one walk for all of them.
_MANY = 10


class Model(Along, Indexed):
    """What was counted of one model, and every index of it by name: what all kinds of models answer.

    ``evaluation.models[name]`` is one. It answers the same however many models there are, so scripts read
    ``evaluation.models["new"]["roc_auc"]``. What a kind lacks it refuses, and says what to call instead.
    """

    __slots__ = ()

    #: The forms of the indices that the kind has.
    _forms: ClassVar[tuple[str, ...]]
    #: The statistics that it is made of.
    _held: ClassVar[tuple[str, ...]]
    #: What its labels are called.
    _places: ClassVar[str] = "classes"

    if TYPE_CHECKING:  # what the kinds hold
        name: str
        sketch: ScoreSketch

        @property
        def labels(self) -> tuple[Any, ...]: ...  # noqa: D102 (the kinds say it)
        @property
        def confusion(self) -> ConfusionMatrix: ...  # noqa: D102 (the kinds say it)

    @property
    def rows(self) -> int:
        """The number of rows."""
        raise NotImplementedError

    @property
    def total(self) -> float:
        """The number of rows, or their weight."""
        raise NotImplementedError

    @property
    def pos_label(self) -> object:
        """The positive class; None with more than two classes, and with several labels a row."""
        return None

    @property
    def task(self) -> Task:
        """Which indices a summary of the model has: see `rocksteady.registry.selection`."""
        return "several classes"

    @property
    def threshold(self) -> float | None:
        """Scores at or above it count as positive; None where they did not say the classes."""
        return None

    @property
    def scores(self) -> ScoreTable | None:
        """How the positives rank among the negatives, of two classes with scores."""
        return None

    @property
    def class_scores(self) -> ScoreTables | None:
        """How the rows of each class rank, of more than two classes with scores."""
        return None

    @property
    def label_scores(self) -> LabelScoreTables | None:
        """How the rows rank in the column of each label, of several labels a row with scores."""
        return None

    @property
    def costs(self) -> NDArray[np.float64] | None:
        """What each outcome costs, if that was said."""
        return None

    @property
    def row_costs(self) -> CostTable | CostCounts | None:
        """What the rows cost, if that was said of each."""
        return None

    @property
    def _judged(self) -> JudgedRows | None:
        """The rows, if they are kept."""
        return None

    @property
    def cost_parameters(self) -> dict[str, Any]:
        """`costs` as parameters of the indices; empty without costs."""
        return {}

    @property
    def _has_costs(self) -> bool:
        return self.costs is not None or self.row_costs is not None

    @property
    def is_binary(self) -> bool:
        """Whether there are two classes, one of which is positive."""
        return self.pos_label is not None

    @property
    def exact_match(self) -> float:
        """The share of the rows, or of their weight, whose labels are all predicted right; of several labels a row."""
        self._refuse("exact_match")

    @property
    def _rankings(self) -> Rankings | None:
        """The score table of each class or label."""
        return None

    @property
    def _ranking(self) -> Any:
        """The score table or tables, if there are scores."""
        return self._rankings

    @property
    def _class_places(self) -> list[int]:
        """The place of each class or label in the score tables; empty if these have others."""
        return list(range(len(self.labels)))

    @property
    def _of_places(self) -> Any:
        """What has indices, counts and intervals of each class or label."""
        return self

    @property
    def _lacks(self) -> dict[str, str]:
        """What the model or an evaluation of it refuses: the rest of a sentence, with what to call instead."""
        raise NotImplementedError

    def _refuse(self, what: str) -> NoReturn:
        raise InputError(f"{what} {self._lacks[what]}", argument=what)

    def __dir__(self) -> list[str]:
        lacks = self._lacks
        return [name for name in super().__dir__() if name not in lacks]

    def has(self, name: str) -> bool:
        """Whether what was counted gives the index: one of a ranking wants scores.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index.
        """
        return self._source(index(name)) is not None

    def _source(self, row: Index) -> Any:
        """The statistic that has the index."""
        raise NotImplementedError

    def is_mean(self, name: str) -> bool:
        """Whether the index is the mean over classes or labels, as the whole has none: "f1" of three classes, for one.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index.
        """
        return bool(index(name).name) and self._places == "labels"

    def value(self, name: str, **parameters: Any) -> float:
        """One index. Each kind of model documents its averages."""
        raise NotImplementedError

    def __getitem__(self, name: str) -> float:
        return self.value(name)

    def _ipython_key_completions_(self) -> list[str]:
        from rocksteady._completion import names_of  # noqa: PLC0415 (only a shell needs it)

        return [name for name in names_of() if self.has(name)]

    @property
    def axis(self) -> dict[str, NDArray[Any]]:
        """The classes or labels, as a column by its name."""
        self._refuse("axis")

    def _along(self, name: str, parameters: dict[str, Any]) -> NDArray[np.float64]:  # noqa: ARG002
        self._refuse("every")

    def why(self, name: str, **parameters: Any) -> str | None:
        """Why `value` is undefined, or has a conventional value; None if it is defined.

        Raises
        ------
        rocksteady.UnknownIndexError
            As for `value`.
        """
        raise NotImplementedError

    def bounds(self, name: str, **parameters: Any) -> Bounds:
        """What is known for certain of one index: of a model that holds all scores, its value."""
        value = self.value(name, **parameters)
        return Bounds(value, value, value, self.why(name, **parameters) if math.isnan(value) else None)

    def interval(self, name: str, **options: Any) -> Interval:  # noqa: ARG002
        """One index, as `value` gives it, with its interval of confidence."""
        self._refuse("interval")

    def every_interval(self, name: str, **options: Any) -> Interval:  # noqa: ARG002
        """One index of each class or label, as `every` gives it, with its intervals of confidence."""
        self._refuse("every_interval")

    def _intervals(self, names: Sequence[str], *, level: float = 0.95, **options: Any) -> dict[str, Interval]:
        """The intervals of those of several indices that have one; see `interval`."""
        found: dict[str, Interval] = {}
        for name in names if "interval" not in self._lacks else ():
            if index(name).intervals and self.has(name):
                with suppress(UnknownIndexError):  # the averages of some have none
                    found[name] = self.interval(name, level=level, **options)
        return found

    def at(self, threshold: ArrayLike, *, side: Side = ">=") -> Any:  # noqa: ARG002
        """The four counts at a threshold."""
        self._refuse("at")

    def best(self, name: str, **options: Any) -> Any:  # noqa: ARG002
        """The threshold at which an index is best."""
        self._refuse("best")

    def why_no_best(self, name: str, **options: Any) -> Any:  # noqa: ARG002
        """Why `best` finds no threshold, None if it finds one."""
        self._refuse("why_no_best")

    def curves(self, curve: str, **options: Any) -> Any:
        """A curve of the scores; with more than two classes, or several labels, one of each in a dictionary.

        Parameters
        ----------
        curve : str
            The name of a method of `ScoreTable` that gives one, such as "roc_curve".
        **options
            Its own.

        Raises
        ------
        rocksteady.InputError
            For a curve that there is not, and without scores.
        """
        read = called(curve)
        if self._rankings is None:
            self._refuse("curves")
        return self._rankings.curves(lambda table: read(table, **options))

    def _parameters_of(self, name: str, average: Any, parameters: dict[str, Any]) -> dict[str, Any]:
        """The parameters of an index, those of costs among them, where the model has it."""
        self.value(name, **({} if average is None else {"average": average}), **parameters)
        return parameters

    def _chosen(self, names: Names | Sequence[str] | None) -> list[str]:
        """Names of indices, of which the model need not have each."""
        return chosen(names, default="summary", form=self._forms, task=self.task, costs=self._has_costs)[0]

    def _values(self, names: Sequence[str]) -> dict[str, float]:
        """Several indices by name, each as `value` gives it; without those that the model does not have."""
        return {name: self[name] for name in names if self.has(name)}

    def to_dict(self, names: Names | Sequence[str] | None = None) -> dict[str, Any]:
        """Threshold, counts and indices, as plain Python values: what `Evaluation.to_dict` has of the model.

        Parameters
        ----------
        names : {"all", "summary"} or sequence of str, optional
            Which indices, as for `Evaluation.summary`.
        """
        return self._dict(chosen_of([self], names))

    def _dict(self, names: Sequence[str]) -> dict[str, Any]:
        raise NotImplementedError

    def _told(self) -> dict[str, Any]:
        """What `Evaluation.to_dict` has besides, the same for all models."""
        return {}

    def summary(self, names: Names | Sequence[str] | None = None) -> Table:
        """Indices in rows, as `Evaluation.summary` of this model alone.

        Parameters
        ----------
        names : {"all", "summary"} or sequence of str, optional
            Which indices, as for `Evaluation.summary`.
        """
        return self._table([self], chosen_of([self], names), [])

    @classmethod
    def _table(
        cls, models: Sequence[Model], names: Sequence[str], notes: Sequence[str], level: float | None = None
    ) -> Table:
        """The summary of several models of the kind, with intervals if there is a level."""
        raise NotImplementedError

    def _title(self) -> str:
        """The labels, in a few words."""
        positive = f", positive class {one_line(self.pos_label)}" if self.is_binary else ""
        return f"{len(self.labels)} {self._places}{positive}"


@dataclass(frozen=True, slots=True)
class ModelEvaluation(Model):
    """What was counted of one model of two or more classes, and every index of it by name.

    With two classes an index is that of the whole or of the positive class; with more it is that of the whole or, where
    there is no such, the mean over the classes, each against the rest (macro average).

    Parameters
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
    row_costs : CostTable, CostCounts or None
        What the rows cost, where a cost is a column: at every threshold, or of the predicted classes.

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
    row_costs: CostTable | CostCounts | None = None
    _judged: JudgedRows | None = field(default=None, compare=False)

    _forms = ("counts", "matrix", "scores", "score_tables")
    _held = ("confusion", "scores", "class_scores", "row_costs")

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
        if not isinstance(self.row_costs, CostTable | CostCounts | None):
            raise wrong_type(self.row_costs, "row_costs", "a CostTable, a CostCounts or None")

    @property
    def _lacks(self) -> dict[str, str]:
        each = f"models[{shown(self.name)}].confusion.class_summary() has each class"
        found = {
            "exact_match": "is of several labels a row; value('accuracy') is the share of rows that are right",
            "label_summary": f"is of several labels a row; {each}",
        }
        if self._judged is not None and self._judged.has_design:
            found["at_prevalence"] = (
                "would forget the clusters and strata of the rows; evaluate(..., sample_weight=, "
                'weight_kind="sampling") with the share wanted / the share here as the weight of each class keeps them'
            )
        elif self.row_costs is not None:
            found["at_prevalence"] = (
                "is of costs that are the same for all rows; leave out costs=, or weigh the rows: evaluate(..., "
                "sample_weight=) with the share wanted / the share here as the weight of each class"
            )
        elif self.class_scores is not None or isinstance(self.scores, ScoreView):
            found["at_prevalence"] = (
                "is of predicted classes, or of two classes whose scores are in memory; "
                f"models[{shown(self.name)}].confusion.at_prevalence(shares) is of the predicted classes"
            )
        if self.scores is None:
            needs = f"needs scores of two classes, and {shown(self.name)} has "
            if self.is_binary:
                needs += "predicted classes alone; expected a model with y_score"
            else:
                needs += (
                    f"more than two classes; models[{shown(self.name)}].class_scores.one_vs_rest(label), where evaluate was "
                    "given y_proba, has those of one class against the rest"
                )
            found |= dict.fromkeys(("at", "best", "why_no_best", "profit"), needs)
            if self.class_scores is None:
                takes = "y_score" if self.is_binary else "y_proba"
                found["curves"] = (
                    f"needs scores, which {shown(self.name)} does not have: evaluate takes them as {takes}"
                )
        return found

    @property
    def labels(self) -> tuple[Any, ...]:
        """The classes, in the order of the matrix."""
        return self.confusion.labels

    @property
    def pos_label(self) -> object:
        """The positive class; None with more than two classes."""
        return self.confusion.pos_label

    @property
    def total(self) -> float:
        """The number of rows, or their weight."""
        return self.confusion.total

    @property
    def _rankings(self) -> Rankings | None:
        return self.class_scores

    @property
    def _ranking(self) -> ScoreTable | ScoreTables | None:
        return self.class_scores if self.scores is None else self.scores

    @property
    def _of_places(self) -> ConfusionMatrix:
        return self.confusion

    @property
    def rows(self) -> int:
        """The number of rows; where there are scores, of those whose weight is not 0."""
        return self.confusion.rows if self._ranking is None else self._ranking.rows

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
        return (self.confusion,) if self._ranking is None else (self.confusion, self._ranking)

    @property
    def _class_places(self) -> list[int]:
        ranked = [] if self.class_scores is None else list(self.class_scores.labels)
        places = {label: place for place, label in enumerate(ranked)}
        labels = list(self.confusion.labels)
        return [places[label] for label in labels] if places.keys() == set(labels) else []

    @property
    def task(self) -> Task:
        """Which indices a summary of the model has: see `rocksteady.registry.selection`."""
        if not self.is_binary:
            return "several classes"
        counts = self.confusion.counts()
        place = self.confusion.labels.index(self.confusion.pos_label)
        return task_of(2, float(counts.tp[place] + counts.fn[place]), self.confusion.total)

    def _source(self, row: Index) -> ConfusionMatrix | ScoreTable | ScoreTables | CostCounts | None:
        """The statistic that has the index."""
        forms = set(row.forms)
        if self.row_costs is not None and takes_costs(row):
            return decided(self.row_costs, self.threshold) if "costs" in forms else None
        if self.scores is not None and "scores" in forms:
            return self.scores
        if self.class_scores is not None and {"scores", "score_tables"} & forms:
            return self.class_scores
        return self.confusion if {"counts", "matrix"} & forms else None

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
            The mean over the classes to take, as `value` of `ConfusionMatrix` and `ScoreTables` does. Without it, an
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
                    f"{name} of {shown(self.name)} compares one class with the other and has no average; leave out "
                    "average=",
                    argument="average",
                )
            mean: float = source.value(name, average=average, **parameters)
            return mean
        if not self.is_mean(name):
            found: float = source.value(name, **parameters)
            return found
        mean = source.value(name, average="macro", **parameters)
        # A class for which an index of the matrix is undefined counts as 0, as in scikit-learn; of such alone there is
        # no mean.
        undefined = mean == 0 and isinstance(source, ConfusionMatrix)
        return math.nan if undefined and np.isnan(source.every(name, **parameters)).all() else mean

    def _values(self, names: Sequence[str]) -> dict[str, float]:
        """Several indices by name, each as `value` gives it. One pass over the scores gives all indices of a ranking."""
        sources = {name: self._source(index(name)) for name in names}
        ranked = [name for name, source in sources.items() if isinstance(source, ScoreTable | ScoreView | ScoreTables)]
        read: dict[str, float] = {}
        if self.scores is not None:
            read = {name: value for name, value, _ in self.scores._answers(ranked)}
        elif self.class_scores is not None and len(ranked) >= _MANY:
            self.class_scores._state.prepare()
        return {
            name: read[name] if name in read else self[name] for name, source in sources.items() if source is not None
        }

    def at_prevalence(self, prevalence: float | ArrayLike | Mapping[Any, float]) -> ModelEvaluation:
        """The model as if the true classes had other shares of the rows: see `Evaluation.at_prevalence`."""
        if "at_prevalence" in self._lacks:
            self._refuse("at_prevalence")
        scores = None
        if self.scores is not None:
            positive = self.confusion._shares(prevalence)[self.labels.index(self.pos_label)]
            scores = self.scores.at_prevalence(positive)
        return replace(self, confusion=self.confusion.at_prevalence(prevalence), scores=scores, _judged=None)

    def interval(self, name: str, **options: Any) -> Interval:
        """One index, as `value` gives it, with its interval of confidence.

        Parameters
        ----------
        name : str
            A name or alias from `rocksteady.indices`.
        **options
            As for `ConfusionMatrix.interval`: `level`, `method`, `side`, `average`, and the index's own parameters.
            Those of costs are `costs` unless said.

        Returns
        -------
        Interval
            With the clusters and strata of ``evaluate(..., inference=True)``, if there are any. A mean over classes of an
            index of scores has one with ``inference=True`` only.

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
        of_classes = isinstance(source, ScoreTables)
        is_mean = of_classes and (self.is_mean(name) or "average" in options)
        rows = self._judged
        if rows is not None and (is_mean or rows.has_design or (of_classes and rows.is_of_all_classes(name))):
            return rows.interval(name, self.name, **options)
        if is_mean:
            raise UnknownIndexError(
                f"{name} of {shown(self.name)}, a mean over the classes, has no interval of confidence: the tables of the "
                "classes do not tell which of their rows are the same; evaluate(..., inference=True) keeps the rows, and "
                "class_scores.every_interval has one of each class",
                argument="name",
            )
        if self.is_mean(name):
            nothing = math.nan if math.isnan(self.value(name)) else 0.0
            options = {"average": "macro", "zero_division": nothing, **options}
        found: Interval = source.interval(name, **options)
        return found

    @property
    def axis(self) -> dict[str, NDArray[Any]]:
        """The classes, as a column by its name."""
        return self.confusion.axis

    def _along(self, name: str, parameters: dict[str, Any]) -> NDArray[np.float64]:
        source, parameters = self._asked(name, parameters)
        if isinstance(source, ConfusionMatrix):
            return source.every(name, **parameters)
        if not isinstance(source, ScoreTables):
            raise UnknownIndexError(f"{name} of two classes is one number: value({shown(name)})", argument="name")
        return source.every(name, **parameters)[self._class_places]

    def every_interval(self, name: str, **options: Any) -> Interval:
        """One index of each class against the rest, with intervals: as that method of `confusion` or `class_scores`."""
        source, options = self._asked(name, options)
        if isinstance(source, ConfusionMatrix | ScoreTables):
            if self._judged is not None and self._judged.has_design:
                labels = {"class": np.asarray(self._judged.classes)}
                return self._judged.every_interval(name, self.name, labels, **options)
            return source.every_interval(name, **options)
        raise UnknownIndexError(f"{name} of two classes is one number: interval({shown(name)})", argument="name")

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
        ranked = self._ranked("best")
        if self.row_costs is not None and is_of_rows(name):
            return cheapest(self.row_costs, name, **options)
        found: Best | list[Best] = ranked.best(name, **self._with_costs(name, options))
        return found

    def why_no_best(self, name: str, **options: Any) -> str | None:
        """Why `best` finds no threshold, None if it finds one; see `ScoreTable.why_no_best`."""
        ranked = self._ranked("why_no_best")
        if self.row_costs is not None and is_of_rows(name):
            if isinstance(self.row_costs, CostCounts):
                return f"There is none, as {OF_PREDICTED}."
            name = "recall"  # whether a threshold meets the conditions
        return ranked.why_no_best(name, **self._with_costs(name, options))

    def curves(self, curve: str, **options: Any) -> Any:
        """A curve of `scores`; with more than two classes, from labels to those of each class against the rest."""
        return (
            super(ModelEvaluation, self).curves(curve, **options)
            if self.scores is None
            else called(curve)(self.scores, **options)
        )

    def _parameters_of(self, name: str, average: Any, parameters: dict[str, Any]) -> dict[str, Any]:
        super(ModelEvaluation, self)._parameters_of(name, average, parameters)
        return self._asked(name, parameters)[1]

    def _ranked(self, what: str) -> ScoreTable:
        if self.scores is None:
            self._refuse(what)
        return self.scores

    def _with_costs(self, name: str, parameters: dict[str, Any]) -> dict[str, Any]:
        """Parameters of an index with the costs of the evaluation, unless there are others."""
        if not self.cost_parameters or "matrix" in parameters or "costs" in parameters:
            return parameters
        try:
            row = index(name)
        except UnknownIndexError:  # an expression, or a name that is refused later
            return parameters
        return {**self.cost_parameters, **parameters} if takes_costs(row) else parameters

    def why(self, name: str, **parameters: Any) -> str | None:
        """Why `value` is undefined, or has a conventional value; None if it is defined."""
        source, parameters = self._asked(name, parameters)
        if self.is_mean(name):
            if isinstance(source, ConfusionMatrix):
                return "It is undefined for every class." if math.isnan(self.value(name, **parameters)) else None
            parameters = {"average": "macro", **parameters}
        reason: str | None = source.why(name, **parameters)
        return reason

    def _asked(self, name: str, parameters: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """The statistic that has an index, and its parameters with the costs among them."""
        row = index(name)
        source = self._source(row)
        if source is None and self.row_costs is not None and takes_costs(row):
            raise UnknownIndexError(
                f"{name} needs one cost for each outcome, and costs differ by row; cost, mean_cost and savings are sums of "
                "the amounts",
                argument="name",
            )
        if source is None:
            wants = "class probabilities" if "score_tables" in row.forms and not self.is_binary else "scores"
            raise UnknownIndexError(
                f"{name} of {shown(self.name)} needs {wants}, which were not given", argument="name"
            )
        return source, self._weighed(name, self._with_costs(name, parameters))

    def _weighed(self, name: str, parameters: dict[str, Any]) -> dict[str, Any]:
        """The parameters; what weighs by the threshold at which one acts weighs by the one that the classes are cut at."""
        try:
            weighs = any(each.name == "threshold" for each in index(name).parameters)
        except UnknownIndexError:  # an expression, or a name that is refused later
            return parameters
        if not weighs or self.threshold is None or {"threshold", "weight"} & parameters.keys():
            return parameters
        if not 0 < self.threshold < 1:
            raise InputError(
                f"{name} weighs by the threshold, which is {self.threshold:g} of {shown(self.name)} and no probability; pass "
                "weight=1, or what a false positive costs in true positives",
                argument="threshold",
            )
        return {"threshold": self.threshold, **parameters}

    def _dict(self, names: Sequence[str]) -> dict[str, Any]:
        values = self._values(names)
        found: dict[str, Any] = {
            "threshold": self.threshold,
            "confusion_matrix": self.confusion.to_array().tolist(),
            "indices": values,
            "means_over_classes": [name for name in values if self.is_mean(name)],
            "undefined": {name: self.why(name) for name, value in values.items() if value != value},
        }
        if not self.is_binary:
            found["every"] = {
                name: self.confusion.every(name).tolist() for name in values if "counts" in index(name).forms
            }
        return found

    @classmethod
    def _table(
        cls, models: Sequence[Model], names: Sequence[str], notes: Sequence[str], level: float | None = None
    ) -> Table:
        rows: list[list[Any]] = []
        reasons: list[str | None] = []
        found = [model._values(names) for model in models]
        for name in names:
            values = [each.get(name) for each in found]
            is_mean = any(model.is_mean(name) for model in models)
            rows.append([f"mean {name}" if is_mean else name, *with_bounds(models, name, values, level)])
            undefined = (model for model, value in zip(models, values, strict=True) if value != value)
            reasons.append(next((model.why(name) for model in undefined), None))
        headings = headings_of(models, level)
        columns = [unlike("index", headings), *headings]
        positive = [f"positive class: {one_line(models[0].pos_label)}"] if models[0].is_binary else []
        note = "\n".join([*positive, *notes]) or None
        if not any(reasons):
            return Table(columns, rows, note=note)
        with_reasons = [[*row, reason] for row, reason in zip(rows, reasons, strict=True)]
        return Table([*columns, unlike("why", headings)], with_reasons, note=note)

    def __repr__(self) -> str:
        parts = [
            repr(self.name),
            number_of(len(self.confusion.labels), "class", "classes"),
            number_of(self.rows, "row"),
        ]
        if self.threshold is not None:
            parts.append(f"threshold {self.threshold:g}")
        return f"<rocksteady.results.ModelEvaluation {', '.join(parts)}>"

    def _repr_html_(self) -> str:
        return repr_html(self) + self.confusion._repr_html_()
