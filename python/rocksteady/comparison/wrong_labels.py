"""What wrong labels could do: the least number that turns a verdict, and the range of an index after some of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import whole, wrong_type
from rocksteady.base.record import Record
from rocksteady.base.table import class_named, number
from rocksteady.errors import InputError
from rocksteady.inference.paired_labels import PairTable
from rocksteady.labels.confusion import ConfusionMatrix
from rocksteady.labels.counts import Counts

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Each row that is right in the better model alone, and is relabelled, closes the gap by two.
_OF_ROWS: Final = ("accuracy", "error_rate")
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
    """

    index: str
    better: str
    worse: str
    better_value: float
    worse_value: float
    rows: int
    all_rows: int
    is_exact: bool

    def __repr__(self) -> str:
        better, worse = class_named(self.better), class_named(self.worse)
        values = f"{number(self.better_value, 3)} against {number(self.worse_value, 3)}"
        if self.is_exact and not self.rows:
            return f"{self.index} of {better} and of {worse} are equal: {values}."
        labels = f"{self.rows} of {self.all_rows} labels ({number(100 * self.rows / self.all_rows, 2)} %)"
        turned = f"{labels}, if just these are wrong, turn that." if self.is_exact else f"No {labels} turn that."
        return f"{self.index} of {better} is better than that of {worse}: {values}.\n{turned}"


def fragility(table: PairTable, index: str = "accuracy", *, most: int = 40, **parameters: object) -> Fragility:
    """Count the labels that must be wrong before the better of two models is no longer better.

    Parameters
    ----------
    table : PairTable
        Of ``compare_labels(...).pairs["new", "old"]``: whole rows, and for other indices than accuracy and error_rate two
        classes.
    index : str
        An index of counts.
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
    if name in _OF_ROWS:
        _, first, second, neither = table.agreement
        wrong = second + neither, first + neither
        values = [(part if name == "error_rate" else rows - part) / rows if rows else math.nan for part in wrong]
        is_first, least, is_exact = first >= second, math.ceil(abs(first - second) / 2), True
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
        found = (labels for labels in range(tried + 1) if cells.are_turned(now + _moves(labels), is_first))
        least = next(found, -1)
        is_exact = least >= 0
        least = least if is_exact else min(tried, rows)
    models = list(zip((table.first, table.second), values, strict=True))
    (better, high), (worse, low) = models if is_first else models[::-1]
    return Fragility(name, better, worse, high, low, least, rows, is_exact)


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

    def are_turned(self, positives: NDArray[np.float64], is_first: bool) -> bool:
        """Whether the first, or the second, model is no longer better in one of these tables."""
        there = positives[((positives >= 0) & (positives <= self.sizes)).all(axis=1)]
        ahead = self.ahead(there) if is_first else -self.ahead(there)
        return bool((ahead <= _SLACK).any())


def _moves(labels: int) -> NDArray[np.float64]:
    """All ways in which so many labels change the numbers of positives of four cells."""
    a, b, c = np.indices((labels + 1,) * 3).reshape(3, -1)
    some = a + b + c <= labels
    sizes = np.stack([a[some], b[some], c[some], labels - (a + b + c)[some]], axis=1)
    signs = np.array(np.meshgrid(*[[1, -1]] * 4)).reshape(4, -1).T
    found: NDArray[np.float64] = (sizes[:, None] * signs).reshape(-1, 4).astype(np.float64)  # some of them twice
    return found


def if_wrong(counts: Counts | ConfusionMatrix, index: str, labels: int, **parameters: object) -> tuple[float, float]:
    """The least and the greatest value that an index could have if some labels are wrong.

    Parameters
    ----------
    counts : Counts or ConfusionMatrix
        One table of two classes, of whole rows.
    index : str
        An index of counts.
    labels : int
        How many labels may be wrong at most: up to 2,000.
    **parameters
        The index's own.

    Returns
    -------
    tuple of two floats
        Over every table that at most so many wrong labels can make; where the index is undefined the table does not
        count. NaN if it is nowhere defined.

    Raises
    ------
    rocksteady.InputError
        For several tables, more than two classes, weights that are not whole, and more labels.

    Notes
    -----
    A label that is wrong makes a true positive of a false one, or a true negative of a false one, or the other way round;
    the predictions stay. All tables are tried, so the range is exact.

    >>> import rocksteady as rs
    >>> cm = rs.ConfusionMatrix.from_counts([[91, 16], [14, 79]])
    >>> [round(value, 4) for value in rs.comparison.if_wrong(cm, "recall", labels=5)]
    [0.8061, 0.8977]
    """
    if isinstance(counts, ConfusionMatrix):
        if len(counts.labels) != 2:
            raise InputError(f"counts has {len(counts.labels)} classes; expected two", argument="counts")
        place = list(counts.labels).index(counts.pos_label)
        each = counts.counts()
        counts = Counts(each.tp[place], each.fp[place], each.fn[place], each.tn[place])
    if not isinstance(counts, Counts):
        raise wrong_type(counts, "counts", "Counts or a ConfusionMatrix")
    most = whole(labels, "labels", f"a number of labels, 0 to {_MOST:,}", least=0)
    if most > _MOST:
        raise InputError(f"labels is {most}; expected a number of labels, 0 to {_MOST:,}", argument="labels")
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
