"""The command line's intervals (`--interval`, `--level`) and differences between models (`--difference`)."""

from __future__ import annotations

import json

import numpy as np
import pytest

pl = pytest.importorskip("polars")
pytest.importorskip("click")
pytest.importorskip("rich")

from command import WRITERS, write

import rocksteady as rs
from rocksteady.cli.command import run

OPTIONS = ["--label", "y", "--score", "new", "--score", "old"]


@pytest.fixture(scope="module")
def rows() -> pl.DataFrame:
    random = np.random.default_rng(5)
    y = random.random(600) < 0.3
    new, old = (1 / (1 + np.exp(-random.normal(shift * y - 1.0))) for shift in (2.0, 1.2))
    three = random.integers(0, 3, 600)
    frame = {"y": np.where(y, "yes", "no"), "new": new, "old": old, "w": random.integers(1, 4, 600).astype(float)}
    classes = {"kind": three, "one": np.where(random.random(600) < 0.7, three, 0), "two": random.integers(0, 3, 600)}
    return pl.DataFrame({**frame, "c": np.where(old > 0.4, "yes", "no"), **classes})


@pytest.fixture(scope="module")
def path(rows, tmp_path_factory) -> str:
    return write(rows, tmp_path_factory.mktemp("rows") / "rows.parquet")


@pytest.fixture(scope="module")
def evaluation(rows) -> rs.Evaluation:
    scores = {"new": rows["new"], "old": rows["old"]}
    return rs.evaluate(rows["y"], scores, inference=True)


def test_intervals_are_those_of_the_evaluation(score, path, evaluation):
    report = score(path, *OPTIONS, "--interval")
    assert report["level"] == 0.95
    for name, model in evaluation.models.items():
        found = report["models"][name]["intervals"]
        assert {"roc_auc", "average_precision", "f1", "mcc", "recall", "ks"} <= set(found)
        for index, interval in found.items():
            expected = model.interval(index)
            assert (interval["low"], interval["high"], interval["method"]) == (
                expected.low,
                expected.high,
                expected.method,
            )


def test_a_level_of_your_own(score, path, evaluation):
    report = score(path, *OPTIONS, "--level", "0.8", "--names", "f1")
    assert report["level"] == 0.8
    assert report["models"]["new"]["intervals"]["f1"]["low"] == evaluation.models["new"].interval("f1", level=0.8).low
    assert "intervals" not in score(path, *OPTIONS)["models"]["new"]


def test_differences_are_those_of_the_evaluation(score, path, evaluation):
    report = score(path, *OPTIONS, "--difference", "new,old", "--level", "0.9")
    assert {"roc_auc", "f1", "mcc", "accuracy"} <= {row["index"] for row in report["differences"]}
    for row in report["differences"]:
        expected = evaluation.difference(row["index"], "new", "old", level=0.9)
        assert (row["difference"], row["low"], row["high"]) == (expected.estimate, expected.low, expected.high)
        assert (row["p_value"], row["method"]) == (expected.p_value, expected.method)


def test_differences_of_weighted_rows_and_of_predicted_classes(score, path, rows):
    options = ["--label", "y", "--score", "new", "--pred", "c", "--score", "old", "--weight", "w"]
    report = score(path, *options, "--difference", "old,c")
    expected = rs.evaluate(
        rows["y"],
        {"new": rows["new"], "old": rows["old"]},
        y_pred={"c": rows["c"]},
        sample_weight=rows["w"],
        inference=True,
    )
    found = {row["index"]: row for row in report["differences"]}
    assert "roc_auc" not in found  # one of the two has no scores
    difference = expected.difference("mcc", "old", "c")
    assert found["mcc"]["low"] == pytest.approx(difference.low, rel=1e-12)
    several = score(path, "--label", "kind", "--pred", "one", "--pred", "two", "--difference", "one,two")
    accuracy = next(row for row in several["differences"] if row["index"] == "accuracy")
    kind = rs.evaluate(rows["kind"], y_pred={"one": rows["one"], "two": rows["two"]}, inference=True)
    assert accuracy["p_value"] == kind.difference("accuracy", "one", "two").p_value


