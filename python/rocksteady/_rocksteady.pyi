"""The extension module. Its public face is the package `rocksteady`."""

from typing import Any, Literal, TypedDict, overload, type_check_only

from numpy import generic
from numpy.typing import NDArray

__all__ = [
    "__version__",
    "_through_the_gate",
    "get_threads",
    "lowered",
    "set_threads",
]

__version__: str

def set_threads(n: int | None = None) -> None:
    """Set the number of threads that a call may use, or with None return to the default.

    The default is the environment variable `ROCKSTEADY_NUM_THREADS`, or else the number of cores. Results never depend
    on it, and small inputs stay on the calling thread whatever it is.

    Parameters
    ----------
    n : int from 1 to 1024, or None

    Raises
    ------
    InputError
        For any other number.
    """

def get_threads() -> int:
    """The number of threads that a call may use."""

@type_check_only
class _LoweredNumbers(TypedDict, total=False):
    """How a column is read.

    dtype : the dtype that is counted, or "coded" for labels that are neither numbers nor truth values
    rows : the number of rows
    copied : whether rocksteady copied the values; False means that they are read where they lie
    values : the values; for "coded" the place of each row's label in `labels`, -1 where it is missing
    kind : what the labels are (labels only)
    labels : the distinct labels, in the order in which they were met ("coded" only)
    """

    dtype: str
    rows: int
    copied: bool
    values: NDArray[Any]
    kind: Literal["bool", "int", "float", "text"]
    labels: NDArray[Any]

@type_check_only
class _LoweredSet(TypedDict):
    kind: Literal["bool", "int", "float", "text"]
    labels: NDArray[Any]

@type_check_only
class _LoweredLabel(TypedDict):
    kind: Literal["bool", "int", "float", "text"]
    label: bool | int | float | str

_Argument = Literal["y_true", "y_pred", "y_score", "sample_weight", "labels", "pos_label"]

@overload
def lowered(
    values: object,
    what: Literal["labels", "scores", "weights"] = "labels",
    argument: _Argument = "y_true",
) -> _LoweredNumbers: ...
@overload
def lowered(values: object, what: Literal["label_set"], argument: _Argument = "y_true") -> _LoweredSet: ...
@overload
def lowered(
    values: bool | int | float | str | generic,
    what: Literal["label"],
    argument: _Argument = "y_true",
) -> _LoweredLabel:
    """How an argument is read: for tests, and for whoever wonders whether a copy is made.

    Parameters
    ----------
    values : array-like of shape (n,); a scalar for "label"
    what : "labels", "scores" or "weights" for a column, "label_set" for a `labels=` argument, "label" for a `pos_label=`
    argument : the name that stands in errors

    Raises
    ------
    InputError
        For a shape or a value that cannot be used.
    InputTypeError
        For an object or a dtype that cannot be used.

    Examples
    --------
    >>> import numpy as np
    >>> from rocksteady._rocksteady import lowered
    >>> report = lowered(np.array([1, 0, 1], dtype="int8")[::-1])
    >>> report["dtype"], report["rows"], report["copied"]
    ('int8', 3, False)
    >>> lowered(["cat", "dog", None])["labels"].tolist()
    ['cat', 'dog']
    """

def _through_the_gate(rows: int, outcome: str = "sum") -> int:
    """Add up the rows from 0 to `rows` over all threads, refuse ("refusal"), or panic with `outcome`: for tests."""
