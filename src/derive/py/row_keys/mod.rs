//! Keys of groups, from Python and back.
//!
//! In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | `keys` | columns of keys, the group of each row |

pub(crate) mod keys;
