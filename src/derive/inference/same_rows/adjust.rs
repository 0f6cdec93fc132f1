//! Several tests at once: p-values adjusted for the number of tests.

use crate::base::memory::{CopyAll, Gather};

/// How p-values are adjusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adjust {
    /// No adjustment.
    None,
    /// Holm: the chance of any wrong rejection stays below the level.
    Holm,
    /// Benjamini and Hochberg: the expected share of wrong rejections among all rejections stays
    /// below the level.
    BenjaminiHochberg,
}

/// The adjusted p-values; NaN is no test, and does not count as one.
///
/// Sources: Holm 1979, <https://www.jstor.org/stable/4615733>; Benjamini, Hochberg 1995,
/// doi:10.1111/j.2517-6161.1995.tb02031.x.
///
/// ```
/// use rocksteady_derive::inference::same_rows::adjust::{Adjust, adjusted};
/// assert_eq!(adjusted(&[0.25, 0.125, f64::NAN], Adjust::Holm)[..2], [0.25, 0.25]);
/// assert_eq!(adjusted(&[0.25, 0.25], Adjust::BenjaminiHochberg), [0.25, 0.25]);
/// ```
pub fn adjusted(p_values: &[f64], how: Adjust) -> Vec<f64> {
    let mut found = p_values.copy_all();
    let mut order: Vec<usize> = (0..found.len()).filter(|&at| !found[at].is_nan()).gather();
    order.sort_unstable_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let tests = order.len() as f64;
    match how {
        Adjust::None => {}
        Adjust::Holm => {
            let mut most = 0.0_f64;
            for (rank, &at) in order.iter().enumerate() {
                most = most.max((tests - rank as f64) * p_values[at]).min(1.0);
                found[at] = most;
            }
        }
        Adjust::BenjaminiHochberg => {
            let mut least = 1.0_f64;
            for (rank, &at) in order.iter().enumerate().rev() {
                least = least.min(tests / (rank as f64 + 1.0) * p_values[at]);
                found[at] = least;
            }
        }
    }
    found
}
