"""Agreement of several raters: against irrCAC, krippendorff, statsmodels and R's irr, a plain twin, and by simulation."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rocksteady as rs
from rocksteady.comparison import rater_agreement

NAMES = [
    "percent_agreement",
    "fleiss_kappa",
    "conger_kappa",
    "gwet_ac2",
    "brennan_prediger",
    "krippendorff_alpha",
    "krippendorff_alpha_ordinal",
]
WEIGHTS = ["identity", "linear", "quadratic", "ordinal", "ratio"]


def table(*given, **options) -> dict:
    """The values of all coefficients."""
    return rater_agreement(*given, **options).to_dict()


def rows(text: str) -> np.ndarray:
    """Items apart by spaces, a rater each character, a dot where there is no rating."""
    return np.array([[np.nan if each == "." else float(each) for each in item] for item in text.split()])


DATA = {
    # Krippendorff 2011, Computing Krippendorff's alpha-reliability, section C; Gwet 2014 has the same ratings.
    "gwet": rows("11.1 2232 3333 3333 2222 1234 4444 1121 2222 .555 ..11 ..3."),
    # Random ratings of six raters, the first of whom gives a label more.
    "random": rows(
        ".44..1 52..45 211.11 5..155 .33.3. 443.35 ..1.34 33252. .5.353 5...4. .222.5 3.2211 3.3313 43..33 21.11. "
        "21...5 5.1.51 .11115 411.1. 55.255 .2451. 53.34. 54444. 3122.2 5.224. 4.3331 .222.. 552.55 21.111 555.55 "
        "5.4444 .51.25 51..1. .22.4. ..34.4 433.33 5..424 534.44 .334.4 ..1.11"
    ),
}
#: The value and the standard error of irrCAC 0.4.4 for Python.
IRRCAC = [
    ("gwet", "identity", "fleiss_kappa", 0.761169275422, 0.153019203469),
    ("gwet", "identity", "conger_kappa", 0.762817441303, 0.14916815248),
    ("gwet", "identity", "gwet_ac1", 0.775444068127, 0.142949950641),
    ("gwet", "identity", "brennan_prediger", 0.772727272727, 0.144716619899),
    ("gwet", "identity", "krippendorff_alpha", 0.743421052632, 0.145573886985),
    ("random", "identity", "fleiss_kappa", 0.265686101699, 0.054289940933),
    ("random", "identity", "conger_kappa", 0.275001367096, 0.05334145276),
    ("random", "identity", "gwet_ac1", 0.268212152115, 0.054247564022),
    ("random", "identity", "brennan_prediger", 0.267708333333, 0.054221855104),
    ("random", "identity", "krippendorff_alpha", 0.281033106075, 0.049124449527),
    ("gwet", "linear", "fleiss_kappa", 0.817944767097, 0.148504355499),
    ("gwet", "linear", "conger_kappa", 0.813776319966, 0.145085402493),
    ("gwet", "linear", "gwet_ac2", 0.858739136433, 0.117329021881),
    ("gwet", "linear", "brennan_prediger", 0.848484848485, 0.123356124494),
    ("gwet", "linear", "krippendorff_alpha", 0.800383877159, 0.135477744125),
    ("random", "linear", "fleiss_kappa", 0.289975094576, 0.069955743025),
    ("random", "linear", "conger_kappa", 0.301189321951, 0.069789159902),
    ("random", "linear", "gwet_ac2", 0.268646120032, 0.075123056067),
    ("random", "linear", "brennan_prediger", 0.265625, 0.076803278219),
    ("random", "linear", "krippendorff_alpha", 0.317454685236, 0.067232666783),
    ("gwet", "quadratic", "fleiss_kappa", 0.864935064935, 0.146033610757),
    ("gwet", "quadratic", "conger_kappa", 0.857710656223, 0.143670663829),
    ("gwet", "quadratic", "gwet_ac2", 0.914000723552, 0.103962244645),
    ("gwet", "quadratic", "brennan_prediger", 0.901515151515, 0.110894374974),
    ("gwet", "quadratic", "krippendorff_alpha", 0.849107142857, 0.129129965715),
    ("random", "quadratic", "fleiss_kappa", 0.286458252367, 0.097914052081),
    ("random", "quadratic", "conger_kappa", 0.2994317393, 0.097909331757),
    ("random", "quadratic", "gwet_ac2", 0.241268426864, 0.115551242163),
    ("random", "quadratic", "brennan_prediger", 0.235, 0.120805404966),
    ("random", "quadratic", "krippendorff_alpha", 0.3247740509, 0.09453229236),
    ("gwet", "ratio", "fleiss_kappa", 0.821338343945, 0.152386040561),
    ("gwet", "ratio", "conger_kappa", 0.81196517587, 0.148600701756),
    ("gwet", "ratio", "gwet_ac2", 0.85736755783, 0.122071330135),
    ("gwet", "ratio", "brennan_prediger", 0.840236692761, 0.132208831633),
    ("gwet", "ratio", "krippendorff_alpha", 0.797402774712, 0.140481053775),
    ("random", "ratio", "fleiss_kappa", 0.330659189553, 0.093133353619),
    ("random", "ratio", "conger_kappa", 0.334203229977, 0.095110209964),
    ("random", "ratio", "gwet_ac2", 0.29046994298, 0.107146714581),
    ("random", "ratio", "brennan_prediger", 0.285620537121, 0.111120124831),
    ("random", "ratio", "krippendorff_alpha", 0.361118553526, 0.086961967479),
    ("gwet", "ordinal", "fleiss_kappa", 0.850206189397, 0.147035693874),
    ("gwet", "ordinal", "conger_kappa", 0.843659525188, 0.144099959112),
    ("gwet", "ordinal", "gwet_ac2", 0.898939769908, 0.106903523815),
    ("gwet", "ordinal", "brennan_prediger", 0.886363636364, 0.113905903978),
    ("gwet", "ordinal", "krippendorff_alpha", 0.833638025594, 0.13107343031),
    ("random", "ordinal", "fleiss_kappa", 0.287437486906, 0.089358183857),
    ("random", "ordinal", "conger_kappa", 0.299920265862, 0.089375051889),
    ("random", "ordinal", "gwet_ac2", 0.249067706919, 0.103113992052),
    ("random", "ordinal", "brennan_prediger", 0.24375, 0.107271652594),
    ("random", "ordinal", "krippendorff_alpha", 0.322737742679, 0.086322727257),
]
# Fleiss 1971, doi:10.1037/h0031619, table 1: six psychiatrists, 30 patients, five diagnoses.
DIAGNOSES = [
    "00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050 02031",
    "00501 30012 51000 02040 10203 00006 01050 02013 20040 10041 05010 40002 02040 10500 00006",
]


def diagnoses() -> np.ndarray:
    return np.array([[int(each) for each in item] for item in " ".join(DIAGNOSES).split()])


@pytest.mark.parametrize(("data", "weights", "name", "value", "error"), IRRCAC)
def test_values_and_standard_errors_are_those_of_irrcac(data, weights, name, value, error):
    found = rater_agreement(DATA[data], name, weights=weights, method="gwet")
    assert found.estimate == pytest.approx(value, abs=1e-11)
    assert found.standard_error == pytest.approx(error, abs=1e-11)
    if data == "random":  # each item has two ratings
        assert rater_agreement(DATA[data], name, weights=weights).standard_error == pytest.approx(error, abs=1e-11)


def test_bounds_are_those_of_irrcac():
    found = rater_agreement(DATA["gwet"], "gwet_ac1", method="gwet")
    assert (found.low, found.high) == (pytest.approx(0.460813348132, abs=1e-8), 1)
    found = rater_agreement(DATA["random"], "fleiss_kappa")
    assert (found.low, found.high) == pytest.approx((0.155874331576, 0.375497871823), abs=1e-8)


def test_percent_agreement_by_hand():
    """Nine of eleven items: 1, two of 1/2, one of 0, eight of 1; the twelfth has one rating and counts as 0 for Gwet."""
    of_item = np.array([1, 0.5, 1, 1, 1, 0, 1, 0.5, 1, 1, 1])
    found = rater_agreement(DATA["gwet"], "percent_agreement", method="gwet")
    assert found.estimate == pytest.approx(9 / 11, rel=1e-15)
    apart = np.append(of_item * 12 / 11, 0) - 9 / 11
    assert found.standard_error == pytest.approx(math.sqrt((apart**2).sum() / (12 * 11)), rel=1e-14)
    # A ratio of two sums over the items: those with one rating add nothing to either.
    found = rater_agreement(DATA["gwet"], "percent_agreement")
    apart = (of_item - 9 / 11) * 12 / 11
    assert found.standard_error == pytest.approx(math.sqrt((apart**2).sum() / (12 * 11)), rel=1e-14)


@pytest.mark.parametrize(
    ("data", "weights", "name", "value"),
    [
        # krippendorff 0.9.0 for Python; Krippendorff prints 0.743, 0.815, 0.849 and 0.797.
        ("gwet", "identity", "krippendorff_alpha", 0.743421052631579),
        ("gwet", "identity", "krippendorff_alpha_ordinal", 0.8153875037548814),
        ("gwet", "quadratic", "krippendorff_alpha", 0.8491071428571428),
        ("gwet", "ratio", "krippendorff_alpha", 0.7974027747116121),
        ("random", "identity", "krippendorff_alpha", 0.28103310607456544),
        ("random", "ordinal", "krippendorff_alpha_ordinal", 0.3198665877181911),
        ("random", "quadratic", "krippendorff_alpha", 0.3247740508998075),
        ("random", "ratio", "krippendorff_alpha", 0.36111855352550437),
    ],
)
def test_krippendorffs_levels_of_measurement(data, weights, name, value):
    assert rater_agreement(DATA[data], name, weights=weights).estimate == pytest.approx(value, abs=1e-13)


def test_fleiss_of_his_diagnoses():
    """kappam.fleiss of R's irr, as the tests of statsmodels print it."""
    assert rater_agreement(counts=diagnoses(), name="fleiss_kappa").estimate == pytest.approx(0.4302445, abs=5e-8)


