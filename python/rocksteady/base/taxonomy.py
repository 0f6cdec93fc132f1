"""Classes in a tree: the path of each, and how many nodes two paths share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rocksteady.base.arguments import label_of, listed, shown, wrong_type, wrong_value
from rocksteady.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: The same limit as `ConfusionMatrix.to_array`: 800 MB.
_MOST_CLASSES: Final = 10_000
_PATH: Final = "a path: nodes in a tuple, or text with slashes, such as 'animal/mammal/dog'"


def paths_of(taxonomy: Any, labels: Any) -> list[tuple[Any, ...]]:
    """The path of each class, from the top of the tree. Paths of other classes play no part.

    >>> paths_of({"dog": "animal/dog", "oak": ("plant", "oak")}, ["dog"])
    [('animal', 'dog')]
    """
    if not isinstance(taxonomy, Mapping):
        raise wrong_type(taxonomy, "taxonomy", "a mapping from labels to paths")
    if labels is None:
        raise wrong_value(taxonomy, "taxonomy", "a ConfusionMatrix, as nothing else here names the classes")
    paths = []
    for label in listed(labels, "labels", "a list of labels"):
        if label not in taxonomy:
            raise InputError(
                f"taxonomy has no path of the class {shown(label)}; expected one of each class",
                argument="taxonomy",
                value=shown(label),
            )
        paths.append(_path(taxonomy[label], f"taxonomy[{shown(label)}]"))
    return paths


def _path(given: Any, argument: str) -> tuple[Any, ...]:
    if isinstance(given, str):
        path = tuple(given.split("/"))
    else:
        path = tuple(
            label_of(node, f"{argument}[{place}]") for place, node in enumerate(listed(given, argument, _PATH))
        )
    if not path or "" in path:
        raise wrong_value(given, argument, f"{_PATH}, without an empty node")
    return path


def shared_nodes(taxonomy: Any, labels: Any) -> NDArray[np.float64]:
    """How many nodes the paths of two classes share from the top on, shape (K, K); on the diagonal their lengths.

    >>> shared_nodes({"dog": "animal/dog", "cat": "animal/cat", "oak": "plant/tree/oak"}, ["cat", "dog", "oak"]).tolist()
    [[2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 3.0]]
    """
    paths = paths_of(taxonomy, labels)
    if len(paths) > _MOST_CLASSES:
        raise wrong_value(len(paths), "the number of classes", f"at most {_MOST_CLASSES} with a taxonomy")
    first: dict[tuple[Any, ...], Any] = {}
    for label, path in zip(labels, paths, strict=True):
        if path in first:
            both = f"the classes {shown(first[path])} and {shown(label)} have the same path"
            raise InputError(
                f"taxonomy: {both}; expected different ones (collapse merges classes)", argument="taxonomy"
            )
        first[path] = label
    shared = np.zeros((len(paths), len(paths)))
    for depth in range(1, max(map(len, paths), default=0) + 1):
        numbers: dict[tuple[Any, ...], int] = {}
        nodes = [numbers.setdefault(path[:depth], len(numbers)) if len(path) >= depth else -1 for path in paths]
        node = np.array(nodes)
        shared += (node[:, None] == node) & (node >= 0)
    return shared
