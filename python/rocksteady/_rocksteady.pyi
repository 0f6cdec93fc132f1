"""The extension module. Its public face is the package `rocksteady`."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict, final, overload, type_check_only

from numpy import bool_, float64, generic, int64, uint8, uint32, uint64
from numpy.typing import NDArray
from typing_extensions import disjoint_base

__all__ = [
    "ClassProbabilityState",
    "CodedLabels",
    "CollectorState",
    "ConfusionState",
    "IndicatorState",
    "LabelScoreTablesState",
    "ProbabilityState",
    "RankingsState",
    "Readings",
    "ScoreState",
    "ScoreTablesState",
    "TablesState",
    "__version__",
    "_through_the_gate",
    "area_of_curve",
    "average_precision",
    "bayes_decision",
    "bayes_risk",
    "best_thresholds",
    "brier_curve",
    "calibration_bins",
    "calibration_curve_of",
    "calibration_error",
    "check_counts",
    "class_areas",
    "coded_labels",
    "consistency_pairs",
    "consistency_steps",
    "cost_curve",
    "counts_at",
    "counts_of_table",
    "decomposition",
    "define_index",
    "det_curve",
    "enumerate_matrices",
    "enumerate_rankings",
    "evaluate_counts",
    "evaluate_matrices",
    "evaluate_rankings",
    "gains",
    "get_threads",
    "hinge",
    "hull_places",
    "index_at_thresholds",
    "index_name",
    "index_rows",
    "index_version",
    "interpolated_precision_recall",
    "interpret",
    "interval_counts",
    "interval_matrix",
    "label_areas",
    "listwise_each",
    "listwise_mean",
    "lowered",
    "meeting_thresholds",
    "net_benefit",
    "normal_deviates",
    "operating_points",
    "optimal_threshold",
    "pair_areas",
    "pareto_thresholds",
    "positions",
    "precision_recall_curve",
    "precision_recall_gain",
    "profit",
    "roc_auc",
    "roc_curve",
    "score_values",
    "set_threads",
    "simplify_columns",
    "simplify_sweep",
    "stability_of_columns",
    "stability_of_labels",
    "stability_of_tables",
    "sweep_columns",
    "sweep_thresholds",
    "target_threshold",
    "threshold_counts",
    "top_k",
    "top_label",
    "undefine_index",
    "why_counts",
    "why_no_best",
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
class _LoweredMatrix(TypedDict):
    """How a matrix is read.

    dtype : the dtype in which it lies
    rows, columns : its shape
    values : the numbers row after row, as the kernels lower them
    """

    dtype: str
    rows: int
    columns: int
    values: NDArray[float64]

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
def lowered(values: object, what: Literal["matrix"], argument: _Argument = "y_true") -> _LoweredMatrix: ...
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
    values : array-like of shape (n,), or (n, k) for "matrix"; a scalar for "label"
    what : "labels", "scores" or "weights" for a column, "matrix" for two dimensions of numbers, "label_set" for a
        `labels=` argument, "label" for a `pos_label=`
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

@final
class CodedLabels:
    """A column of labels that has been coded, to be counted against several others: it is taken wherever labels are."""

def coded_labels(values: object, argument: _Argument) -> CodedLabels | None:
    """The codes of labels that are not plain numbers; None for numbers, which are read where they lie each time."""

def _through_the_gate(rows: int, outcome: str = "sum") -> int:
    """Add up the rows from 0 to `rows` over all threads, refuse ("refusal"), or panic with `outcome`: for tests."""

_Reals = NDArray[float64]
_Four = tuple[_Reals, _Reals, _Reals, _Reals]
_Answer = tuple[float, str | None]
_Optimum = tuple[float, float, tuple[float, float, float, float]]
# psi, Jensen–Shannon, KS, total variation, chi-squared, degrees of freedom, p-value
_Distances = tuple[float, float, float, float, float, int, float]

def index_rows() -> list[dict[str, Any]]:
    """Every row of the registry, as the fields of `rocksteady.Index`."""

def index_name(name: str) -> str:
    """The name of the row that has a name or alias."""

def index_version() -> int:
    """A number that changes whenever `index_rows` does."""

def define_index(
    name: str,
    expression: str,
    parameters: Mapping[str, float] | None,
    texts: tuple[str | None, str, str],
    better: str,
    ends: tuple[float, float],
    aliases: Sequence[str],
    replace: bool,
) -> str:
    """Define an index; its name. `texts` are title, about and source, `ends` those of the range."""

def undefine_index(name: str) -> None:
    """Take away an index that was defined."""

def check_counts(arrays: _Four) -> None:
    """Refuse counts that are negative or not finite: `arrays` are tp, fp, fn, tn."""

def evaluate_counts(arrays: _Four, name: str, given: dict[str, Any]) -> _Reals:
    """An index at every place of tp, fp, fn, tn, in their shape."""

def interval_counts(arrays: _Four, name: str, level: float, method: str | None, side: str) -> tuple[list[_Reals], str]:
    """Estimate, bounds and standard error at every place, and the method used."""

def interval_matrix(
    state: ConfusionState, positive: int | None, name: str, level: float, method: str | None, side: str
) -> tuple[float, float, float, float, str]:
    """Estimate, bounds and standard error of a whole matrix, or of the positive class, and the method used."""

def interpret(name: str, values: _Reals, scale: str | None) -> list[str | None]:
    """The word for each value of an index on one of its scales."""

def why_counts(arrays: _Four, name: str, given: dict[str, Any]) -> str | None:
    """Why an index is undefined at the first place where it is."""

_Counted = tuple[int, int, int, int, int]

def consistency_steps(
    first: _Reals, second: _Reals, lower: tuple[bool, bool], tolerance: tuple[float, float]
) -> tuple[NDArray[uint8], _Counted, int]:
    """How two indices judge each step from one evaluation to the next: see `rocksteady.consistency`.

    Parameters
    ----------
    first, second : float64 arrays of shape (n,)
        The values of the indices; NaN where undefined.
    lower : whether the lower is the better, for each
    tolerance : up to which difference values are equal, for each

    Returns
    -------
    The type of each step, n - 1 of them, 0 where an index is undefined; how many are of the kinds R, P, Q, S and
    neither; how many are undefined.

    Raises
    ------
    InputError
        For arrays of different lengths, and a tolerance that is negative or not finite.
    """

def consistency_pairs(
    first: _Reals,
    second: _Reals,
    multiplicity: NDArray[uint64] | None,
    lower: tuple[bool, bool],
    tolerance: tuple[float, float],
) -> tuple[_Counted, int]:
    """How two indices judge all pairs of evaluations, each standing for `multiplicity` equal ones.

    The other parameters and errors are those of `consistency_steps`.

    Returns
    -------
    How many pairs are of the kinds R, P, Q, S and neither; how many evaluations are undefined.
    """

def enumerate_matrices(class_sizes: list[int], outcomes: bool) -> tuple[NDArray[uint64], NDArray[uint64] | None]:
    """All confusion matrices with classes of these sizes, shape (n, K, K); with `outcomes` in how many ways each comes about."""

def enumerate_rankings(positives: int, negatives: int) -> NDArray[uint8]:
    """All orders of so many positives (1) and negatives (0), the best rank first, shape (n, rows)."""

def evaluate_matrices(stack: NDArray[uint64] | _Reals, name: str, given: Mapping[str, object]) -> _Reals:
    """An index of each matrix of a stack of shape (n, K, K); of two classes the second is the positive one."""

def evaluate_rankings(rankings: NDArray[uint8], cut: int, name: str, given: Mapping[str, object]) -> _Reals:
    """An index of each ranking: over all thresholds, or of the counts with the first `cut` rows predicted positive."""

_Points = tuple[_Reals, _Reals, _Reals]
_Columns = tuple[_Reals, _Reals, _Reals, NDArray[bool_]]

def roc_auc(
    y_true: object, y_score: object, sample_weight: object | None, max_fpr: float | None
) -> tuple[float, float, float, int, int]:
    """The area under the ROC curve up to a false positive rate, the positives, the negatives, the classes seen, the status.

    The status of the labels is 0 if they are plain numbers, 1 for text, which may have been bytes, 2 for anything else.
    """

def average_precision(
    y_true: object, y_score: object, pos_label: object, sample_weight: object | None
) -> tuple[float, float, float, int]:
    """Average precision, the positives, all rows; the status as in `roc_auc`."""

def class_areas(
    y_true: object,
    y_score: object,
    labels: object | None,
    sample_weight: object | None,
    max_fpr: float | None,
    pooled: bool,
    sums: bool,
) -> tuple[_Columns, int]:
    """Of each class against the rest, or of all as one problem: area, positives, negatives, whether there are rows of both.

    And the status as in `roc_auc`. Average precision with `max_fpr` None. With `sums` rows of scores must add up to 1.
    """

def pair_areas(y_true: object, y_score: object, labels: object | None, sums: bool) -> tuple[_Reals, _Reals, int]:
    """Of each pair of classes that occur: the mean area of both columns, the rows of both; the status as in `roc_auc`."""

def label_areas(
    y_true: object, y_score: object, sample_weight: object | None, max_fpr: float | None, pooled: bool
) -> _Columns:
    """Of each label of an indicator of 0 and 1, or of all as one problem: as `class_areas`."""

def roc_curve(
    y_true: object, y_score: object, pos_label: object | None, sample_weight: object | None, drop_intermediate: bool
) -> tuple[_Points, tuple[float, float], int]:
    """False and true positive rates and thresholds; positives and negatives; the status as in `roc_auc`.

    Without `pos_label` it is 0 only for labels of {0, 1} or {-1, 1}.
    """

def precision_recall_curve(
    y_true: object, y_score: object, pos_label: object | None, sample_weight: object | None, drop_intermediate: bool
) -> tuple[tuple[_Reals, _Reals, NDArray[Any]], float, int]:
    """Precision, recall and thresholds, in the type of the scores; positives; the status as in `roc_curve`."""

def det_curve(
    y_true: object, y_score: object, pos_label: object | None, sample_weight: object | None, drop_intermediate: bool
) -> tuple[_Points, tuple[float, float], bool, int]:
    """False positive rates, false negative rates and thresholds; positives and negatives; whether there are rows of both.

    And the status as in `roc_curve`.
    """

def threshold_counts(
    y_true: object, y_score: object, pos_label: object | None, sample_weight: object | None
) -> tuple[tuple[_Reals, _Reals, _Reals, _Reals, NDArray[Any]], int]:
    """tn, fp, fn, tp at every distinct score, high to low, and these scores in their own type.

    And the status as in `roc_curve`.
    """

def index_at_thresholds(
    y_true: object,
    y_score: object,
    sample_weight: object | None,
    name: str,
    given: dict[str, Any],
    turned: bool,
) -> tuple[_Reals, NDArray[Any], list[int]] | None:
    """An index at every distinct score, high to low; these scores in their own type; the places where it is undefined.

    None unless there are rows of 0 and of 1 and of nothing else. With `turned` 0 is the positive label.
    """

def listwise_mean(
    name: str,
    y_true: object,
    y_score: object,
    sample_weight: object | None,
    first: int | None,
    base: float,
    ignore_ties: bool,
) -> float:
    """The mean over rows of "coverage", "average_precision", "loss", "gain", "normalized_gain" or "roc_area"."""

def listwise_each(
    name: str, y_true: object, y_score: object, first: int | None, base: float, ignore_ties: bool
) -> _Reals:
    """The same of each row."""

@final
class TablesState:
    """A list of 2x2 tables: of classes against the rest, of labels, of rows."""

    @staticmethod
    def of(cells: list[list[float]], shares: list[float] | None, whole: bool) -> TablesState:
        """Tables from their cells tn, fp, fn, tp, of either sign; with the share of each, where they are of rows."""

    def __len__(self) -> int:
        """The number of tables."""

    @property
    def absent(self) -> bool:
        """Whether one of the tables is of a label that does not occur."""

    def scores(
        self, names: tuple[str, ...], average: str | None, zero_division: float, beta: float
    ) -> tuple[tuple[Any, ...], int]:
        """The values of several indices, for every table or averaged; and as bits, which are undefined for a table.

        Parameters
        ----------
        names : of indices with a value for a 2x2 table
        average : None for arrays; "binary" or "macro", "micro", "weighted" (by actual positives), "samples" (by shares)
        zero_division : what stands for an undefined value; NaN is left out of means
        beta : the parameter of "fbeta"
        """

    def support(self) -> NDArray[Any]:
        """The actual positives of each table, int64, or float64 if they are not whole by dtype."""

    def to_array(self) -> NDArray[Any]:
        """The tables as an array of shape (n, 2, 2): tn, fp; fn, tp."""

@final
class IndicatorState:
    """Two indicator matrices that have been counted: a row for each sample, a column for each label."""

    @staticmethod
    def count(y_true: object, y_pred: object, labels: object | None, sample_weight: object | None) -> IndicatorState:
        """Count two matrices of zeros and ones, dense or CSR; of the columns in `labels` only, if given."""

    @staticmethod
    def each_row(y_true: object, y_pred: object, labels: object | None, sample_weight: object | None) -> TablesState:
        """The table of every row, in order, weighted by the row's weight."""

    @property
    def rows(self) -> int:
        """The number of rows."""

    @property
    def labels(self) -> int:
        """The number of labels."""

    @property
    def total(self) -> float:
        """The number, or the weight, of the rows."""

    def by_label(self) -> TablesState:
        """The tables of the labels."""

    def by_row(self) -> TablesState:
        """The distinct tables of the rows, with their shares."""

    def rows_right(self) -> tuple[float, float, float]:
        """Of the rows: the share, and the amount, that is right in every label, and the share that is not."""

    def cells_right(self) -> tuple[float, float, float]:
        """Of the cells: the same."""