def weight(kind: str, a: float, b: float, labels: list) -> float:
    """Gwet's weights, one by one."""
    places = (labels.index(a), labels.index(b))
    least, most = min(labels), max(labels)
    steps = abs(places[0] - places[1])
    ratios = [((x - y) / (x + y)) ** 2 for x in labels for y in labels if x + y]
    return {
        "identity": float(a == b),
        "linear": 1 - abs(a - b) / (most - least),
        "quadratic": 1 - (a - b) ** 2 / (most - least) ** 2,
        "ordinal": 1 - math.comb(steps + 1, 2) / math.comb(len(labels), 2),
        "ratio": 1 - (((a - b) / (a + b)) ** 2 if a + b else 0) / max(ratios),
    }[kind]


def twin(name: str, ratings: np.ndarray, kind: str) -> float:
    """The definitions, pair by pair."""
    items = [[x for x in item if x == x] for item in ratings.tolist()]
    items = [item for item in items if item]
    labels = sorted({x for item in items for x in item})
    w = {(a, b): weight(kind, a, b, labels) for a in labels for b in labels}
    paired = [item for item in items if len(item) > 1]
    pairs = [[(a, b) for i, a in enumerate(item) for j, b in enumerate(item) if i != j] for item in paired]
    if name.startswith("krippendorff"):
        values = [x for item in paired for x in item]
        size = {x: values.count(x) for x in labels}

        def distance(a, b):
            if name.endswith("ordinal"):
                between = [x for x in labels if min(a, b) <= x <= max(a, b)]
                return (sum(size[x] for x in between) - (size[a] + size[b]) / 2) ** 2
            return 1 - w[a, b]

        seen = sum(
            sum(distance(a, b) for a, b in own) / (len(item) - 1) for item, own in zip(paired, pairs, strict=True)
        )
        chance = sum(distance(a, b) for i, a in enumerate(values) for j, b in enumerate(values) if i != j)
        return 1 - seen / len(values) / (chance / (len(values) * (len(values) - 1)))
    agreed = np.mean([np.mean([w[pair] for pair in own]) for own in pairs])
    share = {x: np.mean([item.count(x) / len(item) for item in items]) for x in labels}
    number = len(labels)
    if name == "percent_agreement":
        return agreed
    if name == "fleiss_kappa":
        chance = sum(share[a] * share[b] * w[a, b] for a in labels for b in labels)
    elif name == "gwet_ac2":
        chance = sum(w.values()) * sum(x * (1 - x) for x in share.values()) / (number * (number - 1))
    elif name == "brennan_prediger":
        chance = sum(w.values()) / number**2
    else:
        columns = [[x for x in column if x == x] for column in ratings.T.tolist()]
        of = [{x: column.count(x) / len(column) for x in labels} for column in columns if column]
        each = [
            sum(p[a] * q[b] * w[a, b] for a in labels for b in labels)
            for i, p in enumerate(of)
            for j, q in enumerate(of)
            if i != j
        ]
        chance = np.mean(each)
    return (agreed - chance) / (1 - chance)


