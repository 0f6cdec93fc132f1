"""The curves of a score table."""

from __future__ import annotations

import re
import weakref
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import not_negative, numbers, one_of, string, wrong_value
from rocksteady.base.named_columns import parameters_by_class
from rocksteady.base.result import of_positive
from rocksteady.base.statistic import Along
from rocksteady.registry.registry import index
from rocksteady.scores.curves.cost import BrierCurve, CostCurve, CostLines
from rocksteady.scores.curves.decision import DecisionCurve
from rocksteady.scores.curves.det import DetCurve
from rocksteady.scores.curves.gain import GainCurve, LiftCurve
from rocksteady.scores.curves.ks import KS, KsCurve
from rocksteady.scores.curves.line import Curve, IndexCurve, points_asked
from rocksteady.scores.curves.precision_recall import Interpolation, PrecisionRecallCurve, PrecisionRecallGainCurve
from rocksteady.scores.curves.risk_coverage import RiskCoverageCurve
from rocksteady.scores.curves.roc import RocConvexHull, RocCurve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from rocksteady.scores.curves.line import Array


C = TypeVar("C", bound=IndexCurve)
C_co = TypeVar("C_co", bound=IndexCurve, covariant=True)


class _Read(Protocol[C_co]):
    def __call__(self, max_points: int | None = None, max_deviation: float | None = None) -> C_co: ...


class _Method(Protocol[C_co]):
    def __get__(self, table: object, owner: type | None = None) -> _Read[C_co]: ...


def _method_of(curve: type[C]) -> _Method[C]:
    """The method of a score table that makes the curve."""

    @of_positive
    def read(self: Curves, max_points: int | None = None, max_deviation: float | None = None) -> C:
        return self._read_curve(curve, max_points, max_deviation)

    read.__name__ = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", curve.__name__).lower()
    read.__qualname__ = f"Curves.{read.__name__}"
    read.__doc__ = f"""The curve at every threshold, or at a few chosen points: see `rocksteady.{curve.__name__}`.

        Parameters
        ----------
        max_points : int, optional
            The most points that the curve may have.
        max_deviation : float, optional
            The most that the whole curve may differ from these points, vertically; 0 leaves out only points on straight
            lines. By default the curve has every threshold, unless `max_points` is given.

        Returns
        -------
        {curve.__name__}
            Its `deviation` says how far the whole curve lies from it.

        Raises
        ------
        rocksteady.InputError
            As for `{curve.__name__}.simplify`.
        """
    return cast("_Method[C]", read)


def probabilities_asked(at: ArrayLike) -> Array:
    """Threshold probabilities."""
    wanted = np.array(numbers(at, "at"), dtype=np.float64)
    if wanted.ndim != 1:
        raise wrong_value(at, "at", "a list of numbers")
    outside = ~((wanted >= 0) & (wanted <= 1))
    if outside.any():
        place = int(outside.argmax())
        raise wrong_value(float(wanted[place]), f"at[{place}]", "a number from 0 to 1")
    return wanted


