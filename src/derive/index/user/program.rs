//! The steps of an expression as instructions, and the one evaluator that runs them.
//!
//! 1. Steps become instructions once, when the expression is read: a count becomes a sum of some of
//!    the four cells, equal steps become one, and a register is reused as soon as its numbers are
//!    not needed any more.
//! 2. An instruction is one loop over a block: 256 tables, or one. A loop of known length over
//!    separate arrays compiles to vectors; a loop of length one to the operation itself.
//! 3. "No value" is NaN, which every operation passes on. A block of one stops at the first
//!    instruction without a value, and this instruction tells the reason.
//! 4. Many tables come in blocks: their cells as four columns, with the registers beside them in
//!    the nearest cache. Rates such as precision are quotients of columns here. A value beyond the
//!    range of numbers is computed again as a block of one.
//!
//! An index inside an expression counts as the number that it shows: its conventional number where
//! it has one (MCC is 0 where a margin is empty), else the expression is undefined for the same
//! reason.
//!
//! Cost on one core, for a million tables: 0.3 ms for the columns, 0.05 ms for a sum or a product,
//! plus the time of divisions, roots and logarithms.
//!
//! Rejected: a register for every step, with loops over slices of any length (each step twice as
//! long, and F1 at every threshold three times as long as the built-in row).
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.
#![allow(clippy::needless_range_loop)] // Over arrays of one known length, which `zip` forgets.

use std::borrow::Cow;
use std::cell::Cell;

use crate::arith::logarithm::ln_normal;
use crate::base::memory::with_room;
use crate::base::wide::wide;
use crate::index::parameter::Parameters;
use crate::index::tables::{COLUMN_LEN, CellColumn, Cells, Tables};
use crate::index::user::MOST_STEPS;
use crate::index::user::step::{
    Amount, CELLS, Function, Operation, Readable, Reading, Statistics, Step,
};
use crate::index::value::{Outcome, Undefined};
use crate::labels::view::BinaryCounts;

/// One number for each table of a block.
type Register<const LANES: usize> = [f64; LANES];

/// The most registers of a block of one that do not need [`MOST_STEPS`] of them cleared.
const FEW_REGISTERS: usize = 16;

thread_local! {
    /// Registers that are kept between runs, as a run takes only a few hundred tables; the first
    /// four are for cells.
    static REGISTERS: Cell<Vec<CellColumn>> = const { Cell::new(Vec::new()) };
}

/// An expression, ready to run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Program<R: Readable> {
    pub(crate) steps: Vec<Step>,
    pub(crate) readings: Vec<Reading<R>>,
    /// The step that gives the value of the expression.
    pub(crate) result: usize,
    pub(crate) statistics: Statistics,
    /// Instructions for a block of one, which read every index.
    single: Instructions,
    /// Instructions for many tables, where an index that is a share of two cells is a quotient of
    /// columns.
    tables: Instructions,
}

impl<R: Readable> Program<R> {
    pub(crate) fn new(
        steps: Vec<Step>,
        readings: Vec<Reading<R>>,
        result: usize,
        statistics: Statistics,
    ) -> Self {
        let (of_single, at) = of_cells(&steps, |_| None, result);
        let single = Instructions::new(&of_single, at);
        let share = |place: usize| readings[place].row.share_of_cells();
        let (of_tables, at) = of_cells(&steps, share, result);
        let tables = Instructions::new(&of_tables, at);
        Self { steps, readings, result, statistics, single, tables }
    }

    /// Whether 2×2 tables have a value by a formula over counts, not only as matrices of two
    /// classes.
    pub(crate) fn has_counts(&self) -> bool {
        let by_counts = |reading: &Reading<R>| reading.row.has_counts();
        self.statistics.table && (!self.statistics.matrix || self.readings.iter().all(by_counts))
    }

