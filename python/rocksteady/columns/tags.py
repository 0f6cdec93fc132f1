"""Several labels a row as lists of strings, and the matrix of 0 and 1 that they mean."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rocksteady.base.arguments import labels_of, shown
from rocksteady.base.containers import shape_of
from rocksteady.errors import InputError, InputTypeError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

_ROWS: Final = (list, tuple, set, frozenset, np.ndarray)


def are_tags(values: Any) -> bool:
    """Whether a column has lists of strings: its first row that is not empty tells, and empty rows alone are such.

    >>> are_tags([[], ["a", "b"]]), are_tags([[0, 1], [1, 1]]), are_tags(["a", "b"])
    (True, False, False)
    """
    rows = _rows(values)
    if rows is None or len(rows) == 0:
        return False
    for row in rows:
        if not isinstance(row, _ROWS):
            return False
        for first in row:
            return isinstance(first, str)
    return True


def indicators(columns: Mapping[str, Any], labels: Any) -> tuple[dict[str, Any], Any]:
    """Columns of lists of strings as matrices with a column for each label, and the labels; others as they are.

    The labels are those of all columns together, ascending, unless they are given.

    >>> found, labels = indicators({"y_true": [["b", "a"], []], "y_pred": [["b"], ["c"]]}, None)
    >>> found["y_pred"].tolist(), labels
    ([[0, 1, 0], [0, 0, 1]], ['a', 'b', 'c'])
    """
    if not any(map(are_tags, columns.values())):
        return dict(columns), labels
    read = {said: rows for said, column in columns.items() if (rows := _lists(column, said)) is not None}
    found = {said: list(chain.from_iterable(rows)) for said, rows in read.items()}
    classes = sorted({*chain.from_iterable(found.values())}, key=str) if labels is None else labels_of(labels, "labels")
    place = {label: at for at, label in enumerate(classes)}
    made: dict[str, Any] = dict(columns)
    for said, rows in read.items():
        sizes = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
        of_row = np.repeat(np.arange(len(rows)), sizes)
        codes = np.fromiter((place.get(tag, -1) for tag in found[said]), dtype=np.int64, count=len(found[said]))
        _refuse_other(said, found[said], codes, of_row, is_given=labels is not None)
        matrix = np.zeros((len(rows), len(classes)), dtype=np.uint8)
        matrix[of_row, codes] = 1
        made[said] = matrix
    return made, classes


def _rows(values: Any) -> Any:
    """The rows of a column that may hold lists; None if it cannot."""
    if isinstance(values, np.ndarray):
        return values if values.ndim == 1 and values.dtype.kind == "O" else None
    if isinstance(values, list | tuple):
        return values
    if len(shape_of(values)) != 1 or isinstance(values, str | bytes):
        return None
    kind = str(getattr(values, "dtype", getattr(values, "type", ""))).lower()  # of pandas and polars, or of Arrow
    if kind == "object":
        return np.asarray(values)  # no copy
    convert = next((name for name in ("to_pylist", "to_list", "tolist") if hasattr(values, name)), None)
    return getattr(values, convert)() if convert and kind.startswith(("list", "large_list")) else None


def _lists(values: Any, argument: str) -> list[Any] | None:
    """The rows of a column of lists; None for a matrix."""
    rows = _rows(values)
    if rows is None or not are_tags(values):
        return None
    for place, row in enumerate(rows):
        if not isinstance(row, _ROWS) or (isinstance(row, np.ndarray) and row.ndim != 1):
            expected = "a list of the labels of the row, which are strings"
            raise InputTypeError(
                f"{argument}[{place}] is {shown(row)}; expected {expected}",
                argument=argument.partition("[")[0],
                row=place,
                value=shown(row),
                expected=expected,
            )
    return list(rows)


def _refuse_other(
    argument: str, tags: list[Any], codes: NDArray[np.int64], of_row: NDArray[np.int64], *, is_given: bool
) -> None:
    """Refuse what is no string, or none of the labels."""
    wrong = [at for at, tag in enumerate(tags) if not isinstance(tag, str)] or np.flatnonzero(codes < 0).tolist()
    if not wrong:
        return
    tag, row = tags[wrong[0]], int(of_row[wrong[0]])
    expected = "one of labels=" if is_given and isinstance(tag, str) else "labels that are strings"
    raise InputError(
        f"{argument}[{row}] has the label {shown(tag)}; expected {expected}",
        argument=argument.partition("[")[0],
        row=row,
        value=shown(tag),
        expected=expected,
    )
