"""Several runs on the same queries, compared two by two."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.base.arguments import mapping, string, whole, wrong_type
from rocksteady.base.table import Table
from rocksteady.errors import InputError
from rocksteady.inference.resampling import seed_of
from rocksteady.queries.queries import Queries

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from rocksteady.base.table import Cell
    from rocksteady.inference.resampling import RandomState

_AT_ONCE = 1 << 21  # values of resamples in memory


def compare_runs(
    runs: Mapping[str, Queries],
    name: str,
    *,
    level: float = 0.95,
    n_resamples: int = 9999,
    random_state: RandomState = None,
    empty: float | None = None,
    **parameters: object,
) -> Table:
    """Compare several runs by an index on the same queries, with p-values that allow for the number of pairs.

    Parameters
    ----------
    runs : mapping of str to Queries
        Two runs or more, by their names. Queries are matched by their keys.
    name, empty, **parameters
        As for `Queries.value`.
    level : float
        The confidence level of the interval of each pair.
    n_resamples : int
        How often the values of each query are dealt anew to the runs.
    random_state : None, int or numpy.random.Generator
        The seed.

    Returns
    -------
    Table
        A row for each pair: first, second, difference (of the means), low, high and p_value as of `Queries.difference`,
        and tukey_p_value: how often the widest gap between two runs is at least as wide as this difference, if each query
        deals its values at random (Tukey's honestly significant difference by randomization). If all runs are equal, any
        of these p-values is below 0.05 in 5 % of samples at most.

    Raises
    ------
    rocksteady.InputError
        If there are fewer than two runs, or a query is in some of them only.

    Notes
    -----
    Queries without a value in one of the runs are left out of tukey_p_value. Source: Carterette 2012,
    doi:10.1145/2094072.2094076.

    >>> import rocksteady as rs
    >>> relevance, query = [1, 0, 0, 1, 0, 1, 1, 0], [1, 1, 2, 2, 3, 3, 4, 4]
    >>> scores = {
    ...     "new": [0.9, 0.7, 0.1, 0.2, 0.3, 0.9, 0.8, 0.1],
    ...     "old": [0.5, 0.7, 0.1, 0.2, 0.9, 0.3, 0.1, 0.8],
    ...     "none": [0.1, 0.2, 0.2, 0.1, 0.2, 0.1, 0.1, 0.2],
    ... }
    >>> runs = {run: rs.Queries(relevance, each, query) for run, each in scores.items()}
    >>> found = rs.comparison.compare_runs(runs, "mrr", random_state=0)
    >>> found
    first  second  difference         low      high    p_value  tukey_p_value
    new    old          0.375  -0.0228058  0.772806  0.0576689         0.2999
    new    none           0.5         nan       nan        nan         0.0698
    old    none         0.125   -0.272806  0.522806   0.391002              1
    """
    expected = "a mapping from names to Queries"
    given: dict[str, Queries] = {}
    for run, queries in mapping(runs, "runs", expected).items():
        if not isinstance(queries, Queries):
            raise wrong_type(queries, f"runs[{run!r}]", "Queries")
        given[string(run, "runs", expected)] = queries
    if len(given) < 2:
        raise InputError(f"runs has {len(given)} runs; expected two or more", argument="runs")
    resamples = whole(n_resamples, "n_resamples", "the number of resamples, 1 or more", least=1)
    options: dict[str, Any] = {"empty": empty, **parameters}
    pairs = {(a, b): given[a].difference(given[b], name, level=level, **options) for a, b in combinations(given, 2)}
    values, weights = _matched(list(given.values()), name, options)
    gaps = _widest_gaps(values, weights, resamples, np.random.default_rng(seed_of(random_state)))
    means = dict(zip(given, weights @ values, strict=True))
    rows: list[list[Cell]] = []
    for (a, b), found in pairs.items():
        as_wide = gaps >= abs(means[a] - means[b]) * (1 - 1e-12)  # equal but for rounding
        tukey = (1 + int(as_wide.sum())) / (1 + resamples) if len(values) else math.nan
        rows.append([a, b, found.estimate, found.low, found.high, found.p_value, tukey])
    return Table(["first", "second", "difference", "low", "high", "p_value", "tukey_p_value"], rows)


def _matched(
    runs: list[Queries], name: str, options: dict[str, Any]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The values of each query by run, where all have one, and the shares of the queries."""
    places = [{key: place for place, key in enumerate(zip(*run.keys.values(), strict=True))} for run in runs]
    keys = list(places[0])
    columns = [run.every([name], **options)[name] for run in runs]
    values = np.column_stack(
        [np.asarray(column)[[place[key] for key in keys]] for column, place in zip(columns, places, strict=True)]
    )
    weights: NDArray[np.float64] = np.asarray(runs[0]._state.sizes(None)[2], np.float64)
    there = ~np.isnan(values).any(axis=1) & (weights > 0)
    values, weights = values[there], weights[there]
    return values, weights / weights.sum() if len(weights) else weights


def _widest_gaps(
    values: NDArray[np.float64], weights: NDArray[np.float64], resamples: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """The greatest mean less the least, where each query deals its values to the runs at random."""
    gaps = np.zeros(resamples)
    at_once = max(1, _AT_ONCE // max(1, values.size))
    for start in range(0, resamples, at_once):
        part = gaps[start : start + at_once]
        dealt = rng.permuted(np.broadcast_to(values, (len(part), *values.shape)), axis=2)
        means = np.einsum("q,bqk->bk", weights, dealt)
        part[:] = means.max(axis=1) - means.min(axis=1)
    return gaps
