"""The page docs/pycm.md: every name of PyCM with its row.

python docs/pycm_names.py            # write the page
python docs/pycm_names.py --check    # say whether it is as it should be, and write nothing
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from made import write_or_check

import rocksteady as rs
from rocksteady.pycm import CLASS_NAMES, DISTANCES, NAMES, Reading

PAGE = Path(__file__).parent / "pycm.md"

HEAD = """\
<!-- Made by docs/pycm_names.py from rocksteady.pycm: edit that, not this page. -->
# The names of PyCM

Every statistic and distance of PyCM 4.6 is an index of rocksteady, or is read from one. `cm.pycm(name)` and
`cm.every_pycm(name)` take PyCM's names with PyCM's meaning. Under its own name the same index also has averages,
values at thresholds, intervals, and reasons why it is undefined.

```python
>>> import rocksteady
>>> cm = rocksteady.ConfusionMatrix.from_counts([[3, 0, 0], [0, 1, 2], [2, 1, 3]])
>>> cm.pycm("Overall ACC") == cm["accuracy"]
True
>>> cm.every_pycm("AUC").round(4).tolist(), cm.every("balanced_accuracy").round(4).tolist()
([0.8889, 0.6111, 0.5833], [0.8889, 0.6111, 0.5833])
>>> cm.pycm("SOA1(Landis & Koch)"), cm.pycm("Zero-one Loss")
('Fair', 5.0)

```

The differences from PyCM:

- Where PyCM returns "None", rocksteady returns NaN, or the value in the last column of the tables.
- `rocksteady.pycm.why(cm, name)` gives the reason for a NaN. Averages leave such classes out.
- Nothing overflows: "P-Value" has a value for any number of rows.
- Counts may be weights.

"""

# The value where PyCM returns "None" although the matrix has rows, by the name of the index.
INSTEAD = {
    "mcc": "0",
    "diagnostic_odds_ratio": "0 where tn = 0, by tp tn / (fp fn)",
    "balanced_accuracy": "the mean over the classes that occur",
    "yule_q": "1 or -1 where only one of tp tn and fp fn is 0",
    "cen": "0 for a class that does not occur",
    "mcen": "0 for a class that does not occur",
    "chi_squared": "classes that do not occur, or are never predicted, are left out",
    "phi_squared": "as chi-squared",
    "cramers_v": "as chi-squared; K is the lesser number of classes that occur and that are predicted",
    "contingency_coefficient": "as chi-squared",
    "kl_divergence": "0 log 0 is 0; infinite where a class that occurs is never predicted",
    "adjusted_rand_index": "1 where all rows are in one class, or each row in its own",
    "class_balance_accuracy": "the mean over the classes that occur or are predicted",
    "jaccard_sum": "over the classes that occur or are predicted",
    "individual_classification_success_index": "",
}
EXTRA = {
    "GI": "2 AUC - 1 of one point",
    "AUC": "of one point: (recall + specificity) / 2",
    "AUNU": "of one point each",
    "AUNP": "of one point each",
    "AUPR": "(precision + recall) / 2",
    "Zero-one Loss": "a count",
    "Kappa Standard Error": "the simple one",
    "Kappa 95% CI": "z = 1.96; within the range, none where the standard error is 0",
    "95% CI": "z = 1.96; within the range, none where the standard error is 0",
    "Cross Entropy": "of the margins; classes that are never predicted are left out",
    "P-Value": "exact at any number of rows",
}


def read(name: str, reading: Reading) -> str:
    """Describe how a name is read from its index."""
    parameters = ", ".join(f"{key}={value:g}" for key, value in reading.parameters.items())
    option = reading.option
    words = {
        "pair": f"the whole matrix, with `{option}`",
        "whole": "the whole matrix",
        "interval": f'interval of the whole matrix, method "{option}"',
        "word": f'word of the whole matrix on the scale "{option}"',
        "word of each class": f'word of each class on the scale "{option}"',
    }.get(reading.how, f"{reading.how} average" if reading.how in ("macro", "micro", "weighted") else reading.how)
    notes = [words, *([parameters] if parameters else []), *([EXTRA[name]] if name in EXTRA else [])]
    return "; ".join(notes)


def table(title: str, readings: Iterable[tuple[str, Reading]]) -> str:
    """A heading and a table of names."""
    lines = [f"## {title}", "", "| PyCM | index | read as | where PyCM returns None; empty: NaN |", "|---|---|---|---|"]
    for name, reading in readings:
        row = rs.index(reading.row)
        instead = "" if reading.how in ("word", "word of each class") else INSTEAD.get(row.name, "")
        if reading.how in ("macro", "weighted"):
            instead = "the average over the classes that have a value"
        lines.append(f"| {name} | `{row.name}` | {read(name, reading)} | {instead} |")
    return "\n".join(lines) + "\n\n"


def page() -> str:
    """The text of the page."""
    whole: Mapping[str, Reading] = {name: reading for name, reading in NAMES.items() if name not in CLASS_NAMES}
    return (
        HEAD
        + table(f"Of each class ({len(CLASS_NAMES)})", CLASS_NAMES.items())
        + table(f"Of the whole matrix ({len(whole)})", whole.items())
        + table(f"Similarities and distances of each class ({len(DISTANCES)})", DISTANCES.items()).rstrip()
        + "\n"
    )


if __name__ == "__main__":
    write_or_check(__doc__ or "", lambda: {PAGE: page()})
