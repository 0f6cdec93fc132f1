"""Comparison of ACC, MCC and CEN: a paper's experiment, rebuilt with rocksteady.

The paper is: Zhang, Liu, Wang and Tian, Comparison of the classifier evaluation indices ACC, MCC and CEN. The authors
validate classifiers on data sets of the UCI repository with 2, 3, ..., 10 folds. They plot accuracy, the Matthews
correlation coefficient and confusion entropy against the number of folds. They count how often two of these indices
rise and fall together. The page docs/papers/accuracy-mcc-confusion-entropy.md explains their results and ours.

    python examples/accuracy_mcc_confusion_entropy.py            # reads stored confusion matrices, takes seconds
    python examples/accuracy_mcc_confusion_entropy.py --train    # trains all classifiers again, takes minutes

Both write charts, tables and a page with all of them, results.md, to output/accuracy_mcc_confusion_entropy. The script
needs ``pip install '.[plot]'``, and scikit-learn to train. It looks for the data sets in the folder --data. If
it finds none, it uses data sets of scikit-learn.
"""

from __future__ import annotations

import csv
import gzip
import json
import math
import os
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from _paper import command, write
from matplotlib.figure import Figure

import rocksteady as rs
from rocksteady.charts import palette

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

Aggregate = Literal["pooled", "mean"]
Folds = list[rs.ConfusionMatrix]  # one matrix per fold
Curve = list[Folds]  # for each number of folds, the smallest first
Curves = dict[tuple[str, str], Curve]  # the key is a data set and a classifier

STORED = Path(__file__).parent / "data" / "accuracy_mcc_confusion_entropy.json.gz"
FEWEST, MOST = 2, 10  # folds
SHORT = {"accuracy": "ACC", "mcc": "MCC", "cen": "CEN"}
AGAINST = ("accuracy", "mcc")
TOLERANCES = (0.0, 0.0005, 0.001, 0.002, 0.005, 0.01)
SHARES = (0.005, 0.01, 0.02, 0.05)  # shares of the height of a chart
ROUNDING = 1e-12  # smaller differences between means of folds are rounding errors
SETTINGS = {
    "old": "the defaults of scikit-learn before 0.22: no shuffling, no scaling, forests of 10 trees",
    "new": "shuffled folds, features scaled for KNN, SVM and LR, forests of 100 trees",
}
MANY, TWO = ("KNN", "DT", "NB", "RF"), ("SVM", "LR")
UCI = "https://archive.ics.uci.edu/dataset/"


class DataSet(NamedTuple):
    """A data set: its title, its classifiers, and where to get it."""

    title: str
    classifiers: tuple[str, ...]
    address: str
    counted: bool = True


#: The paper's data sets, as far as they could be found. Each is a file NAME.csv or NAME.csv.gz with a header; the last
#: column is the class.
SETS = {
    "hayes_roth": DataSet("Hayes-Roth", MANY, UCI + "44/hayes+roth"),
    "wifi_localization": DataSet("Wifi localization", MANY, UCI + "422/wireless+indoor+localization"),
    "seeds": DataSet("Seeds", MANY, UCI + "236/seeds"),
    "forest_types": DataSet("Forest types", MANY, UCI + "333/forest+type+mapping"),
    "vehicle": DataSet("Vehicle", MANY, UCI + "149/statlog+vehicle+silhouettes"),
    "wiki4he": DataSet("Wiki4HE", MANY, "https://archive.ics.uci.edu, wiki4HE; the class is DOMAIN"),
    "shuttle": DataSet("Shuttle", MANY, UCI + "148/statlog+shuttle"),
    "transfusion": DataSet("Transfusion", TWO, UCI + "176/blood+transfusion+service+center"),
    "breast_cancer_wisconsin": DataSet("Breast cancer (Wisconsin)", TWO, UCI + "15/breast+cancer+wisconsin+original"),
    "z_alizadeh_sani": DataSet("Z-Alizadeh Sani", TWO, UCI + "412/z+alizadeh+sani"),
    "breast_cancer": DataSet("Breast cancer (Ljubljana)", TWO, UCI + "14/breast+cancer", counted=False),
}
#: Data sets that come with scikit-learn, used if none of the others is there.
OWN_SETS = {
    "iris": DataSet("Iris", MANY, "scikit-learn"),
    "wine": DataSet("Wine", MANY, "scikit-learn"),
    "breast_cancer_wdbc": DataSet("Breast cancer (WDBC)", TWO, "scikit-learn"),
}
ALL_SETS = SETS | OWN_SETS


