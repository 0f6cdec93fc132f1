//! How often each row is drawn in each replicate: 16 replicates of a chunk of rows at a time.
//!
//! 1. Each draw starts as a Poisson number from 16 bits, by a few comparisons in vectors. About 40
//!    of the 65,536 patterns leave it undecided; these draws take more bits. So the numbers have
//!    their probabilities to within 2^-53.
//! 2. "poisson": the mean is 1, and there is no further step. Rows are drawn independently.
//! 3. "multinomial": binomial splitting first sets how many draws each class and chunk gets. The
//!    Poisson numbers of a class in a chunk have mean 15/16. Then rows picked at random are drawn
//!    once more, or once less, until the class has its total. Poisson numbers given their sum are
//!    multinomial, and stay multinomial when uniform draws are added or random draws are taken
//!    away. So the result is exactly multinomial.
//! 4. With keys, the 16 bits are a hash of the row's key and the replicate alone.
//! 5. Blocks of rows begin anywhere, each row as likely as another; those at the end go on at the
//!    first row. The last is cut, so that a replicate has as many draws as rows.
//!
//! Cost: 0.2 ns a row and replicate for 2, 0.35 for 3, 0.3 for 4.
//!
//! Tried and rejected: picking every draw of a chunk at random (1.0 ns); Poisson numbers of mean 1
//! before 3 (taking a draw away costs eight times as much as adding one).
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.
#![allow(clippy::needless_range_loop)] // Loops over lanes are what the compiler makes vectors of.

use crate::base::memory::{Gather, Room, with_room};
use crate::base::wide::wide;
use crate::inference::bootstrap::binomial::{binomial, split};
use crate::inference::bootstrap::random::{Purpose, Stream, Wide, mix, stream};

/// Replicates that are drawn together.
pub(crate) const LANES: usize = 16;

/// Rows of a chunk; their draws take 32 KiB.
pub(crate) const ROWS: usize = 2048;

/// How often one row is drawn in each of 16 replicates.
pub(crate) type Draws = [u8; LANES];

/// A number for each class (negative, positive) and replicate.
pub(crate) type Totals = [[u64; LANES]; 2];

pub(crate) fn add(to: &mut Totals, totals: &Totals) {
    for (to, total) in to.as_flattened_mut().iter_mut().zip(totals.as_flattened()) {
        *to += total;
    }
}

/// How replicates are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resample {
    /// As many draws as rows, with replacement.
    Multinomial,
    /// A Poisson number of mean 1 for each row.
    Poisson,
}

/// The first Poisson number that 16 bits do not decide.
const UNDECIDED: u8 = 6;

/// A Poisson number from 16 bits, or from more bits where these do not decide.
#[derive(Debug)]
struct Mean {
    /// The number is how many cuts do not exceed the bits, whose highest bit is flipped.
    cuts: [i16; UNDECIDED as usize],
    /// How many of the undecided patterns give each number or a smaller one.
    rest: [f64; 24],
}

impl Mean {
    /// Poisson numbers with this mean; `none` = e^-mean.
    fn new(mean: f64, none: f64) -> Self {
        const PATTERNS: f64 = 65536.0;
        let (mut cuts, mut rest) = ([0; UNDECIDED as usize], [0.0; 24]);
        let (mut chance, mut decided, mut left) = (none, 0.0, 0.0);
        for (number, rest) in rest.iter_mut().enumerate() {
            let patterns = chance * PATTERNS;
            let whole = if number < cuts.len() { patterns.floor() } else { 0.0 };
            decided += whole;
            left += patterns - whole;
            *rest = left;
            if let Some(cut) = cuts.get_mut(number) {
                *cut = ((decided as u16) ^ 0x8000).cast_signed();
            }
            chance *= mean / (number + 1) as f64;
        }
        Self { cuts, rest }
    }

    /// The number of an undecided draw.
    #[cold]
    fn decide(&self, random: &mut Stream) -> u8 {
        let pattern = random.unit() * self.rest[self.rest.len() - 1];
        let found = self.rest.iter().position(|&upto| pattern < upto);
        found.unwrap_or(0) as u8
    }
}

