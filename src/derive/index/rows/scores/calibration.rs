//! How far scores can be taken at their word as probabilities: calibration errors, decompositions
//! of proper scores, and recalibration by a line.

use std::borrow::Cow;

use crate::index::form::{Form, Reads};
use crate::index::parameter::{Domain, Parameter, Parameters};
use crate::index::row::Law::ScaleFree;
use crate::index::row::{Better, Index, reading};
use crate::index::rows::inference;
use crate::index::rows::scores::probability::{NOT_PROBABILITIES, all_probabilities};
use crate::index::sketched::form::Sketched;
use crate::index::spread::{Method, Spread};
use crate::index::value::finite;
use crate::index::value::{Outcome, Undefined};
use crate::scores::calibration::bins::{Binning, CalibrationBins, DebiasedSquare, Norm};
use crate::scores::calibration::brier_decomposition::{Decomposition, Rule, recalibrated};
use crate::scores::calibration::moments::Moments;
use crate::scores::calibration::recalibration::{CalibrationFit, classes_overlap};
use crate::scores::calibration::smooth::SmoothGaps;
use crate::scores::ranking::Ranking;
use crate::scores::sketch::arrangements::Arrangements;

const MAY_BE_CALIBRATED: &str =
    "The interval begins at 0: these rows do not tell the scores from calibrated ones.";
const ONE_CLASS: &str = "A score lies outside [0, 1], or all rows are of one class.";
const NAEINI: &str = "Naeini, Cooper, Hauskrecht 2015, doi:10.1609/aaai.v29i1.9602";
const CORP: &str = "Dimitriadis, Gneiting, Jordan 2021, doi:10.1073/pnas.2016191118";
const MURPHY: &str = "Murphy 1973, doi:10.1175/1520-0450(1973)012<0595:ANVPOT>2.0.CO;2";
pub(super) const ECCE: &str = "Arrieta-Ibarra, Gujral, Tannen, Tygert, Xu 2022, Journal of Machine Learning Research 23(351), pp. 1-54";
const AUSTIN: &str = "Austin, Steyerberg 2019, doi:10.1002/sim.8281; Cleveland 1979, doi:10.1080/01621459.1979.10481038";

const BINS: &[Parameter] = &[Parameter {
    name: "bins",
    default: Some(10.0),
    domain: Domain::Bins,
    about: "number of bins of equal width over [0, 1]: [lower, upper), the last includes its end",
    two_classes: false,
}];
const EQUAL_BINS: &[Parameter] = &[Parameter {
    name: "bins",
    default: Some(10.0),
    domain: Domain::Bins,
    about: "number of bins, of equal weight as far as ties allow",
    two_classes: false,
}];
const SPAN: &[Parameter] = &[Parameter {
    name: "span",
    default: Some(0.75),
    domain: Domain::OpenShare,
    about: "the share of the rows around a score that its line is fitted to",
    two_classes: false,
}];
const PERHAPS_BINS: &[Parameter] = &[Parameter {
    name: "bins",
    default: None,
    domain: Domain::Bins,
    about: "number of bins of equal width; by default one bin for each distinct score, which is \
            exact",
    two_classes: false,
}];