# The matrices: stored, or from training ---------------------------------------------------------------------------


def load(path: Path) -> dict[str, Curves]:
    """Read the confusion matrices of all folds, by setting."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        stored = json.load(file)["matrices"]
    return {
        setting: {
            (name, classifier): [list(map(rs.ConfusionMatrix.from_counts, folds)) for folds in curve]
            for name, classifiers in sets.items()
            for classifier, curve in classifiers.items()
        }
        for setting, sets in stored.items()
    }


def save(path: Path, settings: Mapping[str, Curves]) -> None:
    """Write matrices for `load`. The same matrices give the same bytes, with one version of zlib."""
    stored: dict[str, dict[str, dict[str, Any]]] = {}
    for setting, curves in settings.items():
        for (name, classifier), curve in curves.items():
            counts = [[matrix.to_array().tolist() for matrix in folds] for folds in curve]
            stored.setdefault(setting, {}).setdefault(name, {})[classifier] = counts
    about = "Confusion matrices by examples/accuracy_mcc_confusion_entropy.py --train: setting, data set, classifier, number of "
    about += f"folds from {FEWEST}, fold; rows are actual, columns predicted, classes in sorted order."
    text = json.dumps({"about": about, "matrices": stored}, separators=(",", ":"))
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def find(name: str, folder: Path | None) -> Path | None:
    """The file of a data set, or None."""
    if folder is None:
        return None
    return next((path for path in (folder / f"{name}.csv", folder / f"{name}.csv.gz") if path.exists()), None)


def read(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Read features and classes. A column of words becomes one column of 0 and 1 per word; empty cells become NaN."""
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open(encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file)
    *columns, classes = map(list, zip(*rows, strict=True))
    words, numbers = [], []
    for column in columns:
        try:
            numbers.append(np.array([float(cell or "nan") for cell in column]))
        except ValueError:
            words += [np.array([cell == word for cell in column], float) for word in sorted(set(column))]
    return np.column_stack(words + numbers), np.array(classes)


def rows_of(name: str, folder: Path | None) -> tuple[np.ndarray, np.ndarray]:
    """Read features and classes of a data set. Of the 58,000 rows of Shuttle, take a sample with all rare classes."""
    if name in OWN_SETS:
        from sklearn import datasets

        reader = {"iris": datasets.load_iris, "wine": datasets.load_wine}.get(name, datasets.load_breast_cancer)
        X, y = reader(return_X_y=True)
        return X, y.astype(str)
    path = find(name, folder)
    if path is None:
        raise FileNotFoundError(f"there is no {name}.csv in {folder}")
    X, y = read(path)
    if name == "shuttle":
        labels, sizes = np.unique(y, return_counts=True)
        some = np.random.default_rng(0).choice(len(y), 6_000, replace=False)
        chosen = np.union1d(some, np.flatnonzero(np.isin(y, labels[sizes < 200])))
        X, y = X[chosen], y[chosen]
    return X, y


def classifier_of(name: str, setting: str) -> Any:
    """Make the classifier with this setting, an estimator of scikit-learn."""
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC
    from sklearn.tree import DecisionTreeClassifier

    old = setting == "old"
    made = {
        "KNN": KNeighborsClassifier(),
        "DT": DecisionTreeClassifier(random_state=0),
        "NB": GaussianNB(),
        "RF": RandomForestClassifier(10 if old else 100, random_state=0, n_jobs=1),
        "SVM": SVC(gamma="auto" if old else "scale"),
        "LR": LogisticRegression(solver="liblinear") if old else LogisticRegression(max_iter=1_000),
    }[name]
    scaled = () if old or name in ("DT", "NB", "RF") else (StandardScaler(),)
    return make_pipeline(SimpleImputer(), *scaled, made)


def validate(estimator: Any, X: np.ndarray, y: np.ndarray, folds: int, *, shuffle: bool) -> Folds:
    """Cross-validate, and return the confusion matrix of each fold."""
    from sklearn.model_selection import StratifiedKFold

    split = StratifiedKFold(folds, shuffle=shuffle, random_state=0 if shuffle else None).split(X, y)
    labels = np.unique(y)
    return [
        rs.ConfusionMatrix(y[test], estimator.fit(X[train], y[train]).predict(X[test]), labels=labels)
        for train, test in split
    ]


