"""
Everything on one page
======================

``overview`` draws the most important charts of an evaluation in one figure.
"""

import numpy as np

import rocksteady as rs

rng = np.random.default_rng(1)
ill = rng.random(5_000) < 0.3
risk = 1 / (1 + np.exp(1.2 - 2.0 * ill - rng.normal(size=ill.size)))
figure = rs.evaluate(ill, risk, names=["risk score"]).plot.overview()
