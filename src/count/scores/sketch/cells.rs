//! Cells with rows, from the highest scores down, with the masses of each class.

use crate::arith::exact::{ExactSums, Fixed, Sums, Wide};
use crate::base::memory::{CopyAll, Gather, Room, with_room, zeros};
use crate::scores::score_table::Masses;

/// Marks a cell with rows of several scores, in place of an atom's score. No number has this key.
pub const MIXED: u64 = 1;

/// The masses of the cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CellMasses {
    /// Counts of rows: positives, then negatives.
    Counts([Vec<u64>; 2]),
    /// Weights: a sum for the positives of each cell, then one for the negatives of each.
    Weights(ExactSums),
}

/// The cells of a sketch.
#[derive(Debug, PartialEq, Eq)]
pub struct Cells {
    /// The number of each cell.
    pub numbers: Vec<u64>,
    /// The order key of an atom's score, otherwise [`MIXED`].
    pub atoms: Vec<u64>,
    pub masses: CellMasses,
}

impl Clone for Cells {
    fn clone(&self) -> Self {
        Self {
            numbers: self.numbers.copy_all(),
            atoms: self.atoms.copy_all(),
            masses: match &self.masses {
                CellMasses::Counts([p, n]) => CellMasses::Counts([p.copy_all(), n.copy_all()]),
                CellMasses::Weights(sums) => CellMasses::Weights(sums.clone()),
            },
        }
    }
}

impl Default for Cells {
    fn default() -> Self {
        Self {
            numbers: Vec::new(),
            atoms: Vec::new(),
            masses: CellMasses::Counts([Vec::new(), Vec::new()]),
        }
    }
}

/// Numbers and atoms of cells while cells are joined.
pub(crate) struct Joined {
    numbers: Vec<u64>,
    atoms: Vec<u64>,
    len: usize,
}

impl Joined {
    pub(crate) fn with_room(len: usize) -> Self {
        Self { numbers: zeros(len), atoms: zeros(len), len: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Adds a cell that is not above the last; returns its place.
    #[inline]
    pub(crate) fn add(&mut self, number: u64, atom: u64) -> usize {
        // No branch: equality of cells in two sketches cannot be predicted.
        let is_new = self.len == 0 || self.numbers[self.len - 1] != number;
        self.len += usize::from(is_new);
        let at = self.len - 1;
        let held = &mut self.atoms[at];
        *held = if is_new || *held == atom { atom } else { MIXED };
        self.numbers[at] = number;
        at
    }

    /// The cells, with their masses.
    pub(crate) fn with(mut self, masses: CellMasses) -> Cells {
        self.numbers.truncate(self.len);
        self.atoms.truncate(self.len);
        Cells { numbers: self.numbers, atoms: self.atoms, masses }
    }
}

/// Merges two descending runs of numbers: which run is next, and the place in it.
pub(crate) struct Descending<'a> {
    numbers: [&'a [u64]; 2],
    own: usize,
    their: usize,
}

impl<'a> Descending<'a> {
    pub(crate) fn new(numbers: [&'a [u64]; 2]) -> Self {
        Self { numbers, own: 0, their: 0 }
    }
}

impl Iterator for Descending<'_> {
    type Item = (usize, usize);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let Self { own, their, .. } = *self;
        let is_own = match (self.numbers[0].get(own), self.numbers[1].get(their)) {
            (Some(own), Some(their)) => own >= their,
            (None, None) => return None,
            (own, _) => own.is_some(),
        };
        // No branch: the next run cannot be predicted.
        self.own += usize::from(is_own);
        self.their += usize::from(!is_own);
        Some((usize::from(!is_own), if is_own { own } else { their }))
    }
}

impl Cells {
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The cells under other numbers, which do not ascend; equal numbers are joined.
    pub(crate) fn renumbered(&self, numbers: &[u64]) -> Self {
        let mut joined = Joined::with_room(self.len());
        let cells = numbers.iter().zip(&self.atoms);
        let places: Vec<usize> = cells.map(|(&number, &atom)| joined.add(number, atom)).gather();
        let masses = self.masses.moved(&places, joined.len());
        joined.with(masses.settled())
    }

    /// The union of two sets of cells under other numbers, as in [`Self::renumbered`]; `len` of
    /// them are distinct. One may be empty; otherwise both have counts or both weights.
    pub(crate) fn union(&self, other: &Self, numbers: [&[u64]; 2], len: usize) -> Option<Self> {
        if other.len() == 0 {
            return Some(self.renumbered(numbers[0]));
        }
        if self.len() == 0 {
            return Some(other.renumbered(numbers[1]));
        }
        let mut joined = Joined::with_room(len);
        let atoms = [&self.atoms, &other.atoms];
        let both = Descending::new(numbers);
        if let (CellMasses::Counts(own), CellMasses::Counts(their)) = (&self.masses, &other.masses)
        {
            let rows = [own, their];
            let mut counts: [Vec<u64>; 2] = [zeros(len), zeros(len)];
            for (which, at) in both {
                let place = joined.add(numbers[which][at], atoms[which][at]);
                for (counts, more) in counts.iter_mut().zip(rows[which]) {
                    counts[place] += more[at];
                }
            }
            debug_assert_eq!(joined.len(), len);
            return Some(joined.with(CellMasses::Counts(counts)));
        }
        let mut places: [Vec<usize>; 2] = [with_room(self.len()), with_room(other.len())];
        for (which, at) in both {
            let place = joined.add(numbers[which][at], atoms[which][at]);
            places[which].grow(place);
        }
        debug_assert_eq!(joined.len(), len);
        let own = self.masses.moved(&places[0], len);
        let their = other.masses.moved(&places[1], len);
        Some(joined.with(own.plus(their)?.settled()))
    }

