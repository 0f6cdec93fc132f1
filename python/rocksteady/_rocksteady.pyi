"""The extension module. Its public face is the package `rocksteady`."""

from typing import Any, Literal, Self, TypedDict, final, overload, type_check_only

from numpy import float64, generic
from numpy.typing import NDArray

__all__ = [
    "__version__",
    "_through_the_gate",
    "get_threads",
    "lowered",
    "set_threads",
]

__all__ = [
    "CollectorState",
    "ConfusionState",
    "ProbabilityState",
    "ScoreState",
    "__version__",
    "_through_the_gate",
    "check_counts",
    "evaluate_counts",
    "get_threads",
    "index_place",
    "index_rows",
    "lowered",
    "roc_auc",
    "set_threads",
    "why_counts",
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

# What the Python classes of the package hold. Arguments are checked here, in the core; the classes document them.

_Floats = NDArray[float64]
_Four = tuple[_Floats, _Floats, _Floats, _Floats]
_Answer = tuple[float, str | None]

@final
class ConfusionState:
    """A confusion matrix."""

    @staticmethod
    def count(
        y_true: object, y_pred: object, labels: object, sample_weight: object, policy: str, strict: bool
    ) -> ConfusionState: ...
    @staticmethod
    def from_counts(counts: object, labels: object) -> ConfusionState: ...
    def positive(self, pos_label: object) -> int | None: ...
    def with_class(self, pos_label: object) -> ConfusionState: ...
    def labels(self) -> NDArray[Any]: ...
    @property
    def classes(self) -> int: ...
    @property
    def rows(self) -> int: ...
    @property
    def total(self) -> float: ...
    @property
    def correct(self) -> float: ...
    @property
    def text(self) -> bool: ...
    @property
    def weighted(self) -> bool: ...
    @property
    def absent(self) -> bool: ...
    def to_array(self) -> NDArray[Any]: ...
    def normalized(self, by: str) -> NDArray[Any]: ...
    def one_vs_rest(self) -> list[_Floats]: ...
    def value(self, name: str, positive: int | None, given: dict[str, object] | None = None) -> _Answer: ...
    def per_class(self, name: str, given: dict[str, object] | None = None) -> _Floats: ...
    def average(
        self, name: str, average: object, zero_division: float, given: dict[str, object] | None = None
    ) -> _Answer: ...
    def merged(self, other: ConfusionState) -> ConfusionState: ...
    def same(self, other: ConfusionState) -> bool: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(data: bytes) -> ConfusionState: ...

@final
class ScoreState:
    """A score table."""

    @staticmethod
    def sweep(
        y_true: object,
        y_score: object,
        pos_label: object,
        sample_weight: object,
        policy: str,
        infinite: str,
        rest: bool = False,
    ) -> ScoreState: ...
    def labels(self) -> tuple[object, object]: ...
    @property
    def rows(self) -> int: ...
    @property
    def totals(self) -> tuple[float, float]: ...
    def __len__(self) -> int: ...
    def thresholds(self) -> _Floats: ...
    def counts(self) -> list[_Floats]: ...
    def at(self, threshold: float, side: str) -> tuple[float, float, float, float]: ...
    def every(self, name: str, given: dict[str, object]) -> _Floats: ...
    def value(self, name: str, given: dict[str, object]) -> _Answer: ...
    def ks(self) -> tuple[float, float, int]: ...
    def roc_curve(self, drop_intermediate: bool) -> list[_Floats]: ...
    def average_precision(self, pos_label: object) -> tuple[float, float]: ...
    def merged(self, other: ScoreState) -> ScoreState: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(data: bytes) -> ScoreState: ...

@final
class CollectorState:
    """Scores collected batch by batch."""

    def __new__(cls, pos_label: object, policy: str, infinite: str) -> Self: ...
    @property
    def rows(self) -> int: ...
    def update(self, y_true: object, y_score: object, sample_weight: object) -> None: ...
    def table(self) -> ScoreState: ...

@final
class ProbabilityState:
    """Sums over probabilities."""

    @staticmethod
    def sum(y_true: object, y_score: object, pos_label: object, sample_weight: object) -> ProbabilityState: ...
    @property
    def rows(self) -> int: ...
    def value(self, name: str, given: dict[str, object]) -> _Answer: ...
    def merged(self, other: ProbabilityState) -> ProbabilityState: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(data: bytes) -> ProbabilityState: ...

def roc_auc(
    y_true: object, y_score: object, sample_weight: object, max_fpr: float | None
) -> tuple[float, float, float, int]: ...
def check_counts(arrays: _Four) -> None: ...
def evaluate_counts(arrays: _Four, name: str, given: dict[str, object]) -> _Floats: ...
def why_counts(arrays: _Four, name: str, given: dict[str, object]) -> str | None: ...
def index_rows() -> list[dict[str, Any]]: ...
def index_place(name: str) -> int: ...
