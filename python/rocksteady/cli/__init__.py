"""The command line: it reads files and prints a table or JSON. It counts nothing itself.

| module | owns |
|---|---|
| `command` | commands, options, exit codes, error messages |
| `completion` | what a shell completes: options, indices, columns |
| `options` | the models, their columns, classes and costs; how files are to be read |
| `sources` | files and standard input, each opened in its format |
| `files` | their columns and types, batches of checked rows |
| `tally` | batches to statistics, the meaning of the labels |
| `bounded` | `--bounded`: what is refused, and what is shown |
| `conditions` | the best thresholds, and requirements |
| `report` | statistics to named values |
| `show` | named values to a table or JSON |
| `output` | results to files, completely or not at all |
| `verify` | what a report says of itself, and whether it is so |

The command line needs the extra `[cli]`. No other part of the package imports it.
"""
