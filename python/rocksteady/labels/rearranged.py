"""A confusion matrix with its classes exchanged, renamed, merged, left out or in another order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.base.arguments import labels_of, listed, mapping, numbers, shown, whole, wrong_type, wrong_value
from rocksteady.base.named_columns import weights_by_class
from rocksteady.base.prevalence import already_weighed, share, weights_at
from rocksteady.base.taxonomy import paths_of
from rocksteady.errors import InputError
from rocksteady.labels.frames import Frames

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Self

    from numpy.typing import ArrayLike

    from rocksteady import _rocksteady
    from rocksteady.labels.merges import Merges


class Rearranged(Frames):
    """The methods of a `rocksteady.ConfusionMatrix` that give another one of the same rows, or of some of them."""

    __slots__ = ()

    if TYPE_CHECKING:

        @classmethod
        def _of(cls, state: _rocksteady.ConfusionState, pos_label: object = None) -> Self: ...

    def transpose(self) -> Self:
        """The matrix with true and predicted classes exchanged.

        >>> import rocksteady as rs
        >>> cm = rs.ConfusionMatrix.from_counts([[91, 16], [14, 79]])
        >>> cm.transpose()["precision"] == cm["recall"]
        True
        """
        return self._of(self._state.transposed(), self.pos_label)

    @property
    def T(self) -> Self:  # noqa: N802 - as numpy calls it
        """The same as `transpose()`."""
        return self.transpose()

    def relabel(self, labels: Mapping[Any, Any] | Callable[[Any], Any] | ArrayLike) -> Self:
        """The matrix with other names for its classes; nothing else changes, their order neither.

        Parameters
        ----------
        labels : mapping, callable or array-like of K labels
            Old label to new, where those left out keep theirs; a function that gives the new for the old; or all new
            labels in the order of `labels`.

        Raises
        ------
        rocksteady.InputError
            If two classes would have one label (`collapse` merges classes), the mapping names a class that there is
            not, or there are not K labels.
        rocksteady.InputTypeError
            If the new labels are not all numbers or all strings.

        >>> import rocksteady as rs
        >>> cm = rs.ConfusionMatrix([0, 1, 1], [0, 1, 0])
        >>> cm.relabel({0: "ham", 1: "spam"})
        ConfusionMatrix of 2 classes, 3 rows, positive class 'spam' (rows true, columns predicted)
              ham  spam
        ham     1     0
        spam    1     1
        >>> cm.relabel(lambda label: label + 10).pos_label
        11
        """
        old = list(self.labels)
        if isinstance(labels, Mapping):
            self._check_known(list(labels), "labels")
            new = [labels.get(label, label) for label in old]
        elif callable(labels):
            new = [labels(label) for label in old]
        else:
            new = labels_of(labels, "labels")
        if len(new) == len(old):
            first: dict[Any, Any] = {}
            for was, now in zip(old, new, strict=True):
                if not np.isscalar(now):
                    raise wrong_type(now, f"labels[{shown(was)}]", "a label: a number or a string")
                if now in first:
                    both = f"the classes {shown(first[now])} and {shown(was)} would both be {shown(now)}"
                    expected = "different labels (collapse({...}) merges classes)"
                    raise InputError(f"{both}; expected {expected}", argument="labels", expected=expected)
                first[now] = was
        positive = None if self._positive is None or len(new) != len(old) else new[self._positive]
        return self._of(self._state.relabelled(new), positive)

    def collapse(
        self,
        groups: Mapping[Any, Sequence[Any]] | None = None,
        *,
        taxonomy: Mapping[Any, Any] | None = None,
        depth: int | None = None,
        pos_label: object = None,
    ) -> Self:
        """The matrix with classes put together: to the bit that of the rows with their labels replaced.

        Parameters
        ----------
        groups : mapping of label to list of labels
            New class to the classes that it takes in. Classes in no list stay as they are; a new class stands where the
            first of its own stood.
        taxonomy : mapping of label to path
            Instead of `groups`: the path of each class from the top of a tree, as ``"animal/mammal/dog"`` or as a tuple of
            its nodes. Classes whose paths are the same down to `depth` become one, named by that part of the path with
            slashes.
        depth : int
            With `taxonomy`: how many nodes of a path count, from 1. A shorter path counts whole.
        pos_label : label, optional
            As in the constructor. Default: the class that holds the positive one, if there was one.

        Raises
        ------
        rocksteady.InputError
            If a class is in two lists, there is no such class, or a new one has the label of a class that stays; if a class
            has no path, or neither `groups` nor `taxonomy` is given.
        rocksteady.InputTypeError
            If numbers and strings would stand beside each other.

        >>> import rocksteady as rs
        >>> cm = rs.ConfusionMatrix(["cat", "dog", "eel", "cod"], ["dog", "dog", "eel", "eel"])
        >>> cm.collapse({"pet": ["cat", "dog"], "fish": ["cod", "eel"]})
        ConfusionMatrix of 2 classes, 4 rows, positive class 'fish' (rows true, columns predicted)
              pet  fish
        pet     2     0
        fish    0     2
        >>> tree = {"cat": "mammal/cat", "dog": "mammal/dog", "eel": "fish/eel", "cod": "fish/cod"}
        >>> [cm.collapse(taxonomy=tree, depth=depth)["accuracy"] for depth in (1, 2)]   # accuracy at each level
        [1.0, 0.5]
        """
        if taxonomy is not None or depth is not None:
            if groups is not None or taxonomy is None:
                raise wrong_value(groups, "groups", "either groups, or a taxonomy with its depth")
            groups = self._branches(taxonomy, whole(depth, "depth", "a whole number of nodes, 1 or more", least=1))
        into: dict[Any, Any] = {}
        if groups is None:
            raise wrong_type(groups, "groups", "a mapping of new label to list of labels")
        for new, members in mapping(groups, "groups", "a mapping of new label to list of labels").items():
            classes_of = listed(members, f"groups[{shown(new)}]", "a list of labels")
            self._check_known(classes_of, "groups")
            for label in classes_of:
                if label in into:
                    raise InputError(
                        f"class {shown(label)} stands under {shown(into[label])} and {shown(new)}; expected once",
                        argument="groups",
                    )
                into[label] = new
        old = list(self.labels)
        places: dict[Any, int] = {}
        for label in old:
            if label not in into and label in groups:
                raise InputError(
                    f"the class {shown(label)} stays, so no other can have its label; list it under it",
                    argument="groups",
                )
            places.setdefault(into.get(label, label), len(places))
        classes = np.array([places[into.get(label, label)] for label in old], dtype=np.int64)
        if pos_label is None and self._positive is not None and len(places) == 2:
            pos_label = list(places)[classes[self._positive]]
        return self._of(self._state.mapped(list(places), classes), pos_label)

    def _branches(self, taxonomy: Mapping[Any, Any], depth: int) -> dict[Any, list[Any]]:
        """The classes of each branch at a depth of the tree."""
        branches: dict[Any, list[Any]] = {}
        for label, path in zip(self.labels, paths_of(taxonomy, self.labels), strict=True):
            branches.setdefault("/".join(map(str, path[:depth])), []).append(label)
        return branches

    def merges(self, index: str = "kappa") -> Merges:
        """Which two classes to merge, and then which: the path from all classes to one that keeps an index best.

        Parameters
        ----------
        index : str
            An index of a whole matrix. Each step merges the pair after which it is best, of equal pairs the first. "kappa"
            rises where two classes are confused more than chance makes them; "mutual_information" loses the least
            information; "accuracy" always rises. These, "error_rate" and "mcc" take 500 classes, any other takes 40. Its
            parameters have their defaults.

        Returns
        -------
        rocksteady.results.Merges
            The index, the accuracy and the mutual information after each merge; `pairs`, a table of every pair; `stops_at`, where
            confusion is no more than chance; and `members`, which `collapse` takes.

        Raises
        ------
        rocksteady.InputError
            For one class or too many, weights, and no rows.
        rocksteady.UnknownIndexError
            If there is no such index of a whole matrix.

        Notes
        -----
        The test takes the number of wrong rows as given. By chance a wrong row falls on a pair of classes in proportion to
        t[i] p[j] + t[j] p[i], with t the actual and p the predicted rows of each class. So the confused rows of a pair are
        binomial, and the p-value is the exact upper tail. Kappa rises by a merge exactly where a pair has more confused rows
        than this expects. Where wrong rows prefer some classes whatever their sizes, merges of these are found, too. A path is
        greedy: another one of as many merges may be better.

        >>> import rocksteady as rs
        >>> cells = [[215, 0, 0, 3], [3, 112, 88, 9], [9, 77, 118, 13], [1, 0, 3, 195]]
        >>> cm = rs.ConfusionMatrix.from_counts(cells, labels=["bus", "opel", "saab", "van"])
        >>> found = cm.merges()
        >>> found.value.round(3), found.stops_at()
        (array([0.675, 0.923, 0.951,   nan]), 2)
        >>> cm.collapse(found.members(3))
        ConfusionMatrix of 3 classes, 846 rows (rows true, columns predicted)
                     bus  opel + saab  van
        bus          215            0    3
        opel + saab   12          395   22
        van            1            3  195
        """
        from rocksteady.labels.merges import merges  # noqa: PLC0415 (few programs need it)

        return merges(self, index)  # type: ignore[arg-type]  # the only class of which this is a part

    def one_vs_rest(self, label: object) -> Self:
        """One class against all others: a matrix of two classes, that one the positive.

        Parameters
        ----------
        label : label
            The class. The new classes are ``"rest"`` (``"not rest"`` beside a class of that name) and the label as
            text, so that they say which class it was whatever the labels are; `relabel` gives them other names.

        Raises
        ------
        rocksteady.InputError
            If there is no such class.

        >>> import rocksteady as rs
        >>> cm = rs.ConfusionMatrix.from_counts([[3, 0, 0], [0, 1, 2], [2, 1, 3]])
        >>> cm.one_vs_rest(2)
        ConfusionMatrix of 2 classes, 12 rows, positive class '2' (rows true, columns predicted)
              rest  2
        rest     4  2
        2        3  3
        >>> cm.one_vs_rest(2)["recall"], float(cm.every("recall")[2])
        (0.5, 0.5)
        """
        self._check_known([label], "label")
        is_class = [known == label for known in self.labels]
        shown = str(self.labels[is_class.index(True)])
        rest = "not rest" if shown == "rest" else "rest"
        return self._of(self._state.mapped([rest, shown], np.array(is_class, dtype=np.int64)), shown)

    def reorder(self, labels: ArrayLike) -> Self:
        """The matrix with its classes in another order.

        Parameters
        ----------
        labels : array-like of K labels
            All classes, in the order wanted.

        Raises
        ------
        rocksteady.InputError
            If these are not the classes of the matrix, each once; `select` takes some of them.

        >>> import rocksteady as rs
        >>> cm = rs.ConfusionMatrix(["low", "mid", "high"], ["low", "high", "high"])
        >>> cm.reorder(["low", "mid", "high"]).to_array().tolist()
        [[1, 0, 0], [0, 0, 1], [0, 0, 1]]
        """
        wanted = labels_of(labels, "labels")
        if len(wanted) != len(self.labels):
            raise InputError(
                f"labels are {len(wanted)}; expected all {len(self.labels)} classes (select takes some)",
                argument="labels",
            )
        return self._selected(wanted)

    def select(self, labels: ArrayLike) -> Self:
        """The matrix of some classes, in the order given. Rows with another actual or predicted class are left out.

        That is what counting with ``labels=`` gives. Of a weighted matrix it is then not known how many rows are left:
        `rows` is 0.

        Raises
        ------
        rocksteady.InputError
            If there is no such class, or it is named twice.

        >>> import rocksteady as rs
        >>> cm = rs.ConfusionMatrix.from_counts([[3, 0, 0], [0, 1, 2], [2, 1, 3]])
        >>> cm.select([2, 0]).to_array().tolist()
        [[3, 2], [0, 3]]
        """
        return self._selected(labels_of(labels, "labels"))

    def at_prevalence(self, prevalence: float | ArrayLike | Mapping[Any, float]) -> Self:
        """The matrix as if the true classes had other shares of the rows: each row gets a weight that its class alone decides.

        For samples that do not have the shares of the population: classes that were drawn in equal numbers, cases and
        controls. Every index is then that of the population, if each class was sampled from its own at random. Recall and
        what else belongs to one true class stays as it is.

        Parameters
        ----------
        prevalence : float, array-like of shape (K,) or mapping
            Of two classes the share of the positive one: above 0 and below 1. Of more the share of each class, in their
            order or by their labels; they add up to 1.

        Returns
        -------
        ConfusionMatrix
            With ``weight_kind="sampling"``; the sum of the weights is the number of rows.

        Raises
        ------
        rocksteady.InputError
            If a share is not between 0 and 1, or they do not add up to 1; if a class has no rows, or the rows have weights
            already.

        Notes
        -----
        ``interval(..., strata="label")`` takes into account that the shares are given, not estimated.

        >>> import rocksteady as rs
        >>> cm = rs.ConfusionMatrix.from_counts([[91, 16], [14, 79]])
        >>> rare = cm.at_prevalence(0.01)
        >>> round(rare["precision"], 6), round(rare["recall"], 6), round(cm["recall"], 6)
        (0.054268, 0.849462, 0.849462)
        >>> round(cm.value("precision_at_prevalence", prevalence=0.01), 6)
        0.054268
        >>> pets = rs.ConfusionMatrix.from_counts([[8, 2], [1, 9]], labels=["cat", "dog"])
        >>> pets.at_prevalence({"dog": 0.25, "cat": 0.75})["accuracy"]
        0.825
        """
        weights = weights_at(self._shares(prevalence), self._state.actual().tolist(), self.labels)
        state = self._state.weighed(weights)
        if state is None:
            raise already_weighed()
        return self._of(state, self.pos_label)

    def _shares(self, given: float | ArrayLike | Mapping[Any, float]) -> list[float]:
        """The share of each class."""
        if not isinstance(given, Mapping) and np.ndim(given) == 0:
            if self.pos_label is None:
                raise wrong_value(given, "prevalence", f"a share of each of the {len(self.labels)} classes")
            positive = share(given[()] if isinstance(given, np.ndarray) else given, "prevalence")
            return [positive if label == self.pos_label else 1 - positive for label in self.labels]
        found = numbers(weights_by_class(given, self._labels, "prevalence"), "prevalence")
        if found.shape != (len(self.labels),):
            raise wrong_value(given, "prevalence", f"a share of each of the {len(self.labels)} classes")
        each = zip(self.labels, found.tolist(), self._state.actual().tolist(), strict=True)
        # A class that is only predicted has no share.
        shares = [
            share(one, f"prevalence of class {shown(label)}") if rows else float(one) for label, one, rows in each
        ]
        if abs(sum(shares) - 1) > 1e-6:
            raise wrong_value(given, "prevalence", f"shares that add up to 1, not {sum(shares)}")
        return shares

    def _selected(self, wanted: list[Any]) -> Self:
        self._check_known(wanted, "labels")
        places = {label: place for place, label in enumerate(wanted)}
        classes = np.array([places.get(label, -1) for label in self.labels], dtype=np.int64)
        own = {label: label for label in self.labels}  # 1 finds True, its equal
        labels = [own[label] for label in wanted]
        positive = self.pos_label if len(places) == 2 and self.pos_label in places else None
        return self._of(self._state.mapped(labels, classes), positive)

    def _check_known(self, labels: Iterable[Any], argument: str) -> None:
        known = set(self.labels)
        for label in labels:
            if not np.isscalar(label) or label not in known:
                some = ", ".join(repr(one) for one in self.labels[:5])
                rest = ", …" if len(known) > 5 else ""
                raise InputError(
                    f"{argument}: there is no class {shown(label)}; the classes: {some}{rest}",
                    argument=argument,
                    value=shown(label),
                )
