"""The label ledger: a ranking of rows some of whose labels are not known, and bounds that hold whatever they are."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import data_of, flag
from rocksteady.base.bounds import Bounds, OfBounds, rounded
from rocksteady.base.record import Record
from rocksteady.base.statistic import Statistic
from rocksteady.base.table import class_named, number, repr_html
from rocksteady.base.ways_out import WaysOut
from rocksteady.columns.complete import kept, missing
from rocksteady.columns.pairing import paired, without_index
from rocksteady.errors import InputError, InputTypeError, RocksteadyError
from rocksteady.scores.score_table import ScoreTable
from rocksteady.scores.unknown_labels.areas import area_bounds, outwards
from rocksteady.scores.unknown_labels.ledger_counts import LedgerCounts, table_of
from rocksteady.scores.unknown_labels.placed import Placed, allowed
from rocksteady.scores.unknown_labels.sweeps import LOSSES, average_precision_bounds, ks_bounds, loss_bounds

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from rocksteady.base.arguments import Infinite, NanPolicy
    from rocksteady.base.table import Table
    from rocksteady.scores.thresholds import Side

    Shares = tuple[float, float]

#: The indices of the ranking that have bounds.
_BOUNDED: Final = ("roc_auc", "gini", "average_precision", "ks", "brier", "log_loss")

# The bytes (docs/bytes.md): magic word, kind, version, tag and length of the only section.
_HEAD: Final = b"rockstedU\x03\x01"
_LENGTH: Final = struct.Struct("<Q")

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
    """

    index: str
    unknown_rows: int
    low: float
    high: float
    at_random: float
    calibrated: float
    at_random_is_possible: bool
    calibrated_is_possible: bool

    def _sentence(self, of: str = "", rows: str = "") -> str:
        if not self.unknown_rows:
            return f"{self.index}{of}: {number(self.low, 3)}; all labels{rows} are known"
        # The bounds were rounded outwards already, by the last bit.
        low, high = np.nextafter(self.low, np.inf), np.nextafter(self.high, -np.inf)
        ends = f"{rounded(float(low), 3, ROUND_FLOOR)} to {rounded(float(high), 3, ROUND_CEILING)}"
        one = self.unknown_rows == 1
        labels = "unknown label" if one else f"{self.unknown_rows:,} unknown labels"
        return f"{self.index}{of}: {ends} whatever the {labels}{rows} {'is' if one else 'are'}"

    def __repr__(self) -> str:
        lines = [f"{self._sentence()}."]
        for name, value, is_possible in (
            ("If they are missing at random", self.at_random, self.at_random_is_possible),
            ("If the scores are calibrated (CBPE)", self.calibrated, self.calibrated_is_possible),
        ):
            if np.isnan(value):
                lines.append(f"{name}: no value.")
            else:
                outside = "" if is_possible else ", which no labels give: it lies outside the bounds"
                lines.append(f"{name}: {number(value, 3)}{outside}.")
        return "\n".join(lines)


