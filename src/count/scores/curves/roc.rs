//! The receiver operating characteristic: its points at every threshold.
//!
//! 1. With `drop_intermediate`, inner points on a straight line are left out, without branches;
//!    each thread leaves out those of its part.
//! 2. Masses become rates, and keys thresholds, in the table's own memory: moved by one place, from
//!    the end, and converted piece by piece in cache; each thread converts its part.
//!
//! Cost: a few nanoseconds a point. No memory beyond the table's.
//!
//! Source: Fawcett 2006, doi:10.1016/j.patrec.2005.10.010.
// Loop bodies must be inlined to be compiled for wider instructions, and corners cannot be
// predicted.
#![allow(clippy::inline_always, clippy::needless_bitwise_bool)]

use crate::base::dtype::Number;
use crate::base::error::Result;
use crate::base::memory::{Room, in_place, with_room};
use crate::base::threads::{filled, over_items, over_pieces};
use crate::base::wide::wide;
use crate::scores::curves::curve::{doubles_in_place, singles_in_place};
use crate::scores::keys::Keys;
use crate::scores::score_table::{Masses, ScoreTable};

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

impl RocCurve {
    /// The points of the ROC curve (Fawcett 2006, doi:10.1016/j.patrec.2005.10.010), computed in
    /// the table's own memory.
    ///
    /// With `drop_intermediate` an inner point is left out if both counts change by the same amount
    /// before and after it: it lies on the straight line between its neighbours.
    ///
    /// # Errors
    /// An invalid number of threads.
    pub fn of(table: ScoreTable, drop_intermediate: bool) -> Result<Self> {
        let (positives, negatives) = table.totals();
        let (keys, kind, masses) = table.into_parts();
        let len = keys.len();
        let mut thresholds: Vec<u64> = match keys {
            Keys::Wide(keys) => keys,
            Keys::Narrow(keys) => {
                let mut wide = with_room(len + 1); // with the threshold ∞
                wide.grow_with(keys.into_iter().map(u64::from));
                wide
            }
        };
        let (tpr, fpr) = match masses {
            Masses::Counts(mut tp, mut fp) => {
                if drop_intermediate {
                    drop_straight(&mut tp, &mut fp, &mut thresholds, u64::wrapping_sub)?;
                }
                let rates = |total| move |counts: &mut [u64]| count_rates(counts, total);
                (
                    floats(start(positives), tp, rates(positives))?,
                    floats(start(negatives), fp, rates(negatives))?,
                )
            }
            Masses::Weights(sums) => {
                let bits = |first: usize| -> Result<Vec<u64>> {
                    // With memory for the start of the curve.
                    let (mut bits, _) = filled("", len + 1, |part, room| {
                        room.fill_by(part.len(), |at| {
                            let place = part.start + at;
                            Ok(if place < len { sums.get(first + place).to_bits() } else { 0 })
                        })
                    })?;
                    bits.pop();
                    Ok(bits)
                };
                let (mut tp, mut fp) = (bits(0)?, bits(len)?);
                if drop_intermediate {
                    let gap = |a, b| (f64::from_bits(a) - f64::from_bits(b)).to_bits();
                    drop_straight(&mut tp, &mut fp, &mut thresholds, gap)?;
                }
                let rates = |total| move |weights: &mut [u64]| weight_rates(weights, total);
                (
                    floats(start(positives), tp, rates(positives))?,
                    floats(start(negatives), fp, rates(negatives))?,
                )
            }
        };
        let thresholds = floats(f64::INFINITY, thresholds, |keys| {
            if kind == f64::KIND {
                doubles_in_place(keys);
            } else if kind == f32::KIND {
                singles_in_place(keys);
            } else {
                for key in keys {
                    *key = kind.score(*key).to_bits();
                }
            }
        })?;
        Ok(Self { fpr, tpr, thresholds })
    }
}

/// The rate at the start of a curve: undefined without rows.
fn start(total: f64) -> f64 {
    if total > 0.0 { 0.0 } else { f64::NAN }
}

/// Converts numbers to the bits of floats by `convert`, after one more float at the front, all in
/// the numbers' own memory. Each thread moves its part by one place, block by block from the end,
/// and converts it in cache. The value that no longer fits into a part begins the next part.
fn floats(first: f64, mut bits: Vec<u64>, convert: impl Fn(&mut [u64]) + Sync) -> Result<Vec<f64>> {
    /// Numbers moved and converted at a time.
    const PIECE: usize = 1024;
    bits.grow(0);
    let moved = over_pieces(&mut bits, |_, part| {
        let (len, last) = (part.len(), part.len() - 1);
        convert(&mut part[last..]);
        let beyond = part[last];
        let mut end = last;
        while end > 0 {
            let start = end.saturating_sub(PIECE);
            part.copy_within(start..end, start + 1);
            convert(&mut part[start + 1..=end]);
            end = start;
        }
        part[0] = first.to_bits();
        Ok((len, beyond))
    })?;
    let mut at = 0;
    for (len, beyond) in moved {
        at += len;
        if let Some(next) = bits.get_mut(at) {
            *next = beyond;
        }
    }
    Ok(in_place(bits, f64::from_bits))
}

