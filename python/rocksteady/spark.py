"""Evaluation of models on Spark, exact and without a shuffle of rows. Needs ``pyspark`` and ``pyarrow``.

Each task counts the rows of its partition into one state, and the states are merged in two steps:

1. ``mapInArrow`` reads the columns as Arrow batches, and gives the state of the partition as bytes.
2. The states are hashed to a few tasks, each of which merges its share.
3. One task merges what these give. The driver collects one state, whatever the number of partitions.

States are merged to the bit, so the result does not depend on partitions, their order, or tasks that were run again.
It works on Spark Connect, too. rocksteady must be installed where the tasks run.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from rocksteady import errors
from rocksteady.base.arguments import listed, wrong_type
from rocksteady.base.ways_out import library
from rocksteady.engines.aggregator import Aggregator, State, columns_of_models
from rocksteady.merging import merge

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rocksteady.evaluation.evaluation import Evaluation


__all__ = ["evaluate", "state"]

#: How many tasks merge the states of partitions, before one task merges what these give.
_NODES: Final = 8
#: Bytes of a row of a state. Spark Connect sends rows whole, 128 MB at most.
_PIECE: Final = 4 << 20
# A row is a piece of the bytes of a state.
_SCHEMA: Final = "part long, piece int, pieces int, data binary"
# Spark gives an error of a task as text.
_REFUSAL: Final = re.compile(r"rocksteady\.errors\.(\w+): (.*)")


def evaluate(
    df: Any,
    label: Any,
    score: Any | Mapping[str, Any],
    *,
    by: Any = None,
    weight: Any = None,
    **options: Any,
) -> Evaluation:
    """Evaluate one or several models on a Spark data frame.

    Parameters
    ----------
    df : pyspark.sql.DataFrame
        Of Spark or of Spark Connect.
    label : str or pyspark.sql.Column
        Class labels, two kinds at most.
    score : str or pyspark.sql.Column, or mapping of such
        Scores of the positive class; or those of several models, by their names.
    by : str, or sequence of str, optional
        Columns of keys: then `Evaluation.groups` has the statistics of each group.
    weight : str or pyspark.sql.Column, optional
        Weights of rows.
    **options
        `pos_label`, `labels`, `threshold`, `weight_kind`, `nan_policy`, `infinite` and `how`, as for
        `rocksteady.engines.Aggregator`. ``nan_policy="omit"`` leaves out rows with a null.

    Returns
    -------
    Evaluation
        To the bit that of all rows on one machine. It is computed by one job; `state` is lazy.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        As `rocksteady.evaluate`. A row is counted from the start of an Arrow batch of a partition.
    """
    aggregator, states = _planned(df, label, score, by, weight, options)
    return aggregator.value(_collected(states))


def state(
    df: Any,
    label: Any,
    score: Any | Mapping[str, Any],
    *,
    by: Any = None,
    weight: Any = None,
    **options: Any,
) -> Any:
    """The state of all rows as a lazy data frame: nothing runs before Spark is told to.

    Its rows are pieces of 4 MiB of the bytes of one `rocksteady.engines.State`. They can be written like any other rows,
    and be read back with `read_state`.

    Parameters
    ----------
    df, label, score, by, weight, **options
        As for `evaluate`.

    Returns
    -------
    pyspark.sql.DataFrame
        With the columns part, piece, pieces and data.
    """
    return _planned(df, label, score, by, weight, options)[1]


def read_state(states: Any) -> State:
    """The state of the rows of what `state` gives, or of several of them, such as those of several days.

    Parameters
    ----------
    states : pyspark.sql.DataFrame
        What `state` gave, also read from a table.
    """
    return _collected(_merged(states, 1))


def _planned(df: Any, label: Any, score: Any, by: Any, weight: Any, options: dict[str, Any]) -> tuple[Aggregator, Any]:
    """The aggregation over columns that are called by their part in it, and its state as a lazy data frame."""
    if not hasattr(df, "mapInArrow"):
        raise wrong_type(df, "df", "a Spark data frame")
    named: dict[str, Any] = {}
    models = columns_of_models(score)
    scores = {
        name: _alias(column, "score" if len(models) == 1 else f"score[{name!r}]", named)
        for name, column in models.items()
    }
    keys = [] if by is None else [by] if isinstance(by, str) else listed(by, "by", "names of columns")
    aggregator = Aggregator(
        _alias(label, "label", named),
        scores if isinstance(score, Mapping) else next(iter(scores.values())),
        by=[_alias(key, "by", named) for key in keys],
        weight=None if weight is None else _alias(weight, "weight", named),
        **options,
    )
    states = _selected(df, named).mapInArrow(_counted(aggregator), _SCHEMA)
    return aggregator, _merged(_merged(states, _NODES), 1)


def _alias(column: Any, part: str, named: dict[str, Any]) -> str:
    """What a column is called here: its own name, or the part that an expression has. It is added to `named`.

    `mapInArrow` of Spark 4.3 does not find columns with a point in their names.
    """
    name = re.sub("[.`]", "_", column if isinstance(column, str) else part)
    while name in named and named[name] is not column and not (isinstance(column, str) and named[name] == column):
        name += "_"
    named[name] = column
    return name


def _selected(df: Any, columns: dict[str, Any]) -> Any:
    """The columns that are read, under their names here; decimal numbers as doubles."""
    functions = library("pyspark.sql.functions", "spark")
    found = [
        (functions.col(_quoted(column)) if isinstance(column, str) else column).alias(name)
        for name, column in columns.items()
    ]
    selected = df.select(*found)
    decimals = [field.name for field in selected.schema.fields if field.dataType.typeName() == "decimal"]
    for name in decimals:
        selected = selected.withColumn(name, functions.col(_quoted(name)).cast("double"))
    return selected


def _quoted(column: str) -> str:
    """A name as it is, though it has a point."""
    return column if column.startswith("`") else f"`{column.replace('`', '``')}`"


def _counted(aggregator: Aggregator) -> Any:
    """What a task does with the batches of its partition."""

    def count(batches: Iterator[Any]) -> Iterator[Any]:
        found = aggregator.count(batches)
        if found.statistics or found.left_out:
            yield from _pieces(_partition(), found)

    return count


def _merged(states: Any, nodes: int) -> Any:
    """The states merged by so many tasks, as a lazy data frame."""
    return states.repartition(nodes, "part").mapInArrow(_merge_each, _SCHEMA)


def _merge_each(batches: Iterator[Any]) -> Iterator[Any]:
    """What a task does with the states that were hashed to it."""
    states = list(_states_of(batches))
    if states:
        yield from _pieces(_partition(), merge(states))


def _partition() -> int:
    """The number of the partition that this task has."""
    context = library("pyspark", "spark").TaskContext.get()
    return 0 if context is None else int(context.partitionId())


def _pieces(part: int, found: State) -> Iterator[Any]:
    """The bytes of a state as Arrow batches of one row each."""
    pa = library("pyarrow", "spark")
    data = memoryview(found.to_bytes())
    pieces = -(-len(data) // _PIECE)
    for piece in range(pieces):
        row = {
            "part": pa.array([part], pa.int64()),
            "piece": pa.array([piece], pa.int32()),
            "pieces": pa.array([pieces], pa.int32()),
            "data": pa.array([data[piece * _PIECE : (piece + 1) * _PIECE]], pa.binary()),
        }
        yield pa.record_batch(row)


def _states_of(batches: Iterable[Any]) -> Iterator[State]:
    """The states of their pieces, each as soon as all of its pieces are there."""
    waiting: dict[int, dict[int, bytes]] = {}
    for batch in batches:
        columns = (batch[name].to_pylist() for name in ("part", "piece", "pieces", "data"))
        for part, piece, pieces, data in zip(*columns, strict=True):
            held = waiting.setdefault(part, {})
            held[piece] = data
            if len(held) == pieces:
                del waiting[part]
                yield State.from_bytes(b"".join(held[place] for place in range(pieces)))


def _collected(states: Any) -> State:
    """The one state of a data frame of states."""
    try:
        table = states.toArrow()
    except Exception as error:
        raise _refusal(error) from error
    found = list(_states_of(table.to_batches()))
    return found[0] if found else State()


def _refusal(error: Exception) -> Exception:
    """The refusal that a task met, of an error of Spark; the error itself if it was no refusal."""
    found = _REFUSAL.search(str(error))
    if found is None:
        return error
    kind = getattr(errors, found[1], None)
    return kind(found[2]) if isinstance(kind, type) and issubclass(kind, Exception) else error


def __dir__() -> list[str]:
    return [*__all__]