class Curves(Along):
    """The methods of a `rocksteady.ScoreTable` that read all thresholds: its curves."""

    __slots__ = ()

    _state: _rocksteady.ScoreState
    _kept: dict[str, weakref.ref[Any]]

    def _along(self, name: str, parameters: dict[str, Any]) -> Array:
        return self._state.every([name], parameters_by_class(parameters, self))[0]

    def _along_each(self, names: Sequence[str], parameters: dict[str, Any]) -> dict[str, Array]:
        return dict(zip(names, self._state.every(list(names), parameters_by_class(parameters, self)), strict=True))

    def _swept(self, *names: str) -> list[Array]:
        """Columns of indices. Curves that exist at the same time share them."""
        try:
            kept = self._kept
        except AttributeError:
            kept = self._kept = {}  # type: ignore[misc]  # the table has the slot
        found = {name: kept[name]() for name in names if name in kept}
        missing = [name for name in names if found.get(name) is None]
        if missing:
            indices = [name for name in missing if name != "threshold"]
            made = dict(zip(indices, self._state.every(indices, {}), strict=True))
            if "threshold" in missing:
                made["threshold"] = _rocksteady.sweep_thresholds(self._state, None)
            for name, convention in (("precision", 1.0), ("fdr", 0.0)):
                if name in made:
                    made[name][0] = convention
            for name, column in made.items():
                column.setflags(write=False)
                kept[name] = weakref.ref(column)
            found |= made
        columns: dict[str, Any] = found
        return [columns[name] for name in names]

    def _read_curve(self, curve: type[C], max_points: int | None, max_deviation: float | None) -> C:
        """A curve of one index against another."""
        if curve._sweep or (max_points is None and max_deviation is None):
            (x, y, thresholds), deviation = self._few(curve._sweep, curve._names(), max_points, max_deviation)
            return curve(x, y, thresholds, *self._state.totals, deviation)  # type: ignore[call-arg]  # a dataclass
        return self._read_curve(curve, None, None).simplify(max_points, 0.0 if max_deviation is None else max_deviation)

    def _few(self, kind: str, names: list[str], max_points: object, max_deviation: object) -> tuple[list[Array], float]:
        """Columns of `names`, then the thresholds: all points, or a few that are chosen before any is written."""
        if max_points is None and max_deviation is None:
            return self._swept(*names, "threshold"), 0.0
        most = points_asked(max_points)
        allowed = 0.0 if max_deviation is None else not_negative(max_deviation, "max_deviation")
        places, deviation = _rocksteady.simplify_sweep(self._state, kind, most, allowed)
        columns = _rocksteady.sweep_columns(self._state, names, places)
        return [*columns, _rocksteady.sweep_thresholds(self._state, places)], deviation

    @of_positive
    def curve(self, x: str, y: str, **parameters: object) -> Curve:
        """One count-based index against another over all `thresholds`: ROC is ("fpr", "tpr"), lift ("rpp", "lift").

        Parameters
        ----------
        x, y : str
            Indices that are functions of the four counts, or of a two-by-two matrix; "threshold" stands for the
            threshold itself.
        **parameters
            Of the indices, such as ``beta=2`` for "fbeta": each goes to those of the two that have it.

        Returns
        -------
        Curve
            Of ``len(table) + 1`` points, which ``x, y = …`` unpacks.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it needs no threshold.
        rocksteady.InputError
            If neither index has a parameter.

        Examples
        --------
        >>> import rocksteady as rs
        >>> table = rs.ScoreTable([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> rpp, f2 = table.curve("rpp", "fbeta", beta=2)
        >>> f2.round(3)
        array([0.   , 0.556, 0.5  , 0.909, 0.833])
        >>> table.curve("threshold", "mcc")
        Curve of 5 entries, 3 columns; positive class 1; x_name 'threshold'; y_name 'mcc'; deviation 0
              x        y  thresholds
        0   inf        0         inf
        1   0.8  0.57735         0.8
        2   0.4        0         0.4
        3  0.35  0.57735        0.35
        4   0.1        0         0.1
        """
        names = string(x, "x", "the name of an index"), string(y, "y", "the name of an index")
        rows = [None if name == "threshold" else index(name) for name in names]
        own = [{p.name for p in row.parameters} if row else set() for row in rows]
        strange = {name: value for name, value in parameters.items() if name not in own[0] | own[1]}
        (thresholds,) = self._swept("threshold")
        columns = [
            self.every(row.name, **strange, **{name: parameters[name] for name in parameters if name in known})
            if row
            else thresholds
            for row, known in zip(rows, own, strict=True)
        ]
        return Curve(columns[0], columns[1], thresholds, *names)

    roc_curve = _method_of(RocCurve)

    @of_positive
    def precision_recall_curve(
        self, interpolation: Interpolation = "step", max_points: int | None = None, max_deviation: float | None = None
    ) -> PrecisionRecallCurve:
        """Precision against recall, starting at recall 0, precision 1.

        Parameters
        ----------
        interpolation : {"step", "linear", "davis_goadrich"}
            What stands between two thresholds: see `PrecisionRecallCurve`. The last adds points where it bends.
        max_points, max_deviation
            As for `roc_curve`.

        Returns
        -------
        PrecisionRecallCurve

        Examples
        --------
        >>> import rocksteady as rs
        >>> table = rs.ScoreTable([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> [round(table.precision_recall_curve(how).area(), 4) for how in ("step", "linear", "davis_goadrich")]
        [0.8333, 0.7917, 0.7917]
        """
        one_of(interpolation, "interpolation", ("step", "linear", "davis_goadrich"))
        totals = self._state.totals
        if interpolation == "davis_goadrich":
            columns = _rocksteady.interpolated_precision_recall(self._state)
            curve = PrecisionRecallCurve(*columns, interpolation, *totals)
            if max_points is None and max_deviation is None:
                return curve
            return curve.simplify(max_points, 0.0 if max_deviation is None else max_deviation)
        if max_points is None and max_deviation is None:
            recall, precision, thresholds = self._swept("recall", "precision", "threshold")
            return PrecisionRecallCurve(recall, precision, thresholds, interpolation, *totals)
        (x, y, thresholds), deviation = self._few(interpolation, ["recall", "precision"], max_points, max_deviation)
        y[0] = 1.0
        return PrecisionRecallCurve(x, y, thresholds, interpolation, *totals, deviation)

    det_curve = _method_of(DetCurve)
    gain_curve = _method_of(GainCurve)
    lift_curve = _method_of(LiftCurve)

    def cap_curve(self, max_points: int | None = None, max_deviation: float | None = None) -> GainCurve:
        """The cumulative accuracy profile: another name of `gain_curve`. Its index is `GainCurve.accuracy_ratio`."""
        return self.gain_curve(max_points, max_deviation)

    risk_coverage_curve = _method_of(RiskCoverageCurve)

    @of_positive
    def ks_curve(self, max_points: int | None = None, max_deviation: float | None = None) -> KsCurve:
        """Both rates over the threshold, with the point where they differ most.

        Parameters
        ----------
        max_points, max_deviation
            As for `roc_curve`; the point of the greatest distance stays.
        """
        (tpr, fpr, thresholds), deviation = self._few("ks", ["recall", "fpr"], max_points, max_deviation)
        return KsCurve(thresholds, tpr, fpr, KS(*self._state.ks()), deviation)

    @of_positive
    def roc_convex_hull(self) -> RocConvexHull:
        """The corners of the convex hull of the ROC curve.

        >>> import rocksteady as rs
        >>> rs.ScoreTable([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8]).roc_convex_hull().thresholds
        array([inf, 0.8, 0.4, 0.1])
        """
        places = _rocksteady.hull_places(self._state)
        fpr, tpr = _rocksteady.sweep_columns(self._state, ["fpr", "recall"], places)
        return RocConvexHull(fpr, tpr, _rocksteady.sweep_thresholds(self._state, places))

    @of_positive
    def cost_curve(self) -> CostCurve:
        """The least expected cost over all thresholds, for each balance of costs and classes."""
        x, y, places = _rocksteady.cost_curve(self._state)
        return CostCurve(x, y, _rocksteady.sweep_thresholds(self._state, places))

    @of_positive
    def cost_lines(self) -> CostLines:
        """The expected cost of each threshold, a straight line over the probability-cost."""
        fpr, fnr, thresholds = self._swept("fpr", "fnr", "threshold")
        return CostLines(thresholds, fpr, fnr)

    @of_positive
    def decision_curve(self, at: ArrayLike | None = None) -> DecisionCurve:
        """Net benefit of acting on the scores as probabilities, compared with acting on all rows.

        Parameters
        ----------
        at : array-like of float, optional
            Threshold probabilities, in [0, 1], in any order. Default: every distinct score, ascending.

        Returns
        -------
        DecisionCurve

        Raises
        ------
        rocksteady.InputError
            If scores lie outside [0, 1], or thresholds do.
        """
        if at is None:
            net_benefit, treat_all = _rocksteady.net_benefit(self._state, None)
            (thresholds,) = self._swept("threshold")
            return DecisionCurve(thresholds[:0:-1], net_benefit, treat_all)
        wanted = probabilities_asked(at)
        net_benefit, treat_all = _rocksteady.net_benefit(self._state, wanted)
        return DecisionCurve(wanted, net_benefit, treat_all)

    @of_positive
    def brier_curve(self) -> BrierCurve:
        """The loss for each proportion of costs when the threshold is that proportion: its area is the Brier score.

        Raises
        ------
        rocksteady.InputError
            If scores lie outside [0, 1].
        """
        cost_proportion, loss = _rocksteady.brier_curve(self._state)
        return BrierCurve(cost_proportion, loss)

    @of_positive
    def precision_recall_gain_curve(self) -> PrecisionRecallGainCurve:
        """Precision gain against recall gain, starting at recall gain 0."""
        recall_gain, precision_gain, thresholds = _rocksteady.precision_recall_gain(self._state)
        return PrecisionRecallGainCurve(recall_gain, precision_gain, thresholds)
