//! The receiver operating characteristic, read from a score table: its points, and the area under part of it.
// Loop bodies must be inlined to be compiled for wider instructions, and corners cannot be predicted.
#![allow(clippy::inline_always, clippy::needless_bitwise_bool)]

use std::ops::Range;

use crate::base::dtype::Number;
use crate::base::wide::wide;
use crate::labels::view::BinaryCounts;
use crate::scores::keys::f64_of;
use crate::scores::score_table::{Amounts, Keys, ScoreTable};

/// The points of a curve from (0, 0) to (1, 1); entry i holds the rates at `score ≥ thresholds[i]`.
#[derive(Clone, Debug, PartialEq)]
pub struct RocCurve {
    /// False positive rate, FP / N; NaN throughout if there are no negatives.
    pub fpr: Vec<f64>,
    /// True positive rate, TP / P; NaN throughout if there are no positives.
    pub tpr: Vec<f64>,
    /// Scores, high to low, after ∞.
    pub thresholds: Vec<f64>,
}

impl ScoreTable {
    /// The four counts at ∞, where nothing is predicted positive, and at every distinct score from high to low.
    pub fn every_counts(&self) -> impl Iterator<Item = BinaryCounts> + '_ {
        let (positives, negatives) = self.totals();
        let nothing = BinaryCounts {
            fn_: positives,
            tn: negatives,
            ..BinaryCounts::default()
        };
        std::iter::once(nothing).chain((0..self.len()).map(|place| self.counts_at(place)))
    }

    /// The points of the ROC curve (Fawcett 2006, doi:10.1016/j.patrec.2005.10.010), made in the table's own memory.
    ///
    /// With `drop_intermediate` an inner point is left out where both counts change by as much after it as before it: it lies
    /// on the straight line between its neighbours.
    pub fn into_roc_curve(self, drop_intermediate: bool) -> RocCurve {
        let (positives, negatives) = self.totals();
        let (keys, kind, amounts) = self.into_parts();
        let len = keys.len();
        let mut thresholds: Vec<u64> = match keys {
            Keys::Wide(keys) => keys,
            Keys::Narrow(keys) => keys.into_iter().map(u64::from).collect(),
        };
        let (tpr, fpr) = match amounts {
            Amounts::Counts {
                positives: mut tp,
                negatives: mut fp,
            } => {
                if drop_intermediate {
                    drop_straight(&mut tp, &mut fp, &mut thresholds, u64::wrapping_sub);
                }
                let rates = |total| move |counts: &mut [u64]| count_rates(counts, total);
                (
                    floats(start(positives), tp, rates(positives)),
                    floats(start(negatives), fp, rates(negatives)),
                )
            }
            Amounts::Weights(sums) => {
                let bits = |places: Range<usize>| places.map(|at| sums.get(at).to_bits()).collect();
                let (mut tp, mut fp) = (bits(0..len), bits(len..2 * len));
                if drop_intermediate {
                    let gap = |a, b| (f64::from_bits(a) - f64::from_bits(b)).to_bits();
                    drop_straight(&mut tp, &mut fp, &mut thresholds, gap);
                }
                let rates = |total| move |weights: &mut [u64]| weight_rates(weights, total);
                (
                    floats(start(positives), tp, rates(positives)),
                    floats(start(negatives), fp, rates(negatives)),
                )
            }
        };
        let thresholds = floats(f64::INFINITY, thresholds, |keys| {
            if kind == f64::KIND {
                scores(keys);
            } else {
                for key in keys {
                    *key = kind.score(*key).to_bits();
                }
            }
        });
        RocCurve {
            fpr,
            tpr,
            thresholds,
        }
    }

    /// The area under the ROC curve up to a false positive rate in (0, 1], standardized so that ½ is chance and 1 is perfect
    /// (McClish 1989, doi:10.1177/0272989X8900900307): `½ (1 + (A − r²/2) / (r − r²/2))`. At 1 it is the whole
    /// area.
    ///
    /// `None` without positives or without negatives.
    pub fn partial_auc(&self, max_fpr: f64) -> Option<f64> {
        if max_fpr >= 1.0 {
            return self.roc_auc();
        }
        let (positives, negatives) = self.totals();
        if !(positives > 0.0 && negatives > 0.0) {
            return None;
        }
        let (mut area, mut before) = (0.0, (0.0, 0.0));
        for (_, tp, fp) in self.steps() {
            let (fpr, tpr) = (fp / negatives, tp / positives);
            let width = fpr.min(max_fpr) - before.0;
            // The line is cut where it crosses the last rate that counts.
            let height = if fpr > max_fpr {
                before.1 + (tpr - before.1) * (width / (fpr - before.0))
            } else {
                tpr
            };
            area += width * f64::midpoint(before.1, height);
            if fpr >= max_fpr {
                break;
            }
            before = (fpr, tpr);
        }
        let chance = 0.5 * max_fpr * max_fpr;
        Some(0.5 * (1.0 + (area - chance) / (max_fpr - chance)))
    }
}

