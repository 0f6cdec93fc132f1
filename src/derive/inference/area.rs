//! Intervals of the area under the ROC curve.
//!
//! m positives, n negatives, area A, z the normal quantile of the level:
//!
//! | method | the interval |
//! |---|---|
//! | delong | A ± z √V, cut to [0, 1]; V is DeLong's variance |
//! | logit | ln(A / (1 - A)) ± z √V / (A (1 - A)), mapped back |
//! | `hanley_mcneil` | A ± z √H, cut to [0, 1]; H is the variance of exponential scores |
//! | newcombe | all t with \|A - t\| ≤ z √W(t) |
//! | blended | all t with \|A - t\| ≤ z √(r W(t)) |
//!
//! ```text
//! V = s²(share of the negatives below a positive) / m
//!     + s²(share of the positives above a negative) / n
//! H = A (1 - A) / (m n) (1 + (m - 1) (1 - A) / (2 - A) + (n - 1) A / (1 + A))
//! W(t) = t (1 - t) / (m n) (1 + ((m + n) / 2 - 1) ((1 - t) / (2 - t) + t / (1 + t)))
//! ρ = V / W(A); 1 where V or W(A) is 0 or a class has one row
//! r = ρ if ρ ≥ 1, else (ν ρ + 20) / (ν + 20), ν = min(m, n) - 1
//! ```
//!
//! The blended interval is rocksteady's own and not published. It is DeLong's where there are many
//! rows, Newcombe's where A is 0 or 1, never has zero width, and never leaves [0, 1]. In between,
//! a variance that is smaller than Newcombe's is believed only as far as the rarer class has rows.
//! The tests simulate the coverage of all methods; `docs/interval-methods.md` shows it.
//!
//! DeLong's variance of counts is computed from integers:
//!
//! 1. Each score has a placement: twice the negatives above a positive, with ties counted once;
//!    likewise twice the positives above a negative.
//! 2. Sums of placements and of their squares are added block by block: in 64 bits, relative to the
//!    start of the block, if the block has fewer than 2^15 rows; else in 128 bits.
//! 3. The sums of squares minus the square of the sum are formed in 128 bits, up to 2^32 rows.
//! 4. For more rows, and for weights, the variance is the sum of squared influences. Weights count
//!    as rows. With sampling weights m and n are effective rows.
//!
//! Cost at 1e6 distinct scores: 2 ms, a quarter of sorting them with numpy.
//!
//! Sources: DeLong, DeLong, Clarke-Pearson 1988, doi:10.2307/2531595; Hanley, McNeil 1982,
//! doi:10.1148/radiology.143.1.7063747; Newcombe 2006, doi:10.1002/sim.2324 (method 5).
// Inlining is what compiles the loops for each instruction set.
#![allow(clippy::inline_always)]
// Loops over places of arrays of one known length are what the compiler makes vectors of.
#![allow(clippy::needless_range_loop)]

use crate::base::wide::wide;
use crate::index::spread::{Base, Method};
use crate::index::value::{Outcome, Undefined};
use crate::inference::influence::{Influence, rows_of};
use crate::scores::blocks::{BLOCK, LANES, Running, running};
use crate::scores::ranking::Ranking;
use crate::scores::score_table::Masses;

/// The numbers that an interval of an area needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Area {
    /// The area.
    pub(crate) value: f64,
    /// The positives and the negatives: weights count as rows, sampling weights as effective rows.
    pub(crate) sizes: (f64, f64),
    /// DeLong's variance; `None` where a class has one row only.
    pub(crate) delong: Option<f64>,
}

/// At this size of the rarer class, a variance below Newcombe's is believed by half.
const BLEND: f64 = 20.0;

impl Area {
    /// The numbers of a table; `None` unless both classes have rows.
    pub(crate) fn of(ranking: &Ranking) -> Option<Self> {
        Some(Self {
            value: ranking.roc_auc()?,
            sizes: rows_of(ranking),
            delong: delong_variance(ranking),
        })
    }

