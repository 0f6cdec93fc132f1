//! Confidence intervals for a probability, from successes and failures.
//!
//! | method | the interval | coverage |
//! |---|---|---|
//! | normal | the share plus and minus z standard errors (Wald), cut to [0, 1]; none at 0 and 1 | often far too low |
//! | Wilson | all probabilities that a score test does not reject | near the level on average |
//! | Agresti-Coull | normal, around Wilson's centre, cut to [0, 1] | never much below the level |
//! | Clopper-Pearson | all probabilities that neither exact binomial test rejects | at least the level, always |
//! | Jeffreys | the central part of a beta distribution with half a success and half a failure added | near the level on average |
//!
//! Successes and failures may be sums of weights that count as rows, or effective rows of sampling
//! weights. They are never subtracted from each other.
//!
//! Sources: Wilson 1927, doi:10.1080/01621459.1927.10502953; Clopper, Pearson 1934,
//! doi:10.1093/biomet/26.4.404; Agresti, Coull 1998, doi:10.1080/00031305.1998.10480550; Brown,
//! Cai, Das Gupta 2001, doi:10.1214/ss/1009213286.

use crate::arith::count_quantiles::{self, Quantile};
use crate::arith::special::{beta_quantile, beta_upper_quantile, normal_quantile};
use crate::base::memory::Gather;
use crate::index::spread::Method;

/// Both bounds, at z standard errors or with the probability `tail` beyond each.
pub(crate) fn bounds(
    method: Method,
    successes: f64,
    failures: f64,
    z: f64,
    tail: f64,
) -> (f64, f64) {
    match method {
        Method::Wilson => wilson(successes, failures, z),
        Method::ClopperPearson | Method::Jeffreys if z > 0.0 => {
            let mut found = [(f64::NAN, f64::NAN)];
            beta_bounds(method, &[(successes, failures)], z, tail, &mut found);
            found[0]
        }
        Method::ClopperPearson | Method::Jeffreys => {
            (lower(method, successes, failures, tail), upper(method, successes, failures, tail))
        }
        _ => (
            bound(method, successes, failures, -z, tail),
            bound(method, successes, failures, z, tail),
        ),
    }
}

/// Both bounds of Clopper and Pearson, or of Jeffreys, for many pairs of successes and failures; z
/// is above 0.
pub(crate) fn beta_bounds(
    method: Method,
    trials: &[(f64, f64)],
    z: f64,
    tail: f64,
    to: &mut [(f64, f64)],
) {
    let more = if method == Method::Jeffreys { 0.5 } else { 1.0 };
    let (few, many) = (1.0 - more, more);
    // Without successes the lower bound is 0, and its place may hold any quantile.
    let of = |some: f64, others: f64| {
        let some = if some > 0.0 { some } else { 1.0 };
        Quantile::of(some + few, others + many)
    };
    let mut wanted: Vec<Quantile> = trials
        .iter()
        .flat_map(|&(successes, failures)| [of(successes, failures), of(failures, successes)])
        .gather();
    count_quantiles::find(&mut wanted, tail, z);
    for ((to, found), &(successes, failures)) in
        to.iter_mut().zip(wanted.chunks_exact(2)).zip(trials)
    {
        let low = if successes > 0.0 { found[0].x } else { 0.0 };
        let high = if failures > 0.0 { found[1].y } else { 1.0 };
        *to = (low, high);
    }
}

/// The upper bound: the probability exceeds it with probability `tail` (a share of samples; for
/// Jeffreys, of belief). There is at least one trial.
pub(crate) fn upper(method: Method, successes: f64, failures: f64, tail: f64) -> f64 {
    bound(method, successes, failures, normal_quantile(tail), tail)
}

/// The lower bound: the probability falls below it with probability `tail`.
pub(crate) fn lower(method: Method, successes: f64, failures: f64, tail: f64) -> f64 {
    match method {
        // The upper bound of the failures would be one minus this; computed so, small bounds keep
        // their digits.
        Method::ClopperPearson if successes > 0.0 => beta_quantile(successes, failures + 1.0, tail),
        Method::Jeffreys if successes > 0.0 => beta_quantile(successes + 0.5, failures + 0.5, tail),
        Method::ClopperPearson | Method::Jeffreys => 0.0,
        _ => bound(method, successes, failures, -normal_quantile(tail), tail),
    }
}

/// The standard error of the share: sqrt(p (1 - p) / n).
pub(crate) fn standard_error(successes: f64, failures: f64) -> f64 {
    let n = successes + failures;
    (successes / n * (failures / n) / n).sqrt()
}

/// Both bounds of Wilson's interval; z is below 0 for a one-sided interval at a level below 1/2.
#[inline]
fn wilson(successes: f64, failures: f64, z: f64) -> (f64, f64) {
    let (n, square) = (successes + failures, z * z);
    let root = z.abs() * (successes / n * failures + square / 4.0).sqrt();
    let middle = successes + square / 2.0;
    // Without failures it is 1; the quotient may miss 1 by rounding.
    let high = if failures > 0.0 { ((middle + root) / (n + square)).min(1.0) } else { 1.0 };
    // (middle - root) / (n + z^2), without the difference.
    let low = if successes > 0.0 { successes * (successes / n) / (middle + root) } else { 0.0 };
    if z >= 0.0 { (low, high) } else { (high, low) }
}

fn bound(method: Method, successes: f64, failures: f64, z: f64, tail: f64) -> f64 {
    let n = successes + failures;
    let square = z * z;
    match method {
        Method::Wilson => {
            let (low, high) = wilson(successes, failures, z.abs());
            if z >= 0.0 { high } else { low }
        }
        Method::AgrestiCoull => {
            let (successes, failures) = (successes + square / 2.0, failures + square / 2.0);
            let bound = successes / (n + square) + z * standard_error(successes, failures);
            bound.clamp(0.0, 1.0)
        }
        Method::ClopperPearson if failures > 0.0 => {
            beta_upper_quantile(successes + 1.0, failures, tail)
        }
        Method::Jeffreys if failures > 0.0 => {
            beta_upper_quantile(successes + 0.5, failures + 0.5, tail)
        }
        Method::ClopperPearson | Method::Jeffreys => 1.0,
        _ => (successes / n + z * standard_error(successes, failures)).clamp(0.0, 1.0),
    }
}
