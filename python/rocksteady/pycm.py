"""The names of PyCM 4.6, each with the row of the registry that it stands for and how it is read.

`ConfusionMatrix.pycm` and `ConfusionMatrix.every_pycm` answer to PyCM's names with PyCM's meaning: "Zero-one Loss"
is a count, "AUC" that of the one point which a matrix is, "Kappa Standard Error" the simple one, "95% CI" made with z =
1.96. Where PyCM says "None", a number is NaN, or what our row says by convention (`why` has the reason), a word None or
that of the convention; an average leaves out the classes that have no value.

>>> import rocksteady as rs
>>> cm = rs.ConfusionMatrix.from_counts([[3, 0, 0], [0, 1, 2], [2, 1, 3]])
>>> cm.pycm("Kappa"), cm.pycm("SOA1(Landis & Koch)"), cm.pycm("Zero-one Loss")
(0.3548387096774194, 'Fair', 5.0)
>>> cm.every_pycm("AUC").round(4).tolist(), cm.every_pycm("AUCI")
([0.8889, 0.6111, 0.5833], ['Very Good', 'Fair', 'Poor'])
>>> rs.pycm.NAMES["AUNP"]
Reading(row='balanced_accuracy', how='weighted', parameters={}, option=None)
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, cast

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base import hints
from rocksteady.base.arguments import flag, one_of, real, shown, string, wrong_type, wrong_value
from rocksteady.errors import UnknownIndexError
from rocksteady.inference.interval import Interval, Method, Wanted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from rocksteady.labels.confusion import ConfusionMatrix

__all__ = [
    "CLASS_NAMES",
    "DISTANCES",
    "NAMES",
    "Reading",
    "class_stat",
    "confidence_interval",
    "every",
    "overall",
    "overall_stat",
    "why",
]

How = Literal["each class", "whole", "macro", "micro", "weighted", "word of each class", "word", "pair", "interval"]

# PyCM's z for 95 %, as a level.
_LEVEL = 0.950004209703559


@dataclass(frozen=True, slots=True)
class Reading:
    """How one of PyCM's names is read from the registry.

    Attributes
    ----------
    row : str
        The row of `rocksteady.index`.
    how : str
        "each class" against the rest; of the "whole" matrix; its "macro", "micro" or "weighted" average; the "word" for
        it on a scale, or the "word of each class"; a "pair" of rows; an "interval".
    parameters : mapping
        The row's, where they differ from its defaults.
    option : str or None
        The scale of a word, the second row of a pair, the method of an interval.
    """

    row: str
    how: How
    parameters: Mapping[str, float] = field(default_factory=dict)
    option: str | None = None


def _named(how: How, rows: str) -> dict[str, Reading]:
    """Readings from lines of "NAME row"."""
    pairs = (line.rsplit(maxsplit=1) for line in rows.strip().splitlines())
    return {name.strip(): Reading(row, how) for name, row in pairs}


CLASS_NAMES: Mapping[str, Reading] = MappingProxyType(
    _named(
        "each class",
        """
        TPR recall
        TNR specificity
        PPV precision
        NPV npv
        FNR fnr
        FPR fpr
        FDR fdr
        FOR false_omission_rate
        ACC accuracy
        F1 f1
        MCC mcc
        BM informedness
        MK markedness
        PLR positive_likelihood_ratio
        NLR negative_likelihood_ratio
        DOR diagnostic_odds_ratio
        TP tp
        TN tn
        FP fp
        FN fn
        POP population
        P positives
        N negatives
        TOP predicted_positives
        TON predicted_negatives
        PRE prevalence
        PR prevalence
        TOPR rpp
        G fowlkes_mallows
        RACC class_random_accuracy
        F0.5 f0_5
        F2 f2
        ERR error_rate
        RACCU class_random_accuracy_unbiased
        J jaccard
        IS information_score
        CEN cen
        MCEN mcen
        AUC balanced_accuracy
        sInd similarity_index
        dInd distance_to_corner
        DP discriminant_power
        Y informedness
        GI informedness
        LS lift
        AM automatic_minus_manual
        BCD bray_curtis_dissimilarity
        OP optimized_precision
        IBA index_of_balanced_accuracy
        GM geometric_mean
        Q yule_q
        AGM adjusted_geometric_mean
        AGF adjusted_f_score
        OC overlap_coefficient
        OOC fowlkes_mallows
        AUPR kulczynski_ii
        ICSI individual_classification_success_index
        HD hamming_distance
        BB braun_blanquet
        """,
    )
    | {
        "PLRI": Reading("positive_likelihood_ratio", "word of each class", option="likelihood_ratio"),
        "NLRI": Reading("negative_likelihood_ratio", "word of each class", option="likelihood_ratio"),
        "DPI": Reading("discriminant_power", "word of each class", option="discriminant_power"),
        "AUCI": Reading("balanced_accuracy", "word of each class", option="area"),
        "MCCI": Reading("mcc", "word of each class", option="correlation"),
        "QI": Reading("yule_q", "word of each class", option="yule_q"),
    }
)
"""PyCM's 65 class statistics."""

