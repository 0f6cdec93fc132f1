"""Why an index changed: its difference between two sets of rows in groups, as an exact sum of parts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import string, wrong_type, wrong_value
from rocksteady.base.result import Result
from rocksteady.base.table import Table, number
from rocksteady.base.ways_out import beside, items_of
from rocksteady.errors import InputError, UnknownIndexError
from rocksteady.groups.groups import Groups
from rocksteady.inference.difference import level_of, quantile_of
from rocksteady.labels.confusion import ConfusionMatrix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import NDArray

    from rocksteady.scores.score_table import ScoreTable

    _Reals = NDArray[np.float64]
    _Places = NDArray[np.int64]

_MOST_GROUPS: Final = 1_000
_MOST_CLASSES: Final = 40
_BITS: Final = 900  # of a cell: doubles end at 1,024
_STEP: Final = 1e-4  # of the smallest class: what a slope is measured over
_OVERFIT: Final = 0.5  # standard errors
_BLOCK: Final = 4_000_000  # cells of matrices at a time
#: Which set of rows the sizes of groups, the classes within them, and what they are called come from: 0 before, 1 after.
_State = tuple[int, ...]
_STATES: Final = tuple(product((0, 1), repeat=3))


@dataclass(frozen=True, eq=False, repr=False)
class ExplainedChange(Result):
    """The parts of a change: what `explain_change` gives.

    Attributes
    ----------
    part : numpy.ndarray of str
        "mix", "prevalence" and "within"; of the area under the ROC curve also "across"; of losses "calibration" and
        "discrimination" instead. See `explain_change`.
    value : numpy.ndarray of float64
        By how much each part changed the index, in its units. Their sum is `change`.
    low, high : numpy.ndarray of float64
        The bounds of the interval of each part.
    standard_error : numpy.ndarray of float64
        Of each part.
    index : str
        The name of the index.
    before, after, change : float
        Its two values, and `after` less `before`.
    level : float
        The confidence level.
    exact : tuple of fractions.Fraction
        The parts without rounding. They add up to the difference of the exact values; where a value is no fraction, of
        the values as they are rounded. Of scores, more than 2**53 rows of a class in a group are rounded first.
    by_group : Table
        For each group its keys, its shares of the rows before and after, and what it has of each part.
    note : str or None
        What speaks against the parts: groups that only one set has, whose rows are mix; why parts of a loss have no intervals.
    """

    part: NDArray[Any]
    value: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    standard_error: NDArray[np.float64]
    index: str
    before: float
    after: float
    change: float
    level: float
    exact: tuple[Fraction, ...]
    by_group: Table
    note: str | None = None

    _first: ClassVar[tuple[str, ...]] = ("part", "value", "low", "high")

    def __getitem__(self, part: str) -> float:
        """The value of one part."""
        names = self.part.tolist()
        if part not in names:
            raise wrong_value(part, "part", f"one of {names}")
        return float(self.value[names.index(part)])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ExplainedChange):
            return NotImplemented
        # NaN equals NaN.
        return repr(self.to_dict()) == repr(other.to_dict())

    __hash__ = None

    def _facts(self) -> list[str]:
        values = f"{self.index} {number(self.before, 4)} before, {number(self.after, 4)} after"
        note = [self.note] if self.note else []
        return [values, f"change {number(self.change, 4)}", f"intervals at {number(100 * self.level)} %", *note]


def explain_change(
    before: Groups, after: Groups, index: str, *, level: float = 0.95, **parameters: Any
) -> ExplainedChange:
    """Split the difference of an index between two sets of rows into parts that add up to it exactly.

    Parameters
    ----------
    before, after : Groups
        The statistics by group of both sets: of two periods, or two regions. Whole rows, with the same names of keys, up
        to 1,000 groups in all.
    index : str
        "roc_auc", "brier" or "log_loss", where there are scores; or an index of counts or of a whole matrix, up to 40
        classes, that does not grow with the number of rows.
    level : float
        The confidence level of the intervals.
    **parameters
        The index's own, and `average` as in `ConfusionMatrix.value`.

    Returns
    -------
    ExplainedChange
        The parts are

        - "mix": groups have other shares of the rows;
        - "prevalence": within groups, actual classes have other shares;
        - "within": rows of an actual class in a group are predicted otherwise; of "roc_auc", they are ranked otherwise
          against rows of their own group;
        - "across", of "roc_auc" alone: they are ranked otherwise against rows of other groups;
        - "calibration" and "discrimination", of losses in place of "within": the changes within groups of what isotonic
          recalibration would gain, and of how far the scores then tell the classes apart, which lowers the loss. Their
          "prevalence" is the change of the loss that the prevalence alone leaves.

    Raises
    ------
    rocksteady.InputError
        For weights, too many groups or classes, an index that grows with the number of rows, and one that is undefined in
        between.
    rocksteady.UnknownIndexError
        If there is no such index, or it has no parts here.

    Notes
    -----
    The rows are fixed by the shares of the groups, the shares of the classes in each group, and the shares of the
    predicted classes, or of the scores, of each class in each group. Each of these is exchanged, from before to after,
    in every order. A part is the mean of the changes that its exchange makes (the Shapley value: Shorrocks 2013,
    doi:10.1007/s10888-011-9214-z). A group, or a class in it, that has no rows in one of the two sets is taken there
    as it is in the other, so that its coming and going is mix or prevalence.

    Intervals follow from the slope of each part over the rows (the delta method). Both sets, and the rows in them, are
    taken to be independent: not two models on the same rows. In simulations of three groups with 300 or 3,000 rows on either
    side, intervals at 95 % covered 94 to 97 %; of calibration and discrimination 89 to 99 %. Isotonic recalibration gains
    something by chance, more in small groups. Where that could move the calibration by half its standard error, it has no
    interval, nor has the discrimination.

    The parts of a group in `by_group` follow from the mean slope at both ends of an exchange; where the index is no mean, what
    that leaves is divided by the shares of the rows.

    >>> import rocksteady as rs
    >>> department, admitted = ["A", "A", "F", "F"], [1, 0, 1, 0]
    >>> men, women = (
    ...     rs.group_by([0] * 4, admitted, by={"department": department}, labels=[0, 1], sample_weight=applicants)
    ...     for applicants in ([512, 313, 22, 351], [89, 19, 24, 317])
    ... )
    >>> found = rs.comparison.explain_change(men, women, "selection_rate")
    >>> found
    rpp 0.4457 before, 0.2517 after; change -0.1941; intervals at 95 %
       part            value        low       high  standard_error
    0  mix         -0.294706  -0.331488  -0.257923        0.018767
    1  prevalence          0          0          0               0
    2  within       0.100633  0.0588529   0.142413       0.0213168
    >>> sum(found.exact) == women.matrix().exact("selection_rate") - men.matrix().exact("selection_rate")
    True
    """
    string(index, "index")
    used = level_of(level)
    both = _both(before, after)
    name = _rocksteady.index_name(index)
    sides, places = (before, after), [[both.place(key) for key in _keys(each)] for each in (before, after)]
    form = both._form(name, "average" in parameters)
    if form == "scores" and name in _LOSSES and not parameters:
        split = _of_loss(both, sides, places, name)
    elif form == "scores":
        if name != "roc_auc" or parameters:
            raise UnknownIndexError(
                f"{name} has no parts here; expected roc_auc, brier or log_loss, without parameters, or an index of counts",
                argument="index",
            )
        rows = _scored(both, sides, places)
        split = _of_terms(rows, _Pairs(rows).terms())
    else:
        if before.threshold != after.threshold:
            used_of = f"{before.threshold} in one, {after.threshold} in the other"
            raise InputError(
                f"threshold is {used_of}; expected group_by(threshold=) with one for both", argument="after"
            )
        own = both._in_order(form, parameters)
        term = _Matrices(*_called(both, sides, places), name, parameters, own, is_of_two=form == "tables")
        split = _of_terms(term.rows, [_Term("within", term.value, term.slope)])
    value = np.array([float(part) for part in split.parts.values()])
    error = np.array(list(split.errors.values()))
    error[error <= 1e-12 * np.fmax.reduce(error)] = 0.0  # rounding, where a part cannot change
    reach = quantile_of(used) * error
    low, high = split.ends
    return ExplainedChange(
        np.array(list(split.parts)),
        value,
        value - reach,
        value + reach,
        error,
        name,
        float(low),
        float(high),
        float(high - low),
        used,
        tuple(split.parts.values()),
        _by_group(both, split.shares, split.of_groups),
        "; ".join(filter(None, (_only_one(places), split.note))) or None,
    )


class _Split(NamedTuple):
    """The parts, their standard errors, what each group has of them, the values before and after, and groups' shares."""

    parts: dict[str, Fraction]
    errors: dict[str, float]
    of_groups: dict[str, _Reals]
    ends: tuple[Fraction, Fraction]
    shares: _Reals
    note: str | None = None


