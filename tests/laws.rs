//! The laws of every row, walked over random statistics. A new row's laws are tested without a line
//! here.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // that is how a test fails

use proptest::prelude::*;
use rocksteady::base::column::Column;
use rocksteady::base::input::{Label, LabelKind, LabelSet, Labels, Scores};
use rocksteady::index;
use rocksteady::index::parameter::Parameters;
use rocksteady::index::value::Value;
use rocksteady::index::{Index, Law};
use rocksteady::labels::confusion::ConfusionMatrix;
use rocksteady::labels::view::{BinaryCounts, MatrixView};
use rocksteady::queries::lists::{NoScore, RankedLists, Rows as QueryRows};
use rocksteady::queries::row::Ties;
use rocksteady::scores::ranking::Ranking;
use rocksteady::scores::sweep::all_thresholds::score_table;
use rocksteady::scores::sweep::rows::SweepOptions;

type Rows = Vec<Vec<f64>>;

fn view(rows: &Rows) -> MatrixView {
    let labels = LabelSet {
        kind: LabelKind::Int,
        values: (0..rows.len()).map(|k| Label::Int(k as i128)).collect(),
    };
    let matrix = ConfusionMatrix::from_weights(&rows.concat(), labels);
    matrix.unwrap().view()
}

/// The counts of two classes, negative and positive.
fn counts(rows: &Rows) -> BinaryCounts {
    BinaryCounts { tp: rows[1][1], fp: rows[0][1], fn_: rows[1][0], tn: rows[0][0] }
}

/// The value of two classes from the counts, of more from the matrix; `None` if the row has no such
/// form.
fn value(index: &Index, rows: &Rows) -> Option<Value> {
    let parameters = Parameters::defaults(index);
    if rows.len() == 2 {
        index.of_counts(&counts(rows), &parameters).ok()
    } else {
        index.of_matrix(&view(rows), &parameters).ok()
    }
}

fn transposed(rows: &Rows) -> Rows {
    (0..rows.len()).map(|j| rows.iter().map(|row| row[j]).collect()).collect()
}

/// The classes in the opposite order: the swap of two, one relabelling of more.
fn relabelled(rows: &Rows) -> Rows {
    rows.iter().rev().map(|row| row.iter().rev().copied().collect()).collect()
}

fn scaled(rows: &Rows, factor: impl Fn(usize) -> f64) -> Rows {
    let scale = |(i, row): (usize, &Vec<f64>)| row.iter().map(|x| x * factor(i)).collect();
    rows.iter().enumerate().map(scale).collect()
}

fn perfect(rows: &Rows) -> Rows {
    let mut only_diagonal = vec![vec![0.0; rows.len()]; rows.len()];
    for (k, row) in only_diagonal.iter_mut().enumerate() {
        row[k] = rows[k][k] + 1.0;
    }
    only_diagonal
}

/// Equal numbers, or undefined both.
fn same(a: Value, b: Value, change: impl Fn(f64) -> f64) -> bool {
    match (a.why, b.why) {
        (None, None) => {
            let expected = change(b.number);
            (a.number - expected).abs() <= 1e-11 * expected.abs().max(1.0)
        }
        (None, Some(_)) | (Some(_), None) => false,
        (Some(_), Some(_)) => true,
    }
}

/// Whether a law holds for a matrix; laws about forms that the row does not have hold.
fn holds(index: &Index, law: Law, rows: &Rows, factor: f64) -> bool {
    let Some(own) = value(index, rows) else {
        return true;
    };
    let against = |name: &str, changed: &Rows, change: fn(f64) -> f64| {
        value(index::find(name).unwrap(), changed).is_none_or(|other| same(own, other, change))
    };
    let keep: fn(f64) -> f64 = |x| x;
    match law {
        Law::Transposed(name) => against(name, &transposed(rows), keep),
        Law::Swapped(name) => against(name, &relabelled(rows), keep),
        Law::Complement(name) => against(name, rows, |x| 1.0 - x),
        Law::ScaleFree => against(index.name, &scaled(rows, |_| factor), keep),
        Law::PrevalenceFree => {
            against(index.name, &scaled(rows, |i| if i == 0 { factor } else { 1.0 }), keep)
        }
        Law::Proportional => value(index, &scaled(rows, |_| factor))
            .is_none_or(|other| same(other, own, |x| x * factor)),
        Law::Perfect(best) => value(index, &perfect(rows)).is_none_or(|found| found.number == best),
        Law::RankOnly | Law::NegatedSum(_) => true,
    }
}

