"""The report as one HTML file: it asks nothing of the network, and everything that came from outside is escaped.

Without scripts, and in print, it shows tables and static pictures. With scripts, charts answer to the pointer and a
threshold can be moved: `assets/report.js` does that with what `rocksteady.report.data` gives it. It draws with
Chart.js, which is shipped.
"""

from __future__ import annotations

import base64
import hashlib
import math
import re
import struct
import zlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rocksteady.base.arguments import string
from rocksteady.charts.palette import REFERENCE, style
from rocksteady.errors import RocksteadyError
from rocksteady.registry import index
from rocksteady.report.charts import charts
from rocksteady.report.data import (
    MOST_CELLS,
    OUTCOMES,
    as_json,
    confused,
    cost_of,
    data,
    fewer,
    largest,
    named,
    pictured,
)
from rocksteady.report.svg import svg
from rocksteady.report.text import amount, decimal, label, percent, score, text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from rocksteady.base.result import Result
    from rocksteady.charts.chart import Chart
    from rocksteady.evaluation.evaluation import Evaluation
    from rocksteady.labels.confusion import ConfusionMatrix
    from rocksteady.models.model import ModelEvaluation
    from rocksteady.registry import Index
    from rocksteady.report.data import Named
    from rocksteady.scores.score_table import ScoreTable

#: No page has more bytes, unless there are hundreds of models.
MOST_BYTES: Final = 2_000_000

# What is written large at the top, as far as the models have it: of two classes, and of more.
_HEADLINES: Final = (
    ("roc_auc", "average_precision", "ks", "mcc", "f1", "accuracy", "balanced_accuracy", "kappa"),
    ("accuracy", "balanced_accuracy", "f1", "mcc", "roc_auc"),
)
# How many of them, of one model and of several; of more models than these the table says it better.
_MOST_HEADLINES: Final = (5, 4)
_MOST_HEADED: Final = 6

# The indices that the threshold explorer follows; assets/report.js has a formula for each.
EXPLORED: Final = (
    *("accuracy", "balanced_accuracy", "precision", "recall", "specificity", "f1", "mcc", "informedness"),
    *("npv", "fpr", "rpp", "lift", "mean_cost", "cost"),
)

# The charts on which a marker follows the threshold and which therefore stand beside the explorer.
_BESIDE: Final = ("roc", "precision_recall", "gain")

_PER_CLASS: Final = ("precision", "recall", "f1", "specificity")

# How many points of a line, rows of classes over all models, and charts there are at most: the first of these with
# which the page is small enough. Only that of dozens of models needs more than the first.
_DETAIL: Final = ((None, 1500, None), (150, 1000, None), (50, 500, None), (25, 200, 20), (25, 100, 6), (10, 0, 0))

# Up to so many scores of classes each class is ranked against the rest: it takes a second for some ten million of them.
_RANKED_CELLS: Final = 5_000_000

_CONFUSIONS: Final = 15


