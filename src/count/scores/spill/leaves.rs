//! Ranges of keys cut again until each fits in memory.
//!
//! 1. Ranges have about equally many rows, unless the first rows differ from later ones: sorted
//!    input, or drifting scores.
//! 2. A range that is too large is read in parts, and its rows spill again, into new ranges between
//!    its least and its greatest key. Each time ranges become thousands of times narrower, so three
//!    times are enough.
//! 3. A range with one key is not cut, for any number of rows: they are only counted.

use std::sync::Arc;

use crate::base::error::Result;
use crate::base::memory::{Gather, Room};
use crate::base::temporary::Aligned;
use crate::scores::keys::extent;
use crate::scores::spill::ranges::{Loaded, Ranges, Store};

/// The number of keys in the sample for cutting a range.
const SAMPLE: u64 = 4096;

/// A range that fits in memory, or has one key.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub(crate) ranges: Arc<Ranges>,
    pub(crate) range: usize,
    /// The number of rows with each label.
    pub(crate) rows: [u64; 2],
    /// Its only key, if it has too many rows.
    pub(crate) only: Option<u64>,
}

/// All ranges with rows, from the highest keys to the lowest, each with at most `most` rows unless
/// it has one key.
///
/// # Errors
/// The errors of the file.
pub(crate) fn leaves(ranges: &Ranges, most: usize, store: &mut Store) -> Result<Vec<Leaf>> {
    let mut found = Vec::new();
    add(&Arc::new(ranges.clone()), most, store, &mut found)?;
    Ok(found)
}

fn add(ranges: &Arc<Ranges>, most: usize, store: &mut Store, found: &mut Vec<Leaf>) -> Result<()> {
    for range in (0..ranges.len()).rev() {
        let rows = ranges.rows(range);
        let all = rows[0] + rows[1];
        let mut leaf = Leaf { ranges: Arc::clone(ranges), range, rows, only: None };
        if all == 0 {
            continue;
        }
        if all <= most as u64 {
            found.grow(leaf);
            continue;
        }
        let sample = sample_of(&leaf, most, store)?;
        let (low, high) = extent(&sample);
        if low == high {
            leaf.only = Some(low);
            found.grow(leaf);
            continue;
        }
        let own = Ranges::new(ranges.kind, ranges.is_weighted(), &sample, most);
        let own = moved(ranges, range..range + 1, own, most, store)?;
        add(&Arc::new(own), most, store, found)?;
    }
    Ok(())
}

/// Some keys of a range, ascending, including the least and the greatest.
fn sample_of(leaf: &Leaf, most: usize, store: &Store) -> Result<Vec<u64>> {
    let (ranges, all) = (&leaf.ranges, leaf.rows[0] + leaf.rows[1]);
    let step = (all / SAMPLE).max(1) as usize;
    let (mut low, mut high) = (u64::MAX, 0);
    let (mut sample, mut memory, mut part) = (Vec::new(), Aligned::default(), Loaded::default());
    ranges.each_part(&store.file, leaf.range, most, &mut memory, &mut |class, bytes| {
        part.clear();
        part.take(class, bytes, ranges.is_weighted());
        let keys = &part.keys[class];
        let (least, greatest) = extent(keys);
        (low, high) = (low.min(least), high.max(greatest));
        sample.grow_with(keys.iter().step_by(step).copied());
        Ok(())
    })?;
    sample.grow(low);
    sample.grow(high);
    sample.sort_unstable();
    Ok(sample)
}

/// Moves the rows of some ranges to other ranges.
///
/// # Errors
/// The errors of the file.
pub(crate) fn moved(
    from: &Ranges,
    which: std::ops::Range<usize>,
    mut to: Ranges,
    most: usize,
    store: &mut Store,
) -> Result<Ranges> {
    let kinds = (from.kind, to.kind);
    let (mut memory, mut part) = (Aligned::default(), Loaded::default());
    let file = Arc::clone(&store.file);
    for range in which {
        let at_once = (most / 4).max(1);
        from.each_part(&file, range, at_once, &mut memory, &mut |class, bytes| {
            part.take(class, bytes, from.is_weighted());
            if part.len() >= at_once {
                part.spill(kinds, &mut to, store)?;
            }
            Ok(())
        })?;
    }
    if part.len() > 0 {
        part.spill(kinds, &mut to, store)?;
    }
    Ok(to)
}

/// Converts ranges of several kinds to the last kind, which holds all of them.
///
/// # Errors
/// The errors of the file.
pub(crate) fn of_one_kind(all: &[Ranges], most: usize, store: &mut Store) -> Result<Vec<Ranges>> {
    let Some((last, earlier)) = all.split_last() else {
        return Ok(Vec::new());
    };
    let mut one = last.clone();
    for ranges in earlier {
        one = moved(ranges, 0..ranges.len(), one, most, store)?;
    }
    Ok([one].into_iter().gather())
}