    pub(crate) fn readings_with<'a>(
        &'a self,
        own: &'a Parameters,
    ) -> impl Iterator<Item = (&'static R, Cow<'a, Parameters>)> {
        let readings = self.readings.iter();
        readings.map(|reading| (reading.row, reading.parameters(own)))
    }

    pub(crate) fn has_tables(&self) -> bool {
        self.statistics.table
    }

    pub(crate) fn has_matrix(&self) -> bool {
        self.statistics.matrix
    }

    /// Whether the value of a class differs from the value of the class against the rest.
    pub(crate) fn has_class(&self) -> bool {
        let by_class = |reading: &Reading<R>| reading.row.has_class();
        self.statistics.table && self.readings.iter().any(by_class)
    }

    pub(crate) fn has_scores(&self) -> bool {
        self.statistics.scores && !self.readings.is_empty()
    }

    pub(crate) fn has_probabilities(&self) -> bool {
        self.statistics.probabilities && !self.readings.is_empty()
    }

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

    /// The value of one statistic from its cells, or why it is undefined; `read` gives the values
    /// of indices. If the statistic is no 2×2 table, all rows are in the first cell.
    pub(crate) fn of_one(
        &self,
        cells: [f64; 4],
        own: &Parameters,
        read: &dyn Fn(&R, &Parameters) -> Outcome,
    ) -> Outcome {
        if self.single.registers <= FEW_REGISTERS {
            self.of_one_with::<FEW_REGISTERS>(cells, own, read)
        } else {
            self.of_one_with::<MOST_STEPS>(cells, own, read)
        }
    }

    fn of_one_with<const ROOM: usize>(
        &self,
        cells: [f64; 4],
        own: &Parameters,
        read: &dyn Fn(&R, &Parameters) -> Outcome,
    ) -> Outcome {
        let (mut registers, mut out) = ([[0.0]; ROOM], [0.0]);
        let (mut why, mut infinite) = (None, false);
        let cells = cells.map(|cell| [cell]);
        let read = |place: usize, to: &mut [f64; 1]| {
            let reading = &self.readings[place];
            match read(reading.row, &reading.parameters(own)) {
                Ok(number) => {
                    infinite |= number.is_infinite();
                    *to = [number];
                }
                Err(reason) => {
                    why = Some(reason);
                    *to = [f64::NAN];
                }
            }
        };
        match run(&self.single, &cells, own, &mut registers, read, &mut out) {
            Some(place) => {
                Err(why.unwrap_or_else(|| self.single.reason(place, &cells, own, &registers)))
            }
            None if out[0].is_finite() || infinite => Ok(out[0]),
            None => Err(Undefined::OutOfRange),
        }
    }

    /// The number of each table; NaN where it is undefined.
    pub(crate) fn fill(&self, tables: Tables, own: &Parameters, to: &mut [f64]) {
        let finite = self.with_registers(|registers| run_tables(self, tables, own, registers, to));
        if !finite {
            self.settle(|place| tables.all()[place], own, to);
        }
    }

    /// Whether the program reads only the cells of 2×2 tables, so that columns of cells suffice.
    pub(crate) fn reads_cells(&self) -> bool {
        self.statistics.table && self.tables.reads_cells_only()
    }

    /// The numbers of tables that come as columns, whose sizes are in the usual range.
    pub(crate) fn fill_cells(&self, cells: &Cells, own: &Parameters, to: &mut [f64]) {
        let finite = self.with_registers(|registers| run_cells(self, cells, own, registers, to));
        if !finite {
            self.settle(|place| cells.table(place), own, to);
        }
    }

    fn with_registers(&self, run: impl FnOnce(&mut [CellColumn]) -> bool) -> bool {
        let mut registers = REGISTERS.take();
        let needed = CELLS.len() + self.tables.registers;
        if registers.len() < needed {
            registers.resize(needed, [0.0; COLUMN_LEN]);
        }
        let finite = run(&mut registers);
        REGISTERS.set(registers);
        finite
    }

    /// Makes all NaN the same NaN, and computes infinite numbers again.
    #[cold]
    fn settle(&self, table: impl Fn(usize) -> BinaryCounts, own: &Parameters, to: &mut [f64]) {
        for (place, number) in to.iter_mut().enumerate() {
            if number.is_nan() {
                *number = f64::NAN; // of one sign
            } else if number.is_infinite() {
                // An index may give it, or it is beyond the range of floats: a block of one
                // decides.
                let c = table(place);
                let read = |row: &R, parameters: &Parameters| row.of_counts(&c, parameters);
                let one = self.of_one([c.tp, c.fp, c.fn_, c.tn], own, &read);
                *number = one.unwrap_or(f64::NAN);
            }
        }
    }
}

