//! The grammar at its edges; single tables, many tables and columns compared with each other and
//! with a naive tree.

use proptest::prelude::*;

use crate::base::error::Refusal;
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::index::tables::{Cells, Tables};

use crate::index::registry::{all, find};
use crate::index::user::MOST_CHARACTERS;
use crate::index::user::parse::program_of;
use crate::index::user::program::Program;
use crate::index::user::step::{Amount, Step};
use crate::index::value::{Outcome, Undefined, Value};
use crate::labels::view::{BinaryCounts, MatrixView};

const COUNTS: BinaryCounts = BinaryCounts { tp: 5.0, fp: 2.0, fn_: 3.0, tn: 10.0 };

fn program(text: &str) -> Program<Index> {
    program_of(text, "own", &[]).unwrap().0
}

fn value(text: &str) -> Outcome {
    program(text).of_counts(&COUNTS, &Parameters::default())
}

/// The place of the refusal, the text there, and what was expected.
fn refused(text: &str) -> (usize, String, String) {
    let own = [("gain".to_owned(), 10.0), ("share".to_owned(), 0.5)];
    match program_of(text, "own", &own) {
        Err(Refusal::Expression { place, found, expected, .. }) => (place, found, expected),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn operators_bind_as_on_paper() {
    for (text, expected) in [
        ("tp - fp - fn", 0.0),
        ("tp / fp / fn", 5.0 / 2.0 / 3.0),
        ("tp + fp * fn", 11.0),
        ("(tp + fp) * fn", 21.0),
        ("-tp^2", -25.0),
        ("(-tp)^2", 25.0),
        ("tp^-1", 0.2),
        ("fp^fn^fp", 512.0),
        ("fp ** fn", 8.0),
        ("2 * -fp", -4.0),
        ("--fp", 2.0),
        ("2^-fp*4", 1.0),
        ("tp - -fp", 7.0),
        ("min(tp, fp, fn)", 2.0),
        ("max(tp, fp, fn) - abs(fp - fn)", 4.0),
        ("sqrt(tp * 5)", 5.0),
        ("log2(fp) + log10(tn)", 2.0),
        ("ln(exp(fp))", 2.0),
        ("probit(tp / n) + probit(15 / n)", 0.0),
        ("probit(0.975 + 0 * tp)", 1.959_963_984_540_054),
        (".5 * tp + 1.e0 + 2e-1 + 1E+1", 13.7),
        ("n", 20.0),
        ("actual_positives - actual_negatives", -4.0),
        ("predicted_positives / predicted_negatives", 7.0 / 13.0),
        ("fbeta(beta=2)", 25.0 / 39.0),
        ("fbeta( beta = 2 )", 25.0 / 39.0),
        ("f1()", 10.0 / 15.0),
        ("sensitivity", 5.0 / 8.0),
        ("cost(fp=-1)", 1.0),
        ("\n tp\t+\u{a0}fp\r\n", 7.0),
    ] {
        let found = value(text);
        assert!((found.unwrap() - expected).abs() < 1e-14, "{text}: {found:?}");
    }
}

#[test]
fn what_cannot_be_read_is_refused_at_its_place() {
    for (text, place, found, expected) in [
        ("", 0, "", "a number, a count"),
        ("   ", 3, "", "a number, a count"),
        ("tp/(tp+fp", 9, "", "an operator or \")\""),
        ("tp/(tp+fp))", 10, ")", "no parenthesis is open"),
        ("2 tp", 2, "tp", "products are written with *"),
        ("2tp", 1, "tp", "products are written with *"),
        ("tp +", 4, "", "a number"),
        ("tp + * fp", 5, "*", "a number"),
        ("+tp", 0, "+", "a number"),
        ("tp // fp", 4, "/", "a number"),
        ("tp ? fp", 3, "?", "an operator"),
        ("tp + é", 5, "é", "a number"),
        ("é + tp", 0, "é", "a number"),
        ("tp + 1e999", 5, "1e999", "a float can hold"),
        ("1.5.2 + tp", 3, ".2", "an operator"),
        ("recal + 1", 0, "recal", "did you mean \"recall\""),
        ("1 + TP", 4, "TP", "did you mean"),
        ("1 + gan", 4, "gan", "\"gain\""),
        ("1 + sqr(tp)", 4, "sqr", "\"sqrt\""),
        ("own + 1", 0, "own", "other indices"),
        ("sqrt tp", 5, "tp", "\"(\" after the name"),
        ("sqrt(tp, fp)", 7, ",", "\")\""),
        ("min(tp)", 6, ")", "\",\" and another number"),
        ("max(tp fp)", 7, "fp", "\",\""),
        ("tp(1)", 2, "(", "an operator"),
        ("f1(beta=2)", 3, "beta", "f1 has no parameters"),
        ("fbeta(2)", 6, "2", "a parameter of fbeta: beta="),
        ("fbeta(alpha=2)", 6, "alpha", "a parameter of fbeta: beta="),
        ("fbeta(beta 2)", 11, "2", "\"=\""),
        ("fbeta(beta=tp)", 11, "tp", "a parameter of this definition"),
        ("fbeta(beta=-2)", 11, "-2", "not negative"),
        ("fbeta(beta=1, beta=2)", 14, "beta", "once"),
        ("fbeta(beta=1 beta=2)", 13, "beta", "\",\""),
        ("fbeta(beta=1", 12, "", "\",\" or \")\""),
        ("cost(matrix=1)", 5, "matrix", "fp="),
        ("cen(base=share)", 9, "share = 0.5", "greater than 1"),
        ("1 + 2", 0, "1 + 2", "a count or an index"),
        ("gain * 2", 0, "gain * 2", "a count or an index"),
        ("tp / (2 - 2)", 3, "/", "not 0"),
        ("tp + 0 ^ -1", 7, "^", "not 0"),
        ("tp + sqrt(-1)", 5, "sqrt", "a root or a logarithm"),
        ("tp + exp(1e9)", 5, "exp", "a float can hold"),
        ("roc_auc + f1", 10, "f1", "read from all scores like the rest; f1 is read from counts"),
        ("tp * roc_auc", 5, "roc_auc", "read from counts"),
        ("roc_auc - mcc", 10, "mcc", "read from all scores"),
    ] {
        let (at, word, wanted) = refused(text);
        assert_eq!((at, word.as_str()), (place, found), "{text}: {wanted}");
        assert!(wanted.contains(expected), "{text}: {wanted}");
    }
}

#[test]
fn length_nesting_and_steps_are_limited() {
    let long = format!("tp{}", " ".repeat(MOST_CHARACTERS));
    let refusal = program_of(&long, "own", &[]).unwrap_err().to_string();
    assert!(refusal.starts_with("expression is 4098 characters long"), "{refusal}");
    for (open, close) in [("(", ")"), ("-", ""), ("2^", ""), ("abs(", ")"), ("min(1,", ")")] {
        let text = |times: usize| format!("{}tp{}", open.repeat(times), close.repeat(times));
        assert!(program_of(&text(60), "own", &[]).is_ok(), "{open}");
        let (place, _, expected) = refused(&text(300));
        assert!(place < 64 * open.len() + 2 && expected.contains("levels of nesting"), "{open}");
    }
    let sum: Vec<String> = (0..400).map(|term| format!("{term}*tp")).collect();
    assert!(refused(&sum.join("+")).2.contains("256 steps"));
    let same: Vec<&str> = vec!["f1*tp"; 220];
    assert!(program(&same.join("+")).steps.len() > 200);
}

#[test]
fn equal_steps_are_taken_once() {
    let text = "tp/(tp+fp) + 2*(tp/(tp+fp)) + fbeta(beta=2) - fbeta(beta=2.0)";
    let program = program(text);
    assert_eq!(program.readings.len(), 1);
    assert_eq!(program.steps.len(), 10);
}

#[test]
fn what_has_no_value_says_why() {
    use Undefined::{
        NoActualPositives, NoFalsePositives, NoPositives, NoPredictedPositives, OutOfRange,
        OutsideDomain, ZeroDenominator,
    };
    let of = |text: &str, tp: f64, fp: f64, fn_: f64, tn: f64| {
        let counts = BinaryCounts { tp, fp, fn_, tn };
        program(text).of_counts(&counts, &Parameters::default())
    };
    assert_eq!(of("tp/(tp+fp)", 0.0, 0.0, 1.0, 1.0), Err(NoPredictedPositives));
    assert_eq!(of("n/(fn+tp)", 0.0, 1.0, 0.0, 1.0), Err(NoActualPositives));
    assert_eq!(of("tn/fp", 0.0, 0.0, 1.0, 1.0), Err(NoFalsePositives));
    assert_eq!(of("tn/(tp-fp)", 1.0, 1.0, 1.0, 1.0), Err(ZeroDenominator));
    assert_eq!(of("1 - f1", 0.0, 0.0, 0.0, 1.0), Err(NoPositives));
    assert_eq!(of("min(1, 1/tp)", 0.0, 1.0, 0.0, 1.0), Err(ZeroDenominator));
    assert_eq!(of("(1/tp)^0", 0.0, 1.0, 0.0, 1.0), Err(ZeroDenominator));
    assert_eq!(of("tp^-1", 0.0, 1.0, 0.0, 1.0), Err(ZeroDenominator));
    assert_eq!(of("tp^0", 0.0, 1.0, 0.0, 1.0), Ok(1.0));
    assert_eq!(of("ln(tp)", 0.0, 1.0, 0.0, 1.0), Err(OutsideDomain));
    assert_eq!(of("sqrt(tp-fp)", 0.0, 1.0, 0.0, 1.0), Err(OutsideDomain));
    assert_eq!(of("(tp-fp)^0.5", 0.0, 1.0, 0.0, 1.0), Err(OutsideDomain));
    assert_eq!(of("exp(tp)", 1e4, 1.0, 0.0, 1.0), Err(OutOfRange));
    assert_eq!(of("exp(tp) - exp(tp)", 1e4, 1.0, 0.0, 1.0), Err(OutOfRange));
    assert_eq!(of("1/(1 + exp(tp))", 1e4, 1.0, 0.0, 1.0), Ok(0.0));
    // MCC is 0 by convention, and counts as 0.
    assert_eq!(of("(mcc + 1) / 2", 1.0, 0.0, 1.0, 0.0), Ok(0.5));
}

#[test]
fn forms_follow_from_the_parts() {
    let forms = |text: &str| {
        let p = program(text);
        [p.has_counts(), p.has_matrix(), p.has_class(), p.has_scores(), p.has_probabilities()]
    };
    assert_eq!(forms("tp/n"), [true, false, false, false, false]);
    assert_eq!(forms("mcc/n"), [true, true, false, false, false]);
    assert_eq!(forms("mcc - cen"), [true, true, true, false, false]);
    assert_eq!(forms("f1 - cen"), [true, false, true, false, false]);
    assert_eq!(forms("cost(fp=2)"), [true, false, false, false, false]);
    assert_eq!(forms("cost/n"), [true, true, false, false, false]);
    assert_eq!(forms("roc_auc*gini/n"), [false, false, false, true, false]);
    assert_eq!(forms("brier - log_loss"), [false, false, false, true, true]);

    let view = MatrixView::from_binary(&COUNTS);
    let defaults = Parameters::default();
    let number = |name: &str| {
        let row = find(name).unwrap();
        row.of_matrix(&view, &Parameters::defaults(row)).unwrap().number
    };
    let expected = number("mcc") - number("cen") / 20.0;
    assert_eq!(program("mcc - cen/n").of_matrix(&view, &defaults), Ok(expected));
    let cen = find("cen").unwrap();
    let of_class = cen.of_class(&view, 0, &Parameters::defaults(cen)).unwrap().number;
    assert_eq!(program("tp - cen").of_class(&view, 0, &defaults), Ok(10.0 - of_class));
}

#[test]
fn rates_are_quotients_of_columns_and_every_index_gives_its_own_value() {
    let tables: Vec<BinaryCounts> = (0..700_u32)
        .map(|i| {
            let amount = |shift: u32| match i.wrapping_mul(0x9E37_79B9) >> shift & 15 {
                0..4 => 0.0,
                some => f64::from(some) / 7.0 + f64::from(i) * 1e-3,
            };
            let (tp, fp, fn_, tn) = (amount(4), amount(10), amount(16), amount(22));
            BinaryCounts { tp, fp, fn_, tn: if tp + fp + fn_ + tn > 0.0 { tn } else { 1.0 } }
        })
        .collect();
    let defaults = Parameters::default();
    let mut of_cells = Vec::new();
    for row in all().filter(|row| row.counts.is_some() && row.program.is_none()) {
        let program = program(&format!("{} + 0", row.name));
        let mut filled = vec![0.0; tables.len()];
        program.fill(Tables::new(&tables), &defaults, &mut filled);
        // The columns of the row itself, table by table.
        let mut own = Vec::new();
        let put = |value: Value| own.push(value.number + 0.0);
        row.of_each(tables.iter().copied(), &Parameters::defaults(row), put).unwrap();
        for ((table, filled), own) in tables.iter().zip(filled).zip(own) {
            assert!(
                filled.to_bits() == own.to_bits() || (filled.is_nan() && own.is_nan()),
                "{} {table:?}: {filled} {own}",
                row.name
            );
            let one = program.of_counts(table, &defaults).unwrap_or(f64::NAN);
            // A column is computed in `f64`, a single value is rounded once.
            let is_near = (one - filled).abs() <= 1e-9 * one.abs().max(1.0);
            assert!(is_near || one.to_bits() == filled.to_bits(), "{} {table:?}", row.name);
            let twin = naive(&program, table, &defaults).unwrap_or(f64::NAN);
            assert_eq!(one.to_bits(), twin.to_bits(), "{} {table:?}", row.name);
        }
        if program.reads_cells() && !program.readings.is_empty() {
            of_cells.push(row.name);
        }
    }
    of_cells.sort_unstable();
    let rates = "false_omission_rate fdr fnr fpr npv precision recall specificity";
    let mut expected: Vec<&str> = rates.split(' ').collect();
    expected.sort_unstable();
    assert_eq!(of_cells, expected);
}

/// The steps one after the other, each by its own function: the evaluator must agree to the bit.
fn naive(program: &Program<Index>, c: &BinaryCounts, own: &Parameters) -> Option<f64> {
    let mut values: Vec<f64> = Vec::new();
    let mut beyond = false;
    for &step in &program.steps {
        let value = match step {
            Step::Number(number) => number,
            Step::Parameter(place) => own.number(place),
            Step::Amount(amount) => {
                let cell = |cell: &Amount| match cell {
                    Amount::Tp => c.tp,
                    Amount::Fp => c.fp,
                    Amount::Fn => c.fn_,
                    _ => c.tn,
                };
                amount.cells().iter().map(cell).sum()
            }
            Step::Index(place) => {
                let reading = &program.readings[place];
                let value = reading.row.of_counts(c, &reading.parameters(own)).unwrap();
                beyond |= value.number.is_infinite();
                value.number
            }
            Step::One(function, of) => function.number(values[of]),
            Step::Two(operation, a, b) => operation.number(values[a], values[b]),
        };
        if value.is_nan() {
            return None;
        }
        values.push(value);
    }
    let value = values[program.result];
    (value.is_finite() || beyond).then_some(value)
}

/// A tree, and the text it stands for.
#[derive(Clone, Debug)]
enum Tree {
    Number(u8),
    Count(usize),
    F1,
    Function(usize, Box<Tree>),
    Operation(usize, Box<Tree>, Box<Tree>),
}

impl Tree {
    fn text(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Count(place) => {
                ["tp", "fp", "fn", "tn", "n", "predicted_positives", "actual_negatives"][*place]
                    .to_owned()
            }
            Self::F1 => "f1".to_owned(),
            Self::Function(place, of) => {
                format!("{}({})", ["sqrt", "ln", "-", "abs"][*place], of.text())
            }
            Self::Operation(place, a, b) if *place == 5 => {
                format!("min({}, {})", a.text(), b.text())
            }
            Self::Operation(place, a, b) => {
                format!("({}) {} ({})", a.text(), ["+", "-", "*", "/", "^"][*place], b.text())
            }
        }
    }

    /// Whether the tree is a literal number.
    fn is_number(&self) -> bool {
        match self {
            Self::Number(_) => true,
            Self::Count(_) | Self::F1 => false,
            Self::Function(_, of) => of.is_number(),
            Self::Operation(_, a, b) => a.is_number() && b.is_number(),
        }
    }

    /// The value; `None` as soon as a part has none.
    fn value(&self, c: &BinaryCounts) -> Option<f64> {
        let value = match self {
            Self::Number(number) => f64::from(*number),
            Self::Count(place) => {
                [c.tp, c.fp, c.fn_, c.tn, c.total(), c.tp + c.fp, c.fp + c.tn][*place]
            }
            Self::F1 => 2.0 * c.tp / (2.0 * c.tp + c.fp + c.fn_),
            Self::Function(place, of) => {
                let x = of.value(c)?;
                match place {
                    0 => x.sqrt(),
                    1 if x == 0.0 => f64::NAN,
                    1 => crate::arith::logarithm::ln(x),
                    2 => -x,
                    _ => x.abs(),
                }
            }
            Self::Operation(place, a, power) => {
                let (a, b) = (a.value(c)?, power.value(c)?);
                match place {
                    0 => a + b,
                    1 => a - b,
                    2 => a * b,
                    3 if b == 0.0 => f64::NAN,
                    3 => a / b,
                    4 if a == 0.0 && b < 0.0 => f64::NAN,
                    // A literal 2 squares. A count of 2 is a power like any other, and its last
                    // digit may differ from the square's.
                    4 if b == 2.0 && power.is_number() => a * a,
                    4 => a.powf(b),
                    _ => a.min(b),
                }
            }
        };
        (!value.is_nan()).then_some(value)
    }
}

fn trees() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        (0_u8..4).prop_map(Tree::Number),
        (0_usize..7).prop_map(Tree::Count),
        (0_usize..7).prop_map(Tree::Count),
        Just(Tree::F1),
    ];
    leaf.prop_recursive(5, 24, 2, |inner| {
        prop_oneof![
            (0_usize..4, inner.clone()).prop_map(|(f, of)| Tree::Function(f, Box::new(of))),
            (0_usize..6, inner.clone(), inner).prop_map(|(o, a, b)| Tree::Operation(
                o,
                Box::new(a),
                Box::new(b)
            )),
        ]
    })
}

