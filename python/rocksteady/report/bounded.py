"""The report of a bounded evaluation: one page without scripts, and Markdown. It says which bounds are proven."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING, Final

from rocksteady._rocksteady import __version__
from rocksteady.base.arguments import string
from rocksteady.charts.chart import UNIT, Chart, Series, reference
from rocksteady.charts.curves import CURVES, ROC
from rocksteady.registry.registry import index
from rocksteady.report.elements import about, table
from rocksteady.report.page import _head, _made
from rocksteady.report.svg import svg
from rocksteady.report.text import amount, decimal, label, score, text

if TYPE_CHECKING:
    from datetime import date as calendar_date

    from rocksteady.evaluation.evaluation import Evaluation

#: The explanation of bounds on the page.
PROVEN: Final = (
    "Every index lies between its bounds for certain, for exactly these rows: they are proven, not estimated. "
    "Where both bounds are equal, the index is known exactly. A bound says nothing of other rows; for that ask for a "
    "confidence interval."
)


def _charts(evaluation: Evaluation) -> list[Chart]:
    """The curves, each with the band that holds it."""
    drawn = []
    for curve in (curve for curve in CURVES if curve.is_main):
        series: list[Series] = []
        for place, model in enumerate(evaluation.models.values()):
            band_x, low, high = model.sketch.curve(curve.x.index, curve.y.index).outline()
            if len(band_x):
                series.append(Series(model.name, band_x, high, place, "band", place, base=low))
                series.append(Series(model.name, band_x, (low + high) / 2, place, "line", place, is_faint=True))
        if curve is ROC:
            series.append(reference("chance", [0.0, 1.0], [0.0, 1.0]))
        told = "Each band holds the whole curve, for certain. The line is the middle of the band."
        words = (curve.key, curve.title, told, curve.x.label, curve.y.label)
        drawn.append(Chart(*words, tuple(series), UNIT, UNIT, is_square=True))
    return drawn


def _value(low: float, high: float) -> str:
    """A value or its bounds, rounded outwards to enough digits to tell them apart.

    >>> _value(0.25, 0.25), _value(0.92226712, 0.92227643), _value(0.0, math.inf)
    ('0.2500', '0.9222671 to 0.9222765', '0.0000 to ∞')
    """
    if low == high:
        return decimal(low)
    if max(-low, high) >= 1e10:  # infinite, or beyond the digits of a `Decimal`
        return f"{decimal(low)} to {decimal(high)}"
    unit = Decimal(1).scaleb(-min(15, max(4, 1 - math.floor(math.log10(high - low)))))
    down, up = Decimal(low).quantize(unit, ROUND_FLOOR), Decimal(high).quantize(unit, ROUND_CEILING)
    return f"{down:f} to {up:f}".replace("-", "−")


def _facts(evaluation: Evaluation) -> list[tuple[str, str]]:
    sketch = next(iter(evaluation.models.values())).sketch
    facts = [
        ("Rows", amount(evaluation.rows)),
        ("Positive class", label(evaluation.labels[1])),
        ("Negative class", label(evaluation.labels[0])),
        ("Positives", amount(sketch.positives)),
    ]
    if evaluation.rows_left_out:
        facts.insert(1, ("Rows left out, with missing values", amount(evaluation.rows_left_out)))
    return facts


def page(evaluation: Evaluation, *, title: str | None = None, date: str | calendar_date | None = None) -> str:
    """The report as one self-contained HTML document without scripts."""
    heading = text("Evaluation within proven bounds" if title is None else " ".join(string(title, "title").split()))
    told, made = evaluation.to_dict()["models"], [("Date", said)] if (said := _made(date)) else []
    sections = []
    for name in evaluation.models:
        rows = []
        for of, found in told[name]["bounds"].items():
            exact = "exactly" if found["is_exact"] else "within proven bounds"
            known = found.get("why") or (f"{exact}, if defined" if "may_be_undefined" in found else exact)
            value = "" if "why" in found else _value(found["low"], found["high"])
            rows.append([text(index(of).title.partition(" (")[0]), value, text(known)])
        counts = told[name]["counts"]
        cells = [
            [count, amount(low) if low == high else f"{amount(low)} to {amount(high)}"]
            for count, (low, high) in (("True positives", counts["tp"]), ("False positives", counts["fp"]))
        ]
        named = f"<h2>{label(name)}</h2>" if len(evaluation.models) > 1 else "<h2>Summary</h2>"
        at = f"<p>Scores of {score(told[name]['threshold'])} and more count as positive.</p>"
        sections.append(
            f"<section>{named}{at}{table('Bounds of the indices', ['Index', 'Value', 'Known'], rows)}"
            f"{table('Counts at the threshold', ['Count', 'Rows'], cells)}</section>"
        )
    drawn = "".join(
        f'<article class="card chart"><h3>{text(chart.title)}</h3>{about(chart.about)}'
        f'<div class="static">{svg(chart)}</div></article>'
        for chart in _charts(evaluation)
    )
    facts = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in [*_facts(evaluation), *made])
    return f"""{_head(heading)}
<header><p class="eyebrow">Classification report</p><h1>{heading}</h1><dl class="facts">{facts}</dl>
<p class="note">{PROVEN}</p></header>
<main id="main">
{"".join(sections)}
<section><h2>Charts</h2><div class="grid">{drawn}</div></section>
</main>
<footer><p>Made by rocksteady {__version__}.</p></footer>
</body>
</html>
"""


def markdown(evaluation: Evaluation) -> str:
    """The report as Markdown."""
    facts = "\n".join(f"- {name}: {value}" for name, value in _facts(evaluation))
    return f"# Evaluation within proven bounds\n\n{facts}\n\n{PROVEN}\n\n{evaluation.summary().to_markdown()}"
