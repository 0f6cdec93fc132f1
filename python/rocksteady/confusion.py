"""The confusion matrix: counted once, every count-based index derived."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocksteady import _rocksteady, interval, pycm
from rocksteady.counts import Counts, numbers
from rocksteady.errors import InputError
from rocksteady.registry import indices
from rocksteady.table import Table, number, one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from rocksteady.interval import Interval, Method, Side

Average = Literal["macro", "micro", "weighted"]

# A matrix with more classes than this prints as its size, not as its cells.
_SHOWN_CLASSES = 12


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
        cls, counts: ArrayLike, *, labels: ArrayLike | None = None, pos_label: object = None
    ) -> ConfusionMatrix:
        """The matrix with given cells.

        Parameters
        ----------
        counts : array-like of shape (K, K)
            Rows true, columns predicted; counts, or weights where any is not a whole number.
        labels : array-like of K labels, optional
            Default: 0 to K - 1.
        pos_label : label, optional
            As in the constructor.

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
        """
        cells = numbers(counts, "counts")
        if cells.ndim != 2:
            raise InputError(f"counts has shape {cells.shape}; expected (K, K)", argument="counts")
        whole = cells.dtype.kind in "bu" or (cells.dtype.kind == "i" and bool((cells >= 0).all()))
        cells = cells.astype(np.uint64 if whole else np.float64)
        return cls._of(_rocksteady.ConfusionState.from_counts(cells, labels), pos_label)

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
        return interval.words(name, np.float64(self.value(name, **parameters)), scale)[0]

    def per_class_interpret(self, name: str, *, scale: str | None = None, **parameters: object) -> list[str | None]:
        """The word for each of `per_class(name)`; otherwise as `interpret`."""
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
        return pycm.overall(self, name)

    def per_class_pycm(self, name: str) -> NDArray[np.float64] | list[str | None]:
        """A class statistic, or a distance, by its name in PyCM, such as "AUC" or "BaulieuXI"; otherwise as `pycm`."""
        return pycm.per_class(self, name)

    def to_dict(self) -> dict[str, Any]:
        """Labels, rows, cells and every index that the matrix has, as plain Python values."""
        return {
            "labels": self.labels.tolist(),
            "pos_label": self.pos_label,
            "rows": self.rows,
            "confusion_matrix": self.to_array().tolist(),
            **dict(self._values()),
        }

    def _values(self) -> list[tuple[str, float]]:
        """The indices that `value` gives, in the registry's order."""
        names = (row.name for row in indices() if self._has(row.forms))
        return [(name, self[name]) for name in names]

    def _has(self, forms: Sequence[str]) -> bool:
        return "matrix" in forms or ("counts" in forms and self._positive is not None)

    def table(self) -> Table:
        """Every index: its value; with more than two classes, the overall value and the macro and weighted averages."""
        if self._positive is not None:
            return Table(["index", "value"], self._values())
        rows = [
            (
                row.name,
                self[row.name] if "matrix" in row.forms else None,
                self.average(row.name, "macro") if "counts" in row.forms else None,
                self.average(row.name, "weighted") if "counts" in row.forms else None,
            )
            for row in indices()
            if "matrix" in row.forms or "counts" in row.forms
        ]
        return Table(["index", "overall", "macro", "weighted"], rows)

    def __add__(self, other: object) -> ConfusionMatrix:
        if not isinstance(other, ConfusionMatrix):
            return NotImplemented
        named = [label for label in (self.pos_label, other.pos_label) if label is not None]
        if len(named) == 2 and named[0] != named[1]:
            raise InputError(f"cannot add: the positive class is {named[0]!r} in one, {named[1]!r} in the other")
        state = self._state.merged(other._state)
        return self._of(state, named[0] if named and state.classes == 2 else None)

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
        title = html.escape(self._title())
        if len(self.labels) > _SHOWN_CLASSES:
            return f"<p>{title}</p>"
        return f"<p>{title} (rows true, columns predicted)</p>{self._matrix()._repr_html_()}"


def _unpickle(data: bytes, pos_label: object) -> ConfusionMatrix:
    return ConfusionMatrix.from_bytes(data, pos_label=pos_label)
