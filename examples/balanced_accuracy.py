"""Accuracy and balanced accuracy of cost-sensitive classifiers: a paper reproduced with one command.

    python examples/balanced_accuracy.py --data FOLDER

Yang, Lu, Yan and Ye (2017) train cost-sensitive classifiers on gene expressions of cancers. They show that balanced
accuracy is a better measure than accuracy if errors on the rare class are expensive. This script repeats their
experiment:

- the four data sets;
- an extreme learning machine without costs, and with five weights of costs;
- repeated splits.

It writes their tables 2, 4 and 5, their figures 2 to 6, and ``results.md``, a page with all of them, to
output/balanced_accuracy. docs/papers/balanced-accuracy.md explains the paper and the results.

We may not redistribute the data. If they are missing, the script explains how to get them, and runs on two stand-ins
made from the breast cancer data of scikit-learn. rocksteady computes all indices.

Needs ``pip install '.[plot]' scikit-learn``.
"""

from __future__ import annotations

import os
import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from _paper import command, write
from extreme_learning_machine import CostSensitiveELM
from matplotlib.figure import Figure
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits  # scikit-learn needs it, too

import rocksteady as rs
from rocksteady.charts.palette import REFERENCE, Style, style

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

#: The cost of an error on the smaller class, if an error on the larger class costs 1. With 1 there are no special
# costs.
WEIGHTS = (1.5, 2.0, 3.0, 5.0, 10.0)
PLAIN = 1.0
#: The cost of rejecting a row, if an error on the smaller class costs 2.
REJECT_COSTS = (0.5, 0.4, 0.3)
REJECT_WEIGHT = 2.0
#: The readings of "cost-sensitive ELM", and the name of each without and with costs.
READINGS = {"class_weight": ("ELM", "weighted ELM"), "minimum_risk": ("ensemble", "minimum risk")}
STYLES = {"ELM": style(0), "weighted ELM": style(1), "ensemble": style(3), "minimum risk": style(2)}
GROUPS = 5
FOLDS = 3

#: Name of the data set: its name in the R package datamicroarray, and its source.
SOURCES = {
    "prostate": ("singh", "Singh 2002, doi:10.1016/S1535-6108(02)00030-2"),
    "leukemia": ("golub", "Golub 1999, doi:10.1126/science.286.5439.531"),
    "lung": ("gordon", "Gordon 2002, Cancer Research 62:4963-4967"),
    "colon": ("alon", "Alon 1999, doi:10.1073/pnas.96.12.6745"),
}

HOW_TO_GET = """\
The gene expressions are public supplements of the papers. The R package datamicroarray has them. To download them:

    mkdir -p genes && cd genes
    for name in alon golub singh gordon; do
        curl -LO https://github.com/ramhiser/datamicroarray/raw/master/data/$name.RData
    done
    pip install rdata
    cd .. && python examples/balanced_accuracy.py --data genes

A data set may also be NAME.csv (a header, one row per sample, the last column is the class and is called label), or
NAME.npz
with X, y and classes."""


@dataclass(frozen=True)
class DataSet:
    """A table of samples and their classes.

    Attributes
    ----------
    name : str
        The name in file names; capitalised in titles.
    X : float32 array of shape (samples, features)
    y : array of str, shape (samples,)
    source : str
    stand_in : bool
        Whether it stands in for the paper's data.
    """

    name: str
    X: NDArray[np.float32]
    y: NDArray[np.str_]
    source: str
    stand_in: bool = False

    @property
    def labels(self) -> list[str]:
        """The classes, sorted."""
        return np.unique(self.y).tolist()

    @property
    def minority(self) -> object:
        """The class that the paper calls positive: the smaller one."""
        return rs.costs.minority_label(self.y)

    @property
    def title(self) -> str:
        """The name in titles."""
        return f"{self.name.capitalize()}{' (stand-in)' if self.stand_in else ''}"

    def costs(self, weight: float) -> NDArray[np.float64]:
        """The cost matrix: an error on the smaller class costs `weight`, an error on the larger class 1."""
        return rs.costs.cost_weight_matrix([weight if label == self.minority else 1.0 for label in self.labels])

    def count(self, rows: NDArray[np.intp], predicted: NDArray[Any]) -> rs.ConfusionMatrix:
        """The confusion matrix of predictions for some rows, without rejected rows."""
        return rs.ConfusionMatrix(
            self.y[rows], predicted, labels=self.labels, pos_label=self.minority, nan_policy="omit"
        )

    def part(self, rows: NDArray[np.intp]) -> DataSet:
        """Some of the samples."""
        return DataSet(self.name, self.X[rows], self.y[rows], self.source, self.stand_in)