wide! {
    fn fill[](cuts: &[i16; 6], random: &mut Wide, to: &mut [u8]) -> () = fill_body;
    fn list_undecided[](draws: &[u8], found: &mut [u16; ROWS * LANES / 32]) -> usize = list_undecided_body;
    fn hash_rows[](cuts: &[i16; 6], salts: &[u32; 16], keys: &[u64], to: &mut [u8]) -> () = hash_rows_body;
    /// The draws of all rows, and of the positive rows.
    fn sum_rows[](draws: &[Draws], flags: &[u8]) -> [[u32; LANES]; 2] = sum_rows_body;
    fn greatest[](draws: &[u8]) -> u8 = greatest_body;
}

#[inline(always)]
fn number(cuts: &[i16; 6], bits: u16) -> u8 {
    let bits = (bits ^ 0x8000).cast_signed();
    let mut number = 0_i16;
    for &cut in cuts {
        number += i16::from(bits >= cut);
    }
    number as u8
}

#[inline(always)]
fn fill_body(cuts: &[i16; 6], random: &mut Wide, to: &mut [u8]) {
    let mut blocks = to.chunks_exact_mut(32);
    for block in &mut blocks {
        let bits = random.next();
        for place in 0..32 {
            block[place] = number(cuts, bits[place]);
        }
    }
    let bits = random.next();
    for (to, bits) in blocks.into_remainder().iter_mut().zip(bits) {
        *to = number(cuts, bits);
    }
}

/// Lists the blocks of 32 draws that have an undecided one, and returns their number.
#[inline(always)]
fn list_undecided_body(draws: &[u8], found: &mut [u16; ROWS * LANES / 32]) -> usize {
    let (mut number, mut block) = (0, 0);
    while block * 32 < draws.len() {
        let end = draws.len().min(block * 32 + 32);
        let mut any = false;
        for &draw in &draws[block * 32..end] {
            any |= draw == UNDECIDED;
        }
        found[number] = block as u16;
        number += usize::from(any);
        block += 1;
    }
    number
}

/// Murmur3's mixing of 32 bits, with half of the key mixed in before and half within.
#[inline(always)]
fn hashed(key: u64, salt: u32) -> u32 {
    let mut bits = key as u32 ^ salt;
    bits ^= bits >> 16;
    bits = bits.wrapping_mul(0x85eb_ca6b).wrapping_add((key >> 32) as u32);
    bits ^= bits >> 13;
    bits = bits.wrapping_mul(0xc2b2_ae35);
    bits ^ (bits >> 16)
}

/// The draws of two rows at a time; `salts` has 8 salts twice.
#[inline(always)]
fn hash_rows_body(cuts: &[i16; 6], salts: &[u32; 16], keys: &[u64], to: &mut [u8]) {
    let mut row = 0;
    while row < keys.len() {
        let one = keys[row];
        let other = keys[(row + 1).min(keys.len() - 1)];
        let mut halves = [0; 32];
        for pair in 0..16 {
            let bits = hashed(if pair < 8 { one } else { other }, salts[pair]);
            halves[2 * pair] = bits as u16;
            halves[2 * pair + 1] = (bits >> 16) as u16;
        }
        if row + 1 < keys.len() {
            let to = &mut to[row * LANES..][..32];
            for place in 0..32 {
                to[place] = number(cuts, halves[place]);
            }
        } else {
            let to = &mut to[row * LANES..][..LANES];
            for place in 0..LANES {
                to[place] = number(cuts, halves[place]);
            }
        }
        row += 2;
    }
}

#[inline(always)]
fn sum_rows_body(draws: &[Draws], flags: &[u8]) -> [[u32; LANES]; 2] {
    let (mut sum, mut sum_of_positives) = ([0_u32; LANES], [0_u32; LANES]);
    // In parts whose sums fit 16 bits.
    let rows = draws.len().min(flags.len());
    let mut start = 0;
    while start < rows {
        let end = rows.min(start + 256);
        let (mut all, mut positive) = ([0_u16; LANES], [0_u16; LANES]);
        for row in start..end {
            let (draws, flag) = (&draws[row], flags[row]);
            // No row has this flag; a loop that may end early would not be interchanged, and take
            // six times as long.
            if flag == u8::MAX {
                break;
            }
            let mask = u16::from(flag & POSITIVE != 0).wrapping_neg();
            for lane in 0..LANES {
                let draw = u16::from(draws[lane]);
                all[lane] = all[lane].wrapping_add(draw);
                positive[lane] = positive[lane].wrapping_add(draw & mask);
            }
        }
        start = end;
        for lane in 0..LANES {
            sum[lane] += u32::from(all[lane]);
            sum_of_positives[lane] += u32::from(positive[lane]);
        }
    }
    [sum, sum_of_positives]
}

