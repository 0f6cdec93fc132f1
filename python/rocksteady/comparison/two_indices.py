"""Compare two indices: how often they agree, and which one tells more evaluations apart."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import (
    counts_or_weights,
    mapping,
    not_negative,
    numbers,
    one_of,
    parameters_of,
    shown,
    string,
    wrong_type,
)
from rocksteady.base.record import Record
from rocksteady.base.statistic import Additive
from rocksteady.base.table import Table
from rocksteady.comparison.enumeration import EnumeratedMatrices, EnumeratedRankings
from rocksteady.errors import InputError
from rocksteady.labels.counts import Counts
from rocksteady.registry.registry import index

if TYPE_CHECKING:
    from numpy.typing import NDArray

Pairs = Literal["steps", "all"]
Better = Literal["higher", "lower"]
Parameters = Mapping[str, Mapping[str, object]]

_Values = tuple["NDArray[np.float64]", "NDArray[np.float64]"]


@dataclass(frozen=True, slots=True, repr=False)
class Consistency(Record, Additive):
    """How two indices f and g compare the same pairs of evaluations; made by `consistency`.

    Attributes
    ----------
    f, g : str
        The indices.
    pairs : {"steps", "all"}
        Which pairs were counted.
    R : int
        Pairs for which both indices prefer the same evaluation.
    P : int
        Pairs that only f tells apart.
    Q : int
        Pairs that only g tells apart.
    S : int
        Pairs for which f and g prefer different evaluations.
    none : int
        Pairs that neither index tells apart.
    skipped : int
        Steps (or evaluations, with all pairs) left out because f or g is undefined (NaN).
    trends : dict of tuple of int
        The type of each step of each curve; empty for all pairs. 1: both rise or both fall (R). 2: only f changes (P).
        3: only g changes (Q). 4: neither changes. 5: one rises and the other falls (S). 0: f or g is undefined. A loss
        rises when its value falls.

    References
    ----------
    Huang & Ling 2005, doi:10.1109/TKDE.2005.50.
    """

    f: str
    g: str
    pairs: Pairs
    R: int
    P: int
    Q: int
    S: int
    none: int
    skipped: int
    trends: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def c(self) -> float:
        """Degree of consistency C = R / (R + S), in [0, 1]; NaN where R + S = 0."""
        return self.R / (self.R + self.S) if self.R + self.S else math.nan

    @property
    def d(self) -> float:
        """Degree of discriminancy D = P / Q, at least 0; infinity where Q = 0 < P, NaN where P = Q = 0."""
        if self.Q:
            return self.P / self.Q
        return math.inf if self.P else math.nan

    def why(self, name: Literal["c", "d"]) -> str | None:
        """Why `c` or `d` is undefined or infinite; None if it is an ordinary number."""
        one_of(name, "name", ("c", "d"))
        if name == "c":
            return None if self.R + self.S else f"{self.f} and {self.g} never both tell a pair apart: R + S = 0."
        if self.Q:
            return None
        if self.P:
            return f"{self.f} tells apart every pair that {self.g} tells apart: Q = 0."
        return "No pair is told apart by one of the indices alone: P = Q = 0."

    @property
    def verdict(self) -> str:
        """C and D in words: f is the better measure if C > 1/2 and D > 1."""
        if math.isnan(self.c) or math.isnan(self.d):
            return self.why("c") or self.why("d") or ""
        if self.c <= 0.5:
            return f"{self.f} is not consistent with {self.g}: on pairs that both tell apart they mostly disagree."
        if self.d > 1:
            return f"{self.f} is consistent with {self.g} and more discriminating."
        if self.d < 1:
            return f"{self.f} is consistent with {self.g}, which is more discriminating."
        return f"{self.f} is consistent with {self.g} and equally discriminating."

    def summary(self) -> Table:
        """The numbers of the five kinds of pairs, C and D."""
        rows: list[tuple[str, str, int | float]] = [
            ("R", "both prefer the same one", self.R),
            ("P", f"only {self.f} tells them apart", self.P),
            ("Q", f"only {self.g} tells them apart", self.Q),
            ("S", "each prefers the other one", self.S),
            ("none", "neither tells them apart", self.none),
            ("C", "R / (R + S)", self.c),
            ("D", "P / Q", self.d),
        ]
        return Table(["", "meaning", "value"], rows)

    def _plus(self, other: Consistency) -> Consistency:
        """Add the counts of the same two indices over other evaluations, possibly with other tolerances.

        With all pairs, a pair with one evaluation from each side is not counted.

        Raises
        ------
        rocksteady.InputError
            If the indices differ, one side counts steps and the other all pairs, or a curve is in both.
        """
        if (self.f, self.g, self.pairs) != (other.f, other.g, other.pairs):
            mine, theirs = (f"{each.f} against {each.g} over {each.pairs}" for each in (self, other))
            raise InputError(f"cannot add {theirs} to {mine}; expected the same indices and pairs", argument="other")
        twice = sorted(self.trends.keys() & other.trends.keys())
        if twice:
            raise InputError(f"cannot add: the curve {shown(twice[0])} is in both", argument="other")
        sums = {kind: getattr(self, kind) + getattr(other, kind) for kind in ("R", "P", "Q", "S", "none", "skipped")}
        return replace(self, **sums, trends={**self.trends, **other.trends})

    def __repr__(self) -> str:
        counts = f"R={self.R}, P={self.P}, Q={self.Q}, S={self.S}, none={self.none}"
        skipped = f", skipped={self.skipped}" if self.skipped else ""
        return f"<{self.f} against {self.g}: {counts}{skipped}; C={self.c:.6g}, D={self.d:.6g}>"

    def _repr_html_(self) -> str:
        return self.summary()._repr_html_()


def consistency(
    f: str,
    g: str,
    evaluations: object,
    *,
    pairs: Pairs | None = None,
    tolerance: float | Mapping[str, float] | None = None,
    aggregate: Literal["pooled", "mean"] = "pooled",
    better: Mapping[str, Better] | None = None,
    parameters: Parameters | None = None,
) -> Consistency:
    """Degree of consistency and degree of discriminancy of two indices over a set of evaluations.

    Of two evaluations an index prefers one, or cannot tell them apart.

    - C: of the pairs that both indices tell apart, the fraction on which they agree.
    - D: the number of pairs that only f tells apart, divided by the number that only g tells apart.

    If C > 1/2 and D > 1, f is statistically consistent with g and more discriminating: f is the better measure.

    Parameters
    ----------
    f, g : str
        Two indices, by name or alias. The sign of a loss such as "cen" is flipped.
    evaluations : curve, or mapping from names to curves
        A curve is an ordered sequence of evaluations. It may be

        - a sequence of `ConfusionMatrix` or of `ScoreTable` (any object with a method `value`);
        - a sequence of sequences of these: the folds of each evaluation (see `aggregate`);
        - an array of shape (N, K, K), the cells of N confusion matrices; or `Counts` of shape (N,);
        - two columns of N numbers each, the values of f and of g: a pair of arrays or an array of shape (2, N);
        - the result of `enumerate_matrices` or `enumerate_rankings`: all possible outcomes.
    pairs : {"steps", "all"}, optional
        "steps": each evaluation and the next one of its curve. "all": all pairs of evaluations of all curves. Default:
        "steps"; "all" for an enumeration.
    tolerance : float, or mapping from index to float, optional
        Values that differ by at most the tolerance are not told apart. Default: 0, which tells values apart that differ
        in the last bit. For an enumeration 1e-12, so that rounding errors do not count.
    aggregate : {"pooled", "mean"}
        The value of an evaluation with folds: the index of the sum of its folds, or the mean of their values.
    better : mapping from index to "higher" or "lower", optional
        Which direction is better. For an index whose direction in the registry is "neither", or for a name that is not
        in the registry, if `evaluations` holds values.
    parameters : mapping from index to a mapping, optional
        Parameters of the indices, such as ``{"fbeta": {"beta": 2}}``.

    Returns
    -------
    Consistency

    Raises
    ------
    rocksteady.UnknownIndexError
        If there is no such index, or an evaluation does not have it.
    rocksteady.InputError
        If the direction of an index is "neither", a tolerance is negative or not finite, or columns differ in length.
    rocksteady.InputTypeError
        If the evaluations are none of the above.

    Notes
    -----
    Steps and evaluations with a NaN are left out; `skipped` is their number. A mean over folds is undefined if one fold
    is. A conventional value, such as MCC's 0, is an ordinary value. All pairs are counted in O(N log N).

    D depends on the tolerances. Along a curve, matrices that one index cannot tell apart are mostly equal, so no other
    index can tell them apart: Q = 0 and D is infinite. D is finite only with tolerances, each on the scale of its
    index. Report several. Means over folds and indices with logarithms have rounding errors, which 1e-12 removes.

    References
    ----------
    Huang & Ling 2005, Using AUC and accuracy in evaluating learning algorithms, doi:10.1109/TKDE.2005.50.

    Examples
    --------
    >>> import rocksteady as rs
    >>> by_k = [[[40, 10], [12, 38]], [[42, 8], [11, 39]], [[42, 8], [9, 41]], [[44, 6], [11, 39]]]
    >>> found = rs.comparison.consistency("cen", "accuracy", by_k)
    >>> found
    <cen against accuracy: R=2, P=1, Q=0, S=0, none=0; C=1, D=inf>
    >>> found.trends, found.why("d")
    ({'evaluations': (1, 1, 2)}, 'cen tells apart every pair that accuracy tells apart: Q = 0.')

    Over all rankings of five positives and five negatives, as in the paper:

    >>> rs.comparison.consistency("roc_auc", "accuracy", rs.comparison.enumerate_rankings(5, 5))
    <roc_auc against accuracy: R=19742, P=9416, Q=618, S=766, none=1084; C=0.962649, D=15.2362>
    """
    names = (string(f, "f", "the name of an index"), string(g, "g", "the name of an index"))
    curves = evaluations if isinstance(evaluations, Mapping) else {"evaluations": evaluations}
    enumerated = any(isinstance(curve, (EnumeratedMatrices, EnumeratedRankings)) for curve in curves.values())
    if pairs is None:
        pairs = "all" if enumerated else "steps"
    one_of(pairs, "pairs", ("steps", "all"))
    one_of(aggregate, "aggregate", ("pooled", "mean"))
    own = {
        name: parameters_of(value, f"parameters[{shown(name)}]")
        for name, value in _of_names(parameters, "parameters", names).items()
    }
    given = _of_names(better, "better", names)
    lower = (_is_loss(f, given), _is_loss(g, given))
    if tolerance is None:
        tolerance = 1e-12 if enumerated else 0.0
    if isinstance(tolerance, Mapping):
        tolerances = _of_names(tolerance, "tolerance", names)
        each_allowed = [not_negative(tolerances.get(name, 0.0), f"tolerance[{shown(name)}]") for name in names]
        allowed = (each_allowed[0], each_allowed[1])
    else:
        allowed = (not_negative(tolerance, "tolerance"),) * 2

    values = {str(name): _values(curve, names, own, aggregate) for name, curve in curves.items()}
    if pairs == "all":
        first, second = (np.concatenate([[], *(curve[place] for curve in values.values())]) for place in (0, 1))
        counted, skipped = _rocksteady.consistency_pairs(first, second, _multiplicity(curves), lower, allowed)
        return _consistency(names, pairs, [counted], skipped, {})
    if enumerated:
        raise InputError("pairs is 'steps'; expected 'all', as an enumeration has no order", argument="pairs")
    steps = {name: _rocksteady.consistency_steps(*curve, lower, allowed) for name, curve in values.items()}
    trends = {name: tuple(kinds.tolist()) for name, (kinds, _, _) in steps.items()}
    each = [counted for _, counted, _ in steps.values()]
    return _consistency(names, pairs, each, sum(skipped for _, _, skipped in steps.values()), trends)


def _consistency(
    names: tuple[str, str],
    pairs: Pairs,
    each: Sequence[tuple[int, int, int, int, int]],
    skipped: int,
    trends: Mapping[str, tuple[int, ...]],
) -> Consistency:
    r, p, q, s, none = (sum(counted[kind] for counted in each) for kind in range(5))
    return Consistency(*names, pairs, R=r, P=p, Q=q, S=s, none=none, skipped=skipped, trends=trends)


def _of_names(given: Mapping[str, Any] | None, argument: str, names: tuple[str, str]) -> Mapping[str, Any]:
    found = mapping(given, argument, f"a mapping from {shown(names[0])} or {shown(names[1])}")
    for name in found:
        if name not in names:
            message = (
                f"{argument} names {shown(name)}; expected {shown(names[0])} or {shown(names[1])}, the indices compared"
            )
            raise InputError(message, argument=argument)
    return found


def is_loss(name: str, better: str, hint: str) -> bool:
    """Whether lower is better. An index with the direction "neither" is refused."""
    if better == "neither":
        message = f"neither higher nor lower is better for {shown(name)}; {hint}"
        raise InputError(message, argument="name")
    return better == "lower"


def _is_loss(name: str, given: Mapping[str, Better]) -> bool:
    if name in given:
        one_of(given[name], f"better[{shown(name)}]", ("higher", "lower"))
        return given[name] == "lower"
    return is_loss(name, index(name).better, f"say which is with better={{{shown(name)}: 'higher'}}")


def _multiplicity(curves: Mapping[str, object]) -> NDArray[np.uint64] | None:
    given = [getattr(curve, "multiplicity", None) for curve in curves.values()]
    if all(each is None for each in given):
        return None
    if len(given) > 1:
        message = "evaluations counts outcomes in one of several enumerations; expected that enumeration alone"
        raise InputError(message, argument="evaluations")
    return given[0]


def _values(
    curve: object, names: tuple[str, str], parameters: Mapping[str, Mapping[str, object]], aggregate: str
) -> _Values:
    """The values of both indices over one curve."""
    if isinstance(curve, (Counts, EnumeratedMatrices, EnumeratedRankings)):
        f, g = (np.asarray(curve.value(name, **parameters.get(name, {}))) for name in names)
        if f.ndim != 1:
            raise InputError(f"evaluations is Counts of shape {f.shape}; expected (N,)", argument="evaluations")
        return f, g
    single = isinstance(curve, (str, bytes, Mapping)) or (isinstance(curve, np.ndarray) and curve.ndim == 0)
    items = list(curve) if isinstance(curve, Iterable) and not single else None
    if items is None:
        raise wrong_type(curve, "evaluations", "a sequence of evaluations")
    if all(_evaluates(item) for item in items):
        f, g = (np.array([item.value(name, **parameters.get(name, {})) for item in items]) for name in names)
        return f.astype(np.float64), g.astype(np.float64)
    if all(isinstance(item, Sequence) and all(map(_evaluates, item)) for item in items):
        return _of_folds(items, names, parameters, aggregate)
    return _of_numbers(curve, names, parameters)


def _evaluates(item: object) -> bool:
    return callable(getattr(item, "value", None))


def _of_folds(
    items: Sequence[Sequence[Any]],
    names: tuple[str, str],
    parameters: Mapping[str, Mapping[str, object]],
    aggregate: str,
) -> _Values:
    for place, folds in enumerate(items):
        if not folds:
            raise InputError(f"evaluations[{place}] has no folds; expected at least one", argument="evaluations")
    if aggregate == "pooled":
        return _values([reduce(add, folds) for folds in items], names, parameters, aggregate)

    def mean(folds: Sequence[Any], name: str) -> float:
        return math.fsum(fold.value(name, **parameters.get(name, {})) for fold in folds) / len(folds)

    f, g = (np.array([mean(folds, name) for folds in items]) for name in names)
    return f, g


def _of_numbers(curve: Any, names: tuple[str, str], parameters: Mapping[str, Mapping[str, object]]) -> _Values:
    array = numbers(curve, "evaluations")
    if array.ndim == 3:
        stack = counts_or_weights(array)
        f, g = (_rocksteady.evaluate_matrices(stack, name, parameters.get(name, {})) for name in names)
        return f, g
    if array.ndim == 2 and len(array) == 2:
        return array[0].astype(np.float64), array[1].astype(np.float64)
    message = (
        f"evaluations is an array of shape {array.shape}; "
        "expected (N, K, K), confusion matrices, or (2, N), the values of both indices"
    )
    raise InputError(message, argument="evaluations")
