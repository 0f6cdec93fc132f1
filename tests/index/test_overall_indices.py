"""All indices of a whole matrix against PyCM, scikit-learn and SciPy, or against their definition in numpy."""

import math
import warnings

import numpy as np
import pytest

import rocksteady as rs

PYCM = {
    "accuracy": "Overall_ACC",
    "unbiased_chance_agreement": "Overall_RACCU",
    "chance_agreement": "Overall_RACC",
    "kappa": "Kappa",
    "gwet_ac1": "AC1",
    "bennett_s": "S",
    "scott_pi": "PI",
    "pabak": "KappaNoPrevalence",
    "chi_squared": "Chi_Squared",
    "phi_squared": "Phi_Squared",
    "cramers_v": "V",
    "entropy_of_predicted": "ResponseEntropy",
    "entropy_of_actual": "ReferenceEntropy",
    "joint_entropy": "JointEntropy",
    "conditional_entropy": "ConditionalEntropy",
    "mutual_information": "MutualInformation",
    "kl_divergence": "KL",
    "goodman_kruskal_lambda_a": "LambdaA",
    "goodman_kruskal_lambda_b": "LambdaB",
    "chi_squared_degrees_of_freedom": "DF",
    "error_rate": "HammingLoss",
    "errors": "ZeroOneLoss",
    "no_information_rate": "NIR",
    "cen": "Overall_CEN",
    "mcen": "Overall_MCEN",
    "mcc": "Overall_MCC",
    "global_performance_index": "RR",
    "class_balance_accuracy": "CBA",
    "rci": "RCI",
    "contingency_coefficient": "C",
    "classification_success_index": "CSI",
    "adjusted_rand_index": "ARI",
    "bangdiwala_b": "B",
    "krippendorff_alpha": "Alpha",
}


