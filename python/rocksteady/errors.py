"""The exceptions of rocksteady and its warning. Exceptions share one base class; each is also one of Python's own.

| class | is also | raised for |
|---|---|---|
| `RocksteadyError` | `Exception` | the base of the others |
| `InputError` | `ValueError` | a value, a shape or an option that cannot be used |
| `InputTypeError` | `TypeError` | an object or a dtype that cannot be used |
| `UnknownIndexError` | `KeyError` | a name that is not in the registry |
| `StorageError` | `OSError` | a temporary file that cannot be made, written or read: a full disk |
| `InternalError` | `RuntimeError` | a mistake inside rocksteady |
| `RocksteadyWarning` | `UserWarning` | input that is legal but looks like a mistake |

>>> from rocksteady.errors import InputError
>>> error = InputError("y_true[17] is 2; expected 0 or 1", argument="y_true", row=17)
>>> error.argument, error.row, isinstance(error, ValueError)
('y_true', 17, True)
"""

from __future__ import annotations

from collections.abc import Callable

__all__ = [
    "InputError",
    "InputTypeError",
    "InternalError",
    "RocksteadyError",
    "RocksteadyWarning",
    "StorageError",
    "UnknownIndexError",
]

_LONGEST = 2_000


def for_terminal(text: str) -> str:
    r"""A message without control characters but for ends of lines and tabs; the middle of one that is very long is left out.

    Messages cut the data that they show. This is for what they did not think of.

    >>> for_terminal("a\x1b[31m\nb"), len(for_terminal("a" * 10_000))
    ('a\\x1b[31m\nb', 2001)
    """
    text = _without_middle(text)
    if text.isprintable():
        return text
    return _without_middle("".join(sign if sign.isprintable() or sign in "\n\t" else repr(sign)[1:-1] for sign in text))


def _without_middle(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]}…{text[-_LONGEST // 2 :]}"


_Details = tuple[str | None, int | None, str | None, str | None, int | None]


class RocksteadyError(Exception):
    """The base of all exceptions of rocksteady.

    docs/positive-class.md says what holds of names, missing values, one class alone and the default threshold, wherever
    something is refused.

    Attributes
    ----------
    argument : str or None
        The argument that was refused.
    row : int or None
        The row in it, from 0.
    value : str or None
        The value found, as text.
    expected : str or None
        The value expected, as text.
    position : int or None
        The character of an expression where the mistake is, from 0.
    """

    argument: str | None
    row: int | None
    value: str | None
    expected: str | None
    position: int | None

    def __init__(
        self,
        message: str = "",
        *,
        argument: str | None = None,
        row: int | None = None,
        value: str | None = None,
        expected: str | None = None,
        position: int | None = None,
    ) -> None:
        super().__init__(for_terminal(message))
        self.argument = argument
        self.row = row
        self.value = value
        self.expected = expected
        self.position = position

    def __str__(self) -> str:
        # KeyError shows the message in quotes.
        return str(self.args[0]) if self.args else ""

    def __reduce__(self) -> tuple[Callable[[type[RocksteadyError], str, _Details], RocksteadyError], object]:
        details = (self.argument, self.row, self.value, self.expected, self.position)
        return _rebuilt, (type(self), str(self), details)


def _rebuilt(cls: type[RocksteadyError], message: str, details: _Details) -> RocksteadyError:
    argument, row, value, expected, position = details
    return cls(message, argument=argument, row=row, value=value, expected=expected, position=position)


class InputError(RocksteadyError, ValueError):
    """A value, a shape or an option that cannot be used."""


class InputTypeError(RocksteadyError, TypeError):
    """An object or a dtype that cannot be used."""


class UnknownIndexError(RocksteadyError, KeyError):
    """A name that is not in the registry of indices."""


class StorageError(RocksteadyError, OSError):
    """A temporary file cannot be made, written or read, such as on a full disk. What was counted before is kept."""


class InternalError(RocksteadyError, RuntimeError):
    """A mistake inside rocksteady, not in the input. Please report it."""


class RocksteadyWarning(UserWarning):
    """Input that is legal but looks like a mistake, such as scores of the wrong class.

    Functions of `rocksteady.metrics` never give it: they warn as scikit-learn does.
    """


def __dir__() -> list[str]:
    return [*__all__]
