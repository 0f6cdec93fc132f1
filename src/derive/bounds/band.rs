//! An index along a ranking whose cells alone are known: values at the edges of the cells, and
//! bounds within each cell.

use crate::base::error::Result;
use crate::base::memory::{Gather, Room, with_room};
use crate::base::threads::over_parts;
use crate::bounds::counts_box::{CountsBox, Split};
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::scores::sketch::arrangements::Arrangements;
use crate::scores::sketch::cells::{CellMasses, MIXED};

/// An index along a ranking, from the highest scores down.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Band {
    /// `edges[i]` is the value where the rows of the first `i` cells are predicted positive.
    pub edges: Vec<f64>,
    /// `low[i]`: no value between the edges `i - 1` and `i` is less; `low[0]` is `edges[0]`.
    pub low: Vec<f64>,
    /// `high[i]`: no value between the edges `i - 1` and `i` is greater; `high[0]` is `edges[0]`.
    pub high: Vec<f64>,
}

/// The tables that thresholds within each cell can have, and whether a cell is one score, so that
/// only the tables of its edges occur.
pub struct CellBoxes {
    boxes: Vec<CountsBox>,
    are_atoms: Vec<bool>,
    /// The box of the first edge, where no row is predicted positive.
    first: CountsBox,
}

impl CellBoxes {
    /// The boxes of the cells of a sketch.
    pub fn of(of: &Arrangements) -> Self {
        let cells = &of.sketch().cells;
        let len = cells.len();
        let are_atoms: Vec<bool> = cells.atoms.iter().map(|&atom| atom != MIXED).gather();
        let mut boxes = with_room(len);
        let first = match &cells.masses {
            CellMasses::Counts([positives, negatives]) => {
                let all = [positives.iter().sum(), negatives.iter().sum()];
                let (mut tp, mut fp) = (0, 0);
                for (&more, &wrong) in positives.iter().zip(negatives) {
                    boxes.grow(CountsBox::Whole([tp, tp + more, fp, fp + wrong], all));
                    (tp, fp) = (tp + more, fp + wrong);
                }
                CountsBox::Whole([0; 4], all)
            }
            CellMasses::Weights(_) => {
                let table = of.tied().finite();
                let end = |cell: usize| {
                    let counts = table.counts_of_first(cell);
                    [Split::of_sums(counts.tp, counts.fn_), Split::of_sums(counts.fp, counts.tn)]
                };
                let first = end(0);
                let mut before = first;
                for cell in 0..len {
                    let after = end(cell + 1);
                    boxes.grow(CountsBox::Weights([before[0], after[0], before[1], after[1]]));
                    before = after;
                }
                CountsBox::Weights([first[0], first[0], first[1], first[1]])
            }
        };
        Self { boxes, are_atoms, first }
    }

    /// An index along the cells; NaN where it is undefined.
    ///
    /// # Errors
    /// As [`Index::of_counts`].
    pub fn band(&self, row: &Index, parameters: &Parameters) -> Result<Band> {
        let number = |tables: &CountsBox| -> Result<f64> {
            let found = tables.bounds(row, parameters)?;
            Ok(found.value.unwrap_or(f64::midpoint(found.low, found.high)))
        };
        let parts = over_parts(self.boxes.len(), |part| {
            let mut ends = with_room(part.len());
            let mut insides = with_room(part.len());
            for place in part {
                let tables = &self.boxes[place];
                ends.grow(number(&tables.last())?);
                insides.grow(if self.are_atoms[place] {
                    None
                } else {
                    let found = tables.bounds(row, parameters)?;
                    let usual = row.when_undefined;
                    Some(if found.may_be_undefined && !usual.is_nan() {
                        (found.low.min(usual), found.high.max(usual)) // as the edges show it
                    } else {
                        (found.low, found.high)
                    })
                });
            }
            Ok((ends, insides))
        })?;
        let mut band = Band::default();
        let first = number(&self.first)?;
        for column in [&mut band.edges, &mut band.low, &mut band.high] {
            column.grow(first);
        }
        for (ends, insides) in parts {
            for (end, inside) in ends.into_iter().zip(insides) {
                let before = band.edges[band.edges.len() - 1];
                let (low, high) = inside.unwrap_or((before.min(end), before.max(end)));
                band.low.grow(low);
                band.high.grow(high);
                band.edges.grow(end);
            }
        }
        Ok(band)
    }
}
