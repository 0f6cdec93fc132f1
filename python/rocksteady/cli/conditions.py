"""The best thresholds (`--best`), and requirements on the values (`--require`).

Both are read and tried before the first row is, so that a mistake in one costs no time. An index of costs in a
condition or requirement goes by the costs of `--cost`, as everywhere else.
"""

from __future__ import annotations

import contextlib
import math
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import eq, ge, gt, le, lt
from typing import Any, Final

import rocksteady as rs
from rocksteady.cli.sources import RefusedError
from rocksteady.errors import RocksteadyError
from rocksteady.labels.cost import UNIT_COSTS

#: The indices that a table of thresholds always has; `cost` only with the costs of `--cost`.
USUAL: Final = ("f1", "mcc", "informedness")
_COUNTS: Final = ("tp", "fp", "fn", "tn")
_RATES: Final = ("precision", "recall")

_ORDERS: Final[dict[str, Callable[[float, float], bool]]] = {">=": ge, "<=": le, "==": eq, ">": gt, "<": lt}
_SIDE: Final = "side_of_a_requirement"  # the temporary name of an expression


@dataclass(frozen=True)
class Goal:
    """What is best at a threshold: one `--best`.

    Attributes
    ----------
    text
        As typed.
    name
        The index, or an expression.
    condition
        What must hold there, or None.
    maximize, minimize
        The direction, where the user said so.
    """

    text: str
    name: str
    condition: str | None = None
    maximize: bool = False
    minimize: bool = False

    def best(self, ranked: rs.ScoreTable | rs.results.ModelEvaluation) -> Any:
        """The best threshold of a table, or of a model and its costs."""
        return ranked.best(self.name, subject_to=self.condition, maximize=self.maximize, minimize=self.minimize)


@dataclass(frozen=True)
class Requirement:
    """What must hold in the end: one `--require`.

    Attributes
    ----------
    text
        As typed.
    comparisons
        Left side, order and right side of each; all must hold. A side is a number or an expression.
    """

    text: str
    comparisons: tuple[tuple[float | str, str, float | str], ...]


def goals(
    texts: Sequence[str], costs: Mapping[str, float | str] | None, *, usual: bool, has_scores: bool
) -> list[Goal] | None:
    """Read what `--best` asks for, after what `--thresholds` shows.

    It is ``INDEX`` or ``INDEX: CONDITION``. An index may be an expression, and ``max`` or ``min`` may be before it.

    Raises
    ------
    RefusedError
        If there is no such index, it has no value at a threshold, or the condition cannot be read. If there will be no
        thresholds.
    """
    if not (texts or usual):
        return None
    if not has_scores:
        raise RefusedError(
            "--best and --thresholds need the scores of two classes: --score, or --proba with two columns"
        )
    asked = _goals(texts, costs)
    typed = {goal.text for goal in asked}
    names = () if not usual else USUAL if costs is None else (*USUAL, "cost")
    return [*(Goal(name, name) for name in names if name not in typed), *asked]


def _goals(texts: Sequence[str], costs: Mapping[str, float | str] | None) -> list[Goal]:
    found = []
    tried = rs.ScoreTable([0, 1], [0, 1])
    for text in texts:
        words, _, condition = text.partition(":")
        name, direction = words.strip(), words.strip()[:4]
        if direction in ("max ", "min "):
            name = name[4:].strip()
        held = with_costs(condition.strip(), costs) if ":" in text else None
        name = name if _is_index(name) else with_costs(name, costs)
        goal = Goal(text, name, held, maximize=direction == "max ", minimize=direction == "min ")
        try:
            with warnings.catch_warnings(action="ignore"):
                goal.best(tried)
        except RocksteadyError as error:
            sentence, *_ = str(error).split("\n")  # the caret would need lines of its own
            if error.argument == "maximize":
                sentence = f"neither more nor less of {name} is better; expected max or min before it"
            raise RefusedError(f"--best {text!r}: {sentence.replace('subject_to', 'its condition')}") from None
        found.append(goal)
    return found


def thresholds(model: rs.results.ModelEvaluation, asked: Sequence[Goal]) -> list[dict[str, Any]]:
    """The threshold in use and those that are best: for each the goal, the value of its index, counts, precision, recall.

    A goal that no threshold meets has a reason, `why`, and nothing else.
    """
    table = model.scores
    if table is None:
        return []
    found: list[dict[str, Any]] = []
    if model.threshold is not None:
        found.append({"goal": "in use", "threshold": model.threshold} | _at(table.at(model.threshold)))
    for goal in asked:
        why = model.why_no_best(goal.name, subject_to=goal.condition)
        if why is not None:
            found.append({"goal": goal.text, "index": goal.name, "why": why})
            continue
        best = goal.best(model)
        place = {"goal": goal.text, "index": goal.name, "value": best.value, "threshold": best.threshold}
        found.append(place | _at(best.counts()))
        if best.threshold == math.inf:
            found[-1]["why"] = "It is best to predict no row positive."
    return found