/// An operand of an instruction.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Operand {
    /// A cell of [`CELLS`].
    Cell(usize),
    Register(usize),
    Number(f64),
    /// A parameter of the expression.
    Parameter(usize),
}

/// An operand that has been loaded.
#[derive(Clone, Copy)]
enum Given<'a, const LANES: usize> {
    Column(&'a Register<LANES>),
    Number(f64),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Action {
    /// The operand itself.
    Take(Operand),
    /// A reading of the program.
    Index(usize),
    One(Function, Operand),
    Two(Operation, Operand, Operand),
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Instruction {
    action: Action,
    /// The register for the result.
    to: usize,
}

/// The instructions that give an expression's value.
#[derive(Clone, Debug, PartialEq)]
struct Instructions {
    before: Vec<Instruction>,
    /// The action that gives the values.
    last: Action,
    registers: usize,
    cells: bool,
}

impl Instructions {
    /// The instructions that give the value of the step `result`.
    fn new(steps: &[Step], result: usize) -> Self {
        // The last use of each step.
        let mut last = vec![None; steps.len()];
        last[result] = Some(steps.len());
        for (place, step) in steps.iter().enumerate().rev() {
            if last[place].is_some() {
                for of in step.operands() {
                    last[of] = last[of].or(Some(place));
                }
            }
        }
        let mut free: Vec<usize> = Vec::new();
        let mut registers = 0;
        let mut instructions = Vec::new();
        let mut operand_of: Vec<Operand> = with_room(steps.len());
        for (place, step) in steps.iter().enumerate() {
            let action = match *step {
                Step::Number(number) => Err(Operand::Number(number)),
                Step::Parameter(place) => Err(Operand::Parameter(place)),
                Step::Amount(amount) => {
                    let cell = CELLS.iter().position(|&cell| cell == amount);
                    Err(Operand::Cell(cell.unwrap_or(0))) // the other amounts are sums now
                }
                Step::Index(reading) => Ok(Action::Index(reading)),
                Step::One(function, of) => Ok(Action::One(function, operand_of[of])),
                Step::Two(operation, a, b) => {
                    Ok(Action::Two(operation, operand_of[a], operand_of[b]))
                }
            };
            let operand = match action {
                Err(operand) => operand,
                Ok(_) if last[place].is_none() => Operand::Number(f64::NAN), // nobody asks for it
                Ok(action) => {
                    // Taken before the registers of its operands are free, since they are read
                    // while it is written.
                    let to = free.pop().unwrap_or_else(|| {
                        registers += 1;
                        registers - 1
                    });
                    instructions.push(Instruction { action, to });
                    Operand::Register(to)
                }
            };
            operand_of.push(operand);
            if last[place].is_some() {
                for of in step.operands() {
                    match operand_of[of] {
                        Operand::Register(done) if last[of] == Some(place) => free.push(done),
                        _ => {}
                    }
                }
            }
        }
        // All that the result needs comes before it, so its own instruction, if it has one, is the
        // last.
        let last_action = match operand_of[result] {
            Operand::Register(_) => instructions.pop().map(|last| last.action),
            _ => None,
        };
        let cells = (steps.iter().zip(&last))
            .any(|(step, last)| matches!(step, Step::Amount(_)) && last.is_some());
        Self {
            before: instructions,
            last: last_action.unwrap_or(Action::Take(operand_of[result])),
            registers,
            cells,
        }
    }

    fn reads_cells_only(&self) -> bool {
        let actions = self.before.iter().map(|instruction| instruction.action);
        !(actions.chain([self.last])).any(|action| matches!(action, Action::Index(_)))
    }
}

/// The steps with sums of the four cells in place of all other counts, and quotients of cells in
/// place of the indices that are shares. Equal steps are one. Also gives the place of the result.
fn of_cells(
    steps: &[Step],
    share: impl Fn(usize) -> Option<(Amount, [Amount; 2])>,
    result: usize,
) -> (Vec<Step>, usize) {
    fn place_of(step: Step, all: &mut Vec<Step>) -> usize {
        let known = all.iter().position(|&known| known == step);
        known.unwrap_or_else(|| {
            all.push(step);
            all.len() - 1
        })
    }
    let mut all = with_room(steps.len());
    let mut places: Vec<usize> = with_room(steps.len());
    for &step in steps {
        let place = match step {
            Step::Amount(amount) => {
                // From left to right, in the order in which a single table adds them.
                let mut sum: Option<usize> = None;
                for &cell in amount.cells() {
                    let cell = place_of(Step::Amount(cell), &mut all);
                    sum = Some(match sum {
                        None => cell,
                        Some(sum) => place_of(Step::Two(Operation::Add, sum, cell), &mut all),
                    });
                }
                sum.unwrap_or(0) // every amount has a cell
            }
            Step::One(function, of) => place_of(Step::One(function, places[of]), &mut all),
            Step::Two(operation, a, b) => {
                place_of(Step::Two(operation, places[a], places[b]), &mut all)
            }
            Step::Index(reading) => match share(reading) {
                Some((part, margin)) => {
                    let [part, a, b] = [part, margin[0], margin[1]]
                        .map(|cell| place_of(Step::Amount(cell), &mut all));
                    let margin = place_of(Step::Two(Operation::Add, a, b), &mut all);
                    place_of(Step::Two(Operation::Divide, part, margin), &mut all)
                }
                None => place_of(step, &mut all),
            },
            Step::Number(_) | Step::Parameter(_) => place_of(step, &mut all),
        };
        places.push(place);
    }
    (all, places[result])
}

impl Instructions {
    /// Why the instruction at `place` has no value; the instructions before it have one.
    #[cold]
    fn reason(
        &self,
        place: usize,
        cells: &[Register<1>; 4],
        own: &Parameters,
        registers: &[Register<1>],
    ) -> Undefined {
        let (before, rest) = self.before.split_at(place);
        let action = rest.first().map_or(self.last, |instruction| instruction.action);
        let number = |operand: Operand| match operand {
            Operand::Cell(place) => cells[place][0],
            Operand::Register(place) => registers[place][0],
            Operand::Number(number) => number,
            Operand::Parameter(place) => own.number(place),
        };
        match action {
            Action::One(..) => Undefined::OutsideDomain,
            Action::Two(Operation::Divide, _, b) if number(b) == 0.0 => match b {
                Operand::Cell(place) => CELLS[place].none(),
                Operand::Register(register) => {
                    let written = before.iter().rev().find(|before| before.to == register);
                    match written.map(|instruction| instruction.action) {
                        Some(Action::Two(Operation::Add, Operand::Cell(a), Operand::Cell(b))) => {
                            Amount::margin(CELLS[a], CELLS[b])
                                .map_or(Undefined::ZeroDenominator, Amount::none)
                        }
                        _ => Undefined::ZeroDenominator,
                    }
                }
                Operand::Number(_) | Operand::Parameter(_) => Undefined::ZeroDenominator,
            },
            Action::Two(Operation::Power, a, _) if number(a) == 0.0 => Undefined::ZeroDenominator,
            Action::Two(Operation::Power, a, _) if number(a).is_finite() => {
                Undefined::OutsideDomain
            }
            _ => Undefined::OutOfRange,
        }
    }
}

/// Runs a program over all tables; returns whether every value is finite.
fn run_tables<R: Readable>(
    program: &Program<R>,
    tables: Tables,
    own: &Parameters,
    registers: &mut [CellColumn],
    to: &mut [f64],
) -> bool {
    let mut finite = true;
    let Some((cells, registers)) = registers.split_first_chunk_mut() else {
        return finite; // there are always as many
    };
    for (tables, to) in tables.chunks(COLUMN_LEN).zip(to.chunks_mut(COLUMN_LEN)) {
        if program.tables.cells {
            gather(tables.all(), cells);
        }
        finite &= over_block(program, tables, cells, own, registers, to);
    }
    finite
}

/// As [`run_tables`], over columns.
fn run_cells<R: Readable>(
    program: &Program<R>,
    cells: &Cells,
    own: &Parameters,
    registers: &mut [CellColumn],
    to: &mut [f64],
) -> bool {
    let mut finite = true;
    let none = Tables::new(&[]);
    for (cells, to) in cells.blocks.iter().zip(to.chunks_mut(COLUMN_LEN)) {
        finite &= over_block(program, none, cells, own, registers, to);
    }
    finite
}

/// Runs the instructions over one block. In a partial block, the numbers at unused places have no
/// meaning.
fn over_block<R: Readable>(
    program: &Program<R>,
    tables: Tables,
    cells: &[CellColumn; 4],
    own: &Parameters,
    registers: &mut [CellColumn],
    out: &mut [f64],
) -> bool {
    let mut read = |place: usize, to: &mut CellColumn| {
        let reading = &program.readings[place];
        let to = &mut to[..tables.all().len()];
        reading.row.fill(tables, &reading.parameters(own), to);
    };
    if let Ok(out) = <&mut CellColumn>::try_from(&mut *out) {
        return run_block(&program.tables, cells, own, registers, &mut read, out);
    }
    let mut rest = [0.0; COLUMN_LEN];
    run_block(&program.tables, cells, own, registers, &mut read, &mut rest);
    out.copy_from_slice(&rest[..out.len()]);
    out.iter().all(|number| number.is_finite())
}

wide! {
    /// Runs the instructions over one full block; returns whether every value is finite.
    fn run_block[](
        instructions: &Instructions, cells: &[CellColumn; 4], own: &Parameters, registers: &mut [CellColumn],
        read: &mut dyn FnMut(usize, &mut CellColumn), out: &mut CellColumn,
    ) -> bool = run_full;
}

#[inline(always)]
fn run_full(
    instructions: &Instructions,
    cells: &[CellColumn; 4],
    own: &Parameters,
    registers: &mut [CellColumn],
    read: &mut dyn FnMut(usize, &mut CellColumn),
    out: &mut CellColumn,
) -> bool {
    run(instructions, cells, own, registers, read, out);
    // A loop without an early end is vectorised.
    out.iter().fold(true, |all, number| all & number.is_finite())
}

/// Runs the instructions over one block; `read` writes the numbers of an index. A block of one
/// stops at the first instruction without a value and returns its place; a longer block runs to the
/// end.
#[inline(always)]
fn run<const LANES: usize>(
    instructions: &Instructions,
    cells: &[Register<LANES>; 4],
    own: &Parameters,
    registers: &mut [Register<LANES>],
    mut read: impl FnMut(usize, &mut Register<LANES>),
    out: &mut Register<LANES>,
) -> Option<usize> {
    for (place, instruction) in instructions.before.iter().enumerate() {
        let (low, rest) = registers.split_at_mut(instruction.to);
        if let Some((to, high)) = rest.split_first_mut() {
            perform(instruction.action, AtHand { cells, low, high, own }, &mut read, to);
            if LANES == 1 && to[0].is_nan() {
                return Some(place);
            }
        }
    }
    let (low, high) = (&*registers, &[][..]);
    perform(instructions.last, AtHand { cells, low, high, own }, &mut read, out);
    (LANES == 1 && out[0].is_nan()).then_some(instructions.before.len())
}

/// The readable part while one register is written: cells, parameters, and the registers before and
/// after it.
#[derive(Clone, Copy)]
struct AtHand<'a, const LANES: usize> {
    cells: &'a [Register<LANES>; 4],
    low: &'a [Register<LANES>],
    high: &'a [Register<LANES>],
    own: &'a Parameters,
}

#[inline(always)]
fn perform<const LANES: usize>(
    action: Action,
    at_hand: AtHand<LANES>,
    read: &mut impl FnMut(usize, &mut Register<LANES>),
    to: &mut Register<LANES>,
) {
    let AtHand { cells, low, high, own } = at_hand;
    let given = |operand: Operand| match operand {
        Operand::Cell(place) => Given::Column(&cells[place]),
        Operand::Register(place) if place < low.len() => Given::Column(&low[place]),
        Operand::Register(place) => Given::Column(&high[place - low.len() - 1]),
        Operand::Number(number) => Given::Number(number),
        Operand::Parameter(place) => Given::Number(own.number(place)),
    };
    match action {
        Action::Take(of) => map(given(of), to, |x| x),
        Action::Index(place) => read(place, to),
        Action::One(function, of) => one(function, given(of), to),
        Action::Two(operation, a, b) => two(operation, given(a), given(b), to),
    }
}

#[inline(always)]
fn one<const LANES: usize>(function: Function, of: Given<LANES>, to: &mut Register<LANES>) {
    match (function, of) {
        (Function::Negative, _) => map(of, to, |x| -x),
        (Function::Abs, _) => map(of, to, f64::abs),
        (Function::Sqrt, _) => map(of, to, f64::sqrt),
        (Function::Ln, Given::Column(column)) if all_normal(column) => map(of, to, ln_normal),
        _ => map(of, to, |x| function.number(x)),
    }
}

/// Whether all numbers are positive and normal, as [`ln_normal`] requires.
#[inline(always)]
fn all_normal(column: &[f64]) -> bool {
    let mut all = true;
    for x in column {
        // A loop without an early end is vectorised.
        all &= (f64::MIN_POSITIVE..f64::INFINITY).contains(x);
    }
    all
}

#[inline(always)]
fn two<const LANES: usize>(
    operation: Operation,
    a: Given<LANES>,
    b: Given<LANES>,
    to: &mut Register<LANES>,
) {
    match operation {
        Operation::Add => map2(a, b, to, |a, b| a + b),
        Operation::Subtract => map2(a, b, to, |a, b| a - b),
        Operation::Multiply => map2(a, b, to, |a, b| a * b),
        Operation::Divide => map2(a, b, to, |a, b| Operation::Divide.number(a, b)),
        Operation::Power => map2(a, b, to, |a, b| Operation::Power.number(a, b)),
        Operation::Min => map2(a, b, to, |a, b| Operation::Min.number(a, b)),
        Operation::Max => map2(a, b, to, |a, b| Operation::Max.number(a, b)),
    }
}

#[inline(always)]
fn map<const LANES: usize>(
    of: Given<LANES>,
    to: &mut Register<LANES>,
    number: impl Fn(f64) -> f64,
) {
    match of {
        Given::Column(column) => {
            for lane in 0..LANES {
                to[lane] = number(column[lane]);
            }
        }
        Given::Number(x) => *to = [number(x); LANES],
    }
}

#[inline(always)]
fn map2<const LANES: usize>(
    a: Given<LANES>,
    b: Given<LANES>,
    to: &mut Register<LANES>,
    number: impl Fn(f64, f64) -> f64,
) {
    match (a, b) {
        (Given::Column(a), Given::Column(b)) => {
            for lane in 0..LANES {
                to[lane] = number(a[lane], b[lane]);
            }
        }
        (Given::Column(a), Given::Number(b)) => map(Given::Column(a), to, |a| number(a, b)),
        (Given::Number(a), b) => map(b, to, |b| number(a, b)),
    }
}

/// The cells of a block of tables, a column for each.
#[inline(always)]
fn gather(tables: &[BinaryCounts], [tp, fp, fn_, tn]: &mut [CellColumn; 4]) {
    for (lane, c) in tables.iter().enumerate().take(COLUMN_LEN) {
        (tp[lane], fp[lane], fn_[lane], tn[lane]) = (c.tp, c.fp, c.fn_, c.tn);
    }
}
