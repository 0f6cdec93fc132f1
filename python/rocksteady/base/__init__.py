"""The base of all other modules.

Uses `errors`. In the order in which data flow:

| module | owns |
|---|---|
| `arguments` | reading arguments, or refusing them with argument, value and expectation |
| `containers` | opening containers that the extension does not open itself, such as data frames |
| `table` | a small table that prints, and converts to data frames, Markdown and CSV |
| `result` | named arrays of one length: the base of curves and tables of results |
| `statistic` | indices by name, addition, equality, bytes: the base of statistics |
"""