/// Matrices of 2 to 5 classes, with many zeros.
fn matrices() -> impl Strategy<Value = Rows> {
    (2_usize..6).prop_flat_map(|classes| {
        let amount = prop_oneof![Just(0_u32), 0_u32..50, 0_u32..5000];
        let row = prop::collection::vec(amount.prop_map(f64::from), classes);
        prop::collection::vec(row, classes)
    })
}

fn in_range(index: &Index, value: Value) -> bool {
    let (low, high) = index.range;
    value.number.is_nan() || (low - 1e-12..=high + 1e-12).contains(&value.number)
}

/// The margin of the second column is 1.1, rounded; the cells' exact sum is a little more.
#[test]
fn lambda_of_rounded_margins_lies_in_its_range() {
    let rows = [[0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.1, 1e-5]];
    let rows: Rows = rows.iter().map(|row| row.to_vec()).collect();
    let lambda = index::find("goodman_kruskal_lambda_b").unwrap();
    assert_eq!(value(lambda, &rows).unwrap().number, 0.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn rows_obey_their_laws(rows in matrices(), factor in 1_u32..50) {
        for index in index::all() {
            for law in index.laws() {
                prop_assert!(holds(index, law, &rows, f64::from(factor)), "{index:?}: {law}");
            }
        }
    }

    #[test]
    fn values_lie_in_range_and_are_numbers_unless_undefined(rows in matrices()) {
        for index in index::all() {
            let Some(value) = value(index, &rows) else { continue };
            prop_assert!(in_range(index, value), "{index:?} {value:?}");
            prop_assert!(value.number.is_finite() || value.why.is_some(), "{index:?} {value:?}");
            let any_rows = rows.iter().flatten().any(|&x| x > 0.0);
            if any_rows && value.why.is_some() {
                prop_assert!(!index.undefined.is_empty(), "{index:?} is undefined: {value:?}");
                prop_assert!(value.number.to_bits() == index.when_undefined.to_bits());
            }
        }
    }

    #[test]
    fn counts_and_matrix_agree_for_two_classes(rows in matrices().prop_filter("two", |r| r.len() == 2)) {
        for index in index::all().filter(|index| index.counts.is_some() && index.matrix.is_some()) {
            let parameters = Parameters::defaults(index);
            let by_counts = index.of_counts(&counts(&rows), &parameters).unwrap();
            let by_matrix = index.of_matrix(&view(&rows), &parameters).unwrap();
            prop_assert!(same(by_counts, by_matrix, |x| x), "{index:?} {by_counts:?} {by_matrix:?}");
        }
    }

    #[test]
    fn amounts_of_any_size_have_the_same_indices(rows in matrices(), exponent in -280_i32..280) {
        let factor = 10_f64.powi(exponent);
        for index in index::all().filter(|index| index.laws.contains(&Law::ScaleFree)) {
            let (own, other) = (value(index, &rows), value(index, &scaled(&rows, |_| factor)));
            let near = own.zip(other).is_none_or(|(own, other)| same(own, other, |x| x));
            prop_assert!(near, "{index:?} {factor}: {own:?} {other:?}");
        }
    }

    #[test]
    fn amounts_of_very_different_sizes_keep_values_in_range(
        rows in matrices(), exponents in prop::collection::vec(-300_i32..300, 25),
    ) {
        let classes = rows.len();
        let power = |i: usize, j: usize| 10_f64.powi(exponents[i * classes + j]);
        let rows: Rows = (0..classes)
            .map(|i| (0..classes).map(|j| rows[i][j] * power(i, j)).collect())
            .collect();
        for index in index::all() {
            let Some(value) = value(index, &rows) else { continue };
            prop_assert!(in_range(index, value), "{index:?} {value:?} {rows:?}");
            prop_assert!(!value.number.is_nan() || value.why.is_some(), "{index:?} {value:?} {rows:?}");
        }
    }

    #[test]
    fn classes_add_up_where_they_must(rows in matrices()) {
        // Confusion entropy of all is the mean of its classes' by their shares.
        let (cen, view) = (index::find("cen").unwrap(), view(&rows));
        prop_assume!(view.total > 0.0);
        let parameters = Parameters::defaults(cen);
        let classes = index::per_class(&view, cen, &parameters).unwrap();
        let shares = view.actual.iter().zip(&view.predicted).map(|(t, p)| (t + p) / (2.0 * view.total));
        let sum: f64 = shares.zip(classes).map(|(share, value)| share * value.number).sum();
        let whole = cen.of_matrix(&view, &parameters).unwrap().number;
        prop_assert!((sum - whole).abs() < 1e-12);
    }
}

/// Products of these lose digits at the lower end of what `f64` holds.
#[test]
fn the_order_of_pairs_stays_in_range_where_products_are_subnormal() {
    let counts = BinaryCounts { tp: 2.1e-115, fp: 3.4e118, fn_: 0.0, tn: 4.1e-143 };
    let gamma = index::find("goodman_kruskal_gamma").unwrap();
    let found = gamma.of_counts(&counts, &Parameters::defaults(gamma));
    assert_eq!(found.unwrap().number, 1.0);
}

/// A margin less its greatest cell was not the other cell.
#[test]
fn errors_that_do_not_fall_do_not_rise() {
    let rows: Rows = vec![vec![0.0; 3], vec![0.0, 1e-10, 0.0], vec![1e21, 1e5, 0.0]];
    for name in ["goodman_kruskal_tau", "goodman_kruskal_tau_b"] {
        let found = value(index::find(name).unwrap(), &rows).unwrap();
        assert!((found.number - 1e-15).abs() < 1e-16, "{name} {found:?}");
    }
}

/// A total of rounded sums less the rows of the only class was not 0.
#[test]
fn one_class_of_small_weights_has_no_lambda() {
    let row = [3770.0, 1438.0, 938.0].map(|amount| amount * 10_f64.powi(-199));
    let rows = vec![row.to_vec(), vec![0.0; 3], vec![0.0; 3]];
    let lambda = index::find("goodman_kruskal_lambda_a").unwrap();
    assert!(value(lambda, &rows).unwrap().why.is_some());
}

/// One walk for everything finds what each row finds by itself.
#[test]
fn prepared_tables_answer_alike() {
    for (rows, kinds) in [(3_000_u64, 1_u64 << 40), (3_000, 500), (700, 7), (256, 1 << 40), (1, 2)]
    {
        for weights in [
            [1.0; 2],
            [0.375, 3.0],
            [1e-300, 1e-290],
            [1e300, 1e290],
            [1e300, 1e-300],
            [1e-300, 1e300],
        ] {
            let mut state = rows ^ kinds;
            let rows: Vec<(f64, bool)> = (0..rows)
                .map(|_| {
                    state = state
                        .wrapping_mul(0x5851_f42d_4c95_7f2d)
                        .wrapping_add(0x1405_7b7e_f767_814f);
                    let score = ((state >> 24) % (kinds + 1)) as f64 / kinds as f64;
                    let draw = (state.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 11) as f64
                        / (1_u64 << 53) as f64;
                    (score, draw < 0.1 + 0.7 * score)
                })
                .collect();
            let (alone, prepared) = (table(&rows, weights), table(&rows, weights));
            prepared.prepare();
            for index in index::all().filter(|index| index.scores().is_some()) {
                let parameters = Parameters::defaults(index);
                let [own, kept] =
                    [&alone, &prepared].map(|table| index.of_scores(table, &parameters).unwrap());
                assert_eq!(own.why, kept.why, "{index:?}");
                assert!(own.why.is_some() || in_range(index, own), "{index:?} {own:?}");
                assert!(own.why.is_some() || !own.number.is_nan(), "{index:?} {weights:?}");
                let near =
                    (own.number - kept.number).abs() <= 4.0 * f64::EPSILON * own.number.abs();
                assert!(
                    near || own.number.is_nan() && kept.number.is_nan(),
                    "{index:?} {own:?} {kept:?}"
                );
            }
        }
    }
}

/// The table of scores with labels, each class with its weight; counts where both are one.
fn table(rows: &[(f64, bool)], weights: [f64; 2]) -> Ranking {
    let scores: Vec<f64> = rows.iter().map(|row| row.0).collect();
    let labels: Vec<u8> = rows.iter().map(|row| u8::from(row.1)).collect();
    let each: Vec<f64> = rows.iter().map(|row| weights[usize::from(row.1)]).collect();
    let weights = (weights != [1.0; 2]).then(|| Column::from_slice(&each));
    let options = SweepOptions { pos_label: Some(Label::Int(1)), ..SweepOptions::default() };
    let labels = Labels::U8(Column::from_slice(&labels));
    score_table(&labels, &Scores::F64(Column::from_slice(&scores)), weights, &options)
        .unwrap()
        .into()
}

proptest! {
    #[test]
    fn ranking_rows_obey_their_laws(
        rows in prop::collection::vec(((0_i32..12).prop_map(f64::from), any::<bool>()), 1..40),
        probabilities: bool,
    ) {
        let unit = if probabilities { 11.0 } else { 1.0 };
        let rows: Vec<(f64, bool)> = rows.into_iter().map(|(s, positive)| (s / unit, positive)).collect();
        let changed = |change: fn(f64) -> f64| -> Vec<(f64, bool)> {
            rows.iter().map(|&(score, positive)| (change(score), positive)).collect()
        };
        let separated: Vec<(f64, bool)> =
            rows.iter().map(|&(s, positive)| (s + if positive { 100.0 } else { 0.0 }, positive)).collect();
        let both = rows.iter().any(|row| row.1) && rows.iter().any(|row| !row.1);
        for index in index::all().filter(|index| index.scores().is_some()) {
            let parameters = Parameters::defaults(index);
            let of = |index: &Index, rows: &[(f64, bool)], weights: [f64; 2]| {
                index.of_scores(&table(rows, weights), &parameters).unwrap()
            };
            let value = |rows: &[(f64, bool)], weight: f64| of(index, rows, [weight; 2]);
            let own = value(&rows, 1.0);
            prop_assert!(in_range(index, own), "{index:?} {own:?}");
            prop_assert!(own.number.is_finite() || own.why.is_some());
            for law in index.laws() {
                let holds = match law {
                    // The sum of 16 and more such weights is beyond the range.
                    Law::ScaleFree => [7.0, 2_f64.powi(1020)]
                        .into_iter()
                        .all(|weight| same(own, value(&rows, weight), |x| x)),
                    Law::PrevalenceFree => same(own, of(index, &rows, [7.0, 1.0]), |x| x),
                    Law::Complement(name) => {
                        same(own, of(index::find(name).unwrap(), &rows, [1.0; 2]), |x| 1.0 - x)
                    }
                    Law::RankOnly => same(own, value(&changed(|s| (s / 3.0).exp()), 1.0), |x| x),
                    Law::NegatedSum(sum) => same(own, value(&changed(|s| -s), 1.0), |x| sum - x),
                    Law::Perfect(best) => !both || value(&separated, 1.0).number == best,
                    _ => true,
                };
                prop_assert!(holds, "{index:?}: {law}");
            }
        }
    }
}

/// The lists of queries of rows (query, relevance, score).
fn lists(rows: &[(u32, f64, f64)]) -> RankedLists {
    let queries: Vec<u32> = rows.iter().map(|row| row.0).collect();
    let relevance: Vec<f64> = rows.iter().map(|row| row.1).collect();
    let scores: Vec<f64> = rows.iter().map(|row| row.2).collect();
    let columns = QueryRows {
        relevance: Scores::F64(Column::from_slice(&relevance)),
        scores: Scores::F64(Column::from_slice(&scores)),
        queries: &queries,
        weights: None,
        documents: None,
    };
    RankedLists::new(&columns, 4, Ties::Expected, NoScore::Refused).unwrap()
}

proptest! {
    #[test]
    fn retrieval_rows_obey_their_laws(
        rows in prop::collection::vec((0_u32..4, 0_u8..4, 0_i32..6), 1..40),
    ) {
        let rows: Vec<(u32, f64, f64)> =
            rows.iter().map(|&(query, grade, score)| (query, f64::from(grade), f64::from(score))).collect();
        let changed = |change: fn(f64, f64) -> f64| -> RankedLists {
            let row = |&(query, grade, score): &(u32, f64, f64)| (query, grade, change(score, grade));
            lists(&rows.iter().map(row).collect::<Vec<_>>())
        };
        let plain = lists(&rows);
        let mut turned = rows.clone();
        turned.reverse();
        prop_assert_eq!(&plain, &lists(&turned));
        for index in index::all().filter(|index| index.queries().is_some()) {
            let form = index.queries().unwrap();
            let parameters = Parameters::defaults(index);
            let of = |lists: &RankedLists| index::values_of_queries(form, lists, &parameters, f64::NAN).unwrap();
            let own = of(&plain);
            for value in &own {
                prop_assert!(in_range(index, *value), "{index:?} {value:?}");
                prop_assert!(value.number.is_finite() || value.why.is_some());
            }
            let mean = index::mean_of_queries(form, &plain, &parameters, f64::NAN).unwrap();
            let counted: Vec<f64> = own.iter().map(|value| value.number).filter(|x| !x.is_nan()).collect();
            prop_assert_eq!(mean.counted, counted.len());
            let expected = counted.iter().sum::<f64>() / counted.len() as f64;
            prop_assert!(expected.is_nan() || (mean.value.number - expected).abs() <= 1e-12 * expected.max(1.0));
            for law in index.laws() {
                let other = match law {
                    Law::RankOnly => of(&changed(|score, _| (score / 3.0).exp())),
                    Law::Perfect(_) => of(&changed(|score, grade| score + 100.0 * grade)),
                    _ => panic!("{index:?}: a law that is not tested: {law}"),
                };
                for (own, other) in own.iter().zip(other) {
                    let holds = match law {
                        Law::Perfect(best) => other.why.is_some() || (other.number - best).abs() < 1e-12,
                        _ => same(*own, other, |x| x),
                    };
                    prop_assert!(holds, "{index:?}: {law} {own:?} {other:?}");
                }
            }
        }
    }
}

#[test]
fn rows_are_complete() {
    for index in index::all() {
        assert!(!index.title.is_empty() && !index.formula.is_empty(), "{index:?}");
        assert!(
            index.source.chars().filter(char::is_ascii_digit).count() >= 4,
            "{index:?}: no year"
        );
        assert!(index.range.0 < index.range.1, "{index:?}");
        assert!(index.parameters.len() <= Parameters::MOST, "{index:?}");
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        assert!(index.name.chars().all(plain), "{index:?}");
        let forms = [
            index.counts.is_some(),
            index.matrix.is_some(),
            index.scores().is_some(),
            index.probabilities().is_some(),
            index.score_tables().is_some(),
            index.queries().is_some(),
            index.costs().is_some(),
        ];
        assert!(forms.contains(&true), "{index:?} has no code");
        assert!(index.class.is_none() || index.matrix.is_some(), "{index:?}");
        for law in index.laws() {
            if let Law::Transposed(name) | Law::Swapped(name) | Law::Complement(name) = law {
                assert!(index::find(name).is_ok(), "{index:?}: {law}");
            }
        }
    }
}
