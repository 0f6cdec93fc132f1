"""The summary: the headlines, which model is best, and a table of all common indices."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from rocksteady.registry.registry import index
from rocksteady.report.elements import folded, or_none, swatch, table, title_of
from rocksteady.report.text import amount, decimal, label, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocksteady.evaluation.evaluation import Evaluation
    from rocksteady.inference.interval import Interval
    from rocksteady.models.model import Model

    Values = dict[str, list[float]]
    Intervals = list[dict[str, Interval]]

# The headline indices, as far as the models have them: for two classes, and for more.
_HEADLINES: Final = (
    ("roc_auc", "average_precision", "ks", "mcc", "f1", "accuracy", "balanced_accuracy", "kappa"),
    ("accuracy", "balanced_accuracy", "f1", "mcc", "roc_auc"),
)
# The table's indices after the indices of `Evaluation.summary`.
_COMMON: Final = (
    *("roc_auc", "gini", "ks", "average_precision", "log_loss", "brier", "accuracy", "error_rate", "balanced_accuracy"),
    *("adjusted_balanced_accuracy", "precision", "recall", "specificity", "f1", "mcc", "kappa", "weighted_kappa"),
    *("informedness", "markedness", "jaccard", "fowlkes_mallows", "geometric_mean", "fpr", "fnr", "npv", "fdr"),
    *("false_omission_rate", "prevalence", "rpp", "lift", "positive_likelihood_ratio", "negative_likelihood_ratio"),
    *("diagnostic_odds_ratio", "cen", "mcen", "mutual_information", "rci", "cost", "mean_cost"),
)
# The most headlines for one model and for several; with more models the table is clearer.
_MOST_HEADLINES: Final = (5, 4)
_MOST_HEADED: Final = 6
_NOTE: Final = (
    "Small figures are {level:g} % confidence intervals; rows are taken to be independent. Intervals of single models do "
    "not compare them: two may overlap though the models differ."
)


def values_of(evaluation: Evaluation) -> Values:
    """The commoner indices that all models have: by name, the value of each model. Those of the summary come first."""
    models = len(evaluation.models)
    common = [name for name in _COMMON if name in evaluation]
    rows = [*evaluation.summary().rows, *(evaluation.summary(common).rows if common else [])]
    found: Values = {}
    for heading, *cells in rows:  # if a value is undefined, a last cell says why
        if None not in cells[:models]:
            found[str(heading).removeprefix("mean ")] = [float(cell) for cell in cells[:models]]  # type: ignore[arg-type]
    return found


def _best(name: str, values: Sequence[float]) -> set[int]:
    """The places of the best values, if some are better than others."""
    there = [value for value in values if not math.isnan(value)]
    better = index(name).better
    if better == "neither" or len(there) < 2 or min(there) == max(there):
        return set()
    best = max(there) if better == "higher" else min(there)
    return {place for place, value in enumerate(values) if value == best}


def best_model(evaluation: Evaluation, values: Values) -> tuple[int, str | None]:
    """The place of the best model and the index that says so: the area under the ROC curve, else the first headline."""
    for name in ("roc_auc", *_HEADLINES[not evaluation.is_binary]):
        if name in values and (places := _best(name, values[name])):
            return min(places), name
    return 0, None


def summary(evaluation: Evaluation, values: Values) -> str:
    """The section: headlines, and the table, folded where there are headlines."""
    models = list(evaluation.models.values())
    intervals = [model._intervals(list(values)) for model in models]
    headlines = _headlines(evaluation, values, intervals)
    levels = [found.level for each in intervals for found in each.values()]
    told = f'<p class="note intervals">{_NOTE.format(level=100 * levels[0])}</p>' if levels else ""
    body = []
    for name, found in values.items():
        best = _best(name, found)
        cells = [
            _value_cell(model, name, value, place in best, intervals[place].get(name))
            for place, (model, value) in enumerate(zip(models, found, strict=True))
        ]
        body.append([f'{title_of(name, models[0])} <code class="key">{text(name)}</code>', *cells])
    count = f"All {len(body)} indices"
    if len(models) > 1:
        head = ["Index", *(f"{swatch(place)}{label(model.name)}" for place, model in enumerate(models))]
        note = ""
        place, by = best_model(evaluation, values)
        if by is not None:
            note = (
                f'<p class="best-model">{swatch(place)}<b>{label(models[place].name)}</b> is best by {title_of(by)}. '
                "Sections that show one model show this one first.</p>"
            )
        all_of_them = "<p>The best value of each row is in bold.</p>" + table("Indices", head, body, classes="summary")
        return headlines + note + told + folded(count, all_of_them, is_open=not headlines)
    middle = (len(body) + 1) // 2
    halves = "".join(
        table(f"Indices, part {part}", ["Index", "Value"], rows, classes="summary")
        for part, rows in ((1, body[:middle]), (2, body[middle:]))
        if rows
    )
    return headlines + told + folded(count, f'<div class="halves">{halves}</div>')


def _bounds(found: Interval | None) -> str:
    """The bounds of an interval in small print, if there are any."""
    if found is None or math.isnan(found.low):
        return ""
    return f' <small class="bounds">{decimal(float(found.low))} to {decimal(float(found.high))}</small>'


def _value_cell(model: Model, name: str, value: float, best: bool, interval: Interval | None) -> str:
    if math.isnan(value):
        return f'<td class="undefined">undefined<small>{text(model.why(name) or "")}</small></td>'
    reason = model.why(name) if value == index(name).when_undefined else None
    note = f"<small>by convention: {text(reason)}</small>" if reason else ""
    mark = '<span class="hidden"> (best)</span>' if best else ""
    kind = ' class="best"' if best else ""
    shown = amount(value) if name == "cost" else decimal(value)
    return f"<td{kind}>{shown}{mark}{_bounds(interval)}{note}</td>"


def _headlines(evaluation: Evaluation, values: Values, intervals: Intervals) -> str:
    models = list(evaluation.models.values())
    if len(models) > _MOST_HEADED:
        return ""
    tiles = []
    wanted = [name for name in _HEADLINES[not evaluation.is_binary] if name in values]
    for name in wanted[: _MOST_HEADLINES[len(models) > 1]]:
        best = _best(name, values[name])
        lines = "".join(
            _headline(model, place, value, place in best, intervals[place].get(name), several=len(models) > 1)
            for place, (model, value) in enumerate(zip(models, values[name], strict=True))
        )
        tiles.append(f'<div class="tile"><dt>{title_of(name, models[0])}</dt>{lines}</div>')
    kind = "tiles single" if len(models) == 1 else "tiles"
    return f'<dl class="{kind}">{"".join(tiles)}</dl>'


def _headline(model: Model, place: int, value: float, best: bool, interval: Interval | None, *, several: bool) -> str:
    who = f'<span class="who">{swatch(place)}{label(model.name)}</span>' if several else ""
    kind = ' class="best"' if best else ""
    return f'<dd{kind}>{who}<span class="figure">{or_none(value)}{_bounds(interval)}</span></dd>'
