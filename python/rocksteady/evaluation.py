"""One call for the whole evaluation of one or several models: counted once, then shown as table, pictures and page."""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from math import isclose
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady import _rocksteady
from rocksteady._arguments import listed, mapping, numbers, real, shown, string, wrong_type, wrong_value
from rocksteady._containers import opened_matrix
from rocksteady.confusion import ConfusionMatrix
from rocksteady.errors import InputError, InputTypeError, UnknownIndexError
from rocksteady.registry import Index, index
from rocksteady.score import ScoreTable
from rocksteady.score_tables import ScoreTables
from rocksteady.selection import chosen
from rocksteady.table import Table, one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from os import PathLike

    from numpy.typing import ArrayLike, NDArray

    from rocksteady.comparison import Comparison
    from rocksteady.plot.evaluation import Plots
    from rocksteady.selection import Names

_FORMS = ("counts", "matrix", "scores", "score_tables")
_ONE = "model"


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
        from rocksteady.score_tables import called  # noqa: PLC0415

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
        from rocksteady.comparison import compare  # noqa: PLC0415

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
        for name in self._chosen(names):
            values = [model[name] if model.has(name) else None for model in self.models.values()]
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


def evaluate(
    y_true: ArrayLike,
    y_score: ArrayLike | Mapping[str, ArrayLike] | None = None,
    *,
    y_pred: ArrayLike | Mapping[str, ArrayLike] | None = None,
    y_proba: ArrayLike | Mapping[str, ArrayLike] | None = None,
    sample_weight: ArrayLike | None = None,
    costs: Mapping[str, float] | ArrayLike | None = None,
    names: Sequence[str] | None = None,
    pos_label: object = None,
    labels: ArrayLike | None = None,
    threshold: float | Mapping[str, float] | None = None,
) -> Evaluation:
    """Evaluate one or several models on the same rows: every index, every curve, tables, pictures and a page to hand on.

    The labels are read once, each column of scores is sorted once, and everything else is read from that.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Class labels.
    y_score : array-like of shape (n,) or (n, m), mapping or data frame, optional
        Scores of the positive one of two classes: a column, a column for each of m models, or columns by the models' names.
    y_pred : array-like of shape (n,) or (n, m), mapping or data frame, optional
        Predicted classes, likewise. With `y_score` or `y_proba` of a model of the same name they say its matrix.
    y_proba : array-like of shape (n, K), or mapping of such, optional
        Probabilities, a column for each class in the order of `labels`, ascending unless said; or a data frame or Arrow table
        whose columns are called as the labels, in any order. The one of most probability is predicted; of two classes, that at
        `threshold`.
    sample_weight : array-like of shape (n,), optional
        Finite and not negative.
    costs : mapping or array-like of shape (K, K), optional
        What each outcome costs: with two classes by "tp", "fp", "fn", "tn" (unless said, an error costs 1 and what is right
        nothing), else rows actual, columns predicted, in the order of the labels or a data frame that names them. The indices of
        costs go by it.
    names : sequence of str, optional
        What the models are called, where they have no names yet. Default: "model", or "model 1", "model 2", ….
    pos_label : label, optional
        The positive one of two classes. Default: the greater label.
    labels : array-like of K labels, optional
        The classes; any other label is refused. Default: those that occur.
    threshold : float or mapping from names to floats, optional
        Scores at or above it count as positive. Default: 0.5 where all scores of the model lie in [0, 1], else 0. It is
        compared exactly, so scores of float32 that stand for 0.7 are met by ``numpy.float32(0.7)``.

    Returns
    -------
    Evaluation

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        The message names argument, row or model, value and what was expected.

    Examples
    --------
    >>> import rocksteady as rs
    >>> ev = rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> ev["roc_auc"], ev["accuracy"], ev["ks"]
    (0.75, 0.75, 0.5)
    >>> y_proba = [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.5, 0.4, 0.1], [0.1, 0.2, 0.7]]
    >>> ev = rs.evaluate(["cat", "dog", "dog", "eel"], y_proba=y_proba)
    >>> ev["accuracy"], ev["mean_probability_rate"], ev["recall"]
    (0.75, 0.55, 0.8333333333333334)
    """
    columns = _Columns(y_score, y_proba, y_pred, names)
    for name in threshold if isinstance(threshold, Mapping) else ():
        if name not in columns.names:
            raise wrong_value(name, "threshold", f"names of models: {', '.join(map(repr, columns.names))}")
    found = _Counter(columns, y_true, sample_weight, pos_label, labels).models(threshold)
    _check_threshold_is_used(threshold, found)
    return Evaluation(found, costs=costs)


