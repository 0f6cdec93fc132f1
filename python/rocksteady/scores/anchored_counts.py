"""Counts around the scores of a rare class: exact rankings from two passes over the data."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NoReturn

from rocksteady import _rocksteady
from rocksteady.base import hints
from rocksteady.base.arguments import wrong_type, wrong_value
from rocksteady.base.statistic import Statistic, TwoClasses
from rocksteady.base.table import class_named, number, number_of, repr_html
from rocksteady.base.warning import warn
from rocksteady.columns.pairing import paired
from rocksteady.errors import InputError, InputTypeError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from rocksteady.base.arguments import Infinite, NanPolicy


class ScoreAnchors(Statistic):
    """The distinct scores of the rows of one class: what `AnchoredCounts` are anchored at.

    The first of two passes over the data. Additive: the anchors of two parts add up to those of both.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Class labels, two kinds at most.
    y_score : array-like of shape (n,)
        Any real scores.
    pos_label : label
        The positive class, which should be the rare one.
    nan_policy, infinite
        As for `ScoreTable`.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        As for `ScoreTable`, and without a `pos_label`.

    Examples
    --------
    >>> import rocksteady as rs
    >>> parts = [([0, 1, 0], [0.1, 0.4, 0.6]), ([0, 0, 1], [0.2, 0.3, 0.8])]
    >>> anchors = sum(rs.ScoreAnchors(y, score, pos_label=1) for y, score in parts)
    >>> anchors
    <rocksteady.ScoreAnchors: 2 distinct scores of 2 rows (class 1)>
    """

    __slots__ = ()

    _State = _rocksteady.ScoreState

    _state: _rocksteady.ScoreState

    def __init__(
        self,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: object,
        nan_policy: NanPolicy = "raise",
        infinite: Infinite = "raise",
    ) -> None:
        if pos_label is None:
            raise wrong_value(pos_label, "pos_label", "the label of the rare class")
        paired(y_true, {"y_score": y_score})
        try:
            table = _rocksteady.ScoreState.sweep((y_true, y_score, None), (pos_label, nan_policy, infinite))
        except (InputError, InputTypeError) as error:
            raise hints.of_scores(error, y_true, y_score) from None
        self._state = _rocksteady.score_anchors(table)

    def __sub__(self, other: object) -> NoReturn:
        raise InputTypeError("anchors are not taken from each other")

    def value(self, name: str, **parameters: object) -> NoReturn:  # noqa: ARG002 (as of every statistic)
        """Anchors have no indices."""
        raise InputTypeError(f"{name} is not known after the first pass; AnchoredCounts have it after the second")

    why = value

    @property
    def pos_label(self) -> object:
        """The class whose scores were gathered."""
        return self._state.labels()[1]

    @property
    def rows(self) -> int:
        """The number of rows of the class."""
        return self._state.rows

    def __len__(self) -> int:
        """The number of distinct scores."""
        return len(self._state)

    def __repr__(self) -> str:
        return (
            f"<rocksteady.ScoreAnchors: {number_of(len(self), 'distinct score')} of {number_of(self.rows, 'row')} (class "
            f"{class_named(self.pos_label)})>"
        )

    _repr_html_ = repr_html


class AnchoredCounts(TwoClasses, Statistic):
    """Counts of both classes at the scores of a rare class and between them: the second of two passes over the data.

    AUC, Gini, Kolmogorov-Smirnov distance and pairs of rows are exact, as which of the negatives between two positives
    scores higher changes none of them. Average precision and the H-measure agree with a table to 1e-13. Memory grows
    with the distinct scores of the positive class, not with the rows. Additive: the parts of a data set add up in any
    order to the counts of the whole, to the bit, without bringing rows of one score together.

    Parameters
    ----------
    anchors : ScoreAnchors
        Of all rows of the data set, from a first pass.
    y_true, y_score : array-like of shape (n,)
        Rows of the second pass.
    sample_weight : array-like of shape (n,), optional
        Finite and not negative; for all parts or for none.
    nan_policy, infinite
        As for `ScoreTable`.

    Raises
    ------
    rocksteady.InputError
        As for `ScoreTable`; if a positive row has a score that the first pass did not gather; if the anchors are of no
        row.

    Warns
    -----
    rocksteady.RocksteadyWarning
        When an index is read, if the positive class has more rows than the other, so that `ScoreTable` takes no more.

    Examples
    --------
    >>> import rocksteady as rs
    >>> parts = [([0, 1, 0], [0.1, 0.4, 0.6]), ([0, 0, 1], [0.2, 0.3, 0.8])]
    >>> anchors = sum(rs.ScoreAnchors(y, score, pos_label=1) for y, score in parts)
    >>> counts = sum(rs.AnchoredCounts(anchors, y, score) for y, score in parts)
    >>> counts["roc_auc"], counts["ks"], round(counts["average_precision"], 6)
    (0.875, 0.75, 0.833333)
    """

    __slots__ = ()

    _State = _rocksteady.AnchoredState

    _state: _rocksteady.AnchoredState

    def __init__(
        self,
        anchors: ScoreAnchors,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        nan_policy: NanPolicy = "raise",
        infinite: Infinite = "raise",
    ) -> None:
        if not isinstance(anchors, ScoreAnchors):
            raise wrong_type(anchors, "anchors", "ScoreAnchors of a first pass")
        paired(y_true, {"y_score": y_score, "sample_weight": sample_weight})
        try:
            self._state = _rocksteady.AnchoredState.count(
                anchors._state, (y_true, y_score, sample_weight), (None, nan_policy, infinite)
            )
        except (InputError, InputTypeError) as error:
            raise hints.of_scores(error, y_true, y_score) from None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all indices that `value` answers."""
        return tuple(self._state.names())

    def value(self, name: str, **parameters: object) -> float:
        """One index of the whole ranking.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it is not exact for these counts: see `names`.
        rocksteady.InputError
            If the second pass has not met all rows of the first: a part of the data is missing.
        """
        self._check()
        found = self._state.value(name, parameters)[0]
        if self.positives > self.negatives > 0:
            warn(
                f"the class {class_named(self.labels[1])}, around which rows are counted, is not the rare one; a "
                "ScoreTable takes no more memory"
            )
        return found

    def why(self, name: str, **parameters: object) -> str | None:
        """Why the index is undefined; None if it is defined."""
        self._check()
        return self._state.value(name, parameters)[1]

    def _check(self) -> None:
        if self._state.missing:
            raise InputError(
                f"the second pass has not met {self._state.missing} of the positive rows of the first; add the counts "
                "of all parts before you ask for an index"
            )

    def __repr__(self) -> str:
        sizes = f"{number(self.positives, 15)} positive, {number(self.negatives, 15)} negative"
        rows, anchors = number_of(self.rows, "row"), number_of(self._state.anchors, "score")
        return f"<rocksteady.AnchoredCounts of {rows} around {anchors}; {sizes}>"

    _repr_html_ = repr_html


