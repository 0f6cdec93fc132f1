"""The command line's thresholds (`--best`), requirements and exit codes, names of indices, and the positive class."""

from __future__ import annotations

import io
import json
import re
import shlex
import subprocess
from pathlib import Path

import numpy as np
import pytest

pl = pytest.importorskip("polars")
pytest.importorskip("click")
pytest.importorskip("rich")

from command import PROGRAM, text, write

import rocksteady as rs
from rocksteady.cli.command import run

OPTIONS = ["--label", "y", "--score", "p"]


@pytest.fixture(scope="module")
def rows() -> pl.DataFrame:
    random = np.random.default_rng(11)
    y = (random.random(4_000) < 0.3).astype(int)
    p = np.round(1 / (1 + np.exp(-random.normal(2.0 * y - 1.5))), 4)
    q = np.round(random.random(4_000), 4)
    return pl.DataFrame({"y": y, "p": p, "q": q, "c": (p > 0.6).astype(int), "t": np.where(y == 1, "fraud", "legit")})


@pytest.fixture(scope="module")
def path(rows, tmp_path_factory) -> str:
    return write(rows, tmp_path_factory.mktemp("rows") / "rows.parquet")


@pytest.fixture
def table(rows) -> rs.ScoreTable:
    return rs.ScoreTable(rows["y"], rows["p"])


# Thresholds.


def test_best_thresholds_are_those_of_the_table(score, path, table):
    condition = "precision >= 0.9 and rpp > 0.01"
    goals = ["f1", f"recall: {condition}", "max rpp: precision >= 0.8", "min fpr:recall>=0.5", "max 2*tp - fp"]
    report = score(path, *OPTIONS, *(f"--best={goal}" for goal in goals))
    used, *found = report["thresholds"]
    expected = [
        table.best("f1"),
        table.best("recall", subject_to=condition),
        table.best("rpp", subject_to="precision >= 0.8", maximize=True),
        table.best("fpr", subject_to="recall >= 0.5", minimize=True),
        table.best("2*tp - fp", maximize=True),
    ]
    assert [row["goal"] for row in found] == goals
    for row, best in zip(found, expected, strict=True):
        assert [row[name] for name in ("threshold", "value", "tp", "fp", "fn", "tn")] == list(best)
        assert (row["precision"], row["recall"]) == (best.counts()["precision"], best.counts()["recall"])
    assert (used["goal"], used["threshold"], used["tp"]) == ("in use", 0.5, report["confusion_matrix"][1][1])


def test_costs_are_those_of_the_command_in_conditions_too(score, path, table):
    costs = {"fp": 1.0, "fn": 5.0}
    asked = ["--cost", "fp=1,fn=5", "--thresholds", "--best", "recall: mean_cost <= 0.6"]
    report = score(path, *OPTIONS, *asked)
    found = {row["goal"]: row for row in report["thresholds"]}
    assert list(found) == ["in use", "f1", "mcc", "informedness", "cost", "recall: mean_cost <= 0.6"]
    assert found["cost"]["threshold"] == table.best("cost", **costs).threshold == report["cost_threshold"]
    expected = table.best("recall", subject_to="mean_cost(fp=1, fn=5) <= 0.6")
    assert found["recall: mean_cost <= 0.6"]["threshold"] == expected.threshold