def _of_terms(rows: _Rows, terms: list[_Term]) -> _Split:
    parts: dict[str, Fraction] = {}
    influences: dict[str, list[_Influence]] = {}  # of the rows of both sets
    of_groups: dict[str, _Reals] = {}
    ends = [Fraction(0), Fraction(0)]
    for term in terms:
        values = {state: term.value(state) for state in _STATES}
        ends = [ends[0] + values[0, 0, 0], ends[1] + values[1, 1, 1]]
        exchanges = {part: _exchanges(factor) for factor, part in enumerate(("mix", "prevalence", term.name))}
        sums: dict[_State, _Reals] = {}
        for part in exchanges:
            influences.setdefault(part, [_Influence(rows, side) for side in (0, 1)])
        for state in _STATES:
            slope = term.slope(state)
            sums[state] = np.array([rows.sums_by_kind(slope * shares) for shares in rows.cell_shares])
            for side in (0, 1):
                of_kind, scale = rows.influence(state, sums[state][state[2]], side)
                cells = rows.there[side]
                of_cell = scale[rows.kind[cells]] * slope[cells] if scale.any() else None
                for part, steps in exchanges.items():
                    share = float(sum(((state == high) - (state == low)) * weight for low, high, weight in steps))
                    influences[part][side].add(share, of_kind, of_cell)
        for part, steps in exchanges.items():
            own = of_groups.setdefault(part, np.zeros(rows.groups))
            for low, high, weight in steps:
                parts[part] = parts.get(part, Fraction(0)) + weight * (values[high] - values[low])
                slopes = (sums[low] + sums[high]) / 2
                moved = rows.masses_of_kind(high) * slopes[high[2]] - rows.masses_of_kind(low) * slopes[low[2]]
                first = moved.reshape(rows.groups, -1).sum(axis=1)
                left = float(values[high] - values[low]) - first.sum()
                own += float(weight) * (first + left * rows.group_shares.mean(axis=0))
    errors = {part: math.sqrt(sum(each.variance() for each in both)) for part, both in influences.items()}
    return _Split(parts, errors, of_groups, (ends[0], ends[1]), rows.group_shares)


