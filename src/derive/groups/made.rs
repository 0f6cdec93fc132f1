//! Rows for tests, and the statistics of them.

use crate::arith::weight_kind::WeightKind;
use crate::base::column::Column;
use crate::base::input::{Label, LabelSet, Labels, Scores};
use crate::groups::counts::GroupCounts;
use crate::groups::ranking::GroupRanking;
use crate::scores::score_table::ScoreTable;
use crate::scores::sweep::all_thresholds::score_table;
use crate::scores::sweep::rows::SweepOptions;

/// Columns of rows.
pub(crate) struct Rows {
    pub(crate) codes: Vec<u32>,
    pub(crate) actual: Vec<i64>,
    pub(crate) predicted: Vec<i64>,
    pub(crate) scores: Vec<f64>,
    pub(crate) weights: Vec<f64>,
}

/// Without weights, and with weights of either kind.
pub(crate) const KINDS: [Option<WeightKind>; 3] =
    [None, Some(WeightKind::Counts), Some(WeightKind::Sampling)];

/// Numbers below others that look random.
pub(crate) fn random(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed | 1;
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_041);
        (state >> 33) % below
    }
}

/// Rows of random groups; the first have each class once. `ties` leaves five distinct scores.
pub(crate) fn rows(len: usize, groups: u32, classes: i64, ties: bool, seed: u64) -> Rows {
    let mut random = random(seed);
    let mut all = Rows {
        codes: Vec::new(),
        actual: Vec::new(),
        predicted: Vec::new(),
        scores: Vec::new(),
        weights: Vec::new(),
    };
    for row in 0..len {
        all.codes.push(random(groups.into()) as u32);
        all.actual.push(if row < classes as usize {
            row as i64
        } else {
            random(classes as u64) as i64
        });
        all.predicted.push(random(classes as u64) as i64);
        let places = if ties { 5 } else { 1 << 30 };
        all.scores.push(random(places) as f64 / 8.0 - 0.25);
        all.weights.push([0.0, 0.1, 1.0, 3.5][random(4) as usize]);
    }
    all
}

impl Rows {
    /// Some of the rows.
    pub(crate) fn kept(&self, keep: impl Fn(usize) -> bool) -> Self {
        let kept: Vec<usize> = (0..self.codes.len()).filter(|&row| keep(row)).collect();
        Self {
            codes: kept.iter().map(|&row| self.codes[row]).collect(),
            actual: kept.iter().map(|&row| self.actual[row]).collect(),
            predicted: kept.iter().map(|&row| self.predicted[row]).collect(),
            scores: kept.iter().map(|&row| self.scores[row]).collect(),
            weights: kept.iter().map(|&row| self.weights[row]).collect(),
        }
    }

    /// The cells of each group.
    pub(crate) fn count(
        &self,
        groups: usize,
        classes: usize,
        kind: Option<WeightKind>,
    ) -> GroupCounts {
        GroupCounts::new(
            (&self.codes, groups),
            &Labels::of::<i64>(Column::from_slice(&self.actual)),
            &Labels::of::<i64>(Column::from_slice(&self.predicted)),
            kind.map(|_| Column::from_slice(&self.weights)),
            kind.unwrap_or_default(),
            LabelSet::numbered(classes),
        )
        .unwrap()
    }

    /// The ranking of each group, of scores in single precision if `is_single`.
    pub(crate) fn rank(
        &self,
        groups: usize,
        kind: Option<WeightKind>,
        is_single: bool,
    ) -> GroupRanking {
        let singles: Vec<f32> = self.scores.iter().map(|&score| score as f32).collect();
        let scores = if is_single {
            Scores::of::<f32>(Column::from_slice(&singles))
        } else {
            Scores::of::<f64>(Column::from_slice(&self.scores))
        };
        let options = SweepOptions {
            pos_label: Some(Label::Int(1)),
            weight_kind: kind.unwrap_or_default(),
            ..SweepOptions::default()
        };
        GroupRanking::new(
            (&self.codes, groups),
            &Labels::of::<i64>(Column::from_slice(&self.actual)),
            &scores,
            kind.map(|_| Column::from_slice(&self.weights)),
            &options,
        )
        .unwrap()
    }
}

/// A table of scores, which may be infinite.
pub(crate) fn table(y: &[i64], s: &[f64], w: Option<&[f64]>) -> ScoreTable {
    let (y, s) =
        (Labels::of::<i64>(Column::from_slice(y)), Scores::of::<f64>(Column::from_slice(s)));
    let options = SweepOptions { infinite: true, ..SweepOptions::default() };
    score_table(&y, &s, w.map(Column::from_slice), &options).unwrap()
}