pub(crate) static ROWS: &[Index] = &[
    Index {
        name: "expected_calibration_error",
        aliases: &["ece"],
        title: "Expected calibration error",
        formula: "sum_b w_b |o_b - q_b|, w_b the share of the rows in bin b, o_b the share of positives among them, q_b their mean score",
        about: "The mean gap between score and observed frequency of positives, over bins of \
                equal width. It depends on the bins, is biased upwards where they hold few rows, \
                and is 0 for the prevalence given to every row.",
        better: Better::Lower,
        undefined: NOT_PROBABILITIES,
        laws: &[ScaleFree],
        source: NAEINI,
        parameters: BINS,
        ..reading(&[Form::Scores(Reads::Bins, &|s, p| error(s, p, Binning::Uniform, Norm::Mean))])
    },
    Index {
        name: "top_label_calibration_error",
        aliases: &["top_label_ece", "confidence_ece"],
        title: "Expected calibration error of the top label",
        formula: "sum_b w_b |o_b - q_b|, w_b the share of the rows in bin b, o_b the share of them whose class has the highest score, \
                  q_b the mean of these highest scores",
        about: "The mean gap between confidence, the highest score of a row, and how often the \
                class that it names comes true. Of many classes most scores are close to 0 and \
                right, so the mean expected calibration error of the classes hides this one. Of \
                classes with equal scores the first counts.",
        better: Better::Lower,
        undefined: NOT_PROBABILITIES,
        laws: &[ScaleFree],
        source: "Guo, Pleiss, Sun, Weinberger 2017, On calibration of modern neural networks, PMLR 70",
        parameters: BINS,
        ..reading(&[Form::ScoreTables(&|tables, p| {
            all_probabilities(tables)?;
            let top = tables.top_label().ok_or(Undefined::NoTopLabel)?;
            error(top, p, Binning::Uniform, Norm::Mean)
        })])
    },
    Index {
        name: "maximum_calibration_error",
        aliases: &["mce"],
        title: "Maximum calibration error",
        formula: "max_b |o_b - q_b|, o_b the share of positives among the rows of bin b, q_b their mean score",
        about: "The largest gap of any bin of the expected calibration error, even if the bin \
                holds a single row.",
        better: Better::Lower,
        undefined: NOT_PROBABILITIES,
        laws: &[ScaleFree],
        source: NAEINI,
        parameters: BINS,
        ..reading(&[Form::Scores(Reads::Bins, &|s, p| error(s, p, Binning::Uniform, Norm::Max))])
    },
    Index {
        name: "root_mean_square_calibration_error",
        aliases: &["rmsce"],
        title: "Root mean square calibration error",
        formula: "sqrt(sum_b w_b (o_b - q_b)^2), w_b the share of the rows in bin b, o_b the share of positives among them, \
                  q_b their mean score",
        about: "The expected calibration error with squared gaps, so that wide gaps weigh more. \
                Its square is the reliability of the Brier score for the bins' mean scores.",
        better: Better::Lower,
        undefined: NOT_PROBABILITIES,
        laws: &[ScaleFree],
        source: "Kumar, Liang, Ma 2019, Verified uncertainty calibration, Advances in Neural Information Processing Systems 32",
        parameters: BINS,
        ..reading(&[Form::Scores(Reads::Bins, &|s, p| {
            error(s, p, Binning::Uniform, Norm::RootMeanSquare)
        })])
    },
    Index {
        name: "debiased_calibration_error",
        aliases: &["debiased_rmsce"],
        title: "Debiased root mean square calibration error",
        formula: "sqrt(max(0, sum_b w_b ((o_b - q_b)^2 - v_b / n_b))), w_b the share of the rows in bin b, o_b the share of positives \
                  among them, q_b their mean score, n_b their number, v_b the sample variance of truth minus score, over bins with n_b \
                  >= 2",
        about: "The root mean square calibration error without what chance adds to it: 0 on \
                average before the root for calibrated scores, however few the rows. A value of 0 \
                is no proof of calibration; its interval says how much there may be.",
        better: Better::Lower,
        undefined: "A score lies outside [0, 1], or no bin has two rows.",
        source: "Kumar, Liang, Ma 2019, Verified uncertainty calibration, Advances in Neural Information Processing Systems 32",
        parameters: BINS,
        spreads: &[Spread::Bounds {
            method: Method::Score,
            bounds: |s, p, z| {
                let square = debiased(s, p)?;
                let (low, high) = square.bounds(z);
                if square.variance + square.slope <= 0.0 {
                    return Err(Undefined::NoSpread);
                }
                let variance = square.variance + square.slope * square.value;
                // The root is infinitely steep at 0.
                let error = variance.max(0.0).sqrt() / (2.0 * square.value.max(0.0).sqrt());
                let note = (low == 0.0).then_some(MAY_BE_CALIBRATED);
                Ok(([low.sqrt(), high.sqrt().min(1.0), error], note))
            },
        }],
        ..reading(&[Form::Scores(Reads::Table, &|s, p| Ok(debiased(s, p)?.value.max(0.0).sqrt()))])
    },
    Index {
        name: "sweep_calibration_error",
        aliases: &["ece_sweep"],
        title: "Expected calibration error over bins that rise",
        formula: "sum_b w_b |o_b - q_b|, w_b the share of the rows in bin b, o_b the share of positives among them, q_b their mean score",
        about: "The adaptive calibration error over as many bins as the data bear: 1, 2, 3, ... \
                bins of equal weight, the last number before the shares of positives no longer \
                rise from bin to bin; at most 1000. There is no number of bins to choose, and \
                less bias than of a fixed one, but some is left.",
        better: Better::Lower,
        undefined: NOT_PROBABILITIES,
        source: "Roelofs, Cain, Shlens, Mozer 2022, Mitigating bias in calibration error estimation, PMLR 151",
        ..reading(&[Form::Scores(Reads::Table, &|s, _| {
            moments(s)?;
            s.rising_bins().and_then(|bins| bins.error(Norm::Mean)).ok_or(Undefined::NoRows)
        })])
    },
    Index {
        name: "adaptive_calibration_error",
        aliases: &["ace"],
        title: "Adaptive calibration error",
        formula: "sum_b w_b |o_b - q_b|, w_b the share of the rows in bin b, o_b the share of positives among them, q_b their mean score",
        about: "The expected calibration error over bins of equal weight, so that all bins are \
                equally well estimated. Bin b of B takes a score if the share of the weight below \
                it is at least b/B and less than (b + 1)/B: rows with equal scores stay together.",
        better: Better::Lower,
        undefined: NOT_PROBABILITIES,
        laws: &[ScaleFree],
        source: "Nixon, Dusenberry, Zhang, Jerfel, Tran 2019, Measuring calibration in deep learning, CVPR Workshops",
        parameters: EQUAL_BINS,
        ..reading(&[Form::Scores(Reads::Bins, &|s, p| error(s, p, Binning::Quantile, Norm::Mean))])
    },
    Index {
        name: "integrated_calibration_index",
        aliases: &["ici"],
        title: "Integrated calibration index",
        formula: "mean_i |c[i] - p[i]|, p the scores and y the truth of the rows, c[i] the value at p[i] of the line through the y[j] \
                  with weights w[j], w[j] = (1 - (d[j] / h)^3)^3, d[j] = |p[j] - p[i]|, h the least distance from p[i] within which lies \
                  the span, a share of all rows",
        about: "The mean gap between the scores and a smooth calibration curve (lowess): a \
                calibration error without bins. Chance adds to it, on few rows much.",
        better: Better::Lower,
        undefined: NOT_PROBABILITIES,
        laws: &[ScaleFree],
        source: AUSTIN,
        parameters: SPAN,
        ..reading(&[Form::Scores(Reads::Table, &|s, p| Ok(smooth(s, p)?.mean()))])
    },
    Index {
        name: "calibration_e50",
        aliases: &["e50"],
        title: "Median gap of the smooth calibration curve",
        formula: "the median of |c[i] - p[i]| over the rows i, p the scores and y the truth of the rows, c[i] the value at p[i] of the \
                  line through the y[j] with weights w[j], w[j] = (1 - (d[j] / h)^3)^3, d[j] = |p[j] - p[i]|, h the least distance from \
                  p[i] within which lies the span, a share of all rows",
        about: "Half of the rows have no larger gap between score and smooth calibration curve.",
        better: Better::Lower,
        undefined: NOT_PROBABILITIES,
        laws: &[ScaleFree],
        source: AUSTIN,
        parameters: SPAN,
        ..reading(&[Form::Scores(Reads::Table, &|s, p| Ok(smooth(s, p)?.quantile(0.5)))])
    },
    Index {
        name: "calibration_e90",
        aliases: &["e90"],
        title: "90th percentile of the gaps of the smooth calibration curve",
        formula: "the least number that nine tenths of the |c[i] - p[i]| do not exceed, p the scores and y the truth of the rows, c[i] \
                  the value at p[i] of the line through the y[j] with weights w[j], w[j] = (1 - (d[j] / h)^3)^3, d[j] = |p[j] - p[i]|, h \
                  the least distance from p[i] within which lies the span, a share of all rows",
        about: "Nine tenths of the rows have no larger gap between score and smooth calibration \
                curve.",
        better: Better::Lower,
        undefined: NOT_PROBABILITIES,
        laws: &[ScaleFree],
        source: AUSTIN,
        parameters: SPAN,
        ..reading(&[Form::Scores(Reads::Table, &|s, p| Ok(smooth(s, p)?.quantile(0.9)))])
    },
    Index {
        name: "cumulative_calibration_error",
        aliases: &["ecce_mad", "ecce_ks"],
        title: "Cumulative calibration error, greatest",
        formula: "max_j |C[j]|, C[j] = sum_(i <= j) (y[i] - p[i]) / n, y the truth and p the scores of the rows from the lowest score up",
        about: "The largest cumulative difference between observed and predicted positives, \
                counted from the lowest score up. It needs no bins; rows with equal scores count \
                together.",
        better: Better::Lower,
        undefined: NOT_PROBABILITIES,
        laws: &[ScaleFree],
        source: ECCE,
        ..reading(&[Form::Scores(Reads::Extreme, &|s, _| Ok(moments(s)?.cumulative))])
    },
    Index {
        name: "cumulative_calibration_range",
        aliases: &["ecce_r", "ecce_kuiper"],
        title: "Cumulative calibration error, range",
        formula: "max_j C[j] - min_j C[j], C[j] = sum_(i <= j) (y[i] - p[i]) / n, y the truth and p the scores of the rows from the lowest score up, \
                  none of them among the sums",
        about: "The largest miscalibration of any range of scores, as a share of all rows: the \
                range of the cumulative differences between observed and predicted positives.",
        better: Better::Lower,
        undefined: NOT_PROBABILITIES,
        laws: &[ScaleFree],
        source: ECCE,
        ..reading(&[Form::Scores(Reads::Extreme, &|s, _| Ok(moments(s)?.span))])
    },
    Index {
        name: "brier_miscalibration",
        aliases: &["brier_mcb"],
        title: "Miscalibration of the Brier score",
        formula: "brier - b, b the Brier score of the scores recalibrated by isotonic regression",
        about: "The part of the Brier score that recalibration would remove: brier is \
                miscalibration - discrimination + uncertainty. It needs no bins, but on few rows \
                the regression fits chance as well.",
        better: Better::Lower,
        undefined: NOT_PROBABILITIES,
        laws: &[ScaleFree],
        source: CORP,
        sketched: Sketched::By(&|of, _| {
            parts_of_sketch(of, Rule::Brier, |parts| parts.miscalibration)
        }),
        ..reading(&[Form::Scores(
            Reads::Extreme,
            &|s, _| Ok(parts(s, Rule::Brier)?.miscalibration),
        )])
    },
    Index {
        name: "brier_discrimination",
        aliases: &["brier_dsc"],
        title: "Discrimination of the Brier score",
        formula: "brier_uncertainty - b, b the Brier score of the scores recalibrated by isotonic regression",
        about: "The Brier score saved by the order of the scores: recalibrated scores against the \
                prevalence for every row.",
        range: (0.0, 0.25),
        undefined: NOT_PROBABILITIES,
        laws: &[ScaleFree],
        source: CORP,
        sketched: Sketched::By(&|of, _| {
            parts_of_sketch(of, Rule::Brier, |parts| parts.discrimination)
        }),
        ..reading(&[Form::Scores(
            Reads::Extreme,
            &|s, _| Ok(parts(s, Rule::Brier)?.discrimination),
        )])
    },
    Index {
        name: "brier_uncertainty",
        aliases: &["brier_unc"],
        title: "Uncertainty of the Brier score",
        formula: "prevalence (1 - prevalence)",
        about: "The Brier score of predicting the prevalence for every row. It describes the \
                data, not the scores.",
        range: (0.0, 0.25),
        better: Better::Neither,
        undefined: NOT_PROBABILITIES,
        laws: &[ScaleFree],
        source: MURPHY,
        sketched: Sketched::Totals,
        ..reading(&[Form::Scores(Reads::Sums, &|s, _| Ok(moments(s)?.uncertainty()))])
    },
    Index {
        name: "brier_reliability",
        aliases: &["murphy_reliability"],
        title: "Reliability, Murphy's first term of the Brier score",
        formula: "sum_b w_b (o_b - q_b)^2, w_b the share of the rows in bin b, o_b the share of positives among them, q_b their mean score",
        about: "The part of the Brier score due to miscalibration. Over the distinct scores, \
                brier is exactly reliability - resolution + uncertainty; if nearly every row has \
                its own score, use bins. With bins the sum lacks the spread of the scores within \
                them.",
        better: Better::Lower,
        undefined: NOT_PROBABILITIES,
        laws: &[ScaleFree],
        source: MURPHY,
        parameters: PERHAPS_BINS,
        ..reading(&[Form::Scores(Reads::Bins, &|s, p| match perhaps_bins(s, p)? {
            None => Ok(moments(s)?.reliability),
            Some(bins) => {
                let error = bins.error(Norm::RootMeanSquare);
                error.map(|error| error * error).ok_or(Undefined::NoRows)
            }
        })])
    },
    Index {
        name: "brier_resolution",
        aliases: &["murphy_resolution"],
        title: "Resolution, Murphy's second term of the Brier score",
        formula: "sum_b w_b (o_b - o)^2, w_b the share of the rows in bin b, o_b the share of positives among them, o that among all rows",
        about: "How much the observed frequency varies between the bins. Over the distinct scores \
                it can only grow with their number; if every row has its own score it equals the \
                uncertainty.",
        range: (0.0, 0.25),
        undefined: NOT_PROBABILITIES,
        laws: &[ScaleFree],
        source: MURPHY,
        parameters: PERHAPS_BINS,
        ..reading(&[Form::Scores(Reads::Bins, &|s, p| {
            let moments = moments(s)?;
            let uncertainty = moments.uncertainty();
            match perhaps_bins(s, p)? {
                None => Ok((uncertainty - moments.refinement).clamp(0.0, uncertainty)),
                Some(bins) => Ok(resolution(&bins, moments).clamp(0.0, uncertainty)),
            }
        })])
    },
    Index {
        name: "log_loss_miscalibration",
        aliases: &["log_loss_mcb"],
        title: "Miscalibration of the logarithmic loss, in nats",
        formula: "log_loss - l, l the logarithmic loss of the scores recalibrated by isotonic regression",
        about: "The part of the logarithmic loss that recalibration would remove: log_loss is \
                miscalibration - discrimination + uncertainty.",
        range: (0.0, f64::INFINITY),
        better: Better::Lower,
        undefined: NOT_PROBABILITIES,
        laws: &[ScaleFree],
        source: CORP,
        sketched: Sketched::By(&|of, _| {
            parts_of_sketch(of, Rule::LogLoss, |parts| parts.miscalibration)
        }),
        ..reading(&[Form::Scores(Reads::Extreme, &|s, _| {
            Ok(parts(s, Rule::LogLoss)?.miscalibration)
        })])
    },
    Index {
        name: "log_loss_discrimination",
        aliases: &["log_loss_dsc"],
        title: "Discrimination of the logarithmic loss, in nats",
        formula: "log_loss_uncertainty - l, l the logarithmic loss of the scores recalibrated by isotonic regression",
        about: "The logarithmic loss saved by the order of the scores: recalibrated scores \
                against the prevalence for every row.",
        range: (0.0, std::f64::consts::LN_2),
        undefined: NOT_PROBABILITIES,
        laws: &[ScaleFree],
        source: CORP,
        sketched: Sketched::By(&|of, _| {
            parts_of_sketch(of, Rule::LogLoss, |parts| parts.discrimination)
        }),
        ..reading(&[Form::Scores(Reads::Extreme, &|s, _| {
            Ok(parts(s, Rule::LogLoss)?.discrimination)
        })])
    },
    Index {
        name: "log_loss_uncertainty",
        aliases: &["log_loss_unc"],
        title: "Uncertainty of the logarithmic loss, in nats",
        formula: "-o ln(o) - (1 - o) ln(1 - o), o the prevalence",
        about: "The logarithmic loss of predicting the prevalence for every row: the entropy of \
                the classes.",
        range: (0.0, std::f64::consts::LN_2),
        better: Better::Neither,
        undefined: NOT_PROBABILITIES,
        laws: &[ScaleFree],
        source: CORP,
        sketched: Sketched::Totals,
        ..reading(&[Form::Scores(Reads::Sums, &|s, _| Ok(moments(s)?.entropy()))])
    },
    Index {
        name: "brier_skill_score",
        aliases: &["bss", "d2_brier", "d2_brier_score", "index_of_prediction_accuracy", "ipa"],
        title: "Brier skill score",
        formula: "1 - brier / brier_uncertainty",
        about: "The relative saving in Brier score compared with predicting the prevalence for \
                every row: 1 is best, below 0 the prevalence would be better.",
        range: (f64::NEG_INFINITY, 1.0),
        undefined: ONE_CLASS,
        laws: &[ScaleFree],
        source: "Murphy 1973, doi:10.1175/1520-0450(1973)012<0595:ANVPOT>2.0.CO;2",
        sketched: Sketched::By(&|of, _| {
            let moments = both_classes(probabilities_of(of)?)?;
            let value = finite(1.0 - mean_losses(of)?[0] / moments.uncertainty())?;
            Ok((value, value))
        }),
        spreads: inference::BRIER_SKILL,
        ..reading(&[Form::Scores(Reads::Sums, &|s, _| {
            let moments = both_classes(s)?;
            finite(1.0 - moments.brier / moments.uncertainty())
        })])
    },
    Index {
        name: "log_loss_skill_score",
        aliases: &["d2_log_loss", "d2_log_loss_score", "mcfadden_r2", "mcfadden"],
        title: "Skill score of the logarithmic loss",
        formula: "1 - log_loss / log_loss_uncertainty",
        about: "The relative saving in logarithmic loss compared with predicting the prevalence \
                for every row: 1 is best, below 0 the prevalence would be better. It is \
                McFadden's pseudo R squared.",
        range: (f64::NEG_INFINITY, 1.0),
        undefined: ONE_CLASS,
        laws: &[ScaleFree],
        source: "McFadden 1974, Conditional logit analysis of qualitative choice behavior, in: Frontiers in Econometrics",
        sketched: Sketched::By(&|of, _| {
            let value = 1.0 - entropy_ratio_of_sketch(of)?;
            Ok((value, value))
        }),
        spreads: inference::LOG_LOSS_SKILL,
        ..reading(&[Form::Scores(Reads::Sums, &|s, _| Ok(1.0 - entropy_ratio(s)?))])
    },
    Index {
        name: "normalized_cross_entropy",
        aliases: &["nce", "normalized_entropy"],
        title: "Normalized cross entropy",
        formula: "log_loss / log_loss_uncertainty",
        about: "The logarithmic loss divided by that of predicting the prevalence for every row: \
                below 1 the scores carry information.",
        range: (0.0, f64::INFINITY),
        better: Better::Lower,
        undefined: ONE_CLASS,
        laws: &[ScaleFree],
        source: "He et al. 2014, doi:10.1145/2648584.2648589",
        sketched: Sketched::By(&|of, _| {
            let value = entropy_ratio_of_sketch(of)?;
            Ok((value, value))
        }),
        spreads: inference::NORMALIZED_CROSS_ENTROPY,
        ..reading(&[Form::Scores(Reads::Sums, &|s, _| entropy_ratio(s))])
    },
    Index {
        name: "observed_expected_ratio",
        aliases: &["oe_ratio", "calibration_in_the_large"],
        title: "Observed over expected positives",
        formula: "the number of positives over the sum of the scores",
        about: "Observed positives divided by the sum of the scores: 1 is right, below 1 the \
                scores are too high. Also called calibration in the large. It does not depend on \
                which rows are positive.",
        range: (0.0, f64::INFINITY),
        better: Better::Neither,
        undefined: "A score lies outside [0, 1], or all are 0.",
        laws: &[ScaleFree],
        source: "Van Calster et al. 2019, doi:10.1186/s12916-019-1466-7",
        sketched: Sketched::By(&|of, _| {
            let raised = probabilities_of(of)?;
            let lowered = of.lowered().ok_or(Undefined::NotProbabilities)?;
            let (positives, negatives) = raised.totals();
            let sum = |p: Option<f64>, n: Option<f64>| {
                positives * p.unwrap_or(0.0) + negatives * n.unwrap_or(0.0)
            };
            let ((p_high, n_low), (p_low, n_high)) = (raised.mean_scores(), lowered.mean_scores());
            let ratio = |sum: f64| {
                if sum > 0.0 { positives / sum } else { f64::INFINITY }
            };
            Ok((finite(ratio(sum(p_high, n_high)))?, ratio(sum(p_low, n_low))))
        }),
        spreads: inference::OBSERVED_EXPECTED,
        ..reading(&[Form::Scores(Reads::Sums, &|s, _| {
            let moments = moments(s)?;
            if moments.score > 0.0 {
                finite(moments.prevalence() / moments.score)
            } else {
                Err(Undefined::ZeroDenominator)
            }
        })])
    },
    Index {
        name: "calibration_slope",
        aliases: &["cox_slope"],
        title: "Calibration slope",
        formula: "the slope of the logistic regression of the truth on ln(p / (1 - p)), p the score cut to [eps, 1 - eps], \
                  eps the machine epsilon of the scores' type",
        about: "The slope of a logistic regression of the class on the logit of the score. 1 is \
                right. Below 1 the scores are too extreme, as after overfitting; above 1 they are \
                too cautious; below 0 their order is reversed.",
        range: (f64::NEG_INFINITY, f64::INFINITY),
        better: Better::Neither,
        undefined: "A score lies outside [0, 1], all are equal, or those of the two classes do \
                    not overlap.",
        source: COX,
        spreads: inference::CALIBRATION_SLOPE,
        ..reading(&[Form::Scores(Reads::Table, &|s, _| Ok(line(s)?.slope))])
    },
    Index {
        name: "calibration_intercept",
        aliases: &["cox_intercept"],
        title: "Calibration intercept",
        formula: "the intercept of the logistic regression of the truth on ln(p / (1 - p)), p the score cut to [eps, 1 - eps], \
                  eps the machine epsilon of the scores' type",
        about: "The intercept that belongs to the calibration slope: 0 if, after correcting the \
                slope, rows with score 1/2 are positive half the time. The intercept for a slope \
                of 1 is calibration_shift.",
        range: (f64::NEG_INFINITY, f64::INFINITY),
        better: Better::Neither,
        undefined: "A score lies outside [0, 1], all are equal, or those of the two classes do \
                    not overlap.",
        source: COX,
        spreads: inference::CALIBRATION_INTERCEPT,
        ..reading(&[Form::Scores(Reads::Table, &|s, _| Ok(line(s)?.intercept))])
    },
    Index {
        name: "calibration_shift",
        aliases: &["calibration_intercept_of_slope_one", "citl"],
        title: "Calibration intercept for a slope of one",
        formula: "the intercept of the logistic regression of the truth on ln(p / (1 - p)) with a slope of 1, p the score cut to \
                  [eps, 1 - eps], eps the machine epsilon of the scores' type",
        about: "The constant to add to all logits so that the scores predict as many positives as \
                there are; 0 if they already do. Also called calibration in the large on the \
                logit scale.",
        range: (f64::NEG_INFINITY, f64::INFINITY),
        better: Better::Neither,
        undefined: ONE_CLASS,
        source: "Van Calster et al. 2019, doi:10.1186/s12916-019-1466-7",
        spreads: inference::CALIBRATION_SHIFT,
        ..reading(&[Form::Scores(Reads::Table, &|s, _| {
            both_classes(s)?;
            Ok(s.calibration_shift().ok_or(Undefined::OutOfRange)?.intercept)
        })])
    },
];

