//! Tables of pairs: how the predictions of two models agree on the same rows.
//!
//! A cell is (actual class, class predicted by the first model, class predicted by the second). The
//! table is a confusion matrix of the actual class against the pair of predictions, coded as one
//! number. So it is counted, added and stored like any matrix, sparsely for many classes.
//!
//! The difference of an index of the two models follows by the delta method. With g the slopes of
//! the index over the cells of a model's own matrix, a row of cell (y, i, j) moves the difference
//! by h = g1(y, i) - g2(y, j), and the variance is Σ n h² - (Σ n h)² / Σ n. With sampling weights
//! the squares of the weights replace n.
//!
//! Source: Agresti 2013, Categorical Data Analysis, 3rd ed., section 16.1.

use std::collections::HashMap;
use std::ops::Range;

use crate::arith::exact::Weights;
use crate::arith::products::Products;
use crate::base::column::{CHUNK, Column, chunks};
use crate::base::error::{Refusal, Result, check_rows};
use crate::base::input::{Label, LabelSet, Labels, NanPolicy, Scores};
use crate::base::interrupt;
use crate::base::memory::{Gather, Room, in_place, joined, map_of, with_room};
use crate::base::threads::over_parts;
use crate::index::parameter::Parameters;
use crate::index::row::{Index, Law};
use crate::index::spread::{NoInterval, Rows, Spread};
use crate::index::value::Value;
use crate::inference::interval::FEW;
use crate::inference::same_rows::difference::Difference;
use crate::inference::scores::FEW_OF_A_CLASS;
use crate::labels::classes::Classes;
use crate::labels::confusion::ConfusionMatrix;
use crate::labels::counting::count::{CountOptions, confusion};
use crate::labels::view::MatrixView;
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

/// A cell of a table of pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairCell {
    /// The place of the actual class.
    pub actual: u32,
    /// The place of the class that the first model predicts.
    pub first: u32,
    /// The place of the class that the second model predicts.
    pub second: u32,
    /// The number, or weight, of rows.
    pub mass: f64,
    /// The sum of the squared sampling weights; without sampling weights, the number of rows.
    pub square: f64,
}

/// The cells of a table of pairs, and of the table of squared sampling weights beside it.
///
/// # Errors
/// [`Refusal::Argument`] for a table that is no table of pairs of this many classes.
pub fn cells_of(
    table: &ConfusionMatrix,
    squares: Option<&ConfusionMatrix>,
    classes: usize,
) -> Result<Vec<PairCell>> {
    let refusal = || Refusal::argument("table", "another matrix", "a table of pairs");
    let many = classes as i128;
    let number = |matrix: &ConfusionMatrix, place: usize| match matrix.labels().values[place] {
        Label::Int(number) => Ok(number),
        Label::Text(_) => Err(refusal()),
    };
    let squares = match squares {
        None => None,
        Some(squares) => {
            let cells = squares.cells().map(|cell| {
                let (actual, pair) = (cell.actual as usize, cell.predicted as usize);
                Ok(((number(squares, actual)?, number(squares, pair)?), cell.mass))
            });
            let cells: Vec<((i128, i128), f64)> = cells.gather_all()?;
            Some(map_of::<_, _, std::hash::RandomState>(cells.into_iter()))
        }
    };
    let cells = table.cells().map(|cell| {
        let actual = number(table, cell.actual as usize)?;
        let pair = number(table, cell.predicted as usize)?;
        let (first, second) = (pair / many - 1, pair % many);
        if !(0..many).contains(&actual) || !(0..many).contains(&first) {
            return Err(refusal());
        }
        let square = squares
            .as_ref()
            .map_or(cell.mass, |squares| squares.get(&(actual, pair)).copied().unwrap_or(0.0));
        Ok(PairCell {
            actual: actual as u32,
            first: first as u32,
            second: second as u32,
            mass: cell.mass,
            square,
        })
    });
    cells.gather_all()
}

/// The matrix of one model, from the cells of a table of pairs.
///
/// # Errors
/// Counts or weights whose sum is too large.
pub fn matrix_of(
    cells: &[PairCell],
    predicted: fn(&PairCell) -> u32,
    classes: usize,
) -> Result<MatrixView> {
    let labels = LabelSet::numbered(classes);
    let actual: Vec<u32> = cells.iter().map(|cell| cell.actual).gather();
    let predicted: Vec<u32> = cells.iter().map(predicted).gather();
    let masses: Vec<f64> = cells.iter().map(|cell| cell.mass).gather();
    let matrix = ConfusionMatrix::from_cell_weights(&actual, &predicted, &masses, labels)?;
    Ok(matrix.view())
}

