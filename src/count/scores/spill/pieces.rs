//! Ranges of keys as pieces of one score table.
//!
//! 1. The kernel for tables in memory sweeps each loaded range, starting with the totals of the
//!    ranges above it.
//! 2. A piece has the last score before its own, its own scores, and one score below all with the
//!    totals of the whole table. So code that reads places and totals of a table also reads a
//!    piece.
//! 3. All pieces but the last end after a multiple of 256 scores of the whole table, because sums
//!    are added in such blocks.

use std::fmt::Debug;
use std::ops::Range;

use crate::arith::exact::{ExactSums, Fixed, Span, Sums, Wide};
use crate::base::error::Result;
use crate::base::interrupt;
use crate::base::memory::{Gather, Room};
use crate::base::temporary::{Aligned, TemporaryFile};
use crate::labels::binary_labels::BinaryLabels;
use crate::scores::blocks::BLOCK;
use crate::scores::keys::{Keys, ScoreKind};
use crate::scores::score_table::{Masses, ScoreTable};
use crate::scores::spill::leaves::Leaf;
use crate::scores::spill::ranges::Loaded;
use crate::scores::sweep::all_thresholds::{Counter, weigh_rows};
use crate::scores::sweep::steps::Steps;

/// The masses of a class: a number of rows, or an exact sum of weights.
pub(crate) trait Mass: Copy + Default + Debug + Send + Sync + 'static {
    fn masses(positives: Vec<Self>, negatives: Vec<Self>, span: Span) -> Masses;
    /// The columns behind [`Self::masses`].
    fn columns(masses: Masses) -> (Vec<Self>, Vec<Self>);
    /// The masses at or above a score.
    fn at(masses: &Masses, place: usize) -> (Self, Self);
    /// The number of rows, for counts.
    fn count(self) -> Option<u64>;
    /// Adds the steps of the rows of a range.
    fn sweep(loaded: &Loaded, sweep: &mut Sweep<Self>);
    /// Adds rows with one score to totals.
    fn add(self, rows: &Loaded, class: usize, quantum: i32) -> Self;
    /// The mass as the nearest `f64`.
    fn to_f64(self, quantum: i32) -> f64;
}

impl Mass for u64 {
    fn masses(positives: Vec<u64>, negatives: Vec<u64>, _: Span) -> Masses {
        Masses::Counts(positives, negatives)
    }

    fn columns(masses: Masses) -> (Vec<u64>, Vec<u64>) {
        match masses {
            Masses::Counts(positives, negatives) => (positives, negatives),
            Masses::Weights(_) => (Vec::new(), Vec::new()),
        }
    }

    fn at(masses: &Masses, place: usize) -> (u64, u64) {
        match masses {
            Masses::Counts(positives, negatives) => (positives[place], negatives[place]),
            Masses::Weights(_) => (0, 0),
        }
    }

    fn count(self) -> Option<u64> {
        Some(self)
    }

    fn sweep(loaded: &Loaded, sweep: &mut Sweep<u64>) {
        let [first, second] = &loaded.keys;
        let (negatives, positives) =
            if sweep.turn == 0 { (first, second) } else { (second, first) };
        (sweep.counter.positives, sweep.counter.negatives) = sweep.totals;
        let classes = [negatives, positives].map(|keys| std::iter::once(&keys[..]));
        sweep.counter.count(classes, &mut sweep.steps);
        sweep.totals = (sweep.counter.positives, sweep.counter.negatives);
    }

    fn add(self, rows: &Loaded, class: usize, _: i32) -> u64 {
        self + rows.keys[class].len() as u64
    }

    fn to_f64(self, _: i32) -> f64 {
        self as f64
    }
}

