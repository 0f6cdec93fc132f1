"""The page docs/coverage.md: how often the default intervals contain the true value, and how often the tests err.

python docs/coverage.py             # simulate for minutes, and write the page (make thorough)
python docs/coverage.py --accept    # likewise, though a cell is out of bounds that was not on the page that is there

It fails if an interval is out of bounds without a note, or a test, that is not marked on the page that is there.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import rocksteady as rs

PAGE = Path(__file__).parent / "coverage.md"
SAMPLES, TESTED = 4_000, 2_000  # of each design, for intervals and for tests
OF_RESAMPLED = 4  # one sample in so many for intervals that resample, which take long
TRUTH = 4_000_000  # rows of the sample whose values are the true ones
LOW, HIGH, TAIL = 0.93, 0.975, 0.04  # what the coverage is to lie within, and the most that may lie to one side
SMALL, LARGE = 0.035, 0.065  # likewise, how often a test at 5 % rejects what is true
FEW = 0.05  # of samples with an interval or a p-value: fewer say nothing
QUIET = 0.25  # of samples without a note: fewer are not judged by themselves

Array = NDArray[Any]
Generator = np.random.Generator
Answers = Mapping[str, rs.results.Interval | None]


class Sample(NamedTuple):
    """Rows: classes, or labels, or grades; their scores; for some designs a weight or a group."""

    y: Array
    p: Array
    weight: Array | None = None
    group: Array | None = None


@dataclass(frozen=True)
class Design:
    """How rows are drawn, how their intervals are asked for, and their values."""

    about: str
    rows: int
    draw: Callable[[Generator, int], Sample]
    answers: Callable[[Sample, bool], Answers]  # with or without what is resampled
    values: Callable[[Sample], Mapping[str, float]]


# Two classes and a score.

COUNTS = (
    "accuracy recall specificity precision npv prevalence rpp f1 f2 jaccard fowlkes_mallows geometric_mean balanced_accuracy "
    "informedness markedness mcc kappa gwet_ac1 lift positive_likelihood_ratio negative_likelihood_ratio diagnostic_odds_ratio "
    "relative_risk yule_q equitable_threat_score net_benefit mutual_information mean_cost"
).split()
SCORES = (
    "roc_auc average_precision log_loss brier root_mean_squared_error brier_skill_score log_loss_skill_score "
    "observed_expected_ratio mean_probability_rate ks partial_auc calibration_slope calibration_intercept "
    "expected_calibration_error"
).split()


def sigmoid(x: Array) -> Array:
    """The logistic function."""
    return 1 / (1 + np.exp(-x))


def posterior(x: Array, share: float, shift: float, levels: int = 0) -> Array:
    """The probability of the positive class for scores of variance 1, or for their level of it."""
    odds = np.log(share / (1 - share)) - shift**2 / 2
    p = sigmoid(shift * x + odds)
    if not levels:
        return p
    inner = np.arange(1, levels) / levels
    ends = [-np.inf, *(np.log(inner / (1 - inner)) - odds) / shift, np.inf]
    of_class = [np.diff([NormalDist(mean).cdf(end) for end in ends]) for mean in (0.0, shift)]
    level: Array = share * of_class[1] / (share * of_class[1] + (1 - share) * of_class[0])
    return level[np.searchsorted(inner, p)]


def normal(rng: Generator, rows: int, *, share: float, shift: float, width: float = 1.0, levels: int = 0) -> Sample:
    """Normal scores; the probabilities are right unless the positives are wider."""
    y = rng.random(rows) < share
    return Sample(y, posterior(shift * y + rng.normal(size=rows) * np.where(y, width, 1.0), share, shift, levels))


def skewed(rng: Generator, rows: int) -> Sample:
    """Exponential scores, three times as long for positives."""
    y = rng.random(rows) < 0.3
    x = rng.exponential(size=rows) * np.where(y, 3, 1)
    return Sample(y, sigmoid(x * 2 / 3 - np.log(3) + np.log(3 / 7)))


def survey(rng: Generator, rows: int) -> Sample:
    """Rows that stand for 1 or 8 rows, times a factor of 0.6 to 1.6 in most; negatives more often for 8."""
    y, p, *_ = normal(rng, rows, share=0.4, shift=1.3)
    return Sample(y, p, np.where(rng.random(rows) < 0.15 + 0.2 * (1 - y), 8.0, 1.0) * rng.lognormal(0, 0.5, rows))


def clustered(rng: Generator, rows: int) -> Sample:
    """Ten rows a user, who has a prevalence and a level of scores of their own."""
    user = np.arange(rows) // 10
    users = rng.normal(size=(2, rows // 10))[:, user]
    y = rng.random(rows) < sigmoid(users[0] - 0.8)
    return Sample(y, sigmoid(1.2 * (1.3 * y + 0.7 * users[1] + rng.normal(size=rows)) - 1.4), group=user)


def asked(found: Callable[[], Any]) -> Any:
    """An interval, or what has them; None if it is refused."""
    try:
        return found()
    except (rs.RocksteadyError, TypeError):  # no such interval, or no such option
        return None


def of_two_classes(sample: Sample, resamples: bool, threshold: float) -> Answers:
    """Of counts at the threshold and of scores; what has no interval is resampled."""
    y, p, weight, group = sample
    if group is not None:
        return of_clusters(sample, threshold, resamples)
    table = rs.ScoreTable(y, p, sample_weight=weight, weight_kind="counts" if weight is None else "sampling")
    cells = table.at(threshold)
    own = [name for name in SCORES if rs.index(name).intervals]
    found = {name: asked(partial(cells.interval, name)) for name in COUNTS}
    found |= {name: asked(partial(table.interval, name)) for name in own}
    others = [name for name in SCORES if name not in own]
    if not others or not resamples:
        return found
    boot = rs.inference.bootstrap(y, p, others, threshold=threshold, sample_weight=weight, random_state=0)
    return found | {name: boot[name] for name in others}


def of_clusters(sample: Sample, threshold: float, resamples: bool) -> Answers:
    """Likewise, with the clusters."""
    y, p, _, group = sample
    rows = asked(partial(rs.evaluate, y, p, threshold=threshold, inference=True, cluster=group))
    found = {name: rows and asked(partial(rows.interval, name)) for name in [*COUNTS, *SCORES]}
    others = [name for name, interval in found.items() if interval is None]
    if others and resamples:
        boot = rs.inference.bootstrap(y, p, others, threshold=threshold, cluster=group, random_state=0)
        found |= {name: boot[name] for name in others}
    return {name: interval for name, interval in found.items() if interval is not None}


def values_of_two_classes(sample: Sample, threshold: float) -> dict[str, float]:
    """The values of the same indices."""
    table = rs.ScoreTable(sample.y, sample.p, sample_weight=sample.weight)
    cells = table.at(threshold)
    return {name: float(cells[name]) for name in COUNTS} | {name: float(table[name]) for name in SCORES}


def two_classes(about: str, rows: int, draw: Callable[[Generator, int], Sample], threshold: float = 0.5) -> Design:
    """A design of two classes."""
    return Design(
        about,
        rows,
        draw,
        partial(of_two_classes, threshold=threshold),
        partial(values_of_two_classes, threshold=threshold),
    )


# Several classes, several labels, queries.

AVERAGES = [("precision", "macro"), ("recall", "macro"), ("f1", "macro"), ("f1", "weighted"), ("jaccard", "macro")]
WHOLE = "accuracy kappa mcc balanced_accuracy rand_index mutual_information".split()
RANKED: dict[str, dict[str, Any]] = {
    "ndcg": {},
    "reciprocal_rank": {},
    "average_precision_at_k": {},
    "precision_at_k": {"k": 3},
    "hit_rate_at_k": {"k": 3},
}
SHARES = np.array([0.4, 0.3, 0.2, 0.085, 0.015])


def five_classes(rng: Generator, rows: int) -> Sample:
    """Five classes, the last one rare; the probabilities are right."""
    y = np.searchsorted(np.cumsum(SHARES), rng.random(rows))
    x = 1.5 * np.eye(5)[y] + rng.normal(size=(rows, 5))
    p = SHARES * np.exp(1.5 * x)
    return Sample(y, p / p.sum(axis=1, keepdims=True))


def four_labels(rng: Generator, rows: int) -> Sample:
    """Four labels that go together, with shares of about 0.45, 0.3, 0.15 and 0.06."""
    common = rng.normal(size=(rows, 1))
    x = 0.7 * common + rng.normal(size=(rows, 4))
    return Sample(x > [0.15, 0.65, 1.25, 1.9], sigmoid(1.5 * (x + 0.8 * rng.normal(size=(rows, 4)) - 1)))


def queries(rng: Generator, rows: int) -> Sample:
    """Ten documents a query, of grade 0, 1 or 2; queries are easy or hard."""
    query = np.arange(rows) // 10
    y = rng.choice(3, rows, p=[0.75, 0.17, 0.08])
    return Sample(y, y * rng.exponential(size=rows // 10)[query] + rng.normal(size=rows), group=query)


def of_classes(sample: Sample, resamples: bool) -> Answers:  # noqa: ARG001 (nothing is resampled)
    """Of whole matrices, of averages, and of the rarest class."""
    matrix = rs.ConfusionMatrix(sample.y, sample.p.argmax(axis=1), labels=range(5))
    tables = rs.ScoreTables(sample.y, sample.p, labels=range(5))
    found = {name: asked(partial(matrix.interval, name)) for name in WHOLE}
    found |= {f"{name}, {way}": asked(partial(matrix.interval, name, average=way)) for name, way in AVERAGES}
    found |= {f"{name}, rarest": asked(partial(matrix.every_interval, name)) for name in ("recall", "precision", "f1")}
    rows = rs.evaluate(sample.y, y_proba=sample.p, labels=range(5), inference=True)
    found["roc_auc, rarest"] = asked(partial(tables.every_interval, "roc_auc"))
    found |= {name: asked(partial(rows.interval, name)) for name in ("log_loss", "brier")}
    return found | {"roc_auc, macro": asked(partial(rows.interval, "roc_auc", average="macro"))}


def values_of_classes(sample: Sample) -> dict[str, float]:
    """The values of the same indices."""
    matrix = rs.ConfusionMatrix(sample.y, sample.p.argmax(axis=1), labels=range(5))
    tables = rs.ScoreTables(sample.y, sample.p, labels=range(5))
    found = {name: float(matrix[name]) for name in WHOLE}
    found |= {f"{name}, {way}": float(matrix.value(name, average=way)) for name, way in AVERAGES}
    found |= {f"{name}, rarest": float(matrix.every(name)[-1]) for name in ("recall", "precision", "f1")}
    found |= {"roc_auc, rarest": float(tables.every("roc_auc")[-1])}
    found |= {name: float(tables[name]) for name in ("log_loss", "brier")}
    return found | {"roc_auc, macro": float(tables.every("roc_auc").mean())}


def of_labels(sample: Sample, resamples: bool) -> Answers:  # noqa: ARG001 (nothing is resampled)
    """Of averages, and of the rarest label."""
    plain = partial(rs.evaluate, sample.y, sample.p, threshold=0.5)
    found = asked(partial(plain, inference=True)) or plain()
    own = {f"{name}, {way}": asked(partial(found.interval, name, average=way)) for name, way in AVERAGES}
    own["roc_auc, macro"] = asked(partial(found.interval, "roc_auc", average="macro"))
    each = ("recall", "precision", "f1", "roc_auc")
    return own | {f"{name}, rarest": asked(partial(found.every_interval, name)) for name in each}


def values_of_labels(sample: Sample) -> dict[str, float]:
    """The values of the same indices."""
    found = rs.evaluate(sample.y, sample.p, threshold=0.5)
    own = {f"{name}, {way}": float(found.value(name, average=way)) for name, way in AVERAGES}
    own["roc_auc, macro"] = float(found.value("roc_auc", average="macro"))
    each = ("recall", "precision", "f1", "roc_auc")
    return own | {f"{name}, rarest": float(found.every(name)[-1]) for name in each}


def of_queries(sample: Sample, resamples: bool) -> Answers:  # noqa: ARG001 (nothing is resampled)
    """Of means over queries."""
    found = rs.Queries(sample.y, sample.p, sample.group)
    return {name: asked(partial(found.interval, name, **options)) for name, options in RANKED.items()}


def values_of_queries(sample: Sample) -> dict[str, float]:
    """The values of the same indices."""
    found = rs.Queries(sample.y, sample.p, sample.group)
    return {name: float(found.value(name, **options)) for name, options in RANKED.items()}


DESIGNS = {
    "small": two_classes("60 rows, 40 % positives", 60, partial(normal, share=0.4, shift=1.2)),
    "rare": two_classes("500 rows, 3 % positives, threshold 0.1", 500, partial(normal, share=0.03, shift=1.5), 0.1),
    "medium": two_classes("300 rows, 30 % positives", 300, partial(normal, share=0.3, shift=1.2)),
    "large": two_classes("2,000 rows, 20 % positives", 2_000, partial(normal, share=0.2, shift=1.2)),
    "separable": two_classes("300 rows, an AUC of 0.9998", 300, partial(normal, share=0.3, shift=5.0)),
    "tied": two_classes("300 rows, five levels of the score", 300, partial(normal, share=0.4, shift=1.2, levels=5)),
    "skewed": two_classes("300 rows, exponential scores", 300, skewed),
    "wide": two_classes(
        "300 rows, positives 2.5 times as wide as negatives, wrong probabilities",
        300,
        partial(normal, share=0.3, shift=1.2, width=2.5),
    ),
    "survey": two_classes('500 rows, weights of 0.3 to 25, `weight_kind="sampling"`', 500, survey),
    "clustered": two_classes("60 users of 10 rows each, `cluster=`", 600, clustered),
    "five classes": Design("300 rows, the rarest class 1.5 %", 300, five_classes, of_classes, values_of_classes),
    "five classes, more": Design("1,000 rows", 1_000, five_classes, of_classes, values_of_classes),
    "four labels": Design("300 rows, the rarest label 6 %", 300, four_labels, of_labels, values_of_labels),
    "15 queries": Design("ten documents each", 150, queries, of_queries, values_of_queries),
    "60 queries": Design("ten documents each", 600, queries, of_queries, values_of_queries),
}


# Coverage.


@dataclass(frozen=True)
class Covered:
    """How an interval did in samples: for each, the side on which the true value lies, and whether a note came along."""

    side: Array  # -1 below the interval, 0 within, 1 above, NaN without an interval
    has_note: Array

    def coverage(self) -> float:
        """The share of intervals that contain the true value."""
        return float(np.mean(self.side[~np.isnan(self.side)] == 0))

    def why(self, slack: float = 0.0) -> str:
        """What is wrong with intervals that have no note; empty if nothing is, or all together are right."""
        side = self.side[~np.isnan(self.side) & ~self.has_note]
        if not wrong(self.side[~np.isnan(self.side)], slack):
            return ""
        return wrong(side, slack) if side.size >= QUIET * self.side.size else ""

    def text(self) -> str:
        """A cell of the table."""
        side = self.side[~np.isnan(self.side)]
        if side.size < FEW * self.side.size:
            return "none"
        told = f"{100 * self.coverage():.1f}"
        return f"**{told}** {self.why()}" if self.why() else f"{told} (n)" if wrong(side) else told


def wrong(side: Array, slack: float = 0.0) -> str:
    """What is wrong with a coverage: a word or none."""
    below, above = float(np.mean(side < 0)), float(np.mean(side > 0))
    if below + above > 1 - LOW + slack:
        return "narrow"
    if below + above < 1 - HIGH - slack:
        return "wide"
    if max(below, above) > TAIL + slack:
        return f"{'below' if below > above else 'above'} {100 * max(below, above):.1f}"
    return ""


def last(found: rs.results.Interval | None) -> tuple[float, float, bool]:
    """The bounds of an interval, or of the last one of several, and whether it comes with a note."""
    if found is None:
        return np.nan, np.nan, True
    said = [each if each is None or isinstance(each, str) else each[-1] for each in (found.why, found.note)]
    return float(np.ravel(found.low)[-1]), float(np.ravel(found.high)[-1]), any(said)


def covered(name: str, samples: int, truth: int = TRUTH) -> dict[str, Covered | None]:
    """How the intervals of a design did; None where they are refused."""
    warnings.simplefilter("ignore")
    design, rng = DESIGNS[name], np.random.default_rng([*name.encode()])
    values = design.values(design.draw(rng, truth))
    sides = {index: np.full(samples, np.nan) for index in values}
    notes = {index: np.ones(samples, bool) for index in values}
    asked_for = {index: np.zeros(samples, bool) for index in values}
    refused = set(values)
    for place in range(samples):
        for index, found in design.answers(design.draw(rng, design.rows), place % OF_RESAMPLED == 0).items():
            asked_for[index][place] = True
            low, high, notes[index][place] = last(found)
            if not np.isnan(low):
                sides[index][place] = (values[index] > high) * 1.0 - (values[index] < low)
            if found is not None:
                refused.discard(index)
    return {
        index: None if index in refused else Covered(sides[index][which], notes[index][which])
        for index, which in asked_for.items()
    }


# Groups of rows in clusters: 200 users of ten rows.

OF_GROUPS = "accuracy recall precision f1 mcc roc_auc average_precision log_loss brier".split()
#: The group of each row: users lie within a group, or across groups.
GROUPED: dict[str, Callable[[Generator, Array], Array]] = {
    "within": lambda _, user: user % 4,
    "across": lambda rng, user: rng.integers(0, 4, user.size),
}


def of_groups(where: str, samples: int, truth: int = TRUTH) -> dict[str, dict[str, Covered | None]]:
    """The intervals of the first of four groups, and of its difference from the second, with `cluster=` and without."""
    warnings.simplefilter("ignore")
    rng = np.random.default_rng([6, *where.encode()])
    y, p, *_ = clustered(rng, truth)
    whole = rs.evaluate(y, p, threshold=0.5)
    values = {name: float(whole[name]) for name in OF_GROUPS} | {f"{name}, difference": 0.0 for name in OF_GROUPS}
    columns = {f"{where}, cluster=": True, f"{where}, rows alone": False}
    found: dict[str, dict[str, list[tuple[float, bool]]]] = {
        column: {name: [] for name in values} for column in columns
    }
    for _ in range(samples):
        y, p, _, user = clustered(rng, 2_000)
        group = GROUPED[where](rng, np.asarray(user))
        for column, has_clusters in columns.items():
            design: dict[str, Any] = {"inference": True, "cluster": user} if has_clusters else {}
            by = rs.evaluate(y, p, threshold=0.5, by=group, **design).groups
            for name in OF_GROUPS:
                own = by.interval(name)
                apart = by.difference(name, groups=(0, 1))
                bounds = {name: (own.low[0], own.high[0], bool(own.note and own.note[0]))}
                bounds[f"{name}, difference"] = (apart.low, apart.high, bool(apart.note))
                for row, (low, high, has_note) in bounds.items():
                    side = np.nan if np.isnan(low) else float(values[row] > high) - float(values[row] < low)
                    found[column][row].append((side, has_note))
    return {
        column: {row: Covered(*map(np.array, zip(*each, strict=True))) for row, each in of.items()}
        for column, of in found.items()
    }


# Tests at 5 %, where nothing differs.


class Null(NamedTuple):
    """Twenty models that are equally good, other rows before, and groups that are alike."""

    y: Array
    models: dict[str, Array]
    before: Sample
    group: Array


def equal_models(rng: Generator, rows: int, *, share: float, shift: float, levels: int = 0) -> Null:
    """Normal scores, alike in what all models see of a row; the probabilities are right."""
    y = rng.random(rows) < share
    common = shift * y + 0.8 * rng.normal(size=rows)
    models = {f"m{place}": posterior(common + 0.6 * rng.normal(size=rows), share, shift, levels) for place in range(20)}
    before = normal(rng, 10 * rows, share=share, shift=shift, levels=levels)
    return Null(y, models, before, rng.integers(0, 20, rows))


@dataclass(frozen=True)
class NullDesign:
    """How rows are drawn, and the threshold."""

    about: str
    rows: int
    draw: Callable[[Generator, int], Null]
    threshold: float = 0.5


NULLS = {
    "small": NullDesign("60 rows, 40 % positives", 60, partial(equal_models, share=0.4, shift=1.2)),
    "rare": NullDesign("500 rows, 3 %, threshold 0.1", 500, partial(equal_models, share=0.03, shift=1.5), 0.1),
    "medium": NullDesign("300 rows, 30 %", 300, partial(equal_models, share=0.3, shift=1.2)),
    "large": NullDesign("2,000 rows, 20 %", 2_000, partial(equal_models, share=0.2, shift=1.2)),
    "good": NullDesign("300 rows, 30 %, an AUC of 0.99", 300, partial(equal_models, share=0.3, shift=3.3)),
    "tied": NullDesign("300 rows, 40 %, five levels", 300, partial(equal_models, share=0.4, shift=1.2, levels=5)),
}
OF_SCORES = ("roc_auc", "average_precision", "log_loss", "brier")
OF_COUNTS = ("accuracy", "recall", "precision", "f1", "mcc")
#: Rows of tests that may reject too rarely: they go by whole numbers, or hold for all groups together.
COARSE = ("McNemar", "Cochran", "worst", "groups", "shares", *(f"{name}," for name in OF_COUNTS))

Tested = Callable[[], tuple[float, str | None]]


def said(found: Any) -> str | None:
    """What speaks against a result."""
    return getattr(found, "why", None) or getattr(found, "note", None)


def told(found: Any) -> tuple[float, str | None]:
    """The p-value of a result, and what speaks against it."""
    return found.p_value, said(found)


def outside(found: Any, of_none: float = 0.0) -> tuple[float, str | None]:
    """0 if the value of no difference lies outside an interval, 1 if within; NaN if there is none."""
    return np.nan if np.isnan(found.low) else float(found.low <= of_none <= found.high), said(found)


def tests(null: Null, threshold: float) -> dict[str, Tested]:
    """Each test, to be called."""
    y, models, before, group = null
    first, second = ("m0", "m1")
    pair = {name: models[name] for name in (first, second)}
    classes = {name: each >= threshold for name, each in models.items()}
    labels = rs.inference.compare_labels(y, {name: classes[name] for name in list(models)[:5]})
    both = rs.evaluate(y, pair, threshold=threshold, inference=True)
    now, then = rs.ScoreTable(y, models[first]), rs.ScoreTable(before.y, before.p)
    ten = rs.group_by(y, classes[first], models[first], by={"group": group})
    two = rs.group_by(y, classes[first], models[first], by={"group": group < 5})
    five = rs.group_by(y, classes[first], models[first], by={"group": group % 5})
    right = {name: int((classes[name] == y).sum()) for name in pair}
    then_right = int(((before.p >= threshold) == before.y).sum())
    cells = labels.pairs[first, second].agreement
    boot: list[Any] = []

    def resampled(name: str) -> tuple[float, str | None]:
        if not boot:
            boot.append(rs.inference.bootstrap(y, pair, ["roc_auc", "average_precision"], random_state=0))
        return outside(boot[0].difference(name, first, second))

    def models_together(count: int) -> tuple[float, str | None]:
        return told(rs.inference.compare_scores(y, dict(list(models.items())[:count])))

    proportions = rs.inference.proportion_difference, rs.inference.proportion_ratio
    sizes = (right[first], y.size, then_right, before.y.size)
    return {
        **{f"{n}, two models": partial(lambda n: told(both.difference(n, first, second)), n) for n in OF_SCORES},
        **{f"{n}, two models": partial(lambda n: told(labels.difference(n, first, second)), n) for n in OF_COUNTS},
        **{f"roc_auc, {k} models together": partial(models_together, k) for k in (3, 8, 20)},
        **{f"{n}, two models, bootstrap": partial(resampled, n) for n in OF_SCORES[:2]},
        **{
            f"McNemar, {way}": partial(lambda way: told(labels.mcnemar(first, second, method=way)), way)
            for way in ("mid_p", "exact", "chi_squared", "corrected")
        },
        "Cochran's Q, 5 models": lambda: told(labels.cochran_q()),
        "shares, same rows": lambda: outside(rs.inference.paired_proportion_difference(*cells)),
        "shares, other rows": lambda: outside(proportions[0](*sizes)),
        "ratio of shares, other rows": lambda: outside(proportions[1](*sizes), 1.0),
        **{f"{n}, drift": partial(lambda n: told(rs.drift(then, now, n)), n) for n in OF_SCORES},
        **{f"{n}, drift": partial(lambda n: told(rs.drift(then, now, n, threshold=threshold)), n) for n in OF_COUNTS},
        **{
            f"{n}, two groups": partial(lambda n: outside(two.difference(n, groups=(True, False))), n)
            for n in ("roc_auc", "recall", "mcc")
        },
        **{
            f"{n}, five groups": partial(lambda n: outside(five.difference(n)), n) for n in ("roc_auc", "recall", "mcc")
        },
        **{
            f"{n}, worst of 20 groups": partial(lambda n: (float(ten.worst(n).found == 0), None), n)
            for n in ("recall", "mcc")
        },
        "Hosmer-Lemeshow": lambda: (float(now["hosmer_lemeshow_p_value"]), None),
        "Spiegelhalter": lambda: (float(now["spiegelhalter_p_value"]), None),
    }


@dataclass(frozen=True)
class Rejected:
    """Whether a test rejected, for each sample, NaN where there was no p-value; and whether a note came along."""

    test: str
    rejects: Array
    has_note: Array

    def text(self) -> str:
        """A cell of the table."""
        known = ~np.isnan(self.rejects)
        if known.sum() < FEW * known.size:
            return "none"
        shown = f"{100 * self.rejects[known].mean():.1f}"
        why = self.why()
        return (
            f"**{shown}** {why}" if why else shown if SMALL <= self.rejects[known].mean() <= LARGE else f"{shown} (n)"
        )

    def why(self, slack: float = 0.0) -> str:
        """What is wrong with the test where it has no note; empty if nothing is, or all together are right."""
        if SMALL - slack <= self.rejects[~np.isnan(self.rejects)].mean() <= LARGE + slack:
            return ""
        quiet = self.rejects[~np.isnan(self.rejects) & ~self.has_note]
        if quiet.size < QUIET * self.rejects.size:
            return ""
        if quiet.mean() > LARGE + slack:
            return "liberal"
        return "timid" if quiet.mean() < SMALL - slack and not any(each in self.test for each in COARSE) else ""


def rejected(name: str, samples: int) -> dict[str, Rejected | None]:
    """How the tests did in a design; None where they are refused."""
    warnings.simplefilter("ignore")
    design, rng = NULLS[name], np.random.default_rng([5, *name.encode()])
    found: dict[str, list[tuple[float, bool]]] = {}
    for _ in range(samples):
        for test, ask in tests(design.draw(rng, design.rows), design.threshold).items():
            try:
                p_value, note = ask()
            except (rs.RocksteadyError, TypeError):  # no such test, or no such option
                found[test] = []
                continue
            found.setdefault(test, []).append((p_value, bool(note)))
    made: dict[str, Rejected | None] = {}
    for test, each in found.items():
        p_values, notes = np.array(each or np.zeros((0, 2))).T
        rejects = np.where(np.isnan(p_values), np.nan, p_values <= 0.05)
        made[test] = Rejected(test, rejects, notes.astype(bool)) if each else None
    return made


# The page.

TEXT = """\
<!-- Made by docs/coverage.py (make thorough), which simulates it: edit that, not this page. -->
# How often intervals cover, and how often tests err

