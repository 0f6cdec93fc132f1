//! Precision and recall at every distinct score. Thresholds are order keys
//! ([`crate::scores::keys`]), so that they can be returned in the type of the scores.
//!
//! A curve with every score is computed in the table's own memory: pieces from both ends become
//! precision and recall in cache, and are exchanged; threads share the pieces.
//!
//! Cost: a few nanoseconds a point. Rejected: new columns, since fresh pages of memory cost more
//! than the computation.

// Loop bodies must be inlined to be compiled for wider instructions.
#![allow(clippy::inline_always)]

use crate::base::error::Result;
use crate::base::memory::{Gather, Room, in_place};
use crate::base::switch::switch_at;
use crate::base::threads::{Pieces, filled, joined_by, over_items, over_parts};
use crate::base::wide::wide;
use crate::scores::keys::Keys;
use crate::scores::score_table::{Masses, ScoreTable};

/// Precision and recall at every distinct score, low to high, and at the end the point (1, 0)
/// without a threshold.
///
/// Source: Manning, Raghavan and Schütze 2008, section 8.4.
#[derive(Clone, Debug, PartialEq)]
pub struct PrecisionRecallCurve {
    /// TP / (TP + FP), then 1.
    pub precision: Vec<f64>,
    /// TP / P, 1 throughout if there are no positives; then 0.
    pub recall: Vec<f64>,
    /// The scores' order keys, ascending; one less than points.
    pub keys: Vec<u64>,
}

impl PrecisionRecallCurve {
    /// The precision–recall curve. With `drop_intermediate` an inner point is left out if the true
    /// positives change neither at it nor after it: its neighbours have the same recall. Without
    /// `drop_intermediate` and without weights the curve is computed in the table's own memory.
    ///
    /// # Errors
    /// An invalid number of threads.
    ///
    /// ```
    /// use rocksteady_count::base::column::Column;
    /// use rocksteady_count::base::input::{Labels, Scores};
    /// use rocksteady_count::scores::curves::precision_recall::PrecisionRecallCurve;
    /// use rocksteady_count::scores::sweep::rows::SweepOptions;
    /// use rocksteady_count::scores::sweep::all_thresholds::score_table;
    ///
    /// let y_true = Labels::U8(Column::from_slice(&[0, 0, 1, 1]));
    /// let y_score = Scores::F64(Column::from_slice(&[0.1, 0.4, 0.35, 0.8]));
    /// let table = score_table(&y_true, &y_score, None, &SweepOptions::default())?;
    /// let curve = PrecisionRecallCurve::of(table, false)?;
    /// assert_eq!(curve.precision, [0.5, 2.0 / 3.0, 0.5, 1.0, 1.0]);
    /// assert_eq!(curve.recall, [1.0, 1.0, 0.5, 0.5, 0.0]);
    /// # Ok::<(), rocksteady_count::base::error::Refusal>(())
    /// ```
    pub fn of(table: ScoreTable, drop_intermediate: bool) -> Result<Self> {
        if drop_intermediate || table.is_weighted() {
            return Self::read(&table, drop_intermediate);
        }
        let (keys, _, masses) = table.into_parts();
        let Masses::Counts(mut tps, mut fps) = masses else {
            unreachable!("rows without weights are counted");
        };
        to_precision_and_recall(&mut tps, &mut fps)?;
        let keys = match keys {
            Keys::Wide(mut keys) => {
                over_halves([&mut keys], |[(front, back)]| exchange(front, back))?;
                keys
            }
            Keys::Narrow(keys) => {
                let last = keys.len().saturating_sub(1);
                let wide = filled("", keys.len(), |range, room| {
                    room.fill_by(range.len(), |at| Ok(keys[last - range.start - at].into()))
                });
                wide?.0
            }
        };
        tps.grow(1.0_f64.to_bits());
        fps.grow(0.0_f64.to_bits());
        Ok(Self {
            precision: in_place(tps, f64::from_bits),
            recall: in_place(fps, f64::from_bits),
            keys,
        })
    }

    /// The curve of the kept points, in new memory.
    fn read(table: &ScoreTable, drop_intermediate: bool) -> Result<Self> {
        let len = table.len();
        let (positives, _) = table.totals();
        let tp = |place: usize| table.cumulative(place).0;
        let is_kept = |&place: &usize| {
            let is_inner = place > 0 && place + 1 < len;
            !(drop_intermediate
                && is_inner
                && tp(place + 1) == tp(place)
                && tp(place - 1) == tp(place))
        };
        // From the lowest score to the highest.
        let kept =
            over_parts(len, |range| Ok(range.map(|at| len - 1 - at).filter(is_kept).gather()))?;
        let kept: Vec<usize> = joined_by(kept, |_, place| place)?;
        let points = |last: f64, of: &(dyn Fn((f64, f64)) -> f64 + Sync)| {
            filled("", kept.len() + 1, |range, room| {
                room.fill_by(range.len(), |at| {
                    let place = kept.get(range.start + at);
                    Ok(place.map_or(last, |&place| of(table.cumulative(place))))
                })
            })
        };
        let recall = |(tp, _): (f64, f64)| if positives > 0.0 { tp / positives } else { 1.0 };
        let keys = filled("", kept.len(), |range, room| {
            room.fill_by(range.len(), |at| Ok(table.keys().get(kept[range.start + at])))
        });
        Ok(Self {
            precision: points(1.0, &|(tp, fp)| tp / (tp + fp))?.0,
            recall: points(0.0, &recall)?.0,
            keys: keys?.0,
        })
    }
}

