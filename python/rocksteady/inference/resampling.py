"""The bootstrap: any index of many resamples of the same rows, from one sort."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import listed, named, one_of, real, several, shown, string, whole, wrong_value
from rocksteady.base.statistic import Additive
from rocksteady.base.table import Table, repr_html
from rocksteady.base.warning import warn
from rocksteady.base.ways_out import WaysOut
from rocksteady.errors import InputError, UnknownIndexError
from rocksteady.inference.difference import Difference, level_of
from rocksteady.inference.interval import Interval, of_each

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray


BootstrapMethod = Literal["percentile", "basic", "bca", "normal"]
Resample = Literal["multinomial", "poisson"]
RandomState = int | np.random.Generator | None

_METHODS: Final = ("percentile", "basic", "bca", "normal")
_RESAMPLES: Final = ("multinomial", "poisson")

# A larger share of replicates without a value gives a warning.
_MANY_UNDEFINED: Final = 0.01

_CONSTANT: Final = "All replicates are equal, so they do not show how the value scatters."


@dataclass(frozen=True, slots=True)
class Plan:
    """The options of resampling.

    `at` has the thresholds, or the index whose best threshold is chosen; `has_axis` says that several were given.
    """

    indices: tuple[str, ...]
    at: tuple[float, ...] | str
    has_axis: bool
    parameters: dict[str, Any]
    n_resamples: int
    seed: int
    resample: str
    strata: str | None
    method: str
    level: float
    is_keyed: bool = False

    @property
    def read(self) -> list[tuple[str, int]]:
        """What a replicate is asked: each index, with the place of its threshold if it reads counts."""
        places = len(self.at) if self.has_axis else 1
        each = ((name, places if _rocksteady.bootstrap_reads_counts(name) else 1) for name in self.indices)
        return [(name, place) for name, places in each for place in range(places)]

    def asked(self) -> _rocksteady._Bootstrapping:
        """The arguments for the extension."""
        at = self.at if isinstance(self.at, str) else list(self.at)
        is_stratified = self.strata == "label"
        return self.read, self.parameters, at, self.n_resamples, self.seed, self.resample, is_stratified


@dataclass(frozen=True, slots=True)
class Replicated:
    """One value of one model: acceleration if known, values in the replicates, number of undefined ones."""

    estimate: float
    acceleration: float | None
    values: NDArray[np.float64]
    undefined: int
    why: str | None = None
    optimism: float = 0.0
    note: str | None = None
    telling: tuple[float, ...] = ()  # how many units tell the scatter of the value, or of each of two


@dataclass(frozen=True, slots=True)
class Replicates:
    """The values of one index of one model: of each threshold, class or label where there is an axis."""

    parts: tuple[Replicated, ...]
    axis: dict[str, NDArray[Any]] | None = None

    def over(self, read: Callable[[Replicated], Any]) -> Any:
        """What is read of the value, or an array of it."""
        found = [read(part) for part in self.parts]
        return found[0] if self.axis is None else np.array(found)


_Counts = tuple["NDArray[np.float64]", "NDArray[np.float64]", "NDArray[np.float64]", "NDArray[np.float64]"]


@dataclass(frozen=True, slots=True)
class OfModel:
    """The indices of one model, and tp, fp, fn, tn of the table and of each replicate, at one threshold."""

    indices: dict[str, Replicates]
    counts: _Counts | None = None
    own: tuple[float, float, float, float] | None = None


def _added(one: Any, other: Any) -> Any:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _less(one: Any, other: Any) -> Any:
    """The cells of a table minus the cells of another, which must be a part of it."""
    cells = tuple(a - b for a, b in zip(one, other, strict=True))
    if any(np.any(np.less(cell, 0)) for cell in cells):
        raise InputError("cannot subtract: the second has rows that are not among the rows of the first")
    return cells


class Bootstrap(WaysOut, Additive):
    """Indices with their values in many resamples of the rows; of `bootstrap`, ``cm.bootstrap`` and ``table.bootstrap``.

    ``boot["roc_auc"]`` is an `Interval`; of several models, one for each by name. Two results of count indices with keys
    add up to the result of all rows, to the bit: ``boot_a + boot_b``.

    Examples
    --------
    >>> import rocksteady as rs
    >>> cm = rs.ConfusionMatrix.from_counts([[91, 16], [14, 79]])
    >>> boot = cm.bootstrap(["accuracy", "mcc"], random_state=0)
    >>> boot.summary()
    index     estimate       low     high  standard_error  undefined
    accuracy      0.85     0.805      0.9       0.0240277          0
    mcc       0.699087  0.601918  0.79876       0.0482738          0
    """

    __slots__ = ("_models", "_plan")

    def __init__(self, plan: Plan, models: dict[str | None, OfModel]) -> None:
        self._plan = plan
        self._models = models

    @property
    def indices(self) -> tuple[str, ...]:
        """The names of the indices."""
        return self._plan.indices

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the models; empty for a single one."""
        return tuple(name for name in self._models if name is not None)

    @property
    def n_resamples(self) -> int:
        """The number of replicates."""
        return self._plan.n_resamples

    @property
    def method(self) -> str:
        """How intervals are made of replicates: "percentile", "basic", "bca" or "normal"."""
        return self._plan.method

    @property
    def resample(self) -> str:
        """How replicates are drawn: "multinomial" or "poisson"."""
        return self._plan.resample

    @property
    def strata(self) -> str | None:
        """What keeps its size in replicates: "label", the classes; "column", the strata that were given; or None."""
        return self._plan.strata

    @property
    def random_state(self) -> int:
        """The seed. The same seed gives the same replicates."""
        return self._plan.seed

    def __getitem__(self, name: str) -> Any:
        """The interval of an index; of several models, one for each by name."""
        each = {model: self.interval(name, model) for model in self._models}
        return each if self.names else each[None]

    def _found(self, name: str, model: str | None) -> Replicates:
        known = several(self.names) or "None, as there is one model without a name"
        found = self._models[named(model, "model", self._models, f"one of {known}")].indices
        string(name, "name", "the name of an index")
        known_name = name if name in found else _rocksteady.index_name(name)
        if known_name not in found:
            raise UnknownIndexError(f"{shown(name)} was not bootstrapped; these were: {', '.join(found)}")
        return found[known_name]

    def interval(
        self,
        name: str,
        model: str | None = None,
        *,
        method: BootstrapMethod | None = None,
        level: float | None = None,
    ) -> Interval:
        """The interval of one index of one model.

        Parameters
        ----------
        name : str
            One of `indices`.
        model : str, optional
            One of `names`, if there are several.
        method : {"percentile", "basic", "bca", "normal"}, optional
            Default: that of the call.
        level : float, optional
            Between 0 and 1. Default: that of the call.

        Returns
        -------
        Interval
            Its fields are arrays, and `keys` says what of, if there are several thresholds, or classes without an
            average.

        Raises
        ------
        rocksteady.UnknownIndexError
            If the index was not bootstrapped.
        rocksteady.InputError
            If `model`, `method` or `level` is none of these.
        """
        found = self._found(name, model)
        each = [self._interval(part, method, level) for part in found.parts]
        return each[0] if found.axis is None else of_each(each, found.axis)

    def _interval(self, found: Replicated, method: str | None, level: float | None) -> Interval:
        used = self._plan.method if method is None else method
        one_of(used, "method", _METHODS)
        level = self._plan.level if level is None else level_of(level)
        notes = [found.note or _rocksteady.bootstrap_few(list(found.telling))]
        if used == "bca" and found.acceleration is None:
            used = "percentile"
            notes.append("The influence of single rows on this value is not known, so there is no BCa interval.")
        (low, high, error), undefined = _rocksteady.bootstrap_interval(
            found.values, found.estimate, found.acceleration or 0.0, used, level
        )
        if undefined:
            notes.append(f"{undefined} of {len(found.values)} replicates have no value and are left out.")
        why = found.why
        if why is None and low != low:
            why = "No replicate has a value." if undefined == len(found.values) else _CONSTANT
        note = " ".join(said for said in notes if said) or None
        return Interval(found.estimate, low, high, level, used, "two-sided", error, why, note)

    def every(self, name: str, model: str | None = None) -> NDArray[np.float64]:
        """The index in each replicate: shape (n_resamples,); NaN where it is undefined. Read-only.

        Of several thresholds, or classes without an average, it has a column for each.
        """
        found = self._found(name, model)
        if found.axis is None:
            return found.parts[0].values
        values = np.stack([part.values for part in found.parts], axis=1)
        values.setflags(write=False)
        return values

    @property
    def undefined(self) -> dict[str, Any]:
        """How many replicates have no value, by index; of several models, by model and index."""
        return self._of_each(lambda part: part.undefined)

    @property
    def optimism(self) -> dict[str, Any]:
        """By how much a value is too good because its threshold was chosen on the same rows, by index (and model).

        The mean over the replicates of the value at the threshold that is best there, less the value of all rows at that
        threshold (Efron 1983, doi:10.2307/2288636). Estimates, replicates and intervals are those at the threshold that
        is best for all rows, less this. It is 0 for thresholds that were given.
        """
        return self._of_each(lambda part: part.optimism)

    def _of_each(self, read: Callable[[Replicated], Any]) -> dict[str, Any]:
        each = {
            model: {name: one.over(read) for name, one in found.indices.items()}
            for model, found in self._models.items()
        }
        return {str(model): one for model, one in each.items()} if self.names else each[None]

    def difference(
        self, name: str, first: str, second: str, *, method: BootstrapMethod | None = None, level: float | None = None
    ) -> Difference:
        """The index of one model less that of another, from the replicates that they share.

        Its `p_value` comes from the replicates shifted to a difference of 0: the share of them that are at least as far
        from 0 as the difference, where the observed one counts as one more.

        Parameters
        ----------
        name : str
            One of `indices`.
        first, second : str
            Two of `names`.
        method : {"percentile", "basic", "bca", "normal"}, optional
            Default: that of the call. "bca" becomes "percentile": it finds a difference between equal models too often.
        level : float, optional
            Default: that of the call.

        Raises
        ------
        rocksteady.UnknownIndexError, rocksteady.InputError
            As `interval`; and if the index has several values: pass one threshold, or an average.

        >>> import rocksteady as rs
        >>> y = [0, 0, 0, 1, 1, 1, 0, 1, 0, 1]
        >>> models = {"a": [1, 3, 2, 4, 6, 5, 3, 7, 2, 3], "b": [1, 3, 2, 4, 2, 5, 3, 1, 2, 3]}
        >>> boot = rs.inference.bootstrap(y, models, "roc_auc", strata="label", random_state=0)
        >>> round(boot.difference("roc_auc", "a", "b").estimate, 6)
        0.3
        """
        found = [self._found(name, model) for model in (first, second)]
        if found[0].axis is not None:
            axis = next(iter(found[0].axis))
            cure = "one threshold" if axis == "threshold" else "an average over them"
            raise InputError(f"{name} has a value for each {axis}; expected {cure}", argument="name")
        one, other = (each.parts[0] for each in found)
        distance = one.estimate - other.estimate
        values = one.values - other.values
        used = self._plan.method if method is None else method
        both = Replicated(
            distance, None, values, 0, one.why or other.why, 0.0, one.note or other.note, one.telling + other.telling
        )
        made = self._interval(both, "percentile" if used == "bca" else used, level)
        error = float(made.standard_error)
        statistic = p_value = float("nan")
        if made.why is None:
            defined = values[~np.isnan(values)]
            as_far = np.count_nonzero(np.abs(defined - distance) >= abs(distance))
            statistic, p_value = distance / error, float((1 + as_far) / (1 + len(defined)))
        told = (distance, float(made.low), float(made.high), error, statistic, p_value, made.why)
        called, pair = _rocksteady.index_name(name), (first, second)
        return Difference._of(told, called, pair, made.level, made.method, made.note)  # type: ignore[arg-type]  # why is text

    def summary(self) -> Table:
        """Every index, of every model, with its interval: one row each."""
        heads = ["index", "estimate", "low", "high", "standard_error", "undefined"]
        axes = list(
            dict.fromkeys(
                axis for found in self._models.values() for one in found.indices.values() for axis in one.axis or ()
            )
        )
        rows: list[list[Any]] = []
        for model, found in self._models.items():
            for name, one in found.indices.items():
                for place, part in enumerate(one.parts):
                    made = self._interval(part, None, None)
                    at = [one.axis[axis][place] if one.axis and axis in one.axis else None for axis in axes]
                    cells = [name, *at, made.estimate, made.low, made.high, made.standard_error, part.undefined]
                    rows.append(cells if model is None else [model, *cells])
        heads[1:1] = axes
        return Table(["model", *heads] if self.names else heads, rows)

    def _plus(self, other: Bootstrap) -> Bootstrap:
        """The bootstrap of the rows of both, whose keys decided the draws."""
        return self._joined(other, _added)

    def __sub__(self, other: object) -> Bootstrap:
        """The bootstrap of the rows here that are not those of `other`, drawn by their keys: ``(a + b) - b`` is ``a``."""
        return self._joined(other, _less) if isinstance(other, Bootstrap) else NotImplemented

    def _joined(self, other: Bootstrap, how: Callable[[Any, Any], Any]) -> Bootstrap:
        if not (self._plan.is_keyed and other._plan.is_keyed):
            raise InputError(
                'replicates add up only if rows were drawn by their keys: resample="poisson", key=...', argument="key"
            )
        if self._plan != other._plan or list(self._models) != list(other._models):
            raise InputError(
                "the two differ in indices, models, threshold, n_resamples, random_state, method or level; "
                "expected the same",
                argument="other",
            )
        return Bootstrap(self._plan, {name: self._of_both(name, other._models[name], how) for name in self._models})

    def _of_both(self, name: str | None, other: OfModel, how: Callable[[Any, Any], Any]) -> OfModel:
        own = self._models[name]
        others = [index for index in self.indices if not _rocksteady.bootstrap_reads_counts(index)]
        if self._plan.has_axis or isinstance(self._plan.at, str):
            raise InputError("replicates add up at one threshold; expected a number", argument="threshold")
        if others:
            raise InputError(
                f"{several(others)} of pooled rows do not follow from the replicates of the parts; expected indices "
                "of counts at a threshold only",
                argument="indices",
            )
        if own.counts is None or other.counts is None:
            raise InputError("replicates of rows with weights are not added; expected none", argument="sample_weight")
        return _of_counts(self._plan, how(own.counts, other.counts), how(own.own, other.own))

    def __repr__(self) -> str:
        models = f", {len(self.names)} models" if self.names else ""
        return (
            f"<rocksteady.inference.Bootstrap of {', '.join(self.indices)}{models}; {self.n_resamples} replicates, "
            f"{self.resample}, {self.method}>"
        )

    _repr_html_ = repr_html


