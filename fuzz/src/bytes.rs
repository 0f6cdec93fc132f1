//! Stored statistics from any bytes: they are refused, or read and usable.
//!
//! 1. The first byte says what the rest is: bytes as they are, or the content of a statistic. A
//!    right head is put before a content, so mutations reach the fields.
//! 2. What is read must be written as the same bytes, and read again as the same statistic. Only
//!    earlier versions and unknown sections are written otherwise.
//! 3. A statistic that was read must be usable: it adds to itself, and what is derived from it
//!    does not panic.

use std::fmt::Debug;

use rocksteady::classes::column_tables::Rankings;
use rocksteady::classes::label_score_tables::LabelScoreTables;
use rocksteady::classes::score_tables::ScoreTables;
use rocksteady::costs::cost_table::CostTable;
use rocksteady::labels::confusion::ConfusionMatrix;
use rocksteady::queries::statistic::Queries;
use rocksteady::scores::calibration::probability_sums::ProbabilitySums;
use rocksteady::scores::ranking::Ranking;
use rocksteady::scores::score_table::{ScoreTable, Side};
use rocksteady::statistic::Statistic;

/// The letters of the statistics.
const KINDS: [u8; 5] = [1, b'S', b'P', b'T', b'L'];

/// Bytes, or a content, by the first byte.
pub fn run(data: &[u8]) {
    let Some((&form, rest)) = data.split_first() else {
        return;
    };
    match form % 16 {
        0 => read(rest),
        place @ 1..=5 => read(&whole(KINDS[usize::from(place) - 1], 2, rest)),
        place @ 6..=10 => read(&whole(KINDS[usize::from(place) - 6], 1, rest)),
        // A section that readers do not know.
        place @ 11..=15 => {
            let mut bytes = whole(KINDS[usize::from(place) - 11], 2, rest);
            bytes.push(2 + form / 16);
            bytes.extend(3_u64.to_le_bytes());
            bytes.extend(b"new");
            read(&bytes);
        }
        _ => unreachable!(),
    }
}

/// A content with its head.
pub(crate) fn whole(kind: u8, version: u8, content: &[u8]) -> Vec<u8> {
    let mut bytes = b"rocksted".to_vec();
    bytes.extend([kind, version]);
    if version >= 2 {
        bytes.push(1);
        bytes.extend((content.len() as u64).to_le_bytes());
    }
    bytes.extend(content);
    bytes
}

/// Whether the bytes are a head of version 3, a core and perhaps the squares of sampling weights.
fn is_plain(bytes: &[u8]) -> bool {
    let Some((head, sections)) = bytes.split_at_checked(10) else {
        return false;
    };
    let mut tags = Vec::new();
    let mut rest = sections;
    while let Some((&tag, after)) = rest.split_first() {
        let Some((len, after)) = after.split_first_chunk() else {
            return false;
        };
        let len = usize::try_from(u64::from_le_bytes(*len)).unwrap_or(usize::MAX);
        let Some((_, after)) = after.split_at_checked(len) else {
            return false;
        };
        tags.push(tag);
        rest = after;
    }
    head[9] == 3 && (tags == [1] || tags == [1, 3])
}

/// What may be the statistics inside, each behind its length; a label may look like one.
fn inner(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.windows(16).enumerate().filter_map(|(at, window)| {
        let (len, mark) = window.split_first_chunk()?;
        let len = usize::try_from(u64::from_le_bytes(*len)).ok()?;
        let found = mark == b"rocksted";
        bytes[at + 8..].get(..len).filter(|_| found)
    })
}

/// Every reader of these bytes; only one can know their kind.
fn read(bytes: &[u8]) {
    let read = [
        is_read(bytes, confusion_matrix),
        is_read(bytes, score_table),
        is_read(bytes, probability_sums),
        is_read(bytes, score_tables),
        is_read(bytes, label_score_tables),
        is_read(bytes, queries),
        is_read(bytes, cost_table),
    ];
    assert!(read.iter().filter(|&&one| one).count() <= 1);
}

/// Whether the bytes are of this kind of statistic. Then it is written and read again, added to
/// itself if it can be, and used together with the sum.
pub(crate) fn is_read<S: Statistic + Debug>(bytes: &[u8], using: fn(&S, Option<&S>)) -> bool {
    let Ok(statistic) = S::from_bytes(bytes) else {
        return false;
    };
    let written = statistic.to_bytes();
    if is_plain(bytes) && inner(bytes).all(is_plain) {
        assert_eq!(written, bytes, "written otherwise than it was read");
    }
    assert!(is_plain(&written));
    let second = S::from_bytes(&written).expect("what was written is read");
    assert_eq!(second, statistic);
    assert_eq!(second.to_bytes(), written);
    let twice = S::add(&statistic, &statistic).ok();
    if let Some(twice) = &twice {
        assert_eq!(S::from_bytes(&twice.to_bytes()).as_ref(), Ok(twice), "a sum is a statistic");
    }
    using(&statistic, twice.as_ref());
    true
}

