//! The names of indices by users and other packages: spellings, names without a row, suggestions.
//!
//! | part | owns |
//! |---|---|
//! | [`spelling`] | one key for all spellings of a name, and the words of a name |
//! | [`elsewhere`] | names of other packages that no row has, each with an answer |
//! | [`suggestion`] | the names nearest to an unknown one, by letters and by meaning |
//!
//! [`super::registry`] asks them in this order, and only for a name that no row has literally.

pub(crate) mod elsewhere;
pub(crate) mod spelling;
pub(crate) mod suggestion;
