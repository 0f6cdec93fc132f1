"""The confusion matrix: counted once, every count-based index derived."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import (
    counts_or_weights,
    flag,
    labels_of,
    listed,
    mapping,
    numbers,
    one_of,
    real,
    shown,
    wrong_type,
)
from rocksteady.base.table import Table, library, number, one_line
from rocksteady.errors import InputError, InputTypeError
from rocksteady.labels.counts import Counts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from rocksteady.interval import Interval, Method, Side
    from rocksteady.selection import Names

Average = Literal["macro", "micro", "weighted"]
Normalize = Literal["true", "pred", "all"]

# The types that the extension takes cells in.
_TAKEN = (np.dtype(np.int64), np.dtype(np.uint64), np.dtype(np.float64))

# A matrix with more classes than this prints as its size, not as its cells.
_SHOWN_CLASSES = 12


class Positions(NamedTuple):
    """The places of the rows of each outcome of one class against the rest, ascending int64 arrays."""

    tp: NDArray[np.int64]
    fp: NDArray[np.int64]
    fn: NDArray[np.int64]
    tn: NDArray[np.int64]


def positions(y_true: ArrayLike, y_pred: ArrayLike, label: object) -> Positions:
    """Which rows are true and false positives and negatives of a class.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        Class labels, as for `ConfusionMatrix`.
    label : label
        The class.

    Raises
    ------
    rocksteady.InputError
        If a label is missing, or no row has `label` in either column.
    rocksteady.InputTypeError
        For a type or dtype that cannot be used.

    >>> import rocksteady as rs
    >>> rows = rs.positions(["cat", "dog", "dog", "eel"], ["cat", "cat", "dog", "dog"], "dog")
    >>> rows.tp.tolist(), rows.fp.tolist(), rows.fn.tolist(), rows.tn.tolist()
    ([2], [3], [1], [0])
    """
    return Positions(*_rocksteady.positions(y_true, y_pred, label))


class ConfusionMatrix:
    """A K×K confusion matrix: rows are the true classes, columns the predicted ones.

    Exact and additive: `a + b` is, to the bit, the matrix of the pooled rows, with weights too.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        Class labels: booleans, integers, floats that are whole numbers, or strings; from numpy, pandas, polars, Arrow,
        DLPack or lists. No copy is made where the memory allows.
    labels : array-like, optional
        The classes and their order. Default: those that occur in `y_true` or `y_pred`, ascending. Rows with any other
        label are left out.
    pos_label : label, optional
        With two classes, the positive one. Default: the second of `labels` (the greater). Where the rows hold one
        class only, naming another adds it.
    sample_weight : array-like of shape (n,), optional
        Finite and not negative. Sums of weights are exact.
    nan_policy : {"raise", "omit"}
        What to do with a missing label: refuse, or leave the row out.
    strict : bool
        With `labels`: refuse a label that is not among them.

    Raises
    ------
    rocksteady.InputError
        For a value that cannot be used; the message names argument, row, value and what was expected.
    rocksteady.InputTypeError
        For a type or dtype that cannot be used.

    Examples
    --------
    >>> import rocksteady as rs
    >>> cm = rs.ConfusionMatrix(["cat", "dog", "dog", "eel"], ["cat", "dog", "eel", "eel"])
    >>> cm
    ConfusionMatrix of 3 classes, 4 rows (rows true, columns predicted)
         cat  dog  eel
    cat    1    0    0
    dog    0    1    1
    eel    0    0    1
    >>> cm["accuracy"], cm.average("recall", "macro")
    (0.75, 0.8333333333333334)
    >>> cm.per_class("precision")
    array([1. , 1. , 0.5])
    """

    __slots__ = ("_positive", "_state")

    _state: _rocksteady.ConfusionState
    _positive: int | None

    def __init__(
        self,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        labels: ArrayLike | None = None,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        nan_policy: Literal["raise", "omit"] = "raise",
        strict: bool = False,
    ) -> None:
        self._state = _rocksteady.ConfusionState.count(y_true, y_pred, labels, sample_weight, nan_policy, strict)
        if pos_label is not None:
            self._state = self._state.with_class(pos_label)
        self._positive = self._state.positive(pos_label)

    @classmethod
    def _of(cls, state: _rocksteady.ConfusionState, pos_label: object = None) -> ConfusionMatrix:
        matrix = cls.__new__(cls)
        matrix._state = state
        matrix._positive = state.positive(pos_label)
        return matrix

    @classmethod
    def from_counts(
        cls,
        counts: ArrayLike | Mapping[Any, Mapping[Any, float]],
        *,
        labels: ArrayLike | None = None,
        pos_label: object = None,
        transpose: bool = False,
    ) -> ConfusionMatrix:
        """The matrix with given cells.

        Parameters
        ----------
        counts : array-like of shape (K, K), nested mapping, pandas.DataFrame or scipy sparse matrix
            Rows true, columns predicted; counts, or weights where any is not a whole number. A mapping has one of
            predicted label to amount for each true label, as PyCM's has; cells that are not there are 0, and every
            predicted label must be a true one too. Of a DataFrame the index and the columns name the classes; they
            must be the same ones.
        labels : array-like of K labels, optional
            Default: 0 to K - 1. With a mapping or a DataFrame, which have labels: their order.
        pos_label : label, optional
            As in the constructor.
        transpose : bool
            Whether rows are predicted and columns true, as in caret and yardstick.

        Raises
        ------
        rocksteady.InputError
            If the cells are not square, negative or not finite, or the labels are not K different ones.
        rocksteady.InputTypeError
            If the cells are not numbers.

        >>> import rocksteady as rs
        >>> cm = rs.ConfusionMatrix.from_counts([[91, 16], [14, 79]])
        >>> round(cm["mcc"], 6), round(cm["kappa"], 6)
        (0.699087, 0.698946)
        >>> rs.ConfusionMatrix.from_counts({"cat": {"cat": 3, "dog": 1}, "dog": {"dog": 2}})
        ConfusionMatrix of 2 classes, 6 rows (rows true, columns predicted)
             cat  dog
        cat    3    1
        dog    0    2
        """
        flag(transpose, "transpose")
        if type(counts) is np.ndarray and counts.ndim == 2 and counts.dtype in _TAKEN:
            state = _rocksteady.ConfusionState.from_counts(counts, labels)  # the shortest way
        elif isinstance(counts, Mapping):
            state = _of_mapping(counts, labels)
        elif hasattr(counts, "tocoo"):
            state = _of_sparse(counts, labels)
        elif all(hasattr(counts, name) for name in ("index", "columns", "to_numpy")):
            state = _of_frame(counts, labels)
        else:
            state = _of_array(counts, labels)
        return cls._of(state.transposed() if transpose else state, pos_label)

    @classmethod
    def from_cells(
        cls,
        actual: ArrayLike,
        predicted: ArrayLike,
        amounts: ArrayLike,
        *,
        labels: ArrayLike | None = None,
        pos_label: object = None,
    ) -> ConfusionMatrix:
        """The matrix with given cells, however few of them are not zero: what `cells` gives.

        Parameters
        ----------
        actual, predicted : array-like of integers, shape (n,)
            The places of the true and of the predicted class among the labels. A cell may be there more than once: its
            amounts are added, exactly.
        amounts : array-like of numbers, shape (n,)
            Counts, or weights where any is not a whole number; finite and not negative.
        labels : array-like of K labels, optional
            Default: 0 to the greatest place.
        pos_label : label, optional
            As in the constructor.

        Raises
        ------
        rocksteady.InputError
            If the columns have not one length, a place is not one of a label, or an amount is negative or not finite.
        rocksteady.InputTypeError
            If they are not numbers.

        >>> import rocksteady as rs
        >>> cm = rs.ConfusionMatrix.from_cells([0, 1, 1], [0, 0, 1], [5, 1, 2], labels=["no", "yes"])
        >>> cm["recall"]
        0.6666666666666666
        """
        places = _places(actual, "actual"), _places(predicted, "predicted")
        if labels is None:
            labels = np.arange(1 + max((int(column.max()) for column in places if column.size), default=-1))
        cells = counts_or_weights(numbers(amounts, "amounts").reshape(-1))
        return cls._of(_rocksteady.ConfusionState.from_cells(*places, cells, labels), pos_label)

    @property
    def labels(self) -> NDArray[Any]:
        """The classes, in the order of rows and columns: a bool, integer, float or str array."""
        return self._state.labels()

    @property
    def pos_label(self) -> object:
        """The positive class of a matrix with two classes; None with any other number."""
        return None if self._positive is None else self.labels.tolist()[self._positive]

    @property
    def rows(self) -> int:
        """The number of rows counted; of a matrix made from counts, the sum of its cells; from weights, 0."""
        return self._state.rows

    @property
    def total(self) -> float:
        """The sum of the cells: the rows counted, or their weight."""
        return self._state.total

    @property
    def weighted(self) -> bool:
        """Whether the cells are sums of weights."""
        return self._state.weighted

    def to_array(self) -> NDArray[Any]:
        """The dense matrix, shape (K, K): uint64 counts, or float64 sums of weights."""
        return self._state.to_array()

    def cells(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[Any]]:
        """The cells that are not zero: places of the true classes, of the predicted ones, and amounts.

        Three arrays of one length, by true and then predicted class; amounts are uint64 counts or float64 sums of weights.
        ``labels[actual]`` are the labels; ``scipy.sparse.coo_array((amounts, (actual, predicted)))`` is the sparse matrix.

        >>> import rocksteady as rs
        >>> cm = rs.ConfusionMatrix([7, 7, 9], [7, 9, 9])
        >>> [column.tolist() for column in cm.cells()]
        [[0, 0, 1], [0, 1, 1], [1, 1, 1]]
        """
        return self._state.cells()

    def normalize(self, by: Normalize = "true") -> NDArray[np.float64]:
        """The dense matrix as shares, shape (K, K).

        Parameters
        ----------
        by : {"true", "pred", "all"}
            Of the rows' sums, the columns' sums or the total; 0 where that is 0, as in scikit-learn.

        Raises
        ------
        rocksteady.InputError
            If `by` is none of these, or there are more than 10,000 classes.

        >>> import rocksteady as rs
        >>> rs.ConfusionMatrix.from_counts([[3, 1], [0, 0]]).normalize("true")
        array([[0.75, 0.25],
               [0.  , 0.  ]])
        """
        one_of(by, "by", ("true", "pred", "all"))
        return self._state.normalized(by)

    def transpose(self) -> ConfusionMatrix:
        """The matrix with true and predicted classes exchanged.

        >>> import rocksteady as rs
        >>> cm = rs.ConfusionMatrix.from_counts([[91, 16], [14, 79]])
        >>> cm.transpose()["precision"] == cm["recall"]
        True
        """
        return self._of(self._state.transposed(), self.pos_label)

    @property
    def T(self) -> ConfusionMatrix:  # noqa: N802 - as numpy calls it
        """The same as `transpose()`."""
        return self.transpose()

    def relabel(self, labels: Mapping[Any, Any] | Callable[[Any], Any] | ArrayLike) -> ConfusionMatrix:
        """The matrix with other names for its classes; nothing else changes, their order neither.

        Parameters
        ----------
        labels : mapping, callable or array-like of K labels
            Old label to new, where those left out keep theirs; a function that gives the new for the old; or all new
            labels in the order of `labels`.

        Raises
        ------
        rocksteady.InputError
            If two classes would have one label (`collapse` merges classes), the mapping names a class that there is
            not, or there are not K labels.
        rocksteady.InputTypeError
            If the new labels are not all numbers or all strings.

        >>> import rocksteady as rs
        >>> cm = rs.ConfusionMatrix([0, 1, 1], [0, 1, 0])
        >>> cm.relabel({0: "ham", 1: "spam"})
        ConfusionMatrix of 2 classes, 3 rows (rows true, columns predicted)
              ham  spam
        ham     1     0
        spam    1     1
        >>> cm.relabel(lambda label: label + 10).pos_label
        11
        """
        old = self.labels.tolist()
        if isinstance(labels, Mapping):
            self._check_known(list(labels), "labels")
            new = [labels.get(label, label) for label in old]
        elif callable(labels):
            new = [labels(label) for label in old]
        else:
            new = _listed(labels)
        if len(new) == len(old):
            first: dict[Any, Any] = {}
            for was, now in zip(old, new, strict=True):
                if not np.isscalar(now):
                    raise wrong_type(now, f"labels[{was!r}]", "a label: a number or a string")
                if now in first:
                    both = f"the classes {first[now]!r} and {was!r} would both be {shown(now)}"
                    expected = "different labels (collapse({...}) merges classes)"
                    raise InputError(f"{both}; expected {expected}", argument="labels", expected=expected)
                first[now] = was
        positive = None if self._positive is None or len(new) != len(old) else new[self._positive]
        return self._of(self._state.relabelled(new), positive)

    def collapse(self, groups: Mapping[Any, Sequence[Any]], *, pos_label: object = None) -> ConfusionMatrix:
        """The matrix with classes put together: to the bit that of the rows with their labels replaced.

        Parameters
        ----------
        groups : mapping of label to list of labels
            New class to the classes that it takes in. Classes in no list stay as they are; a new class stands where the
            first of its own stood.
        pos_label : label, optional
            As in the constructor. Default: the class that holds the positive one, if there was one.

        Raises
        ------
        rocksteady.InputError
            If a class is in two lists, there is no such class, or a new one has the label of a class that stays.
        rocksteady.InputTypeError
            If numbers and strings would stand beside each other.

        >>> import rocksteady as rs
        >>> cm = rs.ConfusionMatrix(["cat", "dog", "eel", "cod"], ["dog", "dog", "eel", "eel"])
        >>> cm.collapse({"pet": ["cat", "dog"], "fish": ["cod", "eel"]})
        ConfusionMatrix of 2 classes, 4 rows (rows true, columns predicted)
              pet  fish
        pet     2     0
        fish    0     2
        """
        into: dict[Any, Any] = {}
        if groups is None:
            raise wrong_type(groups, "groups", "a mapping of new label to list of labels")
        for new, members in mapping(groups, "groups", "a mapping of new label to list of labels").items():
            classes_of = listed(members, f"groups[{new!r}]", "a list of labels")
            self._check_known(classes_of, "groups")
            for label in classes_of:
                if label in into:
                    raise InputError(
                        f"class {label!r} stands under {into[label]!r} and {new!r}; expected once", argument="groups"
                    )
                into[label] = new
        old = self.labels.tolist()
        places: dict[Any, int] = {}
        for label in old:
            if label not in into and label in groups:
                raise InputError(
                    f"the class {label!r} stays, so no other can have its label; list it under it", argument="groups"
                )
            places.setdefault(into.get(label, label), len(places))
        classes = np.array([places[into.get(label, label)] for label in old], dtype=np.int64)
        if pos_label is None and self._positive is not None and len(places) == 2:
            pos_label = list(places)[classes[self._positive]]
        return self._of(self._state.mapped(list(places), classes), pos_label)

    def one_vs_rest(self, label: object) -> ConfusionMatrix:
        """One class against all others: a matrix of two classes, that one the positive.

        Parameters
        ----------
        label : label
            The class. The new classes are ``"rest"`` (``"not rest"`` beside a class of that name) and the label as text,
            so that they say which class it was whatever the labels are; `relabel` gives them other names.

        Raises
        ------
        rocksteady.InputError
            If there is no such class.

        >>> import rocksteady as rs
        >>> cm = rs.ConfusionMatrix.from_counts([[3, 0, 0], [0, 1, 2], [2, 1, 3]])
        >>> cm.one_vs_rest(2)
        ConfusionMatrix of 2 classes, 12 rows (rows true, columns predicted)
              rest  2
        rest     4  2
        2        3  3
        >>> cm.one_vs_rest(2)["recall"], float(cm.per_class("recall")[2])
        (0.5, 0.5)
        """
        self._check_known([label], "label")
        is_class = [known == label for known in self.labels.tolist()]
        shown = str(self.labels.tolist()[is_class.index(True)])
        rest = "not rest" if shown == "rest" else "rest"
        return self._of(self._state.mapped([rest, shown], np.array(is_class, dtype=np.int64)), shown)

    def reorder(self, labels: ArrayLike) -> ConfusionMatrix:
        """The matrix with its classes in another order.

        Parameters
        ----------
        labels : array-like of K labels
            All classes, in the order wanted.

        Raises
        ------
        rocksteady.InputError
            If these are not the classes of the matrix, each once; `select` takes some of them.

        >>> import rocksteady as rs
        >>> cm = rs.ConfusionMatrix(["low", "mid", "high"], ["low", "high", "high"])
        >>> cm.reorder(["low", "mid", "high"]).to_array().tolist()
        [[1, 0, 0], [0, 0, 1], [0, 0, 1]]
        """
        wanted = _listed(labels)
        if len(wanted) != len(self.labels):
            raise InputError(
                f"labels are {len(wanted)}; expected all {len(self.labels)} classes (select takes some)",
                argument="labels",
            )
        return self._selected(wanted)

    def select(self, labels: ArrayLike) -> ConfusionMatrix:
        """The matrix of some classes, in the order given: rows that are, or were predicted to be, of another are left out.

        That is what counting with ``labels=`` gives. Of a weighted matrix it is then not known how many rows are left:
        `rows` is 0.

        Raises
        ------
        rocksteady.InputError
            If there is no such class, or it is named twice.

        >>> import rocksteady as rs
        >>> cm = rs.ConfusionMatrix.from_counts([[3, 0, 0], [0, 1, 2], [2, 1, 3]])
        >>> cm.select([2, 0]).to_array().tolist()
        [[3, 2], [0, 3]]
        """
        return self._selected(_listed(labels))

    def _selected(self, wanted: list[Any]) -> ConfusionMatrix:
        self._check_known(wanted, "labels")
        places = {label: place for place, label in enumerate(wanted)}
        classes = np.array([places.get(label, -1) for label in self.labels.tolist()], dtype=np.int64)
        own = {label: label for label in self.labels.tolist()}  # 1 finds True, which it stands for
        labels = [own[label] for label in wanted]
        positive = self.pos_label if len(places) == 2 and self.pos_label in places else None
        return self._of(self._state.mapped(labels, classes), positive)

    def _check_known(self, labels: Iterable[Any], argument: str) -> None:
        known = set(self.labels.tolist())
        for label in labels:
            if not np.isscalar(label) or label not in known:
                some = ", ".join(repr(one) for one in self.labels.tolist()[:5])
                rest = ", …" if len(known) > 5 else ""
                raise InputError(
                    f"{argument}: there is no class {shown(label)}; the classes: {some}{rest}",
                    argument=argument,
                    value=shown(label),
                )

    def dissimilarity(self) -> NDArray[np.float64]:
        """How the rows of each two classes differ, shape (K, K): ``sum_j |M[i, j] - M[k, j]|``.

        PyCM's ``dissimilarity_matrix``. Classes that the model treats alike are near; of classes of unequal size divide
        the rows first.

        Raises
        ------
        rocksteady.InputError
            If there are more than 10,000 classes.

        >>> import rocksteady as rs
        >>> rs.ConfusionMatrix.from_counts([[3, 0, 0], [0, 1, 2], [2, 1, 3]]).dissimilarity().tolist()
        [[0.0, 6.0, 5.0], [6.0, 0.0, 3.0], [5.0, 3.0, 0.0]]
        """
        return self._state.dissimilarity()

    @property
    def class_ratio(self) -> float:
        """How many times as many rows the largest true class has as the smallest; infinite if one has none.

        >>> import rocksteady as rs
        >>> rs.ConfusionMatrix.from_counts([[91, 16], [14, 79]]).class_ratio
        1.1505376344086022
        """
        sizes = self._state.actual()
        if sizes.size == 0 or not sizes.max() > 0:
            return float("nan")
        return float(sizes.max() / sizes.min()) if sizes.min() > 0 else float("inf")

    def is_imbalanced(self, ratio: float = 3.0) -> bool:
        """Whether the largest class has more than `ratio` times the rows of the smallest: PyCM's rule, with its 3.

        (Where a class has no rows PyCM divides by one; here the ratio is infinite.)

        >>> import rocksteady as rs
        >>> rs.ConfusionMatrix.from_counts([[91, 16], [2, 3]]).is_imbalanced()
        True
        """
        return self.class_ratio > real(ratio, "ratio")

    def counts(self) -> Counts:
        """Each class against the rest: `Counts` of shape (K,), in the order of `labels`."""
        return Counts(*self._state.one_vs_rest())

    def value(self, name: str, **parameters: object) -> float:
        """One index of the whole matrix.

        The overall form where the index has one (accuracy, mcc, kappa, cen, …); else, with two classes, the value of
        the positive class.

        Parameters
        ----------
        name : str
            A name or alias from `rocksteady.indices`.
        **parameters
            The index's own, such as ``beta=2`` for "fbeta" or ``matrix=[[0, 1], [10, 0]]`` for "cost".

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or the matrix has more than two classes and the index has no overall form.
        rocksteady.InputError
            If a parameter is outside its domain, or a matrix of costs is not K by K.

        >>> import rocksteady as rs
        >>> cm = rs.ConfusionMatrix.from_counts([[91, 16], [14, 79]])
        >>> round(cm.value("fbeta", beta=2), 6), cm.value("cost", fp=1, fn=5)
        (0.845824, 86.0)
        """
        return self._state.value(name, self._positive, parameters)[0]

    def __getitem__(self, name: str) -> float:
        return self._state.value(name, self._positive)[0]

    def why(self, name: str, **parameters: object) -> str | None:
        """Why `value(name)` is undefined, or has a conventional value; None if it is defined.

        >>> import rocksteady as rs
        >>> rs.ConfusionMatrix.from_counts([[99, 0], [1, 0]]).why("precision")
        'No row is predicted positive.'
        """
        return self._state.value(name, self._positive, parameters)[1]

    def per_class(self, name: str, **parameters: object) -> NDArray[np.float64]:
        """One index of each class against the rest, shape (K,), in the order of `labels`.

        NaN where undefined, or the index's conventional value (see `rocksteady.index`).

        Parameters
        ----------
        name : str
            An index that is a function of the four counts, or of a class in the whole matrix ("cen", "mcen").
        **parameters
            The index's own.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it has no value for a single class.
        """
        return self._state.per_class(name, parameters)

    def average(
        self,
        name: str,
        average: Average | ArrayLike = "macro",
        *,
        zero_division: float = 0.0,
        **parameters: object,
    ) -> float:
        """One index averaged over the classes.

        Parameters
        ----------
        name : str
        average : {"macro", "micro", "weighted"} or array-like of K weights
            The mean over classes; the index of the pooled one-vs-rest counts; the mean by true class size; or by
            the weights given.
        zero_division : float
            What an undefined class counts as; NaN leaves it out.
        **parameters
            The index's own.

        Returns
        -------
        float
            NaN if every class is left out, or those that are not weigh nothing.

        Raises
        ------
        rocksteady.InputError
            If `average` is none of these, or does not hold K weights.
        rocksteady.UnknownIndexError
            If there is no such index, or it has no value for a single class.

        >>> import rocksteady as rs
        >>> cm = rs.ConfusionMatrix.from_counts([[3, 0, 0], [0, 1, 2], [2, 1, 3]])
        >>> round(cm.average("f1", "macro"), 6), round(cm.average("f1", "weighted"), 6)
        (0.565152, 0.560227)
        """
        return self._state.average(name, average, zero_division, parameters)[0]

    def interval(
        self, name: str, *, level: float = 0.95, method: Method | None = None, side: Side = "two-sided"
    ) -> Interval:
        """One index of the whole matrix, as `value` gives it, with its interval of confidence.

        Rows are taken to be independent, and sums of weights to be counts.

        Parameters
        ----------
        name : str
            A share of rows, such as "accuracy" or "recall", or another index whose scatter is known; see
            `rocksteady.index(name).intervals`.
        level : float
            Between 0 and 1.
        method : str, optional
            One of `rocksteady.index(name).intervals`; default: the first, which for shares is "wilson". "clopper_pearson" is the
            exact one.
        side : {"two-sided", "lower", "upper"}
            Both bounds, or only one, which is then the tighter.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it has no interval, or not by this method.
        rocksteady.InputError
            If `level`, `method` or `side` is none of these.

        >>> import rocksteady as rs
        >>> cm = rs.ConfusionMatrix.from_counts([[91, 16], [14, 79]])
        >>> exact = cm.interval("accuracy", method="clopper_pearson")
        >>> exact.estimate, round(exact.low, 6), round(exact.high, 6)
        (0.85, 0.792841, 0.89645)
        """
        from rocksteady import interval  # noqa: PLC0415 (not every program needs it)

        return interval.of_matrix(self._state, self._positive, name, level, method, side)

    def per_class_interval(
        self, name: str, *, level: float = 0.95, method: Method | None = None, side: Side = "two-sided"
    ) -> Interval:
        """One index of each class against the rest with its intervals, arrays of shape (K,); otherwise as `interval`."""
        return self.counts().interval(name, level=level, method=method, side=side)

    def interpret(self, name: str, *, scale: str | None = None, **parameters: object) -> str | None:
        """The word for `value(name)` on a scale of the field; None where the scale has no word for it.

        Parameters
        ----------
        name : str
            An index with scales: see `rocksteady.index(name).scales`.
        scale : str, optional
            The name of the scale; default: the first.
        **parameters
            The index's own.

        Raises
        ------
        rocksteady.UnknownIndexError
            If the index has no such scale.

        >>> import rocksteady as rs
        >>> cm = rs.ConfusionMatrix.from_counts([[91, 16], [14, 79]])
        >>> cm.interpret("kappa"), cm.interpret("kappa", scale="fleiss")
        ('Substantial', 'Intermediate to Good')
        """
        from rocksteady import interval  # noqa: PLC0415 (not every program needs it)

        return interval.words(name, np.float64(self.value(name, **parameters)), scale)[0]

    def per_class_interpret(self, name: str, *, scale: str | None = None, **parameters: object) -> list[str | None]:
        """The word for each of `per_class(name)`; otherwise as `interpret`."""
        from rocksteady import interval  # noqa: PLC0415 (not every program needs it)

        return interval.words(name, self.per_class(name, **parameters), scale)

    def pycm(self, name: str) -> float | tuple[float, float] | str | None:
        """An overall statistic by its name in PyCM, with PyCM's meaning.

        Parameters
        ----------
        name : str
            Such as "Overall ACC", "Kappa 95% CI" or "SOA1(Landis & Koch)"; `rocksteady.pycm.NAMES` has all, each with its row.

        Returns
        -------
        float, tuple of two floats for intervals and "Overall J", str for interpretations
            Where PyCM says "None": NaN or the row's convention, None for a word. `rocksteady.pycm.why` has the reason.

        Raises
        ------
        rocksteady.UnknownIndexError
            If PyCM has no overall statistic of that name.
        """
        from rocksteady import pycm  # noqa: PLC0415 (not every program needs it)

        return pycm.overall(self, name)

    def per_class_pycm(self, name: str) -> NDArray[np.float64] | list[str | None]:
        """A class statistic, or a distance, by its name in PyCM, such as "AUC" or "BaulieuXI"; otherwise as `pycm`."""
        from rocksteady import pycm  # noqa: PLC0415 (not every program needs it)

        return pycm.per_class(self, name)

    def to_dict(self, names: Names | Sequence[str] | None = None) -> dict[str, Any]:
        """Labels, rows, cells and the values of the commoner indices, as plain Python values.

        Parameters
        ----------
        names : {"all", "summary"} or sequence of str, optional
            Which indices. Default: "summary", those of them that the matrix has.
        """
        from rocksteady.selection import chosen  # noqa: PLC0415 (not every program needs it)

        two = self._positive is not None
        shown = chosen(names, default="summary", form=("counts", "matrix") if two else ("matrix",))[0]
        values, _ = self._state.values(shown, self._positive)
        return {
            "labels": self.labels.tolist(),
            "pos_label": self.pos_label,
            "rows": self.rows,
            "confusion_matrix": self.to_array().tolist(),
            **dict(zip(shown, values.tolist(), strict=True)),
        }

    def to_nested(self) -> dict[Any, dict[Any, Any]]:
        """The cells as PyCM takes them: for each true label a dictionary of predicted label to amount.

        `from_counts` reads it back.

        >>> import rocksteady as rs
        >>> rs.ConfusionMatrix(["cat", "dog", "dog"], ["cat", "dog", "cat"]).to_nested()
        {'cat': {'cat': 1, 'dog': 0}, 'dog': {'cat': 1, 'dog': 1}}
        """
        labels = self.labels.tolist()
        rows = self.to_array().tolist()
        return {label: dict(zip(labels, row, strict=True)) for label, row in zip(labels, rows, strict=True)}

    def to_pandas(self, *, cells: bool = False) -> Any:
        """The matrix as a ``pandas.DataFrame``.

        Parameters
        ----------
        cells : bool
            A row for each cell that is not zero, with the columns actual, predicted and count (or weight), instead of the
            square with true labels as its index: what a matrix of very many classes needs.

        Raises
        ------
        ImportError
            If pandas is not installed.
        rocksteady.InputError
            If there are more than 10,000 classes, and not `cells`.

        >>> import rocksteady as rs
        >>> cm = rs.ConfusionMatrix(["cat", "dog", "dog"], ["cat", "dog", "cat"])
        >>> cm.to_pandas()
        predicted  cat  dog
        actual
        cat          1    0
        dog          1    1
        >>> cm.to_pandas(cells=True)
          actual predicted  count
        0    cat       cat      1
        1    dog       cat      1
        2    dog       dog      1
        """
        pandas = library("pandas", "pandas")
        if flag(cells, "cells"):
            return pandas.DataFrame(self._cell_columns())
        square, labels = self.to_array(), self.labels  # refused before any work where there are too many classes
        index, columns = pandas.Index(labels, name="actual"), pandas.Index(labels, name="predicted")
        return pandas.DataFrame(square, index=index, columns=columns)

    def to_polars(self, *, cells: bool = False) -> Any:
        """The matrix as a ``polars.DataFrame``: a column actual with the true labels, then one for each predicted label.

        Parameters
        ----------
        cells : bool
            As for `to_pandas`.

        Raises
        ------
        ImportError
            If polars is not installed.
        rocksteady.InputError
            If there are more than 10,000 classes, and not `cells`.

        >>> import rocksteady as rs
        >>> rs.ConfusionMatrix(["cat", "dog", "dog"], ["cat", "dog", "cat"]).to_polars().rows()
        [('cat', 1, 0), ('dog', 1, 1)]
        """
        polars = library("polars", "polars")
        return polars.DataFrame(self._cell_columns() if flag(cells, "cells") else self._square_columns())

    def to_arrow(self, *, cells: bool = False) -> Any:
        """The matrix as a ``pyarrow.Table``, with the columns of `to_polars`.

        Parameters
        ----------
        cells : bool
            As for `to_pandas`.

        Raises
        ------
        ImportError
            If pyarrow is not installed.
        rocksteady.InputError
            If there are more than 10,000 classes, and not `cells`.

        >>> import rocksteady as rs
        >>> rs.ConfusionMatrix(["cat", "dog", "dog"], ["cat", "dog", "cat"]).to_arrow(cells=True).column_names
        ['actual', 'predicted', 'count']
        """
        pyarrow = library("pyarrow", "arrow")
        return pyarrow.table(self._cell_columns() if flag(cells, "cells") else self._square_columns())

    def _cell_columns(self) -> dict[str, NDArray[Any]]:
        actual, predicted, amounts = self.cells()
        labels = self.labels
        amount = "weight" if self.weighted else "count"
        return {"actual": labels[actual], "predicted": labels[predicted], amount: amounts}

    def _square_columns(self) -> dict[str, NDArray[Any]]:
        square = self.to_array()
        names = [str(label) for label in self.labels.tolist()]
        first = "actual"
        while first in names:
            first += "_"
        return {first: self.labels, **dict(zip(names, square.T, strict=True))}

    def table(self, names: Names | Sequence[str] | None = None, *, family: str | None = None) -> Table:
        """Indices and their values; with more than two classes, the overall value and the macro and weighted averages.

        Parameters
        ----------
        names : {"all", "summary"} or sequence of str, optional
            Which indices. Default: all that the matrix has.
        family : str, optional
            Only those of one family, such as "entropy" (see `rocksteady.index`).

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no index of a name, or it has no value for this matrix.
        rocksteady.InputError
            If there is no such family.

        >>> import rocksteady as rs
        >>> rs.ConfusionMatrix.from_counts([[91, 16], [14, 79]]).table(["accuracy", "mcc"])
        index        value
        accuracy      0.85
        mcc       0.699087
        """
        from rocksteady.selection import chosen  # noqa: PLC0415 (not every program needs it)

        shown, forms = chosen(names, family, form=("counts", "matrix"))
        if self._positive is not None:
            values, _ = self._state.values(shown, self._positive)
            return Table(["index", "value"], list(zip(shown, values.tolist(), strict=True)))
        whole = [name for name, has in zip(shown, forms, strict=True) if "matrix" in has or "counts" not in has]
        each = [name for name, has in zip(shown, forms, strict=True) if "counts" in has]
        overall = dict(zip(whole, self._state.values(whole, None)[0].tolist(), strict=True))
        alike, by_size = self._state.averages(each)
        macro, weighted = (dict(zip(each, means.tolist(), strict=True)) for means in (alike, by_size))
        lines = [(name, overall.get(name), macro.get(name), weighted.get(name)) for name in shown]
        return Table(["index", "overall", "macro", "weighted"], lines)

    def class_table(self, names: Names | Sequence[str] | None = None, *, family: str | None = None) -> Table:
        """A row for each class, a column for each index: the values of `per_class`.

        Parameters
        ----------
        names : {"all", "summary"} or sequence of str, optional
            Which indices. Default: all that are formulas of a class.
        family : str, optional
            Only those of one family.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no index of a name, or it has no value for a class.
        rocksteady.InputError
            If there is no such family.

        >>> import rocksteady as rs
        >>> rs.ConfusionMatrix(["cat", "dog", "dog"], ["cat", "dog", "cat"]).class_table(["precision", "recall"])
        class  precision  recall
        cat          0.5       1
        dog            1     0.5
        """
        from rocksteady.selection import chosen  # noqa: PLC0415 (not every program needs it)

        shown = chosen(names, family, form=("counts", "class"))[0]
        values = self._state.class_values(shown)
        labels = self.labels

        def rows() -> Iterable[tuple[Any, ...]]:
            shown_labels = map(one_line, labels.tolist())
            return ((label, *row) for label, row in zip(shown_labels, values.T.tolist(), strict=True))

        return Table._later(["class", *shown], rows)

    def cell_table(self) -> Table:
        """The cells that are not zero, a line each: how a matrix of many classes is best printed.

        >>> import rocksteady as rs
        >>> rs.ConfusionMatrix(["cat", "dog", "dog"], ["cat", "dog", "cat"]).cell_table()
        actual  predicted  count
        cat           cat      1
        dog           cat      1
        dog           dog      1
        """
        columns = self._cell_columns()
        actual, predicted, amounts = (column.tolist() for column in columns.values())
        lines = zip(map(one_line, actual), map(one_line, predicted), amounts, strict=True)
        return Table(list(columns), list(lines))

    def __add__(self, other: object) -> ConfusionMatrix:
        if not isinstance(other, ConfusionMatrix):
            return NotImplemented
        named = [label for label in (self.pos_label, other.pos_label) if label is not None]
        if len(named) == 2 and named[0] != named[1]:
            raise InputError(f"cannot add: the positive class is {named[0]!r} in one, {named[1]!r} in the other")
        state = self._state.merged(other._state)
        return self._of(state, named[0] if named and state.classes == 2 else None)

    def __radd__(self, other: object) -> ConfusionMatrix:
        """So that ``sum(matrices)`` works, which begins with 0."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ConfusionMatrix):
            return NotImplemented
        return self._state.same(other._state) and self.pos_label == other.pos_label

    __hash__ = None  # type: ignore[assignment]

    def to_bytes(self) -> bytes:
        """The state in a versioned, little-endian form that any machine reads back to the bit; without `pos_label`."""
        return self._state.to_bytes()

    @classmethod
    def from_bytes(cls, data: bytes, *, pos_label: object = None) -> ConfusionMatrix:
        """The matrix whose `to_bytes` gave `data`; bytes that are anything else are refused."""
        return cls._of(_rocksteady.ConfusionState.from_bytes(data), pos_label)

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return _unpickle, (self.to_bytes(), self.pos_label)

    def _matrix(self) -> Table:
        names = [one_line(label) for label in self.labels]
        rows = [[name, *cells] for name, cells in zip(names, self.to_array().tolist(), strict=True)]
        return Table(["", *names], rows)

    def _title(self) -> str:
        classes = len(self.labels)
        unit = f", weight {number(self.total)}" if self.weighted else ""
        rows = f"{classes} class{'es' * (classes != 1)}, {self.rows} row{'s' * (self.rows != 1)}{unit}"
        return f"ConfusionMatrix of {rows}"

    def __repr__(self) -> str:
        if len(self.labels) > _SHOWN_CLASSES:
            return f"<{self._title()}>"
        return f"{self._title()} (rows true, columns predicted)\n{self._matrix()!r}"

    def _repr_html_(self) -> str:
        import html  # noqa: PLC0415 (not every program needs it)

        title = html.escape(self._title())
        if len(self.labels) > _SHOWN_CLASSES:
            return f"<p>{title}</p>"
        return f"<p>{title} (rows true, columns predicted)</p>{self._matrix()._repr_html_()}"