def test_what_no_threshold_meets_is_one_line_that_says_why(score, capsys, path, table):
    goal = "f1: precision >= 0.9 and recall >= 0.9"
    why = table.why_no_best("f1", subject_to="precision >= 0.9 and recall >= 0.9")
    report = score(path, *OPTIONS, "--best", goal)
    assert report["thresholds"][1] == {"goal": goal, "index": "f1", "why": why}
    assert run(["score", path, *OPTIONS, "--best", goal]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert f"No threshold for {goal}: {why}".replace("\n", " ") in " ".join(out.split())


def test_no_row_may_be_the_best(score, tmp_path):
    rows = text(tmp_path / "rows.csv", "y,p\n1,0.1\n0,0.9\n0,0.8\n0,0.7\n")
    row = score(rows, *OPTIONS, "--best", "accuracy")["thresholds"][1]
    assert (row["threshold"], row["tp"], row["tn"]) == (None, 0, 3)
    assert row["why"] == "It is best to predict no row positive."


@pytest.mark.parametrize(
    ("goal", "sentence"),
    [
        ("rpp", "--best 'rpp': neither more nor less of rpp is better; expected max or min before it"),
        ("2*tp - fp", "--best '2*tp - fp': neither more nor less of 2*tp - fp is better; expected max or min"),
        ("nonsense", "--best 'nonsense': \"nonsense\" is not the name of an index; `rocksteady indices` lists them"),
        ("roc_auc", "--best 'roc_auc': \"roc_auc\" is an index of all scores together"),
        ("f1: precision => 0.9", "--best 'f1: precision => 0.9': its condition has \"=>\" at character 11"),
        ("f1: roc_auc > 0.5", "--best 'f1: roc_auc > 0.5': its condition has \"roc_auc\" at character 1"),
        ("f1:", "--best 'f1:': its condition ends at character 1"),
        ("", "--best '': "),
    ],
)
def test_goals_are_refused_before_a_row_is_read(refusal, goal, sentence):
    assert refusal("none.csv", *OPTIONS, "--best", goal).startswith(sentence)


def test_thresholds_need_scores(refusal, path):
    for asked in (["--best", "f1"], ["--thresholds"]):
        assert refusal(path, "--label", "y", "--pred", "c", *asked).startswith(
            "--best and --thresholds need the scores"
        )


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("models", [["--score=p"], ["--score=p", "--score=q", "--pred=c"]])
def test_the_tables_fit_the_terminal(path, monkeypatch, width, models):
    asked = ["--best", "recall: precision >= 0.9 and rpp > 0.01", "--require", "f1 >= 0.9 and recall - precision < 0"]
    for name, value in {"COLUMNS": str(width), "TERM": "xterm"}.items():
        monkeypatch.setenv(name, value)
    shown = {}
    for colours in ("", "1"):
        monkeypatch.setenv("NO_COLOR", colours)
        monkeypatch.setattr("sys.stdout", terminal := Terminal())
        assert run(["score", path, "--label=y", *models, "--title", "Scores of May", *asked, "--no-progress"]) == 3
        shown[colours] = terminal.getvalue()
    assert "\x1b[1;31mNOT MET" in shown[""]
    assert "\x1b[31m" not in shown["1"]
    plain = [re.sub(r"\x1b\[[0-9;]*m", "", each).splitlines() for each in shown.values()]
    assert plain[0] == plain[1]
    assert plain[0][0].rstrip() == "Scores of May"
    assert max(map(len, plain[0])) <= width
    assert any(line.startswith("Thresholds") for line in plain[0])
    assert "…" not in "".join(plain[0])


def test_a_threshold_of_the_table_predicts_the_same_rows(capsys, tmp_path):
    random = np.random.default_rng(1)
    frame = pl.DataFrame({"y": [0, 1] * 50, "p": random.random(100)})
    rows = write(frame, tmp_path / "rows.parquet")
    goals = [f"max rpp: rpp <= {share}" for share in np.arange(0.05, 1, 0.05).round(2)]
    asked = [f"--best={goal}" for goal in goals]
    assert run(["score", rows, *OPTIONS, *asked]) == 0
    lines = {line.partition("  ")[0]: line for line in capsys.readouterr().out.splitlines() if line.startswith("max")}
    assert run(["score", rows, *OPTIONS, *asked, "--json", "-"]) == 0
    exact = {row["goal"]: row for row in json.loads(capsys.readouterr().out)["thresholds"]}
    table = rs.ScoreTable(frame["y"], frame["p"])
    for goal in goals:
        shown = float(next(line for name, line in lines.items() if name.startswith(goal)).removeprefix(goal).split()[0])
        assert table.at(shown) == table.at(exact[goal]["threshold"])
        assert exact[goal]["threshold"] == pytest.approx(shown, rel=1e-8)


# Requirements.


@pytest.mark.parametrize(
    ("requirement", "met"),
    [
        ("roc_auc >= 0.8", True),
        ("auc >= .99", False),
        ("0 <= recall - precision/2 <= 1 and f1 > 0.1", True),
        ("f1 > 0.1 and f1 < 0.2", False),
        ("2*roc_auc - 1 == gini", False),  # an expression is rounded where its value is exact
        ("gini == gini", True),
        ("n >= 4000", True),
        ("tp + fn > tn", False),
        ("log_loss < 0.6", True),
        ("fbeta(beta=2) < 1", True),
        ("mean_cost <= 0.2", False),
        ("mean_cost/1 <= 0.2", False),
        ("mean_cost(fp=1, fn=1) <= 0.2", True),
    ],
)
def test_requirements(capsys, path, table, requirement, met):
    code = run(["score", path, *OPTIONS, "--require", requirement, "--cost", "fp=1,fn=5", "--json", "-"])
    out, err = capsys.readouterr()
    report = json.loads(out)
    if requirement.startswith("2*"):
        met = 2 * table["roc_auc"] - 1 == table["gini"]
    assert [row["met"] for row in report["requirements"]] == [met]
    assert code == (0 if met else 3)
    assert err.startswith("" if met else f"rocksteady: requirement not met: {requirement}: ")
    assert err.count("\n") == (not met)


def test_every_model_must_meet_every_requirement(capsys, path, tmp_path):
    out = tmp_path / "out.json"
    asked = ["--score=p", "--score=q", "--require=roc_auc >= 0.8", "--require=f1 >= 0.01", "--json", str(out)]
    assert run(["score", path, "--label", "y", *asked]) == 3
    shown, err = capsys.readouterr()
    report = json.loads(out.read_text())  # the results are there all the same
    area = report["models"]["q"]["requirements"][0]["values"]["roc_auc"]
    assert err == f"rocksteady: requirement not met: q: roc_auc >= 0.8: roc_auc is {area:.9g}\n"
    assert shown.count("NOT MET") == 1
    assert shown.count("met      ") == 3


def test_an_undefined_value_meets_nothing(capsys, tmp_path):
    rows = text(tmp_path / "rows.csv", "y,c\n0,0\n1,0\n")
    for requirement in ("precision >= 0", "precision < 1"):
        assert run(["score", rows, "--label", "y", "--pred", "c", "--require", requirement]) == 3
        assert "precision is undefined: No row is predicted positive." in capsys.readouterr().err


def test_several_classes_have_means(capsys, tmp_path):
    rows = text(tmp_path / "rows.csv", "y,c\na,a\nb,b\nc,b\n")
    mean = rs.evaluate(["a", "b", "c"], y_pred=["a", "b", "b"])["f1"]
    for bound, code in ((mean - 1e-9, 0), (mean + 1e-9, 3)):
        assert run(["score", rows, "--label", "y", "--pred", "c", "--require", f"f1 >= {bound!r}"]) == code
    capsys.readouterr()


@pytest.mark.parametrize(
    ("requirement", "sentence"),
    [
        ("f1", "--require 'f1': expected a comparison such as \"roc_auc >= 0.8\""),
        ("f1 > 0.5 and", "--require 'f1 > 0.5 and': expected a comparison"),
        ("0.5 > 0.4", "--require '0.5 > 0.4' compares numbers alone; expected an index"),
        ("nonsense > 1", "--require 'nonsense > 1': expression has \"nonsense\" at character 1; expected"),
        ("roc_auc + f1 > 1", "--require 'roc_auc + f1 > 1': expression has \"f1\" at character 11; expected"),
    ],
)
def test_requirements_are_refused_before_a_row_is_read(refusal, requirement, sentence):
    assert refusal("none.csv", *OPTIONS, "--require", requirement).startswith(sentence)
    assert not [row.name for row in rs.indices() if row.family == "defined"]


def test_a_requirement_that_cannot_be_read_off(refusal, path):
    sentence = refusal(path, "--label", "y", "--pred", "c", "--require", "roc_auc >= 0.5")
    assert sentence == "--require 'roc_auc >= 0.5': roc_auc of 'c' needs scores, which were not given"


# Names of indices, a title, the positive class.


def test_names(score, refusal, path):
    report = score(path, *OPTIONS, "--names", "auc, tpr", "--title", "May")
    assert (report["title"], report["pos_label"]) == ("May", 1)
    names = {row.name for row in rs.indices()}
    assert names & set(report) == {"roc_auc", "recall"}
    assert score(path, *OPTIONS, "--names", "all") == score(path, *OPTIONS, "--all-indices")
    assert score(path, *OPTIONS, "--names", "summary") == score(path, *OPTIONS)
    sentence = refusal(path, *OPTIONS, "--names", "auc,nosuch")
    assert sentence.startswith('"nosuch" is not the name of an index')
    assert refusal(path, *OPTIONS, "--names", "auc,").startswith("--names is 'auc,', with nothing between its commas")


def test_a_title_is_on_the_page(path, tmp_path):
    page = tmp_path / "page.html"
    assert run(["score", path, *OPTIONS, "--title", "Scores of May", "--html", str(page)]) == 0
    assert "Scores of May" in page.read_text(encoding="utf-8")


def test_the_wrong_positive_class_is_doubted_in_one_line(capsys, path):
    asked = ["score", path, "--label", "t", "--score", "p"]
    assert run(asked) == 0
    out, err = capsys.readouterr()
    assert "; positive: legit\n" in out
    assert err.startswith(
        "rocksteady: warning: 'legit' is the positive class, as it sorts after 'fraud', and roc_auc is "
    )
    assert err.endswith(", below 0.5; --pos-label fraud makes 'fraud' the positive class\n")
    assert err.count("\n") == 1
    assert run([*asked, "--score", "q", "--json", "-"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["pos_label"] == "legit"
    assert err.count("\n") == 1
    assert "and roc_auc of p is " in err
    for settled in (["--pos-label", "fraud"], ["--pos-label", "legit"], ["--names", "f1"]):
        assert run([*asked, *settled]) == 0
        assert capsys.readouterr().err == ""


def test_numbers_are_not_doubted(capsys, tmp_path):
    assert run(["score", text(tmp_path / "rows.csv", "y,p\n0,0.9\n1,0.1\n"), *OPTIONS]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("suffix", ["parquet", "arrow", "arrows"])
def test_the_order_of_categories_decides(score, capsys, tmp_path, suffix):
    levels = pl.Enum(["low", "mid", "high"])
    frame = pl.DataFrame({"y": pl.Series(["low", "high", "low"], dtype=levels), "p": [0.9, 0.1, 0.8]})
    rows = write(frame, tmp_path / f"rows.{suffix}")
    report = score(rows, *OPTIONS)
    assert (report["labels"], report["pos_label"], report["roc_auc"]) == (["low", "high"], "high", 0.0)
    part = write(frame[:1], tmp_path / f"a.{suffix}")
    rest = write(frame[1:], tmp_path / f"b.{suffix}")
    assert score(part, rest, *OPTIONS) | {"files": 1} == report
    assert run(["score", rows, write(frame, tmp_path / "rows.csv"), *OPTIONS]) == 0  # CSV has no categories
    assert "; positive: low\n" in capsys.readouterr().out


def test_the_matrix_of_many_classes(capsys, tmp_path):
    random = np.random.default_rng(5)
    for classes, says in ((9, "actual \\ predicted"), (14, "predicted classes in columns"), (40, "40 x 40, too wide")):
        y = random.integers(0, classes, 4_000)
        rows = write(pl.DataFrame({"y": y, "c": y}), tmp_path / f"{classes}.parquet")
        assert run(["score", rows, "--label", "y", "--pred", "c"]) == 0
        shown = capsys.readouterr().out
        assert says in shown
        assert max(map(len, shown.splitlines())) <= 80


# Exit codes and streams.


def test_exit_codes_are_documented():
    from rocksteady.cli import command

    if not PAGE.exists():
        pytest.skip("a source distribution has no docs/")
    for place in (command.__doc__ or "", PAGE.read_text(encoding="utf-8")):
        for code in (0, 1, 2, 3, 130):
            assert f"| {code} |" in place


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize("asked", [["score", "--help"], ["indices"], ["score"]])
def test_a_full_device_is_one_sentence(path, asked):
    if asked == ["score"]:
        asked = ["score", path, *OPTIONS, "--require", "f1 > 2"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*PROGRAM, *asked], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr == "rocksteady: cannot write standard output: No space left on device\n"


# The page.

PAGE = Path(__file__).parents[2] / "docs" / "command-line.md"


def commands() -> list[tuple[str, str]]:
    """The commands of the page that start with `$`, and what they should print; `...` stands for any lines."""
    if not PAGE.exists():
        return []
    blocks = re.findall(r"^```console\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    found = [part.partition("\n") for block in blocks for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    return [(command, shown) for command, _, shown in found if "rocksteady " in command]


@pytest.fixture(scope="module")
def examples(rows, rocr_simple, tmp_path_factory) -> Path:
    """The files that the page names."""
    folder = tmp_path_factory.mktemp("page")
    random = np.random.default_rng(3)
    frame = rows.select("y", new="p", old="q", by_hand="c", kind="t", user=pl.int_range(pl.len()) // 3)
    frame.write_csv(folder / "preds.csv")
    frame.write_parquet(folder / "preds.parquet")
    frame.select("y", "kind", "new").write_csv(folder / "preds.txt", separator="\t", include_header=False)
    frame.write_ndjson(folder / "more.ndjson")
    (folder / "rocr_simple.csv").write_bytes(rocr_simple.read_bytes())
    pets = pl.DataFrame({f"p_{pet}": random.random(99) for pet in ("cat", "dog", "eel")})
    pets.with_columns(y=pl.Series(["cat", "dog", "eel"] * 33)).write_csv(folder / "pets.csv")
    films = {f"{model}_{kind}": random.random(99) for model in "pq" for kind in ("comedy", "drama")}
    films |= {kind: random.integers(0, 2, 99) for kind in ("comedy", "drama")}
    pl.DataFrame(films).write_csv(folder / "films.csv")
    keys = {"region": random.choice(["north", "south"], 400), "age": random.choice([20, 30, 40], 400)}
    loans = pl.DataFrame({"y": random.integers(0, 2, 400), "p": random.random(400), **keys})
    loans.write_csv(folder / "loans.csv")
    return folder


@pytest.mark.parametrize(("command", "expected"), commands())
def test_commands_of_the_page(capsys, monkeypatch, examples, command, expected):
    monkeypatch.chdir(examples)
    line = command
    if piped := re.fullmatch(r"cat (\S+) \| (.*)|(.*) < (\S+)", command):
        line = piped[2] or piped[3]
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(Path(piped[1] or piped[4]).read_bytes())))
    program, *arguments = shlex.split(line)
    assert program == "rocksteady"
    assert run(arguments) == (3 if "not met" in expected else 0)
    out, err = capsys.readouterr()
    if expected:
        pattern = ".*".join(re.escape(part) for part in expected.split("...\n"))
        assert re.fullmatch(pattern, out + err, re.DOTALL)
    else:
        assert err == ""


def test_every_option_is_on_the_page():
    if not PAGE.exists():
        pytest.skip("a source distribution has no docs/")
    from rocksteady.cli import command

    page = PAGE.read_text(encoding="utf-8")
    options = [name for parameter in command.score.params for name in parameter.opts if name.startswith("--")]
    assert len(options) > 20
    assert [name for name in options if f"`{name}" not in page] == []
    assert commands()
