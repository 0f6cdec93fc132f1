"""Functions with scikit-learn's names, signatures, values, warnings and errors; scikit-learn itself is not needed.

The reference is scikit-learn 1.9. Change ``from sklearn.metrics import …`` to ``from rocksteady.metrics import …``. In the
order in which data flow:

| module | owns |
|---|---|
| `_drop_in` | who answers a call: the core, or scikit-learn where the core refuses |
| `_devices` | answers for arrays of another device |
| `_warning` | scikit-learn's warnings |
| `_sharing` | one count and one sort for several metrics of the same arguments |
| `_counting` | the quick call of the metrics of labels |
| `_classification` | metrics that read the whole confusion matrix, or how many rows of it are right |
| `_precision_recall` | precision, recall, F, Jaccard, and their `zero_division` |
| `_report` | the report of precision, recall, F1 and support |
| `_areas` | areas of several columns of scores |
| `_ranking` | areas under curves |
| `_curves` | curves over thresholds |
| `_label_ranking` | metrics of how each row ranks its labels |
| `_probability` | metrics of probabilities and of scores of several classes |
| `_scorer` | scorers |
| `_displays` | displays |
"""

from rocksteady.base.names.lazy import lazily

__getattr__, __dir__, __all__ = lazily(__name__, __file__)
