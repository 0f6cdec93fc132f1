"""The extension module. Use it through the package `rocksteady`."""

import os
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, Self, TypedDict, final, overload, type_check_only

from numpy import bool_, float64, generic, int64, uint8, uint32, uint64
from numpy.typing import NDArray
from typing_extensions import disjoint_base

__all__ = [
    "AnchoredState",
    "ClassProbabilityState",
    "CodedLabels",
    "CodesState",
    "CollectorState",
    "ConfusionState",
    "CostState",
    "CovarianceState",
    "GroupedState",
    "GroupsState",
    "IndicatorState",
    "InfluenceState",
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
    "_split_seconds",
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
    "bootstrap_note",
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
    "group_interval",
    "group_mean",
    "group_rows",
    "hinge",
    "hull_places",
    "impact_over_thresholds",
    "independent_difference",
    "index_at_thresholds",
    "index_is_loss",
    "index_name",
    "index_rows",
    "index_version",
    "influence",
    "interpolated_precision_recall",
    "interpret",
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
    "level_of_pair",
    "listwise_each",
    "listwise_mean",
    "lowered",
    "mcnemar_test",
    "meeting_thresholds",
    "net_benefit",
    "net_benefit_bounds",
    "normal_deviates",
    "operating_points",
    "optimal_threshold",
    "pair_agreement",
    "pair_areas",
    "pair_cells",
    "pair_disparity",
    "pair_of_intervals",
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

    The default is the environment variable `ROCKSTEADY_NUM_THREADS`, else `OMP_NUM_THREADS`, which joblib, Dask and
    Spark set for their workers, else the number of cores; a worker of pytest-xdist has its share of the cores. Results
    never depend on the number of threads. Small inputs always stay on the calling thread.

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
) -> _LoweredLabel: ...

# True labels, scores and weights.
_Rows = tuple[object, object, object | None]
# pos_label, nan_policy, infinite, and weight_kind where weights may be of either kind.
_RankOptions = tuple[object, str, str] | tuple[object, str, str, str]

@type_check_only
class _State:
    KIND: Final[int]
    NAME: Final[str]
    def merged(self, other: Self) -> Self: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(data: bytes) -> Any: ...

@type_check_only
class _Subtracted(_State):
    def subtracted(self, other: Self) -> Self: ...

@type_check_only
class _Weighed:
    @property
    def weight_kind(self) -> _WeightKind: ...

@type_check_only
class _Labelled:
    def labels(self) -> tuple[Any, Any]: ...
    @property
    def rows(self) -> int: ...

@type_check_only
class _TwoClasses(_Labelled):
    @property
    def totals(self) -> tuple[float, float]: ...

@final
class CodedLabels: ...

def coded_labels(values: object, argument: _Argument) -> CodedLabels | None: ...

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
class GroupsState(_Subtracted, _Weighed):
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
    def find(self, one: GroupedState) -> int | None: ...

def group_interval(name: str, values: _Reals, weights: _Reals, wanted: _Wanted) -> _Interval: ...
def group_mean(values: _Reals, weights: _Reals) -> float: ...
def _instructions() -> str: ...
def _split_seconds(is_measured: bool) -> float: ...
def _through_the_gate(rows: int, outcome: str = "sum") -> int: ...

_Reals = NDArray[float64]
_Places = NDArray[int64]
_Four = tuple[_Reals, _Reals, _Reals, _Reals]
_Answer = tuple[float, str | None]
_Optimum = tuple[float, float, tuple[float, float, float, float]]
# psi, Jensen–Shannon, KS, total variation, chi-squared, degrees of freedom, p-value
_Distances = tuple[float, float, float, float, float, int, float]

def index_rows(defined: bool, name: str | None) -> list[dict[str, Any]]: ...
def index_is_loss(name: str) -> bool: ...
def index_name(name: str) -> str: ...
def index_version() -> int: ...
def define_index(
    name: str,
    expression: str,
    parameters: Mapping[str, float] | None,
    texts: tuple[str | None, str, str],
    better: str,
    ends: tuple[float, float],
    aliases: Sequence[str],
    replace: bool,
) -> str: ...
def undefine_index(name: str) -> None: ...

_Ends = tuple[float, float]
# Both ends of tp and of fp, positives, negatives; and what is left of both at each end, where it is known by itself.
_Box = tuple[_Ends, _Ends, float, float] | tuple[_Ends, _Ends, float, float, _Ends, _Ends]

def check_box(given: _Box) -> None: ...
def bounds_of_box(
    given: _Box, names: Sequence[str], chosen: dict[str, Any] | None
) -> list[tuple[float, float, float | None, bool, str | None]]: ...
def bands_of_sketch(state: SketchState, names: Sequence[str]) -> list[tuple[_Reals, _Reals, _Reals]]: ...
def check_counts(arrays: _Four) -> None: ...
def evaluate_counts(arrays: _Four, name: str, given: dict[str, Any]) -> _Reals: ...

