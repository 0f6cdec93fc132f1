//! How a prediction changes the odds: likelihood ratios, and other combinations of both error
//! rates.

use crate::arith::logarithm::ln;
use crate::arith::number::Number;
use crate::index::form::form;
use crate::index::parameter::{Domain, Parameter, Parameters};
use crate::index::row::Law::{Perfect, PrevalenceFree, ScaleFree, Swapped, Transposed};
use crate::index::row::{Better, Index, Joint, SELF, reading};
use crate::index::rows::inference;
use crate::index::rows::pairs_of_rates::{CORNER_WEIGHTS, weight_of_negatives};
use crate::index::rows::shares::{determinant, precision, recall, specificity};
use crate::index::scale;
use crate::index::value::ratio;
use crate::index::value::{Outcome, Undefined};
use crate::labels::view::BinaryCounts;

const LIKELIHOOD: &str = "Deeks, Altman 2004, doi:10.1136/bmj.329.7458.168";
const CORNER: &str = "Perkins, Schisterman 2006, doi:10.1093/aje/kwj063";

const ACTS_ABOVE: Parameter = Parameter {
    name: "threshold",
    default: Some(0.5),
    domain: Domain::OpenShare,
    about: "the probability above which one would act",
    two_classes: false,
};

const EXCHANGE: &[Parameter] = &[
    ACTS_ABOVE,
    Parameter {
        name: "weight",
        default: None,
        domain: Domain::NotNegative,
        about: "the weight of a false positive in true positives; by default it follows \
                from the threshold",
        two_classes: false,
    },
];