def positions(y_true: object, y_pred: object, label: object) -> list[NDArray[int64]]:
    """The places of true and false positives and negatives of a class: tp, fp, fn, tn."""

@final
class Readings:
    """A list of statistics, each a row of the registry and how it is read from a matrix."""

    def __new__(cls, asked: list[tuple[str, str, str, dict[str, float], str | None]], level: float) -> Readings: ...
    def of(self, state: ConfusionState) -> dict[str, Any]:
        """The statistics of a matrix by name: floats, pairs of them, words or None, and for each class an array or a list."""

@final
class ConfusionState:
    """A counted confusion matrix with its margins; `rocksteady.ConfusionMatrix` presents it."""

    @staticmethod
    def count(
        y_true: object,
        y_pred: object,
        labels: object | None,
        sample_weight: object | None,
        policy: str,
        strict: bool,
    ) -> ConfusionState:
        """Count two columns of labels."""

    @staticmethod
    def from_counts(counts: NDArray[Any], labels: object | None) -> ConfusionState:
        """The matrix whose cells are given, as counts (uint64, int64) or as weights (float64)."""

    @staticmethod
    def from_bytes(data: bytes) -> ConfusionState:
        """The matrix whose `to_bytes` gave `data`."""

    @staticmethod
    def from_cells(
        actual: NDArray[uint32], predicted: NDArray[uint32], amounts: NDArray[Any], labels: object
    ) -> ConfusionState:
        """The matrix whose cells are given by their classes' places and amounts: counts (uint64) or weights (float64)."""

    def relabelled(self, labels: object) -> ConfusionState:
        """The matrix with other names for its classes."""

    def mapped(self, labels: object, classes: NDArray[int64]) -> ConfusionState:
        """The matrix of classes put together, in another order or left out: for each class its new place, or -1."""

    def transposed(self) -> ConfusionState:
        """The matrix with actual and predicted classes exchanged."""

    def cells(self) -> tuple[NDArray[int64], NDArray[int64], NDArray[Any]]:
        """The cells that are not zero: places of actual and predicted class, and amounts."""

    @property
    def occupied(self) -> int:
        """How many cells are not zero."""

    def actual(self) -> _Reals:
        """The sum of the cells of each actual class."""

    def dissimilarity(self) -> _Reals:
        """How the rows of each two classes differ."""

    def positive(self, pos_label: object | None) -> int | None:
        """The place of the positive class, if there are two."""

    def with_class(self, pos_label: object) -> ConfusionState:
        """The same matrix with one more class, if it has one only and that is another."""

    def labels(self) -> NDArray[Any]:
        """The labels in order."""

    @property
    def classes(self) -> int:
        """The number of classes."""

    @property
    def rows(self) -> int:
        """The number of rows counted."""

    @property
    def total(self) -> float:
        """The sum of the cells."""

    @property
    def correct(self) -> float:
        """The sum of the diagonal."""

    @property
    def text(self) -> bool:
        """Whether the labels are strings."""

    @property
    def weighted(self) -> bool:
        """Whether the cells are sums of weights."""

    @property
    def absent(self) -> bool:
        """Whether some class has no rows."""

    @property
    def of_bytes(self) -> bool:
        """Whether the labels came as bytes."""

    @property
    def mixed(self) -> bool:
        """Whether the labels of the two columns were of different kinds, say integers and floats."""

    def tables(self, labels: object | None = None) -> TablesState:
        """The 2x2 tables of the classes against the rest: of all, or of those listed, one for each time that it is."""

    def to_array(self) -> NDArray[Any]:
        """The dense matrix."""

    def normalized(self, by: str) -> _Reals:
        """The dense matrix divided by row sums ("true"), column sums ("pred") or the total ("all")."""

    def one_vs_rest(self) -> list[_Reals]:
        """tp, fp, fn, tn of each class against the rest."""

    def value(self, name: str, positive: int | None, given: dict[str, Any] | None = None) -> _Answer:
        """An index of the whole matrix or of the positive class, and why it is undefined."""

    def values(self, names: list[str], positive: int | None) -> tuple[_Reals, list[str | None]]:
        """Many indices, each as `value` gives it with its defaults, and why each is undefined."""

    def class_values(self, names: list[str]) -> _Reals:
        """Many indices of every class: a row for each index, a column for each class."""

    def averages(self, names: list[str]) -> list[_Reals]:
        """The macro averages of many indices, and those weighted by the actual rows."""

    def per_class(self, name: str, given: dict[str, Any] | None = None) -> _Reals:
        """An index of every class against the rest."""

    def average(self, name: str, average: object, zero_division: float, given: dict[str, Any] | None = None) -> _Answer:
        """An index averaged over the classes."""

    def merged(self, other: ConfusionState) -> ConfusionState:
        """The matrix of the rows of both."""

    def less(self, other: ConfusionState) -> ConfusionState:
        """The matrix less another of the same classes; only the amounts of the result can be read."""

    def same(self, other: ConfusionState) -> bool:
        """Whether labels and cells are the same."""

    def to_bytes(self) -> bytes:
        """The state as bytes."""

