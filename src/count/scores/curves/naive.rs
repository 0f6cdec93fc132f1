//! Rows with few scores, counted by definition: the reference for the tests of curves.

use proptest::prelude::*;

use crate::base::column::Column;
use crate::base::input::{Label, Labels, Scores};
use crate::scores::score_table::ScoreTable;
use crate::scores::sweep::all_thresholds::score_table;
use crate::scores::sweep::rows::SweepOptions;

/// Rows: an actual class, a score in eighths and a weight each.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    pub(super) y: Vec<u8>,
    pub(super) s: Vec<f64>,
    pub(super) w: Vec<f64>,
    is_weighted: bool,
}

impl Rows {
    /// Any rows, with or without weights.
    pub(super) fn any() -> impl Strategy<Value = Self> {
        let rows = prop::collection::vec((0_u8..2, 0_u8..9, 1_u8..4), 1..60);
        (rows, any::<bool>()).prop_map(|(rows, is_weighted)| {
            let weight = |weight| if is_weighted { f64::from(weight) } else { 1.0 };
            Self {
                y: rows.iter().map(|row| row.0).collect(),
                s: rows.iter().map(|row| f64::from(row.1) / 8.0).collect(),
                w: rows.iter().map(|row| weight(row.2)).collect(),
                is_weighted,
            }
        })
    }

    pub(super) fn table(&self) -> ScoreTable {
        let options = SweepOptions { pos_label: Some(Label::Int(1)), ..SweepOptions::default() };
        score_table(
            &Labels::of::<u8>(Column::from_slice(&self.y)),
            &Scores::of::<f64>(Column::from_slice(&self.s)),
            self.is_weighted.then(|| Column::from_slice(&self.w)),
            &options,
        )
        .unwrap()
    }

    /// The weight of the rows of a class whose score satisfies a condition.
    pub(super) fn weigh(&self, class: u8, is_asked: impl Fn(f64) -> bool) -> f64 {
        let rows = self.y.iter().zip(&self.s).zip(&self.w);
        let asked = rows.filter(|((y, s), _)| **y == class && is_asked(**s));
        asked.map(|(_, w)| w).sum()
    }

    /// The weight of all positive and of all negative rows.
    pub(super) fn totals(&self) -> (f64, f64) {
        (self.weigh(1, |_| true), self.weigh(0, |_| true))
    }
}
