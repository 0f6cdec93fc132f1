"""What was counted of one or several models: every index by name, and the same as tables, pictures and a page."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from math import isclose
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.base.arguments import listed, mapping, numbers, real, shown, string, wrong_type, wrong_value
from rocksteady.base.containers import headings_of
from rocksteady.base.table import Table, one_line
from rocksteady.classes.score_tables import ScoreTables
from rocksteady.errors import InputError, InputTypeError, UnknownIndexError
from rocksteady.labels.confusion import ConfusionMatrix
from rocksteady.registry import Index, index
from rocksteady.scores.score_table import ScoreTable
from rocksteady.selection import chosen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from os import PathLike

    from numpy.typing import ArrayLike, NDArray

    from rocksteady.comparison.comparison import Comparison
    from rocksteady.plot.evaluation import Plots
    from rocksteady.selection import Names

# So many indices of the rankings of classes are read more quickly after one walk for all of them.
_MANY = 10
_FORMS = ("counts", "matrix", "scores", "score_tables")


@dataclass(frozen=True, slots=True)
class ModelEvaluation:
    """What was counted of one model, and every index of it by name.

    With two classes an index is that of the whole or of the positive class; with more it is that of the whole or, where there is
    no such, the mean over the classes, each against the rest (macro average).

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
        What each outcome costs, rows actual, in the order of the labels of `confusion`; then the indices of costs go by it.

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
        if not isinstance(self.confusion, ConfusionMatrix):
            raise wrong_type(self.confusion, "confusion", "a ConfusionMatrix")
        if not isinstance(self.scores, ScoreTable | None):
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
        """`costs` as the indices of costs take them: by outcome for two classes, else as a matrix; nothing without costs."""
        if self.costs is None:
            return {}
        if not self.is_binary:
            return {"matrix": self.costs}
        positive = self.confusion.labels.tolist().index(self.confusion.pos_label)
        cost, other = self.costs.tolist(), 1 - positive
        return {
            "tp": cost[positive][positive],
            "fp": cost[other][positive],
            "fn": cost[positive][other],
            "tn": cost[other][other],
        }

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

    def value(self, name: str, **parameters: object) -> float:
        """One index.

        Parameters
        ----------
        name : str
            A name or alias from `rocksteady.indices`.
        **parameters
            The index's own. Those of costs are `costs` unless said.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it needs scores or probabilities that were not given.
        """
        source, parameters = self._asked(name, parameters)
        if not self.is_mean(name):
            found: float = source.value(name, **parameters)
            return found
        mean: float = source.average(name, "macro", **parameters)
        # A class for which an index of the matrix is undefined counts as 0, as in scikit-learn; of such alone there is no mean.
        undefined = mean == 0 and isinstance(source, ConfusionMatrix)
        return math.nan if undefined and np.isnan(source.per_class(name, **parameters)).all() else mean

    def __getitem__(self, name: str) -> float:
        return self.value(name)

    def values(self, names: Sequence[str]) -> dict[str, float]:
        """Many indices by their names, each as `value` gives it; those of a ranking are read in one walk through the scores.

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
        sources = {name: self._source(index(name)) for name in names}
        ranked = [name for name, source in sources.items() if isinstance(source, ScoreTable | ScoreTables)]
        read: dict[str, float] = {}
        if self.scores is not None:
            read = {name: value for name, value, _ in self.scores._answers(ranked)}
        elif self.class_scores is not None and len(ranked) >= _MANY:
            self.class_scores._state.prepare()
        return {
            name: read[name] if name in read else self[name] for name, source in sources.items() if source is not None
        }

    def why(self, name: str, **parameters: object) -> str | None:
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
        if "matrix" not in parameters and any(parameter.name == "fp" for parameter in row.parameters):
            parameters = {**self.cost_parameters, **parameters}
        return source, parameters

    def __repr__(self) -> str:
        parts = [repr(self.name), f"{len(self.confusion.labels)} classes", f"{self.rows} rows"]
        if self.threshold is not None:
            parts.append(f"threshold {self.threshold:g}")
        return f"<rocksteady.ModelEvaluation {', '.join(parts)}>"


class Evaluation:
    """One or several models judged on the same rows; made by `evaluate`.

    It holds statistics, never rows, so that it is small beside the data and can be kept; of scores it holds the score tables.

    Parameters
    ----------
    models : sequence of ModelEvaluation
        With different names and the same classes.
    costs : mapping or array-like of shape (K, K), optional
        As for `evaluate`.

    Examples
    --------
    >>> import rocksteady as rs
    >>> y_true = [0, 0, 1, 1, 1]
    >>> ev = rs.evaluate(y_true, {"old": [0.2, 0.6, 0.4, 0.7, 0.9], "new": [0.1, 0.4, 0.6, 0.8, 0.7]}, costs={"fp": 1, "fn": 5})
    >>> ev["roc_auc"]
    {'old': 0.8333333333333334, 'new': 1.0}
    >>> ev["cost"]
    {'old': 6.0, 'new': 0.0}
    >>> ev.summary(["accuracy", "f1", "ks"])
    index          old  new
    accuracy       0.6    1
    f1        0.666667    1
    ks        0.666667    1
    """

    __slots__ = ("costs", "models")

    #: The models by name, in the order given.
    models: dict[str, ModelEvaluation]
    #: What each outcome costs, shape (K, K), rows actual, in the order of `labels`; None if that was not said.
    costs: NDArray[np.float64] | None

    def __init__(
        self, models: Sequence[ModelEvaluation], *, costs: Mapping[str, float] | ArrayLike | None = None
    ) -> None:
        found: dict[str, ModelEvaluation] = {}
        for place, model in enumerate(listed(models, "models", "a list of ModelEvaluation")):
            if not isinstance(model, ModelEvaluation):
                raise wrong_type(model, f"models[{place}]", "a ModelEvaluation")
            if model.name in found:
                raise wrong_value(model.name, f"models[{place}].name", "another name for each model")
            found[model.name] = model
        if not found:
            raise InputError("models is empty; expected at least one model", argument="models", value="empty")
        _check_same_classes(list(found.values()))
        first = next(iter(found.values())).confusion
        self.costs = _cost_matrix(costs, first)
        self.models = {name: replace(model, costs=self.costs) for name, model in found.items()}

    @property
    def _first(self) -> ModelEvaluation:
        return next(iter(self.models.values()))

    @property
    def labels(self) -> list[Any]:
        """The classes, in the order of the matrices."""
        found: list[Any] = self._first.confusion.labels.tolist()
        return found

    @property
    def pos_label(self) -> object:
        """The positive class; None with more than two classes."""
        return self._first.confusion.pos_label

    @property
    def is_binary(self) -> bool:
        """Whether there are two classes."""
        return self._first.is_binary

    @property
    def rows(self) -> int:
        """The number of rows; where there are scores, of those whose weight is not 0."""
        return self._first.rows

    @property
    def total(self) -> float:
        """The number of rows, or their weight."""
        return self._first.confusion.total

    def _of_each(self, read: Callable[[ModelEvaluation], Any]) -> Any:
        found = {name: read(model) for name, model in self.models.items()}
        return found if len(found) > 1 else next(iter(found.values()))

    def value(self, name: str, **parameters: object) -> Any:
        """One index: of the only model a float, of several a dictionary from their names to floats.

        See `ModelEvaluation.value`, which says what an index of several classes is.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it needs scores or probabilities that were not given.
        """
        return self._of_each(lambda model: model.value(name, **parameters))

    def __getitem__(self, name: str) -> Any:
        return self.value(name)

    def why(self, name: str, **parameters: object) -> Any:
        """Why an index is undefined, None if it is not: of the only model, or by name."""
        return self._of_each(lambda model: model.why(name, **parameters))

    def __contains__(self, name: object) -> bool:
        try:
            return isinstance(name, str) and all(model.has(name) for model in self.models.values())
        except UnknownIndexError:
            return False

    def __iter__(self) -> Iterator[str]:
        """The names of the indices that all models have."""
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self.keys())

    def keys(self) -> list[str]:
        """The names of the indices that all models have."""
        return [name for name in self._chosen("all") if name in self]

    def _chosen(self, names: Names | Sequence[str] | None) -> list[str]:
        """Names of indices, each of which a model has; what none has is refused with a reason where it was named."""
        found = chosen(names, default="summary", form=_FORMS)[0]
        had = [name for name in found if any(model.has(name) for model in self.models.values())]
        if names is not None and not isinstance(names, str) and len(had) < len(found):
            self.value(next(name for name in found if name not in had))
        return had

    def curves(self, curve: str, **options: object) -> dict[str, Any]:
        """A curve of each model: ``evaluation.curves("roc_curve", max_points=200)``.

        Parameters
        ----------
        curve : str
            The name of a method of `ScoreTable` that gives one, such as "roc_curve", "precision_recall_curve" or "ks_curve".
        **options
            Its own.

        Returns
        -------
        dict
            From names to curves, of the models that have scores; with more than two classes, from names to dictionaries from
            labels to the curves of each class against the rest.

        Raises
        ------
        rocksteady.InputError
            For a curve that there is not.
        """
        from rocksteady.classes.rankings import called  # noqa: PLC0415

        read = called(curve)
        found: dict[str, Any] = {}
        for name, model in self.models.items():
            if model.scores is not None:
                found[name] = read(model.scores, **options)
            elif model.class_scores is not None:
                found[name] = model.class_scores.curves(lambda table: read(table, **options))
        return found

    def compare(self, indices: Sequence[str] | None = None, **options: Any) -> Comparison:
        """The models' confusion matrices in one table with ranks, and which is best and why: see `rocksteady.compare`."""
        from rocksteady.comparison.comparison import compare  # noqa: PLC0415

        return compare({name: model.confusion for name, model in self.models.items()}, indices, **options)

    def summary(self, names: Names | Sequence[str] | None = None) -> Table:
        """Indices in rows, models in columns; where one is undefined, a last column says why.

        The cell of a model that has no such index, as it has no scores, is empty.

        Parameters
        ----------
        names : {"all", "summary"} or sequence of str, optional
            Which indices. Default: the commoner ones.

        Raises
        ------
        rocksteady.UnknownIndexError
            For a name that no index has, or of an index that no model has.
        """
        rows: list[list[Any]] = []
        reasons: list[str | None] = []
        wanted = self._chosen(names)
        found = [model.values(wanted) for model in self.models.values()]
        for name in wanted:
            values = [each.get(name) for each in found]
            is_mean = any(model.is_mean(name) for model in self.models.values())
            rows.append([f"mean {name}" if is_mean else name, *values])
            undefined = (model for model, value in zip(self.models.values(), values, strict=True) if value != value)
            reasons.append(next((model.why(name) for model in undefined), None))
        models = list(self.models) if len(self.models) > 1 else ["value"]
        columns = [_unlike("index", models), *models]
        if not any(reasons):
            return Table(columns, rows)
        return Table(
            [*columns, _unlike("why", models)], [[*row, reason] for row, reason in zip(rows, reasons, strict=True)]
        )

    def to_dict(self, names: Names | Sequence[str] | None = None) -> dict[str, Any]:
        """Classes, rows, costs, and each model's threshold, matrix and indices, as plain Python values.

        Parameters
        ----------
        names : {"all", "summary"} or sequence of str, optional
            Which indices, as for `summary`; a model has those that its columns give.
        """
        wanted = self._chosen(names)
        return {
            "rows": self.rows,
            "total": self.total,
            "labels": self.labels,
            "pos_label": self.pos_label,
            "costs": None if self.costs is None else self.costs.tolist(),
            "models": {name: _model_as_dict(model, wanted) for name, model in self.models.items()},
        }

    def to_pandas(self, names: Names | Sequence[str] | None = None) -> Any:
        """`summary` as a ``pandas.DataFrame``.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        return self.summary(names).to_pandas()

    def to_polars(self, names: Names | Sequence[str] | None = None) -> Any:
        """`summary` as a ``polars.DataFrame``.

        Raises
        ------
        ImportError
            If polars is not installed.
        """
        return self.summary(names).to_polars()

    def to_frame(self, names: Names | Sequence[str] | None = None) -> Any:
        """`summary` as a data frame: of pandas if that is installed, else of polars.

        Raises
        ------
        ImportError
            If neither is installed.
        """
        return self.to_polars(names) if find_spec("pandas") is None else self.to_pandas(names)

    def to_markdown(self, path: str | PathLike[str] | None = None) -> str:
        """The whole evaluation as Markdown; written to `path` too, if there is one."""
        from rocksteady.report.markdown import markdown  # noqa: PLC0415

        return _written(markdown(self), path)

    def to_html(self, path: str | PathLike[str] | None = None, *, title: str | None = None) -> str:
        """The report: one page that stands by itself, with charts to explore; written to `path` too, if there is one.

        Parameters
        ----------
        path : path, optional
            The file to write.
        title : str, optional
            What stands above the page.

        Returns
        -------
        str
            The page. It is at most 2 MB, whatever the number of rows, and asks nothing of any network.
        """
        from rocksteady.report.page import page  # noqa: PLC0415

        return _written(page(self, title=title), path)

    @property
    def plot(self) -> Plots:
        """The pictures: ``evaluation.plot.roc()``, ``.ks()``, ``.confusion_matrix()``, … Needs matplotlib."""
        from rocksteady.plot.evaluation import Plots  # noqa: PLC0415

        return Plots(self)

    def __repr__(self) -> str:
        models = ", ".join(map(one_line, self.models))
        return f"<rocksteady.Evaluation of {models}: {self.rows} rows, {len(self.labels)} classes>"

    def _repr_html_(self) -> str:
        import html  # noqa: PLC0415

        shown = [f"<p>{html.escape(repr(self))}</p>", self.summary()._repr_html_()]
        for name, model in self.models.items():
            named = f"<p>{html.escape(one_line(name))}</p>" if len(self.models) > 1 else ""
            shown.append(named + model.confusion._repr_html_())
        return "".join(shown)


def _check_same_classes(models: list[ModelEvaluation]) -> None:
    first = models[0].confusion
    for model in models[1:]:
        other = model.confusion
        same = first.labels.tolist() == other.labels.tolist() and first.pos_label == other.pos_label
        # Not the rows: those of weight 0 are left out of rankings. Sums of weights may differ in their last bits.
        if not (same and isclose(first.total, other.total, rel_tol=1e-9)):
            raise InputError(
                f"models are of different rows: {shown(models[0].name)} of {models[0].rows} with the labels "
                f"{shown(first.labels.tolist())}, {shown(model.name)} of {model.rows} with {shown(other.labels.tolist())}",
                argument="models",
            )


def _costs_in_order(costs: Any, labels: list[Any]) -> Any:
    """Costs in a data frame whose rows and columns are named after the labels, in their order; others as they are."""
    columns = headings_of(costs)
    if columns is None or not hasattr(costs, "index"):
        return costs
    rows = list(costs.index)
    if set(rows) == set(columns) == set(labels) and len(rows) == len(columns) == len(labels):
        return costs.to_numpy()[
            np.ix_([rows.index(label) for label in labels], [columns.index(label) for label in labels])
        ]
    if rows == columns == list(range(len(labels))):
        return costs
    raise wrong_value(columns, "costs", f"a row and a column for each of the labels {shown(labels)}")


def _cost_matrix(costs: Any, confusion: ConfusionMatrix) -> NDArray[np.float64] | None:
    """Costs as a matrix in the order of the labels."""
    if costs is None:
        return None
    labels = confusion.labels.tolist()
    if not isinstance(costs, Mapping):
        matrix = numbers(_costs_in_order(costs, labels), "costs").astype(np.float64)
        if matrix.shape != (len(labels), len(labels)):
            raise InputError(
                f"costs has shape {matrix.shape}; expected {(len(labels), len(labels))}, a row and a column for each label",
                argument="costs",
            )
        if not np.isfinite(matrix).all():
            raise InputError("costs holds what is not finite; expected finite numbers", argument="costs")
        return matrix
    if confusion.pos_label is None:
        raise InputTypeError(
            f"costs is {shown(costs)}; expected {len(labels)} rows of {len(labels)} costs, as there are that many classes",
            argument="costs",
        )
    given = {"tp": 0.0, "fp": 1.0, "fn": 1.0, "tn": 0.0}
    for outcome, cost in mapping(costs, "costs", "costs by outcome").items():
        if outcome not in given:
            raise wrong_value(outcome, "costs", "costs by 'tp', 'fp', 'fn' and 'tn'")
        given[outcome] = real(cost, f"costs[{outcome!r}]")
        if not np.isfinite(given[outcome]):
            raise wrong_value(cost, f"costs[{outcome!r}]", "a finite number")
    positive = labels.index(confusion.pos_label)
    matrix = np.zeros((2, 2))
    for outcome, (actual, predicted) in {"tp": (1, 1), "fp": (0, 1), "fn": (1, 0), "tn": (0, 0)}.items():
        place = (positive if actual else 1 - positive, positive if predicted else 1 - positive)
        matrix[place] = given[outcome]
    return matrix


def _model_as_dict(model: ModelEvaluation, names: list[str]) -> dict[str, Any]:
    values = model.values(names)
    undefined = {name: model.why(name) for name, value in values.items() if value != value}
    found: dict[str, Any] = {
        "threshold": model.threshold,
        "confusion_matrix": model.confusion.to_array().tolist(),
        "indices": values,
        "means_over_classes": [name for name in values if model.is_mean(name)],
        "undefined": undefined,
    }
    if not model.is_binary:
        found["per_class"] = {
            name: model.confusion.per_class(name).tolist() for name in values if "counts" in index(name).forms
        }
    return found


def _unlike(heading: str, models: list[str]) -> str:
    """A heading that is no model's name."""
    return heading if heading not in models else _unlike(f"{heading}_", models)


def _written(text: str, path: str | PathLike[str] | None) -> str:
    if path is not None:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    return text