class _Columns:
    """What was given of each model, by its name."""

    def __init__(self, y_score: Any, y_proba: Any, y_pred: Any, names: Any) -> None:
        given = None if names is None else [string(name, "names") for name in listed(names, "names", "a list of names")]
        if given is not None and len(set(given)) < len(given):
            raise wrong_value(given, "names", "another name for each model")
        self.scores = _by_name(y_score, "y_score", given)
        self.probabilities = _by_name(y_proba, "y_proba", given, each=2)
        self.predicted = _by_name(y_pred, "y_pred", given)
        self.names = list(dict.fromkeys([*self.scores, *self.probabilities, *self.predicted]))
        if not self.names:
            empty = {"y_score": y_score, "y_pred": y_pred, "y_proba": y_proba}
            argument = next((argument for argument, value in empty.items() if value is not None), None)
            if argument is not None:
                raise InputError(f"{argument} is empty; expected a column for each model", argument=argument)
            raise InputError("y_score, y_pred and y_proba are None; expected at least one of them", argument="y_score")
        both = [name for name in self.scores if name in self.probabilities]
        if both:
            raise wrong_value(both[0], "y_proba", "models without a column in y_score, which would say the same")

    def said(self, argument: str, name: str) -> str:
        """What a message calls the column of a model: by its name where there are several."""
        return argument if len(self.names) == 1 else f"{argument}[{name!r}]"


def _headings(given: Any) -> list[Any] | None:
    """The headings of the columns of a data frame or an Arrow table; None of what is neither."""
    kind = type(given)  # to ask a lazy frame itself for them is to run it
    if hasattr(kind, "column_names"):
        return list(given.column_names)
    return list(given.columns) if hasattr(kind, "columns") and hasattr(kind, "to_numpy") else None


def _by_name(given: Any, argument: str, names: list[str] | None, *, each: int = 1) -> dict[str, Any]:
    """Columns, or with `each` 2 matrices, by the names of their models."""
    if given is None:
        return {}
    headings = list(given) if isinstance(given, Mapping) else _headings(given) if each == 1 else None
    if headings is not None:
        return _named(given, headings, argument, names)
    dimensions = _dimensions(given)
    if dimensions <= each:
        return {_only(names, argument): given}
    if each == 2:
        raise InputError(
            f"y_proba has {dimensions} dimensions; expected 2, or a mapping from names to arrays of 2",
            argument=argument,
        )
    matrix = opened_matrix(given, argument)
    if matrix.ndim != 2 or matrix.shape[1] == 0:
        raise InputError(f"{argument} has shape {matrix.shape}; expected (n,) or (n, m)", argument=argument)
    models = matrix.shape[1]
    called = [_ONE] if models == 1 else [f"{_ONE} {place + 1}" for place in range(models)]
    if names is not None:
        if len(names) != models:
            raise wrong_value(names, "names", f"{models} names, one for each column of {argument}")
        called = names
    return {name: matrix[:, place] for place, name in enumerate(called)}


def _named(given: Any, headings: list[Any], argument: str, names: list[str] | None) -> dict[str, Any]:
    if names is not None:
        raise wrong_value(names, "names", f"None, as {argument} names the models itself")
    for name in headings:
        if not isinstance(name, str):
            raise InputTypeError(
                f"{argument} has a column for {shown(name)}; expected columns by the names of models, which are strings",
                argument=argument,
            )
        if headings.count(name) > 1:
            raise InputError(f"{argument} has two columns {shown(name)}; expected one of each model", argument=argument)
    return {name: given[name] for name in headings}


def _dimensions(given: Any) -> int:
    if hasattr(given, "ndim"):
        return int(given.ndim)
    first = given[0] if isinstance(given, (list, tuple)) and given else None
    if isinstance(first, (list, tuple)) or bool(getattr(first, "ndim", False)):
        return 1 + _dimensions(first)
    return 1


def _only(names: list[str] | None, argument: str) -> str:
    if names is None:
        return _ONE
    if len(names) != 1:
        raise wrong_value(names, "names", f"one name, as {argument} is of one model")
    return names[0]


