//! The convex hull of a ROC curve: the points that no mixture of two thresholds beats.
//!
//! The vertices of the upper hull of (FP, TP) over all thresholds, from (0, 0) to (N, P), found by one walk that drops the last
//! vertex as long as it does not lie above the line from the one before it to the new point (Andrew 1979,
//! doi:10.1016/0020-0190(79)90072-3). Points on a line between two vertices are no vertices. Counts are compared in exact integers;
//! weights, rounded once each, to twice the precision of `f64`.
//!
//! The hull is also the isotonic regression of the labels on the scores: between two vertices the share of positives is what
//! pooling adjacent violators gives (Fawcett, Niculescu-Mizil 2007, doi:10.1007/s10994-007-5011-0).
//!
//! Cost: a few nanoseconds a distinct score. Source: Provost, Fawcett 2001, doi:10.1023/A:1007601015854.

use super::score_table::{Amounts, ScoreTable};
use crate::kernel::products::{difference_of_products, unit_scale};

/// The vertices of the hull, from the highest threshold to the lowest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RocHull {
    /// How many of the distinct scores, from the highest on, are predicted positive at each vertex: ascending, the first 0,
    /// the last all of them. Just 0 for a table without rows.
    pub predicted: Vec<usize>,
}

impl ScoreTable {
    /// The vertices of the convex hull of the ROC curve; found once and kept.
    ///
    /// ```
    /// use rocksteady::column::Column;
    /// use rocksteady::input::{Labels, Scores};
    /// use rocksteady::kernel::ranking::RankOptions;
    /// use rocksteady::kernel::sweep::score_table;
    ///
    /// let y_true = Labels::U8(Column::from_slice(&[0, 1, 0, 1]));
    /// let y_score = Scores::F64(Column::from_slice(&[0.1, 0.4, 0.6, 0.8]));
    /// let table = score_table(&y_true, &y_score, None, &RankOptions::default())?;
    /// assert_eq!(table.roc_hull().predicted, [0, 1, 3, 4]);
    /// # Ok::<(), rocksteady::error::Refusal>(())
    /// ```
    pub fn roc_hull(&self) -> &RocHull {
        self.known.hull.get_or_init(|| RocHull {
            predicted: self.hull_vertices(),
        })
    }

    fn hull_vertices(&self) -> Vec<usize> {
        match self.amounts() {
            Amounts::Counts {
                positives,
                negatives,
            } => {
                let point = |predicted: usize| match predicted.checked_sub(1) {
                    Some(place) => (i128::from(positives[place]), i128::from(negatives[place])),
                    None => (0, 0),
                };
                upper_hull(self.len(), point, |a, b, c| {
                    (b.0 - a.0) * (c.1 - a.1) > (c.0 - a.0) * (b.1 - a.1)
                })
            }
            Amounts::Weights(_) => {
                let (positives, negatives) = self.totals();
                let (up, down) = (unit_scale(positives), unit_scale(negatives));
                let point = |predicted: usize| match predicted.checked_sub(1) {
                    Some(place) => {
                        let (tp, fp) = self.cumulative(place);
                        (tp * up, fp * down)
                    }
                    None => (0.0, 0.0),
                };
                upper_hull(self.len(), point, |a, b, c| {
                    difference_of_products(b.0 - a.0, c.1 - a.1, c.0 - a.0, b.1 - a.1) > 0.0
                })
            }
        }
    }
}

/// The vertices among points 0 to `last`; `above(a, b, c)` tells whether b lies above the line from a to c.
fn upper_hull<P: Copy>(
    last: usize,
    point: impl Fn(usize) -> P,
    above: impl Fn(P, P, P) -> bool,
) -> Vec<usize> {
    let mut hull: Vec<(usize, P)> = Vec::new();
    for place in 0..=last {
        let new = point(place);
        while let [.., (_, a), (_, b)] = hull[..] {
            if above(a, b, new) {
                break;
            }
            hull.pop();
        }
        hull.push((place, new));
    }
    hull.into_iter().map(|(place, _)| place).collect()
}

#[cfg(test)]
mod tests {
    use crate::column::Column;
    use crate::input::{Label, Labels, Scores};
    use crate::kernel::ranking::RankOptions;
    use crate::kernel::sweep::score_table;
    use proptest::prelude::*;

    proptest! {
        /// Beside the kernel the definition: a point is a vertex if it lies above every line between one before and one after it.
        #[test]
        fn vertices_lie_above_every_line(
            rows in prop::collection::vec((0_u8..2, 0_u8..9, 1_u8..4), 1..40), weighted: bool,
        ) {
            let y: Vec<u8> = rows.iter().map(|row| row.0).collect();
            let s: Vec<f64> = rows.iter().map(|row| f64::from(row.1)).collect();
            let w: Vec<f64> = rows.iter().map(|row| f64::from(row.2)).collect();
            let table = score_table(
                &Labels::U8(Column::from_slice(&y)),
                &Scores::F64(Column::from_slice(&s)),
                weighted.then(|| Column::from_slice(&w)),
                &RankOptions { pos_label: Some(Label::Int(1)), ..RankOptions::default() },
            ).unwrap();
            let point = |k: usize| if k == 0 { (0.0, 0.0) } else { table.cumulative(k - 1) };
            let is_vertex = |&b: &usize| {
                (0..b).all(|a| (b + 1..=table.len()).all(|c| {
                    let (a, b, c) = (point(a), point(b), point(c));
                    (b.0 - a.0) * (c.1 - a.1) > (c.0 - a.0) * (b.1 - a.1)
                }))
            };
            let expected: Vec<usize> = (0..=table.len()).filter(is_vertex).collect();
            prop_assert_eq!(&table.roc_hull().predicted, &expected);
        }
    }
}
