//! What users and other packages call an index: spellings, names without a row, suggestions.
//!
//! | part | owns |
//! |---|---|
//! | [`spelling`] | one key for all spellings of a name, and the words of a name |
//! | [`elsewhere`] | names of other packages that are no row here, each with an answer |
//! | [`suggestion`] | the names that come nearest to an unknown one, by letters and by meaning |
//!
//! [`super::registry`] asks them in this order, and only for a name that no row has as it stands.

pub(crate) mod elsewhere;
pub(crate) mod spelling;
pub(crate) mod suggestion;