macro_rules! weights {
    ($($fixed:ty, $sums:ident;)*) => {$(
        impl Mass for $fixed {
            fn masses(mut both: Vec<$fixed>, negatives: Vec<$fixed>, span: Span) -> Masses {
                both.grow_by(&negatives);
                // The span determines the width, so the parts fit together.
                let sums = ExactSums::from_parts(span, Sums::$sums(both));
                Masses::Weights(sums.unwrap_or_else(|| ExactSums::new(0)))
            }

            fn columns(masses: Masses) -> (Vec<$fixed>, Vec<$fixed>) {
                let Masses::Weights(sums) = masses else {
                    return (Vec::new(), Vec::new());
                };
                match sums.into_sums() {
                    Sums::$sums(mut both) => {
                        let negatives = both[both.len() / 2..].iter().copied().gather();
                        both.truncate(negatives.len());
                        (both, negatives)
                    }
                    _ => (Vec::new(), Vec::new()),
                }
            }

            fn at(masses: &Masses, place: usize) -> ($fixed, $fixed) {
                match masses {
                    Masses::Weights(sums) => match sums.sums() {
                        Sums::$sums(sums) => (sums[place], sums[sums.len() / 2 + place]),
                        _ => Default::default(),
                    },
                    Masses::Counts(..) => Default::default(),
                }
            }

            fn count(self) -> Option<u64> {
                None
            }

            fn sweep(loaded: &Loaded, sweep: &mut Sweep<$fixed>) {
                let rows = &mut sweep.rows;
                rows.clear();
                for class in 0..2 {
                    let is_positive = class ^ usize::from(sweep.turn) == 1;
                    let own = loaded.keys[class].iter().zip(&loaded.weights[class]);
                    rows.grow_with(own.map(|(&key, &weight)| (key, is_positive, weight)));
                }
                let (positives, negatives) = &mut sweep.totals;
                weigh_rows(rows, sweep.span.quantum(), [negatives, positives], &mut sweep.steps);
            }

            fn add(self, rows: &Loaded, class: usize, quantum: i32) -> $fixed {
                let weights = rows.weights[class].iter();
                weights.fold(self, |sum, &weight| sum.plus(<$fixed>::of(weight, quantum)))
            }

            fn to_f64(self, quantum: i32) -> f64 {
                Fixed::to_f64(self, quantum)
            }
        }
    )*};
}
weights! {
    u128, Narrow;
    Wide, Wide;
}

/// The common data of all pieces.
#[derive(Clone, Debug)]
pub(crate) struct Whole {
    pub(crate) kind: ScoreKind,
    pub(crate) labels: BinaryLabels,
    /// 1 if the first label is the positive one.
    pub(crate) turn: u8,
    /// The span of the weights.
    pub(crate) span: Span,
    /// The approximate number of scores in a piece.
    pub(crate) most: usize,
}

/// The lowest score of a range, and the masses at or above it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark<A> {
    pub(crate) low: u64,
    pub(crate) positives: A,
    pub(crate) negatives: A,
}

/// A sweep from high to low: the totals so far, and its memory.
pub(crate) struct Sweep<A> {
    turn: u8,
    span: Span,
    totals: (A, A),
    steps: Steps<u64, A>,
    counter: Counter<u64>,
    rows: Vec<(u64, bool, f64)>,
}

