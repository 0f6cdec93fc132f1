//! Expressions of user-defined indices, and conditions, against a tree that is evaluated plainly.
//!
//! 1. A text of any characters, or of words that the grammar knows: it is refused with a place, or
//!    read and evaluated without a panic. The comparisons of a condition, read again one by one,
//!    hold where the condition holds.
//! 2. A random tree is written as text, with parentheses only where the grammar needs them. The
//!    index that is defined by it has the number of the tree, to the bit, for single tables and for
//!    many, and a condition on it holds where the tree says so. Its interval is in order.
//! 3. A definition that is wrong in one part is refused. One that reads another means what the
//!    other means.

use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

use arbitrary::{Result, Unstructured};
use rocksteady::arith::logarithm::ln;
use rocksteady::base::error::Refusal;
use rocksteady::index::tables::Tables;
use rocksteady::index::{
    Condition, Definition, Index, Parameters, define, find, of_expression, undefine,
};
use rocksteady::inference::interval::{Ask, Side};
use rocksteady::labels::view::{BinaryCounts, MatrixView};

/// A process keeps each different definition for ever, and 10,000 at most.
const MOST_DEFINITIONS: usize = 2000;
static DEFINED: AtomicUsize = AtomicUsize::new(0);

const AMOUNTS: [&str; 9] = [
    "tp",
    "fp",
    "fn",
    "tn",
    "n",
    "actual_positives",
    "actual_negatives",
    "predicted_positives",
    "predicted_negatives",
];

/// Indices of counts, some of them with a number where they are undefined.
const INDICES: [&str; 8] =
    ["recall", "precision", "f1", "mcc", "fbeta(beta=2)", "accuracy", "cost(fp=-1, fn=3)", "lift"];

const WORDS: [&str; 64] = [
    "tp",
    "fp",
    "fn",
    "tn",
    "n",
    "actual_positives",
    "predicted_negatives",
    "sqrt",
    "ln",
    "log2",
    "log10",
    "exp",
    "abs",
    "min",
    "max",
    "(",
    ")",
    "(",
    ")",
    "+",
    "-",
    "*",
    "/",
    "^",
    "**",
    ",",
    "=",
    " ",
    "\n",
    "0",
    "1",
    "2",
    "0.5",
    ".5",
    "1e3",
    "1.e-2",
    "1e999",
    "1e308",
    "5e-324",
    "and",
    "or",
    "not",
    ">=",
    "<=",
    ">",
    "<",
    "==",
    "!=",
    "f1",
    "mcc",
    "recall",
    "fbeta",
    "beta",
    "cost",
    "roc_auc",
    "log_loss",
    "kappa",
    "gain",
    "rpp",
    "and ",
    " and ",
    "é",
    "?",
    "_",
];

/// Texts, or trees, by the first byte.
pub fn run(data: &[u8]) {
    let Some((&form, rest)) = data.split_first() else {
        return;
    };
    match form % 8 {
        0 | 4 => text(&String::from_utf8_lossy(rest)),
        1 | 5 => text(&words(rest)),
        7 => {
            let _ = definitions(&mut Unstructured::new(rest));
        }
        // Too few bytes for a tree are none.
        _ => {
            let _ = tree(&mut Unstructured::new(rest));
        }
    }
}

/// A text of known words.
fn words(data: &[u8]) -> String {
    let mut text = String::new();
    for &byte in data.iter().take(600) {
        text += WORDS[usize::from(byte % 64)];
        if byte < 240 {
            text.push(' ');
        }
    }
    text
}

fn counts(tp: f64, fp: f64, fn_: f64, tn: f64) -> BinaryCounts {
    BinaryCounts { tp, fp, fn_, tn }
}

fn some_tables() -> [BinaryCounts; 6] {
    [
        counts(5.0, 2.0, 3.0, 10.0),
        counts(0.0, 0.0, 0.0, 0.0),
        counts(0.0, 0.0, 7.0, 1.0),
        counts(1e300, 1.0, 1e-300, 1e18),
        counts(0.25, 0.5, 0.125, 3.0),
        counts(1.0, 0.0, 0.0, 0.0),
    ]
}

