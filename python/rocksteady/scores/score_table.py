"""The score table: one sort, and everything that sweeps a threshold."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final, Literal, NoReturn, overload

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base import hints
from rocksteady.base.arguments import amount_of_bytes, flag, shown, wrong_value
from rocksteady.base.containers import elsewhere
from rocksteady.base.named_columns import named_columns, parameters_by_class
from rocksteady.base.statistic import Statistic, TwoClasses, Weighed, fraction
from rocksteady.base.table import Table, class_named, number, number_of, repr_html
from rocksteady.base.warning import warn
from rocksteady.base.ways_out import WaysOut
from rocksteady.columns.categories import categories_in_order, later_of, positive_in_order, refuse_one_class
from rocksteady.columns.pairing import paired
from rocksteady.errors import InputError, InputTypeError, RocksteadyError
from rocksteady.labels.counts import Counts
from rocksteady.registry.registry import index
from rocksteady.registry.selection import chosen, task_of
from rocksteady.scores.calibration import ProbabilityQuality
from rocksteady.scores.curves.curves import Curves
from rocksteady.scores.gains import Gains
from rocksteady.scores.prevalence import AtPrevalence
from rocksteady.scores.thresholds import Thresholds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from fractions import Fraction

    from numpy.typing import ArrayLike, NDArray

    from rocksteady.base.arguments import Infinite, NanPolicy, WeightKind
    from rocksteady.inference.band import Band, BandKind
    from rocksteady.inference.influence import Influence
    from rocksteady.inference.interval import Interval, Method, Side
    from rocksteady.inference.resampling import Bootstrap, BootstrapMethod, RandomState, Resample
    from rocksteady.registry.selection import Names
    from rocksteady.scores.score_view import ScoreView

# With more distinct scores, a notebook shows the sizes only.
_MOST_READ: Final = 100_000


# The AUC of uninformative scores.
_CHANCE = 0.5


def _advice_of(table: ScoreTable) -> str | None:
    """Advice for an AUC below 0.5; unknown for a table that was read from bytes."""
    return getattr(table, "_advice", None)


def advice_on(table: ScoreTable) -> str | None:
    """What to do if the AUC lies below 0.5, where sorting text chose the positive class."""
    negative, positive = table.labels
    if not isinstance(positive, str):
        return None
    return (
        f"{shown(positive)} is the positive class only because it sorts after {shown(negative)}. If the scores are those of "
        f"{shown(negative)}, pass pos_label={shown(negative)}"
    )


def state_of_rows(sweep: Callable[[Any], Any], rows: tuple[Any, Any, Any], options: tuple[Any, ...]) -> Any:
    """What `sweep` gives for rows here or, from their counts, on another device; a refusal has a hint."""
    try:
        return sweep(rows)
    except (InputError, InputTypeError) as error:
        refusal: RocksteadyError = error
    if any(map(elsewhere, rows)):
        from rocksteady.devices.scores import score_state  # noqa: PLC0415 (few programs need it)

        try:
            return score_state(sweep, rows, options)
        except RocksteadyError as error:
            refusal = error
    raise hints.of_scores(refusal, rows[0], rows[1]) from None


class ScoreTable(WaysOut, Curves, Thresholds, Gains, ProbabilityQuality, AtPrevalence, TwoClasses, Weighed, Statistic):
    """Distinct scores, high to low, with the cumulative number (or weight) of positives and negatives.

    Everything that sweeps a threshold is read from it, exactly. Additive: `a + b` is, to the bit, the table of the
    pooled rows, with weights too. A row is predicted positive where its score is at least the threshold.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Class labels, two kinds at most.
    y_score : array-like of shape (n,)
        Any real scores, float64, float32, float16, integer or boolean; kept in their type, never rounded. Arrays on a GPU
        are counted there (docs/devices.md).
    pos_label : label, optional
        The positive class. Default: the greater label; of ordered categories the later one.
    sample_weight : array-like of shape (n,), optional
        Finite and not negative; rows of weight 0 are left out.
    weight_kind : {"counts", "sampling"}
        What a weight means: so many rows, or how much one row of a sample counts. See `ConfusionMatrix`.
    nan_policy : {"raise", "omit", "worst", "best"}
        What to do with a missing score: refuse, leave the row out, rank it below all or above all others. "omit" also
        leaves out rows whose label is missing.
    infinite : {"raise", "allow"}
        Whether infinite scores are ranked.
    align : bool
        Whether to bring pandas objects into the order of the index of `y_true`. Default: rows go by position.
    label, score, weight : str, optional
        With a data frame as `y_true`: the columns of the labels, the scores and the weights.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        The message names argument, row, value and what was expected.

    Warns
    -----
    rocksteady.RocksteadyWarning
        If pandas objects have the same index labels in another order. When the AUC is read and lies below 0.5, and
        the positive class was chosen by sorting text.

    Examples
    --------
    >>> import rocksteady as rs
    >>> table = rs.ScoreTable([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> table["roc_auc"], table["gini"], round(table["average_precision"], 6)
    (0.75, 0.5, 0.833333)
    >>> table.ks()
    KS(value=0.5, threshold=0.35, sign=1)
    >>> rs.ScoreTable({"y": [0, 0, 1, 1], "p": [0.1, 0.4, 0.35, 0.8]}, label="y", score="p") == table
    True
    >>> table.at(0.4)
    Counts(tp=1, fp=1, fn=1, tn=1)
    >>> table.at(0.4)["precision"]
    0.5
    >>> fpr, tpr = table.curve("fpr", "tpr")
    >>> fpr, tpr
    (array([0. , 0. , 0.5, 0.5, 1. ]), array([0. , 0.5, 0.5, 1. , 1. ]))
    """

    __slots__ = (
        "_advice",  # advice for an AUC below 0.5; None if no guess was made, or if it was given already
        "_kept",  # columns shared by several curves
    )

    _State = _rocksteady.ScoreState

    _state: _rocksteady.ScoreState

    def __init__(
        self,
        y_true: ArrayLike,
        y_score: ArrayLike | None = None,
        *,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        weight_kind: WeightKind = "counts",
        nan_policy: NanPolicy = "raise",
        infinite: Infinite = "raise",
        align: bool = False,
        label: Any = None,
        score: Any = None,
        weight: Any = None,
    ) -> None:
        if not (label is None and score is None and weight is None):
            beside = {"y_score": y_score, "sample_weight": sample_weight}
            named = named_columns(y_true, label, one={"score": score, "weight": weight}, some={}, beside=beside)
            y_true, y_score, sample_weight = named.values()
        columns = paired(y_true, {"y_score": y_score, "sample_weight": sample_weight}, align=flag(align, "align"))
        scores, weights = columns.values()
        positive = positive_in_order(y_true) if pos_label is None else pos_label
        options = (positive, nan_policy, infinite, weight_kind)
        rows = y_true, scores, weights
        self._state = state_of_rows(lambda given: _rocksteady.ScoreState.sweep(given, options), rows, options)
        refuse_one_class(self.labels, positive)
        self._advice = advice_on(self) if positive is None else None

    def _plus(self, other: ScoreTable) -> ScoreTable:
        found = super()._plus(other)
        found._advice = _advice_of(self) or _advice_of(other)
        return found

    def _size(self) -> int:
        return len(self)

    @classmethod
    def _pooled(cls, parts: Sequence[ScoreTable]) -> ScoreTable | None:
        state = _rocksteady.ScoreState.pooled([part._state for part in parts])
        if state is None:
            return None
        found = cls._of(state)
        found._advice = next((advice for part in parts if (advice := _advice_of(part))), None)
        return found

    def __sub__(self, other: object) -> ScoreTable:
        found = super().__sub__(other)
        if found is not NotImplemented:
            found._advice = _advice_of(self)
        return found

    @classmethod
    def from_counts(
        cls,
        scores: ArrayLike,
        positives: ArrayLike,
        negatives: ArrayLike,
        *,
        labels: ArrayLike | None = None,
        pos_label: object = None,
        weighted: bool | None = None,
        nan_policy: NanPolicy = "raise",
        infinite: Infinite = "raise",
    ) -> ScoreTable:
        """The table of scores that were counted elsewhere: what ``GROUP BY score`` gives.

        Of counts it is, to the bit, the table of the rows that were counted, with `pos_label` named.

        Parameters
        ----------
        scores : array-like of shape (n,)
            In any order. The amounts of a score that is there more than once are added.
        positives, negatives : array-like of shape (n,)
            The number, or weight, of the rows of each class that have the score; 0 where there are none.
        labels : array-like of 2 labels, optional
            Of the two classes. Default: 0 and 1.
        pos_label : label, optional
            The label of `positives`. Default: the greater one.
        weighted : bool, optional
            Whether the amounts are sums of weights. A sum counts as one row of that weight, and is added exactly.
            Default: whether any amount is not a whole number. Say it for the parts of a whole, as a table of counts and
            one of weights do not add.
        nan_policy : {"raise", "omit", "worst", "best"}
            What to do with the rows whose score is missing: see `ScoreTable`.
        infinite : {"raise", "allow"}
            Whether infinite scores are ranked.

        Raises
        ------
        rocksteady.InputError
            If the columns have not one length; if an amount is negative, missing or not finite, or is a fraction and
            `weighted` is False; if the rows are more than 2**64; if `labels` are not two.
        rocksteady.InputTypeError
            If scores or amounts are not numbers.

        >>> import rocksteady as rs
        >>> table = rs.ScoreTable.from_counts([0.1, 0.35, 0.4, 0.8], [0, 1, 0, 1], [1, 0, 1, 0])
        >>> table == rs.ScoreTable([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], pos_label=1)
        True
        >>> million = rs.ScoreTable.from_counts([0.2, 0.7], [300_000, 500_000], [150_000, 50_000], labels=["no", "yes"])
        >>> million["roc_auc"], million.labels
        (0.6875, ('no', 'yes'))
        """
        from rocksteady.scores.counted_scores import state_of_counts  # noqa: PLC0415 (few programs need it)

        return cls._of(state_of_counts(scores, positives, negatives, labels, pos_label, weighted, nan_policy, infinite))

    def __len__(self) -> int:
        """The number of distinct scores."""
        return len(self._state)

    @property
    def axis(self) -> dict[str, NDArray[Any]]:
        """The `thresholds`, as a column by its name."""
        return {"threshold": self.thresholds}

    @property
    def thresholds(self) -> NDArray[Any]:
        """The distinct scores, high to low, after ``inf``, at which nothing is predicted positive.

        Entry *i* belongs to entry *i* of `counts`, `every` and `curve`. They are float64; of integers that float64 does
        not hold, Python's integers in an array of objects. A missing score that is ranked (`nan_policy`) is NaN.
        """
        exact = self._state.exact_thresholds()
        return self._state.thresholds() if exact is None else np.array(exact, dtype=np.object_)

    def counts(self) -> Counts:
        """The four counts at each of `thresholds`: `Counts` of shape ``(len(table) + 1,)``."""
        return Counts._weighed(self._state.counts(), self._state.counts_of_squares())

    def value(self, name: str, **parameters: object) -> float:
        """One index of the whole ranking, such as "roc_auc", "gini", "ks", "average_precision" or "scored_auc".

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it needs a threshold: then ``table.at(0.5)[name]`` or ``table.every(name)``.
        """
        found = self._state.value(name, parameters_by_class(parameters, self))[0]
        if found < _CHANCE:
            self._suspect(name, found)
        return found

    def _suspect(self, name: str, value: float) -> None:
        """Warn once if the AUC, or Gini, contradicts a guessed positive class or order of columns."""
        advice = _advice_of(self)
        name = "" if advice is None else index(name).name
        if name == "roc_auc" or (name == "gini" and value < 0):
            self._advice = None
            warn(f"the AUC is {value if name == 'roc_auc' else (value + 1) / 2:.3g}, below 0.5, and {advice}")

    def _ipython_key_completions_(self) -> list[str]:
        from rocksteady._completion import names_of  # noqa: PLC0415 (only a shell needs it)

        return names_of(("scores",))

    def exact(self, name: str, **parameters: object) -> Fraction:
        """Exact value of "roc_auc", "gini" or "ks", as a fraction. Weights enter exactly.

        For an index at a threshold: ``table.at(0.5).exact("f1")``.

        Raises
        ------
        rocksteady.UnknownIndexError
            As `value`.
        rocksteady.InputError
            If the value is not known as a fraction, or if a class has no rows.

        >>> import rocksteady as rs
        >>> rs.ScoreTable([0, 1, 1, 0, 1], [0.1, 0.4, 0.4, 0.4, 0.9]).exact("roc_auc")
        Fraction(5, 6)
        """
        return fraction(*self._state.exact(name, parameters_by_class(parameters, self)))

    def _answers(self, names: list[str]) -> list[tuple[str, float, str | None]]:
        found = _rocksteady.score_values(self._state, names)
        for name, (value, _) in zip(names, found, strict=True):
            if value < _CHANCE:
                self._suspect(name, value)
        return [(name, *answer) for name, answer in zip(names, found, strict=True)]

    @overload
    def interval(self, name: str, **options: Any) -> Interval: ...

    @overload
    def interval(self, name: list[str] | tuple[str, ...], **options: Any) -> Table: ...

    def interval(
        self,
        name: str | Iterable[str],
        *,
        level: float = 0.95,
        method: Method | None = None,
        side: Side = "two-sided",
        strata: Literal["label"] | None = None,
        **parameters: object,
    ) -> Interval | Table:
        """One index of the ranking, or several, with intervals of confidence.

        Rows are taken to be independent, and sums of weights to be counts. Of ``weight_kind="sampling"`` the weights are
        those of single rows, and numbers of rows are effective ones. For indices at one threshold use
        ``table.at(0.5).interval("f1")``.

        Parameters
        ----------
        name : str or list of str
            An index with intervals (`rocksteady.index(name).intervals`): "roc_auc", "gini", "average_precision",
            "ks", "brier", "log_loss", their skill scores, "calibration_slope", "calibration_intercept",
            "calibration_shift", "debiased_calibration_error", and what follows from them.
        level : float
            Between 0 and 1.
        method : str, optional
            One of `rocksteady.index(name).intervals`. Default: the first.

            - "blended", of the AUC and Gini: a score interval whose variance goes from Newcombe's, where the rarer
              class has few rows, to DeLong's. It never leaves [0, 1] and always has a width. It is ours and
              unpublished; in a paper take "delong" or "logit".
            - "delong": the AUC plus and minus z standard errors (DeLong, DeLong, Clarke-Pearson 1988,
              doi:10.2307/2531595), as R's pROC; cut to [0, 1].
            - "logit": the same on the logit scale. Of average precision: with the variance of its influence function
              (Boyd, Eng, Page 2013, doi:10.1007/978-3-642-40994-3_29).
            - "newcombe": Newcombe 2006, doi:10.1002/sim.2324, method 5.
            - "hanley_mcneil": Hanley, McNeil 1982, doi:10.1148/radiology.143.1.7063747; cut to [0, 1].
            - "normal": plus and minus z standard errors, cut to the range. Those of the calibration line are robust
              (the sandwich, HC0; White 1982, doi:10.2307/1912526).
            - "t", of the calibration line: the same by Student's t distribution. With (Σψ²)² / Σψ⁴ rows that tell the
              scatter it has twice as many degrees of freedom (Satterthwaite 1946, doi:10.2307/3002019).
            - "envelope", of KS: the greatest bounds of the gap at all thresholds, the lower one for several thresholds
              (Chernozhukov, Lee, Rosen 2013, doi:10.3982/ECTA8718). Its `standard_error` is that at the widest gap.
            - "logarithm", of losses: the same for the logarithm; of a skill score, for that of 1 less it.
            - "score", of the debiased calibration error: all values that a test does not reject whose standard error is
              the one at that value.
        side : {"two-sided", "lower", "upper"}
            Both bounds, or only one, which is then the tighter.
        strata : "label", optional
            Each class was sampled by itself, as cases and controls are: its number of rows is not random. Default: the
            rows were sampled together.
        **parameters
            Those of the index, such as ``bins=15``.

        Returns
        -------
        Interval or Table
            Of one name an `Interval`; `why` says why there is none, and `note` that there are few rows. Of several a
            `Table` with the columns index, estimate, low, high, standard_error and method, and why where one has no
            interval here. Such bounds are NaN.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it has no interval, or not by this method.
        rocksteady.InputError
            If `level`, `method`, `side` or `strata` is none of these.

        Notes
        -----
        The share of 95 % intervals of the AUC that hold the true one, over 416 designs of 13 families of scores with 5 to
        600 rows of a class; "Intervals of AUC, average precision and losses" in the documentation tells more:

        ============= ======== ============ =====================
        method        mean     worst design designs below 93 %
        ============= ======== ============ =====================
        blended       95.7 %   82.4 %       6 %
        newcombe      95.1 %   81.6 %       17 %
        logit         90.8 %   27.3 %       36 %
        hanley_mcneil 89.5 %   30.5 %       54 %
        delong        86.5 %   30.8 %       73 %
        ============= ======== ============ =====================

        >>> import numpy as np
        >>> import rocksteady as rs
        >>> rng = np.random.default_rng(1)
        >>> actual = rng.random(500) < 0.3
        >>> table = rs.ScoreTable(actual, actual + rng.normal(size=500))
        >>> found = table.interval("roc_auc")
        >>> round(found.low, 3), round(found.estimate, 3), round(found.high, 3), found.method
        (0.661, 0.712, 0.757, 'blended')
        >>> table.interval(["roc_auc", "gini", "average_precision"], method="logit").columns[:4]
        ('index', 'estimate', 'low', 'high')
        """
        from rocksteady.inference.interval import Wanted  # noqa: PLC0415 (not every program needs it)

        given = parameters_by_class(parameters, self)
        return Wanted(level, method, side, given, strata).of_scores(self._state, name)

    def influence(self, name: str) -> Influence:
        """How much one row more of each class, at each distinct score, changes an index of the ranking.

        It tells which rows matter most: those with the greatest absolute influence. From it follow

        - the variance of the index, the sum over all rows of squared influences, which is DeLong's for the AUC but for
          m / (m - 1), m the rows of a class;
        - the variance for rows in clusters: sum the influences of the rows of each cluster, then square;
        - the jackknife and the acceleration of BCa intervals, without leaving out one row after the other.

        Parameters
        ----------
        name : str
            "roc_auc", "gini", "average_precision", "brier", "log_loss", and what follows from them: the indices of
            scores with intervals.

        Returns
        -------
        Influence
            Arrays over the distinct scores, high to low: `score`, `positive`, `negative`.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or its influence function is not known.

        Notes
        -----
        With m positives and n negatives, that of the AUC is (share of negatives below the row - AUC) / m for a positive
        and (share of positives above it - AUC) / n for a negative, a tie counting one half; that of the mean of a loss
        is (loss - mean) / rows. Hampel 1974, doi:10.1080/01621459.1974.10482962.

        >>> import rocksteady as rs
        >>> table = rs.ScoreTable([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> table.influence("roc_auc")
        Influence of 4 entries, 3 columns; index 'roc_auc'; value 0.75; why None
           score  positive  negative
        0    0.8     0.125     -0.25
        1    0.4         0    -0.125
        2   0.35    -0.125         0
        3    0.1     -0.25     0.125
        """
        from rocksteady.inference.influence import of_scores  # noqa: PLC0415 (not every program needs it)

        return of_scores(self._state, name)

    def bootstrap(
        self,
        indices: str | Sequence[str],
        *,
        threshold: float | Sequence[float] | str = 0.5,
        n_resamples: int = 1000,
        method: BootstrapMethod = "percentile",
        resample: Resample = "multinomial",
        strata: Literal["label"] | None = None,
        random_state: RandomState = None,
        level: float = 0.95,
        **parameters: object,
    ) -> Bootstrap:
        """Indices of the ranking, or of the counts at a threshold, with intervals from resamples of the rows.

        The table is sorted already, so a replicate is one pass over it. For the parameters see
        `rocksteady.inference.bootstrap`.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it is neither of scores nor of counts.
        rocksteady.InputError
            If the table is of weights, or a parameter cannot be used.

        Warns
        -----
        rocksteady.RocksteadyWarning
            If an index has no value in more than 1 % of the replicates.

        >>> import rocksteady as rs
        >>> table = rs.ScoreTable([0, 0, 1, 0, 1, 1, 0, 1], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
        >>> boot = table.bootstrap("roc_auc", strata="label", random_state=0)
        >>> boot["roc_auc"].estimate, boot.every("roc_auc").shape
        (0.75, (1000,))
        """
        from rocksteady.inference.resampling import of_scores  # noqa: PLC0415 (not every program needs it)

        return of_scores(
            self._state,
            indices,
            parameters=parameters_by_class(parameters, self),
            threshold=threshold,
            n_resamples=n_resamples,
            method=method,
            resample=resample,
            strata=strata,
            random_state=random_state,
            level=level,
        )

    def band(
        self,
        curve: Literal["roc", "precision_recall", "gain"] = "roc",
        *,
        kind: BandKind = "simultaneous",
        level: float = 0.95,
        points: int = 101,
        n_resamples: int = 1000,
        random_state: RandomState = None,
    ) -> Band:
        """A curve with a band of confidence, on a grid of x from 0 to 1.

        Parameters
        ----------
        curve : {"roc", "precision_recall", "gain"}
            ROC is the true positive rate at each false positive rate, in straight lines between its points. Its
            resamples keep the sizes of both classes. Precision is that at the highest threshold which reaches a recall.
        kind : {"simultaneous", "pointwise", "campbell"}
            "simultaneous" holds the whole curve: the curve plus and minus a multiple of its standard deviation in the
            resamples, the multiple being the quantile of the greatest distance. "pointwise" holds each point, but the
            whole curve leaves it in most samples. "campbell", for ROC only, has a fixed width which holds the whole
            curve for any number of rows (Campbell 1994, Statistics in Medicine 13, 499-508; widths by Massart 1990,
            doi:10.1214/aop/1176990746).
        level : float
            Between 0 and 1.
        points : int
            How many x, from 2 to 10,000.
        n_resamples : int
            The number of replicates.
        random_state : None, int or numpy.random.Generator
            Where the random bits begin. None: anew each time.

        Raises
        ------
        rocksteady.InputError
            If the table is of weights or of one class, or a parameter cannot be used.

        >>> import rocksteady as rs
        >>> table = rs.ScoreTable([0, 0, 1, 0, 1, 1, 0, 1], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
        >>> band = table.band("roc", kind="campbell", points=3)
        >>> band.x, band.estimate
        (array([0. , 0.5, 1. ]), array([0.25, 1.  , 1.  ]))
        """
        from rocksteady.inference.band import band_of  # noqa: PLC0415 (not every program needs it)

        return band_of(
            self._state,
            curve,
            kind=kind,
            level=level,
            points=points,
            n_resamples=n_resamples,
            random_state=random_state,
        )

    def summary(self) -> Table:
        """Every index of the ranking with default parameters, common ones first, and the threshold of the KS distance.

        All of them are read in one walk through the scores, so that this costs little more than a few of them one by
        one. Where some have no value, a third column says why: the proper scoring rules, for one, of scores that are no
        probabilities.
        """
        names = [*chosen("summary", form=["scores"])[0], *chosen("all", form=["scores"])[0]]
        found = self._answers(list(dict.fromkeys(names)))
        rows = [*found, ("ks_threshold", self.ks().threshold, None)]
        if all(why is None for _, _, why in rows):
            return Table(["index", "value"], [row[:2] for row in rows])
        return Table(["index", "value", "why"], rows)

    def to_dict(self, names: Names | Sequence[str] | None = None) -> dict[str, Any]:
        """Rows, labels and the values of the common indices of the ranking, as plain Python values.

        Parameters
        ----------
        names : {"all", "summary"} or sequence of str, optional
            Which indices. Default: "summary", those of them that a ranking has.
        """
        ks = self.ks()
        task = task_of(2, self.positives, self.positives + self.negatives)
        shown = chosen(names, default="summary", form=["scores"], task=task)[0]
        return {
            "rows": self.rows,
            "pos_label": self.pos_label,
            "positives": self.positives,
            "negatives": self.negatives,
            **{name: value for name, value, _ in self._answers(shown)},
            "ks_threshold": ks.threshold,
            "ks_sign": ks.sign,
        }

    def __repr__(self) -> str:
        negative, positive = map(_of_class, self.labels)
        sizes = f"{number(self.positives, 15)} positive{positive}, {number(self.negatives, 15)} negative{negative}"
        kind = ", sampling weights" if self.weight_kind == "sampling" else ""
        return f"<rocksteady.ScoreTable of {number_of(self.rows, 'row')}, {number_of(len(self), 'distinct score')}; {sizes}{kind}>"

    def _repr_html_(self) -> str:
        import html  # noqa: PLC0415 (few programs need it)

        # The indices of millions of scores take a second, too long for a mere look at a table.
        indices = self.summary()._repr_html_() if len(self) <= _MOST_READ else ""
        return f"<p>{html.escape(repr(self))}</p>{indices}"


def _of_class(label: object) -> str:
    return "" if label is None else f" (class {class_named(label)})"


class ScoreCollector:
    """Collects scores batch by batch for one `ScoreTable`, in the narrowest form that is exact.

    What the labels mean is fixed over the whole stream, never inferred from a batch. A refused batch leaves the
    collector as it was. Several threads may fill it; the order of the batches does not change the table.

    It is not pickled: what it holds are rows, in a form that the later ones may still change. Send its `table`, which
    is smaller; the tables of several collectors add up, to the bit, to that of all their rows.

    A batch on a GPU is copied there and waits. `update` checks its shape and dtypes, and does not wait for the device. The
    first question counts all that waits; until then each batch takes the bytes of both columns there (of bfloat16, 4 a
    row), as the repr says. A refusal comes at that question, names batch and row, and leaves that batch out.

    Parameters
    ----------
    pos_label, nan_policy, infinite
        As for `ScoreTable`.
    weight_kind : {"counts", "sampling"}
        What the weights of all batches mean: see `ScoreTable`. With "sampling" every batch has weights.
    memory : int or str, optional
        Bytes that the rows may take, such as 2_000_000_000 or "2GB". Rows beyond it go to a temporary file without a
        name, 8 bytes each, and 8 more for a weight; the system frees it, however the program ends. Then `view` answers
        for all rows, with the same bits. Default: all rows stay in memory.
    directory : path, optional
        Where the temporary file is. Default: the system's directory for such files (`tempfile.gettempdir`).

    Raises
    ------
    rocksteady.InputError
        If `memory` is less than 64 KiB, or no amount; if weights are "sampling" and `memory` is given.

    Examples
    --------
    >>> import rocksteady as rs
    >>> collector = rs.ScoreCollector()
    >>> collector.update([0, 0], [0.1, 0.4])
    >>> collector.update([1, 1], [0.35, 0.8])
    >>> collector.score_table()["roc_auc"]
    0.75
    """

    __slots__ = ("_on_device", "_options", "_order", "_pos_label", "_state")

    _state: _rocksteady.CollectorState | _rocksteady.SpillingState

    def __init__(
        self,
        *,
        pos_label: object = None,
        weight_kind: WeightKind = "counts",
        nan_policy: NanPolicy = "raise",
        infinite: Infinite = "raise",
        memory: int | str | None = None,
        directory: str | os.PathLike[str] | None = None,
    ) -> None:
        self._order: list[Any] | None = None  # for ordered categories
        self._pos_label = pos_label
        self._options = (nan_policy, infinite, weight_kind)
        self._on_device: Any = None  # batches that wait there
        if memory is not None:
            from tempfile import gettempdir  # noqa: PLC0415 (few programs need it)

            place = gettempdir() if directory is None else os.fspath(directory)
            self._state = _rocksteady.SpillingState(
                (pos_label, nan_policy, infinite, weight_kind), amount_of_bytes(memory, "memory"), place
            )
        elif directory is not None:
            raise wrong_value(directory, "directory", "none without memory=, as all rows stay in memory")
        else:
            self._state = _rocksteady.CollectorState((pos_label, nan_policy, infinite, weight_kind))

    def __reduce__(self) -> NoReturn:
        raise InputTypeError("a ScoreCollector cannot be pickled; pickle its score_table(), and add tables up")

    @property
    def rows(self) -> int:
        """The number of rows taken so far. Those that wait on a device are counted first."""
        return self._counted().rows

    @property
    def weight_kind(self) -> WeightKind:
        """What the weights of the rows mean."""
        return self._state.weight_kind

    def __repr__(self) -> str:
        label, positives, has_weights = self._state.so_far()
        waiting = "" if self._on_device is None else str(self._on_device)
        rows, by_order = self._state.rows, self._by_order()
        if by_order not in (None, label):
            label, positives = by_order, rows - positives
        if has_weights is None:
            return f"<rocksteady.ScoreCollector of 0 rows{waiting or '; update() takes the first'}>"
        kind = "with sampling weights" if self.weight_kind == "sampling" else "with weights"
        weights = kind if has_weights else "without weights"
        known = f"{number_of(rows, 'row')} so far, {weights}; {positives} positive{_of_class(label)}"
        return f"<rocksteady.ScoreCollector of {known}{waiting}>"

    _repr_html_ = repr_html

    def update(self, y_true: ArrayLike, y_score: ArrayLike, *, sample_weight: ArrayLike | None = None) -> None:
        """Takes one batch; all batches have weights, or none has.

        Parameters
        ----------
        y_true, y_score, sample_weight
            As for `ScoreTable`. Scores may change their type where a third holds both exactly.

        Raises
        ------
        rocksteady.InputError, rocksteady.InputTypeError
            As for `ScoreTable`, and for weights in some batches only. What is wrong with the rows of a batch on a GPU is
            raised by the first question, such as `score_table`.
        """
        paired(y_true, {"y_score": y_score, "sample_weight": sample_weight})
        try:
            self._state.update((y_true, y_score, sample_weight))
        except (InputError, InputTypeError) as error:
            if any(map(elsewhere, (y_true, y_score))):
                from rocksteady.devices.batches import take  # noqa: PLC0415 (few programs need it)

                take(self, (y_true, y_score, sample_weight))
                return
            raise hints.of_scores(error, y_true, y_score) from None
        order = categories_in_order(y_true) if self._order is None else None
        if order is not None:
            self._order = order

    def _counted(self) -> _rocksteady.CollectorState | _rocksteady.SpillingState:
        """The state with all batches that wait on a device."""
        if self._on_device is not None:
            self._on_device.count(self._state.update)
        return self._state

    def _by_order(self) -> Any:
        """The positive class by the order of ordered categories, if it decides; else None."""
        if self._pos_label is not None or self._order is None:
            return None
        return later_of(self._order, set(self._state.labels()))

    def view(self) -> ScoreView:
        """What is known of all rows taken so far, without a table of all scores in memory.

        Raises
        ------
        rocksteady.InputError
            If there are no rows, or `memory` was not given.
        rocksteady.errors.StorageError
            If the temporary file cannot be written; the rows are kept.
        """
        from rocksteady.scores.score_view import ScoreView  # noqa: PLC0415 (few programs need it)

        if isinstance(self._state, _rocksteady.CollectorState):
            raise InputError("the rows of this collector are in memory: score_table() has them; view() is for memory=")
        self._counted()
        return ScoreView._of(self._state.view(self._by_order()))

    def score_table(self) -> ScoreTable:
        """The score table of all rows taken so far.

        Raises
        ------
        rocksteady.InputError
            If there are no rows, or some have gone to the temporary file; `view` answers for these.
        """
        state = self._counted()
        positive = self._by_order()
        table = ScoreTable._of(state.table(positive))
        table._advice = advice_on(table) if self._pos_label is None and positive is None else None
        return table