def _read_once(y_true: Any) -> Any:
    """The labels as the statistics take them; text and other objects are hashed here, once for all models."""
    coded = _rocksteady.coded_labels(y_true, "y_true")
    return y_true if coded is None else coded


def _threshold_of(threshold: Any, name: str) -> float | None:
    given = threshold.get(name) if isinstance(threshold, Mapping) else threshold
    if given is None:
        return None
    number = real(given, "threshold")
    if number != number:
        raise wrong_value(given, "threshold", "a number")
    # Scores that are integers are compared as such, so a threshold that no float is stays what it is.
    is_exact = isinstance(given, (int, np.integer)) and number != given and -(2**63) <= given < 2**64
    return int(given) if is_exact else number


def _check_threshold_is_used(threshold: Any, models: list[ModelEvaluation]) -> None:
    """Refuse a threshold of what has none, which nobody would notice."""
    without = [model.name for model in models if model.threshold is None]
    if isinstance(threshold, Mapping):
        unused = next((name for name in without if threshold.get(name) is not None), None)
    else:
        unused = without[0] if threshold is not None and len(without) == len(models) else None
    if unused is not None:
        raise wrong_value(
            threshold,
            "threshold",
            f"None for {shown(unused)}, whose classes are given or, of more than two, the most probable ones",
        )


@contextmanager
def _told(counted: str, said: str) -> Iterator[None]:
    """Refusals of an argument of a statistic as those of what the user gave for it."""
    try:
        yield
    except (InputError, InputTypeError) as error:
        if error.argument != counted or said == counted:
            raise
        raise type(error)(
            str(error).replace(counted, said, 1),
            argument=said.partition("[")[0],
            row=error.row,
            value=error.value,
            expected=error.expected,
        ) from None


def _ranked(
    y_true: Any, y_score: Any, weights: Any, pos_label: object, labels: Any, *, of_classes: bool
) -> ScoreTable | ScoreTables:
    """What the displays draw of a column of scores or, with `of_classes`, of one for each class."""
    counter = _Counter(_Columns({_ONE: y_score}, None, None, None), y_true, weights, pos_label, labels)
    if of_classes:
        counter.rank_classes(_ONE, y_score, "y_score")
    else:
        counter.rank(_ONE, y_score, "y_score", counter.given)
    return counter.tables[_ONE] if counter.tables else counter.class_tables[_ONE]


