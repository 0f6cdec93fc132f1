"""The models or classes that have a line each on a chart, and the points of their curves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from rocksteady.base.arguments import labels_of, listed, one_of, wrong_type, wrong_value
from rocksteady.base.named_columns import refused_as
from rocksteady.charts.chart import UNIT, Series, ends, of_positive
from rocksteady.charts.palette import MACRO, MICRO, TOP_LABEL
from rocksteady.charts.scale import Stretch, stretch_of
from rocksteady.classes.column_tables import Rankings
from rocksteady.groups.groups import Groups
from rocksteady.groups.shown import names_of
from rocksteady.registry.registry import index as row_of
from rocksteady.scores.score_table import ScoreTable
from rocksteady.scores.thresholds import threshold_grid

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rocksteady.charts.chart import Kind, Range, Reals
    from rocksteady.inference.band import BandKind

Tables = ScoreTable | Rankings | Groups | Mapping[str, ScoreTable] | Mapping[str, Rankings]

#: The most points of a line of a sampled source.
MAX_POINTS: Final = 400
# Points of a sampled mean of curves, and thresholds of a sampled source: half of them equally spaced, half of equal
# weight.
_GRID: Final = 150
# What stands by convention where no row is predicted positive.
_OF_NONE: Final = {"precision": 1.0, "selective_risk": 0.0}
# The farthest end of an axis of scores or costs.
FAR: Final = 4e307
# The share of the rows of a class that an axis of scores may leave out at either end.
_LEFT_OUT: Final = 0.0025
_CHOSEN: Final = "how many classes to draw, 0 or more, or a list of their labels"
# Probabilities with a wider spread than this have an axis from 0 to 1.
_MOST_OF_UNIT: Final = 0.3


class Points(NamedTuple):
    """The points of a curve, and their thresholds if they have some."""

    x: Reals
    y: Reals
    thresholds: Reals | None = None


@dataclass(frozen=True)
class Source:
    """What one line is of.

    Attributes
    ----------
    name : str or None
        What the legend calls it.
    statistic : ScoreTable, ScoreTables or LabelScoreTables
        Of several classes or labels: the mean of their curves.
    style : int
        Its place in the palette.
    model : int
        The place of its model among all.
    max_points : int or None
        No line has more points; they are chosen so that the curve differs as little as can be. None takes all.
    is_sampled : bool
        Whether all curves are read at the same `MAX_POINTS` operating points instead. That takes some milliseconds,
        whatever the number of rows, and every point has its threshold.
    names : pair of labels, optional
        What the negative and the positive class are called, if not as in the score table.
    """

    name: str | None
    statistic: ScoreTable | Rankings
    style: int
    model: int = 0
    max_points: int | None = 1000
    is_sampled: bool = False
    names: tuple[Any, Any] | None = None

    @property
    def classes(self) -> tuple[Any, Any]:
        """The negative and the positive class."""
        return self.table.labels if self.names is None else self.names

    @property
    def table(self) -> ScoreTable:
        """The score table of one model, or of one class against the rest."""
        assert isinstance(self.statistic, ScoreTable)  # noqa: S101 (only charts with a mean have other sources)
        return self.statistic

    def series(self, name: str, x: Reals, y: Reals, kind: Kind = "line", **more: Any) -> Series:
        """A series of its model, in its style unless another is given."""
        return Series(name, x, y, self.model, kind, **{"style": self.style, **more})

    @property
    def is_average(self) -> bool:
        """Whether it is an average that stands beside the classes."""
        return self.style < 0

    @cached_property
    def _known(self) -> dict[str, float]:
        return {}

    def _averaged(self, parameters: dict[str, object]) -> dict[str, Any]:
        is_several = isinstance(self.statistic, Rankings)
        return {"average": "macro", "absent": "skip", **parameters} if is_several else parameters

    def value(self, index: str, **parameters: object) -> float:
        """An index of the ranking, or its mean over the classes that have it; read once, as it takes all scores."""
        if parameters or index not in self._known:
            found = self.statistic.value(index, **self._averaged(parameters))
            if parameters:
                return found
            self._known[index] = found
        return self._known[index]

    def why(self, index: str, **parameters: object) -> str | None:
        """Why the index has no value; a class without it is left out of a mean."""
        value = self.value(index, **parameters)
        by_convention = isinstance(self.statistic, ScoreTable) and value == row_of(index).when_undefined
        return None if value == value and not by_convention else self.statistic.why(index, **self._averaged(parameters))

    def words(self, number: str, why: str | None = None) -> str:
        """What the legend says: the name, and a number or why there is none."""
        if why:
            number = f"undefined: {why[0].lower()}{why[1:].rstrip('.')}"
        if self.name is None:
            return number or "model"
        return f"{self.name} ({number})" if number else self.name

    @cached_property
    def _operating_points(self) -> Any:
        return self.table.operating_points(MAX_POINTS)

    @cached_property
    def _counts(self) -> Any:
        return self._operating_points.counts()

    def points(self, method: str, x: str, y: str) -> Points:
        """A curve by the name of its method, and its arrays by theirs, which are also names or aliases of indices."""
        if isinstance(self.statistic, Rankings):
            few = None if self.max_points is None or self.statistic.rows <= self.max_points else self.max_points
            points = _GRID if self.is_sampled else few
            mean = self.statistic.average_curve(x, y, "macro", absent="skip", points=points)
            return Points(mean.x, mean.y)
        if not self.is_sampled:
            curve = getattr(self.statistic, method)(max_points=self.max_points)
            return Points(getattr(curve, x), getattr(curve, y), curve.thresholds)
        columns = [np.array(self._counts[name]) for name in (x, y)]
        if y in _OF_NONE:
            columns[1][0] = _OF_NONE[y]
        known = np.isfinite(columns).all(axis=0)
        return Points(*(column[known] for column in (*columns, self._operating_points.thresholds)))

    @property
    def is_thinned(self) -> bool:
        """Whether some points stand for others, so that no step between two of them is one of the curve."""
        if not isinstance(self.statistic, ScoreTable):
            return self.is_sampled
        return self.is_sampled and len(self.statistic) >= MAX_POINTS

    @cached_property
    def is_probability(self) -> bool:
        """Whether its scores are probabilities."""
        return self.why("expected_calibration_error") is None

    @cached_property
    def span(self) -> Range:
        """The ends of what 99.5 % of the rows of each class have as scores, without those that are infinite."""
        points = self._operating_points
        known = np.isfinite(points.thresholds)
        thresholds = points.thresholds[known]
        if not len(thresholds):
            return UNIT
        totals = (self.table.positives, points.tp), (self.table.negatives, points.fp)
        rates = np.array([counts[known] / total for total, counts in totals if total > 0]).reshape(-1, len(thresholds))
        # At most this share of each class lies at or above the upper end, and at most this share below the lower end.
        upper = thresholds[(rates <= _LEFT_OUT).all(axis=0)] if len(rates) else thresholds[:0]
        lower = thresholds[(rates >= 1 - _LEFT_OUT).all(axis=0)] if len(rates) else thresholds[:0]
        return float(lower.max(initial=thresholds.min())), float(upper.min(initial=thresholds.max()))

    @cached_property
    def quartiles(self) -> tuple[float, float, float]:
        """The quartiles of all scores, lowest first; if they are one number, the 5 % and 95 % points beside the median."""
        bands = self.table.gains(20).lowest
        lower, middle, upper = bands[[14, 9, 4]].tolist()
        return (lower, middle, upper) if upper > lower else (float(bands[18]), middle, float(bands[0]))

    def thresholds(self, reach: Reach) -> Reals:
        """Thresholds on an axis at which to read what depends on them, ascending: all, or some that tell them."""
        few = len(self.table) <= 2 * _GRID
        found = self.table.thresholds.astype(np.float64) if few else self.table.gains(_GRID).lowest
        low, high = reach.shown
        edges = reach.shown if few else reach.spread(_GRID)
        return np.unique(np.concatenate((edges, found[(found > low) & (found < high)])))


@dataclass(frozen=True)
class Reach:
    """What an axis of scores shows: its ends, and how it is stretched if it is."""

    shown: Range
    stretch: Stretch | None = None

    def spread(self, count: int) -> Reals:
        """So many scores at equal distances on the axis, from one end to the other."""
        fractions = threshold_grid(count - 1)[::-1]
        low, high = self.shown if self.stretch is None else self.stretch.places(np.array(self.shown)).tolist()
        spread = low * (1 - fractions) + high * fractions  # a difference may be infinite
        if self.stretch is not None:
            spread = self.stretch.values(spread)
        spread[[0, -1]] = self.shown
        return spread

    def middles(self, edges: Reals) -> Reals:
        """The middle of each bar between these edges, as it is seen on the axis."""
        if self.stretch is None:
            return (edges[:-1] + edges[1:]) / 2
        places = self.stretch.places(edges)
        return self.stretch.values((places[:-1] + places[1:]) / 2)

    @property
    def ticks(self) -> tuple[tuple[float, str], ...]:
        """Those of a stretched axis; none of a linear one, which each painter knows how to make."""
        return () if self.stretch is None else self.stretch.ticks(self.shown)


def reach(sources: Sequence[Source], marked: Iterable[float | None] = ()) -> Reach:
    """What an axis of the scores of some sources shows: most scores of each, and all that is marked."""
    places = [place for place in marked if place is not None and np.isfinite(place)]
    spans = [source.span for source in sources]
    low, high = ends(map(np.array, spans), places)
    one_score = len({end for span in spans for end in span}) == 1
    is_wide = high - low > _MOST_OF_UNIT or one_score
    if is_wide and low >= 0 and high <= 1 and all(source.is_probability for source in sources):
        low, high = UNIT
    elif one_score:  # at the end of the axis it would be hard to see
        low, high = low - 0.05 * (high - low), high + 0.05 * (high - low)
    shown = widened(low, high)
    return Reach(shown, stretch_of(shown, [source.quartiles for source in sources]))


def widened(low: float, high: float) -> Range:
    """The ends of an axis, clipped so that its length is finite, and widened so that there are numbers between them.

    Without such numbers bars have no width, and Chart.js never ends to make ticks of the smallest.
    """
    low, high = max(low, -FAR), min(high, FAR)
    least = max(1e4 * float(np.spacing(max(-low, high))), 1e-300)
    if high - low >= least:
        return low, high
    aside = 0.5 if low == high and least < 0.5 else least
    return low - aside, high + aside


@dataclass(frozen=True)
class Lines:
    """All that is drawn on one pair of axes.

    Attributes
    ----------
    sources : list of Source
    note : str or None
        What a reader must know of all of them.
    is_of_classes : bool
        Whether they are classes against the rest, labels, or means of such.
    is_alone : bool
        Whether nothing else is on the axes, so that with one source colours are free for what is drawn of it.
    names_class : bool
        Whether axes name the positive class.
    prevalence : float or None
        The share of positives, if it is known without the sources.
    band : {"simultaneous", "pointwise", "campbell"} or None
        Which band of confidence lies around each curve.
    """

    sources: list[Source]
    note: str | None = None
    is_of_classes: bool = False
    is_alone: bool = True
    names_class: bool = False
    prevalence: float | None = None
    band: BandKind | None = None

    @property
    def is_single(self) -> bool:
        """Whether there is one source, and nothing else on the axes."""
        return self.is_alone and len(self.sources) == 1

    def prevalences(self, index: str) -> list[float]:
        """The shares of positives where the index has a value; of classes they differ, and mean nothing.

        Of models on the same rows there is one.
        """
        if self.prevalence is not None or self.is_of_classes:
            return [] if self.prevalence is None else [self.prevalence]
        known = [source.table for source in self.sources if not source.why(index)]
        return sorted({float(table.at(float("-inf"))["prevalence"]) for table in known})

    @property
    def shown(self) -> list[Source]:
        """All but the averages, which have as many scores as all classes together; these if there is nothing else."""
        return [source for source in self.sources if not source.is_average] or self.sources

    def label(self, words: str) -> str:
        """Words along an axis, with the positive class where all sources have one and the same."""
        labels = {str(source.classes[1]) for source in self.sources if not self.is_of_classes}
        if not self.names_class or len(labels) != 1 or labels == {"None"}:
            return words
        return words + of_positive(labels.pop())


def lines_of(
    tables: Any,
    classes: Any,
    has_mean: bool,
    max_points: int | None,
    average: str | None = None,
    has_top_label: bool = False,
) -> Lines:
    """The lines for score tables: of one model or of several, of two classes or of more.

    Parameters
    ----------
    tables : ScoreTable, ScoreTables, LabelScoreTables, or mapping from names to one of them, or Groups
    classes : int or list of labels
        Which classes or groups, or how many of the largest, have a line.
    has_mean : bool
        Whether the curves of several classes have a mean that can be drawn.
    max_points : int or None
        No line has more points.
    average : {"macro", "micro"}, optional
        The only average of several classes. Default: both where curves have a mean; of several models that mean.
    has_top_label : bool
        Whether the top label of several classes has a line, the first; of several models it alone.
    """
    if average is not None:
        one_of(average, "average", ("macro", "micro"))
    if average == "macro" and not has_mean:
        raise wrong_value(average, "average", "'micro' or None, as these curves have no mean")
    has_mean = has_mean and average != "micro"
    expected = (
        "a ScoreTable, a ScoreTables, a LabelScoreTables, or a mapping from names to one of them, or Groups with scores"
    )
    if isinstance(tables, Groups):
        if average is not None or not tables._state.has[1]:
            raise wrong_type(
                tables, "tables", expected if average is None else f"ScoreTables, as average is {average!r}"
            )
        return _of_groups(tables, classes, max_points)
    models: dict[Any, Any] = dict(tables) if isinstance(tables, Mapping) else {None: tables}
    if not models:
        raise wrong_value(tables, "tables", expected)
    kinds = {type(table) for table in models.values()}
    if len(kinds) > 1 or not all(issubclass(kind, ScoreTable | Rankings) for kind in kinds):
        raise wrong_type(tables, "tables", expected)
    of_classes, note = kinds != {ScoreTable}, None
    has_top_label = has_top_label and of_classes and all(table._top_label() is not None for table in models.values())
    if of_classes and len(models) == 1:
        ((name, table),) = models.items()
        named, note = _of_classes(None if name is None else str(name), table, classes, has_mean, has_top_label)
        if average == "macro":
            named = [each for each in named if each[2] != MICRO]
    else:
        if of_classes:
            note = (
                "top labels"
                if has_top_label
                else f"{'macro' if has_mean else 'micro'} averages over the {next(iter(models.values()))._places}"
            )
        whole = Rankings._top_label if has_top_label else Rankings.pooled
        named = [
            (None if name is None else str(name), whole(table) if of_classes and not has_mean else table, place)
            for place, (name, table) in enumerate(models.items())
        ]
    sources = [
        Source(name, statistic, style, place, max_points) for place, (name, statistic, style) in enumerate(named)
    ]
    return Lines(sources, note, of_classes, names_class=True)


def _of_groups(groups: Groups, classes: Any, max_points: int | None) -> Lines:
    """A line for each of the largest groups, or of those with some keys, and one of all rows."""
    count = _how_many(classes)
    if count is None:
        with refused_as("key", "classes"):
            places = [groups.place(key) for key in listed(classes, "classes", "a list of keys of groups")]
    else:
        places = sorted(np.argsort(-groups.sizes, kind="stable")[:count].tolist())
    which = f"{len(places)} of" if count is None else f"the {len(places)} largest of"
    note = None if len(places) == len(groups) else f"{which} {len(groups)} groups"
    names = names_of(groups.keys)
    sources = [
        Source(names[place], ScoreTable._of(groups._state.table(place)), style, style, max_points)
        for style, place in enumerate(places)
    ]
    sources.append(Source("all rows", groups.score_table(), MICRO, len(places), max_points))
    return Lines(sources, note, is_of_classes=True, names_class=True)


def _how_many(classes: Any) -> int | None:
    """The number of classes or groups to draw; None of a list of them."""
    if not isinstance(classes, (int, np.integer)) or isinstance(classes, bool):
        return None
    if classes < 0:
        raise wrong_value(classes, "classes", _CHOSEN)
    return int(classes)


def _of_classes(
    name: str | None, tables: Rankings, classes: Any, has_mean: bool, has_top_label: bool
) -> tuple[list[Any], str | None]:
    """Name, statistic and style of the line of each class and of all classes together, and notes about them."""
    labels = list(tables.labels)
    chosen, note = _chosen(tables, labels, classes)
    found: list[Any] = [("top label", tables._top_label(), TOP_LABEL)] if has_top_label else []
    found += [(str(label), tables._table(label), place) for place, label in enumerate(chosen)]
    found += [("macro average", tables, MACRO)] if has_mean else []
    found.append(("micro average", tables.pooled(), MICRO))
    return found, ": ".join(part for part in (name, note) if part) or None


def _chosen(tables: Rankings, labels: list[Any], classes: Any) -> tuple[list[Any], str | None]:
    """The classes that have a line, in their order, and what is to be said if others have none."""
    if (count := _how_many(classes)) is not None:
        largest = np.argsort(-tables._state.sizes(), kind="stable")[:count]
        chosen = [labels[place] for place in sorted(largest.tolist())]
        which = f"the {len(chosen)} largest of"
    else:
        chosen = labels_of(classes, "classes")
        which = f"{len(chosen)} of"
        for label in chosen:
            if label not in labels:
                raise wrong_value(label, "classes", "labels of the score tables")
    if len(chosen) == len(labels):
        return chosen, None
    return chosen, f"{which if chosen else 'of'} {len(labels)} {tables._places}"
