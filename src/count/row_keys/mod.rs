//! Keys of groups: each row gets the number of its group, in the order of the sorted keys.
//!
//! Uses `labels`, `arith` and `base`. In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | [`ranks`] | the ranks of integers among their distinct values |
//! | [`texts`] | distinct texts, one after the other in memory |
//! | [`mod@column`] | one column of keys: its distinct keys, and the place of each row's key |
//! | [`keys`] | several columns side by side: the groups, their keys, and the union of two |
//! | `keys_bytes` | the bytes of keys |
//! | [`buckets`] | rows moved into buckets of consecutive groups, by all threads |

pub mod buckets;
pub mod column;
pub mod keys;
mod keys_bytes;
pub mod ranks;
pub mod texts;
