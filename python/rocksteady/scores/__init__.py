"""Two classes and a score: the score table, and everything derived from it.

In the order in which data flow:

| module | owns |
|---|---|
| `curves` | one file a curve, or a few of a kind |
| `points` | operating points: the best threshold, grids, Pareto sets |
| `thresholds` | counts at thresholds; the best threshold |
| `certified` | thresholds that are certified for the population |
| `gains` | bands of scores: gains and profit tables |
| `calibration` | scores as probabilities: calibration curves, errors, decompositions |
| `prevalence` | score tables and probabilities for another share of positives |
| `score_table` | the score table, which has the methods of the five modules above, and its collector |
| `decision_band` | net benefit with a band, and the difference of two models |
| `score_sketch` | the bounded state of a ranking, and its collector |
| `score_view` | scores beyond memory |
| `anchored_counts` | counts around the scores of a rare class |
| `counted_scores` | scores with given counts |
| `confidence` | probabilities of several classes: the most probable one, each two; probabilities without labels |
| `stability` | how far two distributions are apart |
| `amounts` | outcomes that are amounts, such as losses: how well scores order them |
| `treatment` | uplift: two tables, of a treatment and of a control |
| `unknown_labels` | rows some of whose labels are not known: bounds over all labels |
| `probability_sums` | sums over probabilities that add, for log loss and Brier score |
"""

from rocksteady.base.names.lazy import lazily

__getattr__, __dir__, __all__ = lazily(__name__, __file__)
