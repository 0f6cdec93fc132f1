//! The steps of a score table under construction: descending distinct keys with the positives and
//! negatives at or above each.
//!
//! The memory for all steps is allocated once. Each thread writes its own part of it
//! ([`SharedSlots`]), and only written places become steps.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::ops::Range;
use std::slice;

use crate::base::error::Result;
use crate::base::memory::{Room, with_room};
use crate::base::threads::{joined_by, prefer_huge_pages};
use crate::scores::keys::{Key, Keys, TableKey};
use crate::scores::score_table::Masses;

/// Memory not yet written.
pub(super) type Spare<'a, T> = &'a mut [MaybeUninit<T>];

/// Distinct keys, descending, with the masses at or above each.
pub(crate) struct Steps<K, A> {
    pub(crate) keys: Vec<K>,
    pub(crate) positives: Vec<A>,
    pub(crate) negatives: Vec<A>,
}

impl<K: Key, A: Copy> Steps<K, A> {
    /// Memory for `len` steps, and one more for the beginning of a curve.
    pub(crate) fn with_room(len: usize) -> Self {
        let mut steps = Self::untouched(len);
        prefer_huge_pages(steps.keys.spare_capacity_mut());
        prefer_huge_pages(steps.positives.spare_capacity_mut());
        prefer_huge_pages(steps.negatives.spare_capacity_mut());
        steps
    }

    /// [`Self::with_room`] for threads that ask for huge pages themselves.
    pub(super) fn untouched(len: usize) -> Self {
        Self {
            keys: with_room(len + 1),
            positives: with_room(len + 1),
            negatives: with_room(len + 1),
        }
    }

    /// Memory for at least `len` more steps, not yet part of them.
    pub(super) fn spare(&mut self, len: usize) -> (Spare<'_, K>, Spare<'_, A>, Spare<'_, A>) {
        self.keys.make_room(len);
        self.positives.make_room(len);
        self.negatives.make_room(len);
        (
            self.keys.spare_capacity_mut(),
            self.positives.spare_capacity_mut(),
            self.negatives.spare_capacity_mut(),
        )
    }

    /// Makes the first `more` places of the spare memory part of the steps.
    ///
    /// # Safety
    /// They must have been written, in all three.
    pub(super) unsafe fn grow(&mut self, more: usize) {
        let len = self.keys.len() + more;
        // SAFETY: the caller has written the places, which lie within the capacity.
        unsafe {
            self.keys.set_len(len);
            self.positives.set_len(len);
            self.negatives.set_len(len);
        }
    }

    pub(crate) fn push(&mut self, key: K, positives: A, negatives: A) {
        self.keys.grow(key);
        self.positives.grow(positives);
        self.negatives.grow(negatives);
    }

    pub(super) fn clear(&mut self) {
        self.keys.clear();
        self.positives.clear();
        self.negatives.clear();
    }

    /// Frees the memory that ties left unused, if it is much.
    pub(super) fn trim(&mut self) {
        if self.keys.len() < self.keys.capacity() / 8 * 7 {
            let room = self.keys.len() + 1;
            self.keys.shrink_to(room);
            self.positives.shrink_to(room);
            self.negatives.shrink_to(room);
        }
    }
}

/// Places for steps; the first `made` are written.
pub(super) struct Slots<'a, K> {
    pub(super) keys: Spare<'a, K>,
    pub(super) positives: Spare<'a, u64>,
    pub(super) negatives: Spare<'a, u64>,
    pub(super) made: usize,
}

impl<K: Key> Steps<K, u64> {
    /// Adds at most `most` steps.
    pub(super) fn grow_in(&mut self, most: usize, write: impl FnOnce(&mut Slots<'_, K>)) {
        let (keys, positives, negatives) = self.spare(most);
        let mut slots = Slots { keys, positives, negatives, made: 0 };
        write(&mut slots);
        let made = slots.made;
        // SAFETY: so many have been written, in all three.
        unsafe { self.grow(made) };
    }
}

/// Places for steps; each of several threads writes its own part.
pub(super) struct SharedSlots<K> {
    pub(super) keys: *mut MaybeUninit<K>,
    pub(super) positives: *mut MaybeUninit<u64>,
    pub(super) negatives: *mut MaybeUninit<u64>,
    pub(super) len: usize,
}

// SAFETY: all that it does is `part`, whose callers take different places.
unsafe impl<K: Send> Sync for SharedSlots<K> {}

impl<K: Key> SharedSlots<K> {
    /// Some of the places.
    ///
    /// # Safety
    /// No other part has any of these places, and the memory outlives the part.
    pub(super) unsafe fn part<'a>(&self, places: Range<usize>) -> Slots<'a, K> {
        assert!(places.start <= places.end && places.end <= self.len);
        // SAFETY: the places exist, the caller says that they are nobody else's, and memory that
        // need not be written needs no value.
        unsafe {
            Slots {
                keys: slice::from_raw_parts_mut(self.keys.add(places.start), places.len()),
                positives: slice::from_raw_parts_mut(
                    self.positives.add(places.start),
                    places.len(),
                ),
                negatives: slice::from_raw_parts_mut(
                    self.negatives.add(places.start),
                    places.len(),
                ),
                made: 0,
            }
        }
    }
}

impl<K: TableKey> Steps<K, u64> {
    pub(super) fn counted(mut self) -> (Keys, Masses) {
        self.trim();
        let counts = Masses::Counts(self.positives, self.negatives);
        (K::keys(self.keys), counts)
    }
}

/// Joins columns of running totals, one after the other. A column comes in consecutive parts, each
/// with its own totals.
///
/// # Errors
/// As [`joined_by`].
pub(crate) fn joined_totals<A: Copy + Default + Send + Sync>(
    columns: impl IntoIterator<Item = Vec<Vec<A>>>,
    plus: impl Fn(A, A) -> A + Sync,
) -> Result<Vec<A>> {
    let (mut parts, mut befores) = (Vec::new(), Vec::new());
    for column in columns {
        let mut before = A::default();
        for part in column {
            befores.grow(before);
            before = part.last().map_or(before, |&last| plus(before, last));
            parts.grow(part);
        }
    }
    joined_by(parts, |part, more| plus(befores[part], more))
}
