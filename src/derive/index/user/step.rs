//! The steps of an expression: counts, functions, operations, and the indices that it reads.
//!
//! A step is a number, a reading of a statistic, or an operation on the values of earlier steps. An
//! index is read through [`Readable`], so that this file and the evaluator do not depend on rows,
//! and a row can hold a program.
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use std::borrow::Cow;

use crate::arith::logarithm::ln;
use crate::arith::special::normal_quantile;
use crate::base::error::Result;
use crate::index::parameter::Parameters;
use crate::index::tables::Tables;
use crate::index::value::{Outcome, Undefined};
use crate::labels::view::BinaryCounts;

/// The cells of a table, in the order of their columns.
pub(crate) const CELLS: [Amount; 4] = [Amount::Tp, Amount::Fp, Amount::Fn, Amount::Tn];

/// A number of rows, or their weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Amount {
    Tp,
    Fp,
    Fn,
    Tn,
    N,
    ActualPositives,
    ActualNegatives,
    PredictedPositives,
    PredictedNegatives,
}

impl Amount {
    /// The counts by their names.
    pub(crate) const NAMED: [(&'static str, Self); 9] = [
        ("tp", Self::Tp),
        ("fp", Self::Fp),
        ("fn", Self::Fn),
        ("tn", Self::Tn),
        ("n", Self::N),
        ("actual_positives", Self::ActualPositives),
        ("actual_negatives", Self::ActualNegatives),
        ("predicted_positives", Self::PredictedPositives),
        ("predicted_negatives", Self::PredictedNegatives),
    ];

    /// The cells that add up to this count, in this order.
    pub(crate) fn cells(self) -> &'static [Self] {
        match self {
            Self::Tp => &[Self::Tp],
            Self::Fp => &[Self::Fp],
            Self::Fn => &[Self::Fn],
            Self::Tn => &[Self::Tn],
            Self::N => &[Self::Tp, Self::Fp, Self::Fn, Self::Tn],
            Self::ActualPositives => &[Self::Tp, Self::Fn],
            Self::ActualNegatives => &[Self::Fp, Self::Tn],
            Self::PredictedPositives => &[Self::Tp, Self::Fp],
            Self::PredictedNegatives => &[Self::Fn, Self::Tn],
        }
    }

    /// The reason why a quotient is undefined where this count is zero.
    pub(crate) fn none(self) -> Undefined {
        match self {
            Self::Fp => Undefined::NoFalsePositives,
            Self::Fn => Undefined::NoFalseNegatives,
            Self::Tn => Undefined::NoTrueNegatives,
            Self::ActualPositives => Undefined::NoActualPositives,
            Self::ActualNegatives => Undefined::NoActualNegatives,
            Self::PredictedPositives => Undefined::NoPredictedPositives,
            Self::PredictedNegatives => Undefined::NoPredictedNegatives,
            Self::Tp | Self::N => Undefined::ZeroDenominator,
        }
    }

    /// The margin that is the sum of two cells.
    pub(crate) fn margin(a: Self, b: Self) -> Option<Self> {
        match (a, b) {
            (Self::Tp, Self::Fn) | (Self::Fn, Self::Tp) => Some(Self::ActualPositives),
            (Self::Fp, Self::Tn) | (Self::Tn, Self::Fp) => Some(Self::ActualNegatives),
            (Self::Tp, Self::Fp) | (Self::Fp, Self::Tp) => Some(Self::PredictedPositives),
            (Self::Fn, Self::Tn) | (Self::Tn, Self::Fn) => Some(Self::PredictedNegatives),
            _ => None,
        }
    }
}

/// A function of one number. It gives NaN where it is undefined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Function {
    Negative,
    Sqrt,
    Ln,
    Log2,
    Log10,
    Exp,
    Probit,
    Abs,
}

impl Function {
    /// The functions by their names.
    pub(crate) const NAMED: [(&'static str, Self); 7] = [
        ("sqrt", Self::Sqrt),
        ("ln", Self::Ln),
        ("log2", Self::Log2),
        ("log10", Self::Log10),
        ("exp", Self::Exp),
        ("probit", Self::Probit),
        ("abs", Self::Abs),
    ];

    #[inline]
    pub(crate) fn number(self, x: f64) -> f64 {
        let positive = |logarithm: fn(f64) -> f64| if x > 0.0 { logarithm(x) } else { f64::NAN };
        match self {
            Self::Negative => -x,
            Self::Sqrt => x.sqrt(),
            Self::Ln => positive(ln),
            Self::Log2 => positive(f64::log2),
            Self::Log10 => positive(f64::log10),
            Self::Exp => x.exp(),
            Self::Probit if x > 0.0 && x < 1.0 => -normal_quantile(x),
            Self::Probit => f64::NAN,
            Self::Abs => x.abs(),
        }
    }
}

/// An operation on two numbers. It gives NaN where it is undefined, and where one of the two is
/// NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Min,
    Max,
}

impl Operation {
    #[inline(always)]
    pub(crate) fn number(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Add => a + b,
            Self::Subtract => a - b,
            Self::Multiply => a * b,
            Self::Divide if b == 0.0 => f64::NAN,
            Self::Divide => a / b,
            // IEEE 754 makes 1 of NaN, where the other number allows it.
            Self::Power if a.is_nan() || b.is_nan() || a == 0.0 && b < 0.0 => f64::NAN,
            Self::Power => a.powf(b),
            Self::Min if a < b || a.is_nan() => a,
            Self::Max if a > b || a.is_nan() => a,
            Self::Min | Self::Max => b,
        }
    }
}

