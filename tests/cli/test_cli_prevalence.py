"""The command line's `--prevalence`: the values of `Evaluation.at_prevalence`."""

from __future__ import annotations

import numpy as np
import pytest

pl = pytest.importorskip("polars")
pytest.importorskip("click")
pytest.importorskip("rich")

from command import write

import rocksteady as rs
from rocksteady.cli.command import run


@pytest.fixture(scope="module")
def rows() -> pl.DataFrame:
    random = np.random.default_rng(5)
    y = random.random(400) < 0.4
    score = np.clip(0.3 * y + 0.7 * random.random(400), 0, 1)
    kind = random.choice(["cat", "dog", "eel"], 400)
    return pl.DataFrame({"y": y.astype(int), "p": score, "q": score**2, "kind": kind, "said": np.roll(kind, 1)})


@pytest.fixture(scope="module")
def path(rows, tmp_path_factory) -> str:
    return write(rows, tmp_path_factory.mktemp("rows") / "rows.parquet")


def test_all_values_and_intervals_are_those_at_the_prevalence(score, path, rows):
    found = score(
        path, "--label", "y", "--score", "p", "--prevalence", "0.02", "--interval", "--best", "f1", "--cost", "fn=50"
    )
    expected = rs.evaluate(rows["y"], rows["p"], costs={"fn": 50}).at_prevalence(0.02)
    model = expected.models["model"]
    assert (found["at_prevalence"], found["rows"], found["level"]) == (0.02, 400, 0.95)
    for name, value in expected.to_dict()["models"]["model"]["indices"].items():
        assert found[name] == value, name
    assert found["precision"] < 0.1 < score(path, "--label", "y", "--score", "p")["precision"]
    for name, interval in found["intervals"].items():
        own = model.interval(name, strata="label")
        assert (interval["low"], interval["method"]) == (own.low if own.low == own.low else None, own.method)
    assert found["thresholds"][1]["value"] == expected.best("f1").value


def test_shares_of_several_classes_and_of_several_models(score, path, rows):
    found = score(path, "--label", "kind", "--pred", "said", "--prevalence", "eel=0.1,cat=0.6,dog=0.3")
    expected = rs.evaluate(rows["kind"], y_pred=rows["said"]).at_prevalence({"cat": 0.6, "dog": 0.3, "eel": 0.1})
    assert found["accuracy"] == expected["accuracy"]
    several = score(path, "--label", "y", "--score", "p", "--score", "q", "--prevalence", "0.1", "--interval")
    both = rs.evaluate(rows["y"], {"p": rows["p"], "q": rows["q"]}).at_prevalence(0.1)
    assert {name: each["f1"] for name, each in several["models"].items()} == both["f1"]
    assert "differences" not in several


def test_the_table_and_the_page_say_it_and_the_page_can_be_verified(path, tmp_path, capsys):
    page = tmp_path / "page.html"
    assert run(["score", path, "--label", "y", "--score", "p", "--prevalence", "0.02", "--html", str(page)]) == 0
    assert "rows weighed to a prevalence of 0.02" in capsys.readouterr().out
    assert "The rows are weighed to a prevalence of 0.02." in page.read_text()
    assert run(["verify", str(page), path]) == 0
    capsys.readouterr()
    asked = ["score", path, "--label", "kind", "--pred", "said", "--prevalence", "cat=0.5,dog=0.3,eel=0.2"]
    assert run(asked) == 0
    assert "rows weighed to a prevalence of cat 0.5, dog 0.3, eel 0.2" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--prevalence", "2"], "prevalence is 2.0; expected a number above 0 and below 1"),
        (["--prevalence", "few"], "--prevalence is 'few'; expected the share of the positive class, such as 0.01"),
        (["--prevalence", "0=0.5"], "--prevalence has shares of 0; expected 0, 1"),
        (["--prevalence", "0.5,0=0.5"], "expected the share of the positive class"),
        (["--prevalence", "0.1", "--by", "kind"], "--by cannot be used with --prevalence"),
        (["--prevalence", "0.1", "--weight", "q"], "--weight cannot be used with --prevalence"),
        (["--prevalence", "0.1", "--cluster", "kind"], "--cluster cannot be used with --prevalence"),
        (["--prevalence", "0.1", "--bounded"], "--bounded cannot be used with --prevalence"),
        (["--prevalence", "0.1", "--memory", "1GB"], "--memory cannot be used with --prevalence"),
        (
            ["--prevalence", "0.1", "--score", "q", "--difference", "p,q"],
            "--difference cannot be used with --prevalence",
        ),
    ],
)
def test_what_cannot_be_weighed_is_refused(path, capsys, options, words):
    assert run(["score", path, "--label", "y", "--score", "p", *options]) == 2
    assert words in capsys.readouterr().err