@final
class ScoreState:
    """A score table; `rocksteady.ScoreTable` presents it."""

    @staticmethod
    def sweep(
        y_true: object,
        y_score: object,
        pos_label: object | None,
        sample_weight: object | None,
        policy: str,
        infinite: str,
    ) -> ScoreState:
        """Sweep scores against two labels."""

    @staticmethod
    def from_bytes(data: bytes) -> ScoreState:
        """The table whose `to_bytes` gave `data`."""

    def __len__(self) -> int: ...
    def labels(self) -> tuple[Any, Any]:
        """The negative and the positive label."""

    @property
    def rows(self) -> int:
        """The number of rows counted."""

    @property
    def totals(self) -> tuple[float, float]:
        """The number, or weight, of positives and of negatives."""

    def thresholds(self) -> _Reals:
        """Infinity and the distinct scores, high to low."""

    def counts(self) -> list[_Reals]:
        """tp, fp, fn, tn at each threshold."""

    def at(self, threshold: float, side: str) -> tuple[float, float, float, float]:
        """tp, fp, fn, tn at one threshold."""

    def every(self, names: list[str], given: dict[str, Any]) -> list[_Reals]:
        """Indices at each threshold: an array for each name, all with the same parameters."""

    @property
    def are_probabilities(self) -> bool:
        """Whether all scores lie in [0, 1]."""

    def value(self, name: str, given: dict[str, Any]) -> _Answer:
        """An index of the whole ranking, and why it is undefined."""

    def ks(self) -> tuple[float, float, int]:
        """Value, threshold and sign of the Kolmogorov–Smirnov statistic."""

    def average_precision(self, pos_label: object) -> tuple[float, float]:
        """The weight of the rows with a label, and the average precision of taking them for the positive ones."""

    def merged(self, other: ScoreState) -> ScoreState:
        """The table of the rows of both."""

    def to_bytes(self) -> bytes:
        """The state as bytes."""