/// Drops inner points on the straight line between their neighbours; `gap` is the difference of two
/// masses. Each thread drops those of its part, except the first and the last: their neighbours lie
/// in other parts. Then the parts move together, each column on a thread.
fn drop_straight(
    tp: &mut Vec<u64>,
    fp: &mut Vec<u64>,
    thresholds: &mut Vec<u64>,
    gap: impl Fn(u64, u64) -> u64 + Sync,
) -> Result<()> {
    let len = thresholds.len();
    let is_straight = |[before, here, after]: [(u64, u64); 3]| {
        (gap(after.0, here.0) == gap(here.0, before.0))
            & (gap(after.1, here.1) == gap(here.1, before.1))
    };
    let columns = (&mut tp[..], (&mut fp[..], &mut thresholds[..]));
    let mut parts = over_items(len, &|place| place, columns, |part, (tp, (fp, thresholds))| {
        let Some(last) = part.len().checked_sub(1) else { return Ok((part, [(0, 0); 4])) };
        let ends = [0, last.min(1), last.saturating_sub(1), last].map(|at| (tp[at], fp[at]));
        let kept = keep_corners(tp, fp, thresholds, is_straight);
        Ok((part.start..part.start + kept, ends))
    })?;
    for at in 1..parts.len() {
        let [(kept, [.., before, last]), (next_kept, [first, second, ..])] =
            &mut parts[at - 1..=at]
        else {
            break;
        };
        kept.end -= usize::from(is_straight([*before, *last, *first]));
        // The very last point stays.
        let is_inner = next_kept.len() > 1;
        next_kept.start += usize::from(is_inner && is_straight([*last, *first, *second]));
    }
    let columns = &mut [tp, fp, thresholds][..];
    over_items(columns.len(), &|column| column * len, columns, |_, columns| {
        for column in columns {
            let mut end = 0;
            for (kept, _) in &parts {
                if kept.start > end {
                    column.copy_within(kept.clone(), end);
                }
                end += kept.len();
            }
            column.truncate(end);
        }
        Ok(())
    })?;
    Ok(())
}

/// Moves the points that are no inner point of a straight line to the front, and the first and the
/// last point; returns their number.
fn keep_corners(
    tp: &mut [u64],
    fp: &mut [u64],
    thresholds: &mut [u64],
    is_straight: impl Fn([(u64, u64); 3]) -> bool,
) -> usize {
    let len = thresholds.len();
    if len < 3 {
        return len;
    }
    let (mut before, mut here) = ((tp[0], fp[0]), (tp[1], fp[1]));
    let mut kept = 1;
    for place in 1..len - 1 {
        let after = (tp[place + 1], fp[place + 1]);
        // Always written, and kept if it is a corner, which cannot be predicted.
        (tp[kept], fp[kept]) = here;
        thresholds[kept] = thresholds[place];
        kept += usize::from(!is_straight([before, here, after]));
        (before, here) = (here, after);
    }
    (tp[kept], fp[kept]) = here;
    thresholds[kept] = thresholds[len - 1];
    kept + 1
}

/// Converts counts to the bits of their share in `total`. Below 2^52, filling the mantissa of 2^52
/// converts them to floats in vectors; otherwise one by one.
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

/// Converts weights, given as bits, to the bits of their share in `total`.
#[inline(always)]
fn weight_rates_body(weights: &mut [u64], total: f64) {
    let total = if total > 0.0 { total } else { f64::NAN };
    for weight in weights {
        *weight = (f64::from_bits(*weight) / total).to_bits();
    }
}

