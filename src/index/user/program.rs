//! The steps of an expression, and running them.
//!
//! A step is a number, something read from a statistic, or an operation on the values of earlier steps. One table is run step by
//! step, with the values on the stack, and the first step without a value tells why there is none. Many tables are run by the
//! instructions that the steps became (see [`crate::index::user::columns`]).
//!
//! An index inside an expression counts as the number that it shows: its conventional number where it has one (MCC is 0 where a
//! margin is empty), else the expression is undefined for the same reason.

#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use std::borrow::Cow;

use crate::arith::logarithm::ln;
use crate::base::error::Result;
use crate::index::evaluate::Tables;
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::index::user::MOST_STEPS;
use crate::index::user::columns::{Cells, Machine};
use crate::index::value::{Outcome, Undefined, Value};
use crate::labels::view::{BinaryCounts, MatrixView};
use crate::scores::calibration::probability_sums::ProbabilityView;
use crate::scores::ranking::Ranking;

/// A number of rows.
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
    /// The amounts by their names.
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

    /// The cells that add up to it, in this order.
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

    #[inline]
    fn of(self, c: &BinaryCounts) -> f64 {
        match self {
            Self::Tp => c.tp,
            Self::Fp => c.fp,
            Self::Fn => c.fn_,
            Self::Tn => c.tn,
            Self::N => c.total(),
            Self::ActualPositives => c.tp + c.fn_,
            Self::ActualNegatives => c.fp + c.tn,
            Self::PredictedPositives => c.tp + c.fp,
            Self::PredictedNegatives => c.fn_ + c.tn,
        }
    }

    /// Why one cannot divide by it where it is zero.
    fn none(self) -> Undefined {
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

    /// The margin that two cells add up to.
    fn margin(a: Self, b: Self) -> Option<Self> {
        match (a, b) {
            (Self::Tp, Self::Fn) | (Self::Fn, Self::Tp) => Some(Self::ActualPositives),
            (Self::Fp, Self::Tn) | (Self::Tn, Self::Fp) => Some(Self::ActualNegatives),
            (Self::Tp, Self::Fp) | (Self::Fp, Self::Tp) => Some(Self::PredictedPositives),
            (Self::Fn, Self::Tn) | (Self::Tn, Self::Fn) => Some(Self::PredictedNegatives),
            _ => None,
        }
    }
}

/// A function of one number. Where it has no value it gives NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Function {
    Negative,
    Sqrt,
    Ln,
    Log2,
    Log10,
    Exp,
    Abs,
}

impl Function {
    /// The functions by their names.
    pub(crate) const NAMED: [(&'static str, Self); 6] = [
        ("sqrt", Self::Sqrt),
        ("ln", Self::Ln),
        ("log2", Self::Log2),
        ("log10", Self::Log10),
        ("exp", Self::Exp),
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
            Self::Abs => x.abs(),
        }
    }
}

/// An operation on two numbers. Where it has no value it gives NaN, and where one of the two is NaN.
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
            // Of NaN, IEEE 754 makes 1 where the other number allows it.
            Self::Power if a.is_nan() || b.is_nan() || a == 0.0 && b < 0.0 => f64::NAN,
            Self::Power => a.powf(b),
            Self::Min if a < b || a.is_nan() => a,
            Self::Max if a > b || a.is_nan() => a,
            Self::Min | Self::Max => b,
        }
    }
}

/// What is given for a parameter: a number, or one of the expression's own parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Argument {
    Number(f64),
    Own(usize),
}

/// An index of ours that the expression reads, with what is given for its parameters.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) row: &'static Index,
    pub(crate) given: Vec<(&'static str, Argument)>,
    /// The parameters, unless they follow from the expression's own.
    bound: Option<Parameters>,
}

impl PartialEq for Reading {
    fn eq(&self, other: &Self) -> bool {
        self.row == other.row && self.given == other.given
    }
}