An interval of 95 % should contain the true value in 95 % of samples, and a test at 5 % should reject in 5 % of the
samples in which nothing differs. Here are both, simulated: with {samples:,} samples of each design for
intervals, one in {of_resampled} of them for intervals that resample, and {tested:,} for tests.
[Intervals](intervals.md) says what the true value is.

## Coverage of the default intervals, in %

| design | rows |
|---|---|
{designs}

The default interval of each index, asked for as on its page; an index without a formula is resampled. The threshold is
0.5, and for several classes the class predicted is the likeliest.

- **Bold**: all intervals together are out of bounds, and so are those that say nothing in their `note` or `why`. The figure
  is of all intervals, the word after it of those that say nothing. The bounds are {low} to {high} %, with at most {tail} % of the
  samples on one side. "narrow" and "wide" are intervals that cover too rarely or too often; "below" and "above" say on
  which side of the interval the true value lies too often.
- **(n)**: out of bounds, but the results say so. Those that say nothing are within the bounds, or they are fewer than
  {quiet} % of the samples. So few are not judged by themselves, since they were selected: of the samples of "rare" a note
  speaks in nine of ten, and the others have 20 positives and more, where 15 are expected.
- "–" is an interval that is refused, "none" one that has bounds in fewer than {few} % of samples.

