"""The report as one HTML file: it loads nothing from the network, and escapes all text from outside.

Without scripts, and in print, it shows tables and static pictures. With scripts, charts answer to the pointer and a
threshold can be moved: `assets/charts.js` and `assets/report.js` do that with what `rocksteady.report.data` gives it. It draws with
Chart.js, which is shipped. The sections are made by `summary`, `threshold`, `matrix` and `tables`, of `elements`.
"""

from __future__ import annotations

import base64
import hashlib
import re
from datetime import date as calendar_date
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from rocksteady._rocksteady import __version__
from rocksteady.base.arguments import string, wrong_type
from rocksteady.charts.palette import REFERENCE, style
from rocksteady.registry.registry import index
from rocksteady.report.charts import DIFFERENCES, LEADERBOARD, OF_GROUPS, charts
from rocksteady.report.data import as_json, data, fewer, named
from rocksteady.report.differences import differences
from rocksteady.report.elements import about
from rocksteady.report.groups import groups
from rocksteady.report.matrix import matrices
from rocksteady.report.summary import best_model, summary, values_of
from rocksteady.report.svg import svg
from rocksteady.report.tables import PER_CLASS, calibration, gains, per_class
from rocksteady.report.text import amount, label, percent, text
from rocksteady.report.threshold_explorer import EXPLORED, threshold, two_classes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocksteady.charts.chart import Chart
    from rocksteady.evaluation.evaluation import Evaluation
    from rocksteady.registry.registry import Index
    from rocksteady.report.data import Named
    from rocksteady.report.summary import Values

#: The most bytes of a page, unless there are hundreds of models.
MOST_BYTES: Final = 2_000_000

# Charts on which a marker follows the threshold; they stand beside the explorer.
_BESIDE: Final = ("roc", "precision_recall", "gain")

# Limits on points of a line, on rows of classes over all models, and on charts. The page takes the first entry that makes
# it small enough; only with dozens of models is this another than the first.
_DETAIL: Final = ((None, 1500, None), (150, 1000, None), (50, 500, None), (25, 200, 20), (25, 100, 6), (10, 0, 0))