def score_values(state: ScoreState, names: list[str]) -> list[tuple[float, str | None]]:
    """Indices of a whole ranking by their defaults, and why they are undefined."""

@disjoint_base
class RankingsState:
    """A ranking for each class or label; `rocksteady.ScoreTables` and `rocksteady.LabelScoreTables` present it."""

    def labels(self) -> NDArray[Any]:
        """The labels, in the order of the columns."""

    @property
    def rows(self) -> int:
        """The number of rows counted."""

    def sizes(self) -> _Reals:
        """The number, or weight, of the rows of each class or label."""

    def table(self, label: object) -> ScoreState:
        """The table of one class against the rest, or of one label."""

    def pooled(self) -> ScoreState:
        """All classes or labels as one table."""

    def average_curve(self, x: str, y: str, average: object, absent: str, points: int | None) -> list[_Reals]:
        """The mean of the curves of the classes or labels: x, y, the lowest and the highest of the curves."""

    def each(self, name: str, given: dict[str, Any]) -> _Reals:
        """An index of each class against the rest, or of each label."""

    def average(self, name: str, average: object, absent: str, given: dict[str, Any]) -> _Answer:
        """An index averaged over the classes or labels, and why it is undefined."""

    def to_bytes(self) -> bytes:
        """The state as bytes."""

