"""The rows of groups, where they belong to clusters or strata: the interval of each group, and how two vary together."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.named_columns import parameters_by_class, weights_by_class
from rocksteady.columns.complete import kept
from rocksteady.columns.keys import grouped
from rocksteady.inference.covariance import Compared
from rocksteady.inference.interval import Interval, of_each
from rocksteady.inference.paired_labels import codes_of
from rocksteady.models.judged_rows import JudgedRows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

#: Why values of groups are not independent.
SHARED: Final = (
    "A cluster has rows in several groups, so that their values vary together; the difference of two named groups has an "
    "interval."
)
LOST: Final = "The rows belong to clusters or strata, and a sum, a pickle and bytes do not keep them."
_NO_ROWS: Final = "There are no rows, or all weigh nothing."
# The level of bounds that are one standard error away.
_ONE_ERROR: Final = math.erf(math.sqrt(0.5))


class GroupedRows:
    """The rows of one model, by group.

    The interval of a group is that of its own rows, with their clusters and strata. Of two groups that share clusters
    the values vary together.

    Parameters
    ----------
    judged : JudgedRows
        All rows, with clusters or strata.
    model : str
        The model.
    codes : function without parameters that gives an array of int of shape (n,), or None
        The group of each row; None where the rows are lost.
    groups : int
        The number of groups.
    """

    def __init__(self, judged: JudgedRows, model: str, codes: Callable[[], NDArray[Any]] | None, groups: int) -> None:
        self.judged, self.model, self._make, self.groups = judged, model, codes, groups

    def __reduce__(self) -> tuple[Any, ...]:
        return GroupedRows, (JudgedRows(None, []), self.model, None, self.groups)

    @cached_property
    def codes(self) -> NDArray[Any]:
        """The group of each row."""
        assert self._make is not None  # noqa: S101 (rows that are lost are refused before)
        return self._make()

    def over(self, places: Callable[[], NDArray[Any]], groups: int) -> GroupedRows:
        """The same of coarser groups: of `places`, the coarser group of each group."""
        make = None if self.is_lost else lambda: places()[self.codes]
        return GroupedRows(self.judged, self.model, make, groups)

    def lost(self) -> GroupedRows:
        """What a sum, a pickle and bytes keep: that there were clusters or strata."""
        return GroupedRows(JudgedRows(None, []), self.model, None, self.groups)

    @property
    def is_lost(self) -> bool:
        """Whether it is only known that there were clusters or strata."""
        return self._make is None

    @property
    def why_dependent(self) -> str | None:
        """Why the groups are not known to be independent; None if they are."""
        if self.is_lost:
            return LOST
        if self.judged.cluster is None:
            return None
        groups_of = np.full(self.judged.cluster.groups, -1)
        clusters = self.judged.cluster.codes()
        groups_of[clusters] = self.codes
        return SHARED if (groups_of[clusters] != self.codes).any() else None

    @cached_property
    def _columns(self) -> tuple[JudgedRows, NDArray[np.intp], dict[str, Any]]:
        """All columns as arrays, the rows of each group together; where each group begins; clusters and strata."""
        judged, model = self.judged, self.model
        judged._check()
        order = np.argsort(self.codes, kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(self.codes, minlength=self.groups))])
        weights, predicted = judged.sample_weight, judged.predicted.get(model)
        found = JudgedRows(
            codes_of(judged.truth, judged.classes, "y_true").each()[order],
            list(range(len(judged.classes))),
            judged.positive,
            None if weights is None else _numbers(weights, order),
            judged.weight_kind,
            ranking=judged.ranking,
            scores={model: _numbers(judged.scores[model], order)} if model in judged.scores else {},
            columns={model: judged.columns[model][order]} if model in judged.columns else {},
            predicted={} if predicted is None else {model: predicted.each()[order]},
        )
        keys = {"cluster": judged.cluster, "strata": judged.strata}
        return found, starts, {name: each.codes()[order] for name, each in keys.items() if each is not None}

    def of_groups(self, places: Sequence[int]) -> JudgedRows:
        """The rows of some groups, one group after the other."""
        whole, starts, keys = self._columns
        slices = [slice(starts[place], starts[place + 1]) for place in places]

        def part(column: Any) -> Any:
            pieces = [column[rows] for rows in slices]
            return pieces[0] if len(pieces) == 1 else np.concatenate(pieces)

        weights = whole.sample_weight
        return JudgedRows(
            part(whole.truth),
            whole.classes,
            whole.positive,
            None if weights is None else part(weights),
            whole.weight_kind,
            ranking=whole.ranking,
            scores={name: part(column) for name, column in whole.scores.items()},
            columns={name: part(column) for name, column in whole.columns.items()},
            predicted={name: codes_of(part(codes), whole.classes, "y_pred") for name, codes in whole.predicted.items()},
            **{name: grouped(part(codes), argument=name) for name, codes in keys.items()},
        )

    def _own(self, options: dict[str, Any]) -> dict[str, Any]:
        """Options with costs and weights of classes by place, as the rows have them."""
        found, average = parameters_by_class(options, self.judged), options.get("average")
        if average is not None and not isinstance(average, str):
            found = {**found, "average": weights_by_class(average, self.judged.classes, "average")}
        return found

    def _asked(self, options: dict[str, Any]) -> dict[str, Any]:
        """The same, with the parameters of the index apart."""
        own = dict(self._own(options))
        found: dict[str, Any] = {name: own.pop(name) for name in ("average", "zero_division") if name in own}
        return {**found, "parameters": own}

    def interval(self, name: str, places: Sequence[int], **options: Any) -> Interval:
        """An index of the rows of some groups, with its interval."""
        _, starts, _ = self._columns
        if all(starts[place] == starts[place + 1] for place in places):
            nothing = math.nan
            level, side = options.get("level", 0.95), options.get("side", "two-sided")
            return Interval(nothing, nothing, nothing, level, "delta", side, nothing, _NO_ROWS)
        return self.of_groups(places).interval(name, self.model, **self._own(options))

    def every_interval(self, name: str, axis: dict[str, NDArray[Any]], **options: Any) -> Interval:
        """An index of each group, with its interval."""
        return of_each([self.interval(name, [place], **options) for place in range(self.groups)], axis)

    def correlation(self, name: str, first: Sequence[int], second: Sequence[int], **options: Any) -> float:
        """The correlation of an index of some groups with that of others: 0 unless clusters lie in both."""
        if self.why_dependent is None:
            return 0.0
        parts, given = [self.of_groups(places) for places in (first, second)], self._asked(options)
        own, other = (part.influence(name, self.model, **given) for part in parts)
        rows = [len(part.truth) for part in parts]
        both = self.of_groups([*first, *second])
        design = (both.sample_weight, both.weight_kind, both.cluster, None, None)
        pair = [own.among(0, rows[1]), other.among(rows[0], 0)]
        (one, shared), (_, two) = Compared._of_influences(pair, ["first", "second"], name, design, 0.95).covariance
        return float(np.clip(shared / math.sqrt(one * two), -1, 1)) if one > 0 and two > 0 else 0.0

    def against_others(self, name: str, place: int, **options: Any) -> tuple[float, float, float]:
        """An index of a group, that of all other rows, and the p-value that they are equal.

        The test is Welch's, with clusters in place of rows.
        """
        others = [other for other in range(self.groups) if other != place]
        given, known, units = self._asked(options), [], []
        for rows in (self.of_groups([place]), self.of_groups(others)):
            found = rows.compared(name, [self.model], **given)
            value, error = found.estimates[self.model], math.sqrt(found.covariance[0, 0])
            known.append((value, (value - error, value + error), error, _ONE_ERROR))
            units.append(float(len(rows.truth) if rows.cluster is None else rows.cluster.groups))
        if not min(error for *_, error, _ in known) > 0:
            return known[0][0], known[1][0], math.nan
        correlation = self.correlation(name, [place], others, **options)
        told = _rocksteady.independent_difference(known[0], known[1], (units[0], units[1]), correlation, 0.95)
        return known[0][0], known[1][0], told[5]


def _numbers(column: Any, order: NDArray[np.intp]) -> NDArray[Any]:
    """A column of numbers as an array in this order; missing ones are NaN."""
    found = kept(column, np.ones(len(order), np.bool_), "y_score")
    gaps = np.ma.getmaskarray(found) if isinstance(found, np.ma.MaskedArray) else None
    array = np.asarray(found) if gaps is None else np.where(gaps, np.nan, np.ma.getdata(found))
    return (array.astype(np.float64) if array.dtype.kind == "O" else array)[order]