def matrices():
    """Random, degenerate and heavy matrices of 1 to 12 classes."""
    random = np.random.default_rng(20)
    for classes in range(1, 13):
        yield random.integers(1, 40, (classes, classes))
        yield random.integers(1, 40, (classes, classes)) + 60 * np.eye(classes, dtype=int)
        yield random.integers(0, 3, (classes, classes))
        yield np.diag(random.integers(1, 9, classes))
        yield random.integers(1, 9, (classes, classes)) * (1 - np.eye(classes, dtype=int))
        yield np.roll(np.diag(random.integers(1, 9, classes)), 1, axis=0)
        for axis in range(2):
            empty = random.integers(1, 30, (classes, classes))
            empty[(slice(None),) * axis + (classes // 2,)] = 0
            yield empty
        absent = random.integers(1, 30, (classes, classes))
        absent[classes // 2] = absent[:, classes // 2] = 0
        yield absent
        one = np.zeros((classes, classes), dtype=int)
        one[-1, 0] = 7
        yield one
        one = one.copy()
        one[-1] = random.integers(1, 9, classes)
        yield one
        yield one.T
        yield np.outer(random.integers(1, 5, classes), random.integers(1, 5, classes))
        yield random.integers(1, 10**9, (classes, classes))


MATRICES = [matrix for matrix in matrices() if matrix.sum() > 0]


def rows(matrix):
    """Labels of rows that count to the matrix."""
    actual, predicted = np.indices(matrix.shape)
    return np.repeat(actual.ravel(), matrix.ravel()), np.repeat(predicted.ravel(), matrix.ravel())


def compare(pairs):
    """All within 1e-9, and 99 % within 1e-12."""
    pairs = list(pairs)
    distance = [abs(ours - other) / max(1.0, abs(other)) for _, ours, other in pairs]
    far = [pair for pair, far in zip(pairs, distance, strict=True) if not far <= 1e-9]
    assert not far, far[:10]
    assert np.mean(np.array(distance) <= 1e-12) >= 0.99


def test_pycm():
    pycm = pytest.importorskip("pycm")
    pairs = []
    for matrix in MATRICES:
        cm = rs.ConfusionMatrix.from_counts(matrix)
        names = [f"{k:02}" for k in range(len(matrix))]
        cells = {i: dict(zip(names, row, strict=True)) for i, row in zip(names, matrix.tolist(), strict=True)}
        if len(matrix) == 1:
            continue  # PyCM takes no matrix of one class
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            other = pycm.ConfusionMatrix(matrix=cells)
        for name, attribute in PYCM.items():
            theirs, value = getattr(other, attribute), cm[name]
            if theirs == "None" or (name == "adjusted_rand_index" and matrix.sum() > 1e6):  # its binomials are floats
                continue
            pairs.append(((name, matrix.tolist()), value, theirs))
        if other.Overall_J != "None":
            pairs.append((("J", matrix.tolist()), cm["jaccard_sum"], other.Overall_J[0]))
            pairs.append((("J", matrix.tolist()), cm["jaccard_mean"], other.Overall_J[1]))
        if other.AUNU != "None":
            pairs.append((("AUNU", matrix.tolist()), cm.value("balanced_accuracy", average="macro"), other.AUNU))
            pairs.append((("AUNP", matrix.tolist()), cm.value("balanced_accuracy", average="weighted"), other.AUNP))
        cross = cm.value("marginal_cross_entropy", leave_out=1)
        pairs.append((("cross", matrix.tolist()), cross, other.CrossEntropy))
        if cm["kappa"] > 0 and (alpha := other.aickin_alpha()) != "None":
            pairs.append((("aickin_alpha", matrix.tolist()), cm["aickin_alpha"], alpha))
        weights = 1 + np.subtract.outer(np.arange(len(matrix)), np.arange(len(matrix))) ** 2
        np.fill_diagonal(weights, 0)
        weigh = {i: dict(zip(names, row, strict=True)) for i, row in zip(names, weights.tolist(), strict=True)}
        if (kappa := other.weighted_kappa(weigh)) != "None":
            ours = cm.value("weighted_kappa", matrix=weights)
            pairs.append((("weighted_kappa", matrix.tolist()), ours, kappa))
    assert len(pairs) > 3_000
    compare(pairs)


def test_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    pairs = []
    for matrix in MATRICES:
        if matrix.sum() > 20_000:
            continue
        cm = rs.ConfusionMatrix.from_counts(matrix)
        y_true, y_pred = rows(matrix)
        labels = list(range(len(matrix)))

        def check(name, theirs, matrix=matrix, cm=cm, **parameters):
            pairs.append(((name, matrix.tolist()), cm.value(name, **parameters), theirs))

        check("adjusted_rand_index", metrics.adjusted_rand_score(y_true, y_pred))
        check("rand_index", metrics.rand_score(y_true, y_pred))
        if not math.isnan(cm["pair_fowlkes_mallows"]):
            check("pair_fowlkes_mallows", metrics.fowlkes_mallows_score(y_true, y_pred))
        check("v_measure", metrics.v_measure_score(y_true, y_pred))
        for mean in ("geometric", "min", "max"):
            check(f"nmi_{mean}", metrics.normalized_mutual_info_score(y_true, y_pred, average_method=mean))
        if cm.why("adjusted_mutual_information") is None:
            for power, mean in ((1, "arithmetic"), (0, "geometric"), (64, "max"), (-64, "min")):
                theirs = metrics.adjusted_mutual_info_score(y_true, y_pred, average_method=mean)
                if cm.why("adjusted_mutual_information", mean=power) is None:
                    check("adjusted_mutual_information", theirs, mean=power)
        if not math.isnan(cm["rci"]):
            check("rci", metrics.homogeneity_score(y_true, y_pred))
        if not math.isnan(cm["completeness"]):
            check("completeness", metrics.completeness_score(y_true, y_pred))
        if not math.isnan(cm["weighted_kappa"]):
            for power, weights in ((0, None), (1, "linear"), (2, "quadratic")):
                theirs = metrics.cohen_kappa_score(y_true, y_pred, weights=weights, labels=labels)
                check("weighted_kappa", theirs, power=power)
    assert len(pairs) > 1_000
    compare(pairs)


def test_scipy():
    stats = pytest.importorskip("scipy.stats")
    pairs = []
    for matrix in MATRICES:
        both = (matrix.sum(0) > 0).sum() > 1 and (matrix.sum(1) > 0).sum() > 1
        if matrix.sum() > 20_000 or not both:
            continue
        cm = rs.ConfusionMatrix.from_counts(matrix)
        y_true, y_pred = rows(matrix)
        dense = matrix[matrix.sum(1) > 0][:, matrix.sum(0) > 0]
        theirs = {
            "kendall_tau_b": stats.kendalltau(y_true, y_pred).statistic,
            "stuart_tau_c": stats.kendalltau(y_true, y_pred, variant="c").statistic,
            "spearman_rho": stats.spearmanr(y_true, y_pred).statistic,
            "somers_d_of_predicted": stats.somersd(y_true, y_pred).statistic,
            "somers_d_of_actual": stats.somersd(y_pred, y_true).statistic,
            "chi_squared": stats.chi2_contingency(dense, correction=False).statistic,
            "cramers_v": stats.contingency.association(dense, "cramer"),
            "tschuprow_t": stats.contingency.association(dense, "tschuprow"),
            "contingency_coefficient": stats.contingency.association(dense, "pearson"),
        }
        pairs += [((name, matrix.tolist()), cm[name], value) for name, value in theirs.items()]
    assert len(pairs) > 500
    compare(pairs)


def entropy(amounts):
    shares = np.ravel(amounts) / np.sum(amounts)
    shares = shares[shares > 0]
    return -np.sum(shares * np.log2(shares))


def of_nobody(matrix):
    """Those that no package has, from their definitions over dense matrices."""
    share = matrix / matrix.sum()
    t, p = share.sum(1), share.sum(0)
    joint, actual, predicted = entropy(share), entropy(t), entropy(p)
    classes, present = len(t), t > 0
    recall = np.diag(share)[present] / t[present]
    off = abs(np.subtract.outer(np.arange(classes), np.arange(classes)))
    pooled = (t + p) / 2
    yield "equivocation", joint - predicted
    yield "variation_of_information", 2 * joint - actual - predicted
    yield "entropy_modulated_accuracy", 2 ** (predicted - joint)
    yield "normalized_information_transfer", 2 ** (actual + predicted - joint) / classes
    yield "macro_geometric_mean", math.prod(recall) ** (1 / len(recall))
    yield "minimum_recall", min(recall)
    yield "macro_mean_absolute_error", np.mean((off * share).sum(1)[present] / t[present])
    yield "proportional_chance_rate", (t**2).sum()
    n = matrix.sum()
    ranks = pooled.cumsum() - pooled / 2
    for name, weights in [
        ("krippendorff_alpha", off > 0),
        ("krippendorff_alpha_ordinal", np.subtract.outer(ranks, ranks) ** 2),
    ]:
        expected = pooled @ weights @ pooled
        if (pooled > 0).sum() > 1:
            yield name, 1 - (2 * n - 1) / (2 * n) * (weights * share).sum() / expected
    if present.sum() > 1:
        spread = 1 - (t**2).sum()
        columns = share[:, p > 0]
        yield "goodman_kruskal_tau", ((columns**2 / p[p > 0]).sum() - (t**2).sum()) / spread
    if classes > 1:
        most = np.log2(classes)
        yield "entropy_triangle_divergence", 1 - (actual + predicted) / (2 * most)
        yield "entropy_triangle_information", (actual + predicted - joint) / most
        yield "entropy_triangle_variation", (2 * joint - actual - predicted) / (2 * most)
    for power in (1, 2, 3):
        expected = t @ off**power @ p
        if expected > 0:
            yield ("weighted_kappa", ("power", power)), 1 - (off**power * share).sum() / expected
    less, more = np.zeros_like(share), np.zeros_like(share)
    for i, j in np.ndindex(share.shape):
        less[i, j] = share[:i, :j].sum()
        more[i, j] = share[:i, j + 1 :].sum()
    same, opposite = (share * less).sum(), (share * more).sum()
    if same + opposite > 0:
        yield "goodman_kruskal_gamma", (same - opposite) / (same + opposite)


def test_definitions():
    pairs = []
    for matrix in MATRICES:
        for scaled in (matrix, matrix * 0.37):
            cm = rs.ConfusionMatrix.from_counts(scaled)
            for name, value in of_nobody(scaled):
                row, *parameters = name if isinstance(name, tuple) else (name,)
                if row.startswith("krippendorff") and 2 * scaled.sum() <= 1:
                    continue
                pairs.append(((name, scaled.tolist()), cm.value(row, **dict(parameters)), value))
    assert len(pairs) > 3_000
    compare(pairs)


def test_undefined_values_say_why():
    cm = rs.ConfusionMatrix.from_counts([[5, 0], [3, 0]])
    assert cm["kl_divergence"] == math.inf
    assert "never predicted" in cm.why("kl_divergence")
    assert cm["marginal_cross_entropy"] == math.inf
    assert cm.value("marginal_cross_entropy", leave_out=1) == pytest.approx(0)
    one = rs.ConfusionMatrix.from_counts([[5]])
    for row in rs.indices():
        if "matrix" in row.forms:
            assert not math.isnan(one[row.name]) or one.why(row.name), row.name
    fractions = rs.ConfusionMatrix.from_counts([[0.5, 1.5], [2.0, 4.0]])
    assert "fraction" in fractions.why("rand_index")


def test_one_class_of_any_weight():
    """Rounded weights do not make a second class."""
    for factor in (0.1, 0.3, 1e-9, 1 / 3, 1):
        cm = rs.ConfusionMatrix.from_counts(np.array([[0, 0, 0], [2, 4, 3], [0, 0, 0]]) * factor)
        assert math.isnan(cm["rci"])
        assert cm.why("rci") == "All rows are actually of one class."
        assert cm["entropy_of_actual"] == 0
        assert math.isnan(cm.transpose()["completeness"])


def test_counts_of_any_size():
    """Sums of products of counts near 2^61 stay in range and near those of counts a billionth of it."""
    small = np.array([[20, 5, 1], [4, 15, 6], [2, 7, 9]])
    large = rs.ConfusionMatrix.from_counts(small.astype(np.uint64) * np.uint64(2**54))
    cm = rs.ConfusionMatrix.from_counts(small * 2**30)
    for row in rs.indices():
        if "matrix" in row.forms and not {"cost"} & set(row.name.split("_")):
            value = large[row.name]
            assert not math.isnan(value), row.name
            if abs(cm[row.name]) < 10 and row.family != "inference":  # p-values change with the number of rows
                assert value == pytest.approx(cm[row.name], abs=1e-6), row.name


def test_many_classes_need_no_dense_matrix():
    random = np.random.default_rng(3)
    y_true = random.integers(0, 50_000, 100_000)
    y_pred = np.where(random.random(100_000) < 0.7, y_true, random.integers(0, 50_000, 100_000))
    cm = rs.ConfusionMatrix(y_true, y_pred)
    assert 0.69 < cm["kappa"] < 0.71
    assert cm["weighted_kappa"] == pytest.approx(cm.value("weighted_kappa", power=1))
    assert 0.6 < cm.value("weighted_kappa", power=2) < 0.75
    assert 0.6 < cm["kendall_tau_b"] < 0.75
    shares = [cm[f"entropy_triangle_{part}"] for part in ("divergence", "information", "variation")]
    assert sum(shares) == pytest.approx(1, abs=1e-12)
    assert 0 < cm["adjusted_mutual_information"] < 1