@pytest.mark.parametrize("name", NAMES)
def test_values_are_those_of_the_definitions(name):
    rng = np.random.default_rng(7)
    tried = 0
    for _ in range(40):
        shape = rng.integers(3, 12), rng.integers(2, 6)
        ratings = rng.choice([0.0, 1.0, 2.0, 5.0], shape)
        ratings[rng.random(shape) < 0.3] = np.nan
        for kind in WEIGHTS:
            found = rater_agreement(ratings, name, weights=kind)
            if math.isnan(found.estimate):
                continue
            assert found.estimate == pytest.approx(twin(name, ratings, kind), abs=1e-12), (kind, ratings)
            tried += 1
    assert tried > 150


@pytest.mark.parametrize("labels", [2, 4])
def test_two_raters_are_a_confusion_matrix(labels):
    rng = np.random.default_rng(labels)
    first = rng.integers(0, labels, 60)
    second = np.where(rng.random(60) < 0.6, first, rng.integers(0, labels, 60))
    ratings, cm = np.column_stack([first, second]), rs.ConfusionMatrix(first, second)
    for ours, theirs in {
        "percent_agreement": "accuracy",
        "fleiss_kappa": "scott_pi",
        "conger_kappa": "kappa",
        "gwet_ac1": "gwet_ac1",
        "brennan_prediger": "bennett_s",
        "krippendorff_alpha": "krippendorff_alpha",
        "krippendorff_alpha_ordinal": "krippendorff_alpha_ordinal",
    }.items():
        assert rater_agreement(ratings, ours).estimate == pytest.approx(cm[theirs], abs=1e-14), ours
    for kind, power in (("linear", 1), ("quadratic", 2)):
        found = rater_agreement(ratings, "conger_kappa", weights=kind)
        assert found.estimate == pytest.approx(cm.value("weighted_kappa", power=power), abs=1e-14)
    error = cm.interval("kappa").standard_error * math.sqrt(60 / 59)  # n - 1 in place of n
    assert rater_agreement(ratings, "conger_kappa").standard_error == pytest.approx(error, rel=1e-9)


