"""The base of the statistics: indices by name, addition, subtraction, equality, bytes and pickling."""

from __future__ import annotations

import hashlib
import sys
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Final, overload

from rocksteady.base import hints
from rocksteady.base.arguments import listed
from rocksteady.base.named_columns import parameters_by_class
from rocksteady.base.ways_out import WaysOut, beside

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    import numpy as np
    from numpy.typing import NDArray

    from rocksteady import _rocksteady
    from rocksteady.base.arguments import WeightKind


#: Where the version of the format is in the bytes of a statistic.
_VERSION: Final = 9


class Indexed:
    """What has indices by name. Who asks for one as an attribute is told how."""

    __slots__ = ()

    def _no_attribute(self, name: str) -> Any:
        try:
            return object.__getattribute__(self, name)
        except AttributeError as error:
            hint = None if name.startswith("_") else hints.of_attribute(self, name)
            if hint is None:
                raise
            raise AttributeError(f"{error}; {hint}", name=name, obj=self) from None

    def __dir__(self) -> list[str]:
        return [name for name in object.__dir__(self) if not _only_refuses(type(self), name)]

    # Before 3.12 it makes each attribute of an object slower: an evaluation by a sixth. A type checker knows the attributes.
    if sys.version_info >= (3, 12) and not TYPE_CHECKING:
        __getattr__ = _no_attribute


class Columns(WaysOut, dict[str, "NDArray[np.float64]"]):
    """From the names of indices to their values along an axis; as a frame or a file with the keys of the axis first."""

    __slots__ = ("_axis",)

    # The statistic, read when the axis is asked for: the thresholds of a large table take longer than an index.
    _axis: Along | dict[str, NDArray[Any]]

    @classmethod
    def _of(cls, axis: Along | dict[str, NDArray[Any]], values: dict[str, NDArray[np.float64]]) -> Columns:
        columns = cls(values)
        columns._axis = axis
        return columns

    @property
    def axis(self) -> dict[str, NDArray[Any]]:
        """What the places of the axis are: a column of keys, or several, by name."""
        return self._axis.axis if isinstance(self._axis, Along) else self._axis

    def _columns(self) -> dict[str, NDArray[Any]]:
        return beside(self.axis, self)

    def __reduce__(self) -> tuple[Any, ...]:
        return self._of, (self.axis, dict(self))


def _only_refuses(owner: type, name: str) -> bool:
    import inspect  # noqa: PLC0415 (only a shell needs it)

    held = inspect.getattr_static(owner, name, None)
    told: dict[str, Any] = getattr(held.fget if isinstance(held, property) else held, "__annotations__", {})
    return told.get("return") == "NoReturn"


class Along:
    """What has an axis, along which an index has a value for each place."""

    __slots__ = ()

    @property
    def axis(self) -> dict[str, NDArray[Any]]:
        """What the places of the axis are: a column of keys, or several, by name."""
        raise NotImplementedError

    def _along(self, name: str, parameters: dict[str, Any]) -> NDArray[np.float64]:
        raise NotImplementedError

    def _along_each(self, names: Sequence[str], parameters: dict[str, Any]) -> dict[str, NDArray[np.float64]]:
        return {name: self._along(name, parameters) for name in names}

    @overload
    def every(self, name: str, **parameters: object) -> NDArray[np.float64]: ...  # type: ignore[overload-overlap]
    @overload
    def every(self, name: Sequence[str], **parameters: object) -> Columns: ...
    def every(self, name: str | Sequence[str], **parameters: object) -> NDArray[np.float64] | Columns:
        """One index along the `axis`, or several.

        The axis are the classes of a matrix and of `ScoreTables`, each against the rest, in the order of `labels`; the
        labels of `LabelScoreTables` and of a model of several labels; the `keys` of `Groups` and `Queries`; the
        `thresholds` of a `ScoreTable` and a `CostTable`, from high to low.

        Parameters
        ----------
        name : str, or sequence of str
            Names or aliases from `rocksteady.indices`. Several of a `ScoreTable` are a good deal faster together.
        **parameters
            The index's own; of several names those that all of them have. Of `Queries` also ``empty``, the value of a
            query that has none.

        Returns
        -------
        numpy.ndarray, or dict of str to numpy.ndarray
            A number for each place of the axis: NaN, or the index's conventional value, where undefined. Of several
            names a dictionary that has the ways out of results, such as `to_frame`: its columns are the axis, then the
            indices.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it has no value along this axis.

        >>> import rocksteady as rs
        >>> cm = rs.ConfusionMatrix(["cat", "dog", "eel", "eel"], ["cat", "dog", "dog", "eel"])
        >>> cm.labels, cm.every("recall")
        (('cat', 'dog', 'eel'), array([1. , 1. , 0.5]))
        >>> rs.Queries([1, 0, 0, 1], [0.5, 0.7, 0.1, 0.2], [1, 1, 2, 2]).every(["mrr", "map"])
        {'mrr': array([0.5, 1. ]), 'map': array([0.5, 1. ])}
        >>> rs.ScoreTable([0, 1, 1], [0.1, 0.6, 0.9]).every("recall")
        array([0. , 0.5, 1. , 1. ])
        >>> cm.every(["precision", "recall"]).to_frame()
          class  precision  recall
        0   cat        1.0     1.0
        1   dog        0.5     1.0
        2   eel        1.0     0.5
        """
        if isinstance(name, str):
            return self._along(name, parameters)
        names = listed(name, "name", "a name or a list of names")
        return Columns._of(self, self._along_each(names, parameters))


