"""The extension module. Use it through the package `rocksteady`."""

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict, final, overload, type_check_only

from numpy import bool_, float64, generic, int64, uint8, uint32, uint64
from numpy.typing import NDArray
from typing_extensions import disjoint_base

__all__ = [
    "AnchoredState",
    "AreasState",
    "ClassProbabilityState",
    "CodedLabels",
    "CodesState",
    "CollectorState",
    "ConfusionState",
    "CostState",
    "GroupedState",
    "GroupsState",
    "IndicatorState",
    "LabelScoreTablesState",
    "PairedRowsState",
    "PlacementsState",
    "ProbabilityState",
    "QueriesState",
    "RankingsState",
    "Readings",
    "RowMeanState",
    "ScoreState",
    "ScoreTablesState",
    "SignedTotalsState",
    "SketchCollectorState",
    "SketchState",
    "SpilledState",
    "SpillingState",
    "TablesState",
    "__version__",
    "_instructions",
    "_through_the_gate",
    "adjusted_p_values",
    "area_of_curve",
    "average_precision",
    "bands_of_sketch",
    "bayes_decision",
    "bayes_risk",
    "best_thresholds",
    "bootstrap_band",
    "bootstrap_counts",
    "bootstrap_interval",
    "bootstrap_matrix",
    "bootstrap_reads_counts",
    "bootstrap_rows",
    "bootstrap_scores",
    "bounds_of_box",
    "brier_curve",
    "calibration_bins",
    "calibration_curve_of",
    "calibration_error",
    "check_box",
    "check_counts",
    "class_areas",
    "cochran_test",
    "coded_labels",
    "consistency_pairs",
    "consistency_steps",
    "cost_curve",
    "cost_ratios",
    "count_pairs",
    "counts_at",
    "counts_of_table",
    "decomposition",
    "define_index",
    "det_curve",
    "disparity_intervals",
    "disparity_levels",
    "disparity_of_intervals",
    "enumerate_matrices",
    "enumerate_rankings",
    "evaluate_counts",
    "evaluate_matrices",
    "evaluate_rankings",
    "exact_counts",
    "gains",
    "get_kept_memory",
    "get_threads",
    "group_disparities",
    "group_mean",
    "group_rows",
    "hinge",
    "hull_places",
    "impact_over_thresholds",
    "independent_difference",
    "index_at_thresholds",
    "index_name",
    "index_rows",
    "index_version",
    "influence",
    "interpolated_precision_recall",
    "interpret",
    "interval_average",
    "interval_classes",
    "interval_counts",
    "interval_matrix",
    "interval_of_box",
    "interval_of_sketch",
    "interval_probabilities",
    "interval_rankings",
    "interval_score_tables",
    "interval_scores",
    "ks",
    "label_areas",
    "listwise_each",
    "listwise_mean",
    "lowered",
    "mcnemar_test",
    "meeting_thresholds",
    "net_benefit",
    "normal_deviates",
    "operating_points",
    "optimal_threshold",
    "pair_agreement",
    "pair_areas",
    "pair_cells",
    "pair_difference",
    "pair_disparity",
    "paired_proportion_difference",
    "pareto_thresholds",
    "positions",
    "precision_recall_curve",
    "precision_recall_gain",
    "profit",
    "proportion_difference",
    "proportion_ratio",
    "roc_auc",
    "roc_curve",
    "row_decision",
    "row_risk",
    "score_anchors",
    "score_values",
    "set_kept_memory",
    "set_threads",
    "simplify_columns",
    "simplify_sweep",
    "squares_of_table",
    "stability_of_columns",
    "stability_of_labels",
    "stability_of_tables",
    "subgroup_areas",
    "sweep_columns",
    "sweep_thresholds",
    "target_threshold",
    "threshold_counts",
    "top_k",
    "top_label",
    "undefine_index",
    "value_disparities",
    "why_counts",
    "why_no_best",
    "worst_groups",
]

__version__: str

def set_threads(n: int | None = None) -> None:
    """Set the number of threads that a call may use; None restores the default.

    The default is the environment variable `ROCKSTEADY_NUM_THREADS`, or else the number of cores. Results never depend
    on the number of threads. Small inputs always stay on the calling thread.

    Parameters
    ----------
    n : int from 1 to 1024, or None

    Raises
    ------
    InputError
        If `n` is another number.
    """

def set_kept_memory(limit: int | None = None) -> None:
    """Set how much memory that was freed is kept for the next call; None restores the default, 64 MiB.

    The system gives and takes memory page by page, which costs as much as the work of a call on thousands of rows. So
    rocksteady keeps the large blocks that it freed last. An array that you hold is never among them.

    Parameters
    ----------
    limit : int, or None
        The most bytes that are kept. 0 keeps nothing, and gives back what is kept.

    Raises
    ------
    InputError, InputTypeError
        If `limit` is negative or not a whole number.
    """

def get_kept_memory() -> int:
    """The most bytes of freed memory that are kept."""

def get_threads() -> int:
    """The number of threads that a call may use."""

@type_check_only
class _LoweredNumbers(TypedDict, total=False):
    """How a column is read.

    dtype : the dtype that is counted, or "coded" for labels that are neither numbers nor truth values
    rows : the number of rows
    copied : whether rocksteady copied the values; False means that it reads them in place
    values : the values; for "coded" the index of each row's label in `labels`, -1 where it is missing
    kind : the kind of the labels (labels only)
    labels : the distinct labels in order of appearance ("coded" only)
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

    dtype : the dtype of the matrix
    rows, columns : its shape
    values : the numbers row by row, as the kernels convert them
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

_WeightKind = Literal["counts", "sampling"]
_Argument = Literal["y_true", "y_pred", "y_score", "sample_weight", "labels", "pos_label"]

@overload
def lowered(
    values: object, what: Literal["labels", "scores", "weights"] = "labels", argument: _Argument = "y_true"
) -> _LoweredNumbers: ...
@overload
def lowered(values: object, what: Literal["matrix"], argument: _Argument = "y_true") -> _LoweredMatrix: ...
@overload
def lowered(values: object, what: Literal["label_set"], argument: _Argument = "y_true") -> _LoweredSet: ...
@overload
def lowered(
    values: bool | int | float | str | generic, what: Literal["label"], argument: _Argument = "y_true"
) -> _LoweredLabel:
    """How an argument is read. For tests, and to find out whether a copy is made.

    Parameters
    ----------
    values : array-like of shape (n,), or (n, k) for "matrix"; a scalar for "label"
    what : "labels", "scores" or "weights" for a column, "matrix" for a two-dimensional array of numbers, "label_set"
    for
        a `labels=` argument, "label" for a `pos_label=` argument
    argument : the argument's name in error messages

    Raises
    ------
    InputError
        If the shape or a value cannot be used.
    InputTypeError
        If the object or its dtype cannot be used.

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
    """A column of labels, coded once and counted against several others. Accepted wherever labels are."""

def coded_labels(values: object, argument: _Argument) -> CodedLabels | None:
    """Code labels that are not plain numbers; None for numbers, which every count reads in place."""

@final
class GroupedState:
    @property
    def groups(self) -> int: ...
    @property
    def rows(self) -> int: ...
    def codes(self) -> NDArray[uint32]: ...
    def names(self) -> list[str]: ...
    def columns(self) -> list[tuple[str, NDArray[Any] | list[Any]]]: ...
    def kept(self, keep: NDArray[bool_]) -> GroupedState: ...

def group_rows(
    columns: list[tuple[str, tuple[str, object, str | None, list[str] | None]]], rows: int | None
) -> GroupedState: ...

