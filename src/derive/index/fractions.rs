//! The exact value of an index, for rows that are fractions of counts.

use crate::arith::fraction::{Answer, Fraction};
use crate::arith::number::Number;
use crate::arith::traced::Traced;
use crate::base::error::{Refusal, Result};
use crate::costs::cost_table::CostView;
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::index::rows::matrix_sums::{ExactCells, Gathered};
use crate::index::value::{Outcome, Undefined};
use crate::labels::confusion::ConfusionMatrix;
use crate::labels::view::BinaryCounts;
use crate::scores::score_table::ScoreTable;

impl Index {
    /// The exact value of one 2×2 table.
    ///
    /// # Errors
    /// [`Refusal::Argument`] if there is no value, or none that is a fraction.
    pub fn fraction_of_counts(
        &self,
        counts: &BinaryCounts,
        parameters: &Parameters,
    ) -> Result<Fraction> {
        parameters.check_classes(2)?;
        let is_empty = counts.total() == 0.0;
        let cells = || counts.map(Traced::of);
        let found = self.counts.and_then(|form| form.exact(&cells, parameters));
        self.fraction_of(is_empty, found)
    }

    /// The exact value of a matrix: of the class `positive` where there are two classes and the row
    /// has a formula over counts, else of the whole matrix.
    ///
    /// # Errors
    /// As [`Index::fraction_of_counts`] and [`Index::of_matrix`].
    pub fn fraction_of_matrix(
        &self,
        matrix: &ConfusionMatrix,
        positive: Option<usize>,
        parameters: &Parameters,
    ) -> Result<Fraction> {
        let cells = ExactCells { classes: matrix.classes(), cells: matrix.exact_cells() };
        let is_empty = cells.cells.is_empty();
        let by_class = positive.filter(|_| cells.classes == 2 && parameters.matrix().is_none());
        if let (Some(form), Some(class)) = (self.counts, by_class) {
            let table = || Gathered::exactly(&cells).one_vs_rest(class);
            return self.fraction_of(is_empty, form.exact(&table, parameters));
        }
        let form = self.form_of_matrix(cells.classes, parameters)?;
        self.fraction_of(is_empty, form.exact(&cells, parameters))
    }

    /// The exact value over all thresholds.
    ///
    /// # Errors
    /// As [`Index::fraction_of_counts`] and [`Index::of_scores`].
    pub fn fraction_of_scores(&self, table: &ScoreTable) -> Result<Fraction> {
        let form = self.exact().ok_or_else(|| self.no_fraction())?;
        let found = form(table).ok_or_else(|| self.no_value(Undefined::OneActualClass))?;
        Ok(found)
    }

    /// The exact value of what rows cost at one threshold.
    ///
    /// # Errors
    /// As [`Index::fraction_of_counts`] and [`Index::of_costs`].
    pub fn fraction_of_costs(&self, costs: &CostView<Fraction>) -> Result<Fraction> {
        let form = self.form_of_costs()?;
        self.fraction_of(costs.rows.is_zero(), form.exact(costs))
    }

    fn fraction_of(&self, is_empty: bool, found: Option<Outcome<Answer>>) -> Result<Fraction> {
        match found {
            Some(outcome) if is_empty && self.needs_rows(&outcome) => {
                Err(self.no_value(Undefined::NoRows))
            }
            Some(Ok(answer)) => answer.fraction().cloned().ok_or_else(|| self.no_fraction()),
            Some(Err(why)) => Fraction::of(self.when_undefined).ok_or_else(|| self.no_value(why)),
            None => Err(self.no_fraction()),
        }
    }

    fn no_fraction(&self) -> Refusal {
        let expected =
            "an index whose value is a fraction of these amounts, without logarithms and roots";
        Refusal::argument("name", format!("{:?}", self.name), expected)
    }