/// A refusal names a place inside the text, and can be shown.
fn check_refusal(text: &str, refusal: &Refusal) {
    if let Refusal::Expression { place, found, .. } = refusal {
        assert!(*place <= text.chars().count(), "{refusal}");
        let there: String = text.chars().skip(*place).collect();
        let there = there.trim_start();
        assert!(
            found.is_empty() || there.starts_with(found.as_str()) || text.contains(found.as_str()),
            "{found:?} is not at {place} of {text:?}"
        );
    }
    assert!(refusal.to_string().len() < 20_000);
}

fn text(text: &str) {
    match Condition::new(text) {
        Err(refusal) => check_refusal(text, &refusal),
        Ok(condition) => {
            let parts: Vec<&str> = condition.comparisons().collect();
            let joined = Condition::new(&parts.join(" and "));
            let alone: Vec<Condition> = parts
                .iter()
                .map(|part| Condition::new(part).expect("a comparison of its own"))
                .collect();
            for table in some_tables() {
                let holds = condition.holds(&table).expect("it reads counts");
                let each = alone.iter().all(|one| one.holds(&table).expect("it reads counts"));
                assert_eq!(holds, each, "{text:?} of {table:?}");
                if let Ok(joined) = &joined {
                    assert_eq!(holds, joined.holds(&table).expect("it reads counts"));
                }
            }
        }
    }
    if DEFINED.load(Ordering::Relaxed) >= MOST_DEFINITIONS {
        return;
    }
    let mut definition = Definition::new("fuzzed", text);
    definition.parameters = vec![("gain".to_owned(), 2.5), ("beta".to_owned(), 0.5)];
    match define(&definition, true) {
        Err(refusal) => check_refusal(text, &refusal),
        Ok(row) => {
            DEFINED.fetch_add(1, Ordering::Relaxed);
            let own = Parameters::new(row, &[("gain", -1.0)], None)
                .unwrap_or_else(|_| Parameters::defaults(row));
            for table in some_tables() {
                let _ = row.of_counts(&table, &own);
                let _ = row.of_matrix(&MatrixView::from_binary(&table), &own);
                let _ = row.of_class(&MatrixView::from_binary(&table), 1, &own);
            }
            let mut column = [0.0; 6];
            let _ = row.fill(Tables::new(&some_tables()), &own, &mut column);
            // The expression as the row shows it means the same.
            let mut again = definition.clone();
            again.expression = row.formula.to_owned();
            let again = define(&again, true).expect("a formula is an expression");
            for table in some_tables() {
                let (a, b) = (row.of_counts(&table, &own), again.of_counts(&table, &own));
                assert_eq!(a.is_ok(), b.is_ok());
                if let (Ok(a), Ok(b)) = (a, b) {
                    assert_eq!((a.number.to_bits(), a.why), (b.number.to_bits(), b.why));
                }
            }
            undefine("fuzzed").expect("it is defined");
        }
    }
}