class Additive(Indexed):
    """What adds: ``a + b`` is of the rows of both. 0 is the sum of no parts, so ``sum(parts)`` works."""

    __slots__ = ()

    def _plus(self, other: Self) -> Self:
        """The sum with another of the same class."""
        raise NotImplementedError

    def _size(self) -> int | None:
        """How much this holds, where many are best added at once by `_pooled`; None where they are added in pairs."""
        return None

    @classmethod
    def _pooled(cls, parts: Sequence[Self]) -> Self | None:  # noqa: ARG003 (some classes need it)
        """The sum of all at once; None where adding them in pairs is better."""
        return None

    def __add__(self, other: Any) -> Self:
        if isinstance(other, int) and other == 0:
            return self
        is_alike = isinstance(other, Additive) and (isinstance(other, type(self)) or isinstance(self, type(other)))
        return self._plus(other) if is_alike else NotImplemented

    def __radd__(self, other: object) -> Self:
        """Make ``sum(parts)`` work, which starts with 0."""
        return self if isinstance(other, int) and other == 0 else NotImplemented


class Kept(Additive):
    """What adds and is kept as bytes: equal states have equal bytes, and so one digest."""

    __slots__ = ()

    def to_bytes(self) -> bytes:
        """The state as bytes."""
        raise NotImplementedError

    def digest(self) -> str:
        """A fingerprint of the state: the same for the same rows, however they were split or ordered.

        It is the SHA-256 of `to_bytes`, after the name of the function and the version of the format of bytes. Other
        versions of rocksteady may write another format, and so have other digests.

        >>> import rocksteady as rs
        >>> y_true, y_score = [0, 1, 1, 0], [0.2, 0.9, 0.4, 0.5]
        >>> parts = [rs.ScoreTable(y_true[rows], y_score[rows], pos_label=1) for rows in (slice(0, 1), slice(1, 4))]
        >>> rs.merge(parts).digest() == rs.ScoreTable(y_true, y_score, pos_label=1).digest()
        True
        >>> rs.merge(parts).digest()[:9]
        'sha256/3:'
        """
        return digest_of(self.to_bytes())


def digest_of(data: bytes) -> str:
    r"""The digest of what has these bytes, whose version is behind the magic word and the kind.

    >>> digest_of(b"rockstedS\3")[:20]
    'sha256/3:aa11b948d90'
    """
    return f"sha256/{data[_VERSION]}:{hashlib.sha256(data).hexdigest()}"


class Weighed:
    """What was counted of rows that may have weights."""

    __slots__ = ()

    if TYPE_CHECKING:
        _state: _rocksteady._Weighed

    @property
    def weight_kind(self) -> WeightKind:
        """What the weights of the rows mean: "counts" (so many rows; without weights, too) or "sampling"."""
        return self._state.weight_kind


