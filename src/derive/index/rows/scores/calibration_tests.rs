//! Tests of the claim that scores are the true probabilities.

use crate::arith::special::{
    brownian_range_upper_tail, brownian_upper_tail, chi_squared_upper_tail, normal_cdf,
};
use crate::index::form::{Form, Reads};
use crate::index::parameter::{Domain, Parameter, Parameters};
use crate::index::row::{Better, Index, reading};
use crate::index::rows::scores::calibration::{COX, ECCE, bins_of, both_classes, moments};
use crate::index::value::finite;
use crate::index::value::{Outcome, Undefined};
use crate::scores::calibration::bins::Binning;
use crate::scores::ranking::Ranking;

const CERTAIN: &str = "A score lies outside [0, 1], or all are 0 or 1.";
const HOSMER: &str = "Hosmer, Lemeshow 1980, doi:10.1080/03610928008827941";
const SPIEGELHALTER: &str = "Spiegelhalter 1986, doi:10.1002/sim.4780050506";

const GROUPS: &[Parameter] = &[Parameter {
    name: "groups",
    default: Some(10.0),
    domain: Domain::Bins,
    about: "number of groups, of equal weight as far as ties allow",
    two_classes: false,
}];
const GROUPS_AND_FITTED: &[Parameter] = &[
    GROUPS[0],
    Parameter {
        name: "fitted",
        default: Some(0.0),
        domain: Domain::Flag,
        about: "whether the model was fitted to these rows, which takes two degrees of freedom",
        two_classes: false,
    },
];

pub(crate) static ROWS: &[Index] = &[
    Index {
        name: "cumulative_calibration_error_p_value",
        aliases: &["ecce_mad_p_value"],
        title: "P-value of the greatest cumulative calibration error",
        formula: "the probability that the largest distance from 0 of a Brownian motion up to time 1 exceeds x, x = n \
                  cumulative_calibration_error / sqrt(sum_i p[i] (1 - p[i])), p the scores of the rows",
        about: "The probability of a cumulative difference at least this large if the scores are \
                the true probabilities, for many rows. It needs no bins; with few rows of a class \
                it is too large rather than too small. A weight counts as that many rows.",
        better: Better::Neither,
        undefined: CERTAIN,
        source: ECCE,
        ..reading(&[Form::Scores(Reads::Sums, &|s, _| {
            Ok(brownian_upper_tail(standardized(s, moments(s)?.cumulative)?))
        })])
    },
    Index {
        name: "cumulative_calibration_range_p_value",
        aliases: &["ecce_r_p_value", "kuiper_calibration_p_value"],
        title: "P-value of the range of cumulative calibration errors",
        formula: "the probability that the range of a Brownian motion up to time 1 exceeds x, x = n cumulative_calibration_range / \
                  sqrt(sum_i p[i] (1 - p[i])), p the scores of the rows",
        about: "Kuiper's test of calibration: the probability of a range at least this large if \
                the scores are the true probabilities, for many rows. It sees a range of scores \
                that is too high or too low wherever it lies. With few rows of a class it is too \
                large rather than too small. A weight counts as that many rows.",
        better: Better::Neither,
        undefined: CERTAIN,
        source: ECCE,
        ..reading(&[Form::Scores(Reads::Sums, &|s, _| {
            Ok(brownian_range_upper_tail(standardized(s, moments(s)?.span)?))
        })])
    },
    Index {
        name: "cox_calibration_statistic",
        aliases: &["cox_calibration_test"],
        title: "Statistic of Cox's test of calibration",
        formula: "a^2 / c + (b - a d / c)^2 / (e - d^2 / c), a = sum_i (y[i] - p[i]), b = sum_i (y[i] - p[i]) x[i], c = sum_i p[i] (1 - \
                  p[i]), d = sum_i p[i] (1 - p[i]) x[i], e = sum_i p[i] (1 - p[i]) x[i]^2, x[i] = ln(p[i] / (1 - p[i])), y the truth and \
                  p the scores of the rows cut to [eps, 1 - eps], eps the machine epsilon of the scores' type",
        about: "Rao's score statistic of two claims at once: a calibration intercept of 0 and a \
                slope of 1. If the scores are the true probabilities it is chi-squared with two \
                degrees of freedom. It needs no fit, so it is there where the classes do not \
                overlap. A weight counts as that many rows.",
        range: (0.0, f64::INFINITY),
        better: Better::Lower,
        undefined: "A score lies outside [0, 1], all are equal, or all rows are of one class.",
        source: COX,
        ..reading(&[Form::Scores(Reads::Table, &|s, _| departure(s))])
    },
    Index {
        name: "cox_calibration_p_value",
        title: "P-value of Cox's test of calibration",
        formula: "chi_squared_tail(cox_calibration_statistic, 2)",
        about: "The probability of a statistic at least this large if the scores are the true \
                probabilities: small if scores are too high or too low, too extreme or too \
                cautious. It does not see bends.",
        better: Better::Neither,
        undefined: "A score lies outside [0, 1], all are equal, or all rows are of one class.",
        source: COX,
        ..reading(&[Form::Scores(Reads::Table, &|s, _| {
            Ok(chi_squared_upper_tail(departure(s)?, 2.0))
        })])
    },
    Index {
        name: "spiegelhalter_z",
        aliases: &["spiegelhalter"],
        title: "Spiegelhalter's z",
        formula: "sum_i (y[i] - p[i]) (1 - 2 p[i]) / sqrt(sum_i (1 - 2 p[i])^2 p[i] (1 - p[i])), y the truth and p the scores of the rows",
        about: "Spiegelhalter's z: how many standard deviations the Brier score lies above (z > \
                0) or below the value expected if the scores are the true probabilities. A weight \
                counts as that many rows.",
        range: (f64::NEG_INFINITY, f64::INFINITY),
        better: Better::Neither,
        undefined: "A score lies outside [0, 1], or all are 0, 1/2 or 1.",
        source: SPIEGELHALTER,
        ..reading(&[Form::Scores(Reads::Sums, &spiegelhalter)])
    },
    Index {
        name: "spiegelhalter_p_value",
        title: "P-value of Spiegelhalter's test",
        formula: "2 (1 - Phi(|spiegelhalter_z|)), Phi the normal distribution function",
        about: "The probability of a Brier score at least this far from its expectation, in \
                either direction, if the scores are the true probabilities.",
        better: Better::Neither,
        undefined: "A score lies outside [0, 1], or all are 0, 1/2 or 1.",
        source: SPIEGELHALTER,
        ..reading(&[Form::Scores(Reads::Sums, &|s, p| {
            Ok((2.0 * normal_cdf(-spiegelhalter(s, p)?.abs())).min(1.0))
        })])
    },
    Index {
        name: "hosmer_lemeshow",
        aliases: &["hosmer_lemeshow_statistic"],
        title: "Hosmer-Lemeshow statistic",
        formula: "sum_g (O[g] - E[g])^2 / (E[g] (1 - E[g] / t[g])), O[g] the positives of group g, E[g] the sum of its scores, t[g] its rows",
        about: "Observed against expected positives in groups of equal weight, by rising score. \
                It depends on the groups, and large data reject any model. A weight counts as \
                that many rows.",
        range: (0.0, f64::INFINITY),
        better: Better::Lower,
        undefined: "A score lies outside [0, 1], or what a group's scores of 0 or 1 call certain \
                    did not happen.",
        source: HOSMER,
        parameters: GROUPS,
        ..reading(&[Form::Scores(Reads::Table, &|s, p| finite(hosmer_lemeshow(s, p)?.0))])
    },
    Index {
        name: "hosmer_lemeshow_p_value",
        title: "P-value of the Hosmer-Lemeshow test",
        formula: "chi_squared_tail(hosmer_lemeshow, g), g the number of groups that have rows, or 2 less if fitted",
        about: "The probability of a statistic at least this large if the scores are the true \
                probabilities. For a model fitted to these very rows say fitted=True: the fit \
                takes two degrees of freedom. Where a group expects fewer than five positives or \
                negatives it is too small.",
        better: Better::Neither,
        undefined: "A score lies outside [0, 1], or fitted=True and fewer than three groups have \
                    rows.",
        source: HOSMER,
        parameters: GROUPS_AND_FITTED,
        ..reading(&[Form::Scores(Reads::Table, &|s, p| {
            let (statistic, groups) = hosmer_lemeshow(s, p)?;
            let freedom = groups as f64 - 2.0 * p.number(1);
            if freedom < 1.0 {
                return Err(Undefined::TooFewGroups);
            }
            if statistic == f64::INFINITY {
                return Ok(0.0);
            }
            Ok(chi_squared_upper_tail(statistic, freedom))
        })])
    },
];