pub(super) const COX: &str = "Cox 1958, doi:10.1093/biomet/45.3-4.562";

pub(super) fn moments(table: &Ranking) -> Result<&Moments, Undefined> {
    table.moments().ok_or(if table.is_empty() {
        Undefined::NoRows
    } else {
        Undefined::NotProbabilities
    })
}

pub(super) fn both_classes(table: &Ranking) -> Result<&Moments, Undefined> {
    let moments = moments(table)?;
    if moments.uncertainty() > 0.0 { Ok(moments) } else { Err(Undefined::OneActualClass) }
}

fn parts(table: &Ranking, rule: Rule) -> Result<Decomposition, Undefined> {
    moments(table)?;
    table.decomposition(rule).ok_or(Undefined::NoRows)
}

/// A ranking of the rows of a sketch, whose scores must be probabilities.
fn probabilities_of(of: &Arrangements) -> Result<&Ranking, Undefined> {
    of.raised().ok_or(Undefined::NotProbabilities)
}

/// The mean Brier score and the mean logarithmic loss of the rows of a sketch.
fn mean_losses(of: &Arrangements) -> Result<[f64; 2], Undefined> {
    let losses = of.sketch().losses().ok_or(Undefined::NotProbabilities)?;
    Ok([losses.brier(), losses.log_loss()].map(|sum| sum / losses.weight()))
}

