//! Running a program over many tables: a machine of few registers, each of 256 numbers.
//!
//! When an expression is read its steps become instructions, once: an amount becomes sums of the four cells, a rate such as
//! precision a quotient of them, what is there already is not taken twice, and a register is used again as soon as nothing needs its numbers any more. So the few that
//! are left stay in the nearest cache, beside the tables and what is made of them.
//!
//! The tables are passed in blocks. The cells of a block are put into four columns, then each instruction is one loop over
//! all 256 places, whether the block is full or not: a loop of known length over separate arrays is nothing but vectors. A
//! number, or a parameter, is an operand without a column. The last instruction writes the values where they belong.
//!
//! "No value" is NaN, which every operation passes on. The loops' operations are those of the single table, so both ways
//! give the same bits.
//!
//! Cost, one core, a million tables: 0.3 ms for the columns, 0.05 ms for a sum or a product, and what divisions, roots and
//! logarithms take.
//! Rejected: a register for every step, with loops over slices of any length (each step twice as long, and F1 at every threshold
//! three times as long as the row of our own).

#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.
#![allow(clippy::needless_range_loop)] // Over arrays of one known length, which `zip` forgets.

use std::cell::Cell;

use crate::arith::logarithm::ln_normal;
use crate::base::wide::wide;
use crate::index::evaluate::Tables;
use crate::index::parameter::Parameters;
use crate::index::user::program::{Amount, Function, Operation, Program, Reading, Step};
use crate::labels::view::BinaryCounts;

/// How many tables an instruction takes at a time: 2 KiB of values.
const LANES: usize = 256;

/// A register: one number for each table of a block.
type Lanes = [f64; LANES];

/// The cells of a table, in the order of their columns.
const CELLS: [Amount; 4] = [Amount::Tp, Amount::Fp, Amount::Fn, Amount::Tn];

thread_local! {
    /// Registers from one run to the next, which takes a few hundred tables only; the first four are for cells.
    static REGISTERS: Cell<Vec<Lanes>> = const { Cell::new(Vec::new()) };
}

/// What an instruction works on.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Operand {
    /// One of [`CELLS`].
    Cell(usize),
    Register(usize),
    Number(f64),
    /// One of the expression's own parameters.
    Parameter(usize),
}

/// An operand at hand.
#[derive(Clone, Copy)]
enum Given<'a> {
    Column(&'a Lanes),
    Number(f64),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Action {
    /// The operand itself.
    Take(Operand),
    /// One of the program's readings.
    Index(usize),
    One(Function, Operand),
    Two(Operation, Operand, Operand),
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Instruction {
    action: Action,
    /// The register that it writes to.
    to: usize,
}

/// A program's instructions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Machine {
    before: Vec<Instruction>,
    /// What gives the values.
    last: Action,
    registers: usize,
    /// Whether the tables' cells are asked for.
    cells: bool,
}

/// Tables as columns of their cells: blocks of 256 numbers for each.
#[derive(Debug)]
pub(crate) struct Cells {
    blocks: Vec<[Lanes; CELLS.len()]>,
}

impl Cells {
    /// Room for so many tables.
    pub(crate) fn with_room(tables: usize) -> Self {
        let blocks = vec![[[0.0; LANES]; CELLS.len()]; tables.div_ceil(LANES)];
        Self { blocks }
    }

    /// Hands out the columns (tp, fp, fn, tn) of so many tables, part by part with the place of the first.
    pub(crate) fn parts(
        &mut self,
        tables: usize,
    ) -> impl Iterator<Item = (usize, [&mut [f64]; CELLS.len()])> {
        let starts = (0..tables).step_by(LANES);
        starts.zip(&mut self.blocks).map(move |(start, block)| {
            let len = LANES.min(tables - start);
            (start, block.each_mut().map(|column| &mut column[..len]))
        })
    }

    fn table(&self, place: usize) -> BinaryCounts {
        let [tp, fp, fn_, tn] = self.blocks[place / LANES].map(|column| column[place % LANES]);
        BinaryCounts { tp, fp, fn_, tn }
    }
}

impl Machine {
    /// The instructions that give the value of the step `result`.
    pub(crate) fn new(steps: &[Step], readings: &[Reading], result: usize) -> Self {
        let (steps, result) = of_cells(steps, readings, result);
        // Where each step is needed last.
        let mut last = vec![None; steps.len()];
        last[result] = Some(steps.len());
        for (place, step) in steps.iter().enumerate().rev() {
            if last[place].is_some() {
                let (a, b) = operands(*step);
                for of in a.into_iter().chain(b) {
                    last[of] = last[of].or(Some(place));
                }
            }
        }
        let mut free: Vec<usize> = Vec::new();
        let mut registers = 0;
        let mut instructions = Vec::new();
        let mut operand_of: Vec<Operand> = Vec::with_capacity(steps.len());
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
                    // Before those of its operands are free: it reads them while it writes.
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
                let (a, b) = operands(*step);
                for of in a.into_iter().chain(b.filter(|_| a != b)) {
                    match operand_of[of] {
                        Operand::Register(done) if last[of] == Some(place) => free.push(done),
                        _ => {}
                    }
                }
            }
        }
        // What the result needs comes before it, so that its own instruction, if it has one, is the last.
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

    /// Whether the cells of the tables are all that is read.
    pub(crate) fn reads_cells_only(&self) -> bool {
        let actions = self.before.iter().map(|instruction| instruction.action);
        !(actions.chain([self.last])).any(|action| matches!(action, Action::Index(_)))
    }

    /// The number of each table; NaN where there is none.
    pub(crate) fn fill(&self, program: &Program, tables: Tables, own: &Parameters, to: &mut [f64]) {
        let mut finite = true;
        self.with_registers(|registers| {
            finite = run_tables(self, program, tables, own, registers, to);
        });
        if !finite {
            settle(program, |place| tables.all()[place], own, to);
        }
    }

    /// The same of tables that come as columns.
    pub(crate) fn fill_cells(
        &self,
        program: &Program,
        cells: &Cells,
        own: &Parameters,
        to: &mut [f64],
    ) {
        let mut finite = true;
        self.with_registers(|registers| {
            finite = run_cells(self, program, cells, own, registers, to);
        });
        if !finite {
            settle(program, |place| cells.table(place), own, to);
        }
    }

    fn with_registers(&self, run: impl FnOnce(&mut [Lanes])) {
        let mut registers = REGISTERS.take();
        let needed = CELLS.len() + self.registers;
        if registers.len() < needed {
            registers.resize(needed, [0.0; LANES]);
        }
        run(&mut registers);
        REGISTERS.set(registers);
    }
}