def test_tables_show_intervals_and_differences(path, capsys):
    assert run(["score", path, *OPTIONS, "--interval", "--difference", "new,old"]) == 0
    out = capsys.readouterr().out
    assert "[low, high]: 95 % confidence intervals" in out
    assert "new less old" in out
    assert all(len(line) <= 80 for line in out.splitlines())
    report_of_one = ["score", path, "--label", "y", "--score", "new", "--interval", "--names", "roc_auc,h_measure"]
    assert run(report_of_one) == 0
    lines = {line.split()[0]: line for line in capsys.readouterr().out.splitlines() if line}
    assert "[" in lines["roc_auc"]
    assert "[" not in lines["h_measure"]


def test_the_page_has_differences(path, tmp_path):
    page, text = tmp_path / "page.html", tmp_path / "page.md"
    written = ["--html", str(page), "--md", str(text), "--json", str(tmp_path / "page.json")]
    assert run(["score", path, *OPTIONS, "--difference", "new,old", *written]) == 0
    assert "is better" in page.read_text(encoding="utf-8")
    assert "## Differences" in text.read_text(encoding="utf-8")
    assert json.loads((tmp_path / "page.json").read_text(encoding="utf-8"))["differences"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            ["--difference", "new"],
            "--difference is 'new'; expected two models, such as new,old; the models are 'new', 'old'",
        ),
        (["--difference", "new,new"], "expected two models"),
        (["--difference", "new,old", "--difference", "old,new"], "name a pair once"),
        (["--difference", "new,other"], "--difference has the model 'other'; the models are 'new', 'old'"),
        (["--weight-kind", "counts"], "--weight does not say which column has them"),
        (
            ["--weight", "w", "--weight-kind", "sampling", "--bounded"],
            "--weight-kind sampling does not go with --bounded",
        ),
        (["--weight", "w", "--weight-kind", "sampling", "--memory", "1MB"], "sampling needs all scores in memory"),
        (["--cluster", "kind", "--memory", "1MB"], "--cluster needs all scores in memory"),
        (["--strata", "kind", "--bounded"], "--strata does not go with --bounded"),
        (["--level", "1"], "--level is 1; expected a number between 0 and 1, such as 0.95"),
        (["--level", "nan"], "--level is nan; expected a number between 0 and 1, such as 0.95"),
    ],
)
def test_what_cannot_be_asked(refusal, path, options, sentence):
    assert sentence in refusal(path, *OPTIONS, *options)


def test_intervals_of_several_models_have_the_differences_of_each_two(score, path, rows):
    three = [*OPTIONS, "--pred", "c", "--names", "accuracy,f1"]
    report = score(path, *three, "--interval")
    pairs = [("new", "old"), ("new", "c"), ("old", "c")]
    assert [(row["index"], row["first"], row["second"]) for row in report["differences"]] == [
        (name, *pair) for name in ("accuracy", "f1") for pair in pairs
    ]
    for name in ("accuracy", "f1"):
        found = [row for row in report["differences"] if row["index"] == name]
        ordered = sorted(found, key=lambda row: row["p_value"])
        holm = np.minimum(np.maximum.accumulate([row["p_value"] * (3 - at) for at, row in enumerate(ordered)]), 1)
        assert [row["holm_p_value"] for row in ordered] == pytest.approx(holm, rel=1e-12)
        for row in found:
            is_shown = row["holm_p_value"] <= 0.05 and not row["low"] <= 0 <= row["high"]
            assert row["verdict"].endswith("is better") == is_shown
    chosen = score(path, *three, "--interval", "--difference", "old,c")["differences"]
    assert {(row["first"], row["second"]) for row in chosen} == {("old", "c")}
    assert all(row["holm_p_value"] == row["p_value"] for row in chosen)