pub(crate) static ROWS: &[Index] = &[
    Index {
        name: "positive_likelihood_ratio",
        aliases: &["plr", "lr_plus"],
        title: "Positive likelihood ratio",
        formula: "recall / fpr",
        about: "The factor by which a positive prediction multiplies the odds of being positive, \
                whatever the prevalence. Higher is better; 1 carries no information.",
        range: (0.0, f64::INFINITY),
        undefined: "No row is actually positive, none is actually negative, or there are no false \
                    positives.",
        laws: &[Transposed("relative_risk"), ScaleFree, PrevalenceFree],
        source: LIKELIHOOD,
        joint: Joint::UpDown,
        scales: scale::POSITIVE_LIKELIHOOD_RATIO,
        spreads: inference::POSITIVE_LIKELIHOOD_RATIO,
        ..reading(&[form!(|c, _| {
            let recall = ratio(c.tp, c.tp + c.fn_, Undefined::NoActualPositives)?;
            let fpr = ratio(c.fp, c.fp + c.tn, Undefined::NoActualNegatives)?;
            ratio(recall, fpr, Undefined::NoFalsePositives)
        })])
    },
    Index {
        name: "negative_likelihood_ratio",
        aliases: &["nlr", "lr_minus"],
        title: "Negative likelihood ratio",
        formula: "fnr / specificity",
        about: "The factor by which a negative prediction multiplies the odds of being positive, \
                whatever the prevalence. Lower is better; 1 carries no information.",
        range: (0.0, f64::INFINITY),
        better: Better::Lower,
        undefined: "No row is actually positive, none is actually negative, or there are no true \
                    negatives.",
        laws: &[ScaleFree, PrevalenceFree, Perfect(0.0)],
        source: LIKELIHOOD,
        joint: Joint::DownUp,
        scales: scale::NEGATIVE_LIKELIHOOD_RATIO,
        spreads: inference::NEGATIVE_LIKELIHOOD_RATIO,
        ..reading(&[form!(|c, _| {
            let fnr = ratio(c.fn_, c.tp + c.fn_, Undefined::NoActualPositives)?;
            let specificity = ratio(c.tn, c.fp + c.tn, Undefined::NoActualNegatives)?;
            ratio(fnr, specificity, Undefined::NoTrueNegatives)
        })])
    },
    Index {
        name: "diagnostic_odds_ratio",
        aliases: &["dor", "odds_ratio", "odds"],
        title: "Diagnostic odds ratio",
        formula: "tp tn / (fp fn)",
        about: "The odds of a positive prediction among the positives over those among the \
                negatives, whatever the prevalence; 1 is chance. Two quite different classifiers \
                may share it.",
        range: (0.0, f64::INFINITY),
        undefined: "There are no false positives, or no false negatives.",
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, PrevalenceFree],
        source: "Glas, Lijmer, Prins, Bonsel, Bossuyt 2003, doi:10.1016/S0895-4356(03)00177-X",
        joint: Joint::UpDown,
        spreads: inference::ODDS_RATIO,
        ..reading(&[form!(|c, _| {
            let odds = ratio(c.tp, c.fn_, Undefined::NoFalseNegatives)?;
            // The odds may be beyond the range of `f64`, and infinity times zero is no number.
            let odds = if c.tn.is_zero() { c.tn } else { odds };
            ratio(odds * c.tn, c.fp, Undefined::NoFalsePositives)
        })])
    },
    Index {
        name: "yule_q",
        aliases: &["odds_ratio_skill_score", "yules_q"],
        title: "Yule's Q",
        formula: "(tp tn - fp fn) / (tp tn + fp fn) = (dor - 1) / (dor + 1)",
        about: "The odds ratio rescaled to [-1, 1]; 0 is chance. It is 1 if there are no errors \
                of one kind (PyCM, which divides by both, has no value there).",
        range: (-1.0, 1.0),
        undefined: "Neither both cells of right nor both cells of wrong predictions have rows.",
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, PrevalenceFree, Perfect(1.0)],
        source: "Yule 1900, doi:10.1098/rsta.1900.0019",
        joint: Joint::UpDown,
        scales: scale::YULE_Q,
        ..reading(&[form!(|c, _| {
            let all = c.tp * c.tn + c.fp * c.fn_;
            Ok(ratio(determinant(c), all, Undefined::ZeroDenominator)?.within(-1.0, 1.0))
        })])
    },
    Index {
        name: "yule_y",
        aliases: &["coefficient_of_colligation", "yules_y"],
        title: "Yule's Y (coefficient of colligation)",
        formula: "(sqrt(tp tn) - sqrt(fp fn)) / (sqrt(tp tn) + sqrt(fp fn))",
        about: "The odds ratio rescaled to [-1, 1]: the correlation if both classes and both \
                predictions were equally frequent.",
        range: (-1.0, 1.0),
        undefined: "Neither both cells of right nor both cells of wrong predictions have rows.",
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, PrevalenceFree, Perfect(1.0)],
        source: "Yule 1912, doi:10.2307/2340126",
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| {
            let all = N::root_of_product(c.tp, c.tn) + N::root_of_product(c.fp, c.fn_);
            let share = ratio(determinant(c), all, Undefined::ZeroDenominator)?;
            Ok((share / all).within(-1.0, 1.0))
        })])
    },
    Index {
        name: "discriminant_power",
        aliases: &["dp"],
        title: "Discriminant power",
        formula: "sqrt(3) (log_b(recall / (1 - recall)) + log_b(specificity / (1 - specificity))) / pi, b = 10; \
                  = sqrt(3) log_b(dor) / pi",
        about: "The logarithm of the odds ratio in standard deviations of a logistic \
                distribution. The paper leaves the base open; 10 is PyCM's, whose bands (below 1 \
                poor, 2 limited, 3 fair) go with it. With base e it is 2.3 times as much.",
        range: (f64::NEG_INFINITY, f64::INFINITY),
        undefined: "A cell of the table is empty: an odds ratio of 0 or infinity.",
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, PrevalenceFree],
        source: "Sokolova, Japkowicz, Szpakowicz 2006, doi:10.1007/11941439_114; Blakeley, Oddone 1995",
        parameters: &[Parameter {
            name: "base",
            default: Some(10.0),
            domain: Domain::AboveOne,
            about: "base of the logarithm",
            two_classes: false,
        }],
        joint: Joint::UpDown,
        scales: scale::DISCRIMINANT_POWER,
        ..reading(&[form!(ln, |c, parameters| {
            let (found, recognised) = (odds(c.tp, c.fn_)?, odds(c.tn, c.fp)?);
            let scale = 3.0_f64.sqrt() / std::f64::consts::PI;
            Ok((found + recognised) * scale / ln(parameters.number(0)))
        })])
    },
    Index {
        name: "sensitivity_index",
        aliases: &["d_prime", "dprime"],
        title: "Sensitivity index d'",
        formula: "z(recall) - z(fpr), z the quantile of the normal distribution",
        about: "The distance between the score distributions of both classes in standard \
                deviations, if both are normal with equal spread: the skill of an observer, \
                whatever the threshold. 0 is chance.",
        range: (f64::NEG_INFINITY, f64::INFINITY),
        undefined: "A cell of the table is empty: a rate of 0 or 1 has no quantile.",
        laws: &[Swapped(SELF), ScaleFree, PrevalenceFree],
        source: "Green, Swets 1966, Signal Detection Theory and Psychophysics; \
                 Macmillan, Creelman 2004, doi:10.4324/9781410611147",
        joint: Joint::UpDown,
        ..reading(&[form!(ln, |c, _| {
            let (fnr, fpr) = error_rates(c)?;
            if [c.tp, c.fp, c.fn_, c.tn].into_iter().any(N::is_zero) {
                return Err(Undefined::OutsideDomain);
            }
            let value = fnr.normal_quantile() + fpr.normal_quantile();
            // A rate may round to 1 or 0.
            if value.is_in_range() { Ok(value) } else { Err(Undefined::OutsideDomain) }
        })])
    },
    Index {
        name: "distance_to_corner",
        aliases: &["dind", "distance_index", "roc_dist", "roc01"],
        title: "Distance to the perfect corner of ROC space",
        formula: "sqrt((1 - recall)^2 + (1 - specificity)^2)",
        about: "The distance of the point (fpr, recall) from (0, 1) in the ROC plane. The nearest \
                threshold is not the one of the greatest informedness, and has no meaning in \
                terms of costs.",
        range: (0.0, std::f64::consts::SQRT_2),
        better: Better::Lower,
        undefined: "No row is actually positive, or none is actually negative.",
        laws: &[Swapped(SELF), ScaleFree, PrevalenceFree, Perfect(0.0)],
        source: CORNER,
        joint: Joint::DownUp,
        ..reading(&[form!(|c, _| corner(c))])
    },
    Index {
        name: "similarity_index",
        aliases: &["sind"],
        title: "Similarity index: closeness to the perfect corner of ROC space",
        formula: "1 - distance_to_corner / sqrt(2)",
        about: "1 minus the distance to the perfect corner of the ROC plane, as a share of its \
                diagonal: 1 is perfect, 0 means that every prediction is wrong.",
        undefined: "No row is actually positive, or none is actually negative.",
        laws: &[Swapped(SELF), ScaleFree, PrevalenceFree, Perfect(1.0)],
        source: "Haghighi, Jasemi, Hessabi, Zolanvari 2018 (PyCM), doi:10.21105/joss.00729",
        joint: Joint::UpDown,
        cancels: true,
        ..reading(&[form!(|c, _| Ok((corner(c)? / N::of(2.0).sqrt()).complement()))])
    },
    Index {
        name: "closest_topleft",
        aliases: &["closest_top_left"],
        title: "Squared distance to the perfect corner, weighted",
        formula: "(1 - recall)^2 + r (1 - specificity)^2, r = (1 - prevalence) / (cost prevalence)",
        about: "The criterion that pROC minimises to choose a threshold. By default it is the \
                square of distance_to_corner, and the range is for that.",
        range: (0.0, 2.0),
        better: Better::Lower,
        undefined: "No row is actually positive, or none is actually negative.",
        laws: &[Swapped(SELF), ScaleFree, PrevalenceFree, Perfect(0.0)],
        source: CORNER,
        parameters: CORNER_WEIGHTS,
        joint: Joint::DownUp,
        ..reading(&[form!(|c, parameters| {
            let (fnr, fpr) = error_rates(c)?;
            Ok(fnr * fnr + weight_of_negatives::<N>(parameters) * (fpr * fpr))
        })])
    },
    Index {
        name: "prevalence_threshold",
        title: "Prevalence threshold",
        formula: "(sqrt(recall fpr) - fpr) / (recall - fpr) = sqrt(fpr) / (sqrt(recall) + sqrt(fpr))",
        about: "The prevalence below which precision falls off steeply: for a rarer class, \
                positive predictions are mostly false alarms. By the second form it is 1/2 where \
                recall and fpr are equal.",
        better: Better::Lower,
        undefined: "No row is actually positive, none is actually negative, or none is predicted \
                    positive.",
        laws: &[ScaleFree, PrevalenceFree, Perfect(0.0)],
        source: "Balayla 2020, doi:10.1371/journal.pone.0240215",
        joint: Joint::DownUp,
        ..reading(&[form!(|c, _| {
            let (found, alarmed) = (recall(c)?.sqrt(), error_rates(c)?.1.sqrt());
            ratio(alarmed, found + alarmed, Undefined::NoPredictedPositives)
        })])
    },
    Index {
        name: "sedi",
        aliases: &["symmetric_extremal_dependence_index"],
        title: "Symmetric extremal dependence index",
        formula: "(ln(fpr) - ln(recall) - ln(specificity) + ln(fnr)) / (ln(fpr) + ln(recall) + \
                  ln(specificity) + ln(fnr))",
        about: "Skill in forecasting rare events: it does not fade as the class gets rarer. 0 is \
                chance. Where a cell is empty it is the limit: 1 without errors of one kind, -1 \
                without right predictions of one kind.",
        range: (-1.0, 1.0),
        undefined: "No row is actually positive, none is actually negative, or all rows are \
                    predicted alike.",
        laws: &[Swapped(SELF), ScaleFree, PrevalenceFree, Perfect(1.0)],
        source: "Ferro, Stephenson 2011, doi:10.1175/WAF-D-10-05030.1",
        joint: Joint::UpDown,
        ..reading(&[form!(ln, |c, _| sedi(c))])
    },
    Index {
        name: "relative_risk",
        aliases: &["risk_ratio"],
        title: "Relative risk",
        formula: "precision / (fn / (fn + tn))",
        about: "The frequency of the class among the predicted positives divided by that among \
                the predicted negatives; 1 is chance.",
        range: (0.0, f64::INFINITY),
        undefined: "No row is predicted positive, none is predicted negative, or there are no \
                    false negatives.",
        laws: &[Transposed("positive_likelihood_ratio"), ScaleFree],
        source: "Cornfield 1951, doi:10.1093/jnci/11.6.1269",
        joint: Joint::UpDown,
        spreads: inference::RELATIVE_RISK,
        ..reading(&[form!(|c, _| {
            let precision = precision(c)?;
            let omitted = ratio(c.fn_, c.fn_ + c.tn, Undefined::NoPredictedNegatives)?;
            ratio(precision, omitted, Undefined::NoFalseNegatives)
        })])
    },
    Index {
        name: "net_benefit",
        aliases: &["nb"],
        title: "Net benefit",
        formula: "(tp - w fp) / n, w = threshold / (1 - threshold)",
        about: "True positives minus false positives at their exchange rate, per row: the height \
                of the decision curve. Compare it with predicting no row positive, which has 0. \
                Over many thresholds each threshold is its own parameter.",
        range: (f64::NEG_INFINITY, 1.0),
        laws: &[ScaleFree],
        source: "Vickers, Elkin 2006, doi:10.1177/0272989X06295361",
        parameters: EXCHANGE,
        joint: Joint::UpDown,
        ..reading(&[form!(|c, parameters| {
            let benefit = N::difference_of_products(c.tp, N::of(1.0), weight(parameters), c.fp);
            Ok(benefit / c.total())
        })])
    },
    Index {
        name: "standardized_net_benefit",
        aliases: &["snb"],
        title: "Standardized net benefit",
        formula: "(tp - w fp) / (tp + fn), w = threshold / (1 - threshold)",
        about: "The net benefit as a share of the greatest: that of finding all positives and no \
                negative. It is 1 at best, whatever the prevalence. Over many thresholds each \
                threshold is its own parameter.",
        range: (f64::NEG_INFINITY, 1.0),
        undefined: "No row is actually positive.",
        laws: &[ScaleFree, Perfect(1.0)],
        source: "Kerr, Brown, Zhu, Janes 2016, doi:10.1200/JCO.2015.65.5654",
        parameters: EXCHANGE,
        joint: Joint::UpDown,
        ..reading(&[form!(|c, parameters| {
            let benefit = N::difference_of_products(c.tp, N::of(1.0), weight(parameters), c.fp);
            ratio(benefit, c.tp + c.fn_, Undefined::NoActualPositives)
        })])
    },
    Index {
        name: "interventions_avoided",
        aliases: &["net_intervention_avoided", "net_interventions_avoided"],
        title: "Interventions avoided",
        formula: "(tn - fn / w) / n, w = threshold / (1 - threshold)",
        about: "The share of rows that acting on everyone would treat and the model spares, less \
                the positives it misses at their exchange rate: its net benefit over acting on \
                everyone, counted in interventions. Over many thresholds each threshold is its own \
                parameter.",
        range: (f64::NEG_INFINITY, 1.0),
        laws: &[ScaleFree],
        source: "Vickers, Elkin 2006, doi:10.1177/0272989X06295361",
        parameters: &[ACTS_ABOVE],
        joint: Joint::UpDown,
        ..reading(&[form!(|c, parameters| {
            let weight = exchange(parameters);
            let spared = N::difference_of_products(c.tn, weight, c.fn_, N::of(1.0));
            Ok(spared / weight / c.total())
        })])
    },
];

