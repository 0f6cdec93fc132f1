//! The best and the worst ranking that the rows of a sketch can have.
//!
//! Rows in different cells are certainly in order. Within an open cell (a cell that is not an atom)
//! they may have any order, tied or not. The ranking is best with the positives of each open cell
//! above its negatives, and worst with the negatives above the positives. An index that never falls
//! when a positive moves up past a negative, or ties with it on the way, lies between its values
//! for these two rankings.

use std::sync::OnceLock;

use crate::base::dtype::{Number, ScoreKind, key_of_f64};
use crate::base::memory::{Room, with_room};
use crate::scores::keys::Keys;
use crate::scores::ranking::Ranking;
use crate::scores::score_table::{Masses, ScoreTable};
use crate::scores::sketch::cells::{Cells, MIXED};
use crate::scores::sketch::score_sketch::ScoreSketch;

/// A sketch and the rankings that bound it, computed at first use.
#[derive(Clone, Debug)]
pub struct Arrangements {
    sketch: ScoreSketch,
    exact: OnceLock<Option<Ranking>>,
    worst: OnceLock<Ranking>,
    best: OnceLock<Ranking>,
    tied: OnceLock<Ranking>,
    raised: OnceLock<Option<Ranking>>,
    lowered: OnceLock<Option<Ranking>>,
}

impl From<ScoreSketch> for Arrangements {
    fn from(sketch: ScoreSketch) -> Self {
        Self {
            sketch,
            exact: OnceLock::new(),
            worst: OnceLock::new(),
            best: OnceLock::new(),
            tied: OnceLock::new(),
            raised: OnceLock::new(),
            lowered: OnceLock::new(),
        }
    }
}

impl Arrangements {
    /// The sketch.
    pub fn sketch(&self) -> &ScoreSketch {
        &self.sketch
    }

    /// The ranking itself, if every cell is an atom.
    pub fn exact(&self) -> Option<&Ranking> {
        let found = self.exact.get_or_init(|| self.sketch.table().map(Ranking::from));
        found.as_ref()
    }

    /// The ranking with the negatives of each open cell above its positives.
    pub fn worst(&self) -> &Ranking {
        self.worst.get_or_init(|| arranged(&self.sketch, false).into())
    }

    /// The ranking with the positives of each open cell above its negatives.
    pub fn best(&self) -> &Ranking {
        self.best.get_or_init(|| arranged(&self.sketch, true).into())
    }

    /// The ranking with the rows of each cell tied.
    pub fn tied(&self) -> &Ranking {
        self.tied.get_or_init(|| {
            let mut keys: Vec<u64> = with_room(self.sketch.len());
            keys.grow_with((0..self.sketch.len() as u64).rev());
            table(&self.sketch, keys, <u64 as Number>::KIND, self.sketch.cells.running()).into()
        })
    }

    /// The ranking with the highest possible scores for the positives and the lowest for the
    /// negatives; none if a score is not a probability.
    pub fn raised(&self) -> Option<&Ranking> {
        let found = self.raised.get_or_init(|| {
            let of = scored(&self.sketch, true)?;
            Some(of.into())
        });
        found.as_ref()
    }

    /// The ranking with the lowest possible scores for the positives and the highest for the
    /// negatives; none if a score is not a probability.
    pub fn lowered(&self) -> Option<&Ranking> {
        let found = self.lowered.get_or_init(|| {
            let of = scored(&self.sketch, false)?;
            Some(of.into())
        });
        found.as_ref()
    }

    /// Whether only atoms have rows of both classes: then worst and best ranking have the same
    /// curve.
    pub fn is_one_curve(&self) -> bool {
        (0..self.sketch.len()).all(|at| !is_open(&self.sketch, at))
    }
}

/// Whether the order of positives and negatives in a cell is unknown.
fn is_open(sketch: &ScoreSketch, at: usize) -> bool {
    let cells = &sketch.cells;
    cells.atoms[at] == MIXED && (0..2).all(|class| !cells.masses.is_none(class, at))
}

fn table(sketch: &ScoreSketch, keys: Vec<u64>, kind: ScoreKind, running: Masses) -> ScoreTable {
    ScoreTable::from_sweep(kind, Keys::Wide(keys), running, sketch.labels.clone())
}

/// Running totals of the cells' masses, moved to other places among `len` scores.
fn running(sketch: &ScoreSketch, places: &[Vec<usize>; 2], len: usize) -> Masses {
    Cells {
        numbers: Vec::new(),
        atoms: Vec::new(),
        masses: sketch.cells.masses.moved_apart(places, len),
    }
    .running()
}

/// The table of the rows, with two scores for an open cell: one for each class. Scores are numbered
/// from the highest down.
fn arranged(sketch: &ScoreSketch, positives_first: bool) -> ScoreTable {
    let cells = sketch.len();
    // The places of the positives and of the negatives of each cell among the scores.
    let mut places: [Vec<usize>; 2] = [with_room(cells), with_room(cells)];
    let mut len = 0;
    for at in 0..cells {
        let is_open = is_open(sketch, at);
        places[0].grow(len + usize::from(is_open && !positives_first));
        places[1].grow(len + usize::from(is_open && positives_first));
        len += 1 + usize::from(is_open);
    }
    let mut keys: Vec<u64> = with_room(len);
    keys.grow_with((0..len as u64).rev());
    let running = running(sketch, &places, len);
    table(sketch, keys, <u64 as Number>::KIND, running)
}

/// The table of the rows with the highest scores of their cells for the positives and the lowest
/// for the negatives, or the reverse; none if a score is not a probability.
fn scored(sketch: &ScoreSketch, positives_high: bool) -> Option<ScoreTable> {
    sketch.losses()?;
    let (zero, one) = (key_of_f64(0.0), key_of_f64(1.0));
    let mut ends: Vec<(u64, usize, usize)> = with_room(2 * sketch.len());
    for (at, (&number, &atom)) in sketch.cells.numbers.iter().zip(&sketch.cells.atoms).enumerate() {
        let (least, greatest) = if atom == MIXED {
            let ends = (sketch.grid.least(number), sketch.grid.greatest(number));
            (ends.0.clamp(zero, one), ends.1.clamp(zero, one))
        } else {
            (atom, atom)
        };
        let keys = if positives_high { [greatest, least] } else { [least, greatest] };
        for (class, key) in keys.into_iter().enumerate() {
            if !sketch.cells.masses.is_none(class, at) {
                ends.grow((key, class, at));
            }
        }
    }
    ends.sort_unstable_by_key(|&(key, ..)| std::cmp::Reverse(key));
    let mut keys: Vec<u64> = with_room(ends.len());
    let mut places = [vec![0; sketch.len()], vec![0; sketch.len()]];
    for (key, class, at) in ends {
        if keys.last() != Some(&key) {
            keys.grow(key);
        }
        places[class][at] = keys.len() - 1;
    }
    let running = running(sketch, &places, keys.len());
    Some(table(sketch, keys, f64::KIND, running))
}
