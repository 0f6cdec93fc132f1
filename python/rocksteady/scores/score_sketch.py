"""The sketch: a ranking of any number of rows in a state of bounded size, with proven bounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Literal, NoReturn, overload

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base import hints
from rocksteady.base.arguments import flag, listed, numbers, real
from rocksteady.base.bounds import Bounds, OfBounds
from rocksteady.base.containers import elsewhere
from rocksteady.base.named_columns import parameters_by_class
from rocksteady.base.statistic import Statistic, TwoClasses
from rocksteady.base.table import class_named, number, number_of, repr_html
from rocksteady.columns.categories import categories_in_order, later_of, positive_in_order, refuse_one_class
from rocksteady.columns.pairing import paired
from rocksteady.errors import InputError, InputTypeError
from rocksteady.labels.counts_bounds import CountsBounds
from rocksteady.scores.curves.bounds import CurveBounds
from rocksteady.scores.score_table import ScoreTable, state_of_rows

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

    from rocksteady.base.arguments import Infinite, NanPolicy
    from rocksteady.base.table import Table
    from rocksteady.inference.interval import Method
    from rocksteady.inference.interval import Side as IntervalSide
    from rocksteady.inference.widened import WidenedInterval
    from rocksteady.scores.certified.certificate import Certificate

Side = Literal[">=", ">"]

#: The default limit on the number of cells.
CELLS: Final = 65_536

#: Counts of every sketch are exact at these thresholds.
_ALWAYS: Final = (0.0, 0.5)


def _edges(thresholds: Iterable[float]) -> list[float]:
    given = listed(thresholds, "thresholds", "numbers")
    return [*_ALWAYS, *(real(threshold, f"thresholds[{at}]") for at, threshold in enumerate(given))]


class ScoreSketch(OfBounds, TwoClasses, Statistic):
    """A ranking of any number of rows in bounded memory, and proven bounds of its indices.

    Scores fall into at most `cells` cells, each of which holds how many positives and negatives it has. A cell all of
    whose rows have one score keeps that score. So the sketch of rows with at most `cells` distinct scores is exact: it
    is the `ScoreTable`. Otherwise every index lies between two bounds, for certain: `bounds`.

    Additive and canonical: `a + b` is, to the bit, the sketch of the pooled rows, whatever their order, however they
    were split and in whichever order the parts were added. Of sketches with other budgets the smaller one counts.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Class labels, two kinds at most.
    y_score : array-like of shape (n,)
        Any real scores. Each counts as its value in float64, so that equal numbers of other types are tied. Integers
        beyond 2**53, which float64 does not hold, are refused. Arrays on a GPU are counted there (docs/devices.md).
    pos_label : label, optional
        The positive class. Default: the greater label; of ordered categories the later one.
    labels : sequence of two labels, optional
        Both labels. With `labels` or `pos_label` there may be no rows, or rows of one class, and still the meaning of
        the labels is fixed.
    sample_weight : array-like of shape (n,), optional
        Finite and not negative; so many rows. Rows of weight 0 are left out.
    cells : int
        The most cells: more cells, narrower bounds. 65,536 take 0.2 to 0.7 MB as bytes,
        with weights more.
    thresholds : sequence of float
        Thresholds at which the counts are exact, beside 0 and 0.5, at which they always are. Sketches of other
        thresholds are not added.
    nan_policy : {"raise", "omit", "worst", "best"}
        As for `ScoreTable`.
    infinite : {"raise", "allow"}
        Whether infinite scores are ranked.
    align : bool
        Whether to bring pandas objects into the order of the index of `y_true`. Default: rows go by position.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        The message names argument, row, value and what was expected.

    Notes
    -----
    A cell is what scores share when the last bits of their mirrored float64 are left out, so cells are narrow near 0
    and near 1, where probabilities crowd. From level to level some neighbouring cells are joined, a bit of the score in
    four levels. The level is the least at which no more than `cells` cells hold rows.

    Examples
    --------
    >>> import numpy as np
    >>> import rocksteady as rs
    >>> rng = np.random.default_rng(0)
    >>> actual = rng.random(100_000) < 0.1
    >>> score = 1 / (1 + np.exp(-rng.normal(size=100_000) - actual))
    >>> sketch = rs.ScoreSketch(actual, score, cells=2048)
    >>> found = sketch.bounds("roc_auc")
    >>> found.low <= rs.ScoreTable(actual, score)["roc_auc"] <= found.high, found.width < 1e-3
    (True, True)
    >>> halves = [rs.ScoreSketch(actual[s], score[s], cells=2048) for s in (slice(60_000), slice(60_000, None))]
    >>> sum(halves) == sketch
    True
    """

    __slots__ = ()

    _State = _rocksteady.SketchState
    _narrower = ", or for more cells"

    _state: _rocksteady.SketchState

    def __init__(
        self,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: object = None,
        labels: Iterable[object] | None = None,
        sample_weight: ArrayLike | None = None,
        cells: int = CELLS,
        thresholds: Iterable[float] = _ALWAYS,
        nan_policy: NanPolicy = "raise",
        infinite: Infinite = "raise",
        align: bool = False,
    ) -> None:
        columns = paired(y_true, {"y_score": y_score, "sample_weight": sample_weight}, align=flag(align, "align"))
        scores, weights = columns.values()
        positive = positive_in_order(y_true) if pos_label is None else pos_label
        labels = list(labels) if isinstance(labels, Iterator) else labels
        edges = _edges(thresholds)

        def sweep(rows: tuple[Any, Any, Any]) -> _rocksteady.SketchState:
            return _rocksteady.SketchState.sweep(rows, positive, labels, cells, edges, nan_policy, infinite)

        self._state = state_of_rows(sweep, (y_true, scores, weights), (None, nan_policy, infinite, "counts"))
        refuse_one_class(self.labels, positive)

    @classmethod
    def empty(cls, **meaning: Any) -> ScoreSketch:
        """The sketch of no rows: it adds to any other of the same thresholds and changes nothing.

        Parameters
        ----------
        **meaning
            `pos_label` or `labels`, which say what rows would mean, and `thresholds`.

        >>> import rocksteady as rs
        >>> sketch = rs.ScoreSketch([0, 1], [0.2, 0.7])
        >>> sketch + rs.ScoreSketch.empty(labels=[0, 1]) == sketch
        True
        """
        return cls([], [], **meaning)

    @classmethod
    def from_counts(
        cls,
        least: ArrayLike,
        greatest: ArrayLike,
        positives: ArrayLike,
        negatives: ArrayLike,
        *,
        labels: Iterable[object] | None = None,
        pos_label: object = None,
        cells: int = CELLS,
        thresholds: Iterable[float] = _ALWAYS,
        nan_policy: NanPolicy = "raise",
        infinite: Infinite = "raise",
    ) -> ScoreSketch:
        """The sketch of groups of rows that were counted elsewhere: what ``GROUP BY`` a range of scores gives.

        `rocksteady.engines.sketch_sql` writes such a query. Where groups are narrower than cells the sketch has the cells
        of all rows, to the bit. The bounds of any other grouping hold, too, but the widest group sets the level of all
        cells: equal bins, which are wide near 0, give wide bounds. Logarithmic loss and Brier score need the rows.

        Parameters
        ----------
        least, greatest : array-like of shape (n,)
            The least and the greatest score of each group. They are equal where all rows have one score. Each counts as
            its value in float64. Whole numbers beyond 2**53, and decimals of more than 15 digits, are refused.
        positives, negatives : array-like of shape (n,)
            The number of rows of each class in the group.
        labels : sequence of two labels, optional
            Of the two classes. Default: 0 and 1.
        pos_label : label, optional
            The label of `positives`. Default: the greater one.
        cells, thresholds, nan_policy, infinite
            As for `ScoreSketch`. No group may have scores on both sides of a threshold.

        Raises
        ------
        rocksteady.InputError
            If the columns have not one length, a count is negative or no whole number, a least score is above the
            greatest, or a group lies on both sides of a threshold.

        >>> import rocksteady as rs
        >>> sketch = rs.ScoreSketch.from_counts([0.1, 0.6], [0.2, 0.9], [1, 40], [60, 2])
        >>> found = sketch.bounds("roc_auc")
        >>> round(found.low, 6), round(found.high, 6)  # 2,400 and 2,540 of 2,542 pairs
        (0.944138, 0.999213)
        """
        from rocksteady.scores.counted_scores import (  # noqa: PLC0415 (few programs need it)
            counts_of,
            pair_of,
            scores_of_groups,
        )

        columns = {"greatest": greatest, "positives": positives, "negatives": negatives}
        paired(least, columns, first="least")
        pair = pair_of(labels)
        return cls._of(
            _rocksteady.SketchState.from_counts(
                scores_of_groups(least, "least"),
                scores_of_groups(greatest, "greatest"),
                counts_of(positives, "positives"),
                counts_of(negatives, "negatives"),
                max(pair) if pos_label is None else pos_label,
                pair,
                cells,
                _edges(thresholds),
                nan_policy,
                infinite,
            )
        )

    @property
    def cells(self) -> int | None:
        """The most cells that there may be: the smallest of all that were added; None without rows."""
        return self._state.budget

    @property
    def coarseness(self) -> int:
        """How coarse the cells are: at 0 each score is one; four levels leave out a bit of the mirrored score."""
        return self._state.level

    @property
    def thresholds(self) -> NDArray[np.float64]:
        """The thresholds at which the counts are exact at any level, ascending."""
        return np.array(self._state.thresholds())

    @property
    def is_exact(self) -> bool:
        """Whether nothing is left open: every cell has rows of one score only, as with few distinct scores."""
        return self._state.is_exact

    def __len__(self) -> int:
        """The number of cells that hold rows."""
        return len(self._state)

    def bounds(self, name: str, **parameters: object) -> Bounds:
        """What is known for certain of an index of the whole ranking.

        Parameters
        ----------
        name : str
            An index of scores, such as "roc_auc".
        **parameters
            Those of the index.

        Returns
        -------
        Bounds
            Rounded outwards. Where nothing is known, `why` says why.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it needs a threshold: see `at`.

        >>> import rocksteady as rs
        >>> rs.ScoreSketch([0, 1, 1], [0.2, 0.9, 0.4], cells=3).bounds("gini").value
        1.0
        """
        return Bounds(*self._state.bounds(name, parameters_by_class(parameters, self)))

    @overload
    def interval(  # type: ignore[overload-overlap]  # a string is a name, not names
        self, name: str, *, level: float = ..., method: Method | None = ..., side: IntervalSide = ...
    ) -> WidenedInterval: ...

    @overload
    def interval(
        self, name: Iterable[str], *, level: float = ..., method: Method | None = ..., side: IntervalSide = ...
    ) -> Table: ...

    def interval(
        self,
        name: str | Iterable[str],
        *,
        level: float = 0.95,
        method: Method | None = None,
        side: IntervalSide = "two-sided",
    ) -> WidenedInterval | Table:
        """The confidence interval of an index of the ranking, wide enough to contain that of the exact `ScoreTable`.

        The value and its standard error are known within bounds, and the interval is that of the worst of both. Weights
        count as rows.

        Parameters
        ----------
        name : str, or iterable of str
            "roc_auc", "gini", "average_precision", "brier", "log_loss" and what follows from the losses.
        level, method, side
            As for `ScoreTable.interval`.

        Returns
        -------
        WidenedInterval, or Table of several names

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it has no interval, or not by this method. KS, partial areas and the H
            measure have none: resample the rows.

        >>> import numpy as np
        >>> import rocksteady as rs
        >>> rng = np.random.default_rng(0)
        >>> actual = rng.random(5_000) < 0.1
        >>> score = 1 / (1 + np.exp(-rng.normal(size=5_000) - actual))
        >>> found = rs.ScoreSketch(actual, score, cells=512).interval("roc_auc")
        >>> exact = rs.ScoreTable(actual, score).interval("roc_auc")
        >>> found.low <= exact.low, exact.high <= found.high, found.method
        (True, True, 'blended')
        """
        from rocksteady.inference.widened import widened  # noqa: PLC0415 (few programs need it)

        return widened(
            name,
            (level, method, side, None),
            lambda names, asked: _rocksteady.interval_of_sketch(self._state, names, asked),
            self.bounds,
        )

    def at(self, threshold: float, *, side: Side = ">=") -> CountsBounds:
        """The four counts when rows with ``score >= threshold`` (or ``>``) are predicted positive, as far as known.

        They are known at `thresholds`, at scores that a cell begins with, and where the cell of the threshold has no
        rows or rows of one score. Elsewhere every index of counts still has proven bounds: `CountsBounds.bounds`.

        >>> import rocksteady as rs
        >>> rs.ScoreSketch([0, 1, 1], [0.2, 0.9, 0.4]).at(0.4).counts()
        Counts(tp=2, fp=0, fn=0, tn=1)
        """
        fewest, most = self._state.at(threshold, side)
        tp, fp, fn, tn = zip(fewest, most, strict=True)
        if self._state.is_weighted or self.rows >= 2**53:  # sums that are rounded
            return CountsBounds._of_sums(tp, fp, self._state.totals, fn, tn)
        return CountsBounds(tp=tp, fp=fp, positives=tp[0] + fn[0], negatives=fp[0] + tn[0], weighted=False)

    def curve(self, x: str, y: str) -> CurveBounds:
        """Two indices of counts along the ranking, exact at the edges of cells and with proven bounds within them.

        Parameters
        ----------
        x, y : str
            Indices of counts, or expressions over counts and indices.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it needs scores.

        >>> import rocksteady as rs
        >>> curve = rs.ScoreSketch([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).curve("fpr", "recall")
        >>> curve.x.tolist(), curve.y.tolist()
        ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0])
        """
        of_x, of_y = _rocksteady.bands_of_sketch(self._state, [x, y])
        thresholds = np.concatenate([[np.inf], self._state.least_scores()])
        return CurveBounds(x, y, thresholds, of_x[0], of_y[0], of_x[1], of_x[2], of_y[1], of_y[2])

    def roc_curve(self) -> CurveBounds:
        """The ROC curve: recall over the false positive rate; see `curve`."""
        return self.curve("fpr", "recall")

    def precision_recall_curve(self) -> CurveBounds:
        """Precision over recall; see `curve`."""
        return self.curve("recall", "precision")

    def certify(
        self,
        conditions: str,
        *,
        confidence: float = 0.95,
        thresholds: ArrayLike | None = None,
        start_rows: int | None = None,
    ) -> Certificate:
        """The lowest threshold for which conditions on the population are shown; see `ScoreTable.certify`.

        Parameters
        ----------
        conditions, confidence, start_rows
            As for `ScoreTable.certify`.
        thresholds : array-like of shape (m,), optional
            The thresholds to test, in this order, fixed before the labels are seen. The counts there must be exact: make
            the sketch with the same `thresholds`. Default: where its cells begin, from high to low.

        Returns
        -------
        Certificate
            With the `cells` and the `edges` of the sketch, by which ``rocksteady verify`` makes it again from the files.

        Raises
        ------
        rocksteady.InputError
            As `ScoreTable.certify`, and for a threshold at which only bounds of the counts are known.

        Notes
        -----
        The rows of a cell are taken for tied, the negatives first. What is shown then is shown for every order of these
        rows, so the certificate holds wherever the cells begin. Its threshold is never below that of the score table.

        >>> import numpy as np
        >>> import rocksteady as rs
        >>> rng = np.random.default_rng(0)
        >>> scores = rng.random(2_000)
        >>> actual = rng.random(2_000) < scores
        >>> rs.ScoreSketch(actual, scores, cells=500).certify("precision >= 0.8")
        score >= 0.6328125: precision >= 0.8 in the population (95 % confidence).
        precision 0.8283, at least 0.8038, on 2000 rows; thresholds tested: 158.
        """
        from rocksteady.scores.certified.certificate import certified, typed  # noqa: PLC0415 (few programs need it)

        given = None if thresholds is None else numbers(thresholds, "thresholds").astype(np.float64)
        found = certified(self._of_cells(), conditions, confidence, given, start_rows)
        for threshold in [] if given is None else given.tolist():
            fewest, most = self._state.at(threshold, ">=")
            if fewest != most:
                raise InputError(
                    f"thresholds has {threshold!r}, which lies within a cell, so its counts are known within bounds only; "
                    f"make the sketch with thresholds=[{threshold!r}, ...]",
                    argument="thresholds",
                )
        edges = tuple(self.thresholds.tolist())
        return replace(found, pos_label=typed(self.pos_label), cells=self.cells, edges=edges)

    def _of_cells(self) -> ScoreTable:
        """The score table if each row had the least score that its cell can hold: the same counts where cells begin."""
        (fp, _, _), (tp, _, _) = _rocksteady.bands_of_sketch(self._state, ["fp", "tp"])
        least = self._state.least_scores()
        return ScoreTable.from_counts(
            least,
            np.diff(tp),
            np.diff(fp),
            weighted=self._state.is_weighted,
            nan_policy="best" if np.isnan(least[:1]).any() else "worst",
            infinite="allow",
        )

    def score_table(self) -> ScoreTable:
        """The score table of the rows, of a sketch that `is_exact`.

        Raises
        ------
        rocksteady.InputError
            If some cell has rows of several scores.

        >>> import rocksteady as rs
        >>> rows = [0, 1, 1], [0.2, 0.9, 0.4]
        >>> rs.ScoreSketch(*rows).score_table() == rs.ScoreTable(*rows)
        True
        """
        state = self._state.table()
        if state is None:
            raise InputError(
                "the sketch has cells that join several scores, so there is no exact score table; bounds() gives bounds"
            )
        return ScoreTable._of(state)

    def __repr__(self) -> str:
        negative, positive = (f" (class {class_named(label)})" if label is not None else "" for label in self.labels)
        sizes = f"{number(self.positives, 15)} positive{positive}, {number(self.negatives, 15)} negative{negative}"
        known = "exact" if self.is_exact else f"coarseness {self.coarseness}"
        return f"<rocksteady.ScoreSketch of {number_of(self.rows, 'row')} in {number_of(len(self), 'cell')}, {known}; {sizes}>"

    _repr_html_ = repr_html


class SketchCollector:
    """Collects scores batch by batch for one `ScoreSketch`, in bounded memory.

    What the labels mean is fixed over the whole stream, never inferred from a batch. A refused batch leaves the
    collector as it was. Several threads may fill it; neither the order of the batches nor where they are cut changes
    the sketch.

    It is not pickled: send its `sketch`, which is smaller; the sketches of several collectors add up, to the bit, to
    that of all their rows.

    A batch on a GPU is copied there and waits for the first question, as in a `ScoreCollector`.

    Parameters
    ----------
    pos_label, labels, cells, thresholds, nan_policy, infinite
        As for `ScoreSketch`.

    Examples
    --------
    >>> import rocksteady as rs
    >>> collector = rs.SketchCollector()
    >>> collector.update([0, 0], [0.1, 0.4])
    >>> collector.update([1, 1], [0.35, 0.8])
    >>> collector.sketch()["roc_auc"]
    0.75
    """

    __slots__ = ("_on_device", "_options", "_order", "_pos_label", "_state")

    def __init__(
        self,
        *,
        pos_label: object = None,
        labels: Iterable[object] | None = None,
        cells: int = CELLS,
        thresholds: Iterable[float] = _ALWAYS,
        nan_policy: NanPolicy = "raise",
        infinite: Infinite = "raise",
    ) -> None:
        self._order: list[Any] | None = None  # for ordered categories
        self._pos_label = pos_label
        self._options = (nan_policy, infinite)
        self._on_device: Any = None  # batches that wait there
        self._state = _rocksteady.SketchCollectorState(
            pos_label, labels, cells, _edges(thresholds), nan_policy, infinite
        )

    def __reduce__(self) -> NoReturn:
        raise InputTypeError("a SketchCollector cannot be pickled; pickle its sketch(), and add sketches up")

    @property
    def rows(self) -> int:
        """The number of rows taken so far. Those that wait on a device are counted first."""
        return self._counted().rows

    def __repr__(self) -> str:
        waiting = "" if self._on_device is None else str(self._on_device)
        return f"<rocksteady.SketchCollector of {number_of(self._state.rows, 'row')} so far{waiting}>"

    _repr_html_ = repr_html

    def update(self, y_true: ArrayLike, y_score: ArrayLike, *, sample_weight: ArrayLike | None = None) -> None:
        """Takes one batch; all batches have weights, or none has.

        Parameters
        ----------
        y_true, y_score, sample_weight
            As for `ScoreSketch`.

        Raises
        ------
        rocksteady.InputError, rocksteady.InputTypeError
            As for `ScoreSketch`, and for weights in some batches only. What is wrong with the rows of a batch on a GPU is
            raised by the first question, such as `sketch`.
        """
        paired(y_true, {"y_score": y_score, "sample_weight": sample_weight})
        # Losses depend on the positive label, so the first batch with ordered categories decides it.
        positive = positive_in_order(y_true) if self._pos_label is None and self._order is None else None
        try:
            self._state.update((y_true, y_score, sample_weight), positive)
        except (InputError, InputTypeError) as error:
            if any(map(elsewhere, (y_true, y_score))):
                from rocksteady.devices.batches import take  # noqa: PLC0415 (few programs need it)

                take(self, (y_true, y_score, sample_weight))
                return
            raise hints.of_scores(error, y_true, y_score) from None
        order = categories_in_order(y_true) if self._order is None else None
        if order is not None:
            self._order = order

    def _counted(self) -> _rocksteady.SketchCollectorState:
        """The state with all batches that wait on a device."""
        if self._on_device is not None:
            self._on_device.count(lambda rows: self._state.update(rows, None))
        return self._state

    def sketch(self) -> ScoreSketch:
        """The sketch of all rows taken so far."""
        state, positive = self._counted(), None
        if self._pos_label is None and self._order is not None:
            positive = later_of(self._order, set(state.labels()))
        return ScoreSketch._of(state.sketch(positive))
