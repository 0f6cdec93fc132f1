"""Curves over the thresholds of a score table, each a small typed object of named arrays: one file a curve, or a few of a kind."""
