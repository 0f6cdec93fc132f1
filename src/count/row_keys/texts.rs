//! Distinct texts, stored one after the other: eight bytes each besides their own.

use crate::base::memory::Room;

/// Texts in some order.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Texts {
    text: String,
    /// Where each text ends.
    ends: Vec<usize>,
}

impl Texts {
    /// No texts, with capacity for `texts` texts of `bytes` bytes altogether.
    pub(crate) fn with_room(texts: usize, bytes: usize) -> Self {
        let mut room: Vec<u8> = Vec::new();
        room.make_room(bytes);
        let mut ends = Vec::new();
        ends.make_room(texts);
        Self { text: String::from_utf8(room).unwrap_or_default(), ends }
    }

    pub(crate) fn of(texts: &[&str]) -> Self {
        let bytes = texts.iter().map(|text| text.len()).sum();
        let mut own = Self::with_room(texts.len(), bytes);
        for text in texts {
            own.push(text);
        }
        own
    }

    /// Appends a text, which must fit the capacity.
    pub(crate) fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.ends.grow(self.text.len());
    }

    /// The number of texts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no texts.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// One text.
    ///
    /// # Panics
    /// If there is no such text: a caller's error, which no input can cause.
    pub fn get(&self, place: usize) -> &str {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[place]]
    }

    /// All texts.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.len()).map(|place| self.get(place))
    }
}
