"""Columns in, statistics of each model out."""