# Names, threshold, replicates, seed, how to draw, whether classes keep their sizes.
_Bootstrapping = tuple[list[tuple[str, int]], dict[str, Any], list[float] | str, int, int, str, bool]
# For each index: value, why there is none, acceleration, values in the replicates, how many of them are none, optimism,
# what resampling does to it.
_Replicates = list[tuple[float, str | None, float | None, _Reals, int, float, str | None]]
_Bootstrapped = tuple[_Replicates, list[list[_Reals]]]

def bootstrap_scores(state: ScoreState, asked: _Bootstrapping, wants_acceleration: bool) -> _Bootstrapped: ...
def bootstrap_matrix(
    state: ConfusionState,
    positive: int | None,
    average: tuple[Any, float] | None,
    asked: _Bootstrapping,
    wants_acceleration: bool,
) -> _Bootstrapped: ...
def bootstrap_rows(
    y_true: Sequence[object],
    models: Sequence[object],
    sample_weight: object,
    options: _RankOptions,
    cluster: tuple[NDArray[uint32], int] | None,
    strata: NDArray[uint32] | None,
    key: NDArray[uint64] | None,
    asked: _Bootstrapping,
    wants_acceleration: bool,
) -> list[tuple[ScoreState, _Bootstrapped]]: ...
def bootstrap_counts(arrays: _Four, asked: _Bootstrapping) -> list[_Reals]: ...
def bootstrap_note(classes: list[float]) -> str | None: ...
def bootstrap_reads_counts(name: str) -> bool: ...
def bootstrap_interval(
    values: _Reals, estimate: float, acceleration: float, method: str, level: float
) -> tuple[list[float], int]: ...
def bootstrap_band(
    state: ScoreState, curve: str, kind: str, level: float, points: int, asked: _Bootstrapping
) -> tuple[list[_Reals], int]: ...

_Wanted = tuple[float, str | None, str]
# Estimate, low, high, standard error, method, why there is none, what speaks against it.
_Interval = tuple[float, float, float, float, str, str | None, str | None]

def interval_counts(
    arrays: _Four, squares: _Four | None, name: str, wanted: _Wanted, given: dict[str, Any]
) -> tuple[list[_Reals], str, list[tuple[int, str]], list[tuple[int, str]]]: ...

# For each stratum: the value of all rows, least, greatest, difference, ratio, difference and ratio to all rows.
_Disparities = list[_Reals]
# For each stratum the groups that they are of, then how many groups have a value, and how many have none.
_DisparityPlaces = list[NDArray[int64]]

def value_disparities(
    values: _Reals, strata: NDArray[uint32] | None, overall: _Reals
) -> tuple[_Disparities, _DisparityPlaces, bool]: ...
def group_disparities(
    arrays: _Four,
    name: str,
    given: dict[str, Any] | None,
    strata: NDArray[uint32] | None,
    count: int,
    undefined: float,
    overall: _Four | None,
) -> tuple[_Reals, _Disparities, _DisparityPlaces, bool]: ...
def disparity_intervals(
    arrays: _Four,
    squares: _Four | None,
    name: str,
    given: dict[str, Any] | None,
    kind: str,
    wanted: _Wanted,
    strata: NDArray[uint32] | None,
    count: int,
) -> list[_Interval]: ...
def disparity_levels(kind: str, groups: int, wanted: _Wanted) -> list[float]: ...
def disparity_of_intervals(
    name: str,
    kind: str,
    wanted: _Wanted,
    alone: tuple[_Reals, _Reals, _Reals],
    together: tuple[_Reals, _Reals, _Reals],
) -> list[float]: ...
def level_of_pair(wanted: _Wanted) -> float: ...
def pair_of_intervals(
    name: str, is_ratio: bool, values: Sequence[Sequence[float]], correlation: float, wanted: _Wanted
) -> _Interval: ...
def pair_disparity(
    arrays: _Four,
    squares: _Four | None,
    name: str,
    given: dict[str, Any] | None,
    is_ratio: bool,
    places: list[int],
    wanted: _Wanted,
) -> _Interval: ...
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
) -> tuple[NDArray[int64], list[_Reals], tuple[int, int, int, int], float]: ...
def impact_over_thresholds(
    groups: list[ScoreState],
) -> tuple[tuple[_Reals, _Reals, _Reals, _Reals, _Reals], tuple[NDArray[int64], NDArray[int64]]]: ...
def subgroup_areas(groups: list[ScoreState], whole: ScoreState) -> tuple[_Reals, _Reals, _Reals]: ...
def interval_matrix(
    state: ConfusionState,
    positive: int | None,
    average: tuple[object, float] | None,
    names: list[str],
    wanted: _Wanted,
    given: dict[str, Any],
) -> list[_Interval]: ...
def interval_classes(state: ConfusionState, name: str, wanted: _Wanted, given: dict[str, Any]) -> list[_Interval]: ...

