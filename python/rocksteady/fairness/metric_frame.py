"""Metrics by group of rows: fairlearn's `MetricFrame`, with its values, computed for all groups at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from importlib.util import find_spec
from itertools import product
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import mapping, one_of, several, shown, string, wrong_value
from rocksteady.base.containers import same_rows
from rocksteady.base.table import Table, one_line
from rocksteady.base.warning import warn
from rocksteady.base.ways_out import WaysOut, items_of, library
from rocksteady.columns.keys import key_arrays
from rocksteady.errors import InputError, RocksteadyError
from rocksteady.fairness.disparity import METHODS, NUMBERS, Compared, Keyed, disparity, item
from rocksteady.fairness.features import Labels, groups_of, side_by_side
from rocksteady.fairness.recognised import Metric, recognised

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from rocksteady.fairness.worst import WorstGroups

_ERRORS: Final = ("raise", "coerce")
_NAN: Final = float("nan")


class MetricFrame(WaysOut):
    """Metrics of all rows and of each group of rows, and how far the groups lie apart.

    The arguments, attributes, methods and values are those of fairlearn's `MetricFrame` (0.15). Metric functions of
    fairlearn, scikit-learn and rocksteady that are indices of counts, and names of indices, are computed for all groups
    in one call. Any other function is called for each group, as fairlearn does.

    Parameters
    ----------
    metrics : callable, str, list of str, or dict
        A metric, or a dictionary of metrics by name. Each is a function of ``(y_true, y_pred, **sample_params)``, or the
        name of an index of counts (`rocksteady.indices`). A list of names is a dictionary of these.
    y_true, y_pred : array-like
        Actual labels, and predictions.
    sensitive_features : array-like, mapping of str to array-like, or data frame
        The columns that make the groups. A missing key is a group of its own.
    control_features : array-like, mapping of str to array-like, or data frame, optional
        Columns within whose groups the sensitive groups are compared.
    sample_params : dict, optional
        Columns for the metric, such as ``{"sample_weight": weights}``; for a dictionary of metrics, a dictionary of
        these by the metric's name.
    n_boot, ci_quantiles, random_state : None
        fairlearn's bootstrap is not here: `difference_interval` and `ratio_interval` need no resampling.

    Notes
    -----
    In a group without positive rows fairlearn's true positive rate is 0, and so are scikit-learn's recall, precision
    and F1 where they are undefined. With these functions it is so here, with one `RocksteadyWarning`. An index asked for
    by name has no value there (NaN): the group is left out, and `without` counts it.

    Values are pandas' Series and DataFrames where pandas is installed, else a `Table`.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        For columns of different lengths, features without a name or with one name twice, and unknown options.
    rocksteady.UnknownIndexError
        For a name that is no index.

    Examples
    --------
    >>> from rocksteady.fairness import MetricFrame, selection_rate
    >>> frame = MetricFrame(
    ...     metrics={"accuracy": "accuracy", "selection rate": selection_rate},
    ...     y_true=[1, 1, 1, 1, 1, 0, 0, 1, 1, 0],
    ...     y_pred=[0, 1, 1, 1, 1, 0, 0, 0, 1, 1],
    ...     sensitive_features={"sex": ["F"] * 5 + ["M"] * 5},
    ... )
    >>> frame.summary()
    sex  rows  accuracy  selection rate
    F       5       0.8             0.8
    M       5       0.6             0.4
    >>> frame.difference().round(3).to_dict()
    {'accuracy': 0.2, 'selection rate': 0.4}
    """

    def __init__(
        self,
        *,
        metrics: Any,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        sensitive_features: Any,
        control_features: Any = None,
        sample_params: Mapping[str, Any] | None = None,
        n_boot: Any = None,
        ci_quantiles: Any = None,
        random_state: Any = None,  # noqa: ARG002 (fairlearn's signature)
    ) -> None:
        for argument, given in (("n_boot", n_boot), ("ci_quantiles", ci_quantiles)):
            if given is not None:
                expected = "None: difference_interval and ratio_interval give intervals without resampling"
                raise wrong_value(given, argument, expected)
        rows = same_rows(y_true, y_pred)
        self._single = isinstance(metrics, str) or (callable(metrics) and not isinstance(metrics, Mapping))
        self._metrics = _metrics_of(metrics, self._single)
        params = _params_of(sample_params, self._metrics, self._single)
        side_by_side(
            "y_true",
            {
                "y_true": y_true,
                "y_pred": y_pred,
                "sensitive_features": sensitive_features,
                "control_features": control_features,
                "sample_params": sample_params,
            },
        )
        self._state, self._control, self._sensitive = groups_of(sensitive_features, control_features, rows)
        self._keys = key_arrays(self._state)
        self._given = (y_true, y_pred)
        self._labels = Labels(self._state, y_true, y_pred)
        self._params = params
        self._counts: dict[Any, Keyed] = {}
        self._rows_of: list[NDArray[Any]] | None = None
        self._strata = Keyed(None, self._keys, len(self._control)).strata()
        self._values: dict[str, Any] = {}
        self._overall: dict[str, Any] = {}
        self._replaced: dict[str, int] = {}
        for metric in self._metrics:
            self._compute(metric)
        if self._replaced:
            several = ", ".join(f"{shown(name)} in {number}" for name, number in self._replaced.items())
            warn(
                f"metrics have no value in some of {self._state.groups} groups and count as 0 there, as in fairlearn: "
                f"{several}; the names of indices, and rocksteady.group_by, leave such groups out"
            )

    def _compute(self, metric: Metric) -> None:
        """The values of a metric in each group and in each group of the control columns."""
        params = self._params[metric.name]
        if metric.index is None or not set(params) <= {"sample_weight"}:
            self._call(metric, params)
            return
        try:
            keyed = self._counts_of(metric, params.get("sample_weight"))
        except InputError as error:
            if metric.function is None or error.row is not None:  # the function would number the rows within a group
                raise
            self._call(metric, params)  # labels of several classes, or of the function itself
            return
        codes, count, _ = self._strata
        values, numbers, _, _ = _rocksteady.group_disparities(
            keyed.counts._arrays, metric.index, None, codes, count, _NAN, None
        )
        overall = numbers[0]
        missing = np.flatnonzero(np.isnan(values))
        if missing.size or np.isnan(overall).any():
            if metric.undefined is None and metric.function is not None:
                self._call(metric, params)  # the function decides the value of such a group
                return
            if metric.undefined == 0.0:
                self._replaced[metric.name] = int(missing.size)
                values[missing] = 0.0
                overall[np.isnan(overall)] = 0.0
        self._values[metric.name], self._overall[metric.name] = values, overall

    def _counts_of(self, metric: Metric, weights: Any) -> Keyed:
        """The counts of each group, once for each pair of positive label and weights."""
        asked = (id(weights), repr(metric.pos_label), metric.selected)
        if asked not in self._counts:
            counts = (
                self._selected(metric, weights) if metric.selected else self._labels.counts(metric.pos_label, weights)
            )
            self._counts[asked] = Keyed(counts, self._keys, len(self._control))
        return self._counts[asked]

    def _selected(self, metric: Metric, weights: Any) -> Any:
        """The counts for a selection rate: of other metrics if the labels are 0 and 1, else of predictions alone."""
        try:
            return self._counts_of(replace(metric, selected=False), weights).counts
        except RocksteadyError:
            return self._labels.selected(metric.pos_label, weights)

    def _call(self, metric: Metric, params: dict[str, Any]) -> None:
        """Call a metric function for the rows of each group."""
        true, pred = (np.asarray(values) for values in self._given)
        columns = {name: np.asarray(values) for name, values in params.items()}

        def value(rows: NDArray[Any]) -> Any:
            options = {name: values[rows] for name, values in columns.items()}
            return metric.function(true[rows], pred[rows], **options)

        places = self._rows()
        self._values[metric.name] = _numbers([value(rows) for rows in places])
        codes, count, _ = self._strata
        strata: list[list[NDArray[Any]]] = [[] for _ in range(count)]
        for group, rows in enumerate(places):
            strata[0 if codes is None else int(codes[group])].append(rows)
        # In the order of the rows, as the last digit of a metric may depend on it.
        overall = [value(np.sort(np.concatenate(rows))) if rows else _NAN for rows in strata]
        self._overall[metric.name] = _numbers(overall)

    def _rows(self) -> list[NDArray[Any]]:
        """The rows of each group, in their order."""
        if self._rows_of is None:
            codes = self._state.codes()
            order = np.argsort(codes, kind="stable")
            ends = np.searchsorted(codes[order], np.arange(1, self._state.groups))
            self._rows_of = np.split(order, ends)
        return self._rows_of

    @property
    def control_levels(self) -> list[str] | None:
        """The names of the control columns; None without any."""
        return self._control or None

    @property
    def sensitive_levels(self) -> list[str]:
        """The names of the sensitive columns."""
        return self._sensitive

    @property
    def without(self) -> dict[str, int]:
        """How many groups have no value in each metric. A combination of keys without rows is no group."""
        return {
            name: sum(1 for value in values.tolist() if isinstance(value, float) and value != value)
            for name, values in self._values.items()
        }

    @property
    def overall(self) -> Any:
        """The metrics of all rows: a value, or a Series by metric; by group of the control columns where there are some."""
        return self._by_stratum(self._overall)

    @property
    def by_group(self) -> Any:
        """The metrics of each group: a Series, or a DataFrame with a column for each metric.

        With several columns of keys each combination has a row; those without rows in the data are NaN.
        """
        if find_spec("pandas") is None:
            return self.summary()
        columns, places = _combinations(self._keys)
        values = {name: _spread(values, places) for name, values in self._values.items()}
        return self._framed(values, columns)

    def group_min(self, errors: str = "raise") -> Any:
        """The least value of each metric over the groups.

        Parameters
        ----------
        errors : {"raise", "coerce"}
            What to do with metrics that are no numbers, such as matrices: refuse them, or NaN.
        """
        return self._aggregate("min", errors)

    def group_max(self, errors: str = "raise") -> Any:
        """The greatest value of each metric over the groups; `errors` as in `group_min`."""
        return self._aggregate("max", errors)

    def difference(self, method: Compared = "between_groups", errors: str = "coerce") -> Any:
        """The greatest difference of each metric.

        Parameters
        ----------
        method : {"between_groups", "to_overall"}
            Between two groups, or between a group and all rows.
        errors : {"raise", "coerce"}
            What to do with metrics that are no numbers, such as matrices: refuse them, or NaN.
        """
        one_of(method, "method", METHODS)
        return self._aggregate("difference" if method == "between_groups" else "overall_difference", errors)

    def ratio(self, method: Compared = "between_groups", errors: str = "coerce") -> Any:
        """The least ratio of each metric, in [0, 1].

        Parameters
        ----------
        method : {"between_groups", "to_overall"}
            Of two groups, or of a group and all rows, the smaller over the greater.
        errors : {"raise", "coerce"}
            What to do with metrics that are no numbers or negative, whose ratios mean nothing: refuse them, or NaN.
        """
        one_of(method, "method", METHODS)
        return self._aggregate("ratio" if method == "between_groups" else "overall_ratio", errors)

    def _aggregate(self, what: str, errors: str) -> Any:
        one_of(errors, "errors", _ERRORS)
        codes = self._strata[0]
        found, alone = {}, []
        for name, values in self._values.items():
            overall = self._overall[name]
            if errors == "raise" and object in (values.dtype, overall.dtype):
                raise InputError(
                    f"the metric {shown(name)} is no number in some groups; expected numbers, or errors='coerce'",
                    argument="errors",
                )
            numbers, places, negative = _rocksteady.value_disparities(_coerced(values), codes, _coerced(overall))
            if negative and what.endswith("ratio"):
                if errors == "raise":
                    raise InputError(
                        f"the metric {shown(name)} is negative in some groups, so ratios mean nothing; ask for the "
                        "difference",
                        argument="metrics",
                    )
                warn(f"the metric {shown(name)} is negative in some groups, so it has no ratio; ask for the difference")
            found[name] = dict(zip(NUMBERS, numbers, strict=True))[what]
            if what in ("difference", "ratio") and (places[4] == 1).any():
                alone.append(name)
        if alone:
            warn(
                f"{several(alone)}: one group only has a value, and its {what} to itself is "
                f"{int(what == 'ratio')}, as in fairlearn; {what}_interval has none there"
            )
        return self._by_stratum(found)

    def _by_stratum(self, values: dict[str, NDArray[Any]]) -> Any:
        """Values for each group of the control columns, in fairlearn's form."""
        if not self._control:
            single = {name: item(column[0]) if len(column) else _NAN for name, column in values.items()}
            if self._single:
                return next(iter(single.values()))
            return single if find_spec("pandas") is None else library("pandas", "pandas").Series(single)
        firsts = self._strata[2]
        keys = {name: self._keys[name][firsts] for name in self._control}
        if find_spec("pandas") is None:
            table = zip(*(items_of(column) for column in (*keys.values(), *values.values())), strict=True)
            return Table([*keys, *values], list(table))
        columns, places = _combinations(keys)
        return self._framed({name: _spread(column, places) for name, column in values.items()}, columns)

    def _framed(self, values: dict[str, Any], keys: dict[str, Any]) -> Any:
        pandas = library("pandas", "pandas")
        if len(keys) == 1:
            ((name, column),) = keys.items()
            index = pandas.Index(column, name=name)
        else:
            index = pandas.MultiIndex.from_arrays(list(keys.values()), names=list(keys))
        frame = pandas.DataFrame(values, index=index)
        return frame.iloc[:, 0] if self._single else frame

    def summary(self) -> Table:
        """The groups that have rows as a `Table`: keys, rows, and a column for each metric."""
        rows = (
            np.bincount(self._state.codes(), minlength=self._state.groups) if self._state.groups else np.zeros(0, int)
        )
        columns = [_cells(values) for values in (*self._keys.values(), rows, *self._values.values())]
        return Table([*self._keys, "rows", *self._values], list(zip(*columns, strict=True)))

    def difference_interval(self, metric: str | None = None, *, level: float = 0.95) -> Any:
        """The difference between groups with its interval: a `Disparity`, or a `Table` with control columns.

        The metric must be an index of counts. Groups without a value are left out, and counted.

        Parameters
        ----------
        metric : str, optional
            Which metric of several.
        level : float
            The confidence level.

        >>> from rocksteady.fairness import MetricFrame
        >>> y = [1] * 150
        >>> p = [1] * 56 + [0] * 14 + [1] * 48 + [0] * 32
        >>> frame = MetricFrame(metrics="recall", y_true=y, y_pred=p, sensitive_features=["a"] * 70 + ["b"] * 80)
        >>> found = frame.difference_interval()
        >>> round(found.value, 4), round(found.low, 4), round(found.high, 4)
        (0.2, 0.0309, 0.3339)
        """
        return disparity(*self._index_of(metric), "difference", level=level)

    def ratio_interval(self, metric: str | None = None, *, level: float = 0.95) -> Any:
        """The ratio between groups with its interval; see `difference_interval`."""
        return disparity(*self._index_of(metric), "ratio", level=level)

    def worst(self, metric: str | None = None, **options: Any) -> WorstGroups:
        """The groups with the most evidence against them; the options are those of `Groups.worst`."""
        from rocksteady.fairness.worst import worst  # noqa: PLC0415 (few programs need it)

        return worst(*self._index_of(metric), **options)

    def _index_of(self, metric: str | None) -> tuple[Keyed, str]:
        """The counts and the index of a metric."""
        if metric is None and len(self._metrics) > 1:
            raise wrong_value(metric, "metric", f"one of {several(self._values)}")
        name = self._metrics[0].name if metric is None else string(metric, "metric")
        for own in self._metrics:
            if own.name == name:
                if own.index is None:
                    raise wrong_value(name, "metric", "an index of counts: intervals are of these")
                return self._counts_of(own, self._params[name].get("sample_weight")), own.index
        raise wrong_value(name, "metric", f"one of {several(self._values)}")

    def __repr__(self) -> str:
        groups = self._state.groups
        facts = (
            f"MetricFrame of {groups} {'group' if groups == 1 else 'groups'} by {', '.join(map(one_line, self._keys))}"
        )
        shown_rows = self.summary()
        if groups > 20:
            return f"{facts}: {', '.join(map(one_line, self._values))}"
        return f"{facts}\n{shown_rows!r}"

    def _repr_html_(self) -> str:
        return self.summary()._repr_html_()