/// A definition that may be wrong in one part, and others that read it.
fn definitions(u: &mut Unstructured) -> Result<()> {
    let mut own = Definition::new("fuzzed_own", "gain*tp - fp");
    own.parameters = vec![("gain".to_owned(), 2.0)];
    let long = "x".repeat(5000);
    let mut is_wrong = true;
    match u.int_in_range(0..=15)? {
        0 => {
            let names = ["", "9lives", "two words", "and", "é", "f1", &long];
            own.name = (*u.choose(&names)?).to_owned();
        }
        1 => own.aliases = vec![own.name.clone()],
        2 => own.aliases = (0..101).map(|place| format!("fuzzed_{place}")).collect(),
        3 => own.parameters.push(own.parameters[0].clone()),
        4 => own.parameters.push(("average".to_owned(), 1.0)),
        5 => own.parameters[0].1 = *u.choose(&[f64::NAN, f64::INFINITY])?,
        6 => own.parameters = vec![("loss".to_owned(), 1.0); 6],
        7 => own.range = *u.choose(&[(1.0, 0.0), (f64::NAN, 0.0), (0.0, f64::NAN)])?,
        8 => own.title = long,
        9 => own.about = "two\nlines".to_owned(),
        10 => own.expression = long,
        11 => own.expression = "fuzzed_own + 1".to_owned(),
        _ => is_wrong = false,
    }
    let row = define(&own, true);
    assert_eq!(row.is_err(), is_wrong, "{own:?}");
    let Ok(row) = row else {
        return Ok(());
    };
    let f1 = find("f1").expect("a known index");
    let gain = *u.choose(&[0.0, 1.0, -2.5, 1e9])?;
    let mut readers = Vec::new();
    let text = format!("fuzzed_own(gain={gain:?}) + f1");
    let unnamed = of_expression(&text).expect("an expression");
    assert_eq!(of_expression(&text).map(|again| again.name), Ok(unnamed.name));
    readers.push((unnamed, Parameters::defaults(unnamed)));
    readers.push({
        let named = define(&Definition::new("fuzzed_reader", &text), true).expect("it reads one");
        (named, Parameters::defaults(named))
    });
    let mut other = Definition::new("fuzzed_reader", "fuzzed_own(gain=other) + f1");
    other.parameters = vec![("other".to_owned(), 7.0)];
    let other = define(&other, true).expect("it reads one");
    let given = Parameters::new(other, &[("other", gain)], None).expect("its parameter");
    readers.push((other, given));
    let gains = Parameters::new(row, &[("gain", gain)], None).expect("its parameter");
    for table in some_tables() {
        let number = |row: &Index, parameters: &Parameters| {
            let value = row.of_counts(&table, parameters).expect("it reads counts");
            value.number
        };
        let expected = number(row, &gains) + number(f1, &Parameters::defaults(f1));
        for (reader, parameters) in &readers {
            let found = number(reader, parameters);
            assert!(same(found, expected), "{found}, expected {expected} of {table:?}");
            check_interval(reader, &table, parameters);
            let view = MatrixView::from_binary(&table);
            let of_class = reader.of_class(&view, 1, parameters);
            assert!(same(of_class.expect("it reads counts").number, expected));
        }
        let of_matrix = of_expression("2*kappa - accuracy").expect("an expression");
        let view = MatrixView::from_binary(&table);
        let number = |row: &Index| {
            let value = row.of_matrix(&view, &Parameters::defaults(row));
            value.expect("it has a form over matrices").number
        };
        let [kappa, accuracy] = ["kappa", "accuracy"].map(|name| find(name).expect("an index"));
        let expected = 2.0 * number(kappa) - number(accuracy);
        assert!(same(number(of_matrix), expected), "{table:?}");
        let ask = Ask::new(0.95, None, Side::Both).expect("a level");
        let own = Parameters::defaults(of_matrix);
        let interval = of_matrix.interval_of_matrix(&view, &own, &ask);
        let interval = interval.expect("it has slopes");
        assert!(interval.low <= interval.high || interval.why.is_some(), "{interval:?}");
    }
    for wrong in ["fuzzed_own(loss=1)", "fuzzed_own(gain=1, gain=2)", "fuzzed_own(gain=tp)"] {
        assert!(of_expression(wrong).is_err(), "{wrong}");
    }
    for name in ["fuzzed_reader", "fuzzed_own"] {
        undefine(name).expect("it is defined");
    }
    assert!(undefine("fuzzed_own").is_err());
    Ok(())
}

/// An interval is in order, or says why there is none.
fn check_interval(row: &Index, table: &BinaryCounts, parameters: &Parameters) {
    let ask = Ask::new(0.95, None, Side::Both).expect("a level");
    if let Ok(interval) = row.interval_of_counts(table, parameters, &ask) {
        let is_in_order = interval.low <= interval.high;
        assert!(is_in_order || interval.why.is_some(), "{interval:?}");
    }
}

/// What an expression is made of.
#[derive(Debug)]
enum Node {
    Number(f64),
    Amount(usize),
    Index(usize),
    Minus(Box<Node>),
    One(usize, Box<Node>),
    Two(char, Box<Node>, Box<Node>),
    /// `min` and `max` of two or three.
    Several(bool, Vec<Node>),
}