_Told = tuple[float, float, float, float, float, float, str | None]

@final
class PairedRowsState:
    @staticmethod
    def read(
        y_true: object,
        sample_weight: object | None,
        weight_kind: str,
        cluster: GroupedState | None,
        pos_label: object | None,
    ) -> PairedRowsState: ...
    def place(self, y_score: object, policy: str, infinite: str) -> PlacementsState: ...
    def areas(self, models: list[PlacementsState]) -> CovarianceState: ...

@final
class PlacementsState: ...

_CovarianceParts = tuple[list[float], list[float], list[float], float | None, str | None, str | None, list[float]]

@final
class CovarianceState:
    @staticmethod
    def of(
        values: list[float],
        variances: list[float],
        sizes: list[float],
        freedom: float | None,
        why: str | None,
        note: str | None,
        telling: list[float],
    ) -> CovarianceState: ...
    def note_of(self, models: list[int]) -> str | None: ...
    @staticmethod
    def of_influences(
        models: list[InfluenceState],
        sample_weight: object | None,
        weight_kind: str,
        cluster: GroupedState | None,
        strata: GroupedState | None,
        squares: tuple[_Reals, float] | None,
    ) -> CovarianceState: ...
    def parts(self) -> _CovarianceParts: ...
    def scaled(self, factor: float, shift: float) -> CovarianceState: ...
    def covariance(self) -> _Reals: ...
    def interval(self, name: str, model: int, wanted: _Wanted) -> tuple[_Interval, str | None]: ...
    def difference(self, name: str, a: int, b: int, level: float) -> _Told: ...
    def non_inferior(self, name: str, models: tuple[int, int], margin: float, level: float) -> _Told: ...
    def equal(self) -> tuple[float, int, float] | None: ...

@final
class InfluenceState:
    @staticmethod
    def of_scores(rows: _Rows, options: _RankOptions, name: str) -> InfluenceState: ...
    @staticmethod
    def of_codes(
        actual: CodesState,
        predicted: CodesState,
        classes: int,
        sample_weight: object | None,
        weight_kind: str,
        name: str,
        positive: int | None,
        average: object | None,
        zero_division: float,
        given: dict[str, Any],
    ) -> InfluenceState: ...
    @staticmethod
    def of_mean(values: _Reals, sample_weight: object | None) -> InfluenceState: ...
    @staticmethod
    def combined(value: float, parts: list[tuple[InfluenceState, float]]) -> InfluenceState: ...
    def among(self, before: int, after: int) -> InfluenceState: ...
    def folded(self, parts: int) -> InfluenceState: ...
    @property
    def value(self) -> float: ...
    @property
    def why(self) -> str | None: ...
    def each(self) -> _Reals: ...

@final
class CodesState:
    def each(self) -> NDArray[uint32]: ...
    @staticmethod
    def of_labels(column: object, labels: object) -> CodesState: ...
    @staticmethod
    def of_scores(column: object, threshold: object, codes: tuple[int, int], policy: str) -> CodesState: ...

def count_pairs(
    actual: CodesState,
    models: tuple[CodesState, CodesState],
    classes: int,
    sample_weight: object | None,
    with_squares: bool,
) -> tuple[ConfusionState, ConfusionState | None]: ...
def pair_cells(
    table: ConfusionState, squares: ConfusionState | None, classes: int
) -> tuple[list[CodesState], _Reals, _Reals]: ...
def pair_agreement(table: ConfusionState, classes: int) -> list[float]: ...
def mcnemar_test(first: float, second: float, method: str) -> tuple[float, float]: ...
def cochran_test(right: list[float], both: list[float]) -> tuple[float, int, float]: ...
def adjusted_p_values(p_values: list[float], adjust: str) -> list[float]: ...
def proportion_difference(samples: list[_Reals], level: float, method: str) -> list[_Reals]: ...
def proportion_ratio(samples: list[_Reals], level: float, method: str) -> list[_Reals]: ...
def paired_proportion_difference(counts: list[_Reals], level: float) -> list[_Reals]: ...

# The value, its bounds, its standard error, the level of the bounds.
_Known = tuple[float, tuple[float, float], float, float]

def independent_difference(
    first: _Known, second: _Known, rows: tuple[float, float] | None, correlation: float, level: float
) -> _Told: ...

# Low, high, method, why there is none, whether there may be none, note.
_Widened = tuple[float, float, str, str | None, bool, str | None]

