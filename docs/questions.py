"""The page docs/questions.md: which statistic answers which question, found by asking each of them.

python docs/questions.py            # write the page (make reference)
python docs/questions.py --check    # fail if it is not what the statistics answer now, and write nothing
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

from made import write_or_check

import rocksteady as rs

PAGE = Path(__file__).parent / "questions.md"

HEAD = """\
<!-- Made by docs/questions.py (make reference), which asks each statistic each question: edit that, not this page. -->
# Which statistic answers what

Every word means the same everywhere ([the grammar](grammar.md)). Here each statistic was asked each question.
"yes" is an answer, "–" stands where the statistic has no such method, and a number for the reason that a refusal gives,
below. The index that was asked stands beside its statistic; others of its kind answer alike. An index of one threshold, such as
F1, is asked of the counts there: `table.at(0.5).interval("f1")`. Several classes and labels are resampled by their rows:
`rs.inference.bootstrap(y_true, y_score)`.

Two statistics do not say whether they are of the same rows, so most have no `difference`. Two values of different rows are
compared by `rs.inference.independent_difference(a.interval(name), b.interval(name))`. Models on the same rows need
`rs.evaluate(..., inference=True)`, then `ev.difference(name, first, second)`.

"""

Y, P = [0, 0, 1, 1, 0, 1, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.2, 0.7, 0.6, 0.9]
K, Q = (
    [0, 1, 2, 0, 1, 2],
    [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.3, 0.4, 0.3], [0.5, 0.4, 0.1], [0.1, 0.8, 0.1], [0.2, 0.2, 0.6]],
)
PRED = [0, 1, 0, 1, 0, 1, 1, 1]
COSTS = {"fn": [float(n) for n in range(8)], "fp": 1.0}
TABLES, COST_TABLE = rs.ScoreTables(K, Q), rs.CostTable(Y, P, costs=COSTS, squares=True)
MANY = [[1, 0], [1, 1], [0, 1], [0, 0]], [[0.9, 0.4], [0.6, 0.3], [0.2, 0.8], [0.3, 0.1]]

#: A statistic, an index of it, and what `empty` needs.
MADE: dict[str, tuple[Any, str, dict[str, Any]]] = {
    "Counts": (rs.Counts([3, 1], [1, 2], [1, 1], [3, 4]), "f1", {}),
    "CountsBounds": (rs.CountsBounds(tp=(3, 4), fp=(1, 2), positives=5, negatives=6), "recall", {}),
    "ConfusionMatrix": (rs.ConfusionMatrix(Y, PRED), "f1", {"labels": [0, 1]}),
    "ScoreTable": (rs.ScoreTable(Y, P), "roc_auc", {"pos_label": 1}),
    "ScoreTables": (TABLES, "log_loss", {"labels": [0, 1, 2]}),
    "LabelScoreTables": (rs.LabelScoreTables(*MANY), "roc_auc", {"labels": [0, 1]}),
    "ScoreSketch": (rs.ScoreSketch(Y, P), "roc_auc", {"pos_label": 1}),
    "AnchoredCounts": (rs.AnchoredCounts(rs.ScoreAnchors(Y, P, pos_label=1), Y, P), "roc_auc", {}),
    "LabelLedger": (rs.scores.LabelLedger([*Y, None], [*P, 0.65]), "roc_auc", {"pos_label": 1}),
    "ProbabilitySums": (rs.ProbabilitySums(Y, P, squares=True), "brier", {"pos_label": 1}),
    "RowMean": (rs.RowMean.log_loss(K, Q, labels=[0, 1, 2]), "", {"measure": "log_loss", "labels": [0, 1, 2]}),
    "Groups": (rs.group_by(Y, PRED, by=[*"aaaabbbb"]), "recall", {"labels": [0, 1]}),
    "Queries": (rs.Queries(Y, P, [*"aabbccdd"]), "ndcg", {}),
    "CostTable": (COST_TABLE, "cost", {"pos_label": 1, "costs": {"fn": [], "fp": 1.0}}),
    "CostCounts": (COST_TABLE.at(0.5), "cost", {"pos_label": 1, "costs": {"fn": [], "fp": 1.0}}),
    "Evaluation of a model": (rs.evaluate(Y, P), "roc_auc", {}),
    "Evaluation of two": (rs.evaluate(Y, {"a": P, "b": [p * p for p in P[::-1]]}, inference=True), "roc_auc", {}),
    "Evaluation of several labels": (rs.evaluate(*MANY), "roc_auc", {}),
    "bounded Evaluation": (rs.evaluate(Y, P, bounded=True), "roc_auc", {}),
}


#: The index along the axis, where it is another one.
ALONG = {"ScoreTable": "f1"}


def named(name: str) -> tuple[str, ...]:
    """A `RowMean` has one index, and so no name of it."""
    return (name,) if name else ()


def difference(made: Any, name: str) -> Any:
    """Of two models, of two groups, or of two runs."""
    if isinstance(made, rs.Queries):
        return made.difference(made, name)
    return made.difference(name, *getattr(made, "models", ()))


Ask = Callable[[Any, str, dict[str, Any]], Any]
QUESTIONS: dict[str, Ask] = {
    "value": lambda made, name, _: made.value(*named(name)),
    "every": lambda made, name, _: made.every(name),
    "why": lambda made, name, _: made.why(*named(name)),
    "exact": lambda made, name, _: made.exact(name),
    "bounds": lambda made, name, _: made.bounds(name),
    "interval": lambda made, name, _: made.interval(*named(name)),
    "interval of an average": lambda made, name, _: made.interval(*named(name), average="macro"),
    "every_interval": lambda made, name, _: made.every_interval(name),
    "bootstrap": lambda made, name, _: made.bootstrap(name, n_resamples=9, strata="label", random_state=0),
    "difference": lambda made, name, _: difference(made, name),
}
WAYS: dict[str, Ask] = {
    "summary": lambda made, _, __: made.summary(),
    "to_dict": lambda made, _, __: made.to_dict(),
    "to_frame": lambda made, _, __: made.to_frame(),
    "axis": lambda made, _, __: made.axis,
    "a + b": lambda made, _, __: made + made,
    "a - b": lambda made, _, __: made - made,
    "to_bytes": lambda made, _, __: type(made).from_bytes(made.to_bytes()),
    "digest": lambda made, _, __: made.digest(),
    "empty": lambda made, _, meaning: type(made).empty(**meaning),
}


class Footnotes(list[str]):
    """Reasons, each once, by their numbers."""

    def number(self, reason: str) -> str:
        """The number of a reason."""
        if reason not in self:
            self.append(reason)
        return str(self.index(reason) + 1)


def cell(statistic: str, question: str, ask: Ask, reasons: Footnotes) -> str:
    """What a statistic says to a question."""
    made, name, meaning = MADE[statistic]
    try:
        ask(made, ALONG.get(statistic, name) if question == "every" else name, meaning)
    except rs.RocksteadyError as error:
        reason = str(error.args[0])
        said = "–" if 'has no parameter "average"' in reason else reasons.number(reason)
    except (AttributeError, TypeError):  # no such method, operation or option
        said = "–"
    else:
        return "yes"
    return said


def table(questions: dict[str, Ask], reasons: Footnotes) -> list[str]:
    """The lines of a table: statistics by questions."""
    heads = [f"`{name}`" if name.isidentifier() else name for name in questions]
    lines = [f"| | {' | '.join(heads)} |", f"|---|{'---|' * len(heads)}"]
    for statistic in MADE:
        said = [cell(statistic, question, ask, reasons) for question, ask in questions.items()]
        label = f"`{statistic}`" if inspect.isclass(getattr(rs, statistic, None)) else statistic
        index = f", `{MADE[statistic][1]}`" if MADE[statistic][1] else ""
        lines.append(f"| {label}{index} | {' | '.join(said)} |")
    return lines


def pages() -> dict[Path, str | None]:
    """The text of the page."""
    reasons = Footnotes()
    parts = [*table(QUESTIONS, reasons), "", *table(WAYS, reasons), "", "Reasons:", ""]
    parts += [f"{place}. {' '.join(reason.split())}" for place, reason in enumerate(reasons, 1)]
    return {PAGE: HEAD + "\n".join(parts) + "\n"}


if __name__ == "__main__":
    write_or_check(__doc__ or "", pages)