class _Counter:
    """Counts the models, each column once, and learns of their statistics which classes there are."""

    def __init__(self, columns: _Columns, y_true: Any, weights: Any, pos_label: object, labels: Any) -> None:
        self.columns = columns
        self.truth = _read_once(y_true)
        self.weights = weights
        self.pos_label = pos_label
        self.given = None if labels is None else _checked(listed(labels, "labels", "a list of labels"), "labels")
        self.scores: dict[str, Any] = {}
        self.tables: dict[str, ScoreTable] = {}
        self.class_tables: dict[str, ScoreTables] = {}
        self.matrices: dict[str, ConfusionMatrix] = {}
        self.ranked: set[Any] = set()  # the classes that scores are of

    def models(self, threshold: Any) -> list[ModelEvaluation]:
        """The models, all with the same classes."""
        for name in self.columns.names:
            if name in self.columns.probabilities:
                self.rank_classes(name, self.columns.probabilities[name], "y_proba")
            elif name in self.columns.scores:
                self.rank(name, self.columns.scores[name], "y_score", self.given)
            if name in self.columns.predicted:
                with _told("y_pred", self.columns.said("y_pred", name)):
                    self._compare(name, self.columns.predicted[name], self.given)
        classes = self._classes()
        positive = self._positive(classes)
        return [self._model(name, classes, positive, _threshold_of(threshold, name)) for name in self.columns.names]

    def _compare(self, name: str, predicted: Any, labels: Any) -> None:
        """Count predicted classes."""
        options = {"pos_label": self.pos_label, "sample_weight": self.weights, "strict": labels is not None}
        self.matrices[name] = ConfusionMatrix(self.truth, predicted, labels=labels, **options)

    def rank(self, name: str, scores: Any, argument: str, pair: list[Any] | None) -> None:
        """Rank scores of the positive one of two classes."""
        if pair is not None and len(pair) != 2:
            raise wrong_value(pair, "labels", "two labels with y_score; probabilities of more classes are y_proba")
        if pair is not None and self.pos_label is not None and self.pos_label not in pair:
            raise wrong_value(self.pos_label, "pos_label", f"one of the labels {shown(pair)}")
        positive = self.pos_label if pair is None or self.pos_label is not None else max(pair)
        with _told("y_score", self.columns.said(argument, name)):
            table = ScoreTable(self.truth, scores, pos_label=positive, sample_weight=self.weights)
        found = [label for label in table.labels if label is not None]
        for label in found:
            if pair is not None and label not in pair:
                raise InputError(
                    f"y_true has {shown(label)}; expected one of the labels {shown(pair)}", argument="y_true"
                )
        self.scores[name], self.tables[name] = scores, table
        self.ranked |= {*(pair or found), *([] if positive is None else [positive])}

    def rank_classes(self, name: str, given: Any, argument: str) -> None:
        """Rank a column of probabilities for each class."""
        said = self.columns.said(argument, name)
        matrix, classes = _probabilities(given, said, self.given)
        if matrix.ndim == 1:
            return self.rank(name, matrix, argument, self.given)
        if matrix.shape[1] == 2:
            return self.rank(name, matrix[:, self._column(classes)], argument, classes)
        with _told("y_score", said), _told("labels", "labels" if self.given is not None else f"{said}.columns"):
            tables = ScoreTables(self.truth, matrix, labels=classes, sample_weight=self.weights)
        if self.pos_label is not None:
            raise wrong_value(self.pos_label, "pos_label", f"None, as there are {len(tables.labels)} classes")
        self.class_tables[name] = tables
        self.ranked |= set(tables.labels.tolist())
        if name not in self.columns.predicted:
            self._compare(name, tables.labels[np.argmax(matrix, axis=1)], tables.labels)
        return None

    def _column(self, pair: list[Any] | None) -> int:
        """Of two columns of probabilities, that of the positive class."""
        if self.pos_label is None:
            return 1
        found = pair or ConfusionMatrix(self.truth, self.truth).labels.tolist()
        if isinstance(self.pos_label, str) != isinstance(found[0], str):
            raise wrong_value(self.pos_label, "pos_label", f"one of the labels {shown(found)}")
        both = {*found, self.pos_label}
        return int(self.pos_label != min(both if len(both) > 1 else {*both, _other(self.pos_label)}))

    def _classes(self) -> list[Any]:
        """The classes of all models, ascending; those given for predicted classes alone are in the order given."""
        if self.given is not None:
            return sorted(self.given) if self.ranked or len(self.given) == 2 else self.given
        predicted = {name: self.matrices[name].labels.tolist() for name in self.columns.predicted}
        if not self.ranked:
            return sorted({label for labels in predicted.values() for label in labels})
        classes = set(self.ranked)
        for name, labels in predicted.items():
            for label in labels:
                if label not in classes and len(classes) > 1:
                    said = self.columns.said("y_pred", name)
                    raise InputError(
                        f"{said} has the class {shown(label)}; expected one of {shown(sorted(classes))}, which are ranked",
                        argument="y_pred",
                    )
                classes.add(label)
        return sorted(classes if len(classes) > 1 else {*classes, *map(_other, classes)})

    def _positive(self, classes: list[Any]) -> Any:
        """The positive one of two classes; None of any other number."""
        if len(classes) != 2:
            return None
        if self.pos_label is not None:
            return next(label for label in classes if label == self.pos_label)
        known = self.ranked.union(*(matrix.labels.tolist() for matrix in self.matrices.values()))
        if len(known) > 1 or not self.tables:
            return max(classes)
        # The other class was made up: the only one keeps the part that it has in the ranking.
        negative = next(iter(self.tables.values())).labels[0]
        return next(label for label in classes if label != negative) if negative is not None else next(iter(known))

    def _model(self, name: str, classes: list[Any], positive: Any, threshold: float | None) -> ModelEvaluation:
        table, class_tables = self.tables.get(name), self.class_tables.get(name)
        ranked = 2 if table is not None else len(classes if class_tables is None else class_tables.labels)
        if ranked < len(classes):
            argument = "y_proba" if name in self.columns.probabilities else "y_score"
            said = self.columns.said(argument, name)
            raise InputError(f"{said} ranks {ranked} classes; expected all of {shown(classes)}", argument=argument)
        if table is not None and (table.labels[0] == positive or table.labels[1] not in (None, positive)):
            # Rows of one class did not show what the predicted classes of a model do: which of the two is positive.
            table = ScoreTable(self.truth, self.scores[name], pos_label=positive, sample_weight=self.weights)
        matrix = self.matrices.get(name)
        if matrix is not None:
            return ModelEvaluation(name, _arranged(matrix, classes, positive), table, class_tables)
        assert table is not None  # noqa: S101 (a model has a column somewhere)
        cut = threshold if threshold is not None else 0.5 if table._state.are_probabilities else 0.0
        return ModelEvaluation(name, _at(table, cut, classes, positive), table, threshold=cut)


