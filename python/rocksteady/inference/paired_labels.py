"""Models compared by their predicted classes, on the same rows: tables of pairs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from rocksteady import _rocksteady
from rocksteady.base import hints
from rocksteady.base.arguments import (
    flag,
    label_of,
    listed,
    mapping,
    named,
    one_of,
    several,
    shown,
    string,
    wrong_type,
    wrong_value,
)
from rocksteady.base.named_columns import by_name, parameters_by_class, refused_as
from rocksteady.base.record import Record
from rocksteady.base.statistic import Additive
from rocksteady.base.table import Table, class_named, number, one_line, repr_html
from rocksteady.base.ways_out import WaysOut
from rocksteady.columns.categories import positive_in_order
from rocksteady.columns.complete import complete
from rocksteady.columns.pairing import paired, without_index
from rocksteady.columns.renamed import by_names, renamed
from rocksteady.errors import InputError
from rocksteady.inference.covariance import Compared
from rocksteady.inference.difference import level_of, p_text, pairs_table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from rocksteady.base.arguments import NanPolicy, WeightKind
    from rocksteady.inference.difference import Adjust, Difference

McNemarMethod = Literal["mid_p", "exact", "chi_squared", "corrected", "anytime"]


@dataclass(frozen=True, slots=True, repr=False)
class McNemar(Record):
    """McNemar's test whether two models are right equally often, on the same rows.

    Attributes
    ----------
    first, second : str
        The models.
    first_only, second_only : float
        The number of rows that only `first`, and only `second`, has right. The test reads these alone.
    method : str
        "mid_p", "exact", "chi_squared", "corrected" or "anytime".
    statistic : float
        The smaller of the two numbers; for "chi_squared" and "corrected" the chi-squared statistic, for "anytime" the
        e-value.
    p_value : float
        The probability of numbers at least as far apart between models that are right equally often; for "anytime" of an
        e-value that is ever as great.
    why : str or None
        Why there is no test.
    """

    first: str
    second: str
    first_only: float
    second_only: float
    method: str
    statistic: float
    p_value: float
    why: str | None = None

    def __repr__(self) -> str:
        counts = (
            f"{number(self.first_only)} rows are right in {class_named(self.first)} only, {number(self.second_only)} in "
            f"{class_named(self.second)} only"
        )
        return f"McNemar's test ({self.method}): {counts}; {self.why or p_text(self.p_value)}"


@dataclass(frozen=True, slots=True, repr=False)
class CochranQ(Record):
    """Cochran's test whether several models are right equally often, on the same rows.

    Attributes
    ----------
    statistic : float
        Q.
    degrees_of_freedom : int
        The number of models less one.
    p_value : float
        The probability of a Q as great between models that are right equally often, by the chi-squared distribution.
    why : str or None
        Why there is no test.
    """

    statistic: float
    degrees_of_freedom: int
    p_value: float
    why: str | None = None

    def __repr__(self) -> str:
        if self.why is not None:
            return f"Cochran's Q: {self.why}"
        freedom = f"{self.degrees_of_freedom} degrees of freedom"
        return f"Cochran's Q: {number(self.statistic, 3)} with {freedom}, {p_text(self.p_value)}"


_NO_COUNTS = "with sampling weights this test has no numbers of rows to compare; use difference"


class PairTable(WaysOut, Additive):
    """How often each two predictions of two models fall together with each actual class; of `ComparedLabels.pairs`.

    It is additive: the sum of the tables of two parts of the rows is that of all rows. Only cells that are not zero are
    kept.

    Examples
    --------
    >>> import rocksteady as rs
    >>> found = rs.inference.compare_labels([0, 0, 1, 1, 1], {"old": [0, 1, 0, 0, 1], "new": [0, 0, 1, 0, 1]})
    >>> table = found.pairs["old", "new"]
    >>> table.summary()
    actual  old  new  rows
    0         0    0     1
    0         1    0     1
    1         0    0     1
    1         0    1     1
    1         1    1     1
    >>> table.mcnemar()
    McNemar's test (mid_p): 0 rows are right in 'old' only, 2 in 'new' only; p = 0.25
    """

    __slots__ = ("_squares", "_state", "first", "labels", "pos_label", "second", "weight_kind")

    #: The models.
    first: str
    second: str
    #: The classes, ascending.
    labels: tuple[Any, ...]
    #: The positive label of two classes; None for more classes.
    pos_label: Any
    #: "counts" or "sampling".
    weight_kind: WeightKind

    def __init__(
        self,
        state: _rocksteady.ConfusionState,
        squares: _rocksteady.ConfusionState | None,
        models: tuple[str, str],
        labels: Sequence[Any],
        pos_label: Any,
        weight_kind: WeightKind,
    ) -> None:
        self._state, self._squares = state, squares
        self.first, self.second = models
        self.labels, self.pos_label, self.weight_kind = tuple(labels), pos_label, weight_kind

    def difference(self, index: str, *, level: float = 0.95, **parameters: object) -> Difference:
        """An index of the first model less that of the second, with its interval and its test.

        By the influence of the rows, as `Compared` has it: with g the slopes of the index over the cells of a model's
        matrix, a row of cell (y, i, j) moves the difference by h = g1(y, i) - g2(y, j). The variance is n / (n - 1) times
        the sum of h^2 over the n rows, less that of their mean (Agresti 2013, Categorical Data Analysis, 16.1), and the
        interval and the test have Student's t distribution with n - 1 degrees of freedom.

        Parameters
        ----------
        index : str
            Any index of counts or of a matrix. Of more than two classes it is that of the whole or, where there is no
            such, the mean over the classes.
        level : float
            The confidence level.
        **parameters
            The index's own.

        Returns
        -------
        Difference

        Raises
        ------
        rocksteady.UnknownIndexError
            For an index of scores, and for one that is the result of a test or whose scatter is not normal.
        """
        name, given = _rocksteady.index_name(index), parameters_by_class(dict(parameters), self)
        positive = None if self.pos_label is None else self.labels.index(self.pos_label)
        classes, models = len(self.labels), (self.first, self.second)
        (actual, *predicted), masses, squares = _rocksteady.pair_cells(self._state, self._squares, classes)
        how = (classes, masses, self.weight_kind, name, positive, None, 0.0, given)
        found = [_rocksteady.InfluenceState.of_codes(actual, codes, *how) for codes in predicted]
        rows = None if self._squares is None else (squares, float(self._state.rows))
        compared = Compared._of_influences(found, models, name, (masses, self.weight_kind, None, None, rows), level)
        return compared.difference(*models)

    @property
    def agreement(self) -> tuple[float, float, float, float]:
        """Rows that both models have right, only the first, only the second, and neither."""
        return tuple(_rocksteady.pair_agreement(self._state, len(self.labels)))  # type: ignore[return-value]

    def mcnemar(self, *, method: McNemarMethod = "mid_p") -> McNemar:
        """McNemar's test whether both models are right equally often.

        Parameters
        ----------
        method : {"mid_p", "exact", "chi_squared", "corrected", "anytime"}
            "mid_p": the binomial test with half the probability of what was observed; its level is close to what it says
            (Fagerland, Lydersen, Laake 2013, doi:10.1186/1471-2288-13-91). "exact": the binomial test, which is
            conservative. "chi_squared" (McNemar 1947, doi:10.1007/BF02295996); "corrected" with Edwards' correction.
            "anytime": the p-value may be read after every row since a fixed start; it is 1 over `rocksteady.inference.e_value`
            of shares of 1/2.
        """
        _, first, second, _ = self.agreement
        statistic, p_value = _rocksteady.mcnemar_test(first, second, method)
        if self.weight_kind == "sampling":
            return McNemar(self.first, self.second, first, second, method, math.nan, math.nan, _NO_COUNTS)
        return McNemar(self.first, self.second, first, second, method, statistic, p_value)

    def summary(self) -> Table:
        """The cells that are not zero: actual class, both predictions, and the number or weight of rows."""
        codes, masses, _ = _rocksteady.pair_cells(self._state, None, len(self.labels))
        columns = [*(code.each().tolist() for code in codes), masses.tolist()]
        rows = [
            [str(self.labels[actual]), self.labels[a], self.labels[b], int(n) if n == int(n) else n]
            for actual, a, b, n in zip(*columns, strict=True)
        ]
        names = ["actual", self.first, self.second, "rows"]
        return Table([f"{name}_" if name in names[:place] else name for place, name in enumerate(names)], rows)

    def _plus(self, other: PairTable) -> PairTable:
        return self._joined(other, lambda own, their: own.merged(their))

    def __sub__(self, other: object) -> PairTable:
        """The table of the rows here that are not those of `other`: ``(a + b) - b == a``.

        Raises
        ------
        rocksteady.InputError
            If a cell would go below zero, or the models or classes differ.
        """
        if not isinstance(other, PairTable):
            return NotImplemented
        # The state keeps only pairs of classes that rows have.
        return self._joined(other, lambda own, their: own.subtracted(their).without_empty_classes())

    def _joined(self, other: PairTable, how: Callable[[Any, Any], Any]) -> PairTable:
        self._check_like(other)
        squares = None
        if self.weight_kind == "sampling":
            squares = how(self._squares or self._state, other._squares or other._state)
        models = (self.first, self.second)
        state = how(self._state, other._state)
        return PairTable(state, squares, models, self.labels, self.pos_label, self.weight_kind)

    def _check_like(self, other: PairTable) -> None:
        for what in ("first", "second", "labels", "pos_label", "weight_kind"):
            ours, theirs = getattr(self, what), getattr(other, what)
            if ours != theirs:
                hint = " (give the same labels= to both)" if what == "labels" else ""
                raise InputError(
                    f"the two tables differ in {what}: {shown(ours)} and {shown(theirs)}; expected the same{hint}",
                    argument=what,
                )

    def _parts(self) -> tuple[Any, ...]:
        squares = None if self._squares is None else self._squares.to_bytes()
        models = (self.first, self.second)
        return self._state.to_bytes(), squares, models, self.labels, self.pos_label, self.weight_kind

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, self._parts()

    def __eq__(self, other: object) -> bool:
        return self._parts() == other._parts() if isinstance(other, PairTable) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        both, first, second, neither = map(number, self.agreement)
        a, b = class_named(self.first), class_named(self.second)
        return (
            f"<rocksteady.inference.PairTable of {a} and {b}: {both} rows are right in both, {first} in {a} only, {second} in {b} "
            f"only, {neither} in neither>"
        )

    def _repr_html_(self) -> str:
        return repr_html(self)


def _restored(state: bytes, squares: bytes | None, *others: Any) -> PairTable:
    read = _rocksteady.ConfusionState.from_bytes
    return PairTable(read(state), None if squares is None else read(squares), *others)


class _Pairs(dict[tuple[str, str], PairTable]):
    """The table of each two models, by their names in the given order."""

    def __missing__(self, pair: object) -> NoReturn:
        raise wrong_value(pair, "pair", f"two models in the order in which they were given: {several(self)}")


class ComparedLabels(WaysOut, Additive):
    """Predicted classes of several models on the same rows, compared; of `compare_labels`.

    Examples
    --------
    >>> import rocksteady as rs
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
    >>> old, new = [0, 1, 1, 0, 1, 0, 0, 1, 0, 1], [0, 0, 1, 0, 1, 1, 0, 1, 1, 1]
    >>> found = rs.inference.compare_labels(y_true, {"old": old, "new": new})
    >>> found
    <rocksteady.inference.ComparedLabels of 2 models: old, new; 10 rows, 2 classes, positive class 1>
    >>> found.difference("f1", "new", "old")
    f1 of 'new' less that of 'old': 0.288, 95 % interval -0.0834 to 0.659, p = 0.113.
    No difference is shown: 0 lies in the interval. Nor is it shown that there is none.
    The rarer class has fewer than 20 rows: the interval may cover the true value less often than its level says.
    """

    __slots__ = ("level", "names", "pairs")

    #: The models, in the given order.
    names: tuple[str, ...]
    #: The table of each pair of models, in the same order.
    pairs: dict[tuple[str, str], PairTable]
    #: The confidence level of intervals, unless a method gets another one.
    level: float

    def __init__(self, pairs: Mapping[tuple[str, str], PairTable], *, level: float = 0.95) -> None:
        self.pairs = _Pairs(mapping(pairs, "pairs", "a mapping from two models to their PairTable"))
        if not self.pairs:
            raise InputError("pairs is empty; expected the table of each two models", argument="pairs", value="empty")
        for pair, table in self.pairs.items():
            if not isinstance(table, PairTable) or not isinstance(pair, tuple):
                raise wrong_type(table, f"pairs[{shown(pair)}]", "a PairTable, by the names of two models")
        self.names = tuple(dict.fromkeys(name for pair in self.pairs for name in pair))
        self.level = level_of(level)

    @property
    def _one(self) -> PairTable:
        return next(iter(self.pairs.values()))

    @property
    def labels(self) -> tuple[Any, ...]:
        """The classes, ascending."""
        return self._one.labels

    @property
    def pos_label(self) -> Any:
        """The positive one of two classes; None of any other number."""
        return self._one.pos_label

    def _turned(self, first: str, second: str) -> tuple[PairTable, bool]:
        """The table of two models, and whether it has them in the other order."""
        for name, argument in ((first, "first"), (second, "second")):
            named(name, argument, self.names)
        if first == second:
            raise wrong_value(second, "second", f"another model than {shown(first)}")
        found = self.pairs.get((first, second))
        return (found, False) if found is not None else (self.pairs[second, first], True)

    def difference(
        self, index: str, first: str, second: str, *, level: float | None = None, **parameters: object
    ) -> Difference:
        """An index of one model less that of another, with its interval and its test; see `PairTable.difference`.

        Parameters
        ----------
        index : str
            Any index of counts or of a matrix.
        first, second : str
            The models.
        level : float, optional
            The confidence level.
        **parameters
            The index's own.

        Raises
        ------
        rocksteady.UnknownIndexError
            For an index of scores, and for one that is the result of a test or whose scatter is not normal.
        """
        table, is_turned = self._turned(first, second)
        found = table.difference(index, level=self.level if level is None else level, **parameters)
        return found._turned() if is_turned else found

    def mcnemar(self, first: str, second: str, *, method: McNemarMethod = "mid_p") -> McNemar:
        """McNemar's test whether two models are right equally often; see `PairTable.mcnemar`."""
        table, is_turned = self._turned(first, second)
        found = table.mcnemar(method=method)
        if not is_turned:
            return found
        return McNemar(
            first, second, found.second_only, found.first_only, method, found.statistic, found.p_value, found.why
        )

    def cochran_q(self) -> CochranQ:
        """Cochran's test whether all models are right equally often (Cochran 1950, doi:10.1093/biomet/37.3-4.256)."""
        if self._one.weight_kind == "sampling":
            return CochranQ(math.nan, len(self.names) - 1, math.nan, _NO_COUNTS)
        right: dict[str, float] = {}
        both = []
        for (a, b), table in self.pairs.items():
            in_both, only_a, only_b, _ = table.agreement
            both.append(in_both)
            right[a], right[b] = in_both + only_a, in_both + only_b
        return CochranQ(*_rocksteady.cochran_test([right[name] for name in self.names], both))

    def summary(self, index: str = "accuracy", *, adjust: Adjust = "holm", level: float | None = None) -> Table:
        """The difference of every two models in an index; see `Compared.summary`.

        Parameters
        ----------
        index : str
            Any index of counts or of a matrix.
        adjust : {"holm", "bh", "none"}
            How p-values allow for the number of tests.
        level : float, optional
            The confidence level.
        """
        return pairs_table([self.difference(index, a, b, level=level) for a, b in combinations(self.names, 2)], adjust)

    def _plus(self, other: ComparedLabels) -> ComparedLabels:
        return self._joined(other, lambda own, their: own + their)

    def __sub__(self, other: object) -> ComparedLabels:
        """The comparison on the rows here that are not those of `other`; see `PairTable`."""
        return (
            self._joined(other, lambda own, their: own - their) if isinstance(other, ComparedLabels) else NotImplemented
        )

    def _joined(self, other: ComparedLabels, how: Callable[[Any, Any], PairTable]) -> ComparedLabels:
        if list(self.pairs) != list(other.pairs):
            raise InputError(
                f"the two are of other models: {self.names} and {other.names}; expected the same", argument="names"
            )
        return ComparedLabels({pair: how(own, other.pairs[pair]) for pair, own in self.pairs.items()}, level=self.level)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ComparedLabels):
            return NotImplemented
        return (self.pairs, self.level) == (other.pairs, other.level)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        positive = "" if self.pos_label is None else f", positive class {one_line(self.pos_label)}"
        total = number(sum(self._one.agreement))
        return (
            f"<rocksteady.inference.ComparedLabels of {len(self.names)} models: {', '.join(map(one_line, self.names))}; "
            f"{total} rows, {len(self.labels)} classes{positive}>"
        )

    def _repr_html_(self) -> str:
        return repr_html(self)