/// Converts positives and negatives at or above each score, from high to low, into the bits of
/// precision and recall, from low to high.
fn to_precision_and_recall(tps: &mut [u64], fps: &mut [u64]) -> Result<()> {
    let positives = tps.last().copied().unwrap_or(0);
    if tps.len() % 2 == 1 {
        let middle = tps.len() / 2..tps.len() / 2 + 1;
        rates(&mut tps[middle.clone()], &mut fps[middle], positives);
    }
    over_halves([tps, fps], |[(tp, tp_back), (fp, fp_back)]| {
        rates(tp, fp, positives);
        rates(tp_back, fp_back, positives);
        exchange(tp, tp_back);
        exchange(fp, fp_back);
    })
}

/// Pieces of columns from both ends.
struct Halves<'a, const COLUMNS: usize>([(&'a mut [u64], &'a mut [u64]); COLUMNS]);

impl<const COLUMNS: usize> Pieces for Halves<'_, COLUMNS> {
    fn split(self, len: usize) -> (Self, Self) {
        let mut rests = [const { None }; COLUMNS];
        let mut at = 0;
        let own = self.0.map(|(front, back)| {
            let (own_front, front) = front.split_at_mut(len);
            let (back, own_back) = back.split_at_mut(back.len() - len);
            rests[at] = Some((front, back));
            at += 1;
            (own_front, own_back)
        });
        (Self(own), Self(rests.map(Option::unwrap_or_default)))
    }
}

/// Runs `work` over pieces of columns, with as many places from the start as from the end. A place
/// in the middle is left out.
fn over_halves<const COLUMNS: usize>(
    columns: [&mut [u64]; COLUMNS],
    work: impl Fn([(&mut [u64], &mut [u64]); COLUMNS]) + Sync,
) -> Result<()> {
    /// Places converted at a time.
    const PIECE: usize = switch_at(1024, 4);
    let mut len = 0;
    let halves = columns.map(|column| {
        len = column.len() / 2;
        let (front, rest) = column.split_at_mut(len);
        let middle = rest.len() - len;
        (front, &mut rest[middle..])
    });
    over_items(len, &|place| 2 * place, Halves(halves), |range, mut rest| {
        let end = range.end;
        for start in range.step_by(PIECE) {
            let (own, others) = rest.split(PIECE.min(end - start));
            work(own.0);
            rest = others;
        }
        Ok(())
    })?;
    Ok(())
}

/// Converts each pair of counts to the bits of precision and recall. Recall is 1 without positives.
#[inline(always)]
fn rates_body(tps: &mut [u64], fps: &mut [u64], positives: u64) {
    for (tp, fp) in tps.iter_mut().zip(fps) {
        let recall = if positives > 0 { *tp as f64 / positives as f64 } else { 1.0 };
        *tp = (*tp as f64 / (*tp + *fp) as f64).to_bits();
        *fp = recall.to_bits();
    }
}

/// Exchanges and reverses two pieces of equal length.
#[inline(always)]
fn exchange_body(front: &mut [u64], back: &mut [u64]) {
    for (a, b) in front.iter_mut().zip(back.iter_mut().rev()) {
        std::mem::swap(a, b);
    }
}

wide! {
    fn rates[](tps: &mut [u64], fps: &mut [u64], positives: u64) -> () = rates_body;
    fn exchange[](front: &mut [u64], back: &mut [u64]) -> () = exchange_body;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::curves::naive::Rows;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn precision_and_recall_agree_with_counting_each_threshold(rows in Rows::any()) {
            let table = rows.table();
            let weigh = |class, is_asked: &dyn Fn(f64) -> bool| rows.weigh(class, is_asked);
            let (positives, _) = rows.totals();
            let curve = PrecisionRecallCurve::of(table.clone(), false).unwrap();
            prop_assert_eq!(curve.keys.len(), table.len());
            for (i, &key) in curve.keys.iter().enumerate() {
                let threshold = table.kind().score(key);
                let (tp, fp) = (weigh(1, &|x| x >= threshold), weigh(0, &|x| x >= threshold));
                prop_assert_eq!(curve.precision[i], tp / (tp + fp));
                prop_assert_eq!(curve.recall[i], if positives > 0.0 { tp / positives } else { 1.0 });
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn counts_are_turned_in_their_own_memory(
            rows in prop_oneof![0..20_usize, 2040..2060_usize, 0..9000_usize],
            seed: u64,
            share in 0..3_u64,
        ) {
            let mut state = seed;
            let (mut tp, mut fp) = (0, 0);
            let counts: Vec<(u64, u64)> = (0..rows).map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let is_positive = (state >> 60) % 2 < share;
                (tp, fp) = (tp + u64::from(is_positive), fp + u64::from(!is_positive));
                (tp, fp)
            }).collect();
            let (mut tps, mut fps): (Vec<u64>, Vec<u64>) = counts.iter().copied().unzip();
            to_precision_and_recall(&mut tps, &mut fps).unwrap();
            for ((&precision, &recall), &(up, down)) in tps.iter().zip(&fps).zip(counts.iter().rev()) {
                prop_assert_eq!(f64::from_bits(precision), up as f64 / (up + down) as f64);
                prop_assert_eq!(f64::from_bits(recall), if tp > 0 { up as f64 / tp as f64 } else { 1.0 });
            }
        }
    }
}
