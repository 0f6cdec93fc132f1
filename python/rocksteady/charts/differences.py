"""Differences between models on the same rows: their verdicts, with tests adjusted for their number, and a forest plot."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, starmap
from typing import TYPE_CHECKING, Final

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import listed
from rocksteady.base.table import one_line
from rocksteady.charts.chart import INDEX, Axis, Chart, Series, ends, reference
from rocksteady.errors import InputError, RocksteadyError
from rocksteady.inference.difference import p_text
from rocksteady.registry.registry import index

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rocksteady.inference.difference import Difference

    # From an index and models to what gives the difference of any two of them.
    Compare = Callable[..., Callable[[str, str], Difference]]

#: The indices for comparing models; that of costs is the last.
INDICES: Final = ("roc_auc", "mcc", "f1", "balanced_accuracy", "accuracy", "mean_cost")
#: The most rows of a forest plot; beyond, it has those with the least p-values.
MOST_ROWS: Final = 30
#: What the plot and the tables say of the p-values.
ADJUSTED: Final = (
    "P-values and verdicts allow for the number of pairs (Holm's method); intervals are of single differences."
)
_MODELS: Final = Axis("Models")
_DIFFERENCE: Final = Axis("Difference")
#: Rows of a plot of the usual height.
UPRIGHT: Final = 6
_LETTERS: Final = 16  # of the name of a model


@dataclass(frozen=True)
class Judged:
    """A difference between two models, judged as one of several of the same index.

    Attributes
    ----------
    found : Difference
        The difference, its interval and its own test.
    p_value : float
        Adjusted for the number of differences (Holm 1979); NaN where there is no test.
    """

    found: Difference
    p_value: float

    @property
    def winner(self) -> str | None:
        """The model whose index is better, or higher where neither is better; None if no difference is shown."""
        found = self.found
        if math.isnan(found.low) or found.low <= 0 <= found.high or self.p_value > 1 - found.level:
            return None
        return found.first if (found.estimate > 0) == (index(found.index).better != "lower") else found.second

    @property
    def verdict(self) -> str:
        """What is shown, in some words."""
        return self._verdict(self.winner)

    def _verdict(self, winner: str | None) -> str:
        if math.isnan(self.found.low):
            return self.found.why or "no interval"
        better = "higher" if index(self.found.index).better == "neither" else "better"
        return "no difference shown" if winner is None else f"{winner} is {better}"

    def turned(self) -> Judged:
        """The difference in the other direction."""
        return replace(self, found=self.found._turned())


def usual(costs: object) -> Sequence[str]:
    """The common indices; that of costs where there are costs."""
    return INDICES[: len(INDICES) - (costs is None)]


def judged(
    compare: Compare, names: Sequence[str], pairs: Sequence[tuple[str, str]], level: float = 0.95
) -> list[Judged]:
    """The differences of these pairs, index by index; those that there are not are left out."""
    return [row for name in names for row in _adjusted(_had(compare, name, pairs, level))]


def _had(compare: Compare, name: str, pairs: Sequence[tuple[str, str]], level: float) -> list[Difference]:
    """The differences that there are: of all pairs at once, or of each by itself where one of them has none."""
    with suppress(RocksteadyError):  # a model lacks the index, or its class means have no difference
        return _differences(compare, name, pairs, level)
    return [found for pair in pairs for found in _had(compare, name, [pair], level)] if len(pairs) > 1 else []


def _differences(compare: Compare, name: str, pairs: Sequence[tuple[str, str]], level: float) -> list[Difference]:
    return list(starmap(compare(name, list(dict.fromkeys(chain.from_iterable(pairs))), level=level), pairs))


def plotted(
    compare: Compare, names: str | Sequence[str] | None, pairs: Sequence[tuple[str, str]], level: float = 0.95
) -> list[Judged]:
    """The rows of a plot: of these indices, else of one pair of all common ones on one scale, of several of the first."""
    if names is None:
        rows = judged(compare, usual(None), pairs, level)
        rows = [row for row in rows if len(pairs) == 1 or row.found.index == rows[0].found.index]
    else:
        each = [names] if isinstance(names, str) else listed(names, "names", "a name or a list of names")
        rows = [row for name in each for row in _adjusted(_differences(compare, name, pairs, level))]
    if not rows:
        raise InputError("there is no difference to draw; expected an index and two models", argument="names")
    return rows


def _adjusted(found: Sequence[Difference]) -> list[Judged]:
    return list(
        map(Judged, found, _rocksteady.adjusted_p_values(np.array([each.p_value for each in found]), "holm").tolist())
    )


def differences_chart(rows: Sequence[Judged]) -> Chart:
    """A row for each difference, with its interval, the adjusted p-value and the verdict, and a line at no difference."""
    known = [each for each in rows if not math.isnan(each.p_value)]
    untested = [each for each in rows if math.isnan(each.p_value)]
    kept = [*sorted(known, key=lambda each: each.p_value), *untested][:MOST_ROWS]
    shown = [each for each in reversed(rows) if each in kept]  # the first stands uppermost
    indices = list(dict.fromkeys(each.found.index for each in rows))
    pairs = list(dict.fromkeys((each.found.first, each.found.second) for each in rows))
    titles = {name: index(name).title.partition(" (")[0] for name in indices}
    percent = f"{100 * rows[0].found.level:g} %"
    x = np.array([each.found.estimate for each in shown])
    bounds = np.array([(each.found.low, each.found.high) for each in shown])
    y = np.arange(len(shown), dtype=np.float64)
    heads = [
        [*([titles[each.found.index]] if len(indices) > 1 else []), *([_pair(each)] if len(pairs) > 1 else [])]
        for each in shown
    ]
    names = [": ".join(head or [_pair(each)]) for head, each in zip(heads, shown, strict=True)]
    ticks = [f"{name}\n{_said(each)}" for name, each in zip(names, shown, strict=True)]
    bottom, top = -0.7, len(shown) - 0.3
    dots = np.flatnonzero(np.isfinite(x)).tolist()
    series = (
        # One series for each interval: Chart.js expects the x of a line to ascend.
        *(
            Series(f"{percent} interval", bounds[at], np.full(2, y[at]), 0, "line", 0, entry="", dashes=())
            for at in np.flatnonzero(np.isfinite(bounds).all(axis=1)).tolist()
        ),
        Series("difference", x[dots], y[dots], 0, "points", 0, labels=tuple(names[at] for at in dots)),
        reference("no difference", [0.0, 0.0], [bottom, top]),
    )
    what = titles[indices[0]] if len(indices) == 1 else "Differences"
    of = "first minus second" if len(pairs) > 1 else " minus ".join(map(one_line, pairs[0]))
    about = (
        f"Each dot is how much higher the first model is than the second on the same rows, with its {percent} interval."
    )
    if len(pairs) > 1:
        about += f" {ADJUSTED}"
    if len(shown) < len(rows):
        about += f" Of {len(rows):,} differences the {len(shown)} with the least p-values are shown."
    reasons = dict.fromkeys(each.found.why for each in shown if each.found.why is not None)
    about += "".join(f" No interval: {reason}" for reason in reasons)
    low, high = ends([x, bounds.ravel()], [0.0])
    pad = 0.05 * (high - low) or 0.05
    return Chart(
        "differences",
        f"{what}: {of if len(pairs) == 1 else 'differences between models'}",
        about,
        f"{what if len(indices) == 1 else _DIFFERENCE.label}, {of}",
        (_MODELS if len(pairs) > 1 else INDEX).label,
        tuple(line for line in series if len(line.x)),
        (low - pad, high + pad),
        (bottom, top),
        y_ticks=tuple(zip(y.tolist(), ticks, strict=True)),
        tall=max(1.0, len(shown) / UPRIGHT),
    )


def _pair(row: Judged) -> str:
    return f"{cut(row.found.first)} − {cut(row.found.second)}"


def _said(row: Judged) -> str:
    """The adjusted p-value and the verdict, on a line."""
    if math.isnan(row.found.low):
        return "no interval"
    winner = row.winner
    verdict = row._verdict(None if winner is None else cut(winner))
    return verdict if math.isnan(row.p_value) else f"{p_text(row.p_value)}: {verdict}"


def cut(name: str) -> str:
    """A name without its middle where it is long: names of models often differ at the end."""
    words = one_line(name) if len(name) <= _LETTERS else f"{name[: _LETTERS // 2]}…{name[1 - _LETTERS // 2 :]}"
    return one_line(words)
