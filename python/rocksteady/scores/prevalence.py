"""Score tables and probabilities for a population with another share of positives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.base.arguments import numbers
from rocksteady.base.prevalence import already_weighed, share, weights_at
from rocksteady.errors import InputError

if TYPE_CHECKING:
    from typing import Self

    from numpy.typing import ArrayLike, NDArray

    from rocksteady import _rocksteady


class AtPrevalence:
    """The method of a `rocksteady.ScoreTable` that gives the positives another share of the rows."""

    if TYPE_CHECKING:
        _state: _rocksteady.ScoreState

        labels: tuple[Any, Any]

        @classmethod
        def _of(cls, state: _rocksteady.ScoreState) -> Self: ...

    def at_prevalence(self, prevalence: float) -> Self:
        """The table as if another share of the rows were positive: each row gets a weight that its class alone decides.

        For samples that do not have the share of the population: negatives kept one in a hundred, cases and controls.
        Every index, curve and threshold is then that of the population, if each class was sampled from its own at random.
        What does not depend on the share, such as the AUC, KS and recall, stays as it is.

        Parameters
        ----------
        prevalence : float
            The share of positive rows: above 0 and below 1.

        Returns
        -------
        ScoreTable
            With ``weight_kind="sampling"``: a positive weighs prevalence / share of positives here, a negative likewise,
            so the sum of the weights is the number of rows. The scores stay as they are: for probabilities see
            `rocksteady.scores.at_prevalence`.

        Raises
        ------
        rocksteady.InputError
            If `prevalence` is not between 0 and 1, a class has no rows, or the rows have weights already.

        Notes
        -----
        ``interval(..., strata="label")`` takes into account that the share is given, not estimated.
        Elkan 2001, The foundations of cost-sensitive learning, IJCAI 17; Saerens, Latinne, Decaestecker 2002,
        doi:10.1162/089976602753284446.

        >>> import rocksteady as rs
        >>> table = rs.ScoreTable([0, 1, 0, 1, 1, 1], [0.1, 0.3, 0.4, 0.6, 0.7, 0.9])
        >>> rare = table.at_prevalence(0.01)
        >>> rare["roc_auc"], table["roc_auc"]
        (0.875, 0.875)
        >>> round(rare.at(0.4)["precision"], 6), round(rare.at(0.4)["prevalence"], 6)
        (0.014925, 0.01)
        """
        positive = share(prevalence, "prevalence")
        up, down = weights_at([positive, 1 - positive], self._state.totals, self.labels[::-1])
        state = self._state.weighed((up, down))
        if state is None:
            raise already_weighed()
        return self._of(state)


def probabilities(y_score: ArrayLike) -> NDArray[np.float64]:
    """Read a column of probabilities."""
    scores: NDArray[np.float64] = np.asarray(numbers(y_score, "y_score"), np.float64)
    if scores.ndim != 1:
        raise InputError(f"y_score has {scores.ndim} dimensions; expected one", argument="y_score")
    outside = np.flatnonzero(~((scores >= 0) & (scores <= 1)))
    if outside.size:
        row = int(outside[0])
        raise InputError(
            f"y_score[{row}] is {scores[row]:g}; expected probabilities, 0 to 1",
            argument="y_score",
            row=row,
            value=f"{scores[row]:g}",
        )
    return scores


def at_prevalence(y_score: ArrayLike, prevalence: float, *, trained_at: float) -> NDArray[np.float64]:
    """The probabilities that a model would give in a population with another share of positives.

    A model that learned from a sample with more positives than the population predicts too many. Its odds are corrected by
    one factor; the order of the rows stays, so the AUC does not change.

    Parameters
    ----------
    y_score : array-like of shape (n,)
        Probabilities of the positive class: 0 to 1.
    prevalence : float
        The share of positives in the population: above 0 and below 1.
    trained_at : float
        The share of positives in the rows that the model learned from.

    Returns
    -------
    ndarray of shape (n,)
        Probabilities: float64. With odds o = p / (1 - p) of a score p they are o c / (1 + o c), where
        c = prevalence (1 - trained_at) / (trained_at (1 - prevalence)).

    Raises
    ------
    rocksteady.InputError
        If a score is not between 0 and 1, or a share is not.

    Notes
    -----
    Elkan 2001, The foundations of cost-sensitive learning, IJCAI 17, theorem 2; He et al. 2014,
    doi:10.1145/2648584.2648589, section 6.3, where negatives were sampled.

    >>> import rocksteady as rs
    >>> rs.scores.at_prevalence([0.5, 0.9, 0.0], 0.01, trained_at=0.5).round(6).tolist()
    [0.01, 0.083333, 0.0]
    """
    wanted, here = share(prevalence, "prevalence"), share(trained_at, "trained_at")
    scores = probabilities(y_score)
    raised = scores * (wanted * (1 - here))
    found: NDArray[np.float64] = raised / (raised + (1 - scores) * (here * (1 - wanted)))
    return found
