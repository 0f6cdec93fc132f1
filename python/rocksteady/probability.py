"""Exact sums over probabilities: log loss and Brier score, additive like every statistic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocksteady import _rocksteady

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


class ProbabilitySums:
    """The sums behind the log loss and the Brier score of two-class probabilities.

    Additive: `a + b` is, to the bit, the statistic of the pooled rows.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Class labels, two kinds at most.
    y_score : array-like of shape (n,)
        The probability of the positive class, in [0, 1].
    pos_label : label, optional
        Default: the greater label.
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

    __slots__ = ("_state",)

    def __init__(
        self,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
    ) -> None:
        self._state = _rocksteady.ProbabilityState.sum(y_true, y_score, pos_label, sample_weight)

    @classmethod
    def _of(cls, state: _rocksteady.ProbabilityState) -> ProbabilitySums:
        sums = cls.__new__(cls)
        sums._state = state
        return sums

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

    def __getitem__(self, name: str) -> float:
        return self.value(name)

    def why(self, name: str, **parameters: object) -> str | None:
        """Why the index is undefined; None if it is not."""
        return self._state.value(name, parameters)[1]

    def __add__(self, other: object) -> ProbabilitySums:
        if not isinstance(other, ProbabilitySums):
            return NotImplemented
        return self._of(self._state.merged(other._state))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ProbabilitySums):
            return NotImplemented
        return self.to_bytes() == other.to_bytes()

    __hash__ = None  # type: ignore[assignment]

    def to_bytes(self) -> bytes:
        """The state in a versioned, little-endian form that any machine reads back to the bit."""
        return self._state.to_bytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> ProbabilitySums:
        """The statistic whose `to_bytes` gave `data`; bytes that are anything else are refused."""
        return cls._of(_rocksteady.ProbabilityState.from_bytes(data))

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return ProbabilitySums.from_bytes, (self.to_bytes(),)

    def __repr__(self) -> str:
        return f"<rocksteady.ProbabilitySums of {self.rows} rows>"