def page(evaluation: Evaluation, *, title: str | None = None) -> str:
    """The report of an evaluation as one self-contained HTML document.

    Parameters
    ----------
    evaluation : Evaluation
    title : str, optional
        Its heading. Default: "Evaluation of" the model's name, or how many models there are.

    Returns
    -------
    str
        At most 2 MB in UTF-8, whatever the number of rows, of up to a hundred models. It names no other file, and its
        content security policy forbids every request. The same evaluation gives the same bytes.

    Raises
    ------
    rocksteady.InputTypeError
        If the title is no string.
    """
    heading = _heading(evaluation, title)
    whole, values, thresholds = charts(evaluation), _values(evaluation), named(evaluation)
    for points, class_rows, shown in _DETAIL:
        drawn = [fewer(chart, points) for chart in whole[:shown]]
        rows = max(class_rows // len(evaluation.models), 10)
        sections = _sections(evaluation, drawn, values, thresholds, rows)
        document = _document(heading, sections, evaluation, as_json(data(evaluation, drawn, thresholds)))
        if len(document.encode()) <= MOST_BYTES:
            break
    return document


def _heading(evaluation: Evaluation, title: str | None) -> str:
    given = "" if title is None else " ".join(string(title, "title").split())
    if given:
        return text(given if given.isprintable() else repr(given)[1:-1])
    names = list(evaluation.models)
    if len(names) > 1:
        return f"{len(names)} models compared"
    return "Evaluation" if names[0] == "model" else f"Evaluation of {label(names[0])}"


# --------------------------------------------------------------------------------------------------------------- tables


def _table(
    caption: str,
    head: Sequence[str],
    body: Iterable[Sequence[str]],
    *,
    classes: str = "",
    foot: Iterable[Sequence[str]] = (),
) -> str:
    """A table whose cells are HTML: the first of each row heads it; those that are elements are taken as they are."""

    def row(cells: Sequence[str]) -> str:
        first, *rest = cells
        others = "".join(cell if cell.startswith("<td") else f"<td>{cell}</td>" for cell in rest)
        return f'<tr><th scope="row">{first}</th>{others}</tr>'

    heads = "".join(cell if cell.startswith("<th") else f'<th scope="col">{cell}</th>' for cell in head)
    rows = "".join(map(row, body))
    feet = "".join(map(row, foot))
    feet = f"<tfoot>{feet}</tfoot>" if feet else ""
    return (
        f'<div class="scroll" tabindex="0" role="group" aria-label="{caption}"><table class="{classes}">'
        f'<caption class="hidden">{caption}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody>{feet}</table></div>"
    )


def _swatch(place: int) -> str:
    return f'<span class="swatch m{place % 6}" aria-hidden="true"></span>'


def _named(evaluation: Evaluation, place: int, name: str) -> str:
    """What a panel of one of several models is headed with; of a single one there is nothing to say."""
    return f"<h3>{_swatch(place)}{label(name)}</h3>" if len(evaluation.models) > 1 else ""


def _panels(evaluation: Evaluation, tell: Callable[[int, ModelEvaluation], str | None]) -> str:
    """A panel for each model that there is something to tell of."""
    return "".join(
        f'<div class="panel" data-model="{place}">{_named(evaluation, place, model.name)}{told}</div>'
        for place, model in enumerate(evaluation.models.values())
        if (told := tell(place, model))
    )


# -------------------------------------------------------------------------------------------------------------- summary


Values = dict[str, list[float]]


def _values(evaluation: Evaluation) -> Values:
    """The commoner indices that all models have: by name, the value of each model."""
    models = len(evaluation.models)
    found: Values = {}
    for heading, *cells in evaluation.summary().rows:  # where something is undefined, a last cell says why
        if None not in cells[:models]:
            found[str(heading).removeprefix("mean ")] = [float(cell) for cell in cells[:models]]  # type: ignore[arg-type]
    return found


def _title_of(name: str, model: ModelEvaluation | None = None) -> str:
    mean = ", mean over classes" if model is not None and model.is_mean(name) else ""
    return text(index(name).title.partition(" (")[0]) + mean


def _best(name: str, values: Sequence[float]) -> set[int]:
    """The places of the best values, where some are better than others."""
    there = [value for value in values if not math.isnan(value)]
    better = index(name).better
    if better == "neither" or len(there) < 2 or min(there) == max(there):
        return set()
    best = max(there) if better == "higher" else min(there)
    return {place for place, value in enumerate(values) if value == best}


def _value_cell(model: ModelEvaluation, name: str, value: float, best: bool) -> str:
    if math.isnan(value):
        return f'<td class="undefined">undefined<small>{text(model.why(name) or "")}</small></td>'
    reason = model.why(name) if value == index(name).when_undefined else None
    note = f"<small>by convention: {text(reason)}</small>" if reason else ""
    mark = '<span class="hidden"> (best)</span>' if best else ""
    kind = ' class="best"' if best else ""
    shown = amount(value) if name == "cost" else decimal(value)
    return f"<td{kind}>{shown}{mark}{note}</td>"


def _headlines(evaluation: Evaluation, values: Values) -> str:
    models = list(evaluation.models.values())
    if len(models) > _MOST_HEADED:
        return ""
    tiles = []
    wanted = [name for name in _HEADLINES[not evaluation.is_binary] if name in values]
    for name in wanted[: _MOST_HEADLINES[len(models) > 1]]:
        best = _best(name, values[name])
        lines = "".join(
            _headline(model, place, value, place in best, len(models) > 1)
            for place, (model, value) in enumerate(zip(models, values[name], strict=True))
        )
        tiles.append(f'<div class="tile"><dt>{_title_of(name, models[0])}</dt>{lines}</div>')
    kind = "tiles single" if len(models) == 1 else "tiles"
    return f'<dl class="{kind}">{"".join(tiles)}</dl>'


def _headline(model: ModelEvaluation, place: int, value: float, best: bool, several: bool) -> str:
    who = f'<span class="who">{_swatch(place)}{label(model.name)}</span>' if several else ""
    kind = ' class="best"' if best else ""
    return f'<dd{kind}>{who}<span class="figure">{_or_none(value)}</span></dd>'


def _summary(evaluation: Evaluation, values: Values) -> str:
    models = list(evaluation.models.values())
    body = []
    for name, found in values.items():
        best = _best(name, found)
        cells = [
            _value_cell(model, name, value, place in best)
            for place, (model, value) in enumerate(zip(models, found, strict=True))
        ]
        body.append([f'{_title_of(name, models[0])} <code class="key">{text(name)}</code>', *cells])
    if len(models) > 1:
        head = ["Index", *(f"{_swatch(place)}{label(model.name)}" for place, model in enumerate(models))]
        note = "<p>The best value of each row is in bold.</p>"
        return _headlines(evaluation, values) + note + _table("Indices", head, body, classes="summary")
    middle = (len(body) + 1) // 2
    halves = (
        _table(f"Indices, part {part}", ["Index", "Value"], rows, classes="summary")
        for part, rows in ((1, body[:middle]), (2, body[middle:]))
        if rows
    )
    return f'{_headlines(evaluation, values)}<div class="halves">{"".join(halves)}</div>'


# ------------------------------------------------------------------------------------------------------------ threshold


def _explorer(evaluation: Evaluation) -> str:
    positive, negative = _classes(evaluation)
    cells = (
        (positive, (("tp", "True positives", "hit"), ("fn", "False negatives", "miss"))),
        (negative, (("fp", "False positives", "miss"), ("tn", "True negatives", "hit"))),
    )
    matrix = "".join(
        f'<tr><th scope="row"><span class="of">actually</span> {name}</th>'
        + "".join(
            f'<td class="cell {kind}" data-count="{key}"><span></span><small>{words}</small></td>'
            for key, words, kind in row
        )
        + "</tr>"
        for name, row in cells
    )
    indices = "".join(
        f'<div><dt>{_title_of(name)}</dt><dd data-index="{name}"></dd></div>' for name in EXPLORED if "cost" not in name
    )
    costs = "".join(
        f'<label>{words.capitalize()}<input type="number" step="any" inputmode="decimal" placeholder="0" data-cost="{key}"></label>'
        for key, words in OUTCOMES.items()
    )
    jumps = "".join(
        f'<button type="button" data-jump="{key}">{words}</button>'
        for key, words in (_WHICH | {"ks": "Kolmogorov–Smirnov", "cheapest": "Cheapest"}).items()
    )
    return f"""
<div class="explorer live" role="group" aria-label="Threshold explorer">
<div class="slider">
<div class="line"><label for="threshold">Threshold</label>
<label class="hidden" for="threshold-number">Threshold as a number</label>
<input id="threshold-number" type="number" step="any" inputmode="decimal" aria-describedby="threshold-hint"></div>
<input id="threshold" type="range" min="0" max="1" step="1" value="0" aria-describedby="threshold-hint">
<p id="threshold-hint">Rows with at least this score are predicted {positive}.
Move it, use the arrow keys, or type a number: the nearest threshold of the report is taken.</p>
<div class="jumps" role="group" aria-label="Go to a threshold">{jumps}</div>
</div>
<div class="panes">
<div class="pane"><h3>Confusion matrix</h3>
<table class="matrix" id="live-matrix"><caption class="hidden">Confusion matrix at the threshold</caption>
<thead><tr><td></td><th scope="col"><span class="of">predicted</span> {positive}</th>
<th scope="col"><span class="of">predicted</span> {negative}</th></tr></thead>
<tbody>{matrix}</tbody></table></div>
<div class="pane"><h3>Indices</h3><dl class="indices" id="live-indices">{indices}</dl></div>
<div class="pane"><h3>Cost</h3><div class="costs" role="group" aria-label="What each outcome costs">{costs}</div>
<dl class="indices"><div><dt>Mean cost per row</dt><dd data-index="mean_cost"></dd></div>
<div><dt>Total cost</dt><dd data-index="cost"></dd></div></dl>
<p class="cheapest">Cheapest at <button type="button" data-jump="cheapest" id="cheapest"></button>,
with a mean cost of <span id="cheapest-cost"></span>.</p></div>
</div>
<p id="live" class="hidden" role="status" aria-live="polite"></p>
</div>"""


def _classes(evaluation: Evaluation) -> tuple[str, str]:
    """The positive and the negative label."""
    others = [known for known in evaluation.labels if known != evaluation.pos_label]
    return label(evaluation.pos_label), label(others[0]) if others else "other"


_WHICH: Final = {
    "given": "As evaluated",
    "youden": "Best Youden’s J",
    "ks": "Kolmogorov–Smirnov distance",
    "cheapest": "Cheapest at the costs given",
}


def _named_points(table: ScoreTable, thresholds: dict[str, float], cost: dict[str, Any]) -> str:
    """The thresholds that have a name, with what they give."""
    words = _WHICH
    if thresholds.get("youden") == thresholds.get("ks"):
        words = words | {"youden": f"{words['youden']}, {words['ks']}"}
        thresholds = {name: threshold for name, threshold in thresholds.items() if name != "ks"}
    counts = table.at(np.array(list(thresholds.values()), dtype=np.float64))
    columns = [getattr(counts, name) for name in ("tp", "fp", "fn", "tn")]
    values = [counts[name] for name in ("precision", "recall", "f1", "mcc")] + [counts.value("mean_cost", **cost)]
    body = [
        [words[name], score(threshold), *(amount(column[i]) for column in columns), *(_or_none(v[i]) for v in values)]  # type: ignore[index]
        for i, (name, threshold) in enumerate(thresholds.items())
    ]
    head = ["Which", "Threshold", "TP", "FP", "FN", "TN", "Precision", "Recall", "F1", "MCC", "Mean cost"]
    return _table("Thresholds with a name", head, body)


def _or_none(value: float) -> str:
    return "undefined" if math.isnan(value) else decimal(value)


def _threshold(evaluation: Evaluation, beside: str, thresholds: Named) -> str:
    cost = cost_of(evaluation)

    def points(place: int, model: ModelEvaluation) -> str | None:
        return None if model.scores is None else _named_points(model.scores, thresholds[place], cost)

    shown = {key: name for key, name in OUTCOMES.items() if cost[key] or key in ("fp", "fn")}
    words = ", ".join(f"{amount(cost[key])} for a {name}" for key, name in shown.items())
    note = f"<p>Costs: {words}.</p>"
    return f"{_explorer(evaluation)}<div class='grid three'>{beside}</div>{_panels(evaluation, points)}{note}"


# --------------------------------------------------------------------------------------------------------------- matrix


_KINDS: Final = {True: "hit", False: "miss"}


def _matrix_table(matrix: ConfusionMatrix, order: Sequence[int]) -> str:
    cells, shares = matrix.to_array(), matrix.normalize("true")
    names = [label(known) for known in matrix.labels.tolist()]
    heads = "".join(f'<th scope="col"><span class="of">predicted</span> {names[place]}</th>' for place in order)
    rows = []
    for i in order:
        shown = "".join(
            f'<td class="cell {_KINDS[i == j]}" style="--share:{shares[i, j]:.4f}">'
            f"{amount(float(cells[i, j]))}<small>{percent(float(shares[i, j]))}</small></td>"
            for j in order
        )
        rows.append(f'<tr><th scope="row"><span class="of">actually</span> {names[i]}</th>{shown}</tr>')
    return (
        '<div class="scroll" tabindex="0" role="group" aria-label="Confusion matrix"><table class="matrix">'
        '<caption class="hidden">Confusion matrix: rows are actual, columns predicted classes; the share is of the row</caption>'
        f"<thead><tr><td></td>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def picture(shares: NDArray[np.float64]) -> bytes:
    """A matrix of shares as a PNG with one pixel per cell, on a transparent background.

    Parameters
    ----------
    shares : numpy.ndarray of shape (K, K)
        In [0, 1]. What is above 0 can always be seen.

    Returns
    -------
    bytes
        8 bits for each pixel, places in a palette of 256 strengths: blue on the diagonal, orange beside it.
    """
    size = len(shares)
    strength = np.where(shares > 0, np.ceil(27 + 100 * np.sqrt(np.clip(shares, 0, 1))), 0).astype(np.uint8)
    strength[~np.eye(size, dtype=bool) & (strength > 0)] += 128
    lines = np.zeros((size, size + 1), dtype=np.uint8)  # each line begins with its filter: none
    lines[:, 1:] = strength
    colours = bytes.fromhex("1f7fc0") * 128 + bytes.fromhex("e06a10") * 128
    clear = bytes(2 * step for step in range(128)) * 2

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", size, size, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", header), (b"PLTE", colours), (b"tRNS", clear), (b"IDAT", zlib.compress(lines.tobytes(), 9)))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts) + chunk(b"IEND", b"")


