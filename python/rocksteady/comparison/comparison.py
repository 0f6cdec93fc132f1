"""Compare several models in one table: values, ranks, the best model and the reason."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

import numpy as np

from rocksteady import pycm
from rocksteady.base.arguments import (
    flag,
    listed,
    mapping,
    not_negative,
    one_of,
    parameters_of,
    shown,
    wrong_type,
    wrong_value,
)
from rocksteady.base.record import Record
from rocksteady.base.table import Table, number, one_line
from rocksteady.base.ways_out import WaysOut
from rocksteady.classes.score_tables import ScoreTables
from rocksteady.errors import InputError, InputTypeError, UnknownIndexError, for_terminal
from rocksteady.labels.confusion import ConfusionMatrix
from rocksteady.labels.counts import Counts
from rocksteady.registry.registry import Index, index
from rocksteady.scores.probability_sums import ProbabilitySums
from rocksteady.scores.score_table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

Parameters = Mapping[str, Mapping[str, object]]
By = Literal["ranks", "bands"]

_OF_MATRICES = ("accuracy", "balanced_accuracy", "f1", "mcc", "kappa", "cen")
_OF_SCORES = ("roc_auc", "average_precision", "ks")
_OF_PROBABILITIES = ("log_loss", "brier")

# Values that agree to this many significant digits tie: later digits are rounding errors.
_DIGITS = 12
# The largest number of indices that an explanation lists.
_LISTED = 6
# The largest number of accepted names that an error message lists.
_NAMED = 20


class _BandScores(NamedTuple):
    overall: float
    by_class: float


class BandScores(Record, _BandScores):
    """Scores of a model by the bands of scales of words, as in PyCM's Compare: see `Comparison.scores`.

    Attributes
    ----------
    overall : float
        Score of the whole matrix, in [0, 1].
    by_class : float
        Score of its classes, in [0, 1].
    """

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Benchmark:
    """An index with a scale of words. Its score is the fraction of the scale's bands that a value has reached.

    Attributes
    ----------
    name : str
        PyCM's name of the benchmark.
    index, scale : str
        The index and its scale: see `rocksteady.index(index).scales`.
    of_class : bool
        Whether the benchmark scores each class, or the whole matrix.
    weight : float
        The default weight.
    needs : str or None
        A second index that must be defined, or else the benchmark has no word.
    """

    name: str
    index: str
    scale: str
    of_class: bool
    weight: float = 1.0
    needs: str | None = None


#: The benchmarks of PyCM 4.6's Compare (Haghighi, Jasemi, Hessabi, Zolanvari 2018, doi:10.21105/joss.00729).
BENCHMARKS = tuple(
    Benchmark(
        name.partition("(")[0],
        reading.row,
        reading.option or "",
        of_class=reading.how == "word of each class",
        weight=float(name.partition("(")[0] not in ("SOA2", "SOA3", "SOA4")),
        # Without positives or negatives PyCM's area is undefined, but balanced accuracy is not. Likewise without false
        # positives or false negatives, where Yule's Q is 1.
        needs={"AUCI": "informedness", "QI": "diagnostic_odds_ratio"}.get(name),
    )
    for name, reading in pycm.NAMES.items()
    if reading.how in ("word", "word of each class")
)


@dataclass(frozen=True, slots=True)
class ComparedIndex(Record):
    """One row of a comparison: an index of all models, for the whole matrix or for one class.

    Attributes
    ----------
    index : str
        The name.
    label : object
        The class; None for the whole matrix.
    averaged : bool
        Whether the value is the mean over the classes, because the index has no value for the whole matrix.
    better : {"higher", "lower", "neither"}
        Which direction is better.
    weight : float
        The weight of the row.
    values : tuple of float
        The value of each model; NaN where it is undefined.
    ranks : tuple of float, or None
        The rank of each model: 1 is the best, ties share their mean rank. None if the models are not ranked.
    why : str or None
        Why the models are not ranked.
    """

    index: str
    label: object
    averaged: bool
    better: str
    weight: float
    values: tuple[float, ...]
    ranks: tuple[float, ...] | None
    why: str | None

    @property
    def name(self) -> str:
        """The index with its class, or marked as the mean over the classes."""
        if self.label is not None:
            return f"{self.index} of {one_line(self.label)}"
        return f"mean {self.index}" if self.averaged else self.index

    @property
    def uncounted(self) -> str:
        """The name of a row that is not ranked: without a class if the reason is the same for all classes."""
        return self.index if self.better == "neither" else self.name


class Comparison(WaysOut):
    """A comparison of several models, made by `compare`.

    Attributes
    ----------
    models : tuple of str
        The names of the models, in the order given.
    rows : tuple of ComparedIndex
        Each index of the whole matrix.
    class_rows : tuple of ComparedIndex
        Each per-class index of each class, computed when first read.
    by : {"ranks", "bands"}
        What decides on the best model.
    by_class : bool
        Whether the classes decide, and not the whole matrix.
    mean_ranks : dict of str to float
        The weighted mean rank of each model over the rows that decide; NaN if no row ranks the models.
    best_name : str or None
        The single best model; None if there is none.
    why : str
        Why this model is the best, or why no model is.
    notes : tuple of str
        Indices that were not counted, and other warnings.
    """

    def __init__(
        self,
        statistics: Mapping[str, object],
        rows: Sequence[ComparedIndex],
        read_class_rows: Callable[[], Sequence[ComparedIndex]],
        notes: Sequence[str],
        read_scores: Callable[[], dict[str, BandScores]],
        asked: Mapping[str, Any],
    ) -> None:
        self._asked = dict(asked)
        self._statistics = dict(statistics)
        self.models: tuple[str, ...] = tuple(statistics)
        self.rows: tuple[ComparedIndex, ...] = tuple(rows)
        self._read_class_rows = read_class_rows
        self._read_scores = read_scores
        self.by: By = asked["by"]
        self.by_class: bool = asked["by_class"]
        deciding = self._deciding()
        skipped = [f"{row.uncounted} is not counted: {row.why}" for row in self._chosen() if row.why is not None]
        self.notes: tuple[str, ...] = (*notes, *dict.fromkeys(skipped))
        self.mean_ranks = _mean_ranks(self.models, deciding)
        self.best_name, self.why = (
            _explain_bands(self.scores, by_class=self.by_class)
            if self.by == "bands"
            else _explain(self.models, self.mean_ranks, deciding)
        )

    @cached_property
    def class_rows(self) -> tuple[ComparedIndex, ...]:
        """Each per-class index of each class."""
        return tuple(self._read_class_rows())

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return partial(compare, **self._asked), (self._statistics,)  # the models; the rows are computed again

    def _chosen(self) -> tuple[ComparedIndex, ...]:
        return self.class_rows if self.by_class else self.rows

    def _deciding(self) -> list[ComparedIndex]:
        return [row for row in self._chosen() if row.ranks is not None and row.weight > 0]

    @property
    def best_model(self) -> Any:
        """The best model, as it was passed to `compare`; None if no model is the best."""
        return None if self.best_name is None else self._statistics[self.best_name]

    @property
    def scores(self) -> dict[str, BandScores]:
        """The scores by bands of each model, rounded to five digits as in PyCM's Compare; empty without matrices.

        Each benchmark (`rocksteady.comparison.comparison.BENCHMARKS`) gives the fraction of its scale's bands that the
        value has reached, counted from the worst band. The score is the mean over benchmarks and classes, by their
        weights. A benchmark gives no points to any model if one model has no word: its index is undefined or off the
        scale.
        """
        return self._read_scores()

    @property
    def sorted(self) -> tuple[str, ...]:
        """The names of the models by mean rank or by scores, the best first; ties keep the order given."""
        if self.by == "bands":
            scores = self.scores
            return tuple(sorted(self.models, key=lambda name: (-scores[name].by_class, -scores[name].overall)))
        return tuple(sorted(self.models, key=lambda name: self.mean_ranks[name]))

    def ranking(self) -> Table:
        """The models, the best first, with mean rank and number of first ranks, or with their scores."""
        if self.by == "bands":
            scores = self.scores
            each = [(one_line(name), scores[name].by_class, scores[name].overall) for name in self.sorted]
            return Table(["model", "class score", "overall score"], each)
        deciding = self._deciding()
        firsts = {
            name: sum(min(row.ranks or ()) == (row.ranks or ())[place] for row in deciding)
            for place, name in enumerate(self.models)
        }
        rows = [(one_line(name), self.mean_ranks[name], firsts[name]) for name in self.sorted]
        return Table(["model", "mean rank", f"first (of {len(deciding)})"], rows)

    def summary(self) -> Table:
        """The value of each index for each model, and which direction is better."""
        return self._table(self.rows, lambda row: row.values)

    def class_summary(self) -> Table:
        """The value of each index of each class for each model."""
        return self._table(self.class_rows, lambda row: row.values)

    def rank_table(self) -> Table:
        """The rank of each model in the rows that decide; empty cells where the models are not ranked."""
        nothing = (None,) * len(self.models)
        return self._table(self._chosen(), lambda row: row.ranks or nothing)

    def _table(
        self, rows: Sequence[ComparedIndex], cells: Callable[[ComparedIndex], tuple[float | None, ...]]
    ) -> Table:
        heading = ["index", "better", *map(one_line, self.models)]
        return Table(heading, [(row.name, row.better, *cells(row)) for row in rows])

    def to_dict(self) -> dict[str, Any]:
        """Values and ranks of all rows, mean ranks, the best model and the reason, as plain Python values."""

        def each(rows: Sequence[ComparedIndex]) -> list[dict[str, Any]]:
            return [
                {
                    "index": row.index,
                    "class": row.label,
                    "mean_of_classes": row.averaged,
                    "better": row.better,
                    "weight": row.weight,
                    "values": dict(zip(self.models, row.values, strict=True)),
                    "ranks": None if row.ranks is None else dict(zip(self.models, row.ranks, strict=True)),
                }
                for row in rows
            ]

        return {
            "models": list(self.models),
            "best": self.best_name,
            "why": self.why,
            "notes": list(self.notes),
            "mean_ranks": dict(self.mean_ranks),
            "scores": {name: scores._asdict() for name, scores in self.scores.items()} if self.by == "bands" else None,
            "indices": each(self.rows),
            "class_indices": each(self.class_rows),
        }

    def __repr__(self) -> str:
        return "\n".join([for_terminal(self.why), *self.notes, repr(self.ranking()), "", repr(self.summary())])

    def _repr_html_(self) -> str:
        sentences = "".join(f"<p>{html.escape(text)}</p>" for text in (self.why, *self.notes))
        return f"{sentences}{self.ranking()._repr_html_()}{self.summary()._repr_html_()}"


def compare(
    models: Mapping[str, object],
    indices: Sequence[str] | None = None,
    *,
    by: By = "ranks",
    by_class: bool = False,
    weights: Mapping[str, float] | None = None,
    class_weights: Mapping[Any, float] | None = None,
    benchmark_weights: Mapping[str, float] | None = None,
    parameters: Parameters | None = None,
) -> Comparison:
    """Compare several models by the same indices, and name the best one with the reason.

    - By ranks: each index ranks the models; ties share their mean rank. The best model has the lowest mean rank.
    - By bands, as in PyCM's Compare: scales of words put the values into bands. The best model has the highest scores.

    Parameters
    ----------
    models : mapping from names to statistics
        Two or more models. Each is a `ConfusionMatrix`, `ScoreTable`, `ProbabilitySums`, a sequence of them, or a
        `ModelEvaluation`. An index is taken from the first that has it. All models must be evaluated on the same rows:
        same classes, same number of rows.
    indices : sequence of str, optional
        The indices to compare. Default: accuracy, balanced accuracy, F1, MCC, kappa and CEN of matrices; ROC AUC,
        average precision and KS of scores; log loss and Brier score of probabilities.
    by : {"ranks", "bands"}
        What decides. "ranks": the mean rank. "bands": the scores by bands, for confusion matrices only (see
        `Comparison.scores`); the best model must have both the highest class score and the highest overall score.
    by_class : bool
        Rank by each index of each class, not of the whole matrix. By bands, only the classes decide.
    weights : mapping from index to number, optional
        The weight of each index. Default: 1 each.
    class_weights : mapping from class to number, optional
        The weight of each class: in the ranks by class, in the scores by bands, and in the mean over classes of an
        index that has no value for several classes. Default: 1 each.
    benchmark_weights : mapping from name to number, optional
        The weight of each benchmark in the scores, by PyCM's names. Default: 1 each, but 0 for "SOA2", "SOA3" and
        "SOA4".
    parameters : mapping from index to a mapping, optional
        Parameters of the indices, such as ``{"fbeta": {"beta": 2}}``.

    Returns
    -------
    Comparison

    Raises
    ------
    rocksteady.UnknownIndexError
        If there is no such index, or a model does not have it.
    rocksteady.InputError
        If there are fewer than two models, the models differ in classes or number of rows, or a weight is negative.

    Notes
    -----
    An index is shown but not ranked if its direction is "neither" or if it is undefined for some model. Values that
    agree to 12 significant digits tie. Ranks do not show how far apart the models are, or whether chance explains the
    difference: `Evaluation.difference`, `rocksteady.inference.compare_scores` and `compare_labels` do.

    Examples
    --------
    >>> import rocksteady as rs
    >>> svm = rs.ConfusionMatrix.from_counts([[50, 8], [5, 37]])
    >>> knn = rs.ConfusionMatrix.from_counts([[55, 3], [12, 30]])
    >>> found = rs.compare({"svm": svm, "knn": knn}, ["accuracy", "recall", "precision"])
    >>> found
    svm is best: mean rank 1.33333 over 3 indices, before knn (1.66667). It leads in accuracy and recall, knn in precision.
    model  mean rank  first (of 3)
    svm      1.33333             2
    knn      1.66667             1
    <BLANKLINE>
    index      better       svm       knn
    accuracy   higher      0.87      0.85
    recall     higher  0.880952  0.714286
    precision  higher  0.822222  0.909091
    >>> found.best_model is svm
    True
    """
    statistics = _checked(models)
    one_of(by, "by", ("ranks", "bands"))
    flag(by_class, "by_class")
    matrices = [matrix for each in statistics.values() for matrix in each if isinstance(matrix, ConfusionMatrix)]
    labels = list(matrices[0].labels) if matrices else []
    of_classes = _weights(class_weights, labels, "class_weights")
    chosen = _indices(indices, statistics)
    of_indices = _weights(_by_index(weights, "weights"), chosen, "weights")
    own = _parameters(parameters, chosen)
    rows = []
    for name in chosen:
        found = [_value(each, name, list(of_classes.values()), own.get(name, {})) for each in statistics.values()]
        values = [value for value, _ in found]
        rows.append(_compared(tuple(statistics), index(name), None, of_indices[name], values, found[0][1]))
    of_class = [name for name in chosen if matrices and {"counts", "class"} & set(index(name).forms)]

    def read_class_rows() -> list[ComparedIndex]:
        class_rows = []
        for name in of_class:
            per_class = [_matrix(each).every(name, **own.get(name, {})).tolist() for each in statistics.values()]
            for place, label in enumerate(labels):
                weight = of_indices[name] * of_classes[label]
                values = [each[place] for each in per_class]
                class_rows.append(_compared(tuple(statistics), index(name), label, weight, values))
        return class_rows

    if by_class and not of_class:
        raise wrong_value(by_class, "by_class", "False, or confusion matrices and an index that classes have")
    if by == "bands" and not matrices:
        raise wrong_value(by, "by", "'ranks', or confusion matrices to read bands from")
    of_benchmarks = _weights(benchmark_weights, [each.name for each in BENCHMARKS], "benchmark_weights")
    of_benchmarks |= {each.name: each.weight for each in BENCHMARKS if each.name not in (benchmark_weights or {})}

    def read_scores() -> dict[str, BandScores]:
        if not matrices:
            return {}
        return dict(zip(statistics, _band_scores(matrices, list(of_classes.values()), of_benchmarks), strict=True))

    asked = {
        "indices": chosen,
        "by": by,
        "by_class": by_class,
        "weights": weights,
        "class_weights": class_weights,
        "benchmark_weights": benchmark_weights,
        "parameters": parameters,
    }
    return Comparison(models, rows, read_class_rows, _same_sizes(statistics), read_scores, asked)


def _checked(models: Mapping[str, object]) -> dict[str, tuple[Any, ...]]:
    """The statistics of each model. Models that cannot be compared are refused."""
    if mapping(models, "models", "a mapping from names to statistics") is not models:
        raise wrong_type(models, "models", "a mapping from names to statistics")
    if len(models) < 2:
        raise InputError(f"models has {len(models)} entries; expected at least two", argument="models")
    statistics: dict[str, tuple[Any, ...]] = {}
    for name, model in models.items():
        if not isinstance(name, str):
            raise InputTypeError(f"models has the name {shown(name)}; expected a string", argument="models")
        if not name.isprintable():
            raise InputError(f"models has the name {shown(name)}; expected text on one line", argument="models")
        each = tuple(model) if isinstance(model, (tuple, list)) else getattr(model, "statistics", (model,))
        if not each or not all(_has_values(statistic) for statistic in each):
            raise wrong_type(model, f"models[{shown(name)}]", "a ConfusionMatrix, a ScoreTable or several statistics")
        statistics[name] = each
    first, *others = statistics
    for other in others:
        _check_alike(first, other, statistics[first], statistics[other])
    return statistics


def _has_values(statistic: object) -> bool:
    single = isinstance(statistic, Counts) and statistic.shape == ()
    return single or isinstance(statistic, (ConfusionMatrix, ProbabilitySums, ScoreTable, ScoreTables))


def _check_alike(first: str, other: str, ours: Sequence[object], theirs: Sequence[object]) -> None:
    if [type(each) for each in ours] != [type(each) for each in theirs]:
        kinds = [", ".join(type(each).__name__ for each in statistics) for statistics in (theirs, ours)]
        message = f"models[{shown(other)}] is {kinds[0]}; expected {kinds[1]}, as models[{shown(first)}]"
        raise InputTypeError(message, argument="models")
    for a, b in zip(ours, theirs, strict=True):
        for what, read in _ALIKE:
            expected, found = read(a), read(b)
            if expected != found:
                message = f"models[{shown(other)}] has {what} {found}; expected {expected}, as models[{shown(first)}]"
                raise InputError(message, argument="models")


def _total(statistic: object) -> str | None:
    if isinstance(statistic, ConfusionMatrix):
        return number(statistic.total, 9)
    if isinstance(statistic, ScoreTable):
        return number(statistic.positives + statistic.negatives, 9)
    return None


_ALIKE: tuple[tuple[str, Callable[[object], object]], ...] = (
    ("the classes", lambda each: list(each.labels) if isinstance(each, ConfusionMatrix) else None),
    ("the positive class", lambda each: each.pos_label if isinstance(each, (ConfusionMatrix, ScoreTable)) else None),
    ("the total", _total),
)


def _sizes(statistic: object) -> tuple[str, ...]:
    """The size of each class, as text of 9 digits, so that rounding errors in sums of weights do not count."""
    if isinstance(statistic, ConfusionMatrix):
        counts = statistic.counts()
        return tuple(number(size, 9) for size in (counts.tp + counts.fn).tolist())
    if isinstance(statistic, ScoreTable):
        return (number(statistic.positives, 9), number(statistic.negatives, 9))
    return ()


def _same_sizes(statistics: Mapping[str, Sequence[object]]) -> list[str]:
    sizes = {tuple(map(_sizes, each)) for each in statistics.values()}
    if len(sizes) == 1:
        return []
    return ["The classes differ in size from model to model: the models were not evaluated on the same rows."]


def _indices(indices: Sequence[str] | None, statistics: Mapping[str, Sequence[object]]) -> tuple[str, ...]:
    if indices is None:
        kinds = ((ConfusionMatrix, _OF_MATRICES), (ScoreTable, _OF_SCORES), (ProbabilitySums, _OF_PROBABILITIES))
        each = next(iter(statistics.values()))
        chosen = tuple(name for kind, names in kinds if any(isinstance(one, kind) for one in each) for name in names)
    else:
        chosen = (indices,) if isinstance(indices, str) else tuple(listed(indices, "indices", "a list of names"))
    if not chosen:
        raise InputError("indices is empty; expected at least one index", argument="indices")
    rows = [index(name).name for name in chosen]
    for place, name in enumerate(rows):
        if name in rows[:place]:
            raise InputError(f"indices names {shown(name)} twice", argument="indices", row=place)
    return tuple(rows)


def _by_index(given: Mapping[str, Any] | None, argument: str) -> dict[str, Any]:
    """Replace aliases in the keys of a mapping by names of indices."""
    found: dict[str, Any] = {}
    for key, value in mapping(given, argument, "a mapping from names of indices").items():
        name = index(key).name
        if name in found:
            raise InputError(f"{argument} names {shown(name)} twice", argument=argument)
        found[name] = value
    return found


def _parameters(given: Parameters | None, chosen: Sequence[str]) -> dict[str, Mapping[str, object]]:
    found = _by_index(given, "parameters")
    for name in found:
        if name not in chosen:
            raise InputError(f"parameters names {shown(name)}; expected {_some(chosen)}", argument="parameters")
    return {name: parameters_of(own, f"parameters[{shown(name)}]") for name, own in found.items()}


def _some(known: Sequence[Any]) -> str:
    if len(known) == 1:
        return repr(known[0])
    return f"one of {', '.join(map(repr, known[:_NAMED]))}{', …' if len(known) > _NAMED else ''}"


def _weights(given: Mapping[Any, float] | None, known: Sequence[Any], argument: str) -> dict[Any, float]:
    weights = dict.fromkeys(known, 1.0)
    for key, weight in mapping(given, argument, "a mapping to numbers").items():
        if key not in weights:
            raise InputError(f"{argument} names {shown(key)}; expected {_some(known)}", argument=argument)
        weights[key] = not_negative(weight, f"{argument}[{shown(key)}]")
    if given and not any(weights.values()):
        raise InputError(f"{argument} are all 0; expected at least one above 0", argument=argument)
    return weights


def _matrix(statistics: Sequence[object]) -> ConfusionMatrix:
    return next(each for each in statistics if isinstance(each, ConfusionMatrix))


def _value(
    statistics: Sequence[Any], name: str, class_weights: ArrayLike, parameters: Mapping[str, object]
) -> tuple[float, bool]:
    """The index of the first statistic that has it, and False; or the mean over its classes, and True."""
    unknown: UnknownIndexError | None = None
    for statistic in statistics:
        try:
            return float(statistic.value(name, **parameters)), False
        except UnknownIndexError as error:
            unknown = unknown or error
    for statistic in statistics:
        if isinstance(statistic, ConfusionMatrix) and "counts" in index(name).forms:
            return statistic.value(name, average=class_weights, **cast("dict[str, Any]", parameters)), True
    raise unknown or UnknownIndexError(name)


def _compared(
    models: Sequence[str], row: Index, label: object, weight: float, values: Sequence[float], averaged: bool = False
) -> ComparedIndex:
    undefined = [model for model, value in zip(models, values, strict=True) if math.isnan(value)]
    why = None
    if row.better == "neither":
        why = "neither higher nor lower is better."
    elif undefined:
        why = f"it is undefined for {_listed(undefined)}."
    ranks = None if why else _ranks(values, lower=row.better == "lower")
    return ComparedIndex(row.name, label, averaged, row.better, weight, tuple(values), ranks, why)


def _ranks(values: Sequence[float], *, lower: bool) -> tuple[float, ...]:
    """Ranks; 1 is the best, and ties share their mean rank."""
    merits = [float(f"{-value if lower else value:.{_DIGITS}g}") for value in values]
    return tuple(
        1 + sum(other > merit for other in merits) + (sum(other == merit for other in merits) - 1) / 2
        for merit in merits
    )


def _mean_ranks(models: Sequence[str], rows: Sequence[ComparedIndex]) -> dict[str, float]:
    total = math.fsum(row.weight for row in rows)
    if not rows:
        return dict.fromkeys(models, math.nan)
    sums = (math.fsum(row.weight * (row.ranks or ())[place] for row in rows) for place in range(len(models)))
    return {name: float(f"{each / total:.{_DIGITS}g}") for name, each in zip(models, sums, strict=True)}


def _band_scores(
    matrices: Sequence[ConfusionMatrix], class_weights: Sequence[float], weights: Mapping[str, float]
) -> list[BandScores]:
    """The scores of each matrix, as PyCM 4.6 computes and rounds them."""
    sums = [[0.0, 0.0] for _ in matrices]
    for of_class in (False, True):
        benchmarks = [each for each in BENCHMARKS if each.of_class is of_class]
        total = math.fsum(weights[each.name] for each in benchmarks)
        levels = {
            each.name: [_levels(matrix, each) for matrix in matrices] for each in benchmarks if weights[each.name] > 0
        }
        all_classes = math.fsum(class_weights)
        shares = [weight / all_classes for weight in class_weights] if of_class else [1.0]
        for place, share in enumerate(shares):
            for name, of_models in levels.items():
                reached = [each[place] for each in of_models]
                if None in reached:
                    continue
                for sums_of_model, level in zip(sums, reached, strict=True):
                    sums_of_model[of_class] += share * cast("float", level) * (weights[name] / total)
    return [BandScores(*(float(np.round(each, 5)) for each in of_model)) for of_model in sums]


def _levels(matrix: ConfusionMatrix, benchmark: Benchmark) -> list[float | None]:
    """The fraction of the scale's bands that the matrix or each class reaches; None without a word."""
    row = index(benchmark.index)
    scale = next(scale for scale in row.scales if scale.name == benchmark.scale)
    words = [word for _, word in scale.bands]
    if row.better == "lower":
        words.reverse()
    needed = [row.name] if benchmark.needs is None else [row.name, benchmark.needs]
    if benchmark.of_class:
        found = matrix.every_interpret(row.name, scale=scale.name)
        counts = matrix.counts()
        tables = np.column_stack([counts.tp, counts.fp, counts.fn, counts.tn])
        different, which = np.unique(tables, axis=0, return_inverse=True)  # most of many classes have equal tables
        known = np.array([all(Counts(*four).why(name) is None for name in needed) for four in different], np.bool_)
        defined = known[which.reshape(-1)].tolist()
    else:
        found = [matrix.interpret(row.name, scale=scale.name)]
        defined = [all(matrix.why(name) is None for name in needed)]
    return [
        (words.index(word) + 1) / len(words) if word is not None and has_value else None
        for word, has_value in zip(found, defined, strict=True)
    ]


