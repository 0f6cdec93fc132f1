"""
Several classes
===============

A curve for each class against the rest, with the mean over the classes (macro) and the curve of all classes pooled
(micro). The matrix shows which classes are confused.
"""

import matplotlib.pyplot as plt
import numpy as np

import rocksteady as rs

rng = np.random.default_rng(6)
kinds = np.array(["ant", "bee", "cat", "dog"])
y_true = rng.choice(kinds, 3_000, p=[0.1, 0.2, 0.3, 0.4])
y_proba = rng.gamma(0.7, size=(3_000, 4)) + (y_true[:, None] == kinds) * rng.gamma(1.2, size=(3_000, 1))
y_proba /= y_proba.sum(axis=1, keepdims=True)

figure, axes = plt.subplots(1, 2, figsize=(11, 4.6), layout="constrained")
rs.plot.RocDisplay.from_predictions(y_true, y_proba, ax=axes[0])
matrix = rs.ConfusionMatrix(y_true, kinds[y_proba.argmax(axis=1)])
rs.plot.ConfusionMatrixDisplay.from_matrix(matrix, ax=axes[1])
plt.show()