def _matrix_picture(matrix: ConfusionMatrix, place: int) -> str:
    shown = pictured(matrix)
    classes = len(shown.labels)
    encoded = base64.b64encode(picture(shown.normalize("true"))).decode()
    of = (
        f"{classes} classes"
        if shown is matrix
        else f"the {classes} classes with the most rows, of {len(matrix.labels)}"
    )
    alternative = f"Confusion matrix of {of}. The confusions that happen most are listed below it."
    return (
        f'<figure class="picture"><div class="frame" data-picture="{place}">'
        f'<img src="data:image/png;base64,{encoded}" width="{classes}" height="{classes}" alt="{alternative}"></div>'
        f"<figcaption>Rows are actual, columns predicted classes, in the order of the labels, from the top left: {of}. "
        "The stronger a cell, the greater its share of the row; what is right is blue, what is wrong orange."
        ' <span class="live read" aria-hidden="true"></span></figcaption></figure>'
    )


def _confusions(matrix: ConfusionMatrix, heading: str) -> str:
    """The pairs of classes that are confused most."""
    most, _ = confused(matrix, _CONFUSIONS)
    if not most:
        return "<p>No row was predicted to be of another class than its own.</p>"
    names, counts = matrix.labels.tolist(), matrix.counts()
    rows = counts.tp + counts.fn
    body = [
        [label(names[row]), f'<td class="word">{label(names[column])}</td>', amount(cell), percent(cell / rows[row])]
        for row, column, cell in most
    ]
    unit = "Weight" if matrix.weighted else "Rows"
    head = ["Actually", '<th scope="col" class="word">Predicted</th>', unit, "Share of the class"]
    table = _table("The pairs of classes that are confused most", head, body, classes="narrow")
    return f"<{heading}>Confused most</{heading}>{table}"


