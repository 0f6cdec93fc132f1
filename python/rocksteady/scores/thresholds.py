"""Thresholds: the counts at a threshold, the best threshold, and the thresholds that no other beats."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, cast, overload

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base import hints
from rocksteady.base.arguments import listed, numbers, one_of, real, string, whole, wrong_type, wrong_value
from rocksteady.base.named_columns import parameters_by_class
from rocksteady.base.result import of_positive
from rocksteady.base.table import Cell, Table
from rocksteady.base.warning import warn
from rocksteady.columns.categories import classes_in, positive_in_order, refuse_one_class
from rocksteady.columns.pairing import paired
from rocksteady.errors import InputError, InputTypeError, UnknownIndexError
from rocksteady.labels.cost import cost_matrix, optimal_threshold
from rocksteady.labels.counts import Counts
from rocksteady.registry.registry import index
from rocksteady.scores.curves.ks import KS
from rocksteady.scores.points import Best, CountsAt, OperatingPoints, ParetoSet, ThresholdGrid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from rocksteady.base.arguments import Infinite, NanPolicy, WeightKind
    from rocksteady.scores.certified.certificate import Certificate
    from rocksteady.scores.score_table import ScoreTable

Side = Literal[">=", ">"]

# Up to here float32 holds the numerators of a grid exactly.
_MOST_STEPS = 1 << 24

_NO_BEST = Best(*[float("nan")] * 6)


def threshold_grid(m: int, *, dtype: Literal["float64", "float32"] = "float64") -> NDArray[Any]:
    """The thresholds ``m/m, (m-1)/m, ..., 1/m, 0``, each rounded to the nearest number.

    They are not added up step by step, by which 0.7 becomes 0.7000000000000001 and a score of 0.7 is missed.

    Parameters
    ----------
    m : int
        The number of steps from 1 to 0, at least 1.
    dtype : {"float64", "float32"}
        The type to which fractions are rounded. Comparisons are exact, so scores of float32 that stand for 0.7 are met
        by the float32 threshold, not by the one of float64, which is another number.

    Returns
    -------
    numpy.ndarray of shape (m + 1,)
        From high to low.

    Examples
    --------
    >>> import rocksteady as rs
    >>> rs.scores.threshold_grid(4).tolist()
    [1.0, 0.75, 0.5, 0.25, 0.0]
    >>> rs.scores.threshold_grid(10)[3] == 0.7
    np.True_
    """
    steps = _steps(m)
    one_of(dtype, "dtype", ("float64", "float32"))
    # Both numbers are exact and a division is rounded once.
    grid: NDArray[Any] = np.arange(steps, -1, -1).astype(dtype) / np.dtype(dtype).type(steps)
    return grid


def _steps(m: object) -> int:
    if isinstance(m, bool) or not isinstance(m, (int, np.integer)):
        raise wrong_type(m, "m", "a whole number, at least 1")
    if not 1 <= int(m) <= _MOST_STEPS:
        raise wrong_value(m, "m", f"a number from 1 to {_MOST_STEPS}")
    return int(m)


def _exact(values: ArrayLike, argument: str) -> NDArray[Any]:
    """Thresholds as float64 of exactly the same value; as objects where no float64 equals the value."""
    is_of_objects = isinstance(values, np.ndarray) and values.dtype == np.object_
    if isinstance(values, (list, tuple)) or is_of_objects:
        objects = np.array(values, dtype=np.object_)
        kinds = {type(value) for value in objects.flat}
        if kinds <= {int, float} and (is_of_objects or (len(kinds) == 2 and np.abs(objects).max() >= 2**53)):
            return objects
    array = numbers(values, argument)
    if array.dtype.kind == "f":
        if array.dtype.itemsize > 8:
            raise InputTypeError(
                f"{argument} has dtype {array.dtype}; expected floats of at most 64 bits", argument=argument
            )
        return array.astype(np.float64)
    return array.astype(np.uint64 if array.dtype.kind == "u" else np.int64)


def counts_at(
    y_true: ArrayLike,
    y_score: ArrayLike,
    thresholds: ArrayLike,
    *,
    side: Side = ">=",
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    weight_kind: WeightKind = "counts",
    nan_policy: NanPolicy = "raise",
    infinite: Infinite = "raise",
) -> Counts:
    """The four counts at fixed thresholds, in one pass over the rows and without sorting them.

    For a handful or some thousands of thresholds it is faster than a `ScoreTable`, which has them all. Thresholds are
    compared with the scores exactly as both came, whatever their types. Batches add up: ``counts_at(a) +
    counts_at(b)``.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight, weight_kind, nan_policy, infinite
        As for `ScoreTable`. Over batches say which label is `pos_label`: a batch may lack a class.
    thresholds : array-like of any shape
        Numbers in any order; infinities too, but not NaN.
    side : {">=", ">"}
        Whether a score at a threshold is predicted positive.

    Returns
    -------
    Counts
        Of the shape of `thresholds`.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        The message names argument, row, value and what was expected.

    Examples
    --------
    >>> import rocksteady as rs
    >>> counts = rs.counts_at([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8], [0.2, 0.5])
    >>> counts["recall"], counts["fpr"]
    (array([1. , 0.5]), array([0.5, 0.5]))
    """
    given = _exact(thresholds, "thresholds")
    paired(y_true, {"y_score": y_score, "sample_weight": sample_weight})
    positive = positive_in_order(y_true) if pos_label is None else pos_label
    rows, options = (y_true, y_score, sample_weight), (positive, nan_policy, infinite, weight_kind)
    try:
        columns, squares = _rocksteady.counts_at(rows, given.ravel(), side, options)
    except (InputError, InputTypeError) as error:
        raise hints.of_scores(error, y_true, y_score) from None
    shaped, of_squares = (
        None if found is None else [column.reshape(given.shape) for column in found] for found in (columns, squares)
    )
    counts = Counts._weighed(shaped or (), of_squares)
    if not np.any(counts.tp + counts.fn):
        refuse_one_class([*classes_in(y_true), positive], positive)
    return counts


def ks(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    nan_policy: NanPolicy = "raise",
    infinite: Infinite = "raise",
) -> KS:
    """The Kolmogorov–Smirnov statistic of rows: the greatest distance between TPR and FPR over all thresholds.

    It has the bits of ``ScoreTable(...).ks()``. Without weights a million rows take about a third of the time of a
    table: only rows among which the distance can be greatest are put in order.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight, nan_policy, infinite
        As for `ScoreTable`.

    Returns
    -------
    KS
        The value, its threshold and its sign; NaN, NaN and 0 where one class is absent.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        The message names argument, row, value and what was expected.

    Notes
    -----
    Source: Smirnov 1948, doi:10.1214/aoms/1177730256.

    Examples
    --------
    >>> import rocksteady as rs
    >>> rs.scores.ks([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    KS(value=0.5, threshold=0.35, sign=1)
    """
    paired(y_true, {"y_score": y_score, "sample_weight": sample_weight})
    positive = positive_in_order(y_true) if pos_label is None else pos_label
    try:
        return KS(*_rocksteady.ks((y_true, y_score, sample_weight), (positive, nan_policy, infinite)))
    except (InputError, InputTypeError) as error:
        raise hints.of_scores(error, y_true, y_score) from None


# Indices whose best threshold depends on the ratio of costs.
_COSTS = ("cost", "mean_cost", "normalized_cost", "savings")


def _is_cost(name: str) -> bool:
    try:
        return index(name).name in _COSTS
    except UnknownIndexError:  # an expression
        return False


def _errors_cost_more(parameters: Mapping[str, Any]) -> bool:
    """Whether the given costs make each error dearer than a correct prediction of the same row."""
    given = parameters.get("costs", parameters.get("matrix", parameters))
    (tn, fp), (fn, tp) = cost_matrix(given) if isinstance(given, Mapping) else np.asarray(given, dtype=np.float64)
    return bool(fp > tn and fn > tp)


class Thresholds:
    """The methods of a `rocksteady.ScoreTable` that read single thresholds."""

    __slots__ = ()

    _state: _rocksteady.ScoreState

    def at(self, threshold: ArrayLike, *, side: Side = ">=") -> CountsAt:
        """The four counts when rows with ``score >= threshold`` (or ``>``) are predicted positive.

        Parameters
        ----------
        threshold : float, or array-like of any shape
            Any numbers but NaN; infinities too. Compared exactly with the scores as they came: integers as integers,
            also beyond 2**53, and a float32 score with a float64 threshold as the two numbers that they are.
        side : {">=", ">"}
            Whether a score at the threshold is predicted positive.

        Returns
        -------
        CountsAt
            `Counts` of the shape of `threshold`, so that any index can be read at all of them; ``.matrix()`` makes a
            confusion matrix of a single one.

        Examples
        --------
        >>> import rocksteady as rs
        >>> table = rs.ScoreTable([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8])
        >>> table.at([[0.4, 0.6], [0.7, 0.9]])["recall"]
        array([[1. , 0.5],
               [0.5, 0. ]])
        """
        is_array = isinstance(threshold, (np.ndarray, list, tuple, range, int)) or hasattr(threshold, "__array__")
        if not is_array or isinstance(threshold, (bool, float)):
            counts = self._state.at(threshold, side)  # type: ignore[arg-type]  # refused there if it is no number
            return CountsAt._at(self._state.labels(), counts, squares=self._squares(threshold, side))
        given = _exact(threshold, "threshold")
        columns = _rocksteady.counts_of_table(self._state, given.ravel(), side)
        shaped = [column.reshape(given.shape) for column in columns]
        return CountsAt._at(self._state.labels(), shaped, squares=self._squares(given, side))

    def _squares(self, thresholds: ArrayLike, side: Side = ">=") -> list[NDArray[np.float64]] | None:
        """The sums of squared sampling weights in each of the four counts, at each threshold."""
        if self._state.weight_kind == "counts":
            return None
        given = np.asarray(thresholds)
        columns = _rocksteady.squares_of_table(self._state, given.ravel(), side)
        return None if columns is None else [column.reshape(given.shape) for column in columns]

    def _best(self, value: float, threshold: float, counts: tuple[float, float, float, float]) -> Best:
        best = Best(threshold, value, *counts)
        best._squares = self._squares(threshold)
        return best

    @of_positive
    def operating_points(self, max_points: int = 1000) -> OperatingPoints:
        """At most `max_points` thresholds that represent all of them, with the exact counts at each.

        They are chosen so that both rates rise by small steps from one to the next, and lie closer at the top, where
        precision and lift are restless. Any picture of millions of thresholds may be drawn from them:
        ``points.curve("fpr", "tpr")``, ``points.counts()["f1"]``. It takes some milliseconds, whatever the number of
        rows; a curve with fewer points, which says how far it lies from the whole one, is ``roc_curve(max_points=…)``,
        which reads every point.

        Parameters
        ----------
        max_points : int
            2 or more. If there are no more thresholds, all of them are given.

        Returns
        -------
        OperatingPoints

        Examples
        --------
        >>> import rocksteady as rs
        >>> table = rs.ScoreTable([row % 3 == 0 for row in range(1000)], range(1000))
        >>> points = table.operating_points(200)
        >>> len(points) <= 200, points.step < 0.02, abs(points.curve("fpr", "tpr").area() - table["roc_auc"]) < 0.001
        (True, True, True)
        """
        most = whole(max_points, "max_points", "a whole number of points, 2 or more", least=2)
        places, step = _rocksteady.operating_points(self._state, most)
        # Without rows the index "tp" is undefined, but its count is 0.
        counted = len(places) > 1
        columns = _rocksteady.sweep_columns(self._state, ["tp", "fp", "fn", "tn"], places) if counted else ()
        tp, fp, fn, tn = columns or self._state.counts()
        thresholds = _rocksteady.sweep_thresholds(self._state, places)
        points = OperatingPoints(thresholds, tp, fp, fn, tn, step)
        return points._with_squares(self._squares(thresholds))

    @of_positive
    def grid(self, m: int, *, side: Side = ">=") -> ThresholdGrid:
        """The counts at the thresholds ``m/m, ..., 1/m, 0``, with the two ends of every curve added.

        A coarse grid passes over what happens between its thresholds, and the area under its curve is that of fewer
        points; ``counts()`` and ``every`` have all of them. Scores beyond [0, 1] are counted like any others.

        Parameters
        ----------
        m : int
            The number of steps: see `rocksteady.scores.threshold_grid`.
        side : {">=", ">"}
            Whether a score at a threshold is predicted positive. Without the ends, ``>=`` would have no point where
            nothing is if a score is 1, and ``>`` none where everything is if a score is 0.

        Examples
        --------
        >>> import rocksteady as rs
        >>> grid = rs.ScoreTable([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8]).grid(2)
        >>> grid.thresholds
        array([ inf,  1. ,  0.5,  0. , -inf])
        >>> grid.counts()["recall"]
        array([0. , 0. , 0.5, 1. , 1. ])
        """
        inner = threshold_grid(m)
        columns = _rocksteady.counts_of_table(self._state, inner, side)
        positives, negatives = self._state.totals
        ends = ((0.0, positives), (0.0, negatives), (positives, 0.0), (negatives, 0.0))
        filled = [
            np.concatenate(([first], column, [last])) for column, (first, last) in zip(columns, ends, strict=True)
        ]
        thresholds = np.concatenate(([np.inf], inner, [-np.inf]))
        return ThresholdGrid(thresholds, *filled)._with_squares(self._squares(thresholds, side))

    @overload
    def best(
        self,
        name: str,
        *,
        subject_to: str | None = None,
        maximize: bool = False,
        minimize: bool = False,
        all: Literal[False] = False,
        **parameters: object,
    ) -> Best: ...
    @overload
    def best(
        self,
        name: str,
        *,
        subject_to: str | None = None,
        maximize: bool = False,
        minimize: bool = False,
        all: Literal[True],
        **parameters: object,
    ) -> list[Best]: ...
    def best(
        self,
        name: str,
        *,
        subject_to: str | None = None,
        maximize: bool = False,
        minimize: bool = False,
        all: bool = False,  # noqa: A002 (it says what it does: all of them)
        **parameters: object,
    ) -> Best | list[Best]:
        """The threshold at which a count-based index is best; the lowest if there are several.

        Thresholds at which the index is undefined are passed over. What is best on these rows is too good an estimate
        of what will be on others.

        Parameters
        ----------
        name : str
            An index that is a function of the four counts, or of a two-by-two matrix; or an expression of such, as in
            `rocksteady.define_index`, with `maximize` or `minimize`: ``"2*tp - fp"``.
        subject_to : str, optional
            What must hold at the threshold: comparisons (``>=  >  <=  <  ==``) of indices, counts and numbers, joined
            by "and", such as ``"precision >= 0.9 and rpp <= 0.05"``. Either side may be an expression as in
            `rocksteady.define_index`. Where an index of it is undefined it does not hold.
        maximize, minimize : bool
            Look for the greatest or the least value. Default: what the index calls better.
        all : bool
            Give every threshold with the best value, from low to high.
        **parameters
            The index's own, such as ``costs={"fp": 1, "fn": 5}`` for "cost".

        Returns
        -------
        Best, or list of Best
            NaN everywhere, or an empty list, if there is no threshold at which the index is defined and the condition
            holds; `why_no_best` says why.

        Warns
        -----
        rocksteady.RocksteadyWarning
            If no threshold meets the condition.

        Raises
        ------
        rocksteady.InputError
            For an index without a better direction, unless `maximize` or `minimize` is said; for both of them; for a
            condition that cannot be read, with the place.
        rocksteady.UnknownIndexError
            If there is no such index, or it needs no threshold.

        Examples
        --------
        >>> import rocksteady as rs
        >>> table = rs.ScoreTable([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8])
        >>> table.best("cost", fp=1, fn=5)
        Best(threshold=0.4, value=1.0, tp=2.0, fp=1.0, fn=0.0, tn=1.0, cost_ratios=(1, inf))
        >>> [best.threshold for best in table.best("accuracy", all=True)]
        [0.4, 0.8]
        >>> table.best("recall", subject_to="precision >= 0.9 and rpp <= 0.25")
        Best(threshold=0.8, value=0.5, tp=1.0, fp=0.0, fn=1.0, tn=2.0)
        """
        parameters = parameters_by_class(parameters, self)
        optima = _rocksteady.best_thresholds(self._state, name, maximize, minimize, all, subject_to, parameters)
        found = [self._best(*optimum) for optimum in optima]
        if subject_to is None and not (maximize or minimize) and _is_cost(name) and _errors_cost_more(parameters):
            for best in found:
                best.cost_ratios = _rocksteady.cost_ratios(self._state, best.threshold)
        if not found and subject_to is not None:
            given = "".join(f", {key}={value!r}" for key, value in parameters.items())
            warn(f"no threshold qualifies; why_no_best({name!r}, subject_to={subject_to!r}{given}) says why")
        if all:
            return found
        return found[0] if found else _NO_BEST

    def why_no_best(self, name: str, *, subject_to: str | None = None, **parameters: object) -> str | None:
        """Why `best` finds no threshold; None if it finds one.

        Parameters
        ----------
        name, subject_to, **parameters
            As for `best`.

        Examples
        --------
        >>> import rocksteady as rs
        >>> table = rs.ScoreTable([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8])
        >>> table.why_no_best("recall", subject_to="precision >= 0.7 and recall > 0.5")
        'No threshold meets all comparisons together; of 5 thresholds they are met alone: precision >= 0.7 at 1, recall > 0.5 at 2.'
        """
        return _rocksteady.why_no_best(self._state, name, subject_to, parameters_by_class(parameters, self))

    def meeting(self, condition: str) -> NDArray[np.bool_]:
        """Whether a condition holds at each of `thresholds`: bool, of shape ``(len(table) + 1,)``.

        It holds at none that is not really one: missing scores, where they are ranked, have no threshold of their own,
        and where scores are infinite no threshold predicts nothing positive.

        Parameters
        ----------
        condition : str
            As `subject_to` of `best`.

        Examples
        --------
        >>> import rocksteady as rs
        >>> table = rs.ScoreTable([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8])
        >>> table.thresholds[table.meeting("fpr < 1 and recall > 0")]
        array([0.8, 0.6, 0.4])
        """
        return _rocksteady.meeting_thresholds(self._state, condition)

    def certify(
        self,
        conditions: str,
        *,
        confidence: float = 0.95,
        thresholds: ArrayLike | None = None,
        start_rows: int | None = None,
    ) -> Certificate:
        """The lowest threshold for which conditions on the population are shown, whatever threshold these rows suggest.

        Thresholds are tested in a fixed order, by exact binomial tests, up to the first one that fails. The probability that
        any threshold which passed does not meet all conditions is at most 1 - `confidence`.

        Parameters
        ----------
        conditions : str
            Comparisons of shares with numbers between 0 and 1, joined by "and": ``"precision >= 0.9 and rpp <= 0.2"``.
            Without `thresholds`: at most one of ``precision >=`` and ``fdr <=``, and any of ``fpr <=``, ``specificity >=``,
            ``rpp <=`` and ``rnp >=``. With them: any index with the interval "clopper_pearson", "f1" and "jaccard".
        confidence : float
            Between 0 and 1.
        thresholds : array-like of shape (m,), optional
            The thresholds to test, in this order; the last one that passes is certified. They must be fixed before the
            labels are seen. Default: all scores, from high to low.
        start_rows : int, optional
            Of ``precision >=`` and ``fdr <=`` without `thresholds`: the tests begin below so many rows, which must be fixed
            before the labels are seen. Default: four times the least number that can show the condition, which is
            ⌈ln(1 - confidence) / ln(limit)⌉ (beside other conditions with half of 1 - confidence).

        Returns
        -------
        Certificate
            Its `why` says why no threshold is certified. ``json.dumps(certificate.to_dict())`` is the receipt that
            ``rocksteady verify`` proves again from the files.

        Raises
        ------
        rocksteady.InputError
            For weights, an index that is no share, and a condition that the order of the scores does not suit.

        Notes
        -----
        The rows must be independent draws from the population. Each condition is tested at each threshold (Clopper, Pearson
        1934, doi:10.1093/biomet/26.4.404), and a threshold passes if all are shown (Berger 1982, doi:10.2307/1267823). Of
        tests in a fixed order each has the whole level (Maurer, Hothorn, Lehmacher 1995). Where a condition on precision or
        fdr stands beside others, and the order is that of the scores, each of the two kinds has half of it. The page
        "Certified thresholds" proves it for thresholds at observed scores.

        Examples
        --------
        >>> import numpy as np
        >>> import rocksteady as rs
        >>> rng = np.random.default_rng(0)
        >>> scores = rng.random(2_000)
        >>> table = rs.ScoreTable(rng.random(2_000) < scores, scores)
        >>> table.certify("precision >= 0.8")
        score >= 0.6286279237601524: precision >= 0.8 in the population (95 % confidence).
        precision 0.8257, at least 0.8011, on 2000 rows; thresholds tested: 685.
        """
        from rocksteady.scores.certified.certificate import certified  # noqa: PLC0415 (few programs need it)

        given = None if thresholds is None else _exact(thresholds, "thresholds")
        return certified(cast("ScoreTable", self), conditions, confidence, given, start_rows)

    def target(
        self, name: str, *, at_most: float | None = None, at_least: float | None = None, then: str | None = None
    ) -> Best:
        """The best threshold that keeps an index within a limit: a target for fpr, recall, precision, rpp and others.

        Parameters
        ----------
        name : str
            An index that is a function of the four counts.
        at_most, at_least : float
            The limit, one of the two.
        then : str, optional
            What is best within the limit. Default: "recall"; for limits on "recall" and "fnr", which do not see the
            negatives, "fpr".

        Returns
        -------
        Best
            Its `value` is that of `then`. Of several thresholds with that value the one at which `name` is furthest
            within the limit, the lowest of several: so no other threshold is better in one of the two and as good in
            the other. NaN if the limit is out of reach.

        Examples
        --------
        >>> import rocksteady as rs
        >>> table = rs.ScoreTable([0, 1, 0, 1, 0], [0.1, 0.4, 0.6, 0.8, 0.3])
        >>> table.target("fpr", at_most=0.2)
        Best(threshold=0.8, value=0.5, tp=1.0, fp=0.0, fn=1.0, tn=3.0)
        >>> table.target("recall", at_least=0.9).threshold
        0.4
        """
        if (at_most is None) == (at_least is None):
            given = "at_least too" if at_most is not None else at_most
            raise wrong_value(given, "at_most", "a limit, either at_most or at_least")
        argument, limit = ("at_least", at_least) if at_most is None else ("at_most", at_most)
        limit = real(limit, argument)
        if not math.isfinite(limit):
            raise wrong_value(limit, argument, "a finite number")
        if then is None:
            then = "fpr" if index(string(name, "name", "the name of an index")).name in ("recall", "fnr") else "recall"
        found = _rocksteady.target_threshold(self._state, name, limit, at_most is None, then)
        if found is None:
            condition = f"{name} {'<=' if at_least is None else '>='} {limit:g}"
            warn(f"no threshold qualifies; why_no_best({then!r}, subject_to={condition!r}) says why")
            return _NO_BEST
        return self._best(*found)

    @of_positive
    def pareto(self, names: Sequence[str], *, maximize: Sequence[str] = (), minimize: Sequence[str] = ()) -> ParetoSet:
        """The operating points that no other beats: no other is at least as good in every index and better in one.

        Parameters
        ----------
        names : sequence of str
            Two or more indices that are functions of the four counts, each in the direction that it calls better.
        maximize, minimize : sequence of str
            Those of `names` that are wanted great, or small, whatever they call better.

        Returns
        -------
        ParetoSet
            Points that are alike in every index are all there. Thresholds at which an index is undefined are left out.

        Raises
        ------
        rocksteady.InputError
            For fewer than two names; for an index without a better direction that neither list has.
        rocksteady.UnknownIndexError
            If there is no such index, or it needs no threshold.

        Notes
        -----
        O(n log n) for n thresholds and two or three indices, O(n log(n)**(d - 2)) for d of them (Kung, Luccio and
        Preparata 1975, doi:10.1145/321906.321910).

        Examples
        --------
        >>> import rocksteady as rs
        >>> table = rs.ScoreTable([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8])
        >>> points = table.pareto(["recall", "precision"])
        >>> points
        ParetoSet of 2 entries, 7 columns; positive class 1
           thresholds  tp  fp  fn  tn  recall  precision
        0         0.8   1   0   1   2     0.5          1
        1         0.4   2   1   0   1       1   0.666667
        >>> points.thresholds, points["precision"].round(3)
        (array([0.8, 0.4]), array([1.   , 0.667]))
        """
        names = [string(name, f"names[{i}]") for i, name in enumerate(listed(names, "names", "a list of indices"))]
        wanted = {
            argument: [string(name, argument) for name in listed(given, argument, "a list of indices")]
            for argument, given in (("maximize", maximize), ("minimize", minimize))
        }
        for argument, given in wanted.items():
            for name in given:
                if name not in names:
                    raise wrong_value(name, argument, "names that stand in names")
        directions = [(name, name in wanted["maximize"], name in wanted["minimize"]) for name in names]
        thresholds, (tp, fp, fn, tn), values = _rocksteady.pareto_thresholds(self._state, directions)
        points = ParetoSet(thresholds, tp, fp, fn, tn, dict(zip(names, values, strict=True)))
        return points._with_squares(self._squares(thresholds))

    def cost_series(
        self,
        weights: Sequence[float],
        *,
        by: Literal["bayes", "sweep"] = "bayes",
        names: Sequence[str] = ("accuracy", "balanced_accuracy", "recall", "specificity"),
    ) -> Table:
        """Decisions for several costs of a false negative, where a false positive costs 1: one row each.

        Parameters
        ----------
        weights : sequence of float
            The cost of a false negative, above 0.
        by : {"bayes", "sweep"}
            The threshold: ``1 / (1 + weight)``, which is right for calibrated probabilities; or the lowest with the
            least cost on these very rows.
        names : sequence of str
            Indices of the four counts to list.

        Returns
        -------
        Table
            "weight", "threshold", the four counts, "cost", "mean_cost", then `names`.

        Raises
        ------
        rocksteady.InputError
            For a weight that is not above 0, and for "bayes" with scores outside [0, 1].
        rocksteady.UnknownIndexError
            For a name that is none of an index of counts.

        Examples
        --------
        >>> import rocksteady as rs
        >>> table = rs.ScoreTable([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8])
        >>> table.cost_series([1, 4], names=["recall"])
        weight  threshold  tp  fp  fn  tn  cost  mean_cost  recall
        1             0.5   1   1   1   1     2        0.5     0.5
        4             0.2   2   1   0   1     1       0.25       1
        """
        one_of(by, "by", ("bayes", "sweep"))
        if by == "bayes" and not self._state.are_probabilities:
            raise wrong_value(by, "by", "'sweep', as not all scores lie in [0, 1]")
        names = listed(names, "names", "a list of names of indices")
        rows: list[list[Cell]] = []
        for place, given in enumerate(listed(weights, "weights", "a list of numbers above 0")):
            weight = real(given, f"weights[{place}]")
            if not 0 < weight < float("inf"):
                raise wrong_value(given, f"weights[{place}]", "a finite number above 0")
            best = self.best("cost", fp=1.0, fn=weight)
            threshold = optimal_threshold(fp=1.0, fn=weight)
            counts = self.at(threshold) if by == "bayes" else best.counts()
            cells = [counts.tp, counts.fp, counts.fn, counts.tn]
            costs = [counts.value(name, fp=1.0, fn=weight) for name in ("cost", "mean_cost")]
            chosen = threshold if by == "bayes" else best.threshold
            values = [*cells, *costs, *(counts[name] for name in names)]
            rows.append([weight, chosen, *(float(value) for value in values)])
        return Table(["weight", "threshold", "tp", "fp", "fn", "tn", "cost", "mean_cost", *names], rows)

    def ks(self) -> KS:
        """The Kolmogorov–Smirnov statistic with its threshold and sign; NaN, NaN and 0 where one class is absent."""
        return KS(*self._state.ks())