def _metrics_of(given: Any, single: bool) -> list[Metric]:
    if single:
        return [recognised(given, None, "metrics")]
    if isinstance(given, list | tuple) and given and all(isinstance(name, str) for name in given):
        given = {name: name for name in given}
    named = mapping(given, "metrics", "a metric, a list of names, or a dictionary of metrics by name")
    if not named:
        raise wrong_value(given, "metrics", "at least one metric")
    return [recognised(metric, string(name, "metrics"), f"metrics[{shown(name)}]") for name, metric in named.items()]


def _params_of(given: Any, metrics: list[Metric], single: bool) -> dict[str, dict[str, Any]]:
    """The columns for each metric."""
    if given is None:
        return {metric.name: {} for metric in metrics}
    given = dict(mapping(given, "sample_params", "a dictionary of columns by name"))
    by_metric = {metrics[0].name: given} if single else given
    names = {metric.name for metric in metrics}
    for name in by_metric:
        if name not in names:
            raise wrong_value(name, "sample_params", f"one of the metrics {', '.join(sorted(names))}")
    found = {}
    for name in names:
        own = mapping(by_metric.get(name) or {}, f"sample_params[{shown(name)}]", "a dictionary of columns by name")
        found[name] = {key: values for key, values in own.items() if values is not None}
    return found


