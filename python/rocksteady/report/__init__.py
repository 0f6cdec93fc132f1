"""The report of an evaluation: charts as SVG, Markdown and one page. It needs numpy and the standard library only."""