@pytest.mark.parametrize("weights", ["identity", "quadratic"])
@pytest.mark.parametrize("name", NAMES)
def test_standard_errors_follow_from_the_slopes(name, weights):
    """The infinitesimal jackknife: how the value changes with a little more of one item. Krippendorff's has irrCAC's 1 / N."""
    ratings = np.vstack([DATA["gwet"], rows("1... 12.. .334 44.5")])
    many, little = 10**6, 100
    slopes = []
    for item in range(len(ratings)):
        sizes = np.full(len(ratings), many)
        values = []
        for change in (little, -2 * little):
            sizes[item] += change
            values.append(rater_agreement(ratings, name, weights=weights, sample_weight=sizes).estimate)
        slopes.append((values[0] - values[1]) / (2 * little) * many)
    number = len(slopes) - (2 if name.startswith("krippendorff") else 0)
    expected = math.sqrt(np.square(slopes).sum() * number / (number - 1))
    near = 0.02 if name.startswith("krippendorff") else 1e-6
    assert rater_agreement(ratings, name, weights=weights).standard_error == pytest.approx(expected, rel=near)


def test_the_same_bits_for_any_order_and_any_parts():
    rng = np.random.default_rng(2)
    ratings = rng.choice([1.0, 2.0, 3.0, np.nan], (300, 5))
    whole = table(ratings, weights="ordinal")
    assert table(ratings[rng.permutation(300)], weights="ordinal") == whole
    frame = pd.DataFrame(ratings, columns=list("abcde"))
    parts = [
        part.groupby(list("abcde"), dropna=False).size().reset_index(name="items")
        for part in (frame[:100], frame[100:101], frame[101:])
    ]
    both = pd.concat(parts)
    assert table(both[list("abcde")], weights="ordinal", sample_weight=both["items"]) == whole


def test_counts_give_what_ratings_give():
    ratings = DATA["gwet"]
    counts = np.array([[(item == label).sum() for label in range(1, 6)] for item in ratings])
    for name in set(NAMES) - {"conger_kappa"}:
        ours = rater_agreement(counts=counts, name=name, labels=[1, 2, 3, 4, 5], weights="quadratic")
        theirs = rater_agreement(ratings, name, weights="quadratic")
        assert ours.estimate == pytest.approx(theirs.estimate, rel=1e-14)
        assert ours.standard_error == pytest.approx(theirs.standard_error, rel=1e-13)
    named = pd.DataFrame(counts, columns=list("abcde"))[list("edcba")]
    turned = table(counts=named, labels=list("abcde"), weights="linear")
    assert turned == table(counts=counts, labels=list("abcde"), weights="linear")
    assert "Counts do not tell which rater" in rater_agreement(counts=counts, name="conger_kappa").why


