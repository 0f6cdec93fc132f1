"""The digest of what was counted, and `rocksteady verify`, which counts again and compares."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.cli.command import run

pl = pytest.importorskip("polars")

ROWS = 400


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(3)
    actual = rng.random(ROWS) < 0.4
    return pl.DataFrame(
        {
            "y": np.where(actual, "yes", "no"),
            "old": rng.random(ROWS).round(2),
            "new": (actual + rng.normal(size=ROWS)).round(3),
            "class": rng.choice(["a", "b", "c"], ROWS),
            "said": rng.choice(["a", "b", "c"], ROWS),
            "w": rng.random(ROWS).round(1),
            "region": rng.choice(["n", "s"], ROWS),
        }
    )


CASES = {
    "scores": ["--label", "y", "--score", "old", "--score", "new", "--threshold", "0.5", "--difference", "new,old"],
    "weights and groups": ["--label", "y", "--score", "new", "--weight", "w", "--by", "region", "--min-rows", "5"],
    "classes": ["--label", "class", "--pred", "said", "--title", "Of </script> three"],
    "order": ["--label", "class", "--pred", "said", "--labels", "d,c,a,b", "--by", "region"],
    "costs": ["--label", "y", "--score", "old", "--pos-label", "no", "--cost", "fp=1,fn=5", "--define", "net=tp/n"],
}


@pytest.mark.parametrize("case", CASES)
def test_a_report_is_of_its_rows_however_they_are_split(frame, tmp_path, case, capsys):
    whole = tmp_path / "all.parquet"
    frame.write_parquet(whole)
    page, values = tmp_path / "report.html", tmp_path / "report.json"
    assert run(["score", str(whole), *CASES[case], "--html", str(page), "--json", str(values)]) == 0
    digest = json.loads(values.read_text())["digest"]
    assert re.fullmatch(r"sha256/\d+:[0-9a-f]{64}", digest)
    assert digest in page.read_text()
    mixed = frame.sample(fraction=1, shuffle=True, seed=1)
    for place, (start, length) in enumerate([(0, 1), (1, 250), (251, ROWS)]):
        mixed.slice(start, length).write_parquet(tmp_path / f"part{place}.parquet")
    parts = str(tmp_path / "part*.parquet")
    capsys.readouterr()
    for report in (page, values):
        assert run(["verify", str(report), parts]) == 0
        said, _ = capsys.readouterr()
        assert said == f"{report} is of these {ROWS} rows: {digest}\n"
    # A row less, a row changed, a row twice.
    changed = frame.with_columns(y=pl.when(pl.int_range(pl.len()) == 7).then(pl.lit("no")).otherwise("y"))
    changed = changed.with_columns(said=pl.when(pl.int_range(pl.len()) == 7).then(pl.lit("d")).otherwise("said"))
    others = [frame[1:], pl.concat([frame, frame[3:4]])]
    others += [changed] if not changed.equals(frame) else []
    for other in others:
        other.write_parquet(tmp_path / "other.parquet")
        for report in (page, values):
            assert run(["verify", str(report), str(tmp_path / "other.parquet")]) == 3
            assert "it is not of these rows: it says sha256" in capsys.readouterr().err


def test_the_dialect_is_in_the_report(tmp_path, capsys):
    (tmp_path / "rows.csv").write_text("y;p\n0;0,25\n1;0,75\n0;NA\n")
    asked = ["--label", "y", "--score", "p", "--separator", ";", "--decimal", ",", "--nan-policy", "omit"]
    report = tmp_path / "report.json"
    assert run(["score", str(tmp_path / "rows.csv"), *asked, "--json", str(report)]) == 0
    assert run(["verify", str(report), str(tmp_path / "rows.csv")]) == 0
    told = json.loads(report.read_text())
    del told["recipe"]["decimal"], told["recipe"]["labels"]  # as in a report of the time before these options
    report.write_text(json.dumps(told))
    assert run(["verify", str(report), str(tmp_path / "rows.csv")]) == 2
    assert "'p' is '0,25'; expected a number; --decimal , reads decimal commas" in capsys.readouterr().err


def test_a_changed_page_is_noticed(frame, tmp_path, capsys):
    data, page = tmp_path / "rows.csv", tmp_path / "report.html"
    frame.write_csv(data)
    assert run(["score", str(data), "--label", "y", "--score", "old", "--html", str(page)]) == 0
    text = page.read_text()
    page.write_text(text.replace("<h1>", "<h1>Excellent: ", 1))
    assert run(["verify", str(page), str(data)]) == 3
    assert "the page has been changed since it was made" in capsys.readouterr().err
    # Of another release the page may look otherwise.
    page.write_text(text.replace('content="rocksteady ', 'content="rocksteady 9', 1))
    assert run(["verify", str(page), str(data)]) == 0


def test_what_cannot_be_verified_is_refused(frame, tmp_path, capsys):
    data, page, values = tmp_path / "rows.csv", tmp_path / "report.html", tmp_path / "report.json"
    frame.write_csv(data)
    arguments = ["score", str(data), "--label", "y", "--score", "old", "--html", str(page), "--json", str(values)]
    assert run(arguments) == 0
    capsys.readouterr()
    made = tmp_path / "made.html"
    rs.evaluate(frame["class"], y_pred=frame["said"]).to_html(made)
    report = json.loads(values.read_text())

    def written(**changes):
        other = tmp_path / f"other{len(list(tmp_path.iterdir()))}.json"
        other.write_text(json.dumps({**report, **changes}))
        return other

    recipe = report["recipe"]
    for path, words in [
        (data, "does not say how it was made"),
        (made, "does not say how it was made"),
        (tmp_path / "none.html", "No such file"),
        (written(digest=3), "does not say how it was made"),
        (written(recipe=[]), "does not say how it was made"),
        (written(recipe={}), "its options are not options of rocksteady score"),
        (written(recipe={**recipe, "more": 1}), "its options are not options of rocksteady score"),
        (written(recipe={**recipe, "label": "missing"}), "missing"),
        (written(digest="sha256/1:00"), "its digest is one of 'sha256/1', made by rocksteady"),
    ]:
        assert run(["verify", str(path), str(data)]) == 2, path
        assert words in capsys.readouterr().err, words
    assert run(["verify", str(page), str(tmp_path / "none.csv")]) == 2


def test_the_digest_stands_in_every_report(frame):
    evaluation = rs.evaluate(frame["y"], frame["old"])
    for text in (evaluation.to_html(), evaluation.to_markdown()):
        assert evaluation.digest() in text


def test_digests_tell_statistics_apart():
    made = [
        rs.ScoreTable([0, 1], [0.2, 0.4]),
        rs.ScoreTable([0, 1], [0.2, 0.5]),
        rs.ScoreTable([1, 0], [0.2, 0.4]),
        rs.ScoreTable([0, 1], [0.2, 0.4], sample_weight=[1, 1]),
        rs.ConfusionMatrix([0, 1], [0, 0]),
        rs.evaluate([0, 1], [0.2, 0.4]),
        rs.evaluate([0, 1], [0.2, 0.4], threshold=0.3),
        rs.evaluate([0, 1], {"a": [0.2, 0.4]}),
    ]
    assert len({one.digest() for one in made}) == len(made)
    # How rows were read, and what is shown, is no part of it.
    plain = rs.evaluate([0, 1], [0.2, 0.4])
    noted = rs.Evaluation(list(plain.models.values()), notes=["a note"], min_rows=7)
    assert noted.digest() == plain.digest()
    assert noted.to_bytes() != plain.to_bytes()


def test_a_certificate_is_proved_again_from_files(tmp_path, capsys):
    rng = np.random.default_rng(5)
    score = rng.random(600)
    actual = np.where(rng.random(600) < score, "yes", "no")
    rows = pl.DataFrame({"y": actual, "p": score})
    rows[:250].write_parquet(tmp_path / "a.parquet")
    rows[250:].write_csv(tmp_path / "b.csv")
    files, receipt = [str(tmp_path / "b.csv"), str(tmp_path / "a.parquet")], tmp_path / "receipt.json"
    columns = ["--label", "y", "--score", "p"]
    table = rs.ScoreTable(actual == "yes", score)
    sketch = rs.ScoreSketch(actual == "yes", score, cells=100, thresholds=[0.6])
    for found in (
        table.certify("precision >= 0.7"),
        sketch.certify("precision >= 0.7"),
        sketch.certify("f1 >= 0.6", thresholds=[0.6, 0.5]),
        table.certify("precision >= 0.99"),
    ):
        told = found.to_dict() | {"pos_label": "yes"}
        receipt.write_text(json.dumps(told))
        assert run(["verify", str(receipt), *files, *columns]) == 0
        said = capsys.readouterr().out
        words = "is proved again from" if found.why is None else "certifies no threshold, and is of"
        assert f"{words} these 600 rows" in said
        assert (repr(found.threshold) in said) == (found.why is None)
        receipt.write_text(json.dumps(told | {"tested": 3}))
        assert run(["verify", str(receipt), *files, *columns]) == 3
        assert "has been changed since it was made" in capsys.readouterr().err
        receipt.write_text(json.dumps(told))
        assert run(["verify", str(receipt), files[0], *columns]) == 3
        assert "it is not of these rows" in capsys.readouterr().err
    for changed, given, words in [
        (told, [], "--label and --score say which columns"),
        (told | {"pos_label": "maybe"}, columns, "maybe"),
        (told | {"conditions": "roc_auc >= 0.5"}, columns, "no share of rows"),
        (told | {"thresholds": "low"}, columns, "thresholds"),
        ({name: told[name] for name in ("conditions", "confidence", "fingerprint")}, columns, "the certificate has no"),
        (told | {"cells": 2, "edges": []}, columns, "cells is 2"),
        (told | {"cells": 100, "edges": ["low"]}, columns, "thresholds[2]"),
        ({"digest": 1}, columns, "--label and --score are for a certificate"),
    ]:
        receipt.write_text(json.dumps(changed))
        assert run(["verify", str(receipt), *files, *given]) == 2, words
        assert words in capsys.readouterr().err
