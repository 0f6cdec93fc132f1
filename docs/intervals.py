"""The page docs/interval-methods.md: how sure a value is, by which method, and why some indices have no interval.

python docs/intervals.py            # write the page (make reference)
python docs/intervals.py --check    # fail if it is not as the registry has it, and write nothing
"""

from __future__ import annotations

from pathlib import Path

from made import write_or_check

import rocksteady as rs

PAGE = Path(__file__).parent / "interval-methods.md"

INTERVALS = """\
<!-- Made from the registry by docs/intervals.py (make reference): edit that, not this page. -->
# How each interval is made

{having} of the {count} indices have a confidence interval. [Intervals](intervals.md) says how to ask for one and what it takes for
granted. This page has the methods, how often they cover, and [the list of all indices](#indices-with-an-interval).

## Indices of counts

- **Shares of rows** (accuracy, recall, precision, …) have Wilson's interval. `clopper_pearson` is exact: it covers the
  true value at least as often as its level says, also in the smallest samples.
- **Likelihood ratios, the odds ratio and the relative risk** have the normal interval of their logarithm.
- **Every other index of counts** has the interval of the `delta` method. The slopes of the formula over the cells give
  the standard error. It goes to a scale that suits the range of the index: the logit between two ends, the logarithm
  above 0. So no interval leaves the range or has zero width. Of the mean cost of two classes the ends are the least and
  the greatest cost of a row. Mutual information has the scale of its root, and its lower bound allows for its bias.
- **Means over classes** (`average="macro"`, balanced accuracy) have an interval from those of the classes (MOVER), with what
  the classes share by the delta method. A class whose few rows are all right is then as uncertain as its own interval.
- **Means over queries** have the interval of Student's t distribution, which takes the queries as independent; Wilson's
  where each query has 0 or 1, such as a hit or none.

### Few rows

No interval has zero width. Where the sample does not show how the value scatters, the bounds are NaN and `interval.why`
says so. `interval.note` says what speaks against an interval: a class with fewer than 20 rows or predictions, or few rows
that tell how far the value scatters. A recall of 97 among 100 rests on three misses, the log loss of a nearly perfect
model on its few worst rows. With the influence ψ of each row on the value, (Σψ²)² / Σψ⁴ rows tell the scatter. Below 5
there is a note (20 for average precision and the logarithmic loss, which are skewed): in simulations of nearly separate
classes intervals at 95 % then cover 80 to 100 %.
`interval.standard_error` is always that of the index itself, on whatever scale the interval is made.

With five classes, the rarest 1.5 % of the rows, intervals of means over the classes contain the true value in this
share of samples; those of the delta method alone do in 50 to 79 % of 100 rows:

| rows | balanced accuracy | macro precision | macro F1 |
|---|---|---|---|
| 100 | 92 to 96 % | 90 to 97 % | 91 to 98 % |
| 300 | 92 to 95 % | 91 to 95 % | 93 to 98 % |
| 1,000 | 94 to 95 % | 93 to 96 % | 95 to 97 % |

Simulations of all {of_counts} indices of counts show how often the default interval contains the true value, at a
level of 95 %. The table counts indices:

| rows | positive class | below 92 % of samples | 92 to 98 % | above 98 % |
|---|---|---|---|---|
| 1,000 | 33 % | 0 | {of_counts} | 0 |
| 1,000 | 5 % | 0 | {of_counts} | 0 |
| 100 | 33 % | 3 | 189 | 2 |
| 100 | 5 % | 21 | 115 | 58 |

With 100 rows the adjusted mutual information is left out, since its true value needs whole rows. No index is below 86 %.
[How often intervals cover](coverage.md) has other designs, and the indices of scores.

Some cases are special:

- **A cell is empty.** For two classes, half a row is added to every cell for the interval, not for the estimate. More
  classes get the same two rows, evenly over all cells, where the value is at an end of its range. Such intervals are
  rather too wide than too narrow.
- **A kink.** Some formulas take the lesser of two numbers. Where both are equal the slopes to either side differ. Then
  the bounds are NaN, and `interval.why` says so.
- **Many classes.** The adjusted mutual information has slopes by differences, over at most 2,500 cells that are not
  empty. Other indices have them over any number.

## Areas and losses: methods for the AUC

The rows are not needed: everything is read from the score table. With sampling [weights](weights.md) the influences are multiplied
by the weights before they are squared, and m and n are effective rows.

```python
>>> import numpy as np
>>> import rocksteady as rs
>>> scores, labels = np.loadtxt("examples/rocr_simple.csv", delimiter=",", skiprows=1, unpack=True)
>>> table = rs.ScoreTable(labels, scores)
>>> table.interval(["gini", "average_precision", "brier", "brier_skill_score"])
index              estimate       low      high  standard_error  method
gini               0.668375  0.525154  0.771044       0.0624712  blended
average_precision  0.784645  0.671102  0.866772       0.0499848  logit
brier              0.167663  0.140353  0.200287       0.0152092  logarithm
brier_skill_score  0.326045  0.194323  0.436231       0.0613858  logarithm
Few rows tell how far the value scatters: intervals may cover the true value, and tests reject, less or more often than their level says.

```

m positives, n negatives, AUC A, z = 1.96 for a level of 95 %. V is DeLong's variance, W(t) Newcombe's at an AUC of t:

    V = variance(share of negatives below each positive) / m + variance(share of positives above each negative) / n
    W(t) = t (1 - t) / (m n) * (1 + ((m + n) / 2 - 1) * ((1 - t) / (2 - t) + t / (1 + t)))

| method | interval | source |
|---|---|---|
| `blended` | all t with \\|A - t\\| ≤ z √(r W(t)) | ours, see below |
| `delong` | A ± z √V, cut to [0, 1] | DeLong, DeLong, Clarke-Pearson 1988, [doi:10.2307/2531595](https://doi.org/10.2307/2531595); R's pROC |
| `logit` | the same on the logit scale | as above |
| `newcombe` | all t with \\|A - t\\| ≤ z √W(t) | Newcombe 2006, method 5, [doi:10.1002/sim.2324](https://doi.org/10.1002/sim.2324) |
| `hanley_mcneil` | A ± z times Hanley and McNeil's standard error, cut to [0, 1] | Hanley, McNeil 1982, [doi:10.1148/radiology.143.1.7063747](https://doi.org/10.1148/radiology.143.1.7063747) |

`blended` joins Newcombe's and DeLong's. ρ = V / W(A) says how many times Newcombe's variance the data show; it is 1 where
V is 0 or a class has one row. A greater variance is believed at once, a smaller one only as far as the rarer class has
rows:

    r = ρ if ρ ≥ 1, else ((min(m, n) - 1) ρ + 20) / ((min(m, n) - 1) + 20)

So it is DeLong's interval in large samples and Newcombe's where the classes are separated. It never leaves [0, 1] and
always has a width, also for one positive, an AUC of 1, or scores that are all equal.

It is the default of `ScoreTable.interval`, of `rs.drift` and of `interval` of `rs.inference.compare_scores`. The bootstrap
resamples instead; `method` of each result says what was used.

**The blending, with its 20, is rocksteady's own and not published.** Where a paper must cite a method, take `logit`, or
`delong` to agree with pROC. For small samples `newcombe` is the best of the published ones here. It does not become
right with more rows, though: where rare positives have much wider scores than the negatives, it covers 85 % even with
1,000 and 10,000 rows.

### How often they cover the true AUC

At a level of 95 %, 416 designs with 1,000 samples each: 13 families of scores, 4 distances of the classes (AUC from 0.55
to 0.99) and 8 pairs of sizes from 5 and 20 to 60 and 600. The families are normal, logistic, Student with 3 degrees of
freedom, Cauchy, Laplace and exponential scores; a quarter of the positives that score like negatives; a tenth of the
negatives that score high; one class 2.5 times as wide; five levels; one yes-or-no test; rounded gamma scores. Where a
method has no interval, the value alone is counted.

| method | mean | worst design | designs below 93 % | above 98 % | mean width |
|---|---|---|---|---|---|
| `blended` | 95.7 % | 82.4 % | 6 % | 10 % | 0.256 |
| `newcombe` | 95.1 % | 81.6 % | 17 % | 14 % | 0.247 |
| `logit` | 90.8 % | 27.3 % | 36 % | 0 % | 0.244 |
| `hanley_mcneil` | 89.5 % | 30.5 % | 54 % | 10 % | 0.240 |
| `delong` | 86.5 % | 30.8 % | 73 % | 0 % | 0.234 |

With 50 or more rows of each class (104 designs):

| method | mean | worst design | designs below 93 % | above 98 % | mean width |
|---|---|---|---|---|---|
| `blended` | 95.0 % | 82.6 % | 8 % | 4 % | 0.136 |
| `newcombe` | 94.8 % | 83.0 % | 18 % | 13 % | 0.134 |
| `hanley_mcneil` | 94.5 % | 83.6 % | 28 % | 18 % | 0.141 |
| `logit` | 94.2 % | 81.4 % | 12 % | 0 % | 0.135 |
| `delong` | 92.3 % | 74.8 % | 36 % | 0 % | 0.133 |

The worst designs of `blended` are an AUC near 1 with rare stray rows, or with a class far wider than the other. A sample
that holds none of the rare rows cannot show them.

`ROCKSTEADY_THOROUGH=1 pytest tests/inference/test_interval_of_scores.py -s` simulates both tables again.

## Average precision and losses

The variance is the sum of squared influences of the rows (below); for losses it is the variance of their mean. The
scale keeps the interval within the range of the index.

| indices | methods | coverage at 95 %, 54 designs of 50 to 1,000 rows: mean, worst |
|---|---|---|
| `average_precision` | `logit`, `normal` | 93.2 %, 83.1 %; 89.9 %, 79.0 % |
| `mean_probability_rate` | `logit`, `normal` | 94.7 %, 92.0 %; 94.0 %, 87.6 % |
| `brier` | `logarithm`, `normal` | 94.9 %, 92.7 %; 93.4 %, 86.2 % |
| `root_mean_squared_error` | `logarithm`, `normal` | 94.9 %, 92.7 %; 94.3 %, 90.7 % |
| `log_loss` | `logarithm`, `normal` | 93.8 %, 88.7 %; 92.5 %, 84.5 % |
| `brier_skill_score` | `logarithm`, `normal` | 94.5 %, 89.2 %; 94.1 %, 89.2 % |
| `log_loss_skill_score`, `normalized_cross_entropy` | `logarithm`, `normal` | 93.7 %, 85.4 %; 93.0 %, 84.4 % |
| `observed_expected_ratio` | `logarithm`, `normal` | 94.9 %, 92.0 %; 94.3 %, 87.9 % |

The designs have prevalences of 5, 30 and 50 %, weak to strong scores, calibrated or overconfident. The worst are those of
50 rows with a prevalence of 5 %.

Average precision is biased upwards with few positives and depends on the prevalence, which is not taken as fixed.

## The Kolmogorov-Smirnov distance

KS is the widest gap between the true and the false positive rate. It is a maximum, so it is too great on average, and
resampled rows make that worse: percentile intervals cover 70 to 90 % at 200 rows. `method="envelope"` reads the gap at
each threshold, a difference of two shares with Agresti and Caffo's interval:

- the upper bound is the greatest upper bound of all thresholds;
- the lower bound is the greatest lower bound of all thresholds, with a fifth of the tail: many thresholds are tried, and
  neighbours share their rows. The fifth is our own;
- it is 0 where Smirnov's test does not reject equal distributions at the same tail.

```python
>>> ks = table.interval("ks")
>>> round(ks.low, 3), round(ks.estimate, 3), round(ks.high, 3), ks.method
(0.555, 0.7, 0.786, 'envelope')

```

The standard error is that of the gap at the widest place. Sources: Chernozhukov, Lee, Rosen 2013,
[doi:10.3982/ECTA8718](https://doi.org/10.3982/ECTA8718); Agresti, Caffo 2000,
[doi:10.1080/00031305.2000.10474560](https://doi.org/10.1080/00031305.2000.10474560). How often it covers the true distance
at 95 %, 2,500 samples each:

| design | positives, negatives | covered | true value below | above |
|---|---|---|---|---|
| normal, a distance of 1 | 30, 30 | 98.0 % | 2.0 % | 0.1 % |
| rare | 10, 500 | 96.2 % | 3.8 % | 0.0 % |
| rare | 5, 100 | 98.6 % | 1.4 % | 0.0 % |
| nearly separate | 40, 60 | 99.7 % | 0.0 % | 0.3 % |
| five levels | 60, 140 | 96.8 % | 0.5 % | 2.7 % |
| exponential | 50, 200 | 96.8 % | 3.0 % | 0.2 % |
| one class three times as wide | 50, 150 | 98.1 % | 1.9 % | 0.0 % |
| a flat top | 100, 100 | 98.6 % | 0.6 % | 0.8 % |
| a distance of 0.7 | 200, 200 | 97.6 % | 2.4 % | 0.0 % |
| 0.3 | 100, 300 | 97.2 % | 2.8 % | 0.0 % |
| 0.3 | 20, 200 | 95.0 % | 5.0 % | 0.0 % |
| 0.1 | 50, 150 | 95.8 % | 4.2 % | 0.0 % |
| 0.1 | 1,000, 1,000 | 96.4 % | 3.6 % | 0.0 % |
| equal distributions | 50, 150 | 98.2 % | 1.8 % | |
| equal distributions | 500, 500 | 97.6 % | 2.4 % | |

## Which rows matter most

`influence` has, for each distinct score, how much one positive or negative row more would change the index:

```python
>>> found = table.influence("roc_auc")
>>> worst = int(np.argmin(found.positive))     # the positive row that costs most
>>> round(float(found.score[worst]), 3), round(float(found.positive[worst]), 4)
(0.005, -0.009)

```

The influences of all rows sum to 0, and the sum of their squares is the variance. Where rows come in clusters, such as
several images of a patient, add the influences of a cluster's rows before squaring. Intervals for independent rows are
often too narrow then.

```python
>>> patient = np.arange(len(labels)) // 2
>>> place = np.searchsorted(-found.score, -scores)
>>> of_row = np.where(labels == 1, found.positive[place], found.negative[place])
>>> of_patient = np.bincount(patient, weights=of_row)
>>> round(float(np.sqrt(np.sum(of_row**2))), 4), round(float(np.sqrt(np.sum(of_patient**2))), 4)
(0.0311, 0.0306)

```

## What has no interval here

- Partial areas, the H measure, calibration errors but the debiased one, and indices at a threshold that was chosen on the same rows have no
  formula. `rocksteady.inference.bootstrap` draws intervals for them; [what it does there](bootstrap.md#which-interval) is
  in their `note`.
- Averages over classes ("one_vs_rest_auc") would need to know which rows of two columns are the same. The tables do not
  keep that. The log loss of several classes is a mean over rows and has an interval.
- `ProbabilitySums` keeps the squares of losses only if asked: `ProbabilitySums(y_true, y_score, squares=True)`, or with
  `weight_kind="sampling"`. It has intervals of the log loss, the Brier score and its root; a `ScoreTable` also has those of
  their skill scores.

## Indices with an interval

The first method is the default. `fleiss` is the standard error of Fleiss, Cohen and Everitt, and `cohen` Cohen's first
approximation.

| methods | indices |
|---|---|
{methods}

The points of a [calibration curve](probabilities.md#the-calibration-curve) have Wilson's interval, too.

## Indices without an interval

| why | indices |
|---|---|
{without}
"""