def seed_of(random_state: object) -> int:
    """The seed that a random state stands for."""
    if random_state is None:
        return secrets.randbits(63)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**63))
    return whole(random_state, "random_state", "None, a whole number of 0 and more, or a numpy Generator", least=0)


def planned(
    indices: str | Sequence[str],
    *,
    threshold: object,
    n_resamples: int,
    method: str,
    resample: str,
    strata: object,
    level: float,
    random_state: object,
    is_keyed: bool = False,
    parameters: dict[str, Any] | None = None,
) -> Plan:
    """The options, checked."""
    given = [indices] if isinstance(indices, str) else listed(indices, "indices", "names of indices")
    if not given:
        raise InputError("indices is empty; expected the names of indices", argument="indices")
    names = [_rocksteady.index_name(string(name, "indices", "names of indices")) for name in given]
    one_of(method, "method", _METHODS)
    one_of(resample, "resample", _RESAMPLES)
    if strata is not None:
        if isinstance(strata, str):
            one_of(strata, "strata", ("label",))
        if resample == "poisson":
            raise wrong_value(
                strata, "strata", 'None with resample="poisson", which draws each row apart from all others'
            )
    number = whole(n_resamples, "n_resamples", "a whole number from 2 to 10,000,000", least=2)
    if number > 10_000_000:
        raise wrong_value(n_resamples, "n_resamples", "a whole number from 2 to 10,000,000")
    at, has_axis = _at(threshold)
    return Plan(
        tuple(dict.fromkeys(names)),
        at,
        has_axis,
        parameters or {},
        number,
        seed_of(random_state),
        resample,
        None if strata is None else "label" if isinstance(strata, str) else "column",
        method,
        level_of(level),
        is_keyed,
    )


