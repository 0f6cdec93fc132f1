"""The page docs/intervals.md: how sure a value is, by which method, and why some indices have no interval.

python docs/intervals.py            # write the page (make reference)
python docs/intervals.py --check    # fail if it is not as the registry has it, and write nothing
"""

from __future__ import annotations

from pathlib import Path

from made import write_or_check

import rocksteady as rs

PAGE = Path(__file__).parent / "intervals.md"

INTERVALS = """\
<!-- Made from the registry by docs/intervals.py (make reference): edit that, not this page. -->
# Intervals: how sure a value is

{having} of the {count} indices have a confidence interval. This page says by which method, and why others have none.
[What an interval here means](what-an-interval-means.md) says what it takes for granted, and what it does not tell.

```python
>>> import numpy as np
>>> import rocksteady as rs
>>> scores, labels = np.loadtxt("examples/rocr_simple.csv", delimiter=",", skiprows=1, unpack=True)
>>> table = rs.ScoreTable(labels, scores)
>>> interval = table.at(0.5).interval("recall")             # of a matrix: cm.interval("recall")
>>> interval.method, round(float(interval.low), 3), round(float(interval.high), 3)
('wilson', 0.763, 0.908)
>>> cm = rs.ConfusionMatrix(labels, scores >= 0.5)
>>> print(cm.interval(["f1", "mcc", "kappa"]))
index  estimate       low      high  standard_error  method
f1     0.840426   0.77575  0.889114       0.0287609  delta
mcc    0.699087  0.585925  0.785506       0.0506264  delta
kappa  0.698946  0.585721  0.785414       0.0506553  delta

```

| call | interval of |
|---|---|
| `cm.interval(name)`, `cm.interval([names])` | a matrix, as `cm.value` |
| `cm.interval(name, average="macro")` | an average over the classes |
| `cm.every_interval(name)` | each class |
| `counts.interval(name)`, `table.at(t).interval(name)` | many tables at once, a threshold |
| `ev.interval(name)`, `ev.summary(interval=True)` | the models of an evaluation |
| `queries.interval(name)` | the mean over queries |

`level=` sets the level, and `side="lower"` gives one bound only. Parameters of an index are given as to `value`. An index
that you define has an interval, too.

## Which method

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

No interval has zero width. Where the sample does not show how the value scatters, the bounds are NaN and `interval.why`
says so. `interval.note` says what speaks against an interval: a class with fewer than 20 rows or predictions, or few rows
that tell how far the value scatters. A recall of 97 among 100 rests on three misses, the log loss of a nearly perfect
model on its few worst rows. With the influence ψ of each row on the value, (Σψ²)² / Σψ⁴ rows tell the scatter. Below 5
there is a note (20 for average precision, which is skewed): in simulations of nearly separate classes intervals at 95 %
then cover 80 to 100 %.
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

## Weights

What a weight means is said where rows are counted, and is part of what is counted:

| `weight_kind` | a weight is | rows of weight 10 |
|---|---|---|
| `"counts"`, the default | so many rows | ten rows each: a narrow interval |
| `"sampling"` | an inverse probability, an importance or a class weight | one row each, ten times as important |

```python
>>> weights = np.where(labels == 1, 4.0, 1.0)               # positives were sampled at a quarter of the rate
>>> for kind in ("counts", "sampling"):
...     weighted = rs.ScoreTable(labels, scores, sample_weight=weights, weight_kind=kind)
...     interval = weighted.at(0.5).interval("recall")
...     print(kind, round(float(interval.low), 3), round(float(interval.high), 3))
counts 0.81 0.882
sampling 0.763 0.908

```

Values do not depend on the kind. A statistic of sampling weights also keeps the sums of their squares, adds to its own
kind only, and takes these sums along in bytes and pickles. Its intervals go by effective rows: as many as would scatter
like the weighted ones (Taylor linearisation). Where all rows weigh the same, the interval is that of unweighted rows.
The indices that are themselves standard errors always read weights as counts; p-values of sampling weights are undefined.
An interval of weights that are not whole, and count as rows, has a `note` that says so.

In simulations of 1,000 rows (weights 1 or 8, lognormal, by class, lighter for errors; 33 % and 5 % positives), intervals
at 95 % of recall, precision, accuracy, F1, Jaccard, MCC, kappa and balanced accuracy cover 91 to 98 %. With the same
weights read as counts they cover 45 to 99.8 %.

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

## Resample

The bootstrap draws rows again and again with replacement, and takes quantiles of the index. This works for every index,
also where the delta method has no interval ([The bootstrap](bootstrap.md)):

```python
>>> boot = rs.inference.bootstrap(labels, scores, "partial_auc", high_fpr=0.2, random_state=0)
>>> round(boot["partial_auc"].low, 3), round(boot["partial_auc"].high, 3)
(0.07, 0.139)

```

With fewer than about 20 rows of a class the bootstrap is too narrow. Prefer a share with an exact interval.
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