_OVERALL = (
    _named(
        "whole",
        """
        Overall ACC accuracy
        Overall RACCU unbiased_chance_agreement
        Overall RACC chance_agreement
        Kappa kappa
        Gwet AC1 gwet_ac1
        Bennett S bennett_s
        Kappa Standard Error kappa_simple_standard_error
        Kappa Unbiased scott_pi
        Scott PI scott_pi
        Kappa No Prevalence pabak
        Standard Error accuracy_standard_error
        Chi-Squared chi_squared
        Phi-Squared phi_squared
        Cramer V cramers_v
        Response Entropy entropy_of_predicted
        Reference Entropy entropy_of_actual
        Joint Entropy joint_entropy
        Conditional Entropy conditional_entropy
        Mutual Information mutual_information
        KL Divergence kl_divergence
        Lambda B goodman_kruskal_lambda_b
        Lambda A goodman_kruskal_lambda_a
        Chi-Squared DF chi_squared_degrees_of_freedom
        Hamming Loss error_rate
        Zero-one Loss errors
        NIR no_information_rate
        P-Value accuracy_p_value
        Overall CEN cen
        Overall MCEN mcen
        Overall MCC mcc
        RR global_performance_index
        CBA class_balance_accuracy
        RCI rci
        Pearson C contingency_coefficient
        ARI adjusted_rand_index
        Bangdiwala B bangdiwala_b
        Krippendorff Alpha krippendorff_alpha
        """,
    )
    | _named(
        "macro",
        """
        AUNU balanced_accuracy
        TPR Macro recall
        CSI individual_classification_success_index
        TNR Macro specificity
        FPR Macro fpr
        FNR Macro fnr
        PPV Macro precision
        NPV Macro npv
        ACC Macro accuracy
        F1 Macro f1
        """,
    )
    | {
        f"{name} Micro": Reading(CLASS_NAMES[name].row, "micro")
        for name in ("TPR", "TNR", "FPR", "FNR", "PPV", "NPV", "F1")
    }
    | {
        "AUNP": Reading("balanced_accuracy", "weighted"),
        "Cross Entropy": Reading("marginal_cross_entropy", "whole", {"leave_out": 1}),
        "Kappa 95% CI": Reading("kappa", "interval", option="cohen"),
        "95% CI": Reading("accuracy", "interval", option="normal"),
        "Overall J": Reading("jaccard_sum", "pair", option="jaccard_mean"),
        "SOA1(Landis & Koch)": Reading("kappa", "word", option="landis_koch"),
        "SOA2(Fleiss)": Reading("kappa", "word", option="fleiss"),
        "SOA3(Altman)": Reading("kappa", "word", option="altman"),
        "SOA4(Cicchetti)": Reading("kappa", "word", option="cicchetti"),
        "SOA5(Cramer)": Reading("cramers_v", "word", option="cramer_v"),
        "SOA6(Matthews)": Reading("mcc", "word", option="correlation"),
        "SOA7(Lambda A)": Reading("goodman_kruskal_lambda_a", "word", option="lambda"),
        "SOA8(Lambda B)": Reading("goodman_kruskal_lambda_b", "word", option="lambda"),
        "SOA9(Krippendorff Alpha)": Reading("krippendorff_alpha", "word", option="krippendorff"),
        "SOA10(Pearson C)": Reading("contingency_coefficient", "word", option="contingency"),
    }
)

NAMES: Mapping[str, Reading] = MappingProxyType({**CLASS_NAMES, **_OVERALL})
"""PyCM's 134 statistics: 65 of each class, 69 of the whole matrix."""

