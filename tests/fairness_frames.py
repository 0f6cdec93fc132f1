"""Random frames of labels, predictions and groups, and fairlearn's values of them.

``python tests/fairness_frames.py`` writes tests/data/fairness.json.gz with the fairlearn that is installed.
"""

from __future__ import annotations

import gzip
import json
import math
import random
from pathlib import Path

FILE = Path(__file__).parent / "data" / "fairness.json.gz"
FRAMES = 200
RATES = ("true_positive_rate", "false_positive_rate", "true_negative_rate", "false_negative_rate", "selection_rate")
SIX = [
    f"{what}_{how}"
    for what in ("demographic_parity", "equalized_odds", "equal_opportunity")
    for how in ("difference", "ratio")
]
METHODS = ("between_groups", "to_overall")


def frame(seed):
    """Columns of some rows: labels, predictions, sensitive and control features, weights or None."""
    draw = random.Random(seed)
    rows = draw.randint(2, 50)
    low = draw.choice([0, 0, -1])
    prevalence, share = draw.random(), draw.random()
    names = {
        "text": ["east", "north", "south", "west"],
        "whole": [3, 10, 20, 100],
        "real": [-1.5, 0.0, 0.25, 7.0],
        "truth": [False, True],
    }

    def feature():
        kind = draw.choice(list(names))
        known = names[kind][: draw.randint(1, 4)]
        return [draw.choice(known) for _ in range(rows)]

    kind = draw.choice(["none", "none", "whole", "real"])
    weights = {
        "none": None,
        "whole": [draw.randint(1, 5) for _ in range(rows)],
        "real": [draw.random() + 0.01 for _ in range(rows)],
    }[kind]
    return {
        "y_true": [1 if draw.random() < prevalence else low for _ in range(rows)],
        "y_pred": [1 if draw.random() < share else low for _ in range(rows)],
        "sensitive": {f"sensitive_{place}": feature() for place in range(draw.choice([1, 1, 1, 2]))},
        "control": {f"control_{place}": feature() for place in range(draw.choice([0, 0, 0, 1, 1, 2]))},
        "weights": weights,
    }


def examples():
    """The examples of fairlearn's docstrings and user guide, by name; of `MetricFrame` and the disparity metrics."""
    made = {
        "MetricFrame": (
            [1, 1, 1, 1, 1, 0, 0, 1, 1, 0],
            [0, 1, 1, 1, 1, 0, 0, 0, 1, 1],
            {"sensitive_feature_0": ["Female"] * 5 + ["Male"] * 5},
        ),
        "assessment": (
            [0, 1, 1, 1, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 1],
            [0, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0, 1, 0, 0, 1],
            {"SF0": ["b", "a", "b", "b", "a", "a", "a", "a", "b", "b", "b", "a", "a", "b", "b", "a"]},
        ),
    }
    return {
        name: {"y_true": true, "y_pred": pred, "sensitive": features, "control": {}, "weights": None}
        for name, (true, pred, features) in made.items()
    }


def options(given, metrics):
    """The arguments of `MetricFrame` for a frame and metrics by name."""
    import pandas as pd

    params = {name: {"sample_weight": given["weights"]} for name in metrics}
    return {
        "metrics": metrics,
        "y_true": given["y_true"],
        "y_pred": given["y_pred"],
        "sensitive_features": pd.DataFrame(given["sensitive"]),
        "control_features": pd.DataFrame(given["control"]) if given["control"] else None,
        "sample_params": None if given["weights"] is None else params,
    }


def listed(values):
    """Values in order, None for NaN."""
    flat = [float(value) for value in values.to_numpy().ravel()]
    return [None if math.isnan(value) else value for value in flat]


def values(made, functions, given):
    """Everything that a frame of metrics says, and the six disparities, as lists."""
    found = {
        "overall": listed(made.overall),
        "by_group": listed(made.by_group),
        "group_min": listed(made.group_min()),
        "group_max": listed(made.group_max()),
    }
    for method in METHODS:
        found[f"difference {method}"] = listed(made.difference(method=method))
        found[f"ratio {method}"] = listed(made.ratio(method=method))
    if given["control"]:
        return found
    for name, function in functions.items():
        for method in METHODS:
            for aggregate in ("worst_case", "mean") if "odds" in name else (None,):
                more = {} if aggregate is None else {"agg": aggregate}
                columns = options(given, {})["sensitive_features"]
                value = function(
                    given["y_true"],
                    given["y_pred"],
                    sensitive_features=columns,
                    method=method,
                    sample_weight=given["weights"],
                    **more,
                )
                value = float(value)
                found[f"{name} {method} {aggregate or ''}".strip()] = None if math.isnan(value) else value
    return found


def main():
    import fairlearn
    import sklearn
    from fairlearn import metrics as theirs
    from sklearn.metrics import accuracy_score, precision_score

    functions = {name: getattr(theirs, name) for name in SIX}
    metrics = {name: getattr(theirs, name) for name in RATES}
    metrics |= {"accuracy_score": accuracy_score, "precision_score": precision_score}
    cases = {**examples(), **{str(seed): frame(seed) for seed in range(FRAMES)}}
    found = {}
    for name, given in cases.items():
        made = theirs.MetricFrame(**options(given, metrics))
        found[name] = values(made, functions, given)
    told = {
        "source": f"fairlearn {fairlearn.__version__} with scikit-learn {sklearn.__version__}, tests/fairness_frames.py",
        "values": found,
    }
    FILE.write_bytes(gzip.compress(json.dumps(told, separators=(",", ":")).encode(), mtime=0))


if __name__ == "__main__":
    main()
