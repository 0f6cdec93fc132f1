"""Exact sums over probabilities: log loss and Brier score, additive like every statistic."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from rocksteady import _rocksteady
from rocksteady.base import hints
from rocksteady.base.arguments import flag
from rocksteady.base.statistic import Labelled, Statistic, Weighed
from rocksteady.base.table import Table, number, number_of
from rocksteady.columns.categories import positive_in_order, refuse_one_class
from rocksteady.columns.pairing import paired
from rocksteady.errors import InputError, InputTypeError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike

    from rocksteady.base.arguments import WeightKind
    from rocksteady.inference.interval import Interval, Method, Side


class ProbabilitySums(Labelled, Weighed, Statistic):
    """The sums behind the log loss and the Brier score of two-class probabilities.

    Additive: `a + b` is, to the bit, the statistic of the pooled rows.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Class labels, two kinds at most.
    y_score : array-like of shape (n,)
        The probability of the positive class, in [0, 1].
    pos_label : label, optional
        Default: the greater label; of ordered categories the later one.
    sample_weight : array-like of shape (n,), optional
        Finite and not negative.
    weight_kind : {"counts", "sampling"}
        What a weight means for intervals: so many rows, or how much one row of a sample counts. Sums of both kinds do
        not add.
    squares : bool
        Whether to keep the sums of the squared losses, which `interval` needs. Sampling weights always keep them. It
        takes up to twice as long.

    Raises
    ------
    rocksteady.InputError
        If a value is not a probability, with its row.
    rocksteady.InputTypeError
        For a type or dtype that cannot be used.

    Examples
    --------
    >>> import rocksteady as rs
    >>> sums = rs.ProbabilitySums([0, 1, 1], [0.2, 0.7, 0.9])
    >>> round(sums["log_loss"], 6), round(sums["brier"], 6)
    (0.228393, 0.046667)
    """

    __slots__ = ()

    _State = _rocksteady.ProbabilityState

    _state: _rocksteady.ProbabilityState

    def __init__(
        self,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        weight_kind: WeightKind = "counts",
        squares: bool = False,
    ) -> None:
        paired(y_true, {"y_score": y_score, "sample_weight": sample_weight})
        positive = positive_in_order(y_true) if pos_label is None else pos_label
        try:
            self._state = _rocksteady.ProbabilityState.sum(
                (y_true, y_score, sample_weight), positive, weight_kind, flag(squares, "squares")
            )
        except (InputError, InputTypeError) as error:
            raise hints.of_scores(error, y_true, y_score) from None
        refuse_one_class(self._state.labels(), positive)

    def value(self, name: str, **parameters: object) -> float:
        """One index of the probabilities: "log_loss" (in nats) or "brier".

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it is none of probabilities.
        """
        return self._state.value(name, parameters)[0]

    @property
    def keeps_squares(self) -> bool:
        """Whether the squares of the losses are kept, so that there are intervals. A sum keeps them if both parts do."""
        return self._state.keeps_squares

    @overload
    def interval(  # type: ignore[overload-overlap]  # a string is a name, not names
        self, name: str, *, level: float = 0.95, method: Method | None = None, side: Side = "two-sided"
    ) -> Interval: ...

    @overload
    def interval(
        self, name: Iterable[str], *, level: float = 0.95, method: Method | None = None, side: Side = "two-sided"
    ) -> Table: ...

    def interval(
        self,
        name: str | Iterable[str],
        *,
        level: float = 0.95,
        method: Method | None = None,
        side: Side = "two-sided",
    ) -> Interval | Table:
        """The mean loss, or several, with intervals of confidence: those of `ScoreTable.interval`.

        Rows are taken to be independent. The sums must keep the squares of the losses (``squares=True``, or
        ``weight_kind="sampling"``).

        Parameters
        ----------
        name : str or list of str
            "log_loss", "brier" or "root_mean_squared_error".
        level : float
            Between 0 and 1.
        method : {"logarithm", "normal"}, optional
            On the scale of the logarithm, which is the default; or the loss plus and minus z standard errors, cut to the
            range.
        side : {"two-sided", "lower", "upper"}
            Both bounds, or only one, which is then the tighter.

        Returns
        -------
        Interval or Table
            Of one name an `Interval`, of several a `Table`.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it is none of probabilities, or the squares were not kept.
        rocksteady.InputError
            If `level`, `method` or `side` is none of these.

        >>> import rocksteady as rs
        >>> sums = rs.ProbabilitySums([0, 1, 1, 0], [0.2, 0.7, 0.9, 0.4], squares=True)
        >>> found = sums.interval("brier")
        >>> round(found.estimate, 6), round(found.low, 6), round(found.high, 6)
        (0.075, 0.031838, 0.176675)
        """
        from rocksteady.inference.interval import Wanted  # noqa: PLC0415 (few programs need it)

        return Wanted(level, method, side, {}).of_probabilities(self._state, name)

    def _ipython_key_completions_(self) -> list[str]:
        from rocksteady._completion import names_of  # noqa: PLC0415 (only a shell needs it)

        return names_of(("probabilities",))

    def __repr__(self) -> str:
        values = ", ".join(f"{name} {number(self[name])}" for name in ("log_loss", "brier"))
        return f"<rocksteady.ProbabilitySums of {number_of(self.rows, 'row')}: {values}>"

    def _repr_html_(self) -> str:
        lines = [("rows", self.rows), *((name, self[name]) for name in ("log_loss", "brier"))]
        return Table(["ProbabilitySums", ""], lines)._repr_html_()
