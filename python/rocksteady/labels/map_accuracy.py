"""The accuracy of a map, and the areas of its classes, from samples drawn within the mapped classes."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocksteady.base.arguments import numbers, shown, wrong_value
from rocksteady.base.named_columns import weights_by_class
from rocksteady.base.result import Result
from rocksteady.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

    from rocksteady.labels.confusion import ConfusionMatrix

    Reals = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class MapAccuracy(Result):
    """The accuracy of a map and the areas of its classes, with standard errors; entry *i* of each array is class *i*.

    An interval at 95 % is a value plus and minus 1.96 standard errors.

    Attributes
    ----------
    labels : numpy.ndarray
        The classes.
    rows : numpy.ndarray
        How many sampled rows the map takes for the class.
    mapped_area : numpy.ndarray
        The area that the map gives to the class, as it was passed.
    area, area_error : numpy.ndarray
        The estimated area of the class, in the unit of `mapped_area`, and its standard error.
    users_accuracy, users_error : numpy.ndarray
        The share of the area mapped as the class that is of the class, and its standard error; NaN without mapped area.
    producers_accuracy, producers_error : numpy.ndarray
        The share of the area of the class that is mapped as the class, and its standard error; NaN where the estimated area
        is 0.
    accuracy, accuracy_error : float
        The share of the whole area that is mapped right, and its standard error.
    """

    _first: ClassVar[tuple[str, ...]] = (
        "labels", "mapped_area", "area", "area_error", "users_accuracy", "producers_accuracy",
    )  # fmt: skip

    labels: NDArray[Any]
    rows: Reals
    mapped_area: Reals
    area: Reals
    area_error: Reals
    users_accuracy: Reals
    users_error: Reals
    producers_accuracy: Reals
    producers_error: Reals
    _: KW_ONLY
    accuracy: float
    accuracy_error: float


def map_accuracy(matrix: ConfusionMatrix, areas: ArrayLike | Mapping[Any, float]) -> MapAccuracy:
    """What `rocksteady.ConfusionMatrix.map_accuracy` answers."""
    counts = matrix.to_array()
    if counts.dtype.kind == "f":
        raise InputError(
            "the rows have weights; expected rows of a sample, each counted once: the areas are their weights",
            argument="areas",
        )
    given = numbers(weights_by_class(areas, matrix._labels, "areas"), "areas").astype(np.float64)
    if given.shape != (len(matrix.labels),):
        raise wrong_value(areas, "areas", f"an area of each of the {len(matrix.labels)} classes")
    sampled = counts.sum(axis=0).astype(np.float64)
    for label, area, rows in zip(matrix.labels, given.tolist(), sampled.tolist(), strict=True):
        what = f"areas of class {shown(label)}"
        if not 0 <= area < np.inf:
            raise wrong_value(area, what, "a finite number that is not negative")
        if area and rows < 2:
            raise InputError(
                f"{what} is {area:g}, but {rows:g} sampled rows are mapped as it; expected two or more",
                argument="areas",
            )
        if rows and not area:
            raise InputError(
                f"{what} is 0, but {rows:g} sampled rows are mapped as it; expected its area", argument="areas"
            )
    with np.errstate(over="ignore"):
        is_finite = np.isfinite(given.sum())
    if not is_finite:
        raise wrong_value(areas, "areas", "areas whose sum is finite")
    if not given.any():
        raise wrong_value(areas, "areas", "areas of which one at least is above 0")
    largest = given.max()
    stratum = given / largest / (given / largest).sum()
    rows = np.maximum(sampled, 2.0)
    share = counts.T / rows[:, None]  # of the rows mapped as i those that are j
    variance = stratum[:, None] ** 2 * share * (1 - share) / (rows - 1)[:, None]
    right, wrong = np.diagonal(share), ~np.eye(len(given), dtype=bool)
    area = (stratum[:, None] * share).sum(axis=0)
    whole = largest * (given / largest).sum()
    with np.errstate(invalid="ignore", divide="ignore"):
        producers = stratum * right / area
        own = (1 - producers) ** 2 * np.diagonal(variance)
        others = producers**2 * (variance * wrong).sum(axis=0)
        producers_error = np.sqrt(own + others) / area
    users = np.where(given > 0, right, np.nan)
    return MapAccuracy(
        np.array(matrix._labels),
        sampled,
        given,
        area * whole,
        np.sqrt(variance.sum(axis=0)) * whole,
        users,
        np.sqrt(users * (1 - users) / (rows - 1)),
        producers,
        producers_error,
        accuracy=float((stratum * right).sum()),
        accuracy_error=float(np.sqrt(np.diagonal(variance).sum())),
    )