# Their rows have PyCM's names in snake case, but for two.
_DISTANCES = """
    AMPLE Anderberg AndresMarzoDelta BaroniUrbaniBuserI BaroniUrbaniBuserII BatageljBren BaulieuI BaulieuII
    BaulieuIII BaulieuIV BaulieuV BaulieuVI BaulieuVII BaulieuVIII BaulieuIX BaulieuX BaulieuXI BaulieuXII
    BaulieuXIII BaulieuXIV BaulieuXV BeniniI BeniniII Canberra Clement ConsonniTodeschiniI ConsonniTodeschiniII
    ConsonniTodeschiniIII ConsonniTodeschiniIV ConsonniTodeschiniV Dennis Digby Dispersion Doolittle Eyraud
    FagerMcGowan Faith FleissLevinPaik ForbesI ForbesII Fossum GilbertWells Goodall GoodmanKruskalLambda
    GoodmanKruskalLambdaR GuttmanLambdaA GuttmanLambdaB Hamann HarrisLahey HawkinsDotson KendallTau KentFosterI
    KentFosterII KoppenI KoppenII KuderRichardson KuhnsI KuhnsII KuhnsIII KuhnsIV KuhnsV KuhnsVI KuhnsVII
"""
DISTANCES: Mapping[str, Reading] = MappingProxyType(
    {name: Reading(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower(), "each class") for name in _DISTANCES.split()}
    | _named("each class", "FagerMcGowan fager_mcgowan\nKendallTau kendall_tau_similarity")
)
"""PyCM's 63 similarities and distances (`DistanceType`), of each class."""

# The parameters of PyCM's CI: of each class, then of the whole matrix.
_INTERVALS = ("TPR", "TNR", "PPV", "NPV", "ACC", "PLR", "NLR", "FPR", "FNR", "AUC", "PRE")
_METHODS: dict[str, Method] = {"normal-approx": "normal", "wilson": "wilson", "agresti-coull": "agresti_coull"}


@cache
def _readings(*names: str) -> _rocksteady.Readings:
    """Statistics of these names, looked up in the registry once."""
    all_of_them = {**NAMES, **DISTANCES}
    asked = ((name, all_of_them[name]) for name in names)
    return _rocksteady.Readings(
        [(name, each.row, each.how, dict(each.parameters), each.option) for name, each in asked], _LEVEL
    )


@cache
def _all_of(kind: Literal["class", "overall"]) -> _rocksteady.Readings:
    return _readings(*(CLASS_NAMES if kind == "class" else _OVERALL))


def overall(matrix: ConfusionMatrix, name: str) -> float | tuple[float, float] | str | None:
    """One of PyCM's overall statistics; see `ConfusionMatrix.pycm`."""
    _reading(name, _OVERALL, "an overall statistic of PyCM")
    _check(matrix)
    value: float | tuple[float, float] | str | None = _readings(name).of(matrix._state)[name]
    return value


def every(matrix: ConfusionMatrix, name: str) -> NDArray[np.float64] | list[str | None]:
    """One of PyCM's class statistics or distances; see `ConfusionMatrix.every_pycm`."""
    known = DISTANCES if string(name, "name", "a name of PyCM's") in DISTANCES else CLASS_NAMES
    _reading(name, known, "a class statistic of PyCM")
    _check(matrix)
    values: NDArray[np.float64] | list[str | None] = _readings(name).of(matrix._state)[name]
    return values


def overall_stat(matrix: ConfusionMatrix) -> dict[str, float | tuple[float, float] | str | None]:
    """All of PyCM's 69 overall statistics by name, as its objects hold them in the attribute of the same name.

    >>> import rocksteady as rs
    >>> cm = rs.ConfusionMatrix.from_counts([[3, 0, 0], [0, 1, 2], [2, 1, 3]])
    >>> found = rs.pycm.overall_stat(cm)
    >>> len(found), round(found["Overall CEN"], 6), found["SOA1(Landis & Koch)"]
    (69, 0.463811, 'Fair')
    """
    _check(matrix)
    return _all_of("overall").of(matrix._state)


def class_stat(matrix: ConfusionMatrix) -> dict[str, NDArray[np.float64] | list[str | None]]:
    """All of PyCM's 65 class statistics by name, each for every class in the order of the labels.

    >>> import rocksteady as rs
    >>> cm = rs.ConfusionMatrix.from_counts([[3, 0, 0], [0, 1, 2], [2, 1, 3]])
    >>> found = rs.pycm.class_stat(cm)
    >>> len(found), found["TPR"].round(4).tolist(), found["AUCI"]
    (65, [1.0, 0.3333, 0.5], ['Very Good', 'Fair', 'Poor'])
    """
    _check(matrix)
    return _all_of("class").of(matrix._state)


