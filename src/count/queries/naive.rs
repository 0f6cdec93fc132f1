//! The measures by definition, and their means over all orders of tied rows.

use proptest::prelude::*;

use crate::base::column::Column;
use crate::base::input::Scores;
use crate::queries::cutoff::{self, Denominator};
use crate::queries::gain::{self, Gain};
use crate::queries::interpolated;
use crate::queries::list::{RankedList, Relevant};
use crate::queries::lists::{NoScore, RankedLists, Rows};
use crate::queries::row::Ties;

/// A row of the input: relevance and score.
type Plain = (f64, f64);

/// All orders of the rows by descending score; rows not retrieved come last.
fn orders(rows: &[Plain]) -> Vec<Vec<Plain>> {
    let Some(top) = rows.iter().map(|row| row.1).filter(|score| !score.is_nan()).reduce(f64::max)
    else {
        return vec![Vec::new()];
    };
    let mut found = Vec::new();
    for (place, &first) in rows.iter().enumerate() {
        if first.1 == top {
            let mut rest = rows.to_vec();
            rest.remove(place);
            for mut order in orders(&rest) {
                order.insert(0, first);
                found.push(order);
            }
        }
    }
    found
}

/// The measures of one order of the retrieved rows; `all` also has the rows not retrieved.
fn plain(order: &[Plain], all: &[Plain], least: f64, k: usize) -> Vec<f64> {
    let is = |row: &Plain| row.0 >= least;
    let first = &order[..k.min(order.len())];
    let relevant = all.iter().filter(|row| is(row)).count() as f64;
    let hits = first.iter().filter(|row| is(row)).count() as f64;
    let place = first.iter().position(is);
    let precision =
        |at: usize| order[..=at].iter().filter(|row| is(row)).count() as f64 / (at + 1) as f64;
    let at_hits: f64 = (0..first.len()).filter(|&at| is(&order[at])).map(precision).sum();
    let by = |denominator: f64| {
        if denominator == 0.0 { 0.0 } else { at_hits / denominator }
    };
    let log = |at: usize| (at as f64 + 2.0).log2();
    let gained = |gain: fn(f64) -> f64, rows: &[Plain]| -> f64 {
        let of = |row: &Plain| if row.0.is_nan() { 0.0 } else { gain(row.0) };
        rows.iter().take(k).enumerate().map(|(at, row)| of(row) / log(at)).sum()
    };
    let mut best = all.to_vec();
    best.retain(|row| !row.0.is_nan());
    best.sort_by(|a, b| b.0.total_cmp(&a.0));
    let biased: f64 =
        (0..first.len()).filter(|&at| is(&order[at])).map(|at| 0.2 * 0.8_f64.powi(at as i32)).sum();
    let (mut reached, mut expected) = (1.0, 0.0);
    for (at, row) in first.iter().enumerate() {
        let stops = if row.0.is_nan() { 0.0 } else { (row.0.exp2() - 1.0) / 8.0 };
        expected += reached * stops / (at + 1) as f64;
        reached *= 1.0 - stops;
    }
    let others = all.iter().filter(|row| row.0 < least).count() as f64;
    let mut bpref = 0.0;
    for (at, row) in order.iter().enumerate().filter(|(_, row)| is(row)) {
        let _ = row;
        let above = order[..at].iter().filter(|row| row.0 < least).count() as f64;
        bpref += if above > 0.0 { 1.0 - above.min(relevant) / others.min(relevant) } else { 1.0 };
    }
    let mut found = vec![
        hits / k as f64,
        (first.len() as f64 - hits) / k as f64,
        f64::from(u8::from(hits > 0.0)),
        place.map_or(0.0, |place| 1.0 / (place + 1) as f64),
        by(relevant),
        by(relevant.min(k as f64)),
        by(hits),
        gained(|grade| grade, order),
        gained(|grade| grade.exp2() - 1.0, order),
        gained(|grade| grade, &best),
        biased,
        expected,
        bpref / relevant,
    ];
    for tenth in 0..=10 {
        let wanted =
            (0..=all.len()).find(|&hits| (hits * 10) as f64 >= f64::from(tenth) * relevant);
        let reached =
            |at: &usize| order[..=*at].iter().filter(|row| is(row)).count() >= wanted.unwrap();
        found.push((0..order.len()).filter(reached).map(precision).fold(0.0, f64::max));
    }
    found
}