def _matrices(evaluation: Evaluation) -> str:
    heading = "h4" if len(evaluation.models) > 1 else "h3"

    def of(place: int, model: ModelEvaluation) -> str:
        matrix = model.confusion
        if evaluation.is_binary:
            labels = matrix.labels.tolist()
            first = labels.index(evaluation.pos_label)
            at = f"<p>{_decided(model)}</p>"
            return at + _matrix_table(matrix, [first, *(i for i in range(len(labels)) if i != first)])
        if len(matrix.labels) <= MOST_CELLS:
            table = _matrix_table(matrix, range(len(matrix.labels)))
            if len(matrix.labels) <= 3:
                return table
            return f'<div class="aside">{table}<div>{_confusions(matrix, heading)}</div></div>'
        return f'<div class="beside">{_matrix_picture(matrix, place)}<div>{_confusions(matrix, heading)}</div></div>'

    return _panels(evaluation, of)


def _decided(model: ModelEvaluation) -> str:
    if model.threshold is None:
        return "Of the classes that were predicted. Shares are of the row."
    return f"At the threshold {score(model.threshold)}. Shares are of the row."


# --------------------------------------------------------------------------------------------------------------- charts


def _chart(chart: Chart, place: int) -> str:
    of_model = re.search(r"_(\d+)$", chart.key)
    panel = f' data-model="{of_model[1]}"' if of_model else ""
    kind = "card chart panel" if panel else "card chart"
    told = text(f"{chart.title}. {chart.about}")
    return (
        f'<article class="{kind}" id="chart-{chart.key}"{panel} data-chart="{place}">'
        f'<h3>{text(chart.title)}</h3><p class="about">{text(chart.about)}</p>'
        f'<div class="live canvas"><canvas role="img" aria-label="{told}"></canvas></div>'
        f'<div class="static">{svg(chart)}</div>'
        '<details class="live"><summary>The points as a table</summary></details></article>'
    )


