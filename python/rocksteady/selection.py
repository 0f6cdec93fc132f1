"""Which indices are shown by default. This is the only place that decides it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

from rocksteady import _rocksteady
from rocksteady.base.arguments import listed, string, wrong_value
from rocksteady.registry import index, indices

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocksteady.registry import Index

# The command line and `to_dict` show these by default. The registry has several times as many.
SUMMARY: Final[tuple[str, ...]] = (
    "accuracy", "error_rate", "balanced_accuracy", "adjusted_balanced_accuracy", "precision", "recall", "specificity", "fpr",
    "fnr", "npv", "fdr", "false_omission_rate", "prevalence", "rpp", "lift", "informedness", "markedness",
    "positive_likelihood_ratio", "negative_likelihood_ratio", "diagnostic_odds_ratio", "fbeta", "f1", "jaccard",
    "fowlkes_mallows", "geometric_mean", "kappa", "weighted_kappa", "mcc", "cen", "mcen", "mutual_information", "rci", "cost",
    "mean_cost", "roc_auc", "gini", "ks", "average_precision", "log_loss", "brier",
)  # fmt: skip

_SUMMARY = frozenset(SUMMARY)

Names = Literal["all", "summary"]
_NAMES: Final = "'all', 'summary' or a list of names"


def shown(names: Names) -> list[Index]:
    """All rows, or the common ones and those of `define_index`.

    >>> len(shown("summary")) < len(shown("all"))
    True
    """
    return [row for row in indices() if names == "all" or row.name in _SUMMARY or row.family == "defined"]


def chosen(
    names: Names | Sequence[str] | None, family: str | None = None, *, form: Sequence[str], default: Names = "all"
) -> tuple[list[str], list[tuple[str, ...]]]:
    """Names of indices, and the forms of each.

    Parameters
    ----------
    names : {"all", "summary"}, sequence of str or None
        "all": all indices. "summary": the common ones and those of `define_index`. A sequence: the indices named. None:
        `default`, or all indices of `family` if that is given.
    family : str, optional
        Only rows of that family.
    form : sequence of str
        Only rows with one of these forms. Indices in a sequence of names always stay, so that the caller can refuse
        them with a reason.

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
        rows = _with_form("all" if wanted == "all" else "summary", tuple(form), _rocksteady.index_version())
    else:
        raise wrong_value(wanted, "names", _NAMES)
    if family is not None:
        families = sorted({row.family for row in indices()})
        if string(family, "family", "the name of a family") not in families:
            raise wrong_value(family, "family", f"one of {', '.join(families)}")
        rows = [row for row in rows if row.family == family]
    return [row.name for row in rows], [row.forms for row in rows]


@lru_cache(maxsize=16)
def _with_form(names: Names, form: tuple[str, ...], _version: int) -> list[Index]:
    """Rows that have one of these forms, all or the common ones; a new version of the registry searches again."""
    return [row for row in shown(names) if not set(form).isdisjoint(row.forms)]