@dataclass
class Runs:
    """The confusion matrices of one data set, one per split.

    Attributes
    ----------
    data : DataSet
    matrices : dict from reading and weight to list of ConfusionMatrix
        Weight `PLAIN` is the classifier without costs.
    chosen : dict from reading to list of ConfusionMatrix
        Each with the weight that was best on the training rows.
    rejecting : dict from reject cost to list of ConfusionMatrix
        The matrices of the rows that were not rejected.
    """

    data: DataSet
    matrices: dict[tuple[str, float], list[rs.ConfusionMatrix]] = field(default_factory=lambda: defaultdict(list))
    chosen: dict[str, list[rs.ConfusionMatrix]] = field(default_factory=lambda: defaultdict(list))
    rejecting: dict[float, list[rs.ConfusionMatrix]] = field(default_factory=lambda: defaultdict(list))

    def pooled(self, reading: str, weight: float) -> rs.ConfusionMatrix:
        """The sum over all splits. All splits have the same class sizes, so its recalls are means over the splits."""
        return sum(self.matrices[reading, weight])

    def best_weight(self, reading: str) -> float:
        """The weight with the highest balanced accuracy; of ties the smallest."""
        models = {f"{weight:g}": self.pooled(reading, weight) for weight in WEIGHTS}
        return float(rs.compare(models, ["balanced_accuracy"]).sorted[0])

    def classifiers(self) -> dict[str, tuple[str, float]]:
        """The four classifiers compared, from name to reading and weight. Those with costs have their best weights."""
        named = {}
        for reading, (plain, with_costs) in READINGS.items():
            named[plain] = (reading, PLAIN)
            named[with_costs] = (reading, self.best_weight(reading))
        return named


# --- the data


def gene_expressions(folder: Path | None) -> tuple[list[DataSet], list[str]]:
    """Read the paper's four data sets from a folder; return those found, and the names of those missing."""
    found, missing = [], []
    for name, (package_name, source) in SOURCES.items():
        read = None if folder is None else _read(folder, name, package_name)
        if read is None:
            missing.append(name)
        else:
            expressions, y = read
            # Below 0 the scanner measured more background than signal. Genes differ by factors, hence logarithms.
            X = np.log1p(np.maximum(expressions, 0)).astype(np.float32)
            found.append(DataSet(name, X, y.astype(str), source))
    return found, missing


def _read(folder: Path, name: str, package_name: str) -> tuple[NDArray[Any], NDArray[Any]] | None:
    if (path := folder / f"{name}.npz").exists():
        with np.load(path) as arrays:
            return arrays["X"], arrays["classes"][arrays["y"]]
    if (path := folder / f"{name}.csv").exists():
        rows = np.loadtxt(path, delimiter=",", skiprows=1, dtype=str, quotechar='"', ndmin=2)
        return rows[:, :-1].astype(np.float32), rows[:, -1]
    if (path := folder / f"{package_name}.RData").exists():
        import rdata  # needed only for R's files

        sample = rdata.read_rda(path)[package_name]
        return np.asarray(sample["x"], dtype=np.float32), np.asarray(sample["y"])
    return None


def stand_ins() -> list[DataSet]:
    """Breast cancer from scikit-learn, and the same thinned until its rare class is as rare as that of Lung."""
    X, is_benign = load_breast_cancer(return_X_y=True)
    y = np.array(["malignant", "benign"])[is_benign]
    source = "Wolberg, Mangasarian, Street, Street 1993, doi:10.24432/C5DW2B, from scikit-learn"
    whole = DataSet("breast", X.astype(np.float32), y, source, stand_in=True)
    few = np.concatenate([np.flatnonzero(y == "benign"), np.flatnonzero(y == "malignant")[:74]])
    thinned = DataSet("breast-thinned", whole.X[few], y[few], f"{source}; the first 74 malignant ones", stand_in=True)
    return [whole, thinned]


