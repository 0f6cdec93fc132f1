//! Indices of rows beyond memory, and of counts around the scores of one class: what a form reads
//! ([`Reads`]) says whether they are exact. A test compares every row with a table in memory.

use crate::base::error::{Refusal, Result};
use crate::index::form::Reads;
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::index::value::Value;
use crate::scores::anchored::AnchoredCounts;
use crate::scores::ranking::early_recognition::EARLY;
use crate::scores::spill::SpilledScores;

impl Index {
    /// The value over counts around the scores of one class.
    ///
    /// # Errors
    /// [`Refusal::Index`] if it is not exact for these.
    pub fn of_anchored(&self, counts: &AnchoredCounts, parameters: &Parameters) -> Result<Value> {
        if self.form_of_scores()?.0.is_of_anchored() {
            return self.of_scores(counts.ranking(), parameters);
        }
        Err(Refusal::Index {
            name: self.name.to_owned(),
            problem:
                "is not exact for counts around the scores of one class; ScoreCollector(memory=) \
                      has it of any number of rows"
                    .to_owned(),
        })
    }

    /// Whether the index is read from counts around the scores of one class.
    pub fn is_of_anchored(&self) -> bool {
        self.reads().is_some_and(Reads::is_of_anchored)
    }

    /// Whether the index is read from rows beyond memory, by its default parameters.
    pub fn is_of_spilled(&self, is_weighted: bool) -> bool {
        self.reads().is_some_and(|reads| reads.is_of_spilled(is_weighted))
    }

