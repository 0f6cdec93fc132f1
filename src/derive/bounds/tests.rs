//! Bounds of every row against all tables of random boxes.

use crate::arith::bounded::Interval;
use crate::arith::fraction::Fraction;
use crate::arith::traced::Traced;
use crate::bounds::{Bounds, CountsBox, NoBounds};
use crate::index::form::CountFormula;
use crate::index::parameter::Parameters;
use crate::index::registry::all;
use crate::index::row::{Index, Joint};
use crate::index::user::define::of_expression;
use crate::labels::view::BinaryCounts;

/// Pseudo-random numbers (`SplitMix64`).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    fn below(&mut self, most: u64) -> u64 {
        self.next() % most
    }

    /// A box of classes of at most `size` rows, with fewer than `side` steps along each side.
    fn sides(&mut self, size: u64, side: u64) -> ([u64; 4], [u64; 2]) {
        let classes = [self.below(size) + 1, self.below(size) + 1];
        let mut sides = [0; 4];
        for axis in 0..2 {
            let wide = self.below(side.min(classes[axis] + 1));
            let low = self.below(classes[axis] - wide + 1);
            // The ends of a class have empty cells.
            let low = match self.below(4) {
                0 => 0,
                1 => classes[axis] - wide,
                _ => low,
            };
            (sides[2 * axis], sides[2 * axis + 1]) = (low, low + wide);
        }
        (sides, classes)
    }
}

/// `few`, or thirty times as many with `ROCKSTEADY_THOROUGH=1`.
fn times(few: u64) -> u64 {
    let is_thorough = std::env::var("ROCKSTEADY_THOROUGH").is_ok_and(|word| word == "1");
    if is_thorough { few * 30 } else { few }
}

fn rows() -> impl Iterator<Item = &'static Index> {
    all().filter(|row| row.program.is_none() && (row.counts.is_some() || row.matrix.is_some()))
}

/// The defined values of all tables of a box, and whether some tables have none.
fn values(
    row: &Index,
    parameters: &Parameters,
    [a, b, c, d]: [u64; 4],
    [positives, negatives]: [u64; 2],
    is_transposed: bool,
) -> (Vec<([u64; 2], f64)>, bool) {
    let (mut values, mut some_undefined) = (Vec::new(), false);
    for tp in a..=b {
        for fp in c..=d {
            let table = BinaryCounts {
                tp: tp as f64,
                fp: fp as f64,
                fn_: (positives - tp) as f64,
                tn: (negatives - fp) as f64,
            };
            let table = if is_transposed {
                BinaryCounts { fp: table.fn_, fn_: table.fp, ..table }
            } else {
                table
            };
            let value = row.of_counts(&table, parameters).unwrap();
            match value.why {
                None => values.push(([tp, fp], value.number)),
                Some(_) => some_undefined = true,
            }
        }
    }
    (values, some_undefined)
}

fn rounds_once(row: &Index) -> bool {
    row.counts.is_some_and(CountFormula::rounds_once)
}

/// Fails unless the bounds hold all values and are tight enough.
fn check(
    row: &Index,
    found: &Bounds,
    values: &[([u64; 2], f64)],
    some_undefined: bool,
    what: &str,
) {
    let what = format!("{} {what} {found:?}", row.name);
    assert!(!some_undefined || found.may_be_undefined, "{what}");
    if values.is_empty() {
        assert!(found.why.is_some() || found.may_be_undefined, "{what}");
        return;
    }
    assert_eq!(found.why, None, "{what}");
    let mut extremes = [f64::INFINITY, f64::NEG_INFINITY];
    for &(at, value) in values {
        assert!(found.low <= value && value <= found.high, "{what} {at:?} {value}");
        extremes = [extremes[0].min(value), extremes[1].max(value)];
    }
    let spread = extremes[1] - extremes[0];
    let slack = 2e-3 * spread + 1e-7 * extremes[0].abs().max(extremes[1].abs()) + 1e-12;
    let width = found.high - found.low;
    assert!(
        width <= spread + slack || width.is_infinite() && spread.is_infinite(),
        "{what} {extremes:?}"
    );
}