def _explain_bands(scores: Mapping[str, BandScores], *, by_class: bool) -> tuple[str | None, str]:
    """The best model by bands and the reason; or None and the reason."""
    first = max(scores, key=lambda name: (scores[name].by_class, scores[name].overall))
    overall = max(scores, key=lambda name: (scores[name].overall, scores[name].by_class))
    same = [name for name in scores if scores[name] == scores[first]]
    best = scores[first]
    if len(same) > 1:
        shared = f"{best.by_class:.5g} for their classes and {best.overall:.5g} as a whole"
        return None, f"None is best: {_listed(same)} have the same scores by bands, {shared}."
    if by_class:
        return first, f"{first} is best: its classes have the highest score by bands, {best.by_class:.5g}."
    if scores[overall].overall > best.overall:
        ahead = f"{first} for its classes ({best.by_class:.5g} against {scores[overall].by_class:.5g})"
        other = f"{overall} as a whole ({scores[overall].overall:.5g} against {best.overall:.5g})"
        return None, f"None is best: by bands {ahead} has the highest score, {other}."
    both = f"for its classes, {best.by_class:.5g}, and as a whole, {best.overall:.5g}"
    return first, f"{first} is best: it has the highest scores by bands {both}."


def _listed(names: Sequence[str]) -> str:
    if len(names) > _LISTED:
        names = [*names[: _LISTED - 1], f"{len(names) - _LISTED + 1} others"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _leads(models: Sequence[str], rows: Sequence[ComparedIndex]) -> dict[str, list[str]]:
    """The rows in which one model alone is best."""
    leads: dict[str, list[str]] = {name: [] for name in models}
    for row in rows:
        ranks = row.ranks or ()
        if ranks.count(1.0) == 1:
            leads[models[ranks.index(1.0)]].append(row.name)
    return leads


def _explain(
    models: Sequence[str], mean_ranks: Mapping[str, float], rows: Sequence[ComparedIndex]
) -> tuple[str | None, str]:
    """The best model and the reason; or None and the reason."""
    if not rows:
        return None, "None is best: no index can rank the models."
    least = min(mean_ranks.values())
    first = [name for name in models if mean_ranks[name] == least]
    counted = f"{len(rows)} index" if len(rows) == 1 else f"{len(rows)} indices"
    leads = _leads(models, rows)
    if len(first) > 1:
        shared = f"None is best: {_listed(first)} share the lowest mean rank, {least:.6g} over {counted}."
        ahead = [f"{name} in {_listed(leads[name])}" for name in first if leads[name]]
        return None, f"{shared} First alone: {'; '.join(ahead)}." if ahead else shared
    best = first[0]
    others = sorted((name for name in models if name != best), key=lambda name: mean_ranks[name])
    runner_up = f"{others[0]} ({mean_ranks[others[0]]:.6g})"
    sentence = f"{best} is best: mean rank {least:.6g} over {counted}, before {runner_up}."
    if all((row.ranks or ())[models.index(best)] == min(row.ranks or ()) for row in rows):
        return best, f"{sentence} No other model is ahead of it in any index."
    led = [f"{name} in {_listed(leads[name])}" for name in others if leads[name]]
    own = f"leads in {_listed(leads[best])}" if leads[best] else "leads alone in none"
    return best, f"{sentence} It {', '.join([own, *led])}."
