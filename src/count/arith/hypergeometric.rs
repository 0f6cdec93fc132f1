//! Mutual information expected by chance: the mean of (x / n) ln(x / mean of x).
//!
//! A group of `a` rows and a group of `b` rows are drawn at random from `n` rows. x is the number
//! of rows that are in both.
//!
//! 1. If the mean of x is below 200 u, or below 25, add up the terms outwards from the most likely
//!    x, by the ratios of neighbouring probabilities. Stop when these are negligible, after a few
//!    standard deviations.
//! 2. If the mean is larger, d = x / mean - 1 is small. Then (1 + d) ln(1 + d) becomes a series of
//!    central moments, and each moment follows from the ones before it.
//!
//! With h = 1 / mean, u = (1 - a/n) (1 - b/n), v = (a/n) (b/n) and w = a/n + b/n - 2 v, the moments
//! M of d satisfy
//!
//! ```text
//! (1 + d) ln(1 + d) = d + d^2/2 - d^3/6 + d^4/12 - ...
//! (1 - k/n) M[k+1] = k h (u M[k-1] - w M[k])
//!     + sum_(j <= k-2) C(k,j) h^(k-j) (u M[j] - w M[j+1] + v M[j+2])
//! ```
//!
//! (from p(x + 1) (x + 1) (n - a - b + x + 1) = p(x) (a - x) (b - x), both sides times d^k and
//! summed). The series is asymptotic. From a mean of 200 u on, its terms become smaller than
//! rounding errors after 6 to 30 terms, long before they grow again. The sum stops there.
//!
//! Cost: 4 ns per x for the sum; 30 ns per pair of groups for the series, with sixteen pairs at
//! once.
//!
//! Source: Vinh, Epps, Bailey 2010, for the formula; the two ways to compute it are our own.
//!
//! Tried and rejected:
//!
//! - all x of all pairs: 7 µs for a pair with a mean of 500;
//! - only the first four moments: accurate only from a variance of 10^6 on.

#![allow(clippy::inline_always)] // Only inlined loops are compiled for each instruction set.

use crate::arith::logarithm::sum_of_logs;
use crate::base::memory::Gather;
use crate::base::wide::wide;

const LANES: usize = 16;

type Lanes = [f64; LANES];

/// The series is accurate from this mean over u on.
const LARGE: f64 = 200.0;

/// The series is accurate from this mean on.
const SMALL: f64 = 25.0;

/// The last moment of the series.
const LAST: usize = 40;

/// The coefficients of binomials, C(k, j) at `[k][j]`; all are exact.
static BINOMIALS: [[f64; LAST + 1]; LAST + 1] = {
    let mut all = [[0.0; LAST + 1]; LAST + 1];
    let mut k = 0;
    while k <= LAST {
        all[k][0] = 1.0;
        let mut j = 1;
        while j <= k {
            all[k][j] = all[k - 1][j - 1] + all[k - 1][j];
            j += 1;
        }
        k += 1;
    }
    all
};

/// Mutual information, in nats, that chance gives two groupings of `n` rows with these group sizes.
pub fn expected_information(one: &[f64], other: &[f64], n: f64) -> f64 {
    let terms = Information::new(sizes(other), n);
    let of_groups = sizes(one).into_iter();
    let sum: f64 = of_groups.map(|(a, of_a)| of_a * terms.of(a)).sum();
    sum.max(0.0)
}

/// The distinct sizes of groups, and the number of groups of each size.
fn sizes(groups: &[f64]) -> Vec<(f64, f64)> {
    let mut sizes: Vec<f64> = groups.iter().copied().filter(|&x| x > 0.0).gather();
    sizes.sort_unstable_by(f64::total_cmp);
    sizes
        .chunk_by(|one, next| one == next)
        .filter_map(|equal| equal.first().map(|&size| (size, equal.len() as f64)))
        .gather()
}