def _at(counts: rs.Counts) -> dict[str, float]:
    found = {name: amount(getattr(counts, name)) for name in _COUNTS}
    return found | {name: float(counts[name]) for name in _RATES}


def amount(count: Any) -> float:
    """Counts, and sums of whole weights, as whole numbers."""
    return int(count) if float(count).is_integer() else float(count)


def requirements(texts: Sequence[str], costs: Mapping[str, float | str] | None) -> list[Requirement]:
    """Read what `--require` asks for: comparisons of expressions, joined by "and", as a condition of `--best`.

    A condition holds at a threshold; a requirement is on the values in the end, so it may also name indices of a
    ranking and of a whole matrix.

    Raises
    ------
    RefusedError
        If it cannot be read, or names an index that there is not.
    """
    return [_requirement(text, costs) for text in texts]


def _requirement(text: str, costs: Mapping[str, float | str] | None) -> Requirement:
    comparisons: list[tuple[float | str, str, float | str]] = []
    for clause in re.split(r"\band\b", text):
        parts = [part.strip() for part in re.split("(>=|<=|==|>|<)", clause)]
        if len(parts) < 3 or not all(parts):
            raise RefusedError(f'--require {text!r}: expected a comparison such as "roc_auc >= 0.8"')
        sides = [_side(part, text, costs) for part in parts[::2]]
        comparisons += zip(sides[:-1], parts[1::2], sides[1:], strict=True)
    if all(isinstance(side, float) for left, _, right in comparisons for side in (left, right)):
        raise RefusedError(f"--require {text!r} compares numbers alone; expected an index")
    return Requirement(text, tuple(comparisons))


def _side(text: str, whole: str, costs: Mapping[str, float | str] | None) -> float | str:
    """A number, the name of an index, or a valid expression."""
    with contextlib.suppress(ValueError):
        return float(text)
    if _is_index(text):
        return rs.index(text).name
    try:
        with _defined(with_costs(text, costs)):
            return text
    except RocksteadyError as error:
        sentence, *_ = str(error).split("\n")  # the caret would need lines of its own
        raise RefusedError(f"--require {whole!r}: {sentence}") from None


@contextlib.contextmanager
def _defined(expression: str) -> Iterator[str]:
    """An expression as an index, while the context lasts."""
    rs.define_index(_SIDE, expression, replace=True)
    try:
        yield _SIDE
    finally:
        rs.undefine_index(_SIDE)


def judged(model: rs.results.ModelEvaluation, required: Sequence[Requirement]) -> list[dict[str, Any]]:
    """For each requirement whether it is met, the values of its sides and, where one is undefined, why.

    Raises
    ------
    RefusedError
        If the model cannot have a value that is required: one of a ranking needs scores.
    """
    return [_judged(model, requirement) for requirement in required]


def _judged(model: rs.results.ModelEvaluation, requirement: Requirement) -> dict[str, Any]:
    values: dict[str, float] = {}
    undefined: dict[str, str] = {}
    for side in (side for left, _, right in requirement.comparisons for side in (left, right)):
        if isinstance(side, float) or side in values:
            continue
        try:
            expression = with_costs(side, model.cost_parameters)
            with contextlib.nullcontext(side) if _is_index(side) else _defined(expression) as name:
                values[side] = model.value(name)
                why = model.why(name)
        except RocksteadyError as error:
            said = str(error).replace(_SIDE, repr(side))
            raise RefusedError(f"--require {requirement.text!r}: {said}") from None
        if why is not None:
            undefined[side] = why
    met = not undefined and all(
        _ORDERS[order](values.get(left, left), values.get(right, right))  # type: ignore[arg-type]
        for left, order, right in requirement.comparisons
    )
    found: dict[str, Any] = {"requirement": requirement.text, "met": met, "values": values}
    return found | ({"why": " ".join(dict.fromkeys(undefined.values()))} if undefined else {})


def _is_index(text: str) -> bool:
    try:
        rs.index(text)
    except RocksteadyError:
        return False
    return True


def with_costs(expression: str, costs: Mapping[str, float | str] | None) -> str:
    """The expression, its indices of costs with the costs of `--cost` unless it names others.

    >>> with_costs("mean_cost <= 0.2 and cost(fp=1) < 9", {"fn": 5.0})
    'mean_cost(tp=0.0, fp=1.0, fn=5.0, tn=0.0) <= 0.2 and cost(fp=1) < 9'
    """
    if not costs:
        return expression
    names = "|".join(name for row in rs.indices() if _takes_costs(row) for name in (row.name, *row.aliases))
    bare = rf"\b({names})\b(?!\s*[(=])"
    if any(isinstance(cost, str) for cost in costs.values()):
        if found := re.search(bare, expression):
            raise RefusedError(
                f"{expression!r} has {found[1]}, and --cost names a column; expected cost, mean_cost or savings alone"
            )
        return expression
    given = ", ".join(f"{outcome}={cost!r}" for outcome, cost in (UNIT_COSTS | dict(costs)).items())
    return re.sub(bare, rf"\1({given})", expression)


def _takes_costs(row: rs.results.Index) -> bool:
    return any(parameter.name == "tp" for parameter in row.parameters)
