"""The common part of counts and tables of costs: two classes, rows, and the costs of the two constant predictions."""

from __future__ import annotations

from rocksteady import _rocksteady
from rocksteady.base.statistic import Statistic
from rocksteady.base.table import Table
from rocksteady.base.ways_out import WaysOut


class CostStatistic(WaysOut, Statistic):
    """Rows of two classes with what they cost."""

    __slots__ = ()

    _read = _rocksteady.CostState.from_bytes

    _state: _rocksteady.CostState

    @property
    def labels(self) -> tuple[object, object]:
        """The negative and the positive label; None for a label that neither occurred nor was named."""
        return self._state.labels()

    @property
    def pos_label(self) -> object:
        """The positive label."""
        return self.labels[1]

    @property
    def rows(self) -> int:
        """The number of rows counted."""
        return self._state.rows

    @property
    def always(self) -> float:
        """What it would cost to predict every row positive."""
        return self._state.constant[0]

    @property
    def never(self) -> float:
        """What it would cost to predict every row negative."""
        return self._state.constant[1]

    def summary(self) -> Table:
        """The costs in a few rows."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        import html  # noqa: PLC0415 (few programs need it)

        return f"<p>{html.escape(repr(self))}</p>{self.summary()._repr_html_()}"