@final
class ScoreTablesState(RankingsState):
    """The scores of several classes; `rocksteady.ScoreTables` presents them."""

    @staticmethod
    def sweep(y_true: object, y_proba: object, labels: object | None, sample_weight: object | None) -> ScoreTablesState:
        """Rank each class's rows in each column."""

    @staticmethod
    def from_bytes(data: bytes) -> ScoreTablesState:
        """The statistic whose `to_bytes` gave `data`."""

    def one_vs_one(self, label: object, other: object) -> ScoreState:
        """The table of one class's rows against those of another, by the first one's column."""

    def value(self, name: str, given: dict[str, Any]) -> _Answer:
        """An index of all classes, and why it is undefined."""

    def prepare(self) -> None:
        """Find once, for each class against the rest, what any index of a ranking needs, and keep it."""

    def merged(self, other: ScoreTablesState) -> ScoreTablesState:
        """The statistic of the rows of both."""

@final
class LabelScoreTablesState(RankingsState):
    """A ranking for each label; `rocksteady.LabelScoreTables` presents it."""

    @staticmethod
    def sweep(
        y_true: object, y_score: object, labels: object | None, sample_weight: object | None
    ) -> LabelScoreTablesState:
        """Rank the rows of each label by its column."""

    @staticmethod
    def from_bytes(data: bytes) -> LabelScoreTablesState:
        """The statistic whose `to_bytes` gave `data`."""

    def merged(self, other: LabelScoreTablesState) -> LabelScoreTablesState:
        """The statistic of the rows of both."""

