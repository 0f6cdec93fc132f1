"""The tables of gains, of calibration, and of the classes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from rocksteady.charts.classes import ONE
from rocksteady.classes.row_mean import RowMean
from rocksteady.errors import RocksteadyError
from rocksteady.labels.counts import Counts
from rocksteady.report.data import largest
from rocksteady.report.elements import bar, or_none, panels, sortable, sortable_bar, table, title_of
from rocksteady.report.text import amount, decimal, label, percent, score

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rocksteady.base.result import Result
    from rocksteady.charts.chart import Reals
    from rocksteady.evaluation.evaluation import Evaluation
    from rocksteady.inference.interval import Interval
    from rocksteady.models.model import Model
    from rocksteady.report.elements import Bounds
    from rocksteady.scores.score_table import ScoreTable

#: The indices of each class.
PER_CLASS: Final = ("precision", "recall", "f1", "specificity")

# The numbers of classes among which the right one may be.
_TOP: Final = (1, 2, 3, 5, 10)

_STRATEGIES: Final[dict[Literal["quantile", "uniform"], str]] = {
    "quantile": "Bins with equal numbers of rows",
    "uniform": "Bins of equal width",
}

# Up to this many scores of classes, each class is ranked against the rest: ten million take about a second.
_RANKED_CELLS: Final = 5_000_000


def _of_tables(evaluation: Evaluation, tell: Callable[[ScoreTable], str]) -> str:
    """A panel for each model with scores."""
    return panels(evaluation, lambda _, model: None if model.scores is None else tell(model.scores))


def _rows_of(result: Result, *names: str) -> Iterable[tuple[float, ...]]:
    """Some columns of a result, row by row."""
    return zip(*(getattr(result, name).tolist() for name in names), strict=True)


def gains(evaluation: Evaluation) -> str:
    """The section: the rows in ten equal parts."""

    def of(scores: ScoreTable) -> str:
        gains = scores.gains(10)
        names = ("highest", "lowest", "rows", "positives", "response_rate", "lift", "gain", "cumulative_lift", "ks")
        body = []
        ends_of = _rate_intervals(scores, gains.positives, gains.rows)
        for band, row in enumerate(_rows_of(gains, *names)):
            high, low, rows, positives, rate, lift, gain, cumulative, ks = row
            ends = "–" if math.isnan(high) else f"{score(high)} to {score(low)}"
            sizes = [amount(round(value, 6)) for value in (rows, positives)]
            shares = [bar(rate, percent(rate), ends_of(band)), or_none(lift), bar(gain, percent(gain))]
            body.append([str(band + 1), ends, *sizes, *shares, or_none(cumulative), or_none(ks)])
        head = [
            "Tenth",
            "Scores",
            "Rows",
            "Positives",
            "Response rate",
            "Lift",
            "Found so far",
            "Cumulative lift",
            "KS",
        ]
        breaks = gains.rank_order_breaks
        facts = (
            f"<p>Information value {decimal(gains.total_information_value)}; the share of positives rises {breaks} "
            f"time{'s' * (breaks != 1)} from one tenth to the next, where it should fall.</p>"
        )
        return table("Gains by tenths of the rows, highest scores first", head, body, classes="stacks") + facts

    return (
        "<p>The rows in ten equal parts, the highest scores first. The response rate should fall from one tenth to the "
        "next, and the first tenths should have most positives. Brackets below response rates are 95 % intervals.</p>"
        + _of_tables(evaluation, of)
    )


def _rate_intervals(scores: ScoreTable, positives: Reals, rows: Reals) -> Callable[[int], Bounds | None]:
    """The Wilson intervals of shares of positives; none with sampling weights, whose squares are not kept for each tenth."""
    if scores.weight_kind == "sampling":
        return lambda _: None
    return _ends(Counts(positives, np.maximum(rows - positives, 0.0), 0, 0).interval("precision")).__getitem__


def _ends(found: Interval) -> list[Bounds]:
    """The bounds of an interval of arrays."""
    return list(zip(np.asarray(found.low).tolist(), np.asarray(found.high).tolist(), strict=True))


def calibration(evaluation: Evaluation) -> str:
    """The section: what the scores promised and what came true, in bins of both kinds."""
    heading = "h4" if len(evaluation.models) > 1 else "h3"

    def of(scores: ScoreTable) -> str:
        try:
            return "".join(
                f"<{heading}>{words}</{heading}>{_bins(scores, strategy, words)}"
                for strategy, words in _STRATEGIES.items()
            )
        except RocksteadyError:
            return "<p>Some scores lie outside [0, 1], so they are not probabilities and there is nothing to calibrate.</p>"

    return (
        "<p>The mean score of each bin, and the share of positives that came true. The closer the two, the better.</p>"
        + _of_tables(evaluation, of)
    )


def _bins(scores: ScoreTable, strategy: Literal["quantile", "uniform"], words: str) -> str:
    bins = scores.calibration(10, strategy=strategy)
    names = ("lower", "upper", "weight", "mean_score", "observed", "low", "high")
    body = [
        [
            f"{score(lower)} to {score(upper)}",
            amount(weight),
            bar(mean, percent(mean)),
            bar(observed, percent(observed), (low, high)),
            f"{percent(low)} to {percent(high)}",
        ]
        for lower, upper, weight, mean, observed, low, high in _rows_of(bins, *names)
    ]
    head = ["Scores", "Rows", "Promised (mean score)", "Came true", f"Interval ({100 * bins.level:g} %)"]
    return table(f"Calibration: {words.lower()}", head, body, classes="stacks")


def _top_k(model: Model) -> str:
    """How often the class of a row is among the k most probable ones; of models whose rows were kept, else which call tells."""
    judged = model._judged
    probabilities = None if judged is None or judged.truth is None else judged.columns.get(model.name)
    if judged is None or probabilities is None or model._places == "labels":
        if model.class_scores is None or model._places == "labels":
            return ""
        return (
            "<p>How often the class of a row is among the k most probable ones needs the rows: "
            "<code>evaluate(..., inference=True)</code>.</p>"
        )
    weighing = {"sample_weight": judged.sample_weight, "weight_kind": judged.weight_kind}
    body = []
    for k in (size for size in _TOP if size < len(judged.classes)):
        try:
            found = RowMean.top_k_accuracy_score(judged.truth, probabilities, labels=judged.classes, k=k, **weighing)
        except RocksteadyError:  # a missing score, which was ranked
            return ""
        interval = None if judged.has_design else found.interval()  # clusters need the rows of each
        ends = None if interval is None else (float(interval.low), float(interval.high))
        told = "" if ends is None or math.isnan(ends[0]) else f"{percent(ends[0])} to {percent(ends[1])}"
        body.append([str(k), bar(found.value(), percent(found.value()), ends), told])
    head = ["k", "Share of the rows", "Interval (95 %)"]
    caption = "The class of a row is among the k most probable ones"
    return f"<p>{caption}:</p>{table(caption, head, body)}"


def per_class(evaluation: Evaluation, most: int) -> str:
    """The section: indices of each class or label, at most so many for each model."""

    def of(place: int, model: Model) -> str:
        matrix, words = model._of_places, model._places
        one = ONE[words]
        counts, names = matrix.counts(), list(matrix.labels)
        columns = [matrix.every(name) for name in PER_CLASS]
        intervals = [_ends(matrix.every_interval(name)) for name in PER_CLASS]
        heads = [title_of(name) for name in PER_CLASS]
        ranked, places = model._rankings, model._class_places
        if ranked is not None and places and model.rows * len(names) <= _RANKED_CELLS:
            columns.append(ranked.every("roc_auc")[places])
            ends = _ends(ranked.every_interval("roc_auc"))
            intervals.append([ends[place] for place in places])
            heads.append("ROC AUC")
        shown = largest(matrix, most)
        body = [
            [
                label(names[i]),
                sortable(float(counts.tp[i] + counts.fn[i]), amount),
                sortable(float(counts.tp[i] + counts.fp[i]), amount),
                *(sortable_bar(float(column[i]), ends[i]) for column, ends in zip(columns, intervals, strict=True)),
            ]
            for i in shown.tolist()
        ]
        rest = [""] * (len(heads) - len(PER_CLASS))
        foot = [
            [words, "", "", *(decimal(model.value(name, average=average)) for name in PER_CLASS), *rest]
            for words, average in ((f"Mean over {words} (macro)", "macro"), ("Mean by size (weighted)", "weighted"))
        ]
        unit = "Weight" if matrix.weighted else "Rows"
        cut = f"<p>The {len(shown)} {words} with the most rows, of {len(names)}.</p>" if len(shown) < len(names) else ""
        search = (
            f'<p class="live filter"><label>Find a {one} <input type="search" data-filter="{words}-{place}"></label> '
            f'<span role="status" aria-live="polite"></span></p>'
        )
        rows = table(
            f"Values for each {one}", [one.capitalize(), unit, "Predicted", *heads], body, foot=foot, classes="sortable"
        )
        told = "<p>The brackets below the values are 95 % intervals.</p>"
        return f'{_top_k(model)}{cut}{told}{search}<div id="{words}-{place}">{rows}</div>'

    return panels(evaluation, of)