#[inline(always)]
fn greatest_body(draws: &[u8]) -> u8 {
    draws.iter().fold(0, |most, &draw| most.max(draw))
}

/// The draws of the negative and of the positive rows.
pub(crate) fn class_totals(draws: &[Draws], flags: &[u8]) -> Totals {
    let [all, positive] = sum_rows(draws, flags);
    let negative = std::array::from_fn(|lane| u64::from(all[lane] - positive[lane]));
    [negative, positive.map(u64::from)]
}

/// The flag of a positive row, or of a unit of the second stratum.
pub(crate) const POSITIVE: u8 = 1;

/// The units that are drawn: rows, or clusters of rows.
#[derive(Debug)]
pub(crate) struct Units {
    /// The flags of each unit; [`POSITIVE`] is its class.
    flags: Vec<u8>,
    /// Chunk after chunk, the places of its negative units, then of its positive units.
    places: Vec<u16>,
    /// The numbers of negative and positive units of each chunk.
    sizes: Vec<[u64; 2]>,
}

impl Units {
    fn new(flags: Vec<u8>) -> Self {
        let mut places = with_room(flags.len());
        let mut sizes = with_room(flags.len().div_ceil(ROWS));
        let mut of_class = [[0_u16; ROWS]; 2];
        for chunk in flags.chunks(ROWS) {
            // Each place is written to both lists and kept in one, so there is no branch.
            let mut lens = [0; 2];
            for (place, flag) in chunk.iter().enumerate() {
                let class = usize::from(flag & POSITIVE);
                of_class[0][lens[0]] = place as u16;
                of_class[1][lens[1]] = place as u16;
                lens[0] += 1 - class;
                lens[1] += class;
            }
            places.grow_by(&of_class[0][..lens[0]]);
            places.grow_by(&of_class[1][..lens[1]]);
            sizes.grow(lens.map(|len| len as u64));
        }
        Self { flags, places, sizes }
    }

    fn total(&self, class: usize) -> u64 {
        self.sizes.iter().map(|sizes| sizes[class]).sum()
    }
}

/// Draws the units of any chunk in any replicate.
#[derive(Debug)]
pub(crate) struct Sampler {
    seed: u64,
    units: Units,
    resample: Resample,
    /// Whether each class keeps its size.
    is_stratified: bool,
    /// Mixed keys of the units, if keys decide the draws.
    keys: Option<Vec<u64>>,
    mean: Mean,
    /// The samplers of strata, each with the places of its units; empty without strata.
    strata: Vec<(Self, Vec<u32>)>,
    /// The length of the blocks that are drawn.
    block: Option<usize>,
}

impl Sampler {
    /// A sampler of units with flags.
    pub(crate) fn new(seed: u64, flags: Vec<u8>, resample: Resample, is_stratified: bool) -> Self {
        Self {
            seed,
            units: Units::new(flags),
            resample,
            is_stratified,
            keys: None,
            mean: match resample {
                Resample::Multinomial => Mean::new(0.9375, 0.391_605_626_676_799),
                Resample::Poisson => Mean::new(1.0, 0.367_879_441_171_442_33),
            },
            strata: Vec::new(),
            block: None,
        }
    }

