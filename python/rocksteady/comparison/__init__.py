"""Comparison of models, matrices and indices."""