@final
class GroupsState:
    @staticmethod
    def of_rows(
        grouped: GroupedState,
        y_true: object,
        predicted: tuple[object, ConfusionState] | None,
        scores: tuple[object, str, str] | None,
        pos_label: object,
        threshold: float | None,
        sample_weight: object,
        weight_kind: str,
    ) -> GroupsState: ...
    @property
    def groups(self) -> int: ...
    @property
    def controls(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def has(self) -> tuple[bool, bool]: ...
    @property
    def threshold(self) -> float | None: ...
    @property
    def weighted(self) -> bool: ...
    @property
    def weight_kind(self) -> Literal["counts", "sampling"]: ...
    @property
    def are_probabilities(self) -> bool: ...
    @property
    def positive(self) -> int | None: ...
    def names(self) -> list[str]: ...
    def columns(self) -> list[tuple[str, NDArray[Any] | list[Any]]]: ...
    def labels(self) -> NDArray[Any] | None: ...
    def pair(self) -> tuple[Any, Any]: ...
    def rows(self) -> NDArray[int64]: ...
    def scores(self) -> NDArray[int64]: ...
    def tables(self, threshold: float | None) -> tuple[list[_Reals], list[_Reals] | None]: ...
    def totals(self) -> list[_Reals]: ...
    def matrix(self, group: int) -> ConfusionState: ...
    def table(self, group: int) -> ScoreState: ...
    def of_scores(self, name: str, given: dict[str, Any]) -> tuple[_Reals, tuple[NDArray[uint8], list[str]]]: ...
    def of_matrices(self, name: str, given: dict[str, Any]) -> tuple[_Reals, tuple[NDArray[uint8], list[str]]]: ...
    def why_tables(
        self, name: str, given: dict[str, Any], threshold: float | None
    ) -> tuple[NDArray[uint8], list[str]]: ...
    def intervals(self, name: str, wanted: _Wanted, given: dict[str, Any], of_scores: bool) -> list[_Interval]: ...
    def pairs(self) -> list[tuple[str, str]]: ...
    def shares(self, weights: str) -> _Reals: ...
    def over(self, columns: list[int]) -> GroupsState: ...
    def merged(self, other: GroupsState) -> GroupsState: ...
    def subtracted(self, other: GroupsState) -> GroupsState: ...
    def find(self, one: GroupedState) -> int | None: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(data: bytes) -> GroupsState: ...

def group_mean(values: _Reals, weights: _Reals) -> float: ...
def _instructions() -> str:
    """For tests: the instructions that kernels use ("sse2", "avx2", "avx512"), the widest or those asked for."""

def _through_the_gate(rows: int, outcome: str = "sum") -> int:
    """For tests: add up the numbers below `rows` over all threads, refuse ("refusal"), or panic with `outcome`."""

_Reals = NDArray[float64]
_Places = NDArray[int64]
_Four = tuple[_Reals, _Reals, _Reals, _Reals]
_Answer = tuple[float, str | None]
_Optimum = tuple[float, float, tuple[float, float, float, float]]
# psi, Jensen–Shannon, KS, total variation, chi-squared, degrees of freedom, p-value
_Distances = tuple[float, float, float, float, float, int, float]

def index_rows(defined: bool, name: str | None) -> list[dict[str, Any]]:
    """The built-in rows, those that were defined, or the defined one of a name, as the fields of `rocksteady.results.Index`."""

def index_name(name: str) -> str:
    """The name of an index, from its name or an alias."""

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
    """Define an index and return its name. `texts` are title, about and source, `ends` the ends of the range."""

def undefine_index(name: str) -> None:
    """Remove an index that was defined."""

_Ends = tuple[float, float]
# Both ends of tp and of fp, positives, negatives; and what is left of both at each end, where it is known by itself.
_Box = tuple[_Ends, _Ends, float, float] | tuple[_Ends, _Ends, float, float, _Ends, _Ends]

def check_box(given: _Box) -> None:
    """Refuse a box that is none."""

def bounds_of_box(
    given: _Box, names: Sequence[str], chosen: dict[str, Any] | None
) -> list[tuple[float, float, float | None, bool, str | None]]:
    """Of each index: low, high, the value if it is known, whether it may be undefined, and why there are no bounds."""

def bands_of_sketch(state: SketchState, names: Sequence[str]) -> list[tuple[_Reals, _Reals, _Reals]]:
    """Of each index: values at the edges of cells, and the bounds from the edge before on."""

def check_counts(arrays: _Four) -> None:
    """Refuse counts that are negative or not finite: `arrays` are tp, fp, fn, tn."""

def evaluate_counts(arrays: _Four, name: str, given: dict[str, Any]) -> _Reals:
    """An index of each 2x2 table, in the shape of the arrays tp, fp, fn, tn."""

# Names, threshold, replicates, seed, how to draw, whether classes keep their sizes.
_Bootstrapping = tuple[list[str], float, int, int, str, bool]
# For each index: value, why there is none, acceleration, values in the replicates, how many of them are none.
_Replicates = list[tuple[float, str | None, float | None, _Reals, int]]
_Bootstrapped = tuple[_Replicates, list[_Reals] | None]

def bootstrap_scores(state: ScoreState, asked: _Bootstrapping, wants_acceleration: bool) -> _Bootstrapped:
    """Replicates of a score table, and tp, fp, fn, tn of each if an index is one of counts."""

def bootstrap_matrix(
    state: ConfusionState, positive: int | None, asked: _Bootstrapping, wants_acceleration: bool
) -> _Bootstrapped:
    """Replicates of a confusion matrix."""

def bootstrap_rows(
    y_true: object,
    models: Sequence[object],
    pos_label: object,
    sample_weight: object,
    cluster: tuple[NDArray[uint32], int] | None,
    key: NDArray[uint64] | None,
    policy: str,
    infinite: str,
    asked: _Bootstrapping,
    wants_acceleration: bool,
) -> tuple[list[tuple[ScoreState, _Bootstrapped]], list[tuple[int, int, list[float | None]]]]:
    """Score tables and replicates of models on the same rows; of each pair of them, accelerations of their difference."""

def bootstrap_counts(arrays: _Four, asked: _Bootstrapping) -> list[_Reals]:
    """Indices of the counts of replicates; NaN where they are undefined."""

def bootstrap_reads_counts(name: str) -> bool:
    """Whether an index is read from the counts at a threshold, and not from the ranking."""

def bootstrap_interval(
    values: _Reals, estimate: float, acceleration: float, method: str, level: float
) -> tuple[float, float, float, int]:
    """Low, high, standard error, and the number of replicates without a value."""

def bootstrap_band(
    state: ScoreState, curve: str, kind: str, level: float, points: int, asked: _Bootstrapping
) -> tuple[list[_Reals], int]:
    """x, estimate, low and high of a band, and the number of replicates without a curve."""

_Wanted = tuple[float, str | None, str]
_Interval = tuple[float, float, float, float, str, str | None]

def interval_counts(
    arrays: _Four, squares: _Four | None, name: str, wanted: _Wanted, given: dict[str, Any]
) -> tuple[list[_Reals], str, list[tuple[int, str]]]:
    """Estimate, bounds and standard error of each 2x2 table, the method used, and the places without an interval.

    `squares` are the sums of the squares of sampling weights, `wanted` are level, method and side.
    """

# For each stratum: the value of all rows, least, greatest, difference, ratio, difference and ratio to all rows.
_Disparities = list[_Reals]
# For each stratum the groups that they are of, then how many groups have a value, and how many have none.
_DisparityPlaces = list[NDArray[int64]]

def value_disparities(
    values: _Reals, strata: NDArray[uint32] | None, overall: _Reals
) -> tuple[_Disparities, _DisparityPlaces, bool]:
    """How far the values of groups lie apart in each stratum, and whether one is negative."""

def group_disparities(
    arrays: _Four,
    name: str,
    given: dict[str, Any] | None,
    strata: NDArray[uint32] | None,
    count: int,
    undefined: float,
    overall: _Four | None,
) -> tuple[_Reals, _Disparities, _DisparityPlaces, bool]:
    """The values of groups, `undefined` where there is none, and how far they lie apart in each of `count` strata."""

def disparity_intervals(
    arrays: _Four,
    squares: _Four | None,
    name: str,
    given: dict[str, Any] | None,
    kind: str,
    wanted: _Wanted,
    strata: NDArray[uint32] | None,
    count: int,
) -> list[_Interval]:
    """The interval of a disparity in each stratum."""

def disparity_levels(kind: str, groups: int, wanted: _Wanted) -> list[float]:
    """The levels of the intervals of groups: of a bound alone, and of bounds that all hold together."""

def disparity_of_intervals(
    name: str,
    kind: str,
    wanted: _Wanted,
    alone: tuple[_Reals, _Reals, _Reals],
    together: tuple[_Reals, _Reals, _Reals],
) -> list[float]:
    """Estimate and bounds of a disparity, from estimate, low and high of the groups at both levels."""

def pair_disparity(
    arrays: _Four,
    squares: _Four | None,
    name: str,
    given: dict[str, Any] | None,
    is_ratio: bool,
    places: list[int],
    wanted: _Wanted,
) -> _Interval:
    """The interval of the difference or the ratio of two groups."""

def worst_groups(
    arrays: _Four,
    squares: _Four | None,
    name: str,
    given: dict[str, Any] | None,
    k: int,
    level: float,
    adjust: str,
    min_rows: float,
    bad: str | None,
) -> tuple[NDArray[int64], list[_Reals], tuple[int, int, int, int], float]:
    """The groups with the most evidence against them.

    Their places; rows, value, value of the rest, bounds, p-value, adjusted p-value and shrunken value; how many groups
    were tested, are worse, have too few rows, have no value; the level of each interval.
    """

def impact_over_thresholds(
    groups: list[ScoreState],
) -> tuple[tuple[_Reals, _Reals, _Reals, _Reals, _Reals], tuple[NDArray[int64], NDArray[int64]]]:
    """Thresholds, ratio, difference, least and greatest selection rate of groups, and the groups that have them."""

def subgroup_areas(groups: list[ScoreState], whole: ScoreState) -> tuple[_Reals, _Reals, _Reals]:
    """Of each subgroup the area alone, of its negatives with other positives, of its positives with other negatives."""

def interval_matrix(
    state: ConfusionState, positive: int | None, names: list[str], wanted: _Wanted, given: dict[str, Any]
) -> list[_Interval]:
    """Estimate, bounds, standard error, method and why there is none, of a whole matrix or of the positive class."""

def interval_average(
    state: ConfusionState,
    average: str | Any,
    zero_division: float,
    names: list[str],
    wanted: _Wanted,
    given: dict[str, Any],
) -> list[_Interval]:
    """The same of averages over the classes."""

def interval_classes(state: ConfusionState, name: str, wanted: _Wanted, given: dict[str, Any]) -> list[_Interval]:
    """The same of each class."""

_Told = tuple[float, float, float, float, float, float, str | None]

@final
class PairedRowsState:
    """Rows of two classes that several models score."""

    @staticmethod
    def read(
        y_true: object,
        sample_weight: object | None,
        weight_kind: str,
        cluster: object | None,
        pos_label: object | None,
    ) -> PairedRowsState:
        """Read labels, weights and clusters."""

    def place(self, y_score: object, policy: str) -> PlacementsState:
        """The placements of a column of scores."""

    def areas(self, models: list[PlacementsState]) -> AreasState:
        """The areas of models, and how they vary together."""

    @property
    def classes(self) -> list[int]:
        """The number of positive and of negative rows."""

    @property
    def clusters(self) -> int | None:
        """The number of clusters, if there are any."""

    def pos_label(self) -> Any:
        """The positive label, if one is known."""

@final
class PlacementsState:
    """The placements of one model."""

@final
class AreasState:
    """Areas under the ROC curve, and how they vary together; the state of `rocksteady.inference.ComparedScores`."""

    @staticmethod
    def of(areas: list[float], variances: list[float], sizes: list[float], why: str | None) -> AreasState:
        """What `parts` gave."""

    def parts(self) -> tuple[list[float], list[float], list[float], str | None]:
        """Areas, variances of areas and of differences, sizes of the classes, and why there are none."""

    def covariance(self) -> tuple[_Reals, _Reals]:
        """The areas and their covariance."""

    def interval(self, model: int, level: float, method: str) -> _Told:
        """The interval of one area."""

    def difference(self, a: int, b: int, level: float) -> _Told:
        """The difference of two areas."""

    def non_inferior(self, a: int, b: int, margin: float) -> tuple[float, float]:
        """Statistic and one-sided p-value of the test that one is worse than another by a margin."""

    def equal(self) -> tuple[float, int, float] | None:
        """Statistic, degrees of freedom and p-value of the test that all are equal."""

@final
class CodesState:
    """The class of each row as a number."""

    @staticmethod
    def of_labels(column: object, labels: object) -> CodesState:
        """Of labels among ascending classes."""

    @staticmethod
    def of_scores(column: object, threshold: object, codes: tuple[int, int], policy: str) -> CodesState:
        """Of scores, below a threshold and at or above it."""

def count_pairs(
    actual: CodesState,
    models: tuple[CodesState, CodesState],
    classes: int,
    sample_weight: object | None,
    with_squares: bool,
) -> tuple[ConfusionState, ConfusionState | None]:
    """The table of pairs of two models, and that of the squares of the weights."""

def pair_cells(table: ConfusionState, classes: int) -> tuple[_Places, _Places, _Places, _Reals]:
    """The places of the classes of each cell of a table of pairs, and the amounts."""

def pair_difference(
    table: ConfusionState,
    squares: ConfusionState | None,
    classes: int,
    name: str,
    positive: int | None,
    given: dict[str, Any],
    level: float,
) -> _Told:
    """The difference of an index between the two models of a table of pairs."""

def pair_agreement(table: ConfusionState, classes: int) -> list[float]:
    """The rows that both models have right, only the first, only the second, and neither."""

def mcnemar_test(first: float, second: float, method: str) -> tuple[float, float]:
    """Statistic and p-value of McNemar's test."""

def cochran_test(right: list[float], both: list[float]) -> tuple[float, int, float]:
    """Statistic, degrees of freedom and p-value of Cochran's test."""

def adjusted_p_values(p_values: list[float], adjust: str) -> list[float]:
    """P-values that are adjusted for their number."""

def proportion_difference(samples: list[_Reals], level: float, method: str) -> list[_Reals]:
    """Estimate, bounds and standard error of the difference of each two proportions."""

def proportion_ratio(samples: list[_Reals], level: float, method: str) -> list[_Reals]:
    """The ratio of each two proportions: estimate, low, high, and the standard error of its logarithm."""

def paired_proportion_difference(counts: list[_Reals], level: float) -> list[_Reals]:
    """The same of proportions of the same rows."""

def independent_difference(
    estimates: tuple[float, float], errors: tuple[float, float], rows: tuple[float, float] | None, level: float
) -> tuple[_Told, float | None]:
    """The difference of two values of different rows, and the degrees of freedom."""

_NotedInterval = tuple[_Interval, str | None]
# Low, high, method, why there is none, whether there may be none, note.
_Widened = tuple[float, float, str, str | None, bool, str | None]

def interval_scores(state: ScoreState, names: list[str], wanted: _Wanted) -> list[_NotedInterval]:
    """The same of indices of a ranking, each with a note."""

def interval_of_box(
    given: _Box, names: Sequence[str], wanted: _Wanted, chosen: dict[str, Any] | None
) -> list[_Widened]:
    """Of each index the interval that contains those of all tables of a box."""

def interval_of_sketch(state: SketchState, names: Sequence[str], wanted: _Wanted) -> list[_Widened]:
    """Of each index of a ranking the interval that contains those of all tables that a sketch allows."""

def interval_probabilities(state: ProbabilityState, names: list[str], wanted: _Wanted) -> list[_NotedInterval]:
    """The same of indices of sums over probabilities."""

def interval_rankings(state: RankingsState, name: str, wanted: _Wanted) -> list[_NotedInterval]:
    """The same of an index of the ranking of each class against the rest, or of each label."""

def interval_score_tables(state: ScoreTablesState, names: list[str], wanted: _Wanted) -> list[_NotedInterval]:
    """The same of indices of the scores of all classes together."""

def influence(state: ScoreState, name: str) -> tuple[list[_Reals], _Answer]:
    """Distinct scores, the influence of a positive and of a negative row at each; the index, and why it is undefined."""

def interpret(name: str, values: _Reals, scale: str | None) -> list[str | None]:
    """The word for each value of an index on one of its scales."""

def exact_counts(arrays: _Four, name: str, given: dict[str, Any]) -> list[tuple[str, str]]:
    """An index of each table as a fraction: numerator and denominator in hexadecimal digits."""

def why_counts(arrays: _Four, name: str, given: dict[str, Any]) -> str | None:
    """Why an index is undefined for the first 2x2 table where it is."""

_Counted = tuple[int, int, int, int, int]

def consistency_steps(
    first: _Reals, second: _Reals, lower: tuple[bool, bool], tolerance: tuple[float, float]
) -> tuple[NDArray[uint8], _Counted, int]:
    """Compare how two indices change from each evaluation to the next: see `rocksteady.comparison.consistency`.

    Parameters
    ----------
    first, second : float64 arrays of shape (n,)
        The values of the indices; NaN where undefined.
    lower : for each index, whether lower is better
    tolerance : for each index, the largest difference of values that count as equal

    Returns
    -------
    The types of the n - 1 steps, 0 where an index is undefined; the numbers of the kinds R, P, Q, S and neither; the
    number of undefined steps.

    Raises
    ------
    InputError
        If the arrays differ in length, or a tolerance is negative or not finite.
    """

def consistency_pairs(
    first: _Reals,
    second: _Reals,
    multiplicity: NDArray[uint64] | None,
    lower: tuple[bool, bool],
    tolerance: tuple[float, float],
) -> tuple[_Counted, int]:
    """Compare two indices on all pairs of evaluations, each of which counts `multiplicity` times.

    The other parameters and errors are those of `consistency_steps`.

    Returns
    -------
    The numbers of pairs of the kinds R, P, Q, S and neither; the number of undefined evaluations.
    """

def enumerate_matrices(class_sizes: list[int], outcomes: bool) -> tuple[NDArray[uint64], NDArray[uint64] | None]:
    """All confusion matrices with these class sizes, shape (n, K, K); with `outcomes` the multiplicity of each."""

def enumerate_rankings(positives: int, negatives: int) -> NDArray[uint8]:
    """All rankings of positives (1) and negatives (0), the highest rank first, shape (n, rows)."""

def evaluate_matrices(stack: NDArray[uint64] | _Reals, name: str, given: Mapping[str, object]) -> _Reals:
    """An index of each matrix of a stack of shape (n, K, K). With two classes, the second is positive."""

def evaluate_rankings(rankings: NDArray[uint8], cut: int, name: str, given: Mapping[str, object]) -> _Reals:
    """An index of each ranking: over all thresholds, or from counts with the first `cut` rows predicted positive."""

_Points = tuple[_Reals, _Reals, _Reals]
_Columns = tuple[_Reals, _Reals, _Reals, NDArray[bool_]]

def roc_auc(
    y_true: object, y_score: object, sample_weight: object | None, max_fpr: float | None
) -> tuple[float, float, float, int] | None:
    """The area under the ROC curve up to a false positive rate, the positives, the negatives, the classes seen.

    None for labels that scikit-learn refuses: bytes, and objects other than text. Also None if no row has weight.
    """

def average_precision(
    y_true: object, y_score: object, pos_label: object, sample_weight: object | None
) -> tuple[float, float] | None:
    """Average precision, the positives; None as in `roc_auc`."""

def ks(
    y_true: object, y_score: object, pos_label: object | None, sample_weight: object | None, policy: str, infinite: str
) -> tuple[float, float, int]:
    """Value, threshold and sign of the Kolmogorov–Smirnov statistic of rows; NaN, NaN and 0 if a class is absent."""

def class_areas(
    y_true: object,
    y_score: object,
    labels: object | None,
    sample_weight: object | None,
    max_fpr: float | None,
    pooled: bool,
    sums: bool,
) -> _Columns | None:
    """Per class against the rest, or of all pooled: area, positives, negatives, whether there are rows of both.

    None as in `roc_auc`. Average precision with `max_fpr` None. With `sums` rows of scores must add up to 1.
    """

def pair_areas(y_true: object, y_score: object, labels: object | None, sums: bool) -> tuple[_Reals, _Reals] | None:
    """Of each pair of classes that occur: the mean area of both columns, the rows of both; None as in `roc_auc`."""

def label_areas(
    y_true: object, y_score: object, sample_weight: object | None, max_fpr: float | None, pooled: bool
) -> _Columns:
    """As `class_areas`, for each label of an indicator matrix of 0 and 1, or all labels pooled."""

def roc_curve(
    y_true: object, y_score: object, pos_label: object | None, sample_weight: object | None, drop_intermediate: bool
) -> tuple[_Points, tuple[float, float]] | None:
    """False and true positive rates and thresholds; positives and negatives.

    None as in `roc_auc`. Without `pos_label` also for labels other than {0, 1} or {-1, 1}.
    """

def precision_recall_curve(
    y_true: object, y_score: object, pos_label: object | None, sample_weight: object | None, drop_intermediate: bool
) -> tuple[tuple[_Reals, _Reals, NDArray[Any]], float] | None:
    """Precision, recall and thresholds, in the type of the scores; positives; None as in `roc_curve`."""

def det_curve(
    y_true: object, y_score: object, pos_label: object | None, sample_weight: object | None, drop_intermediate: bool
) -> tuple[_Points, tuple[float, float], bool] | None:
    """False positive and false negative rates, thresholds; positives and negatives; whether there are rows of both.

    None as in `roc_curve`.
    """

def threshold_counts(
    y_true: object, y_score: object, pos_label: object | None, sample_weight: object | None
) -> tuple[_Reals, _Reals, _Reals, _Reals, NDArray[Any]] | None:
    """tn, fp, fn, tp at every distinct score, high to low, and these scores in their own type.

    None as in `roc_curve`.
    """

def index_at_thresholds(
    y_true: object, y_score: object, sample_weight: object | None, name: str, given: dict[str, Any], turned: bool
) -> tuple[_Reals, NDArray[Any], list[int]] | None:
    """An index at each distinct score, high to low; these scores in their own dtype; positions where it is undefined.

    None unless the labels are 0 and 1 and both occur. With `turned` 0 is the positive label.
    """

@final
class SignedTotalsState:
    """Positives and negatives at or above every score, for weights of either sign; read like the functions above."""

    @staticmethod
    def sweep(y_true: object, y_score: object, sample_weight: object) -> SignedTotalsState:
        """Add up columns of which the rows of label 1 are positive."""

    def roc_curve(self, drop_intermediate: bool) -> tuple[_Points, tuple[float, float]]:
        """False and true positive rates and thresholds; positives and negatives."""

    def precision_recall_curve(self, drop_intermediate: bool) -> tuple[tuple[_Reals, _Reals, NDArray[Any]], float]:
        """Precision, recall and thresholds, in the type of the scores; positives."""

    def det_curve(self, drop_intermediate: bool) -> tuple[_Points, tuple[float, float]]:
        """False positive rates, false negative rates and thresholds; positives and negatives."""

    def threshold_counts(self) -> tuple[_Reals, _Reals, _Reals, _Reals, NDArray[Any]]:
        """tn, fp, fn, tp at every distinct score, high to low, and these scores in their own type."""

    def average_precision(self) -> tuple[float, float]:
        """Average precision, not below 0; positives."""

def listwise_mean(
    name: str,
    y_true: object,
    y_score: object,
    sample_weight: object | None,
    first: int | None,
    base: float,
    ignore_ties: bool,
) -> float:
    """Mean over rows of "coverage", "average_precision", "loss", "gain", "normalized_gain" or "roc_area"."""

def listwise_each(
    name: str, y_true: object, y_score: object, first: int | None, base: float, ignore_ties: bool
) -> _Reals:
    """As `listwise_mean`, but the value of each row."""

@final
class TablesState:
    """A list of 2x2 tables: of classes against the rest, of labels, of rows."""

    def __len__(self) -> int:
        """The number of tables."""

    @property
    def absent(self) -> bool:
        """Whether one of the tables belongs to a label that does not occur."""

    def scores(
        self, names: tuple[str, ...], average: str | None, zero_division: float, beta: float
    ) -> tuple[tuple[Any, ...], int]:
        """Values of several indices, for each table or averaged; and a bit mask of those undefined for some table.

        Parameters
        ----------
        names : names of indices of a 2x2 table
        average : None for arrays; "binary" or "macro", "micro", "weighted" (by actual positives), "samples" (by shares)
        zero_division : the value of an undefined index; means leave out NaN
        beta : the parameter of "fbeta"
        """

    def support(self) -> NDArray[Any]:
        """The actual positives of each table: int64, or float64 if the weights are floats."""

    def to_array(self) -> NDArray[Any]:
        """The tables as an array of shape (n, 2, 2): tn, fp; fn, tp."""

@final
class IndicatorState:
    """The counts of two indicator matrices with one row per sample and one column per label."""

    @staticmethod
    def count(y_true: object, y_pred: object, labels: object | None, sample_weight: object | None) -> IndicatorState:
        """Count two matrices of zeros and ones, dense or CSR; with `labels` only these columns."""

    @staticmethod
    def count_signed(y_true: object, y_pred: object, labels: object | None, sample_weight: object) -> IndicatorState:
        """The same with weights of either sign."""

    @staticmethod
    def each_row(y_true: object, y_pred: object, labels: object | None, sample_weight: object | None) -> TablesState:
        """The table of each row, in order, multiplied by the row's weight."""

    @property
    def rows(self) -> int:
        """The number of rows."""

    @property
    def labels(self) -> int:
        """The number of labels."""

    @property
    def total(self) -> float:
        """The number or weight of the rows."""

    @staticmethod
    def count_squares(
        y_true: object, y_pred: object, sample_weight: object | None, weight_kind: str
    ) -> IndicatorState | None:
        """Count them once more with the squares of sampling weights; None for other weights."""

    def by_label(self) -> TablesState:
        """The tables of the labels."""

    def by_row(self) -> TablesState:
        """The distinct tables of the rows, with their shares."""

    def rows_right(self) -> tuple[float, float, float]:
        """Share and weight of the rows with all labels correct, and share of the other rows."""

    def cells_right(self) -> tuple[float, float, float]:
        """Share and weight of the correct cells, and share of the other cells."""

def positions(y_true: object, y_pred: object, label: object) -> list[NDArray[int64]]:
    """The positions of the rows tp, fp, fn, tn of a class."""

@final
class Readings:
    """A list of statistics: each is a row of the registry, and how to compute it from a matrix."""

    def __new__(cls, asked: list[tuple[str, str, str, dict[str, float], str | None]], level: float) -> Readings: ...
    def of(self, state: ConfusionState) -> dict[str, Any]:
        """The statistics of a matrix by name: floats, pairs, words or None; those of classes are arrays or lists."""

@final
class ConfusionState:
    """A confusion matrix with its margins; the state of `rocksteady.ConfusionMatrix`."""

    @staticmethod
    def count(
        y_true: object,
        y_pred: object,
        labels: object | None,
        sample_weight: object | None,
        policy: str,
        strict: bool,
        weight_kind: str,
    ) -> ConfusionState:
        """Count two columns of labels."""

    @staticmethod
    def from_counts(counts: NDArray[Any], labels: object | None) -> ConfusionState:
        """Make a matrix from dense cells, as counts (uint64, int64) or weights (float64)."""

    @staticmethod
    def from_bytes(data: bytes) -> ConfusionState:
        """Read the matrix that `to_bytes` wrote."""

    @staticmethod
    def from_cells(
        actual: NDArray[uint32], predicted: NDArray[uint32], amounts: NDArray[Any], labels: object
    ) -> ConfusionState:
        """Make a matrix from class numbers and cells: counts (uint64) or weights (float64)."""

    @staticmethod
    def from_sampling(weights: list[float], squares: list[float], labels: object) -> ConfusionState:
        """Make a matrix of two classes from sums of sampling weights and of their squares, row by row."""

    def relabelled(self, labels: object) -> ConfusionState:
        """The matrix with other labels for its classes."""

    def mapped(self, labels: object, classes: NDArray[int64]) -> ConfusionState:
        """The matrix with classes merged, reordered or left out: `classes` is the new number of each class, or -1."""

    def transposed(self) -> ConfusionState:
        """The matrix with actual and predicted classes exchanged."""

    def cells(self) -> tuple[NDArray[int64], NDArray[int64], NDArray[Any]]:
        """The nonzero cells: numbers of the actual and the predicted class, and counts or weights."""

    @property
    def occupied(self) -> int:
        """The number of nonzero cells."""

    def actual(self) -> _Reals:
        """The sum of the cells of each actual class."""

    def dissimilarity(self) -> _Reals:
        """The dissimilarity of the rows of each pair of classes."""

    def positive(self, pos_label: object | None) -> int | None:
        """The number of the positive class, if there are two classes."""

    def with_class(self, pos_label: object) -> ConfusionState:
        """The same matrix; if its only class is another one, with `pos_label` as second class."""

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
    def weight_kind(self) -> _WeightKind:
        """What the weights mean."""

    @property
    def absent(self) -> bool:
        """Whether a class has no rows."""

    @property
    def plain(self) -> bool:
        """Whether scikit-learn counts such labels (no bytes, no objects but text) and some row has weight."""

    @property
    def mixed(self) -> bool:
        """Whether the labels of the two columns were of different kinds, for example integers and floats."""

    def tables(self, labels: object | None = None) -> TablesState:
        """The 2x2 tables of classes against the rest: of all classes, or of those listed; repeats are kept."""

    def to_array(self) -> NDArray[Any]:
        """The dense matrix."""

    def normalized(self, by: str) -> _Reals:
        """The dense matrix divided by row sums ("true"), column sums ("pred") or the total ("all")."""

    def one_vs_rest(self) -> list[_Reals]:
        """tp, fp, fn, tn of each class against the rest."""

    def one_vs_rest_squares(self) -> list[_Reals] | None:
        """The same of the squares of sampling weights, if they are such."""

    def value(self, name: str, positive: int | None, given: dict[str, Any] | None = None) -> _Answer:
        """An index of the whole matrix or of the positive class, and why it is undefined."""

    def exact(self, name: str, positive: int | None, given: dict[str, Any] | None = None) -> tuple[str, str]:
        """The `value` of an index as a fraction: numerator and denominator in hexadecimal digits."""

    def values(self, names: list[str], positive: int | None) -> tuple[_Reals, list[str | None]]:
        """The `value` of many indices with default parameters, and why each is undefined."""

    def class_values(self, names: list[str]) -> _Reals:
        """Many indices of all classes: one row per index, one column per class."""

    def averages(self, names: list[str]) -> list[_Reals]:
        """The macro averages of many indices, and their averages weighted by the actual rows."""

    def per_class(self, name: str, given: dict[str, Any] | None = None) -> _Reals:
        """An index of each class against the rest."""

    def average(self, name: str, average: object, zero_division: float, given: dict[str, Any] | None = None) -> _Answer:
        """An index averaged over the classes."""

    def merged(self, other: ConfusionState) -> ConfusionState:
        """The matrix of the rows of both."""

    def subtracted(self, other: ConfusionState) -> ConfusionState:
        """The matrix of the rows here that are not those of the other."""

    def without_empty_classes(self) -> ConfusionState:
        """The matrix without classes that no row has."""

    def less(self, other: ConfusionState) -> ConfusionState:
        """The difference to a matrix of the same classes; only the cells of the result can be read."""

    def same(self, other: ConfusionState) -> bool:
        """Whether labels and cells are the same."""

    def to_bytes(self) -> bytes:
        """The state as bytes."""

@final
class CostState:
    """A cost table; the state of `rocksteady.CostTable` and `rocksteady.CostCounts`."""

    @staticmethod
    def sweep(
        y_true: object,
        y_score: object,
        costs: list[Any],
        pos_label: object | None,
        sample_weight: object | None,
        policy: str,
        infinite: str,
    ) -> CostState:
        """Sort the scores of two classes into a table, with the costs of tp, fp, fn and tn."""

    @staticmethod
    def count(
        y_true: object, y_pred: object, costs: list[Any], pos_label: object | None, sample_weight: object | None
    ) -> CostState:
        """Count predicted labels, with costs."""

    @staticmethod
    def from_bytes(data: bytes) -> CostState:
        """Read the table that `to_bytes` wrote."""

    def __len__(self) -> int: ...
    def labels(self) -> tuple[Any, Any]:
        """The negative and the positive label."""

    @property
    def rows(self) -> int:
        """The number of rows counted."""

    @property
    def totals(self) -> tuple[float, float]:
        """The number or weight of positives and of negatives."""

    @property
    def constant(self) -> tuple[float, float]:
        """What it costs to predict all rows positive, and none."""

    def ranking(self) -> ScoreState:
        """The table without its costs."""

    def costs(self) -> list[float | None]:
        """What tp, fp, fn and tn cost; None for amounts by row."""

    def thresholds(self) -> _Reals:
        """Infinity, and the distinct scores from high to low."""

    def counts(self) -> list[_Reals]:
        """tp, fp, fn, tn at each threshold."""

    def every(self, name: str) -> _Reals:
        """An index of costs at each threshold."""

    def at(self, threshold: float, side: str) -> CostState:
        """The table of the decisions at one threshold."""

    def cheapest(self, every: bool) -> tuple[list[tuple[float, float, tuple[float, float, float, float]]], int]:
        """Cost, threshold and counts of the cheapest thresholds, and how many there are."""

    def decided_counts(self) -> tuple[float, float, float, float]:
        """tp, fp, fn, tn of decisions."""

    def decided_costs(self) -> list[float]:
        """What the rows of each outcome cost in decisions."""

    def value(self, name: str) -> _Answer:
        """An index of costs of decisions, and why it is undefined."""

    def exact(self, name: str) -> tuple[str, str]:
        """The same as a fraction: numerator and denominator in hexadecimal digits."""

    def merged(self, other: CostState) -> CostState:
        """The table of the rows of both."""

    def subtracted(self, other: CostState) -> CostState:
        """The table of the rows here that are not those of the other."""

    def to_bytes(self) -> bytes:
        """The state as bytes."""

@final
class ScoreState:
    """A score table; the state of `rocksteady.ScoreTable`."""

    @staticmethod
    def sweep(
        y_true: object,
        y_score: object,
        pos_label: object | None,
        sample_weight: object | None,
        policy: str,
        infinite: str,
        weight_kind: str,
    ) -> ScoreState:
        """Sort the scores of two classes into a table."""

    @staticmethod
    def from_counts(
        scores: object,
        positives: NDArray[Any],
        negatives: NDArray[Any],
        labels: object,
        pos_label: object | None,
        weighted: bool | None,
        policy: str,
        infinite: str,
    ) -> ScoreState:
        """Make a table of scores that were counted elsewhere: a column of counts or weights for each class."""

    @staticmethod
    def from_bytes(data: bytes) -> ScoreState:
        """Read the table that `to_bytes` wrote."""

    def __len__(self) -> int: ...
    def labels(self) -> tuple[Any, Any]:
        """The negative and the positive label."""

    @property
    def rows(self) -> int:
        """The number of rows counted."""

    @property
    def weight_kind(self) -> _WeightKind:
        """What the weights mean."""

    @property
    def totals(self) -> tuple[float, float]:
        """The number or weight of positives and of negatives."""

    def thresholds(self) -> _Reals:
        """Infinity, and the distinct scores from high to low."""

    def counts(self) -> list[_Reals]:
        """tp, fp, fn, tn at each threshold."""

    def counts_of_squares(self) -> list[_Reals] | None:
        """The same of the squares of sampling weights, if they are such."""

    def at(self, threshold: float, side: str) -> tuple[float, float, float, float]:
        """tp, fp, fn, tn at one threshold."""

    def every(self, names: list[str], given: dict[str, Any]) -> list[_Reals]:
        """Indices at each threshold: one array per name, all with the same parameters."""

    @property
    def are_probabilities(self) -> bool:
        """Whether all scores lie in [0, 1]."""

    def value(self, name: str, given: dict[str, Any]) -> _Answer:
        """An index of the whole ranking, and why it is undefined."""

    def exact(self, name: str, given: dict[str, Any]) -> tuple[str, str]:
        """An index of the whole ranking as a fraction: numerator and denominator in hexadecimal digits."""

    def exact_thresholds(self) -> list[float] | None:
        """The thresholds as Python's numbers, where float64 does not hold all of them."""

    def ks(self) -> tuple[float, float, int]:
        """Value, threshold and sign of the Kolmogorov–Smirnov statistic."""

    def average_precision(self, pos_label: object) -> tuple[float, float]:
        """The weight of the rows with a label, and the average precision with this label as positive."""

    def merged(self, other: ScoreState) -> ScoreState:
        """The table of the rows of both."""

    @staticmethod
    def pooled(parts: list[ScoreState]) -> ScoreState | None:
        """The table of the rows of all; None where it is better made by adding pairs."""

    def subtracted(self, other: ScoreState) -> ScoreState:
        """The table of the rows here that are not those of the other."""

    def to_bytes(self) -> bytes:
        """The state as bytes."""

def score_values(state: ScoreState, names: list[str]) -> list[tuple[float, str | None]]:
    """Indices of a whole ranking with default parameters, and why each is undefined."""

@disjoint_base
class RankingsState:
    """A ranking for each class or label; `rocksteady.ScoreTables` and `rocksteady.LabelScoreTables` present it."""

    def labels(self) -> NDArray[Any]:
        """The labels, in the order of the columns."""

    @property
    def weight_kind(self) -> _WeightKind:
        """What the weights mean."""

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
    def sweep(
        y_true: object, y_proba: object, labels: object | None, sample_weight: object | None, weight_kind: str
    ) -> ScoreTablesState:
        """Rank the rows of each class in each column."""

    @staticmethod
    def from_bytes(data: bytes) -> ScoreTablesState:
        """Read the statistic that `to_bytes` wrote."""

    def top_label(self) -> ScoreState | None:
        """The table of the highest score of each row against whether its class came true; None if it was not kept."""

    def one_vs_one(self, label: object, other: object) -> ScoreState:
        """The table of the rows of one class against those of another, by the column of the first."""

    def value(self, name: str, given: dict[str, Any]) -> _Answer:
        """An index of all classes, and why it is undefined."""

    def prepare(self) -> None:
        """Find once, for each class against the rest, what any index of a ranking needs, and keep it."""

    def merged(self, other: ScoreTablesState) -> ScoreTablesState:
        """The statistic of the rows of both."""

    def subtracted(self, other: ScoreTablesState) -> ScoreTablesState:
        """The statistic of the rows here that are not those of the other."""

@final
class LabelScoreTablesState(RankingsState):
    """A ranking for each label; `rocksteady.LabelScoreTables` presents it."""

    @staticmethod
    def sweep(
        y_true: object, y_score: object, labels: object | None, sample_weight: object | None, weight_kind: str
    ) -> LabelScoreTablesState:
        """Rank the rows of each label by its column."""

    @staticmethod
    def from_bytes(data: bytes) -> LabelScoreTablesState:
        """Read the statistic that `to_bytes` wrote."""

    def merged(self, other: LabelScoreTablesState) -> LabelScoreTablesState:
        """The statistic of the rows of both."""

    def subtracted(self, other: LabelScoreTablesState) -> LabelScoreTablesState:
        """The statistic of the rows here that are not those of the other."""

def gains(
    state: ScoreState, bands: int, edges: list[float] | None, ascending: bool, smoothing: float
) -> tuple[list[_Reals], tuple[float, float, int]]:
    """The columns of a gains table in the order of `rocksteady.results.GainsTable`, and its single values."""

def profit(
    state: ScoreState,
    bands: int,
    edges: list[float] | None,
    ascending: bool,
    benefit: float,
    cost: float,
    fixed_cost: float,
) -> tuple[list[_Reals], int]:
    """The columns of a profit table in the order of `rocksteady.results.ProfitTable`, and the best number of bands."""

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
    """Edges, whether the last bin is for missing scores, sizes, shares and contributions of the bins, and distances."""

def stability_of_tables(
    expected: ScoreState, actual: ScoreState, bins: int, strategy: str, edges: list[float] | None, epsilon: float
) -> tuple[_Reals, bool, list[_Reals], _Distances]:
    """As `stability_of_columns`, for two score tables with both classes pooled."""

def stability_of_labels(
    expected: object, actual: object, epsilon: float, expected_weight: object | None, actual_weight: object | None
) -> tuple[NDArray[Any], list[_Reals], _Distances]:
    """Labels, their sizes, shares and contributions, and distances."""

def bayes_decision(y_proba: object, costs: object, reject_cost: float | None) -> NDArray[int64]:
    """The class of least risk for each row; -1 where the least risk is above `reject_cost`."""

def bayes_risk(y_proba: object, costs: object) -> _Reals:
    """The risk of each prediction for each row."""

def optimal_threshold(costs: object) -> float:
    """The probability above which the second class is the cheaper prediction."""

@final
class CollectorState:
    """A collector of scores; the state of `rocksteady.ScoreCollector`."""

    def __new__(cls, pos_label: object | None, policy: str, infinite: str, weight_kind: str) -> CollectorState: ...
    @property
    def weight_kind(self) -> _WeightKind:
        """What the weights mean."""

    @property
    def rows(self) -> int:
        """The number of rows collected."""

    def so_far(self) -> tuple[Any, int, bool | None]:
        """The positive label so far, the number of positive rows, and whether rows have weights."""

    def update(self, y_true: object, y_score: object, sample_weight: object | None) -> None:
        """Collect one batch."""

    def labels(self) -> list[Any]:
        """The labels seen."""

    def table(self, pos_label: object | None) -> ScoreState:
        """The table of all rows collected; with a label, that one is positive."""

def score_anchors(table: ScoreState) -> ScoreState:
    """The distinct scores of the positive rows of a table."""

@final
class AnchoredState:
    """Counts around the scores of a class; the state of `rocksteady.AnchoredCounts`."""

    @staticmethod
    def count(
        anchors: ScoreState,
        y_true: object,
        y_score: object,
        sample_weight: object | None,
        policy: str,
        infinite: str,
    ) -> AnchoredState:
        """Count the rows of columns around anchors."""

    def labels(self) -> tuple[Any, Any]:
        """The negative and the positive label; None for one that no row has."""

    @property
    def rows(self) -> int:
        """The number of rows counted."""

    @property
    def totals(self) -> tuple[float, float]:
        """The number, or weight, of positives and of negatives."""

    @property
    def anchors(self) -> int:
        """How many scores the counts are anchored at."""

    @property
    def missing(self) -> int | None:
        """How many positive rows have not been met; None for weights."""

    def value(self, name: str, given: dict[str, object]) -> tuple[float, str | None]:
        """An index of the ranking, and why it is undefined."""

    @staticmethod
    def names() -> list[str]:
        """The names of the indices that `value` answers."""

    def merged(self, other: AnchoredState) -> AnchoredState:
        """The counts of the rows of both."""

    def to_bytes(self) -> bytes:
        """The counts as bytes."""

    @staticmethod
    def from_bytes(data: object) -> AnchoredState:
        """The counts from their bytes."""

@final
class SpillingState:
    """A collector of scores within a given memory; the state of `rocksteady.ScoreCollector`."""

    def __new__(
        cls,
        pos_label: object | None,
        policy: str,
        infinite: str,
        weight_kind: str,
        memory: int,
        directory: str | os.PathLike[str] | None,
    ) -> SpillingState: ...
    @property
    def weight_kind(self) -> _WeightKind:
        """What the weights mean."""

    @property
    def rows(self) -> int:
        """The number of rows collected."""

    @property
    def spilled(self) -> int:
        """The number of rows in the temporary file."""

    def so_far(self) -> tuple[Any, int, bool | None]:
        """The positive label so far, the number of positive rows, and whether rows have weights."""

    def update(self, y_true: object, y_score: object, sample_weight: object | None) -> None:
        """Collect one batch."""

    def labels(self) -> list[Any]:
        """The labels seen."""

    def table(self, pos_label: object | None) -> ScoreState:
        """The table of all rows collected, if none has spilled; with a label, that one is positive."""

    def view(self, pos_label: object | None) -> SpilledState:
        """What is known of all rows collected; with a label, that one is positive."""

@final
class SpilledState:
    """What is known of rows beyond memory; the state of `rocksteady.results.ScoreView`."""

    def labels(self) -> tuple[Any, Any]:
        """The negative and the positive label; None for one that no row has and that was not named."""

    @property
    def rows(self) -> int:
        """The number of rows counted."""

    @property
    def totals(self) -> tuple[float, float]:
        """The number, or weight, of positives and of negatives."""

    @property
    def is_weighted(self) -> bool:
        """Whether rows have weights."""

    @property
    def are_probabilities(self) -> bool:
        """Whether all scores lie in [0, 1]."""

    def distinct(self) -> int:
        """The number of distinct scores."""

    def value(self, name: str, given: dict[str, object]) -> tuple[float, str | None]:
        """An index of the whole ranking, and why it is undefined."""

    def names(self) -> list[str]:
        """The names of the indices that `value` answers."""

    def ks(self) -> tuple[float, float, int]:
        """Value, threshold and sign of the Kolmogorov-Smirnov statistic."""

    def counts(self, thresholds: NDArray[Any], side: str) -> list[tuple[float, float, float, float]]:
        """The four counts at each of some thresholds."""

@final
class SketchState:
    """A sketch of scores; the state of `rocksteady.ScoreSketch`."""

    @staticmethod
    def sweep(
        y_true: object,
        y_score: object,
        pos_label: object | None,
        labels: object | None,
        sample_weight: object | None,
        cells: int,
        thresholds: list[float],
        policy: str,
        infinite: str,
    ) -> SketchState:
        """The sketch of columns."""

    @staticmethod
    def from_counts(
        least: object,
        greatest: object,
        positives: NDArray[Any],
        negatives: NDArray[Any],
        pos_label: object | None,
        labels: object | None,
        cells: int,
        thresholds: list[float],
        policy: str,
        infinite: str,
    ) -> SketchState:
        """The sketch of groups of rows that were counted elsewhere."""

    def labels(self) -> tuple[Any, Any]:
        """The negative and the positive label."""

    @property
    def rows(self) -> int:
        """The number of rows."""

    @property
    def totals(self) -> tuple[float, float]:
        """The number of positives and of negatives."""

    @property
    def budget(self) -> int | None:
        """The most cells; None without rows."""

    @property
    def level(self) -> int:
        """How coarse the cells are."""

    @property
    def is_weighted(self) -> bool:
        """Whether the rows have weights."""

    @property
    def is_exact(self) -> bool:
        """Whether every cell has rows of one score only."""

    def __len__(self) -> int: ...
    def thresholds(self) -> list[float]:
        """The thresholds whose counts are exact, ascending."""

    def least_scores(self) -> NDArray[float64]:
        """The least score that each cell can hold, from the highest cell down."""

    def table(self) -> ScoreState | None:
        """The score table, if every cell has rows of one score only."""

    def at(
        self, threshold: float, side: str
    ) -> tuple[tuple[float, float, float, float], tuple[float, float, float, float]]:
        """tp, fp, fn, tn with the fewest and with the most rows predicted positive."""

    def bounds(self, name: str, given: dict[str, object]) -> tuple[float, float, float | None, str | None]:
        """Bounds of an index, its value where it is known, and why it is undefined or not bounded."""

    def merged(self, other: SketchState) -> SketchState:
        """The sketch of the rows of both."""

    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(data: bytes) -> SketchState: ...

@final
class SketchCollectorState:
    """A collector of a sketch; the state of `rocksteady.SketchCollector`."""

    def __new__(
        cls,
        pos_label: object | None,
        labels: object | None,
        cells: int,
        thresholds: list[float],
        policy: str,
        infinite: str,
    ) -> SketchCollectorState: ...
    @property
    def rows(self) -> int:
        """The number of rows counted."""

    def update(self, y_true: object, y_score: object, sample_weight: object | None, positive: object | None) -> None:
        """Count one batch; its type may say which label is positive."""

    def labels(self) -> list[Any]:
        """The labels seen."""

    def sketch(self, pos_label: object | None) -> SketchState:
        """The sketch of all rows counted; with a label, that one is positive."""

@final
class ClassProbabilityState:
    """Losses of class probabilities; a single column is for two classes."""

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
        """Add up the losses of all rows and, with `with_classes`, the weight of each class.

        For "brier" a single column belongs to `pos_label`, or to the label that scikit-learn infers if it is None.
        Otherwise the columns belong to `labels` in ascending order, or to the labels found.
        """

    @property
    def weight(self) -> float:
        """The total weight of the rows."""

    @property
    def rows(self) -> int:
        """The number of rows."""

    @property
    def columns(self) -> int:
        """The number of columns of the probabilities."""

    @property
    def sums_to_one(self) -> bool:
        """Whether the probabilities of each row add up to about 1."""

    @property
    def text(self) -> bool:
        """Whether the labels are text."""

    @property
    def total_log_loss(self) -> float:
        """The sum of the logarithmic losses."""

    def value(self, name: str, halved: bool) -> float:
        """An index of the probabilities; with `halved` the squared errors count half."""

    def saved(self, wanted: Literal["log_loss", "brier"]) -> float:
        """The skill score: 1 - loss / loss of predicting the class frequencies; needs `with_classes`."""

def top_k(
    y_true: object, y_score: object, k: int, labels: object | None, sample_weight: object | None
) -> tuple[float, float, int, bool]:
    """Weight of rows with the class among the k first, weight of all rows, number of classes, whether they are text."""

def hinge(
    y_true: object, pred_decision: object, labels: object | None, sample_weight: object | None
) -> tuple[float, float, bool]:
    """Weighted sum of the hinge losses, weight of all rows, and whether the labels are text."""

def calibration_bins(
    y_true: object, y_prob: object, pos_label: object | None, bins: int, strategy: Literal["uniform", "quantile"]
) -> tuple[_Reals, _Reals, bool]:
    """Share of positives and mean probability of each bin, and whether the labels are text."""

def calibration_curve_of(state: ScoreState, bins: int, strategy: str, level: float) -> tuple[list[_Reals], int]:
    """For each bin with rows: edges, mean score, rate, weight and bounds of the rate. And the number of empty bins."""

def decomposition(state: ScoreState, rule: str) -> tuple[float, float, float, float]:
    """Mean score by a scoring rule, and its miscalibration, discrimination and uncertainty."""

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
    """Calibration error of rows."""

def top_label(
    y_true: object, y_score: object, labels: object | None, sample_weight: object | None, weight_kind: str
) -> ScoreState:
    """The table of each row's highest probability, and whether that class is the actual one."""

@final
class RowMeanState:
    """The mean of a number that each row has; the state of `rocksteady.RowMean`."""

    @staticmethod
    def of_classes(
        measure: str,
        y_true: object,
        y_score: object,
        labels: object,
        places: int | None,
        sample_weight: object | None,
    ) -> RowMeanState:
        """Of rows with a class each, and scores of the classes."""

    @staticmethod
    def of_labels(
        measure: str,
        y_true: object,
        y_score: object,
        places: int | None,
        ignore_ties: bool,
        sample_weight: object | None,
    ) -> RowMeanState:
        """Of rows with a relevance and a score for each label."""

    @staticmethod
    def from_bytes(data: bytes) -> RowMeanState:
        """Read the mean that `to_bytes` wrote."""

    @property
    def measure(self) -> str:
        """The name of the measure."""

    @property
    def places(self) -> int | None:
        """The number of places that count."""

    @property
    def values(self) -> tuple[float, float, float]:
        """The weight of the rows, the sum of their values, and the mean."""

    def labels(self) -> NDArray[Any]:
        """The classes or labels of the columns."""

    def merged(self, other: RowMeanState) -> RowMeanState:
        """The mean of the rows of both."""

    def to_bytes(self) -> bytes:
        """Write the state, for `from_bytes`."""

@final
class ProbabilityState:
    """Sums over two-class probabilities; the state of `rocksteady.ProbabilitySums`."""

    @staticmethod
    def sum(
        y_true: object,
        y_score: object,
        pos_label: object | None,
        sample_weight: object | None,
        weight_kind: str,
        keeps_squares: bool,
    ) -> ProbabilityState:
        """Add up the terms of all rows."""

    @staticmethod
    def from_bytes(data: bytes) -> ProbabilityState:
        """Read the sums that `to_bytes` wrote."""

    def labels(self) -> tuple[Any, Any]:
        """The negative and the positive label."""

    @property
    def rows(self) -> int:
        """The number of rows."""

    @property
    def weight_kind(self) -> _WeightKind:
        """What the weights mean."""

    @property
    def keeps_squares(self) -> bool:
        """Whether the squares of the losses are kept, for intervals."""

    def value(self, name: str, given: dict[str, Any]) -> _Answer:
        """An index of the probabilities, and why it is undefined."""

    def merged(self, other: ProbabilityState) -> ProbabilityState:
        """The sums of the rows of both."""

    def subtracted(self, other: ProbabilityState) -> ProbabilityState:
        """The sums of the rows here that are not those of the other."""

    def to_bytes(self) -> bytes:
        """The state as bytes."""

@final
class QueriesState:
    """Rankings by query; the state of `rocksteady.Queries`."""

    @staticmethod
    def rank(
        relevance: object,
        y_score: object,
        grouped: GroupedState,
        query_weight: object | None,
        document: object | None,
        ties: str,
        nan_policy: str,
    ) -> QueriesState:
        """Rank the rows of each query."""

    @staticmethod
    def from_bytes(data: bytes) -> QueriesState:
        """Read the queries that `to_bytes` wrote."""

    def __len__(self) -> int:
        """The number of queries."""

    @property
    def rows(self) -> int:
        """The number of rows."""

    @property
    def ties(self) -> str:
        """How ties are broken."""

    @property
    def weighted(self) -> bool:
        """Whether queries have weights."""

    def names(self) -> list[str]:
        """The names of the columns of keys."""

    def columns(self) -> list[tuple[str, Any]]:
        """The columns of keys: for each its kind and its values, a row for each query."""

    def sizes(self, min_relevance: float | None) -> tuple[_Places, _Places, _Reals]:
        """The numbers of rows and of relevant rows of each query, and what it weighs."""

    def value(self, name: str, given: dict[str, Any], empty: float | None) -> _Answer:
        """The mean of an index over queries, and why there is none."""

    def excluded(self, name: str, given: dict[str, Any]) -> list[tuple[str, int]]:
        """The reasons why queries have no value, each with the number of queries."""

    def each(self, name: str, given: dict[str, Any], empty: float | None) -> tuple[_Reals, list[tuple[int, str]]]:
        """The value of each query, and the places of those without one with the reason."""

    def interval(
        self, name: str, given: dict[str, Any], empty: float | None, level: float, method: str, side: str
    ) -> _Interval:
        """The interval of the mean: estimate, low, high, standard error, method, why there is none."""

    def subtracted(self, other: QueriesState) -> QueriesState:
        """The queries without the rows of another."""

    def merged(self, other: QueriesState) -> QueriesState:
        """The queries of both."""

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
    """Value, threshold and tp, fp, fn, tn where an index is best: at the lowest such threshold, or all, low to high."""

def target_threshold(state: ScoreState, name: str, limit: float, at_least: bool, then: str) -> _Optimum | None:
    """As `best_thresholds`, where one index is within a limit and another is best."""

def why_no_best(state: ScoreState, name: str, subject_to: str | None, given: dict[str, Any]) -> str | None:
    """Why there is no best threshold; None if there is one."""

def meeting_thresholds(state: ScoreState, condition: str) -> NDArray[bool_]:
    """Whether a condition is met at each threshold."""

def pareto_thresholds(
    state: ScoreState, wanted: list[tuple[str, bool, bool]]
) -> tuple[_Reals, list[_Reals], list[_Reals]]:
    """Thresholds, counts and values of indices on the Pareto front; `wanted` is name, maximize and minimize."""

def counts_of_table(state: ScoreState, given: NDArray[Any], side: str) -> list[_Reals]:
    """tp, fp, fn, tn at each threshold."""

def squares_of_table(state: ScoreState, given: NDArray[Any], side: str) -> list[_Reals] | None:
    """The same of the squares of sampling weights, if they are such."""

def counts_at(
    y_true: object,
    y_score: object,
    given: NDArray[Any],
    side: str,
    pos_label: object | None,
    sample_weight: object | None,
    policy: str,
    infinite: str,
    weight_kind: str,
) -> tuple[list[_Reals], list[_Reals] | None]:
    """tp, fp, fn, tn at each threshold, computed from rows; and, of sampling weights, of their squares."""

def sweep_thresholds(state: ScoreState, places: NDArray[int64] | None) -> NDArray[float64]:
    """Infinity, and the distinct scores from high to low; or those at some positions."""

def sweep_columns(state: ScoreState, names: Sequence[str], places: NDArray[int64]) -> list[NDArray[float64]]:
    """Indices of the four counts, with default parameters, at some positions of a curve."""

def operating_points(state: ScoreState, max_points: int) -> tuple[NDArray[int64], float]:
    """Positions that represent all operating points, and the largest rise of a rate between two neighbours."""

def simplify_sweep(
    state: ScoreState, curve: str, max_points: int | None, max_deviation: float
) -> tuple[NDArray[int64], float]:
    """The positions of the points of a simplified curve, and its largest deviation from the whole curve."""

def simplify_columns(
    x: NDArray[float64],
    y: Sequence[NDArray[float64]],
    totals: tuple[float, float] | None,
    steps: bool,
    keep: Sequence[int],
    max_points: int | None,
    max_deviation: float,
) -> tuple[NDArray[int64], float]:
    """As `simplify_sweep`, for one or two columns y over x. With `totals`, rates are compared as counts."""

def area_of_curve(x: NDArray[float64], y: NDArray[float64], steps: bool) -> float | None:
    """The area under a curve; None if x is not monotonic."""

def cost_ratios(state: ScoreState, threshold: float) -> tuple[float, float] | None:
    """The ratios of costs for which a threshold is the cheapest; None if it is no vertex of the hull."""

def row_decision(y_proba: object, costs: list[Any], reject_cost: float | None) -> NDArray[int64]:
    """1 where predicting a row positive is of less risk, else 0; -1 where even that is above `reject_cost`."""

def row_risk(y_proba: object, costs: list[Any]) -> _Reals:
    """The risks of predicting each row negative and positive."""

def hull_places(state: ScoreState) -> NDArray[int64]:
    """The positions of the vertices of the convex hull."""

def cost_curve(state: ScoreState) -> tuple[NDArray[float64], NDArray[float64], NDArray[int64]]:
    """Probability-cost, least expected cost, and the position of the threshold that is best from there on."""

def brier_curve(state: ScoreState) -> list[NDArray[float64]]:
    """Cost proportion and loss."""

def net_benefit(state: ScoreState, at: NDArray[float64] | None) -> list[NDArray[float64]]:
    """Net benefit of the model and of treating all rows, at each distinct score, ascending, or at given thresholds."""

def precision_recall_gain(state: ScoreState) -> list[NDArray[float64]]:
    """Recall gain, precision gain and thresholds; one point without coordinates if a class is absent."""

def interpolated_precision_recall(state: ScoreState) -> tuple[NDArray[float64], NDArray[float64], NDArray[float64]]:
    """Recall, precision and thresholds of Davis and Goadrich's interpolated curve."""

def normal_deviates(shares: NDArray[float64]) -> NDArray[float64]:
    """Standard normal deviates of these probabilities."""
