//! Confidence intervals for a probability, from successes and failures.
//!
//! | method | the interval | coverage |
//! |---|---|---|
//! | normal | the share plus and minus z standard errors (Wald), cut to [0, 1]; none at 0 and 1 | often far too low |
//! | Wilson | all probabilities that a score test does not reject | near the level on average |
//! | Agresti-Coull | normal, around Wilson's centre, cut to [0, 1] | never much below the level |
//! | Clopper-Pearson | all probabilities that neither exact binomial test rejects | at least the level, always |
//! | Jeffreys | the central part of a beta distribution with half a success and half a failure added | near the level on average |
//! | any time | all probabilities that no mixture of likelihood ratios rejects | at least the level, at all numbers of trials at once |
//!
//! **Any time.** With k successes and m failures so far, and a prior of Jeffreys on the
//! probabilities q above p, E(p) is the mean of q^k (1 - q)^m / (p^k (1 - p)^m). Where the true
//! probability is p or less, one trial more multiplies each ratio by at most 1 on average, so E(p)
//! is a nonnegative supermartingale that begins at 1, and ever reaches 1 / tail with a probability
//! of at most tail (Ville 1939). The lower bound is the least p that has not reached it now. E(p)
//! depends on k and m alone: neither the order of the trials nor how often one looks matters. One
//! success more raises E(p) for every p, one failure more lowers it.
//!
//! Trials may also be numbers in [0, 1], and their sum the successes: with x in [0, 1], (q/p)^x
//! ((1 - q)/(1 - p))^(1 - x) is at most x q/p + (1 - x)(1 - q)/(1 - p), by the means' inequality, so
//! one trial more still multiplies by at most 1 on average.
//!
//! Successes and failures may be sums of weights that count as rows, or effective rows of sampling
//! weights. They are never subtracted from each other.
//!
//! Sources: Wilson 1927, doi:10.1080/01621459.1927.10502953; Clopper, Pearson 1934,
//! doi:10.1093/biomet/26.4.404; Agresti, Coull 1998, doi:10.1080/00031305.1998.10480550; Brown,
//! Cai, Das Gupta 2001, doi:10.1214/ss/1009213286; any time: Robbins 1970,
//! doi:10.1214/aoms/1177696786; Howard et al. 2021, doi:10.1214/20-AOS1991.

use crate::arith::count_quantiles::{self, Quantile};
use crate::arith::special::{
    beta_cdf, beta_quantile, beta_tails_and_rise, beta_upper_quantile, ln_gamma, normal_quantile,
};
use crate::base::memory::Gather;
use crate::index::spread::Method;

