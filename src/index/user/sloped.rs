//! Expressions over numbers with slopes.
//!
//! An index in an expression gives its value and its own slopes. The steps of the expression then
//! follow the rules of differentiation.

use crate::arith::number::{Number, Real};
use crate::arith::slope::{Sloped, Slopes};
use crate::base::error::Result;
use crate::base::memory::with_room;
use crate::index::form::MatrixSlopes;
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::index::user::program::Program;
use crate::index::user::step::{Amount, CELLS, Function, Operation, Step};
use crate::labels::view::{BinaryCounts, MatrixView};

impl Function {
    fn sloped(self, x: Sloped) -> Sloped {
        match self {
            Self::Negative => -x,
            Self::Sqrt => x.sqrt(),
            Self::Ln => x.ln(),
            Self::Log2 => x.ln() / std::f64::consts::LN_2,
            Self::Log10 => x.ln() / std::f64::consts::LN_10,
            Self::Exp => x.exp(),
            Self::Abs => x.abs(),
        }
    }
}

impl Operation {
    fn sloped(self, a: Sloped, b: Sloped) -> Sloped {
        match self {
            Self::Add => a + b,
            Self::Subtract => a - b,
            Self::Multiply => a * b,
            Self::Divide => a / b,
            Self::Power if b.is_constant() => a.powf(b.near()),
            Self::Power => (b * a.ln()).exp(),
            Self::Min => a.min(b),
            Self::Max => a.max(b),
        }
    }
}

impl Program<Index> {
    /// The value of the expression where its cells and its indices have these values.
    fn over(
        &self,
        own: &Parameters,
        cell: impl Fn(Amount) -> Sloped,
        index: impl Fn(usize) -> Sloped,
    ) -> Sloped {
        let mut values: Vec<Sloped> = with_room(self.steps.len());
        for step in &self.steps[..=self.result] {
            values.push(match *step {
                Step::Number(number) => Sloped::of(number),
                Step::Parameter(place) => Sloped::of(own.number(place)),
                Step::Amount(amount) => Sloped::sum(amount.cells().iter().map(|&part| cell(part))),
                Step::Index(place) => index(place),
                Step::One(function, of) => function.sloped(values[of]),
                Step::Two(operation, a, b) => operation.sloped(values[a], values[b]),
            });
        }
        values[self.result]
    }

    /// The value and the slopes of a 2×2 table; none where there are none.
    pub(crate) fn slopes_of_counts(
        &self,
        counts: &BinaryCounts,
        own: &Parameters,
    ) -> Result<Option<Slopes>> {
        let mut read = Vec::new();
        for (row, parameters) in self.readings_with(own) {
            match row.slopes_of_counts(counts, &parameters)? {
                Some(slopes) => read.push(slopes),
                None => return Ok(None),
            }
        }
        let cells = [counts.tp, counts.fp, counts.fn_, counts.tn];
        let cell = |part: Amount| {
            let place = CELLS.iter().position(|&cell| cell == part).unwrap_or(0);
            Sloped::cell(cells[place], place)
        };
        let index = |place: usize| Sloped::of_slopes(read[place].value, read[place].slopes);
        let found = Sloped::evaluated(|| Ok::<_, ()>(self.over(own, cell, index)));
        let is_kink = read.iter().any(|slopes| slopes.is_kink);
        Ok(found.ok().flatten().map(|found| Slopes {
            is_kink: found.is_kink | is_kink,
            ..found
        }))
    }

    /// The same of a matrix.
    pub(crate) fn slopes_of_matrix(
        &self,
        view: &MatrixView,
        own: &Parameters,
    ) -> Result<Option<MatrixSlopes>> {
        let mut read = Vec::new();
        for (row, parameters) in self.readings_with(own) {
            match row.slopes_of_matrix(view, &parameters)? {
                Some(slopes) => read.push(slopes),
                None => return Ok(None),
            }
        }
        let found = MatrixSlopes::by_fours(view.cells.len(), |start| {
            let four = |slope: &dyn Fn(usize) -> Option<f64>| {
                [0, 1, 2, 3].map(|place| slope(start + place).unwrap_or(0.0))
            };
            // Of the amounts, only n goes with a matrix, whose first cell stands for all.
            let cell = |part: Amount| match part {
                Amount::Tp => Sloped::of_slopes(view.total, [1.0; 4]),
                _ => Sloped::of(0.0),
            };
            let index = |place: usize| {
                let slopes = &read[place].slopes;
                Sloped::of_slopes(read[place].value, four(&|at| slopes.get(at).copied()))
            };
            Sloped::evaluated(|| Ok(self.over(own, cell, index)))
        });
        let is_kink = read.iter().any(|slopes| slopes.is_kink);
        Ok(found.ok().flatten().map(|found| MatrixSlopes {
            is_kink: found.is_kink | is_kink,
            ..found
        }))
    }
}
