//! Tables of pairs: how the predictions of two models agree on the same rows.
//!
//! A cell is (actual class, class predicted by the first model, class predicted by the second). The
//! table is a confusion matrix of the actual class against the pair of predictions, coded as one
//! number. So it is counted, added and stored like any matrix, sparsely for many classes.
//!
//! The difference of an index of the two models follows from the influence of a row of each cell
//! ([`crate::inference::same_rows::row_influence`]): a cell is read like a row whose weight is the
//! number of rows.

use std::hash::RandomState;
use std::ops::Range;

use crate::arith::exact::Weights;
use crate::base::column::{CHUNK, Column, chunks};
use crate::base::error::{Refusal, Result, check_rows};
use crate::base::input::{Label, LabelSet, Labels, NanPolicy, Scores};
use crate::base::memory::{Gather, Room, joined, map_of, with_room};
use crate::base::threads::over_parts;
use crate::labels::classes::Classes;
use crate::labels::confusion::ConfusionMatrix;
use crate::labels::counting::count::{CountOptions, confusion};
use crate::scores::keys::{Key, Lowered, ScoreReader, Stop};
use crate::scores::score_table::Side;
use crate::scores::sweep::given_thresholds::{Threshold, edge};

/// For each row, the place of its class.
pub type Coded = Vec<u32>;

/// The codes of a column of labels, all among ascending classes.
///
/// # Errors
/// A missing label, a float that is not whole, a label that is none of the classes.
pub fn codes_of_labels(column: &Labels, classes: LabelSet) -> Result<Coded> {
    let classes = Classes::given(column, classes)?;
    let parts = over_parts(column.len(), |part| {
        let mut codes = vec![0; part.len()];
        for (rows, codes) in chunks(part).zip(codes.chunks_mut(CHUNK)) {
            classes.lower(rows, codes)?;
        }
        Ok(codes)
    });
    Ok(joined(parts?))
}

/// The codes of the classes that a threshold predicts: `[below, above]`; a score at the threshold
/// is above.
///
/// # Errors
/// A missing score unless the policy ranks it, an infinite one.
pub fn codes_of_scores(
    column: &Scores,
    threshold: Threshold,
    codes: [u32; 2],
    nan_policy: NanPolicy,
) -> Result<Coded> {
    let reader = ScoreReader { nan_policy, ..ScoreReader::finite(*column) };
    let least = edge(column.kind(), threshold, Side::GreaterEqual);
    let parts = over_parts(column.len(), |part| {
        if column.kind().is_wide() {
            reached::<u64>(&reader, part, least, codes)
        } else {
            reached::<u32>(&reader, part, least, codes)
        }
    });
    Ok(joined(parts?))
}

fn reached<K: Key + Lowered>(
    reader: &ScoreReader,
    part: Range<usize>,
    least: Option<u64>,
    [below, above]: [u32; 2],
) -> Result<Coded> {
    let mut found = with_room(part.len());
    let (mut keys, mut classes) = (vec![K::default(); CHUNK], vec![0_u8; CHUNK]);
    for rows in chunks(part) {
        let keys = &mut keys[..rows.len()];
        let lowered = reader.lower(rows.clone(), keys, &mut classes[..rows.len()]);
        lowered.map_err(Stop::refusal)?;
        found.grow_with(
            keys.iter().map(|key| {
                if least.is_some_and(|least| key.wide() >= least) { above } else { below }
            }),
        );
    }
    Ok(found)
}

/// The table of pairs of three columns of codes below `classes`. A pair of predictions (i, j) is
/// the label `classes` (1 + i) + j, so it is no actual class.
///
/// # Errors
/// Columns of different lengths, and weights that are negative or not finite.
pub fn pair_table(
    actual: &[u32],
    [first, second]: [&[u32]; 2],
    classes: usize,
    weights: Option<Weights>,
) -> Result<ConfusionMatrix> {
    check_rows(&[("y_true", actual.len()), ("y_pred", first.len()), ("y_pred", second.len())])?;
    let many = classes as u64;
    let pairs: Vec<u64> = (first.iter().zip(second))
        .map(|(&i, &j)| many * (1 + u64::from(i)) + u64::from(j))
        .gather();
    let actual = Labels::of::<u32>(Column::from_slice(actual));
    let pairs = Labels::of::<u64>(Column::from_slice(&pairs));
    let table = confusion(&actual, &pairs, weights, &CountOptions::default())?;
    // A class with rows of weight zero only would make the table depend on the order of addition.
    Ok(table.without_empty_classes())
}

/// The cells of a table of pairs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairCells {
    /// The places of the actual class and of the classes that the models predict.
    pub codes: [Coded; 3],
    /// The number, or weight, of the rows.
    pub masses: Vec<f64>,
    /// The sums of the squared sampling weights; without sampling weights, the numbers of rows.
    pub squares: Vec<f64>,
}

/// The cells of a table of pairs, and of the table of squared sampling weights beside it.
///
/// # Errors
/// [`Refusal::Argument`] for a table that is no table of pairs of this many classes.
pub fn cells_of(
    table: &ConfusionMatrix,
    squares: Option<&ConfusionMatrix>,
    classes: usize,
) -> Result<PairCells> {
    let refusal = || Refusal::argument("table", "another matrix", "a table of pairs");
    let many = classes as i128;
    let number = |matrix: &ConfusionMatrix, place: u32| match matrix.labels().values[place as usize]
    {
        Label::Int(number) => Ok(number),
        Label::Text(_) => Err(refusal()),
    };
    let cells = |matrix: &ConfusionMatrix| -> Result<Vec<((i128, i128), f64)>> {
        let cells = matrix.cells().map(|cell| {
            Ok(((number(matrix, cell.actual)?, number(matrix, cell.predicted)?), cell.mass))
        });
        cells.gather_all()
    };
    let squares = match squares {
        None => None,
        Some(squares) => Some(map_of::<_, _, RandomState>(cells(squares)?.into_iter())),
    };
    let mut found = PairCells::default();
    for (place, mass) in cells(table)? {
        let ((actual, pair), square) = (place, squares.as_ref().map(|squares| squares.get(&place)));
        let (first, second) = (pair / many - 1, pair % many);
        if !(0..many).contains(&actual) || !(0..many).contains(&first) {
            return Err(refusal());
        }
        for (codes, code) in found.codes.iter_mut().zip([actual, first, second]) {
            codes.grow(code as u32);
        }
        found.masses.grow(mass);
        found.squares.grow(square.map_or(mass, |square| square.copied().unwrap_or(0.0)));
    }
    Ok(found)
}
