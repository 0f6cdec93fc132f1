"""Read arguments: each helper returns the value in one form, or refuses it with argument, value and expectation."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Iterable, Mapping, Set
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocksteady.base.gaps import refuse_gap
from rocksteady.errors import InputError, InputTypeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

#: What to do with a missing score: refuse, leave the row out, rank it below all or above all others.
NanPolicy = Literal["raise", "omit", "worst", "best"]
#: Whether infinite scores are ranked.
WeightKind = Literal["counts", "sampling"]

Infinite = Literal["raise", "allow"]

_WIDTH = 60
# numpy's iterators take no more.
_MOST_DIMENSIONS = 32
_LEAST_BYTES = 1 << 16


def shown(value: object) -> str:
    r"""Text of a value in a message: on one line, cut after 60 characters, with control characters escaped.

    >>> shown("a\nb"), len(shown(list(range(100))))
    ("'a\\nb'", 61)
    """
    try:
        text = repr(value[:_WIDTH] + "…" if type(value) is str and len(value) > _WIDTH else value)
    except Exception:  # noqa: BLE001 (a `__repr__` of anybody's, and a refusal has to say something)
        text = f"of type {type(value).__name__}"
    return printable(" ".join(text.split()), _WIDTH)


def printable(text: str, width: int) -> str:
    r"""Text for a terminal: cut after so many characters, with control characters escaped.

    >>> printable("a\x1b[31m", 10), printable("abc", 2)
    ('a\\x1b[31m', 'ab…')
    """
    cut = text if len(text) <= width else f"{text[:width]}…"
    return cut if cut.isprintable() else printable(repr(cut)[1:-1], 4 * width)


def several(values: Iterable[object], *, most: int = 10) -> str:
    """Text of names in a message; many are cut.

    >>> several(["a", 1]), several("abcd", most=2)
    ("'a', 1", "'a', 'b', …")
    """
    found = list(map(shown, values))
    return ", ".join(found if len(found) <= most else [*found[:most], "…"])


def wrong_type(value: object, argument: str, expected: str) -> InputTypeError:
    """The refusal of an object that cannot be used."""
    return InputTypeError(
        f"{argument} is {shown(value)}; expected {expected}",
        argument=argument.partition("[")[0],
        value=shown(value),
        expected=expected,
    )


def wrong_value(value: object, argument: str, expected: str) -> InputError:
    """The refusal of a value that cannot be used."""
    return InputError(
        f"{argument} is {shown(value)}; expected {expected}",
        argument=argument.partition("[")[0],
        value=shown(value),
        expected=expected,
    )


def one_of(value: object, argument: str, known: Sequence[str]) -> None:
    """Refuse a value that is not one of the known words.

    >>> one_of("al", "by", ("true", "pred", "all"))
    Traceback (most recent call last):
    ...
    rocksteady.errors.InputError: by is 'al'; expected 'true', 'pred' or 'all'
    """
    if isinstance(value, str) and value in known:
        return
    *others, last = map(shown, known)
    expected = f"{', '.join(others)} or {last}" if others else last
    raise (wrong_value if isinstance(value, str) else wrong_type)(value, argument, expected)


def named(value: Any, argument: str, known: Iterable[Any], expected: str | None = None) -> Any:
    """Read one of the names that something has, most often of models.

    >>> named("c", "first", ("a", "b"))
    Traceback (most recent call last):
    ...
    rocksteady.errors.InputError: first is 'c'; expected one of the models 'a', 'b'
    """
    is_name = value is None or isinstance(value, str)
    if not (is_name and value in known):
        refused = wrong_value if is_name else wrong_type
        raise refused(value, argument, f"one of the models {several(known)}" if expected is None else expected)
    return value


def data_of(value: object, argument: str = "data") -> bytes:
    """Read bytes, a bytearray or a memoryview."""
    if not isinstance(value, (bytes, bytearray, memoryview)):
        raise wrong_type(value, argument, "bytes")
    return bytes(value)


def string(value: object, argument: str, expected: str = "a string") -> str:
    """Read a string of Unicode: without lone surrogates, or what numpy's strings may hold beyond."""
    if not isinstance(value, str):
        raise wrong_type(value, argument, expected)
    try:
        value.encode().decode()
    except UnicodeError:
        raise wrong_value(value, argument, "text in valid Unicode") from None
    return value


def flag(value: object, argument: str) -> bool:
    """Read True or False. Other objects are refused: most often they are a mistake."""
    if not isinstance(value, (bool, np.bool_)):
        raise wrong_type(value, argument, "True or False")
    return bool(value)


def mapping(value: object, argument: str, expected: str) -> Mapping[Any, Any]:
    """Read a mapping; None is an empty one."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise wrong_type(value, argument, expected)
    return value


def parameters_of(value: object, argument: str) -> dict[str, Any]:
    """Read the parameters of an index; None is no parameters."""
    found = mapping(value, argument, "a mapping from names to values")
    for name in found:
        string(name, argument, "a mapping from names, which are strings")
    return dict(found)


def as_array(values: Any, argument: str, expected: str = "an array or a list") -> NDArray[Any]:
    """An array of what numpy takes."""
    try:
        return np.asarray(values)
    except (AttributeError, TypeError, ValueError, OverflowError, RecursionError) as error:  # those of numpy
        raise wrong_type(values, argument, expected) from error


def listed(values: object, argument: str, expected: str) -> list[Any]:
    """Read a list, an array or any other column as a list of Python objects. A single string is refused.

    >>> listed(np.array([1, 2]), "labels", "a list of labels"), listed(("a", 1), "labels", "a list of labels")
    ([1, 2], ['a', 1])
    """
    if isinstance(values, np.ndarray | memoryview) or hasattr(values, "__array__"):
        members = as_array(values, argument, expected).tolist()
        if not isinstance(members, list):
            raise wrong_type(values, argument, expected)
        return members
    single = isinstance(values, str | bytes | bytearray | Mapping | Set | type)
    if single or not isinstance(values, Iterable):
        raise wrong_type(values, argument, expected)
    return list(values)


def labels_of(values: object, argument: str) -> list[Any]:
    """Read labels from a list, an array or any other column, as Python's own numbers and strings."""
    members = listed(values, argument, "a list of labels")
    return [label_of(label, f"{argument}[{place}]") for place, label in enumerate(members)]


