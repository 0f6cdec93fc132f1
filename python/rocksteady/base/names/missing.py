"""What to say to a name that a namespace does not have."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Final

from rocksteady.base.hints import near

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rocksteady.registry.registry import Index

# The other names of sklearn.metrics 1.9: regression, clustering without labels, distances.
_SKLEARN: Final = """
    DistanceMetric PredictionErrorDisplay adjusted_mutual_info_score adjusted_rand_score calinski_harabasz_score
    cluster completeness_score consensus_score d2_absolute_error_score d2_pinball_score d2_tweedie_score
    davies_bouldin_score euclidean_distances explained_variance_score fowlkes_mallows_score
    homogeneity_completeness_v_measure homogeneity_score max_error mean_absolute_error
    mean_absolute_percentage_error mean_gamma_deviance mean_pinball_loss mean_poisson_deviance mean_squared_error
    mean_squared_log_error mean_tweedie_deviance median_absolute_error mutual_info_score nan_euclidean_distances
    normalized_mutual_info_score pair_confusion_matrix pairwise pairwise_distances pairwise_distances_argmin
    pairwise_distances_argmin_min pairwise_distances_chunked pairwise_kernels r2_score rand_score
    root_mean_squared_error root_mean_squared_log_error silhouette_samples silhouette_score v_measure_score
"""


def missing(name: str, names: Sequence[str], module: str) -> AttributeError | ImportError:
    """The error for a name that is not there: what to call instead, or the names that come near.

    It is an `ImportError` for ``from rocksteady.metrics import name``, as Python would replace the message of an
    `AttributeError`, and an `AttributeError` otherwise.

    >>> missing("roc_auc_scor", ["roc_auc_score"], "rocksteady.metrics").args[0]
    "rocksteady.metrics has no 'roc_auc_scor'; did you mean 'roc_auc_score'?"
    """
    message = f"{module} has no {name!r}{_instead(name, names, module)}"
    if _is_import():
        return ImportError(message, name=module)
    return AttributeError(message, name=name)


def _instead(name: str, names: Sequence[str], module: str) -> str:
    for namespace in _namespaces():
        if name in namespace.__all__:
            return f"; it is {namespace.__name__}.{name}"
    row = _row(name)
    example = "" if row is None else "; ".join(row.example().splitlines()[:2])
    if name in _SKLEARN.split():
        of_labels = f", or read it from a matrix: {example}" if example else ""
        return (
            f": rocksteady scores classification and ranking only. Import it from sklearn.metrics{of_labels}. After "
            "rocksteady.patch_sklearn() sklearn.metrics has all of its names, and the faster functions where there "
            "are some"
        )
    alike = near(name, names)
    if alike:
        return alike
    if row is not None:
        return f", but there is an index: rocksteady.index({row.name!r}), as in {example}"
    return f"; dir({module}) lists its names"


def _namespaces() -> Iterator[ModuleType]:
    package = sys.modules["rocksteady"]
    yield package
    for name in package.__all__:
        if isinstance(namespace := getattr(package, name), ModuleType):
            yield namespace


def _row(name: str) -> Index | None:
    package = sys.modules["rocksteady"]
    try:
        found: Index = package.index(name)
    except package.UnknownIndexError:
        return None
    return found


def _is_import() -> bool:
    """Whether the module's `__getattr__`, which called `missing`, was called by a statement ``from … import``."""
    from opcode import opname  # noqa: PLC0415 (few programs need it)

    try:
        frame = sys._getframe(3)
    except (AttributeError, ValueError):  # another Python, or no caller
        return False
    return opname[frame.f_code.co_code[frame.f_lasti]] == "IMPORT_FROM"
