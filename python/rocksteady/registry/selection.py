"""Which indices are shown by default. This is the only place that decides it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

from rocksteady import _rocksteady
from rocksteady.base.arguments import listed, string, wrong_value
from rocksteady.registry.registry import index, indices

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocksteady.registry.registry import Index

#: What is judged: two classes, two of which one is rare, or more than two.
Task = Literal["two classes", "rare positives", "several classes"]

# Positives are rare below this share of the rows. Accuracy and specificity are then close to 1 for any model.
_RARE: Final = 0.05

#: The indices of a summary, in their order. The registry has many times as many.
SUMMARY: Final[dict[Task, tuple[str, ...]]] = {
    "two classes": (
        "roc_auc", "average_precision", "ks", "log_loss", "brier", "accuracy", "balanced_accuracy", "precision", "recall",
        "specificity", "f1", "mcc",
    ),
    "rare positives": (
        "roc_auc", "average_precision", "ks", "log_loss", "brier", "precision", "recall", "fpr", "lift", "f1", "mcc",
        "prevalence",
    ),
    "several classes": (
        "roc_auc", "average_precision", "log_loss", "top_label_calibration_error", "expected_calibration_error",
        "accuracy", "balanced_accuracy", "precision", "recall", "f1", "mcc", "kappa", "cen",
    ),
}  # fmt: skip
# What a summary shows too where costs are given.
_COSTS: Final = ("cost", "mean_cost")

Names = Literal["all", "summary"]
_NAMES: Final = "'all', 'summary' or a list of names"


def task_of(classes: int, positives: float, total: float) -> Task:
    """The task of an evaluation, which says what its summary shows.

    Parameters
    ----------
    classes : int
        The number of classes.
    positives, total : float
        The number, or weight, of the positive rows and of all rows; of two classes.

    >>> task_of(2, 20, 1000), task_of(2, 500, 1000), task_of(3, 0, 1000)
    ('rare positives', 'two classes', 'several classes')
    """
    if classes > 2:
        return "several classes"
    return "rare positives" if positives < _RARE * total else "two classes"


def shown(names: Names, task: Task = "two classes", *, costs: bool = False) -> list[Index]:
    """All rows, or those of a summary and then those of `define_index`.

    >>> [row.name for row in shown("summary")][:2], len(shown("all")) > 200
    (['roc_auc', 'average_precision'], True)
    """
    if names == "all":
        return list(indices())
    common = [*SUMMARY[task], *(_COSTS if costs else ())]
    return [*map(index, common), *(row for row in indices() if row.family == "defined")]


def chosen(
    names: Names | Sequence[str] | None,
    family: str | None = None,
    *,
    form: Sequence[str],
    default: Names = "all",
    task: Task = "two classes",
    costs: bool = False,
) -> tuple[list[str], list[tuple[str, ...]]]:
    """Names of indices, and the forms of each.

    Parameters
    ----------
    names : {"all", "summary"}, sequence of str or None
        "all": all indices. "summary": about twelve that suit the task, and those of `define_index`. A sequence: the
        indices named. None: `default`, or all indices of `family` if that is given.
    family : str, optional
        Only rows of that family.
    form : sequence of str
        Only rows with one of these forms. Indices in a sequence of names always stay, so that the caller can refuse
        them with a reason.
    task : Task
        What a summary is of.
    costs : bool
        Whether a summary has the costs, too.

    Raises
    ------
    rocksteady.UnknownIndexError
        If no index has one of the names.
    rocksteady.InputError
        If there is no such family, or `names` is another string.

    >>> chosen(["ppv", "tpr"], form=["counts"])[0], chosen(None, "ranking", form=["scores"])[0][0]
    (['precision', 'recall'], 'roc_auc')
    """
    wanted = ("all" if family is not None else default) if names is None else names
    if not isinstance(wanted, str):
        rows = [index(name) for name in listed(wanted, "names", _NAMES)]
    elif wanted in ("all", "summary"):
        # Cached: a search of the whole registry for each matrix would be slow.
        kind: Names = "all" if wanted == "all" else "summary"
        rows = _with_form(kind, task, costs, tuple(form), _rocksteady.index_version())
    else:
        raise wrong_value(wanted, "names", _NAMES)
    if family is not None:
        families = sorted({row.family for row in indices()})
        if string(family, "family", "the name of a family") not in families:
            raise wrong_value(family, "family", f"one of {', '.join(families)}")
        rows = [row for row in rows if row.family == family]
    return [row.name for row in rows], [row.forms for row in rows]


@lru_cache(maxsize=64)
def _with_form(names: Names, task: Task, costs: bool, form: tuple[str, ...], _version: int) -> list[Index]:
    """Rows that have one of these forms, all or those of a summary; a new version of the registry searches again."""
    return [row for row in shown(names, task, costs=costs) if not set(form).isdisjoint(row.forms)]