def train(names: Sequence[str], settings: Sequence[str], folder: Path | None, most: int) -> dict[str, Curves]:
    """Cross-validate every classifier on every data set with 2 to `most` folds."""
    jobs = [(setting, name, each) for setting in settings for name in names for each in ALL_SETS[name].classifiers]
    found: dict[str, Curves] = {setting: {} for setting in settings}
    data = {name: rows_of(name, folder) for name in names}
    for setting, name, classifier in progress(jobs):
        estimator = classifier_of(classifier, setting)
        found[setting][name, classifier] = [
            validate(estimator, *data[name], folds, shuffle=setting == "new") for folds in range(FEWEST, most + 1)
        ]
    return found


def progress(jobs: Sequence[tuple[str, str, str]]) -> Iterator[tuple[str, str, str]]:
    """Iterate over the jobs with a progress bar or, without rich, one line per job."""
    try:
        from rich.progress import track
    except ImportError:
        for place, job in enumerate(jobs, 1):
            print(f"{place} of {len(jobs)}: {' '.join(job)}", flush=True)
            yield job
    else:
        yield from track(jobs, description=f"{len(jobs)} curves")


# The questions: each is one call of rocksteady --------------------------------------------------------------------


def pooled(curve: Curve) -> Folds:
    """One matrix for each number of folds: the sum over its folds."""
    return [sum(folds) for folds in curve]


def counted(curves: Curves) -> Curves:
    """Leave out the second data set called breast cancer, so that none counts twice, unless it is the only one."""
    return {key: curve for key, curve in curves.items() if ALL_SETS[key[0]].counted} or curves


def judge(curves: Curves, against: str, aggregate: Aggregate, tolerance: float) -> rs.results.Consistency:
    """Compare CEN with another index over all steps from k to k + 1 folds."""
    named = {" ".join(key): curve for key, curve in curves.items()}
    tolerance = max(tolerance, ROUNDING) if aggregate == "mean" else tolerance
    return rs.comparison.consistency("cen", against, named, aggregate=aggregate, tolerance=tolerance)


def judge_by_eye(curves: Curves, against: str, share: float, *, own_axis: bool) -> rs.results.Consistency:
    """Compare CEN with another index as a reader of the chart does: small changes look flat.

    A change looks flat below a share of the height of the chart. In the paper's charts CEN has its own axis, and ACC
    and MCC share one, which is taller because it covers both lines. With `own_axis` each index has its own axis.
    """
    found = []
    for key, curve in curves.items():
        matrices = pooled(curve)
        lines = {index: [matrix[index] for matrix in matrices] for index in SHORT}
        beside = lines[against] if own_axis else lines["accuracy"] + lines["mcc"]
        heights = {"cen": np.ptp(lines["cen"]), against: np.ptp(beside)}
        tolerance = {index: share * float(height) + ROUNDING for index, height in heights.items()}
        found.append(rs.comparison.consistency("cen", against, {" ".join(key): matrices}, tolerance=tolerance))
    return sum(found)


def printed(against: str) -> rs.results.Consistency:
    """The counts printed in the paper. The rest of its 40 curves of 8 steps are steps of the fourth type."""
    r, p, q, s = {"accuracy": (242, 6, 1, 52), "mcc": (233, 14, 2, 52)}[against]
    return rs.results.Consistency("cen", against, "steps", R=r, P=p, Q=q, S=s, none=40 * 8 - (r + p + q + s), skipped=0)


def kinds(found: rs.results.Consistency) -> list[Any]:
    """The cells of one comparison in a row of a table."""
    return [f"CEN, {SHORT[found.g]}", found.R, found.P, found.Q, found.S, found.none, found.c, found.d]


KINDS = ("indices", "R", "P", "Q", "S", "none", "C", "D")


def tolerances_table(curves: Curves, setting: str) -> rs.results.Table:
    """R, P, Q, S, C and D for several tolerances, with pooled matrices and with means of folds."""
    rows: list[list[Any]] = [["printed", "by eye", *kinds(printed(against))] for against in AGAINST]
    ways: dict[Aggregate, str] = {"pooled": f"{setting}, pooled", "mean": f"{setting}, mean of folds"}
    for aggregate, words in ways.items():
        for tolerance in TOLERANCES:
            rows += [[words, tolerance, *kinds(judge(curves, against, aggregate, tolerance))] for against in AGAINST]
    return rs.results.Table(["setting", "tolerance", *KINDS], rows)