def interval_scores(state: ScoreState, names: list[str], wanted: _Wanted, given: dict[str, Any]) -> list[_Interval]: ...
def interval_of_box(
    given: _Box, names: Sequence[str], wanted: _Wanted, chosen: dict[str, Any] | None
) -> list[_Widened]: ...
def interval_of_sketch(state: SketchState, names: Sequence[str], wanted: _Wanted) -> list[_Widened]: ...
def interval_probabilities(state: ProbabilityState, names: list[str], wanted: _Wanted) -> list[_Interval]: ...
def interval_rankings(state: RankingsState, name: str, wanted: _Wanted, given: dict[str, Any]) -> list[_Interval]: ...
def interval_score_tables(state: ScoreTablesState, names: list[str], wanted: _Wanted) -> list[_Interval]: ...
def net_benefit_bounds(
    state: ScoreState,
    against_all: bool,
    others: tuple[ScoreState, ScoreState] | None,
    at: _Reals,
    level: float,
) -> list[_Reals]: ...
def influence(state: ScoreState, name: str) -> tuple[list[_Reals], _Answer]: ...
def interpret(name: str, values: _Reals, scale: str | None) -> list[str | None]: ...
def exact_counts(arrays: _Four, name: str, given: dict[str, Any]) -> list[tuple[str, str]]: ...
def why_counts(arrays: _Four, name: str, given: dict[str, Any]) -> str | None: ...

_Counted = tuple[int, int, int, int, int]

def consistency_steps(
    first: _Reals, second: _Reals, lower: tuple[bool, bool], tolerance: tuple[float, float]
) -> tuple[NDArray[uint8], _Counted, int]: ...
def consistency_pairs(
    first: _Reals,
    second: _Reals,
    multiplicity: NDArray[uint64] | None,
    lower: tuple[bool, bool],
    tolerance: tuple[float, float],
) -> tuple[_Counted, int]: ...
def enumerate_matrices(class_sizes: list[int], outcomes: bool) -> tuple[NDArray[uint64], NDArray[uint64] | None]: ...
def enumerate_rankings(positives: int, negatives: int) -> NDArray[uint8]: ...
def evaluate_matrices(stack: NDArray[uint64] | _Reals, name: str, given: Mapping[str, object]) -> _Reals: ...
def evaluate_rankings(rankings: NDArray[uint8], cut: int, name: str, given: Mapping[str, object]) -> _Reals: ...

_Points = tuple[_Reals, _Reals, _Reals]
_Columns = tuple[_Reals, _Reals, _Reals, NDArray[bool_]]

def roc_auc(
    y_true: object, y_score: object, sample_weight: object | None, max_fpr: float | None
) -> tuple[float, float, float, int] | None: ...
def average_precision(
    y_true: object, y_score: object, pos_label: object, sample_weight: object | None
) -> tuple[float, float] | None: ...
def ks(rows: _Rows, options: _RankOptions) -> tuple[float, float, int]: ...
def class_areas(
    y_true: object,
    y_score: object,
    labels: object | None,
    sample_weight: object | None,
    max_fpr: float | None,
    pooled: bool,
    sums: bool,
) -> _Columns | None: ...
def pair_areas(y_true: object, y_score: object, labels: object | None, sums: bool) -> tuple[_Reals, _Reals] | None: ...
def label_areas(
    y_true: object, y_score: object, sample_weight: object | None, max_fpr: float | None, pooled: bool
) -> _Columns: ...
def roc_curve(
    y_true: object, y_score: object, pos_label: object | None, sample_weight: object | None, drop_intermediate: bool
) -> tuple[_Points, tuple[float, float]] | None: ...
def precision_recall_curve(
    y_true: object, y_score: object, pos_label: object | None, sample_weight: object | None, drop_intermediate: bool
) -> tuple[tuple[_Reals, _Reals, NDArray[Any]], float] | None: ...
def det_curve(
    y_true: object, y_score: object, pos_label: object | None, sample_weight: object | None, drop_intermediate: bool
) -> tuple[_Points, tuple[float, float], bool] | None: ...
def threshold_counts(
    y_true: object, y_score: object, pos_label: object | None, sample_weight: object | None
) -> tuple[_Reals, _Reals, _Reals, _Reals, NDArray[Any]] | None: ...
def index_at_thresholds(
    y_true: object, y_score: object, sample_weight: object | None, name: str, given: dict[str, Any], turned: bool
) -> tuple[_Reals, NDArray[Any], list[int]] | None: ...

@final
class SignedTotalsState:
    @staticmethod
    def sweep(y_true: object, y_score: object, sample_weight: object) -> SignedTotalsState: ...
    def roc_curve(self, drop_intermediate: bool) -> tuple[_Points, tuple[float, float]]: ...
    def precision_recall_curve(self, drop_intermediate: bool) -> tuple[tuple[_Reals, _Reals, NDArray[Any]], float]: ...
    def det_curve(self, drop_intermediate: bool) -> tuple[_Points, tuple[float, float]]: ...
    def threshold_counts(self) -> tuple[_Reals, _Reals, _Reals, _Reals, NDArray[Any]]: ...
    def average_precision(self) -> tuple[float, float]: ...

