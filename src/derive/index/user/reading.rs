//! How expressions read rows of the registry, and the forms that an expression gives a row.

use crate::base::error::Result;
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::index::tables::Tables;
use crate::index::user::program::Program;
use crate::index::user::step::{Amount, Argument, Readable, Statistics};
use crate::index::value::{Outcome, Undefined, Value};
use crate::labels::view::{BinaryCounts, MatrixView};
use crate::scores::calibration::probability_sums::ProbabilityView;
use crate::scores::ranking::Ranking;

impl Readable for Index {
    fn parameters(&self, given: &[(&str, f64)]) -> Result<Parameters> {
        Parameters::new(self, given, None)
    }

    fn statistics(&self, given: &[(&'static str, Argument)]) -> Statistics {
        let two_classes = |&(name, _): &(&str, Argument)| {
            let declared = self.parameters.iter().find(|known| known.name == name);
            declared.is_some_and(|known| known.two_classes)
        };
        Statistics {
            table: self.counts.is_some() || self.matrix.is_some(),
            // A parameter with a meaning for two classes only excludes larger matrices.
            matrix: self.matrix.is_some() && !given.iter().any(two_classes),
            scores: self.scores().is_some(),
            probabilities: self.probabilities().is_some(),
        }
    }

    fn has_counts(&self) -> bool {
        self.counts.is_some()
    }

    fn has_class(&self) -> bool {
        self.class.is_some()
    }

    fn share_of_cells(&self) -> Option<(Amount, [Amount; 2])> {
        let is_plain =
            self.counts.is_some() && self.parameters.is_empty() && self.when_undefined.is_nan();
        let (part, margin) = self.formula.split_once(" / (").filter(|_| is_plain)?;
        let (a, b) = margin.strip_suffix(')')?.split_once(" + ")?;
        let cell = |name: &str| {
            let known = Amount::NAMED.iter().find(|known| known.0 == name);
            known.map(|known| known.1).filter(|cell| cell.cells() == [*cell])
        };
        let (part, margin) = (cell(part)?, [cell(a)?, cell(b)?]);
        margin.contains(&part).then_some((part, margin))
    }

    fn of_counts(&self, counts: &BinaryCounts, parameters: &Parameters) -> Outcome {
        shown(Index::of_counts(self, counts, parameters))
    }

    fn fill(&self, tables: Tables, parameters: &Parameters, to: &mut [f64]) {
        if Index::fill(self, tables, parameters, to).is_err() {
            to.fill(f64::NAN);
        }
    }
}

impl Program<Index> {
    pub(crate) fn of_counts(&self, counts: &BinaryCounts, own: &Parameters) -> Outcome {
        let BinaryCounts { tp, fp, fn_, tn } = *counts;
        self.of_one([tp, fp, fn_, tn], own, &|row, parameters| {
            shown(row.of_counts(counts, parameters))
        })
    }

    pub(crate) fn of_matrix(&self, view: &MatrixView, own: &Parameters) -> Outcome {
        self.of_one(all_rows(view.total), own, &|row, parameters| {
            shown(row.of_matrix(view, parameters))
        })
    }

    pub(crate) fn of_class(&self, view: &MatrixView, class: usize, own: &Parameters) -> Outcome {
        let BinaryCounts { tp, fp, fn_, tn } = view.one_vs_rest(class);
        self.of_one([tp, fp, fn_, tn], own, &|row, parameters| {
            shown(row.of_class(view, class, parameters))
        })
    }

    pub(crate) fn of_scores(&self, table: &Ranking, own: &Parameters) -> Outcome {
        let (positives, negatives) = table.totals();
        self.of_one(all_rows(positives + negatives), own, &|row, parameters| {
            shown(row.of_scores(table, parameters))
        })
    }

    pub(crate) fn of_probabilities(&self, sums: &ProbabilityView, own: &Parameters) -> Outcome {
        self.of_one(all_rows(sums.weight), own, &|row, parameters| {
            shown(row.of_probability_view(sums, parameters))
        })
    }
}

/// Cells that add up to all rows: without a 2×2 table, n is the only count.
fn all_rows(total: f64) -> [f64; 4] {
    [total, 0.0, 0.0, 0.0]
}

/// The number that an index shows, or why it shows none.
#[allow(clippy::needless_pass_by_value)] // it ends here
fn shown(value: Result<Value>) -> Outcome {
    match value {
        Ok(value) if value.number.is_nan() => Err(value.why.unwrap_or(Undefined::OutOfRange)),
        Ok(value) => Ok(value.number),
        Err(_) => Err(Undefined::OutsideDomain), // indices that the statistic does not have are refused in the text
    }
}
