"""Counts of labels: the confusion matrix, one two-by-two table, costs."""