def listwise_mean(
    name: str,
    y_true: object,
    y_score: object,
    sample_weight: object | None,
    first: int | None,
    base: float,
    ignore_ties: bool,
) -> float: ...
def listwise_each(
    name: str, y_true: object, y_score: object, first: int | None, base: float, ignore_ties: bool
) -> _Reals: ...

@final
class TablesState:
    def __len__(self) -> int: ...
    @property
    def absent(self) -> bool: ...
    def scores(
        self, names: tuple[str, ...], average: str | None, zero_division: float, beta: float
    ) -> tuple[tuple[Any, ...], int]: ...
    def support(self) -> NDArray[Any]: ...
    def to_array(self) -> NDArray[Any]: ...

@final
class IndicatorState:
    @staticmethod
    def count(
        y_true: object, y_pred: object, labels: object | None, sample_weight: object | None
    ) -> IndicatorState: ...
    @staticmethod
    def count_signed(
        y_true: object, y_pred: object, labels: object | None, sample_weight: object
    ) -> IndicatorState: ...
    @staticmethod
    def each_row(
        y_true: object, y_pred: object, labels: object | None, sample_weight: object | None
    ) -> TablesState: ...
    @property
    def rows(self) -> int: ...
    @property
    def labels(self) -> int: ...
    @property
    def total(self) -> float: ...
    def by_label(self) -> TablesState: ...
    def by_row(self) -> TablesState: ...
    def rows_right(self) -> tuple[float, float, float]: ...
    def cells_right(self) -> tuple[float, float, float]: ...

def positions(y_true: object, y_pred: object, label: object) -> list[NDArray[int64]]: ...

@final
class Readings:
    def __new__(cls, asked: list[tuple[str, str, str, dict[str, float], str | None]], level: float) -> Readings: ...
    def of(self, state: ConfusionState) -> dict[str, Any]: ...

@final
class ConfusionState(_Subtracted, _Weighed):
    @staticmethod
    def count(
        y_true: object,
        y_pred: object,
        labels: object | None,
        sample_weight: object | None,
        policy: str,
        strict: bool,
        weight_kind: str,
    ) -> ConfusionState: ...
    @staticmethod
    def from_counts(counts: NDArray[Any], labels: object | None) -> ConfusionState: ...
    @staticmethod
    def from_cells(
        actual: NDArray[uint32], predicted: NDArray[uint32], amounts: NDArray[Any], labels: object
    ) -> ConfusionState: ...
    @staticmethod
    def from_sampling(weights: list[float], squares: list[float], labels: object) -> ConfusionState: ...
    def relabelled(self, labels: object) -> ConfusionState: ...
    def mapped(self, labels: object, classes: NDArray[int64]) -> ConfusionState: ...
    def transposed(self) -> ConfusionState: ...
    def cells(self) -> tuple[NDArray[int64], NDArray[int64], NDArray[Any]]: ...
    @property
    def occupied(self) -> int: ...
    def actual(self) -> _Reals: ...
    def dissimilarity(self) -> _Reals: ...
    def positive(self, pos_label: object | None) -> int | None: ...
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
    @property
    def plain(self) -> bool: ...
    @property
    def mixed(self) -> bool: ...
    def tables(self, labels: object | None = None) -> TablesState: ...
    def to_array(self) -> NDArray[Any]: ...
    def normalized(self, by: str) -> _Reals: ...
    def one_vs_rest(self) -> list[_Reals]: ...
    def one_vs_rest_squares(self) -> list[_Reals] | None: ...
    def value(self, name: str, positive: int | None, given: dict[str, Any] | None = None) -> _Answer: ...
    def exact(self, name: str, positive: int | None, given: dict[str, Any] | None = None) -> tuple[str, str]: ...
    def values(self, names: list[str], positive: int | None) -> tuple[_Reals, list[str | None]]: ...
    def class_values(self, names: list[str]) -> _Reals: ...
    def averages(self, names: list[str]) -> list[_Reals]: ...
    def per_class(self, name: str, given: dict[str, Any] | None = None) -> _Reals: ...
    def average(
        self, name: str, average: object, zero_division: float, given: dict[str, Any] | None = None
    ) -> _Answer: ...
    def without_empty_classes(self) -> ConfusionState: ...
    def less(self, other: ConfusionState) -> ConfusionState: ...
    def same(self, other: ConfusionState) -> bool: ...

@final
class CostState(_Subtracted, _TwoClasses):
    @staticmethod
    def sweep(rows: _Rows, costs: list[Any], options: _RankOptions, squares: bool) -> CostState: ...
    @staticmethod
    def count(
        y_true: object,
        y_pred: object,
        costs: list[Any],
        pos_label: object | None,
        sample_weight: object | None,
        squares: bool,
    ) -> CostState: ...
    def __len__(self) -> int: ...
    @property
    def constant(self) -> tuple[float, float]: ...
    def ranking(self) -> ScoreState: ...
    def costs(self) -> list[float | None]: ...
    def thresholds(self) -> _Reals: ...
    def counts(self) -> list[_Reals]: ...
    def every(self, name: str) -> _Reals: ...
    def at(self, threshold: float, side: str) -> CostState: ...
    def cheapest(self, every: bool) -> tuple[list[tuple[float, float, tuple[float, float, float, float]]], int]: ...
    def decided_counts(self) -> tuple[float, float, float, float]: ...
    def decided_costs(self) -> list[float]: ...
    def value(self, name: str) -> _Answer: ...
    def interval(self, name: str, wanted: _Wanted) -> _Interval: ...
    def exact(self, name: str) -> tuple[str, str]: ...

