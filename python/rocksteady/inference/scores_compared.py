"""An index of the scores of several models, compared on the same rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocksteady import _rocksteady
from rocksteady.base import hints
from rocksteady.base.arguments import flag, listed, one_of, string
from rocksteady.base.named_columns import by_name, of_one_classifier, refused_as
from rocksteady.base.warning import warn
from rocksteady.columns.categories import positive_in_order
from rocksteady.columns.complete import complete
from rocksteady.columns.pairing import paired, without_index
from rocksteady.errors import InputError
from rocksteady.inference.clusters import grouping_of
from rocksteady.inference.covariance import Compared
from rocksteady.inference.paired_areas import AREAS, compared_areas

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike

    from rocksteady.base.arguments import NanPolicy, WeightKind


def compare_scores(
    y_true: ArrayLike,
    y_score: ArrayLike | Mapping[str, ArrayLike],
    *,
    index: str = "roc_auc",
    names: Sequence[str] | None = None,
    pos_label: object = None,
    cluster: Any = None,
    strata: Any = None,
    sample_weight: ArrayLike | None = None,
    weight_kind: WeightKind = "counts",
    level: float = 0.95,
    nan_policy: NanPolicy = "raise",
    align: bool = False,
) -> Compared:
    """Compare an index of the scores of several models on the same rows, such as the area under the ROC curve.

    The models score the same rows, so their values rise and fall together. The covariance of areas is DeLong, DeLong and
    Clarke-Pearson's of 1988 (doi:10.2307/2531595): with V the share of the other class that a model puts on the right side of
    a row, ties counted half, it is cov(V, V') over the positive rows divided by their number, plus the same over the
    negative rows. Of any other index the covariance is the sum over the rows of the product of their influences on both
    values.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Class labels of two kinds.
    y_score : mapping, data frame, or array-like of shape (n, m) or (n,)
        Scores of the positive class: columns by the models' names, or a column for each of m models.
    index : str
        An index of scores whose influences are known: areas, average precision, the Brier score, the logarithmic loss, and
        what follows from them. For indices of predicted classes too see ``evaluate(..., inference=True)``.
    names : sequence of str, optional
        What the models are called, where they have no names yet.
    pos_label : label, optional
        The positive class. Default: the greater label; of ordered categories the later one.
    cluster : column of keys, or several as for `group_by`, optional
        Which rows belong together, such as those of one patient. Clusters are independent of each other, rows of one
        cluster are not (for areas Obuchowski 1997, doi:10.2307/2533958). Intervals and tests have Student's t
        distribution, with one degree of freedom less than clusters.
    strata : column of keys, or several, optional
        The strata that the rows, or the clusters, were drawn from, each by itself.
    sample_weight : array-like of shape (n,), optional
        Finite and not negative.
    weight_kind : {"counts", "sampling"}
        What a weight says. "counts": the row stands for so many rows. "sampling": the row is one row, which was drawn
        with a probability in proportion to one over the weight; then the variance is that of a sandwich, from the squares
        of the rows' influences. With `cluster`, influences are added up within clusters for both.
    level : float
        The confidence level of intervals, unless a method is given another.
    nan_policy : {"raise", "omit", "worst", "best"}
        What to do with missing values. "omit" leaves out rows where a label, a cluster or any score is missing. "worst"
        and "best" rank a missing score below all or above all others.
    align : bool
        Whether to bring pandas objects into the order of the index of `y_true`. Default: rows go by position.

    Returns
    -------
    rocksteady.inference.Compared

    Warns
    -----
    rocksteady.RocksteadyWarning
        If pandas objects have the same index labels in another order; if two unnamed columns look like the probabilities
        of one classifier.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        The message names argument, row or model, value and what was expected.

    Examples
    --------
    >>> import rocksteady as rs
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> found = rs.inference.compare_scores(
    ...     y_true, {"old": [0.1, 0.6, 0.4, 0.3, 0.5, 0.7, 0.2, 0.9], "new": [0.1, 0.2, 0.6, 0.3, 0.5, 0.7, 0.4, 0.9]}
    ... )
    >>> found.estimates
    {'old': 0.75, 'new': 0.875}
    >>> round(found.difference("new", "old").p_value, 6)
    0.540291
    """
    one_of(nan_policy, "nan_policy", ("raise", "omit", "worst", "best"))
    given = None if names is None else [string(name, "names") for name in listed(names, "names", "a list of names")]
    if names is None and of_one_classifier(y_score):
        warn(
            "the two columns of y_score add up to 1 in each row, as probabilities of one classifier do, and are compared "
            "as two models"
        )
    columns = by_name(y_score, "y_score", given)
    if not columns:
        raise InputError("y_score is empty; expected a column for each model", argument="y_score")
    said = {name: "y_score" if len(columns) == 1 else f"y_score[{name!r}]" for name in columns}
    others = {"sample_weight": sample_weight, "cluster": cluster, "strata": strata}
    given_columns = {**{said[name]: column for name, column in columns.items()}, **others}
    found = paired(y_true, given_columns, align=flag(align, "align"))
    truth: Any = without_index(y_true)
    positive = positive_in_order(y_true) if pos_label is None else pos_label
    if nan_policy == "omit":
        keys = {argument: found.pop(argument) for argument in ("cluster", "strata") if found[argument] is not None}
        needed = {name: column for name, column in found.items() if name != "sample_weight" and column is not None}
        found, _ = complete({"y_true": truth, **needed, **keys}, {"sample_weight": found["sample_weight"]})
        truth = found["y_true"]
    policy: NanPolicy = "raise" if nan_policy == "omit" else nan_policy
    row = _rocksteady.index_name(string(index, "index", "the name of an index"))
    scores = {name: found[said[name]] for name in columns}
    weights = found["sample_weight"]
    clusters, in_strata = (grouping_of(found.get(each), truth, each) for each in ("cluster", "strata"))
    try:
        if row in AREAS and in_strata is None:
            return compared_areas(
                row,
                truth,
                scores,
                pos_label=positive,
                sample_weight=weights,
                weight_kind=weight_kind,
                cluster=clusters,
                nan_policy=policy,
                level=level,
                said=said,
            )
        options: Any = (positive, policy, "raise", weight_kind)
        influences = []
        for name, column in scores.items():
            with refused_as("y_score", said[name]):
                influences.append(_rocksteady.InfluenceState.of_scores((truth, column, weights), options, row))
    except InputError as error:
        raise hints.of_gap(error) from None
    return Compared._of_influences(
        influences, list(scores), row, (weights, weight_kind, clusters, in_strata, None), level
    )