#[test]
fn bounds_hold_every_value_of_a_box() {
    let mut random = Random(19);
    for row in rows() {
        let parameters = Parameters::defaults(row);
        for turn in 0..times(16) {
            let size = [3, 8, 40, 300][turn as usize % 4];
            let (sides, classes) = random.sides(size, 22);
            let tables = CountsBox::of_counts(
                [sides[0], sides[1]],
                [sides[2], sides[3]],
                classes[0],
                classes[1],
            );
            let tables = tables.unwrap();
            for is_transposed in [false, true] {
                let found = tables.search(row, &parameters, is_transposed).unwrap();
                let (values, some_undefined) =
                    values(row, &parameters, sides, classes, is_transposed);
                let what = format!("{sides:?} {classes:?} {is_transposed}");
                check(row, &found, &values, some_undefined, &what);
            }
        }
    }
}

/// The directions that no random box contradicts.
fn observed(row: &Index, random: &mut Random, boxes: u64) -> Vec<Joint> {
    let parameters = Parameters::defaults(row);
    let mut left = vec![Joint::UpDown, Joint::DownUp, Joint::UpUp, Joint::DownDown];
    for turn in 0..boxes {
        let size = [2, 5, 12, 60, 1000, 1 << 40][turn as usize % 6];
        let (sides, classes) = random.sides(size, 7);
        let [a, b, c, d] = sides;
        let (values, _) = values(row, &parameters, sides, classes, false);
        let at = |place: [u64; 2]| {
            let found = values.iter().find(|(at, _)| *at == place);
            found.map(|found| found.1)
        };
        left.retain(|joint| {
            let [low, high] = match joint {
                Joint::UpDown => [[a, d], [b, c]],
                Joint::DownUp => [[b, c], [a, d]],
                Joint::UpUp => [[a, c], [b, d]],
                _ => [[b, d], [a, c]],
            };
            let (Some(low), Some(high)) = (at(low), at(high)) else {
                return true;
            };
            let slack = if rounds_once(row) { 0.0 } else { 1e-9 };
            let bounds = Interval {
                low: low - slack * low.abs().max(slack),
                high: high + slack * high.abs().max(slack),
            };
            values.iter().all(|(_, value)| bounds.contains(*value))
        });
    }
    left
}

#[test]
fn a_row_declares_its_direction_if_it_has_one() {
    for row in rows() {
        let left = observed(row, &mut Random(7), times(500));
        if std::env::var("SHOW_JOINT").is_ok() {
            println!("JOINT {} {left:?}", row.name);
            continue;
        }
        match row.joint {
            Joint::Mixed => assert!(left.is_empty(), "{} may declare {left:?}", row.name),
            joint => assert!(left.contains(&joint), "{} is not {joint:?} but {left:?}", row.name),
        }
    }
}

/// Rows with a formula over `f64` alone and no declared direction.
const UNBOUNDED: [&str; 4] =
    ["adjusted_mutual_information", "aickin_alpha", "expected_mutual_information", "gilbert_wells"];

/// The exact value of a table, or the value that the row gives; `None` where the index is
/// undefined.
fn value_at(row: &Index, at: [u64; 2], classes: [u64; 2]) -> Option<Interval> {
    let parameters = Parameters::defaults(row);
    let whole = |count: u64| Traced::from_fraction(Fraction::whole(count));
    let table = || BinaryCounts {
        tp: whole(at[0]),
        fp: whole(at[1]),
        fn_: whole(classes[0] - at[0]),
        tn: whole(classes[1] - at[1]),
    };
    let exact = row.counts.and_then(|form| form.exact(&table, &parameters));
    match exact {
        Some(Ok(answer)) if rounds_once(row) => answer.to_f64().map(Interval::of),
        Some(Err(_)) => None,
        _ => {
            let one = CountsBox::Whole([at[0], at[0], at[1], at[1]], classes);
            let found = one.bounds(row, &parameters).unwrap();
            found.value.filter(|_| !found.may_be_undefined).map(Interval::of)
        }
    }
}