def _exchanges(place: int) -> Iterable[tuple[_State, _State, Fraction]]:
    """The states before and after the exchange of one of three factors, and the share of the orders that have both."""
    found: dict[tuple[_State, _State], int] = {}
    for order in permutations(range(3)):
        earlier = order[: order.index(place)]
        low = tuple(int(factor in earlier) for factor in range(3))
        high = tuple(int(factor in earlier or factor == place) for factor in range(3))
        found[low, high] = found.get((low, high), 0) + 1
    return [(low, high, Fraction(times, 6)) for (low, high), times in found.items()]


def _both(before: Groups, after: Groups) -> Groups:
    """All groups of both sets."""
    for groups, argument in ((before, "before"), (after, "after")):
        if not isinstance(groups, Groups):
            raise wrong_type(groups, argument, "Groups, of group_by")
        if groups.rows == 0:
            raise InputError(f"{argument} has no rows; expected some", argument=argument)
        if groups.weight_kind == "sampling":
            raise InputError(f"{argument} has sampling weights; expected whole rows", argument=argument)
    try:
        both = before + after
    except InputError as error:
        said = str(error).removeprefix("cannot add: ")
        raise InputError(f"before and after differ: {said}", argument="after") from None
    if len(both) > _MOST_GROUPS:
        raise InputError(
            f"before and after have {len(both):,} groups; expected up to {_MOST_GROUPS:,} (over() makes coarser ones)",
            argument="before",
        )
    return both


def _only_one(places: list[list[int]]) -> str | None:
    """How many groups only one set has."""
    first, second = map(set, places)
    only = [f"{len(own)} only {when}" for own, when in ((first - second, "before"), (second - first, "after")) if own]
    return f"groups that are there {' and '.join(only)} count as mix" if only else None


def _keys(groups: Groups) -> list[tuple[Any, ...]]:
    """The key of each group."""
    return list(zip(*groups.keys.values(), strict=True)) if groups.names else [()] * len(groups)


def _by_group(both: Groups, shares: _Reals, parts: Mapping[str, _Reals]) -> Table:
    columns = beside(both.keys, {"share_before": shares[0], "share_after": shares[1], **parts})
    return Table(list(columns), list(zip(*map(items_of, columns.values()), strict=True)))


class _Term(NamedTuple):
    """What an index is a sum of: its last factor, and in a state its value and its slopes over the masses of the cells."""

    name: str
    value: Callable[[_State], Fraction]
    slope: Callable[[_State], _Reals]