    /// The lower and the upper bound, and the standard error of the area; or why there are none.
    pub(crate) fn bounds(&self, method: Method, z: f64) -> Outcome<[f64; 3]> {
        let a = self.value;
        let cut = |error: f64| {
            if error > 0.0 {
                // At a level below one half z is negative, and a bound may leave the range at
                // either end.
                let [low, high] = [a - z * error, a + z * error];
                Ok([low.clamp(0.0, 1.0), high.clamp(0.0, 1.0), error])
            } else {
                Err(Undefined::NoSpread)
            }
        };
        let delong = || Ok(self.delong.ok_or(Undefined::OneRowOfAClass)?.sqrt());
        let scored = |factor: f64| {
            let [low, high] = [z, -z].map(|z| self.where_score_is(z, factor));
            Ok([low, high, (factor * self.newcombe(a)).sqrt()])
        };
        match method {
            Method::DeLong => cut(delong()?),
            Method::HanleyMcNeil => cut(self.hanley_mcneil().sqrt()),
            Method::Logit => {
                let error = delong()?;
                if error <= 0.0 || a <= 0.0 || a >= 1.0 {
                    return Err(Undefined::NoSpread);
                }
                let [low, high] = logit_bounds(a, z * error);
                Ok([low, high, error])
            }
            Method::Newcombe => scored(1.0),
            _ => scored(self.factor()),
        }
    }

    /// The variance of exponential scores with this area.
    pub(crate) fn hanley_mcneil(&self) -> f64 {
        let ((m, n), a) = (self.sizes, self.value);
        let more = (m - 1.0) * (1.0 - a) / (2.0 - a) + (n - 1.0) * a / (1.0 + a);
        a * (1.0 - a) / m * ((1.0 + more) / n)
    }

    /// Newcombe's variance at some area.
    pub(crate) fn newcombe(&self, t: f64) -> f64 {
        let (m, n) = self.sizes;
        let more = f64::midpoint(m, n) - 1.0;
        let more = more * ((1.0 - t) / (2.0 - t) + t / (1.0 + t));
        t * (1.0 - t) / m * ((1.0 + more) / n)
    }

    /// The factor r of Newcombe's variance in the blended interval.
    fn factor(&self) -> f64 {
        self.factor_of(self.delong.unwrap_or(0.0) / self.newcombe(self.value))
    }

    /// The factor r where DeLong's variance is `ratio` times Newcombe's.
    pub(crate) fn factor_of(&self, ratio: f64) -> f64 {
        let (m, n) = self.sizes;
        let rows = (m.min(n) - 1.0).max(0.0);
        if !(ratio.is_finite() && ratio > 0.0) {
            1.0
        } else if ratio >= 1.0 {
            ratio
        } else {
            (rows * ratio + BLEND) / (rows + BLEND)
        }
    }

    /// The t with A - t = z √(factor W(t)): below A for a positive z, above it for a negative one.
    pub(crate) fn where_score_is(&self, z: f64, factor: f64) -> f64 {
        let a = self.value;
        let (mut outer, mut inner) = (if z > 0.0 { 0.0 } else { 1.0 }, a);
        let size = z.abs() * factor.sqrt();
        loop {
            let t = f64::midpoint(outer, inner);
            if t == outer || t == inner {
                return outer;
            }
            if (a - t).abs() > size * self.newcombe(t).sqrt() {
                outer = t;
            } else {
                inner = t;
            }
        }
    }
}

/// The bounds of a share whose distance in logits from the share is `reach` / (share (1 - share)).
pub(crate) fn logit_bounds(share: f64, reach: f64) -> [f64; 2] {
    let rest = 1.0 - share;
    let logits = reach / (share * rest);
    [logits, -logits].map(|less| share / (share + rest * less.exp()))
}