def _numbers(values: list[Any]) -> NDArray[Any]:
    """Values as floats, or as objects where one is not a number."""
    if all(np.ndim(value) == 0 and isinstance(value, int | float | np.number | np.bool_) for value in values):
        return np.array(values, dtype=np.float64)
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _coerced(values: NDArray[Any]) -> NDArray[np.float64]:
    """Values as floats; NaN for objects that are not numbers."""
    if values.dtype != object:
        return values
    return np.array([value if np.ndim(value) == 0 and isinstance(value, int | float) else _NAN for value in values])


def _cells(values: Any) -> list[Any]:
    return [
        value if isinstance(value, str | int | float) or value is None else str(value) for value in items_of(values)
    ]


def _combinations(keys: dict[str, NDArray[Any]]) -> tuple[dict[str, Any], NDArray[np.int64]]:
    """Every combination of the keys of several columns, and the place of each group among them."""
    if len(keys) == 1:
        return keys, np.arange(len(next(iter(keys.values()))))
    levels, codes = [], []
    for values in keys.values():
        own = values.tolist() if values.dtype.kind not in "mM" else list(values)
        marks = [("missing",) if item is None or item != item else ("key", item) for item in own]
        known = dict(zip(marks, own, strict=True))
        order = sorted(known, key=lambda mark: (len(mark) == 1, mark[1:]))
        place = {mark: at for at, mark in enumerate(order)}
        levels.append(values[[marks.index(mark) for mark in order]])
        codes.append(np.array([place[mark] for mark in marks], dtype=np.int64))
    places = np.zeros(len(codes[0]) if codes else 0, dtype=np.int64)
    for level, code in zip(levels, codes, strict=True):
        places = places * len(level) + code
    grid = list(product(*(range(len(level)) for level in levels)))
    columns = {
        name: level[[cell[at] for cell in grid]] for at, (name, level) in enumerate(zip(keys, levels, strict=True))
    }
    return columns, np.column_stack([places, np.full(len(places), len(grid))]) if len(grid) != len(places) else places


def _spread(values: NDArray[Any], places: NDArray[np.int64]) -> NDArray[Any]:
    """Values of groups, put at their places among all combinations; NaN elsewhere."""
    if places.ndim == 1:
        found = np.empty(len(values), dtype=values.dtype)
        found[places] = values
        return found
    found = np.full(int(places[0, 1]) if len(places) else 0, _NAN, dtype=values.dtype)
    found[places[:, 0]] = values
    return found
