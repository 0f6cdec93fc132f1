"""How well several raters agree beyond chance, where any rating may be missing."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, TypedDict, overload

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import amounts, label_of, labels_of, numbers, one_of, shown, wrong_type, wrong_value
from rocksteady.base.containers import columns_of, opened_matrix, refuse_lazy, shape_of
from rocksteady.base.gaps import refuse_gap
from rocksteady.base.named_columns import matrix_by_class, refused_as
from rocksteady.base.table import Table
from rocksteady.columns.categories import categories_in_order
from rocksteady.columns.keys import grouped, key_arrays
from rocksteady.columns.pairing import paired
from rocksteady.errors import InputError, InputTypeError
from rocksteady.inference.difference import level_of
from rocksteady.inference.interval import Interval, names_asked

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Unpack

    from numpy.typing import ArrayLike, NDArray

    from rocksteady.base.table import Cell

    _Ratings = ArrayLike | Mapping[Any, ArrayLike]
    Floats = NDArray[np.float64]
    Whole = NDArray[np.int64]

Method = Literal["t", "gwet"]
Weights = Literal["identity", "linear", "quadratic", "ordinal", "ratio"]

NAMES: Final = (
    "percent_agreement",
    "fleiss_kappa",
    "conger_kappa",
    "gwet_ac1",
    "gwet_ac2",
    "brennan_prediger",
    "krippendorff_alpha",
    "krippendorff_alpha_ordinal",
)
_WEIGHTS: Final = ("identity", "linear", "quadratic", "ordinal", "ratio")
_COLUMNS: Final = ("index", "estimate", "low", "high", "standard_error", "method")
#: Weights of more labels would be a matrix of more than 32 MB.
_MOST_LABELS: Final = 2_000
_NO_PAIRS: Final = "No item has two ratings."
_CERTAIN: Final = "All ratings are of one label, or of labels that count as one: chance alone agrees always."
_ONE_LABEL: Final = "There is only one label."
_NOT_BY_RATER: Final = "Counts do not tell which rater gave which rating."
_ONE_ITEM: Final = "One item does not show how the value scatters."
_FEW: Final = "Few items, so the interval is rough."
_MANY: Final = 30
_ALIKE: Final = "All items count alike, so they do not show how the value scatters."


class _Options(TypedDict, total=False):
    counts: ArrayLike | Mapping[Any, ArrayLike] | None
    labels: ArrayLike | None
    weights: Weights | ArrayLike | Mapping[Any, Mapping[Any, float]]
    sample_weight: ArrayLike | None
    level: float
    method: Method


@overload
def rater_agreement(ratings: _Ratings | None = None, name: None = None, **options: Unpack[_Options]) -> Table: ...


@overload
def rater_agreement(ratings: _Ratings | None = None, *, name: str, **options: Unpack[_Options]) -> Interval: ...


@overload
def rater_agreement(ratings: _Ratings | None, name: str, **options: Unpack[_Options]) -> Interval: ...


@overload
def rater_agreement(
    ratings: _Ratings | None, name: list[str] | tuple[str, ...], **options: Unpack[_Options]
) -> Table: ...


def rater_agreement(
    ratings: _Ratings | None = None,
    name: str | Sequence[str] | None = None,
    *,
    counts: ArrayLike | Mapping[Any, ArrayLike] | None = None,
    labels: ArrayLike | None = None,
    weights: Weights | ArrayLike | Mapping[Any, Mapping[Any, float]] = "identity",
    sample_weight: ArrayLike | None = None,
    level: float = 0.95,
    method: Method = "t",
) -> Interval | Table:
    """How well any number of raters agree, with intervals; ratings may be missing.

    Parameters
    ----------
    ratings : array-like of shape (items, raters), data frame or mapping of columns
        The label that each rater gave to each item: numbers, truth values or text. A column is a rater. None, NaN and nulls
        are missing ratings; an empty text is a label. Items without a rating are left out.
    name : str or list of str, optional
        A coefficient, or several, of the table below. Default: all that suit the weights, and without `counts` Conger's.
    counts : array-like of shape (items, labels), data frame or mapping of columns, optional
        Instead of `ratings`: how many raters gave each label to each item. Columns with names name the labels.
    labels : array-like of K labels, optional
        All labels, in their order. Default: those that occur, ascending, or in the order of ordered categories. Labels that
        nobody gave count in `gwet_ac1` and `brennan_prediger`.
    weights : {"identity", "linear", "quadratic", "ordinal", "ratio"} or array-like of shape (K, K)
        How far two labels agree: 1 if they are equal, 0 if they are as far apart as can be. "identity": any two different
        labels have 0. "linear", "quadratic" and "ratio" go by the numbers that labels are, or else by their places; "ordinal"
        by the places. A matrix is symmetric, of weights from 0 to 1, and has 1 on the diagonal; a frame or a mapping of
        mappings goes by its names.
    sample_weight : array-like of shape (items,), optional
        How many items have these very ratings: whole numbers, as ``GROUP BY`` over all raters gives them. The distinct rows
        with their numbers of items are the statistic: those of several parts add up.
    level : float
        The confidence level.
    method : {"t", "gwet"}
        What items with one rating add to the variance. "t": nothing of their own agreement. "gwet": as irrCAC has it, as much
        as items without agreement, which makes intervals too wide. Without such items both are the same.

    Returns
    -------
    Interval, or without a name or of several a Table
        The columns are index, estimate, low, high, standard_error and method, and why where a coefficient has no value or no
        interval; such numbers are NaN.

    Raises
    ------
    rocksteady.InputError
        If rows differ in length, a rating is not one of `labels`, a count is not whole or negative, or the weights are none
        of these.
    rocksteady.InputTypeError
        If ratings are not labels, or text and numbers stand beside each other.

    Notes
    -----
    ==============================  =================================================================================
    ``percent_agreement``           the share of pairs of ratings of one item that agree, as a mean over the items
    ``fleiss_kappa``                1 - D / E; E as expected from the shares of the labels (Fleiss 1971,
                                    doi:10.1037/h0031619)
    ``conger_kappa``                E from the shares of each rater; of two raters Cohen's kappa (Conger 1980,
                                    doi:10.1037/0033-2909.88.2.322)
    ``gwet_ac1``, ``gwet_ac2``      E from labels given at random to items that are hard; AC2 if there are weights (Gwet
                                    2008, doi:10.1348/000711006X126600)
    ``brennan_prediger``            E as if all K labels were equally likely (Brennan, Prediger 1981,
                                    doi:10.1177/001316448104100307)
    ``krippendorff_alpha``          E from pairs of all ratings without replacement, over items with two ratings or more;
                                    nominal with "identity", interval with "quadratic", ratio with "ratio" (Krippendorff
                                    1970, doi:10.1177/001316447003000105)
    ``krippendorff_alpha_ordinal``  the same, with Krippendorff's own distances of ordered labels: how many ratings lie
                                    between them; the weights play no part
    ==============================  =================================================================================

    D is the observed disagreement, 1 less the percent agreement: with r[i,k] the ratings of item i with label k, r[i] all its
    ratings and w the weights, the mean over the items of sum_kl (1 - w[k,l]) r[i,k] r[i,l] / (r[i] (r[i] - 1)).
    Items with one rating play no part in D.

    Intervals take the items for a sample and the raters as given. They are Student's, with one degree of freedom less than
    items, the variance between the items, and a cut at 1 (Gwet 2014, Handbook of Inter-Rater Reliability; Python's and R's
    irrCAC). Sums over the items are exact, so their order does not change a bit.

    >>> import rocksteady as rs
    >>> ratings = [[1, 1, None, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    ...            [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [None, 5, 5, 5], [None, None, 1, 1], [None, None, 3, None]]
    >>> rs.comparison.rater_agreement(ratings)                              # Gwet's example
    index               estimate       low  high  standard_error  method
    percent_agreement   0.818182  0.595401     1        0.101219  t
    fleiss_kappa        0.761169   0.46417     1        0.134939  t
    conger_kappa        0.762817  0.471715     1         0.13226  t
    gwet_ac1            0.775444    0.5009     1        0.124737  t
    brennan_prediger    0.772727  0.494252     1        0.126523  t
    krippendorff_alpha  0.743421  0.419062     1        0.145574  t
    12 items, 4 raters, 5 labels. Items with one rating only: 1. Few items, so the interval is rough.
    >>> rs.comparison.rater_agreement(ratings, "gwet_ac2", weights="quadratic")
    Interval(0.914001, 0.768759 to 1, 95 %, t: Few items, so the interval is rough.)
    """
    if (ratings is None) == (counts is None):
        raise wrong_value(counts, "counts", "either ratings or counts, and not both")
    named = None if name is None else names_asked(name)
    for place, each in enumerate(named or ()):
        one_of(each, "name" if isinstance(name, str) else f"name[{place}]", NAMES)
    used = level_of(level)
    one_of(method, "method", ("t", "gwet"))
    given, called = (ratings, "ratings") if counts is None else (counts, "counts")
    sizes = paired(given, {"sample_weight": sample_weight}, first=called)["sample_weight"]
    items = (_of_ratings if counts is None else _of_counts)(given, labels, sizes)
    apart = _disagreements(weights, items.labels)
    if named is None:
        second = "gwet_ac1" if apart is None else "gwet_ac2"
        named = [*NAMES[:2], *(NAMES[2:3] if counts is None else ()), second, "brennan_prediger", "krippendorff_alpha"]
        named += ["krippendorff_alpha_ordinal"] if isinstance(weights, str) and weights == "ordinal" else []
    found = [_interval(each, items, apart, used, method) for each in named]
    if isinstance(name, str):
        return found[0]
    rows: list[list[Cell]] = []
    for each, i in zip(named, found, strict=True):
        values = map(float, (i.estimate, i.low, i.high, i.standard_error))
        rows.append([each, *values, i.method])
    reasons = [each.why if isinstance(each.why, str) else None for each in found]
    note = " ".join(dict.fromkeys([items.told, *(each.note for each in found if isinstance(each.note, str))]))
    if not any(reasons):
        return Table(_COLUMNS, rows, note=note)
    return Table((*_COLUMNS, "why"), [[*row, why] for row, why in zip(rows, reasons, strict=True)], note=note)


# Counting ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Items:
    """The distinct rows of ratings, each with the number of its items.

    `category` and `amount`, of shape (rows, slots), hold the labels of a row as their places and how many raters gave them;
    slots that are left over have an amount of 0.
    """

    labels: list[Any]
    items: Whole
    category: NDArray[np.intp]
    amount: Whole
    raters: int
    codes: NDArray[np.intp] | None  # by rater, -1 for a missing rating; None if only counts are known

    @property
    def told(self) -> str:
        ratings = self.amount.sum(axis=1)
        alone = int(self.items[ratings == 1].sum())
        raters = f", {self.raters} raters" if self.codes is not None else ""
        sizes = f"{int(self.items.sum())} items{raters}, {len(self.labels)} labels."
        return f"{sizes} Items with one rating only: {alone}." if alone else sizes


def _of_ratings(ratings: Any, labels: Any, sample_weight: Any) -> _Items:
    found, codes = _coded(ratings)
    order = _order(found, labels, ratings)
    place_of = {label: place for place, label in enumerate(order)}
    odd = next((place for place, label in enumerate(found) if label not in place_of), None)
    if odd is not None:
        row, column = map(int, np.argwhere(codes == odd)[0])
        raise InputError(
            f"ratings[{row}, {column}] is {shown(found[odd])}; expected one of the labels",
            argument="ratings",
            row=row,
            value=shown(found[odd]),
            expected="one of the labels",
        )
    places = np.array([*(place_of[label] for label in found), -1], dtype=np.intp)
    distinct, items = _distinct(places[codes], -1, len(order) - 1, sample_weight)
    ordered = np.sort(np.where(distinct < 0, len(order), distinct), axis=1)  # missing ratings last
    return _Items(order, items, *_runs(ordered, len(order)), codes.shape[1], distinct)


def _of_counts(counts: Any, labels: Any, sample_weight: Any) -> _Items:
    refuse_lazy(counts, "counts")
    columns = columns_of(counts, "counts")
    names = None if columns is None else [str(name) if not np.isscalar(name) else name for name in columns]
    if columns is not None:
        table = (
            np.column_stack([amounts(column, "counts") for column in columns.values()]) if columns else np.zeros((0, 0))
        )
    else:
        table = amounts(counts, "counts")
    if table.ndim != 2 or table.shape[1] == 0:
        raise InputError(f"counts has shape {table.shape}; expected (items, labels)", argument="counts")
    refuse_gap(table, "counts", "a whole number that is not negative")
    wrong = np.argwhere(~((table >= 0) & (table < 2**31) & (table == np.floor(table))))
    if len(wrong):
        row, column = map(int, wrong[0])
        value = shown(table[row, column].item())
        expected = "a whole number of raters that is not negative (ratings= takes labels)"
        raise InputError(
            f"counts[{row}, {column}] is {value}; expected {expected}",
            argument="counts",
            row=row,
            value=value,
            expected=expected,
        )
    order = labels_of(names or range(table.shape[1]), "counts") if labels is None else _different(labels)
    if len(order) != table.shape[1]:
        raise InputError(
            f"labels are {len(order)}; expected {table.shape[1]}, one for each column of counts", argument="labels"
        )
    if names is not None and labels is not None and order != names:
        if set(order) != set(names):
            raise wrong_value(names, "counts.columns", "the labels, in any order")
        table = table[:, [names.index(label) for label in order]]
    whole = table.astype(np.int64)
    distinct, items = _distinct(whole, 0, int(whole.max(initial=0)), sample_weight)
    slots = max(1, int((distinct > 0).sum(axis=1).max(initial=0)))
    # The labels that were given, in their order, come first.
    category = np.argsort(distinct == 0, axis=1, kind="stable")[:, :slots]
    amount = np.take_along_axis(distinct, category, axis=1).astype(np.int64)
    return _Items(order, items, category, amount, 0, None)


def _coded(ratings: Any) -> tuple[list[Any], NDArray[np.intp]]:
    """The labels that occur, and for each item and rater the place of the label; -1 for a missing rating."""
    refuse_lazy(ratings, "ratings")
    columns = columns_of(ratings, "ratings")
    if columns is None:
        matrix = _matrix(ratings)
        found, codes = _coded_column(matrix.ravel(), matrix.size)
        return found, codes.reshape(matrix.shape)
    if not columns:
        raise InputError("ratings has no columns; expected one for each rater", argument="ratings")
    rows = next((shape_of(column)[:1] for column in columns.values()), ())
    if not rows:
        raise wrong_type(ratings, "ratings", "a column for each rater")
    (rater, first), *others = columns.items()
    paired(first, {str(name): column for name, column in others}, first=str(rater))
    each = [_coded_column(column, rows[0]) for column in columns.values()]
    places: dict[Any, int] = {}
    codes = np.empty((rows[0], len(each)), np.intp)
    for rater, (found, own) in enumerate(each):
        codes[:, rater] = np.array([*(places.setdefault(label, len(places)) for label in found), -1], np.intp)[own]
    return list(places), codes


def _coded_column(column: Any, rows: int) -> tuple[list[Any], NDArray[np.intp]]:
    with refused_as("by", "ratings"):
        state = grouped({"ratings": column}, rows=rows)
    keys = key_arrays(state)["ratings"].tolist()
    found = [label_of(key, "ratings") for key in keys if key is not None and key == key]
    if math.inf in found or -math.inf in found:
        raise wrong_value(math.inf if math.inf in found else -math.inf, "ratings", "labels that are finite numbers")
    return found, np.array([*range(len(found)), *[-1] * (len(keys) - len(found))], np.intp)[state.codes()]


def _matrix(ratings: Any) -> NDArray[Any]:
    """Ratings as an array of items by raters; of lists as objects, so that text and gaps stay what they are."""
    if isinstance(ratings, np.ma.MaskedArray):
        found: Any = ratings.data.astype(object)
        found[np.ma.getmaskarray(ratings)] = None
    elif isinstance(ratings, list | tuple):
        rows = [row.tolist() if isinstance(row, np.ndarray) else row for row in ratings]
        if not all(isinstance(row, list | tuple) for row in rows):
            raise wrong_type(ratings, "ratings", "a list of rows, each with a rating by every rater")
        lengths = {len(row) for row in rows}
        if len(lengths) > 1:
            raise InputError("ratings has rows of different lengths; expected (items, raters)", argument="ratings")
        found = np.empty((len(rows), *lengths), dtype=object)
        for place, row in enumerate(rows):
            found[place] = row
    else:
        found = opened_matrix(ratings, "ratings")
    if found.ndim != 2 or found.shape[1] == 0:
        raise InputError(f"ratings has shape {found.shape}; expected (items, raters)", argument="ratings")
    return np.ascontiguousarray(found)


def _order(found: list[Any], labels: Any, ratings: Any) -> list[Any]:
    """All labels in their order."""
    if labels is not None:
        return _different(labels)
    for column in (columns_of(ratings, "ratings") or {}).values():
        order = categories_in_order(column)
        if order is not None and set(found) <= set(order):
            return [label for label in order if label in set(found)]
    try:
        return sorted(found)
    except TypeError:
        raise InputTypeError("ratings has text and numbers; expected labels of one kind", argument="ratings") from None


def _different(labels: Any) -> list[Any]:
    order = labels_of(labels, "labels")
    if not order or len(set(order)) < len(order):
        raise wrong_value(order, "labels", "different labels, one at least")
    return order


def _distinct(cells: NDArray[Any], nothing: int, most: int, sample_weight: Any) -> tuple[NDArray[Any], Whole]:
    """The distinct rows with more in them than nothing, ascending, and how many items each has."""
    items, kinds = _numbers_of_items(sample_weight, len(cells)), most - nothing + 1
    place, room = np.zeros(len(cells), np.int64), 1
    for column in range(cells.shape[1]):
        if room * kinds >= 2**62:  # the rows so far as numbers from 0 on
            known, place = np.unique(place, return_inverse=True)
            room = len(known)
        place = place * kinds + (cells[:, column] - nothing)
        room *= kinds
    state = grouped({"by": place})
    row = state.codes()
    first = np.zeros(state.groups, np.intp)
    first[row] = np.arange(len(row))
    sums = np.bincount(row, weights=items, minlength=len(first)).astype(np.int64)  # exact below 2**53
    distinct = cells[first]
    kept = (sums > 0) & (distinct != nothing).any(axis=1)
    return distinct[kept], sums[kept]


def _numbers_of_items(sample_weight: Any, rows: int) -> Whole | None:
    if sample_weight is None:
        return None
    given = numbers(sample_weight, "sample_weight")
    refuse_gap(given, "sample_weight", "a whole number of items")
    if given.shape != (rows,):
        raise InputError(f"sample_weight has shape {given.shape}; expected ({rows},)", argument="sample_weight")
    wrong = np.flatnonzero(~((given >= 0) & (given < 2**48) & (given == np.floor(given))))
    if wrong.size:
        row = int(wrong[0])
        expected = "a whole number of items that is not negative"
        raise InputError(
            f"sample_weight[{row}] is {given[row]}; expected {expected}",
            argument="sample_weight",
            row=row,
            value=str(given[row]),
            expected=expected,
        )
    return given.astype(np.int64)


def _runs(ordered: NDArray[np.intp], labels: int) -> tuple[NDArray[np.intp], Whole]:
    """The labels of each row of ordered places, and how often each occurs; the place `labels` is a missing rating."""
    starts = np.ones(ordered.shape, bool)
    starts[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    slot = np.cumsum(starts, axis=1) - 1
    there = ordered < labels
    slots = max(1, int(slot[there].max(initial=0)) + 1)
    row = np.broadcast_to(np.arange(len(ordered))[:, None], ordered.shape)
    amount = np.bincount((row * slots + slot)[there], minlength=len(ordered) * slots).reshape(-1, slots)
    category = np.zeros((len(ordered), slots), np.intp)
    category[row[there], slot[there]] = ordered[there]
    return category, amount.astype(np.int64)


# Weights ----------------------------------------------------------------------------------------------------------------


def _disagreements(weights: Any, labels: list[Any]) -> Floats | None:
    """1 less the weights, shape (K, K); None for "identity"."""
    if isinstance(weights, str):
        one_of(weights, "weights", _WEIGHTS)
        if weights == "identity":
            return None
        _refuse_many(labels)
        return _distances(weights, labels)
    _refuse_many(labels)
    given = numbers(matrix_by_class(weights, labels, "weights"), "weights").astype(np.float64)
    if given.shape != (len(labels), len(labels)):
        raise InputError(
            f"weights has shape {given.shape}; expected ({len(labels)}, {len(labels)}), as there are labels",
            argument="weights",
        )
    fits = ((given >= 0) & (given <= 1)).all() and (given == given.T).all() and (np.diag(given) == 1).all()
    if not fits:
        raise wrong_value(weights, "weights", "a symmetric matrix of numbers from 0 to 1, with 1 on the diagonal")
    return 1.0 - given


def _refuse_many(labels: list[Any]) -> None:
    if len(labels) > _MOST_LABELS:
        raise wrong_value(len(labels), "the number of labels", f"at most {_MOST_LABELS} with weights")


def _distances(weights: str, labels: list[Any]) -> Floats:
    """By the numbers that labels are, or else by their places; the greatest distance is 1."""
    are_numbers = all(isinstance(label, int | float | np.number) and not isinstance(label, bool) for label in labels)
    places = np.arange(1.0, len(labels) + 1)
    values = np.array(labels, np.float64) if are_numbers and weights != "ordinal" else places
    gaps: Floats = np.abs(values[:, None] - values)
    if weights == "quadratic":
        gaps = gaps**2
    elif weights == "ordinal":
        gaps = gaps * (gaps + 1) / 2  # pairs of labels from one to the other
    elif weights == "ratio":
        if not are_numbers or (values < 0).any():
            raise wrong_value(weights, "weights", "'ratio' only of labels that are numbers and not negative")
        sums = values[:, None] + values
        gaps = (gaps / np.where(sums == 0, 1, sums)) ** 2
    return gaps / (gaps.max(initial=0.0) or 1.0)


def _apart(apart: Floats | None, shares: Floats) -> Floats:
    """The disagreement of each label with labels of these shares; along the last axis."""
    found: Floats = (
        shares.sum(axis=-1, keepdims=True) - shares if apart is None else np.einsum("kl,...l->...k", apart, shares)
    )
    return found


# Coefficients -----------------------------------------------------------------------------------------------------------


def _interval(name: str, items: _Items, apart: Floats | None, level: float, method: str) -> Interval:
    none = Interval(math.nan, math.nan, math.nan, level, method, "two-sided", math.nan)
    ratings = items.amount.sum(axis=1)
    two = ratings >= 2
    if not two.any():
        return replace(none, why=_NO_PAIRS)
    if name.startswith("krippendorff"):
        found = _krippendorff(items, two, apart, is_ordinal=name.endswith("ordinal"))
    elif name == "percent_agreement":
        found = _corrected(items, ratings, apart, 1.0, np.zeros(len(ratings)))
    elif name == "fleiss_kappa":
        shares = _shares(items, ratings)
        of_label = _apart(apart, shares)
        expected = _total(shares, of_label)
        found = _corrected(items, ratings, apart, expected, expected - _means(items, of_label, ratings))
    elif name == "conger_kappa":
        if items.codes is None:
            return replace(none, why=_NOT_BY_RATER)
        found = _corrected(items, ratings, apart, *_by_rater(items, items.codes, apart))
    elif len(items.labels) < 2:
        return replace(none, why=_ONE_LABEL)
    else:
        found = _corrected(items, ratings, apart, *_by_labels(name, items, ratings, apart))
    if found is None:
        return replace(none, why=_CERTAIN)
    estimate, centre, scattered, number = found
    none = replace(none, estimate=estimate)
    if number < 2:
        return replace(none, why=_ONE_ITEM)
    sizes = items.items[two] if name.startswith("krippendorff") else items.items
    if method == "t" and sizes is items.items:
        scattered = scattered - centre * (two * (number / int(items.items[two].sum())) - 1)
    error = math.sqrt(_total(sizes, (scattered - centre) ** 2) / (number * (number - 1)))
    if error <= 64 * np.finfo(float).eps:
        return replace(none, standard_error=0.0, why=_ALIKE)
    reach = error * _rocksteady.student_t_quantile((1 - level) / 2, number - 1)
    low = max(estimate - reach, 0.0) if name == "percent_agreement" else estimate - reach
    note = _FEW if number < _MANY else None
    return replace(none, low=low, high=min(estimate + reach, 1.0), standard_error=error, note=note)


#: The value, what the column of items scatters around, that column, and the number of items.
_Found = tuple[float, float, "Floats", int]


def _corrected(items: _Items, ratings: Whole, apart: Floats | None, expected: float, beside: Floats) -> _Found | None:
    """1 less the observed over the expected disagreement, and what each item adds to it as Gwet has it.

    `beside` is how far the agreement expected of each item exceeds that of all: Gwet's pe|i less pe.
    """
    if not expected > 0:
        return None
    two = ratings >= 2
    number, pairs = int(items.items.sum()), int(items.items[two].sum())
    of_item = _pairs(items, apart) / np.maximum(ratings * (ratings - 1), 1)
    value = 1 - _total(items.items[two], of_item[two]) / pairs / expected
    own = np.where(two, (expected - of_item) * (number / pairs), 0.0)
    return value, value, (own - 2 * (1 - value) * beside) / expected, number


def _by_labels(name: str, items: _Items, ratings: Whole, apart: Floats | None) -> tuple[float, Floats]:
    """What Gwet's coefficients, or Brennan's and Prediger's, expect."""
    labels = len(items.labels)
    weight = float(labels if apart is None else labels**2 - math.fsum(apart.ravel().tolist()))
    if name == "brennan_prediger":
        return 1 - weight / labels**2, np.zeros(len(ratings))
    shares = _shares(items, ratings)
    factor = weight / (labels * (labels - 1))
    agreed = factor * _total(shares, 1 - shares)
    return 1 - agreed, factor * _means(items, 1 - shares, ratings) - agreed


def _by_rater(items: _Items, codes: NDArray[np.intp], apart: Floats | None) -> tuple[float, Floats]:
    """The mean disagreement of two raters with their own shares of labels, and what each item adds to it."""
    labels, number = len(items.labels), int(items.items.sum())
    there = codes >= 0
    given = np.array([items.items[each].sum() for each in there.T])
    raters = np.flatnonzero(given)
    shares = np.stack(
        [
            np.bincount(codes[there[:, g], g], weights=items.items[there[:, g]], minlength=labels) / given[g]
            for g in raters
        ]
    )
    pairs = len(raters) * (len(raters) - 1)
    others = shares.sum(axis=0) - shares
    of_label = _apart(apart, others)
    expected = _total(shares.ravel(), of_label.ravel()) / pairs
    agreed = others.sum(axis=1, keepdims=True) - of_label
    adds = np.zeros(len(codes))
    for rater, own, wanted in zip(raters, shares, agreed, strict=True):
        is_there = there[:, rater]
        mean = _total(own, wanted)
        of_item = np.where(is_there, wanted[codes[:, rater]] - mean, 0.0) * (number / given[rater])
        adds += of_item + mean
    return expected, adds / pairs - (1 - expected)


def _krippendorff(items: _Items, two: NDArray[np.bool_], apart: Floats | None, *, is_ordinal: bool) -> _Found | None:
    kept = _Items(items.labels, items.items[two], items.category[two], items.amount[two], items.raters, None)
    ratings = kept.amount.sum(axis=1)
    number, total = int(kept.items.sum()), int((kept.items * ratings).sum())
    cells = np.bincount(
        kept.category.ravel(), weights=(kept.amount * kept.items[:, None]).ravel(), minlength=len(kept.labels)
    )
    shares, mean = cells / total, total / number
    ranks = np.cumsum(shares) - shares / 2
    if is_ordinal:
        _refuse_many(kept.labels)
        apart = (ranks[:, None] - ranks) ** 2
    of_label = _apart(apart, shares)
    expected = _total(shares, of_label)
    if not expected > 0:
        return None
    of_item = _pairs(kept, apart) / (ratings - 1)
    observed = _total(kept.items, of_item) / total
    size = ratings / mean
    own = ((1 - 1 / total) * observed * (size - 1) - of_item / mean) / expected  # irrCAC's, with its 1 - 1 / N
    beside = _means(kept, of_label, np.full(len(ratings), mean)) - expected * size
    scattered = 1 + own + 2 * observed / expected * beside / expected
    if is_ordinal:
        scattered = scattered + _by_ranks(kept, shares, ranks, observed, expected) / mean
    return 1 - (1 - 1 / total) * observed / expected, 1 - observed / expected, scattered, number


def _by_ranks(items: _Items, shares: Floats, ranks: Floats, observed: float, expected: float) -> Floats:
    """What the ratings of an item add by moving the ranks of the labels, from which ordinal distances are made."""
    ratings = items.amount.sum(axis=1)
    total = int((items.items * ratings).sum())
    of_slot = ranks[items.category]
    apart = ratings[:, None] * of_slot - (items.amount * of_slot).sum(axis=1, keepdims=True)
    slopes = items.amount * apart * (items.items / (ratings - 1))[:, None]
    seen = np.bincount(items.category.ravel(), weights=slopes.ravel(), minlength=len(ranks)) / total
    by_chance = shares * (ranks * shares.sum() - _total(shares, ranks))
    slope = 4 * (observed * by_chance / expected - seen) / expected
    above = slope.sum() - np.cumsum(slope) + slope / 2  # a label moves its own rank by half
    return _sums(items, above)


def _pairs(items: _Items, apart: Floats | None) -> Floats:
    """The disagreement of all ordered pairs of ratings of an item, summed up."""
    if apart is None:
        ratings = items.amount.sum(axis=1)
        alike: Floats = (ratings * ratings - (items.amount * items.amount).sum(axis=1)).astype(np.float64)
        return alike
    found = np.zeros(len(items.amount))
    for a in range(items.amount.shape[1]):
        for b in range(a):
            each = apart[items.category[:, a], items.category[:, b]]
            found += 2 * items.amount[:, a] * items.amount[:, b] * each
    return found


def _shares(items: _Items, ratings: Whole) -> Floats:
    """The mean over the items of the share that each label has of the ratings of an item."""
    sizes, of_size = np.unique(ratings, return_inverse=True)
    labels = len(items.labels)
    cell = of_size.reshape(-1, 1) * labels + items.category
    weights = items.amount * items.items[:, None]
    # Whole numbers first, so that the order of the items plays no part.
    sums = np.bincount(cell.ravel(), weights=weights.ravel(), minlength=len(sizes) * labels).reshape(-1, labels)
    shares: Floats = (sums / sizes[:, None]).sum(axis=0) / items.items.sum()
    return shares


def _means(items: _Items, of_label: Floats, ratings: NDArray[Any]) -> Floats:
    """The mean over the ratings of an item of a number that each label has."""
    means: Floats = _sums(items, of_label) / ratings
    return means


def _sums(items: _Items, of_label: Floats) -> Floats:
    """The sum over the ratings of an item of such a number."""
    sums: Floats = (items.amount * of_label[items.category]).sum(axis=1)
    return sums


def _total(a: NDArray[Any], b: NDArray[Any]) -> float:
    """The sum of products, rounded once after each product."""
    return math.fsum((a * b).tolist())
