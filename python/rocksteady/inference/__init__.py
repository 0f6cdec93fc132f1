"""How sure a value is: intervals of confidence, models compared on the same rows, the bootstrap, and which rows matter most.

Uses `base`. The statistics above call it: `cm.interval("f1")`.

| module | owns |
|---|---|
| `interval` | an index with its interval, words for values |
| `difference` | the difference of two models, with its interval, its test and a verdict |
| `paired_areas` | areas under the ROC curve of several models |
| `paired_labels` | predicted classes of several models: tables of pairs, McNemar's test, differences of any index |
| `two_proportions` | the difference and the ratio of two proportions, and the difference of values of different rows |
| `influence` | how much one row more changes an index of scores |
| `resampling` | the bootstrap: indices of resampled rows, intervals from them, bands around curves |
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # for type checkers and editors; a program takes these names from `_LATER`
    from rocksteady.inference.difference import Difference as Difference
    from rocksteady.inference.difference import NonInferiority as NonInferiority
    from rocksteady.inference.influence import Influence as Influence
    from rocksteady.inference.paired_areas import ComparedScores as ComparedScores
    from rocksteady.inference.paired_areas import compare_scores as compare_scores
    from rocksteady.inference.paired_labels import CochranQ as CochranQ
    from rocksteady.inference.paired_labels import ComparedLabels as ComparedLabels
    from rocksteady.inference.paired_labels import McNemar as McNemar
    from rocksteady.inference.paired_labels import PairTable as PairTable
    from rocksteady.inference.paired_labels import compare_labels as compare_labels
    from rocksteady.inference.resampling import Band as Band
    from rocksteady.inference.resampling import Bootstrap as Bootstrap
    from rocksteady.inference.resampling import bootstrap as bootstrap
    from rocksteady.inference.two_proportions import independent_difference as independent_difference
    from rocksteady.inference.two_proportions import paired_proportion_difference as paired_proportion_difference
    from rocksteady.inference.two_proportions import proportion_difference as proportion_difference
    from rocksteady.inference.two_proportions import proportion_ratio as proportion_ratio

# What a program asks for is imported when it does.
_LATER = {
    "Band": "resampling",
    "Bootstrap": "resampling",
    "bootstrap": "resampling",
    "CochranQ": "paired_labels",
    "ComparedLabels": "paired_labels",
    "McNemar": "paired_labels",
    "PairTable": "paired_labels",
    "compare_labels": "paired_labels",
    "ComparedScores": "paired_areas",
    "Difference": "difference",
    "Influence": "influence",
    "NonInferiority": "difference",
    "compare_scores": "paired_areas",
    "independent_difference": "two_proportions",
    "paired_proportion_difference": "two_proportions",
    "proportion_difference": "two_proportions",
    "proportion_ratio": "two_proportions",
}

if not TYPE_CHECKING:  # a type checker goes by the imports above
    __all__ = sorted(_LATER)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    """A name of those that are imported later; from then on it is an attribute like any other."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
    found = getattr(import_module(f"rocksteady.inference.{_LATER[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(_LATER)