const ONES: [&str; 6] = ["sqrt", "ln", "log2", "log10", "exp", "abs"];
const NUMBERS: [f64; 12] = [0.0, 1.0, 2.0, 3.0, 0.5, 0.1, 10.0, 1e-9, 1e300, 1e-300, 7.25, 100.0];

impl Node {
    fn draw(u: &mut Unstructured, depth: usize) -> Result<Self> {
        let leaf = depth == 0 || u.is_empty();
        let choice = if leaf { u.int_in_range(0..=3)? } else { u.int_in_range(0..=15)? };
        let inner = |u: &mut Unstructured| Node::draw(u, depth - 1).map(Box::new);
        Ok(match choice {
            0 => Self::Number(*u.choose(&NUMBERS)?),
            1 | 2 => Self::Amount(u.int_in_range(0..=8)?),
            3 if u.ratio(1, 2)? => Self::Index(u.int_in_range(0..=7)?),
            3 => Self::Amount(u.int_in_range(0..=3)?),
            4 => Self::Minus(inner(u)?),
            5 | 6 => Self::One(u.int_in_range(0..=5)?, inner(u)?),
            7 => {
                let first = *inner(u)?;
                let mut all = vec![first, *inner(u)?];
                if u.arbitrary()? {
                    all.push(*inner(u)?);
                }
                Self::Several(u.arbitrary()?, all)
            }
            8..=9 => Self::Two('+', inner(u)?, inner(u)?),
            10..=11 => Self::Two('-', inner(u)?, inner(u)?),
            12 => Self::Two('*', inner(u)?, inner(u)?),
            13..=14 => Self::Two('/', inner(u)?, inner(u)?),
            _ => Self::Two('^', inner(u)?, inner(u)?),
        })
    }

    /// How tightly it binds, as the grammar has it.
    fn binds(&self) -> u8 {
        match self {
            Self::Two('+' | '-', ..) => 1,
            Self::Two('*' | '/', ..) => 2,
            Self::Minus(_) => 3,
            Self::Two(..) => 4,
            _ => 5,
        }
    }

    /// Writes it where what binds less needs parentheses.
    fn write(&self, least: u8, to: &mut String, spaces: bool) {
        if self.binds() < least {
            to.push('(');
            self.write(0, to, spaces);
            to.push(')');
            return;
        }
        match self {
            Self::Number(number) => write!(to, "{number:?}").expect("a string takes all"),
            Self::Amount(place) => *to += AMOUNTS[*place],
            Self::Index(place) => *to += INDICES[*place],
            Self::Minus(of) => {
                to.push('-');
                of.write(3, to, spaces);
            }
            Self::One(place, of) => {
                *to += ONES[*place];
                to.push('(');
                of.write(0, to, spaces);
                to.push(')');
            }
            Self::Several(least, all) => {
                *to += if *least { "min" } else { "max" };
                for (place, one) in all.iter().enumerate() {
                    to.push(if place == 0 { '(' } else { ',' });
                    one.write(0, to, spaces);
                }
                to.push(')');
            }
            Self::Two(sign, left, right) => {
                // To the left of a power only an operand, to its right a sign or a power.
                let (before, after) = match sign {
                    '^' => (5, 3),
                    '*' | '/' => (2, 3),
                    _ => (1, 2),
                };
                left.write(before, to, spaces);
                if spaces {
                    write!(to, " {sign} ").expect("a string takes all");
                } else {
                    to.push(*sign);
                }
                right.write(after, to, spaces);
            }
        }
    }