def _at(threshold: object) -> tuple[tuple[float, ...] | str, bool]:
    """The thresholds, or the index whose best threshold is chosen; and whether there is an axis of thresholds."""
    expected = 'a number, several, or the best one by an index, such as "best youden"'
    if isinstance(threshold, str):
        best, _, name = threshold.partition(" ")
        if best != "best" or not name:
            raise wrong_value(threshold, "threshold", expected)
        return _rocksteady.index_name(name), False
    has_axis = not isinstance(threshold, Real)
    each = listed(threshold, "threshold", expected) if has_axis else [threshold]
    found = tuple(real(at, "threshold", expected) for at in each)
    if not found or any(at != at for at in found):
        raise wrong_value(threshold, "threshold", expected)
    return found, has_axis


def of_model(
    plan: Plan, told: _rocksteady._Bootstrapped, own: tuple[float, float, float, float] | None = None
) -> OfModel:
    """What the extension tells of a model; `own` are the counts of its rows."""
    found, counts = told
    each: dict[str, list[Replicated]] = {}
    for (name, _), (estimate, why, acceleration, values, undefined, optimism, note, telling) in zip(
        plan.read, found, strict=True
    ):
        drawn = values - optimism if optimism else values
        drawn.setflags(write=False)
        one = Replicated(estimate - optimism, acceleration, drawn, undefined, why, optimism, note, (telling,))
        each.setdefault(name, []).append(one)
    axis = {"threshold": np.array(plan.at)} if plan.has_axis else None
    indices = {
        name: Replicates(tuple(parts), axis if _rocksteady.bootstrap_reads_counts(name) else None)
        for name, parts in each.items()
    }
    return OfModel(indices, tuple(counts[0]) if counts else None, own)  # type: ignore[arg-type]  # four of them