# --- the experiment


@threadpool_limits.wrap(limits=1)  # for thousands of small products, threads are slower than none
def experiment(data: DataSet, splits: int, *, nested: bool, progress: Callable[[str], None]) -> Runs:
    """Repeatedly train on half of the rows and test on the other half."""
    runs = Runs(data)
    halves = StratifiedShuffleSplit(splits, test_size=0.5, random_state=0).split(data.X, data.y)
    for place, (train, test) in enumerate(halves):
        progress(f"{data.title}: split {place + 1} of {splits}")
        probabilities = run_split(runs, train, test, seed=place)
        for cost in REJECT_COSTS:
            answers = rs.costs.bayes_decision(
                probabilities, data.costs(REJECT_WEIGHT), reject_cost=cost, labels=data.labels
            )
            runs.rejecting[cost].append(data.count(test, answers))
        if nested:
            inside = Runs(data.part(train))
            folds = StratifiedKFold(FOLDS, shuffle=True, random_state=place).split(inside.data.X, inside.data.y)
            for learn, judge in folds:
                run_split(inside, learn, judge, seed=place)
            for reading in READINGS:
                runs.chosen[reading].append(runs.matrices[reading, inside.best_weight(reading)][-1])
    return runs


def run_split(runs: Runs, train: NDArray[np.intp], test: NDArray[np.intp], *, seed: int) -> NDArray[np.float64]:
    """Run both readings with all weights on one split; return the ensemble's probabilities for the test rows."""
    data = runs.data
    scaler = StandardScaler().fit(data.X[train])  # fitted to the training rows only
    known, unknown = scaler.transform(data.X[train]), scaler.transform(data.X[test])
    ensemble = CostSensitiveELM(reading="minimum_risk", random_state=seed).fit(known, data.y[train])
    probabilities = ensemble.predict_proba(unknown)
    for weight in (PLAIN, *WEIGHTS):
        costs = data.costs(weight)
        weighted = CostSensitiveELM(costs, reading="class_weight", random_state=seed).fit(known, data.y[train])
        runs.matrices["class_weight", weight].append(data.count(test, weighted.predict(unknown)))
        # As CostSensitiveELM(costs).predict does. Costs change only the decision, so one ensemble serves all weights.
        decided = rs.costs.bayes_decision(probabilities, costs, labels=data.labels)
        runs.matrices["minimum_risk", weight].append(data.count(test, decided))
    return probabilities


# --- tables


def table_of_data(every: Sequence[Runs]) -> rs.results.Table:
    """The sizes of the data sets and of their classes."""
    rows = []
    for runs in every:
        y = runs.data.y
        whole = rs.ConfusionMatrix(y, y)
        sizes = dict(zip(list(whole.labels), whole.counts().tp.astype(int).tolist(), strict=True))
        text = ", ".join(f"{label} {size}" for label, size in sizes.items())
        rows.append((runs.data.title, *runs.data.X.shape, text, str(runs.data.minority), whole.class_ratio))
    return rs.results.Table(["set", "samples", "features", "classes", "positive", "ratio"], rows)


def table_2(every: Sequence[Runs]) -> rs.results.Table:
    """Accuracy without and with costs."""
    return _four(every, "accuracy")


def table_of_balanced(every: Sequence[Runs]) -> rs.results.Table:
    """Balanced accuracy without and with costs."""
    return _four(every, "balanced_accuracy")


def _four(every: Sequence[Runs], index: str) -> rs.results.Table:
    rows = [
        (runs.data.title, *(runs.pooled(reading, weight)[index] for reading, weight in runs.classifiers().values()))
        for runs in every
    ]
    return rs.results.Table(["set", *STYLES], rows)


def table_4(every: Sequence[Runs]) -> rs.results.Table:
    """Balanced accuracy in five groups of splits."""
    rows = []
    for runs in every:
        for group in range(GROUPS):
            cells = [
                sum(runs.matrices[reading, weight][group::GROUPS])["balanced_accuracy"]
                for reading, weight in runs.classifiers().values()
            ]
            rows.append((runs.data.title, group + 1, *cells))
    return rs.results.Table(["set", "group", *STYLES], rows)