@pytest.mark.parametrize("suffix", WRITERS)
def test_clusters_and_strata(score, rows, tmp_path, suffix, capsys):
    users = [None if place == 7 else f"user {place // 3}" for place in range(600)]
    places = np.arange(600) // 300
    more = rows.with_columns(user=pl.Series(users), site=pl.Series(places))
    path = write(more, tmp_path / f"rows.{suffix}")
    arguments = [path, *OPTIONS, "--cluster", "user", "--names", "roc_auc,brier,f1,accuracy"]
    if suffix.startswith("csv"):  # an empty cell
        assert run(["score", *arguments]) == 2
        assert "row 8: 'user' is missing" in capsys.readouterr().err
    path = write(more.with_columns(pl.col("user").fill_null("user 2")), tmp_path / f"rows.{suffix}")
    report = score(path, *arguments[1:], "--strata", "site")
    assert (report["level"], report["cluster"], report["strata"]) == (0.95, "user", "site")
    scores = {"new": rows["new"], "old": rows["old"]}
    expected = rs.evaluate(rows["y"], scores, inference=True, cluster=np.arange(600) // 3, strata=places)
    for name, model in report["models"].items():
        for index, found in model["intervals"].items():
            interval = expected.models[name].interval(index)
            assert (found["low"], found["high"]) == pytest.approx((interval.low, interval.high), rel=1e-9)
    assert {row["index"] for row in report["differences"]} == {"roc_auc", "brier", "f1", "accuracy"}
    for row in report["differences"]:
        difference = expected.difference(row["index"], "new", "old")
        assert (row["low"], row["p_value"]) == pytest.approx((difference.low, difference.p_value), rel=1e-9)


def test_what_speaks_against_an_interval_is_said_once(score, rows, tmp_path, capsys):
    few = write(rows.head(40), tmp_path / "rows.parquet")
    options = [few, *OPTIONS, "--interval", "--names", "roc_auc,average_precision"]
    report = score(*options)
    expected = rs.evaluate(rows["y"].head(40), rows["new"].head(40)).interval("roc_auc").note
    assert isinstance(expected, str)
    assert report["models"]["new"]["intervals"]["roc_auc"]["note"] == expected
    assert run(["score", *options]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert out.count(f"Intervals of roc_auc: {expected}") + out.count(f"roc_auc, average_precision: {expected}") == 1


def test_one_model_in_clusters(score, path, rows, capsys):
    options = ["--label", "y", "--score", "new", "--cluster", "kind", "--by", "kind", "--level", "0.9"]
    report = score(path, *options, "--names", "recall")
    expected = rs.evaluate(rows["y"], rows["new"], inference=True, cluster=rows["kind"])
    assert report["intervals"]["recall"]["low"] == expected.interval("recall", level=0.9).low
    assert "differences" not in report
    assert run(["score", path, *options]) == 0
    assert "[low, high]: 90 % confidence intervals; clusters: kind" in capsys.readouterr().out


def test_means_over_classes_have_intervals(score, path, rows):
    options = ["--label", "kind", "--proba", "0=new,1=old,2=w", "--names", "average_precision,accuracy", "--interval"]
    report = score(path, *options)
    proba = rows.select("new", "old", "w").to_numpy()
    expected = rs.evaluate(rows["kind"], y_proba=proba, inference=True)
    for name, found in report["intervals"].items():
        assert (found["low"], found["high"]) == (expected.interval(name).low, expected.interval(name).high)


def test_a_page_of_clusters_is_verified(path, tmp_path):
    page = str(tmp_path / "page.html")
    options = ["--label", "y", "--score", "new", "--cluster", "kind"]
    assert run(["score", path, *options, "--html", page]) == 0
    assert run(["verify", page, path]) == 0


def test_many_pairs_are_not_all_printed(rows, tmp_path, capsys):
    names = [f"m{place}" for place in range(5)]
    path = write(rows.with_columns(**dict.fromkeys(names, rows["new"])), tmp_path / "rows.parquet")
    scores = [word for name in names for word in ("--score", name)]
    assert run(["score", path, "--label", "y", *scores, "--interval", "--names", "roc_auc"]) == 0
    out = capsys.readouterr().out
    assert out.count(" less ") == 6
    assert "4 more pairs are not shown: --json has all, --difference chooses." in out


@pytest.mark.parametrize(
    "columns", [["--pred", "one", "--pred", "two"], ["--proba", "0=new,1=old,2=w", "--pred", "one"]]
)
def test_weights_of_a_sample_of_several_classes(score, tmp_path, rows, columns):
    options = ["--label", "kind", *columns, "--weight", "v", "--names", "accuracy", "--interval"]
    path = write(rows.with_columns(v=rows["w"] + 0.5), tmp_path / "rows.parquet")
    report = score(path, *options, "--weight-kind", "sampling")
    found = report["models"]["one"] if "models" in report else report
    weighing = {"sample_weight": rows["w"] + 0.5, "weight_kind": "sampling"}
    expected = rs.evaluate(rows["kind"], y_pred=rows["one"], **weighing).interval("accuracy")
    assert (found["intervals"]["accuracy"]["low"], found["accuracy"]) == pytest.approx(
        (expected.low, expected.estimate)
    )


def test_weights_of_a_sample(score, path, rows):
    options = ["--label", "y", "--score", "new", "--score", "old", "--weight", "w", "--by", "kind"]
    report = score(path, *options, "--interval", "--weight-kind", "sampling")
    scores = {"new": rows["new"], "old": rows["old"]}
    weighing = {"sample_weight": rows["w"], "weight_kind": "sampling"}
    expected = rs.evaluate(rows["y"], scores, **weighing, by=rows["kind"], inference=True)
    assert report["weight_kind"] == "sampling"
    for name, index in (("new", "roc_auc"), ("old", "f1"), ("old", "log_loss")):
        found, interval = report["models"][name]["intervals"][index], expected.models[name].interval(index)
        assert (found["low"], found["high"]) == pytest.approx((interval.low, interval.high), rel=1e-12)
    for row in report["differences"]:
        difference = expected.difference(row["index"], "new", "old")
        assert (row["low"], row["high"]) == pytest.approx((difference.low, difference.high), rel=1e-12)
    counts = score(path, *options, "--interval")
    assert "weight_kind" not in counts
    assert counts["models"]["new"]["intervals"]["roc_auc"] != report["models"]["new"]["intervals"]["roc_auc"]


def test_groups_on_the_page_know_the_clusters(rows, tmp_path):
    user = np.arange(600) // 5
    path = write(rows.with_columns(user=user, site=user % 3), tmp_path / "rows.parquet")
    page, own, alone = (tmp_path / name for name in ("page.html", "own.html", "alone.html"))
    options = ["--label", "y", "--score", "new", "--by", "site", "--cluster", "user", "--html", str(page)]
    assert run(["score", path, *options]) == 0
    asked = {"threshold": 0.5, "by": {"site": user % 3}}
    rs.evaluate(rows["y"], {"new": rows["new"]}, inference=True, cluster=user, **asked).to_html(own)
    rs.evaluate(rows["y"], {"new": rows["new"]}, **asked).to_html(alone)
    forest, expected, other = (
        text.read_text(encoding="utf-8").split('<section id="groups"')[1].split("</svg>")[0]
        for text in (page, own, alone)
    )
    assert forest == expected
    assert forest != other
    assert run(["verify", str(page), path]) == 0


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_clusters_of_several_columns_are_joined(score, refusal, rows, tmp_path, suffix, capsys):
    user, day = np.arange(600) // 30, np.arange(600) % 4
    path = write(rows.with_columns(user=user, day=day, site=day % 2), tmp_path / f"rows.{suffix}")
    options = ["--label", "y", "--score", "new", "--cluster", "user", "--cluster", "day", "--names", "brier,f1"]
    assert "--cluster user is given twice" in refusal(path, *options, "--cluster", "user")
    report = score(path, *options, "--strata", "day", "--strata", "site")
    assert (report["cluster"], report["strata"]) == (["user", "day"], ["day", "site"])
    expected = rs.evaluate(rows["y"], rows["new"], inference=True, cluster=user * 4 + day, strata=day)
    for name, found in report["intervals"].items():
        assert found["low"] == pytest.approx(expected.interval(name).low, rel=1e-9)
    assert run(["score", path, *options]) == 0
    assert "clusters: user × day" in capsys.readouterr().out
    page = str(tmp_path / "page.html")
    assert run(["score", path, *options, "--html", page]) == 0
    assert run(["verify", page, path]) == 0