/// A cumulative difference in units of the standard deviation of all of them, if the scores are the
/// true probabilities.
fn standardized(table: &Ranking, difference: f64) -> Outcome {
    let moments = moments(table)?;
    // The mean of p (1 − p) is the mean of (p − y)² less the mean of (y − p) (1 − 2p).
    let variance = moments.brier - moments.drift;
    if variance <= 4.0 * f64::EPSILON * moments.brier {
        return Err(Undefined::ZeroDenominator);
    }
    finite(difference * moments.weight().sqrt() / table.shrunk_by().sqrt() / variance.sqrt())
}

fn departure(table: &Ranking) -> Outcome {
    let moments = both_classes(table)?;
    let departure = table.calibration_departure().ok_or(Undefined::OneScore)?;
    finite(departure * (moments.weight() / table.shrunk_by()))
}

fn spiegelhalter(table: &Ranking, _: &Parameters) -> Outcome {
    let moments = moments(table)?;
    if moments.variance > 0.0 {
        let weight = moments.weight().sqrt() / table.shrunk_by().sqrt();
        finite(weight * (moments.drift / moments.variance.sqrt()))
    } else {
        Err(Undefined::ZeroDenominator)
    }
}

/// The statistic, and how many groups have rows. The statistic is infinite if a group that is
/// predicted with certainty has a row of the other class.
fn hosmer_lemeshow(table: &Ranking, parameters: &Parameters) -> Result<(f64, usize), Undefined> {
    let groups = bins_of(table, parameters.number(0), Binning::Quantile)?;
    let term = |group: usize| {
        let weight = groups.weight(group);
        let expected = groups.score[group];
        let gap = groups.positives[group] - expected;
        if gap == 0.0 {
            return 0.0;
        }
        gap / expected * (gap / (1.0 - (expected / weight).min(1.0)))
    };
    Ok(((0..groups.len()).map(term).sum(), groups.len()))
}