fn confusion_matrix(matrix: &ConfusionMatrix, twice: Option<&ConfusionMatrix>) {
    assert_eq!(matrix.cells().count(), matrix.occupied());
    let turned = matrix.transposed();
    for cell in matrix.cells() {
        assert!(cell.mass > 0.0, "a cell without rows");
        let (actual, predicted) = (cell.actual as usize, cell.predicted as usize);
        assert_eq!(matrix.mass(actual, predicted), cell.mass);
        assert_eq!(turned.mass(predicted, actual), cell.mass);
    }
    assert_eq!(&turned.transposed(), matrix);
    let view = matrix.view();
    assert_eq!(view.classes(), matrix.classes());
    for class in 0..view.classes().min(4) {
        let counts = view.one_vs_rest(class);
        assert!([counts.tp, counts.fp, counts.fn_, counts.tn].iter().all(|&x| x >= 0.0));
    }
    if let Some(twice) = twice {
        for cell in twice.cells() {
            let one = matrix.mass(cell.actual as usize, cell.predicted as usize);
            assert_eq!(cell.mass, 2.0 * one);
        }
        assert_eq!(twice.occupied(), matrix.occupied());
    }
}

fn score_table(table: &ScoreTable, twice: Option<&ScoreTable>) {
    let (positives, negatives) = table.totals();
    let every: Vec<_> = table.every_counts().collect();
    assert_eq!(every.len(), table.len() + 1);
    for counts in &every {
        assert!([counts.tp, counts.fp, counts.fn_, counts.tn].iter().all(|&x| x >= 0.0));
    }
    for place in 0..table.len() {
        let score = table.score(place);
        // Integers beyond 2^53 are rounded, and may then be the neighbour's.
        if !score.is_nan() && score.abs() < 9e15 {
            assert_eq!(table.at(score, Side::GreaterEqual), every[place + 1]);
            assert_eq!(table.at(score, Side::Greater), every[place]);
        }
    }
    let turned = table.exchanged();
    assert_eq!(turned.totals(), (negatives, positives));
    assert_eq!(turned.exchanged().masses(), table.masses());
    if let Some(twice) = twice {
        assert_eq!(twice.totals(), (2.0 * positives, 2.0 * negatives));
        assert_eq!(twice.keys(), table.keys());
    }
    let ranking = Ranking::from(table.clone());
    let areas = [ranking.roc_auc(), ranking.average_precision()];
    for area in areas.into_iter().flatten() {
        assert!((0.0..=1.0).contains(&area), "{area}");
    }
    if let Some(ks) = ranking.ks() {
        assert!((0.0..=1.0).contains(&ks.value), "{ks:?}");
    }
}

fn probability_sums(sums: &ProbabilitySums, twice: Option<&ProbabilitySums>) {
    assert_eq!(sums.rows() > 0, sums.weight() > 0.0);
    assert!(sums.log_loss() >= 0.0 && sums.brier() >= 0.0);
    if let Some(twice) = twice {
        assert_eq!(twice.weight(), 2.0 * sums.weight());
        assert_eq!(twice.brier(), 2.0 * sums.brier());
    }
}

fn queries(queries: &Queries, twice: Option<&Queries>) {
    let lists = &queries.lists;
    let rows: usize = (0..lists.len()).map(|query| lists.list(query).len()).sum();
    assert_eq!(rows, lists.rows());
    if let Some(twice) = twice {
        assert_eq!(twice.lists.rows(), 2 * rows);
    }
}

fn score_tables(tables: &ScoreTables, _: Option<&ScoreTables>) {
    let each = tables.against_rest().expect("the rankings go together");
    assert_eq!(each.len(), tables.classes());
    for ranking in each {
        assert_eq!(ranking.table().rows(), tables.rows());
    }
    let _ = tables.pooled();
}

fn cost_table(table: &CostTable, _: Option<&CostTable>) {
    let len = table.table().len();
    let costs = table.every_cost();
    assert_eq!(costs.len(), len + 1);
    for place in table.cheapest(0..len + 1) {
        assert_eq!(costs[place], table.view(place).cost.to_f64());
    }
}

fn label_score_tables(tables: &LabelScoreTables, _: Option<&LabelScoreTables>) {
    if let Ok(pooled) = tables.pooled() {
        assert!(pooled.rows() >= tables.rows());
    }
}
