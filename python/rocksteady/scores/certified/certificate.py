"""The threshold that a sequence of tests in a fixed order reaches, and its proof again from the rows."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from rocksteady.base.arguments import numbers, real, whole, wrong_value
from rocksteady.base.record import Record
from rocksteady.base.table import number, number_of
from rocksteady.errors import InputError
from rocksteady.labels.counts import Counts
from rocksteady.scores.certified.conditions import ABOVE, FALLING, conditions_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from rocksteady.scores.certified.conditions import Condition
    from rocksteady.scores.score_sketch import ScoreSketch
    from rocksteady.scores.score_table import ScoreTable

_FIRST: Final = 4  # times the least number of rows that can show a condition
_OF_TIES: Final = " Rows tie there; with thresholds= fixed beforehand ties do not matter."
_PIECE: Final = 1_024  # thresholds tested at once, each by itself


@dataclass(frozen=True, slots=True, repr=False)
class Certificate(Record):
    """A threshold for which conditions on the population are shown, and what proves it again.

    Attributes
    ----------
    conditions : str
        What is shown.
    threshold : float
        Rows with ``score >= threshold`` are predicted positive. An integer where all scores are whole; NaN if no threshold
        is certified.
    confidence : float
        The probability, at least, of a sample whose certified thresholds all meet the conditions.
    rows, positives : int
        The rows of the sample, and those that are positive.
    tp, fp, fn, tn : int or None
        The counts at the threshold; None without one.
    values : dict
        For each condition the value on these rows, and what it is at least, or at most, in the population. Without a
        threshold, at the first one that was tested.
    tested : int
        How many thresholds were tested, up to the first one that failed.
    thresholds : tuple of float, or None
        The thresholds to test, in their order; None if they are all scores, from high to low.
    start_rows : int or None
        The number of top rows before the first threshold; None if the first one is above all scores or was given.
    pos_label : str
        The positive class, as it is typed.
    fingerprint : str
        Of the rows: SHA-256 of the distinct scores, high to low, then of the true positives and of the false
        positives there, each column as little-endian float64.
    why : str or None
        Why no threshold is certified; None if one is.
    cells : int or None
        The most cells of the sketch that was tested; None for a table.
    edges : tuple of float, or None
        The thresholds at which the counts of that sketch are always exact; None for a table.
    """

    conditions: str
    threshold: float
    confidence: float
    rows: int
    positives: int
    tp: int | None
    fp: int | None
    fn: int | None
    tn: int | None
    values: dict[str, tuple[float, float]]
    tested: int
    thresholds: tuple[float, ...] | None
    start_rows: int | None
    pos_label: str
    fingerprint: str
    why: str | None = None
    cells: int | None = None
    edges: tuple[float, ...] | None = None

    def __repr__(self) -> str:
        level = f"{number(100 * self.confidence)} % confidence"
        if self.why is not None:
            return f"No threshold is certified for {self.conditions} ({level}).\n{self.why}"
        return (
            f"score >= {self.threshold!r}: {self.conditions} in the population ({level}).\n"
            f"{_said(self.values)}, on {number_of(self.rows, 'row')}; thresholds tested: {self.tested}."
        )


class _Test(NamedTuple):
    """A condition, tested at a level with counts at each threshold, from a place in their order on."""

    condition: Condition
    tail: float
    counts: Sequence[NDArray[np.float64]]
    begin: int
    is_descending: bool = True

    def first_failure(self, stop: int) -> int:
        """The first place at which the condition is not shown; `stop` if it is shown up to there."""
        place, size = self.begin, _PIECE
        while place < stop:
            end = min(place + size, stop)
            if self.is_descending and self._are_surely_shown(place, end):
                place, size = end, 2 * size
            elif size > _PIECE:
                size //= 2
            else:
                met = self.condition.are_shown([column[place:end] for column in self.counts], self.tail)
                if not met.all():
                    return place + int(np.argmin(met))
                place = end
        return stop

    def _are_surely_shown(self, place: int, end: int) -> bool:
        """Whether the test passes with counts that are nowhere worse: the most false positives, the least true ones."""
        worst = [column[end - 1 : end] for column in self.counts]
        if self.condition.name in ABOVE:
            worst[0] = self.counts[0][place : place + 1]
        return bool(self.condition.are_shown(worst, self.tail)[0])


class _Order(NamedTuple):
    """Thresholds in the order of their tests, the counts there, the place of the first that can be certified."""

    thresholds: NDArray[Any]
    counts: list[NDArray[np.float64]]
    tests: list[_Test]
    first: int
    start_rows: int | None
    is_whole: bool = True


def _of_given(table: ScoreTable, wanted: Sequence[Condition], tail: float, given: NDArray[Any]) -> _Order:
    """Thresholds in an order that was fixed beforehand: at each, every condition is tested at the whole level."""
    if given.ndim != 1 or not given.size or np.isnan(given.astype(np.float64)).any():
        raise wrong_value(given, "thresholds", "one threshold or more, in the order in which they are tested")
    counts = _columns(table.at(given))
    tests = [_Test(each, tail, counts, 0, False) for each in wanted]
    return _Order(given, counts, tests, 0, None, False)


def _of_scores(table: ScoreTable, wanted: Sequence[Condition], tail: float, start_rows: int | None) -> _Order:
    """All scores from high to low. The page "Certified thresholds" proves what this order needs."""
    above = [each for each in wanted if ABOVE.get(each.name) == each.order]
    falling = [each for each in wanted if FALLING.get(each.name) == each.order]
    other = next((each for each in wanted if each not in above and each not in falling), None)
    if other is not None or len(above) > 1:
        why = (
            f"{above[0]} and {above[1]}, of which the scores in their order take one"
            if other is None
            else (f"{other}, which does not begin true at the highest score and turn false below it")
        )
        raise InputError(
            f"conditions has {why}; pass thresholds= in the order in which to test them, fixed before the labels are seen",
            argument="conditions",
        )
    thresholds = table.thresholds
    if not np.isfinite(thresholds[1:].astype(np.float64)).all():
        raise InputError(
            "some scores may be infinite or missing; expected finite ones, or thresholds= to test",
            argument="thresholds",
        )
    counts = _columns(table.counts())
    tp, fp, fn, tn = counts
    share = tail / 2 if above and falling else tail  # the two kinds may fail in different samples
    tests, first, start = [_Test(each, share, counts, 0) for each in falling], 1, None
    if above:
        limit = above[0].limit if above[0].order == ">=" else 1 - above[0].limit
        least = math.ceil(math.log(share) / math.log(limit))
        expected = "a number of rows, 1 or more"
        start = _FIRST * least if start_rows is None else whole(start_rows, "start_rows", expected, least=1)
        first = int(np.searchsorted(tp + fp, start, side="right"))
        # Within a tie the negatives come first: what is shown then is shown for every order of its rows. In the tie where
        # the tests begin, some rows are above them.
        least_tp = np.concatenate(([0.0], tp[:-1]))
        least_tp[first : first + 1] = np.maximum(least_tp, start - fp)[first : first + 1]
        tests.append(_Test(above[0], share, [least_tp, fp, fn, tn], first))
    elif start_rows is not None:
        raise wrong_value(start_rows, "start_rows", "None, as no condition is on precision or fdr")
    return _Order(thresholds, counts, tests, first, start)


def _columns(counts: Counts) -> list[NDArray[np.float64]]:
    return [np.asarray(column, np.float64) for column in (counts.tp, counts.fp, counts.fn, counts.tn)]


def certified(
    table: ScoreTable, conditions: str, confidence: float, given: NDArray[Any] | None, start_rows: int | None
) -> Certificate:
    """The certificate of a table; see `ScoreTable.certify`."""
    wanted = conditions_of(conditions)
    expected = "a number between 0 and 1, neither of them"
    level = real(confidence, "confidence", expected)
    if not 0 < level < 1:
        raise wrong_value(confidence, "confidence", expected)
    if table._state.is_weighted:
        raise InputError(
            "the rows have weights; expected rows without, as the binomial tests count independent ones",
            argument="sample_weight",
        )
    if given is None:
        order = _of_scores(table, wanted, 1 - level, start_rows)
    elif start_rows is None:
        order = _of_given(table, wanted, 1 - level, given)
    else:
        raise wrong_value(start_rows, "start_rows", "None, as thresholds= says where the tests begin")
    stop = size = len(order.thresholds)
    for test in order.tests:
        stop = test.first_failure(stop)
    counts: list[int | None] = [None] * 4
    values: dict[str, tuple[float, float]] = {}
    threshold, why = math.nan, None
    if order.first >= size:
        why = f"There are {table.rows} rows."
        if order.start_rows is not None:
            why = f"The tests begin below the top {order.start_rows} rows. {why}"
    else:
        place = max(stop - 1, order.first)
        cells = [column[place : place + 1] for column in order.counts]
        values = {str(test.condition): _value(test, cells) for test in order.tests}
        at = _as_it_came(order, place)
        if stop > order.first:
            threshold, counts = at, [int(column[0]) for column in cells]
        else:
            first = f"the first threshold, {at!r}"
            where = f"at {first}" if order.tests[0].begin == order.first else f"down to {first}"
            hint = _OF_TIES if stop == order.first and _are_tied(order, stop) else ""
            why = f"Not shown {where}: {_said(values)}.{hint}"
    tp, fp, fn, tn = counts
    positives, _ = table._state.totals
    return Certificate(
        " and ".join(map(str, wanted)),
        threshold,
        level,
        table.rows,
        int(positives),
        tp,
        fp,
        fn,
        tn,
        values,
        max(0, min(stop + 1, size) - order.first),
        None if given is None else tuple(given.tolist()),
        order.start_rows,
        typed(table.pos_label),
        _fingerprint(order, table),
        why,
    )


def _as_it_came(order: _Order, place: int) -> float:
    """A threshold, as an integer if all scores are whole."""
    found: float = order.thresholds[place : place + 1].tolist()[0]
    is_whole = order.is_whole and not (order.thresholds[1:] % 1).any()
    return int(found) if is_whole and math.isfinite(found) else found


def _are_tied(order: _Order, place: int) -> bool:
    """Whether the test on precision at a place fails only because its rows tie."""
    tp, fp, *_ = order.counts
    is_one = place == 0 or tp[place] + fp[place] - tp[place - 1] - fp[place - 1] == 1
    cells = [column[place : place + 1] for column in order.counts]
    return not is_one and all(test.condition.are_shown(cells, test.tail)[0] for test in order.tests)


def _value(test: _Test, counts: Sequence[NDArray[np.float64]]) -> tuple[float, float]:
    """The value on these rows, and its bound in the population."""
    condition = test.condition
    return float(np.asarray(Counts(*counts)[condition.name])[0]), float(condition.bounds(counts, test.tail)[0])


def _said(values: Mapping[str, tuple[float, float]]) -> str:
    return ", ".join(
        f"{name} {number(value, 4)}, at {'least' if order == '>=' else 'most'} {number(bound, 4)}"
        for (name, order, _), (value, bound) in zip(map(str.split, values), values.values(), strict=True)
    )


def typed(label: Any) -> str:
    """A class as the command line has it."""
    if isinstance(label, bool):
        return str(label).lower()
    return str(int(label)) if isinstance(label, float) and label.is_integer() else str(label)


def _fingerprint(order: _Order, table: ScoreTable) -> str:
    """The fingerprint of the rows, whatever the types of their scores and classes."""
    tp, fp, *_ = order.counts if order.is_whole else _columns(table.counts())
    found = hashlib.sha256()
    for column in (table.thresholds[1:], tp[1:], fp[1:]):
        found.update(np.asarray(column, "<f8").tobytes())
    return f"sha256:{found.hexdigest()}"


def disproved(told: Mapping[str, Any], scores: ScoreTable | ScoreSketch) -> str | None:
    """Why a certificate, as the dictionary that it left as, is not of these scores; None if it is proved again.

    Raises
    ------
    rocksteady.InputError
        If it is no certificate.
    """
    try:
        given = None if told["thresholds"] is None else numbers(told["thresholds"], "thresholds")
        start = told["start_rows"] if given is None else None
        asked: dict[str, Any] = {"confidence": told["confidence"], "thresholds": given, "start_rows": start}
        again = scores.certify(told["conditions"], **asked).to_dict()
        if told["fingerprint"] != again["fingerprint"]:
            return f"it is not of these rows: it says {told['fingerprint']}, and theirs is {again['fingerprint']}"
    except KeyError as missing:
        raise InputError(f"the certificate has no {missing}; expected all of its fields") from None
    return None if _settled(told) == _settled(again) else "it is of these rows, but has been changed since it was made"


def _settled(told: Mapping[str, Any]) -> str:
    """A certificate as text, without what depends on the reader: the class, the last digits of bounds, the type of scores."""
    values = json.loads(json.dumps(told["values"]), parse_float=lambda text: f"{float(text):.9g}")
    found = {**told, "values": values, "why": told["why"] is None, "pos_label": None}
    return json.dumps(json.loads(json.dumps(found), parse_int=float), sort_keys=True)
