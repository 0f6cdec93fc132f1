"""The page docs/intervals.md: which indices have an interval, and why the others have none.

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
# Intervals: which indices have one

{having} of the {count} indices have a confidence interval: shares of rows, and a few others whose standard error is
known. This page lists them, says why the others have none, and shows what to do instead.

```python
>>> import numpy as np
>>> import rocksteady as rs
>>> scores, labels = np.loadtxt("examples/rocr_simple.csv", delimiter=",", skiprows=1, unpack=True)
>>> table = rs.ScoreTable(labels, scores)
>>> interval = table.at(0.5).interval("recall")             # of a matrix: cm.interval("recall")
>>> interval.method, round(float(interval.low), 3), round(float(interval.high), 3)
('wilson', 0.763, 0.908)

```

`level=` sets the level, `side="lower"` gives one bound only, and `cm.per_class_interval` has an interval for each class.
Intervals assume independent rows.

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
The indices that are themselves standard errors or p-values always read weights as counts.

## Indices with an interval

The first method is the default. `clopper_pearson` is exact, `fleiss` is the standard error of Fleiss, Cohen and Everitt.

| indices | methods |
|---|---|
{methods}

The points of a [calibration curve](probabilities.md#the-calibration-curve) have Wilson's interval, too.

## Indices without an interval

| why | indices |
|---|---|
{without}

Averages over classes have no interval either: the values of the classes depend on each other.

## What to do instead: resample

Draw the rows again and again with replacement, and take quantiles of the index (the bootstrap). A drawn row is a row
with a weight, so nothing is copied. This works for every index, and for the difference between two models on the same
rows:

```python
>>> def bootstrap(index, rounds=1_000, level=0.95, seed=0):
...     rng, n = np.random.default_rng(seed), len(labels)
...     values = []
...     for _ in range(rounds):
...         weight = np.bincount(rng.integers(0, n, n), minlength=n)
...         values.append(rs.ScoreTable(labels, scores, sample_weight=weight)[index])
...     return np.nanquantile(values, [(1 - level) / 2, (1 + level) / 2])
>>> bootstrap("roc_auc").round(2)
array([0.77, 0.89])

```

Two rules keep the result honest:

- Resample what is independent. If a customer has several rows, draw customers, not rows.
- With fewer than about 20 rows of a class the bootstrap is too narrow. Prefer a share with an exact interval.
"""
# Why an index has no interval, with the families or the form to which that applies. The first that fits is taken.
NO_INTERVAL = (
    ("It is a count or a sum. It grows with the number of rows, so there is no true value to estimate.", {"amounts"}),
    ("It is itself a standard error or the result of a test.", {"inference"}),
    (
        "It is read from all scores, not from four counts. No standard error is implemented. Resample.",
        {"scores", "score_tables", "probabilities"},
    ),
    ("It is made of several counts and is no share of rows. No standard error is implemented. Resample.", None),
)


def page() -> str:
    """The text of the page."""
    rows = rs.indices()

    def linked_name(row: rs.Index) -> str:
        return f"[`{row.name}`](indices/{row.family}.md#{row.name})"

    having: dict[tuple[str, ...], list[str]] = {}
    for row in rows:
        if row.intervals:
            having.setdefault(row.intervals, []).append(linked_name(row))
    without: dict[str, list[str]] = {reason: [] for reason, _ in NO_INTERVAL}
    for row in rows:
        if not row.intervals:
            kinds = {row.family, *(row.forms if "counts" not in row.forms else ())}
            reason = next(reason for reason, which in NO_INTERVAL if which is None or which & kinds)
            without[reason].append(linked_name(row))
    return INTERVALS.format(
        having=sum(map(len, having.values())),
        count=len(rows),
        methods="\n".join(
            f"| {', '.join(names)} | {', '.join(f'`{method}`' for method in methods)} |"
            for methods, names in having.items()
        ),
        without="\n".join(f"| {reason} | {', '.join(names)} |" for reason, names in without.items()),
    )


if __name__ == "__main__":
    write_or_check(__doc__ or "", lambda: {PAGE: page()})
