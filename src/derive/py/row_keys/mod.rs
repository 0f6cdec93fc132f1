//! Keys of groups, from Python and back.

pub(crate) mod keys;