    /// The number of the tree; NaN where there is none.
    fn number(&self, c: &BinaryCounts, state: &mut State) -> f64 {
        match self {
            Self::Number(number) => *number,
            Self::Amount(place) => [
                c.tp,
                c.fp,
                c.fn_,
                c.tn,
                c.tp + c.fp + c.fn_ + c.tn,
                c.tp + c.fn_,
                c.fp + c.tn,
                c.tp + c.fp,
                c.fn_ + c.tn,
            ][*place],
            Self::Index(place) => {
                let (name, given): (&str, &[(&str, f64)]) = match *place {
                    4 => ("fbeta", &[("beta", 2.0)]),
                    6 => ("cost", &[("fp", -1.0), ("fn", 3.0)]),
                    place => (INDICES[place], &[]),
                };
                let row = find(name).expect("a known index");
                let parameters = Parameters::new(row, given, None).expect("its parameters");
                let value = row.of_counts(c, &parameters).expect("it reads counts");
                state.infinite |= value.number.is_infinite();
                state.reads_index = true;
                value.number
            }
            Self::Minus(of) => -of.number(c, state),
            Self::One(place, of) => {
                let x = of.number(c, state);
                let positive = |of: fn(f64) -> f64| if x > 0.0 { of(x) } else { f64::NAN };
                match place {
                    0 => x.sqrt(),
                    1 => positive(ln),
                    2 => positive(f64::log2),
                    3 => positive(f64::log10),
                    4 => x.exp(),
                    _ => x.abs(),
                }
            }
            Self::Several(least, all) => {
                let numbers = all.iter().map(|one| one.number(c, state));
                let numbers: Vec<f64> = numbers.collect();
                let fold = |a: f64, b: &f64| match (a.is_nan() || b.is_nan(), least) {
                    (true, _) => f64::NAN,
                    (_, true) => a.min(*b),
                    (_, false) => a.max(*b),
                };
                numbers[1..].iter().fold(numbers[0], fold)
            }
            Self::Two(sign, left, right) => {
                let (a, b) = (left.number(c, state), right.number(c, state));
                match sign {
                    '+' => a + b,
                    '-' => a - b,
                    '*' => a * b,
                    '/' if b == 0.0 => f64::NAN,
                    '/' => a / b,
                    _ if a.is_nan() || b.is_nan() || a == 0.0 && b < 0.0 => f64::NAN,
                    _ if b == 2.0 && right.constant() => a * a,
                    _ => a.powf(b),
                }
            }
        }
    }

    fn parts(&self) -> Vec<&Node> {
        match self {
            Self::Number(_) | Self::Amount(_) | Self::Index(_) => Vec::new(),
            Self::Minus(of) | Self::One(_, of) => vec![of],
            Self::Several(_, all) => all.iter().collect(),
            Self::Two(_, left, right) => vec![left, right],
        }
    }

    /// Whether it reads nothing.
    fn constant(&self) -> bool {
        !matches!(self, Self::Amount(_) | Self::Index(_))
            && self.parts().into_iter().all(Self::constant)
    }

    fn nodes(&self) -> usize {
        1 + self.parts().into_iter().map(Self::nodes).sum::<usize>()
    }

    /// Whether a number that stands in the text is none, or divides by zero: the reader refuses it.
    fn is_refused(&self) -> bool {
        let number = |node: &Self| node.number(&BinaryCounts::default(), &mut State::default());
        self.constant() && !number(self).is_finite()
            || matches!(self, Self::Two('/', _, by) if by.constant() && number(by) == 0.0)
            || self.folds_otherwise()
            || self.parts().into_iter().any(Self::is_refused)
    }

    /// `min` and `max` are read from left to right, so the first of three may be folded alone.
    fn folds_otherwise(&self) -> bool {
        let number = |node: &Self| node.number(&BinaryCounts::default(), &mut State::default());
        matches!(self, Self::Several(_, all) if all[..2].iter().all(Self::constant)
            && all[..2].iter().any(|node| !number(node).is_finite()))
    }
}

#[derive(Default)]
struct State {
    infinite: bool,
    reads_index: bool,
}

/// What the tree is worth for a table, and whether an index is read; NaN where there is no value.
fn value(node: &Node, table: &BinaryCounts) -> (f64, bool) {
    let mut state = State::default();
    let number = node.number(table, &mut state);
    let settled = number.is_finite() || state.infinite && !number.is_nan();
    (if settled { number } else { f64::NAN }, state.reads_index)
}

fn same(a: f64, b: f64) -> bool {
    a == b || a.is_nan() && b.is_nan()
}