/// [`expected_information`] for many tables of two groups each: the size of one group of either
/// grouping, and of the rest. Four tables fill the lanes of the series.
pub fn expected_of_twos(tables: &[[[f64; 2]; 2]], to: &mut [f64]) {
    /// Groups that hold all rows: their expected information is 0.
    const NOTHING: f64 = 1e6;
    for (tables, to) in tables.chunks(LANES / 4).zip(to.chunks_mut(LANES / 4)) {
        let mut values = [0.0; LANES];
        let [mut of_a, mut of_b, mut of_n] = [[NOTHING; LANES]; 3];
        let mut any_is_large = false;
        for lane in 0..4 * tables.len() {
            let [one, other] = tables[lane / 4];
            let (a, b, n) = (one[lane / 2 % 2], other[lane % 2], one[0] + one[1]);
            if a <= 0.0 || b <= 0.0 || a >= n {
                continue;
            }
            if is_large(a, b, n) {
                (of_a[lane], of_b[lane], of_n[lane]) = (a, b, n);
                any_is_large = true;
            } else {
                values[lane] = direct(a, b, n);
            }
        }
        if any_is_large {
            let found = series(&of_a, &of_b, &of_n);
            values.iter_mut().zip(found).for_each(|(value, found)| *value += found);
        }
        for (to, values) in to.iter_mut().zip(values.chunks_exact(4)) {
            *to = ((values[0] + values[1]) + (values[2] + values[3])).max(0.0);
        }
    }
}

/// Whether the series is accurate: the relative variance of x is small and its mean large.
fn is_large(a: f64, b: f64, n: f64) -> bool {
    let mean = a * (b / n);
    mean >= SMALL && mean >= LARGE * (((n - a) / n) * ((n - b) / n))
}

/// The expected information of one group with each of several others, summed.
struct Information {
    /// Sizes in ascending order, each with its number of groups.
    groups: Vec<(f64, f64)>,
    n: f64,
}

impl Information {
    /// `groups` are ascending sizes, each with its number of groups; `n` is the number of rows.
    fn new(groups: Vec<(f64, f64)>, n: f64) -> Self {
        Self { groups, n }
    }

    /// The sum for a group of `a` rows.
    fn of(&self, a: f64) -> f64 {
        let (groups, n) = (&self.groups, self.n);
        if a >= n {
            return 0.0;
        }
        let large = groups.partition_point(|&(b, _)| !is_large(a, b, n));
        let (small, large) = groups.split_at(large);
        let summed: f64 = small.iter().map(|&(b, of_b)| of_b * direct(a, b, n)).sum();
        let expanded: f64 = large
            .chunks(LANES)
            .map(|part| {
                let lane = |lane: usize| part.get(lane).copied().unwrap_or((n, 0.0));
                let groups: [(f64, f64); LANES] = std::array::from_fn(lane);
                let terms = series(&[a; LANES], &groups.map(|(b, _)| b), &[n; LANES]);
                let terms = terms.iter().zip(groups);
                terms.map(|(term, (_, of_b))| of_b * term).sum::<f64>()
            })
            .sum();
        summed + expanded
    }
}

/// The value of one pair of groups, summed over x.
fn direct(a: f64, b: f64, n: f64) -> f64 {
    /// A term whose probability is below this share of the largest is lost in rounding.
    const NEGLIGIBLE: f64 = 1e-18;
    if b >= n {
        return 0.0;
    }
    let mean = a * (b / n);
    let others = n - a - b; // rows in neither group, minus rows in both
    let (least, most) = ((a + b - n).max(0.0), a.min(b));
    let mode = ((a + 1.0) * ((b + 1.0) / (n + 2.0))).floor().clamp(least, most);
    let more = std::iter::successors(Some((mode, 1.0)), |&(x, weight)| {
        let next = weight * ((a - x) / (others + x + 1.0) * ((b - x) / (x + 1.0)));
        (x < most && weight > NEGLIGIBLE).then_some((x + 1.0, next))
    });
    let fewer = std::iter::successors(Some((mode, 1.0)), |&(x, weight)| {
        let next = weight * (x / (a - x + 1.0) * ((others + x) / (b - x + 1.0)));
        (x > least && weight > NEGLIGIBLE).then_some((x - 1.0, next))
    });
    let mut weights = 0.0;
    let sum = sum_of_logs(more.chain(fewer.skip(1)).map(|(x, weight)| {
        weights += weight;
        (weight * x, x, mean)
    }));
    sum / weights / n
}