    /// A sampler of units, each drawn within its stratum; `strata` has the stratum of each.
    pub(crate) fn within(seed: u64, strata: &[u32], resample: Resample) -> Self {
        let number = strata.iter().max().map_or(0, |most| *most as usize + 1);
        let mut places: Vec<Vec<u32>> = (0..number).map(|_| Vec::new()).gather();
        for (place, &stratum) in strata.iter().enumerate() {
            places[stratum as usize].grow(place as u32);
        }
        let of_stratum = |(stratum, places): (usize, Vec<u32>)| {
            let flags = vec![0; places.len()];
            (Self::new(mix(seed ^ mix(stratum as u64)), flags, resample, false), places)
        };
        let parts = places.into_iter().enumerate().map(of_stratum).gather();
        Self { strata: parts, ..Self::new(seed, vec![0; strata.len()], resample, false) }
    }

    /// A sampler of blocks of units: each draw is of this many in a row.
    pub(crate) fn in_blocks(seed: u64, units: usize, length: usize) -> Self {
        let all = Self::new(seed, vec![0; units], Resample::Multinomial, false);
        Self { block: Some(length), ..all }
    }

    /// Draws blocks until there are as many draws as units.
    fn draw_blocks(&self, length: usize, batch: usize, draws: &mut [Draws]) {
        let units = draws.len();
        for lane in 0..LANES {
            let mut random = stream(self.seed, Purpose::Rows, batch * LANES + lane, 0);
            let mut left = units;
            while left > 0 {
                let (start, _) = random.place(units);
                for unit in start..start + length.min(left) {
                    let draw = &mut draws[if unit < units { unit } else { unit - units }][lane];
                    *draw = draw.saturating_add(1);
                }
                left = left.saturating_sub(length);
            }
        }
    }

    /// The draws of all units in the replicates from `batch` × 16 on.
    pub(crate) fn all_draws(&self, batch: usize) -> Vec<Draws> {
        let mut draws = vec![[0; LANES]; self.len()];
        if let Some(length) = self.block {
            self.draw_blocks(length, batch, &mut draws);
            return draws;
        }
        for (sampler, places) in &self.strata {
            for (own, &place) in sampler.all_draws(batch).iter().zip(places) {
                draws[place as usize] = *own;
            }
        }
        if self.strata.is_empty() {
            let batch = self.batch(batch);
            for (chunk, part) in draws.chunks_mut(ROWS).enumerate() {
                batch.draw(chunk, part);
            }
        }
        draws
    }

    /// A sampler of units with keys, which alone decide the draws.
    pub(crate) fn keyed(seed: u64, flags: Vec<u8>, keys: &[u64]) -> Self {
        let mixed = keys.iter().map(|&key| mix(key ^ mix(seed))).gather();
        Self { keys: Some(mixed), ..Self::new(seed, flags, Resample::Poisson, false) }
    }

    pub(crate) fn len(&self) -> usize {
        self.units.flags.len()
    }

    pub(crate) fn flags(&self, chunk: usize) -> &[u8] {
        let start = chunk * ROWS;
        &self.units.flags[start..self.len().min(start + ROWS)]
    }

    pub(crate) fn chunks(&self) -> usize {
        self.units.sizes.len()
    }

    /// The replicates from `batch` × 16 on.
    pub(crate) fn batch(&self, batch: usize) -> Batch<'_> {
        let mut targets = Vec::new();
        if self.resample == Resample::Multinomial {
            targets.grow_to(self.chunks(), [[0; LANES]; 2]);
            for lane in 0..LANES {
                let mut random = stream(self.seed, Purpose::Totals, batch * LANES + lane, 0);
                let sizes = [0, 1].map(|class| self.units.total(class));
                let draws =
                    if self.is_stratified { sizes } else { class_draws(&mut random, sizes) };
                for class in 0..2 {
                    let each = self.units.sizes.iter().map(|sizes| sizes[class]);
                    split(&mut random, draws[class], sizes[class], each, |chunk, draws| {
                        targets[chunk][class][lane] = draws;
                    });
                }
            }
        }
        Batch { sampler: self, number: batch, targets }
    }
}

/// How many of all draws go to each of two classes.
pub(crate) fn class_draws(random: &mut Stream, [negatives, positives]: [u64; 2]) -> [u64; 2] {
    let all = negatives + positives;
    let drawn = if all == 0 { 0 } else { binomial(random, all, positives as f64 / all as f64) };
    [all - drawn, drawn]
}