def _listed(labels: ArrayLike) -> list[Any]:
    """Labels of any container as Python's."""
    return labels_of(labels, "labels")


def _square(cells: NDArray[Any]) -> NDArray[Any]:
    if cells.ndim != 2:
        raise InputError(f"counts has shape {cells.shape}; expected (K, K)", argument="counts")
    return cells if cells.dtype in _TAKEN else counts_or_weights(cells)


def _places(values: ArrayLike, argument: str) -> NDArray[np.uint32]:
    """Places of classes: whole numbers from 0."""
    column = numbers(values, argument).reshape(-1)
    if column.dtype.kind not in "iu" and column.size:
        raise InputTypeError(f"{argument} has dtype {column.dtype}; expected integers", argument=argument)
    outside = np.flatnonzero((column < 0) | (column >= 2**32 - 1))
    if outside.size:
        row = int(outside[0])
        raise InputError(f"{argument}[{row}] is {column[row]}; expected the place of a class", argument=argument)
    return column.astype(np.uint32)


def _of_mapping(counts: Mapping[Any, Mapping[Any, Any]], labels: ArrayLike | None) -> _rocksteady.ConfusionState:
    places = _order(list(counts), labels, "the keys of counts")
    whole = _whole_square(counts, list(places))
    if whole is not None:
        return _rocksteady.ConfusionState.from_counts(counts_or_weights(whole), list(places))
    keys: list[tuple[Any, Any]] = []
    given: list[Any] = []
    for row, cells in counts.items():
        if not isinstance(cells, Mapping):
            raise wrong_type(cells, f"counts[{row!r}]", "a mapping of predicted label to amount")
        for column, amount in cells.items():
            if column not in places:
                raise InputError(
                    f"counts[{row!r}] has the class {column!r}, which counts has no row of; expected a row for every class",
                    argument="counts",
                )
            keys.append((row, column))
            if not isinstance(amount, Real | np.bool_):
                raise wrong_type(amount, f"counts[{row!r}][{column!r}]", "a finite number that is not negative")
            given.append(amount)
    cells_given = numbers(given, "counts") if given else np.zeros(0)
    bad = np.flatnonzero(~((cells_given >= 0) & (cells_given < np.inf)))
    if bad.size:
        row, column = keys[bad[0]]
        raise InputError(
            f"counts[{row!r}][{column!r}] is {given[bad[0]]!r}; expected a finite number that is not negative",
            argument="counts",
        )
    actual, predicted = (np.array([places[key[side]] for key in keys], dtype=np.uint32) for side in (0, 1))
    return _rocksteady.ConfusionState.from_cells(actual, predicted, counts_or_weights(cells_given), list(places))