class Labelled:
    """What was counted of rows of two classes."""

    __slots__ = ()

    if TYPE_CHECKING:
        _state: _rocksteady._Labelled

    @property
    def labels(self) -> tuple[object, object]:
        """The negative and the positive label; None for a label that neither occurred nor was named."""
        return self._state.labels()

    @property
    def pos_label(self) -> object:
        """The positive label."""
        return self.labels[1]

    @property
    def rows(self) -> int:
        """The number of rows counted."""
        return self._state.rows


class TwoClasses(Labelled):
    """What was counted of rows of two classes, and how many there are of each."""

    __slots__ = ()

    if TYPE_CHECKING:
        _state: _rocksteady._TwoClasses

    @property
    def positives(self) -> float:
        """The number, or weight, of positive rows."""
        return self._state.totals[0]

    @property
    def negatives(self) -> float:
        """The number, or weight, of negative rows."""
        return self._state.totals[1]


class Statistic(Kept):
    """A statistic whose state is an object of the extension. It is added, compared and pickled."""

    __slots__ = ("_state",)

    _State: ClassVar[Any]  # the class of the extension
    _state: Any

    @classmethod
    def empty(cls, **meaning: Any) -> Self:
        """The statistic of no rows, the identity of addition: ``part + empty == part``.

        An index of no rows is NaN, and `why` says so. The same comes of the constructor for columns without rows, such
        as those of an empty partition.

        Parameters
        ----------
        **meaning
            Options of the constructor. Those that say what rows would mean are needed: `pos_label`, or `labels` where
            there are several classes. All parts that are added must have the same.

        Raises
        ------
        rocksteady.InputError
            If it is not said what rows would mean.

        >>> import rocksteady as rs
        >>> part = rs.ScoreTable([0, 1], [0.2, 0.7], pos_label=1)
        >>> part + rs.ScoreTable.empty(pos_label=1) == part
        True
        >>> rs.ScoreTable.empty(pos_label=1).why("roc_auc")
        'There are no rows, or all weigh nothing.'
        """
        return cls(*cls._no_rows(meaning), **meaning)

    @classmethod
    def _no_rows(cls, meaning: dict[str, Any]) -> tuple[Any, ...]:  # noqa: ARG003 (classes with a matrix of scores need it)
        """The columns of the constructor, without rows."""
        return [], []

    @classmethod
    def _of(cls, state: Any) -> Self:
        statistic = cls.__new__(cls)
        statistic._state = state
        return statistic

    def value(self, name: str, **parameters: object) -> float:
        """Value of one index. Each kind of statistic documents its indices."""
        number: float = self._state.value(name, parameters_by_class(parameters, self))[0]
        return number

    def __getitem__(self, name: str) -> float:
        return self.value(name)

    def why(self, name: str, **parameters: object) -> str | None:
        """Why the index is undefined; None if it is defined."""
        reason: str | None = self._state.value(name, parameters_by_class(parameters, self))[1]
        return reason

    def _plus(self, other: Self) -> Self:
        return self._of(self._state.merged(other._state))

    def __sub__(self, other: object) -> Self:
        """The statistic of the rows here that are not those of `other`, which are a part of them.

        The exact inverse of addition: ``(a + b) - b == a`` if `a` has the labels and the type of scores of `b`. Labels
        stay, also those that no row is left of: in general it is ``a + (b - b)``.

        Raises
        ------
        rocksteady.InputError
            If an amount would go below zero, or the labels do not match. The message names the place.
        """
        if not isinstance(other, type(self)) or not hasattr(self._state, "subtracted"):
            return NotImplemented
        return self._of(self._state.subtracted(other._state))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self.to_bytes() == other.to_bytes()

    __hash__ = None  # type: ignore[assignment]

    def to_bytes(self) -> bytes:
        """The state in a versioned, little-endian format. Any machine reads it back bit for bit."""
        data: bytes = self._state.to_bytes()
        return data

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Read the statistic that `to_bytes` wrote. Other bytes are refused."""
        return cls._of(cls._State.from_bytes(data))

    def __reduce__(self) -> tuple[Any, tuple[bytes]]:
        return type(self).from_bytes, (self.to_bytes(),)


def fraction(numerator: str, denominator: str) -> Fraction:
    """The fraction of two whole numbers in hexadecimal digits, which Python reads at any length."""
    return Fraction(int(numerator, 16), int(denominator, 16))
