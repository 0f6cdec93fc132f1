"""Indices of your own: an expression over counts and indices, usable wherever a built-in index is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from rocksteady import _rocksteady
from rocksteady.registry import Index, index

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
    """Define an index by an expression; it then works wherever a built-in one does, at the same speed.

    The expression is read once, and may hold

    - the counts ``tp``, ``fp``, ``fn``, ``tn``, their sum ``n``, and the margins ``actual_positives`` (tp + fn),
      ``actual_negatives``, ``predicted_positives`` (tp + fp) and ``predicted_negatives``;
    - any index by its name or alias, with parameters if need be: ``fbeta(beta=2)``;
    - numbers, and the parameters of this definition;
    - ``+ - * /``, ``^`` or ``**`` for powers, parentheses;
    - ``sqrt``, ``ln``, ``log2``, ``log10``, ``exp``, ``abs`` of one number, ``min`` and ``max`` of two or more.

    It has a value for whatever all its parts have one for: an expression with counts for each class and threshold, one of
    ``n`` and overall indices (``mcc - cen``) also for several classes at once, one of ``roc_auc`` for all scores together.

    Where it divides by zero or takes the root or logarithm of a number that has none it is undefined: NaN, and
    ``why`` tells. An index inside counts as the number that it shows: its conventional value if it has one, and if it is
    undefined, so is the whole.

    Parameters
    ----------
    name : str
        Letters, digits and underscores. Names of built-in indices are refused even with `replace`.
    expression : str
        At most 4096 characters and 256 steps.
    parameters : mapping of str to float, optional
        Parameters of its own with their defaults, at most 5, to be set like those of any index:
        ``cm.value(name, gain=3)``. A parameter that is handed on to an index must be in the domain that it has there.
    title, about, source : str, optional
        What it is called in full words, what it tells, where it comes from.
    better : {"higher", "lower", "neither"}
        Which way is better.
    low, high : float
        The range, for the reader; it is not enforced.
    aliases : sequence of str
        Other names for it.
    replace : bool
        Whether a definition of this name gives way. Others that were defined with it keep their meaning. Without it only
        the very same definition is accepted again.

    Returns
    -------
    Index
        As `rocksteady.index` gives it.

    Raises
    ------
    rocksteady.InputError
        If the expression cannot be read: the message shows the place, `position` is its character from 0. If a name is
        taken or none, or a number is not finite.
    rocksteady.InputTypeError
        For an argument of another type.

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
    """Take away an index that was defined with `define_index`; definitions that used it keep their meaning.

    Parameters
    ----------
    name : str
        Its name, or an alias.

    Raises
    ------
    rocksteady.UnknownIndexError
        If there is no such index.
    rocksteady.InputError
        If it is a built-in one.

    >>> import rocksteady as rs
    >>> _ = rs.define_index("found", "tp")
    >>> rs.undefine_index("found")
    """
    _rocksteady.undefine_index(name)