def _whole_square(counts: Mapping[Any, Mapping[Any, Any]], labels: list[Any]) -> NDArray[Any] | None:
    """The cells of a mapping whose rows are in order and have all cells in order, as PyCM's have; None of any other."""
    if list(counts) != labels or not all(isinstance(row, Mapping) and list(row) == labels for row in counts.values()):
        return None
    try:
        cells = np.array([list(row.values()) for row in counts.values()])
    except ValueError:  # lists among the cells
        return None
    if cells.ndim != 2 or cells.dtype.kind not in "iuf" or not ((cells >= 0) & (cells < np.inf)).all():
        return None  # what is wrong, and where, is found cell by cell
    return cells


def _of_frame(counts: Any, labels: ArrayLike | None) -> _rocksteady.ConfusionState:
    index, columns = list(counts.index), list(counts.columns)
    places = _order(index, labels, "the index of counts")
    if set(columns) != set(index) or len(columns) != len(index):
        odd = next((label for label in [*columns, *index] if (label in columns) != (label in index)), columns)
        raise InputError(
            f"the index and the columns of counts differ in {odd!r}; expected the same classes", argument="counts"
        )
    cells = _square(numbers(counts.to_numpy(), "counts"))
    row_of, column_of = ({label: place for place, label in enumerate(names)} for names in (index, columns))
    rows, across = ([where[label] for label in places] for where in (row_of, column_of))
    return _rocksteady.ConfusionState.from_counts(np.ascontiguousarray(cells[np.ix_(rows, across)]), list(places))


