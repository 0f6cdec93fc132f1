"""
Are the probabilities right?
============================

The observed share of positives against the predicted probability. On the diagonal the probabilities are right. The
first model is too sure of itself: its curve is flatter than the diagonal.
"""

import numpy as np

import rocksteady as rs

rng = np.random.default_rng(3)
logit = rng.normal(-0.5, 1.2, 20_000)
happened = rng.random(logit.size) < 1 / (1 + np.exp(-logit))
models = {"too sure": 1 / (1 + np.exp(-2 * logit)), "calibrated": 1 / (1 + np.exp(-logit))}
ev = rs.evaluate(happened, models)
ev.plot.calibration(strategy="quantile")

# %%
# A slope below 1 says the same in one number. Both models rank the rows alike, so AUC does not notice.

print(ev.summary(["calibration_slope", "ece", "brier", "roc_auc"]))
