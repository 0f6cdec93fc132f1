"""The confusion matrix: counted once, every count-based index derived."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base import hints
from rocksteady.base.arguments import flag, one_of, real, shown
from rocksteady.base.containers import elsewhere
from rocksteady.base.named_columns import parameters_by_class, weights_by_class
from rocksteady.base.statistic import Along, Kept, fraction
from rocksteady.columns.categories import categories_in_order
from rocksteady.columns.pairing import paired
from rocksteady.columns.renamed import known_names
from rocksteady.errors import InputError, InputTypeError, RocksteadyError
from rocksteady.labels.cells import state_of, state_of_cells, state_of_long
from rocksteady.labels.counts import Counts
from rocksteady.labels.positions import positions as _positions
from rocksteady.labels.rearranged import Rearranged

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from fractions import Fraction
    from typing import Self

    from numpy.typing import ArrayLike, NDArray

    from rocksteady.base.arguments import WeightKind
    from rocksteady.base.table import Table
    from rocksteady.inference.interval import Interval, Method, Side
    from rocksteady.inference.resampling import Bootstrap, BootstrapMethod, RandomState, Resample
    from rocksteady.labels.map_accuracy import MapAccuracy

Average = Literal["macro", "micro", "weighted"]
Normalize = Literal["true", "pred", "all"]


def _state(columns: dict[str, Any], weights: Any, labels: Any, options: tuple[Any, bool, WeightKind]) -> Any:
    """The state of columns here or, from their cells, on another device; a refusal has a hint."""

    def count(y_true: Any, y_pred: Any, weights: Any = None) -> _rocksteady.ConfusionState:
        return _rocksteady.ConfusionState.count(y_true, y_pred, labels, weights, *options)

    try:
        return count(columns["y_true"], columns["y_pred"], weights)
    except (InputError, InputTypeError) as error:
        refusal: RocksteadyError = error
    if any(map(elsewhere, (*columns.values(), weights))):
        from rocksteady.devices.cells import state_of_cells  # noqa: PLC0415 (few programs need it)

        try:
            return state_of_cells(count, columns, (weights, options[2]), options[0])
        except RocksteadyError as error:
            refusal = error
    raise hints.of_classes(refusal, *columns.values()) from None


class ConfusionMatrix(Along, Rearranged, Kept):
    """A K×K confusion matrix: rows are the true classes, columns the predicted ones.

    Exact and additive: `a + b` is, to the bit, the matrix of the pooled rows, with weights too.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        Class labels: booleans, integers, floats that are whole numbers, or strings; from numpy, pandas, polars, Arrow,
        DLPack or lists. No copy is made where the memory allows. Arrays on a GPU are counted there (docs/devices.md).
    labels : array-like or mapping, optional
        The classes and their order. Default: those that occur in `y_true` or `y_pred`, ascending, or in the order of
        the ordered categories of `y_true`. Rows with any other label are left out. A mapping from labels to names, such
        as ``{0: "ham", 1: "spam"}``, also says what the classes of the matrix are called; those named None are left out.
    pos_label : label, optional
        With two classes, the positive one, by its label or its name. Default: the second of `labels` (the greater).
        Where the rows hold one class only, naming another adds it.
    sample_weight : array-like of shape (n,), optional
        Finite and not negative. Sums of weights are exact.
    weight_kind : {"counts", "sampling"}
        What a weight means: so many rows, or how much one row of a sample counts (an inverse probability, an
        importance, a class weight). Values are the same; intervals are not, since a row of great weight is one row
        only. A matrix of sampling weights also keeps the sums of their squares, and is added to its own kind only.
        Such weights are 0, or from 1e-100 to 1e100.
    nan_policy : {"raise", "omit"}
        What to do with a missing label: refuse, or leave the row out.
    strict : bool
        With `labels`: refuse a label that is not among them.
    align : bool
        Whether to bring pandas objects into the order of the index of `y_true`. Default: rows go by position.

    Raises
    ------
    rocksteady.InputError
        For a value that cannot be used; the message names argument, row, value and what was expected.
    rocksteady.InputTypeError
        For a type or dtype that cannot be used.

    Warns
    -----
    rocksteady.RocksteadyWarning
        If pandas objects have the same index labels in another order.

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
    >>> cm["accuracy"], cm.value("recall", average="macro")
    (0.75, 0.8333333333333334)
    >>> cm.every("precision")
    array([1. , 1. , 0.5])
    >>> rs.ConfusionMatrix([0, 1, 1], [0, 1, 0], labels={0: "ham", 1: "spam"}).pos_label
    'spam'
    """

    __slots__ = ("_positive", "_state")

    _state: _rocksteady.ConfusionState
    _positive: int | None

    def __init__(
        self,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        labels: ArrayLike | Mapping[Any, str] | None = None,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        weight_kind: WeightKind = "counts",
        nan_policy: Literal["raise", "omit"] = "raise",
        strict: bool = False,
        align: bool = False,
    ) -> None:
        columns = paired(y_true, {"y_pred": y_pred, "sample_weight": sample_weight}, align=flag(align, "align"))
        predicted, weights = columns.values()
        names = known_names(labels) if isinstance(labels, Mapping) else None
        if names is not None:
            labels = list(names)
            pos_label = next((label for label, name in names.items() if name == pos_label), pos_label)
        self._state = _state(
            {"y_true": y_true, "y_pred": predicted}, weights, labels, (nan_policy, strict, weight_kind)
        )
        if labels is None and (order := categories_in_order(y_true)) is not None:
            found = self._state.labels().tolist()
            if set(found) <= set(order) and len(found) > 1:
                self._positive = None
                self._state = self._selected([label for label in order if label in set(found)])._state
        if pos_label is not None:
            self._state = self._state.with_class(pos_label)
        self._positive = self._state.positive(pos_label)
        if names is not None:
            self._state = self.relabel(names)._state

    @classmethod
    def _of(cls, state: _rocksteady.ConfusionState, pos_label: object = None) -> Self:
        matrix = cls.__new__(cls)
        matrix._state = state
        matrix._positive = state.positive(pos_label)
        return matrix

    @classmethod
    def _of_counts(cls, counts: Counts, labels: Sequence[Any]) -> ConfusionMatrix:
        """The matrix of one 2×2 table; `labels` are the negative and the positive class."""
        tp, fp, fn, tn = map(float, counts._arrays)
        if counts._squares is None:
            return cls.from_counts([[tn, fp], [fn, tp]], labels=list(labels), pos_label=labels[1])
        squares = [float(counts._squares[place]) for place in (3, 1, 2, 0)]
        state = _rocksteady.ConfusionState.from_sampling([tn, fp, fn, tp], squares, list(labels))
        return cls._of(state, labels[1])

    @classmethod
    def from_counts(
        cls,
        counts: ArrayLike | Mapping[Any, Mapping[Any, float]],
        *,
        y_true: ArrayLike | None = None,
        y_pred: ArrayLike | None = None,
        labels: ArrayLike | None = None,
        pos_label: object = None,
        transpose: bool = False,
    ) -> ConfusionMatrix:
        """The matrix with given cells.

        Parameters
        ----------
        counts : array-like of shape (K, K), nested mapping, pandas.DataFrame or scipy sparse matrix
            Rows true, columns predicted; counts, or weights where any is not a whole number, which count as rows
            (sampling weights need their squares, which only rows have). A mapping has one of
            predicted label to amount for each true label, as PyCM's has; cells that are not there are 0, and every
            predicted label must be a true one too. Of a DataFrame the index and the columns name the classes; they
            must be the same ones. With `y_true` and `y_pred`, shape (n,): the amount of each of n cells.
        y_true, y_pred : array-like of shape (n,), optional
            The true and the predicted class of each cell, as ``GROUP BY`` gives them, in any order. The amounts of a
            cell that is there more than once are added, exactly.
        labels : array-like of K labels, optional
            Default: 0 to K - 1. With a mapping or a DataFrame, which have labels: their order. With `y_true` and
            `y_pred`: the classes and their order; any other is refused. Default: those that occur, ascending.
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
        ConfusionMatrix of 2 classes, 6 rows, positive class 'dog' (rows true, columns predicted)
             cat  dog
        cat    3    1
        dog    0    2
        >>> cm = rs.ConfusionMatrix.from_counts([3, 1, 2], y_true=["cat", "cat", "dog"], y_pred=["cat", "dog", "dog"])
        >>> cm.to_array().tolist()
        [[3, 1], [0, 2]]
        """
        flag(transpose, "transpose")
        is_long = y_true is not None or y_pred is not None
        state = state_of_long(y_true, y_pred, counts, labels) if is_long else state_of(counts, labels)
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
        """The matrix with given cells, however few of them are not zero; those of another are its `nonzero_cells`.

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
        paired(actual, {"predicted": predicted, "amounts": amounts}, first="actual")
        return cls._of(state_of_cells(actual, predicted, amounts, labels), pos_label)

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
        return Counts._weighed(self._state.one_vs_rest(), self._state.one_vs_rest_squares())

    def _answer(
        self,
        name: str,
        average: Average | ArrayLike | Mapping[Any, float] | None,
        zero_division: float,
        parameters: dict[str, object],
    ) -> tuple[float, str | None]:
        given = parameters_by_class(parameters, self)
        if average is None:
            return self._state.value(name, self._positive, given)
        return self._state.average(name, weights_by_class(average, self._labels, "average"), zero_division, given)

    def value(
        self,
        name: str,
        *,
        average: Average | ArrayLike | Mapping[Any, float] | None = None,
        zero_division: float = 0.0,
        **parameters: object,
    ) -> float:
        """One index of the whole matrix, or averaged over its classes.

        Without `average` the overall form where the index has one (accuracy, mcc, kappa, cen, …); else, with two
        classes, the value of the positive class.

        Parameters
        ----------
        name : str
            A name or alias from `rocksteady.indices`.
        average : {"macro", "micro", "weighted"}, array-like of K weights, or mapping or Series of weights by class, optional
            The mean over classes; the index of the pooled one-vs-rest counts; the mean by true class size; or by the
            weights given.
        zero_division : float
            With `average`: what an undefined class counts as; NaN leaves it out.
        **parameters
            The index's own, such as ``beta=2`` for "fbeta" or ``matrix=[[0, 1], [10, 0]]`` for "cost". A
            data frame of costs, or a mapping of mappings, goes by its names.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or the matrix has more than two classes and the index has no overall form; or
            none for a single class, with `average`.
        rocksteady.InputError
            If a parameter is outside its domain, a matrix of costs is not K by K, or `average` is none of these.

        >>> import rocksteady as rs
        >>> cm = rs.ConfusionMatrix.from_counts([[91, 16], [14, 79]])
        >>> round(cm.value("fbeta", beta=2), 6), cm.value("cost", fp=1, fn=5)
        (0.845824, 86.0)
        >>> cm = rs.ConfusionMatrix.from_counts([[3, 0, 0], [0, 1, 2], [2, 1, 3]])
        >>> round(cm.value("f1", average="macro"), 6), round(cm.value("f1", average="weighted"), 6)
        (0.565152, 0.560227)
        """
        return self._answer(name, average, zero_division, parameters)[0]

    def __getitem__(self, name: str) -> float:
        return self._state.value(name, self._positive)[0]

    def _ipython_key_completions_(self) -> list[str]:
        from rocksteady._completion import names_of  # noqa: PLC0415 (only a shell needs it)

        return names_of(("matrix",) if self._positive is None else ("counts", "matrix"))

    def exact(self, name: str, **parameters: object) -> Fraction:
        """Exact value of one index, as a fraction. `value` is this number, rounded once.

        Counts and weights enter exactly, whatever their size.

        Parameters
        ----------
        name : str
            An index whose value is a fraction of the amounts of the matrix; logarithms and most roots are not.
        **parameters
            The index's own; a parameter is the binary fraction that its float is.

        Returns
        -------
        fractions.Fraction
            The value, or the index's convention where it is undefined and has one.

        Raises
        ------
        rocksteady.UnknownIndexError
            As `value`.
        rocksteady.InputError
            If the value is no fraction, or if there is none.

        >>> import rocksteady as rs
        >>> rs.ConfusionMatrix.from_counts([[2**58, 1], [2**58 - 3, 1]]).exact("kappa")
        Fraction(3, 83076749736557241335912000888242180)
        """
        return fraction(*self._state.exact(name, self._positive, parameters_by_class(parameters, self)))

    def why(
        self,
        name: str,
        *,
        average: Average | ArrayLike | Mapping[Any, float] | None = None,
        zero_division: float = 0.0,
        **parameters: object,
    ) -> str | None:
        """Why `value` is undefined, or has a conventional value; None if it is defined.

        >>> import rocksteady as rs
        >>> rs.ConfusionMatrix.from_counts([[99, 0], [1, 0]]).why("precision")
        'No row is predicted positive.'
        """
        return self._answer(name, average, zero_division, parameters)[1]

    @property
    def axis(self) -> dict[str, NDArray[Any]]:
        """The labels, as a column by its name."""
        return {"class": self._labels}

    def _along(self, name: str, parameters: dict[str, Any]) -> NDArray[np.float64]:
        return self._state.per_class(name, parameters_by_class(parameters, self))

    @overload
    def interval(self, name: str, **options: Any) -> Interval: ...

    @overload
    def interval(self, name: list[str] | tuple[str, ...], **options: Any) -> Table: ...

    def interval(
        self,
        name: str | Iterable[str],
        *,
        average: Average | ArrayLike | Mapping[Any, float] | None = None,
        zero_division: float = 0.0,
        level: float = 0.95,
        method: Method | None = None,
        side: Side = "two-sided",
        strata: Literal["label"] | None = None,
        **parameters: object,
    ) -> Interval | Table:
        """One index of the whole matrix, as `value` gives it, with its interval of confidence; or a table of several.

        Almost every index has an interval by the "delta" method: its standard error follows from the slopes of its
        formula over the cells, and goes to a scale that suits the range of the index. So the interval never leaves the
        range (Agresti 2013, Categorical data analysis, 16.1; Takahashi et al. 2022, doi:10.1007/s10489-021-01635-5).
        Where a cell of two classes is empty, half a row is added to each cell for the interval. A mean over classes goes by
        the intervals of the classes (MOVER: Zou, Donner 2008, doi:10.1002/sim.3095). Rows are taken to be independent. What
        their weights mean is said where they are counted: see `weight_kind`.

        Parameters
        ----------
        name : str or list of str
            An index or several, such as "f1" or ["f1", "mcc"]. Those without an interval grow with the number of rows
            or are results of tests: see `rocksteady.index(name).intervals`.
        average : {"macro", "micro", "weighted"} or array-like of K weights, optional
            The interval of `value(name, average=average)` instead. It takes into account that the values of the classes
            depend on each other.
        zero_division : float
            With `average`: what an undefined class counts as; NaN leaves it out.
        level : float
            Between 0 and 1.
        method : str, optional
            One of `rocksteady.index(name).intervals`; default: the first, which for shares is "wilson".
            "clopper_pearson" is the exact one; "anytime" holds however often one looks while rows are added
            (docs/tasks/looking-every-day.md).
        side : {"two-sided", "lower", "upper"}
            Both bounds, or only one, which is then the tighter.
        strata : "label", optional
            Each true class was sampled by itself, as cases and controls are: its number of rows is not random. Default: the
            rows were sampled together.
        **parameters
            The index's own.

        Returns
        -------
        Interval, or of several names a Table
            Its columns are index, estimate, low, high, standard_error and method, and why where one has no interval
            here. Such bounds are NaN.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it has no interval, or not by this method.
        rocksteady.InputError
            If `level`, `method`, `side` or `strata` is none of these.

        >>> import rocksteady as rs
        >>> cm = rs.ConfusionMatrix.from_counts([[91, 16], [14, 79]])
        >>> exact = cm.interval("accuracy", method="clopper_pearson")
        >>> exact.estimate, round(exact.low, 6), round(exact.high, 6)
        (0.85, 0.792841, 0.89645)
        >>> print(cm.interval(["f1", "mcc"]))
        index  estimate       low      high  standard_error  method
        f1     0.840426   0.77575  0.889114       0.0287609  delta
        mcc    0.699087  0.585925  0.785506       0.0506264  delta
        >>> macro = cm.interval("f1", average="macro")
        >>> round(macro.low, 6), round(macro.high, 6)
        (0.795365, 0.895294)
        """
        from rocksteady.inference.interval import Wanted  # noqa: PLC0415 (not every program needs it)

        wanted = Wanted(level, method, side, parameters_by_class(parameters, self), strata)
        if average is not None:
            weights = weights_by_class(average, self._labels, "average")
            return wanted.of_average(self._state, weights, zero_division, name)
        return wanted.of_matrix(self._state, self._positive, name)

    def every_interval(
        self,
        name: str,
        *,
        level: float = 0.95,
        method: Method | None = None,
        side: Side = "two-sided",
        strata: Literal["label"] | None = None,
        **parameters: object,
    ) -> Interval:
        """As `interval`, for one index of each class against the rest, as `every` gives it: arrays of shape (K,).

        >>> import rocksteady as rs
        >>> cm = rs.ConfusionMatrix.from_counts([[3, 0, 0], [0, 1, 2], [2, 1, 3]])
        >>> f1 = cm.every_interval("f1")
        >>> f1.low.round(3).tolist(), f1.high.round(3).tolist()
        ([0.333, 0.065, 0.223], [0.916, 0.865, 0.834])
        """
        from rocksteady.inference.interval import Wanted  # noqa: PLC0415 (not every program needs it)

        return Wanted(level, method, side, parameters_by_class(parameters, self), strata).of_classes(
            self._state, name, self.axis
        )

    def bootstrap(
        self,
        indices: str | Sequence[str],
        *,
        average: Average | ArrayLike | Mapping[Any, float] | None = None,
        zero_division: float = 0.0,
        n_resamples: int = 1000,
        method: BootstrapMethod = "percentile",
        resample: Resample = "multinomial",
        strata: Literal["label"] | None = None,
        random_state: RandomState = None,
        level: float = 0.95,
        **parameters: object,
    ) -> Bootstrap:
        """Indices of the whole matrix, or averaged over its classes, as `value` gives them, with intervals from resamples.

        A resample is drawn over the cells, so the number of rows plays no part. For the parameters see
        `rocksteady.inference.bootstrap`, and `value` for `average` and `zero_division`. "bca" takes its acceleration
        from the slopes of the index over the cells.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it has no value for the whole matrix.
        rocksteady.InputError
            If the matrix is of weights, or a parameter cannot be used.

        Warns
        -----
        rocksteady.RocksteadyWarning
            If an index has no value in more than 1 % of the replicates.

        >>> import rocksteady as rs
        >>> cm = rs.ConfusionMatrix.from_counts([[91, 16], [14, 79]])
        >>> f1 = cm.bootstrap("f1", method="bca", random_state=0)["f1"]
        >>> f1.method, f1.low < f1.estimate < f1.high
        ('bca', True)
        """
        from rocksteady.inference.resampling import of_matrix  # noqa: PLC0415 (not every program needs it)

        return of_matrix(
            self._state,
            self._positive,
            indices,
            None if average is None else (weights_by_class(average, self._labels, "average"), zero_division),
            parameters=parameters_by_class(parameters, self),
            n_resamples=n_resamples,
            method=method,
            resample=resample,
            strata=strata,
            random_state=random_state,
            level=level,
        )

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
        from rocksteady.inference.interval import words  # noqa: PLC0415 (not every program needs it)

        return words(name, np.float64(self._answer(name, None, 0.0, parameters)[0]), scale)[0]

    def every_interpret(self, name: str, *, scale: str | None = None, **parameters: object) -> list[str | None]:
        """The word for each of `every(name)`; otherwise as `interpret`."""
        from rocksteady.inference.interval import words  # noqa: PLC0415 (not every program needs it)

        return words(name, self.every(name, **parameters), scale)

    def pycm(self, name: str) -> float | tuple[float, float] | str | None:
        """An overall statistic by its name in PyCM, with PyCM's meaning.

        Parameters
        ----------
        name : str
            Such as "Overall ACC", "Kappa 95% CI" or "SOA1(Landis & Koch)"; `rocksteady.pycm.NAMES` has all, each with
            its row.

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

    def every_pycm(self, name: str) -> NDArray[np.float64] | list[str | None]:
        """A class statistic, or a distance, by its name in PyCM, such as "AUC" or "BaulieuXI"; otherwise as `pycm`."""
        from rocksteady import pycm  # noqa: PLC0415 (not every program needs it)

        return pycm.every(self, name)

    positions = staticmethod(_positions)

    @classmethod
    def empty(cls, **meaning: Any) -> ConfusionMatrix:
        """The matrix of no rows, the identity of addition: ``part + empty == part``.

        The same comes of the constructor for columns without rows, such as those of an empty partition.

        Parameters
        ----------
        **meaning
            Options of the constructor; `labels` is needed.

        Raises
        ------
        rocksteady.InputError
            If there are no `labels`.

        >>> import rocksteady as rs
        >>> part = rs.ConfusionMatrix([0, 1], [1, 1], labels=[0, 1])
        >>> part + rs.ConfusionMatrix.empty(labels=[0, 1]) == part
        True
        >>> rs.ConfusionMatrix.empty(labels=[0, 1]).why("recall")
        'There are no rows, or all weigh nothing.'
        """
        return cls([], [], **meaning)

    def _plus(self, other: ConfusionMatrix) -> ConfusionMatrix:
        named = [label for label in (self.pos_label, other.pos_label) if label is not None]
        if len(named) == 2 and named[0] != named[1]:
            raise InputError(
                f"cannot add: the positive class is {shown(named[0])} in one, {shown(named[1])} in the other"
            )
        state = self._state.merged(other._state)
        return self._of(state, named[0] if named and state.classes == 2 else None)

    def __sub__(self, other: object) -> ConfusionMatrix:
        """The matrix of the rows here that are not those of `other`, which are a part of them.

        Its classes are those of this matrix, also those that no row is left of. So ``(a + b) - b == a`` if `a` has all
        classes of `b`.

        Raises
        ------
        rocksteady.InputError
            If a cell would go below zero, or `other` has a class that is not here. The message names it.

        >>> import rocksteady as rs
        >>> week = rs.ConfusionMatrix.from_counts([[5, 1], [2, 9]])
        >>> monday = rs.ConfusionMatrix.from_counts([[2, 0], [1, 3]])
        >>> (week - monday).to_array().tolist()
        [[3, 1], [1, 6]]
        """
        if not isinstance(other, ConfusionMatrix):
            return NotImplemented
        if other.pos_label is not None and self.pos_label is not None and self.pos_label != other.pos_label:
            labels = f"{shown(self.pos_label)} in one, {shown(other.pos_label)} in the other"
            raise InputError(f"cannot subtract: the positive class is {labels}")
        return self._of(self._state.subtracted(other._state), self.pos_label)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ConfusionMatrix):
            return NotImplemented
        return self._state.same(other._state) and self.pos_label == other.pos_label

    __hash__ = None  # type: ignore[assignment]

    def to_bytes(self) -> bytes:
        """The state in a versioned, little-endian form that any machine reads back to the bit; without `pos_label`."""
        return self._state.to_bytes()

    def map_accuracy(self, areas: ArrayLike | Mapping[Any, float]) -> MapAccuracy:
        """The accuracy of a map and the areas of its classes, from a sample that was drawn within each mapped class.

        The true classes are those of the reference, the predicted ones those of the map. Each row of a mapped class stands for
        an equal part of the mapped area of this class.

        Parameters
        ----------
        areas : array-like of shape (K,) or mapping
            The mapped area of each class, in the order of `labels` or by them, in any unit: hectares, pixels, shares.

        Returns
        -------
        MapAccuracy

        Raises
        ------
        rocksteady.InputError
            If an area is negative or not finite, or all are 0; if a class with area has fewer than two sampled rows, or one
            without area has any; if the rows have weights.

        Notes
        -----
        The stratified estimators of Olofsson et al. 2014, doi:10.1016/j.rse.2014.02.015, equations 4 to 11. With W[i] the
        share of the area mapped as i, and q[i,j] the share of the rows mapped as i that are j: the accuracy is
        sum_i W[i] q[i,i], the area of class j has the share sum_i W[i] q[i,j], of the variance
        sum_i W[i]^2 q[i,j] (1 - q[i,j]) / (n[i] - 1).

        Where a rare class is missed by few sampled rows of a large mapped class, such as 1 of 325, these rows decide, and the
        standard errors of its area and of its producer's accuracy are often too small. In samples like that of the example
        1.96 of them cover the area of "gain" in 73 % and its producer's accuracy in 61 % of the cases; the others in 88 to 95 %.

        ``cm.T.at_prevalence(W)`` is the matrix of estimated shares, transposed: every other index follows from it.

        Examples
        --------
        The example of the paper: deforestation, forest gain, stable forest, other land; areas in pixels.

        >>> import rocksteady as rs
        >>> sample = [[66, 0, 1, 2], [0, 55, 0, 1], [5, 8, 153, 9], [4, 12, 11, 313]]   # rows reference, columns map
        >>> land = rs.ConfusionMatrix.from_counts(sample, labels=["deforested", "gain", "forest", "other"])
        >>> found = land.map_accuracy({"deforested": 200_000, "gain": 150_000, "forest": 3_200_000, "other": 6_450_000})
        >>> round(found.accuracy, 3), found.users_accuracy.round(2), found.producers_accuracy.round(2)
        (0.947, array([0.88, 0.73, 0.93, 0.96]), array([0.75, 0.85, 0.93, 0.96]))
        >>> hectares = 900_000 / 10_000_000
        >>> (found.area * hectares).round(), (1.96 * found.area_error * hectares).round()
        (array([ 21158.,  11686., 285770., 581386.]), array([ 6158.,  3756., 15510., 16282.]))
        """
        from rocksteady.labels.map_accuracy import map_accuracy  # noqa: PLC0415 (few programs need it)

        return map_accuracy(self, areas)

    @classmethod
    def from_bytes(cls, data: bytes, *, pos_label: object = None) -> ConfusionMatrix:
        """The matrix whose `to_bytes` gave `data`; bytes that are anything else are refused."""
        return cls._of(_rocksteady.ConfusionState.from_bytes(data), pos_label)

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return _unpickle, (self.to_bytes(), self.pos_label)


def _unpickle(data: bytes, pos_label: object) -> ConfusionMatrix:
    return ConfusionMatrix.from_bytes(data, pos_label=pos_label)
