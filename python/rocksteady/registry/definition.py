"""Your own indices: an expression of counts and indices, usable wherever a built-in index is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from rocksteady import _rocksteady
from rocksteady.registry.registry import Index, index

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def define_index(
    name: str,
    expression: str,
    *,
    parameters: Mapping[str, float] | None = None,
    title: str | None = None,
    about: str = "",
    better: Literal["higher", "lower", "neither"] = "higher",
    low: float = float("-inf"),
    high: float = float("inf"),
    source: str = "",
    aliases: Sequence[str] = (),
    replace: bool = False,
) -> Index:
    """Define an index by an expression. It then works wherever a built-in index does, at the same speed.

    The expression is parsed once. It may contain

    - the counts ``tp``, ``fp``, ``fn``, ``tn``, their sum ``n``, and the margins ``actual_positives`` (tp + fn),
      ``actual_negatives``, ``predicted_positives`` (tp + fp) and ``predicted_negatives``;
    - any index by name or alias, with parameters if needed: ``fbeta(beta=2)``;
    - numbers, and the parameters of this definition;
    - ``+ - * /``, ``^`` or ``**`` for powers, and parentheses;
    - ``sqrt``, ``ln``, ``log2``, ``log10``, ``exp``, ``abs`` and ``probit`` (the normal quantile) of one number, ``min`` and
      ``max`` of two or more.

    The new index can be computed from every input that all its parts can be computed from:

    - an expression with counts: for each class and each threshold;
    - an expression of ``n`` and overall indices (``mcc - cen``): also for several classes at once;
    - an expression of ``roc_auc``: for all scores together.

    The index is undefined (NaN) where it divides by zero, or takes the root or logarithm of a number that has none;
    ``why`` gives the reason. An index inside the expression counts with its value, also if this is a conventional
    value. If an index inside is undefined, the whole expression is undefined.

    Parameters
    ----------
    name : str
        Letters, digits and underscores. The name of a built-in index is refused, even with `replace`.
    expression : str
        At most 4096 characters and 256 steps.
    parameters : mapping of str to float, optional
        Its parameters with their defaults, at most 5. A caller sets them as for any index: ``cm.value(name, gain=3)``.
        A parameter passed on to an index must be in the domain of that index.
    title, about, source : str, optional
        The title in full words, the meaning, and the source.
    better : {"higher", "lower", "neither"}
        Which direction is better.
    low, high : float
        The range, shown to the reader. It is not enforced.
    aliases : sequence of str
        Other names for the index.
    replace : bool
        Whether to replace an earlier definition of this name. Indices defined with the earlier one keep their meaning.
        Without `replace` only an identical definition is accepted again.

    Returns
    -------
    Index
        The new row, as `rocksteady.index` returns it.

    Raises
    ------
    rocksteady.InputError
        If the expression cannot be parsed: the message shows the place, and `position` is its character from 0. If a
        name is taken or not a valid name, or a number is not finite.
    rocksteady.InputTypeError
        If an argument has the wrong type.

    Examples
    --------
    >>> import rocksteady as rs
    >>> row = rs.define_index("net", "tp/(tp+fp) - 0.1*fn/n", title="Net precision")
    >>> rs.ConfusionMatrix.from_counts([[50, 10], [20, 40]])["net"]
    0.7833333333333333
    >>> rs.ConfusionMatrix.from_counts([[50, 0], [20, 0]]).why("net")
    'No row is predicted positive.'
    >>> _ = rs.define_index("profit", "gain*tp - loss*fp", parameters={"gain": 10, "loss": 1})
    >>> rs.Counts(tp=5, fp=2, fn=1, tn=9).value("profit", gain=3)
    13.0
    >>> rs.define_index("net", "tp/(tp+fp")
    Traceback (most recent call last):
    ...
    rocksteady.errors.InputError: expression ends at character 10; expected an operator or ")"
        tp/(tp+fp
                 ^
    >>> rs.undefine_index("net"), rs.undefine_index("profit")
    (None, None)
    """
    named = _rocksteady.define_index(
        name, expression, parameters, (title, about, source), better, (low, high), aliases, replace
    )
    return index(named)


def undefine_index(name: str) -> None:
    """Remove an index that was defined with `define_index`. Definitions that used it keep their meaning.

    Parameters
    ----------
    name : str
        Its name or an alias.

    Raises
    ------
    rocksteady.UnknownIndexError
        If there is no such index.
    rocksteady.InputError
        If the index is built in.

    >>> import rocksteady as rs
    >>> _ = rs.define_index("found", "tp")
    >>> rs.undefine_index("found")
    """
    _rocksteady.undefine_index(name)