def table_5(every: Sequence[Runs], index: str = "balanced_accuracy") -> rs.results.Table:
    """An index for each weight, and the weight with the best balanced accuracy."""
    rows: list[tuple[str | float, ...]] = []
    for runs in every:
        for reading, (_, name) in READINGS.items():
            cells = [runs.pooled(reading, weight)[index] for weight in (PLAIN, *WEIGHTS)]
            rows.append((runs.data.title, name, *cells, f"{runs.best_weight(reading):g}"))
    return rs.results.Table(["set", "reading", "no costs", *(f"{weight:g}" for weight in WEIGHTS), "best"], rows)


def table_of_choice(every: Sequence[Runs]) -> rs.results.Table:
    """Balanced accuracy with the weight that is best on the test rows, and with one chosen on the training rows."""
    rows = []
    for runs in every:
        for reading, (_, name) in READINGS.items():
            cells = [runs.pooled(reading, weight) for weight in (PLAIN, runs.best_weight(reading))]
            cells.append(sum(runs.chosen[reading]))
            rows.append((runs.data.title, name, *(matrix["balanced_accuracy"] for matrix in cells)))
    return rs.results.Table(["set", "reading", "no costs", "best weight", "weight chosen in training"], rows)


def table_of_rejection(every: Sequence[Runs]) -> rs.results.Table:
    """Accuracy and balanced accuracy of the rows that are not rejected."""
    rows = []
    for runs in every:
        whole = runs.pooled("minimum_risk", REJECT_WEIGHT)
        rows.append((runs.data.title, "never", whole.rows, 0, whole["accuracy"], whole["balanced_accuracy"]))
        for cost, matrices in runs.rejecting.items():
            kept = sum(matrices)
            values = kept["accuracy"], kept["balanced_accuracy"]
            rows.append((runs.data.title, f"{cost:g}", kept.rows, whole.rows - kept.rows, *values))
    return rs.results.Table(["set", "reject cost", "answered", "rejected", "accuracy", "balanced_accuracy"], rows)


# --- figures


def figure_of_runs(runs: Runs) -> Figure:
    """Balanced accuracy of each split, without costs and with the best weight, for both readings."""
    figure = Figure(figsize=(9, 3.6), layout="constrained")
    panels = figure.subplots(1, 2, sharey=True)
    for axes, (reading, names) in zip(panels, READINGS.items(), strict=True):
        weights = (PLAIN, runs.best_weight(reading))
        lines = [[matrix["balanced_accuracy"] for matrix in runs.matrices[reading, weight]] for weight in weights]
        places = range(1, len(lines[0]) + 1)
        axes.vlines(places, *lines, color=REFERENCE.light, linewidth=0.8, alpha=0.6, zorder=1)
        for values, name in zip(lines, names, strict=True):
            look = STYLES[name]
            label = name if name == names[0] else f"{name}, weight {weights[1]:g}"
            axes.plot(places, values, look.marker, color=look.light, markersize=4.5, label=label)
        axes.set_xlabel("split")
        axes.grid(axis="y", alpha=0.3)
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, frameon=False)
    panels[0].set_ylabel("balanced accuracy")
    figure.suptitle(f"{runs.data.title}: each split without costs and with them")
    return figure


