"""The accuracy of a map, and the areas of its classes, from samples drawn within the mapped classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocksteady.base.arguments import numbers, shown, wrong_value
from rocksteady.base.named_columns import weights_by_class
from rocksteady.base.result import Result
from rocksteady.errors import InputError
from rocksteady.labels.rearranged import Rearranged

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

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


class Mapped(Rearranged):
    """The method of a `rocksteady.ConfusionMatrix` that reads it as a sample of a map."""

    __slots__ = ()

    def map_accuracy(self, areas: ArrayLike | Mapping[Any, float]) -> MapAccuracy:
        """The accuracy of a map and the areas of its classes, from a sample that was drawn within each mapped class.

        The true classes are those of the reference, the predicted ones those of the map. Each row of a mapped class stands for
        an equal part of the mapped area of this class.

        Parameters
        ----------
        areas : array-like of shape (K,) or mapping
            The mapped area of each class, in the order of `labels` or by them, in any unit: hectares, pixels, shares.

        Returns
        -------
        MapAccuracy

        Raises
        ------
        rocksteady.InputError
            If an area is negative or not finite, or all are 0; if a class with area has fewer than two sampled rows, or one
            without area has any; if the rows have weights.

        Notes
        -----
        The stratified estimators of Olofsson et al. 2014, doi:10.1016/j.rse.2014.02.015, equations 4 to 11. With W[i] the
        share of the area mapped as i, and q[i,j] the share of the rows mapped as i that are j: the accuracy is
        sum_i W[i] q[i,i], the area of class j has the share sum_i W[i] q[i,j], of the variance
        sum_i W[i]^2 q[i,j] (1 - q[i,j]) / (n[i] - 1).

        ``cm.T.at_prevalence(W)`` is the matrix of estimated shares, transposed: every other index follows from it.

        Examples
        --------
        The example of the paper: deforestation, forest gain, stable forest, other land; areas in pixels.

        >>> import rocksteady as rs
        >>> sample = [[66, 0, 1, 2], [0, 55, 0, 1], [5, 8, 153, 9], [4, 12, 11, 313]]   # rows reference, columns map
        >>> land = rs.ConfusionMatrix.from_counts(sample, labels=["deforested", "gain", "forest", "other"])
        >>> found = land.map_accuracy({"deforested": 200_000, "gain": 150_000, "forest": 3_200_000, "other": 6_450_000})
        >>> round(found.accuracy, 3), found.users_accuracy.round(2), found.producers_accuracy.round(2)
        (0.947, array([0.88, 0.73, 0.93, 0.96]), array([0.75, 0.85, 0.93, 0.96]))
        >>> hectares = 900_000 / 10_000_000
        >>> (found.area * hectares).round(), (1.96 * found.area_error * hectares).round()
        (array([ 21158.,  11686., 285770., 581386.]), array([ 6158.,  3756., 15510., 16282.]))
        """
        counts = self.to_array()
        if counts.dtype.kind == "f":
            raise InputError(
                "the rows have weights; expected rows of a sample, each counted once: the areas are their weights",
                argument="areas",
            )
        given = numbers(weights_by_class(areas, self._labels, "areas"), "areas").astype(np.float64)
        if given.shape != (len(self.labels),):
            raise wrong_value(areas, "areas", f"an area of each of the {len(self.labels)} classes")
        sampled = counts.sum(axis=0).astype(np.float64)
        for label, area, rows in zip(self.labels, given.tolist(), sampled.tolist(), strict=True):
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
            np.array(self._labels),
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