@final
class ScoreState(_Subtracted, _TwoClasses, _Weighed):
    @staticmethod
    def sweep(rows: _Rows, options: _RankOptions) -> ScoreState: ...
    @staticmethod
    def from_counts(
        scores: object,
        positives: NDArray[Any],
        negatives: NDArray[Any],
        labels: object,
        weighted: bool | None,
        options: _RankOptions,
    ) -> ScoreState: ...
    def __len__(self) -> int: ...
    def thresholds(self) -> _Reals: ...
    def counts(self) -> list[_Reals]: ...
    def counts_of_squares(self) -> list[_Reals] | None: ...
    def at(self, threshold: float, side: str) -> tuple[float, float, float, float]: ...
    def every(self, names: list[str], given: dict[str, Any]) -> list[_Reals]: ...
    @property
    def are_probabilities(self) -> bool: ...
    def value(self, name: str, given: dict[str, Any]) -> _Answer: ...
    def exact(self, name: str, given: dict[str, Any]) -> tuple[str, str]: ...
    def exact_thresholds(self) -> list[float] | None: ...
    def ks(self) -> tuple[float, float, int]: ...
    def average_precision(self, pos_label: object) -> tuple[float, float]: ...
    @staticmethod
    def pooled(parts: list[ScoreState]) -> ScoreState | None: ...

def score_values(state: ScoreState, names: list[str]) -> list[tuple[float, str | None]]: ...

@disjoint_base
class RankingsState(_Weighed):
    def labels(self) -> NDArray[Any]: ...
    @property
    def rows(self) -> int: ...
    def sizes(self) -> _Reals: ...
    def table(self, label: object) -> ScoreState: ...
    def pooled(self) -> ScoreState: ...
    def average_curve(self, x: str, y: str, average: object, absent: str, points: int | None) -> list[_Reals]: ...
    def each(self, name: str, given: dict[str, Any]) -> _Reals: ...
    def average(self, name: str, average: object, absent: str, given: dict[str, Any]) -> _Answer: ...

@final
class ScoreTablesState(RankingsState, _Subtracted):
    @staticmethod
    def sweep(rows: _Rows, labels: object | None, weight_kind: str) -> ScoreTablesState: ...
    def top_label(self) -> ScoreState | None: ...
    def one_vs_one(self, label: object, other: object) -> ScoreState: ...
    def value(self, name: str, given: dict[str, Any]) -> _Answer: ...
    def prepare(self) -> None: ...

@final
class LabelScoreTablesState(RankingsState, _Subtracted):
    @staticmethod
    def sweep(rows: _Rows, labels: object | None, weight_kind: str) -> LabelScoreTablesState: ...

def gains(
    state: ScoreState, bands: int, edges: list[float] | None, ascending: bool, smoothing: float
) -> tuple[list[_Reals], tuple[float, float, int]]: ...
def profit(
    state: ScoreState,
    bands: int,
    edges: list[float] | None,
    ascending: bool,
    benefit: float,
    cost: float,
    fixed_cost: float,
) -> tuple[list[_Reals], int]: ...
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
) -> tuple[_Reals, bool, list[_Reals], _Distances]: ...
def stability_of_tables(
    expected: ScoreState, actual: ScoreState, bins: int, strategy: str, edges: list[float] | None, epsilon: float
) -> tuple[_Reals, bool, list[_Reals], _Distances]: ...
def stability_of_labels(
    expected: object, actual: object, epsilon: float, expected_weight: object | None, actual_weight: object | None
) -> tuple[NDArray[Any], list[_Reals], _Distances]: ...
def bayes_decision(y_proba: object, costs: object, reject_cost: float | None) -> NDArray[int64]: ...
def bayes_risk(y_proba: object, costs: object) -> _Reals: ...
def optimal_threshold(costs: object) -> float: ...

@final
class CollectorState(_Weighed):
    def __new__(cls, options: _RankOptions) -> CollectorState: ...
    @property
    def rows(self) -> int: ...
    def so_far(self) -> tuple[Any, int, bool | None]: ...
    def update(self, rows: _Rows) -> None: ...
    def labels(self) -> list[Any]: ...
    def table(self, pos_label: object | None) -> ScoreState: ...

def score_anchors(table: ScoreState) -> ScoreState: ...