def by_eye_table(curves: Curves, setting: str) -> rs.results.Table:
    """The same by eye: with a shared axis as in the paper, and with one axis for each index."""
    rows: list[list[Any]] = [
        [setting, axes, share, *kinds(judge_by_eye(curves, against, share, own_axis=own))]
        for own, axes in ((False, "ACC and MCC share one"), (True, "one each"))
        for share in SHARES
        for against in AGAINST
    ]
    return rs.results.Table(["setting", "axes", "share of height", *KINDS], rows)


@cache
def everything_table() -> rs.results.Table:
    """Compare CEN with the others over all possible confusion matrices of a few rows, without any classifier."""
    rows: list[list[Any]] = [
        [
            " + ".join(map(str, sizes)),
            *kinds(rs.comparison.consistency("cen", against, rs.comparison.enumerate_matrices(sizes))),
        ]
        for sizes in ((10, 10), (16, 4), (3, 3, 2), (5, 5, 5), (9, 4, 2), (3, 3, 3, 2))
        for against in AGAINST
    ]
    return rs.results.Table(["rows of each class", *KINDS], rows)


def trends_table(curves: Curves, against: str, tolerance: float = 0.001) -> rs.results.Table:
    """The number of steps of each of the five types, and the first step of each."""
    found = judge(curves, against, "pooled", tolerance)
    meaning = {
        1: ("both judge alike", "R", found.R),
        2: ("only CEN moves", "P", found.P),
        3: (f"only {SHORT[against]} moves", "Q", found.Q),
        4: ("neither moves", "none", found.none),
        5: ("they contradict each other", "S", found.S),
    }
    rows = []
    for kind, (words, letter, steps) in meaning.items():
        key, place = first_step(found, kind)
        example, moves = "", ["", ""]
        if key is not None:
            name, classifier = key.split()
            before, after = pooled(curves[name, classifier])[place : place + 2]
            k = FEWEST + place
            example = f"{ALL_SETS[name].title}, {classifier}, k = {k} to {k + 1}"
            moves = [f"{before[index]:.4f} to {after[index]:.4f}" for index in ("cen", against)]
        rows.append([kind, words, letter, steps, example, *moves])
    return rs.results.Table(["type", "what happens", "counts as", "steps", "for example", "CEN", SHORT[against]], rows)


def first_step(found: rs.results.Consistency, kind: int) -> tuple[str | None, int]:
    """The first curve with a step of a type, and the position of the step."""
    return next(((name, trend.index(kind)) for name, trend in found.trends.items() if kind in trend), (None, 0))


def best_table(curves: Curves) -> rs.results.Table:
    """The classifier that each index prefers with the most folds, and the choice of `rs.compare` by all three."""
    rows = []
    for name in dict.fromkeys(name for name, _ in curves):
        models = {classifier: pooled(curve)[-1] for (of, classifier), curve in curves.items() if of == name}
        found = rs.compare(models, list(SHORT))
        first = [
            " and ".join(model for model, rank in zip(found.models, row.ranks or (), strict=True) if rank < 2)
            for row in found.rows
        ]
        rows.append([ALL_SETS[name].title, *first, found.best_name or "none alone"])
    return rs.results.Table(
        ["data set", *(f"best by {short}" for short in SHORT.values()), "best by the mean rank"], rows
    )


def values_table(curves: Curves) -> rs.results.Table:
    """ACC, MCC and CEN of all pooled matrices."""
    rows: list[list[Any]] = [
        [name, classifier, k, *(matrix[index] for index in SHORT)]
        for (name, classifier), curve in curves.items()
        for k, matrix in enumerate(pooled(curve), FEWEST)
    ]
    return rs.results.Table(["data set", "classifier", "folds", *SHORT.values()], rows)


# Charts and files -------------------------------------------------------------------------------------------------


