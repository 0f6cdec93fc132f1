"""A forest plot of groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.base.arguments import wrong_type, wrong_value
from rocksteady.charts.groups import forest_chart, forest_of, models_chart
from rocksteady.errors import InputError
from rocksteady.groups.groups import Groups
from rocksteady.groups.shown import least_rows
from rocksteady.inference.difference import level_of
from rocksteady.plot.forest import ForestDisplay

if TYPE_CHECKING:
    from typing import Self


class GroupsDisplay(ForestDisplay):
    """The groups sorted by an index, each with its interval, and a line of all rows.

    Of more than thirty groups it has those whose intervals lie farthest out at either end. Groups that are dates or times
    are in their order, the newest at the bottom; of more than thirty it has the newest.

    Parameters
    ----------
    groups : Groups, or mapping of str to Groups
        Of several models, by their names, the same groups are drawn side by side, in the order of the first model. Then
        there is no line of all rows.
    index : str, optional
        Default: "roc_auc", or "recall" or "accuracy" where there are no scores.
    min_rows : int, optional
        Groups with fewer rows are hidden.
    level : float
        The confidence level.

    Attributes
    ----------
    points_ : matplotlib line, or list of matplotlib lines
        The values; of several models a line for each.
    intervals_ : list of matplotlib lines
        One for each group, and model, that has an interval.
    reference_line_ : matplotlib line or None
        The value of all rows; None of several models.
    ax_, figure_ : matplotlib axes and figure

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import rocksteady as rs
    >>> ev = rs.evaluate([0, 1, 1, 1, 0], y_pred=[0, 1, 0, 1, 0], by=["a", "a", "b", "b", "b"])
    >>> display = ev.plot.groups("accuracy")
    >>> display.points_.get_xdata().round(3).tolist(), [tick.get_text() for tick in display.ax_.get_yticklabels()]
    ([0.667, 1.0], ['b', 'a'])
    """

    def __init__(
        self,
        groups: Groups | Mapping[str, Groups],
        index: str | None = None,
        *,
        min_rows: int | None = None,
        level: float = 0.95,
    ) -> None:
        parts = groups if isinstance(groups, Mapping) else {"": groups}
        for one in parts.values():
            if not isinstance(one, Groups):
                raise wrong_type(
                    one, "groups", "a Groups, as rocksteady.group_by gives, or a mapping of models to them"
                )
        if not parts:
            raise wrong_value(groups, "groups", "the Groups of one model at least")
        first, *others = parts.values()
        for other in others:
            if list(other.keys) != list(first.keys) or any(
                not np.array_equal(first.keys[name].astype(str), other.keys[name].astype(str)) for name in first.keys
            ):
                raise InputError(
                    "the models have different groups; expected the same groups of each", argument="groups"
                )
        options = (least_rows(min_rows), level_of(level))
        forest = forest_of(first, index, *options)
        if not len(forest.value):
            raise InputError(f"{forest.index} has no value in any group that is shown", argument="groups")
        names = dict(zip(parts, [forest, *(forest_of(one, forest.index, *options) for one in others)], strict=True))
        super().__init__(models_chart(names) if others else forest_chart(forest))

    @classmethod
    def from_groups(
        cls, groups: Groups | Mapping[str, Groups], index: str | None = None, *, ax: Any = None, **kwargs: Any
    ) -> Self:
        """Draws groups that are counted already; the options are those of the class, then those of `plot`."""
        own = {name: kwargs.pop(name) for name in ("min_rows", "level") if name in kwargs}
        return cls(groups, index, **own).plot(ax=ax, **kwargs)
