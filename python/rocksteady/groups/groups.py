"""Groups: the statistics of each group, and all indices over them.

One file because it is one class, mostly documentation.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import flag, listed, one_of, real, several, shown, string, wrong_value
from rocksteady.base.named_columns import parameters_by_class, weights_by_class
from rocksteady.base.statistic import Along, Statistic, Weighed, fraction
from rocksteady.base.table import number_of, repr_html
from rocksteady.base.ways_out import WaysOut
from rocksteady.columns.keys import grouped, key_arrays, one_key
from rocksteady.errors import InputError
from rocksteady.groups.results import GroupMean, GroupValues, PairSplit, Reasons
from rocksteady.groups.shown import least_rows
from rocksteady.groups.shown import shown as shown_groups
from rocksteady.inference.interval import Wanted
from rocksteady.labels.confusion import ConfusionMatrix
from rocksteady.labels.counts import NO_COUNTS, Counts
from rocksteady.models.columns import OF_OTHERS, OF_PROBABILITIES
from rocksteady.models.grouped_rows import GroupedRows
from rocksteady.registry.registry import index
from rocksteady.scores.score_table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from rocksteady.base.arguments import WeightKind
    from rocksteady.base.table import Table
    from rocksteady.fairness.disparity import Compared, Keyed, Kind
    from rocksteady.fairness.worst import Adjust, Bad, WorstGroups
    from rocksteady.inference.interval import Interval, Method, Side

# For each group 0, or the place of its reason counted from 1; and the reasons.
_Reasons = tuple["NDArray[np.uint8]", list[str]]
Weights = Literal["rows", "positives", "pairs", "equal"]
Constant = Literal["half", "exclude"]

#: Why a mean leaves groups out.
ONE_ROW: Final = "one row"
ONE_CLASS: Final = "one class"
ONE_SCORE: Final = "one score"


class Groups(WaysOut, Along, Weighed, Statistic):
    """Statistics by group, in the order of the sorted keys: what `group_by` gives.

    A group is one more axis, as class and threshold are: each index is the same formula for each group. Every coarser
    grouping is a merge, to the bit: ``by.over("region")``, and `overall`. Groups of two sets of rows add: ``a + b`` has
    the groups of both, each with all its rows, and ``(a + b) - b`` is `a`.

    Examples
    --------
    >>> import rocksteady as rs
    >>> region = ["south", "north", "south", "north", "south"]
    >>> by = rs.group_by([1, 0, 1, 1, 0], [1, 0, 0, 1, 1], by=region)
    >>> by["recall"].summary()
    group  rows  positives  value
    north     2          1      1
    south     3          2    0.5
    >>> by.counts().tp.tolist(), by.overall["recall"]
    ([1.0, 1.0], 0.6666666666666666)
    """

    __slots__ = ("_keys", "_rows")

    _State = _rocksteady.GroupsState

    _state: _rocksteady.GroupsState
    _rows: GroupedRows

    @classmethod
    def empty(  # type: ignore[override]  # keys are named, and columns are there or not
        cls,
        *,
        by: str | Sequence[str] = "group",
        control: str | Sequence[str] = (),
        labels: ArrayLike | None = None,
        pos_label: object = None,
        scores: bool = False,
        threshold: float | None = None,
        weight_kind: WeightKind = "counts",
    ) -> Groups:
        """No groups, the identity of addition: ``part + empty == part``.

        `group_by` gives the same for columns without rows, such as those of an empty partition.

        Parameters
        ----------
        by, control : str or sequence of str
            The names of the columns of keys. A column without a name is called "group".
        labels : array-like, optional
            The classes of the parts, if they have predicted classes.
        pos_label : label, optional
            The positive class; needed with `scores`.
        scores, threshold, weight_kind
            Whether the parts have scores, and their threshold and kind of weights.

        Raises
        ------
        rocksteady.InputError
            If it is not said what rows would mean.

        >>> import rocksteady as rs
        >>> part = rs.group_by([0, 1, 1], [0, 0, 1], by={"region": ["n", "s", "n"]}, labels=[0, 1])
        >>> part + rs.Groups.empty(by="region", labels=[0, 1]) == part
        True
        """
        one_of(weight_kind, "weight_kind", ("counts", "sampling"))
        if not flag(scores, "scores") and labels is None:
            raise InputError("labels is None and scores is False; expected one of them", argument="labels")
        if scores and pos_label is None:
            raise InputError("pos_label is None; expected a label, as there are no rows", argument="pos_label")
        none: Any = np.empty(0)
        by, control = ([names] if isinstance(names, str) else listed(names, "by", "names") for names in (by, control))
        keys, controls = ({string(name, "by", "names"): none for name in names} for names in (by, control))
        matrix = None if labels is None else ConfusionMatrix.empty(labels=labels, pos_label=pos_label)
        return cls._of(
            _rocksteady.GroupsState.of_rows(
                grouped(keys, controls or None),
                none,
                None if matrix is None else (none, matrix._state),
                (none, "raise", "raise") if scores else None,
                pos_label,
                None if threshold is None else real(threshold, "threshold"),
                none if weight_kind == "sampling" else None,
                weight_kind,
            )
        )

    # Keys and sizes ---------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """The number of groups."""
        return self._state.groups

    @property
    def keys(self) -> dict[str, NDArray[Any]]:
        """The columns of keys by name, a row for each group: those of `control` first.

        Missing keys are last: None among text, NaN, or not-a-time.
        """
        found: dict[str, NDArray[Any]] | None = getattr(self, "_keys", None)
        if found is None:
            found = key_arrays(self._state)
            for array in found.values():
                array.setflags(write=False)
            self._keys = found
        return dict(found)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns of keys, those of `control` first."""
        return tuple(self._state.names())

    @property
    def controls(self) -> tuple[str, ...]:
        """The names of the columns of `control`."""
        return self.names[: self._state.controls]

    @property
    def rows(self) -> int:
        """The number of rows."""
        return int(self.sizes.sum())

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of rows of each group."""
        return self._state.rows()

    @property
    def positive_sizes(self) -> NDArray[np.float64]:
        """The number, or weight, of the positive rows of each group.

        Raises
        ------
        rocksteady.InputError
            If there are more than two classes.
        """
        if self._state.has[1]:
            return self._state.totals()[0]
        counts = self.counts()
        return counts.tp + counts.fn

    @property
    def labels(self) -> tuple[Any, ...]:
        """The classes; of scores the negative and the positive one, None for one that no row has."""
        labels = self._state.labels()
        return self._state.pair() if labels is None else tuple(labels.tolist())

    @property
    def pos_label(self) -> object:
        """The positive one of two classes; None of any other number."""
        if self._state.has[0]:
            positive = self._state.positive
            return None if positive is None else self.labels[positive]
        return self._state.pair()[1]

    @property
    def threshold(self) -> float | None:
        """The threshold of `counts`; None where predicted classes were given.

        Default: 0.5 where the scores of all groups lie in [0, 1], else 0.
        """
        if self._state.has[0]:
            return None
        asked = self._state.threshold
        return asked if asked is not None else OF_PROBABILITIES if self._state.are_probabilities else OF_OTHERS

    def counts(self) -> Counts:
        """The four counts of each group: of the predicted classes, else of the scores at `threshold`.

        Raises
        ------
        rocksteady.InputError
            If there are more than two classes.
        """
        return self._tables(self.threshold)

    def _tables(self, threshold: float | None) -> Counts:
        tables, squares = self._state.tables(threshold)
        return Counts._weighed(tables, squares) if self._state.weighted else Counts._counted(tables)

    def at(self, threshold: float) -> Counts:
        """The four counts of each group where scores at or above a threshold are predicted positive.

        Raises
        ------
        rocksteady.InputError
            If there are no scores, or the threshold is NaN.

        >>> import rocksteady as rs
        >>> by = rs.group_by([0, 1, 1, 0], y_score=[0.2, 0.9, 0.4, 0.6], by=["a", "a", "b", "b"])
        >>> by.at(0.5).tp.tolist(), by.at(0.3).tp.tolist()
        ([1.0, 0.0], [1.0, 1.0])
        """
        number = real(threshold, "threshold")
        if number != number:
            raise wrong_value(threshold, "threshold", "a number")
        return self._tables(number)

    # One group, and all -----------------------------------------------------------------------------------------------

    def place(self, key: object) -> int:
        """The place of the group with a key.

        Parameters
        ----------
        key : value, tuple of values or mapping
            The group's key, in the order of `names`, or by name. None is the missing key.

        Raises
        ------
        rocksteady.InputError
            If there is no such group.

        >>> import rocksteady as rs
        >>> rs.group_by([0, 1], [1, 1], by=[["a", "b"], [1, 2]]).place(("b", 2))
        1
        """
        names = self.names
        parts = list(key.items()) if isinstance(key, Mapping) else key if isinstance(key, tuple) else (key,)
        wanted = dict(parts if isinstance(key, Mapping) else zip(names, parts, strict=False))
        if len(parts) != len(names) or set(wanted) != set(names):
            raise wrong_value(key, "key", f"one value for each of {shown(names)}")
        columns = {name: one_key(wanted[name], self.keys[name]) for name in names}
        found = self._state.find(grouped(columns, argument="by", rows=1)) if columns else 0
        if found is None:
            raise wrong_value(key, "key", f"the key of one of the {len(self)} groups")
        return found

    def matrix(self, key: object = ...) -> ConfusionMatrix:
        """The confusion matrix of the group with a key, or of all rows.

        Of scores it is that at `threshold`.

        Raises
        ------
        rocksteady.InputError
            If there is no such group.

        >>> import rocksteady as rs
        >>> rs.group_by([0, 1, 2], [0, 1, 1], by=["a", "b", "b"]).matrix("b")["accuracy"]
        0.5
        """
        groups, place = self._chosen(key)
        if groups._state.has[0]:
            return ConfusionMatrix._of(groups._state.matrix(place), self.pos_label)
        table = groups.score_table() if len(groups) == 1 else ScoreTable._of(groups._state.table(place))
        threshold = self.threshold
        assert threshold is not None  # noqa: S101 (there are scores only)
        from rocksteady.models.counting import matrix_at  # noqa: PLC0415 (few programs need it)

        negative, positive = (
            label if label is not None else f"not {other}" if isinstance(other, str) else other
            for label, other in zip(table.labels, table.labels[::-1], strict=True)
        )
        return matrix_at(table, threshold, [negative, positive], positive)

    def score_table(self, key: object = ...) -> ScoreTable:
        """The score table of the group with a key, or of all rows.

        Raises
        ------
        rocksteady.InputError
            If there is no such group, or no scores were given.

        >>> import rocksteady as rs
        >>> by = rs.group_by([0, 1, 1, 0], y_score=[0.2, 0.9, 0.4, 0.6], by=["a", "a", "b", "b"])
        >>> by.score_table("a")["roc_auc"], by.score_table()["roc_auc"]
        (1.0, 0.75)
        """
        groups, place = self._chosen(key)
        return ScoreTable._of(groups._state.table(place))

    def _chosen(self, key: object) -> tuple[Groups, int]:
        return (self.over([]), 0) if key is ... else (self, self.place(key))

    @property
    def overall(self) -> ConfusionMatrix | ScoreTable:
        """All rows as one: a `ConfusionMatrix` where predicted classes were given, else a `ScoreTable`."""
        return self.matrix() if self._state.has[0] else self.score_table()

    def over(self, by: str | Sequence[str]) -> Groups:
        """Coarser groups: by some of the columns of keys alone. To the bit what counting anew gives.

        Parameters
        ----------
        by : str or list of str
            Names of columns of keys; none for all rows as one group.

        Raises
        ------
        rocksteady.InputError
            If there is no such column.

        >>> import rocksteady as rs
        >>> keys = {"region": ["n", "s", "n"], "sex": ["f", "f", "m"]}
        >>> by = rs.group_by([1, 0, 1], [1, 0, 0], by=keys)
        >>> by.over("region")["accuracy"].summary()
        region  rows  positives  value
        n          2          2    0.5
        s          1          0      1
        """
        names = self.names
        wanted = [by] if isinstance(by, str) else [string(name, "by") for name in listed(by, "by", "names of keys")]
        for name in wanted:
            if name not in names:
                raise wrong_value(name, "by", f"names of keys: {several(names)}")
        if len(set(wanted)) < len(wanted):
            raise wrong_value(by, "by", "each name once")
        controls = [name for name in wanted if name in self.controls]
        wanted = [*controls, *(name for name in wanted if name not in controls)]
        return self._of(self._state.over([names.index(name) for name in wanted]))._with_rows_of(self)

    # Rows that belong to clusters or strata ----------------------------------------------------------------------------

    @property
    def _grouped(self) -> GroupedRows | None:
        """The rows, where they belong to clusters or strata."""
        return getattr(self, "_rows", None)

    def _with_rows_of(self, finer: Groups) -> Groups:
        """These groups with the rows of finer ones, or of the same."""
        if finer._grouped is not None:
            own = [list(finer.keys[name]) for name in self.names]
            keys = list(zip(*own, strict=True)) if own else [()] * len(finer)

            def places() -> NDArray[np.intp]:
                known = {key: self.place(key) if key else 0 for key in set(keys)}
                return np.array([known[key] for key in keys], np.intp)

            self._rows = finer._grouped.over(places, len(self))
        return self

    def _without_rows(self, *parts: Any) -> Groups:
        """These groups, which say that the rows of the parts belonged to clusters or strata."""
        rows = next((part._rows for part in parts if getattr(part, "_rows", None) is not None), None)
        if rows is not None:
            self._rows = rows.lost()
        return self

    def _plus(self, other: Groups) -> Groups:
        return super()._plus(other)._without_rows(self, other)

    def __sub__(self, other: object) -> Groups:
        found = super().__sub__(other)
        return found._without_rows(self, other) if isinstance(found, Groups) else found

    def __reduce__(self) -> tuple[Any, Any]:
        return super().__reduce__() if self._grouped is None else (_restored, (self.to_bytes(), self._grouped))

    # Indices ----------------------------------------------------------------------------------------------------------

    @property
    def axis(self) -> dict[str, NDArray[Any]]:
        """The `keys`."""
        return self.keys

    def _along(self, name: str, parameters: dict[str, Any]) -> NDArray[np.float64]:
        return self._found(name, parameters)[0]

    def value(self, name: str, **parameters: object) -> GroupValues:  # type: ignore[override]  # one for each group
        """One index of each group, beside the keys, rows and positives.

        Parameters
        ----------
        name : str
            Any index of `rocksteady.indices` that counts, a matrix or scores have. An index that scores and counts both
            have is that of the scores, if there are scores.
        **parameters
            The index's own. `average` and `zero_division` as in `ConfusionMatrix.value`, for the average over the
            classes of each group; all methods below take them, too.

        Returns
        -------
        GroupValues
            With the arrays `rows`, `positives` and `value`. A group where the index is undefined is there, with NaN (or
            the index's convention) and a reason in `why`.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it has no value here: with more than two classes only an index of a whole
            matrix has one.
        rocksteady.InputError
            If a parameter is outside its domain, or the index needs scores that are not there.
        """
        values, reasons = self._found(name, parameters)
        return GroupValues(self.keys, self.sizes, self._positives(), values, index(name).name, why=_later(reasons))

    def __getitem__(self, name: str) -> GroupValues:  # type: ignore[override]  # a value for each group
        return self.value(name)

    def why(self, name: str, **parameters: object) -> tuple[str | None, ...] | None:  # type: ignore[override]
        """Why the index is undefined, for each group; None if all groups have a value.

        >>> import rocksteady as rs
        >>> rs.group_by([0, 1], [1, 1], by=["a", "b"]).why("recall")
        ('No row is actually positive.', None)
        """
        return _spread(self._found(name, parameters)[1])

    def _found(self, name: str, parameters: dict[str, object]) -> tuple[NDArray[np.float64], _Reasons]:
        """The values, and the reasons where there is none."""
        form = self._form(name, "average" in parameters)
        parameters = self._in_order(form, parameters)
        if form == "scores":
            return self._state.of_scores(name, parameters)
        if form == "matrices":
            return self._state.of_matrices(name, parameters)
        counts = self.counts()
        if counts._lacks_counts(name):
            return np.full(len(self), np.nan), (np.ones(len(self), np.uint8), [NO_COUNTS])
        values = np.asarray(_rocksteady.evaluate_counts(counts._arrays, name, parameters))
        convention = index(name).when_undefined
        if np.isnan(values).any() or convention == convention:
            return values, self._state.why_tables(name, parameters, self.threshold)
        return values, (np.zeros(len(self), np.uint8), [])

    def _form(self, name: str, averaged: bool = False) -> Literal["scores", "matrices", "tables"]:
        """The statistic that an index is read from."""
        forms = index(string(name, "name")).forms
        if averaged:
            return "matrices"
        has_counts, has_scores = self._state.has
        of_counts = "counts" in forms or "matrix" in forms
        if "scores" in forms and (has_scores or not of_counts):
            return "scores"
        is_of_two = self._state.positive is not None or not has_counts
        return "tables" if is_of_two and "counts" in forms else "matrices" if has_counts else "tables"

    def _in_order(self, form: str, parameters: dict[str, Any]) -> dict[str, Any]:
        """Parameters with a matrix of costs in the order of the labels; for an index of counts, the negative label comes first."""
        if "average" in parameters:
            parameters = {**parameters, "average": weights_by_class(parameters["average"], self.labels, "average")}
        is_first = form == "tables" and self._state.has[0] and self._state.positive == 0
        return parameters_by_class(parameters, self, positive_first=is_first)

    def _positives(self) -> NDArray[np.float64] | None:
        return self.positive_sizes if self._state.has[1] or self._state.positive is not None else None

    def interval(
        self,
        name: str,
        *,
        level: float = 0.95,
        method: Method | None = None,
        side: Side = "two-sided",
        **parameters: object,
    ) -> GroupValues:
        """One index of each group with its interval of confidence: `low`, `high` and `standard_error` beside `value`.

        Intervals are those of `Counts.interval` and `ScoreTable.interval`, group by group; they are not adjusted for the
        number of groups. Of ``evaluate(..., by=, inference=True, cluster=)`` they are those of the rows of each group with
        their clusters and strata, which sums, pickles and bytes do not keep: these have no intervals. `difference`,
        `ratio`, `worst` and `mean` follow.

        Parameters
        ----------
        name, level, method, side, **parameters
            As in `ConfusionMatrix.interval` and `ScoreTable.interval`.

        Returns
        -------
        GroupValues
            `why` has the reason where a group has no interval; its bounds are NaN.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it has no interval, or not by this method.
        rocksteady.InputError
            If `level`, `method` or `side` is none of these.

        >>> import rocksteady as rs
        >>> by = rs.group_by([1, 1, 1, 1], [1, 1, 0, 1], by=["a", "a", "a", "b"])
        >>> by.interval("recall").low.round(3).tolist()
        [0.208, 0.207]
        """
        form = self._form(name, "average" in parameters)
        given, parameters = parameters, self._in_order(form, parameters)
        wanted = Wanted(level, method, side, parameters)
        if self._grouped is not None:
            options: dict[str, Any] = {"level": level, "method": method, "side": side}
            found = self._grouped.every_interval(name, self.keys, **options, **given)
        elif form == "tables":
            counts = self.counts()
            found = wanted.of_counts(counts._arrays, name, counts._squares)
        else:
            found = wanted._arrays(self._state.intervals(name, wanted._asked, parameters, form == "scores"))
        value, low, high, error = map(np.asarray, (found.estimate, found.low, found.high, found.standard_error))
        why, note = (said if isinstance(said, tuple) else None for said in (found.why, found.note))
        of = (self.keys, self.sizes, self._positives(), value, index(name).name)
        return GroupValues(*of, low, high, error, why, note)

    def group_summary(self, names: Sequence[str] | None = None, *, min_rows: int | None = None) -> Table:
        """A row for each group, with some indices; a note says how many groups are hidden.

        Parameters
        ----------
        names : sequence of str, optional
            Default: "roc_auc", "recall", "precision" and "accuracy", where the groups have them.
        min_rows : int, optional
            Groups with fewer rows are hidden.

        >>> import rocksteady as rs
        >>> rs.group_by([0, 1, 1], [0, 1, 0], by=["north", "north", "south"]).group_summary(["recall", "accuracy"])
        group  rows  positives  recall  accuracy
        north     2          1       1         1
        south     1          1       0         0
        """
        wanted = None if names is None else listed(names, "names", "names")
        return shown_groups(self, wanted, least_rows(min_rows)).summary()

    def _columns(self) -> dict[str, NDArray[Any]]:
        return shown_groups(self).columns

    def mean(
        self,
        name: str = "roc_auc",
        *,
        weights: Weights = "rows",
        constant: Constant = "half",
        level: float = 0.95,
        side: Side = "two-sided",
        **parameters: object,
    ) -> GroupMean:
        """The mean of an index over the groups where it is defined, with its interval: of "roc_auc" the GAUC.

        The interval takes the groups as a sample of independent ones, such as users, and their weights as found with
        them. It is that of `Queries.interval`: by Student's t distribution, or Wilson's where each value is 0 or 1.

        Parameters
        ----------
        name : str
            The index.
        weights : {"rows", "positives", "pairs", "equal"}
            What each group counts: its rows (as in Zhou et al. 2018, doi:10.1145/3219819.3219823, where users count by
            their impressions), its positives (clicks), its pairs of a positive and a negative row (then the mean is the
            share of the pairs within groups that is won), or all alike (torchrec's ``gauc``). Rows, positives and pairs
            are weights where rows have weights. Of more than two classes there are rows only, or all alike.
        constant : {"half", "exclude"}
            Whether a group whose scores are all equal takes part, with its AUC of ½, or is left out, as torchrec does.
        level, side
            As for `interval`.
        **parameters
            The index's own.

        Returns
        -------
        GroupMean
            `value`, `low` and `high`, how many `groups` it is of, and how many are `excluded` for which reason.

        Raises
        ------
        rocksteady.UnknownIndexError, rocksteady.InputError
            As `value`; and if `weights` or `constant` is none of these, or there are no scores to tell constants by.

        >>> import rocksteady as rs
        >>> user = ["a", "a", "a", "b", "b", "c"]
        >>> by = rs.group_by([0, 1, 1, 0, 1, 1], y_score=[0.1, 0.9, 0.05, 0.3, 0.3, 0.5], by=user)
        >>> gauc = by.mean("roc_auc")
        >>> gauc.value, gauc.groups, gauc.excluded
        (0.5, 2, {'one row': 1})
        """
        one_of(weights, "weights", ("rows", "positives", "pairs", "equal"))
        one_of(constant, "constant", ("half", "exclude"))
        values, (codes, sentences) = self._found(name, parameters)
        left_out = np.isnan(values) | (codes > 0)
        is_one_row = left_out & (self.sizes == 1)
        excluded = {ONE_ROW: int(is_one_row.sum())}
        for place, sentence in enumerate(("", *sentences)):
            reason = (ONE_CLASS if sentence in _OF_ONE_CLASS else sentence) or "undefined"
            number = int((left_out & ~is_one_row & (codes == place)).sum())
            excluded[reason] = excluded.get(reason, 0) + number
        if constant == "exclude":
            is_constant = (self._state.scores() == 1) & ~left_out
            excluded[ONE_SCORE] = int(is_constant.sum())
            left_out = left_out | is_constant
        excluded = {reason: number for reason, number in sorted(excluded.items()) if number}
        shares = np.ones(len(self)) if weights == "equal" else self._shares(weights)
        kept = ~left_out
        used, own = index(name).name, (values[kept], shares[kept])
        found = _rocksteady.group_interval(used, *own, (level, None, side, None))
        _, low, high, error, _, why, note = found
        value = _rocksteady.group_mean(*own)
        if self._grouped is not None and self._grouped.why_dependent is not None:
            low = high = error = math.nan
            why, note = self._grouped.why_dependent, None
        return GroupMean(value, used, weights, int(kept.sum()), excluded, low, high, level, error, why, note)

    def _shares(self, weights: Weights) -> NDArray[np.float64]:
        if self._state.has[1]:
            return self._state.shares(weights)
        if self._state.positive is None and weights != "rows":
            raise wrong_value(weights, "weights", "'rows' or 'equal', as the classes are not two")
        if self._state.positive is None:
            return self._state.of_matrices("population", {})[0]
        positives, negatives = self.counts().tp + self.counts().fn, self.counts().fp + self.counts().tn
        return {"rows": positives + negatives, "positives": positives, "pairs": positives * negatives}[weights]

    def pair_split(self) -> PairSplit:
        """How the AUC of all rows splits into pairs within groups and pairs across groups, exactly.

        A high AUC may come from pairs across groups alone: scores that tell which users click much, and nothing of what
        each of them clicks. `within` is what a ranking for each user shows.

        Raises
        ------
        rocksteady.InputError
            If there are no scores.

        >>> import rocksteady as rs
        >>> by = rs.group_by([0, 1, 0, 1], y_score=[0.2, 0.1, 0.9, 0.8], by=["a", "a", "b", "b"])
        >>> split = by.pair_split()
        >>> split.auc, split.within, split.across
        (0.25, 0.0, 0.5)
        """
        won, every, all_won, all_pairs = (fraction(*digits) for digits in self._state.pairs())
        across = (all_won - won, all_pairs - every)

        def share(part: tuple[Any, Any]) -> float:
            return float(part[0] / part[1]) if part[1] else float("nan")

        parts = {"within": (won, every), "across": across, "all": (all_won, all_pairs)}
        return PairSplit(
            share(parts["all"]), share(parts["within"]), share(parts["across"]), share((every, all_pairs)), parts
        )

    # Differences between groups ---------------------------------------------------------------------------------------

    def difference(
        self,
        name: str,
        *,
        method: Compared = "between_groups",
        groups: tuple[object, object] | None = None,
        level: float | None = 0.95,
        side: Side = "two-sided",
        **parameters: object,
    ) -> Any:
        """The greatest difference of an index between groups, with its interval; or that of two groups.

        Parameters
        ----------
        name : str
            The index. Groups where it is undefined are left out, and counted.
        method : {"between_groups", "to_overall"}
            Between two groups, or between a group and all rows.
        groups : two keys, optional
            The first group's value less that of the second, for groups chosen beforehand.
        level : float or None
            The confidence level; None for no interval.
        side : {"two-sided", "lower", "upper"}
            Which bounds.
        **parameters
            The index's own.

        Returns
        -------
        Disparity
            With `value`, `low` and `high`, the groups `lowest` and `highest`, and how many groups are `without` a value; NaN
            with `why` where fewer than two groups have one. With control columns a `Table`, a row for each of their groups;
            of two groups an `Interval`.

        Raises
        ------
        rocksteady.UnknownIndexError, rocksteady.InputError
            As `value`; and for unknown options.

        Notes
        -----
        The interval is that of the true difference. It knows that the farthest groups were found in the data. Of
        groups that share clusters only the difference of two has an interval, which knows how they vary together. The upper
        bound is the greatest upper bound of any pair of groups (MOVER: Zou, Donner 2008, doi:10.1002/sim.3095). The lower
        bound is the greatest lower bound of any pair, all of which hold together (by the studentized range).

        Examples
        --------
        >>> import rocksteady as rs
        >>> y, p = [1] * 150, [1] * 56 + [0] * 14 + [1] * 48 + [0] * 32
        >>> by = rs.group_by(y, p, by=["a"] * 70 + ["b"] * 80)
        >>> found = by.difference("recall")
        >>> found.lowest, found.highest, round(found.value, 3), round(found.low, 3), round(found.high, 3)
        ('b', 'a', 0.2, 0.031, 0.334)
        >>> round(by.difference("recall", groups=("a", "b")).low, 3)
        0.052
        """
        return self._apart(name, "difference", method, groups, level, side, parameters)

    def ratio(
        self,
        name: str,
        *,
        method: Compared = "between_groups",
        groups: tuple[object, object] | None = None,
        level: float | None = 0.95,
        side: Side = "two-sided",
        **parameters: object,
    ) -> Any:
        """The least ratio of an index between groups, the smaller over the greater; otherwise as `difference`.

        An index with negative values has none.

        >>> import rocksteady as rs
        >>> by = rs.group_by([1, 0, 1, 0], [1, 1, 1, 0], by=["a", "a", "b", "b"])
        >>> by.ratio("selection_rate").value
        0.5
        """
        return self._apart(name, "ratio", method, groups, level, side, parameters)

    def min(self, name: str, *, level: float | None = 0.95, side: Side = "two-sided", **parameters: object) -> Any:
        """The least value of an index over groups, with its interval; otherwise as `difference`.

        >>> import rocksteady as rs
        >>> by = rs.group_by([1, 0, 1, 0], [1, 1, 1, 0], by=["a", "a", "b", "b"])
        >>> by.min("accuracy").lowest
        'a'
        """
        return self._apart(name, "min", "between_groups", None, level, side, parameters)

    def max(self, name: str, *, level: float | None = 0.95, side: Side = "two-sided", **parameters: object) -> Any:
        """The greatest value of an index over groups, with its interval; otherwise as `difference`.

        >>> import rocksteady as rs
        >>> by = rs.group_by([1, 0, 1, 0], [1, 1, 1, 0], by=["a", "a", "b", "b"])
        >>> by.max("accuracy").value
        1.0
        """
        return self._apart(name, "max", "between_groups", None, level, side, parameters)

    def worst(
        self,
        name: str,
        *,
        k: int = 10,
        level: float = 0.95,
        adjust: Adjust = "bh",
        min_rows: float = 1,
        bad: Bad | None = None,
        **parameters: object,
    ) -> WorstGroups:
        """The groups with the most evidence that they are worse than all other rows.

        The worst value of many groups is mostly that of a small group with bad luck. So groups are ordered by the
        evidence against them.

        Parameters
        ----------
        name : str
            An index that has intervals.
        k : int
            How many groups to show.
        level : float
            The confidence level of intervals; one minus the false discovery rate.
        adjust : {"bh", "holm", "none"}
            How p-values are adjusted for the number of groups: Benjamini and Hochberg 1995
            (doi:10.1111/j.2517-6161.1995.tb02031.x), Holm 1979, or not.
        min_rows : float
            Groups with fewer rows are not tested.
        bad : {"low", "high", "either"}, optional
            Which values are bad. Default: what the index says; "either" where it says neither.
        **parameters
            The index's own.

        Returns
        -------
        WorstGroups

        Raises
        ------
        rocksteady.UnknownIndexError, rocksteady.InputError
            If there is no such index, it has no interval, or an option is unknown.

        Notes
        -----
        Each group is tested against the other rows: a share of rows by Fisher's exact test, another index of counts by its
        standard errors (delta method), any other by the intervals of both, which takes as long as many tables of all
        rows. With clusters or strata the test is Welch's, from the influence of the rows of both, added up by cluster.
        Intervals are at a higher level, as the groups shown are selected: of G groups k are shown at 1 - (1 - level) k / G
        (Benjamini, Yekutieli 2005, doi:10.1198/016214504000001907). Those of shares are exact, unless there are clusters or
        strata.

        Examples
        --------
        >>> import rocksteady as rs
        >>> y = [1] * 302
        >>> p = [0] * 2 + [1] * 60 + [0] * 40 + [1] * 180 + [0] * 20
        >>> by = rs.group_by(y, p, by=["two rows"] * 2 + ["north"] * 100 + ["south"] * 200)
        >>> [row[0] for row in by.worst("recall", k=2).table]
        ['north', 'two rows']
        """
        from rocksteady.fairness import worst as fairness  # noqa: PLC0415 (few programs need it)

        options: dict[str, Any] = {"k": k, "level": level, "adjust": adjust, "min_rows": min_rows, "bad": bad}
        form, rows = self._form(name, "average" in parameters), self._grouped
        if form == "tables" and rows is None:
            own = self._in_order("tables", parameters)
            return fairness.worst(self._keyed(), name, parameters=own, **options)
        all_rows: Any = None if rows is not None else self.score_table() if form == "scores" else self.matrix()

        def of_group(place: int) -> Any:
            if form == "scores":
                return ScoreTable._of(self._state.table(place))
            return ConfusionMatrix._of(self._state.matrix(place), self.pos_label)

        def interval(place: int, level: float) -> Interval:
            given = {"level": level, **parameters}
            return of_group(place).interval(name, **given) if rows is None else rows.interval(name, [place], **given)

        def test(place: int) -> tuple[float, float, float]:
            if rows is not None:
                return rows.against_others(name, place, **parameters)
            own = of_group(place)
            return fairness.of_intervals(*(one.interval(name, **parameters) for one in (own, all_rows - own)))

        return fairness.worst_by_test(self._keys_alone(), name, self.sizes, test, interval, **options)

    def _keyed(self) -> Keyed:
        from rocksteady.fairness.disparity import Keyed  # noqa: PLC0415 (few programs need it)

        return Keyed(self.counts(), self.keys, len(self.controls))

    def _keys_alone(self) -> Keyed:
        from rocksteady.fairness.disparity import Keyed  # noqa: PLC0415 (few programs need it)

        return Keyed(None, self.keys, len(self.controls))

    def _apart(
        self,
        name: str,
        kind: Kind,
        method: Compared,
        groups: tuple[object, object] | None,
        level: float | None,
        side: Side,
        parameters: dict[str, Any],
    ) -> Any:
        from rocksteady.fairness import disparity as fairness  # noqa: PLC0415 (few programs need it)

        options: dict[str, Any] = {"level": level, "side": side}
        rows = self._grouped
        if rows is None and self._form(name, "average" in parameters) == "tables":
            own = self._in_order("tables", parameters)
            if groups is not None:
                return fairness.pair(self._keyed(), name, kind, groups, parameters=own, **options)
            return fairness.disparity(self._keyed(), name, kind, method=method, parameters=own, **options)
        keyed = self._keys_alone()

        def interval(level: float) -> GroupValues:
            return self.interval(name, level=level, **parameters)

        if groups is not None:
            correlation = None if rows is None else partial(rows.correlation, name, **parameters)
            return fairness.pair_of_values(
                keyed, index(name).name, kind, groups, interval, correlation=correlation, **options
            )
        whole = self.over(self.controls)
        values, overall = (_defined(one, name, parameters) for one in (self, whole))
        return fairness.disparity_of_values(
            keyed,
            index(name).name,
            kind,
            values,
            overall,
            interval,
            method=method,
            why=None if rows is None or kind in ("min", "max") else rows.why_dependent,
            **options,
        )

    # As an object -----------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        keys = " × ".join(map(shown, self.names)) or "nothing"
        has_counts, has_scores = self._state.has
        held = " and ".join(
            word for word, is_there in (("predicted classes", has_counts), ("scores", has_scores)) if is_there
        )
        return f"Groups by {keys}: {number_of(len(self), 'group')}, {number_of(self.rows, 'row')}, {held}"

    def _repr_html_(self) -> str:
        return repr_html(self)

    def _ipython_key_completions_(self) -> list[str]:
        from rocksteady._completion import names_of  # noqa: PLC0415 (only a shell needs it)

        return names_of(("counts", "matrix", "scores"))


def _restored(data: bytes, rows: GroupedRows) -> Groups:
    found = Groups.from_bytes(data)
    found._rows = rows
    return found


_OF_ONE_CLASS: Final = frozenset(
    {"No row is actually positive.", "No row is actually negative.", "All rows are actually of one class."}
)


def _defined(groups: Groups, name: str, parameters: dict[str, object]) -> NDArray[np.float64]:
    """An index of each group; NaN where it is undefined, also if a convention gives a number."""
    values, (codes, _) = groups._found(name, parameters)
    return np.where(codes == 0, values, np.nan)


def _later(reasons: _Reasons) -> Reasons | None:
    """A reason, or None, for each group, made when it is read; None if no group has a reason."""
    codes, sentences = reasons
    return Reasons(codes, tuple(sentences)) if codes.any() else None


def _spread(reasons: _Reasons) -> tuple[str | None, ...] | None:
    """A reason, or None, for each group; None if no group has a reason."""
    later = _later(reasons)
    return None if later is None else later.spread()


def refuse_unused(threshold: Any) -> None:
    """Refuse a threshold beside predicted classes, which nobody would notice."""
    if threshold is not None:
        raise InputError(
            f"threshold is {shown(threshold)}; expected None, as y_pred says what is predicted; "
            "Groups.at(threshold) has counts at any threshold",
            argument="threshold",
        )
