"""Charts as data, each described once: its lines, axes, caption, references and marks.

Three painters draw them: `rocksteady.plot` with matplotlib, `rocksteady.report.svg` as static pictures, and the script
of the report's page. A chart is made of statistics only; nothing here knows matplotlib or HTML. In the order in which
data flow:

| module | owns |
|---|---|
| `palette` | colours and dashes |
| `scale` | when an axis of scores is stretched, and how |
| `chart` | what a chart is: axes and series |
| `source` | the models or classes that have a line each, and the points of their curves |
| `curves` | the charts with one curve for each model |
| `scores` | the charts over the score or the threshold, and calibration |
| `classes` | the charts of several classes that are no curves |
| `differences` | the forest plot of differences between models, and their verdicts |
| `leaderboard` | the ranks that models may have |
| `uplift` | uplift, Qini and targeting operator curves |
| `groups` | the charts of groups: forest plot, distribution, ROC curves |
"""