class AnchoredCollector:
    """Collects `AnchoredCounts` batch by batch, in two passes over the same batches.

    Parameters
    ----------
    pos_label, nan_policy, infinite
        As for `ScoreAnchors`.

    Examples
    --------
    >>> import rocksteady as rs
    >>> batches = [([0, 1, 0], [0.1, 0.4, 0.6]), ([0, 0, 1], [0.2, 0.3, 0.8])]
    >>> collector = rs.AnchoredCollector(pos_label=1)
    >>> for y, score in batches:
    ...     collector.update(y, score)
    >>> collector.second_pass()
    >>> for y, score in batches:
    ...     collector.update(y, score)
    >>> collector.counts()["roc_auc"]
    0.875
    """

    __slots__ = ("_anchors", "_counts", "_how", "_label")

    def __init__(self, *, pos_label: object, nan_policy: NanPolicy = "raise", infinite: Infinite = "raise") -> None:
        self._label = pos_label
        self._how: Any = {"nan_policy": nan_policy, "infinite": infinite}
        self._anchors: list[Any] = []  # of as many batches each as have come since twice as many
        self._counts: list[Any] | None = None  # in the second pass

    def update(self, y_true: ArrayLike, y_score: ArrayLike, *, sample_weight: ArrayLike | None = None) -> None:
        """Takes a batch of rows. The first pass has no use for their weights.

        Raises
        ------
        rocksteady.InputError
            As for `ScoreAnchors`, and in the second pass as for `AnchoredCounts`.
        """
        if self._counts is None:
            _add(self._anchors, ScoreAnchors(y_true, y_score, pos_label=self._label, **self._how))
            return
        _add(self._counts, AnchoredCounts(self.anchors(), y_true, y_score, sample_weight=sample_weight, **self._how))

    def second_pass(self) -> None:
        """Begins the second pass, in which `update` takes the same batches again.

        Raises
        ------
        rocksteady.InputError
            If the first pass had no rows.
        """
        self._anchors = [(math.inf, self.anchors())]
        self._counts = []

    def anchors(self) -> ScoreAnchors:
        """What the first pass has gathered."""
        found: ScoreAnchors = _sum(self._anchors, "update() takes them")
        return found

    def counts(self) -> AnchoredCounts:
        """What the second pass has counted."""
        found: AnchoredCounts = _sum(self._counts or [], "second_pass() and then update() take them")
        return found

    def __repr__(self) -> str:
        if self._counts is not None:
            rows = self.counts().rows if self._counts else 0
            return f"<rocksteady.AnchoredCollector in its second pass: {number_of(rows, 'row')} so far>"
        gathered = self.anchors().rows if self._anchors else 0
        return f"<rocksteady.AnchoredCollector in its first pass: {number_of(gathered, 'positive row')} so far>"

    _repr_html_ = repr_html


def _add(parts: list[Any], part: Any) -> None:
    """Add a part like a binary counter with carries, so that each row is merged only a few times."""
    size = 1.0
    while parts and parts[-1][0] <= size:
        more, before = parts.pop()
        size, part = size + more, before + part
    parts.append((size, part))


def _sum(parts: list[Any], remedy: str) -> Any:
    if not parts:
        raise InputError(f"there are no rows; {remedy}")
    total = parts[-1][1]
    for _, part in reversed(parts[:-1]):
        total = part + total
    return total
