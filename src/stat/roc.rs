//! The receiver operating characteristic, read from a score table: its points, and the area under part of it.

use super::score_table::{Amounts, ScoreTable};
use super::view::BinaryCounts;

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

    /// The points of the ROC curve (Fawcett 2006, doi:10.1016/j.patrec.2005.10.010).
    ///
    /// With `drop_intermediate` an inner point is left out where both counts change by as much after it as before it: it lies
    /// on the straight line between its neighbours.
    pub fn roc_curve(&self, drop_intermediate: bool) -> RocCurve {
        match self.amounts() {
            Amounts::Counts {
                positives,
                negatives,
            } => self.roc_points(drop_intermediate, |place| {
                (positives[place] as f64, negatives[place] as f64)
            }),
            Amounts::Weights(_) => {
                self.roc_points(drop_intermediate, |place| self.cumulative(place))
            }
        }
    }

    #[inline]
    fn roc_points(
        &self,
        drop_intermediate: bool,
        cumulative: impl Fn(usize) -> (f64, f64),
    ) -> RocCurve {
        let len = self.len();
        let (positives, negatives) = self.totals();
        let mut curve = RocCurve {
            fpr: Vec::with_capacity(len + 1),
            tpr: Vec::with_capacity(len + 1),
            thresholds: Vec::with_capacity(len + 1),
        };
        let mut put = |(tp, fp): (f64, f64), threshold: f64| {
            curve.fpr.push(if negatives > 0.0 {
                fp / negatives
            } else {
                f64::NAN
            });
            curve.tpr.push(if positives > 0.0 {
                tp / positives
            } else {
                f64::NAN
            });
            curve.thresholds.push(threshold);
        };
        put((0.0, 0.0), f64::INFINITY);
        if len > 0 {
            let (mut before, mut here) = (cumulative(0), cumulative(0));
            for place in 0..len {
                let after = cumulative((place + 1).min(len - 1));
                let straight =
                    after.0 - here.0 == here.0 - before.0 && after.1 - here.1 == here.1 - before.1;
                if !(drop_intermediate && straight) || place == 0 || place + 1 == len {
                    put(here, self.score(place));
                }
                (before, here) = (here, after);
            }
        }
        curve
    }

    /// The area under the ROC curve up to a false positive rate in (0, 1], standardized so that ½ is chance and 1 is perfect
    /// (McClish 1989, <https://doi.org/10.1177/0272989X8900900307>): `½ (1 + (A − r²/2) / (r − r²/2))`. At 1 it is the whole
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
        let curve = table(&y, &s).roc_curve(true);
        assert_eq!(curve.thresholds, [f64::INFINITY, 0.9, 0.6, 0.5, 0.3, 0.1]);
        assert_eq!(curve.tpr, [0.0, 0.4, 0.8, 1.0, 1.0, 1.0]);
        assert_eq!(curve.fpr, [0.0, 0.0, 0.0, 2.0 / 6.0, 4.0 / 6.0, 1.0]);
        assert_eq!(table(&y, &s).roc_curve(false).thresholds.len(), 8);
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
        let curve = table(&[0, 0], &[0.1, 0.2]).roc_curve(false);
        assert!(curve.tpr.iter().all(|rate| rate.is_nan()));
        assert_eq!(curve.fpr, [0.0, 0.5, 1.0]);
        assert_eq!(table(&[0, 0], &[0.1, 0.2]).partial_auc(0.5), None);
    }
}