@final
class AnchoredState(_State, _TwoClasses):
    @staticmethod
    def count(
        anchors: ScoreState,
        rows: _Rows,
        options: _RankOptions,
    ) -> AnchoredState: ...
    @property
    def anchors(self) -> int: ...
    @property
    def missing(self) -> int | None: ...
    def value(self, name: str, given: dict[str, object]) -> tuple[float, str | None]: ...
    @staticmethod
    def names() -> list[str]: ...

@final
class SpillingState(_Weighed):
    def __new__(
        cls,
        options: _RankOptions,
        memory: int,
        directory: str | os.PathLike[str] | None,
    ) -> SpillingState: ...
    @property
    def rows(self) -> int: ...
    def so_far(self) -> tuple[Any, int, bool | None]: ...
    def update(self, columns: _Rows) -> None: ...
    def labels(self) -> list[Any]: ...
    def table(self, pos_label: object | None) -> ScoreState: ...
    def view(self, pos_label: object | None) -> SpilledState: ...

@final
class SpilledState(_TwoClasses):
    @property
    def is_weighted(self) -> bool: ...
    @property
    def are_probabilities(self) -> bool: ...
    def distinct(self) -> int: ...
    def value(self, name: str, given: dict[str, object]) -> tuple[float, str | None]: ...
    def names(self) -> list[str]: ...
    def ks(self) -> tuple[float, float, int]: ...
    def counts(self, thresholds: NDArray[Any], side: str) -> list[tuple[float, float, float, float]]: ...

@final
class SketchState(_State, _TwoClasses):
    @staticmethod
    def sweep(
        rows: _Rows,
        pos_label: object | None,
        labels: object | None,
        cells: int,
        thresholds: list[float],
        policy: str,
        infinite: str,
    ) -> SketchState: ...
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
    ) -> SketchState: ...
    @property
    def budget(self) -> int | None: ...
    @property
    def level(self) -> int: ...
    @property
    def is_weighted(self) -> bool: ...
    @property
    def is_exact(self) -> bool: ...
    def __len__(self) -> int: ...
    def thresholds(self) -> list[float]: ...
    def least_scores(self) -> NDArray[float64]: ...
    def table(self) -> ScoreState | None: ...
    def at(
        self, threshold: float, side: str
    ) -> tuple[tuple[float, float, float, float], tuple[float, float, float, float]]: ...
    def bounds(self, name: str, given: dict[str, object]) -> tuple[float, float, float | None, str | None]: ...

@final
class SketchCollectorState:
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
    def rows(self) -> int: ...
    def update(self, rows: _Rows, positive: object | None) -> None: ...
    def labels(self) -> list[Any]: ...
    def sketch(self, pos_label: object | None) -> SketchState: ...

@final
class ClassProbabilityState:
    @staticmethod
    def sum(
        y_true: object,
        y_proba: object,
        labels: object | None,
        pos_label: object | None,
        sample_weight: object | None,
        wanted: Literal["log_loss", "brier"],
        with_classes: bool,
    ) -> ClassProbabilityState: ...
    @property
    def weight(self) -> float: ...
    @property
    def rows(self) -> int: ...
    @property
    def columns(self) -> int: ...
    @property
    def sums_to_one(self) -> bool: ...
    @property
    def text(self) -> bool: ...
    @property
    def total_log_loss(self) -> float: ...
    def value(self, name: str, halved: bool) -> float: ...
    def saved(self, wanted: Literal["log_loss", "brier"]) -> float: ...

def top_k(
    y_true: object, y_score: object, k: int, labels: object | None, sample_weight: object | None
) -> tuple[float, float, int, bool]: ...
def hinge(
    y_true: object, pred_decision: object, labels: object | None, sample_weight: object | None
) -> tuple[float, float, bool]: ...
def calibration_bins(
    y_true: object, y_prob: object, pos_label: object | None, bins: int, strategy: Literal["uniform", "quantile"]
) -> tuple[_Reals, _Reals, bool]: ...
def calibration_curve_of(state: ScoreState, bins: int, strategy: str, level: float) -> tuple[list[_Reals], int]: ...
def decomposition(state: ScoreState, rule: str) -> tuple[float, float, float, float]: ...
def calibration_error(
    rows: _Rows,
    mode: str | None,
    bins: int,
    strategy: str,
    norm: str,
    pos_label: object | None,
    labels: object | None,
) -> float: ...
def top_label(rows: _Rows, labels: object | None, weight_kind: str) -> ScoreState: ...

@final
class RowMeanState(_Weighed, _State):
    @staticmethod
    def of_classes(measure: str, rows: _Rows, labels: object, places: int | None, weight_kind: str) -> RowMeanState: ...
    @staticmethod
    def of_labels(
        measure: str, rows: _Rows, places: int | None, ignore_ties: bool, weight_kind: str
    ) -> RowMeanState: ...
    @property
    def measure(self) -> str: ...
    @property
    def places(self) -> int | None: ...
    @property
    def values(self) -> tuple[float, float, float]: ...
    def interval(self, wanted: _Wanted) -> _Interval: ...
    def labels(self) -> NDArray[Any]: ...

