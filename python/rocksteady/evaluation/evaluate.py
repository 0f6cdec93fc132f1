"""Columns into an evaluation: which are of which model, and one set of statistics for each, counted once."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import listed, real, shown, string, wrong_value
from rocksteady.base.containers import headings_of, opened_matrix
from rocksteady.classes.score_tables import ScoreTables
from rocksteady.errors import InputError, InputTypeError
from rocksteady.evaluation.evaluation import Evaluation, ModelEvaluation
from rocksteady.labels.confusion import ConfusionMatrix
from rocksteady.scores.score_table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import ArrayLike, NDArray

#: What the only model is called unless it has a name.
ONE: Final = "model"


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
        self.scores = by_name(y_score, "y_score", given)
        self.probabilities = by_name(y_proba, "y_proba", given, each=2)
        self.predicted = by_name(y_pred, "y_pred", given)
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


def by_name(given: Any, argument: str, names: list[str] | None, *, each: int = 1) -> dict[str, Any]:
    """Columns, or with `each` 2 matrices, by the names of their models."""
    if given is None:
        return {}
    headings = list(given) if isinstance(given, Mapping) else headings_of(given) if each == 1 else None
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
    called = [ONE] if models == 1 else [f"{ONE} {place + 1}" for place in range(models)]
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
        return ONE
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


def ranked(
    y_true: Any, y_score: Any, weights: Any, pos_label: object, labels: Any, *, of_classes: bool
) -> ScoreTable | ScoreTables:
    """What the displays draw of a column of scores or, with `of_classes`, of one for each class."""
    counter = _Counter(_Columns({ONE: y_score}, None, None, None), y_true, weights, pos_label, labels)
    if of_classes:
        counter.rank_classes(ONE, y_score, "y_score")
    else:
        counter.rank(ONE, y_score, "y_score", counter.given)
    return counter.tables[ONE] if counter.tables else counter.class_tables[ONE]


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
    headings = headings_of(given)
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