    /// The value over rows beyond memory.
    ///
    /// # Errors
    /// [`Refusal::Index`] if the row is not about all thresholds, or needs a table in memory; those
    /// of the file.
    pub fn of_spilled(&self, scores: &SpilledScores, parameters: &Parameters) -> Result<Value> {
        let (reads, _) = self.form_of_scores()?;
        let needs = |why: &str| Refusal::Index {
            name: self.name.to_owned(),
            problem: format!(
                "{why}; collect without memory= for a table in memory, or ask for it of a sample \
                 of the rows"
            ),
        };
        let (positives, negatives) = scores.totals();
        let top = match reads {
            Reads::Top => scores.top(parameters.number(0) * (positives + negatives))?,
            Reads::FirstPositives => scores.top(positives)?,
            Reads::Early if parameters.number(0) != EARLY => {
                return Err(needs("is found with its default alpha only of rows beyond memory"));
            }
            _ if reads.is_of_spilled(scores.is_weighted()) => None,
            _ => return Err(needs("needs a table of all scores in memory")),
        };
        match top {
            Some(piece) => self.of_scores(&piece, parameters),
            None => self.of_scores(scores.ranking()?, parameters),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::error::Kind;
    use crate::base::input::{Label, Labels, NanPolicy, Scores};
    use crate::index::all;
    use crate::scores::ranking::Ranking;
    use crate::scores::score_table::Side;
    use crate::scores::spill::SpillingCollector;
    use crate::scores::sweep::all_thresholds::score_table;
    use crate::scores::sweep::given_thresholds::Threshold;
    use crate::scores::sweep::rows::SweepOptions;
    use proptest::prelude::*;

    /// Rows, their order, and what the collector is given.
    #[derive(Clone, Debug)]
    struct Case {
        labels: Vec<u8>,
        scores: Vec<f64>,
        weights: Option<Vec<f64>>,
        is_single: bool,
        batch: usize,
        memory: usize,
        missing: NanPolicy,
    }

    fn cases() -> impl Strategy<Value = Case> {
        let rows = 1_usize..3000;
        let order = 0_u8..4;
        let scores = 0_u8..7;
        let weights = prop::option::of(0_u8..3);
        let policy = prop::sample::select(vec![NanPolicy::Omit, NanPolicy::Worst, NanPolicy::Best]);
        let seeds = (any::<u64>(), any::<bool>(), 1_usize..2000, 0_usize..4);
        (rows, order, scores, weights, policy, seeds).prop_map(
            |(rows, order, scores, weights, missing, (seed, is_single, batch, memory))| {
                let mut state = seed | 1;
                let mut random = || {
                    state ^= state << 13;
                    state ^= state >> 7;
                    state ^= state << 17;
                    (state >> 11) as f64 / (1_u64 << 53) as f64
                };
                let mut all: Vec<(f64, u8, f64)> = (0..rows)
                    .map(|_| {
                        let score = match scores {
                            1 => (8.0 * random()).floor() / 8.0,
                            // Half of the rows have one score.
                            2 if random() < 0.5 => 0.3,
                            0 | 2 => random(),
                            3 => 20.0 * random() - 10.0,
                            4 => (random() * 40.0 - 20.0).exp(),
                            5 if random() < 0.05 => f64::NAN,
                            5 => [f64::INFINITY, f64::NEG_INFINITY, -0.0, 0.0]
                                .into_iter()
                                .nth((8.0 * random()) as usize)
                                .unwrap_or_else(&mut random),
                            _ => 0.25,
                        };
                        let label = u8::from(random() < 0.3 + 0.3 * score.clamp(0.0, 1.0));
                        let weight = match weights {
                            Some(0) => (4.0 * random()).floor(),
                            Some(1) => random(),
                            // Sums that do not fit 128 bits.
                            _ => (random() * 400.0 - 200.0).exp2(),
                        };
                        (score, label, weight)
                    })
                    .collect();
                match order {
                    1 => all.sort_by(|a, b| a.0.total_cmp(&b.0)),
                    2 => all.sort_by(|a, b| b.0.total_cmp(&a.0)),
                    // First rows that are all alike.
                    3 => all.sort_by_key(|row| row.0 != 0.3),
                    _ => {}
                }
                Case {
                    labels: all.iter().map(|row| row.1).collect(),
                    scores: all
                        .iter()
                        .map(|row| if is_single { f64::from(row.0 as f32) } else { row.0 })
                        .collect(),
                    weights: weights.map(|_| all.iter().map(|row| row.2).collect()),
                    is_single,
                    batch,
                    memory: [1, 1 << 14, 1 << 16, 1 << 20][memory],
                    missing,
                }
            },
        )
    }

    fn options(case: &Case) -> SweepOptions {
        SweepOptions {
            pos_label: Some(Label::Int(1)),
            nan_policy: case.missing,
            infinite: true,
            ..SweepOptions::default()
        }
    }

    fn view_of(case: &Case) -> SpilledScores {
        let mut collector = SpillingCollector::new(options(case), case.memory, None).unwrap();
        for start in (0..case.labels.len()).step_by(case.batch) {
            let part = start..case.labels.len().min(start + case.batch);
            let labels = Labels::U8(Column::from_slice(&case.labels[part.clone()]));
            let singles: Vec<f32> = case.scores[part.clone()].iter().map(|&s| s as f32).collect();
            // Batches of singles before batches of doubles.
            let scores = if case.is_single
                || start + case.batch < case.labels.len()
                    && is_all_single(&case.scores[part.clone()])
            {
                Scores::F32(Column::from_slice(&singles))
            } else {
                Scores::F64(Column::from_slice(&case.scores[part.clone()]))
            };
            let weights = case.weights.as_ref();
            let weights = weights.map(|weights| Column::from_slice(&weights[part]));
            collector.update(&labels, &scores, weights).unwrap();
        }
        collector.view(None).unwrap()
    }

    fn is_all_single(scores: &[f64]) -> bool {
        scores.iter().all(|&s| f64::from(s as f32).to_bits() == s.to_bits())
    }

    fn in_memory(case: &Case) -> Ranking {
        let labels = Labels::U8(Column::from_slice(&case.labels));
        let singles: Vec<f32> = case.scores.iter().map(|&s| s as f32).collect();
        let scores = if case.is_single {
            Scores::F32(Column::from_slice(&singles))
        } else {
            Scores::F64(Column::from_slice(&case.scores))
        };
        let weights = case.weights.as_deref().map(Column::from_slice);
        Ranking::from(score_table(&labels, &scores, weights, &options(case)).unwrap())
    }

    fn compare(case: &Case) -> std::result::Result<(), TestCaseError> {
        let (view, table) = (view_of(case), in_memory(case));
        prop_assert_eq!(view.rows(), table.rows());
        prop_assert_eq!(view.distinct().unwrap(), table.len());
        prop_assert_eq!(view.totals(), table.totals());
        for row in all() {
            let defaults = Parameters::defaults(row);
            let found = row.of_spilled(&view, &defaults);
            match row.of_scores(&table, &defaults) {
                Err(expected) => prop_assert_eq!(found.unwrap_err(), expected),
                Ok(_) if !row.is_of_spilled(view.is_weighted()) => {
                    prop_assert_eq!(found.unwrap_err().kind(), Kind::Key);
                }
                Ok(expected) => {
                    let found = found.unwrap();
                    let bits = (found.number.to_bits(), expected.number.to_bits());
                    prop_assert_eq!((bits.0, found.why), (bits.1, expected.why), "{}", row.name);
                }
            }
        }
        let ks = (view.ranking().unwrap().ks(), table.ks());
        prop_assert_eq!(format!("{:?}", ks.0), format!("{:?}", ks.1));
        let some = case.scores.iter().step_by(97).copied().filter(|score| !score.is_nan());
        for threshold in some.chain([0.0, 0.5, f64::INFINITY, f64::NEG_INFINITY, 0.123]) {
            for side in [Side::GreaterEqual, Side::Greater] {
                let found = view.at(Threshold::Float(threshold), side).unwrap();
                prop_assert_eq!(found, table.at(threshold, side), "{} {:?}", threshold, side);
            }
        }
        for fraction in [0.001, 0.02, 0.3, 0.999] {
            let all = table.totals().0 + table.totals().1;
            let Some(piece) = view.top(fraction * all).unwrap() else {
                continue;
            };
            let captured = crate::scores::ranking::break_even::captured;
            let found = captured(&piece, fraction * all);
            prop_assert_eq!(found.to_bits(), captured(&table, fraction * all).to_bits());
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 40 } else { 120 }))]
        #[test]
        fn what_has_spilled_has_the_bits_of_what_is_in_memory(case in cases()) {
            compare(&case)?;
        }
    }

    #[test]
    fn doubles_that_spilled_stay_doubles_when_singles_come_last() {
        let scores = (0..1200).map(|row| {
            let score = f64::from(row * 7 % 1200) / 1201.0;
            if row < 600 { score } else { f64::from(score as f32) }
        });
        compare(&Case {
            labels: (0..1200_u32).map(|row| u8::from(row % 5 < 2)).collect(),
            scores: scores.collect(),
            weights: None,
            is_single: false,
            batch: 300,
            memory: 1,
            missing: NanPolicy::Omit,
        })
        .unwrap();
    }

    #[test]
    fn neighbours_of_a_score_that_most_rows_have_are_told_apart() {
        for other in [0.3_f64.next_down(), 0.3_f64.next_up(), 0.3 + 1e-13] {
            compare(&Case {
                labels: (0..2000_u32).map(|row| u8::from(row % 3 == 0)).collect(),
                scores: (0..2000).map(|row| if row == 700 { other } else { 0.3 }).collect(),
                weights: None,
                is_single: false,
                batch: 300,
                memory: 1,
                missing: NanPolicy::Omit,
            })
            .unwrap();
        }
    }

    #[test]
    fn a_view_without_rows_of_a_class_says_why() {
        let case = Case {
            labels: vec![1; 700],
            scores: (0..700).map(f64::from).collect(),
            weights: None,
            is_single: false,
            batch: 300,
            memory: 1,
            missing: NanPolicy::Omit,
        };
        compare(&case).unwrap();
        let nothing = Case { scores: vec![f64::NAN; 700], ..case };
        compare(&nothing).unwrap();
    }
}
