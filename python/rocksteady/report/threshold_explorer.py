"""The threshold explorer, the charts beside it, and the table of the named thresholds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rocksteady.report.data import OUTCOMES, cost_of
from rocksteady.report.elements import or_none, panels, table, title_of
from rocksteady.report.text import amount, label, score

if TYPE_CHECKING:
    from rocksteady.evaluation.evaluation import Evaluation
    from rocksteady.models.model import Model
    from rocksteady.report.data import Named
    from rocksteady.scores.score_table import ScoreTable

#: The indices that the threshold explorer follows; assets/charts.js has a formula for each.
EXPLORED: Final = (
    *("accuracy", "balanced_accuracy", "precision", "recall", "specificity", "f1", "mcc", "informedness"),
    *("npv", "fpr", "rpp", "lift", "mean_cost", "cost"),
)

_WHICH: Final = {
    "given": "As evaluated",
    "f1": "Best F1",
    "mcc": "Best MCC",
    "youden": "Best Youden’s J",
    "ks": "Kolmogorov–Smirnov distance",
    "cheapest": "Cheapest at the costs given",
}


def _explorer(evaluation: Evaluation) -> str:
    positive, negative = two_classes(evaluation)
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
        f'<div><dt>{title_of(name)}</dt><dd data-index="{name}"></dd></div>' for name in EXPLORED if "cost" not in name
    )
    costs = "".join(
        f'<label>{words.capitalize()}<input type="number" step="any" inputmode="decimal" placeholder="0" data-cost="{key}"></label>'
        for key, words in OUTCOMES.items()
    )
    jumps = "".join(
        f'<button type="button" data-jump="{key}">{words}</button>'
        for key, words in (_WHICH | {"ks": "Kolmogorov–Smirnov", "cheapest": "Cheapest"}).items()
    )
    # The best precision with enough recall, and the best recall with enough precision.
    wanted = "".join(
        f'<span><label>{name.capitalize()} at least <input type="number" min="0" max="1" step="0.01" value="0.9" '
        f'inputmode="decimal" data-wanted="{name}"></label><button type="button" data-jump="{name}">Go'
        f'<span class="hidden"> to the best {other} with this {name}</span></button></span>'
        for name, other in (("recall", "precision"), ("precision", "recall"))
    )
    return f"""
<div class="explorer live" role="group" aria-label="Threshold explorer">
<div class="slider">
<div class="line"><label for="threshold">Threshold</label>
<label class="hidden" for="threshold-number">Threshold as a number</label>
<input id="threshold-number" type="number" step="any" inputmode="decimal" aria-describedby="threshold-hint"></div>
<input id="threshold" type="range" min="0" max="1" step="1" value="0" aria-describedby="threshold-hint">
<p id="threshold-hint">Rows with at least this score are predicted {positive}.
Move it, use the arrow keys, or type a number: the nearest of the report's thresholds, 1,000 at most, is taken.</p>
<div class="jumps" role="group" aria-label="Go to a threshold">{jumps}</div>
<div class="jumps wanted" role="group" aria-label="Go to the threshold for a recall or a precision">{wanted}</div>
</div>
<div class="panes">
<div class="pane"><h3>Confusion matrix</h3>
<table class="matrix" id="live-matrix"><caption class="hidden">Confusion matrix at the threshold</caption>
<thead><tr><td></td><th scope="col"><span class="of">predicted</span> {positive}</th>
<th scope="col"><span class="of">predicted</span> {negative}</th></tr></thead>
<tbody>{matrix}</tbody></table></div>
<div class="pane"><h3>Indices</h3><dl class="indices" id="live-indices">{indices}</dl></div>
<div class="pane"><h3>Cost</h3><div class="costs" role="group" aria-label="What each outcome costs">{costs}</div>
<dl class="indices"><div><dt>{title_of("mean_cost", words="Mean cost per row")}</dt><dd data-index="mean_cost"></dd></div>
<div><dt>{title_of("cost", words="Total cost")}</dt><dd data-index="cost"></dd></div></dl>
<p class="cheapest">Cheapest at <button type="button" data-jump="cheapest" id="cheapest"></button>,
with a mean cost of <span id="cheapest-cost"></span>.</p></div>
</div>
<p id="live" class="hidden" role="status" aria-live="polite"></p>
</div>"""


def two_classes(evaluation: Evaluation) -> tuple[str, str]:
    """The positive and the negative label."""
    others = [known for known in evaluation.labels if known != evaluation.pos_label]
    return label(evaluation.pos_label), label(others[0]) if others else "other"


def _named_points(scores: ScoreTable, thresholds: dict[str, float], cost: dict[str, Any]) -> str:
    """The named thresholds, with their values."""
    words = _WHICH
    if thresholds.get("youden") == thresholds.get("ks"):
        words = words | {"youden": f"{words['youden']}, {words['ks']}"}
        thresholds = {name: threshold for name, threshold in thresholds.items() if name != "ks"}
    counts = scores.at(np.array(list(thresholds.values()), dtype=np.float64))
    columns = [getattr(counts, name) for name in ("tp", "fp", "fn", "tn")]
    values = [counts[name] for name in ("precision", "recall", "f1", "mcc")] + [counts.value("mean_cost", **cost)]
    body = [
        [words[name], score(threshold), *(amount(column[i]) for column in columns), *(or_none(v[i]) for v in values)]  # type: ignore[index]
        for i, (name, threshold) in enumerate(thresholds.items())
    ]
    head = ["Which", "Threshold", "TP", "FP", "FN", "TN", "Precision", "Recall", "F1", "MCC", "Mean cost"]
    return table("Thresholds with a name", head, body, classes="stacks")


def threshold(evaluation: Evaluation, beside: str, thresholds: Named) -> str:
    """The section: the explorer, the charts beside it, and the thresholds that have a name."""
    cost = cost_of(evaluation)

    def points(place: int, model: Model) -> str | None:
        return None if model.scores is None else _named_points(model.scores, thresholds[place], cost)

    shown = {key: name for key, name in OUTCOMES.items() if cost[key] or key in ("fp", "fn")}
    words = ", ".join(f"{amount(cost[key])} for a {name}" for key, name in shown.items())
    given = f"Costs: {words}."
    if evaluation._first.row_costs is not None:
        given = (
            "The costs here are the same for all rows, 1 for an error until you change them. What the rows themselves cost is "
            "in the summary, and at each threshold in the chart of costs."
        )
    note = (
        f"<p>{given} The best threshold on these rows usually does a little worse on other rows: choose it on "
        "rows that are not used for the final evaluation.</p>"
    )
    return f"{_explorer(evaluation)}<div class='grid three'>{beside}</div>{panels(evaluation, points)}{note}"