/// 16 replicates.
#[derive(Debug)]
pub(crate) struct Batch<'a> {
    sampler: &'a Sampler,
    number: usize,
    /// The draws of each chunk and class; empty if they are not fixed beforehand.
    targets: Vec<Totals>,
}

impl Batch<'_> {
    /// The draws of each class in all chunks, if they are fixed before drawing.
    pub(crate) fn totals(&self) -> Option<Totals> {
        (!self.targets.is_empty()).then(|| {
            let mut sums = [[0; LANES]; 2];
            for target in &self.targets {
                add(&mut sums, target);
            }
            sums
        })
    }

    /// The draws of each class in a chunk, if they are fixed.
    pub(crate) fn chunk_totals(&self, chunk: usize) -> Option<&Totals> {
        self.targets.get(chunk)
    }

    /// Writes how often each unit of a chunk is drawn.
    pub(crate) fn draw(&self, chunk: usize, to: &mut [Draws]) {
        let Self { sampler, number: batch, .. } = *self;
        let cuts = &sampler.mean.cuts;
        if let Some(keys) = &sampler.keys {
            let keys = &keys[chunk * ROWS..][..to.len()];
            let mut random = stream(sampler.seed, Purpose::Keys, batch, 0);
            let mut salts = [0; 16];
            for pair in 0..8 {
                salts[pair] = random.next() as u32;
                salts[pair + 8] = salts[pair];
            }
            hash_rows(cuts, &salts, keys, to.as_flattened_mut());
            for (to, &key) in to.iter_mut().zip(keys) {
                if to.contains(&UNDECIDED) {
                    for (lane, draw) in to.iter_mut().enumerate() {
                        if *draw == UNDECIDED {
                            let replicate = batch * LANES + lane;
                            let mut random = stream(key, Purpose::Keys, replicate, 1);
                            *draw = sampler.mean.decide(&mut random);
                        }
                    }
                }
            }
            return;
        }
        let mut random = Wide::new(stream(sampler.seed, Purpose::Rows, batch, chunk));
        fill(cuts, &mut random, to.as_flattened_mut());
        let mut rest = stream(sampler.seed, Purpose::Rest, batch, chunk);
        let mut blocks = [0; ROWS * LANES / 32];
        let draws = to.as_flattened_mut();
        let number = list_undecided(draws, &mut blocks);
        for &block in &blocks[..number] {
            let start = usize::from(block) * 32;
            let end = draws.len().min(start + 32);
            for draw in &mut draws[start..end] {
                if *draw == UNDECIDED {
                    *draw = sampler.mean.decide(&mut rest);
                }
            }
        }
        if let Some(targets) = self.targets.get(chunk) {
            self.balance(chunk, targets, to);
        }
    }

    /// Draws units once more, or once less, until each class has its number of draws.
    fn balance(&self, chunk: usize, targets: &Totals, to: &mut [Draws]) {
        let Self { sampler, number: batch, .. } = *self;
        let drawn = class_totals(to, sampler.flags(chunk));
        // A power of two of at least the greatest number of draws: a row is accepted in proportion
        // to its draws.
        let most = u32::from(greatest(to.as_flattened())).max(2).next_power_of_two();
        let shift = 64 - most.trailing_zeros();
        let places = &sampler.units.places[chunk * ROWS..][..to.len()];
        let (negative, positive) = places.split_at(sampler.units.sizes[chunk][0] as usize);
        for lane in 0..LANES {
            let replicate = batch * LANES + lane;
            let mut random = stream(sampler.seed, Purpose::Balance, replicate, chunk);
            for (class, places) in [negative, positive].into_iter().enumerate() {
                let drawn = drawn[class][lane];
                let target = targets[class][lane];
                for _ in drawn..target {
                    let (place, _) = random.place(places.len());
                    to[usize::from(places[place])][lane] += 1;
                }
                let mut left = drawn.saturating_sub(target);
                while left > 0 {
                    let (place, bits) = random.place(places.len());
                    let draw = &mut to[usize::from(places[place])][lane];
                    let is_taken = bits >> shift < u64::from(*draw);
                    *draw -= u8::from(is_taken);
                    left -= u64::from(is_taken);
                }
            }
        }
    }
}