def gains(
    state: ScoreState, bands: int, edges: list[float] | None, ascending: bool, smoothing: float
) -> tuple[list[_Reals], tuple[float, float, int]]:
    """The columns of a gains table in the order of `rocksteady.GainsTable`, and its single values."""

def profit(
    state: ScoreState,
    bands: int,
    edges: list[float] | None,
    ascending: bool,
    benefit: float,
    cost: float,
    fixed_cost: float,
) -> tuple[list[_Reals], int]:
    """The columns of a profit table in the order of `rocksteady.ProfitTable`, and the best number of bands."""

def stability_of_columns(
    expected: object,
    actual: object,
    bins: int,
    strategy: str,
    edges: list[float] | None,
    epsilon: float,
    expected_weight: object | None,
    actual_weight: object | None,
    policy: str,
    infinite: str,
) -> tuple[_Reals, bool, list[_Reals], _Distances]:
    """Edges, whether a bin of missing scores follows the last, amounts, shares and contributions, and distances."""

def stability_of_tables(
    expected: ScoreState,
    actual: ScoreState,
    bins: int,
    strategy: str,
    edges: list[float] | None,
    epsilon: float,
) -> tuple[_Reals, bool, list[_Reals], _Distances]:
    """The same of two score tables, both classes together."""

def stability_of_labels(
    expected: object,
    actual: object,
    epsilon: float,
    expected_weight: object | None,
    actual_weight: object | None,
) -> tuple[NDArray[Any], list[_Reals], _Distances]:
    """Labels, amounts, shares and contributions, and distances."""

