"""
Labels that are still unknown
=============================

The AUC of 200 scores of which 60 have no label yet, the lowest ones: nobody looked. The band holds the AUC whatever these labels
are; it narrows once a range of their share of positives is known. The dashed lines are estimates, each with an assumption.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import rocksteady as rs

examples = Path(globals().get("__file__", "in this folder")).resolve().parents[1]
scores, labels = np.loadtxt(examples / "rocr_simple.csv", delimiter=",", skiprows=1, unpack=True)
is_unknown = scores < np.quantile(scores, 0.3)
ledger = rs.scores.LabelLedger(np.where(is_unknown, np.nan, labels), scores)

shares = np.arange(ledger.unknown_rows + 1) / ledger.unknown_rows
each = [ledger.bounds("roc_auc", prevalence=(share, share)) for share in shares]
whole, estimates = ledger.bounds("roc_auc"), ledger.estimated("roc_auc")

fig, axes = plt.subplots(figsize=(7, 4), layout="constrained")
axes.axhspan(whole.low, whole.high, color="C0", alpha=0.12, label="whatever the unknown labels are")
axes.fill_between(
    shares,
    [one.low for one in each],
    [one.high for one in each],
    color="C0",
    alpha=0.4,
    label="for this share of positives",
)
axes.axhline(estimates.at_random, color="C1", linestyle="--", label="estimate: missing at random")
axes.axhline(estimates.calibrated, color="C2", linestyle="--", label="estimate: calibrated scores (CBPE)")
axes.plot(labels[is_unknown].mean(), rs.ScoreTable(labels, scores)["roc_auc"], "ko", label="all labels, later")
axes.set(xlim=(0, 1), ylim=(0.4, 1), xlabel="share of positives among the unknown labels", ylabel="AUC")
axes.legend(loc="lower left", fontsize="small")
plt.show()