wide! {
    /// The values of pairs of groups, by the series.
    fn series[](a: &Lanes, b: &Lanes, n: &Lanes) -> Lanes = series_of;
}

#[inline(always)]
fn series_of(a: &Lanes, b: &Lanes, n: &Lanes) -> Lanes {
    let (mut h, mut u, mut v, mut w) = ([0.0; LANES], [0.0; LANES], [0.0; LANES], [0.0; LANES]);
    for lane in 0..LANES {
        let (a, b, n) = (a[lane], b[lane], n[lane]);
        let (of_a, of_b) = (a / n, b / n);
        let (not_a, not_b) = ((n - a) / n, (n - b) / n);
        h[lane] = 1.0 / (a * of_b);
        u[lane] = not_a * not_b;
        v[lane] = of_a * of_b;
        w[lane] = of_a * not_b + of_b * not_a;
    }
    // `moments` are M, and `steps` are u M[j] - w M[j+1] + v M[j+2].
    let mut moments = [[0.0; LANES]; LAST + 1];
    let mut steps = [[0.0; LANES]; LAST + 1];
    moments[0] = [1.0; LANES];
    let mut sums = [0.0; LANES];
    for k in 1..LAST {
        let kf = k as f64;
        let mut next = [0.0; LANES];
        for (binomial, step) in BINOMIALS[k].iter().zip(&steps[..k - 1]) {
            for lane in 0..LANES {
                next[lane] = (next[lane] + binomial * step[lane]) * h[lane];
            }
        }
        // The loop's terms have at least h²; the last factor of h follows below.
        let (before, last) = (moments[k - 1], moments[k]);
        let sign = if k % 2 == 1 { 1.0 } else { -1.0 };
        let scale = sign / (kf * (kf + 1.0));
        let mut done = true;
        for lane in 0..LANES {
            let own = u[lane] * before[lane] - w[lane] * last[lane];
            let moment = (next[lane] + kf * own) * h[lane] / (1.0 - kf / n[lane]);
            moments[k + 1][lane] = moment;
            steps[k - 1][lane] = own + v[lane] * moment;
            let term = scale * moment;
            sums[lane] += term;
            done &= term.abs() <= 1e-17 * sums[lane];
        }
        if done && k % 2 == 1 {
            break;
        }
    }
    let mut values = [0.0; LANES];
    for lane in 0..LANES {
        values[lane] = sums[lane] / (h[lane] * n[lane]);
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum over all x that matter, without the first moment, which is 0.
    fn by_sum(a: f64, b: f64, n: f64) -> f64 {
        let mode = ((a + 1.0) * (b + 1.0) / (n + 2.0)).floor();
        let surplus = |x: f64| {
            let d = (x * n - a * b) / (a * b);
            if x == 0.0 { 1.0 } else { (1.0 + d) * d.ln_1p() - d }
        };
        let (mut weights, mut sum) = (1.0, surplus(mode));
        let (mut x, mut weight) = (mode, 1.0);
        while weight > 1e-25 && x < a.min(b) {
            weight *= (a - x) * (b - x) / ((x + 1.0) * (n - a - b + x + 1.0));
            x += 1.0;
            weights += weight;
            sum += weight * surplus(x);
        }
        (x, weight) = (mode, 1.0);
        while weight > 1e-25 && x > (a + b - n).max(0.0) {
            weight *= x * (n - a - b + x) / ((a - x + 1.0) * (b - x + 1.0));
            x -= 1.0;
            weights += weight;
            sum += weight * surplus(x);
        }
        sum / weights * (a * b / n / n)
    }

    #[test]
    fn the_series_is_the_sum() {
        for (a, b, n) in [
            (2_000.0, 2_000.0, 20_000.0),
            (1_000.0, 200.0, 1_000.0),
            (49_000.0, 51_234.0, 5e6),
            (5_000.0, 5_500.0, 10_000.0),
            (9_000.0, 8_000.0, 10_000.0),
            (201.0, 99_000.0, 99_100.0),
            (200.0, 1e9, 1e9),
            (14_143.0, 14_143.0, 1e6),
            (1e6, 200.5e6, 1e12),
            (3e7, 4e7, 1e9),
            (330.0, 340.0, 1_000.0),
            (77.0, 27.0, 79.0),
            (111.0, 112.0, 113.0),
            (94.0, 169.0, 170.0),
        ] {
            let sum = by_sum(a, b, n);
            let series = series(&[a; LANES], &[b; LANES], &[n; LANES])[0];
            assert!((series - sum).abs() <= 3e-13 * sum, "{a} {b} {n}: {series:e} {sum:e}");
        }
    }

    #[test]
    fn the_sum_over_x_is_the_naive_one() {
        for (a, b, n) in [
            (1.0, 1.0, 2.0),
            (3.0, 4.0, 9.0),
            (6.0, 7.0, 10.0),
            (50.0, 60.0, 70.0),
            (300.0, 2_000.0, 5_000.0),
            (1_999.0, 1_999.0, 20_000.0),
            (100.0, 100.0, 100.0),
        ] {
            let (direct, sum) = (direct(a, b, n), by_sum(a, b, n));
            assert!((direct - sum).abs() <= 1e-12 * sum + 1e-17, "{a} {b} {n}: {direct:e} {sum:e}");
        }
    }

    #[test]
    fn groups_add_up_on_either_side_of_the_limit() {
        let groups: Vec<(f64, f64)> = (1..40).map(|k| (f64::from(k * k), 2.0)).collect();
        let n: f64 = groups.iter().map(|(b, of_b)| b * of_b).sum();
        for a in [1.0, 5_000.0, 20_000.0, n] {
            let sum: f64 = groups.iter().map(|&(b, of_b)| of_b * by_sum(a, b, n)).sum();
            let together = Information::new(groups.clone(), n).of(a);
            assert!((together - sum).abs() <= 1e-12 * sum + 1e-15, "{together:e} {sum:e}");
        }
    }

    #[test]
    fn tables_of_two_groups_are_those_of_any() {
        let tables: Vec<[[f64; 2]; 2]> = [
            (0.0, 3.0, 7.0),
            (7.0, 3.0, 7.0),
            (1.0, 1.0, 2.0),
            (400.0, 500.0, 1000.0),
            (30.0, 900.0, 1000.0),
            (5e7, 1e8, 1e9),
            (250.0, 250.0, 500.0),
            (999.0, 1.0, 1000.0),
            (12.0, 12.0, 24.0),
        ]
        .map(|(a, b, n): (f64, f64, f64)| [[a, n - a], [n - b, b]])
        .to_vec();
        let mut together = vec![0.0; tables.len()];
        expected_of_twos(&tables, &mut together);
        for (&[one, other], &found) in tables.iter().zip(&together) {
            let alone = expected_information(&one, &other, one[0] + one[1]);
            assert!((found - alone).abs() <= 1e-15 * alone, "{one:?} {other:?}");
            let mut by_itself = [0.0];
            expected_of_twos(&[[one, other]], &mut by_itself);
            assert_eq!(by_itself[0].to_bits(), found.to_bits());
        }
    }
}