    #[must_use]
    pub(crate) fn turned(mut self) -> Self {
        match &mut self.masses {
            CellMasses::Counts(counts) => counts.reverse(),
            CellMasses::Weights(sums) => {
                let half = sums.len() / 2;
                let places: Vec<usize> = (half..2 * half).chain(0..half).gather();
                *sums = sums.moved(&places, 2 * half);
            }
        }
        self
    }

    /// The running totals from the highest cell down.
    pub(crate) fn running(&self) -> Masses {
        fn run<A: Copy>(masses: &[A], plus: impl Fn(A, A) -> A) -> Vec<A> {
            let mut sum = None;
            let sums = masses.iter().map(|&mass| {
                let next = sum.map_or(mass, |sum| plus(sum, mass));
                sum = Some(next);
                next
            });
            sums.gather()
        }
        fn halves<F: Fixed>(sums: &[F]) -> Vec<F> {
            let (positives, negatives) = sums.split_at(sums.len() / 2);
            let mut all = run(positives, F::plus);
            all.grow_with(run(negatives, F::plus));
            all
        }
        match &self.masses {
            CellMasses::Counts([p, n]) => {
                Masses::Counts(run(p, |a, b| a + b), run(n, |a, b| a + b))
            }
            CellMasses::Weights(sums) => {
                let running = match sums.sums() {
                    Sums::Narrow(sums) => Sums::Narrow(halves(sums)),
                    Sums::Wide(sums) => Sums::Wide(halves(sums)),
                };
                // The same span has the same width.
                let sums = ExactSums::from_parts(sums.span(), running);
                Masses::Weights(sums.unwrap_or_else(|| ExactSums::new(0)))
            }
        }
    }
}

impl CellMasses {
    /// The masses of the cells, moved to other places among `len` cells; masses at the same place
    /// are added.
    pub(crate) fn moved(&self, places: &[usize], len: usize) -> Self {
        self.moved_to([places, places], len)
    }

    /// [`Self::moved`] with separate places for positives and negatives.
    pub(crate) fn moved_apart(&self, places: &[Vec<usize>; 2], len: usize) -> Self {
        self.moved_to([&places[0], &places[1]], len)
    }

    fn moved_to(&self, places: [&[usize]; 2], len: usize) -> Self {
        match self {
            Self::Counts(counts) => Self::Counts([0, 1].map(|class: usize| {
                let mut moved = vec![0; len];
                for (&count, &place) in counts[class].iter().zip(places[class]) {
                    moved[place] += count;
                }
                moved
            })),
            Self::Weights(sums) => {
                let negatives = places[1].iter().map(|&place| len + place);
                let all: Vec<usize> = places[0].iter().copied().chain(negatives).gather();
                Self::Weights(sums.moved(&all, 2 * len))
            }
        }
    }

    /// The sum, cell by cell; none for counts.
    fn plus(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Weights(mut own), Self::Weights(their)) => {
                own.merge(&their);
                Some(Self::Weights(own))
            }
            _ => None,
        }
    }

    /// The form that depends only on the masses and the number of rows.
    #[must_use]
    pub(crate) fn settled(self) -> Self {
        match self {
            Self::Weights(sums) => {
                let weights = sums.span().weights;
                let all: Vec<usize> = (0..sums.len()).gather();
                Self::Weights(sums.settled(weights, &all))
            }
            counts @ Self::Counts(_) => counts,
        }
    }

    pub(crate) fn is_none(&self, class: usize, cell: usize) -> bool {
        match self {
            Self::Counts(counts) => counts[class][cell] == 0,
            Self::Weights(sums) => match sums.sums() {
                Sums::Narrow(all) => all[class * all.len() / 2 + cell] == 0,
                Sums::Wide(all) => all[class * all.len() / 2 + cell] == Wide::default(),
            },
        }
    }

    /// Whether a cell may have rows of several scores: with weights the number of rows is unknown.
    pub(crate) fn may_be_mixed(&self, cell: usize) -> bool {
        match self {
            Self::Counts([p, n]) => p[cell] + n[cell] > 1,
            Self::Weights(_) => true,
        }
    }

    /// The number of rows.
    pub(crate) fn rows(&self) -> u64 {
        match self {
            Self::Counts(counts) => counts.iter().flatten().sum(),
            Self::Weights(sums) => sums.span().weights,
        }
    }
}
