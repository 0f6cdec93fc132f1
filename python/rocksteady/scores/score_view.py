"""A ranking of scores beyond memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from rocksteady.base.named_columns import parameters_by_class
from rocksteady.base.statistic import Indexed, TwoClasses
from rocksteady.base.table import Table, class_named, number, number_of, repr_html
from rocksteady.base.ways_out import WaysOut
from rocksteady.errors import InputTypeError
from rocksteady.scores.calibration import ProbabilityQuality
from rocksteady.scores.curves.curves import Curves
from rocksteady.scores.curves.ks import KS
from rocksteady.scores.gains import Gains
from rocksteady.scores.points import CountsAt
from rocksteady.scores.thresholds import Thresholds, _exact

if TYPE_CHECKING:
    from typing import Self

    from numpy.typing import ArrayLike

    from rocksteady import _rocksteady
    from rocksteady.scores.thresholds import Side


# Attributes of a `ScoreTable` beside its curves, thresholds, gains and calibration.
_OF_TABLES = (
    "band",
    "bootstrap",
    "counts",
    "exact",
    "from_bytes",
    "influence",
    "interval",
    "thresholds",
    "to_bytes",
    "to_dict",
)


class _NeedsTableError(InputTypeError, AttributeError):
    """An attribute that only a table of all scores in memory has."""


class ScoreView(WaysOut, TwoClasses, Indexed):
    """What is known of all rows of a collector, without a table of all scores in memory.

    `ScoreCollector.view` makes it. Each value has the bits of that of a `ScoreTable` of the same rows. The rows are in
    a temporary file without a name, ordered by ranges of scores. The first question reads all of them once, from high
    to low. Later ones read what they need: a threshold one range, and an index nothing. Later batches of the collector
    do not change the view.

    It answers `value`, `at`, `ks` and `summary`. Curves over all thresholds, intervals, addition and bytes need a
    `ScoreTable`. A view is not pickled, as the file belongs to its process.

    Examples
    --------
    >>> import rocksteady as rs
    >>> collector = rs.ScoreCollector(memory="64MB")
    >>> collector.update([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> view = collector.view()
    >>> view["roc_auc"], view["gini"], view.value("capture_rate", fraction=0.5)
    (0.75, 0.5, 0.5)
    >>> view.at(0.4)
    Counts(tp=1, fp=1, fn=1, tn=1)
    >>> view.at([0.8, 0.3])["recall"]
    array([0.5, 1. ])
    """

    __slots__ = ("_state",)

    _state: _rocksteady.SpilledState

    def __init__(self) -> None:
        raise InputTypeError("a ScoreView is made by view() of a ScoreCollector")

    @classmethod
    def _of(cls, state: _rocksteady.SpilledState) -> Self:
        view = cls.__new__(cls)
        view._state = state
        return view

    def __getattr__(self, name: str) -> Any:
        if name in _OF_TABLES or any(hasattr(part, name) for part in (Curves, Thresholds, Gains, ProbabilityQuality)):
            raise _NeedsTableError(
                f"{name} needs a table of all scores in memory; collect without memory=, or a sample of the rows"
            )
        return self._no_attribute(name)

    def __reduce__(self) -> NoReturn:
        raise InputTypeError(
            "a ScoreView cannot be pickled, as its rows are in a file of this process; pickle its values"
        )

    def __len__(self) -> int:
        """The number of distinct scores."""
        return self._state.distinct()

    def value(self, name: str, **parameters: object) -> float:
        """One index of the whole ranking.

        Parameters
        ----------
        name : str
            One of `names`: "roc_auc", "ks", "average_precision", "h_measure", "log_loss", "brier" and others.
            "capture_rate" (gain), "enrichment_factor" (lift) and "top_precision" take any ``fraction=`` of the rows.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, if it needs a threshold (then ``view.at(0.5)[name]``), or a table of all scores.
        rocksteady.errors.StorageError
            If the file cannot be read.
        """
        return self._state.value(name, parameters_by_class(parameters, self))[0]

    def __getitem__(self, name: str) -> float:
        return self.value(name)

    def why(self, name: str, **parameters: object) -> str | None:
        """Why the index is undefined; None if it is defined."""
        return self._state.value(name, parameters_by_class(parameters, self))[1]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all indices that `value` answers."""
        return tuple(self._state.names())

    def _ipython_key_completions_(self) -> list[str]:
        return list(self.names)

    def ks(self) -> KS:
        """The Kolmogorov-Smirnov distance of the two classes, the lowest score that reaches it, and its sign."""
        return KS(*self._state.ks())

    def at(self, threshold: ArrayLike, *, side: Side = ">=") -> CountsAt:
        """The four counts when rows with ``score >= threshold`` (or ``>``) are predicted positive.

        Each threshold reads one range of the rows again.

        Parameters
        ----------
        threshold : float, or array-like of any shape
            Any numbers but NaN; infinities too. Each is read as a float64 and compared exactly with the scores.
        side : {">=", ">"}
            Whether a score at the threshold is predicted positive.

        Returns
        -------
        CountsAt
            `Counts` of the shape of `threshold`, so that any index can be read at all of them.

        Raises
        ------
        rocksteady.errors.StorageError
            If the file cannot be read.
        """
        wanted = _exact(threshold, "threshold")
        cells = np.asarray(self._state.counts(wanted.ravel(), side), dtype=np.float64)
        return CountsAt._at(self.labels, [column.reshape(wanted.shape) for column in cells.reshape(-1, 4).T])

    def _answers(self, names: list[str]) -> list[tuple[str, float, str | None]]:
        return [(name, *self._state.value(name, {})) for name in names]

    def summary(self) -> Table:
        """Every index that `value` answers, with default parameters, and why where one has no value."""
        rows = [*self._answers(list(self.names)), ("ks_threshold", self.ks().threshold, None)]
        if all(why is None for _, _, why in rows):
            return Table(["index", "value"], [row[:2] for row in rows])
        return Table(["index", "value", "why"], rows)

    def __repr__(self) -> str:
        negative, positive = ("" if label is None else f" (class {class_named(label)})" for label in self.labels)
        sizes = f"{number(self.positives, 15)} positive{positive}, {number(self.negatives, 15)} negative{negative}"
        return f"<rocksteady.results.ScoreView of {number_of(self.rows, 'row')} in a temporary file; {sizes}>"

    _repr_html_ = repr_html
