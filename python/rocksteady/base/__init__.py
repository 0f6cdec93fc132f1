"""What everything else is written with.

Uses `errors`. In the order in which data flow:

| module | owns |
|---|---|
| `arguments` | reading arguments, or refusing them by name, value and expectation |
| `containers` | what the extension does not open itself: data frames and other containers |
| `table` | a small table that prints, and turns into frames, Markdown and CSV |
| `result` | named arrays of one length: what curves and tables of results share |
| `statistic` | indices by name, addition, equality, bytes: what statistics share |
"""
