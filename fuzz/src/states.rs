//! Small states from any bytes: sketches, groups, queries, anchored counts, means over rows.
//!
//! 1. The first byte says what the rest is: bytes as they are, or the content of one of the
//!    statistics, before which the right head is put.
//! 2. What is read must be written as the same bytes, and must add to itself.
//! 3. Every index of ranked lists has a number for each query, or a reason why not.
//! 4. Bounds of a sketch are in order, and the exact value of an exact sketch lies within. Nothing
//!    that is asked of it panics.

use rocksteady::classes::row_mean::RowMean;
use rocksteady::groups::state::Groups;
use rocksteady::index::parameter::Parameters;
use rocksteady::index::queries::values_of_queries;
use rocksteady::index::{all, find};
use rocksteady::inference::interval::{Ask, Side as Sides};
use rocksteady::queries::statistic::Queries;
use rocksteady::scores::anchored::AnchoredCounts;
use rocksteady::scores::score_table::Side;
use rocksteady::scores::sketch::arrangements::Arrangements;
use rocksteady::scores::sketch::score_sketch::ScoreSketch;

use crate::bytes::{is_read, whole};

/// The letters of the statistics.
const KINDS: [u8; 5] = *b"BGQAM";

/// Bytes, or a content, by the first byte.
pub fn run(data: &[u8]) {
    let Some((&form, rest)) = data.split_first() else {
        return;
    };
    let bytes = match usize::from(form % 6) {
        0 => rest.to_vec(),
        place => whole(KINDS[place - 1], 3, rest),
    };
    let read = [
        is_read(&bytes, sketch),
        is_read::<Groups>(&bytes, |_, _| {}),
        is_read(&bytes, queries),
        is_read::<AnchoredCounts>(&bytes, |_, _| {}),
        is_read(&bytes, row_mean),
    ];
    assert!(read.iter().filter(|&&one| one).count() <= 1);
}

fn sketch(sketch: &ScoreSketch, twice: Option<&ScoreSketch>) {
    if let Some(twice) = twice {
        assert_eq!((twice.len(), twice.level()), (sketch.len(), sketch.level()));
    }
    for threshold in [f64::NEG_INFINITY, -0.5, 0.0, 0.3, 0.5, 1.0] {
        let found = sketch.at(threshold, Side::GreaterEqual);
        assert!(found.low.tp <= found.high.tp && found.low.fp <= found.high.fp);
    }
    let known = Arrangements::from(sketch.clone());
    let ask = Ask::new(0.95, None, Sides::Both).expect("a level");
    for name in ["roc_auc", "average_precision", "ks", "h_measure", "brier"] {
        let row = find(name).expect("an index");
        let found = row.of_sketch(&known, &Parameters::defaults(row));
        let found = found.expect("an index of a ranking");
        let is_in_order = found.low <= found.high;
        assert!(is_in_order || found.why.is_some(), "{name} {found:?}");
        if let Ok(interval) = row.interval_of_sketch(&known, &ask) {
            let is_in_order = interval.low <= interval.high;
            assert!(is_in_order || interval.why.is_some(), "{name} {interval:?}");
        }
    }
}

fn queries(queries: &Queries, twice: Option<&Queries>) {
    for row in all() {
        let Some(form) = row.queries() else { continue };
        let parameters = Parameters::defaults(row);
        let values = values_of_queries(form, &queries.lists, &parameters, f64::NAN);
        for value in values.expect("threads") {
            let is_number = !value.number.is_nan();
            assert!(is_number || value.why.is_some(), "{} {value:?}", row.name);
        }
    }
    if let Some(twice) = twice {
        assert_eq!(twice.lists.rows(), 2 * queries.lists.rows());
    }
}

fn row_mean(mean: &RowMean, twice: Option<&RowMean>) {
    if let Some(twice) = twice {
        assert_eq!(twice.weight(), 2.0 * mean.weight());
    }
    let _ = (mean.measure(), mean.settings(), mean.labels(), mean.mean());
}
