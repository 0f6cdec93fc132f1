"""Displays of the charts with one curve for each model, made from their descriptions in `rocksteady.charts.curves`."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from rocksteady.base.arguments import one_of, wrong_type, wrong_value
from rocksteady.charts.curves import BANDS, CURVES, Curve
from rocksteady.classes.label_score_tables import LabelScoreTables
from rocksteady.classes.score_tables import ScoreTables
from rocksteady.plot.display import ScoreDisplay

if TYPE_CHECKING:
    from rocksteady.charts.chart import Chart
    from rocksteady.charts.source import Lines, Source, Tables
    from rocksteady.inference.band import BandKind

_EXAMPLE: Final = """
Examples
--------
>>> import matplotlib; matplotlib.use("Agg")
>>> import rocksteady as rs
"""


class CurveDisplay(ScoreDisplay):
    """A display that has a curve for each model or class.

    Parameters
    ----------
    tables, **options
        As for `ScoreDisplay`.
    band : bool or {"simultaneous", "pointwise", "campbell"}
        Whether a band of confidence lies around each curve; True is "simultaneous". See `ScoreTable.band`.
    """

    _curve: ClassVar[Curve]
    _options = (*ScoreDisplay._options, "average", "band")

    def __init__(self, tables: Tables, *, band: bool | BandKind = False, **options: Any) -> None:
        super().__init__(_top_labels(tables) if self._curve.is_of_top_label else tables, **options)
        if band is False:
            return
        if not self._curve.has_band:
            raise wrong_value(band, "band", "False, as these curves have no band")
        if band is not True:
            one_of(band, "band", tuple(BANDS))
        self._lines = replace(self._lines, band="simultaneous" if band is True else band)

    def _chart(self, lines: Lines) -> Chart:
        return self._curve.chart(lines)

    def _why(self, source: Source) -> str | None:
        return self._curve.why(source)


def _top_labels(tables: Tables) -> Tables:
    """The score tables of the most probable class of each row, in place of those of several classes."""
    if isinstance(tables, ScoreTables):
        return tables.top_label()
    if isinstance(tables, Mapping):
        return {name: _top_labels(table) for name, table in tables.items()}  # type: ignore[return-value]
    if isinstance(tables, LabelScoreTables):
        raise wrong_type(
            tables,
            "tables",
            "a ScoreTable or ScoreTables, such as score_table(label) of one label: several have no most probable one",
        )
    return tables


def _display_of(curve: Curve) -> type[CurveDisplay]:
    """The display class of a curve, as if it were written here."""
    shared = inspect.cleandoc(ScoreDisplay.__doc__ or "").partition("\n\n")[2]
    if curve.has_band:
        band = inspect.cleandoc(CurveDisplay.__doc__ or "").partition("band : ")[2]
        shared = shared.replace("\n\nAttributes", f"\nband : {band}\n\nAttributes", 1)
    own = {
        "__doc__": f"{curve.documentation}\n\n{shared}\n{_EXAMPLE}{curve.example.strip()}",
        "__module__": "rocksteady.plot",
        "_curve": curve,
        "_has_mean": curve.has_mean,
        "_method": "predict_proba" if curve.is_of_probabilities else ScoreDisplay._method,
        "_corner": curve.corner,
        "_size": (5.0, 5.0) if curve.is_square else ScoreDisplay._size,
    }
    return type(curve.display, (CurveDisplay,), own)


#: All displays of curves by name.
DISPLAYS: Final = {curve.display: _display_of(curve) for curve in CURVES}