/// The doubles of these keys, in the keys' own memory.
pub(crate) fn doubles(mut keys: Vec<u64>) -> Vec<f64> {
    scores(&mut keys);
    keys.into_iter().map(f64::from_bits).collect()
}

/// The rate at which a curve starts: of nothing there is none.
fn start(total: f64) -> f64 {
    if total > 0.0 { 0.0 } else { f64::NAN }
}

/// Numbers turned into bits of floats by `convert`, after one more float at the front, all in the numbers' own memory: block by
/// block from the end, moved by one place and converted while in cache. Collecting elements of one size reuses their memory.
fn floats(first: f64, mut bits: Vec<u64>, convert: impl Fn(&mut [u64])) -> Vec<f64> {
    const BLOCK: usize = 1024;
    let mut end = bits.len();
    bits.push(0);
    while end > 0 {
        let start = end.saturating_sub(BLOCK);
        bits.copy_within(start..end, start + 1);
        convert(&mut bits[start + 1..=end]);
        end = start;
    }
    bits[0] = first.to_bits();
    bits.into_iter().map(f64::from_bits).collect()
}

/// Leaves out the inner points that lie on the straight line between their neighbours; `gap` is the difference of two amounts.
fn drop_straight(
    tp: &mut Vec<u64>,
    fp: &mut Vec<u64>,
    thresholds: &mut Vec<u64>,
    gap: impl Fn(u64, u64) -> u64,
) {
    let len = thresholds.len();
    if len < 3 {
        return;
    }
    let (mut before, mut here) = ((tp[0], fp[0]), (tp[1], fp[1]));
    let mut kept = 1;
    for place in 1..len - 1 {
        let after = (tp[place + 1], fp[place + 1]);
        // Written always, kept if it is a corner: which it is cannot be predicted.
        (tp[kept], fp[kept]) = here;
        thresholds[kept] = thresholds[place];
        let straight = (gap(after.0, here.0) == gap(here.0, before.0))
            & (gap(after.1, here.1) == gap(here.1, before.1));
        kept += usize::from(!straight);
        (before, here) = (here, after);
    }
    (tp[kept], fp[kept]) = here;
    thresholds[kept] = thresholds[len - 1];
    tp.truncate(kept + 1);
    fp.truncate(kept + 1);
    thresholds.truncate(kept + 1);
}

/// Counts as bits of their share in `total`. Below 2^52 they become floats by filling the mantissa of 2^52, which vectors can
/// do; else one by one.
#[inline(always)]
fn count_rates_body(counts: &mut [u64], total: f64) {
    const TWO_52: u64 = 1 << 52;
    let total = if total > 0.0 { total } else { f64::NAN };
    if counts.last().is_some_and(|&greatest| greatest < TWO_52) {
        let high = (TWO_52 as f64).to_bits();
        for count in counts {
            let float = f64::from_bits(high | (*count & (TWO_52 - 1))) - TWO_52 as f64;
            *count = (float / total).to_bits();
        }
    } else {
        for count in counts {
            *count = (*count as f64 / total).to_bits();
        }
    }
}