/// The argument for a parameter: a number, or one of the expression's own parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Argument {
    Number(f64),
    Own(usize),
}

/// An index as expressions see it.
pub(crate) trait Readable: Clone + PartialEq + Sync + 'static {
    /// Its parameters, with these numbers among them.
    fn parameters(&self, given: &[(&str, f64)]) -> Result<Parameters>;
    /// The statistics that it can be read from, with these arguments.
    fn statistics(&self, given: &[(&'static str, Argument)]) -> Statistics;
    fn has_counts(&self) -> bool;
    /// Whether the value of a class differs from the value of the class against the rest.
    fn has_class(&self) -> bool;
    /// The cell and the denominator `[a, b]`, if the index is `a / (a + b)`: then it is undefined
    /// only where both are zero.
    fn share_of_cells(&self) -> Option<(Amount, [Amount; 2])>;
    /// The number for one table, or why there is none.
    fn of_counts(&self, counts: &BinaryCounts, parameters: &Parameters) -> Outcome;
    /// The numbers of many tables; NaN where there is none.
    fn fill(&self, tables: Tables, parameters: &Parameters, to: &mut [f64]);
}

/// An index that the expression reads, with its arguments.
#[derive(Clone, Debug)]
pub(crate) struct Reading<R: 'static> {
    pub(crate) row: &'static R,
    pub(crate) given: Vec<(&'static str, Argument)>,
    /// The parameters, unless they depend on the expression's own parameters.
    bound: Option<Parameters>,
}

impl<R: Readable> PartialEq for Reading<R> {
    fn eq(&self, other: &Self) -> bool {
        self.row == other.row && self.given == other.given
    }
}

impl<R: Readable> Reading<R> {
    pub(crate) fn new(row: &'static R, given: Vec<(&'static str, Argument)>) -> Result<Self> {
        let numbers: Option<Vec<(&str, f64)>> = given
            .iter()
            .map(|&(name, argument)| match argument {
                Argument::Number(number) => Some((name, number)),
                Argument::Own(_) => None,
            })
            .collect();
        let bound = numbers.map(|numbers| row.parameters(&numbers));
        Ok(Self { row, given, bound: bound.transpose()? })
    }

    pub(crate) fn parameters(&self, own: &Parameters) -> Cow<'_, Parameters> {
        if let Some(bound) = &self.bound {
            return Cow::Borrowed(bound);
        }
        let mut numbers = [("", f64::NAN); Parameters::MOST];
        for (number, &(name, argument)) in numbers.iter_mut().zip(&self.given) {
            let given = match argument {
                Argument::Number(number) => number,
                Argument::Own(place) => own.number(place),
            };
            *number = (name, given);
        }
        let given = &numbers[..self.given.len().min(Parameters::MOST)];
        // A parameter that is passed on has the domain of the parameter that receives it.
        let checked = self.row.parameters(given).or_else(|_| self.row.parameters(&[]));
        Cow::Owned(checked.unwrap_or_default())
    }
}

/// One step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Step {
    Number(f64),
    /// A parameter of the expression.
    Parameter(usize),
    Amount(Amount),
    /// A reading of the program.
    Index(usize),
    One(Function, usize),
    Two(Operation, usize, usize),
}

impl Step {
    /// The operands of a step.
    pub(crate) fn operands(self) -> impl Iterator<Item = usize> {
        let (a, b) = match self {
            Self::One(_, of) => (Some(of), None),
            Self::Two(_, a, b) => (Some(a), Some(b).filter(|b| *b != a)),
            Self::Number(_) | Self::Parameter(_) | Self::Amount(_) | Self::Index(_) => (None, None),
        };
        a.into_iter().chain(b)
    }

    /// The value of an operation on two literal numbers, or why it is undefined.
    pub(crate) fn folded(self, a: f64, b: f64) -> Outcome {
        let (value, why) = match self {
            Self::One(function, _) => (function.number(a), Undefined::OutsideDomain),
            Self::Two(operation, ..) => {
                let by_zero = match operation {
                    Operation::Divide => b == 0.0,
                    _ => a == 0.0,
                };
                let why =
                    if by_zero { Undefined::ZeroDenominator } else { Undefined::OutsideDomain };
                (operation.number(a, b), why)
            }
            _ => (a, Undefined::OutsideDomain),
        };
        match value {
            value if value.is_finite() => Ok(value),
            value if value.is_nan() => Err(why),
            _ => Err(Undefined::OutOfRange),
        }
    }
}

/// The statistics that an index or expression can be read from.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::struct_excessive_bools)] // a set of four
pub(crate) struct Statistics {
    pub(crate) table: bool,
    pub(crate) matrix: bool,
    pub(crate) scores: bool,
    pub(crate) probabilities: bool,
}

impl Statistics {
    pub(crate) const ANY: Self =
        Self { table: true, matrix: true, scores: true, probabilities: true };
    pub(crate) const TABLE: Self =
        Self { table: true, matrix: false, scores: false, probabilities: false };

    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            table: self.table && other.table,
            matrix: self.matrix && other.matrix,
            scores: self.scores && other.scores,
            probabilities: self.probabilities && other.probabilities,
        }
    }

    pub(crate) fn none(self) -> bool {
        !(self.table || self.matrix || self.scores || self.probabilities)
    }

    /// The names of the statistics, for a message.
    pub(crate) fn names(self) -> String {
        let names = [
            (self.table, "counts"),
            (self.matrix && !self.table, "a matrix"),
            (self.scores, "all scores"),
            (self.probabilities, "probabilities"),
        ];
        let names: Vec<&str> = names.iter().filter(|name| name.0).map(|n| n.1).collect();
        names.join(" or ")
    }
}