impl Reading {
    pub(crate) fn new(row: &'static Index, given: Vec<(&'static str, Argument)>) -> Result<Self> {
        let numbers: Option<Vec<(&str, f64)>> = given
            .iter()
            .map(|&(name, argument)| match argument {
                Argument::Number(number) => Some((name, number)),
                Argument::Own(_) => None,
            })
            .collect();
        let bound = numbers.map(|numbers| Parameters::new(row, &numbers, None));
        Ok(Self {
            row,
            given,
            bound: bound.transpose()?,
        })
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
        // A parameter that is passed on has the domain of the one that it is given for.
        let checked = Parameters::new(self.row, given, None);
        Cow::Owned(checked.unwrap_or_else(|_| Parameters::defaults(self.row)))
    }

    /// The cell, and the two cells that it is divided by, of a row whose formula is `a / (a + b)` and nothing else: such a row is
    /// undefined only where both are zero.
    pub(crate) fn share_of_cells(&self) -> Option<(Amount, [Amount; 2])> {
        let row = self.row;
        let is_plain =
            row.counts.is_some() && row.parameters.is_empty() && row.when_undefined.is_nan();
        let (part, margin) = row.formula.split_once(" / (").filter(|_| is_plain)?;
        let (a, b) = margin.strip_suffix(')')?.split_once(" + ")?;
        let cell = |name: &str| {
            let known = Amount::NAMED.iter().find(|known| known.0 == name);
            known
                .map(|known| known.1)
                .filter(|cell| cell.cells() == [*cell])
        };
        let (part, margin) = (cell(part)?, [cell(a)?, cell(b)?]);
        margin.contains(&part).then_some((part, margin))
    }

    /// Whether it can be read from a matrix of any number of classes.
    pub(crate) fn of_any_matrix(&self) -> bool {
        let two_classes = |&(name, _): &(&str, Argument)| {
            let declared = self.row.parameters.iter().find(|known| known.name == name);
            declared.is_some_and(|known| known.two_classes)
        };
        self.row.matrix.is_some() && !self.given.iter().any(two_classes)
    }
}

/// One step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Step {
    Number(f64),
    /// One of the expression's own parameters.
    Parameter(usize),
    Amount(Amount),
    /// One of the program's readings.
    Index(usize),
    One(Function, usize),
    Two(Operation, usize, usize),
}

/// The statistics that something can be read from.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::struct_excessive_bools)] // a set of four
pub(crate) struct Statistics {
    pub(crate) table: bool,
    pub(crate) matrix: bool,
    pub(crate) sweep: bool,
    pub(crate) probability: bool,
}

impl Statistics {
    pub(crate) const ANY: Self = Self {
        table: true,
        matrix: true,
        sweep: true,
        probability: true,
    };
    pub(crate) const TABLE: Self = Self {
        table: true,
        matrix: false,
        sweep: false,
        probability: false,
    };

    pub(crate) fn of(reading: &Reading) -> Self {
        let row = reading.row;
        Self {
            table: row.counts.is_some() || row.matrix.is_some(),
            matrix: reading.of_any_matrix(),
            sweep: row.sweep.is_some(),
            probability: row.probability.is_some(),
        }
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            table: self.table && other.table,
            matrix: self.matrix && other.matrix,
            sweep: self.sweep && other.sweep,
            probability: self.probability && other.probability,
        }
    }

    pub(crate) fn none(self) -> bool {
        !(self.table || self.matrix || self.sweep || self.probability)
    }

    /// What they are called.
    pub(crate) fn names(self) -> String {
        let names = [
            (self.table, "counts"),
            (self.matrix && !self.table, "a matrix"),
            (self.sweep, "all scores"),
            (self.probability, "probabilities"),
        ];
        let names: Vec<&str> = names.iter().filter(|name| name.0).map(|n| n.1).collect();
        names.join(" or ")
    }
}

/// An expression, ready to run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Program {
    pub(crate) steps: Vec<Step>,
    pub(crate) readings: Vec<Reading>,
    /// The step whose value is that of the expression.
    pub(crate) result: usize,
    pub(crate) statistics: Statistics,
    /// The same for many tables.
    machine: Machine,
}