def label_of(value: Any, argument: str) -> Any:
    """Read one label."""
    if isinstance(value, str | bytes | Real | np.generic) and np.isscalar(value) and value == value:
        return value
    raise wrong_type(value, argument, "a label: a number or a string")


def real(value: object, argument: str, expected: str = "a number") -> float:
    """Read a number as a float. NaN and infinities count as numbers.

    >>> real(np.float32(0.5), "level"), real(3, "level")
    (0.5, 3.0)
    """
    if not isinstance(value, (Real, np.bool_)):
        raise wrong_type(value, argument, expected)
    try:
        return float(value)
    except OverflowError:
        raise wrong_value(value, argument, f"{expected} that a float can hold") from None
    except TypeError:  # numpy's durations are registered as numbers
        raise wrong_type(value, argument, expected) from None


def cut(value: object, argument: str) -> float:
    """Read a threshold, which may be infinite."""
    number = real(value, argument)
    if number != number:
        raise wrong_value(value, argument, "a number")
    return number


def whole(value: object, argument: str, expected: str, *, least: int) -> int:
    """Read a whole number of at least `least`.

    >>> whole(np.int8(3), "m", "a whole number, 1 or more", least=1)
    3
    """
    if isinstance(value, (bool, np.bool_)):
        raise wrong_type(value, argument, expected)
    try:
        found = operator.index(value)  # type: ignore[arg-type]  # other objects are refused below
    except TypeError:
        raise wrong_type(value, argument, expected) from None
    if not least <= found < 2**63:
        raise wrong_value(value, argument, expected)
    return found


def not_negative(value: object, argument: str) -> float:
    """Read a finite number that is not negative."""
    expected = "a finite number that is not negative"
    number = real(value, argument, expected)
    if not 0 <= number < math.inf:
        raise wrong_value(value, argument, expected)
    return number


def amount_of_bytes(value: object, argument: str) -> int:
    """Read an amount of memory: bytes, or a text such as "2GB" or "512 MiB".

    >>> amount_of_bytes("2GB", "memory"), amount_of_bytes("64 KiB", "memory"), amount_of_bytes(100_000, "memory")
    (2000000000, 65536, 100000)
    """
    expected = f'bytes, at least {_LEAST_BYTES}, or a text such as "2GB" or "512MiB"'
    if isinstance(value, str):
        found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?\s*", value, re.IGNORECASE)
        if found is None:
            raise wrong_value(value, argument, expected)
        number, power, binary = found.groups()
        value = int(float(number) * (1024 if binary else 1000) ** " kmgt".index(power.lower() or " "))
    return whole(value, argument, expected, least=_LEAST_BYTES)


def numbers(values: ArrayLike, argument: str) -> NDArray[Any]:
    """Read an array of real numbers, of any shape. Values that numpy would have to convert to numbers are refused."""
    parts = values if isinstance(values, (list, tuple)) else ()
    if isinstance(values, np.ma.MaskedArray) or any(isinstance(part, np.ma.MaskedArray) for part in parts):
        refuse_gap(np.ma.asarray(values), argument)
        raise InputTypeError(f"{argument} is a masked array; expected numbers without gaps", argument=argument)
    try:
        array = np.asarray(values)
    except ValueError:
        raise InputError(f"{argument} has rows of different lengths; expected an array", argument=argument) from None
    except (AttributeError, TypeError, OverflowError, RecursionError) as error:  # those of numpy
        raise wrong_type(values, argument, "an array of numbers") from error
    if array.ndim > _MOST_DIMENSIONS:
        raise InputError(
            f"{argument} has {array.ndim} dimensions; expected at most {_MOST_DIMENSIONS}", argument=argument
        )
    if array.dtype.kind in "OmM":
        refuse_gap(array, argument)
    if array.dtype.kind not in "biuf":
        raise InputTypeError(f"{argument} has dtype {array.dtype}; expected numbers", argument=argument)
    return array.view(np.ndarray)


def amounts(values: ArrayLike, argument: str) -> NDArray[Any]:
    """Read counts or weights, as `numbers` does. Integers in a list stay integers.

    numpy makes floats of a list with an integer from 2**63 on beside a smaller one.

    >>> amounts([2**63 + 1, 1], "counts").tolist(), amounts([2**63, 0.5], "counts").tolist()
    ([9223372036854775809, 1], [9.223372036854776e+18, 0.5])
    """
    array = numbers(values, argument)
    if array.dtype.kind == "f" and not hasattr(values, "__array__") and array.size and array.max() >= 2.0**63:
        cells = np.array(values, dtype=object)
        whole = all(isinstance(cell, int | np.integer) and cell >= 0 for cell in cells.flat)
        if whole and sum(map(int, cells.flat)) < 2**64:
            return cells.astype(np.uint64)
    return array


def counts_or_weights(cells: NDArray[Any]) -> NDArray[Any]:
    """Convert numbers to counts (uint64) or weights (float64), the two dtypes that the extension takes."""
    whole = cells.dtype.kind in "bu" or (cells.dtype.kind == "i" and bool((cells >= 0).all()))
    return cells.astype(np.uint64 if whole else np.float64)
