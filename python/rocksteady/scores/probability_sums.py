"""Exact sums over probabilities: log loss and Brier score, additive like every statistic."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from rocksteady import _rocksteady
from rocksteady.base import hints
from rocksteady.base.pairing import paired, positive_in_order
from rocksteady.base.statistic import Statistic
from rocksteady.base.table import Table, number
from rocksteady.errors import InputError, InputTypeError, UnknownIndexError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


class ProbabilitySums(Statistic):
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

    _read = _rocksteady.ProbabilityState.from_bytes

    _state: _rocksteady.ProbabilityState

    def __init__(
        self, y_true: ArrayLike, y_score: ArrayLike, *, pos_label: object = None, sample_weight: ArrayLike | None = None
    ) -> None:
        paired(y_true, {"y_score": y_score, "sample_weight": sample_weight})
        positive = positive_in_order(y_true) if pos_label is None else pos_label
        try:
            self._state = _rocksteady.ProbabilityState.sum(y_true, y_score, positive, sample_weight)
        except (InputError, InputTypeError) as error:
            raise hints.of_scores(error, y_true, y_score) from None

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self._state.rows

    def value(self, name: str, **parameters: object) -> float:
        """One index of the probabilities: "log_loss" (in nats) or "brier".

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it is none of probabilities.
        """
        return self._state.value(name, parameters)[0]

    def interval(self, name: str, **_options: object) -> NoReturn:
        """Refused: the sums of losses do not tell how the losses scatter. `ScoreTable.interval` has intervals of both.

        Raises
        ------
        rocksteady.UnknownIndexError
            Always.
        """
        raise UnknownIndexError(
            f"{_rocksteady.index_name(name)} has no interval of confidence here: ProbabilitySums keep sums of losses, not "
            f"of their squares; rocksteady.ScoreTable(y_true, y_score).interval({name!r}) has it"
        )

    def _ipython_key_completions_(self) -> list[str]:
        from rocksteady._completion import names_of  # noqa: PLC0415 (only a shell needs it)

        return names_of(("probabilities",))

    def __repr__(self) -> str:
        values = ", ".join(f"{name} {number(self[name])}" for name in ("log_loss", "brier"))
        return f"<rocksteady.ProbabilitySums of {self.rows} rows: {values}>"

    def _repr_html_(self) -> str:
        lines = [("rows", self.rows), *((name, self[name]) for name in ("log_loss", "brier"))]
        return Table(["ProbabilitySums", ""], lines)._repr_html_()
