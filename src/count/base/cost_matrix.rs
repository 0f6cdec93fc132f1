//! The cost of each outcome of a decision.

use crate::base::error::{Refusal, Result};

/// The expectation in refusals.
pub const EXPECTED_COSTS: &str = "a K by K matrix of finite costs, rows actual, columns predicted";

/// The cost of each outcome: K×K, rows actual, columns predicted, classes in the order of the
/// labels.
#[derive(Clone, Debug, PartialEq)]
pub struct CostMatrix {
    classes: usize,
    costs: Vec<f64>,
}

impl CostMatrix {
    /// The matrix from its rows, one after the other.
    ///
    /// # Errors
    /// [`Refusal::Argument`] for `matrix` if the numbers are not `classes` times `classes`, or if
    /// one is not finite.
    pub fn new(classes: usize, costs: Vec<f64>) -> Result<Self> {
        if classes == 0 || classes.checked_mul(classes) != Some(costs.len()) {
            let found = format!("{} numbers for {classes} classes", costs.len());
            return Err(Refusal::argument("matrix", found, EXPECTED_COSTS));
        }
        if let Some(place) = costs.iter().position(|cost| !cost.is_finite()) {
            let (row, column) = (place / classes, place % classes);
            let found = format!("{} in row {row}, column {column}", costs[place]);
            return Err(Refusal::argument("matrix", found, EXPECTED_COSTS));
        }
        Ok(Self { classes, costs })
    }

    /// The number of classes, K.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// The cost of predicting `predicted` for a row of class `actual`.
    #[inline]
    pub fn cost(&self, actual: usize, predicted: usize) -> f64 {
        self.costs[actual * self.classes + predicted]
    }
}