/// The weight of a false positive in true positives, if one would act above this threshold.
#[inline]
fn exchange<N: Number>(parameters: &Parameters) -> N {
    let threshold = N::of(parameters.number(0));
    threshold / threshold.complement()
}

/// The weight of a false positive in true positives.
#[inline]
fn weight<N: Number>(parameters: &Parameters) -> N {
    let given = parameters.number(1);
    if given.is_nan() { exchange(parameters) } else { N::of(given) }
}

/// fnr and fpr.
#[inline]
fn error_rates<N: Number>(c: &BinaryCounts<N>) -> Result<(N, N), Undefined> {
    let fnr = ratio(c.fn_, c.tp + c.fn_, Undefined::NoActualPositives)?;
    let fpr = ratio(c.fp, c.fp + c.tn, Undefined::NoActualNegatives)?;
    Ok((fnr, fpr))
}

/// The distance of (fpr, recall) to (0, 1).
#[inline]
fn corner<N: Number>(c: &BinaryCounts<N>) -> Outcome<N> {
    let (fnr, fpr) = error_rates(c)?;
    Ok((fnr * fnr + fpr * fpr).sqrt())
}

/// ln(right / wrong) of one actual class.
fn odds<N: Number>(right: N, wrong: N) -> Outcome<N> {
    if right.is_positive() && wrong.is_positive() {
        Ok(right.ln_of_quotient(wrong))
    } else {
        Err(Undefined::OutsideDomain)
    }
}

#[inline]
fn sedi<N: Number>(c: &BinaryCounts<N>) -> Outcome<N> {
    let (recall, specificity) = (recall(c)?, specificity(c)?);
    let no_errors_of_a_kind = c.fn_.is_zero() || c.fp.is_zero();
    let never_right_of_a_kind = recall.is_zero() || specificity.is_zero();
    match (no_errors_of_a_kind, never_right_of_a_kind) {
        (true, true) => return Err(Undefined::OnePredictedClass),
        (true, false) => return Ok(N::of(1.0)),
        (false, true) => return Ok(N::of(-1.0)),
        (false, false) => {}
    }
    let (positives, negatives) = (c.tp + c.fn_, c.fp + c.tn);
    let wrong = c.fp.ln_of_quotient(negatives) + c.fn_.ln_of_quotient(positives);
    let right = c.tp.ln_of_quotient(positives) + c.tn.ln_of_quotient(negatives);
    Ok(((wrong - right) / (wrong + right)).within(-1.0, 1.0))
}
