"""Displays of a confusion matrix: of a counted matrix, of predictions, of a classifier."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from rocksteady._matplotlib import pyplot
from rocksteady.base.arguments import wrong_type
from rocksteady.columns.estimators import is_classifier
from rocksteady.labels.confusion import ConfusionMatrix
from rocksteady.plot.display import Display

if TYPE_CHECKING:
    from typing import Self


class MatrixDisplay(Display):
    """A display made from a confusion matrix."""

    def __init__(self, matrix: ConfusionMatrix) -> None:
        if not isinstance(matrix, ConfusionMatrix):
            raise wrong_type(matrix, "matrix", "a ConfusionMatrix")
        self.matrix = matrix

    @classmethod
    def from_matrix(cls, matrix: ConfusionMatrix, *, ax: Any = None, **kwargs: Any) -> Self:
        """Draws a matrix that is counted already; options as for `plot`."""
        return cls(matrix).plot(ax=ax, **kwargs)

    @classmethod
    def from_predictions(
        cls, y_true: Any, y_pred: Any, *, labels: Any = None, sample_weight: Any = None, ax: Any = None, **kwargs: Any
    ) -> Self:
        """Counts predictions and draws.

        Parameters
        ----------
        y_true, y_pred : array-like of shape (n,)
        labels, sample_weight
            As for `rocksteady.ConfusionMatrix`.
        ax : matplotlib axes, optional
        **kwargs
            As for `from_matrix`.
        """
        pyplot(f"{cls.__name__}.from_predictions")
        matrix = ConfusionMatrix(y_true, y_pred, labels=labels, sample_weight=sample_weight)
        return cls.from_matrix(matrix, ax=ax, **kwargs)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, labels: Any = None, ax: Any = None, **kwargs: Any
    ) -> Self:
        """Asks a fitted classifier for its predictions of `X`, and draws; options as for `from_predictions`."""
        pyplot(f"{cls.__name__}.from_estimator")
        if not is_classifier(estimator):
            raise wrong_type(estimator, "estimator", "a fitted classifier")
        return cls.from_predictions(y, estimator.predict(X), labels=labels, ax=ax, **kwargs)

    @abstractmethod
    def plot(self, *args: Any, **kwargs: Any) -> Self:
        """Draws the matrix."""
