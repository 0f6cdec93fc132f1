"""Scores of several classes, or of several labels a row."""