def _checked(labels: Any, argument: str) -> list[Any]:
    """Labels that can be those of classes: all of one type, each once."""
    with _told("labels", argument):
        found: list[Any] = ConfusionMatrix.from_cells([], [], [], labels=labels).labels.tolist()
    return found


def _probabilities(given: Any, argument: str, labels: list[Any] | None) -> tuple[NDArray[Any], list[Any] | None]:
    """Probabilities as an array, its columns in ascending order of the classes; and these, where they are known."""
    headings = _headings(given)
    if headings is not None:
        headings = _checked(headings, f"{argument}.columns")
    if headings is not None and hasattr(type(given), "column_names"):
        matrix = np.column_stack([np.asarray(given[heading]) for heading in headings])
    else:
        matrix = opened_matrix(given, argument)
    if matrix.ndim not in (1, 2):
        raise InputError(f"{argument} has {matrix.ndim} dimensions; expected (n, K)", argument="y_proba")
    columns = labels if headings is None else headings
    if columns is None or matrix.ndim == 1:
        return matrix, None
    classes = columns if labels is None else labels
    if len(columns) != matrix.shape[1]:
        raise InputError(
            f"{argument} has {matrix.shape[1]} columns; expected {len(classes)}, one for each of the labels",
            argument="y_proba",
        )
    for label in classes:
        if label not in columns:
            raise wrong_value(label, "labels", f"labels that {argument} has a column for: {shown(columns)}")
    order = sorted(classes)
    places = [columns.index(label) for label in order]
    return (matrix if places == list(range(matrix.shape[1])) else matrix[:, places]), order


def _arranged(matrix: ConfusionMatrix, classes: list[Any], positive: Any) -> ConfusionMatrix:
    """A matrix with all classes, in their order."""
    if matrix.labels.tolist() != classes:
        same = matrix.pos_label if len(classes) == 2 else None  # matrices with different ones do not add
        matrix = ConfusionMatrix.from_cells([], [], [], labels=classes, pos_label=same) + matrix
    return matrix if matrix.pos_label == positive else ConfusionMatrix._of(matrix._state, positive)


def _at(table: ScoreTable, threshold: float, classes: list[Any], positive: Any) -> ConfusionMatrix:
    """The matrix of the rows at or above a threshold."""
    counts = table.at(threshold)
    cells = [[float(counts.tn), float(counts.fp)], [float(counts.fn), float(counts.tp)]]
    order = slice(None) if classes[1] == positive else slice(None, None, -1)
    return ConfusionMatrix.from_counts([row[order] for row in cells[order]], labels=classes, pos_label=positive)


def _other(label: Any) -> Any:
    """What to call a class that no row has and that nobody named, beside the only one."""
    if isinstance(label, str):
        return f"not {label}"
    return not label if isinstance(label, bool) else {0: 1, 1: 0, -1: 1}.get(label, 0)


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
    columns = _headings(costs)
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
    names = [name for name in names if model.has(name)]
    values = {name: model[name] for name in names}
    undefined = {name: model.why(name) for name, value in values.items() if value != value}
    found: dict[str, Any] = {
        "threshold": model.threshold,
        "confusion_matrix": model.confusion.to_array().tolist(),
        "indices": values,
        "means_over_classes": [name for name in names if model.is_mean(name)],
        "undefined": undefined,
    }
    if not model.is_binary:
        found["per_class"] = {
            name: model.confusion.per_class(name).tolist() for name in names if "counts" in index(name).forms
        }
    return found


def _unlike(heading: str, models: list[str]) -> str:
    """A heading that is no model's name."""
    return heading if heading not in models else _unlike(f"{heading}_", models)


def _written(text: str, path: str | PathLike[str] | None) -> str:
    if path is not None:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    return text