fn entropy_ratio_of_sketch(of: &Arrangements) -> Outcome {
    let entropy = both_classes(probabilities_of(of)?)?.entropy();
    if entropy > 0.0 {
        finite(mean_losses(of)?[1] / entropy)
    } else {
        Err(Undefined::OneActualClass)
    }
}

/// Bounds of a part of a mean loss: isotonic regression knows the order of the scores only.
fn parts_of_sketch(
    of: &Arrangements,
    rule: Rule,
    part: fn(&Decomposition) -> f64,
) -> Outcome<(f64, f64)> {
    let moments = moments(probabilities_of(of)?)?;
    let losses = mean_losses(of)?;
    let score = losses[usize::from(rule == Rule::LogLoss)];
    let [worst, best] = [of.worst(), of.best()].map(|ranking| {
        let least = recalibrated(ranking.finite(), moments, ranking.roc_hull());
        part(&Decomposition::new(rule, score, least, moments))
    });
    Ok((worst, best))
}

pub(super) fn bins_of(
    table: &Ranking,
    bins: f64,
    binning: Binning,
) -> Result<CalibrationBins, Undefined> {
    moments(table)?;
    let bins = table.calibration_bins(bins as usize, binning);
    bins.ok_or(Undefined::NoRows)
}

fn perhaps_bins(
    table: &Ranking,
    parameters: &Parameters,
) -> Result<Option<CalibrationBins>, Undefined> {
    let bins = parameters.number(0);
    if bins.is_nan() {
        return Ok(None);
    }
    bins_of(table, bins, Binning::Uniform).map(Some)
}

