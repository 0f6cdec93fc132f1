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

use crate::bytes::{again, whole};

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
    let read =
        [sketch(&bytes), groups(&bytes), queries(&bytes), anchored(&bytes), row_mean(&bytes)];
    assert!(read.iter().filter(|&&one| one).count() <= 1);
}

fn sketch(bytes: &[u8]) -> bool {
    let Ok(sketch) = ScoreSketch::from_bytes(bytes) else {
        return false;
    };
    again(bytes, &sketch, ScoreSketch::to_bytes, ScoreSketch::from_bytes);
    if let Ok(twice) = sketch.add(&sketch) {
        let read = ScoreSketch::from_bytes(&twice.to_bytes());
        assert_eq!(read.as_ref(), Ok(&twice));
        assert_eq!((twice.len(), twice.level()), (sketch.len(), sketch.level()));
    }
    for threshold in [f64::NEG_INFINITY, -0.5, 0.0, 0.3, 0.5, 1.0] {
        let found = sketch.at(threshold, Side::GreaterEqual);
        assert!(found.low.tp <= found.high.tp && found.low.fp <= found.high.fp);
    }
    let known = Arrangements::from(sketch);
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
    true
}

fn groups(bytes: &[u8]) -> bool {
    let Ok(groups) = Groups::from_bytes(bytes) else {
        return false;
    };
    again(bytes, &groups, Groups::to_bytes, Groups::from_bytes);
    if let Ok(twice) = groups.add(&groups) {
        assert_eq!(Groups::from_bytes(&twice.to_bytes()).as_ref(), Ok(&twice));
    }
    true
}

fn queries(bytes: &[u8]) -> bool {
    let Ok(queries) = Queries::from_bytes(bytes) else {
        return false;
    };
    again(bytes, &queries, Queries::to_bytes, Queries::from_bytes);
    for row in all() {
        let Some(form) = row.queries else { continue };
        let parameters = Parameters::defaults(row);
        let values = values_of_queries(form, &queries.lists, &parameters, f64::NAN);
        for value in values.expect("threads") {
            let is_number = !value.number.is_nan();
            assert!(is_number || value.why.is_some(), "{} {value:?}", row.name);
        }
    }
    if let Ok(twice) = queries.add(&queries) {
        assert_eq!(twice.lists.rows(), 2 * queries.lists.rows());
        assert_eq!(Queries::from_bytes(&twice.to_bytes()).as_ref(), Ok(&twice));
    }
    true
}

fn anchored(bytes: &[u8]) -> bool {
    let Ok(counts) = AnchoredCounts::from_bytes(bytes) else {
        return false;
    };
    again(bytes, &counts, AnchoredCounts::to_bytes, AnchoredCounts::from_bytes);
    if let Ok(twice) = counts.add(&counts) {
        let read = AnchoredCounts::from_bytes(&twice.to_bytes());
        assert_eq!(read.as_ref(), Ok(&twice));
    }
    true
}

fn row_mean(bytes: &[u8]) -> bool {
    let Ok(mean) = RowMean::from_bytes(bytes) else {
        return false;
    };
    again(bytes, &mean, RowMean::to_bytes, RowMean::from_bytes);
    if let Ok(twice) = mean.add(&mean) {
        let read = RowMean::from_bytes(&twice.to_bytes());
        assert_eq!(read.as_ref(), Ok(&twice));
        assert_eq!(twice.weight(), 2.0 * mean.weight());
    }
    let _ = (mean.measure(), mean.settings(), mean.labels(), mean.mean());
    true
}