def draw_curves(name: str, setting: str, curves: Curves) -> Figure:
    """Draw the chart of one data set, as in figures 1 to 11: ACC and MCC on the left axis, CEN on the right.

    The numbers above each panel are the types of the steps, for CEN with ACC and with MCC, with tolerance 0.
    """
    chosen = {key: curve for key, curve in curves.items() if key[0] == name}
    down = math.ceil(len(chosen) / 2)
    figure = Figure(figsize=(9, 0.8 + 2.9 * down), layout="constrained")
    figure.suptitle(f"{ALL_SETS[name].title}, {setting} settings")
    panels = figure.subplots(down, 2, squeeze=False).ravel()
    for panel, (key, curve) in zip(panels, chosen.items(), strict=False):
        lines = draw_panel(panel, key, curve)
    figure.legend(handles=lines, loc="outside lower center", ncols=3)
    return figure


def draw_panel(panel: Axes, key: tuple[str, str], curve: Curve) -> list[Line2D]:
    """Draw one classifier: the three lines, and above them the types of their steps."""
    matrices = pooled(curve)
    folds = range(FEWEST, FEWEST + len(matrices))
    right = panel.twinx()
    lines = []
    for place, (index, short) in enumerate(SHORT.items()):
        style = palette.style(place)
        (line,) = (right if index == "cen" else panel).plot(
            folds, [matrix[index] for matrix in matrices], color=style.light, marker=style.marker, ms=4, label=short
        )
        line.set_dashes(style.dashes or (1, 0))
        lines.append(line)
    panel.set(xlabel="folds k", ylabel="ACC, MCC", xticks=folds)
    panel.set_title(key[1], loc="left", weight="bold", pad=24)
    right.set_ylabel("CEN", color=lines[-1].get_color())
    right.tick_params(axis="y", colors=lines[-1].get_color())
    for height, against in ((1.1, "accuracy"), (1.03, "mcc")):
        words: dict[str, Any] = {
            "transform": panel.transAxes,
            "size": 7,
            "ha": "right",
            "color": palette.REFERENCE.light,
        }
        panel.text(0, height, f"CEN, {SHORT[against]}", **words)
        (trend,) = judge({key: curve}, against, "pooled", 0).trends.values()
        for k, kind in zip(folds, trend, strict=False):
            panel.text(k + 0.5, height, str(kind), transform=panel.get_xaxis_transform(), size=8, ha="center")
    return lines