def why(matrix: ConfusionMatrix, name: str) -> str | None:
    """Why a statistic is undefined or conventional, of the first such class for a class statistic; else None.

    >>> import rocksteady as rs
    >>> one = rs.ConfusionMatrix.from_counts([[5, 0], [3, 0]])
    >>> one.pycm("Overall MCC"), rs.pycm.why(one, "Overall MCC")
    (0.0, 'All rows are predicted to be of one class.')
    """
    reading = _reading(name, {**NAMES, **DISTANCES}, "a statistic of PyCM")
    _check(matrix)
    parameters = dict(reading.parameters)
    if reading.how in ("macro", "micro", "weighted"):
        return matrix._state.average(reading.row, reading.how, float("nan"), parameters)[1]
    if reading.how in ("each class", "word of each class"):
        return matrix.counts().why(reading.row, **parameters)
    return matrix._state.value(reading.row, None, parameters)[1]


def confidence_interval(
    matrix: ConfusionMatrix,
    param: str,
    alpha: float = 0.05,
    one_sided: bool = False,
    binom_method: Literal["normal-approx", "wilson", "agresti-coull"] = "normal-approx",
) -> Interval:
    """PyCM's `CI(param, alpha, one_sided, binom_method)`, with both bounds and the standard error, for any alpha.

    With `one_sided` each of the bounds is that of a one-sided interval. z is exact where PyCM takes it from a table of
    three digits. The standard error of "AUC" is Hanley and McNeil's with the numbers of positives and negatives
    exchanged, as in PyCM; the method "hanley_mcneil" of `ConfusionMatrix.every_interval` has them right. Unlike PyCM's,
    bounds stay in the range, and are NaN where the standard error is 0; "PLR" and "NLR" have the standard error of the
    ratio itself, and half a row in each cell where one is empty.

    Parameters
    ----------
    param : str
        TPR, TNR, PPV, NPV, ACC, PLR, NLR, FPR, FNR, AUC or PRE, of each class; "Kappa" or "Overall ACC".
    alpha : float
        What the interval may miss, between 0 and 1; one-sided up to 0.5.

    Raises
    ------
    rocksteady.UnknownIndexError
        If PyCM has no interval of this name.

    >>> import rocksteady as rs
    >>> cm = rs.ConfusionMatrix.from_counts([[3, 0, 0], [0, 1, 2], [2, 1, 3]])
    >>> found = rs.pycm.confidence_interval(cm, "Overall ACC")
    >>> round(found.low, 5), round(found.high, 5)
    (0.30439, 0.86227)
    """
    _check(matrix)
    string(param, "param", "a name of PyCM's")
    missed = real(alpha, "alpha", "a number between 0 and 1")
    greatest = 0.5 if flag(one_sided, "one_sided") else 1.0
    if not 0 < missed < greatest:
        raise wrong_value(alpha, "alpha", f"a number between 0 and {greatest:g}")
    one_of(binom_method, "binom_method", tuple(_METHODS))
    level = 1 - (2 * missed if one_sided else missed)
    if param == "Kappa":
        return matrix.interval("kappa", level=level, method="cohen")
    method = _METHODS[binom_method]
    if param == "Overall ACC":
        found = Wanted(level, method, "two-sided", {}).of_matrix(matrix._state, None, "accuracy")
        return cast("Interval", found)  # of one name
    row = _reading(param, {name: CLASS_NAMES[name] for name in _INTERVALS}, "an interval of PyCM").row
    special = {"PLR": "logarithm", "NLR": "logarithm", "AUC": "hanley_mcneil"}
    counts = matrix.counts()
    arrays, squares = counts._arrays, counts._squares
    if param == "AUC":
        arrays, squares = arrays[::-1], None if squares is None else squares[::-1]
    return Wanted(level, special.get(param, method), "two-sided", {}).of_counts(arrays, row, squares)


def _check(matrix: object) -> None:
    if not isinstance(getattr(matrix, "_state", None), _rocksteady.ConfusionState):
        raise wrong_type(matrix, "matrix", "a ConfusionMatrix")


def _reading(name: str, known: Mapping[str, Reading], kind: str) -> Reading:
    if string(name, "name", "a name of PyCM's") in known:
        return known[name]
    if name in NAMES or name in DISTANCES:
        other = "every_pycm" if name in CLASS_NAMES or name in DISTANCES else "pycm"
        raise UnknownIndexError(f"{shown(name)} is not {kind}; ask {other} for it", value=name)
    raise UnknownIndexError(
        f"{shown(name)} is not {kind}{hints.near(name, known) or '; rocksteady.pycm.NAMES lists them'}", value=name
    )


def __dir__() -> list[str]:
    return [*__all__]
