"""Which columns are of which model, what the models are called, and the threshold of a model that is given none.

`evaluate`, the command line and `plot` all read it here.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rocksteady.base.arguments import cut, listed, shown, string, wrong_value
from rocksteady.base.containers import elsewhere, headings_of, opened_matrix
from rocksteady.base.named_columns import as_labels, by_name, refused_as
from rocksteady.base.warning import warn
from rocksteady.columns.complete import complete
from rocksteady.columns.pairing import paired, without_index
from rocksteady.columns.renamed import renamed
from rocksteady.errors import InputError
from rocksteady.labels.confusion import ConfusionMatrix

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from rocksteady.scores.score_table import ScoreTable

#: What the command line calls the model of a column for each class.
PROBA: Final = "proba"
#: The default threshold of scores that are probabilities, of all other scores, and the rule in words.
OF_PROBABILITIES: Final = 0.5
OF_OTHERS: Final = 0.0
DEFAULT_THRESHOLD: Final = f"{OF_PROBABILITIES:g} where all scores of a model lie in [0, 1], else {OF_OTHERS:g}"
#: How far rounding may carry a probability beyond [0, 1].
ROUNDING: Final = 1e-6
#: Fewer scores outside [0, 1] than this share look like a mistake.
FEW: Final = 0.01


def default_threshold(table: ScoreTable, said: str = "y_score", scores: Any = None) -> float:
    """The threshold of a model that is given none: scores at or above it count as positive.

    Warns if few scores lie outside [0, 1]; `scores` are the rows, of which the warning names one.
    """
    if table._state.are_probabilities:
        return OF_PROBABILITIES
    # Four look-ups, however many rows.
    above, within = table.at(1 + ROUNDING, side=">"), table.at(-ROUNDING)
    outside = above.tp + above.fp + within.fn + within.tn
    if outside == 0:
        return OF_PROBABILITIES
    highest, lowest = table.at(np.inf, side=">"), table.at(-np.inf)
    outside -= highest.tp + highest.fp + lowest.fn + lowest.tn  # missing scores that are ranked
    weight = within.tp + within.fp + within.fn + within.tn
    if 0 < outside < FEW * weight:
        warn(
            f"{outside:g} of {weight:g} scores of {said} lie outside [0, 1]{_such_as(scores, said)}, so the threshold is "
            f"{OF_OTHERS:g}; pass threshold={OF_PROBABILITIES:g} if they are probabilities, or threshold={OF_OTHERS:g} if not"
        )
    return OF_OTHERS


def _such_as(scores: Any, said: str) -> str:
    """The first row whose score lies outside [0, 1], in words; nothing if the rows are not an array of numbers here."""
    if elsewhere(scores):
        return ""
    with suppress(TypeError, ValueError):
        column = np.asarray(scores, dtype=np.float64)
        if column.ndim == 1 and len(places := np.flatnonzero((column < -ROUNDING) | (column > 1 + ROUNDING))):
            return f", such as {said}[{places[0]}], {column[places[0]]:g}"
    return ""


@dataclass(frozen=True)
class ModelColumns:
    """The columns of each model, by its name.

    Attributes
    ----------
    scores : dict of str to column
        Scores of the positive one of two classes.
    probabilities : dict of str to matrix
        A column of probabilities for each class.
    predicted : dict of str to column
        Predicted classes.
    """

    scores: dict[str, Any]
    probabilities: dict[str, Any]
    predicted: dict[str, Any]

    @classmethod
    def of_arrays(cls, y_score: Any, y_proba: Any, y_pred: Any, names: Any) -> ModelColumns:
        """The columns given to `evaluate`, under their own names, else `names`, else "model", "model 1" and so on."""
        given = None if names is None else [string(name, "names") for name in listed(names, "names", "a list of names")]
        if given is not None and len(set(given)) < len(given):
            raise wrong_value(given, "names", "another name for each model")
        columns = cls(
            by_name(y_score, "y_score", given),
            by_name(y_proba, "y_proba", given, each=2),
            by_name(y_pred, "y_pred", given),
        )
        if not columns.names:
            empty = {"y_score": y_score, "y_pred": y_pred, "y_proba": y_proba}
            argument = next((argument for argument, value in empty.items() if value is not None), None)
            if argument is not None:
                raise InputError(f"{argument} is empty; expected a column for each model", argument=argument)
            raise InputError("y_score, y_pred and y_proba are None; expected at least one of them", argument="y_score")
        both = [name for name in columns.scores if name in columns.probabilities]
        if both:
            raise wrong_value(both[0], "y_proba", "models without a column in y_score, which would say the same")
        return columns

    @classmethod
    def of_headings(cls, scores: Sequence[str], classes: Sequence[str], predicted: Sequence[str]) -> ModelColumns:
        """The columns of a file by their headings. `classes`, the columns of probabilities, are one model, "proba".

        One column of scores (or `classes`) and one of predicted classes are one model. In any other number each column
        is a model of its own, named after itself.
        """
        ranked = [*scores, PROBA] if classes else list(scores)
        names = ranked if len(ranked) == len(predicted) == 1 else predicted
        return cls(
            {name: name for name in scores},
            {PROBA: list(classes)} if classes else {},
            dict(zip(names, predicted, strict=True)),
        )

    def paired(self, y_true: Any, beside: dict[str, Any], *, align: bool) -> tuple[ModelColumns, Any, dict[str, Any]]:
        """The columns, labels, and weights and keys beside them, checked against the index of `y_true`, or brought into its order.

        The labels are given back without their index, so that nothing else checks it again.
        """
        given = {(argument, name): column for argument, name, column in self._each()}
        names = {key: self.said(*key) for key in given}
        columns = {names[key]: column for key, column in given.items()}
        found = paired(y_true, {**columns, **beside}, align=align)
        columns_found = self._with({key: found[names[key]] for key in given})
        return columns_found, without_index(y_true), {argument: found[argument] for argument in beside}

    def complete(self, y_true: Any, beside: dict[str, Any]) -> tuple[ModelColumns, Any, dict[str, Any], int]:
        """The rows without a missing label or score in any column, what is beside these, and how many were left out."""
        given = {(argument, name): column for argument, name, column in self._each()}
        read = {"y_true": y_true, **{self.said(*key): column for key, column in given.items()}}
        found, left_out = complete(read, beside)
        columns = self._with({key: found[self.said(*key)] for key in given})
        return columns, found["y_true"], {name: found[name] for name in beside}, left_out

    def renamed(self, names: Mapping[Any, str | None] | None) -> ModelColumns:
        """The columns with the names of the labels in place of predicted labels; as they are without names."""
        found = {name: renamed(column, names, self.said("y_pred", name)) for name, column in self.predicted.items()}
        return replace(self, predicted=found)

    def _each(self) -> Iterator[tuple[str, str, Any]]:
        for argument, columns in self._arguments().items():
            for name, column in columns.items():
                yield argument, name, column

    def _with(self, columns: dict[tuple[str, str], Any]) -> ModelColumns:
        return ModelColumns(
            *({name: columns[argument, name] for name in given} for argument, given in self._arguments().items())
        )

    def _arguments(self) -> dict[str, dict[str, Any]]:
        return {"y_score": self.scores, "y_proba": self.probabilities, "y_pred": self.predicted}

    @property
    def names(self) -> list[str]:
        """The names of the models, in the order in which they are shown."""
        return list(dict.fromkeys([*self.scores, *self.probabilities, *self.predicted]))

    def said(self, argument: str, name: str) -> str:
        """What a message calls the column of a model: by its name where there are several."""
        return argument if len(self.names) == 1 else f"{argument}[{name!r}]"


def threshold_of(threshold: Any, name: str) -> float | None:
    """The threshold that the user gives for a model, if any: one number, or numbers by the names of the models."""
    given = threshold.get(name) if isinstance(threshold, Mapping) else threshold
    if given is None:
        return None
    number = cut(given, "threshold")
    # Scores that are integers are compared as such, so a threshold that no float is stays what it is.
    is_exact = isinstance(given, (int, np.integer)) and number != given and -(2**63) <= given < 2**64
    return int(given) if is_exact else number


def checked_labels(labels: Any, argument: str) -> list[Any]:
    """Labels that can be those of classes: all of one type, each once."""
    with refused_as("labels", argument):
        found: list[Any] = list(ConfusionMatrix.from_cells([], [], [], labels=labels).labels)
    return found


def probability_columns(
    given: Any, argument: str, labels: list[Any] | None, y_true: Any = None
) -> tuple[NDArray[Any], list[Any] | None]:
    """Probabilities as an array, its columns in ascending order of the classes; and these, where they are known."""
    headings = headings_of(given)
    if headings is not None:
        headings = checked_labels(headings, f"{argument}.columns")
    if headings is not None and hasattr(type(given), "column_names"):
        matrix = np.column_stack([np.asarray(given[heading]) for heading in headings])
    else:
        matrix = opened_matrix(given, argument)
    if matrix.ndim not in (1, 2):
        raise InputError(f"{argument} has {matrix.ndim} dimensions; expected (n, K)", argument="y_proba")
    columns = labels if headings is None else as_labels(headings, y_true)
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
