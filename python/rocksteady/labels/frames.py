"""A confusion matrix in other forms: labels and cells, dictionaries, frames, tables and text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import whole
from rocksteady.base.statistic import Weighed
from rocksteady.base.table import Table, class_named, number, one_line
from rocksteady.base.ways_out import WaysOut, beside, library
from rocksteady.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from rocksteady.labels.nonzero_cells import Cells, ConfusedPairs
    from rocksteady.registry.selection import Names

# A matrix with more classes than this prints as its size, not as its cells.
_SHOWN_CLASSES = 12


class Frames(WaysOut, Weighed):
    """What a `rocksteady.ConfusionMatrix` is read as."""

    __slots__ = ()

    _state: _rocksteady.ConfusionState
    _positive: int | None

    @property
    def labels(self) -> tuple[Any, ...]:
        """The classes, in the order of rows and columns: Python's own numbers and strings."""
        return tuple(self._labels.tolist())

    @property
    def _labels(self) -> NDArray[Any]:
        return self._state.labels()

    @property
    def pos_label(self) -> object:
        """The positive class of a matrix with two classes; None with any other number."""
        return None if self._positive is None else self.labels[self._positive]

    @property
    def rows(self) -> int:
        """The number of rows counted; of a matrix made from counts, the sum of its cells; from weights, 0."""
        return self._state.rows

    @property
    def total(self) -> float:
        """The sum of the cells: the rows counted, or their weight."""
        return self._state.total

    @property
    def weighted(self) -> bool:
        """Whether the cells are sums of weights."""
        return self._state.weighted

    def to_array(self) -> NDArray[Any]:
        """The dense matrix, shape (K, K): uint64 counts, or float64 sums of weights."""
        return self._state.to_array()

    def nonzero_cells(self) -> Cells:
        """The cells that are not zero, one per entry: how a matrix of many classes is best read and printed.

        >>> import rocksteady as rs
        >>> cells = rs.ConfusionMatrix([7, 7, 9], [7, 9, 9]).nonzero_cells()
        >>> cells.actual.tolist(), cells.predicted.tolist(), cells.count.tolist()
        ([7, 7, 9], [7, 9, 9], [1, 1, 1])
        """
        from rocksteady.labels.nonzero_cells import Cells  # noqa: PLC0415 (not every program needs it)

        actual, predicted, count = self._state.cells()
        labels = self._labels
        return Cells(labels[actual], labels[predicted], count, (actual, predicted))

    def most_confused(self, most: int | None = 10) -> ConfusedPairs:
        """The pairs of an actual and a predicted class with the most rows beside the diagonal.

        Parameters
        ----------
        most : int, optional
            At most this many pairs. None gives all whose cell is not zero.

        Returns
        -------
        rocksteady.results.ConfusedPairs
            With the count of each pair, and its share of the rows of the actual class. Pairs of one count are in the order
            of the labels.

        Raises
        ------
        rocksteady.InputError
            If `most` is less than 1.

        >>> import rocksteady as rs
        >>> cm = rs.ConfusionMatrix.from_counts([[5, 0, 3], [1, 6, 1], [0, 0, 4]], labels=["cat", "dog", "eel"])
        >>> cm.most_confused(2)
        ConfusedPairs of 2 entries, 4 columns
           actual  predicted  count  share
        0  cat     eel            3  0.375
        1  dog     cat            1  0.125
        """
        from rocksteady.labels.nonzero_cells import ConfusedPairs, confused  # noqa: PLC0415 (as above)

        expected = "a number of pairs, 1 or more, or None"
        count = None if most is None else whole(most, "most", expected, least=1)
        actual, predicted, found, _ = confused(self._state, count)
        share = found / self._state.actual()[actual]
        return ConfusedPairs(self._labels[actual], self._labels[predicted], found, share)

    def pair_counts(self) -> NDArray[np.uint64]:
        """How many pairs of rows are together or apart in both columns, shape (2, 2): two clusterings compared.

        Two rows are together where they have the same label. Rows of the result are apart and together by the true labels,
        columns by the predicted ones. The Rand index, "rand_index", is the share of the diagonal, and "adjusted_rand_index"
        its kappa. scikit-learn's ``pair_confusion_matrix`` counts each pair twice.

        Raises
        ------
        rocksteady.InputError
            If the rows have weights, or the pairs are more than 2**64 - 1.

        >>> import rocksteady as rs
        >>> cm = rs.ConfusionMatrix([0, 0, 1, 1, 1], [2, 2, 2, 5, 5])
        >>> cm.pair_counts().tolist(), cm["rand_index"]
        ([[4, 2], [2, 2]], 0.6)
        """
        if self.weighted:
            raise InputError(
                "the rows have weights; expected a matrix of counts, as pairs are of rows", argument="self"
            )
        actual, predicted, cells = self._state.cells()
        sums = [cells]
        for places in (actual, predicted):
            of_class = np.zeros(len(self._labels), dtype=np.uint64)
            np.add.at(of_class, places, cells)
            sums.append(of_class)
        # Python's integers, as squares may be beyond 64 bits.
        both, by_truth, by_prediction = (sum(n * (n - 1) // 2 for n in found.tolist()) for found in sums)
        rows = sum(cells.tolist())
        pairs = rows * (rows - 1) // 2
        if pairs >= 2**64:
            raise InputError(f"there are {pairs} pairs of rows; expected fewer than 2**64", argument="self")
        apart = pairs - by_truth - by_prediction + both
        return np.array([[apart, by_prediction - both], [by_truth - both, both]], dtype=np.uint64)

    def to_dict(self, names: Names | Sequence[str] | None = None) -> dict[str, Any]:
        """Labels, rows, cells and the values of the commoner indices, as plain Python values.

        Parameters
        ----------
        names : {"all", "summary"} or sequence of str, optional
            Which indices. Default: "summary", those of them that the matrix has.
        """
        from rocksteady.registry.selection import chosen, task_of  # noqa: PLC0415 (not every program needs it)

        two = self._positive is not None
        positives = float(self._state.actual()[self._positive]) if self._positive is not None else 0.0
        task = task_of(len(self.labels), positives, self._state.total)
        shown = chosen(names, default="summary", form=("counts", "matrix") if two else ("matrix",), task=task)[0]
        values, _ = self._state.values(shown, self._positive)
        return {
            "labels": list(self.labels),
            "pos_label": self.pos_label,
            "rows": self.rows,
            "confusion_matrix": [row.tolist() for row in self.to_array()],
            **dict(zip(shown, values.tolist(), strict=True)),
        }

    def to_nested(self) -> dict[Any, dict[Any, Any]]:
        """The cells as PyCM takes them: for each true label a dictionary of predicted label to amount.

        `from_counts` reads it back.

        >>> import rocksteady as rs
        >>> rs.ConfusionMatrix(["cat", "dog", "dog"], ["cat", "dog", "cat"]).to_nested()
        {'cat': {'cat': 1, 'dog': 0}, 'dog': {'cat': 1, 'dog': 1}}
        """
        labels = list(self.labels)
        rows = self.to_array().tolist()
        return {label: dict(zip(labels, row, strict=True)) for label, row in zip(labels, rows, strict=True)}

    def to_pandas(self) -> Any:
        """The matrix as a ``pandas.DataFrame``, with the true labels as its index; see `nonzero_cells` for very many classes.

        Raises
        ------
        ImportError
            If pandas is not installed.
        rocksteady.InputError
            If there are more than 10,000 classes.

        >>> import rocksteady as rs
        >>> rs.ConfusionMatrix(["cat", "dog", "dog"], ["cat", "dog", "cat"]).to_pandas()
        predicted  cat  dog
        actual
        cat          1    0
        dog          1    1
        """
        pandas = library("pandas", "pandas")
        square, labels = self.to_array(), self.labels  # refused before any work where there are too many classes
        index, columns = pandas.Index(labels, name="actual"), pandas.Index(labels, name="predicted")
        return pandas.DataFrame(square, index=index, columns=columns)

    def _columns(self) -> dict[str, NDArray[Any]]:
        square = self.to_array()
        columns = dict(zip(map(str, self.labels), square.T, strict=True))
        return beside({"actual": self._labels}, columns)

    def summary(self, names: Names | Sequence[str] | None = None, *, family: str | None = None) -> Table:
        """Indices and their values; with more than two classes, the overall value and the macro and weighted averages.

        Parameters
        ----------
        names : {"all", "summary"} or sequence of str, optional
            Which indices. Default: all that the matrix has.
        family : str, optional
            Only those of one family, such as "entropy" (see `rocksteady.index`).

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no index of a name, or it has no value for this matrix.
        rocksteady.InputError
            If there is no such family.

        >>> import rocksteady as rs
        >>> rs.ConfusionMatrix.from_counts([[91, 16], [14, 79]]).summary(["accuracy", "mcc"])
        index        value
        accuracy      0.85
        mcc       0.699087
        """
        from rocksteady.registry.selection import chosen  # noqa: PLC0415 (not every program needs it)

        shown, forms = chosen(names, family, form=("counts", "matrix"))
        if self._positive is not None:
            values, _ = self._state.values(shown, self._positive)
            return Table(["index", "value"], list(zip(shown, values.tolist(), strict=True)))
        whole = [name for name, has in zip(shown, forms, strict=True) if "matrix" in has or "counts" not in has]
        each = [name for name, has in zip(shown, forms, strict=True) if "counts" in has]
        overall = dict(zip(whole, self._state.values(whole, None)[0].tolist(), strict=True))
        alike, by_size = self._state.averages(each)
        macro, weighted = (dict(zip(each, means.tolist(), strict=True)) for means in (alike, by_size))
        lines = [(name, overall.get(name), macro.get(name), weighted.get(name)) for name in shown]
        return Table(["index", "overall", "macro", "weighted"], lines)

    def class_summary(self, names: Names | Sequence[str] | None = None, *, family: str | None = None) -> Table:
        """A row for each class, a column for each index: the values of `every`.

        Parameters
        ----------
        names : {"all", "summary"} or sequence of str, optional
            Which indices. Default: all that are formulas of a class.
        family : str, optional
            Only those of one family.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no index of a name, or it has no value for a class.
        rocksteady.InputError
            If there is no such family.

        >>> import rocksteady as rs
        >>> rs.ConfusionMatrix(["cat", "dog", "dog"], ["cat", "dog", "cat"]).class_summary(["precision", "recall"])
        class  precision  recall
        cat          0.5       1
        dog            1     0.5
        """
        from rocksteady.registry.selection import chosen  # noqa: PLC0415 (not every program needs it)

        shown = chosen(names, family, form=("counts", "class"))[0]
        values = self._state.class_values(shown)
        labels = self._labels

        def rows() -> Iterable[tuple[Any, ...]]:
            shown_labels = map(one_line, labels.tolist())
            return ((label, *row) for label, row in zip(shown_labels, values.T.tolist(), strict=True))

        return Table._later(["class", *shown], rows)

    def _matrix(self) -> Table:
        names = [one_line(label) for label in self.labels]
        rows = [[name, *cells] for name, cells in zip(names, self.to_array().tolist(), strict=True)]
        return Table(["", *names], rows)

    def _title(self) -> str:
        classes = len(self.labels)
        kind = "sampling weight" if self.weight_kind == "sampling" else "weight"
        unit = f", {kind} {number(self.total)}" if self.weighted else ""
        rows = f"{classes} class{'es' * (classes != 1)}, {self.rows} row{'s' * (self.rows != 1)}{unit}"
        positive = "" if self.pos_label is None else f", positive class {class_named(self.pos_label)}"
        return f"ConfusionMatrix of {rows}{positive}"

    def __repr__(self) -> str:
        if len(self.labels) > _SHOWN_CLASSES:
            return f"<{self._title()}>"
        return f"{self._title()} (rows true, columns predicted)\n{self._matrix()!r}"

    def _repr_html_(self) -> str:
        import html  # noqa: PLC0415 (not every program needs it)

        title = html.escape(self._title())
        if len(self.labels) > _SHOWN_CLASSES:
            return f"<p>{title}</p>"
        return f"<p>{title} (rows true, columns predicted)</p>{self._matrix()._repr_html_()}"