def _of_array(counts: ArrayLike, labels: ArrayLike | None) -> _rocksteady.ConfusionState:
    return _rocksteady.ConfusionState.from_counts(_square(numbers(counts, "counts")), labels)


def _of_sparse(counts: Any, labels: ArrayLike | None) -> _rocksteady.ConfusionState:
    if len(counts.shape) != 2 or counts.shape[0] != counts.shape[1]:
        raise InputError(f"counts has shape {counts.shape}; expected (K, K)", argument="counts")
    cells = counts.tocoo()
    wanted = np.arange(counts.shape[0]) if labels is None else labels
    if len(_listed(wanted)) != counts.shape[0]:
        raise InputError(
            f"labels are {len(_listed(wanted))}; expected {counts.shape[0]}, one for each row", argument="labels"
        )
    places = _places(cells.row, "counts"), _places(cells.col, "counts")
    return _rocksteady.ConfusionState.from_cells(*places, counts_or_weights(numbers(cells.data, "counts")), wanted)


def _order(own: list[Any], labels: ArrayLike | None, what: str) -> dict[Any, int]:
    """Place of each label, in the order wanted."""
    wanted = labels_of(own, "counts") if labels is None else _listed(labels)
    if set(wanted) != set(own) or len(wanted) != len(own):
        raise InputError(f"labels are not those of {what}; expected the same classes, each once", argument="labels")
    return {label: place for place, label in enumerate(wanted)}


def _unpickle(data: bytes, pos_label: object) -> ConfusionMatrix:
    return ConfusionMatrix.from_bytes(data, pos_label=pos_label)
