"""Charts of groups: a forest plot, the distribution of the values of all groups, and a ROC curve for each group."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from rocksteady.charts.chart import Axis, Chart, Series, reference
from rocksteady.charts.curves import ROC
from rocksteady.charts.source import Lines, Source
from rocksteady.groups.shown import interval_of, names_of, shown
from rocksteady.registry.registry import index
from rocksteady.scores.score_table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocksteady.charts.chart import Range, Reals
    from rocksteady.groups.groups import Groups

#: With more groups, the forest plot shows the groups at either end, by evidence, or the newest ones.
MOST_ROWS: Final = 30
#: The most groups that have a curve of their own.
MOST_CURVES: Final = 12
_BINS: Final = 30
_UPRIGHT: Final = 14  # rows of a forest plot of the usual height

GROUPS: Final = Axis("Group")
NUMBER_OF_GROUPS: Final = Axis("Number of groups")


@dataclass(frozen=True, eq=False)
class Forest:
    """One index of the groups that are shown, with intervals: lowest value first, or in the order of time.

    Attributes
    ----------
    index : str
        The name of the index.
    overall : float
        Of all rows, also those of groups that are hidden.
    names : list of str
        What the groups are called.
    places : numpy.ndarray of int64
        Which of all groups these are.
    value, low, high : numpy.ndarray of float64
        The index and its interval; NaN bounds where there is none.
    level : float
        The confidence level.
    note : str or None
        A sentence about the groups that are hidden.
    undefined : int
        How many groups have no value, and are left out.
    is_in_time : bool
        Whether the groups are dates or times, in their order.
    """

    index: str
    overall: float
    names: list[str]
    places: np.ndarray
    value: Reals
    low: Reals
    high: Reals
    level: float
    note: str | None
    undefined: int
    is_in_time: bool = False

    @property
    def ends(self) -> np.ndarray:
        """The rows of the forest plot, from below: all groups, or of more than `MOST_ROWS` those at either end, by evidence.

        A group is far out if its whole interval is. Its value alone says little where the group is small. Groups in the
        order of time are read from above, and the newest are shown.
        """
        if self.is_in_time:
            return np.arange(len(self.value))[-MOST_ROWS:][::-1]
        if len(self.value) <= MOST_ROWS:
            return np.arange(len(self.value))
        low, high = (np.where(np.isnan(bound), self.value, bound) for bound in (self.low, self.high))
        if not np.isnan(self.low).all():  # a group without an interval has no evidence
            low, high = np.where(np.isnan(self.low), -np.inf, low), np.where(np.isnan(self.high), np.inf, high)
        half = MOST_ROWS // 2
        least = np.argsort(high, kind="stable")[:half]
        rest = np.setdiff1d(np.arange(len(low)), least)
        greatest = rest[np.argsort(-low[rest], kind="stable")[:half]]
        return np.sort(np.concatenate([least, greatest]))


def forest_of(groups: Groups, name: str | None = None, min_rows: int = 0, level: float = 0.95) -> Forest:
    """An index of the groups that have so many rows; by default the area under the ROC curve, else the recall."""
    listed = shown(groups, None if name is None else [name], min_rows)
    wanted = next(iter(listed.values), "accuracy") if name is None else index(name).name
    found = interval_of(groups, wanted, level)
    value = found.value[listed.places]
    low, high = (
        np.full(len(value), np.nan) if bound is None else bound[listed.places] for bound in (found.low, found.high)
    )
    known = np.flatnonzero(~np.isnan(value))
    is_in_time = len(listed.keys) == 1 and next(iter(listed.keys.values())).dtype.kind == "M"
    order = known if is_in_time else known[np.argsort(value[known], kind="stable")]
    names = names_of(listed.keys)
    return Forest(
        wanted,
        float(groups.over([]).every(wanted)[0]),
        [names[place] for place in order.tolist()],
        listed.places[order],
        value[order],
        low[order],
        high[order],
        level,
        listed.note,
        len(value) - len(known),
        is_in_time,
    )


def forest_chart(forest: Forest, model: int = 0) -> Chart:
    """The groups sorted by value, or in the order of time, each with its interval, and a line of all rows."""
    chosen = forest.ends
    y = np.arange(len(chosen), dtype=np.float64)
    value, low, high = (column[chosen] for column in (forest.value, forest.low, forest.high))
    bounded = np.flatnonzero(~np.isnan(low) & ~np.isnan(high)).tolist()
    bounds = np.column_stack([low, high])
    names = tuple(forest.names[place] for place in chosen.tolist())
    title = index(forest.index).title.partition(" (")[0]
    percent = f"{100 * forest.level:g} %"
    bottom, top = -0.7, max(len(chosen) - 0.3, 0.3)
    series = [
        # One series for each interval: Chart.js expects the x of a line to ascend.
        *(
            Series(f"{percent} interval", bounds[at], np.full(2, y[at]), model, "line", model, entry="", dashes=())
            for at in bounded
        ),
        Series("group", value, y, model, "points", model, labels=names),
        reference("all rows", [forest.overall, forest.overall], [bottom, top]),
    ]
    said = title[:1].lower() + title[1:] if title[1:2].islower() else title  # not an abbreviation
    about = f"Each dot is the {said} of a group, with its {percent} interval. The dashed line is that of all rows."
    if forest.is_in_time:
        about += " The groups are in the order of time, the newest at the bottom."
        if len(chosen) < len(forest.value):
            about += f" Of {len(forest.value):,} groups the {len(chosen)} newest are shown."
    elif len(chosen) < len(forest.value):
        hidden = len(forest.value) - len(chosen)
        about += (
            f" Of {len(forest.value):,} groups the {len(chosen)} whose intervals lie farthest out at either end are "
            f"shown; {hidden:,} are not. Of so many groups some lie far out by chance."
        )
    elif len(chosen) > 1:
        about += " The intervals are not adjusted for the number of groups: of many, some miss the line by chance."
    if forest.undefined:
        about += f" {forest.undefined:,} {'group has' if forest.undefined == 1 else 'groups have'} no value."
    if forest.note:
        about += f" {forest.note}."
    return Chart(
        "groups",
        f"{title} by group",
        about,
        title,
        GROUPS.label,
        tuple(one for one in series if len(one.x)),
        _range(np.concatenate([bounds[bounded].ravel(), value, [forest.overall]]), forest.index),
        (bottom, top),
        y_ticks=tuple(zip(y.tolist(), names, strict=True)),
        tall=max(1.0, len(chosen) / _UPRIGHT),
    )


def models_chart(forests: Mapping[str, Forest]) -> Chart:
    """The groups of several models, in the order of the first: a dot with its interval for each model, side by side."""
    first = next(iter(forests.values()))
    chosen = first.ends
    row_of = {place: row for row, place in enumerate(first.places[chosen].tolist())}
    step = 0.7 / len(forests)
    percent = f"{100 * first.level:g} %"
    series, known = [], []
    for model, (name, forest) in enumerate(forests.items()):
        at = np.array([place in row_of for place in forest.places.tolist()], dtype=bool)
        rows = np.array([row_of[place] for place in forest.places[at].tolist()], dtype=np.float64)
        y = rows + step * ((len(forests) - 1) / 2 - model)  # the first model is on top
        value, low, high = forest.value[at], forest.low[at], forest.high[at]
        bounds = np.column_stack([low, high])
        bounded = np.flatnonzero(~np.isnan(bounds).any(axis=1)).tolist()
        series += [
            Series(f"{percent} interval", bounds[one], np.full(2, y[one]), model, "line", model, entry="", dashes=())
            for one in bounded
        ]
        labels = tuple(forest.names[place] for place in np.flatnonzero(at).tolist())
        series.append(Series(name, value, y, model, "points", model, labels=labels))
        known += [value, bounds[bounded].ravel()]
    title = index(first.index).title.partition(" (")[0]
    about = f"Each dot is a group, by one of {len(forests)} models, with its {percent} interval. The groups are in the order "
    about += "of time." if first.is_in_time else "of the first model."
    about += " The models share the rows, so intervals that overlap are no test of their difference."
    if len(chosen) < len(first.value):
        about += f" Of {len(first.value):,} groups {len(chosen)} are shown, chosen by the first model."
    if first.note:
        about += f" {first.note}."
    names = tuple(first.names[place] for place in chosen.tolist())
    return Chart(
        "groups",
        f"{title} by group",
        about,
        title,
        GROUPS.label,
        tuple(one for one in series if len(one.x)),
        _range(np.concatenate(known), first.index),
        (-0.7, max(len(chosen) - 0.3, 0.3)),
        y_ticks=tuple(zip(np.arange(len(chosen), dtype=np.float64).tolist(), names, strict=True)),
        tall=max(1.0, len(chosen) * len(forests) / _UPRIGHT / 2),
    )


def values_chart(forest: Forest, model: int = 0) -> Chart:
    """How the values of all groups that are shown are distributed."""
    low, high = _range(np.append(forest.value, forest.overall), forest.index)
    counts, edges = np.histogram(forest.value, bins=_BINS, range=(low, high))
    title = index(forest.index).title.partition(" (")[0]
    top = 1.08 * float(counts.max(initial=0)) or 1.0
    series = (
        Series("groups", (edges[:-1] + edges[1:]) / 2, counts.astype(np.float64), model, "bars", model, edges=edges),
        reference("all rows", [forest.overall, forest.overall], [0.0, top]),
    )
    about = f"How many of the {len(forest.value):,} groups have which value. The dashed line is that of all rows."
    about += " Values of small groups scatter widely, also where all groups are alike."
    if forest.note:
        about += f" {forest.note}."
    key, words = "groups_values", f"{title} of the groups"
    return Chart(key, words, about, title, NUMBER_OF_GROUPS.label, series, (low, high), (0.0, top))


def curve_charts(groups: Groups, forest: Forest, model: int = 0) -> list[Chart]:
    """Small multiples: the ROC curve of each group beside that of all rows; none of more than `MOST_CURVES` groups."""
    if not groups._state.has[1] or not 0 < len(forest.names) <= MOST_CURVES:
        return []
    found = []
    everyone = groups.score_table()
    for place, (name, group) in enumerate(zip(forest.names, forest.places.tolist(), strict=True)):
        table = ScoreTable._of(groups._state.table(group))
        if not (table.positives > 0 and table.negatives > 0):
            continue
        sources = [
            Source(name, table, model, model, is_sampled=True),
            Source("all rows", everyone, model, model, is_sampled=True),
        ]
        chart = ROC.chart(Lines(sources))
        own, whole, *others = chart.series
        whole = replace(whole, model=None, style=None, is_faint=True, dashes=(4, 2), thresholds=None)
        about = f"{table.rows:,} rows. The dashed line is all rows."
        found.append(
            replace(
                chart,
                key=f"groups_roc{place}",
                title=name,
                about=about,
                series=(own, whole, *others),
                follows=(),
            )
        )
    return found


def _range(values: Reals, name: str) -> Range:
    """The range of an axis of values: a little more than all values, within the range of the index."""
    known = values[np.isfinite(values)]
    if not len(known):
        return (0.0, 1.0)
    least, most = float(known.min()), float(known.max())
    pad = 0.05 * (most - least) or 0.05 * max(abs(most), 1e-9)
    row = index(name)
    bottom, top = row.low, row.high
    return max(bottom, least - pad), min(top, most + pad)