def figure_6(every: Sequence[Runs]) -> Figure:
    """Balanced accuracy and accuracy for each weight, one panel per data set."""
    columns = 2
    lines = -(-len(every) // columns)
    figure = Figure(figsize=(8, 0.9 + 2.6 * lines), layout="constrained")
    panels = figure.subplots(lines, columns, squeeze=False).ravel()
    weights = (PLAIN, *WEIGHTS)
    for axes, runs in zip(panels, every, strict=False):
        for reading, (_, name) in READINGS.items():
            _draw_weights(axes, runs, reading, STYLES[name], name)
        axes.set_title(runs.data.title)
        axes.set_xticks(range(len(weights)), ["no costs", *(f"{weight:g}" for weight in WEIGHTS)])
        axes.grid(axis="y", alpha=0.3)
    for axes in panels[len(every) :]:
        axes.set_axis_off()
    for axes in panels[max(0, len(every) - columns) : len(every)]:
        axes.set_xlabel("what missing the smaller class costs")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.suptitle("Balanced accuracy (solid) and accuracy (dashed); ringed: the best weight")
    figure.legend(handles, labels, loc="outside lower center", ncols=2, frameon=False)
    return figure


def _draw_weights(axes: Any, runs: Runs, reading: str, look: Style, name: str) -> None:
    weights = (PLAIN, *WEIGHTS)
    matrices = [runs.pooled(reading, weight) for weight in weights]
    balanced = [matrix["balanced_accuracy"] for matrix in matrices]
    places = range(len(weights))
    axes.plot(places, balanced, marker=look.marker, color=look.light, label=f"{name}: balanced accuracy")
    accuracy = [matrix["accuracy"] for matrix in matrices]
    axes.plot(places, accuracy, linestyle=(0, (3, 2)), linewidth=1, color=look.light, label=f"{name}: accuracy")
    best = weights.index(runs.best_weight(reading))
    ring = {"markersize": 13, "markerfacecolor": "none", "markeredgecolor": look.light}
    axes.plot(best, balanced[best], "o", **ring)


# --- the command


def all_tables(every: Sequence[Runs], *, nested: bool) -> dict[str, tuple[str, rs.results.Table]]:
    """Headings and tables by the names of their files."""
    tables = {
        "data": ("The data", table_of_data(every)),
        "table-2": ("Table 2: accuracy, costs at their best weight", table_2(every)),
        "balanced-accuracy": ("The same for balanced accuracy", table_of_balanced(every)),
        "table-4": (f"Table 4: balanced accuracy in {GROUPS} groups of splits", table_4(every)),
        "table-5": ("Table 5: balanced accuracy for five weights", table_5(every)),
        "table-5-accuracy": ("Beside table 5: accuracy", table_5(every, "accuracy")),
        "table-5-recall": ("Beside table 5: recall of the smaller class", table_5(every, "recall")),
        "rejection": (f"Rows not answered, where a miss costs {REJECT_WEIGHT:g}", table_of_rejection(every)),
    }
    if nested:
        tables["choice"] = ("How much of the gain is hindsight", table_of_choice(every))
    return tables


def all_figures(every: Sequence[Runs]) -> Iterator[tuple[str, Figure]]:
    """Figures 2 to 6, with the names of their files."""
    names = [*(runs.data.name for runs in every if runs.data.stand_in), *SOURCES]
    for runs in every:
        yield f"figure-{2 + names.index(runs.data.name)}-{runs.data.name}", figure_of_runs(runs)
    yield "figure-6-weights", figure_6(every)


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{text}")
        sys.stderr.flush()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = command(__file__, __doc__)
    default = os.environ.get("ROCKSTEADY_DATA")
    parser.add_argument("--data", type=Path, default=default, metavar="FOLDER", help="default: $ROCKSTEADY_DATA")
    parser.add_argument("--splits", type=int, default=50, help=f"number of splits, at least {GROUPS} (default: 50)")
    parser.add_argument("--sets", nargs="+", choices=SOURCES, help="use only these data sets of the paper")
    parser.add_argument("--quick", action="store_true", help="skip the choice of weights on the training rows")
    given = parser.parse_args(arguments)
    if given.splits < GROUPS:
        parser.error(f"--splits is {given.splits}; expected at least {GROUPS}, one for each group of table 4")
    wanted = given.sets or list(SOURCES)
    found, missing = gene_expressions(given.data)
    missing = [name for name in missing if name in wanted]
    if missing:
        place = "no folder was given (--data, or ROCKSTEADY_DATA)" if given.data is None else f"not in {given.data}"
        print(f"Missing: {', '.join(missing)}; {place}.\n\n{HOW_TO_GET}\n")
    chosen = [data for data in found if data.name in wanted]
    if not chosen:
        print("Running on stand-ins: the breast cancer data of scikit-learn, in full and thinned.\n")
        chosen = stand_ins()
    began = time.perf_counter()
    every = [experiment(data, given.splits, nested=not given.quick, progress=_progress) for data in chosen]
    _progress("")
    title = f"Accuracy against balanced accuracy, {given.splits} splits into halves"
    if any(data.stand_in for data in chosen):
        title += ": stand-ins, not the paper's data"
    page = write(given.output, title, all_tables(every, nested=not given.quick), all_figures(every), digits=4)
    print(f"{table_5(every)}\n\n{page}: all tables and pictures ({time.perf_counter() - began:.0f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