/// DeLong's variance of the area, rounded a few times at the end; `None` where a class has fewer
/// than two rows.
pub(crate) fn delong_variance(ranking: &Ranking) -> Option<f64> {
    let (m, n) = rows_of(ranking);
    if !(m > 1.0 && n > 1.0) {
        return None;
    }
    if let Masses::Counts(positives, negatives) = ranking.masses()
        && m + n <= EXACT_ROWS
    {
        let sums = Sums::of(positives, negatives);
        let [up, down] = sums.spreads(m as u128, n as u128);
        // Each is below 1/4 of the square of its class.
        let (rows, columns) = (2.0 * m, 2.0 * n);
        let up = up as f64 / (columns * columns) / (m * m) / (m - 1.0);
        let down = down as f64 / (rows * rows) / (n * n) / (n - 1.0);
        return Some(up + down);
    }
    // Equal placements leave rounding errors only.
    let spread = |sum: f64| if sum > ROUNDING { sum } else { 0.0 };
    let [up, down] = Influence::of(Base::RocAuc).sums(ranking).values().map(spread);
    Some(up * (m / (m - 1.0)) + down * (n / (n - 1.0)))
}

/// A variance of weights up to this is a rounding error.
const ROUNDING: f64 = 1e-30;

/// Up to this many rows, sums of squares times the rows of a class fit 128 bits.
const EXACT_ROWS: f64 = (1_u64 << 32) as f64;

/// Sums over the positives and over the negatives: of placements, and of their squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sums([[u128; 2]; 2]);

/// A block of fewer rows has sums that fit 64 bits, by products of 32 bits.
const NARROW: u64 = 1 << 15;

/// With fewer distinct scores, sums are formed score by score.
const FEW: usize = 32;

impl Sums {
    fn of(positives: &[u64], negatives: &[u64]) -> Self {
        let mut sums = Self::default();
        let mut copies = Box::new([[0; BLOCK + 1]; 2]);
        let [up, down] = copies.as_mut();
        for start in (0..positives.len()).step_by(BLOCK) {
            let places = start..positives.len().min(start + BLOCK);
            let tp = running(positives, places.clone(), up);
            let fp = running(negatives, places, down);
            let rows = (tp[BLOCK] - tp[0]) + (fp[BLOCK] - fp[0]);
            if rows < NARROW && positives.len() >= FEW {
                let mut lanes = [[0; LANES]; 4];
                add_placements(tp, fp, &mut lanes);
                let [a, aa, b, bb] = lanes.map(|lanes| u128::from(lanes.iter().sum::<u64>()));
                sums.add_block(0, [tp[BLOCK] - tp[0], 2 * fp[0]], [a, aa]);
                sums.add_block(1, [fp[BLOCK] - fp[0], 2 * tp[0]], [b, bb]);
            } else {
                for place in 0..BLOCK {
                    let (p, n) = (tp[place + 1] - tp[place], fp[place + 1] - fp[place]);
                    sums.add_block(0, [p, fp[place] + fp[place + 1]], [0, 0]);
                    sums.add_block(1, [n, tp[place] + tp[place + 1]], [0, 0]);
                }
            }
        }
        sums
    }

    /// Adds the rows of a class in a block: their number, and the sums of `placement - least` and
    /// of its square.
    fn add_block(&mut self, class: usize, [rows, least]: [u64; 2], [sum, squares]: [u128; 2]) {
        let (rows, least) = (u128::from(rows), u128::from(least));
        self.0[class][0] += rows * least + sum;
        self.0[class][1] += (rows * least + 2 * sum) * least + squares;
    }

    /// For each class, its rows times the sum of squares, minus the square of the sum.
    fn spreads(self, m: u128, n: u128) -> [u128; 2] {
        let [up, down] = self.0;
        [up[1] * m - up[0] * up[0], down[1] * n - down[0] * down[0]]
    }
}

