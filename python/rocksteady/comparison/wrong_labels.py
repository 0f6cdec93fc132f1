"""What wrong labels could do: the least number that turns a verdict, and the range of an index after some of them.

Of areas under the ROC curve both are exact, as the ranks of the rows do not depend on the labels. With r the rank of a row among
all n, ties in the middle, and P positives, AUC = (Σ r of the positives - P (P + 1) / 2) / (P (n - P)). So with P given the
greatest AUC has the positives of least rank relabelled, and the negatives of greatest rank. Of two models the terms in P cancel:
the difference has the sign of Σ (r - r') over the positives, and each relabelled row changes this sum by its own r - r' alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import numbers, whole, wrong_type, wrong_value
from rocksteady.base.named_columns import by_name, refused_as
from rocksteady.base.record import Record
from rocksteady.base.table import class_named, number
from rocksteady.columns.categories import positive_in_order
from rocksteady.columns.pairing import paired, without_index
from rocksteady.errors import InputError
from rocksteady.inference.paired_labels import PairTable, are_positive
from rocksteady.labels.confusion import ConfusionMatrix
from rocksteady.labels.counts import Counts
from rocksteady.registry import registry
from rocksteady.scores.score_table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

#: Each row that is right in the better model alone, and is relabelled, closes the gap by two.
_OF_ROWS: Final = ("accuracy", "error_rate")
_AREAS: Final = ("roc_auc", "gini")
_MOST: Final = 2_000  # labels of `if_wrong`: eight million tables
_MOST_OF_TWO: Final = 40  # labels of `fragility`: two million tables
_SLACK: Final = 1e-14  # rounding: of a million rows, unequal values are ten times as far apart


@dataclass(frozen=True, slots=True, repr=False)
class Fragility(Record):
    """How many wrong labels turn the verdict that one model is better than another on the same rows.

    Attributes
    ----------
    index : str
        The name of the index.
    better, worse : str
        The models, as the labels are.
    better_value, worse_value : float
        Their values.
    rows : int
        The least number of labels that, were they wrong, would make `worse` as good.
    all_rows : int
        The number of rows.
    is_exact : bool
        Whether `rows` is the least number. If not, as many labels as this do not suffice, and more were not tried.
    where : str
        Which rows these are; of several such choices one. Empty if there are none.
    """

    index: str
    better: str
    worse: str
    better_value: float
    worse_value: float
    rows: int
    all_rows: int
    is_exact: bool
    where: str = ""

    def __repr__(self) -> str:
        better, worse = class_named(self.better), class_named(self.worse)
        values = f"{number(self.better_value, 3)} against {number(self.worse_value, 3)}"
        if self.is_exact and not self.rows:
            return f"{self.index} of {better} and of {worse} are equal: {values}."
        share = 100 * self.rows / self.all_rows
        labels = f"{self.rows} of {self.all_rows} labels ({number(share, 2 if share < 10 else 3)} %)"
        such = f"{labels}, if just these are wrong, turn that.\nSuch labels: {self.where}."
        turned = such if self.is_exact else f"No {labels} turn that."
        return f"{self.index} of {better} is better than that of {worse}: {values}.\n{turned}"


def fragility(table: PairTable, index: str = "accuracy", *, most: int = 40, **parameters: object) -> Fragility:
    """Count the labels that must be wrong before the better of two models is no longer better.

    Parameters
    ----------
    table : PairTable
        Of ``compare_labels(...).pairs["new", "old"]``, in the order given: whole rows, and for other indices than accuracy
        and error_rate two classes.
    index : str
        An index of counts. Where it is undefined its value by convention counts, such as 0 of the MCC.
    most : int
        How many labels are tried, up to 40; accuracy and error_rate need no trials.
    **parameters
        The index's own.

    Returns
    -------
    Fragility

    Raises
    ------
    rocksteady.InputError
        For weights that are not whole, more than two classes, an index that a model does not have here, and more labels.

    Notes
    -----
    A label that is wrong moves a row from one actual class to the other; both predictions stay. Every table that so many
    labels can make is tried, so the number is exact. Of accuracy it is half the number of rows that only the better model has
    right, less those that only the worse has, rounded up. It is about these rows: it says nothing of how the values scatter
    from sample to sample, for which `difference` has the interval.

    >>> import rocksteady as rs
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
    >>> old, new = [0, 1, 1, 0, 1, 0, 0, 1, 0, 1], [0, 0, 1, 0, 1, 1, 0, 1, 1, 1]
    >>> table = rs.inference.compare_labels(y_true, {"old": old, "new": new}).pairs["old", "new"]
    >>> rs.comparison.fragility(table)
    accuracy of 'new' is better than that of 'old': 0.8 against 0.5.
    2 of 10 labels (20 %), if just these are wrong, turn that.
    Such labels: 2 that only 'new' has right.
    >>> rs.comparison.fragility(table, "f1").rows
    2
    """
    if not isinstance(table, PairTable):
        raise wrong_type(table, "table", "a PairTable, of compare_labels(...).pairs")
    expected = f"a number of labels, 1 to {_MOST_OF_TWO}"
    tried = whole(most, "most", expected, least=1)
    if tried > _MOST_OF_TWO:
        raise InputError(f"most is {tried}; expected {expected}", argument="most")
    codes, masses, _ = _rocksteady.pair_cells(table._state, None, len(table.labels))
    if table.weight_kind == "sampling" or not np.array_equal(masses, np.floor(masses)):
        raise InputError("table has weights; expected whole rows, whose labels are right or wrong", argument="table")
    name, rows = _rocksteady.index_name(index), int(masses.sum())
    if registry.index(name).better == "neither":
        raise InputError(f"neither end of {name} is better; expected an index of which one is", argument="index")
    if name in _OF_ROWS:
        _, first, second, neither = table.agreement
        wrong = second + neither, first + neither
        values = [(part if name == "error_rate" else rows - part) / rows if rows else math.nan for part in wrong]
        is_first, least, is_exact = first >= second, math.ceil(abs(first - second) / 2), True
        where = f"{least} that only {class_named(table.first if is_first else table.second)} has right" if least else ""
    else:
        if len(table.labels) != 2:
            raise InputError(f"table has {len(table.labels)} classes; expected two for {name}", argument="table")
        positive = table.labels.index(table.pos_label)
        sizes, positives = np.zeros((2, 2, 2))  # by both predictions: the rows, and those that are positive
        for actual, a, b, mass in zip(*(code.each().tolist() for code in codes), masses.tolist(), strict=True):
            place = int(a == positive), int(b == positive)
            sizes[place] += mass
            positives[place] += mass * (actual == positive)
        cells, now = _Cells(sizes.ravel(), name, parameters), positives.reshape(1, 4)
        values = [float(value[0]) for value in cells.values(now)]
        if math.isnan(values[0] - values[1]):
            raise InputError(f"{name} of one of the models is undefined here; expected two values", argument="index")
        is_first = bool(cells.ahead(now)[0] >= 0)
        turns = (cells.turn(now, _moves(labels), is_first) for labels in range(tried + 1))
        move = next((turn for turn in turns if turn is not None), None)
        is_exact = move is not None
        least = min(tried, rows) if move is None else int(np.abs(move).sum())
        where = "" if move is None else _cells_of(move, (table.first, table.second), table.pos_label)
    models = list(zip((table.first, table.second), values, strict=True))
    (better, high), (worse, low) = models if is_first else models[::-1]
    return Fragility(name, better, worse, high, low, least, rows, is_exact, where)


class _Cells:
    """Rows of two models by both predictions: neither, the second, the first, or both call them positive."""

    def __init__(self, sizes: NDArray[np.float64], name: str, parameters: dict[str, Any]) -> None:
        self.sizes, self.name, self.parameters = sizes, name, parameters

    def values(self, positives: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        """The index of each model, where so many rows of the four cells are positive."""
        negatives = self.sizes - positives
        found = []
        for called in ([2, 3], [1, 3]):
            rest = [cell for cell in range(4) if cell not in called]
            cells = (positives[:, called], negatives[:, called], positives[:, rest], negatives[:, rest])
            counts = Counts(*(cell.sum(axis=1) for cell in cells))
            found.append(np.asarray(counts.value(self.name, **self.parameters), np.float64))
        return found

    def ahead(self, positives: NDArray[np.float64]) -> NDArray[np.float64]:
        """By how much the first model is better."""
        first, second = self.values(positives)
        ahead: NDArray[np.float64] = second - first if _rocksteady.index_is_loss(self.name) else first - second
        return ahead

    def turn(
        self, positives: NDArray[np.float64], moves: NDArray[np.float64], is_first: bool
    ) -> NDArray[np.float64] | None:
        """A change of the positives after which the first, or the second, model is no longer better."""
        after = positives + moves
        there = ((after >= 0) & (after <= self.sizes)).all(axis=1)
        ahead = self.ahead(after[there]) if is_first else -self.ahead(after[there])
        turned = np.flatnonzero(ahead <= _SLACK)
        found: NDArray[np.float64] | None = moves[there][turned[0]] if len(turned) else None
        return found


def _cells_of(move: NDArray[np.float64], models: tuple[str, str], positive: Any) -> str:
    """The rows whose labels change, by the predictions of both models."""
    first, second = map(class_named, models)
    called = ("neither model calls", f"only {second} calls", f"only {first} calls", "both models call")
    return "; ".join(
        f"{abs(change):g} that {who} {class_named(positive)}, which {'is' if change > 0 else 'is not'} its label then"
        for who, change in zip(called, move.tolist(), strict=True)
        if change
    )


def _moves(labels: int) -> NDArray[np.float64]:
    """All ways in which so many labels change the numbers of positives of four cells."""
    a, b, c = np.indices((labels + 1,) * 3).reshape(3, -1)
    some = a + b + c <= labels
    sizes = np.stack([a[some], b[some], c[some], labels - (a + b + c)[some]], axis=1)
    signs = np.array(np.meshgrid(*[[1, -1]] * 4)).reshape(4, -1).T
    found: NDArray[np.float64] = (sizes[:, None] * signs).reshape(-1, 4).astype(np.float64)  # some of them twice
    return found


def area_fragility(y_true: ArrayLike, y_score: Mapping[str, ArrayLike] | Any, *, pos_label: object = None) -> Fragility:
    """Count the labels that must be wrong before the model with the greater area under the ROC curve is no longer better.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Class labels, of two kinds.
    y_score : mapping or data frame
        The scores of two models, by their names: columns of shape (n,).
    pos_label : label, optional
        The positive class. Default: the greater label; of ordered categories the later one.

    Returns
    -------
    Fragility
        Its `rows` is the least number, exactly; `where` says which rows they are.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        For more or fewer than two models, a missing score or label, and rows of one class.

    Notes
    -----
    With r the rank of a row among all rows, ties in the middle, the difference of the areas has the sign of
    Σ (r₁ - r₂) over the positive rows: the number of positives takes the same from both. Relabelling a row changes this sum by
    its own r₁ - r₂, whatever else is relabelled, so the rows with the greatest such changes are the least number. Where they
    are a whole class, numbers with both classes left are tried in turn. O(n log n).

    >>> import numpy as np
    >>> import rocksteady as rs
    >>> rng = np.random.default_rng(1)
    >>> y = rng.random(500) < 0.4
    >>> scores = {"old": y + rng.normal(size=500), "new": 1.3 * y + rng.normal(size=500)}
    >>> rs.comparison.area_fragility(y, scores)
    roc_auc of 'new' is better than that of 'old': 0.807 against 0.717.
    15 of 500 labels (3 %), if just these are wrong, turn that.
    Such labels: 4 positive where 'new' is 1.95 to 2.41; 11 negative where 'new' is -2.86 to -0.258.
    """
    columns = by_name(y_score, "y_score", None)
    if len(columns) != 2:
        raise wrong_value(list(columns), "y_score", "the scores of two models")
    scores = paired(y_true, {f"y_score[{name!r}]": column for name, column in columns.items()})
    positive = positive_in_order(y_true) if pos_label is None else pos_label
    tables = []
    for argument, column in scores.items():
        with refused_as("y_score", argument):
            tables.append(ScoreTable(without_index(y_true), column, pos_label=positive))
    values = [table.value("roc_auc") for table in tables]
    if math.isnan(values[0]):
        raise InputError("y_true has one class; expected rows of two", argument="y_true")
    is_positive = are_positive(without_index(y_true), tables[0].labels)
    ranks = [_ranks(numbers(column, argument)) for argument, column in scores.items()]
    apart = ranks[0] - ranks[1]
    ahead = int(apart[is_positive].sum())
    is_first = ahead >= 0
    gains = np.where(is_positive, apart, -apart) if is_first else np.where(is_positive, -apart, apart)
    order = np.argsort(-gains, kind="stable")
    found = _turned(gains[order], is_positive[order], abs(ahead)) if ahead else order[:0]
    rows = order[found]
    models = list(zip(columns, values, strict=True))
    (better, high), (worse, low) = models if is_first else models[::-1]
    where = _bands(np.asarray(scores[f"y_score[{better!r}]"])[rows], is_positive[rows], better)
    return Fragility("roc_auc", better, worse, high, low, len(rows), len(apart), True, where)


def _ranks(scores: NDArray[Any]) -> NDArray[np.int64]:
    """Twice the rank of each row, ties in the middle: whole numbers."""
    _, places, sizes = np.unique(scores, return_inverse=True, return_counts=True)
    before = np.cumsum(sizes) - sizes
    ranks: NDArray[np.int64] = (2 * before + sizes + 1)[places]
    return ranks


def _turned(gains: NDArray[np.int64], is_positive: NDArray[np.bool_], ahead: int) -> NDArray[np.int64]:
    """The places of the fewest rows whose gains, which fall, add up to what one model is ahead; both classes stay."""
    most = len(gains)
    least = int(np.argmax(np.cumsum(gains) >= ahead)) + 1
    sums, places = [], []
    for own in (is_positive, ~is_positive):
        places.append(np.flatnonzero(own))
        sums.append(np.concatenate(([0], np.cumsum(gains[own]))))
    positives, negatives = (len(each) for each in places)
    for rows in range(least, most + 1):
        some = np.arange(max(0, rows - negatives), min(positives, rows) + 1)
        left = positives - some + rows - some
        gained = np.where((left > 0) & (left < most), sums[0][some] + sums[1][rows - some], -1)
        best = int(np.argmax(gained))
        if gained[best] >= ahead:
            return np.concatenate([places[0][: some[best]], places[1][: rows - some[best]]])
    raise AssertionError  # all labels exchanged turn it


def _bands(scores: NDArray[Any], is_positive: NDArray[np.bool_], model: str) -> str:
    """Between which scores relabelled rows lie."""
    parts = []
    for name, own in (("positive", scores[is_positive]), ("negative", scores[~is_positive])):
        if len(own):
            band = f"{number(float(own.min()), 3)} to {number(float(own.max()), 3)}"
            parts.append(f"{len(own)} {name} where {class_named(model)} is {band}")
    return "; ".join(parts)


def _areas_if_wrong(table: ScoreTable, labels: int) -> tuple[float, float]:
    """The least and the greatest area under the ROC curve after at most so many wrong labels."""
    if table._state.is_weighted:
        raise InputError("counts has weights; expected whole rows, whose labels are right or wrong", argument="counts")
    at = table.counts()
    tp, fp = (np.asarray(column, np.float64) for column in (at.tp, at.fp))
    positives, negatives = tp[-1], fp[-1]
    rows = positives + negatives
    # From the middle of all ranks, which keeps digits: with P positives the sum of their ranks is P / 2 less.
    ranks = rows / 2 - (tp + fp)[1:] + np.diff(tp + fp) / 2
    sums = [_most(np.diff(column), way * ranks, labels) for column in (tp, fp) for way in (1, -1)]
    own = float((np.diff(tp) * ranks).sum())
    low, high = math.inf, -math.inf
    for lost in range(min(labels, len(sums[0]) - 1) + 1):
        gained = np.arange(min(labels - lost, len(sums[2]) - 1) + 1)
        left = positives - lost + gained
        with np.errstate(invalid="ignore", divide="ignore"):
            scale = left * (rows - left)
            # Σ of ranks from the middle, over P N, plus 1/2, is the area.
            up = (own + sums[1][lost] + sums[2][gained]) / scale + 0.5
            down = (own - sums[0][lost] - sums[3][gained]) / scale + 0.5
        there = (left > 0) & (left < rows)
        if there.any():
            low, high = min(low, down[there].min()), max(high, up[there].max())
    return (max(0.0, float(low)), min(1.0, float(high))) if low <= high else (math.nan, math.nan)


def _most(sizes: NDArray[np.float64], ranks: NDArray[np.float64], most: int) -> NDArray[np.float64]:
    """The greatest sums of 0, 1, 2, … ranks of so many rows each."""
    order = np.argsort(-ranks, kind="stable")
    sizes, ranks = np.minimum(sizes[order], most), ranks[order]
    some = np.searchsorted(np.cumsum(sizes), most) + 1
    return np.concatenate(([0.0], np.cumsum(np.repeat(ranks[:some], sizes[:some].astype(np.int64))[:most])))


def if_wrong(
    counts: Counts | ConfusionMatrix | ScoreTable, index: str, labels: int, **parameters: object
) -> tuple[float, float]:
    """The least and the greatest value that an index could have if some labels are wrong.

    Parameters
    ----------
    counts : Counts, ConfusionMatrix or ScoreTable
        One table of two classes, of whole rows.
    index : str
        An index of counts; of a score table "roc_auc" or "gini".
    labels : int
        How many labels may be wrong at most: up to 2,000.
    **parameters
        The index's own.

    Returns
    -------
    tuple of two floats
        Over every table that at most so many wrong labels can make. Where the index is undefined its value by convention
        counts, such as 0 of the MCC; without a convention the table does not. NaN if no table counts.

    Raises
    ------
    rocksteady.InputError
        For several tables, more than two classes, weights that are not whole, and more labels.

    Notes
    -----
    A label that is wrong makes a true positive of a false one, or a true negative of a false one, or the other way round;
    the predictions stay. All tables are tried, so the range is exact. So is that of the areas: for each number of wrong labels
    of either class the rows with the least or the greatest ranks are relabelled.

    >>> import rocksteady as rs
    >>> cm = rs.ConfusionMatrix.from_counts([[91, 16], [14, 79]])
    >>> [round(value, 4) for value in rs.comparison.if_wrong(cm, "recall", labels=5)]
    [0.8061, 0.8977]
    >>> table = rs.ScoreTable([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.5, 0.6, 0.9])
    >>> [round(value, 4) for value in rs.comparison.if_wrong(table, "roc_auc", labels=1)]
    [0.625, 1.0]
    """
    most = whole(labels, "labels", f"a number of labels, 0 to {_MOST:,}", least=0)
    if most > _MOST:
        raise InputError(f"labels is {most}; expected a number of labels, 0 to {_MOST:,}", argument="labels")
    if isinstance(counts, ScoreTable):
        name = _rocksteady.index_name(index)
        if name not in _AREAS:
            raise InputError(
                f"index is {name}; expected roc_auc or gini of a score table, or the counts of at(threshold)",
                argument="index",
            )
        low, high = _areas_if_wrong(counts, most)
        return (low, high) if name == "roc_auc" else (2 * low - 1, 2 * high - 1)
    if isinstance(counts, ConfusionMatrix):
        if len(counts.labels) != 2:
            raise InputError(f"counts has {len(counts.labels)} classes; expected two", argument="counts")
        place = list(counts.labels).index(counts.pos_label)
        each = counts.counts()
        counts = Counts(each.tp[place], each.fp[place], each.fn[place], each.tn[place])
    if not isinstance(counts, Counts):
        raise wrong_type(counts, "counts", "Counts, a ConfusionMatrix or a ScoreTable")
    cells: Any = [counts.tp, counts.fp, counts.fn, counts.tn]
    if np.ndim(cells[0]):
        raise InputError("counts has several tables; expected one", argument="counts")
    tp, fp, fn, tn = map(float, cells)
    if any(cell != math.floor(cell) for cell in (tp, fp, fn, tn)):
        raise InputError("counts has weights; expected whole rows, whose labels are right or wrong", argument="counts")
    called, rest = np.arange(-min(tp, most), min(fp, most) + 1), np.arange(-min(fn, most), min(tn, most) + 1)
    low, high = math.inf, -math.inf
    for some in np.array_split(called, 1 + len(called) * len(rest) // 1_000_000):
        a, b = (each.ravel() for each in np.meshgrid(some, rest))
        near = np.abs(a) + np.abs(b) <= most
        a, b = a[near], b[near]
        values = np.asarray(Counts(tp + a, fp - a, fn + b, tn - b).value(index, **parameters))
        values = values[~np.isnan(values)]
        if len(values):
            low, high = min(low, values.min()), max(high, values.max())
    return (float(low), float(high)) if low <= high else (math.nan, math.nan)
