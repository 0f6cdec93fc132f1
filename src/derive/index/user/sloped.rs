//! Expressions over numbers with slopes, and over a box of tables.
//!
//! An index in an expression gives its value and its own slopes. The steps of the expression then
//! follow the rules of differentiation.

use crate::arith::bounded::Bounded;
use crate::arith::number::Number;
use crate::arith::slope::Slopes;
use crate::arith::traced::Traced;
use crate::base::error::Result;
use crate::base::memory::{Gather, with_room};
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::index::user::program::Program;
use crate::index::user::step::{Amount, CELLS, Function, Operation, Step};
use crate::index::value::Outcome;
use crate::labels::view::{BinaryCounts, MatrixView};

impl Function {
    fn over(self, x: Traced) -> Traced {
        match self {
            Self::Negative => -x,
            Self::Sqrt => x.sqrt(),
            Self::Ln => x.ln(),
            Self::Log2 => x.ln() / std::f64::consts::LN_2,
            Self::Log10 => x.ln() / std::f64::consts::LN_10,
            Self::Exp => x.exp(),
            Self::Probit => -x.normal_quantile(),
            Self::Abs => x.abs(),
        }
    }
}

impl Operation {
    fn over(self, a: Traced, b: Traced) -> Traced {
        match self {
            Self::Add => a + b,
            Self::Subtract => a - b,
            Self::Multiply => a * b,
            Self::Divide => a / b,
            Self::Power => match b.known() {
                Some(power) => a.powf(power),
                None => (b * a.ln()).exp(),
            },
            Self::Min => a.min(b),
            Self::Max => a.max(b),
        }
    }
}

impl Program<Index> {
    /// The value of the expression at these cells and values of its indices.
    fn over(
        &self,
        own: &Parameters,
        cell: &dyn Fn(Amount) -> Traced,
        index: &dyn Fn(usize) -> Traced,
    ) -> Traced {
        let mut values: Vec<Traced> = with_room(self.steps.len());
        for step in &self.steps[..=self.result] {
            values.push(match *step {
                Step::Number(number) => Traced::of(number),
                Step::Parameter(place) => Traced::of(own.number(place)),
                Step::Amount(amount) => Traced::sum(amount.cells().iter().map(|&part| cell(part))),
                Step::Index(place) => index(place),
                Step::One(function, of) => function.over(values[of]),
                Step::Two(operation, a, b) => operation.over(values[a], values[b]),
            });
        }
        values[self.result]
    }

    /// The value over a box of 2×2 tables; `None` if an index in it is over `f64` alone. An
    /// undefined index counts as its conventional number.
    pub(crate) fn over_box(
        &self,
        table: &BinaryCounts<Bounded>,
        own: &Parameters,
    ) -> Option<Outcome<Bounded>> {
        let mut read = Vec::new();
        for (row, parameters) in self.readings_with(own) {
            let value = match row.over_box(table, &parameters)? {
                Err(_) if !row.when_undefined.is_nan() => Ok(Bounded::of(row.when_undefined)),
                value => value,
            };
            read.push(value);
        }
        let needed = self.steps.iter().filter_map(|step| match step {
            Step::Index(place) => Some(*place),
            _ => None,
        });
        for place in needed {
            if let Err(why) = read[place] {
                return Some(Err(why));
            }
        }
        let cells = [table.tp, table.fp, table.fn_, table.tn];
        let cell = |part: Amount| {
            let place = CELLS.iter().position(|&cell| cell == part).unwrap_or(0);
            Traced::from_bounded(cells[place])
        };
        let index =
            |place: usize| Traced::from_bounded(read[place].unwrap_or(Bounded::of(f64::NAN)));
        Traced::over_box(&|| Some(Ok(self.over(own, &cell, &index))))
    }

    /// The value and the slopes of a 2×2 table; `None` where they do not exist.
    pub(crate) fn slopes_of_counts(
        &self,
        counts: &BinaryCounts,
        own: &Parameters,
    ) -> Result<Option<Slopes<[f64; 4]>>> {
        let mut read = Vec::new();
        for (row, parameters) in self.readings_with(own) {
            match row.slopes_of_counts(counts, &parameters)? {
                Some(slopes) => read.push(slopes),
                None => return Ok(None),
            }
        }
        let masses = [counts.tp, counts.fp, counts.fn_, counts.tn];
        let found = Traced::with_slopes(&masses, &|cells| {
            let cell = |part: Amount| {
                let place = CELLS.iter().position(|&cell| cell == part).unwrap_or(0);
                cells[place]
            };
            let index = |place: usize| Traced::from_slopes(read[place].value, &read[place].slopes);
            Some(Ok(self.over(own, &cell, &index)))
        });
        let is_kink = read.iter().any(|slopes| slopes.is_kink);
        Ok(known(found, is_kink).map(Slopes::of_table))
    }

    /// The value and the slopes of a matrix; `None` where they do not exist.
    pub(crate) fn slopes_of_matrix(
        &self,
        view: &MatrixView,
        own: &Parameters,
    ) -> Result<Option<Slopes>> {
        let mut read = Vec::new();
        for (row, parameters) in self.readings_with(own) {
            match row.slopes_of_matrix(view, &parameters)? {
                Some(slopes) => read.push(slopes),
                None => return Ok(None),
            }
        }
        let masses: Vec<f64> = view.cells.iter().map(|cell| cell.mass).gather();
        let found = Traced::with_slopes(&masses, &|cells| {
            // For a matrix n is the only count, and the first cell holds it.
            let cell = |part: Amount| match part {
                Amount::Tp => Traced::sum(cells.iter().copied()),
                _ => Traced::of(0.0),
            };
            let index = |place: usize| Traced::from_slopes(read[place].value, &read[place].slopes);
            Some(Ok(self.over(own, &cell, &index)))
        });
        let is_kink = read.iter().any(|slopes| slopes.is_kink);
        Ok(known(found, is_kink))
    }
}

/// The slopes, if there are any; `is_kink` says that a reading has a kink.
fn known(found: Option<Outcome<Option<Slopes>>>, is_kink: bool) -> Option<Slopes> {
    let found = found?.ok()??;
    Some(Slopes { is_kink: found.is_kink | is_kink, ..found })
}