def bayes_decision(y_proba: object, costs: object, reject_cost: float | None) -> NDArray[int64]:
    """The class of least risk of each row, -1 where even that is above `reject_cost`."""

def bayes_risk(y_proba: object, costs: object) -> _Reals:
    """The risk of each prediction for each row."""

def optimal_threshold(costs: object) -> float:
    """The probability from which on the second class is the cheaper prediction."""

@final
class CollectorState:
    """A collector of scores; `rocksteady.ScoreCollector` presents it."""

    def __new__(cls, pos_label: object | None, policy: str, infinite: str) -> CollectorState: ...
    @property
    def rows(self) -> int:
        """The number of rows taken."""

    def update(self, y_true: object, y_score: object, sample_weight: object | None) -> None:
        """Take one batch."""

    def table(self) -> ScoreState:
        """The table of all rows taken."""

@final
class ClassProbabilityState:
    """Losses over the probabilities of classes; one column of probabilities is for two."""

    @staticmethod
    def sum(
        y_true: object,
        y_proba: object,
        labels: object | None,
        pos_label: object | None,
        sample_weight: object | None,
        wanted: Literal["log_loss", "brier"],
        with_classes: bool,
    ) -> ClassProbabilityState:
        """Sum the losses of each row, and with `with_classes` the weight of each class.

        One column is for "brier" that of `pos_label`, as scikit-learn infers it if None; otherwise columns are those of
        `labels`, ascending, or else of the labels found.
        """

    @property
    def weight(self) -> float:
        """What the rows weigh."""

    @property
    def rows(self) -> int:
        """The number of rows."""

    @property
    def columns(self) -> int:
        """The number of columns that the probabilities came in."""

    @property
    def sums_to_one(self) -> bool:
        """Whether the probabilities of every row add up to one, nearly."""

    @property
    def text(self) -> bool:
        """Whether the labels are text."""

    @property
    def total_log_loss(self) -> float:
        """The sum of the logarithmic losses."""

    def value(self, name: str, halved: bool) -> float:
        """An index of the probabilities; with `halved` from half of the squared errors."""

    def saved(self, wanted: Literal["log_loss", "brier"]) -> float:
        """The part of the loss of the class frequencies that is saved; needs `with_classes`."""

def top_k(
    y_true: object, y_score: object, k: int, labels: object | None, sample_weight: object | None
) -> tuple[float, float, int, bool]:
    """The weight of the rows whose class is among the k first, that of all rows, the number of classes, whether they are text."""

def hinge(
    y_true: object, pred_decision: object, labels: object | None, sample_weight: object | None
) -> tuple[float, float, bool]:
    """The weighted sum of the hinge losses, the weight of all rows, and whether the labels are text."""

def calibration_bins(
    y_true: object, y_prob: object, pos_label: object | None, bins: int, strategy: Literal["uniform", "quantile"]
) -> tuple[_Reals, _Reals, bool]:
    """The part of each bin's rows that is positive, their mean probability, and whether the labels are text."""

def calibration_curve_of(state: ScoreState, bins: int, strategy: str, level: float) -> tuple[list[_Reals], int]:
    """Of each bin with rows its edges, mean score, rate, weight and the bounds of the rate; and how many bins have none."""

def decomposition(state: ScoreState, rule: str) -> tuple[float, float, float, float]:
    """A mean score, its miscalibration, discrimination and uncertainty."""

def calibration_error(
    y_true: object,
    y_score: object,
    mode: str | None,
    bins: int,
    strategy: str,
    norm: str,
    pos_label: object | None,
    labels: object | None,
    sample_weight: object | None,
) -> float:
    """The calibration error of rows."""

def top_label(y_true: object, y_score: object, labels: object | None, sample_weight: object | None) -> ScoreState:
    """The table of the most probable class of each row against whether it came true."""

@final
class ProbabilityState:
    """Sums over two-class probabilities; `rocksteady.ProbabilitySums` presents them."""

    @staticmethod
    def sum(
        y_true: object, y_score: object, pos_label: object | None, sample_weight: object | None
    ) -> ProbabilityState:
        """Sum the terms of each row."""

    @staticmethod
    def from_bytes(data: bytes) -> ProbabilityState:
        """The sums whose `to_bytes` gave `data`."""

    @property
    def rows(self) -> int:
        """The number of rows."""

    def value(self, name: str, given: dict[str, Any]) -> _Answer:
        """An index of the probabilities, and why it is undefined."""

    def merged(self, other: ProbabilityState) -> ProbabilityState:
        """The sums of the rows of both."""

    def to_bytes(self) -> bytes:
        """The state as bytes."""

