"""
Compare two models
==================

ROC and precision-recall curves of two models on the same rows. ROC hides how many alarms are false when positives are
rare; the precision-recall curve shows it.
"""

import matplotlib.pyplot as plt
import numpy as np

import rocksteady as rs

rng = np.random.default_rng(7)
bought = rng.random(20_000) < 0.05
models = {
    "last year's": 1 / (1 + np.exp(3 - 1.2 * bought - rng.normal(size=bought.size))),
    "new": 1 / (1 + np.exp(3 - 2.2 * bought - rng.normal(size=bought.size))),
}
ev = rs.evaluate(bought, models)

figure, axes = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
ev.plot.roc(ax=axes[0])
ev.plot.precision_recall(ax=axes[1])

# %%
# The numbers beside the pictures:

print(ev.summary(["roc_auc", "average_precision", "ks", "log_loss"]))