def draw_discriminancy(settings: Mapping[str, Curves]) -> Figure:
    """Draw the degree of discriminancy against the tolerance, and against the share of the height that looks flat.

    The solid line is at 1, and the dotted line at the paper's value. Curves have gaps where D is 0 or infinite.
    """
    figure = Figure(figsize=(9, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    steps = np.geomspace(2e-4, 2e-2, 21).tolist()
    shares = np.geomspace(2e-3, 1e-1, 18).tolist()
    for panel, places, label in (
        (left, steps, "tolerance of both"),
        (right, shares, "share of the chart's height that looks flat"),
    ):
        panel.set(xscale="log", yscale="log", xlabel=label, xlim=(places[0], places[-1]), ylim=(0.2, 30))
        panel.axhline(1, color=palette.REFERENCE.light, lw=1)
        panel.axhline(printed("mcc").d, color=palette.REFERENCE.light, lw=1, ls=":")
    ways: dict[Aggregate, str] = {"pooled": "pooled", "mean": "mean of folds"}
    for place, (setting, all_curves) in enumerate(settings.items()):
        curves = counted(all_curves)
        style: dict[str, Any] = {"color": palette.style(place).light}
        for (aggregate, words), dashes in zip(ways.items(), ((1, 0), (4, 2)), strict=True):
            d = [judge(curves, "mcc", aggregate, tolerance).d or math.nan for tolerance in steps]
            left.plot(steps, d, label=f"{setting} settings, {words}", dashes=dashes, **style)
        for own, words, dashes in ((False, "ACC and MCC share an axis", (1, 0)), (True, "one axis each", (4, 2))):
            d = [judge_by_eye(curves, "mcc", share, own_axis=own).d or math.nan for share in shares]
            right.plot(shares, d, label=f"{setting} settings, {words}", dashes=dashes, **style)
    for panel in (left, right):
        panel.set(yticks=[0.3, 1, 3, 7, 20], yticklabels=["0.3", "1", "3", "7", "20"])
        panel.minorticks_off()
        panel.legend(fontsize=7, loc="upper left")
    left.set_ylabel("D of CEN against MCC")
    return figure


def tables(settings: Mapping[str, Curves]) -> dict[str, tuple[str, rs.results.Table]]:
    """Headings and tables by the names of their files."""
    found: dict[str, tuple[str, rs.results.Table]] = {}
    for setting, all_curves in settings.items():
        curves, words = counted(all_curves), f"{setting} settings"
        for index in AGAINST:
            heading = f"Steps of the five types, CEN and {SHORT[index]}, {words}"
            found[f"trends_{index}_{setting}"] = (heading, trends_table(curves, index))
        found[f"tolerances_{setting}"] = (f"R, P, Q, S, C and D, {words}", tolerances_table(curves, setting))
        found[f"by_eye_{setting}"] = (f"What looks flat on the charts, {words}", by_eye_table(curves, setting))
        found[f"best_{setting}"] = (f"The best classifier, {words}", best_table(all_curves))
    found["everything"] = ("Everything that can happen", everything_table())
    for setting, all_curves in settings.items():
        found[f"values_{setting}"] = (f"ACC, MCC and CEN, pooled, {setting} settings", values_table(all_curves))
    return found


def figures(settings: Mapping[str, Curves]) -> Iterator[tuple[str, Figure]]:
    """All charts with the names of their files."""
    for setting, curves in settings.items():
        for name in dict.fromkeys(name for name, _ in curves):
            yield f"{name}_{setting}", draw_curves(name, setting, curves)
    yield "discriminancy", draw_discriminancy(settings)


# The command ------------------------------------------------------------------------------------------------------


def to_train(asked: Iterable[str] | None, folder: Path | None) -> list[str]:
    """Print the missing data sets, and return those to train on; if none is there, those of scikit-learn."""
    wanted = list(asked or SETS)
    there = [name for name in wanted if name in OWN_SETS or find(name, folder)]
    missing = [name for name in wanted if name not in there]
    if missing:
        where = f"not in {folder}" if folder else "--data was not given"
        print(f"Missing data sets ({where}). Save each as a file with a header and the class in the last column:")
        print("".join(f"  {name}.csv  {ALL_SETS[name].address}\n" for name in missing), end="")
    if not there:
        there = list(OWN_SETS)
        print(f"Using data sets of scikit-learn instead: {', '.join(there)}.")
    return there


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = command(__file__, __doc__)
    default = os.environ.get("ROCKSTEADY_DATA")
    parser.add_argument("--train", action="store_true", help="train the classifiers instead of reading stored matrices")
    parser.add_argument("--data", type=Path, default=default, metavar="FOLDER", help="default: $ROCKSTEADY_DATA")
    parser.add_argument("--sets", nargs="+", choices=ALL_SETS, metavar="NAME", help=f"some of {', '.join(ALL_SETS)}")
    parser.add_argument("--settings", nargs="+", choices=SETTINGS, default=list(SETTINGS), help="default: both")
    parser.add_argument("--most-folds", type=int, default=MOST, help=f"with --train: at least 3 (default: {MOST})")
    parser.add_argument("--matrices", type=Path, default=STORED, help="the stored matrices")
    options = parser.parse_args(arguments)
    if options.train:
        if options.most_folds <= FEWEST:
            parser.error(f"--most-folds is {options.most_folds}; expected at least {FEWEST + 1}")
        names = to_train(options.sets, options.data)
        settings = train(names, options.settings, options.data, options.most_folds)
        options.output.mkdir(parents=True, exist_ok=True)
        save(options.output / "matrices.json.gz", settings)
    elif not options.matrices.exists():
        parser.error(f"there is no file {options.matrices}; name another file, or add --train")
    else:
        stored = load(options.matrices)
        names = options.sets or list(SETS)
        settings = {
            setting: {key: curve for key, curve in stored[setting].items() if key[0] in names}
            for setting in options.settings
        }
        missing = [name for name in names if not any(key[0] == name for key in settings[options.settings[0]])]
        if missing:
            parser.error(f"{options.matrices} has no matrices of {', '.join(missing)}; add --train")
    page = write(options.output, "ACC, MCC and CEN compared", tables(settings), figures(settings), digits=4)
    for setting, curves in settings.items():
        for against in AGAINST:
            print(f"{setting}: {judge(counted(curves), against, 'pooled', 0.001)} at tolerance 0.001")
    print(f"{page}: all tables and pictures")
    return 0


if __name__ == "__main__":
    sys.exit(main())
