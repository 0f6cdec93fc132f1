//! How an index changes with each cell of a table.

use crate::arith::slope::Slopes;
use crate::base::error::Result;
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::index::tables::USUAL;
use crate::labels::view::BinaryCounts;

impl Index {
    /// The value of one 2×2 table, and its slopes over tp, fp, fn and tn. None if the index is
    /// undefined there, if its formula has logarithms, or if a slope is infinite.
    ///
    /// # Errors
    /// As [`Index::of_counts`].
    ///
    /// ```
    /// use rocksteady::index::find;
    /// use rocksteady::index::parameter::Parameters;
    /// use rocksteady::labels::view::BinaryCounts;
    ///
    /// let precision = find("precision")?; // tp / (tp + fp)
    /// let counts = BinaryCounts { tp: 6.0, fp: 2.0, fn_: 1.0, tn: 5.0 };
    /// let found = precision.slopes_of_counts(&counts, &Parameters::defaults(precision))?;
    /// assert_eq!(found.unwrap().slopes, [2.0 / 64.0, -6.0 / 64.0, 0.0, 0.0]);
    /// # Ok::<(), rocksteady::base::error::Refusal>(())
    /// ```
    pub fn slopes_of_counts(
        &self,
        counts: &BinaryCounts,
        parameters: &Parameters,
    ) -> Result<Option<Slopes>> {
        parameters.check_classes(2)?;
        let Some(form) = self.counts else {
            return self.form_of_matrix(2, parameters).map(|_| None);
        };
        if !USUAL.contains(&counts.total()) {
            return Ok(None);
        }
        let found = form.slopes(counts, parameters);
        Ok(found.and_then(std::result::Result::ok))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::registry::all;
    use crate::index::row::Law;

    const TABLES: [[f64; 4]; 4] = [
        [26.0, 8.0, 7.0, 59.0],
        [3.0, 5.0, 11.0, 2.0],
        [1e6, 3e5, 2e4, 7e7],
        [0.25, 3.5, 1.75, 6.125],
    ];

    fn table([tp, fp, fn_, tn]: [f64; 4]) -> BinaryCounts {
        BinaryCounts { tp, fp, fn_, tn }
    }

    /// Of every row with slopes: those of a row that does not change with the size of the table sum
    /// to 0 over the cells, and those of an amount to its value (Euler); and each is the limit of
    /// quotients.
    #[test]
    fn slopes_are_those_of_the_registry() {
        let mut rows = 0;
        for row in all().filter(|row| row.counts.is_some()) {
            let parameters = Parameters::defaults(row);
            let mut is_counted = false;
            for cells in TABLES {
                let Some(found) = row.slopes_of_counts(&table(cells), &parameters).unwrap() else {
                    continue;
                };
                is_counted = true;
                let value = row.of_counts(&table(cells), &parameters).unwrap().number;
                assert!(
                    (found.value - value).abs() <= 1e-15 * value.abs(),
                    "{}",
                    row.name
                );
                let terms: Vec<f64> = (0..4).map(|i| cells[i] * found.slopes[i]).collect();
                let size = terms
                    .iter()
                    .fold(value.abs(), |size, term| size.max(term.abs()));
                let sum: f64 = terms.iter().sum();
                if row.laws.contains(&Law::ScaleFree) {
                    assert!(sum.abs() <= 1e-14 * size, "{}: {sum}", row.name);
                }
                if row.laws.contains(&Law::Proportional) {
                    assert!((sum - value).abs() <= 1e-14 * size, "{}: {sum}", row.name);
                }
                if found.is_kink {
                    continue;
                }
                for i in 0..4 {
                    let step = cells[i] * 2_f64.powi(-14);
                    let at = |shift: f64| {
                        let mut moved = cells;
                        moved[i] += shift;
                        row.of_counts(&table(moved), &parameters).unwrap().number
                    };
                    // Of order 4 in the step.
                    let near = (at(step) - at(-step)) / (2.0 * step);
                    let far = (at(2.0 * step) - at(-2.0 * step)) / (4.0 * step);
                    let limit = (4.0 * near - far) / 3.0;
                    let error = (limit - found.slopes[i]).abs() * cells[i];
                    assert!(error <= 1e-9 * size, "{} {i}: {limit} {found:?}", row.name);
                }
            }
            rows += usize::from(is_counted);
        }
        assert!(rows > 150, "{rows}");
    }
    #[test]
    fn rows_without_a_value_of_a_table_are_refused_and_logarithms_have_no_slopes() {
        let of = |name: &str| {
            let row = crate::index::find(name).unwrap();
            row.slopes_of_counts(&table(TABLES[0]), &Parameters::defaults(row))
        };
        assert!(of("roc_auc").is_err());
        assert_eq!(of("cen").unwrap(), None);
    }
}