def best_thresholds(
    state: ScoreState,
    name: str,
    maximize: bool,
    minimize: bool,
    every: bool,
    subject_to: str | None,
    given: dict[str, Any],
) -> list[_Optimum]:
    """The value, the threshold and tp, fp, fn, tn where an index is best: at the lowest threshold or every one, low to high."""

def target_threshold(state: ScoreState, name: str, limit: float, at_least: bool, then: str) -> _Optimum | None:
    """Likewise where an index is within a limit and another is best."""

def why_no_best(state: ScoreState, name: str, subject_to: str | None, given: dict[str, Any]) -> str | None:
    """Why there is no best threshold; None if there is one."""

def meeting_thresholds(state: ScoreState, condition: str) -> NDArray[bool_]:
    """At which thresholds a condition is met."""

def pareto_thresholds(
    state: ScoreState, wanted: list[tuple[str, bool, bool]]
) -> tuple[_Reals, list[_Reals], list[_Reals]]:
    """Thresholds, counts and values of the indices where no other operating point is better; names with maximize and minimize."""

def counts_of_table(state: ScoreState, given: NDArray[Any], side: str) -> list[_Reals]:
    """tp, fp, fn, tn at each threshold."""

def counts_at(
    y_true: object,
    y_score: object,
    given: NDArray[Any],
    side: str,
    pos_label: object | None,
    sample_weight: object | None,
    policy: str,
    infinite: str,
) -> list[_Reals]:
    """tp, fp, fn, tn at each threshold, from rows."""

def sweep_thresholds(state: ScoreState, places: NDArray[int64] | None) -> NDArray[float64]:
    """Infinity and the distinct scores, high to low; or those at some places."""

def sweep_columns(state: ScoreState, names: Sequence[str], places: NDArray[int64]) -> list[NDArray[float64]]:
    """Indices of the four counts, with their own parameters, at some places of a curve."""

def operating_points(state: ScoreState, max_points: int) -> tuple[NDArray[int64], float]:
    """Places that stand for all of a table's, and how far a rate rises between two of them at most."""

def simplify_sweep(
    state: ScoreState, curve: str, max_points: int | None, max_deviation: float
) -> tuple[NDArray[int64], float]:
    """The places of a curve's points that tell the whole of it, and how far it lies from them at most."""

def simplify_columns(
    x: NDArray[float64],
    y: Sequence[NDArray[float64]],
    totals: tuple[float, float] | None,
    steps: bool,
    keep: Sequence[int],
    max_points: int | None,
    max_deviation: float,
) -> tuple[NDArray[int64], float]:
    """As `simplify_sweep`, for one or two y over x. Rates that are counts over `totals` are compared as counts."""

def area_of_curve(x: NDArray[float64], y: NDArray[float64], steps: bool) -> float | None:
    """The area under a curve; None where x turns back."""

def hull_places(state: ScoreState) -> NDArray[int64]:
    """The places of the vertices of the convex hull."""

def cost_curve(state: ScoreState) -> tuple[NDArray[float64], NDArray[float64], NDArray[int64]]:
    """Probability-cost, least expected cost, and the place of the best threshold from there on."""

def brier_curve(state: ScoreState) -> list[NDArray[float64]]:
    """Cost proportion and loss."""

def net_benefit(state: ScoreState, at: NDArray[float64] | None) -> list[NDArray[float64]]:
    """Net benefit, and that of calling every row positive: at each distinct score, ascending, or at some thresholds."""

def precision_recall_gain(state: ScoreState) -> list[NDArray[float64]]:
    """Recall gain, precision gain and thresholds; one point without coordinates if a class is absent."""

def interpolated_precision_recall(
    state: ScoreState,
) -> tuple[NDArray[float64], NDArray[float64], NDArray[float64]]:
    """Recall, precision and thresholds of the curve of Davis and Goadrich."""

def normal_deviates(shares: NDArray[float64]) -> NDArray[float64]:
    """The standard normal deviates below which these shares lie."""
