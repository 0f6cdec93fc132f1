"""scikit-learn's display of a confusion matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady._matplotlib import properties, pyplot
from rocksteady.columns.estimators import is_classifier
from rocksteady.errors import InputError
from rocksteady.metrics._classification import confusion_matrix
from rocksteady.metrics._displays.options import passes_to

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self


class ConfusionMatrixDisplay:
    """A confusion matrix, drawn: scikit-learn's display, computed by `rocksteady.metrics.confusion_matrix`.

    Parameters
    ----------
    confusion_matrix : ndarray of shape (K, K)
        Rows actual, columns predicted.
    display_labels : array-like of K labels, optional
        The names of the classes.

    Attributes
    ----------
    im_ : matplotlib image
    text_ : ndarray of matplotlib texts, or None
    ax_, figure_ : matplotlib axes and figure

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> from rocksteady.metrics import ConfusionMatrixDisplay
    >>> display = ConfusionMatrixDisplay.from_predictions([0, 1, 1], [0, 1, 0])
    >>> display.text_[1, 0].get_text()
    '1'
    """

    im_: Any
    text_: Any
    ax_: Any
    figure_: Any

    def __init__(self, confusion_matrix: Any, *, display_labels: Any = None) -> None:
        self.confusion_matrix = confusion_matrix
        self.display_labels = display_labels

    def plot(
        self,
        *,
        include_values: bool = True,
        cmap: Any = "viridis",
        xticks_rotation: Any = "horizontal",
        values_format: str | None = None,
        ax: Any = None,
        colorbar: bool = True,
        im_kw: Mapping[str, Any] | None = None,
        text_kw: Mapping[str, Any] | None = None,
    ) -> Self:
        """Draws the matrix.

        Parameters
        ----------
        include_values : bool
            Write the numbers into the cells, in `values_format`; by default as short as two digits allow.
        cmap : str or matplotlib colormap
        xticks_rotation : {"vertical", "horizontal"} or float
        ax : matplotlib axes, optional
        colorbar : bool
        im_kw, text_kw : dict, optional
            matplotlib's properties of the image and of the texts.
        """
        plt = pyplot("ConfusionMatrixDisplay.plot")
        axes = plt.subplots()[1] if ax is None else ax
        cells = self.confusion_matrix
        count = cells.shape[0]
        self.im_ = axes.imshow(cells, **properties({"interpolation": "nearest", "cmap": cmap}, im_kw))
        self.text_ = None
        if include_values:
            # Light on dark and dark on light.
            low, high, middle = self.im_.cmap(0), self.im_.cmap(1.0), (cells.max() + cells.min()) / 2.0
            self.text_ = np.empty_like(cells, dtype=object)
            for (row, column), cell in np.ndenumerate(cells):
                default = {"ha": "center", "va": "center", "color": high if cell < middle else low}
                how = properties(properties({}, default), text_kw)
                self.text_[row, column] = axes.text(column, row, _cell(cell, values_format), **how)
        labels = np.arange(count) if self.display_labels is None else self.display_labels
        if colorbar:
            axes.figure.colorbar(self.im_, ax=axes)
        axes.set(
            xticks=np.arange(count),
            yticks=np.arange(count),
            xticklabels=labels,
            yticklabels=labels,
            ylabel="True label",
            xlabel="Predicted label",
        )
        axes.set_ylim((count - 0.5, -0.5))
        plt.setp(axes.get_xticklabels(), rotation=xticks_rotation)
        self.ax_, self.figure_ = axes, axes.figure
        return self

    @classmethod
    @passes_to(plot)
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        labels: Any = None,
        sample_weight: Any = None,
        normalize: Any = None,
        display_labels: Any = None,
        **kwargs: Any,
    ) -> Self:
        """Counts predictions and draws; options as for `rocksteady.metrics.confusion_matrix` and `plot`."""
        pyplot(f"{cls.__name__}.from_predictions")
        cells = confusion_matrix(y_true, y_pred, labels=labels, sample_weight=sample_weight, normalize=normalize)
        if display_labels is None:
            columns = (np.asarray(y_true).ravel(), np.asarray(y_pred).ravel())
            display_labels = np.unique(np.concatenate(columns)) if labels is None else labels
        return cls(cells, display_labels=display_labels).plot(**kwargs)

    @classmethod
    @passes_to(from_predictions)
    def from_estimator(cls, estimator: Any, X: Any, y: Any, **kwargs: Any) -> Self:
        """Asks a fitted classifier for its predictions of `X`, and draws; options as for `from_predictions`."""
        caller = f"{cls.__name__}.from_estimator"
        pyplot(caller)
        if not is_classifier(estimator):
            raise InputError(f"{caller} only supports classifiers")
        return cls.from_predictions(y, estimator.predict(X), **kwargs)


def _cell(cell: Any, how: str | None) -> str:
    """A number as short as two digits allow.

    >>> _cell(np.int64(12), None), _cell(np.int64(1234567), None), _cell(np.float64(0.3333), None)
    ('12', '1.2e+06', '0.33')
    """
    if how is not None:
        return format(cell, how)
    short = format(cell, ".2g")
    if cell.dtype.kind == "f":
        return short
    whole = format(cell, "d")
    return whole if len(whole) < len(short) else short
