"""An evaluation of each kind of models: what it shows it answers, and what its models lack it refuses with a remedy."""

from __future__ import annotations

import pickle
import re

import numpy as np
import pytest

import rocksteady as rs

RNG = np.random.default_rng(3)
ROWS = 240
TWO = RNG.integers(0, 2, ROWS)
SCORES = np.clip(TWO * 0.3 + RNG.random(ROWS) * 0.7, 0, 1)
THREE = RNG.integers(0, 3, ROWS)
PROBA = RNG.dirichlet([1, 1, 1], ROWS)
LABELS = RNG.integers(0, 2, (ROWS, 3))
OF_LABELS = np.clip(LABELS * 0.3 + RNG.random((ROWS, 3)) * 0.7, 0, 1)
BOTH = {"old": SCORES, "new": SCORES**2}

KINDS = {
    "two classes": rs.evaluate(TWO, SCORES),
    "models of two classes": rs.evaluate(TWO, BOTH, inference=True, by=THREE),
    "predicted classes": rs.evaluate(TWO, y_pred=SCORES > 0.5),
    "several classes": rs.evaluate(THREE, y_proba=PROBA),
    "several predicted classes": rs.evaluate(THREE, y_pred=PROBA.argmax(axis=1)),
    "several labels": rs.evaluate(LABELS, OF_LABELS, labels=["a", "b", "c"]),
    "models of several labels": rs.evaluate(LABELS, {"old": OF_LABELS, "new": OF_LABELS**2}),
    "several predicted labels": rs.evaluate(LABELS, y_pred=OF_LABELS > 0.5),
    "sketches": rs.evaluate(TWO, np.round(SCORES, 2), bounded=True),
    "models of sketches": rs.evaluate(TWO, BOTH, bounded=True, threshold=0.5),
}
NAME = "accuracy"
CALLS = {
    "value": (NAME,),
    "why": (NAME,),
    "bounds": (NAME,),
    "every": (NAME,),
    "interval": (NAME,),
    "every_interval": (NAME,),
    "at": (0.4,),
    "best": ("f1",),
    "why_no_best": ("f1",),
    "curves": ("roc_curve",),
    "difference": ("roc_auc", "old", "new"),
    "compared": (NAME,),
    "influence": (NAME,),
    "leaderboard": (NAME,),
    "disagreement": ("old", "new"),
    "cost_regions": ("old", "new"),
    "cheaper": ("old", "new"),
    "has": (NAME,),
    "is_mean": (NAME,),
    "from_bytes": None,
}
OPTIONS = {"profit": {"benefit": 1.0, "cost": 0.5}, "cheaper": {"cost_ratio": 2.0}}
#: What compares models instead of answering for each.
OF_PAIRS = {"difference", "compared", "influence", "leaderboard", "disagreement", "cost_regions", "cheaper"}
#: A refusal says one of these.
REMEDY = r"evaluate\(|evaluate takes|models\[|value\(|counts\(\)|score_table\(|every_interval\(|summary\(\)|one_vs_rest|y_score"


def names(owner):
    return [name for name in dir(owner) if not name.startswith("_") and CALLS.get(name, ()) is not None]


def asked(owner, name):
    found = getattr(owner, name)
    of_classes = {"prevalence": np.full(len(owner.labels), 1 / len(owner.labels))} if name == "at_prevalence" else {}
    return (
        found(*CALLS.get(name, ()), **OPTIONS.get(name, {}), **of_classes)
        if callable(found) and not isinstance(found, type)
        else found
    )


@pytest.fixture(autouse=True)
def _without_a_window():
    pytest.importorskip("matplotlib").use("Agg")


@pytest.mark.parametrize("kind", KINDS)
def test_what_an_evaluation_shows_it_answers_and_what_it_lacks_it_refuses(kind):
    ev = KINDS[kind]
    shown, everything = names(ev), names(rs.Evaluation)
    assert set(shown) <= set(everything)
    answers = {name: asked(ev, name) for name in shown}
    for name in set(everything) - set(shown):
        with pytest.raises(rs.RocksteadyError, match=REMEDY) as refused:
            asked(ev, name)
        assert name in str(refused.value)
    if len(ev.models) == 2:
        for name in set(CALLS) & set(shown) - OF_PAIRS:
            assert list(answers[name]) == ["old", "new"], name


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_answers_for_itself_what_the_evaluation_answers_for_all(kind):
    ev = KINDS[kind]
    for name, model in ev.models.items():
        alone = rs.Evaluation([model])
        for word in names(model):
            found = asked(model, word)
            if word in {*CALLS, "summary"} & set(names(rs.Evaluation)) - {"curves"}:
                assert repr(found) == repr(asked(alone, word)), word
        lacking = set(names(type(model))) - set(names(model))
        for word in lacking:
            with pytest.raises(rs.RocksteadyError, match=REMEDY):
                asked(model, word)
        assert model.to_dict() == ev.to_dict()["models"][name]
        assert repr(model[NAME]) == repr(ev.value(NAME)[name] if len(ev.models) > 1 else ev[NAME])


@pytest.mark.parametrize("kind", [kind for kind, ev in KINDS.items() if "plot" in dir(ev)])
def test_the_pictures_that_are_shown_are_drawn_and_no_others(kind):
    plt = pytest.importorskip("matplotlib.pyplot")
    plots = KINDS[kind].plot
    shown = names(plots)
    for name in names(type(plots)):
        given = (NAME,) if name == "leaderboard" else ()
        if name in shown:
            getattr(plots, name)(*given)
        else:
            with pytest.raises(rs.RocksteadyError, match=REMEDY):
                getattr(plots, name)(*given)
        plt.close("all")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_adds_and_travels(kind):
    ev = KINDS[kind]
    again = rs.Evaluation.from_bytes(ev.to_bytes())
    assert (again.to_bytes(), again.digest()) == (ev.to_bytes(), ev.digest())
    assert again == (ev if ev.paired is None else again)
    assert pickle.loads(pickle.dumps(ev)) == ev
    double = rs.merge([ev.to_bytes(), ev.to_bytes()])
    assert (double.rows, double.digest()) == (2 * ev.rows, (ev + ev).digest())
    assert double != ev
    if "sketches" in kind:
        with pytest.raises(
            rs.InputTypeError, match="sketches are not subtracted; add the evaluations of the parts that stay"
        ):
            double - ev
    else:
        assert (double - ev).digest() == ev.digest()
        assert (ev - ev).rows == 0


def test_kinds_do_not_mix():
    models = [next(iter(KINDS[kind].models.values())) for kind in ("two classes", "sketches", "several labels")]
    for one in models:
        for other in models:
            if one is not other:
                with pytest.raises(rs.InputTypeError, match=re.escape("models[1] is ")):
                    rs.Evaluation([one, other])
                with pytest.raises(rs.InputError, match="cannot add: the models are"):
                    rs.Evaluation([one]) + rs.Evaluation([other])
    for model in models[1:]:
        with pytest.raises(rs.InputError, match="costs is .*expected None"):
            rs.Evaluation([model], costs={"fp": 1})
