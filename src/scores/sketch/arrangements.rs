//! The best and the worst ranking that the rows of a sketch can have.
//!
//! Rows of different cells are in order for certain. Within a cell that is no atom they may be in
//! any order, tied or not. With the positives of each such cell above its negatives the ranking is
//! at its best, with the negatives above the positives at its worst. An index that never falls
//! where a positive moves up past a negative, or ties with it on the way, lies between its values
//! at the two.

use std::sync::OnceLock;

use crate::base::dtype::Number;
use crate::base::memory::{Room, with_room};
use crate::scores::keys::Keys;
use crate::scores::ranking::Ranking;
use crate::scores::score_table::ScoreTable;
use crate::scores::sketch::cells::{Cells, MIXED};
use crate::scores::sketch::score_sketch::ScoreSketch;

/// A sketch, and the rankings that bound what it knows, found when they are first asked for.
#[derive(Clone, Debug)]
pub struct Arrangements {
    sketch: ScoreSketch,
    exact: OnceLock<Option<Ranking>>,
    worst: OnceLock<Ranking>,
    best: OnceLock<Ranking>,
}

impl From<ScoreSketch> for Arrangements {
    fn from(sketch: ScoreSketch) -> Self {
        Self {
            sketch,
            exact: OnceLock::new(),
            worst: OnceLock::new(),
            best: OnceLock::new(),
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
        let found = self
            .exact
            .get_or_init(|| self.sketch.table().map(Ranking::from));
        found.as_ref()
    }

    /// The ranking with the negatives of each cell that is no atom above its positives.
    pub fn worst(&self) -> &Ranking {
        self.worst
            .get_or_init(|| arranged(&self.sketch, false).into())
    }

    /// The ranking with the positives of each such cell above its negatives.
    pub fn best(&self) -> &Ranking {
        self.best
            .get_or_init(|| arranged(&self.sketch, true).into())
    }

    /// Whether no cell but atoms has rows of both classes: then worst and best are one curve.
    pub fn is_one_curve(&self) -> bool {
        (0..self.sketch.len()).all(|at| !is_open(&self.sketch, at))
    }
}

/// Whether the order of positives and negatives in a cell is not known.
fn is_open(sketch: &ScoreSketch, at: usize) -> bool {
    let cells = &sketch.cells;
    cells.atoms[at] == MIXED && (0..2).all(|class| !cells.amounts.is_none(class, at))
}

/// The table of the rows, where the scores of open cells are two: one for each class. Scores are
/// numbered from the highest down.
fn arranged(sketch: &ScoreSketch, positives_first: bool) -> ScoreTable {
    let cells = &sketch.cells;
    // The places of the positives and of the negatives of each cell among the scores.
    let mut places: [Vec<usize>; 2] = [with_room(cells.len()), with_room(cells.len())];
    let mut len = 0;
    for at in 0..cells.len() {
        let is_open = is_open(sketch, at);
        places[0].grow(len + usize::from(is_open && !positives_first));
        places[1].grow(len + usize::from(is_open && positives_first));
        len += 1 + usize::from(is_open);
    }
    let mut keys: Vec<u64> = with_room(len);
    keys.grow_with((0..len as u64).rev());
    let running = Cells {
        numbers: Vec::new(),
        atoms: Vec::new(),
        amounts: cells.amounts.moved_apart(&places, len),
    }
    .running();
    let labels = sketch.labels.clone();
    ScoreTable::from_sweep(<u64 as Number>::KIND, Keys::Wide(keys), running, labels)
}