def why_none(row: rs.results.Index) -> str:
    """Why an index has no interval, as a sentence."""
    if not {"counts", "matrix"} & set(row.forms):
        return "It is read from all scores, not from four counts. Resample."
    try:
        rs.Counts(26, 8, 7, 59).interval(row.name)
    except rs.UnknownIndexError as refused:
        reason = str(refused).split("no interval of confidence: ")[1]
        return f"{reason[0].upper()}{reason[1:]}."
    raise AssertionError(row.name)


def page() -> str:
    """The text of the page."""
    rows = rs.indices()

    def linked_name(row: rs.results.Index) -> str:
        return f"[`{row.name}`](indices/{row.family}.md#{row.name})"

    having: dict[tuple[str, ...], list[str]] = {}
    for row in rows:
        if row.intervals:
            having.setdefault(row.intervals, []).append(linked_name(row))
    without: dict[str, list[str]] = {}
    for row in rows:
        if not row.intervals:
            without.setdefault(why_none(row), []).append(linked_name(row))
    return INTERVALS.format(
        having=sum(map(len, having.values())),
        of_counts=sum(bool(row.intervals) and bool({"counts", "matrix"} & set(row.forms)) for row in rows),
        count=len(rows),
        methods="\n".join(
            f"| {', '.join(f'`{method}`' for method in methods)} | {', '.join(names)} |"
            for methods, names in sorted(having.items(), key=lambda each: len(each[1]))
        ),
        without="\n".join(f"| {reason} | {', '.join(names)} |" for reason, names in without.items()),
    )


if __name__ == "__main__":
    write_or_check(__doc__ or "", lambda: {PAGE: page()})