fn measured(list: &RankedList<'_>, least: f64, k: usize) -> Vec<f64> {
    let relevant = Relevant::from(least);
    let average = |by| cutoff::average_precision(list, relevant, k, by);
    let mut found = vec![
        cutoff::hits(list, relevant, k).of(k),
        cutoff::misses(list, relevant, k).of(k),
        cutoff::hit_rate(list, relevant, k),
        cutoff::reciprocal_rank(list, relevant, k),
        average(Denominator::Relevant),
        average(Denominator::Reachable),
        average(Denominator::Hits),
        gain::dcg(list, Gain::Linear, k),
        gain::dcg(list, Gain::Exponential, k),
        gain::ideal_dcg(list, Gain::Linear, k),
        gain::rank_biased_precision(list, relevant, 0.8, k),
        gain::expected_reciprocal_rank(list, 3.0, k).unwrap(),
        interpolated::bpref(list, relevant),
    ];
    found.extend((0..=10).map(|tenth| {
        interpolated::interpolated_precision(list, relevant, f64::from(tenth) / 10.0).unwrap()
    }));
    found
}

fn numbers(values: &[f64]) -> Scores<'_> {
    Scores::of::<f64>(Column::from_slice(values))
}

fn lists(rows: &[Plain], queries: &[u32], count: usize, ties: Ties) -> RankedLists {
    let relevance: Vec<f64> = rows.iter().map(|row| row.0).collect();
    let scores: Vec<f64> = rows.iter().map(|row| row.1).collect();
    let ranks: Vec<u32> = (0..rows.len() as u32).collect();
    let columns = Rows {
        relevance: numbers(&relevance),
        scores: numbers(&scores),
        queries,
        weights: None,
        documents: (ties == Ties::TrecEval).then_some(&ranks),
    };
    RankedLists::new(&columns, count, ties, NoScore::NotRetrieved).unwrap()
}

fn rows(most: usize) -> impl Strategy<Value = Vec<Plain>> {
    let grade = prop_oneof![Just(0.0), Just(0.0), Just(1.0), Just(2.0), Just(3.0), Just(f64::NAN)];
    let score = (0_u8..4).prop_map(f64::from);
    let judged = prop_oneof![Just(0.0), Just(1.0), Just(2.0)].prop_map(|grade| (grade, f64::NAN));
    let row = prop_oneof![9 => (grade, score), 1 => judged];
    prop::collection::vec(row, 1..most)
}

fn near(found: &[f64], expected: &[f64]) -> bool {
    found
        .iter()
        .zip(expected)
        .all(|(a, b)| (a - b).abs() <= 1e-13 * b.abs().max(1.0) || a.is_nan() && b.is_nan())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn a_value_is_its_mean_over_all_orders_of_ties(
        rows in rows(8), k in 1_usize..9, least in prop_oneof![Just(f64::NAN), Just(2.0)],
    ) {
        let lists = lists(&rows, &vec![0; rows.len()], 1, Ties::Expected);
        let least_plain = if least.is_nan() { 1.0 } else { least };
        let orders = orders(&rows);
        let mut means = Vec::new();
        for order in &orders {
            let values = plain(order, &rows, least_plain, k);
            means.resize(values.len(), 0.0);
            means.iter_mut().zip(values).for_each(|(mean, value)| *mean += value);
        }
        for mean in &mut means {
            *mean /= orders.len() as f64;
        }
        let found = measured(&lists.list(0), least, k);
        prop_assert!(near(&found, &means), "{:?}\n{:?}", found, means);
    }

    #[test]
    fn broken_ties_are_one_of_the_orders(rows in rows(30), k in 1_usize..31) {
        for ties in [Ties::Stable, Ties::TrecEval] {
            let lists = lists(&rows, &vec![0; rows.len()], 1, ties);
            let mut order: Vec<(usize, Plain)> =
                rows.iter().copied().enumerate().filter(|row| !row.1.1.is_nan()).collect();
            if ties == Ties::TrecEval {
                order.reverse();
            }
            order.sort_by(|a, b| b.1.1.total_cmp(&a.1.1));
            let order: Vec<Plain> = order.into_iter().map(|row| row.1).collect();
            let found = measured(&lists.list(0), f64::NAN, k);
            let expected = plain(&order, &rows, 1.0, k);
            // trec_eval rounds recalls in its own way.
            let compared = if ties == Ties::TrecEval { 13 } else { found.len() };
            let (found, expected) = (&found[..compared], &expected[..compared]);
            prop_assert!(near(found, expected), "{:?}\n{:?}", found, expected);
        }
    }

    #[test]
    fn lists_add_up_whatever_the_cut_and_the_order(
        rows in prop::collection::vec((0_u32..6, rows(2)), 1..60), cut in 0_usize..60, turn in 0_usize..60,
    ) {
        let queries: Vec<u32> = rows.iter().map(|row| row.0).collect();
        let plain: Vec<Plain> = rows.iter().map(|row| row.1[0]).collect();
        let cut = cut.min(rows.len());
        let numbers: Vec<u32> = (0..6).collect();
        let ranks: Vec<u32> = (0..60).collect();
        let shifted: Vec<u32> = (cut as u32..60 + cut as u32).collect();
        for ties in [Ties::Expected, Ties::Stable, Ties::TrecEval] {
            let whole = lists(&plain, &queries, 6, ties);
            let head = lists(&plain[..cut], &queries[..cut], 6, ties);
            let tail = lists(&plain[cut..], &queries[cut..], 6, ties);
            let both = head.add(&tail, [&numbers, &numbers], [&ranks, &shifted], 6).unwrap();
            prop_assert_eq!(&both, &whole);
            if ties == Ties::Expected {
                prop_assert_eq!(&tail.add(&head, [&numbers, &numbers], [&ranks, &ranks], 6).unwrap(), &whole);
                let (mut plain, mut queries) = (plain.clone(), queries.clone());
                let turn = turn % plain.len();
                plain.rotate_left(turn);
                queries.rotate_left(turn);
                prop_assert_eq!(&lists(&plain, &queries, 6, ties), &whole);
            }
        }
    }
}