@final
class ProbabilityState(_Subtracted, _Labelled, _Weighed):
    @staticmethod
    def sum(rows: _Rows, pos_label: object | None, weight_kind: str, keeps_squares: bool) -> ProbabilityState: ...
    @property
    def keeps_squares(self) -> bool: ...
    def value(self, name: str, given: dict[str, Any]) -> _Answer: ...

@final
class QueriesState(_Subtracted):
    @staticmethod
    def rank(
        relevance: object,
        y_score: object,
        grouped: GroupedState,
        query_weight: object | None,
        document: object | None,
        ties: str,
        nan_policy: str,
    ) -> QueriesState: ...
    def __len__(self) -> int: ...
    @property
    def rows(self) -> int: ...
    @property
    def ties(self) -> str: ...
    @property
    def weighted(self) -> bool: ...
    def names(self) -> list[str]: ...
    def columns(self) -> list[tuple[str, Any]]: ...
    def sizes(self, min_relevance: float | None) -> tuple[_Places, _Places, _Reals]: ...
    def value(self, name: str, given: dict[str, Any], empty: float | None) -> _Answer: ...
    def excluded(self, name: str, given: dict[str, Any]) -> list[tuple[str, int]]: ...
    def each(self, name: str, given: dict[str, Any], empty: float | None) -> tuple[_Reals, list[tuple[int, str]]]: ...
    def interval(self, name: str, given: dict[str, Any], empty: float | None, wanted: _Wanted) -> _Interval: ...
    def difference(
        self,
        other: QueriesState,
        name: str,
        given: dict[str, Any],
        empty: float | None,
        level: float,
        randomization: tuple[int, int] | None,
    ) -> tuple[str, _Told]: ...

def best_thresholds(
    state: ScoreState,
    name: str,
    maximize: bool,
    minimize: bool,
    every: bool,
    subject_to: str | None,
    given: dict[str, Any],
) -> list[_Optimum]: ...
def target_threshold(state: ScoreState, name: str, limit: float, at_least: bool, then: str) -> _Optimum | None: ...
def why_no_best(state: ScoreState, name: str, subject_to: str | None, given: dict[str, Any]) -> str | None: ...
def meeting_thresholds(state: ScoreState, condition: str) -> NDArray[bool_]: ...
def pareto_thresholds(
    state: ScoreState, wanted: list[tuple[str, bool, bool]]
) -> tuple[_Reals, list[_Reals], list[_Reals]]: ...
def counts_of_table(state: ScoreState, given: NDArray[Any], side: str) -> list[_Reals]: ...
def squares_of_table(state: ScoreState, given: NDArray[Any], side: str) -> list[_Reals] | None: ...
def counts_at(
    rows: _Rows, given: NDArray[Any], side: str, options: _RankOptions
) -> tuple[list[_Reals], list[_Reals] | None]: ...
def sweep_thresholds(state: ScoreState, places: NDArray[int64] | None) -> NDArray[float64]: ...
def sweep_columns(state: ScoreState, names: Sequence[str], places: NDArray[int64]) -> list[NDArray[float64]]: ...
def operating_points(state: ScoreState, max_points: int) -> tuple[NDArray[int64], float]: ...
def simplify_sweep(
    state: ScoreState, curve: str, max_points: int | None, max_deviation: float
) -> tuple[NDArray[int64], float]: ...
def simplify_columns(
    x: NDArray[float64],
    y: Sequence[NDArray[float64]],
    totals: tuple[float, float] | None,
    steps: bool,
    keep: Sequence[int],
    max_points: int | None,
    max_deviation: float,
) -> tuple[NDArray[int64], float]: ...
def area_of_curve(x: NDArray[float64], y: NDArray[float64], steps: bool) -> float | None: ...
def cost_ratios(state: ScoreState, threshold: float) -> tuple[float, float] | None: ...
def row_decision(y_proba: object, costs: list[Any], reject_cost: float | None) -> NDArray[int64]: ...
def row_risk(y_proba: object, costs: list[Any]) -> _Reals: ...
def hull_places(state: ScoreState) -> NDArray[int64]: ...
def cost_curve(state: ScoreState) -> tuple[NDArray[float64], NDArray[float64], NDArray[int64]]: ...
def brier_curve(state: ScoreState) -> list[NDArray[float64]]: ...
def net_benefit(state: ScoreState, at: NDArray[float64] | None) -> list[NDArray[float64]]: ...
def precision_recall_gain(state: ScoreState) -> list[NDArray[float64]]: ...
def interpolated_precision_recall(state: ScoreState) -> tuple[NDArray[float64], NDArray[float64], NDArray[float64]]: ...
def normal_deviates(shares: NDArray[float64]) -> NDArray[float64]: ...