def _of_chart(drawn: Sequence[Chart], beside: bool) -> str:
    return "".join(_chart(chart, place) for place, chart in enumerate(drawn) if (chart.key in _BESIDE) is beside)


# ------------------------------------------------------------------------------------------------------- bands and bins


def _of_tables(evaluation: Evaluation, tell: Callable[[ScoreTable], str]) -> str:
    """A panel for each model that has scores."""
    return _panels(evaluation, lambda _, model: None if model.scores is None else tell(model.scores))


def _rows_of(result: Result, *names: str) -> Iterable[tuple[float, ...]]:
    """Some columns of a result, row by row."""
    return zip(*(getattr(result, name).tolist() for name in names), strict=True)


def _gains(evaluation: Evaluation) -> str:
    def of(table: ScoreTable) -> str:
        gains = table.gains(10)
        names = ("highest", "lowest", "rows", "positives", "response_rate", "lift", "gain", "cumulative_lift", "ks")
        body = []
        for band, row in enumerate(_rows_of(gains, *names), 1):
            high, low, rows, positives, rate, lift, gain, cumulative, ks = row
            scores = "–" if math.isnan(high) else f"{score(high)} to {score(low)}"
            sizes = [amount(round(value, 6)) for value in (rows, positives)]
            shares = [_bar(rate, percent(rate)), _or_none(lift), _bar(gain, percent(gain))]
            body.append([str(band), scores, *sizes, *shares, _or_none(cumulative), _or_none(ks)])
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
        return _table("Gains by tenths of the rows, highest scores first", head, body) + facts

    return "<p>The rows in ten equal parts, the highest scores first.</p>" + _of_tables(evaluation, of)


