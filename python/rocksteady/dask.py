"""Evaluation of models on Dask, exact and without a shuffle of rows. Needs ``dask[dataframe]``.

Each partition is counted into one state. The states are merged as a tree, so that no task holds many of them and the
client gets one state, whatever the number of partitions. States are merged to the bit, so the result does not depend on
partitions, their order, or tasks that were run again because a worker was lost. rocksteady must be installed where the
tasks run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rocksteady.base.arguments import wrong_type
from rocksteady.base.ways_out import library
from rocksteady.engines.aggregator import Aggregator, State
from rocksteady.merging import merge

if TYPE_CHECKING:
    from collections.abc import Mapping


__all__ = ["evaluate", "state"]

#: How many states a task merges.
_EACH: Final = 8


def evaluate(
    df: Any,
    label: Any,
    score: Any | Mapping[str, Any],
    *,
    by: Any = None,
    weight: Any = None,
    compute: bool = True,
    **options: Any,
) -> Any:
    """Evaluate one or several models on a Dask data frame.

    Parameters
    ----------
    df : dask.dataframe.DataFrame
    label : str
        The column of class labels, two kinds at most.
    score : str, or mapping from str to str
        The column of the scores of the positive class; or those of several models, by their names.
    by : str, or sequence of str, optional
        Columns of keys: then `Evaluation.groups` has the statistics of each group.
    weight : str, optional
        The column of weights.
    compute : bool
        Whether to compute the evaluation now. Else it is a ``dask.delayed.Delayed``.
    **options
        `pos_label`, `labels`, `threshold`, `weight_kind`, `nan_policy`, `infinite` and `how`, as for
        `rocksteady.engines.Aggregator`.

    Returns
    -------
    Evaluation, or a Delayed of one
        To the bit that of all rows on one machine.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        As `rocksteady.evaluate`. A row is counted from the start of a partition.
    """
    aggregator, total = _planned(df, label, score, by, weight, options)
    if compute:
        return aggregator.value(total.compute())
    delayed = library("dask", "dask").delayed
    return delayed(aggregator.value)(total)


def state(
    df: Any,
    label: Any,
    score: Any | Mapping[str, Any],
    *,
    by: Any = None,
    weight: Any = None,
    **options: Any,
) -> Any:
    """The state of all rows, lazily: a ``dask.delayed.Delayed`` of a `rocksteady.engines.State`.

    Parameters
    ----------
    df, label, score, by, weight, **options
        As for `evaluate`.
    """
    return _planned(df, label, score, by, weight, options)[1]


def _planned(df: Any, label: Any, score: Any, by: Any, weight: Any, options: dict[str, Any]) -> tuple[Aggregator, Any]:
    """The aggregation, and its state as a delayed value."""
    if not hasattr(df, "to_delayed") or not hasattr(df, "npartitions"):
        raise wrong_type(df, "df", "a Dask data frame")
    delayed = library("dask", "dask").delayed
    aggregator = Aggregator(label, score, by=by, weight=weight, **options)
    count, add = delayed(_count, pure=True), delayed(_merge, pure=True)
    states = [count(aggregator, part) for part in df[aggregator.columns].to_delayed()]
    while len(states) > 1:
        states = [add(states[start : start + _EACH]) for start in range(0, len(states), _EACH)]
    return aggregator, states[0]


def _count(aggregator: Aggregator, part: Any) -> State:
    return aggregator.count([part])


def _merge(states: list[State]) -> State:
    return merge(states)


def __dir__() -> list[str]:
    return [*__all__]