#[test]
fn bounds_of_large_tables_hold_their_exact_values() {
    let mut random = Random(60);
    for row in rows() {
        let parameters = Parameters::defaults(row);
        for turn in 0..times(4) {
            let (size, side) =
                [(1 << 60, 1 << 50), (1 << 60, 9), (100_000_000, 1000), (1 << 60, 1 << 20)]
                    [turn as usize % 4];
            let (sides, classes) = random.sides(size, side);
            let found = CountsBox::Whole(sides, classes).bounds(row, &parameters).unwrap();
            if found.why == Some(NoBounds::Large) {
                assert!(UNBOUNDED.contains(&row.name), "{}", row.name);
                continue;
            }
            let [a, b, c, d] = sides;
            for place in 0..8 {
                let inside = [a + random.below(b - a + 1), c + random.below(d - c + 1)];
                let at = [[a, c], [a, d], [b, c], [b, d]].get(place).copied().unwrap_or(inside);
                let Some(value) = value_at(row, at, classes) else {
                    assert!(found.may_be_undefined, "{} {sides:?} {classes:?} {at:?}", row.name);
                    continue;
                };
                assert!(
                    found.low <= value.low && value.high <= found.high,
                    "{} {sides:?} {classes:?} {at:?} {value:?} {found:?}",
                    row.name
                );
            }
        }
    }
}

#[test]
fn bounds_of_weights_hold_what_lies_between() {
    let mut random = Random(5);
    for row in rows() {
        let parameters = Parameters::defaults(row);
        for _ in 0..times(4) {
            let mut share = || random.below(1000) as f64 / 999.0;
            let (positives, negatives) = (0.1 + 7.3 * share(), 0.1 + 90.7 * share());
            let side = |all: f64, from: f64, wide: f64| {
                let low = all * from * 0.9;
                [low, low + (all - low) * wide * 0.5]
            };
            let (tp, fp) = (side(positives, share(), share()), side(negatives, share(), share()));
            let tables = CountsBox::of_weights(tp, fp, positives, negatives).unwrap();
            let found = tables.bounds(row, &parameters).unwrap();
            if found.why == Some(NoBounds::Weights) {
                assert!(UNBOUNDED.contains(&row.name), "{}", row.name);
                continue;
            }
            for _ in 0..10 {
                let own = tp[0] + (tp[1] - tp[0]) * share();
                let other = fp[0] + (fp[1] - fp[0]) * share();
                let table = BinaryCounts {
                    tp: own,
                    fp: other,
                    fn_: positives - own,
                    tn: negatives - other,
                };
                let value = row.of_counts(&table, &parameters).unwrap();
                if value.why.is_some() {
                    assert!(found.may_be_undefined, "{} {tables:?}", row.name);
                    continue;
                }
                assert!(
                    found.low <= value.number && value.number <= found.high,
                    "{} {tables:?} {table:?} {} {found:?}",
                    row.name,
                    value.number
                );
            }
        }
    }
}

#[test]
fn expressions_and_chosen_parameters_have_bounds() {
    let mut random = Random(3);
    for text in [
        "2 * tp - 3 * fp + n / 7",
        "f1 * recall - abs(informedness) ^ 2",
        "sqrt(precision * recall)",
        "ln(tp / fp)",
        "max(recall, specificity) - min(precision, 0.5)",
        "exp(-fp / n) * mcc",
        "(tp - fn) ^ 3 / n",
        "cost(fp=2, fn=7) / n",
    ] {
        let row = of_expression(text).unwrap();
        let parameters = Parameters::defaults(row);
        for _ in 0..times(6) {
            let (sides, classes) = random.sides(50, 22);
            let found = CountsBox::Whole(sides, classes).bounds(row, &parameters).unwrap();
            let (values, some_undefined) = values(row, &parameters, sides, classes, false);
            check(row, &found, &values, some_undefined, &format!("{sides:?} {classes:?}"));
        }
    }
    // A row declares its direction for the default parameters. With these costs, errors gain.
    let row = crate::index::find("cost").unwrap();
    let parameters = Parameters::new(row, &[("fp", -3.0), ("fn", 1.0)], None).unwrap();
    let found = CountsBox::Whole([0, 900, 100, 1000], [1000, 2000]).bounds(row, &parameters);
    let found = found.unwrap();
    assert_eq!((found.low.round(), found.high.round()), (-2900.0, 700.0));
}

#[test]
fn boxes_that_are_none_are_refused() {
    for (tp, fp, word) in [
        ([3, 2], [0, 0], "lower end"),
        ([0, 9], [0, 0], "positives"),
        ([0, 0], [0, 9], "negatives"),
    ] {
        let refused = CountsBox::of_counts(tp, fp, 5, 5).unwrap_err().to_string();
        assert!(refused.contains(word), "{refused}");
    }
    assert!(CountsBox::of_weights([f64::NAN, 1.0], [0.0; 2], 1.0, 1.0).is_err());
    assert!(CountsBox::of_counts([0; 2], [0; 2], 1 << 63, 0).is_err());
}