#[test]
fn long_ties_have_the_limits_that_they_must_have() {
    // A thousand tied rows, one of them relevant: harmonic numbers, and 1/n for each place.
    let mut rows = vec![(0.0, 1.0); 999];
    rows.push((1.0, 1.0));
    let lists = lists(&rows, &[0; 1000], 1, Ties::Expected);
    let (list, relevant) = (lists.list(0), Relevant::from(f64::NAN));
    let harmonic: f64 = (1..=1000).map(|n| 1.0 / f64::from(n)).sum();
    let close = |a: f64, b: f64| (a - b).abs() < 1e-12;
    assert!(close(cutoff::reciprocal_rank(&list, relevant, 1000), harmonic / 1000.0));
    assert!(close(cutoff::hit_rate(&list, relevant, 10), 0.01));
    assert!(close(cutoff::hits(&list, relevant, 10).of(10), 0.001));
    assert!(close(gain::expected_reciprocal_rank(&list, 1.0, 1000).unwrap(), harmonic / 2000.0));
    assert!(close(
        interpolated::interpolated_precision(&list, relevant, 1.0).unwrap(),
        harmonic / 1000.0
    ));
    let half: Vec<_> = (0..1000).map(|row| (f64::from(row % 2), 1.0)).collect();
    let lists = self::lists(&half, &[0; 1000], 1, Ties::Expected);
    assert_eq!(interpolated::interpolated_precision(&lists.list(0), relevant, 0.5), None);
}

#[test]
fn what_cannot_be_a_row_is_refused() {
    let refused = |relevance: f64, score: f64, no_score: NoScore| {
        let (relevance, scores) = ([1.0, relevance], [0.5, score]);
        let columns = Rows {
            relevance: numbers(&relevance),
            scores: numbers(&scores),
            queries: &[0, 0],
            weights: None,
            documents: None,
        };
        let found = RankedLists::new(&columns, 1, Ties::Expected, no_score);
        found.err().map(|refusal| refusal.to_string())
    };
    let (nan, infinite) = (f64::NAN, f64::INFINITY);
    assert_eq!(refused(nan, 0.5, NoScore::Refused), None);
    assert_eq!(refused(-1.0, 0.5, NoScore::Refused), None);
    assert_eq!(refused(1.0, nan, NoScore::NotRetrieved), None);
    assert!(refused(1.0, nan, NoScore::Refused).unwrap().contains("y_score[1] is NaN"));
    assert!(refused(1.0, infinite, NoScore::NotRetrieved).unwrap().contains("y_score[1]"));
    assert!(refused(nan, nan, NoScore::NotRetrieved).unwrap().contains("missing too"));
    assert!(refused(infinite, 0.5, NoScore::Refused).unwrap().contains("relevance[1]"));
}

#[test]
fn weights_are_those_of_queries() {
    let weighted = |weights: [f64; 3]| {
        let columns = Rows {
            relevance: numbers(&[1.0, 0.0, 1.0]),
            scores: numbers(&[0.5, 0.5, 0.5]),
            queries: &[0, 1, 0],
            weights: Some(Column::from_slice(&weights)),
            documents: None,
        };
        RankedLists::new(&columns, 2, Ties::Expected, NoScore::Refused)
            .map(|lists| [lists.weight(0), lists.weight(1)])
            .map_err(|refusal| refusal.to_string())
    };
    assert_eq!(weighted([2.0, 3.0, 2.0]), Ok([2.0, 3.0]));
    assert!(weighted([2.0, 3.0, 4.0]).unwrap_err().contains("query_weight[2] is 4; expected 2"));
    assert!(weighted([2.0, -3.0, 2.0]).unwrap_err().contains("query_weight[1]"));
}