def test_many_raters_and_many_labels():
    """So many that the distinct rows are numbered in several steps."""
    rng = np.random.default_rng(4)
    ratings = rng.integers(0, 300, (40, 90)).astype(float)
    ratings[:, 1:40] = ratings[:, [0]]
    twice = np.vstack([ratings, ratings])
    for name in NAMES:
        once = rater_agreement(ratings, name).estimate
        assert rater_agreement(ratings, name, sample_weight=np.full(40, 2)) == rater_agreement(twice, name)
        if not name.startswith("krippendorff"):
            assert rater_agreement(twice, name).estimate == pytest.approx(once, rel=1e-13)
    counts = np.array([np.bincount(item.astype(int), minlength=300) for item in ratings])
    observed, shares = ((counts * (counts - 1)).sum(axis=1) / (90 * 89)).mean(), counts.mean(axis=0) / 90
    expected = (observed - (shares**2).sum()) / (1 - (shares**2).sum())
    assert rater_agreement(ratings, "fleiss_kappa").estimate == pytest.approx(expected, rel=1e-12)


def test_labels_of_any_kind():
    text = [["a", "a", None], ["b", "b", "a"], ["", "", ""], ["a", "b", "b"]]
    frame = pd.DataFrame(text, columns=list("xyz"))
    columns = {name: [row[place] for row in text] for place, name in enumerate("xyz")}
    masked = np.ma.array([["a", "a", "a"], *text[1:]], mask=[[0, 0, 1], *[[0] * 3] * 3])
    expected = table(text)
    for given in (
        np.array(text, object),
        tuple(map(tuple, text)),
        frame,
        frame.astype("string"),
        frame.astype("category"),
        columns,
        pl.DataFrame(columns),
        pa.table(columns),
        masked,
    ):
        assert table(given) == expected, type(given)
    numbers = np.array([[1, 1, np.nan], [2, 2, 1], [0, 0, 0], [1, 2, 2]])
    assert table(numbers) == expected  # the empty text is a label like any other
    for given in (
        numbers.astype(np.float32),
        pd.DataFrame(numbers).astype("Int64"),
        [[None if x != x else int(x) for x in row] for row in numbers],
        [[pd.NA if x != x else int(x) for x in row] for row in numbers],
        {"a": [1, 2, 0, 1], "b": [1.0, 2, 0, 2], "c": [np.nan, 1, 0, 2]},
    ):
        assert table(given) == expected, type(given)


def test_ordered_categories_keep_their_order():
    steps = ["low", "middle", "high"]
    given = {"a": ["low", "middle", "high", "high"], "b": ["low", "high", "high", "middle"]}
    frame = pd.DataFrame({name: pd.Categorical(column, steps, ordered=True) for name, column in given.items()})
    for weights in ("linear", "ordinal"):
        assert table(frame, weights=weights) == table(given, weights=weights, labels=steps)
    assert table(frame, weights="linear") != table(given, weights="linear")


def test_weights_by_name():
    given, near = [["a", "b"], ["b", "b"], ["c", "a"]], [[1, 0.5, 0], [0.5, 1, 0.25], [0, 0.25, 1]]
    frame = pd.DataFrame(near, list("abc"), list("abc"))
    expected = table(given, weights=near)
    assert table(given, weights=frame.loc[list("cab"), list("bca")]) == expected
    assert table(given, weights=frame.to_dict("index")) == expected
    assert expected["index"][3] == "gwet_ac2"


def test_what_has_no_value_says_why():
    assert rater_agreement([[1], [2]], "fleiss_kappa").why == "No item has two ratings."
    assert rater_agreement(np.zeros((0, 3)), "gwet_ac1").why == "No item has two ratings."
    alike = [[1, 1], [1, 1], [1, None]]
    for name in ("fleiss_kappa", "conger_kappa", "krippendorff_alpha", "krippendorff_alpha_ordinal"):
        found = rater_agreement(alike, name, labels=[1, 2])
        assert np.isnan(found.estimate)
        assert "chance alone agrees always" in found.why
    assert rater_agreement(alike, "gwet_ac1").why == "There is only one label."
    found = rater_agreement(alike, "gwet_ac1", labels=[1, 2])
    assert found.estimate == 1
    assert "count alike" in found.why
    assert "One item" in rater_agreement([[1, 2]], "fleiss_kappa").why
    table = rater_agreement(alike)
    assert table.columns[-1] == "why"
    assert "Items with one rating only: 1." in table.note
    assert "Few items" in rater_agreement(DATA["gwet"], "fleiss_kappa").note
    assert rater_agreement(DATA["random"], "fleiss_kappa").note is None


