"""An evaluation as GitHub's Markdown, for an issue, a pull request or a log: the numbers of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rocksteady.base.table import Cell, Table, in_markdown, number, one_line
from rocksteady.charts.classes import ONE
from rocksteady.costs.cost_counts import CostCounts
from rocksteady.groups.shown import shown
from rocksteady.labels.nonzero_cells import confused
from rocksteady.report.data import OUTCOMES
from rocksteady.report.differences import is_compared, of_model

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from rocksteady.evaluation.evaluation import Evaluation
    from rocksteady.labels.confusion import ConfusionMatrix
    from rocksteady.models.model import Model

    Reals = NDArray[np.float64]

_DIGITS: Final = 4
# From here on, digits after the point are pointless.
_LONGEST: Final = 2.0**64
# A matrix with more classes is described by its greatest confusions, and only the weakest classes are listed.
_MATRIX: Final = 20
_CONFUSIONS: Final = 20
_CLASSES: Final = 100
_NAMED: Final = 10
_GROUPS: Final = 100
_BEST: Final = ("informedness", "f1", "mcc", "accuracy")


def markdown(evaluation: Evaluation) -> str:
    """An evaluation as Markdown.

    Returns
    -------
    str
        Summary, confusion matrices, thresholds, deciles, calibration and classes, as far as the evaluation has them.
        Names and labels are escaped.

    Examples
    --------
    >>> import rocksteady as rs
    >>> text = markdown(rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]))
    >>> [line for line in text.splitlines() if line.startswith("#")]
    ['# Evaluation', '## Summary', '## Confusion matrix', '## Thresholds', '## Deciles', '## Calibration']
    >>> print(text[text.index("| actual") :].partition("## ")[0].strip())
    | actual | 0 | 1 |
    | --- | ---: | ---: |
    | 0 | 2 | 0 |
    | 1 | 1 | 1 |
    """
    models = list(evaluation.models.values())
    parts = [
        "# Evaluation\n",
        _heading(evaluation),
        "## Summary\n",
        evaluation.summary().to_markdown(_DIGITS),
        *_differences(evaluation),
        *_groups(evaluation),
        *_section("Confusion matrix", models, _matrix),
        *_section("Thresholds", models, _thresholds),
        *_section("Deciles", models, _deciles),
        *_section("Calibration", models, _calibration),
        *_section(models[0]._places.capitalize(), models, _classes),
        f"Digest: `{evaluation.digest()}`\n",
    ]
    return "\n".join(parts)


def _text(name: object) -> str:
    return in_markdown(one_line(name))


def _heading(evaluation: Evaluation) -> str:
    labels = evaluation.labels
    rows = f"{evaluation.rows:,} rows"
    if evaluation.rows != evaluation.total:
        rows += f" of a weight of {number(evaluation.total, 10)}"
    if evaluation.rows_left_out:
        rows += f" ({evaluation.rows_left_out:,} with missing values left out)"
    said = f"{rows} of {len(labels)} {evaluation._first._places}"
    if evaluation.is_binary:
        said += f", of which {_text(evaluation.pos_label)} is the positive one"
    else:
        more = ", …" if len(labels) > _NAMED else ""
        said += f": {', '.join(map(_text, labels[:_NAMED]))}{more}"
    if len(evaluation.models) > 1:
        said += f". Models: {', '.join(map(_text, evaluation.models))}"
    first = next(iter(evaluation.models.values()))
    if len(evaluation.models) == 1 and "exact_match" not in evaluation._lacks:
        said += f". All labels are right in {number(first.exact_match, _DIGITS)} of the rows"
    if evaluation.costs is not None and evaluation.is_binary:
        costs = (f"a {OUTCOMES[key]} {number(first.cost_parameters[key])}" for key in ("tp", "fp", "fn", "tn"))
        said += f". Costs: {', '.join(costs)}"
    if first.row_costs is not None:
        given = first.row_costs._given.items()
        costs = (f"a {OUTCOMES[key]} {'its amount' if cost is None else number(cost)}" for key, cost in given)
        said += f". Costs: {', '.join(costs)}"
    return "\n".join([f"{said}.\n", *(f"{in_markdown(note)}.\n" for note in evaluation.notes)])


def _groups(evaluation: Evaluation) -> Iterator[str]:
    """For each model its groups; of many groups, the largest."""
    for place, (name, groups) in enumerate(evaluation._groups.items()):
        found = shown(groups, min_rows=evaluation.min_rows)
        if place == 0:
            yield "## Groups\n"
        if len(evaluation.models) > 1:
            yield f"### {_text(name)}\n"
        table = found.summary()
        notes = [] if found.note is None else [found.note]
        if len(found.rows) > _GROUPS:
            largest = np.sort(np.argsort(-found.rows, kind="stable")[:_GROUPS]).tolist()
            notes.insert(
                0, f"{len(found.rows) - _GROUPS:,} groups with fewer rows than these {_GROUPS} are not in the table"
            )
            table = Table(table.columns, [table.rows[row] for row in largest])
        yield table.to_markdown(_DIGITS)
        if notes:
            yield f"{'; '.join(notes)}.\n"


def _section(title: str, models: list[Model], tell: Callable[[Model], list[str]]) -> Iterator[str]:
    """What there is to tell of each model, below a heading; nothing if there is nothing."""
    told = [(model, tell(model)) for model in models]
    if not any(parts for _, parts in told):
        return
    yield f"## {title}\n"
    for model, parts in told:
        if parts and len(models) > 1:
            yield f"### {_text(model.name)}\n"
        yield from parts


def _differences(evaluation: Evaluation) -> Iterator[str]:
    """The first model against each other model, if the evaluation was made with inference=True."""
    if not is_compared(evaluation):
        return
    first = next(iter(evaluation.models))
    rows: list[list[Cell]] = []
    for other, found in of_model(evaluation, first).items():
        pair = f"{one_line(first)} less {one_line(other)}"
        for row in found:
            each = row.found
            rows.append([each.index, pair, each.estimate, each.low, each.high, row.p_value, row.verdict])
    yield "## Differences\n"
    p_value = "holm_p_value" if len(evaluation.models) > 2 else "p_value"
    columns = ["index", "models", "difference", "low", "high", p_value, "verdict"]
    yield Table(columns, rows).to_markdown(_DIGITS)


def _matrix(model: Model) -> list[str]:
    if "confusion" in model._lacks:
        return []
    matrix = model.confusion
    labels = [one_line(label) for label in matrix.labels]
    said = "Rows are the actual classes, columns the predicted ones."
    if model.threshold is not None:
        said += f" Predicted positive: scores from {number(model.threshold, 10)} on."
    if len(labels) > _MATRIX:
        return [*_confusions(matrix, labels)]
    rows: list[list[Cell]] = [
        [label, *map(_whole, cells)] for label, cells in zip(labels, matrix.to_array().tolist(), strict=True)
    ]
    return [f"{said}\n", Table(["actual", *labels], rows).to_markdown(_DIGITS)]


def _confusions(matrix: ConfusionMatrix, labels: list[str]) -> Iterator[str]:
    actual, predicted, counts, pairs = confused(matrix._state, _CONFUSIONS)
    worst = zip(actual.tolist(), predicted.tolist(), counts.tolist(), strict=True)
    rows: list[list[Cell]] = [[labels[row], labels[column], count] for row, column, count in worst]
    yield f"The {len(rows)} most frequent confusions of {pairs}, as {len(labels)} classes are too many for a matrix here.\n"
    yield Table(["actual", "predicted", "rows"], rows).to_markdown(10)


def _thresholds(model: Model) -> list[str]:
    scores = model.scores
    if scores is None:
        return []
    wanted = list(_BEST)
    if model._has_costs and not isinstance(model.row_costs, CostCounts):
        wanted.append("mean_cost")
    rows: list[list[Cell]] = []
    for name in wanted:
        best: Any = model.best(name)
        if best.threshold == best.threshold:
            counts = best.counts()
            rates = [float(counts[rate]) for rate in ("recall", "precision")]
            rows.append([name, best.threshold, best.value, *map(_whole, best[2:]), *rates])
    if not rows:
        return []
    columns = ["best by", "threshold", "value", "tp", "fp", "fn", "tn", "recall", "precision"]
    said = "Each on these very rows, so better than it will be on others; the lowest threshold of several.\n"
    return [said, Table(columns, rows).to_markdown(6)]


def _whole(value: float) -> Cell:
    """An integer for a count, or for a weight too large to show decimals; other weights as they are."""
    is_whole = float(value).is_integer() or abs(value) >= 10**_DIGITS
    return round(value) if is_whole and abs(value) < _LONGEST else float(value)


def _columns(names: list[str], columns: Iterable[Reals]) -> Table:
    """Columns as a table; whole numbers are written in full."""
    cells = [list(map(_whole, column.tolist())) for column in columns]
    return Table(names, [list(row) for row in zip(*cells, strict=True)])


def _deciles(model: Model) -> list[str]:
    if model.scores is None or model.scores.rows == 0:
        return []
    gains = model.scores.gains(10)
    columns = ["highest", "lowest", "rows", "positives", "response_rate", "gain", "cumulative_lift", "ks"]
    found = _columns(columns, [getattr(gains, name) for name in columns])
    rows = [[place, *row] for place, row in enumerate(found, 1)]
    return [Table(["band", *columns], rows).to_markdown(_DIGITS)]


def _calibration(model: Model) -> list[str]:
    scores = model.scores
    if scores is None or scores.rows == 0 or scores.why("brier") is not None:
        return []
    bins = scores.calibration(10)
    columns = ["lower", "upper", "weight", "mean_score", "observed", "low", "high"]
    names = ["from", "to", "rows", "mean score", "observed", "95% low", "95% high"]
    indices = ("expected_calibration_error", "maximum_calibration_error", "calibration_slope", "calibration_intercept")
    values = ", ".join(f"{name} {number(scores[name], _DIGITS)}" for name in indices)
    return [f"{values}.\n", _columns(names, [getattr(bins, name) for name in columns]).to_markdown(_DIGITS)]


def _classes(model: Model) -> list[str]:
    if model.is_binary:
        return []
    matrix, words = model._of_places, model._places
    columns = {name: matrix.every(name) for name in ("recall", "precision", "f1")}
    if (ranked := model._rankings) is not None and (places := model._class_places):
        columns |= {name: ranked.every(name)[places] for name in ("roc_auc", "average_precision")}
    counts = matrix.counts()
    sizes = [_whole(size) for size in (counts.tp + counts.fn).tolist()]
    labels = [one_line(label) for label in matrix.labels]
    # NaN comes last: a class without rows is not weak.
    order = np.argsort(columns["f1"], kind="stable")[:_CLASSES].tolist()
    rows: list[list[Cell]] = [
        [labels[place], sizes[place], *(float(column[place]) for column in columns.values())] for place in order
    ]
    some = (
        f"The {len(rows)} weakest of {len(labels)} {words}, by F1.\n"
        if len(rows) < len(labels)
        else "By F1, the weakest first.\n"
    )
    return [some, Table([ONE[words], "rows", *columns], rows).to_markdown(_DIGITS)]