{coverage}

At 95 % the standard error of a figure is {error:.1f}, and more where intervals resample. "rarest" is the interval of the
rarest class or label.

## Groups of rows in clusters

200 users of ten rows, as "clustered" above, in four groups: each user "within" one of them, or "across" all. The interval
of the first group, and of its difference from the second: of `evaluate(..., by=, inference=True, cluster=)`, and with the
rows taken as independent.

{groups}

## Size of the tests

How often they reject at a level of 5 %, in %, though nothing differs.

| null hypothesis | rows |
|---|---|
{nulls}

Models are equally good, and resemble each other; rows before are ten times as many as rows now; 20 groups are alike.
The probabilities are right, as the last two tests need.

- **Bold**: more than {large} % ("liberal") or less than {small} % ("timid"), and the results do not say so.
- **(n)**: the same, but the results say so, or the test goes by whole numbers or holds for several groups together and
  rejects too rarely.

{sizes}
"""


def table(columns: Mapping[str, Mapping[str, Any]]) -> Iterable[str]:
    """The lines of a table, an index or a test a row."""
    yield f"| | {' | '.join(columns)} |"
    yield f"|---|{'---|' * len(columns)}"
    for row in dict.fromkeys(row for column in columns.values() for row in column):
        cells = [
            "" if row not in column else "–" if column[row] is None else column[row].text()
            for column in columns.values()
        ]
        yield f"| {row} | {' | '.join(cells)} |"


def cells(page: str) -> dict[tuple[str, str], str]:
    """The cells of both tables of a page, by row and column."""
    heads: list[str] = []
    found: dict[tuple[str, str], str] = {}
    for line in page.splitlines():
        row, *texts = [each.strip() for each in line.strip("|").split("|")]
        if line.startswith("| | "):
            heads = texts
        elif line.startswith("| ") and len(texts) == len(heads):
            found |= {(row, head): text for head, text in zip(heads, texts, strict=True)}
    return found


def marked(page: str) -> set[tuple[str, str]]:
    """The cells of a page that are out of bounds without a note."""
    return {place for place, text in cells(page).items() if text.startswith("**")}


def simulated() -> str:
    """The text of the page, simulated anew."""
    with ProcessPoolExecutor() as pool:
        coverage = {name: pool.submit(covered, name, SAMPLES) for name in DESIGNS}
        sizes = {name: pool.submit(rejected, name, TESTED) for name in NULLS}
        grouped = [pool.submit(of_groups, where, SAMPLES) for where in GROUPED]
        found = {name: each.result() for name, each in coverage.items()}
        errors = {name: each.result() for name, each in sizes.items()}
        groups = {name: column for each in grouped for name, column in each.result().items()}
    return made(found, errors, groups)


def made(
    found: dict[str, dict[str, Covered | None]],
    errors: dict[str, dict[str, Rejected | None]],
    groups: dict[str, dict[str, Covered | None]],
) -> str:
    """The text of the page."""
    several = dict(list(found.items())[list(DESIGNS).index("five classes") :])
    two = {name: each for name, each in found.items() if name not in several}
    return TEXT.format(
        samples=SAMPLES,
        of_resampled=OF_RESAMPLED,
        tested=TESTED,
        designs="\n".join(f"| {name} | {design.about} |" for name, design in DESIGNS.items()),
        nulls="\n".join(f"| {name} | {design.about} |" for name, design in NULLS.items()),
        coverage="\n".join([*table(two), "", *table(several)]),
        groups="\n".join(table(groups)),
        sizes="\n".join(table(errors)),
        error=100 * (0.95 * 0.05 / SAMPLES) ** 0.5,
        **{name: f"{100 * each:g}" for name, each in (("low", LOW), ("high", HIGH), ("tail", TAIL))},
        **{name: f"{100 * each:g}" for name, each in (("few", FEW), ("quiet", QUIET))},
        **{name: f"{100 * each:g}" for name, each in (("small", SMALL), ("large", LARGE))},
    )


def main() -> None:
    """Write the page, unless a cell is newly out of bounds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--accept", action="store_true", help="write the page though a cell is newly out of bounds")
    accepts = parser.parse_args().accept
    page = simulated()
    grown = marked(page) - marked(PAGE.read_text(encoding="utf-8"))
    if grown and not accepts:
        raise SystemExit(f"newly out of bounds without a note: {sorted(grown)}; mend them, or write them with --accept")
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