    fn no_value(&self, why: Undefined) -> Refusal {
        let expected = format!("an index that has a value here: {why}");
        Refusal::argument("name", format!("{:?}", self.name), expected)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::base::column::Column;
    use crate::base::input::{Label, LabelKind, LabelSet, Labels, Scores};
    use crate::index::find;
    use crate::index::registry::all;
    use crate::scores::ranking::Ranking;
    use crate::scores::sweep::all_thresholds::score_table;
    use crate::scores::sweep::counted_scores::{Given, table_of_masses};
    use crate::scores::sweep::rows::SweepOptions;

    #[test]
    fn areas_and_distances_are_fractions() {
        let (labels, scores) = ([0_u8, 1, 1, 0, 1], [0.1, 0.4, 0.4, 0.4, 0.9]);
        let labels = Labels::of::<u8>(Column::from_slice(&labels));
        let scores = Scores::of::<f64>(Column::from_slice(&scores));
        let table = score_table(&labels, &scores, None, &SweepOptions::default()).unwrap();
        let value = |name: &str| find(name).unwrap().fraction_of_scores(&table).unwrap().to_f64();
        assert_eq!(value("roc_auc"), 5.0 / 6.0);
        assert_eq!(value("gini"), 2.0 / 3.0);
        assert_eq!(value("ks"), 0.5);
    }

    fn counts() -> impl Strategy<Value = u64> {
        prop_oneof![0_u64..3, 0_u64..1000, 0_u64..1 << 30, 0_u64..1 << 58]
    }

    proptest! {
        #[test]
        fn values_of_score_tables_are_rounded_once(
            rows in prop::collection::vec((counts(), counts()), 1..20), most in 1_u32..59,
        ) {
            let of = |side: fn(&(u64, u64)) -> u64| -> Vec<u64> {
                rows.iter().map(|row| side(row) & ((1 << most) - 1)).collect()
            };
            let (positives, negatives) = (of(|row| row.0), of(|row| row.1));
            let scores: Vec<f64> = (0..rows.len()).map(|place| place as f64).collect();
            let table = table_of_masses(
                &Scores::F64(Column::from_slice(&scores)),
                [Given::Counts(&positives), Given::Counts(&negatives)],
                None,
                &LabelSet::numbered(2),
                &SweepOptions::zero_one(),
            ).unwrap();
            let ranking = Ranking::from(table.clone());
            for row in all().filter(|row| row.exact().is_some()) {
                let found = row.of_scores(&ranking, &Parameters::defaults(row)).unwrap();
                prop_assert_eq!(found.why.is_none(), row.fraction_of_scores(&table).is_ok());
                if let Ok(expected) = row.fraction_of_scores(&table) {
                    prop_assert_eq!(found.number, expected.to_f64(), "{}", row.name);
                }
            }
        }

        #[test]
        fn values_of_matrices_are_rounded_once(
            cells in prop::collection::vec(counts(), 25), classes in 2_usize..6, most in 0_u32..59,
        ) {
            let cells: Vec<u64> = cells[..classes * classes].iter().map(|cell| cell & ((1 << most) - 1)).collect();
            let values = (0..classes as i128).map(Label::Int).collect();
            let labels = LabelSet { kind: LabelKind::Int, values };
            let matrix = ConfusionMatrix::from_counts(&cells, labels).unwrap();
            let view = matrix.view();
            let cells = ExactCells { classes, cells: matrix.exact_cells() };
            let mut compared = 0;
            for row in all() {
                let parameters = Parameters::defaults(row);
                let Some(form) = row.matrix else { continue };
                let exact = form.exact(&cells, &parameters).and_then(std::result::Result::ok);
                if let Some(expected) = exact.and_then(|answer| answer.to_f64()).filter(|_| view.total > 0.0) {
                    let found = row.of_matrix(&view, &parameters).unwrap();
                    prop_assert_eq!(found.number, expected, "{} {:?}", row.name, &cells.cells);
                    compared += 1;
                }
            }
            prop_assert!(compared > 0 || view.total == 0.0);
        }
    }

    #[test]
    fn roots_and_missing_values_are_refused() {
        let counts = |tp, fp, fn_, tn| BinaryCounts { tp, fp, fn_, tn };
        let ask = |name: &str, counts: &BinaryCounts| {
            let row = find(name).unwrap();
            row.fraction_of_counts(counts, &Parameters::defaults(row))
        };
        assert_eq!(ask("mcc", &counts(1.0, 0.0, 1.0, 2.0)).map(|x| x.to_f64()).ok(), None);
        assert_eq!(ask("mcc", &counts(1.0, 1.0, 0.0, 1.0)).unwrap().to_f64(), 0.5);
        assert_eq!(ask("mcc", &counts(1.0, 1.0, 0.0, 0.0)).unwrap().to_f64(), 0.0);
        assert!(ask("cen", &counts(1.0, 1.0, 0.0, 1.0)).is_err());
        assert!(ask("precision", &counts(0.0, 0.0, 3.0, 1.0)).is_err());
        assert!(ask("accuracy", &counts(0.0, 0.0, 0.0, 0.0)).is_err());
        assert!(ask("errors", &counts(0.0, 0.0, 0.0, 0.0)).unwrap().is_zero());
        let third = ask("accuracy", &counts(1.0, 1.0, 1.0, 0.0)).unwrap();
        assert_eq!(third.to_f64(), 1.0 / 3.0);
    }
}
