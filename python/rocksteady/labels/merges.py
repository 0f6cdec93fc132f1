"""Which classes to merge: every pair, the path from all classes to one, and where confusion is no more than chance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import string, whole
from rocksteady.base.result import Result
from rocksteady.base.table import Table
from rocksteady.errors import InputError, UnknownIndexError
from rocksteady.inference.difference import level_of
from rocksteady.registry.registry import index as definition

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocksteady.labels.confusion import ConfusionMatrix

    _Reals = NDArray[np.float64]

_MOST: Final = 500
_MOST_OF_OTHERS: Final = 40  # a step of other indices reads a matrix for each pair
_BLOCK: Final = 4_000_000  # cells of matrices at a time
_TIE: Final = 1e-12
#: Each is a function of a few sums over cells, so that a pair costs as much as a cell.
_OF_SUMS: Final = ("accuracy", "error_rate", "kappa", "mcc", "mutual_information")


@dataclass(frozen=True, eq=False, repr=False)
class Merges(Result):
    """The path of merges from all classes to one: what `ConfusionMatrix.merges` gives.

    Entry *i* is the matrix after *i* merges, entry 0 that of all classes.

    Attributes
    ----------
    classes : numpy.ndarray of int64
        How many classes are left.
    first, second : numpy.ndarray of str
        The two that were merged, by the names of `members`; empty in entry 0.
    confused : numpy.ndarray of int64
        The rows of one of the two that were predicted as the other.
    value : numpy.ndarray of float64
        The index.
    accuracy : numpy.ndarray of float64
    information : numpy.ndarray of float64
        The mutual information of actual and predicted class, in bits.
    p_value : numpy.ndarray of float64
        Whether the two were confused more than chance makes them, times the pairs there were (Bonferroni); NaN in entry 0.
    index : str
        The name of the index.
    pairs : Table
        Every pair of the classes: its confused rows, the index after its merge alone, the accuracy won, the bits of
        information lost, and Holm's p-value. The best merge is first.
    """

    classes: NDArray[np.int64]
    first: NDArray[Any]
    second: NDArray[Any]
    confused: NDArray[np.int64]
    value: NDArray[np.float64]
    accuracy: NDArray[np.float64]
    information: NDArray[np.float64]
    p_value: NDArray[np.float64]
    index: str
    pairs: Table
    _steps: tuple[tuple[int, int], ...]
    _labels: tuple[Any, ...]

    _first: ClassVar[tuple[str, ...]] = ("classes", "first", "second", "value", "accuracy", "information", "p_value")

    def stops_at(self, level: float = 0.95) -> int:
        """How many classes are left before the first merge of two that are not confused more than chance makes them.

        Parameters
        ----------
        level : float
            One less the probability of a merge where all confusion is chance.
        """
        is_chance = self.p_value[1:] > 1 - level_of(level)
        return int(self.classes[int(np.argmax(is_chance)) if is_chance.any() else -1])

    def members(self, classes: int) -> dict[str, list[Any]]:
        """The classes that are merged when so many are left, as `ConfusionMatrix.collapse` takes them.

        Parameters
        ----------
        classes : int
            From 1 to the number of all classes.

        Returns
        -------
        dict of str to list of labels
            All classes; those merged are called by their labels, with " + " between them.

        >>> import rocksteady as rs
        >>> cm = rs.ConfusionMatrix.from_counts([[5, 4, 0], [3, 6, 0], [1, 0, 8]])
        >>> cm.merges().members(2)
        {'0 + 1': [0, 1], '2': [2]}
        """
        most = len(self._labels)
        expected = f"a number of classes, 1 to {most}"
        left = whole(classes, "classes", expected, least=1)
        if left > most:
            raise InputError(f"classes is {left}; expected {expected}", argument="classes")
        groups = [own for own in _members(most, self._steps[: most - left]) if own]
        found = {_name(self._labels, own): [self._labels[place] for place in own] for own in groups}
        if len(found) < left:
            raise InputError("two classes would have one name; expected labels without ' + '", argument="labels")
        return found

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Merges):
            return NotImplemented
        # NaN equals NaN.
        return repr(self.to_dict()) == repr(other.to_dict())

    __hash__ = None

    def to_dict(self) -> dict[str, Any]:
        """All fields by name, arrays as lists."""
        return {name: value for name, value in super().to_dict().items() if not name.startswith("_")}

    def _facts(self) -> list[str]:
        return [f"{self.index} from {len(self)} classes to one", f"confused more than chance down to {self.stops_at()}"]


def _members(classes: int, steps: Sequence[tuple[int, int]]) -> list[list[int]]:
    """The classes that each class has taken in, itself among them; none where it was taken in."""
    found = [[place] for place in range(classes)]
    for first, second in steps:
        found[first] = sorted(found[first] + found[second])
        found[second] = []
    return found


def _name(labels: Sequence[Any], places: Sequence[int]) -> str:
    return " + ".join(str(labels[place]) for place in places)


def merges(matrix: ConfusionMatrix, index: str) -> Merges:
    """The path of merges: see `ConfusionMatrix.merges`."""
    string(index, "index")
    name, classes = _rocksteady.index_name(index), len(matrix.labels)
    if "matrix" not in definition(name).forms:
        raise UnknownIndexError(
            f"index is {name}, of each class; expected one of the whole matrix, such as {', '.join(_OF_SUMS)}",
            argument="index",
        )
    is_of_sums = name in _OF_SUMS
    most = _MOST if is_of_sums else _MOST_OF_OTHERS
    if not 2 <= classes <= most:
        others = "" if is_of_sums else f" for {name} ({', '.join(_OF_SUMS)} take {_MOST}; collapse puts some together)"
        raise InputError(f"there are {classes} classes; expected 2 to {most}{others}", argument="index")
    given = matrix.to_array()
    if matrix.weight_kind == "sampling" or (given != np.floor(given)).any():
        raise InputError("the matrix has weights; expected whole rows", argument="sample_weight")
    cells = np.array([[int(count) for count in row] for row in given.tolist()], object)
    rows = int(cells.sum())
    if not rows:
        raise InputError("the matrix has no rows; expected some", argument="y_true")
    # Products of two sums of rows fit 64 bits, or are whole numbers of Python.
    cells = cells.astype(np.int64) if rows < 2**31 else cells
    matrix.value(name)  # refuses what is no index of a whole matrix
    labels = tuple(matrix.labels)
    path = _Path(cells, rows, name)
    places, members = list(range(classes)), [[place] for place in range(classes)]
    steps: list[tuple[int, int]] = []
    found: list[tuple[Any, ...]] = [(classes, "", "", 0, *path.values(), math.nan)]
    while len(places) > 1:
        one, two = path.best()
        confused, p_value = int(path.confused[one, two]), path.p_value(one, two)
        first, second = places[one], places.pop(two)
        names = [_name(labels, members[place]) for place in (first, second)]
        members[first] = sorted(members[first] + members[second])
        steps.append((first, second))
        path.merge(one, two)
        found.append((len(places), *names, confused, *path.values(), p_value))
    columns: list[Any] = [np.array(column) for column in zip(*found, strict=True)]
    names_of_pairs = ("first", "second", "confused", "value", "accuracy_won", "information_lost", "p_value")

    def pairs() -> list[tuple[Any, ...]]:
        return _Path(cells, rows, name).pairs([str(label) for label in labels])

    table = Table._later(list(names_of_pairs), pairs)
    own = dict(zip(Merges.__dataclass_fields__, columns, strict=False))
    return Merges(**own, index=name, pairs=table, _steps=tuple(steps), _labels=labels)


class _Path:
    """A matrix on its way from all classes to one."""

    def __init__(self, cells: NDArray[Any], rows: int, name: str) -> None:
        self.cells, self.rows, self.name, self.is_of_sums = cells, rows, name, name in _OF_SUMS
        self.sign = -1.0 if _rocksteady.index_is_loss(name) else 1.0
        self.information = _Information(cells) if name == "mutual_information" else None
        self._sums()

    def _sums(self) -> None:
        self.confused = self.cells + self.cells.T
        self.actual, self.called = self.cells.sum(axis=1), self.cells.sum(axis=0)
        self.right = int(np.trace(self.cells))
        margins = [[int(count) for count in margin] for margin in (self.actual, self.called)]
        squares = (sum(count * count for count in margin) for margin in margins)
        #: Of right rows, of the products of both margins, and of the squares of each.
        self.sums = [self.right, sum(a * c for a, c in zip(*margins, strict=True)), *squares]
        self.upper = np.triu_indices(len(self.cells), 1)

    def values(self) -> tuple[float, float, float]:
        """The index, the accuracy and the information."""
        stack, both = self.cells.astype(np.uint64)[None], []
        for name in (self.name, "mutual_information"):
            try:
                both.append(float(_rocksteady.evaluate_matrices(stack, name, {})[0]))
            except (InputError, UnknownIndexError):  # of one class
                both.append(math.nan)
        return both[0], self.right / self.rows, both[1]

    def merge(self, one: int, two: int) -> None:
        if self.information is not None:
            self.information.merge(one, two)
        self.cells = _merged(self.cells, one, two)
        self._sums()

    def best(self) -> tuple[int, int]:
        """The pair with the best index after its merge; of equals the first."""
        values = self.sign * self.after()
        values = np.where(np.isnan(values), -math.inf, values)
        greatest = values.max()
        near = np.flatnonzero(
            values >= greatest - _TIE * max(1.0, abs(greatest)) if greatest > -math.inf else values == greatest
        )
        place = near[0]
        if self.is_of_sums and self.name in ("kappa", "mcc") and len(near) > 1 and greatest > -math.inf:
            sums = np.stack([each[self.upper][near] for each in self.changes()], axis=1)
            first: dict[tuple[int, ...], int] = {}
            for at, some in zip(near.tolist(), sums.tolist(), strict=True):
                first.setdefault(tuple(some), at)
            place = max(first.items(), key=lambda item: (self.exact(item[0]), -item[1]))[1]
        return int(self.upper[0][place]), int(self.upper[1][place])

    def changes(self) -> list[NDArray[Any]]:
        """What the merge of each pair adds to `sums`."""
        crossed = np.multiply.outer(self.actual, self.called)
        found = [self.confused, crossed + crossed.T]
        if self.name == "mcc":
            found += [2 * np.multiply.outer(margin, margin) for margin in (self.actual, self.called)]
        return found

    def exact(self, changes: Sequence[int]) -> Fraction:
        """What orders pairs as the index does."""
        right, chance, *squares = (now + change for now, change in zip(self.sums, changes, strict=False))
        whole = self.rows**2
        if not squares:
            return Fraction(self.rows * right - chance, whole - chance)
        ahead = self.rows * right - chance
        return Fraction(ahead * abs(ahead), (whole - squares[0]) * (whole - squares[1]))

    def after(self) -> _Reals:
        """The index after the merge of each pair of classes."""
        if not self.is_of_sums:
            return self.others()
        if self.information is not None:
            lost: _Reals = self.information.lost()[self.upper]
            return -lost
        if self.name in ("accuracy", "error_rate"):
            return np.asarray(self.sign * self.confused[self.upper], np.float64)
        whole = float(self.rows) ** 2
        each = [
            sum_ + change[self.upper].astype(np.float64)
            for sum_, change in zip(self.sums, self.changes(), strict=False)
        ]
        ahead = self.rows * each[0] - each[1]
        with np.errstate(divide="ignore", invalid="ignore"):
            squares = whole - each[1] if self.name == "kappa" else np.sqrt((whole - each[2]) * (whole - each[3]))
            return np.asarray(ahead / squares, np.float64)

    def others(self) -> _Reals:
        """Any other index, by a matrix for each pair."""
        size, pairs = len(self.cells), len(self.upper[0])
        found = np.full(pairs, math.nan)
        if size == 2:
            return found
        cells = self.cells.astype(np.uint64)
        for some in np.array_split(np.arange(pairs), 1 + pairs * size**2 // _BLOCK):
            stack = np.stack([_merged(cells, self.upper[0][at], self.upper[1][at]) for at in some])
            found[some] = _rocksteady.evaluate_matrices(stack, self.name, {})
        return found

    def p_value(self, one: int, two: int) -> float:
        return min(1.0, self.tail(one, two) * len(self.upper[0]))

    def tail(self, one: int, two: int) -> float:
        """The probability that chance confuses two classes at least so often, by their margins."""
        wrong, confused = self.rows - self.right, int(self.confused[one, two])
        if not confused:
            return 1.0
        margins = [int(self.actual[one]), int(self.called[two]), int(self.actual[two]), int(self.called[one])]
        pair = margins[0] * margins[1] + margins[2] * margins[3]
        share = pair / (self.rows**2 - self.sums[1])
        return float(_rocksteady.beta_cdf(confused, wrong - confused + 1, share)) if share < 1 else 1.0

    def pairs(self, labels: list[str]) -> list[tuple[Any, ...]]:
        """A row for each pair, the best first."""
        one, two = self.upper
        tails = [self.tail(*pair) for pair in zip(one.tolist(), two.tolist(), strict=True)]
        confused = self.confused[self.upper]
        lost = (self.information or _Information(self.cells)).lost()[self.upper] / self.rows
        value = self.after()
        if self.is_of_sums:
            value = {"accuracy": self.right + value, "error_rate": self.rows - self.right + value}.get(self.name, value)
            value = value / self.rows if self.name in ("accuracy", "error_rate") else value
            value = self.values()[0] - lost if self.information is not None else value
        order = np.argsort(np.where(np.isnan(value), math.inf, -self.sign * value), kind="stable")
        adjusted = _rocksteady.adjusted_p_values(np.array(tails, np.float64), "holm")
        names = np.array(labels, object)
        columns = (names[one], names[two], confused, value, confused / self.rows, lost, adjusted)
        return list(zip(*(column[order].tolist() for column in columns), strict=True))


def _merged(cells: NDArray[Any], one: int, two: int) -> NDArray[Any]:
    """The cells with the second class put into the first."""
    found = cells.copy()
    found[one] += found[two]
    found[:, one] += found[:, two]
    return np.delete(np.delete(found, two, axis=0), two, axis=1)


def _entropic(count: Any) -> Any:
    """A count times its logarithm."""
    return count * np.log2(np.maximum(count, 1.0))


class _Information:
    """How many bits, times the rows, each merge costs: sums over rows and columns of cells, kept while classes merge."""

    def __init__(self, cells: NDArray[Any]) -> None:
        self.cells = cells.astype(np.float64)
        #: For each two actual classes, and each two predicted ones, the sum over the cells of both put together.
        self.sums = [
            np.stack([_entropic(own + side).sum(axis=1) for own in side]) for side in (self.cells, self.cells.T)
        ]

    def merge(self, one: int, two: int) -> None:
        merged = _merged(self.cells, one, two)
        kept = np.delete(np.arange(len(self.cells)), two)
        for place, (old, new) in enumerate(((self.cells, merged), (self.cells.T, merged.T))):
            sums = self.sums[place][np.ix_(kept, kept)]
            for sign, column in ((-1, old[kept, one]), (-1, old[kept, two]), (1, new[:, one])):
                sums += sign * _entropic(np.add.outer(column, column))
            sums[one] = sums[:, one] = _entropic(new[one] + new).sum(axis=1)
            self.sums[place] = sums
        self.cells = merged

    def lost(self) -> _Reals:
        cells = self.cells
        each, own = _entropic(cells), np.diag(cells)
        rows, columns = each.sum(axis=1), each.sum(axis=0)
        diagonal = np.diag(each)
        block = diagonal[:, None] + diagonal + each + each.T
        found = np.add.outer(rows, rows) + np.add.outer(columns, columns) - block
        # The sums hold cells that the other side of the pair takes in as well.
        called, actual = _entropic(own + cells), _entropic(own + cells.T)
        found -= self.sums[0] + self.sums[1] - called - called.T - actual - actual.T
        found -= _entropic(own[:, None] + own + cells + cells.T)
        for margin in (cells.sum(axis=1), cells.sum(axis=0)):
            each = _entropic(margin)
            found += _entropic(np.add.outer(margin, margin)) - np.add.outer(each, each)
        return np.asarray(found)
