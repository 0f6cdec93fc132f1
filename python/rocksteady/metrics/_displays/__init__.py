"""scikit-learn's displays of classifiers: the same names, options and attributes; matplotlib draws, and is needed to.

A display holds what is to be drawn and draws it on any axes, as often as asked: ``from_predictions``,
``from_estimator`` and ``from_cv_results`` compute with this package's functions, ``plot`` draws.

| module | owns |
|---|---|
| `options` | options that are passed on |
| `curves` | displays of curves |
| `confusion` | the display of a confusion matrix |
"""