/// Weights, as bits, as bits of their share in `total`.
#[inline(always)]
fn weight_rates_body(weights: &mut [u64], total: f64) {
    let total = if total > 0.0 { total } else { f64::NAN };
    for weight in weights {
        *weight = (f64::from_bits(*weight) / total).to_bits();
    }
}

/// Keys of doubles as bits of the doubles.
#[inline(always)]
fn scores_body(keys: &mut [u64]) {
    for key in keys {
        *key = f64_of(*key).to_bits();
    }
}

wide! {
    fn count_rates[](counts: &mut [u64], total: f64) -> () = count_rates_body;
    fn weight_rates[](weights: &mut [u64], total: f64) -> () = weight_rates_body;
    fn scores[](keys: &mut [u64]) -> () = scores_body;
}

#[cfg(test)]
mod tests {
    use crate::base::column::Column;
    use crate::base::input::{Labels, Scores};
    use crate::labels::view::BinaryCounts;
    use crate::scores::rank::rows::RankOptions;
    use crate::scores::rank::sweep::score_table;
    use crate::scores::score_table::ScoreTable;

    fn table(y: &[u8], s: &[f64]) -> ScoreTable {
        let (y, s) = (
            Labels::U8(Column::from_slice(y)),
            Scores::F64(Column::from_slice(s)),
        );
        score_table(&y, &s, None, &RankOptions::default()).unwrap()
    }

    #[test]
    fn points_of_the_second_papers_example() {
        let y = [1, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0];
        let s = [0.5, 0.6, 0.2, 0.9, 0.5, 0.3, 0.1, 0.7, 0.3, 0.9, 0.5];
        // scikit-learn 1.9, roc_curve with drop_intermediate on.
        let curve = table(&y, &s).into_roc_curve(true);
        assert_eq!(curve.thresholds, [f64::INFINITY, 0.9, 0.6, 0.5, 0.3, 0.1]);
        assert_eq!(curve.tpr, [0.0, 0.4, 0.8, 1.0, 1.0, 1.0]);
        assert_eq!(curve.fpr, [0.0, 0.0, 0.0, 2.0 / 6.0, 4.0 / 6.0, 1.0]);
        assert_eq!(table(&y, &s).into_roc_curve(false).thresholds.len(), 8);
        let counts: Vec<_> = table(&y, &s).every_counts().collect();
        assert_eq!((counts[0].tp, counts[0].fn_, counts[0].tn), (0.0, 5.0, 6.0));
        assert_eq!((counts[7].tp, counts[7].fp), (5.0, 6.0));
        for start in 0..8 {
            let mut some = vec![BinaryCounts::default(); (8 - start).min(3)];
            table(&y, &s).fill_counts(start, &mut some);
            assert_eq!(some, counts[start..][..some.len()]);
        }
    }

    #[test]
    fn partial_areas() {
        // scikit-learn 1.9: roc_auc_score([0, 0, 1, 1], [.1, .4, .35, .8], max_fpr=…).
        let table = table(&[0, 0, 1, 1], &[0.1, 0.4, 0.35, 0.8]);
        let close =
            |rate: f64, value: f64| (table.partial_auc(rate).unwrap() - value).abs() < 1e-15;
        assert!(close(1.0, 0.75));
        assert!(close(0.5, 2.0 / 3.0));
        assert!(close(0.25, 0.714_285_714_285_714_3));
    }

    #[test]
    fn one_class_has_no_rates_of_the_other() {
        let curve = table(&[0, 0], &[0.1, 0.2]).into_roc_curve(false);
        assert!(curve.tpr.iter().all(|rate| rate.is_nan()));
        assert_eq!(curve.fpr, [0.0, 0.5, 1.0]);
        assert_eq!(table(&[0, 0], &[0.1, 0.2]).partial_auc(0.5), None);
    }
}