/// Sweeps ranges, from the highest to the lowest, below a mark if there is one. Calls `call` with
/// each piece and its own places in it. Returns a mark for each range.
///
/// # Errors
/// The errors of the file and of the call.
pub(crate) fn sweep<A: Mass>(
    file: &TemporaryFile,
    whole: &Whole,
    all: (A, A),
    leaves: &[Leaf],
    below: Option<Mark<A>>,
    call: &mut dyn FnMut(&ScoreTable, Range<usize>) -> Result<()>,
) -> Result<Vec<Mark<A>>> {
    let mut sweep = Sweep {
        turn: whole.turn,
        span: whole.span,
        totals: below.map_or_else(Default::default, |mark| (mark.positives, mark.negatives)),
        steps: Steps::with_room(0),
        counter: Counter::default(),
        rows: Vec::new(),
    };
    if let Some(mark) = below {
        sweep.steps.push(mark.low, mark.positives, mark.negatives);
    }
    let mut lead = sweep.steps.keys.len();
    let (mut memory, mut loaded) = (Aligned::default(), Loaded::default());
    let mut marks = Vec::new();
    for (place, leaf) in leaves.iter().enumerate() {
        interrupt::check();
        let is_weighted = leaf.ranges.is_weighted();
        if let Some(key) = leaf.only {
            let (mut positives, mut negatives) = sweep.totals;
            let quantum = whole.span.quantum();
            let (ranges, most) = (&leaf.ranges, whole.most);
            ranges.each_part(file, leaf.range, most, &mut memory, &mut |class, bytes| {
                loaded.clear();
                loaded.take(class, bytes, is_weighted);
                let is_positive = class ^ usize::from(whole.turn) == 1;
                let total = if is_positive { &mut positives } else { &mut negatives };
                *total = total.add(&loaded, class, quantum);
                Ok(())
            })?;
            sweep.steps.push(key, positives, negatives);
            sweep.totals = (positives, negatives);
        } else {
            loaded.clear();
            let (ranges, all) = (&leaf.ranges, usize::MAX);
            ranges.each_part(file, leaf.range, all, &mut memory, &mut |class, bytes| {
                loaded.take(class, bytes, is_weighted);
                Ok(())
            })?;
            A::sweep(&loaded, &mut sweep);
        }
        let low = sweep.steps.keys.last().copied().unwrap_or_default();
        let (positives, negatives) = sweep.totals;
        marks.grow(Mark { low, positives, negatives });
        let is_last = place + 1 == leaves.len();
        let own = sweep.steps.keys.len() - lead;
        if is_last || own >= whole.most.max(BLOCK) {
            let own = if is_last { own } else { own / BLOCK * BLOCK };
            show(whole, all, &mut sweep.steps, lead..lead + own, call)?;
            lead = 1;
        }
    }
    Ok(marks)
}

/// Calls `call` with the places, and drops all of them but the last.
fn show<A: Mass>(
    whole: &Whole,
    all: (A, A),
    steps: &mut Steps<u64, A>,
    places: Range<usize>,
    call: &mut dyn FnMut(&ScoreTable, Range<usize>) -> Result<()>,
) -> Result<()> {
    let rest = Steps {
        keys: steps.keys[places.end..].iter().copied().gather(),
        positives: steps.positives[places.end..].iter().copied().gather(),
        negatives: steps.negatives[places.end..].iter().copied().gather(),
    };
    let mut shown = std::mem::replace(steps, Steps::with_room(0));
    shown.keys.truncate(places.end);
    shown.positives.truncate(places.end);
    shown.negatives.truncate(places.end);
    shown.push(0, all.0, all.1);
    let keys = if whole.kind.is_wide() {
        Keys::Wide(std::mem::take(&mut shown.keys))
    } else {
        Keys::Narrow(shown.keys.iter().map(|&key| key as u32).gather())
    };
    let masses = A::masses(shown.positives, shown.negatives, whole.span);
    let piece = ScoreTable::piece(whole.kind, keys, masses, whole.labels.clone());
    call(&piece, places.clone())?;
    let (keys, _, masses) = piece.into_parts();
    (shown.positives, shown.negatives) = A::columns(masses);
    if let Keys::Wide(keys) = keys {
        shown.keys = keys;
    }
    let last = places.end - 1;
    for (column, rest) in
        [(&mut shown.positives, rest.positives), (&mut shown.negatives, rest.negatives)]
    {
        column[0] = column[last];
        column.truncate(1);
        column.grow_by(&rest);
    }
    shown.keys[0] = shown.keys[last];
    shown.keys.truncate(1);
    shown.keys.grow_by(&rest.keys);
    *steps = shown;
    Ok(())
}