class _Rows:
    """The rows of both sets in cells: a group, an actual class, and a predicted class or a score."""

    def __init__(
        self, group: _Places, actual: _Places, called: _Places, counts: NDArray[Any], sizes: tuple[int, int]
    ) -> None:
        self.group, self.actual, self.called, self.counts = group, actual, called, counts
        self.groups, self.classes = sizes
        self.kind = group * self.classes + actual
        #: The rows of each group, and of each actual class in it.
        self.by_kind = np.array([_summed(self.kind, each, self.groups * self.classes) for each in counts])
        self.by_group = self.by_kind.reshape(2, *sizes).sum(axis=2)
        self.there = [np.flatnonzero(each > 0) for each in counts]
        # Where there are no rows, the shares are those of the other set.
        self.side_of_group = np.array([np.where(self.by_group[side] > 0, side, 1 - side) for side in (0, 1)])
        self.side_of_kind = np.array([np.where(self.by_kind[side] > 0, side, 1 - side) for side in (0, 1)])
        self.group_shares = self.by_group.astype(float) / self.by_group.sum(axis=1, dtype=float)[:, None]
        own = np.arange(self.groups)
        with np.errstate(invalid="ignore"):
            of_kind = self.by_kind.astype(float).reshape(2, *sizes) / self.by_group.astype(float)[:, :, None]
            of_cell = counts.astype(float) / self.by_kind.astype(float)[:, self.kind]
        self.class_shares = np.array([of_kind[sides, own].ravel() for sides in self.side_of_group])
        cells = np.arange(len(group))
        self.cell_shares = np.array([of_cell[sides[self.kind], cells] for sides in self.side_of_kind])

    def masses_of_kind(self, state: _State) -> _Reals:
        """The share of all rows in each actual class of each group."""
        found: _Reals = np.repeat(self.group_shares[state[0]], self.classes) * self.class_shares[state[1]]
        return found

    def masses(self, state: _State) -> _Reals:
        """The share of all rows in each cell."""
        found: _Reals = self.masses_of_kind(state)[self.kind] * self.cell_shares[state[2]]
        return found

    def sums_by_kind(self, values: _Reals) -> _Reals:
        found: Any = np.bincount(self.kind, values, self.groups * self.classes)
        return np.asarray(found, np.float64)

    def exact_of_kind(self, state: _State) -> list[Fraction]:
        """The share of all rows in each actual class of each group."""
        mix, prevalence, _ = state
        total = int(self.by_group[mix].sum())
        found = []
        for kind, side in enumerate(np.repeat(self.side_of_group[prevalence], self.classes).tolist()):
            group = kind // self.classes
            rows = int(self.by_group[mix][group]) * int(self.by_kind[side][kind])
            found.append(Fraction(rows, total * int(self.by_group[side][group])))
        return found

    def influence(self, state: _State, of_kind: _Reals, side: int) -> tuple[_Reals, _Reals]:
        """How one row more of one set changes a value, times the rows of the set: for each kind, and by how much its slope."""
        mix, prevalence, within = state
        of_group = (of_kind * self.class_shares[prevalence]).reshape(self.groups, -1).sum(axis=1)
        shares = self.group_shares[side]
        found = np.zeros((self.groups, self.classes))
        if mix == side:
            found += (of_group - of_group @ shares)[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = self.group_shares[mix] / shares
            own = np.where(self.side_of_group[prevalence] == side, scale, 0.0)[:, None]
            found += np.where(own > 0, own * (of_kind.reshape(found.shape) - of_group[:, None]), 0.0)
            scale = np.repeat(scale, self.classes) * self.class_shares[prevalence] / self.class_shares[side]
        scale = np.where((self.side_of_kind[within] == side) & (scale > 0), scale, 0.0)
        return found.ravel() - scale * of_kind, scale


class _Influence:
    """How one row more of one set changes a part, times the rows of the set."""

    def __init__(self, rows: _Rows, side: int) -> None:
        self.rows, self.side = rows, side
        self.of_kind, self.of_cell = np.zeros(rows.groups * rows.classes), np.zeros(len(rows.there[side]))

    def add(self, share: float, of_kind: _Reals, of_cell: _Reals | None) -> None:
        if share:
            self.of_kind += share * of_kind
            if of_cell is not None:
                self.of_cell += share * of_cell

    def variance(self) -> float:
        there = self.rows.there[self.side]
        counts = self.rows.counts[self.side][there].astype(float)
        influence = self.of_kind[self.rows.kind[there]] + self.of_cell
        return float(counts @ influence**2 / counts.sum() ** 2)


def _summed(place: _Places, counts: NDArray[Any], size: int) -> NDArray[Any]:
    """Sums of whole numbers by place, exactly."""
    found = np.zeros(size, counts.dtype)
    np.add.at(found, place, counts)
    return found


def _called(both: Groups, sides: tuple[Groups, Groups], places: list[list[int]]) -> tuple[_Rows, ConfusionMatrix]:
    """The rows by actual and predicted class, and a matrix of all classes."""
    first = both.matrix(_keys(both)[0])
    if len(first.labels) > _MOST_CLASSES:
        raise InputError(f"there are {len(first.labels)} classes; expected up to {_MOST_CLASSES}", argument="before")
    codes = {label: code for code, label in enumerate(first.labels)}
    found = []
    for side, groups in enumerate(sides):
        for key, place in zip(_keys(groups), places[side], strict=True):
            matrix = groups.matrix(key)
            own = np.array([codes[label] for label in matrix.labels])
            actual, called, counts = matrix._state.cells()
            found.append((side, place, own[actual], own[called], counts))
    return _gathered(found, (len(both), len(codes))), first


def _scored(both: Groups, sides: tuple[Groups, Groups], places: list[list[int]]) -> _Rows:
    """The rows by actual class and score."""
    found: list[tuple[Any, ...]] = []
    for side, groups in enumerate(sides):
        for key, place in zip(_keys(groups), places[side], strict=True):
            table = groups.score_table(key)
            each, scores = table.counts(), table.thresholds[1:]
            if any(score != score for score in (*scores[:1], *scores[-1:])):
                raise InputError("before or after has missing scores that are ranked; expected none", argument="before")
            for actual, column in ((1, each.tp), (0, each.fp)):
                found.append((side, place, np.full(len(scores), actual), scores, np.diff(column)))
    called = np.unique(np.concatenate([part[3] for part in found]), return_inverse=True)[1].ravel()
    ends = np.cumsum([0, *(len(part[3]) for part in found)])
    scored = [(*part[:3], called[begin:end], part[4]) for part, begin, end in zip(found, ends, ends[1:], strict=False)]
    return _gathered(scored, (len(both), 2))


def _gathered(found: list[tuple[Any, ...]], sizes: tuple[int, int]) -> _Rows:
    """Cells of both sets, in the order of what they are called: a side, a group, actual classes, what for, and counts."""
    actual, called, counts = (np.concatenate([part[place] for part in found]) for place in (2, 3, 4))
    if counts.dtype.kind == "f" and (counts != np.floor(counts)).any():
        raise InputError("before or after has weights; expected whole rows", argument="before")
    lengths = [len(part[2]) for part in found]
    side, group = (np.repeat([part[place] for part in found], lengths) for place in (0, 1))
    some = counts > 0
    cell = ((called.astype(np.int64) * sizes[0] + group) * sizes[1] + actual)[some]
    cells, which = np.unique(cell, return_inverse=True)
    kind = cells % (sizes[0] * sizes[1])
    each = np.zeros((2, len(cells)), np.int64)
    each[side[some], which.ravel()] = counts[some].astype(np.int64)
    # Sums of rows fit 64 bits, or are whole numbers of Python.
    each = each if counts.sum(dtype=float) < 2**62 else each.astype(object)
    return _Rows(kind // sizes[1], kind % sizes[1], cells // (sizes[0] * sizes[1]), each, sizes)


class _Matrices:
    """An index of the whole matrix, or of its positive class."""

    def __init__(
        self,
        rows: _Rows,
        first: ConfusionMatrix,
        name: str,
        parameters: dict[str, Any],
        own: dict[str, Any],
        *,
        is_of_two: bool,
    ) -> None:
        self.rows, self.name, self.parameters, self.own, self.is_of_two = rows, name, parameters, own, is_of_two
        self.labels, self.positive = list(first.labels), first.pos_label
        sizes = rows.counts.astype(float).sum(axis=1)
        cells = np.bincount(rows.actual * rows.classes + rows.called, rows.counts[0].astype(float), rows.classes**2)
        one, two = (self.matrix([factor * int(each) for each in cells]).value(name, **parameters) for factor in (1, 2))
        if abs(one - two) > 1e-9 * abs(one):
            raise InputError(
                f"{name} grows with the number of rows, {sizes[0]:g} before and {sizes[1]:g} after; expected an index "
                "that does not, such as accuracy",
                argument="index",
            )

    def matrix(self, cells: list[int]) -> ConfusionMatrix:
        """The matrix of whole numbers of any size, or of a power of two times these: sums of doubles are exact."""
        kinds = [(place // self.rows.classes, place % self.rows.classes) for place in range(len(cells))]
        given: list[tuple[int, int, Any]]
        if sum(cells) < 2**63:
            given = [(*kind, count) for kind, count in zip(kinds, cells, strict=True)]
        else:
            given = [
                (*kind, math.ldexp(count >> shift & (2**53 - 1), shift - _BITS))
                for kind, count in zip(kinds, cells, strict=True)
                for shift in range(0, max(count.bit_length(), 1), 53)
            ]
        actual, called, amounts = zip(*given, strict=True)
        return ConfusionMatrix.from_cells(actual, called, amounts, labels=self.labels, pos_label=self.positive)

    def value(self, state: _State) -> Fraction:
        rows, within = self.rows, state[2]
        cells = [Fraction(0)] * rows.classes**2
        of_kind = rows.exact_of_kind(state)
        each = zip(rows.kind.tolist(), rows.actual.tolist(), rows.called.tolist(), rows.counts.T.tolist(), strict=True)
        for kind, actual, called, counts in each:
            side = int(rows.side_of_kind[within][kind])
            if counts[side]:
                share = of_kind[kind] * Fraction(counts[side], int(rows.by_kind[side][kind]))
                cells[actual * rows.classes + called] += share
        common = math.lcm(*(cell.denominator for cell in cells))
        scale = min(common, 2**_BITS)
        matrix = self.matrix([round(cell * scale) for cell in cells])
        try:
            return matrix.exact(self.name, **self.parameters)
        except (InputError, UnknownIndexError):  # no fraction, or an average
            found = matrix.value(self.name, **self.parameters)
        if math.isnan(found):
            raise InputError(
                f"{self.name} is undefined with the groups as they are {_words(state)}: "
                f"{matrix.why(self.name, **self.parameters)}",
                argument="index",
            )
        return Fraction(found)

    def slope(self, state: _State) -> _Reals:
        rows, classes = self.rows, self.rows.classes
        cells = np.bincount(rows.actual * classes + rows.called, rows.masses(state), classes**2)
        square = cells.reshape(classes, classes)
        sums = np.concatenate([square.sum(axis=0), square.sum(axis=1)])
        step = _STEP * float(sums[sums > 0].min())
        there = np.unique(rows.actual * classes + rows.called)
        found = np.zeros(classes**2)
        for some in np.array_split(there, 1 + 3 * len(there) * classes**2 // _BLOCK):
            moved = np.tile(cells, (2, len(some), 1))
            moved[0, np.arange(len(some)), some] += step
            moved[1, np.arange(len(some)), some] += 2 * step
            stack = np.concatenate([cells[None], *moved]).reshape(-1, classes, classes)
            values = self.values(stack)
            one, two = values[1 : len(some) + 1], values[len(some) + 1 :]
            found[some] = (4 * one - 3 * values[0] - two) / (2 * step)
        slopes: _Reals = found[rows.actual * classes + rows.called]
        return slopes

    def values(self, stack: _Reals) -> _Reals:
        if "average" in self.parameters:
            given: Any = self.parameters
            options: dict[str, Any] = {"labels": self.labels, "pos_label": self.positive}
            each = (ConfusionMatrix.from_counts(cells, **options).value(self.name, **given) for cells in stack)
            return np.array(list(each))
        if not self.is_of_two:
            return _rocksteady.evaluate_matrices(stack, self.name, self.own)
        place = self.labels.index(self.positive)
        rest = 1 - place
        four = stack[:, place, place], stack[:, rest, place], stack[:, place, rest], stack[:, rest, rest]
        return _rocksteady.evaluate_counts(tuple(map(np.ascontiguousarray, four)), self.name, self.own)  # type: ignore[arg-type]


def _words(state: _State) -> str:
    return ", ".join(
        f"{factor} {('before', 'after')[side]}"
        for factor, side in zip(("in size", "in their classes", "in their predictions"), state, strict=True)
    )


class _Pairs:
    """The area under the ROC curve: pairs of rows within groups, and across them."""

    def __init__(self, rows: _Rows) -> None:
        self.rows, self.is_positive = rows, rows.actual == 1
        self.begins = np.flatnonzero(np.diff(rows.called, prepend=-1))  # of each score: the cells are in their order
        self.wins = [self._wins(within) for within in (0, 1)]
        self.beaten = [self._beaten(shares) for shares in rows.cell_shares]

    def terms(self) -> list[_Term]:
        within, across = (lambda state, place=place: self.value(state)[place] for place in (0, 1))
        return [_Term("within", within, self.slope_within), _Term("across", across, self.slope_across)]

    def _wins(self, within: int) -> NDArray[Any]:
        """For each group's positive and each group's negative rows, twice the pairs that are won."""
        rows, sides = self.rows, self.rows.side_of_kind[within]
        counts = np.where(sides[rows.kind] == 0, rows.counts[0], rows.counts[1])
        positives, negatives = (int(counts[rows.actual == actual].sum()) for actual in (1, 0))
        counts = counts if 2 * positives * negatives < 2**63 else counts.astype(object)
        place = np.flatnonzero(self.is_positive)
        place = place[np.argsort(rows.group[place], kind="stable")]
        starts = np.flatnonzero(np.diff(rows.group[place], prepend=-1))
        score, own = rows.called[place], counts[place]
        found = np.zeros((rows.groups, rows.groups), object)
        for group in np.unique(rows.group[~self.is_positive]).tolist():
            beside = (rows.group == group) & ~self.is_positive
            at = np.zeros(int(rows.called[-1]) + 1, counts.dtype)
            at[rows.called[beside]] = counts[beside]
            won = own * (2 * np.cumsum(at) - at)[score]
            found[rows.group[place[starts]], group] = np.add.reduceat(won, starts)
        return found

    def _beaten(self, shares: _Reals) -> _Reals:
        """For each cell the share of the rows of the other class in its group that it is on the right side of."""
        rows, found = self.rows, np.zeros(len(shares))
        for actual in (0, 1):
            order = np.lexsort((rows.called, rows.group))
            group, score = rows.group[order], rows.called[order]
            own = np.where(rows.actual[order] == actual, shares[order], 0.0)
            begins = np.flatnonzero((np.diff(group, prepend=-1) != 0) | (np.diff(score, prepend=-1) != 0))
            sums, at = np.bincount(group, own, rows.groups), np.add.reduceat(own, begins)
            below = np.cumsum(at) - at / 2 - (np.cumsum(sums) - sums)[group[begins]]
            right = np.repeat(sums[group[begins]] - below if actual else below, np.diff(begins, append=len(order)))
            other = rows.actual[order] != actual
            found[order[other]] = right[other]
        return found

    def value(self, state: _State) -> tuple[Fraction, Fraction]:
        """The parts of the area within groups and across them."""
        rows = self.rows
        of_kind, sides = rows.exact_of_kind(state), rows.side_of_kind[state[2]].tolist()
        pairs = sum(of_kind[::2]) * sum(of_kind[1::2])
        if not pairs:
            raise InputError(
                f"roc_auc is undefined with the groups as they are {_words(state)}: all rows are of one class",
                argument="index",
            )
        # What each row counts, in whole numbers.
        each = [
            mass / int(rows.by_kind[side][kind]) if mass else Fraction(0)
            for kind, (mass, side) in enumerate(zip(of_kind, sides, strict=True))
        ]
        scales = [math.lcm(*(one.denominator for one in each[actual::2])) for actual in (0, 1)]
        negative, positive = (
            np.array([int(one * scale) for one in each[actual::2]], object) for actual, scale in enumerate(scales)
        )
        whole, wins = 2 * scales[0] * scales[1] * pairs, self.wins[state[2]]
        within = Fraction(int((positive * np.diag(wins) * negative).sum())) / whole
        return within, Fraction(int(positive @ wins @ negative)) / whole - within

    def slope_within(self, state: _State) -> _Reals:
        masses = self.rows.masses_of_kind(state).reshape(-1, 2)
        other = masses[:, ::-1].ravel()
        return self._slope(state, other[self.rows.kind] * self.beaten[state[2]])

    def slope_across(self, state: _State) -> _Reals:
        masses, found = self.rows.masses(state), np.zeros(len(self.is_positive))
        for actual in (0, 1):
            at = np.add.reduceat(np.where(self.rows.actual == actual, masses, 0.0), self.begins)
            below = np.cumsum(at) - at / 2
            right = np.repeat(at.sum() - below if actual else below, np.diff(self.begins, append=len(found)))
            found = np.where(self.rows.actual == actual, found, right)
        return self._slope(state, found) - self.slope_within(state)

    def _slope(self, state: _State, right: _Reals) -> _Reals:
        """Of a share of all pairs, from the mass that each cell is on the right side of."""
        rows = self.rows
        masses = rows.masses_of_kind(state)
        of_class = masses[::2].sum(), masses[1::2].sum()
        pairs = of_class[0] * of_class[1]
        value = float(masses[1::2] @ rows.sums_by_kind(right * rows.cell_shares[state[2]])[1::2]) / pairs
        found: _Reals = right / pairs - value / np.where(self.is_positive, of_class[1], of_class[0])
        return found


#: What a row costs by its probability and its class, and the cut of probabilities of 0 and 1.
_LOSSES: Final[dict[str, Callable[[Any, int], Any]]] = {
    "brier": lambda probability, actual: (probability - actual) ** 2,
    "log_loss": lambda probability, actual: -np.log(np.clip(probability if actual else 1 - probability, 2**-52, 1)),
}


def _of_loss(both: Groups, sides: tuple[Groups, Groups], places: list[list[int]], name: str) -> _Split:
    """The parts of a mean loss: in each group it is uncertainty plus miscalibration less discrimination."""
    groups = len(both)
    sizes = np.zeros((2, groups), object)
    held: list[dict[int, _Loss]] = [{}, {}]
    for side, own in enumerate(sides):
        for key, place in zip(_keys(own), places[side], strict=True):
            table = own.score_table(key)
            if table.positives + table.negatives:
                held[side][place] = _Loss.of(table, _LOSSES[name], name)
                sizes[side, place] = held[side][place].rows
    shares = [[Fraction(size, int(sum(row))) for size in row] for row in sizes.tolist()]
    there = np.array([[place in held[side] for place in range(groups)] for side in (0, 1)])
    source = np.where(there, [[0], [1]], [[1], [0]])
    parts: dict[str, Fraction] = dict.fromkeys(("mix", "prevalence", "calibration", "discrimination"), Fraction(0))
    of_groups = {part: np.zeros(groups) for part in parts}
    ends = [
        sum((shares[side][place] * one.parts[0] for place, one in held[side].items()), Fraction(0)) for side in (0, 1)
    ]
    middle = (ends[0] + ends[1]) / 2
    slopes = np.zeros((2, 2, groups, 4))  # of the parts: over the share of a group, and over its own value
    for place in np.flatnonzero(there.any(axis=0)).tolist():
        one, two = (held[source[side, place]][place].parts for side in (0, 1))
        moved, mean = shares[1][place] - shares[0][place], (shares[1][place] + shares[0][place]) / 2
        level, changes = (one[0] + two[0]) / 2, [new - old for old, new in zip(one[1:], two[1:], strict=True)]
        found = [moved * (level - middle), *(mean * change for change in changes)]
        for part, value in zip(parts, found, strict=True):
            parts[part] += value
            of_groups[part][place] = float(value)
        for side, sign in ((0, -1), (1, 1)):
            old, new = (source[:, place] == side).astype(int).tolist()
            slopes[0, side, place] = [float(sign * level), *(float(change) / 2 for change in changes)]
            slopes[1, side, place] = [float(moved) * (old + new) / 2, *[float(mean) * (new - old)] * 3]
    variances, apart = np.zeros(4), 0.0
    for side in (0, 1):
        weights = np.array([float(share) for share in shares[side]])
        of_share = slopes[0, side] - weights @ slopes[0, side]
        for place, loss in held[side].items():
            apart += float(slopes[1, side, place, 2]) * loss.overfit
            influence = of_share[place] + slopes[1, side, place] / weights[place] * loss.deviations
            variances += (loss.counts[:, None] * influence**2).sum(axis=0) / float(sum(sizes[side])) ** 2
    errors = dict(zip(parts, np.sqrt(variances).tolist(), strict=True))
    note = None
    if abs(apart) > _OVERFIT * errors["calibration"]:
        errors |= dict.fromkeys(("calibration", "discrimination"), math.nan)
        note = (
            f"no intervals of calibration and discrimination: by chance alone recalibration gains {number(abs(apart), 2)} "
            f"more in the smaller groups {'after' if apart > 0 else 'before'}"
        )
    return _Split(parts, errors, of_groups, (ends[0], ends[1]), np.array(shares, float), note)


class _Loss(NamedTuple):
    """The mean loss of a group, and its parts of which it is the sum; and for each score and class how far a row is from them."""

    rows: int
    parts: tuple[Fraction, Fraction, Fraction, Fraction]
    counts: _Reals
    deviations: _Reals
    overfit: float  # what isotonic recalibration gains by chance, at most

    @classmethod
    def of(cls, table: ScoreTable, loss: Callable[[Any, int], Any], name: Any) -> _Loss:
        told = table.decomposition(name)
        mean, uncertainty, calibration = map(Fraction, (told.score, told.uncertainty, told.miscalibration))
        parts = (mean, uncertainty, calibration, mean - uncertainty - calibration)
        each = table.counts()
        scores, columns = table.thresholds[1:].astype(float), (np.diff(each.fp), np.diff(each.tp))
        bins = table.calibration(strategy="isotonic")
        fitted = bins.observed[np.clip(np.searchsorted(bins.lower, scores, side="right") - 1, 0, None)]
        share = columns[1].sum() / (columns[0].sum() + columns[1].sum())
        found = []
        for actual in (0, 1):
            own, best, constant = (
                loss(probability, actual) for probability in (scores, fitted, np.full(len(scores), share))
            )
            found.append(np.stack([own, constant, own - best, best - constant], axis=1))
        counts = np.concatenate(columns)
        if (counts != np.floor(counts)).any():
            raise InputError("before or after has weights; expected whole rows", argument="before")
        rows = int(counts.sum())
        # Each level of the fit is one to two parameters (Meyer, Woodroofe 2000, doi:10.1214/aos/1015956708).
        scatter = 0.5 if name == "log_loss" else float(fitted * (1 - fitted) @ (columns[0] + columns[1])) / rows
        overfit = 2 * len(np.unique(fitted)) * scatter / rows
        return cls(rows, parts, counts, np.concatenate(found) - [float(part) for part in parts], overfit)