class LabelLedger(WaysOut, OfBounds, Statistic):
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

    _state: tuple[ScoreTable, ScoreTable]  # the second has all rows as negatives

    def __init__(
        self,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        unknown_label: Any = None,
        pos_label: object = None,
        nan_policy: NanPolicy = "raise",
        infinite: Infinite = "raise",
        align: bool = False,
    ) -> None:
        score: Any = paired(y_true, {"y_score": y_score}, align=flag(align, "align"))["y_score"]
        y_true = without_index(y_true)
        gaps = missing(y_true, "y_true")
        if unknown_label is not None:
            array = np.asarray(y_true)
            marked = np.asarray(array == unknown_label) & np.ones(array.shape, bool)
            gaps = marked if gaps is None else gaps | marked
        if gaps is None or not gaps.any() or gaps.shape != np.shape(score)[:1]:
            labels, scores, rows = y_true, score, None
            others, gaps = np.empty(0), None
        else:
            labels, scores, others = (
                kept(y_true, ~gaps, "y_true"),
                kept(score, ~gaps, "y_score"),
                kept(score, gaps, "y_score"),
            )
        if gaps is not None and gaps.all() and pos_label is None:
            raise InputError("no label of y_true is known; expected one, or pos_label=", argument="y_true")
        options: Any = {"nan_policy": nan_policy, "infinite": infinite}
        try:
            rows = None if gaps is None else ~gaps
            known = ScoreTable(labels, scores, pos_label=pos_label, **options)
            rows = gaps
            unknown = ScoreTable(np.zeros(len(others), bool), others, pos_label=True, **options)
        except (InputError, InputTypeError) as error:
            raise _with_mark(_of_all_rows(error, rows), unknown_label) from None
        self._state = known, _NONE + unknown

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
        return cls._of((known, _NONE + others))

    @property
    def known_table(self) -> ScoreTable:
        """The table of the rows with known labels."""
        return self._state[0]

    @property
    def labels(self) -> tuple[object, object]:
        """The negative and the positive label; None for a label that neither occurred nor was named."""
        return self.known_table.labels

    @property
    def pos_label(self) -> object:
        """The positive label."""
        return self.labels[1]

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
        arrived = ScoreTable(y_true, y_score, pos_label=self.pos_label)
        moved = ScoreTable(np.zeros(arrived.rows, bool), y_score, pos_label=True)
        known, unknown = self._state
        return self._of((known + arrived, unknown - moved))

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
        asked = _rocksteady.index_name(name)
        value, why = known._state.value(asked, parameters)
        ends = least, most = allowed(prevalence, self.unknown_rows)
        if not self.unknown_rows:
            return Bounds(value, value, value, why, why is not None, "sharp")
        if asked not in _BOUNDED:
            return _none(
                f"Bounds over all labels are known of {', '.join(_BOUNDED)}, not of {asked}; those of every index of counts "
                "are at(threshold).bounds(name)."
            )
        placed = Placed.of(known, unknown)
        if asked in LOSSES:
            if not (known._state.are_probabilities and unknown._state.are_probabilities):
                return _none("The scores are no probabilities: they lie outside 0 to 1.")
            low, high, is_sharp = loss_bounds(asked, known, unknown, placed, ends)
            return Bounds(low, high, None, kind="sharp" if is_sharp else "proven")
        # With one class alone the index is undefined.
        has_negatives = asked != "average_precision"
        ends = (
            max(least, int(not placed.positives)),
            min(most, self.unknown_rows - int(not placed.negatives and has_negatives)),
        )
        if ends[0] > ends[1]:
            return _none("No labels that are allowed give rows of both classes.")
        may_be_undefined = ends != (least, most)
        if asked in ("roc_auc", "gini"):
            ratios = area_bounds(placed, int(known._state.twice_area(), 16), *ends)
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
        asked = _rocksteady.index_name(name)
        if np.isnan(found.low):
            raise InputError(f"{asked} has no bounds here: {found.why}", argument="name")
        values = self.known_table.value(asked), self._calibrated(asked)
        possible = [bool(np.isnan(value) or found.low <= value <= found.high) for value in values]
        return LabelEstimates(asked, self.unknown_rows, found.low, found.high, *values, *possible)

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

    def summary(self, *, prevalence: Shares | None = None) -> Table:
        """The bounds of the indices that have some, as a table.

        Parameters
        ----------
        prevalence : tuple of two float, optional
            As for `bounds`.

        >>> import rocksteady as rs
        >>> ledger = rs.scores.LabelLedger([1, 0, None, 1, 0, None], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1])
        >>> ledger.summary().to_frame()[["index", "low", "high"]].head(2).round(3)
             index    low   high
        0  roc_auc  0.444  0.778
        1     gini -0.111  0.556
        """
        return table_of((name, self.bounds(name, prevalence=prevalence)) for name in _BOUNDED)

    def _plus(self, other: LabelLedger) -> LabelLedger:
        return self._of((self._state[0] + other._state[0], self._state[1] + other._state[1]))

    def __sub__(self, other: object) -> LabelLedger:
        if not isinstance(other, LabelLedger):
            return NotImplemented
        return self._of((self._state[0] - other._state[0], self._state[1] - other._state[1]))

    def to_bytes(self) -> bytes:
        """The state in a versioned, little-endian format. Any machine reads it back bit for bit."""
        content = b"".join(_LENGTH.pack(len(part)) + part for part in (table.to_bytes() for table in self._state))
        return _HEAD + _LENGTH.pack(len(content)) + content

    @classmethod
    def from_bytes(cls, data: bytes) -> LabelLedger:
        """Read the ledger that `to_bytes` wrote. Other bytes are refused."""
        try:
            found = cls._read(data_of(data))
        except (RocksteadyError, ValueError, struct.error) as error:
            raise InputError(f"not the bytes of a LabelLedger: {error}", argument="data") from None
        return found

    @classmethod
    def _read(cls, data: bytes) -> LabelLedger:
        if not data.startswith(_HEAD):
            raise ValueError("they begin otherwise, or are of a version that this release does not read")
        tables, start = [], len(_HEAD) + _LENGTH.size
        for _ in range(2):
            end = start + _LENGTH.size + _LENGTH.unpack_from(data, start)[0]
            tables.append(ScoreTable.from_bytes(data[start + _LENGTH.size : end]))
            start = end
        known, unknown = tables
        if unknown.labels != (False, True) or unknown.positives or known._state.placements(unknown._state) is None:
            raise ValueError("their tables are of other labels, or have weights")
        found = cls._of((known, unknown))
        if found.to_bytes() != data:
            raise ValueError("they are written otherwise")
        return found

    def __repr__(self) -> str:
        known = self.known_table
        sizes = zip((known.positives, known.negatives), ("positive", "negative"), self.labels[::-1], strict=True)
        classes = ", ".join(
            f"{number(size, 15)} {name}" + ("" if label is None else f" (class {class_named(label)})")
            for size, name, label in sizes
        )
        return (
            f"<rocksteady.scores.LabelLedger of {self.rows} rows, {self.unknown_rows} with unknown labels; {classes}>"
        )

    _repr_html_ = repr_html


def _none(why: str) -> Bounds:
    return Bounds(np.nan, np.nan, None, why, True)


def _of_all_rows(error: InputError | InputTypeError, mask: NDArray[np.bool_] | None) -> InputError | InputTypeError:
    """The refusal of some of the rows, with the row of the whole column."""
    if mask is None or error.row is None:
        return error
    row = int(np.flatnonzero(mask)[error.row])
    text = str(error).replace(f"[{error.row}]", f"[{row}]", 1)
    return type(error)(text, argument=error.argument, row=row, value=error.value, expected=error.expected)


def _with_mark(error: InputError | InputTypeError, unknown_label: Any) -> InputError | InputTypeError:
    """The refusal of a third label, with the argument that says what it may stand for."""
    if unknown_label is not None or error.argument != "y_true" or error.row is None:
        return error
    said = f"{error}; if this stands for a label that is not known, pass unknown_label="
    return type(error)(said, argument=error.argument, row=error.row, value=error.value, expected=error.expected)


#: No rows, with both labels named: the sum of parts has the same bytes whether or not a part has unknown labels.
_NONE: Final = ScoreTable.from_counts([], [], [], labels=[False, True], pos_label=True)
