"""The command line: files in, a table or JSON out. It counts nothing itself.

| module | owns |
|---|---|
| `command` | options, exit codes, the sentence for every refusal |
| `files` | which files, their columns and types, batches of checked rows |
| `tally` | batches into statistics, the meaning of the labels |
| `report` | statistics into named values |
| `show` | named values into a table or JSON |

It needs the extra `[cli]`. Nothing else in the package imports it.
"""