fn tables() -> impl Strategy<Value = Vec<BinaryCounts>> {
    let count = || (0_u32..6).prop_map(f64::from);
    let table = (count(), count(), count(), count());
    let table = table.prop_map(|(tp, fp, fn_, tn)| BinaryCounts { tp, fp, fn_, tn });
    prop::collection::vec(table, 1..600)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        let _ = program_of(&text, "own", &[]);
    }

    #[test]
    fn any_words_are_read_or_refused(
        words in prop::collection::vec(prop::sample::select(vec![
            "tp", "fp", "n", "f1", "mcc", "fbeta", "cost", "roc_auc", "(", "(", ")", ")", ",", "=", "beta", "fn", "+", "-", "*",
            "/", "^", "**", "2", "0", ".5", "1e308", "sqrt(", "min(", "ln(", "é", "?", " ", "gain",
        ]), 0..40),
    ) {
        let own = [("gain".to_owned(), 1.0)];
        let text = words.concat();
        match program_of(&text, "own", &own) {
            Ok((program, _)) => if program.has_tables() {
                let value = program.of_counts(&COUNTS, &Parameters::default());
                prop_assert!(!value.is_ok_and(f64::is_nan));
            },
            Err(Refusal::Expression { place, .. }) => prop_assert!(place <= text.chars().count()),
            Err(other) => prop_assert!(false, "{other}"),
        }
    }

    #[test]
    fn one_table_many_tables_and_a_tree_agree(tree in trees(), tables in tables()) {
        let Ok((program, _)) = program_of(&tree.text(), "own", &[]) else {
            return Ok(()); // numbers alone, or a quotient of them by zero
        };
        let defaults = Parameters::default();
        let mut filled = vec![0.0; tables.len()];
        program.fill(Tables::new(&tables), &defaults, &mut filled);
        if program.reads_cells() {
            let mut cells = Cells::with_room(tables.len());
            for (start, columns) in cells.parts(tables.len()) {
                for (lane, table) in tables[start..].iter().enumerate().take(columns[0].len()) {
                    let amounts = [table.tp, table.fp, table.fn_, table.tn];
                    for (place, amount) in amounts.into_iter().enumerate() {
                        columns[place][lane] = amount;
                    }
                }
            }
            let mut from_cells = vec![0.0; tables.len()];
            program.fill_cells(&cells, &defaults, &mut from_cells);
            for (place, (table, number)) in tables.iter().zip(from_cells).enumerate() {
                // Without rows there is no value; columns are for tables with rows.
                if table.total() > 0.0 {
                    let one = program.of_counts(table, &defaults).unwrap_or(f64::NAN);
                    prop_assert_eq!(one.to_bits(), number.to_bits(), "{} {} {:?}", place, tree.text(), table);
                }
            }
        }
        for (table, filled) in tables.iter().zip(filled) {
            let one = program.of_counts(table, &defaults);
            let twin = naive(&program, table, &defaults).unwrap_or(f64::NAN);
            prop_assert_eq!(one.unwrap_or(f64::NAN).to_bits(), twin.to_bits(), "{}", tree.text());
            prop_assert_eq!(one.unwrap_or(f64::NAN).to_bits(), filled.to_bits(), "{} {:?}", tree.text(), table);
            let expected = tree.value(table).filter(|value| value.is_finite());
            if one.is_ok() && expected.is_some() {
                prop_assert_eq!(one.unwrap(), expected.unwrap());
            } else {
                prop_assert_eq!(one.is_ok(), expected.is_some(), "{} {:?} {:?}", tree.text(), table, one);
            }
        }
    }
}