def compare_labels(
    y_true: ArrayLike,
    y_pred: ArrayLike | Mapping[str, ArrayLike],
    *,
    names: Sequence[str] | None = None,
    pos_label: object = None,
    labels: ArrayLike | Mapping[Any, str] | None = None,
    sample_weight: ArrayLike | None = None,
    weight_kind: WeightKind = "counts",
    level: float = 0.95,
    nan_policy: NanPolicy = "raise",
    align: bool = False,
) -> ComparedLabels:
    """Compare the predicted classes of several models on the same rows.

    For each two models the rows are counted by actual class and both predictions. McNemar's test, Cochran's Q and the
    difference of any index of counts follow from these tables, which add up over parts of the rows.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Class labels.
    y_pred : mapping, data frame, or array-like of shape (n, m)
        Predicted classes: columns by the models' names, or a column for each of m models, two at least.
    names : sequence of str, optional
        What the models are called, where they have no names yet.
    pos_label : label, optional
        The positive one of two classes. Default: the greater label; of ordered categories the later one.
    labels : array-like of K labels, or mapping from labels to names, optional
        The classes; any other label is refused. Default: those that occur. Tables that are to be added need the same. Names
        say what the classes are called, as for `evaluate`.
    sample_weight : array-like of shape (n,), optional
        Finite and not negative.
    weight_kind : {"counts", "sampling"}
        What a weight says. "counts": the row stands for so many rows. "sampling": the row is one row, which was drawn
        with a probability in proportion to one over the weight; then the sums of squares are kept, too.
    level : float
        The confidence level of intervals, unless a method is given another.
    nan_policy : {"raise", "omit"}
        What to do with missing labels: refuse them, or leave out the rows where any is missing.
    align : bool
        Whether to bring pandas objects into the order of the index of `y_true`. Default: rows go by position.

    Returns
    -------
    ComparedLabels

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        The message names argument, row or model, value and what was expected.

    Examples
    --------
    >>> import rocksteady as rs
    >>> y_true = ["a", "b", "c", "a", "b", "c", "a", "a"]
    >>> old = ["a", "c", "c", "b", "b", "a", "a", "b"]
    >>> new = ["a", "b", "c", "a", "b", "a", "a", "b"]
    >>> found = rs.inference.compare_labels(y_true, {"old": old, "new": new})
    >>> found.mcnemar("new", "old")
    McNemar's test (mid_p): 2 rows are right in 'new' only, 0 in 'old' only; p = 0.25
    >>> found.difference("accuracy", "new", "old").estimate
    0.25
    """
    one_of(nan_policy, "nan_policy", ("raise", "omit"))
    one_of(weight_kind, "weight_kind", ("counts", "sampling"))
    given = None if names is None else [string(name, "names") for name in listed(names, "names", "a list of names")]
    columns = by_name(y_pred, "y_pred", given)
    if len(columns) < 2:
        raise wrong_value(list(columns), "y_pred", "columns of two models or more")
    said = {name: f"y_pred[{name!r}]" for name in columns}
    called, labels, pos_label = by_names(labels, pos_label)
    y_true = renamed(y_true, called, "y_true")
    columns = {name: renamed(column, called, said[name]) for name, column in columns.items()}
    read = {**{said[name]: column for name, column in columns.items()}, "sample_weight": sample_weight}
    found = paired(y_true, read, align=flag(align, "align"))
    truth: Any = without_index(y_true)
    positive = positive_in_order(y_true) if pos_label is None else pos_label
    if nan_policy == "omit":
        needed = {said[name]: found[said[name]] for name in columns}
        found, _ = complete({"y_true": truth, **needed}, {"sample_weight": found["sample_weight"]})
        truth = found["y_true"]
    predicted = {name: found[said[name]] for name in columns}
    classes: list[Any] = []
    for name, column in predicted.items():
        try:
            with refused_as("y_pred", said[name]):
                state = _rocksteady.ConfusionState.count(truth, column, labels, None, "raise", True, "counts")
        except InputError as error:
            raise hints.of_gap(error) from None
        classes = sorted({*classes, *state.labels().tolist()})
    if len(classes) == 2:
        if positive is not None and label_of(positive, "pos_label") not in classes:
            raise wrong_value(pos_label, "pos_label", f"one of the labels {shown(classes)}")
        positive = classes[1] if positive is None else next(label for label in classes if label == positive)
    elif pos_label is not None:
        raise wrong_value(pos_label, "pos_label", f"None, as there are {len(classes)} classes and not two")
    else:
        positive = None
    codes = {name: codes_of(column, classes, said[name]) for name, column in predicted.items()}
    pairs = tables_of(truth, codes, classes, positive, found["sample_weight"], weight_kind)
    return ComparedLabels(pairs, level=level)