/// Refuses an index whose difference of two models on the same rows is not nearly normal.
///
/// # Errors
/// [`Refusal::Index`] for such an index, and for one that is not of counts or of a matrix.
pub fn check_difference(index: &Index) -> Result<()> {
    let refusal = |problem| Err(Refusal::Index { name: index.name.to_owned(), problem });
    if index.counts.is_none() && index.matrix.is_none() {
        let problem = "is no index of predicted classes; compare_scores has differences of indices \
                       of scores, and rocksteady.inference.bootstrap resamples any index";
        return refusal(problem.to_owned());
    }
    // An amount grows with the rows, but both models have the same rows.
    let is_amount = index.laws.contains(&Law::Proportional);
    match index.no_interval() {
        Some(reason) if reason != NoInterval::Grows || !is_amount => refusal(format!(
            "has no difference with an interval: {}; rocksteady.inference.bootstrap resamples any \
             index",
            reason.words()
        )),
        _ => Ok(()),
    }
}

/// How an index reads the classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// The place of the positive one of two classes.
    Positive(usize),
    /// All classes at once.
    Whole,
    /// The mean over the classes, each against the rest.
    Mean,
}

const ONE_OF_A_CLASS: &str = "A class has one row only, which does not show how it scatters.";

/// Why a test of an index of two classes says nothing, or what speaks against it: few rows of a
/// class. A share of all rows does not mind.
pub(crate) fn few_rows(index: &Index, actual: &[f64]) -> [Option<&'static str>; 2] {
    let is_of_all = |spread: &Spread| matches!(spread, Spread::Share { matrix: Some(_), .. });
    if index.spreads.iter().any(is_of_all) {
        return [None; 2];
    }
    let least = actual.iter().copied().filter(|&rows| rows > 0.0).fold(f64::INFINITY, f64::min);
    let is_one = actual.len() == 2 && least <= 1.0;
    [is_one.then_some(ONE_OF_A_CLASS), (least < FEW).then_some(FEW_OF_A_CLASS)]
}

/// A value of one model, and its slopes over the cells of its matrix.
struct Sloping {
    value: f64,
    slopes: HashMap<(u32, u32), f64>,
    why: Option<&'static str>,
}

pub(crate) const NO_SLOPE: &str = "The index has no slope here, as at an end of its range or where a cell is \
                        empty: use a bootstrap.";
pub(crate) const KINK: &str =
    "The index has a kink here, a slope to either side of its own: use a bootstrap.";

impl Sloping {
    fn undefined(value: Value) -> Self {
        Self {
            value: value.number,
            slopes: HashMap::new(),
            why: Some(value.why.map_or(NO_SLOPE, |why| why.sentence())),
        }
    }

    fn new(index: &Index, view: &MatrixView, of: Of, parameters: &Parameters) -> Result<Self> {
        let positive = match of {
            Of::Positive(class) => Some(class),
            Of::Whole => None,
            Of::Mean => return Self::mean(index, view, parameters),
        };
        let share = index.spreads.iter().find_map(|spread| match spread {
            Spread::Share { matrix, .. } => *matrix,
            _ => None,
        });
        if let (Of::Whole, Some(rows)) = (of, share) {
            // Its slopes are simple, for any number of cells.
            let value = index.of_matrix(view, parameters)?.number;
            let slope = |right: bool| {
                let is_one = right == (rows == Rows::Right);
                (f64::from(u8::from(is_one)) - value) / view.total
            };
            return Ok(Self {
                value,
                slopes: map_of(view.cells.iter().map(|cell| {
                    let slope = slope(cell.actual == cell.predicted);
                    ((cell.actual, cell.predicted), slope)
                })),
                why: None,
            });
        }
        let value = match positive {
            Some(class) if index.counts.is_some() => {
                index.of_counts(&view.one_vs_rest(class), parameters)?
            }
            _ => index.of_matrix(view, parameters)?,
        };
        let Some(found) = index.slopes_overall(view, positive, parameters)? else {
            return Ok(Self::undefined(value));
        };
        let cells = view.cells.iter().map(|cell| (cell.actual, cell.predicted));
        Ok(Self {
            value: value.number,
            slopes: map_of(cells.zip(found.slopes)),
            why: found.is_kink.then_some(KINK),
        })
    }