/// Makes all NaN that one, and looks at what is infinite.
#[cold]
fn settle(
    program: &Program,
    table: impl Fn(usize) -> BinaryCounts,
    own: &Parameters,
    to: &mut [f64],
) {
    for (place, number) in to.iter_mut().enumerate() {
        if number.is_nan() {
            *number = f64::NAN; // of one sign
        } else if number.is_infinite() {
            // By an index in it, or beyond what a float holds: the single table knows.
            *number = program.of_counts(&table(place), own).unwrap_or(f64::NAN);
        }
    }
}

/// The steps that one works on.
fn operands(step: Step) -> (Option<usize>, Option<usize>) {
    match step {
        Step::One(_, of) => (Some(of), None),
        Step::Two(_, a, b) => (Some(a), Some(b)),
        Step::Number(_) | Step::Parameter(_) | Step::Amount(_) | Step::Index(_) => (None, None),
    }
}

/// The steps with sums in place of all amounts but the four cells, and shares of cells in place of the indices that are no more
/// than that; each step once, and where the result is then.
fn of_cells(steps: &[Step], readings: &[Reading], result: usize) -> (Vec<Step>, usize) {
    fn place_of(step: Step, all: &mut Vec<Step>) -> usize {
        let known = all.iter().position(|&known| known == step);
        known.unwrap_or_else(|| {
            all.push(step);
            all.len() - 1
        })
    }
    let mut all = Vec::with_capacity(steps.len());
    let mut places: Vec<usize> = Vec::with_capacity(steps.len());
    for &step in steps {
        let place = match step {
            Step::Amount(amount) => {
                // From left to right, as a single table adds them.
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
            Step::Index(reading) => match readings[reading].share_of_cells() {
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

wide! {
    fn run_tables[](
        machine: &Machine, program: &Program, tables: Tables, own: &Parameters, registers: &mut [Lanes], to: &mut [f64],
    ) -> bool = over_tables;

    fn run_cells[](
        machine: &Machine, program: &Program, cells: &Cells, own: &Parameters, registers: &mut [Lanes], to: &mut [f64],
    ) -> bool = over_cells;
}

/// Runs the machine over all tables; whether every value is finite.
#[inline(always)]
fn over_tables(
    machine: &Machine,
    program: &Program,
    tables: Tables,
    own: &Parameters,
    registers: &mut [Lanes],
    to: &mut [f64],
) -> bool {
    let mut finite = true;
    let Some((cells, registers)) = registers.split_first_chunk_mut() else {
        return finite; // there are always as many
    };
    for (tables, to) in tables.chunks(LANES).zip(to.chunks_mut(LANES)) {
        if machine.cells {
            gather(tables.all(), cells);
        }
        finite &= over_block(machine, program, tables, cells, own, registers, to);
    }
    finite
}

/// The same over columns.
#[inline(always)]
fn over_cells(
    machine: &Machine,
    program: &Program,
    cells: &Cells,
    own: &Parameters,
    registers: &mut [Lanes],
    to: &mut [f64],
) -> bool {
    let mut finite = true;
    let none = Tables::new(&[]);
    for (cells, to) in cells.blocks.iter().zip(to.chunks_mut(LANES)) {
        finite &= over_block(machine, program, none, cells, own, registers, to);
    }
    finite
}

/// Runs the instructions over one block. Where it is not full, what stands in the places left over means nothing.
#[inline(always)]
fn over_block(
    machine: &Machine,
    program: &Program,
    tables: Tables,
    cells: &[Lanes; CELLS.len()],
    own: &Parameters,
    registers: &mut [Lanes],
    out: &mut [f64],
) -> bool {
    for instruction in &machine.before {
        let (low, rest) = registers.split_at_mut(instruction.to);
        if let Some((to, high)) = rest.split_first_mut() {
            let at_hand = AtHand { cells, low, high };
            perform(instruction.action, program, tables, own, at_hand, to);
        }
    }
    let (low, high) = (&*registers, &[][..]);
    let at_hand = AtHand { cells, low, high };
    if let Ok(out) = <&mut Lanes>::try_from(&mut *out) {
        perform(machine.last, program, tables, own, at_hand, out);
        // Without an early end the loop is one of vectors.
        return out
            .iter()
            .fold(true, |all, number| all & number.is_finite());
    }
    let mut rest = [0.0; LANES];
    perform(machine.last, program, tables, own, at_hand, &mut rest);
    out.copy_from_slice(&rest[..out.len()]);
    out.iter().all(|number| number.is_finite())
}

/// The columns that can be read while one register is written to: those before and after it.
#[derive(Clone, Copy)]
struct AtHand<'a> {
    cells: &'a [Lanes; CELLS.len()],
    low: &'a [Lanes],
    high: &'a [Lanes],
}

#[inline(always)]
fn perform(
    action: Action,
    program: &Program,
    tables: Tables,
    own: &Parameters,
    at_hand: AtHand,
    to: &mut Lanes,
) {
    let AtHand { cells, low, high } = at_hand;
    let given = |operand: Operand| match operand {
        Operand::Cell(place) => Given::Column(&cells[place]),
        Operand::Register(place) if place < low.len() => Given::Column(&low[place]),
        Operand::Register(place) => Given::Column(&high[place - low.len() - 1]),
        Operand::Number(number) => Given::Number(number),
        Operand::Parameter(place) => Given::Number(own.number(place)),
    };
    match action {
        Action::Take(of) => map(given(of), to, |x| x),
        Action::Index(place) => {
            let reading = &program.readings[place];
            let to = &mut to[..tables.all().len()];
            if (reading.row.fill(tables, &reading.parameters(own), to)).is_err() {
                to.fill(f64::NAN);
            }
        }
        Action::One(function, of) => one(function, given(of), to),
        Action::Two(operation, a, b) => two(operation, given(a), given(b), to),
    }
}

#[inline(always)]
fn one(function: Function, of: Given, to: &mut Lanes) {
    match (function, of) {
        (Function::Negative, _) => map(of, to, |x| -x),
        (Function::Abs, _) => map(of, to, f64::abs),
        (Function::Sqrt, _) => map(of, to, f64::sqrt),
        (Function::Ln, Given::Column(column)) if all_normal(column) => map(of, to, ln_normal),
        _ => map(of, to, |x| function.number(x)),
    }
}

/// Whether all are numbers above zero that [`ln_normal`] takes.
#[inline(always)]
fn all_normal(column: &Lanes) -> bool {
    let mut all = true;
    for x in column {
        // Without an early end the loop is one of vectors.
        all &= (f64::MIN_POSITIVE..f64::INFINITY).contains(x);
    }
    all
}

#[inline(always)]
fn two(operation: Operation, a: Given, b: Given, to: &mut Lanes) {
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
fn map(of: Given, to: &mut Lanes, number: impl Fn(f64) -> f64) {
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
fn map2(a: Given, b: Given, to: &mut Lanes, number: impl Fn(f64, f64) -> f64) {
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
fn gather(tables: &[BinaryCounts], [tp, fp, fn_, tn]: &mut [Lanes; CELLS.len()]) {
    for (lane, c) in tables.iter().enumerate().take(LANES) {
        (tp[lane], fp[lane], fn_[lane], tn[lane]) = (c.tp, c.fp, c.fn_, c.tn);
    }
}