/// What an e-value is evidence for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alternative {
    /// Another share.
    TwoSided,
    /// A greater share.
    Greater,
    /// A smaller share.
    Less,
}

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
        Method::ClopperPearson | Method::Jeffreys | Method::Anytime => {
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
        Method::Anytime => least_at_any_time(successes, failures, tail),
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

/// The lower bound for any time.
fn least_at_any_time(successes: f64, failures: f64, tail: f64) -> f64 {
    if successes <= 0.0 {
        return 0.0;
    }
    let n = successes + failures;
    let share = successes / n;
    let mixture = ln_mixture(successes, failures);
    // ln E(p) + ln tail, which falls with p where it is not below 0, and its slope over ln p.
    let beyond = |p: f64| {
        let gap = share - p;
        let wrong = if failures > 0.0 { failures * (-gap / (1.0 - p)).ln_1p() } else { 0.0 };
        let ratio = successes * (gap / p).ln_1p() + wrong;
        let above = (-beta_cdf(successes + 0.5, failures + 0.5, p)).ln_1p();
        let prior = p.sqrt().acos() * std::f64::consts::FRAC_2_PI;
        let ln_e = ratio + mixture + above - prior.ln();
        let hazard = 1.0 / (std::f64::consts::PI * (p * (1.0 - p)).sqrt() * prior);
        let score = n * gap / (p * (1.0 - p));
        (ln_e + tail.ln(), p * (hazard * (1.0 - (-ln_e).exp()) - score))
    };
    // Newton's method, between a place where it is above 0 and one where it is not.
    let (mut low, mut high) = (f64::MIN_POSITIVE.ln(), share.ln());
    let mut at = wilson(successes, failures, (2.0 * (-tail.ln() - mixture)).max(0.0).sqrt()).0.ln();
    for _ in 0..200 {
        if !(low < at && at < high) {
            at = f64::midpoint(low, high);
        }
        let (value, slope) = beyond(at.exp());
        if value > 0.0 {
            low = at;
        } else {
            high = at;
        }
        let next = at - value / slope;
        if (next - at).abs() <= 1e-15 * at.abs().max(1.0)
            || high - low <= 1e-15 * high.abs().max(1.0)
        {
            break;
        }
        at = next;
    }
    low.max(at.min(high)).exp().min(share)
}

/// The logarithm of the e-value against a share: the mean, over Jeffreys' prior of the shares q, of
/// the likelihood of q over that of `share`.
///
/// `Greater` takes the prior above `share` alone, and is evidence against all shares up to it;
/// `Less` the prior below it.
pub fn ln_e_value(successes: f64, failures: f64, share: f64, side: Alternative) -> f64 {
    let n = successes + failures;
    if n <= 0.0 {
        return 0.0;
    }
    // The greatest likelihood over that of `share`; both terms by one gap, so that they cancel.
    let gap = successes / n - share;
    let term = |some: f64, gap: f64| if some > 0.0 { some * gap.ln_1p() } else { 0.0 };
    let ratio = term(successes, gap / share) + term(failures, -gap / (1.0 - share));
    let within = |some: f64, others: f64, null: f64| {
        let prior = null.sqrt().acos() * std::f64::consts::FRAC_2_PI;
        let ([_, above], _) = beta_tails_and_rise(some + 0.5, others + 0.5)(null, 1.0 - null);
        above.ln() - prior.ln()
    };
    let cut = match side {
        Alternative::TwoSided => 0.0,
        Alternative::Greater => within(successes, failures, share),
        Alternative::Less => within(failures, successes, 1.0 - share),
    };
    ratio + ln_mixture(successes, failures) + cut
}

/// The logarithm of the mean, over Jeffreys' prior, of the likelihood of so many successes and
/// failures, over its maximum.
fn ln_mixture(successes: f64, failures: f64) -> f64 {
    const LARGE: f64 = 16.0;
    const LN_ROOT: f64 = 0.918_938_533_204_672_8; // ln sqrt(2 pi)
    let times_ln = |x: f64| if x > 0.0 { x * x.ln() } else { 0.0 };
    // ln gamma(x + 1/2) - (x ln x - x + ln sqrt(2 pi))
    let half = |x: f64| {
        if x < LARGE {
            return ln_gamma(x + 0.5) - (times_ln(x) - x + LN_ROOT);
        }
        let square = 1.0 / (x * x);
        (-1.0 / 24.0 + square * (7.0 / 2880.0 - square * (31.0 / 40320.0))) / x
    };
    // ln gamma(x + 1) - (x ln x - x + ln sqrt(2 pi x))
    let whole = |x: f64| {
        if x < LARGE {
            return ln_gamma(x + 1.0) - (times_ln(x) - x + LN_ROOT + 0.5 * x.ln());
        }
        let square = 1.0 / (x * x);
        (1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0))) / x
    };
    let n = successes + failures;
    half(successes) + half(failures) - whole(n) - 0.5 * (n * std::f64::consts::FRAC_PI_2).ln()
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
        Method::Anytime => 1.0 - least_at_any_time(failures, successes, tail),
        _ => (successes / n + z * standard_error(successes, failures)).clamp(0.0, 1.0),
    }
}
