"""The common part of counts and tables of costs: two classes, rows, and the costs of the two constant predictions."""

from __future__ import annotations

from rocksteady import _rocksteady
from rocksteady.base.statistic import Statistic, TwoClasses
from rocksteady.base.table import Table
from rocksteady.base.ways_out import WaysOut
from rocksteady.costs.given import OUTCOMES


class CostStatistic(WaysOut, TwoClasses, Statistic):
    """Rows of two classes with what they cost."""

    __slots__ = ()

    _State = _rocksteady.CostState

    _state: _rocksteady.CostState

    @property
    def always(self) -> float:
        """What it would cost to predict every row positive."""
        return self._state.constant[0]

    @property
    def never(self) -> float:
        """What it would cost to predict every row negative."""
        return self._state.constant[1]

    @property
    def _given(self) -> dict[str, float | None]:
        """What each outcome costs; None where each row has an amount of its own."""
        return dict(zip(OUTCOMES, self._state.costs(), strict=True))

    def summary(self) -> Table:
        """The costs in a few rows."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        import html  # noqa: PLC0415 (few programs need it)

        return f"<p>{html.escape(repr(self))}</p>{self.summary()._repr_html_()}"