def _of_counts(plan: Plan, counts: _Counts, own: tuple[float, float, float, float]) -> OfModel:
    values = _rocksteady.bootstrap_counts(counts, plan.asked())
    four = tuple(np.array([cell]) for cell in own)
    estimates = _rocksteady.bootstrap_counts(four, plan.asked())  # type: ignore[arg-type]  # four of them
    each = zip(plan.indices, estimates, values, strict=True)
    note = _rocksteady.bootstrap_note([own[0] + own[2], own[1] + own[3]])
    found = {
        name: Replicated(float(one[0]), None, drawn, int(np.isnan(drawn).sum()), note=note) for name, one, drawn in each
    }
    return OfModel({name: Replicates((one,)) for name, one in found.items()}, counts, own)


def warned(boot: Bootstrap) -> Bootstrap:
    """Warn once about replicates without a value."""
    worst, said = 0, ""
    for model, found in boot._models.items():
        for name, index in found.indices.items():
            for one in index.parts:
                if one.undefined > worst and one.why is None:
                    worst, said = one.undefined, shown(name) if model is None else f"{shown(name)} of {shown(model)}"
    if worst > _MANY_UNDEFINED * boot.n_resamples:
        advice = "" if boot.strata else '; strata="label" keeps rows of both classes in each replicate'
        warn(
            f"{said} has no value in {worst} of {boot.n_resamples} replicates, which are left out: the interval is that "
            f"of the others{advice}"
        )
    return boot


def of_matrix(
    state: _rocksteady.ConfusionState,
    positive: int | None,
    indices: str | Sequence[str],
    average: tuple[Any, float] | None,
    **options: Any,
) -> Bootstrap:
    """The bootstrap of a confusion matrix; see ``ConfusionMatrix.bootstrap``."""
    plan = planned(indices, threshold=0.5, **options)
    told = _rocksteady.bootstrap_matrix(state, positive, average, plan.asked())
    return warned(Bootstrap(plan, {None: of_model(plan, told)}))


def of_scores(state: _rocksteady.ScoreState, indices: str | Sequence[str], **options: Any) -> Bootstrap:
    """The bootstrap of a score table; see ``ScoreTable.bootstrap``."""
    plan = planned(indices, **options)
    told = _rocksteady.bootstrap_scores(state, plan.asked())
    return warned(Bootstrap(plan, {None: of_model(plan, told)}))