def _bar(share: float, words: str) -> str:
    """A cell with a bar behind its number."""
    if math.isnan(share):
        return '<td class="undefined">undefined</td>'
    return f'<td class="bar" style="--share:{min(max(share, 0.0), 1.0):.4f}">{words}</td>'


def _calibration(evaluation: Evaluation) -> str:
    def of(table: ScoreTable) -> str:
        try:
            bins = table.calibration(10)
        except RocksteadyError:
            return "<p>Some scores lie outside [0, 1], so they are not probabilities and there is nothing to calibrate.</p>"
        names = ("lower", "upper", "weight", "mean_score", "observed", "low", "high")
        body = [
            [
                f"{score(lower)} to {score(upper)}",
                amount(weight),
                *(_bar(share, percent(share)) for share in (mean, observed)),
                f"{percent(low)} to {percent(high)}",
            ]
            for lower, upper, weight, mean, observed, low, high in _rows_of(bins, *names)
        ]
        head = ["Scores", "Rows", "Promised (mean score)", "Came true", f"Interval ({100 * bins.level:g} %)"]
        return _table("Calibration by bins of scores", head, body)

    return "<p>What the scores promised, and how often it came true.</p>" + _of_tables(evaluation, of)


# -------------------------------------------------------------------------------------------------------------- classes


