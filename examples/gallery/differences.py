"""
Which model is better?
======================

The differences in AUC between models on the same rows. A row whose interval lies on one side of the dashed line shows a
difference; p-values and verdicts allow for the number of pairs.
"""

import numpy as np

import rocksteady as rs

rng = np.random.default_rng(7)
bought = rng.random(1_000) < 0.3
habit = rng.normal(size=bought.size) + bought  # what all models see
noise = {"last year's": 1.0, "new": 0.4, "with weather": 0.35}
models = {name: habit + scale * rng.normal(size=bought.size) for name, scale in noise.items()}
ev = rs.evaluate(bought, models, inference=True)

display = ev.plot.differences("roc_auc")

# %%
# One of them, with its interval and its test:

print(ev.difference("roc_auc", "new", "last year's"))
