//! The receiver operating characteristic, read from a score table: its points, and the area under part of it.
// Loop bodies must be inlined to be compiled for wider instructions, and corners cannot be predicted.
#![allow(clippy::inline_always, clippy::needless_bitwise_bool)]

use std::ops::Range;

use super::score_table::{Amounts, Keys, ScoreTable};
use super::view::BinaryCounts;
use crate::kernel::keys::{ScoreKind, f64_of};
use crate::kernel::wide::wide;

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
        // From here on counts are the bits of an `f64`, or about to be.
        let (mut tp, mut fp) = match amounts {
            Amounts::Counts {
                mut positives,
                mut negatives,
            } => {
                count_bits(&mut positives);
                count_bits(&mut negatives);
                (positives, negatives)
            }
            Amounts::Weights(sums) => {
                let bits = |places: Range<usize>| places.map(|at| sums.get(at).to_bits()).collect();
                (bits(0..keys.len()), bits(keys.len()..2 * keys.len()))
            }
        };
        let mut thresholds: Vec<u64> = match keys {
            Keys::Wide(keys) => keys,
            Keys::Narrow(keys) => keys.into_iter().map(u64::from).collect(),
        };
        if drop_intermediate {
            drop_straight(&mut tp, &mut fp, &mut thresholds);
        }
        rate_bits(&mut tp, positives);
        rate_bits(&mut fp, negatives);
        if kind == ScoreKind::F64 {
            score_bits(&mut thresholds);
        } else {
            for key in &mut thresholds {
                *key = kind.score(*key).to_bits();
            }
        }
        let start = |total: f64| if total > 0.0 { 0.0 } else { f64::NAN };
        RocCurve {
            fpr: floats(start(negatives), fp),
            tpr: floats(start(positives), tp),
            thresholds: floats(f64::INFINITY, thresholds),
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

/// Bits of floats as floats, after one more at the front. Collecting numbers of one size reuses their memory.
fn floats(first: f64, bits: Vec<u64>) -> Vec<f64> {
    let mut floats: Vec<f64> = bits.into_iter().map(f64::from_bits).collect();
    floats.insert(0, first);
    floats
}

/// Leaves out the inner points that lie on the straight line between their neighbours; amounts are bits of `f64`.
fn drop_straight(tp: &mut Vec<u64>, fp: &mut Vec<u64>, thresholds: &mut Vec<u64>) {
    let len = thresholds.len();
    if len < 3 {
        return;
    }
    let at = |amounts: &[u64], place: usize| f64::from_bits(amounts[place]);
    let (mut before, mut here) = ((at(tp, 0), at(fp, 0)), (at(tp, 1), at(fp, 1)));
    let mut kept = 1;
    for place in 1..len {
        // The last point stays: nothing is as far behind it as infinity.
        let end = (f64::INFINITY, f64::INFINITY);
        let after = if place + 1 < len {
            (at(tp, place + 1), at(fp, place + 1))
        } else {
            end
        };
        // Written always, kept if it is a corner: which it is cannot be predicted.
        (tp[kept], fp[kept]) = (here.0.to_bits(), here.1.to_bits());
        thresholds[kept] = thresholds[place];
        let straight =
            (after.0 - here.0 == here.0 - before.0) & (after.1 - here.1 == here.1 - before.1);
        kept += usize::from(!straight);
        (before, here) = (here, after);
    }
    tp.truncate(kept);
    fp.truncate(kept);
    thresholds.truncate(kept);
}

/// Counts below 2^52 as bits of `f64` by filling the mantissa of 2^52, which vectors can do; others one by one.
#[inline(always)]
fn count_bits_body(counts: &mut [u64]) {
    const TWO_52: u64 = 1 << 52;
    if counts.last().is_some_and(|&last| last < TWO_52) {
        let high = (TWO_52 as f64).to_bits();
        for count in counts {
            *count = (f64::from_bits(high | (*count & (TWO_52 - 1))) - TWO_52 as f64).to_bits();
        }
    } else {
        for count in counts {
            *count = (*count as f64).to_bits();
        }
    }
}

#[inline(always)]
fn rate_bits_body(amounts: &mut [u64], total: f64) {
    let total = if total > 0.0 { total } else { f64::NAN };
    for amount in amounts {
        *amount = (f64::from_bits(*amount) / total).to_bits();
    }
}

#[inline(always)]
fn score_bits_body(keys: &mut [u64]) {
    for key in keys {
        *key = f64_of(*key).to_bits();
    }
}

wide! {
    fn count_bits[](counts: &mut [u64]) -> () = count_bits_body;
    fn rate_bits[](amounts: &mut [u64], total: f64) -> () = rate_bits_body;
    fn score_bits[](keys: &mut [u64]) -> () = score_bits_body;
}

#[cfg(test)]
mod tests {
    use crate::column::Column;
    use crate::input::{Labels, Scores};
    use crate::kernel::ranking::RankOptions;
    use crate::kernel::sweep::score_table;
    use crate::stat::score_table::ScoreTable;

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