def _per_class(evaluation: Evaluation, most: int) -> str:
    def of(place: int, model: ModelEvaluation) -> str:
        matrix = model.confusion
        counts, names = matrix.counts(), matrix.labels.tolist()
        columns = [matrix.per_class(name) for name in _PER_CLASS]
        heads = [_title_of(name) for name in _PER_CLASS]
        ranked = model.class_scores
        if ranked is not None and ranked.labels.tolist() == names and model.rows * len(names) <= _RANKED_CELLS:
            columns.append(ranked.per_class("roc_auc"))
            heads.append("ROC AUC")
        shown = largest(matrix, most)
        body = [
            [
                label(names[i]),
                _sortable(float(counts.tp[i] + counts.fn[i]), amount),
                _sortable(float(counts.tp[i] + counts.fp[i]), amount),
                *(_share(float(column[i])) for column in columns),
            ]
            for i in shown.tolist()
        ]
        rest = [""] * (len(heads) - len(_PER_CLASS))
        foot = [
            [words, "", "", *(decimal(matrix.average(name, average)) for name in _PER_CLASS), *rest]
            for words, average in (("Mean over classes (macro)", "macro"), ("Mean by size (weighted)", "weighted"))
        ]
        unit = "Weight" if matrix.weighted else "Rows"
        cut = f"<p>The {len(shown)} classes with the most rows, of {len(names)}.</p>" if len(shown) < len(names) else ""
        search = (
            f'<p class="live filter"><label>Find a class <input type="search" data-filter="classes-{place}"></label> '
            f'<span role="status" aria-live="polite"></span></p>'
        )
        table = _table(
            "Values for each class", ["Class", unit, "Predicted", *heads], body, foot=foot, classes="sortable"
        )
        return f'{cut}{search}<div id="classes-{place}">{table}</div>'

    return _panels(evaluation, of)


def _sortable(value: float, words: Any) -> str:
    return f'<td data-value="{value:.6g}">{words(value)}</td>'


def _share(value: float) -> str:
    if math.isnan(value):
        return '<td class="undefined" data-value="">undefined</td>'
    return f'<td class="bar" data-value="{value:.6g}" style="--share:{min(max(value, 0.0), 1.0):.3f}">{decimal(value)}</td>'


# ---------------------------------------------------------------------------------------------------------- definitions


def _definitions(evaluation: Evaluation, values: Values) -> str:
    also = EXPLORED if evaluation.is_binary else _PER_CLASS
    rows = [index(name) for name in dict.fromkeys([*values, *also])]

    def entry(row: Index) -> str:
        formula = "".join(f"<code>{text(part)}</code>" for part in row.formula.split("; "))
        facts = "".join(
            f"<p><b>{heading}.</b> {text(said)}</p>"
            for heading, said in row.facts()
            if heading in ("Range", "Undefined", "Source")
        )
        return (
            f'<details><summary>{text(row.title)} <code class="key">{text(row.name)}</code></summary>'
            f'<div class="formula">{formula}</div><p>{text(row.about)}</p>{facts}</details>'
        )

    entries = "".join(map(entry, rows))
    return (
        "<p>tp, fp, fn and tn are the true and false positives and negatives, n is all rows. M is the confusion "
        "matrix, with t and p the sums of its rows and columns, and T the sum of all its cells.</p>"
        f'<div class="definitions">{entries}</div>'
    )


# ------------------------------------------------------------------------------------------------------------- document


