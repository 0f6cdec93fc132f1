//! Exact draws of binomial and Poisson numbers, and of cells by splitting.
//!
//! 1. A binomial number with a mean below 10 comes from inversion, a larger one from transformed
//!    rejection, which needs no table.
//! 2. A multinomial draw over cells is a binomial draw for each cell, from the draws that the
//!    earlier cells have left. Empty cells cost nothing. The last cell gets the remaining draws.
//!
//! Cost: 10 to 60 ns a number.
//!
//! Sources: Hörmann 1993, doi:10.1080/00949659308811496 (binomial, BTRS); Hörmann 1993,
//! doi:10.1016/0167-6687(93)90997-4 (Poisson, PTRS); Kachitvichyanukul, Schmeiser 1988,
//! doi:10.1145/42372.42381 (inversion).

use std::f64::consts::PI;

use crate::arith::exponential::exp_of_negative;
use crate::arith::logarithm::ln;
use crate::arith::special::ln_1p_less;
use crate::base::interrupt;
use crate::inference::bootstrap::random::Stream;

/// Numbers with a mean below this come from inversion.
const SMALL: f64 = 10.0;

/// The number of successes in `trials`, each with probability `share` (0 to 1).
pub(crate) fn binomial(random: &mut Stream, trials: u64, share: f64) -> u64 {
    if trials == 0 || share <= 0.0 {
        return 0;
    }
    if share >= 1.0 {
        return trials;
    }
    if share > 0.5 {
        return trials - binomial(random, trials, 1.0 - share);
    }
    let n = trials as f64;
    if n * share < SMALL {
        by_inversion(random, trials, share)
    } else {
        (by_rejection(random, n, share) as u64).min(trials)
    }
}

fn by_inversion(random: &mut Stream, trials: u64, share: f64) -> u64 {
    let n = trials as f64;
    let odds = share / (1.0 - share);
    let none = exp_of_negative(n * libm::log1p(-share));
    loop {
        let (mut left, mut term, mut found) = (random.unit(), none, 0_u64);
        // Larger numbers are less likely than 2^-53.
        while found <= 150 {
            if left < term {
                return found.min(trials);
            }
            left -= term;
            found += 1;
            if found > trials {
                break;
            }
            term *= odds * (n - (found - 1) as f64) / found as f64;
        }
    }
}

/// BTRS, for a mean of 10 and more and a share of at most a half.
fn by_rejection(random: &mut Stream, n: f64, share: f64) -> f64 {
    let deviation = (n * share * (1.0 - share)).sqrt();
    let b = 1.15 + 2.53 * deviation;
    let a = -0.0873 + 0.0248 * b + 0.01 * share;
    let c = n * share + 0.5;
    let top = 0.92 - 4.2 / b;
    loop {
        let u = random.unit() - 0.5;
        let v = random.unit();
        let us = 0.5 - u.abs();
        let k = ((2.0 * a / us + b) * u + c).floor();
        if us >= 0.07 && v <= top {
            return k;
        }
        if !(0.0..=n).contains(&k) || v <= 0.0 {
            continue;
        }
        let alpha = (2.83 + 5.1 / b) * deviation;
        let mode = ((n + 1.0) * share).floor();
        let chance = |k: f64| ln_chance(k, n, share);
        if ln(v * alpha / (a / (us * us) + b)) <= chance(k) - chance(mode) {
            return k;
        }
    }
}

/// The logarithm of the probability of k successes, up to a constant.
///
/// It is a sum of distances from the mean, so it keeps its digits where n is large.
fn ln_chance(k: f64, n: f64, share: f64) -> f64 {
    let (a, b) = (k + 1.0, n - k + 1.0);
    let far = (n + 2.0) * share - a;
    let (left, right) = (far / a, -far / b);
    let (less_left, less_right) = (ln_1p_less(left), ln_1p_less(right));
    a * less_left + b * less_right
        - 0.5 * (less_left + left + less_right + right)
        - rest_of_stirling(k)
        - rest_of_stirling(n - k)
}

/// ln k! minus Stirling's ln sqrt(2 pi) + (k + 1/2) ln(k + 1) - (k + 1).
fn rest_of_stirling(k: f64) -> f64 {
    /// The values at 0 to 9.
    const FEW: [f64; 10] = [
        0.081_061_466_795_327_26,
        0.041_340_695_955_409_29,
        0.027_677_925_684_998_34,
        0.020_790_672_103_765_09,
        0.016_644_691_189_821_193,
        0.013_876_128_823_070_748,
        0.011_896_709_945_891_77,
        0.010_411_265_261_972_096,
        0.009_255_462_182_712_733,
        0.008_330_563_433_362_87,
    ];
    if k < 10.0 {
        return FEW[k as usize];
    }
    let (one, square) = (k + 1.0, (k + 1.0) * (k + 1.0));
    (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / 1260.0 / square) / square) / one
}