/// What a step takes from a statistic.
enum Read<'a> {
    Amount(Amount),
    Index(&'a Index, &'a Parameters),
}

impl Program {
    pub(crate) fn new(
        steps: Vec<Step>,
        readings: Vec<Reading>,
        result: usize,
        statistics: Statistics,
    ) -> Self {
        let machine = Machine::new(&steps, &readings, result);
        Self {
            steps,
            readings,
            result,
            statistics,
            machine,
        }
    }

    /// Whether 2×2 tables have a value, by a formula over counts rather than over a matrix of two classes.
    pub(crate) fn has_counts(&self) -> bool {
        let by_counts = |reading: &Reading| reading.row.counts.is_some();
        self.statistics.table && (!self.statistics.matrix || self.readings.iter().all(by_counts))
    }

    /// The indices that it reads, with their parameters.
    pub(crate) fn readings_with<'a>(
        &'a self,
        own: &'a Parameters,
    ) -> impl Iterator<Item = (&'static Index, Cow<'a, Parameters>)> {
        let readings = self.readings.iter();
        readings.map(|reading| (reading.row, reading.parameters(own)))
    }

    /// Whether 2×2 tables have a value.
    pub(crate) fn has_tables(&self) -> bool {
        self.statistics.table
    }

    /// Whether matrices of any number of classes have a value.
    pub(crate) fn has_matrix(&self) -> bool {
        self.statistics.matrix
    }

    /// Whether a class's value is another than that of the class against the rest.
    pub(crate) fn has_class(&self) -> bool {
        let by_class = |reading: &Reading| reading.row.class.is_some();
        self.statistics.table && self.readings.iter().any(by_class)
    }

    /// Whether it is an index of all thresholds.
    pub(crate) fn has_sweep(&self) -> bool {
        self.statistics.sweep && !self.readings.is_empty()
    }

    /// Whether it is an index of probabilities.
    pub(crate) fn has_probability(&self) -> bool {
        self.statistics.probability && !self.readings.is_empty()
    }

    /// Whether there may be no value.
    pub(crate) fn may_be_undefined(&self) -> bool {
        self.steps.iter().any(|step| {
            !matches!(
                step,
                Step::Number(_)
                    | Step::Parameter(_)
                    | Step::Amount(_)
                    | Step::One(Function::Negative | Function::Abs, _)
                    | Step::Two(
                        Operation::Add
                            | Operation::Subtract
                            | Operation::Multiply
                            | Operation::Min
                            | Operation::Max,
                        ..
                    )
            )
        })
    }

    pub(crate) fn of_counts(&self, counts: &BinaryCounts, own: &Parameters) -> Outcome {
        self.outcome(own, &|read| match read {
            Read::Amount(amount) => Ok(amount.of(counts)),
            Read::Index(row, parameters) => shown(row.of_counts(counts, parameters)),
        })
    }

    pub(crate) fn of_matrix(&self, view: &MatrixView, own: &Parameters) -> Outcome {
        self.outcome(own, &|read| match read {
            Read::Amount(_) => Ok(view.total), // of all amounts, only n goes with a matrix
            Read::Index(row, parameters) => shown(row.of_matrix(view, parameters)),
        })
    }

    pub(crate) fn of_class(&self, view: &MatrixView, class: usize, own: &Parameters) -> Outcome {
        self.outcome(own, &|read| match read {
            Read::Amount(amount) => Ok(amount.of(&view.one_vs_rest(class))),
            Read::Index(row, parameters) => shown(row.of_class(view, class, parameters)),
        })
    }

    pub(crate) fn of_sweep(&self, table: &Ranking, own: &Parameters) -> Outcome {
        self.outcome(own, &|read| match read {
            Read::Amount(_) => {
                let (positives, negatives) = table.totals();
                Ok(positives + negatives)
            }
            Read::Index(row, parameters) => shown(row.of_sweep(table, parameters)),
        })
    }

    pub(crate) fn of_probabilities(&self, sums: &ProbabilityView, own: &Parameters) -> Outcome {
        self.outcome(own, &|read| match read {
            Read::Amount(_) => Ok(sums.weight),
            Read::Index(row, parameters) => shown(row.of_probability_view(sums, parameters)),
        })
    }

    fn outcome(&self, own: &Parameters, read: &dyn Fn(Read) -> Outcome) -> Outcome {
        if self.steps.len() <= 32 {
            self.run::<32>(own, read)
        } else {
            self.run::<MOST_STEPS>(own, read)
        }
    }

    /// Runs the steps with at most `ROOM` of them.
    fn run<const ROOM: usize>(&self, own: &Parameters, read: &dyn Fn(Read) -> Outcome) -> Outcome {
        let mut values = [0.0; ROOM];
        let mut infinite = false;
        for (place, &step) in self.steps.iter().enumerate() {
            let value = match step {
                Step::Number(number) => number,
                Step::Parameter(place) => own.number(place),
                Step::Amount(amount) => read(Read::Amount(amount))?,
                Step::Index(place) => {
                    let reading = &self.readings[place];
                    let number = read(Read::Index(reading.row, &reading.parameters(own)))?;
                    infinite |= number.is_infinite();
                    number
                }
                Step::One(function, of) => function.number(values[of]),
                Step::Two(operation, a, b) => operation.number(values[a], values[b]),
            };
            if value.is_nan() {
                return Err(self.reason(step, &values));
            }
            values[place] = value;
        }
        let value = values[self.result];
        if value.is_finite() || infinite {
            Ok(value)
        } else {
            Err(Undefined::OutOfRange)
        }
    }

    /// Why a step has no value, those before it having one.
    fn reason(&self, step: Step, values: &[f64]) -> Undefined {
        match step {
            Step::One(..) => Undefined::OutsideDomain,
            Step::Two(Operation::Divide, _, b) if values[b] == 0.0 => match self.steps[b] {
                Step::Amount(amount) => amount.none(),
                Step::Two(Operation::Add, a, b) => match (self.steps[a], self.steps[b]) {
                    (Step::Amount(a), Step::Amount(b)) => {
                        Amount::margin(a, b).map_or(Undefined::ZeroDenominator, Amount::none)
                    }
                    _ => Undefined::ZeroDenominator,
                },
                _ => Undefined::ZeroDenominator,
            },
            Step::Two(Operation::Power, a, _) if values[a] == 0.0 => Undefined::ZeroDenominator,
            Step::Two(Operation::Power, a, _) if values[a].is_finite() => Undefined::OutsideDomain,
            _ => Undefined::OutOfRange,
        }
    }

    /// The value of an operation on two numbers that stand in the text, or why there is none.
    pub(crate) fn folded(step: Step, a: f64, b: f64) -> Outcome {
        let (value, why) = match step {
            Step::One(function, _) => (function.number(a), Undefined::OutsideDomain),
            Step::Two(operation, ..) => {
                let by_zero = match operation {
                    Operation::Divide => b == 0.0,
                    _ => a == 0.0,
                };
                let why = if by_zero {
                    Undefined::ZeroDenominator
                } else {
                    Undefined::OutsideDomain
                };
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

    /// The number of each table; NaN where there is none.
    pub(crate) fn fill(&self, tables: Tables, own: &Parameters, to: &mut [f64]) {
        self.machine.fill(self, tables, own, to);
    }

    /// Whether the cells of a 2×2 table are all that it reads of one, so that columns of them do.
    pub(crate) fn reads_cells(&self) -> bool {
        self.statistics.table && self.machine.reads_cells_only()
    }

    /// The numbers of tables of usual size that come as columns.
    pub(crate) fn fill_cells(&self, cells: &Cells, own: &Parameters, to: &mut [f64]) {
        self.machine.fill_cells(self, cells, own, to);
    }
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
