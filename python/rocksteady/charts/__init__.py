"""Charts as data, each described once: its lines, axes, caption, references and marks.

Three painters draw them: `rocksteady.plot` with matplotlib, `rocksteady.report.svg` as static pictures, and the script of the report's
page. A chart is made of statistics only; nothing here knows matplotlib or HTML.

- `palette`: colours and dashes.
- `chart`: what a chart is.
- `source`: the models or classes that its lines are of.
- `curves`: charts that have one curve a model.
- `thresholds`, `scores`: charts over the threshold or the score.
"""