def draw(rng: np.random.Generator, items: int, gap: float) -> np.ndarray:
    truth = rng.choice(3, (items, 1), p=[0.5, 0.3, 0.2])
    ratings = np.where(rng.random((items, 4)) < 0.8, truth, rng.choice(3, (items, 4), p=[0.5, 0.3, 0.2])).astype(float)
    ratings[rng.random(ratings.shape) < gap] = np.nan
    return ratings


@pytest.mark.parametrize("gap", [0.0, 0.6])
def test_intervals_cover(gap):
    rng = np.random.default_rng(1)
    names = ["percent_agreement", "conger_kappa", "gwet_ac1", "krippendorff_alpha"]
    true = {name: rater_agreement(draw(rng, 300_000, gap), name).estimate for name in names}
    covered, draws = dict.fromkeys(names, 0), 300
    for _ in range(draws):
        ratings = draw(rng, 150, gap)
        for name in names:
            found = rater_agreement(ratings, name)
            covered[name] += found.low <= true[name] <= found.high
    for name in names:
        assert 0.91 <= covered[name] / draws <= 0.98, name


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (rater_agreement, "either ratings or counts"),
        (lambda: rater_agreement([[1, 2]], counts=[[1, 2]]), "either ratings or counts"),
        (lambda: rater_agreement([[1, 2], [1]]), "different lengths"),
        (lambda: rater_agreement(["a", "b"]), "a rating by every rater"),
        (lambda: rater_agreement("ab"), "ratings"),
        (lambda: rater_agreement([]), r"\(items, raters\)"),
        (lambda: rater_agreement({}), "no columns"),
        (lambda: rater_agreement([["a", 1], ["b", 2]]), "expected text"),
        (lambda: rater_agreement({"a": ["x"], "b": [1]}), "labels of one kind"),
        (lambda: rater_agreement([[1.0, np.inf]]), "finite"),
        (lambda: rater_agreement([[1, 2], [3, 3]], labels=[1, 2]), r"ratings\[1, 0\] is 3"),
        (lambda: rater_agreement([[1, 2]], labels=[1, 1, 2]), "different labels"),
        (lambda: rater_agreement([[1, 2]], "kappa"), "'conger_kappa'"),
        (lambda: rater_agreement([[1, 2]], ["gwet_ac1", "kappa"]), r"name\[1\]"),
        (lambda: rater_agreement([[1, 2]], weights="cubic"), "'quadratic'"),
        (lambda: rater_agreement([[1, 2]], weights=np.eye(3)), r"\(2, 2\)"),
        (lambda: rater_agreement([[1, 2]], weights=[[1, 0], [0.5, 1]]), "symmetric"),
        (lambda: rater_agreement([[1, 2]], weights=[[0, 1], [1, 0]]), "1 on the diagonal"),
        (lambda: rater_agreement([["a", "b"]], weights="ratio"), "'ratio' only"),
        (lambda: rater_agreement(np.arange(4002).reshape(2, 2001), weights="linear"), "at most 2000"),
        (lambda: rater_agreement([[1, 2]], sample_weight=[0.5]), r"sample_weight\[0\]"),
        (lambda: rater_agreement([[1, 2]], sample_weight=[1, 2]), r"\(1,\)"),
        (lambda: rater_agreement([[1, 2]], level=1), "level"),
        (lambda: rater_agreement([[1, 2]], method="normal"), "method"),
        (lambda: rater_agreement(counts=[[1, -2]]), r"counts\[0, 1\] is -2"),
        (lambda: rater_agreement(counts=[[1, 0.5]]), "whole number"),
        (lambda: rater_agreement(counts=[1, 2]), r"\(items, labels\)"),
        (lambda: rater_agreement(counts=[["a", "b"]]), "numbers"),
        (lambda: rater_agreement(counts=[[1, 2]], labels=["a"]), "one for each column"),
        (
            lambda: rater_agreement(counts=pd.DataFrame([[1, 2]], columns=["a", "b"]), labels=["a", "c"]),
            "counts.columns",
        ),
    ],
)
def test_refusals(call, message):
    with pytest.raises(rs.RocksteadyError, match=message):
        call()