def codes_of(column: Any, classes: Sequence[Any], said: str) -> _rocksteady.CodesState:
    """The class of each row as its place among ascending classes; `said` is what refusals call the column."""
    with refused_as("y_true", said):
        return _rocksteady.CodesState.of_labels(column, classes)


def are_positive(y_true: Any, pair: tuple[Any, Any]) -> NDArray[np.bool_]:
    """Whether the label of each row is the second one of a pair, the positive one."""
    ascending = sorted(pair)
    found: NDArray[np.bool_] = codes_of(y_true, ascending, "y_true").each() == ascending.index(pair[1])
    return found


def tables_of(
    y_true: Any,
    codes: Mapping[str, _rocksteady.CodesState],
    classes: Sequence[Any],
    pos_label: Any,
    sample_weight: Any,
    weight_kind: WeightKind,
) -> dict[tuple[str, str], PairTable]:
    """The table of each two models, from the codes of their predictions among ascending classes."""
    actual = codes_of(y_true, classes, "y_true")
    with_squares = weight_kind == "sampling"
    pairs = {}
    for a, b in combinations(codes, 2):
        state, squares = _rocksteady.count_pairs(
            actual, (codes[a], codes[b]), len(classes), sample_weight, with_squares
        )
        pairs[a, b] = PairTable(state, squares, (a, b), classes, pos_label, weight_kind)
    return pairs
