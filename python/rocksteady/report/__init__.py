"""The report of an evaluation: charts as SVG, Markdown and one page. It needs numpy and the standard library only.

In the order in which data flow:

| module | owns |
|---|---|
| `text` | numbers and names as the page writes them |
| `elements` | tables, cells and panels of the page |
| `data` | what the script of the page needs, as JSON |
| `charts` | which charts an evaluation has |
| `svg` | charts as static pictures |
| `summary` | headlines, the best model, common indices |
| `threshold_explorer` | the threshold explorer, and thresholds that have a name |
| `matrix` | confusion matrices |
| `tables` | tables of gains, calibration and classes |
| `groups` | groups: their charts and table |
| `differences` | differences between models |
| `markdown` | an evaluation as Markdown |
| `page` | the report as one HTML file |
| `bounded` | the report of a bounded evaluation |
"""