pub(crate) fn poisson(random: &mut Stream, mean: f64) -> u64 {
    interrupt::check();
    if mean <= 0.0 {
        return 0;
    }
    if mean < SMALL {
        let none = exp_of_negative(-mean);
        loop {
            let (mut left, mut term, mut found) = (random.unit(), none, 0_u64);
            while found <= 150 {
                if left < term {
                    return found;
                }
                left -= term;
                found += 1;
                term *= mean / found as f64;
            }
        }
    }
    let root = mean.sqrt();
    let b = 0.931 + 2.53 * root;
    let a = -0.059 + 0.02483 * b;
    let inverse = 1.1239 + 1.1328 / (b - 3.4);
    let top = 0.9277 - 3.6224 / (b - 2.0);
    loop {
        let u = random.unit() - 0.5;
        let v = random.unit();
        let us = 0.5 - u.abs();
        let k = ((2.0 * a / us + b) * u + mean + 0.43).floor();
        if us >= 0.07 && v <= top {
            return k as u64;
        }
        if k < 0.0 || v <= 0.0 || (us < 0.013 && v > us) {
            continue;
        }
        // ln of mean^k e^-mean / k!, as distances from the mean.
        let far = (mean - (k + 1.0)) / (k + 1.0);
        let less = ln_1p_less(far);
        let chance =
            (k + 1.0) * less - 0.5 * (less + far) - 0.5 * ln(2.0 * PI * mean) - rest_of_stirling(k);
        if ln(v * inverse / (a / (us * us) + b)) <= chance {
            return k as u64;
        }
    }
}

/// Splits `draws` over cells in proportion to their counts, which add up to `total`. Hands the
/// place and the draws of each cell to `put`, in their order.
pub(crate) fn split(
    random: &mut Stream,
    draws: u64,
    total: u64,
    cells: impl Iterator<Item = u64>,
    mut put: impl FnMut(usize, u64),
) {
    let (mut draws, mut total) = (draws, total);
    for (place, cell) in cells.enumerate() {
        interrupt::check();
        let found =
            if cell >= total { draws } else { binomial(random, draws, cell as f64 / total as f64) };
        put(place, found);
        draws -= found;
        total -= cell.min(total);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::special::{chi_squared_upper_tail, ln_gamma};
    use crate::inference::bootstrap::random::{Purpose, stream};

    /// A chi-squared test of how often each number is drawn, over the numbers expected at least
    /// five times.
    fn fits(draw: impl Fn(&mut Stream) -> u64, chance: impl Fn(f64) -> f64, name: &str) {
        const DRAWS: usize = 200_000;
        let mut random = stream(7, Purpose::Cells, 0, 0);
        let mut found = std::collections::BTreeMap::new();
        for _ in 0..DRAWS {
            *found.entry(draw(&mut random)).or_insert(0_u32) += 1;
        }
        let (mut statistic, mut freedom) = (0.0, -1.0);
        for (&number, &times) in &found {
            let expected = DRAWS as f64 * chance(number as f64);
            if expected >= 5.0 {
                statistic += (f64::from(times) - expected).powi(2) / expected;
                freedom += 1.0;
            }
        }
        let p = chi_squared_upper_tail(statistic, freedom);
        assert!(p > 1e-4, "{name}: {statistic} {freedom} {p}");
    }

    #[test]
    fn binomial_numbers_have_their_probabilities() {
        let cases: [(u64, f64); 9] = [
            (1, 0.3),
            (7, 0.5),
            (40, 0.02),
            (25, 0.45),
            (40, 0.9),
            (1000, 0.011),
            (1000, 0.3),
            (100_000, 0.0007),
            (3000, 0.77),
        ];
        for (n, share) in cases {
            let size = n as f64;
            let all = ln_gamma(size + 1.0);
            let chance = |k: f64| {
                let ways = all - ln_gamma(k + 1.0) - ln_gamma(size - k + 1.0);
                (ways + k * share.ln() + (size - k) * (1.0 - share).ln()).exp()
            };
            fits(|random| binomial(random, n, share), chance, &format!("{n} {share}"));
        }
    }

    #[test]
    fn poisson_numbers_have_their_probabilities() {
        for mean in [0.1, 1.0, 9.5, 10.5, 40.0, 1000.0] {
            let chance = |k: f64| (k * f64::ln(mean) - mean - ln_gamma(k + 1.0)).exp();
            fits(|random| poisson(random, mean), chance, &format!("{mean}"));
        }
    }

    /// Mean and variance of numbers near 2^60, which are beyond the integers of `f64`.
    #[test]
    fn very_large_numbers_keep_their_mean_and_variance() {
        let mut random = stream(3, Purpose::Cells, 0, 0);
        let n = 1_u64 << 60;
        let mut z = [0.0; 2];
        let mut squares = [0.0; 2];
        for _ in 0..20_000 {
            let share = 0.25;
            let found = binomial(&mut random, n, share);
            let deviation = (n as f64 * share * 0.75).sqrt();
            let drawn = poisson(&mut random, n as f64);
            let far = [
                (found as f64 - n as f64 * share) / deviation,
                (drawn as f64 - n as f64) / (n as f64).sqrt(),
            ];
            for place in 0..2 {
                z[place] += far[place] / 20_000.0;
                squares[place] += far[place] * far[place] / 20_000.0;
            }
        }
        for place in 0..2 {
            assert!(z[place].abs() < 0.03, "{z:?}");
            assert!((squares[place] - 1.0).abs() < 0.05, "{squares:?}");
        }
    }

    #[test]
    fn a_split_gives_every_draw_to_a_cell_that_is_not_empty() {
        let mut random = stream(9, Purpose::Cells, 0, 0);
        for cells in [vec![5, 0, 3, 0], vec![0, 0], vec![1], vec![], vec![1 << 59, 1, 1 << 59]] {
            let total = cells.iter().sum::<u64>();
            let mut found = 0;
            split(&mut random, total, total, cells.iter().copied(), |place, draws| {
                assert!(cells[place] > 0 || draws == 0);
                found += draws;
            });
            assert_eq!(found, total);
        }
    }
}
