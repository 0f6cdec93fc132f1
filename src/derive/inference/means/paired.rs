//! Two runs on the same queries, compared by an index of each query.
//!
//! | test | the p-value |
//! |---|---|
//! | Student's | of the mean difference by its standard error, with n - 1 degrees of freedom |
//! | Fisher's randomization | how often the mean difference is as great if each query's two values are swapped at random; all 2^n ways where these are no more than the resamples |
//!
//! Sources: Smucker, Allan, Carterette 2007, doi:10.1145/1321440.1321528; Phipson, Smyth 2010,
//! doi:10.2202/1544-6115.1585 (the ways drawn, and the one observed).

use crate::base::error::{Refusal, Result};
use crate::base::memory::Gather;
use crate::base::threads::over_parts;
use crate::index::form::QueryForm;
use crate::index::parameter::Parameters;
use crate::index::queries::values_of_queries;
use crate::inference::bootstrap::random::{Purpose, stream};
use crate::inference::means::mean::Mean;
use crate::inference::same_rows::difference::Difference;
use crate::queries::statistic::Queries;

/// What is asked of the difference.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// The confidence level.
    pub level: f64,
    /// The number of resamples and their seed; none for Student's test.
    pub randomization: Option<(usize, u64)>,
    /// The least and the greatest value of the index.
    pub range: (f64, f64),
}

/// The differences of the values of each query, and the weights of the queries.
///
/// # Errors
/// [`Refusal::Merge`] for other keys; a refusal for queries of one run only, and for a query with
/// two weights.
pub fn differences_of_queries(
    form: QueryForm,
    runs: [&Queries; 2],
    parameters: &Parameters,
    empty: f64,
) -> Result<(Vec<f64>, Vec<f64>)> {
    let refusal = |found: String, expected: &str| {
        Err(Refusal::argument("other", found, format!("{expected} in both runs")))
    };
    let united = runs[0].keys.united(&runs[1].keys)?;
    let mut places = [vec![usize::MAX; united.keys.groups], vec![usize::MAX; united.keys.groups]];
    let (own, their) = united.codes.split_at(runs[0].keys.groups);
    for (places, codes) in places.iter_mut().zip([own, their]) {
        for (place, &code) in codes.iter().enumerate() {
            places[code as usize] = place;
        }
    }
    let alone = places.iter().flatten().filter(|&&place| place == usize::MAX).count();
    if alone > 0 {
        return refusal(
            format!("a run with {alone} queries that are in one run only"),
            "the same queries",
        );
    }
    let pairs = || places[0].iter().copied().zip(places[1].iter().copied());
    let [own, their] = runs.map(|run| &run.lists);
    if let Some((at, _)) = pairs().find(|&(a, b)| own.weight(a) != their.weight(b)) {
        return refusal(
            format!("a run with another weight of query number {at}"),
            "one weight for each query",
        );
    }
    let [a, b] = [own, their].map(|lists| values_of_queries(form, lists, parameters, empty));
    let (a, b) = (a?, b?);
    let differences = pairs().map(|(at, place)| a[at].number - b[place].number).gather();
    Ok((differences, pairs().map(|(at, _)| own.weight(at)).gather()))
}

/// The mean of differences, its interval by Student's t distribution, and a test that it is 0. NaN
/// is left out.
///
/// # Errors
/// Those of the pool of threads.
///
/// ```
/// use rocksteady_derive::inference::means::paired::{Wanted, paired};
///
/// let wanted = Wanted { level: 0.95, randomization: None, range: (0.0, 1.0) };
/// let found = paired(&[0.1, 0.3, -0.1, 0.4], &[1.0; 4], &wanted)?;
/// assert!((found.estimate - 0.175).abs() < 1e-15 && (found.p_value - 0.212_573).abs() < 1e-6);
/// let wanted = Wanted { randomization: Some((99, 0)), ..wanted };
/// assert_eq!(paired(&[0.1, 0.3, -0.1, 0.4], &[1.0; 4], &wanted)?.p_value, 0.375);
/// # Ok::<(), rocksteady_derive::base::error::Refusal>(())
/// ```
pub fn paired(differences: &[f64], weights: &[f64], wanted: &Wanted) -> Result<Difference> {
    let reach = wanted.range.1 - wanted.range.0;
    let mean = Mean::of(differences, weights, (-reach, reach));
    let freedom = mean.count - 1.0;
    let why = (freedom < 1.0).then_some("Fewer than two queries have a value in both runs.");
    let variance = mean.standard_error.powi(2);
    let (estimate, level) = (mean.value.number, wanted.level);
    let tail = (1.0 - level) / 2.0;
    let mut found = Difference::new(estimate, variance, Some(freedom), tail, mean.range, why);
    if let (Some((resamples, seed)), true) = (wanted.randomization, freedom >= 0.0) {
        found.p_value = randomized(differences, weights, resamples, seed)?;
    }
    Ok(found)
}

/// The share of the ways to turn the signs of the terms whose sum is as far from 0.
fn randomized(differences: &[f64], weights: &[f64], resamples: usize, seed: u64) -> Result<f64> {
    let terms = differences.iter().zip(weights).map(|(value, weight)| value * weight);
    let terms: Vec<f64> = terms.filter(|term| !term.is_nan() && *term != 0.0).gather();
    let ways = 1_usize.checked_shl(terms.len() as u32).filter(|&ways| ways <= resamples);
    let draws = ways.unwrap_or(resamples);
    let of = |signs: &mut dyn FnMut() -> u64| {
        let turned = terms.chunks(64).map(|chunk| {
            let bits = signs();
            let each = (0..).zip(chunk);
            each.map(|(at, term)| if bits >> at & 1 == 1 { -term } else { *term }).sum::<f64>()
        });
        turned.sum::<f64>().abs()
    };
    // Sums that are equal but for rounding count as equal.
    let size: f64 = terms.iter().map(|term| term.abs()).sum();
    let least = of(&mut || 0) - size * terms.len() as f64 * f64::EPSILON;
    let parts = over_parts(draws.saturating_mul(terms.len().max(1)), |part| {
        let place = |at: usize| at.div_ceil(terms.len().max(1));
        let draws = place(part.start)..place(part.end);
        let is_as_far = |&draw: &usize| {
            let mut random = stream(seed, Purpose::Signs, draw, 0);
            of(&mut || if ways.is_some() { draw as u64 } else { random.next() }) >= least
        };
        Ok(draws.filter(is_as_far).count())
    })?;
    let far: usize = parts.into_iter().sum();
    Ok(match ways {
        Some(ways) => far as f64 / ways as f64,
        None => (far as f64 + 1.0) / (resamples as f64 + 1.0),
    })
}