def _sections(
    evaluation: Evaluation, drawn: Sequence[Chart], values: Values, thresholds: Named, class_rows: int
) -> list[tuple[str, str, str]]:
    """The key, the heading and the content of each section."""
    binary = evaluation.is_binary
    scored = binary and any(model.scores is not None for model in evaluation.models.values())
    found = [("summary", "Summary", _summary(evaluation, values))]
    if scored:
        found.append(("threshold-explorer", "Threshold", _threshold(evaluation, _of_chart(drawn, True), thresholds)))
    found.append(("matrix", "Confusion matrix", _matrices(evaluation)))
    if not binary:
        found.append(("classes", "Classes", _per_class(evaluation, max(class_rows, 1))))
    rest = _of_chart(drawn, False) if scored else _of_chart(drawn, False) + _of_chart(drawn, True)
    if rest:
        found.append(("charts", "Charts", f'<div class="grid">{rest}</div>'))
    if scored:
        found += [("gains", "Gains", _gains(evaluation)), ("calibration", "Calibration", _calibration(evaluation))]
    found.append(("definitions", "Definitions", _definitions(evaluation, values)))
    return found


def _facts(evaluation: Evaluation) -> str:
    models = list(evaluation.models.values())
    first = models[0]
    facts = [("Rows", amount(evaluation.rows))]
    if evaluation.total != evaluation.rows:
        facts.append(("Total weight", amount(evaluation.total)))
    if evaluation.is_binary:
        positive, negative = _classes(evaluation)
        counts = first.confusion.counts()
        place = first.confusion.labels.tolist().index(evaluation.pos_label)
        positives = float(counts.tp[place] + counts.fn[place])
        share = first.confusion["prevalence"]
        shown = f"{amount(positives)} ({percent(share)})"
        facts += [("Positive class", positive), ("Negative class", negative), ("Positives", shown)]
    else:
        facts.append(("Classes", amount(len(evaluation.labels))))
    if len(models) > 1:
        facts.append(("Models", amount(len(models))))
    return "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in facts)


@cache
def _asset(name: str) -> str:
    return files("rocksteady.report").joinpath("assets", name).read_text(encoding="utf-8")


def _colours() -> str:
    """The colours of the models, as CSS variables."""

    def variables(dark: bool) -> str:
        models = "".join(f"--series-{i}:{style(i).dark if dark else style(i).light};" for i in range(6))
        return f"{models}--series-reference:{REFERENCE.dark if dark else REFERENCE.light};"

    light, dark = variables(False), variables(True)
    swatches = "".join(f".swatch.m{i}{{background:var(--series-{i})}}" for i in range(6))
    return (
        f":root{{{light}}}@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}"
        f"@media screen{{:root[data-theme=dark]{{{dark}}}}}{swatches}"
    )


def _document(heading: str, sections: Sequence[tuple[str, str, str]], evaluation: Evaluation, for_script: str) -> str:
    scripts = [_asset("chart.min.js"), _asset("report.js")]
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" for script in scripts
    )
    policy = (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    links = "".join(f'<li><a href="#{key}">{name}</a></li>' for key, name, _ in sections)
    body = "".join(
        f'<section id="{key}" aria-labelledby="{key}-heading"><h2 id="{key}-heading">{name}</h2>{content}</section>'
        for key, name, content in sections
    )
    names = [label(name) for name in evaluation.models]
    options = "".join(f'<option value="{place}">{name}</option>' for place, name in enumerate(names))
    chooser = (
        f'<label class="live chooser">Model <select id="model">{options}</select></label>' if len(names) > 1 else ""
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="rocksteady">
<title>{heading}</title>
<link rel="icon" href="data:,">
<style>{_colours()}{_asset("report.css")}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
<header><p class="eyebrow">Classification report</p><h1>{heading}</h1><dl class="facts">{_facts(evaluation)}</dl></header>
<nav aria-label="Sections"><ul>{links}</ul>{chooser}<button type="button" id="theme" class="live">Dark</button></nav>
<main id="main" tabindex="-1">
{body}
</main>
<footer><p>Made by rocksteady. Charts are drawn by Chart.js.</p>
<details><summary>Licence of Chart.js</summary><pre>{text(_asset("chart.min.js.LICENSE.txt"))}</pre></details></footer>
<script type="application/json" id="report-data">{for_script}</script>
<script>{scripts[0]}</script>
<script>{scripts[1]}</script>
</body>
</html>
"""