wide! {
    fn count_rates[](counts: &mut [u64], total: f64) -> () = count_rates_body;
    fn weight_rates[](weights: &mut [u64], total: f64) -> () = weight_rates_body;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::{Labels, Scores};
    use crate::base::threads::SERIAL_ROWS;
    use crate::labels::view::BinaryCounts;
    use crate::scores::ranking::Ranking;
    use crate::scores::sweep::all_thresholds::score_table;
    use crate::scores::sweep::rows::SweepOptions;

    fn table(y: &[u8], s: &[f64]) -> ScoreTable {
        let (y, s) = (Labels::U8(Column::from_slice(y)), Scores::F64(Column::from_slice(s)));
        score_table(&y, &s, None, &SweepOptions::default()).unwrap()
    }

    #[test]
    fn points_of_the_second_papers_example() {
        let y = [1, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0];
        let s = [0.5, 0.6, 0.2, 0.9, 0.5, 0.3, 0.1, 0.7, 0.3, 0.9, 0.5];
        // scikit-learn 1.9, roc_curve with drop_intermediate on.
        let curve = RocCurve::of(table(&y, &s), true).unwrap();
        assert_eq!(curve.thresholds, [f64::INFINITY, 0.9, 0.6, 0.5, 0.3, 0.1]);
        assert_eq!(curve.tpr, [0.0, 0.4, 0.8, 1.0, 1.0, 1.0]);
        assert_eq!(curve.fpr, [0.0, 0.0, 0.0, 2.0 / 6.0, 4.0 / 6.0, 1.0]);
        assert_eq!(RocCurve::of(table(&y, &s), false).unwrap().thresholds.len(), 8);
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
    fn thresholds_of_singles_are_their_scores() {
        let scores = [0.1_f32, -0.5, 3.25, -0.0, 1e-40, f32::MAX, 0.1];
        let y = Labels::U8(Column::from_slice(&[0, 1, 1, 0, 1, 0, 1]));
        let s = Scores::F32(Column::from_slice(&scores));
        let table = score_table(&y, &s, None, &SweepOptions::default()).unwrap();
        let expected: Vec<f64> = [f64::INFINITY].into_iter().chain(table.scores()).collect();
        assert_eq!(RocCurve::of(table, false).unwrap().thresholds, expected);
    }

    #[test]
    fn parts_of_threads_join() {
        let bits: Vec<u64> = (0..3 * SERIAL_ROWS as u64 + 17).collect();
        let shares = |counts: &mut [u64]| count_rates(counts, 8.0);
        let expected: Vec<f64> = bits.iter().map(|&count| count as f64 / 8.0).collect();
        let found = floats(-1.0, bits, shares).unwrap();
        assert_eq!((found[0], &found[1..]), (-1.0, &expected[..]));
    }

    #[test]
    fn corners_are_the_same_in_parts() {
        // A step of each class now and then, so that borders of parts lie on lines and on corners.
        for run in [1, 2, 3, 7, 1 << 16] {
            let len = 3 * SERIAL_ROWS + 17;
            let side = |place: usize| (place / run) as u64 % 2;
            let mut counts = (0, 0);
            let points: Vec<(u64, u64)> = (0..len)
                .map(|place| {
                    counts = (counts.0 + side(place), counts.1 + 1 - side(place));
                    counts
                })
                .collect();
            let is_kept =
                |place: &usize| *place == 0 || place + 1 == len || side(*place) != side(place + 1);
            let expected: Vec<usize> = (0..len).filter(is_kept).collect();
            let (mut tp, mut fp): (Vec<u64>, Vec<u64>) = points.iter().copied().unzip();
            let mut places: Vec<u64> = (0..len as u64).collect();
            drop_straight(&mut tp, &mut fp, &mut places, u64::wrapping_sub).unwrap();
            assert!(places.iter().map(|&place| place as usize).eq(expected.iter().copied()));
            assert!(tp.into_iter().zip(fp).eq(expected.into_iter().map(|place| points[place])));
        }
    }

    #[test]
    fn partial_areas() {
        // scikit-learn 1.9: roc_auc_score([0, 0, 1, 1], [.1, .4, .35, .8], max_fpr=…).
        let table = Ranking::from(table(&[0, 0, 1, 1], &[0.1, 0.4, 0.35, 0.8]));
        let close =
            |rate: f64, value: f64| (table.standardized_auc(rate).unwrap() - value).abs() < 1e-15;
        assert!(close(1.0, 0.75));
        assert!(close(0.5, 2.0 / 3.0));
        assert!(close(0.25, 0.714_285_714_285_714_3));
    }

    #[test]
    fn one_class_has_no_rates_of_the_other() {
        let curve = RocCurve::of(table(&[0, 0], &[0.1, 0.2]), false).unwrap();
        assert!(curve.tpr.iter().all(|rate| rate.is_nan()));
        assert_eq!(curve.fpr, [0.0, 0.5, 1.0]);
        assert_eq!(Ranking::from(table(&[0, 0], &[0.1, 0.2])).standardized_auc(0.5), None);
    }
}
