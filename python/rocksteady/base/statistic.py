"""The base of the statistics of scores: indices by name, addition, subtraction, equality, bytes and pickling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from typing import Self


class Statistic:
    """A statistic whose state is an object of the extension. It is added, compared and pickled."""

    __slots__ = ("_state",)

    _state: Any
    _read: ClassVar[Any]  # from bytes to a state

    @classmethod
    def _of(cls, state: Any) -> Self:
        statistic = cls.__new__(cls)
        statistic._state = state
        return statistic

    def value(self, name: str, **parameters: object) -> float:
        """Value of one index. Each kind of statistic documents its indices."""
        number: float = self._state.value(name, parameters)[0]
        return number

    def __getitem__(self, name: str) -> float:
        return self.value(name)

    def why(self, name: str, **parameters: object) -> str | None:
        """Why the index is undefined; None if it is defined."""
        reason: str | None = self._state.value(name, parameters)[1]
        return reason

    def __add__(self, other: object) -> Self:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self._of(self._state.merged(other._state))

    def __sub__(self, other: object) -> Self:
        """The statistic of the rows here that are not those of `other`, which are a part of them.

        The exact inverse of addition: ``(a + b) - b == a`` if `a` has the labels and the type of scores of `b`.

        Raises
        ------
        rocksteady.InputError
            If an amount would go below zero, or the labels do not match. The message names the place.
        """
        if not isinstance(other, type(self)) or not hasattr(self._state, "subtracted"):
            return NotImplemented
        return self._of(self._state.subtracted(other._state))

    def __radd__(self, other: object) -> Self:
        """Make ``sum(statistics)`` work, which starts with 0."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self.to_bytes() == other.to_bytes()

    __hash__ = None  # type: ignore[assignment]

    def to_bytes(self) -> bytes:
        """The state in a versioned, little-endian format. Any machine reads it back bit for bit."""
        data: bytes = self._state.to_bytes()
        return data

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Read the statistic that `to_bytes` wrote. Other bytes are refused."""
        return cls._of(cls._read(data))

    def __reduce__(self) -> tuple[Any, tuple[bytes]]:
        return type(self).from_bytes, (self.to_bytes(),)