wide! {
    fn add_placements[](tp: &Running, fp: &Running, sums: &mut [[u64; LANES]; 4]) -> () = add_placements_body;
}

/// The sums of a block of fewer than [`NARROW`] rows: no count has more than 15 bits, no placement
/// more than 16.
#[inline(always)]
fn add_placements_body(tp: &Running, fp: &Running, sums: &mut [[u64; LANES]; 4]) {
    // One instruction multiplies two halves of 32 bits, on any machine.
    const LOW: u64 = u32::MAX as u64;
    let product = |a: u64, b: u64| (a & LOW) * (b & LOW);
    let (above, wrong) = (2 * tp[0], 2 * fp[0]);
    for start in (0..BLOCK).step_by(LANES) {
        for lane in 0..LANES {
            let place = start + lane;
            let (p, n) = (tp[place + 1] - tp[place], fp[place + 1] - fp[place]);
            let up = fp[place] + fp[place + 1] - wrong;
            let down = tp[place] + tp[place + 1] - above;
            let (a, b) = (product(p, up), product(n, down));
            sums[0][lane] += a;
            sums[1][lane] += product(a, up);
            sums[2][lane] += b;
            sums[3][lane] += product(b, down);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::special::normal_quantile;
    use crate::base::dtype::Number;
    use crate::base::input::LabelKind;
    use crate::base::memory::Gather;
    use crate::inference::influence::tests::ranking;
    use crate::labels::binary::Pair;
    use crate::labels::binary_labels::BinaryLabels;
    use crate::scores::keys::Keys;
    use crate::scores::score_table::ScoreTable;
    use proptest::prelude::*;

    const METHODS: [Method; 5] =
        [Method::Blended, Method::DeLong, Method::Logit, Method::Newcombe, Method::HanleyMcNeil];

    /// A table with these positives and negatives at descending scores.
    fn counted(rows: &[(u64, u64)]) -> Ranking {
        let running = |of: fn(&(u64, u64)) -> u64| {
            let mut sum = 0;
            let each = rows.iter().map(|pair| {
                sum += of(pair);
                sum
            });
            each.gather()
        };
        let masses = Masses::Counts(running(|pair| pair.0), running(|pair| pair.1));
        let keys = (0..rows.len() as u64).map(|i| (1 << 62) - i).gather();
        let labels = BinaryLabels {
            pair: Pair { negative: None, positive: None },
            pos_label: None,
            kind: LabelKind::Int,
        };
        let kind = <f64 as Number>::KIND;
        Ranking::from(ScoreTable::from_sweep(kind, Keys::Wide(keys), masses, labels))
    }

    /// The variance of a mean of placements, each with a number of rows.
    fn variance_of_mean(placements: &[(f64, f64)]) -> f64 {
        let rows: f64 = placements.iter().map(|one| one.1).sum();
        let mean = placements.iter().map(|one| one.0 * one.1).sum::<f64>() / rows;
        let squares = placements.iter().map(|one| one.1 * (one.0 - mean) * (one.0 - mean));
        squares.sum::<f64>() / (rows - 1.0) / rows
    }

    /// DeLong's variance by its definition: for each row, the share of the other class on the right
    /// side.
    fn naive(rows: &[(f64, f64)]) -> f64 {
        let m: f64 = rows.iter().map(|one| one.0).sum();
        let n: f64 = rows.iter().map(|one| one.1).sum();
        let each = |of: &dyn Fn(usize, usize) -> f64| -> Vec<f64> {
            (0..rows.len()).map(|i| (0..rows.len()).map(|j| of(i, j)).sum()).collect()
        };
        let half = |is: bool, tie: bool| f64::from(u8::from(is)) + 0.5 * f64::from(u8::from(tie));
        let up = each(&|i, j| rows[j].1 * half(j > i, i == j) / n);
        let down = each(&|i, j| rows[j].0 * half(j < i, i == j) / m);
        let with = |values: Vec<f64>, of: fn(&(f64, f64)) -> f64| -> Vec<(f64, f64)> {
            values.into_iter().zip(rows.iter().map(of)).collect()
        };
        variance_of_mean(&with(up, |one| one.0)) + variance_of_mean(&with(down, |one| one.1))
    }

    #[test]
    fn bounds_of_a_level_below_one_half_stay_within_the_range() {
        let table = ranking(&[(true, 9.0, 0.25), (false, 9.0, 0.25), (false, 0.0, 0.5)], true);
        let area = Area::of(&table).unwrap();
        let [low, high, _] = area.bounds(Method::HanleyMcNeil, -0.25).unwrap();
        assert_eq!(low, 1.0);
        assert!(high < area.value);
    }

    proptest! {
        #[test]
        fn every_instruction_set_adds_the_same_placements(
            rows in prop::collection::vec((0_u64..3, 0_u64..3), BLOCK),
        ) {
            let (mut tp, mut fp) = ([5; BLOCK + 1], [9; BLOCK + 1]);
            for (place, (p, n)) in rows.into_iter().enumerate() {
                (tp[place + 1], fp[place + 1]) = (tp[place] + p, fp[place] + n + u64::from(p == 0));
            }
            let (mut wide, mut plain) = ([[0; LANES]; 4], [[0; LANES]; 4]);
            add_placements(&tp, &fp, &mut wide);
            add_placements_body(&tp, &fp, &mut plain);
            prop_assert_eq!(wide, plain);
        }

        /// Few scores, many scores, and counts that make the sums of a block wide.
        #[test]
        fn variances_are_those_of_the_placements(
            amounts in prop::collection::vec((0_u64..4, 0_u64..4), 2..600), times in prop::sample::select(vec![1_u64, 1, 1000, 1 << 20]),
        ) {
            let amounts: Vec<(u64, u64)> = amounts.iter().map(|&(p, n)| (p * times, (n + u64::from(p == 0)) * times)).collect();
            let table = counted(&amounts);
            let (m, n) = table.totals();
            prop_assume!(m > 1.0 && n > 1.0);
            let found = delong_variance(&table).unwrap();
            let floats: Vec<(f64, f64)> = amounts.iter().map(|&(p, n)| (p as f64, n as f64)).collect();
            let expected = naive(&floats);
            prop_assert!((found - expected).abs() <= 1e-11 * expected.abs().max(1e-12 / m.min(n)), "{} {}", found, expected);
            // The sums, score by score.
            let Masses::Counts(positives, negatives) = table.masses() else { unreachable!() };
            let (mut one_by_one, mut before) = (Sums::default(), (0, 0));
            for (&tp, &fp) in positives.iter().zip(negatives) {
                one_by_one.add_block(0, [tp - before.0, fp + before.1], [0, 0]);
                one_by_one.add_block(1, [fp - before.1, tp + before.0], [0, 0]);
                before = (tp, fp);
            }
            prop_assert_eq!(Sums::of(positives, negatives), one_by_one);
        }

        /// Every method stays in [0, 1] and has a width, or says why not; a higher level is wider.
        #[test]
        fn intervals_have_a_width_within_the_range(
            given in prop::collection::vec((any::<bool>(), 0_u8..12, 1_u8..4), 2..60), weighted: bool, tail in 0.001_f64..0.6,
        ) {
            let given: Vec<(bool, f64, f64)> = given.iter().map(|&(y, s, w)| (y, f64::from(s), f64::from(w) / 4.0)).collect();
            let table = ranking(&given, weighted);
            let area = Area::of(&table);
            let has = |class: bool| given.iter().any(|row| row.0 == class);
            prop_assert_eq!(area.is_some(), has(true) && has(false));
            let Some(area) = area else { return Ok(()) };
            let z = normal_quantile(tail);
            for method in METHODS {
                match area.bounds(method, z) {
                    Ok([low, high, error]) => {
                        prop_assert!(0.0 <= low.min(high) && low.max(high) <= 1.0, "{method:?} {low} {high}");
                        prop_assert!(low != high || z.abs() < 1e-9, "{method:?} {area:?}");
                        prop_assert!(z < 0.0 || low <= area.value && area.value <= high, "{method:?} {area:?} {low} {high}");
                        prop_assert!(error.is_finite() && error >= 0.0);
                        let [lower, higher, _] = area.bounds(method, z + 1.0).unwrap();
                        prop_assert!(lower <= low && high <= higher);
                    }
                    Err(why) => {
                        prop_assert!(!matches!(method, Method::Blended | Method::Newcombe));
                        let one = area.delong.is_none();
                        prop_assert!(one == (why == Undefined::OneRowOfAClass) || method == Method::HanleyMcNeil);
                    }
                }
            }
        }
    }

    /// Beyond 2^32 rows, and for a thousand million rows, integers and sums of influences agree.
    #[test]
    fn any_number_of_rows_has_a_variance() {
        let shape: Vec<(u64, u64)> = (0..1000).map(|i| (i * 7 % 13, 13 - i * 7 % 13)).collect();
        let small = counted(&shape);
        let rows = small.totals().0 + small.totals().1;
        let relative = |times: u64| {
            let times: Vec<(u64, u64)> =
                shape.iter().map(|&(p, n)| (p * times, n * times)).collect();
            let table = counted(&times);
            let (m, n) = table.totals();
            // DeLong's variance without the corrections of m / (m - 1).
            let mut sums = [0.0; 2];
            Influence::of(Base::RocAuc).each(&table, |at| {
                sums[0] += at.p * at.positive * at.positive;
                sums[1] += at.n * at.negative * at.negative;
            });
            let expected = sums[0] * m / (m - 1.0) + sums[1] * n / (n - 1.0);
            let found = delong_variance(&table).unwrap();
            assert!((found / expected - 1.0).abs() < 1e-12, "{found} {expected}");
            found * (m + n)
        };
        let base = relative(1);
        assert!(rows > 12_000.0);
        // 145,000 rows, where R's pROC once overflowed; 1e9 rows; more than 2^32; near 2^60.
        for times in [12, 77_000, 1 << 20, 1 << 45] {
            assert!((relative(times) / base - 1.0).abs() < 1e-3);
        }
    }

    #[test]
    fn ends_of_the_range_have_intervals() {
        let z = normal_quantile(0.025);
        let of = |amounts: &[(u64, u64)]| Area::of(&counted(amounts)).unwrap();
        let perfect = of(&[(10, 0), (0, 10)]);
        for method in [Method::DeLong, Method::Logit, Method::HanleyMcNeil] {
            assert_eq!(perfect.bounds(method, z), Err(Undefined::NoSpread));
        }
        let [low, high, _] = perfect.bounds(Method::Blended, z).unwrap();
        assert_eq!(perfect.bounds(Method::Newcombe, z).unwrap()[0], low);
        assert!(high == 1.0 && (0.75..0.95).contains(&low), "{low}");
        // The same area from the other end.
        let [lowest, turned, _] = of(&[(0, 10), (10, 0)]).bounds(Method::Blended, z).unwrap();
        assert!(lowest == 0.0 && (turned - (1.0 - low)).abs() < 1e-14);
        // All scores equal.
        let [low, high, _] = of(&[(50, 50)]).bounds(Method::Blended, z).unwrap();
        assert!((low - 0.390).abs() < 5e-4 && (high - 0.610).abs() < 5e-4);
        // One positive.
        let single = of(&[(0, 3), (1, 0), (0, 40)]);
        assert_eq!(single.delong, None);
        assert_eq!(single.bounds(Method::DeLong, z), Err(Undefined::OneRowOfAClass));
        assert!(single.bounds(Method::Blended, z).is_ok());
        assert!(Area::of(&counted(&[(3, 0)])).is_none());
    }
}