fn error(table: &Ranking, parameters: &Parameters, binning: Binning, norm: Norm) -> Outcome {
    let bins = bins_of(table, parameters.number(0), binning)?;
    bins.error(norm).ok_or(Undefined::NoRows)
}

fn smooth<'a>(
    table: &'a Ranking,
    parameters: &Parameters,
) -> Result<Cow<'a, SmoothGaps>, Undefined> {
    moments(table)?;
    table.smooth_gaps(parameters.number(0)).ok_or(Undefined::NoRows)
}

fn debiased(table: &Ranking, parameters: &Parameters) -> Result<DebiasedSquare, Undefined> {
    moments(table)?;
    table.debiased_square(parameters.number(0) as usize).ok_or(Undefined::NoPairsInBins)
}

fn resolution(bins: &CalibrationBins, moments: &Moments) -> f64 {
    let (all, prevalence) = (moments.weight(), moments.prevalence());
    let square = |bin: usize| {
        let weight = bins.weight(bin);
        let apart = bins.positives[bin] / weight - prevalence;
        weight / all * (apart * apart)
    };
    (0..bins.len()).map(square).sum()
}

fn entropy_ratio(table: &Ranking) -> Outcome {
    let entropy = both_classes(table)?.entropy();
    let loss = table.mean_log_loss().ok_or(Undefined::NoRows)?;
    if entropy > 0.0 { finite(loss / entropy) } else { Err(Undefined::OneActualClass) }
}

/// Intercept and slope.
fn line(table: &Ranking) -> Result<CalibrationFit, Undefined> {
    both_classes(table)?;
    if table.len() == 1 {
        return Err(Undefined::OneScore);
    }
    if !classes_overlap(table) {
        return Err(Undefined::NoOverlap);
    }
    table.calibration_fit().ok_or(Undefined::OutOfRange)
}