    /// The mean over the classes, each against the rest. A class where the index is undefined
    /// counts as 0.
    fn mean(index: &Index, view: &MatrixView, parameters: &Parameters) -> Result<Self> {
        let classes = view.classes();
        let share = 1.0 / classes as f64;
        let (mut sum, mut why) = (Products::default(), None);
        let mut slopes: Vec<f64> = vec![0.0; view.cells.len()];
        for class in 0..classes {
            interrupt::check();
            let value = index.of_class(view, class, parameters)?;
            let number = if value.number.is_nan() { 0.0 } else { value.number };
            sum = sum.plus(number, share);
            match index.slopes_of_class(view, class, parameters)? {
                Some(found) => {
                    why = if found.is_kink { Some(KINK) } else { why };
                    for (slope, own) in slopes.iter_mut().zip(found.slopes) {
                        *slope += share * own;
                    }
                }
                None if value.why.is_none() => why = Some(NO_SLOPE),
                None => {}
            }
        }
        let cells = view.cells.iter().map(|cell| (cell.actual, cell.predicted));
        Ok(Self { value: sum.value(), slopes: map_of(cells.zip(slopes)), why })
    }
}

/// The index of the first model minus the index of the second, and what speaks against its test.
/// `rows` is the number of rows where the weights are sampling weights.
///
/// # Errors
/// An index that is not one of counts, or that has no difference.
pub fn difference(
    index: &Index,
    cells: &[PairCell],
    classes: usize,
    of: Of,
    parameters: &Parameters,
    level: f64,
    rows: Option<u64>,
) -> Result<(Difference, Option<&'static str>)> {
    let views = [
        matrix_of(cells, |cell| cell.first, classes)?,
        matrix_of(cells, |cell| cell.second, classes)?,
    ];
    let first = Sloping::new(index, &views[0], of, parameters)?;
    let second = Sloping::new(index, &views[1], of, parameters)?;
    let [one, few] = few_rows(index, &views[0].actual);
    let why = first.why.or(second.why).or(one.filter(|_| rows.is_none()));
    let shift = |cell: &PairCell| {
        let slope = |model: &Sloping, predicted| {
            let found = model.slopes.get(&(cell.actual, predicted));
            found.copied().unwrap_or(0.0)
        };
        slope(&first, cell.first) - slope(&second, cell.second)
    };
    let (mut total, mut sum) = (Products::default(), Products::default());
    for cell in cells {
        total = total.plus(cell.mass, 1.0);
        sum = sum.plus(cell.mass, shift(cell));
    }
    let mean = sum.value() / total.value();
    let scatter = cells.iter().fold(Products::default(), |sum, cell| {
        let shift = shift(cell) - mean;
        sum.plus(cell.square * shift, shift)
    });
    let mut variance = scatter.value();
    if let Some(rows) = rows.filter(|&rows| rows > 1) {
        variance *= rows as f64 / (rows as f64 - 1.0);
    }
    // Slopes that cancel leave rounding errors.
    let size = cells.iter().fold(Products::default(), |sum, cell| {
        let slope = |model: &Sloping, predicted| {
            let found = model.slopes.get(&(cell.actual, predicted));
            found.copied().unwrap_or(0.0)
        };
        let most = slope(&first, cell.first).abs() + slope(&second, cell.second).abs();
        sum.plus(cell.square * most, most)
    });
    if variance <= 1e-26 * size.value() {
        variance = 0.0;
    }
    let (low, high) = index.range;
    let range = if (high - low).is_finite() {
        (low - high, high - low)
    } else {
        (f64::NEG_INFINITY, f64::INFINITY)
    };
    let estimate = first.value - second.value;
    Ok((Difference::normal(estimate, variance, level, range, why), few.filter(|_| why.is_none())))
}

/// The squared weights.
pub fn squares(weights: Weights) -> Vec<f64> {
    let mut all: Vec<f64> = with_room(weights.len());
    let mut scratch = Vec::new();
    for rows in chunks(0..weights.len()) {
        all.grow_by(weights.chunk(rows, &mut scratch));
    }
    in_place(all, |weight| weight * weight)
}