fn tree(u: &mut Unstructured) -> Result<()> {
    let mut tables = some_tables().to_vec();
    let cell = |u: &mut Unstructured| -> Result<f64> {
        Ok(match u.arbitrary::<u8>()? {
            byte @ 0..=199 => f64::from(byte % 20),
            200..=229 => f64::from(u.arbitrary::<u16>()?),
            _ => (u.arbitrary::<u64>()? >> 20) as f64,
        })
    };
    for _ in 0..u.int_in_range(0..=4)? {
        tables.push(counts(cell(u)?, cell(u)?, cell(u)?, cell(u)?));
    }
    let spaces = u.arbitrary()?;
    let node = Node::draw(u, 5)?;
    let mut text = String::new();
    node.write(0, &mut text, spaces);
    if spaces && u.arbitrary()? {
        text = text.replace('^', "**");
    }
    let small = node.nodes() < 200;
    condition_of(&node, &text, &tables, small);
    if node.constant() || DEFINED.load(Ordering::Relaxed) >= MOST_DEFINITIONS {
        return Ok(());
    }
    let row = match define(&Definition::new("fuzzed", &text), true) {
        Err(refusal) => {
            assert!(node.is_refused() || !small, "{text}: {refusal}");
            return Ok(());
        }
        Ok(row) => row,
    };
    DEFINED.fetch_add(1, Ordering::Relaxed);
    assert!(!node.is_refused(), "{text} has a number that is none");
    let own = Parameters::defaults(row);
    let mut column = vec![0.0; tables.len()];
    row.fill(Tables::new(&tables), &own, &mut column).expect("it reads counts");
    for (table, &many) in tables.iter().zip(&column) {
        let one = row.of_counts(table, &own).expect("it reads counts").number;
        let (expected, reads_index) = value(&node, table);
        // Without rows nothing has a value.
        let expected = if table.total() == 0.0 { f64::NAN } else { expected };
        assert!(same(one, expected), "{text} of {table:?}: {one}, expected {expected}");
        if !reads_index {
            assert!(same(many, expected), "{text} of {table:?}: {many}, expected {expected}");
        }
        check_interval(row, table, &own);
    }
    // Plain tables go through the columns.
    let plain: Vec<BinaryCounts> = tables.iter().filter(|c| c.total() > 0.0).copied().collect();
    let usual: Vec<BinaryCounts> = plain.into_iter().filter(|c| c.total() < 1e60).collect();
    let usual = usual.repeat(40);
    let mut column = vec![0.0; usual.len()];
    row.fill(Tables::new(&usual), &own, &mut column).expect("it reads counts");
    let distinct = usual.len() / 40;
    for (place, table) in usual[..distinct].iter().enumerate() {
        let (expected, reads_index) = value(&node, table);
        for many in column.iter().skip(place).step_by(distinct) {
            assert!(
                reads_index || same(*many, expected),
                "{text} of {table:?} among many: {many}, expected {expected}"
            );
        }
    }
    undefine("fuzzed").expect("it is defined");
    Ok(())
}

/// `tree == number` holds where the tree has that number, and nowhere else.
fn condition_of(node: &Node, text: &str, tables: &[BinaryCounts], small: bool) {
    let (wanted, reads_index) = value(node, &tables[0]);
    if reads_index {
        return;
    }
    let wanted = if wanted.is_finite() { wanted } else { 1.0 };
    for (order, holds) in
        [("==", f64::eq as fn(&f64, &f64) -> bool), (">=", f64::ge), ("<", f64::lt)]
    {
        let text = format!("{text} {order} {wanted:?}");
        let condition = match Condition::new(&text) {
            Err(refusal) => {
                assert!(node.is_refused() || !small, "{text}: {refusal}");
                return;
            }
            Ok(condition) => condition,
        };
        assert!(!node.is_refused(), "{text} has a number that is none");
        for table in tables {
            let number = value(node, table).0;
            let has_value = node.constant() || table.total() > 0.0;
            let expected = has_value && holds(&number, &wanted);
            let found = condition.holds(table).expect("it reads counts");
            assert_eq!(found, expected, "{text} of {table:?}: {number}");
        }
    }
}
