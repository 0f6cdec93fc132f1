"""The label ledger: a ranking of rows some of whose labels are not known, and bounds that hold whatever they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rocksteady.base.bounds import Bounds
from rocksteady.base.record import Record
from rocksteady.base.table import number
from rocksteady.columns.complete import refuse_missing
from rocksteady.columns.pairing import paired
from rocksteady.errors import InputError, InputTypeError
from rocksteady.scores.score_table import ScoreTable
from rocksteady.scores.unknown_labels.areas import area_bounds, outwards
from rocksteady.scores.unknown_labels.ledger import Ledger, Rows, no_bounds, whatever_they_are
from rocksteady.scores.unknown_labels.ledger_counts import LedgerCounts
from rocksteady.scores.unknown_labels.placed import Placed, allowed
from rocksteady.scores.unknown_labels.sweeps import LOSSES, average_precision_bounds, ks_bounds, loss_bounds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from rocksteady.base.arguments import Infinite, NanPolicy
    from rocksteady.scores.thresholds import Side
    from rocksteady.scores.unknown_labels.ledger import Shares

#: From here on a float64 may stand for several counts.
_WHOLE: Final = 2**53


@dataclass(frozen=True, slots=True, repr=False)
class LabelEstimates(Record):
    """The bounds of an index over all unknown labels, and beside them two estimates: `rocksteady.scores.LabelLedger.estimated`.

    Attributes
    ----------
    index : str
        The name of the index.
    unknown_rows : int
        The number of rows with unknown labels.
    low, high : float
        The bounds.
    at_random : float
        The value of the rows with known labels: an estimate if labels are missing at random.
    calibrated : float
        The value that the scores promise (CBPE): an estimate if they are calibrated probabilities; NaN if they are none.
    at_random_is_possible, calibrated_is_possible : bool
        Whether the estimate lies within the bounds. If not, no labels give it.
    prevalence : tuple of two float, or None
        The shares of positives among the unknown labels that the bounds are for; None for all shares.
    """

    index: str
    unknown_rows: int
    low: float
    high: float
    at_random: float
    calibrated: float
    at_random_is_possible: bool
    calibrated_is_possible: bool
    prevalence: tuple[float, float] | None = None

    def __repr__(self) -> str:
        ends, which = (self.low, self.high), "no labels" if self.prevalence is None else "no such labels"
        lines = [f"{whatever_they_are(self.index, ends, self.unknown_rows, prevalence=self.prevalence)}."]
        for name, value, is_possible in (
            ("If they are missing at random", self.at_random, self.at_random_is_possible),
            ("If the scores are calibrated (CBPE)", self.calibrated, self.calibrated_is_possible),
        ):
            if np.isnan(value):
                lines.append(f"{name}: no value.")
            else:
                outside = "" if is_possible else f", which {which} give: it lies outside the bounds"
                lines.append(f"{name}: {number(value, 3)}{outside}.")
        return "\n".join(lines)


class LabelLedger(Ledger):
    """Scores of rows some of whose labels are not known, and bounds of indices that hold whatever these labels are.

    It is two tables of scores: one of the rows with a label, one of those without. So it is additive as `ScoreTable` is, and
    a label that arrives moves its row from one table to the other: `with_labels`.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Class labels, two kinds at most. A missing one (None, NaN, a null) is not known.
    y_score : array-like of shape (n,)
        Any real scores. Predicted classes are scores, too: ``y_pred == "yes"``, with ``at(1)``.
    unknown_label : label, optional
        What also stands for a label that is not known, such as -1 or "open".
    pos_label : label, optional
        The positive class. Default: the greater label; of ordered categories the later one.
    nan_policy : {"raise", "omit", "worst", "best"}
        What to do with a missing score: see `ScoreTable`.
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
    Bounds hold for these rows; they say nothing of how an index scatters from sample to sample. They take nothing for
    granted: labels may be missing for any reason. Rows have no weights.

    Examples
    --------
    >>> import rocksteady as rs
    >>> ledger = rs.scores.LabelLedger([1, 0, None, 1, 0, None], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1])
    >>> ledger
    <rocksteady.scores.LabelLedger of 6 rows, 2 with unknown labels; 2 positive (class 1), 2 negative (class 0)>
    >>> found = ledger.bounds("roc_auc")
    >>> round(found.low, 4), round(found.high, 4), found.kind
    (0.4444, 0.7778, 'sharp')
    >>> later = ledger.with_labels([1, 0], [0.7, 0.1])
    >>> later["roc_auc"] == rs.ScoreTable([1, 0, 1, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1])["roc_auc"]
    True
    """

    __slots__ = ()

    _Part = ScoreTable
    _KIND = b"U"
    _bounded = ("roc_auc", "gini", "average_precision", "ks", "brier", "log_loss")

    _state: tuple[ScoreTable, ScoreTable]  # the second has all rows as negatives

    def __init__(
        self,
        y_true: ArrayLike | Sequence[Any],
        y_score: ArrayLike,
        *,
        unknown_label: Any = None,
        pos_label: object = None,
        nan_policy: NanPolicy = "raise",
        infinite: Infinite = "raise",
        align: bool = False,
    ) -> None:
        rows = Rows.of(y_true, y_score, unknown_label, pos_label, align)
        options: Any = {"nan_policy": nan_policy, "infinite": infinite}
        with rows.named(rows.is_known):
            known = ScoreTable(rows.labels, rows.scores, pos_label=pos_label, **options)
        with rows.named(rows.is_unknown):
            unknown = ScoreTable(np.zeros(len(rows.others), bool), rows.others, pos_label=True, **options)
        self._state = known, _NONE + unknown

    @classmethod
    def _of_tables(cls, known: ScoreTable, unknown: ScoreTable) -> LabelLedger:
        """The ledger of the rows with a label, and of those without one, which are negatives."""
        return cls._of((known, _NONE + unknown))

    @classmethod
    def from_counts(
        cls,
        scores: ArrayLike,
        positives: ArrayLike,
        negatives: ArrayLike,
        unknown: ArrayLike,
        *,
        labels: ArrayLike | None = None,
        pos_label: object = None,
        nan_policy: NanPolicy = "raise",
        infinite: Infinite = "raise",
    ) -> LabelLedger:
        """The ledger of scores that were counted elsewhere: what ``GROUP BY score`` gives.

        Parameters
        ----------
        scores : array-like of shape (n,)
            In any order. The numbers of a score that is there more than once are added.
        positives, negatives, unknown : array-like of shape (n,)
            The number of rows of each class, and of those with an unknown label, that have the score.
        labels, pos_label, nan_policy, infinite
            As for `ScoreTable.from_counts`.

        Raises
        ------
        rocksteady.InputError
            As `ScoreTable.from_counts`, and if a number is not whole.

        >>> import rocksteady as rs
        >>> ledger = rs.scores.LabelLedger.from_counts([0.2, 0.7], [300, 500], [600, 100], [50, 0])
        >>> ledger.unknown_rows, round(ledger.bounds("roc_auc").low, 4)
        (50, 0.7227)
        """
        options: Any = {"nan_policy": nan_policy, "infinite": infinite, "weighted": False}
        known = ScoreTable.from_counts(scores, positives, negatives, labels=labels, pos_label=pos_label, **options)
        paired(scores, {"unknown": unknown}, first="scores")
        try:
            none = np.zeros(np.shape(unknown), np.int64)
            others = ScoreTable.from_counts(scores, none, unknown, labels=[False, True], pos_label=True, **options)
        except (InputError, InputTypeError) as error:
            raise type(error)(str(error).replace("negatives", "unknown"), argument="unknown", row=error.row) from None
        return cls._of_tables(known, others)

    @property
    def known_table(self) -> ScoreTable:
        """The table of the rows with known labels."""
        return self._state[0]

    @property
    def rows(self) -> int:
        """The number of rows counted."""
        return self.known_table.rows + self.unknown_rows

    @property
    def unknown_rows(self) -> int:
        """The number of rows with unknown labels."""
        return self._state[1].rows

    def with_labels(self, y_true: ArrayLike, y_score: ArrayLike) -> LabelLedger:
        """The ledger after labels of some of its rows have arrived.

        Parameters
        ----------
        y_true, y_score : array-like of shape (n,)
            The labels, and the scores that these rows have in the ledger.

        Raises
        ------
        rocksteady.InputError
            If a score has fewer rows with unknown labels.

        >>> import rocksteady as rs
        >>> ledger = rs.scores.LabelLedger([1, 0, None], [0.9, 0.2, 0.4])
        >>> ledger.with_labels([0], [0.4]).unknown_rows
        0
        """
        refuse_missing(y_true, "y_true", "a label that has arrived")
        arrived = ScoreTable(y_true, y_score, pos_label=self.pos_label)
        moved = ScoreTable(np.zeros(arrived.rows, bool), y_score, pos_label=True)
        known, unknown = self._state
        try:
            rest = unknown - moved
        except InputError as error:
            expected = "expected scores of rows whose label is not known"
            raise InputError(
                f"y_score has more rows of a score than the ledger without a label ({error}); {expected}"
            ) from None
        try:
            return self._of((known + arrived, rest))
        except InputError as error:
            raise InputError(f"y_true has other labels than the ledger ({error})", argument="y_true") from None

    def at(self, threshold: float, *, side: Side = ">=", prevalence: Shares | None = None) -> LedgerCounts:
        """The counts when rows with ``score >= threshold`` (or ``>``) are predicted positive.

        Parameters
        ----------
        threshold : float
            One number.
        side : {">=", ">"}
            Whether a score at the threshold is predicted positive.
        prevalence : tuple of two float, optional
            As for `bounds`.

        >>> import rocksteady as rs
        >>> ledger = rs.scores.LabelLedger([1, 0, None, 1, 0, None], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1])
        >>> print(ledger.at(0.5).summary(["precision", "recall"]))
        index           low  high
        precision       0.5  0.75
        recall     0.666666     1
        """
        known, unknown = (table.at(threshold, side=side) for table in self._state)
        if known.shape:
            raise InputError(f"threshold has shape {known.shape}; expected one number", argument="threshold")
        others = int(unknown.fp), int(unknown.tn)
        return LedgerCounts(known, others, allowed(prevalence, self.unknown_rows))

    def bounds(self, name: str, *, prevalence: Shares | None = None, **parameters: object) -> Bounds:
        """What is known for certain of an index of the ranking, whatever the unknown labels are.

        Parameters
        ----------
        name : str
            "roc_auc", "gini", "average_precision", "ks", "brier" or "log_loss". Where all labels are known, any index of a
            `ScoreTable`.
        prevalence : tuple of two float, optional
            The least and the greatest share of positives among the rows with unknown labels, if that is known. Default: 0
            to 1, so nothing is taken for granted.
        **parameters
            Parameters of the index, where all labels are known.

        Returns
        -------
        Bounds
            Rounded outwards. Its kind is "sharp" where some labels attain both: for the areas and losses, and for the
            average precision where no unknown label ties with another row. "proven": no labels give a value outside, and
            perhaps none gives the bound. Labels for which the index is undefined are left out. Where there are no bounds,
            `why` says why.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it needs a threshold: then ``ledger.at(0.5).bounds(name)``.
        rocksteady.InputError
            If `prevalence` is no range of shares, or no whole number of rows has such a share.

        >>> import rocksteady as rs
        >>> ledger = rs.scores.LabelLedger([1, 0, None, 1, 0, None], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1])
        >>> found = ledger.bounds("roc_auc", prevalence=(0.5, 0.5))
        >>> round(found.low, 4), round(found.high, 4)
        (0.4444, 0.7778)
        """
        known, unknown = self._state
        asked = self._asked(name)
        value, why = known._state.value(asked, parameters)
        ends = least, most = allowed(prevalence, self.unknown_rows)
        if not self.unknown_rows:
            return Bounds(value, value, value, why, why is not None, "sharp")
        if asked not in self._bounded:
            return no_bounds(
                f"Bounds over all labels are known of {', '.join(self._bounded)}, not of {asked}; those of every index of counts "
                "are at(threshold).bounds(name)."
            )
        placed = Placed.of(known, unknown)
        if asked in LOSSES:
            if not (known._state.are_probabilities and unknown._state.are_probabilities):
                return no_bounds("The scores are no probabilities: they lie outside 0 to 1.")
            low, high, is_sharp = loss_bounds(asked, known, unknown, placed, ends)
            return Bounds(low, high, None, kind="sharp" if is_sharp else "proven")
        # With one class alone the index is undefined.
        has_negatives = asked != "average_precision"
        ends = (
            max(least, int(not placed.positives)),
            min(most, self.unknown_rows - int(not placed.negatives and has_negatives)),
        )
        if ends[0] > ends[1]:
            return no_bounds("No labels that are allowed give rows of both classes.")
        may_be_undefined = ends != (least, most)
        if asked in ("roc_auc", "gini"):
            ratios = area_bounds(placed, (int(known._state.twice_area(), 16),) * 2, *ends)
            slack = 1e-14 if self.rows >= _WHOLE else 0.0
            low, high = outwards(*((2 * each - 1 if asked == "gini" else each) for each in ratios))
            low, high = max(low - slack, -1.0 if asked == "gini" else 0.0), min(high + slack, 1.0)
            value = float(2 * ratios[0] - 1 if asked == "gini" else ratios[0])
            if slack or may_be_undefined or ratios[0] != ratios[1]:
                return Bounds(low, high, None, None, may_be_undefined, "sharp")
            return Bounds(value, value, value, kind="sharp")
        found = ks_bounds if asked == "ks" else average_precision_bounds
        low, high, is_sharp = found(known, unknown, placed, ends)
        return Bounds(low, high, None, None, may_be_undefined, "sharp" if is_sharp else "proven")

    def estimated(self, name: str, *, prevalence: Shares | None = None) -> LabelEstimates:
        """The bounds of an index, and beside them the values that two assumptions give.

        Parameters
        ----------
        name, prevalence
            As for `bounds`.

        Returns
        -------
        LabelEstimates
            Of labels missing at random it has the value of the known ones; of calibrated scores the value with each unknown
            row of score s counted as s of a positive and 1 - s of a negative row (`rocksteady.scores.estimated_without_labels`).
            An estimate may lie outside the bounds. Then no labels give it, and it says so.

        Raises
        ------
        rocksteady.UnknownIndexError
            As `bounds`.
        rocksteady.InputError
            As `bounds`, and if the index has no bounds.

        >>> import rocksteady as rs
        >>> ledger = rs.scores.LabelLedger([1, None, 0], [0.9, 0.5, 0.2])
        >>> ledger.estimated("roc_auc")
        roc_auc: 1 to 1 whatever the unknown label is.
        If they are missing at random: 1.
        If the scores are calibrated (CBPE): 0.944, which no labels give: it lies outside the bounds.
        """
        found = self.bounds(name, prevalence=prevalence)
        asked = self._asked(name)
        if np.isnan(found.low):
            raise InputError(f"{asked} has no bounds here: {found.why}", argument="name")
        values = self.known_table.value(asked), self._calibrated(asked)
        random, calibrated = (bool(np.isnan(value) or found.low <= value <= found.high) for value in values)
        ends = None if prevalence is None else (float(prevalence[0]), float(prevalence[1]))
        return LabelEstimates(asked, self.unknown_rows, found.low, found.high, *values, random, calibrated, ends)

    def _calibrated(self, name: str) -> float:
        known, unknown = self._state
        if not (known._state.are_probabilities and unknown._state.are_probabilities):
            return np.nan
        scores = [np.asarray(table.thresholds[1:], np.float64) for table in self._state]
        counts, others = known.counts(), np.diff(unknown.counts().fp)
        up, down = others * scores[1], others * (1 - scores[1])
        pairs = scores, (np.diff(counts.tp), up), (np.diff(counts.fp), down)
        each = (np.concatenate(pair) for pair in pairs)
        return ScoreTable.from_counts(*each, weighted=True).value(name)

    @staticmethod
    def _belong(known: ScoreTable, unknown: ScoreTable) -> bool:
        is_alike = unknown.labels == (False, True) and not unknown.positives
        return is_alike and known._state.placements(unknown._state) is not None


#: No rows, with both labels named: the sum of parts has the same bytes whether or not a part has unknown labels.
_NONE: Final = ScoreTable.from_counts([], [], [], labels=[False, True], pos_label=True)