def page(
    evaluation: Evaluation,
    *,
    title: str | None = None,
    date: str | calendar_date | None = None,
    recipe: Mapping[str, object] | None = None,
) -> str:
    """The report of an evaluation as one self-contained HTML document.

    Parameters
    ----------
    evaluation : Evaluation
    title : str, optional
        Its heading. Default: "Evaluation of" the model's name, or how many models there are.
    date : str or datetime.date, optional
        What its head says of when it was made. Default: nothing, so that the page is reproducible.
    recipe : mapping, optional
        The options that the evaluation was made with, so that `rocksteady verify` can make it again.

    Returns
    -------
    str
        At most 2 MB in UTF-8, whatever the number of rows, of up to a hundred models. It names no other file, and its
        content security policy forbids every request. The same arguments give the same bytes.

    Raises
    ------
    rocksteady.InputTypeError
        If the title is no string, or the date neither a string nor a date.
    """
    heading, made = _heading(evaluation, title), _made(date)
    values = values_of(evaluation)
    thresholds, bests = named(evaluation)
    first, _ = best_model(evaluation, values)
    whole = charts(evaluation, bests, first)
    seal = _seal(evaluation, recipe)
    for points, class_rows, shown in _DETAIL:
        drawn = [fewer(chart, points) for chart in whole[:shown]]
        rows = max(class_rows // len(evaluation.models), 10)
        sections = _sections(evaluation, drawn, values, thresholds, rows)
        for_script = as_json(data(evaluation, drawn, thresholds, first))
        document = _document(heading, made, sections, evaluation, for_script, first, seal)
        if len(document.encode()) <= MOST_BYTES:
            break
    return document


def _seal(evaluation: Evaluation, recipe: Mapping[str, object] | None) -> str:
    """The digest of the statistics, and how to reproduce it."""
    digest = evaluation.digest()
    said = "" if recipe is None else as_json({"digest": digest, "recipe": dict(recipe)})
    script = f'<script type="application/json" id="recipe">{said}</script>' if said else ""
    return f"<p>Digest of the statistics: <code>{text(digest)}</code></p>{script}"


def _heading(evaluation: Evaluation, title: str | None) -> str:
    given = "" if title is None else " ".join(string(title, "title").split())
    if given:
        return text(given if given.isprintable() else repr(given)[1:-1])
    names = list(evaluation.models)
    if len(names) > 1:
        return f"{len(names)} models compared"
    return "Evaluation" if names[0] == "model" else f"Evaluation of {label(names[0])}"


def _made(date: str | calendar_date | None) -> str:
    if date is None:
        return ""
    if not isinstance(date, str | calendar_date):
        raise wrong_type(date, "date", "a string or a datetime.date")
    return label(date if isinstance(date, str) else date.isoformat())


# --------------------------------------------------------------------------------------------------------------- charts


def _chart(chart: Chart, place: int) -> str:
    of_model = re.search(r"_(\d+)$", chart.key)
    panel = f' data-model="{of_model[1]}"' if of_model else ""
    kind = "card chart panel" if panel else "card chart"
    told = text(f"{chart.title}. {chart.about}")
    tall = f' style="height:{19 * chart.tall:.3g}rem"' if chart.tall > 1 else ""
    return (
        f'<article class="{kind}" id="chart-{chart.key}"{panel} data-chart="{place}">'
        f"<h3>{text(chart.title)}</h3>{about(chart.about)}"
        f'<div class="live canvas"{tall}><canvas role="img" aria-label="{told}"></canvas></div>'
        f'<div class="static">{svg(chart)}</div>'
        '<details class="live"><summary>The points as a table</summary></details></article>'
    )


def _of_charts(drawn: Sequence[Chart], section: str) -> str:
    """The charts of a section."""
    return "".join(_chart(chart, place) for place, chart in enumerate(drawn) if _section_of(chart) == section)


def _section_of(chart: Chart) -> str:
    """Where a chart stands: differences, beside the threshold explorer, groups, their small multiples, or charts."""
    if chart.key.startswith(OF_GROUPS):
        return f"{OF_GROUPS}_roc" if chart.key.startswith(f"{OF_GROUPS}_roc") else OF_GROUPS
    return DIFFERENCES if chart.key in (DIFFERENCES, LEADERBOARD) else "beside" if chart.key in _BESIDE else "charts"


def _choosers(evaluation: Evaluation, drawn: Sequence[Chart]) -> str:
    """For each model with curves of classes, a checkbox for each class that shows or hides its curves."""
    found: dict[int, dict[int, bool]] = {}
    for series in (series for chart in drawn for series in chart.series if series.part is not None):
        boxes = found.setdefault(series.model or 0, {})
        boxes[series.part or 0] = boxes.get(series.part or 0, False) or not series.is_extra
    labels = evaluation.labels
    parts = []
    for place, boxes in found.items():
        inputs = "".join(
            f'<label><input type="checkbox" data-part="{part}"{" checked" if boxes[part] else ""}> '
            f"{label(labels[part])}</label>"
            for part in sorted(boxes)
        )
        parts.append(
            f'<fieldset class="live chooser-of-classes" data-parts="{place}">'
            f'<legend>{evaluation._first._places.capitalize()} whose curves are drawn</legend><div class="boxes">{inputs}</div>'
            '<div class="jumps"><button type="button" data-choose="all">All</button>'
            '<button type="button" data-choose="none">None</button>'
            '<button type="button" data-choose="first">The weakest</button></div></fieldset>'
        )
    return "".join(parts)


# ---------------------------------------------------------------------------------------------------------- definitions


def _definitions(evaluation: Evaluation, values: Values) -> str:
    also = (*EXPLORED, "roc_auc") if evaluation.is_binary else (*PER_CLASS, "roc_auc")
    rows = [index(name) for name in dict.fromkeys([*values, *also])]

    def entry(row: Index) -> str:
        formula = "".join(f"<code>{text(part)}</code>" for part in row.formula.split("; "))
        facts = "".join(
            f"<p><b>{heading}.</b> {text(said)}</p>"
            for heading, said in row.facts()
            if heading in ("Range", "Undefined", "Source")
        )
        return (
            f'<details id="define-{row.name}"><summary>{text(row.title)} <code class="key">{text(row.name)}</code>'
            f'</summary><div class="formula">{formula}</div><p>{text(row.about)}</p>{facts}</details>'
        )

    entries = "".join(map(entry, rows))
    return (
        '<p id="symbols">tp, fp, fn and tn are the true and false positives and negatives, n is all rows. M is the '
        "confusion matrix, with t and p the sums of its rows and columns, and T the sum of all its cells.</p>"
        f'<div class="definitions">{entries}</div>'
    )


# ------------------------------------------------------------------------------------------------------------- document


def _sections(
    evaluation: Evaluation, drawn: Sequence[Chart], values: Values, thresholds: Named, class_rows: int
) -> list[tuple[str, str, str]]:
    """The key, the heading and the content of each section: charts first, then tables."""
    binary = evaluation.is_binary
    scored = binary and any(model.scores is not None for model in evaluation.models.values())
    found = [("summary", "Summary", summary(evaluation, values))]
    if told := differences(evaluation, best_model(evaluation, values)[0], _of_charts(drawn, DIFFERENCES)):
        found.append(("differences", "Differences", told))
    if scored:
        found.append(
            ("threshold-explorer", "Threshold", threshold(evaluation, _of_charts(drawn, "beside"), thresholds))
        )
    rest = _of_charts(drawn, "charts") if scored else _of_charts(drawn, "beside") + _of_charts(drawn, "charts")
    if rest:
        found.append(("charts", "Charts", f'{_choosers(evaluation, drawn)}<div class="grid">{rest}</div>'))
    if evaluation._groups:
        of_groups = (_of_charts(drawn, section) for section in (OF_GROUPS, f"{OF_GROUPS}_roc"))
        found.append(("groups", "Groups", groups(evaluation, *of_groups)))
    if "confusion" not in evaluation._lacks:
        found.append(("matrix", "Confusion matrix", matrices(evaluation)))
    if not binary:
        words = evaluation._first._places
        found.append((words, words.capitalize(), per_class(evaluation, max(class_rows, 1))))
    if scored:
        found += [("gains", "Gains", gains(evaluation)), ("calibration", "Calibration", calibration(evaluation))]
    found.append(("definitions", "Definitions", _definitions(evaluation, values)))
    return found


def _facts(evaluation: Evaluation, made: str) -> str:
    models = list(evaluation.models.values())
    first = models[0]
    facts = [("Rows", amount(evaluation.rows))]
    if evaluation.rows_left_out:
        facts.append(("Rows left out, with missing values", amount(evaluation.rows_left_out)))
    weighted = first._of_places.weighted or evaluation.total != evaluation.rows
    if weighted:
        facts.append(("Total weight", amount(evaluation.total)))
    if evaluation.is_binary:
        positive, negative = two_classes(evaluation)
        counts = first.confusion.counts()
        place = first.confusion.labels.index(evaluation.pos_label)
        positives = float(counts.tp[place] + counts.fn[place])
        share = first.confusion["prevalence"]
        shown = f"{amount(positives)} ({percent(share)})"
        unit = "Weight of the positives" if weighted else "Positives"
        facts += [("Positive class", positive), ("Negative class", negative), (unit, shown)]
    else:
        facts.append((first._places.capitalize(), amount(len(evaluation.labels))))
    if "exact_match" not in evaluation._lacks and len(models) == 1:
        facts.append(("Rows with all labels right", percent(first.exact_match)))
    if len(models) > 1:
        facts.append(("Models", amount(len(models))))
    if made:
        facts.append(("Date", made))
    return "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in facts)


@cache
def _asset(name: str) -> str:
    return files("rocksteady.report").joinpath("assets", name).read_text(encoding="utf-8")


def _colours() -> str:
    def variables(dark: bool) -> str:
        models = "".join(f"--series-{i}:{style(i).dark if dark else style(i).light};" for i in range(6))
        return f"{models}--series-reference:{REFERENCE.dark if dark else REFERENCE.light};"

    light, dark = variables(False), variables(True)
    swatches = "".join(f".swatch.m{i}{{background:var(--series-{i})}}" for i in range(6))
    return (
        f":root{{{light}}}@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}"
        f"@media screen{{:root[data-theme=dark]{{{dark}}}}}{swatches}"
    )


def _head(heading: str, scripts: Sequence[str] = ()) -> str:
    """The page up to its body: it may run these scripts, and ask nothing of any network."""
    hashes = [f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" for script in scripts]
    allowed = f" script-src {' '.join(hashes)};" if hashes else ""
    policy = (
        f"default-src 'none';{allowed} style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="rocksteady {__version__}">
<title>{heading}</title>
<link rel="icon" href="data:,">
<style>{_colours()}{_asset("report.css")}</style>
</head>
<body>"""


def _document(
    heading: str,
    made: str,
    sections: Sequence[tuple[str, str, str]],
    evaluation: Evaluation,
    for_script: str,
    first: int,
    seal: str,
) -> str:
    scripts = [_asset("chart.min.js"), _asset("charts.js") + _asset("report.js")]
    links = "".join(f'<li><a href="#{key}">{name}</a></li>' for key, name, _ in sections)
    body = "".join(
        f'<section id="{key}" aria-labelledby="{key}-heading"><h2 id="{key}-heading">{name}</h2>{content}</section>'
        for key, name, content in sections
    )
    options = "".join(
        f'<option value="{place}"{" selected" if place == first else ""}>{label(name)}</option>'
        for place, name in enumerate(evaluation.models)
    )
    notes = "".join(f'<p class="note">{text(note)}</p>' for note in evaluation.notes)
    several = len(evaluation.models) > 1
    chooser = f'<label class="live chooser">Model <select id="model">{options}</select></label>' if several else ""
    return f"""{_head(heading, scripts)}
<a class="skip" href="#main">Skip to the report</a>
<header><p class="eyebrow">Classification report</p><h1>{heading}</h1><dl class="facts">{_facts(evaluation, made)}</dl>
{notes}</header>
<nav aria-label="Sections"><ul>{links}</ul>{chooser}<button type="button" id="theme" class="live">Dark</button></nav>
<main id="main" tabindex="-1">
{body}
</main>
<footer><p>Made by rocksteady {__version__}. Charts are drawn by Chart.js.</p>
{seal}
<details><summary>Licence of Chart.js</summary><pre>{text(_asset("chart.min.js.LICENSE.txt"))}</pre></details></footer>
<script type="application/json" id="report-data">{for_script}</script>
<script>{scripts[0]}</script>
<script>{scripts[1]}</script>
</body>
</html>
"""
